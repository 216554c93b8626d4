"""From the From line and its authentication to the action: which senders are trusted, and which are not."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import dkim
import pytest
from authres import AuthenticationResultsHeader, SPFAuthenticationResult

from gm.games.identity import ServerIdentity
from gm.inbound.acceptance import accept
from gm.inbound.proof import Turns, proof_of
from gm.machine.steps import Checks, Delivery, desk, drain
from gm.mail.message.incoming import read_message
from gm.mail.message.trace import Authenticity, Findings, HandedOver
from gm.mail.transport.dmarc import LookupFailed, Signer, Verifier
from gm.settings import TrustSettings
from gm.store import retention, senders
from gm.store.inbox import ArrivedMail, InboxRow, InboxState
from tests.inbound.test_trust import begun, question, world_of
from tests.mail.transport.conftest import eventually
from tests.server.trust_page import SIGNED_BY
from tests.server.world import BASE, World, player, reply_to, text_of
from tests.tables import lines, rows

FRANCE = player("France")
PASSED = "mx.home; spf=pass smtp.mailfrom=players.example; dmarc=pass header.from=players.example"


def arrive_from(world: World, written: str, to: str, text: str, proof: str) -> None:
    """A mail with this From line and this topmost Authentication-Results."""
    head, _, rest = world.mail(FRANCE, to, text).partition(b"\n")
    assert head.startswith(b"From: ")
    raw = f"Authentication-Results: {proof}\nFrom: {written}\n".encode() + rest
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, (to,), FRANCE))
    world.work()


@pytest.fixture
def world(world_at_level: World) -> World:
    return world_at_level


@pytest.mark.parametrize(
    "written",
    [
        f"eve@evil.example (x (y (z (w))) <{FRANCE}>)",
        f"eve@evil.example (x <{FRANCE}>",
        FRANCE.replace("@", "\u200b@"),
        FRANCE.replace("france", "fr\u00adance"),
    ],
)
@pytest.mark.way_in(number=6)
def test_no_other_address_looks_like_a_players(world: World, written: str) -> None:
    seats = begun(world)
    before = len(world.mailboxes[FRANCE])
    arrive_from(world, written, seats["France"], "A PAR-GAS", PASSED)
    answers = world.mailboxes[FRANCE][before:]
    assert all("Nothing in it was acted on." in text_of(mail) for mail in answers)
    assert answers or world.inbox()[-1].state in (InboxState.QUARANTINED, InboxState.IGNORED)
    arrive_from(world, FRANCE, seats["France"], "MY ORDERS", PASSED)
    assert "Gascony" not in text_of(world.last(FRANCE))


@pytest.mark.parametrize("written", [f'"Example, Ann" <{FRANCE}>', f"Ann (x y) <{FRANCE}> "])
@pytest.mark.way_in(number=6)
def test_one_mailbox_in_an_odd_shape_is_read(world: World, written: str) -> None:
    seats = begun(world)
    arrive_from(world, written, seats["France"], "A PAR-BUR", PASSED)
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))


def test_somebody_with_a_dot_before_the_at_sign_is_answered(world: World) -> None:
    arrive_from(world, '"ann."@players.example', BASE, "HELP", PASSED)
    assert "How to play by mail" in text_of(world.last('"ann."@players.example'))


@pytest.mark.parametrize(
    "proof",
    [
        '"mx."home; dmarc=pass header.from=players.example',
        f"evil.example; none\nAuthentication-Results: {PASSED}",
        'mx.home; spf=none smtp.mailfrom="x; dmarc=pass header.from=players.example"',
    ],
)
@pytest.mark.way_in(number=6)
def test_what_another_may_have_written_proves_nothing(world: World, proof: str) -> None:
    """Without authentication a strict server asks about every mail, and a normal one before commands that cannot be
    undone.
    """
    seats = begun(world)
    arrive_from(world, FRANCE, seats["France"], "RESIGN spring", proof)
    resigned = [seat for seat in world.seats() if seat.power == "France" and seat.person is None]
    assert bool(resigned) == (world.service.identity.trust.level == "open")


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[World]:
    world = world_of(tmp_path, "strict")
    yield world
    world.database.dispose()


@pytest.fixture
def signer(key: Path) -> Signer:
    return Signer("players.example", "a", key)


@dataclass
class Dns:
    """players.example publishes its key and the machines that send for it, and requires authentication."""

    signer: Signer
    down: bool = False

    def __call__(self, name: str, kind: str) -> list[str]:
        if self.down:
            raise LookupFailed("no answer")
        published, key = self.signer.record
        records = {published: key, "_dmarc.players.example": "v=DMARC1; p=reject"}
        records["players.example"] = "v=spf1 ip4:192.0.2.25 -all"
        return [records[name]] if kind == "TXT" and name in records else []


HANDED_ON_BY = (
    "SRS0=xyz=TT=evil.org=eve@players.example",
    "eve+SRS=xyz=TT=evil.org=eve@players.example",
    "eve+caf_=gm=example.org@players.example",
    "eve@players.example",
    "prvs=0123abcdef=eve@players.example",
    "list-owner@players.example",
    "x@www.players.example",
)
"""Whom a server in the domain of its customers names as the sender of what it hands on."""
FROM = ("192.0.2.7", None)
REPORTED = (
    b"Authentication-Results: mx.home; dkim=pass header.d=players.example; dmarc=pass header.from=players.example\r\n"
)
"""What a server in front of ours may make of a signature, whether it is right or not."""


def checks(world: World, dns: Dns) -> Checks:
    identity = world.service.identity
    return Checks(world.service, Verifier(identity.authserv_id, records=dns, is_ours=identity.is_own))


def arrive(
    world: World,
    signer: Signer,
    raw: bytes,
    to: str,
    peer: str | None = "192.0.2.7",
    envelope_from: str | None = FRANCE,
) -> None:
    """The mail comes from another machine, or from one of ours (None)."""
    mail = ArrivedMail("smtp", raw, world.time, (to,), envelope_from, peer=peer, helo="mx.players.example")
    assert accept(world.service, mail)
    assert world.inbox()[-1].state is InboxState.UNCHECKED
    world.work()
    assert world.inbox()[-1].state is InboxState.UNCHECKED, "nothing is acted on before"
    checks(world, Dns(signer)).step(world.time)
    world.work()


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize("peer", FROM)
def test_signed_mail_is_acted_on(world: World, signer: Signer, peer: str | None) -> None:
    seats = begun(world)
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(world, signer, signer.sign(raw), seats["France"], peer)
    assert world.inbox()[-1].state is InboxState.DONE
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))


@pytest.mark.way_in(number=8)
def test_mail_from_a_machine_that_sends_for_its_domain_is_acted_on(world: World, signer: Signer) -> None:
    seats = begun(world)
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(world, signer, raw, seats["France"], "192.0.2.25")
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize("sender", HANDED_ON_BY[:-2])
def test_a_sender_of_the_envelope_who_is_not_the_author_proves_nothing(
    world: World, signer: Signer, sender: str
) -> None:
    """What somebody else wrote is handed on by a server of the domain that its From line names."""
    seats = begun(world)
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(world, signer, raw, seats["France"], "192.0.2.25", sender)
    assert world.inbox()[-1].state is InboxState.QUARANTINED
    assert "is not its author" in (world.inbox()[-1].findings or "")


@pytest.mark.way_in(number=8)
def test_unsigned_mail_is_asked_about(world: World, signer: Signer) -> None:
    seats = begun(world)
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(world, signer, raw, seats["France"])
    assert world.inbox()[-1].state is InboxState.QUARANTINED
    assert "failed its domain's own checks" in text_of(question(world, FRANCE))


@pytest.mark.parametrize(
    ("source", "verify"), [("imap", "remote"), ("lmtp", "remote"), ("smtp", "none"), ("smtp", "remote")]
)
def test_our_name_is_not_believed_in_a_mail(strict: World, source: str, verify: str) -> None:
    """Our own results are stored beside the mail; a header in the mail that bears our name is somebody else's."""
    object.__setattr__(strict.service.identity, "trust", TrustSettings(level="strict", verify=verify))  # type: ignore[arg-type]
    seats = begun(strict)
    ours = strict.service.identity.authserv_id
    headers = {"Authentication-Results": f"{ours}; dmarc=pass header.from=players.example"}
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR", headers=headers)
    assert accept(strict.service, ArrivedMail(source, raw, strict.time, (seats["France"],), FRANCE))
    strict.work()
    assert strict.inbox()[-1].state is InboxState.QUARANTINED
    assert "without proof" in text_of(question(strict, FRANCE))


@pytest.mark.way_in(number=6)
def test_results_in_a_mail_from_another_machine_are_not_believed(tmp_path: Path) -> None:
    """Also where the server checks nobody: whoever reaches it past the server in front may write what they like."""
    strict = world_of(tmp_path, "strict", "mx.home")
    seats = begun(strict)
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR", headers={"Authentication-Results": PASSED})
    came = ArrivedMail("smtp", raw, strict.time, (seats["France"],), FRANCE, peer="198.51.100.7", helo="mx")
    assert accept(strict.service, came)
    with strict.database.transaction() as session:
        senders.skip_checks(session)
    strict.work()
    assert strict.inbox()[-1].state is InboxState.QUARANTINED
    strict.database.dispose()


# ---- mail that a server in front of ours has handed over, or that lay in a mailbox


@pytest.mark.parametrize("said", ["", "dkim=none", "dkim=pass header.d=players.example", "dmarc=fail header.from=x.y"])
def test_a_signature_is_verified_whatever_is_reported_of_it(strict: World, signer: Signer, said: str) -> None:
    seats = begun(strict)
    raw = signer.sign(strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n"))
    field = f"Authentication-Results: mx.home; {said}\r\n" if said else ""
    arrive(strict, signer, field.encode() + raw, seats["France"], None, None)
    assert strict.inbox()[-1].state is InboxState.DONE
    assert "Army Paris -> Burgundy" in text_of(strict.last(FRANCE))


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize(
    "added", ['Cc: "gm \u00e9" <gm@example.org>', "Cc: eve@evil.example", "In-Reply-To: <a@b> (\u00e9)"]
)
def test_no_field_is_left_out_of_a_signature(strict: World, signer: Signer, added: str) -> None:
    """dkimpy-milter verifies a mail without its fields that are not in ASCII."""
    seats = begun(strict)
    raw = signer.sign(strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n"))
    arrive(strict, signer, REPORTED + f"{added}\r\n".encode() + raw, seats["France"], None, None)
    assert strict.inbox()[-1].state is InboxState.QUARANTINED


@pytest.mark.parametrize(
    ("said", "signed_by", "verify"),
    [
        ("; spf=pass smtp.mailfrom=players.example", "players.example", "remote"),
        ("", "elsewhere.example", "remote"),
        ("", "", "remote"),
        ("", "players.example", "none"),
    ],
)
def test_a_mail_waits_for_the_dns_only_if_that_may_prove_it(
    tmp_path: Path, key: Path, said: str, signed_by: str, verify: str
) -> None:
    strict = world_of(tmp_path, "strict", "mx.home")
    trust = replace(strict.service.identity.trust, verify=verify)  # type: ignore[arg-type]
    object.__setattr__(strict.service.identity, "trust", trust)
    seats = begun(strict)
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    raw = Signer(signed_by, "a", key).sign(raw) if signed_by else raw
    field = REPORTED.replace(b"; dmarc", f"{said}; dmarc".encode())
    assert accept(strict.service, ArrivedMail("smtp", field + raw, strict.time, (seats["France"],), FRANCE))
    assert strict.inbox()[-1].state is InboxState.NEW
    strict.work()
    assert strict.inbox()[-1].state is (InboxState.DONE if said else InboxState.QUARANTINED)
    strict.database.dispose()


def test_each_address_that_a_mail_came_to_has_what_was_found(strict: World, signer: Signer) -> None:
    seats = begun(strict)
    both = (seats["France"], seats["Germany"])
    raw = strict.mail(FRANCE, ", ".join(both), "MY ORDERS").replace(b"\n", b"\r\n")
    assert accept(strict.service, ArrivedMail("imap", signer.sign(raw), strict.time, both))
    checks(strict, Dns(signer)).step(strict.time)
    strict.work()
    found = [row.findings for row in strict.inbox()[-2:]]
    assert found[0] == found[1]
    assert "dmarc=pass" in (found[0] or "")


# ---- when the DNS does not answer


def held_up(world: World, signer: Signer, text: str = "A PAR-BUR") -> tuple[dict[str, str], Dns, Checks]:
    """A signed mail comes a minute before the deadline, and the DNS is down."""
    seats = begun(world)
    due = world.game().due_at
    assert due is not None
    world.time = due - timedelta(minutes=1)
    dns = Dns(signer, down=True)
    step = checks(world, dns)
    raw = signer.sign(world.mail(FRANCE, seats["France"], text).replace(b"\n", b"\r\n"))
    mail = ArrivedMail("smtp", raw, world.time, (seats["France"],), FRANCE, peer="192.0.2.7", helo="mx")
    assert accept(world.service, mail)
    go_on(world, step)
    return seats, dns, step


def go_on(world: World, step: Checks, **length: float) -> None:
    world.time += timedelta(**length)
    drain((step, *desk(world.service), Delivery(world.service, world)), lambda: world.time)


@pytest.mark.way_in(number=7)
def test_the_deadline_waits_for_a_check_that_the_dns_defers(world: World, signer: Signer) -> None:
    """The mail was accepted in time, and is acted on for its phase once its sender is found authentic."""
    _, dns, step = held_up(world, signer)
    go_on(world, step, minutes=3)
    assert world.phase() == "S1901M"
    dns.down = False
    go_on(world, step, minutes=4)
    assert world.phase() == "F1901M"
    assert "Army Paris -> Burgundy" in "".join(text_of(mail) for mail in world.mailboxes[FRANCE][-3:])
    assert world.inbox()[-1].state is InboxState.DONE


@pytest.mark.way_in(number=7)
def test_the_wait_is_bounded_and_the_mail_goes_on_unproved(world: World, signer: Signer) -> None:
    _, _, step = held_up(world, signer)
    for _ in range(20):
        go_on(world, step, minutes=1)
    assert world.phase() == "F1901M"
    strict = world.service.identity.trust.level == "strict"
    assert world.inbox()[-1].state is (InboxState.QUARANTINED if strict else InboxState.DONE)


def test_a_mail_to_nobodys_seat_holds_up_no_deadline(world: World, signer: Signer) -> None:
    seats = begun(world)
    due = world.game().due_at
    assert due is not None
    raw = world.mail("eve@evil.example", BASE, "LIST").replace(b"\n", b"\r\n")
    assert accept(world.service, ArrivedMail("smtp", raw, due, (BASE,), "eve@evil.example", peer="192.0.2.9"))
    assert seats
    world.time = due
    world.work()
    assert world.phase() == "F1901M"


def test_a_mail_whose_check_kills_the_process_goes_on_without(strict: World, signer: Signer) -> None:
    seats = begun(strict)
    raw = signer.sign(strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n"))
    mail = ArrivedMail("smtp", raw, strict.time, (seats["France"],), FRANCE, peer="192.0.2.7")
    assert accept(strict.service, mail)
    for _ in range(senders.CHECKS):
        with strict.database.transaction() as session:
            ((site, strange),) = senders.unchecked_sites(session, strict.time)
            assert not strange
            assert senders.next_unchecked(session, strict.time, site)
        strict.pass_time_quietly(minutes=3)
    checks(strict, Dns(signer)).step(strict.time)
    strict.work()
    assert strict.inbox()[-1].state is InboxState.QUARANTINED


class SlowSite:
    """Authenticates as it should, but of mail from slow.example the name servers answer once `answer` is set."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier, self.answer, self.asked = verifier, threading.Event(), list[bytes]()

    def find(self, raw: bytes, came: HandedOver) -> Findings:
        self.asked.append(raw)
        if b"slow.example" in raw:
            self.answer.wait(10)
        return self._verifier.find(raw, came)


def test_who_has_slow_name_servers_waits_alone(strict: World, signer: Signer) -> None:
    """Twenty such mails held each of the threads that check senders, and every other mail behind them."""
    seats = begun(strict)

    def come(sender: str, peer: str) -> None:
        raw = strict.mail(sender, seats["France"], f"A PAR-BUR {sender}").replace(b"\n", b"\r\n")
        raw = signer.sign(raw) if sender == FRANCE else raw
        assert accept(strict.service, ArrivedMail("smtp", raw, strict.time, (seats["France"],), sender, peer=peer))

    slow = SlowSite(Verifier(strict.service.identity.authserv_id, records=Dns(signer)))
    step = Checks(strict.service, slow)
    for number in range(20):
        come(f"x{number}@m{number}.slow.example", f"192.0.{number}.7")
        come(f"x@slow.example{number}.org", f"203.0.113.{number}")  # of many domains, from one site
    come("new@other.example", "198.51.100.9")
    come(FRANCE, "198.51.100.7")
    pool = [threading.Thread(target=lambda: drain((step,), lambda: strict.time), daemon=True) for _ in range(4)]
    for one in pool:
        one.start()
    try:
        assert eventually(lambda: all(strict.inbox()[at].state is not InboxState.UNCHECKED for at in (-1, -2)))
        assert len([raw for raw in slow.asked if b"slow.example" in raw]) <= 2
    finally:
        slow.answer.set()
        for one in pool:
            one.join()


def test_the_turns_of_sites() -> None:
    turns = Turns()
    with turns.one_of([("a.example 192.0.2.0/24", True), ("b.example 192.0.3.0/24", False)]) as site:
        assert site == "b.example 192.0.3.0/24", "registered senders first"
        for busy in ("b.example 192.0.9.0/24", "c.example 192.0.3.0/24", site):
            with turns.one_of([(busy, False)]) as none:
                assert none is None, "one at a time"
        time.sleep(0.01)
    for again in ("b.example 192.0.9.0/24", "c.example 192.0.3.0/24"):
        with turns.one_of([(again, True), ("d.example 192.0.4.0/24", True)]) as site:
            assert site == "d.example 192.0.4.0/24", "then those who have taken less time"
    with turns.one_of([]) as site:
        assert site is None


def test_mails_do_not_wait_when_checks_are_switched_off(strict: World, signer: Signer) -> None:
    seats = begun(strict)
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR")
    assert accept(strict.service, ArrivedMail("smtp", raw, strict.time, (seats["France"],), FRANCE, peer="192.0.2.7"))
    go_on(strict, Checks(strict.service, None))
    assert strict.inbox()[-1].state is InboxState.QUARANTINED


# ---- what a proof covers


EVIL = "A PAR-GAS"


def quoting(world: World, to: str) -> bytes:
    """A mail of France in two parts, of which the second is another's words."""
    part = "Content-Type: text/plain\n\n{}\n"
    body = f"--b\n{part.format('A PAR-BUR')}--b\n{part.format(EVIL).replace('plain', 'x-note')}--b--\n"
    raw = world.mail(FRANCE, to, "x").partition(b"\n\n")[0]
    kept = [line for line in raw.split(b"\n") if not line.lower().startswith((b"content-", b"mime-"))]
    head = [*kept, b"MIME-Version: 1.0", b'Content-Type: multipart/mixed; boundary="b"', b"", b""]
    return (b"\n".join(head) + body.encode()).replace(b"\n", b"\r\n")


REWRITTEN = {
    "a second Content-Type above": lambda raw: b"Content-Type: text/plain\r\n" + raw,
    "the same with a blank before the colon": lambda raw: b"Content-Type : text/plain\r\n" + raw,
    "an encoding that is not signed": lambda raw: b"Content-Transfer-Encoding: quoted-printable\r\n" + raw,
    "a header that ends earlier": lambda raw: raw.replace(b"DKIM-", b"X: y\r\n\r\r\nDKIM-", 1),
    "another subject": lambda raw: b"Subject: RESIGN\r\n" + raw,
    "a second sender": lambda raw: f"From: {FRANCE}\r\n".encode() + raw,
}


@pytest.mark.parametrize("peer", FROM)
@pytest.mark.parametrize("rewritten", REWRITTEN)
@pytest.mark.way_in(number=8)
def test_a_signed_mail_that_was_rewritten_is_asked_about(
    world: World, signer: Signer, rewritten: str, peer: str | None
) -> None:
    seats = begun(world)
    raw = REWRITTEN[rewritten](signer.sign(quoting(world, seats["France"])))
    arrive(world, signer, (REPORTED if peer is None else b"") + raw, seats["France"], peer, FRANCE if peer else None)
    assert world.inbox()[-1].state is InboxState.QUARANTINED
    assert "Gascony" not in text_of(question(world, FRANCE))


def signed_by(provider: str, raw: bytes, key: Path) -> bytes:
    """The mail with a signature of players.example that lists what this provider's lists, as far as the mail has it."""
    present = {line.partition(b":")[0].lower() for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n")}
    listed = [name.encode() for name in SIGNED_BY[provider].split(":") if name.encode() in present]
    signature: bytes = dkim.sign(raw, b"a", b"players.example", key.read_bytes(), include_headers=listed)
    return signature + raw


@pytest.mark.parametrize("provider", ["Yahoo", "iCloud", "Proton"])
@pytest.mark.way_in(number=8)
def test_a_mail_without_the_fields_that_its_provider_does_not_sign_is_asked_about(
    world: World, key: Path, signer: Signer, provider: str
) -> None:
    """Whoever was sent a copy could send it without them: as a new mail, with an attachment as its text, or so that
    nobody sees who has the seat's address.
    """
    seats = begun(world)
    whole = quoting(world, seats["France"]).replace(b'="b"', b'="--b"').replace(b"\n--b", b"\n----b")
    whole = signed_by(provider, whole.replace(b"Subject:", b"Cc: eve@evil.example\r\nSubject:", 1), key)
    header, end, body = whole.partition(b"\r\n\r\n")
    open_to_change = (b"message-id", b"mime-version", b"content-", b"cc", b"in-reply-to", b"references")
    removed = tuple(name for name in open_to_change if name not in SIGNED_BY[provider].encode())
    kept = [line for line in header.split(b"\r\n") if not line.lower().startswith(removed)]
    arrive(world, signer, b"\r\n".join(kept) + end + body, seats["France"])
    assert world.inbox()[-1].state is InboxState.QUARANTINED
    assert "does not cover" in text_of(question(world, FRANCE))
    whole = whole.replace(seats["France"].encode(), (now := address_now(world)).encode())
    arrive(world, signer, whole, now, "192.0.2.25")
    assert world.inbox()[-1].state is InboxState.DONE, "it was sent by a machine of the provider's"
    assert address_now(world) != seats["France"], "others have seen it"


def address_now(world: World) -> str:
    """The address of France's seat."""
    seat = next(seat for seat in world.seats() if seat.power == "France")
    return world.service.identity.address_of(world.game(), seat)


@pytest.mark.parametrize("proof", [PASSED, f"{PASSED}; spf=pass smtp.mailfrom=players.example"])
@pytest.mark.way_in(number=8)
def test_a_server_in_front_is_not_believed_about_doubled_fields(world: World, proof: str) -> None:
    seats = begun(world)
    head, _, rest = world.mail(FRANCE, seats["France"], EVIL).partition(b"\n")
    raw = f"Authentication-Results: {proof}\nMIME-Version: 1.0\n".encode() + head + b"\n" + rest
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, (seats["France"],), FRANCE))
    world.work()
    assert world.inbox()[-1].state is InboxState.QUARANTINED
    assert "more than one MIME-Version" in text_of(question(world, FRANCE))


_SAYS_IT_PASSES = "spf=pass smtp.mailfrom=players.example; dmarc=pass header.from=players.example"


def field_of_policyd_spf(envelope_from: str) -> str:
    """What policyd-spf writes with `Header_Type = AR`, by the library that it uses: that escapes nothing."""
    said = f"client-ip=203.0.113.9; helo=mx.evil.org; envelope-from={envelope_from}; receiver={BASE}"
    found = SPFAuthenticationResult(
        result="pass", result_comment="mailfrom", smtp_mailfrom="evil.org", smtp_mailfrom_comment=said
    )
    return str(AuthenticationResultsHeader(authserv_id="mx.home", results=[found]))


@pytest.mark.parametrize("known", ["envelope", "return path", "no"])
@pytest.mark.parametrize(
    "envelope_from",
    [
        f'"a); {_SAYS_IT_PASSES} (b"@evil.org',
        f"a); {_SAYS_IT_PASSES} (b@evil.org",
        f"a@b.example); {_SAYS_IT_PASSES} (b@evil.org",
        f"a); {_SAYS_IT_PASSES} (b",
        f"a); {_SAYS_IT_PASSES} (x) (b@evil.org",
        f"a);\r\n {_SAYS_IT_PASSES} ((b@evil.org)",
        rf'"a\(\)); {_SAYS_IT_PASSES} (\"b"@evil.org',
        f"a); dmarc (x)=(y) pass header.from=players.example; {_SAYS_IT_PASSES} (b@evil.org",
    ],
)
@pytest.mark.way_in(number=8)
def test_what_a_server_in_front_quotes_in_a_comment_is_no_result(world: World, envelope_from: str, known: str) -> None:
    """Neither where the sender of the envelope is known nor where it is not."""
    begun(world)
    path = f"Return-Path: <{envelope_from}>\n" if known == "return path" else ""
    raw = f"{path}{field_of_policyd_spf(envelope_from)}\n".encode() + world.mail(
        FRANCE, BASE, "ADDRESS ADD eve@evil.org"
    )
    arrived = ArrivedMail("imap", raw, world.time, (BASE,), envelope_from if known == "envelope" else None)
    assert found_of(world, arrived) is not Authenticity.PASS
    assert accept(world.service, arrived)
    world.work()
    assert "eve@evil.org" not in world.mailboxes


RECORD = "x);dmarc=pass(a)header.from=players.example;x=none("
STRANGERS_RECORD = {
    "an unknown mechanism": (f"spf=permerror (Unknown mechanism found: {RECORD}) smtp.mailfrom=evil.org (helo=y)"),
    "an explanation": f"spf=softfail ({RECORD.replace('dmarc=pass(a)header.from', 'spf=pass(a)smtp.mailfrom')}) (y)",
    "behind a pass": f"spf=pass (mailfrom; {RECORD}) smtp.mailfrom=evil.org (client-ip=203.0.113.9)",
    "of a signature": "dkim=pass (x);dkim=pass(a)header.d=players.example;x=none() header.d=evil.org",
}


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize("said", STRANGERS_RECORD)
@pytest.mark.parametrize("known", ["eve@evil.org", "", None])
def test_what_a_server_in_front_quotes_of_a_strangers_record_is_no_result(
    world: World, said: str, known: str | None
) -> None:
    """policyd-spf writes what a mechanism of the sender's own record is called, as it is."""
    raw = f"Authentication-Results: mx.home; {STRANGERS_RECORD[said]}\n".encode() + world.mail(FRANCE, BASE, "HELP")
    arrived = ArrivedMail("imap", raw, world.time, (BASE,), known)
    assert found_of(world, arrived) is Authenticity.DOUBTFUL


SIGNED_AS = f"DKIM-Signature: v=1; a=rsa-sha256; d=players.example; s=a; h={SIGNED_BY['GMX']}; bh=x; b=x"
DMARC = "mx.home; dmarc=pass (p=reject dis=none) header.from=players.example"
DKIM = "mx.home; dkim=pass (2048-bit key) header.d=players.example"
SPF = "mx.home; spf=pass (mailfrom) smtp.mailfrom=players.example (client-ip=192.0.2.1; receiver=x)"
GREETING = "mx.home; spf=pass (sender SPF authorized) smtp.helo=mx.evil.org (receiver=x); {}; y=none (b)"
EVE, OWN = "eve@evil.org", FRANCE
ESCAPED = (
    r"mx.home; spf=pass (sender SPF authorized) smtp.mailfrom=players.example(\\); a=none b.c=d@x.evil.org"
    rf" (client-ip=203.0.113.9; helo=mx.evil.org; envelope-from={FRANCE}(\\); a=none b.c=d@x.evil.org; receiver=x)"
)
"""What pyspf-milter makes of a comment in MAIL FROM that Postfix drops."""
SUPPORTED: list[tuple[str, tuple[str, ...], str, Authenticity]] = [
    ("a signature", (DMARC, DKIM, SPF.replace("=players", "=evil"), SIGNED_AS), EVE, Authenticity.DOUBTFUL),
    ("a signature alone", (DMARC, DKIM, SIGNED_AS), OWN, Authenticity.DOUBTFUL),
    ("nothing", (DMARC, SIGNED_AS), OWN, Authenticity.DOUBTFUL),
    ("a genuine envelope", (DMARC, SPF), OWN, Authenticity.PASS),
    ("two signatures", (f"{DKIM}; dkim=pass (1024-bit key) header.d=relay.example", SPF), OWN, Authenticity.PASS),
    (
        "a record",
        ("mx.home; spf=none (x);dmarc=pass(a)header.from=players.example;y=none()",),
        OWN,
        Authenticity.DOUBTFUL,
    ),
    ("a recipient", (GREETING.format("dmarc=pass header.from=players.example"),), OWN, Authenticity.DOUBTFUL),
    (
        "one behind a greeting",
        (GREETING.replace("; {}; y=none", " smtp.mailfrom=players.example"),),
        OWN,
        Authenticity.DOUBTFUL,
    ),
    ("one for SPF", (GREETING.format("spf=pass smtp.mailfrom=players.example"),), OWN, Authenticity.DOUBTFUL),
    (
        "one that OpenDMARC believes",
        (DMARC, GREETING.format("dkim=pass header.d=players.example")),
        OWN,
        Authenticity.DOUBTFUL,
    ),
    (
        "the same with a made up signature",
        (DMARC, GREETING.format("dkim=pass header.d=players.example"), SIGNED_AS),
        EVE,
        Authenticity.DOUBTFUL,
    ),
    (
        "a signature found bad",
        (DMARC, GREETING.format("x=y"), DKIM, DKIM.replace("pass", "fail"), SIGNED_AS),
        EVE,
        Authenticity.DOUBTFUL,
    ),
    ("another of the domain", (DMARC, SPF.replace("=players", "=eve@players")), OWN, Authenticity.DOUBTFUL),
    ("the author", (DMARC, SPF.replace("=players", f"={FRANCE.partition('@')[0]}@players")), OWN, Authenticity.PASS),
    ("an escaped end of a comment", (ESCAPED,), OWN, Authenticity.DOUBTFUL),
    ("an envelope that SPF refused", (DMARC, SPF, SPF.replace("spf=pass", "spf=softfail")), OWN, Authenticity.DOUBTFUL),
]


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize(("name", "fields", "sent_by", "found"), SUPPORTED)
def test_of_what_a_server_in_front_reports_spf_alone_proves_a_mail(
    world: World, name: str, fields: Sequence[str], sent_by: str, found: Authenticity
) -> None:
    """policyd-spf quotes a stranger's record and a recipient in a comment, as they are, and OpenDMARC reads that."""
    said = "".join(f"{'' if one is SIGNED_AS else 'Authentication-Results: '}{one}\n" for one in fields)
    raw = said.encode() + world.mail(FRANCE, BASE, "HELP")
    assert found_of(world, ArrivedMail("imap", raw, world.time, (BASE,), sent_by)) is found, name


AS_SERVERS_WRITE = lines("""
    mx.home; spf=pass (mailfrom) smtp.mailfrom={d} (client-ip=192.0.2.1; helo=mx.{d})
    mx.home; dkim=pass header.i=@{d} header.s=a; spf=pass (x: domain of y) smtp.mailfrom={d}; dmarc=pass (p=NONE) a.b=c
    mx.home; spf=pass (IP is 192.0.2.1) smtp.mailfrom={d}; dkim=pass (y) header.d={d};dmarc=pass header.from={d}
    mx.home; spf=pass smtp.mailfrom=france@{d} (a) x.y=z (b)
    mx.home; dkim=pass header.d={d}; dmarc=pass (policy=none) header.from={d}; spf=pass (x: y) smtp.mailfrom={d}
    mx.home; dkim=pass header.i=@{d}; arc=pass (i=1 dkim=pass); spf=pass (x: y) smtp.mailfrom={d}; dmarc=pass (z) a.b=c
    mx.home; arc=none (no signatures found); dkim=pass (2048-bit rsa key) header.d={d}; spf=pass smtp.mailfrom={d}
    mx.home; dmarc=pass(p=NONE) header.from={d}; dkim=pass header.i=@{d} header.s=a; spf=pass smtp.mailfrom={d};
    mx.home; x-ptr=pass smtp.helo=mx.{d} policy.ptr=x; dkim=pass header.d={d}; spf=pass smtp.mailfrom={d} smtp.helo=x
    mx.home; iprev=pass (mx.{d}) smtp.remote-ip=192.0.2.1; spf=pass smtp.mailfrom={d}; dkim=pass header.d={d} header.s=a
""")


@pytest.mark.parametrize("field", AS_SERVERS_WRITE)
def test_what_servers_write_about_a_mail_sent_directly_proves_it(world: World, field: str) -> None:
    said = field.replace("{d}", "players.example")
    raw = f"Return-Path: <{FRANCE}>\nAuthentication-Results: {said}\n{SIGNED_AS}\n".encode()
    raw += world.mail(FRANCE, BASE, "HELP")
    assert found_of(world, ArrivedMail("imap", raw, world.time, (BASE,), None)) is Authenticity.PASS


HANDED_ON = rows("""
    Delivered-To: eve@players.example                                   | no
    Envelope-To: <{us}>                                                 | yes
    Delivered-To: {us}, eve@players.example                             | no
    X-Forwarded-By: eve@players.example                                 | no
    Received: from x ([203.0.113.9]) by mx.players.example for <eve@players.example>; Fri  | no
    Received: from x ([203.0.113.9]) by mx.players.example with ESMTPSA for <{us}>; Fri    | yes
    Received: from x ([203.0.113.9]) by mx.players.example for <{us}>; Fri                 | no
    Received-SPF: fail (mx.players.example: not ours)                   | no
    Authentication-Results: mx.players.example; dmarc=fail header.from=players.example | no
""")


@pytest.mark.parametrize(("field", "proved"), HANDED_ON)
def test_what_was_handed_on_to_the_server_in_front_is_not_proved_by_who_sent_it(
    world: World, field: str, proved: str
) -> None:
    """What our own servers write about where they deliver it stands above what the server in front has received."""
    ours = f"Return-Path: <{FRANCE}>\nDelivered-To: mailbox@mx.home\nAuthentication-Results: {PASSED}\n"
    border = "Received: from mx.players.example ([192.0.2.25]) by mx.home; Fri, 20 Nov 2026 09:00:00 +0000\n"
    raw = (ours + border + field.replace("{us}", BASE) + "\n").encode() + world.mail(FRANCE, BASE, "HELP")
    found = found_of(world, ArrivedMail("imap", raw, world.time, (BASE,), None))
    assert found is (Authenticity.PASS if proved == "yes" else Authenticity.DOUBTFUL)


@pytest.mark.parametrize("envelope_from", [FRANCE, f"prvs=0123abcdef={FRANCE}", FRANCE.replace("@players", "@Players")])
def test_a_plain_sender_of_the_envelope_can_be_quoted(world: World, envelope_from: str) -> None:
    fields = (
        "mx.home; spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=players.example; dkim=pass (signature was verified)",
        f"mx.home; spf=pass (mx.home: domain of {envelope_from} is right) smtp.mailfrom=players.example; x=none (y)",
    )
    for field in fields:
        mail = world.mail(FRANCE, BASE, "HELP")
        for path, envelope in ((f"Return-Path: <{envelope_from}>\n", None), ("", envelope_from)):
            raw = f"{path}Authentication-Results: {field}\n".encode() + mail
            arrived = ArrivedMail("imap", raw, world.time, (BASE,), envelope)
            assert found_of(world, arrived) is Authenticity.PASS


@pytest.mark.parametrize("quoted", ['reason="{}"', "smtp.mailfrom={}"])
@pytest.mark.parametrize("known", ["envelope", "return path"])
def test_an_odd_sender_of_the_envelope_proves_nothing_however_it_is_quoted(
    world: World, quoted: str, known: str
) -> None:
    sender = 'a"; dmarc=pass header.from=players.example; x=pass reason="b@evil.org'
    path = f"Return-Path: <{sender}>\n" if known == "return path" else ""
    field = f"Authentication-Results: mx.home; spf=pass {quoted.format(sender)}\n"
    raw = f"{path}{field}".encode() + world.mail(FRANCE, BASE, "HELP")
    arrived = ArrivedMail("imap", raw, world.time, (BASE,), sender if known == "envelope" else None)
    assert found_of(world, arrived) is not Authenticity.PASS


HELO_BEFORE_TLS = "mx.home; spf=none smtp.mailfrom={} smtp.helo=mx.evil.org; {}"
ADDED = (
    "dmarc=pass header.from=players.example",
    "dkim=pass header.d=players.example",
    "spf=pass smtp.mailfrom=players.example",
)


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize("added", ADDED)
@pytest.mark.parametrize("sent_by", [EVE, FRANCE])
@pytest.mark.parametrize("written", ["above", "below", "below what DMARC made of it"])
def test_what_a_server_in_front_quotes_of_a_greeting_is_no_result(
    world: World, added: str, sent_by: str, written: str
) -> None:
    """Postfix hands it to milters as it is; smf-spf writes it into its result, where OpenDMARC reads it. What was said
    before encryption began stands in no Received.
    """
    received = "Received: from mx.evil.org (mx.evil.org [203.0.113.9]) by mx.home; Fri, 20 Nov 2026 09:00:00 +0000\n"
    field = f"Authentication-Results: {HELO_BEFORE_TLS.format(sent_by, added)}\n"
    said = field if written != "below what DMARC made of it" else f"Authentication-Results: {DMARC}\n{field}"
    head = f"{said}{received}" if written == "above" else f"{received}{said}"
    trust = replace(world.service.identity.trust, results_below=written != "above")
    identity = replace(world.service.identity, trust=trust)
    raw = head.encode() + world.mail(FRANCE, BASE, "HELP")
    arrived = ArrivedMail("imap", raw, world.time, (BASE,), sent_by)
    assert found_of(world, arrived, identity) is Authenticity.DOUBTFUL


QUOTED_RAW = lines("""
    mx.home; iprev=pass smtp.remote-ip=203.0.113.9 (x); dmarc=pass header.from=players.example; x=none (y)
    mx.home; auth=pass smtp.auth=x; dmarc=pass header.from=players.example
    mx.home; spf=none smtp.mailfrom=evil.org smtp.rcptto=x; dmarc=pass header.from=players.example
    mx.home; spf=none smtp.mailfrom=postmaster@x; dmarc=pass header.from=players.example smtp.helo=y
    mx.home; spf=pass (a) smtp.helo=mx.evil.org (receiver=x); spf=pass smtp.mailfrom=players.example
    mx.home; dkim=fail reason="x"; dmarc=pass header.from=players.example; x=none reason="y"
    mx.home; iprev=fail policy.iprev=203.0.113.9 policy.ptr=x; dmarc=pass header.from=players.example
    mx.home; tls=pass (CN=x) smtp.cert=y; dmarc=pass header.from=players.example
    mx.home; x=y=z; dmarc=pass header.from=players.example
""")


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize("field", QUOTED_RAW)
@pytest.mark.parametrize("sent_by", ["", EVE, FRANCE])
def test_nothing_is_believed_behind_what_a_stranger_may_have_chosen(world: World, field: str, sent_by: str) -> None:
    raw = f"Authentication-Results: {field}\n{SIGNED_AS}\n".encode() + world.mail(FRANCE, BASE, "HELP")
    assert found_of(world, ArrivedMail("imap", raw, world.time, (BASE,), sent_by)) is not Authenticity.PASS


@pytest.mark.way_in(number=8)
def test_dmarc_may_rest_on_what_another_server_quotes(world: World) -> None:
    """A program in front may believe more names than we do, and the field that says what SPF has found."""
    quoted = "spf.home; spf=pass (a) smtp.helo=mx.evil.org (receiver=x); dkim=pass header.d=players.example; x=y (b)"
    for other in (f"Authentication-Results: {quoted}", "Received-SPF: None (no record) receiver=x"):
        raw = f"Authentication-Results: {DMARC}\n{other}\n".encode() + world.mail(FRANCE, BASE, "HELP")
        assert found_of(world, ArrivedMail("imap", raw, world.time, (BASE,), EVE)) is Authenticity.DOUBTFUL


BROKEN = (
    "dkim=pass (Good 2048 bit rsa-sha256 \n   signature) \n   header.d=g.players.example\n   .evil.org"
    " header.a=rsa-sha256; dkim=pass (Good 2048 bit rsa-sha256 \n   signature) header.d=evil.org \n   header.i=b\n"
    "   header.d=g.players.example\n   policy.x=y@evil.org header.a=rsa-sha256"
)
"""What dkimpy-milter writes of two good signatures, of the first by `d=g.players.example.evil.org`: it breaks words."""


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize("ours", ["mx.home", "dkim.home"])
def test_a_field_that_has_more_than_results_says_nothing_of_signatures(world: World, ours: str) -> None:
    """OpenDMARC reads the domain behind a break as one of its own; we may not trust the name that wrote it."""
    signed = SIGNED_AS.replace("d=players.example", "d=evil.org")
    fields = f"Authentication-Results: {DMARC}\nAuthentication-Results: {ours}; {BROKEN}\n"
    for sent_by in (EVE, "", FRANCE):
        raw = f"{fields}{signed}\n{SIGNED_AS}\n".encode() + world.mail(FRANCE, BASE, "HELP")
        assert found_of(world, ArrivedMail("imap", raw, world.time, (BASE,), sent_by)) is Authenticity.DOUBTFUL


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize(
    "said", ["spf/1=fail", "spf (x)=fail", "spf= (x) fail", "x-spf=fail", "x-dkim=fail", "iprev=fail"]
)
def test_what_is_reported_beside_dmarc_is_looked_at(world: World, said: str) -> None:
    raw = f"Authentication-Results: {DMARC}; {said} smtp.mailfrom=players.example\n".encode()
    arrived = ArrivedMail("imap", raw + world.mail(FRANCE, BASE, "HELP"), world.time, (BASE,), FRANCE)
    assert found_of(world, arrived) is Authenticity.DOUBTFUL


@pytest.mark.way_in(number=8)
def test_spf_supports_nothing_beside_what_somebody_who_has_logged_in_chooses(world: World) -> None:
    """Exim quotes the AUTH of MAIL FROM as it came."""
    said = "auth=pass (PLAIN) smtp.auth=eve smtp.mailfrom=x;spf=pass smtp.mailfrom=players.example;y=none x.y=z@x"
    raw = f"Authentication-Results: mx.home; {said}\n".encode() + world.mail(FRANCE, BASE, "HELP")
    assert found_of(world, ArrivedMail("imap", raw, world.time, (BASE,), FRANCE)) is not Authenticity.PASS


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize(
    ("fields", "found"),
    [
        (("mx.home; iprev=pass smtp.remote-ip=192.0.2.1; {}",), Authenticity.PASS),
        (("mx.home; dkim=none; {}; x-ptr=fail smtp.helo=x",), Authenticity.PASS),
        (("mx.home; x-csa=none; x-ptr=pass smtp.helo=x policy.ptr=x; {}",), Authenticity.PASS),
        (("mx.home; x-ptr=fail smtp.helo=x; {}",), Authenticity.DOUBTFUL),
        (("mx.home; iprev=fail smtp.helo=x; {}",), Authenticity.DOUBTFUL),
        (("mx.home; bimi=fail header.d=x; dnswl=none dns.zone=x; {}",), Authenticity.PASS),
        (("mx.home; dmarc=pass header.from=players.example", "spf.home; {}"), Authenticity.DOUBTFUL),
        (("mx.home; {}", 'mx.home; spf=fail smtp.helo="'), Authenticity.DOUBTFUL),
        (("mx.home; {}", f"mx.home; spf=fail smtp.mailfrom={FRANCE} ({'x' * 10_001})"), Authenticity.DOUBTFUL),
        (("mx.home; {}", f"spf.home; spf=fail smtp.mailfrom={FRANCE}"), Authenticity.DOUBTFUL),
        (("mx.home; {}", f"spf.home; spf=pass smtp.mailfrom={FRANCE}"), Authenticity.PASS),
        (("mx.home; {} (best guess record for domain)",), Authenticity.DOUBTFUL),
        (("mx.home; {} (domain of guess@players.example)",), Authenticity.PASS),
    ],
)
def test_spf_counts_where_no_words_of_a_stranger_lead_to_it_and_no_field_may_say_otherwise(
    world: World, fields: Sequence[str], found: Authenticity
) -> None:
    spf = f"spf=pass smtp.mailfrom={FRANCE}"
    raw = "".join(f"Authentication-Results: {one.format(spf)}\n" for one in fields).encode()
    arrived = ArrivedMail("imap", raw + world.mail(FRANCE, BASE, "HELP"), world.time, (BASE,), FRANCE)
    assert found_of(world, arrived) is found


Q_SIGNED = "mx.home; dkim=pass (2048-bit key) header.d=q.example header.i=@q.example"
Q_SENT = "mx.home; spf=pass smtp.mailfrom=q.example"


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize("more", [(Q_SIGNED,), (Q_SENT,), (Q_SIGNED, Q_SENT), ()])
@pytest.mark.parametrize("sent_by", ["eve@q.example", EVE])
def test_what_dmarc_rests_on_is_of_the_domain_by_our_own_list(world: World, more: Sequence[str], sent_by: str) -> None:
    """OpenDMARC 1.4 takes any domain of one letter for one with all that end alike."""
    signed = SIGNED_AS.replace("d=players.example", "d=q.example")
    said = "".join(f"Authentication-Results: {one}\n" for one in (DMARC, *more))
    raw = f"{said}{signed}\n".encode() + world.mail(FRANCE, BASE, "HELP")
    assert found_of(world, ArrivedMail("imap", raw, world.time, (BASE,), sent_by)) is Authenticity.DOUBTFUL


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize("written", ["above", "below"])
def test_dmarc_may_rest_on_what_the_mail_has_brought(world: World, written: str) -> None:
    """OpenDKIM leaves a field of its own name with more results than it reads, and OpenDMARC believes it."""
    brought = f"Authentication-Results: mx.home; dkim=pass header.d=players.example{'; x=none' * 16}\n"
    received = "Received: from mx.evil.org (mx.evil.org [203.0.113.9]) by mx.home; Fri, 20 Nov 2026 09:00:00 +0000\n"
    own = f"Authentication-Results: {DMARC}\n"
    head = f"{own}{received}{brought}" if written == "above" else f"{received}{own}{brought}"
    trust = replace(world.service.identity.trust, results_below=written == "below")
    raw = head.encode() + world.mail(FRANCE, BASE, "HELP")
    arrived = ArrivedMail("imap", raw, world.time, (BASE,), EVE)
    assert found_of(world, arrived, replace(world.service.identity, trust=trust)) is Authenticity.DOUBTFUL


def test_gmails_mailbox_has_the_return_path_below_what_names_no_machine(world: World) -> None:
    fields = (
        "Received: by 2002:a05:6a20::1 with SMTP id q2csp1; Fri, 20 Nov 2026 01:00:01 -0800 (PST)",
        f"Return-Path: <{FRANCE}>",
        f"Received: from mx.players.example (mx.players.example. [192.0.2.1]) by mx.home; {_DAY}",
        f"Received-SPF: pass (home: domain of {FRANCE} designates 192.0.2.1 as permitted sender) client-ip=192.0.2.1;",
        "Authentication-Results: mx.home; dkim=pass header.i=@players.example header.s=a header.b=x;"
        f" spf=pass (home: domain of {FRANCE} designates 192.0.2.1 as permitted sender) smtp.mailfrom={FRANCE};"
        " dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=players.example",
    )
    raw = "".join(f"{one}\n" for one in fields).encode() + world.mail(FRANCE, BASE, "HELP")
    trust = replace(world.service.identity.trust, results_below=True)
    arrived = ArrivedMail("imap", raw, world.time, (BASE,), None)
    assert found_of(world, arrived, replace(world.service.identity, trust=trust)) is Authenticity.PASS


_DAY = "Fri, 20 Nov 2026 09:00:00 +0000"
CHECKED = (
    f"Received-SPF: Pass (mailfrom) identity=mailfrom; client-ip=192.0.2.1; helo=x; envelope-from={FRANCE}; receiver=z"
)


@pytest.mark.parametrize(
    ("sent_by", "check", "found"),
    [
        (FRANCE, CHECKED, Authenticity.PASS),
        (EVE, CHECKED, Authenticity.DOUBTFUL),
        (FRANCE, CHECKED.replace(FRANCE, EVE), Authenticity.DOUBTFUL),
        (FRANCE, CHECKED.replace(FRANCE, f'"{FRANCE}"'), Authenticity.PASS),
        (FRANCE, CHECKED.replace("helo=x", f"helo=x;envelope-from={EVE}"), Authenticity.DOUBTFUL),
        (FRANCE, CHECKED.replace(f"envelope-from={FRANCE}; ", ""), Authenticity.DOUBTFUL),
        *((sender, CHECKED, Authenticity.DOUBTFUL) for sender in HANDED_ON_BY),
        *((sender, CHECKED.replace(FRANCE, sender), Authenticity.DOUBTFUL) for sender in HANDED_ON_BY),
        (FRANCE, CHECKED.replace(FRANCE, f"{FRANCE}; a=none b.c=d@evil.org"), Authenticity.PASS),
        (FRANCE, CHECKED.replace(FRANCE, "players.example; a=none b.c=d@evil.org"), Authenticity.DOUBTFUL),
        (FRANCE, CHECKED.replace("Pass", "None"), Authenticity.DOUBTFUL),
        (FRANCE, CHECKED.replace("(mailfrom) identity=mailfrom", "(helo) identity=helo"), Authenticity.DOUBTFUL),
        (FRANCE, f"{CHECKED}\n{CHECKED.replace('Pass', 'Softfail')}", Authenticity.DOUBTFUL),
    ],
)
def test_spf_is_read_where_policyd_spf_writes_it(world: World, sent_by: str, check: str, found: Authenticity) -> None:
    signed = SIGNED_AS.replace(":cc", "").replace(":Cc", "")
    raw = f"Authentication-Results: {DMARC}\n{check}\n{signed}\n".encode() + world.mail(FRANCE, BASE, "HELP")
    assert found_of(world, ArrivedMail("imap", raw, world.time, (BASE,), sent_by)) is found


def test_a_server_may_write_a_field_for_each_of_its_checks(world: World) -> None:
    names = ("bimi.home", "dmarc.home", "dkim.home", "spf.home")
    said = ("bimi=skipped", "dmarc=pass header.from=players.example", "dkim=pass header.d=players.example")
    fields = zip(names, (*said, f"spf=pass (spf.home: domain of {FRANCE}) smtp.mailfrom={FRANCE}"), strict=True)
    raw = "".join(f"Authentication-Results: {name}; {found}\n" for name, found in fields).encode()
    trust = replace(world.service.identity.trust, authserv_ids=names)
    arrived = ArrivedMail("imap", raw + world.mail(FRANCE, BASE, "HELP"), world.time, (BASE,), FRANCE)
    assert found_of(world, arrived, replace(world.service.identity, trust=trust)) is Authenticity.PASS


_ENCODED = "=3B=20dkim=3Dpass=20header.d=3Dplayers.example=20header.i=3D"


@pytest.mark.parametrize("field", ["DKIM-Signature", "ARC-Seal", "DomainKey-Signature"])
@pytest.mark.parametrize(
    ("tag", "found"),
    [
        ("i=eve=2Bx@evil.org", Authenticity.PASS),
        (f"i=a{_ENCODED}@evil.org", Authenticity.DOUBTFUL),
        ("i=a=22@evil.org", Authenticity.DOUBTFUL),
        ("i=a(b@evil.org", Authenticity.DOUBTFUL),
        ("i=a=0D=0Ab@evil.org", Authenticity.DOUBTFUL),
        ("s=a=20b", Authenticity.DOUBTFUL),
        ("s=a=b", Authenticity.DOUBTFUL),
        ("d=evil.org; D=evil.org", Authenticity.DOUBTFUL),
    ],
)
@pytest.mark.way_in(number=8)
def test_what_a_server_in_front_quotes_of_a_signature_is_no_result(
    world: World, field: str, tag: str, found: Authenticity
) -> None:
    """OpenDKIM writes `i` decoded, and escapes nothing: what is in it can be a result of another domain."""
    results = "mx.home; dkim=pass header.d=evil.org header.i=a; dkim=pass header.d=players.example header.i=@evil.org"
    head = f"Authentication-Results: {results}; spf=pass smtp.mailfrom=players.example\n{field}: v=1; {tag}; b=a+/=\n"
    arrived = ArrivedMail("imap", head.encode() + world.mail(FRANCE, BASE, "HELP"), world.time, (BASE,), FRANCE)
    assert found_of(world, arrived) is found


def found_of(world: World, arrived: ArrivedMail, identity: ServerIdentity | None = None) -> Authenticity:
    """What is found out of a mail that a server in front has handed over."""
    message = read_message(arrived.raw, envelope_from=arrived.envelope_from, recipients=arrived.recipients)
    row = InboxRow(source=arrived.source, envelope_from=arrived.envelope_from, peer=arrived.peer)
    return proof_of(message, row, identity or world.service.identity, lambda: True)


@pytest.mark.way_in(number=8)
def test_a_signed_mail_cannot_be_shown_at_another_address(world: World, signer: Signer) -> None:
    """Neither at another seat, nor where it was written to somebody else, also not by a machine of its provider: a
    redirect there may keep the sender in the envelope.
    """
    seats = begun(world)
    for number, to in enumerate(("eve@evil.example", seats["Germany"], BASE)):
        raw = signer.sign(world.mail(FRANCE, to, f"MY ORDERS {number}").replace(b"\n", b"\r\n"))
        arrive(world, signer, raw, seats["France"])
        assert world.inbox()[-1].state is InboxState.QUARANTINED
    raw = signer.sign(world.mail(FRANCE, "ben@players.example", "MY ORDERS").replace(b"\n", b"\r\n"))
    arrive(world, signer, raw, seats["France"], "192.0.2.25", "ben@players.example")
    assert world.inbox()[-1].state is InboxState.QUARANTINED
    assert "do not name the address" in text_of(question(world, FRANCE))
    raw = world.mail(FRANCE, "eve@evil.example", "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(world, signer, raw, seats["France"], "192.0.2.25")
    assert world.inbox()[-1].state is InboxState.QUARANTINED, "and so is a blind copy"
    world.send(FRANCE, reply_to(question(world, FRANCE)), "YES")
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))


@pytest.mark.way_in(number=8)
def test_what_nothing_proves_is_held_by_no_address_that_it_lacks(world: World) -> None:
    """A blind copy to a secret address counts as any mail to it that is not authenticated; what fails, has failed."""
    seats = begun(world)
    for proof, said in (
        ("none", "without proof"),
        ("dmarc=fail header.from=players.example", "failed its domain's own"),
    ):
        headers = {"Authentication-Results": f"mx.home; {proof}"}
        raw = world.mail(FRANCE, "eve@evil.example", f"A PAR-BUR\n\n{proof}", headers=headers)
        assert accept(world.service, ArrivedMail("smtp", raw, world.time, (seats["France"],), FRANCE))
        world.work()
        if proof == "none" and world.service.identity.trust.level != "strict":
            assert world.inbox()[-1].state is InboxState.DONE
        else:
            assert said in text_of(question(world, FRANCE))


@pytest.mark.way_in(number=8)
def test_a_proved_answer_cannot_be_shown_at_another_question(world: World, signer: Signer) -> None:
    seats = begun(world)
    asked = []
    for number in range(2):
        raw = world.mail(FRANCE, seats["France"], f"F BRE H\nA PAR-BUR\nA MAR H\n\n{number}").replace(b"\n", b"\r\n")
        arrive(world, signer, raw, seats["France"])
        asked.append(reply_to(question(world, FRANCE)))
    for said, above in (("YES!", f"To: {asked[1]}\r\n"), ("YES", "")):
        raw = signer.sign(world.mail(FRANCE, asked[0], said).replace(b"\n", b"\r\n"))
        arrive(world, signer, above.encode() + raw, asked[1])
        assert "was not sent to this question" in text_of(world.last(FRANCE))
    arrive(world, signer, raw, asked[0])
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))


@pytest.mark.parametrize("age", [timedelta(0), timedelta(days=400)])
@pytest.mark.way_in(number=8)
def test_a_signed_mail_is_acted_on_once_for_ever(world: World, signer: Signer, age: timedelta) -> None:
    """Neither blanks that a signature lets pass nor the end of retention make it another mail."""
    seats = begun(world)
    raw = signer.sign(world.mail(FRANCE, seats["France"], "A PAR - BUR\n\nBest\n").replace(b"\n", b"\r\n"))
    arrive(world, signer, raw, seats["France"])
    with world.database.transaction() as session:
        retention.thin(session, world.time + age)
    before = len(world.inbox())
    again = raw.replace(b"PAR - BUR", b"PAR  - BUR").replace(b"Best", b"Best  ")
    assert not accept(
        world.service, ArrivedMail("smtp", again, world.time + age, (seats["France"],), FRANCE, peer="192.0.2.9")
    )
    assert len(world.inbox()) == before


BLANKS = {
    "flowed lines that end": (
        "text/plain; format=flowed",
        "A PAR-BUR\n\nEve proposes \nA MAR-GAS \nbut I will not.\n",
        (" \n", "\n"),
    ),
    "a signature that is text": ("text/plain", "A PAR-BUR\n-- \nA MAR-GAS\n", ("-- \n", "--\n")),
    "a paragraph in a header": (
        'multipart/mixed; boundary="b"',
        "--b\nContent-Type: text/plain\n\nEve would like this (I do not):\nA MAR-SPA\n\nA PAR-BUR\n--b--\n",
        ("plain\n\n", "plain\n \n"),
    ),
}


@pytest.mark.parametrize("changed", BLANKS)
@pytest.mark.way_in(number=8)
def test_other_blanks_give_a_signed_mail_no_other_meaning(world: World, signer: Signer, changed: str) -> None:
    """Whoever was sent a copy sends it with other blanks, before the mail itself comes."""
    seats = begun(world)
    kind, body, (before, after) = BLANKS[changed]
    header = world.mail(FRANCE, seats["France"], "x").decode().partition("\n\n")[0].split("\n")
    kept = [line for line in header if not line.lower().startswith(("content-", "mime-"))]
    written = "\n".join([*kept, "MIME-Version: 1.0", f"Content-Type: {kind}", "", body])
    raw = signer.sign(written.replace("\n", "\r\n").encode())
    old, new = (one.replace("\n", "\r\n").encode() for one in (before, after))
    arrive(world, signer, raw.replace(old, new), seats["France"])
    if world.inbox()[-1].state is not InboxState.DONE:
        assert "Orders of France" not in text_of(question(world, FRANCE))
        arrive(world, signer, raw, seats["France"], "192.0.2.25")
    assert world.inbox()[-1].state is InboxState.DONE
    orders = text_of(world.last(FRANCE)).partition("Orders of France")[2].partition("\n\n")[0]
    assert "Army Marseilles -> Gascony" not in orders


PADDED = {
    "empty lines at the end": lambda raw: raw + b"\r\n" * 25_000,
    "blanks": lambda raw: raw.replace(b"A PAR", b"A" + b" " * 1_000_000 + b"PAR"),
    "fields that are not signed": lambda raw: b"".join(b"X-%d: %s\r\n" % (n, b"y" * 9_000) for n in range(25)) + raw,
}


@pytest.mark.parametrize("subject", ["orders", "F BRE H"])
@pytest.mark.parametrize("peer", ["192.0.2.7", "192.0.2.25"])
@pytest.mark.parametrize("padded", PADDED)
@pytest.mark.way_in(number=8)
def test_a_copy_that_is_too_long_to_be_read_takes_no_mails_place(
    strict: World, signer: Signer, padded: str, peer: str, subject: str
) -> None:
    """A signature covers neither blanks at the end of a body nor fields that it does not list."""
    seats = begun(strict)
    text = strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    raw = signer.sign(text.replace(b"Subject: ", b"Subject: " + subject.encode() + b"\r\nX-Was: ", 1))
    long = PADDED[padded](raw)
    arrive(strict, signer, long if peer == "192.0.2.7" else long.replace(b"b=", b"b=x", 1), seats["France"])
    assert strict.inbox()[-1].state in (InboxState.IGNORED, InboxState.QUARANTINED)
    assert "Nothing in it was acted on" in text_of(strict.last(FRANCE))
    arrive(strict, signer, raw, seats["France"], peer)
    assert strict.inbox()[-1].state is InboxState.DONE
    assert "Army Paris -> Burgundy" in text_of(strict.last(FRANCE))
    assert "Fleet Brest hold" not in text_of(strict.last(FRANCE))


@pytest.mark.way_in(number=8)
def test_a_question_about_a_copy_that_was_not_read_is_not_the_question_about_the_mail(
    strict: World, signer: Signer
) -> None:
    seats = begun(strict)
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(strict, signer, raw + b"\r\n" * 25_000, seats["France"])
    assert strict.inbox()[-1].state is InboxState.QUARANTINED
    arrive(strict, signer, raw, seats["France"])
    assert strict.inbox()[-1].state is InboxState.QUARANTINED
    assert "A PAR-BUR" in text_of(question(strict, FRANCE))


@pytest.mark.way_in(number=8)
def test_an_answer_to_a_digest_proves_nothing_at_a_seat(world: World, signer: Signer) -> None:
    """What is meant for one game is handed on to it; nobody can send it to the seat in another."""
    seats = begun(world)
    person = next(seat.person for seat in world.seats() if seat.power == "France")
    assert person is not None
    digest = world.service.identity.digest_address(person.id, world.time.date())
    raw = signer.sign(world.mail(FRANCE, digest, "A PAR-BUR").replace(b"\n", b"\r\n"))
    arrive(world, signer, raw, seats["France"])
    assert world.inbox()[-1].state is InboxState.QUARANTINED
    arrive(world, signer, raw, digest)
    world.work()
    assert world.inbox()[-1].state is InboxState.DONE, "handed on, and proved by the address at which it arrived"
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))


def address_of(world: World) -> str:
    seat = next(seat for seat in world.seats() if seat.power == "France")
    return world.service.identity.address_of(world.game(), seat)


@pytest.mark.parametrize("to", ["question", "digest", "postmaster", "the same again"])
def test_an_address_that_others_have_seen_is_replaced_wherever_the_mail_goes(
    world: World, signer: Signer, to: str
) -> None:
    seats = begun(world)
    before = seats["France"]
    person = next(seat.person for seat in world.seats() if seat.power == "France")
    assert person is not None
    first = world.mail(FRANCE, before, "A PAR-BUR", headers={"In-Reply-To": ""}).replace(b"\n", b"\r\n")
    arrive(world, signer, first, before, "192.0.2.25" if to == "the same again" else "192.0.2.7")
    addresses = {"postmaster": "postmaster@example.org"}
    addresses["digest"] = world.service.identity.digest_address(person.id, world.time.date())
    if to == "question":
        addresses[to] = reply_to(question(world, FRANCE))
    shown = {"Cc": "eve@evil.example"}
    again = world.mail(FRANCE, addresses.get(to, before), f"NO\n\n> {before}\n", headers=shown).replace(b"\n", b"\r\n")
    if to == "the same again":
        again = first.replace(b"To: ", b"Cc: eve@evil.example\r\nTo: ", 1)
        assert address_of(world) == before
        mail = ArrivedMail("smtp", again, world.time, (before,), FRANCE, peer="192.0.2.25", helo="mx.players.example")
        assert not accept(world.service, mail), "it is a copy of what was acted on"
    else:
        arrive(world, signer, again, addresses[to], "192.0.2.25")
    assert address_of(world) != before
