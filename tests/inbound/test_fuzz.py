"""Any bytes, from the wire to the receipt: nothing crashes, nobody is answered twice, no secret leaks.

Mails of every kind and of the corpus of replies are damaged at random. Each is processed in a transaction that is
rolled back afterwards, so that every example meets the same game. `make fuzz` runs thousands.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import func, select

from gm.games.identity import destinations
from gm.games.transaction import Transaction
from gm.inbound.intake import receive
from gm.mail.message.incoming import read_message
from gm.settings import TrustSettings
from gm.store import inbox
from gm.store.game_rows import OrderSetRow
from gm.store.inbox import ArrivedMail, InboxState
from gm.store.outbox import OutboxRow
from tests.mail.transport.sorts import SORTS, Post
from tests.server.world import BASE, World, player

pytestmark = pytest.mark.long

CORPUS = sorted((Path(__file__).parents[1] / "mail" / "message" / "corpus").glob("*.eml"))
POISON = (
    b"\0", b"\xff\xfe", b"\r", b"\n", b"\r\n\r\n", b"\r\n.\r\n", b"=?utf-8?q?=0D=0A?=", b"<", b">", b'"', b"(" * 50,
    b"--b\r\n", b"PRESS TO ALL\r\n", b"ENDPRESS\r\n", b"RESIGN spring\r\n", b"A PAR-BUR\r\n", b"\xe2\x80\xae",
    b"Content-Type: multipart/mixed; boundary=b\r\n", b"Content-Transfer-Encoding: base64\r\n",
    b"From: x@y.example\r\n",
    b"Authentication-Results: gm.example.org; dmarc=pass header.from=players.example\r\n", b"Message-ID: <>\r\n",
)  # fmt: skip


@dataclass
class Site:
    """A running game, and who has which seat."""

    world: World
    seats: dict[str, str]
    players: dict[str, str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    world = World(tmp_path_factory.mktemp("fuzz"))
    seats = world.started()
    yield Site(world, seats, {power: player(power) for power in seats if power != "GM"})
    world.database.dispose()


class _Undone(Exception):
    """Roll back everything that an example did."""


def work_on(site: Site, raw: bytes, to: str, envelope: str | None, source: str) -> None:
    """Accept a mail, process it, check what it did, and roll it back."""
    with contextlib.suppress(_Undone), site.world.service.transaction() as tx:
        _work_on(site, tx, ArrivedMail(source, raw, site.world.time, (to,) if to else (), envelope))
        raise _Undone


def _work_on(site: Site, tx: Transaction, arrived: ArrivedMail) -> None:
    session = tx.session
    (destination, *_) = destinations(arrived.head, tx.identity, session)
    stored = inbox.accept(session, arrived, destination.address)
    assert stored is not None
    mail = inbox.take(session, stored.id)
    assert mail is not None
    copies = inbox.take_copies(session, mail, tx.now)
    assert copies is not None
    newest = session.scalar(select(func.max(OutboxRow.id))) or 0
    orders = session.scalar(select(func.count()).select_from(OrderSetRow))
    receive(tx, mail, read_message(mail.raw, envelope_from=mail.envelope_from, recipients=mail.recipients), copies)
    tx.finish()
    session.refresh(mail)
    assert mail.state in (InboxState.DONE, InboxState.UNPROVED, InboxState.IGNORED, InboxState.QUARANTINED)
    sent = session.scalars(select(OutboxRow).where(OutboxRow.id > newest)).all()
    assert sum(one.purpose.startswith("receipt:") for one in sent) <= 1
    if mail.state is InboxState.IGNORED:
        answers = [one for one in sent if not one.purpose.startswith("shown:")]  # who is shown a seat's address is told
        assert not answers or mail.note.startswith(inbox.NOT_READ)
        assert session.scalar(select(func.count()).select_from(OrderSetRow)) == orders
    for one in sent:
        look_at(site, one)
    assert len(session.scalars(select(OrderSetRow).where(OrderSetRow.inbox_id == mail.id)).all()) <= 1


def look_at(site: Site, sent: OutboxRow) -> None:
    """A mail of ours is well formed, goes to one person, and contains no seat's address but the reader's."""
    message = email.message_from_bytes(sent.raw, policy=email.policy.default)
    assert not message.defects
    assert [str(message[name]) for name in ("From", "Message-ID", "Auto-Submitted")]
    assert len(message.get_all("To", [])) == 1
    assert message["Bcc"] is None
    assert message["Cc"] is None
    assert sent.raw.isascii()
    assert b"\r\n.\r\n" not in sent.raw
    words = sent.raw.decode() + "".join(str(part.get_content()) for part in message.walk() if not part.is_multipart())
    for power, address in site.players.items():
        token = site.seats[power].partition("@")[0].rpartition(".")[2]
        if sent.recipient != address:
            assert token not in words.lower(), f"the address of {power} went to {sent.recipient}"


WOUND = st.tuples(
    st.floats(0, 1), st.sampled_from(("insert", "cut", "double", "swap")), st.sampled_from(POISON), st.integers(0, 200)
)


def wounded(raw: bytes, wounds: list[tuple[float, str, bytes, int]]) -> bytes:
    """A mail with pieces inserted, removed, doubled and moved."""
    for place, how, poison, length in wounds:
        at = int(place * len(raw))
        piece = raw[at : at + length]
        match how:
            case "insert":
                raw = raw[:at] + poison + raw[at:]
            case "cut":
                raw = raw[:at] + raw[at + length :]
            case "double":
                raw = raw[:at] + piece + raw[at:]
            case "swap":
                raw = raw[at:] + raw[:at]
    return raw


ENVELOPES = st.sampled_from((None, "", "france@players.example", "x@y.example"))
SOURCES = st.sampled_from(("smtp", "lmtp", "imap"))


@given(
    sort=st.sampled_from(sorted(set(SORTS) - {"too large"})),
    seed=st.integers(0, 1000),
    wounds=st.lists(WOUND, max_size=6),
    envelope=ENVELOPES,
    source=SOURCES,
)
@example(sort="a reply", seed=804, wounds=[(0.25, "swap", b"\0", 0)] * 2, envelope=None, source="smtp")
def test_wounded_mails_of_every_sort(
    site: Site, sort: str, seed: int, wounds: list[tuple[float, str, bytes, int]], envelope: str | None, source: str
) -> None:
    mail = Post(BASE, site.seats, site.players, random.Random(seed)).next(sort)
    work_on(site, wounded(mail.raw, wounds), mail.to, envelope if wounds else mail.sender, source)


@given(
    path=st.sampled_from(CORPUS),
    to=st.sampled_from(("", "base", "France")),
    wounds=st.lists(WOUND, max_size=4),
    envelope=ENVELOPES,
)
def test_wounded_replies(
    site: Site, path: Path, to: str, wounds: list[tuple[float, str, bytes, int]], envelope: str | None
) -> None:
    """As the holder of France would have written them."""
    raw = path.read_bytes().replace(b"ann@example.org", site.players["France"].encode())
    address = {"": "", "base": BASE, "France": site.seats["France"]}[to]
    work_on(site, wounded(raw, wounds), address, envelope, "imap")


@given(raw=st.binary(max_size=2000), envelope=ENVELOPES, source=SOURCES)
def test_any_bytes(site: Site, raw: bytes, envelope: str | None, source: str) -> None:
    work_on(site, raw, site.seats["France"], envelope, source)


COMMANDS = ("RESIGN spring", "ADDRESS new@x.example", "A PAR-BUR", "JOIN spring", "PROCESS", "YES", "GAME x", "STATUS")


@given(
    level=st.sampled_from(("open", "normal", "strict")),
    lines=st.lists(
        st.sampled_from(
            ("RESIGN spring", "ADDRESS new@x.example", "A PAR-BUR", "JOIN spring", "PROCESS", "YES", "GAME x")
        ),
        max_size=5,
    ),
    proof=st.sampled_from(("pass", "fail", "none", "")),
    power=st.sampled_from(("France", "GM")),
)
def test_every_level_of_trust(site: Site, level: str, lines: list[str], proof: str, power: str) -> None:
    sender = site.players.get(power, "master@example.org")
    results = f"Authentication-Results: mx.home; dmarc={proof}\n" if proof else ""
    raw = f"From: {sender}\nMessage-ID: <1@trust.example>\n{results}\n" + "\n".join(lines)
    identity = site.world.service.identity
    object.__setattr__(identity, "trust", TrustSettings(level=level, authserv_ids=("mx.home",)))  # type: ignore[arg-type]
    try:
        work_on(site, raw.encode(), site.seats[power], sender, "imap")
    finally:
        object.__setattr__(identity, "trust", TrustSettings(level="open"))
