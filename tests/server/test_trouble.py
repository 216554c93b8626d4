"""An error on the server: the mail is set aside and reported, and everything else continues."""

from __future__ import annotations

import pytest

from gm.commands import press
from gm.games.snapshot import Seat
from gm.server import deadlines, reports
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
