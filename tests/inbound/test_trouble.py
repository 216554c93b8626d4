"""An error on the server: the mail is set aside and reported, and everything else continues."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import gm.server
from gm.commands import press
from gm.errors import Temporary
from gm.games.snapshot import Seat
from gm.machine import deadlines, reports
from gm.play.seat_addresses import redact
from gm.store import outbox
from tests.server.world import BASE, World, player, text_of

OPERATOR = "operator@example.org"


def test_a_mail_that_breaks_us_is_set_aside_and_the_next_is_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise RuntimeError("no such luck")

    seats = world.started()
    with monkeypatch.context() as patched:
        patched.setattr(press, "redact", breaks)
        world.arrive(player("Italy"), seats["Italy"], "PRESS TO France\nciao\nENDPRESS")
        for _ in range(4):
            world.pass_time(minutes=1)
    assert [mail.state.value for mail in world.inbox()][-1] == "aside"
    assert "no such luck" in world.inbox()[-1].note
    assert "set aside" in text_of(world.last(OPERATOR))
    assert "JOIN" in text_of(world.send(player("Italy"), BASE, "HELP"))


def test_a_phase_that_cannot_be_adjudicated_stays_open_and_is_tried_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise RuntimeError("the judge is ill")

    world.started()
    with monkeypatch.context() as patched:
        patched.setattr(deadlines, "advance", breaks)
        world.pass_time(days=8)
        assert world.phase() == "S1901M"
        assert "the judge is ill" in text_of(world.last(OPERATOR))
        told = text_of(world.last("master@example.org"))
        assert "S1901M" in told
        assert "the judge is ill" not in told
    world.pass_time(minutes=20)
    assert world.phase() == "F1901M"


def test_a_report_that_cannot_be_written_holds_up_no_other(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = reports._report

    def breaks_for_france(desk: reports.Desk, seat: Seat) -> object:
        if seat.power == "France":
            raise RuntimeError("out of ink")
        return real(desk, seat)

    world.started()
    before = len(world.mailboxes[player("France")])
    with monkeypatch.context() as patched:
        patched.setitem(reports._WRITERS, "report", breaks_for_france)
        world.pass_time(days=8)
        assert "results" in str(world.last(player("Turkey"))["Subject"])
        assert len(world.mailboxes[player("France")]) == before
        assert "out of ink" in text_of(world.last(OPERATOR))
    world.pass_time(hours=2)
    assert "results" in str(world.last(player("France"))["Subject"])


def away(really: Callable[..., Any], times: int) -> Callable[..., Any]:
    """This function, before which the database is away so many times."""
    left = [None] * times

    def is_away(*args: Any, **named: Any) -> Any:
        if left:
            left.pop()
            raise Temporary("The database is not available: it is shut down.")
        return really(*args, **named)

    return is_away


def work(world: World) -> None:
    """Work on after a round that ended so."""
    with contextlib.suppress(Temporary):
        world.work()
    world.work()


@pytest.mark.parametrize("what", [(deadlines, "advance"), (reports, "composed_for")], ids=["adjudicating", "writing"])
def test_work_that_the_database_has_ended_is_done_again_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch, what: tuple[Any, str]
) -> None:
    world.started()
    monkeypatch.setattr(*what, away(getattr(*what), 1))
    world.pass_time_quietly(days=8)
    work(world)
    assert world.phase() == "F1901M"
    assert "results" in str(world.last(player("France"))["Subject"])
    assert OPERATOR not in world.mailboxes


def test_a_mail_that_was_read_while_the_database_went_is_read_again_soon(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = world.started()
    monkeypatch.setattr("gm.commands.press.redact", away(redact, 1))
    world.arrive(player("Italy"), seats["Italy"], "PRESS TO France\nciao\nENDPRESS")
    world.work()
    world.pass_time(seconds=10)
    assert "ciao" in text_of(world.last(player("France")))


def test_what_became_of_a_mail_is_noted_when_the_database_is_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.started()
    monkeypatch.setattr(gm.server, "_AGAIN_SECONDS", 0.0)
    monkeypatch.setattr(gm.server, "PATIENT_SECONDS", 60.0)
    monkeypatch.setattr(outbox, "mark_sent", away(outbox.mark_sent, 3))
    before = len(world.mailboxes[player("France")])
    world.send(player("France"), BASE, "HELP")
    world.pass_time(hours=1)
    assert len(world.mailboxes[player("France")]) == before + 1
    monkeypatch.setattr(gm.server, "PATIENT_SECONDS", 0.0)
    monkeypatch.setattr(outbox, "mark_sent", away(outbox.mark_sent, 1))
    world.arrive(player("France"), BASE, "HELP")
    with pytest.raises(Temporary):
        world.work()


@pytest.mark.parametrize(
    "guesses",
    [
        "wishes.plain_questions.first_of_talk",
        "wishes.passed_over._offer_likely",
        "acting.offer_meant",
        "telling.sent_to_nobody",
    ],
)
def test_a_mistake_in_what_only_guesses_keeps_no_orders_from_being_acted_on(
    world: World, monkeypatch: pytest.MonkeyPatch, guesses: str
) -> None:
    """The last try goes without offers, and without answers to what is asked in own words."""

    def breaks(*_: object) -> None:
        raise RuntimeError("no such luck")

    seats = world.started()
    monkeypatch.setattr(f"gm.inbound.{guesses}", breaks)
    world.arrive(player("France"), seats["France"], "A PAR-BUR\n\nThe bread of Marseilles should be eaten with butter.")
    for _ in range(4):
        world.pass_time(minutes=1)
    assert OPERATOR not in world.mailboxes
    said = text_of(world.last(player("France")))
    assert "Paris -> Burgundy" in said
    assert (
        "Passed over, since it is no order or command: 'The bread of Marseilles should be eaten with butter.'." in said
    )
