"""What a gamemaster corrects in the same mail is not done as it was: what is meant is offered, or nothing."""

from __future__ import annotations

import pytest

from tests.inbound.wishes.test_what_gamemasters_mean import master, played
from tests.server.world import World


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("extend by two days. No, make it three.", "EXTEND three days"),
        ("EXTEND 48h\nNo, make that three days.", "EXTEND three days"),
        ("Please extend by two days, or rather three.", "EXTEND three days"),
        ("Could you extend by two days? Actually three.", "EXTEND three days"),
        ("EJECT Italy\nsorry, I meant Austria", "EJECT Austria"),
        ("set the deadline to Friday 18:00, or rather Saturday noon", "DEADLINE Sat 28 Nov 2026 12:00"),
        ("Please take France out, I mean Italy", "EJECT Italy"),
        ("extend by two days, sorry that it took me three days to answer", "EXTEND two days"),
    ],
)
def test_what_corrects_a_command_or_a_wish_is_what_is_offered(world: World, text: str, line: str) -> None:
    gm = world.started()["GM"]
    assert f"send {line}. " in master(world, text, gm)


@pytest.mark.parametrize("text", ["PROCESS\nNo wait, not yet!", "PROCESS\nSorry, do not!", "PROCESS\nHold on, not now"])
def test_what_is_taken_back_below_a_command_is_not_done(world: World, text: str) -> None:
    gm = world.started()["GM"]
    answer = master(world, text, gm)
    assert "PROCESS was not acted on, because beside it is" in answer
    assert "Spring 1901 movement (S1901M), due" in answer


@pytest.mark.parametrize(
    "text",
    [
        "PROCESS S1901M\nSorry for the delay",
        "PROCESS S1901M\nSorry that it took so long, I did not find the time.",
        "PROCESS S1901M\nNo orders came from Turkey.",
        "PROCESS S1901M\nActually, it is going well.",
        "PROCESS S1901M\nSorry, no time for more words",
        "PROCESS S1901M\nSorry folks, keine Zeit",
    ],
)
def test_words_that_only_tell_something_hold_nothing_back(world: World, text: str) -> None:
    gm = world.started()["GM"]
    assert "S1901M is adjudicated now" in master(world, text, gm)


def test_orders_for_a_phase_that_was_played_correct_it(world: World) -> None:
    text = "I got S1901M wrong for Russia. Correct is A WAR-GAL"
    answer = master(world, text, played(world))
    assert "On trial; nothing is changed yet." in answer
    assert "CORRECT S1901M NOW / Russia: A War-Gal" in answer
