"""From the From line and its proof to the deed: what is believed of a sender, and what is not."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.mail.transport.dkim import Signer, Verifier
from gm.server.intake import accept
from gm.settings import Level, TrustSettings
from gm.store.inbox import ArrivedMail, InboxState
from tests.server.test_trust import begun, question, world_of
from tests.server.world import BASE, World, player, text_of

FRANCE = player("France")
LEVELS: tuple[Level, ...] = ("open", "normal", "strict")
PASSED = "mx.home; dmarc=pass header.from=players.example"


def arrive_from(world: World, written: str, to: str, text: str, proof: str) -> None:
    """A mail with this From line and this topmost Authentication-Results."""
    head, _, rest = world.mail(FRANCE, to, text).partition(b"\n")
    assert head.startswith(b"From: ")
    raw = f"Authentication-Results: {proof}\nFrom: {written}\n".encode() + rest
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, (to,), FRANCE))
    world.work()


@pytest.fixture(params=LEVELS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    world = world_of(tmp_path, request.param, "mx.home")
    yield world
    world.database.dispose()


@pytest.mark.parametrize(
    "written",
    [
        f"eve@evil.example (x (y (z (w))) <{FRANCE}>)",
        f"eve@evil.example (x <{FRANCE}>",
        FRANCE.replace("@", "\u200b@"),
        FRANCE.replace("france", "fr\u00adance"),
    ],
)
def test_nobody_reads_as_a_player_who_is_not(world: World, written: str) -> None:
    seats = begun(world)
    before = len(world.mailboxes[FRANCE])
    arrive_from(world, written, seats["France"], "A PAR-GAS", PASSED)
    assert world.inbox()[-1].state in (InboxState.QUARANTINED, InboxState.IGNORED)
    assert not [mail for mail in world.mailboxes[FRANCE][before:] if "Paris -> Gascony" in text_of(mail)]


@pytest.mark.parametrize("written", [f"Example, Ann <{FRANCE}>", f"Ann ((x) y) <{FRANCE}>, "])
def test_one_mailbox_in_an_odd_shape_is_read(world: World, written: str) -> None:
    seats = begun(world)
    arrive_from(world, written, seats["France"], "A PAR-BUR", PASSED)
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))


def test_somebody_with_a_dot_before_the_at_sign_is_answered(world: World) -> None:
    arrive_from(world, '"ann."@players.example', BASE, "HELP", PASSED)
    assert "Help: the commands" in text_of(world.last('"ann."@players.example'))


@pytest.mark.parametrize(
    "proof",
    [
        '"mx."home; dmarc=pass header.from=players.example',
        f"evil.example; none\nAuthentication-Results: {PASSED}",
        'mx.home; spf=none smtp.mailfrom="x; dmarc=pass header.from=players.example"',
    ],
)
def test_what_another_may_have_written_proves_nothing(world: World, proof: str) -> None:
    """Without proof a strict server asks about every mail, and a normal one before what cannot be undone."""
    seats = begun(world)
    arrive_from(world, FRANCE, seats["France"], "RESIGN spring", proof)
    resigned = [seat for seat in world.seats() if seat.power == "France" and seat.person is None]
    assert bool(resigned) == (world.service.identity.trust.level == "open")


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[World]:
    world = world_of(tmp_path, "strict")
    yield world
    world.database.dispose()


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    path = tmp_path_factory.mktemp("dkim") / "dkim.pem"
    subprocess.run([openssl, "genrsa", "-out", str(path), "1024"], check=True, capture_output=True)
    return Signer("players.example", "a", path)


def arrive(world: World, signer: Signer, raw: bytes, to: str, source: str = "smtp") -> None:
    """The mail comes from another machine, whose domain publishes its key and wants proof."""
    name, record = signer.record
    records = {name: [record], "_dmarc.players.example": ["v=DMARC1; p=reject"]}
    verifier = Verifier(world.service.identity.authserv_id, txt=lambda asked: records.get(asked, []))
    stamped = verifier.stamp(raw, "192.0.2.7") if source == "smtp" else raw
    assert accept(world.service, ArrivedMail(source, stamped, world.time, (to,), FRANCE))
    world.work()


def test_signed_mail_is_acted_on(strict: World, signer: Signer) -> None:
    seats = begun(strict)
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(strict, signer, signer.sign(raw), seats["France"])
    assert strict.inbox()[-1].state is InboxState.DONE
    assert "Army Paris -> Burgundy" in text_of(strict.last(FRANCE))


def test_unsigned_mail_is_asked_about(strict: World, signer: Signer) -> None:
    seats = begun(strict)
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(strict, signer, raw, seats["France"])
    assert strict.inbox()[-1].state is InboxState.QUARANTINED
    assert "does not vouch" in text_of(question(strict, FRANCE))


@pytest.mark.parametrize(("source", "verify"), [("imap", "remote"), ("lmtp", "remote"), ("smtp", "none")])
def test_our_name_is_believed_only_where_we_wrote_it(strict: World, signer: Signer, source: str, verify: str) -> None:
    """A header in our name that somebody else wrote, on a way in where we never look at senders ourselves."""
    object.__setattr__(strict.service.identity, "trust", TrustSettings(level="strict", verify=verify))  # type: ignore[arg-type]
    seats = begun(strict)
    ours = strict.service.identity.authserv_id
    headers = {"Authentication-Results": f"{ours}; dmarc=pass header.from=players.example"}
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR", headers=headers)
    assert accept(strict.service, ArrivedMail(source, raw, strict.time, (seats["France"],), FRANCE))
    strict.work()
    assert strict.inbox()[-1].state is InboxState.QUARANTINED
    assert "nothing proves" in text_of(question(strict, FRANCE))
