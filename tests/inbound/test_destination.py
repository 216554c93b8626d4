"""Where a mail goes, by its envelope and its header; one mail counts once for each seat, however many copies arrive."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from gm.games import identity as where
from gm.games.identity import Destination, ServerIdentity, destination_at, destinations
from gm.inbound.acceptance import accept
from gm.mail.message.incoming import read_head
from gm.orders.notation import write
from gm.settings import ServerSettings
from gm.store.inbox import ArrivedMail, InboxState
from tests.server.world import BASE, World, player, text_of

FRANCE, ITALY = player("France"), player("Italy")
US = ServerIdentity(ServerSettings(address=BASE), b"k" * 32)
A, B = "a" * 20, "b" * 20
SPRING, AUTUMN = f"gm+spring.{A}@example.org", f"gm+autumn.{B}@example.org"
QUESTION, RETURNED = f"gm+confirm.{A}@example.org", f"gm+return.{A}@example.org"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (BASE, where.Public(BASE)),
        ("GM@Example.ORG", where.Public(BASE)),
        (SPRING.upper(), where.SeatAddress(SPRING, A)),
        (QUESTION, where.QuestionAddress(QUESTION, A)),
        (RETURNED, where.ReturnPath(RETURNED)),
        ("postmaster", where.ForOperator("postmaster")),
        ("abuse@example.org", where.ForOperator("abuse@example.org")),
        ("postmaster@elsewhere.example", None),
        ("gm+spring.short@example.org", where.Void("gm+spring.short@example.org")),
        ("gm+lists@example.org", where.Void("gm+lists@example.org")),
        ("gmx@example.org", None),
        ("gm@elsewhere.example", None),
        ("", None),
        ("no address", None),
    ],
)
def test_the_meaning_of_an_address(address: str, expected: Destination | None) -> None:
    assert destination_at(address, US) == expected


@pytest.mark.parametrize(
    ("envelope", "header", "expected"),
    [
        pytest.param((SPRING,), f"To: {BASE}", [SPRING], id="the envelope says it"),
        pytest.param((BASE,), f"To: {BASE}", [""], id="everybody's address"),
        pytest.param((SPRING, BASE), f"To: {SPRING}\nCc: {BASE}", [SPRING], id="a seat, and everybody's in copy"),
        pytest.param((BASE,), f"To: {SPRING}\nCc: {BASE}", [SPRING], id="the copy that came by everybody's address"),
        pytest.param((BASE,), f"To: {QUESTION}\nCc: {BASE}", [QUESTION], id="the copy of an answer"),
        pytest.param((BASE,), f"To: {BASE}, postmaster@example.org", [""], id="the operator's copy comes by itself"),
        pytest.param((SPRING, AUTUMN), "", [SPRING, AUTUMN], id="two seats"),
        pytest.param((SPRING, SPRING.upper()), "", [SPRING], id="one seat twice"),
        pytest.param((SPRING, "postmaster@example.org"), "", [SPRING, "postmaster@example.org"], id="and the operator"),
        pytest.param((), f"Delivered-To: {SPRING}\nTo: {BASE}", [SPRING], id="no envelope, but a trace of it"),
        pytest.param((), f"Delivered-To: {BASE}\nTo: {SPRING}", [SPRING], id="no envelope, the header"),
        pytest.param((), f"To: {QUESTION}", [QUESTION], id="no envelope, an answer"),
        pytest.param((), "To: friends@elsewhere.example", [""], id="none of ours: a blind copy"),
        pytest.param((), "To: gm+spring.abc@example.org", ["gm+spring.abc@example.org"], id="a letter is missing"),
        pytest.param((), f"To: gm+lists@example.org, {SPRING}", [SPRING], id="a seat counts before what is none"),
        pytest.param((), "", [""], id="nothing at all"),
    ],
)
def test_what_a_mail_is_for(envelope: Sequence[str], header: str, expected: list[str]) -> None:
    found = destinations(read_head(f"{header}\n\nA PAR-BUR\n".encode(), envelope), US, Session())
    assert [one.address for one in found] == expected


def test_a_mail_is_for_a_limited_number_of_seats() -> None:
    seats = [f"gm+g{number}.{A}@example.org" for number in range(50)]
    assert len(destinations(read_head(b"\n\n", seats), US, Session())) == where.MOST


# ---- one mail


def copy(world: World, raw: bytes, *envelope: str, source: str = "smtp") -> bool:
    """Deliver one copy of a mail from France. Returns whether it is not a duplicate."""
    return accept(world.service, ArrivedMail(source, raw, world.time, envelope, FRANCE))


def test_a_mail_to_a_seat_and_in_copy_to_everybody_is_acted_on_once(world: World) -> None:
    seats = world.started()
    raw = world.mail(FRANCE, seats["France"], "PRESS TO ALL\nhello\nENDPRESS", headers={"Cc": BASE})
    for ways in ([(BASE,), (seats["France"],)], [(seats["France"], BASE), ()]):
        assert [copy(world, raw, *way) for way in ways] in ([True, False], [False, False])
    world.work()
    assert [text_of(mail).count("hello") for mail in world.mailboxes[ITALY]][-1] == 1
    assert sum("hello" in text_of(mail) for mail in world.mailboxes[ITALY]) == 1
    assert len([row for row in world.inbox() if row.address == seats["France"]]) == 1


def test_a_mail_to_two_seats_is_acted_on_at_both(world: World) -> None:
    spring, autumn = world.started(), world.started("autumn")
    raw = world.mail(FRANCE, f"{spring['France']}, {autumn['France']}", "A PAR-BUR")
    assert copy(world, raw, spring["France"], autumn["France"])
    assert not copy(world, raw, autumn["France"]), "the second copy"
    world.work()
    for name in ("spring", "autumn"):
        game = world.game(name)
        (given,) = game.orders.values()
        assert [write(order) for order in given.orders] == ["A Par-Bur"]


def test_a_mail_to_a_seat_and_to_the_operator_is_acted_on_and_forwarded(world: World) -> None:
    seats = world.started()
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR", headers={"Cc": "postmaster@example.org"})
    assert copy(world, raw, seats["France"], "postmaster@example.org")
    world.work()
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))
    assert "To postmaster@example.org" in str(world.last("operator@example.org")["Subject"])


@pytest.mark.parametrize("to", ["renewed", "mistyped"])
def test_a_mail_to_nobodys_seat_does_nothing(world: World, to: str) -> None:
    seats = world.started()
    world.send(FRANCE, seats["France"], "PREFERENCES mail=text")
    local, _, host = seats["France"].partition("@")
    address = f"{local[:-4]}aaaa@{host}" if to == "renewed" else f"{local[:-4]}@{host}"
    raw = world.mail(FRANCE, address, "REGISTER Somebody Else\nPREFERENCES mail=html")
    copy(world, raw, source="imap")
    world.work()
    assert "is not a seat's address" in text_of(world.last(FRANCE))
    assert world.inbox()[-1].state is InboxState.UNPROVED
    assert "Somebody" not in text_of(world.send(FRANCE, seats["France"], "WHOAMI"))


def test_a_mail_is_received_when_its_first_copy_was(world: World) -> None:
    """One that is asked about because nothing proves it, and comes again with a proof, is for the phase that its sender
    knew when they wrote."""
    seats, first = world.started(), world.time
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR")
    for ways in (b"", b"X-Way: another\r\n"):
        accept(world.service, ArrivedMail("smtp", ways + raw, world.time, (seats["France"],), FRANCE))
        world.pass_time_quietly(hours=5)
    assert [mail.received_at for mail in world.inbox()[-2:]] == [first, first]
    assert world.inbox()[-1].arrived_at == first + timedelta(hours=5)
