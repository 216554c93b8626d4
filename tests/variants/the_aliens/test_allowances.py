"""What a race may have (AL-4), and when it has won or is eliminated (AL-15)."""

from __future__ import annotations

import pytest

from gm.board import Power
from gm.position import Position
from gm.variants.the_aliens.state import alien_board
from gm.variants.the_aliens.supply import transmitters_allowed, units_allowed
from tests.variants.telling import victory
from tests.variants.the_aliens.scenes import GAME, play, position

ALPHA = Power("Alpha")
CENTERS = list(alien_board().centers)


def owning(phase: str, count: int, players: int = 2, pieces: str = "A swi") -> Position:
    """A position in which Alpha owns this number of centres."""
    return position(phase, {"Alpha": pieces}, {"Alpha": " ".join(CENTERS[:count])}, players=players)


def allowed(where: Position) -> tuple[int, int]:
    """How many units and how many transmitters Alpha may have."""
    return units_allowed(where, ALPHA), transmitters_allowed(where, ALPHA)


@pytest.mark.ruling("AL-4")
@pytest.mark.parametrize(
    ("phase", "centers", "players", "units", "transmitters"),
    [
        ("S2051M", 0, 2, 1, 0),  # one army is left and no transmitter, and nothing is replaced
        ("F2051M", 0, 4, 1, 0),
        ("F2051M", 0, 6, 2, 0),  # the army in reserve may still come
        ("W2051A", 2, 6, 4, 2),  # the seed's first example
        ("W2051A", 4, 2, 6, 2),
        ("S2052M", 0, 2, 2, 0),  # no centre, no transmitter
        ("F2052M", 1, 2, 3, 1),
        ("F2052M", 2, 2, 4, 2),
        ("W2052A", 1, 2, 2, 1),
        ("F2053M", 2, 2, 3, 1),
        ("W2053A", 2, 2, 2, 1),
        ("S2054M", 1, 2, 1, 1),
        ("S2054M", 3, 2, 3, 1),  # one set of three is not complete: 1+2
        ("S2054M", 4, 2, 4, 2),
        ("S2054M", 6, 2, 6, 2),
        ("S2054M", 7, 2, 7, 3),  # 6+1 centres: three transmitters, as rule 6 says
        ("S2054M", 9, 2, 9, 3),
        ("S2054M", 10, 2, 10, 4),
        ("S2054M", 18, 2, 18, 4),  # never more than four
        ("W2060A", 0, 2, 0, 0),
    ],
)
def test_allowances(phase: str, centers: int, players: int, units: int, transmitters: int) -> None:
    assert allowed(owning(phase, centers, players)) == (units, transmitters)


@pytest.mark.ruling("AL-15")
@pytest.mark.parametrize(("centers", "won"), [(18, False), (19, True)])
def test_victory_with_nineteen_centres_after_a_fall(centers: int, won: bool) -> None:
    before = owning("F2060M", centers, pieces="A swi, T swi")
    assert (play(before, {}).turn.victory is not None) is won


@pytest.mark.ruling("AL-15")
def test_the_nineteenth_centre_is_taken_in_fall_only() -> None:
    last = CENTERS[18]
    pieces = {"Alpha": f"A {last}, T con", "Beta": "A ukr"}
    spring = play(position("S2060M", pieces, {"Alpha": " ".join(CENTERS[:18])}), {})
    assert spring.turn.victory is None
    fall = play(spring.turn.after, {})
    assert fall.turn.victory is not None
    assert fall.turn.victory.winners == (ALPHA,)
    assert victory(GAME, fall.turn) == "Alpha owns 19 supply centres."


@pytest.mark.ruling("AL-8")
def test_transmitters_capture_nothing() -> None:
    fall = play(position("F2052M", {"Alpha": "T par, A mar"}, {}), {"Alpha": "T Par-Bre"})
    assert set(fall.turn.after.centers) == {"mar"}


@pytest.mark.ruling("AL-4")
def test_a_race_without_unit_and_centre_is_out_and_loses_its_last_transmitter() -> None:
    before = position("F2054M", {"Alpha": "T par", "Beta": "A kie, T ber"}, {"Alpha": "", "Beta": "kie"})
    fall = play(before, {})
    assert fall.turn.eliminated == ("Alpha",)
    assert fall.turn.after.phase.code == "W2054A"
    winter = play(fall.turn.after, {})
    assert winter.transmitters == ["Beta T ber"]
    assert not GAME.duties(winter.turn.after).get(ALPHA)
