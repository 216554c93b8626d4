"""More than half of the units and of the remaining centres (BH-6)."""

from __future__ import annotations

import pytest

from gm.advance import advance
from gm.board import standard_board
from gm.options import read_options
from tests.variants.black_hole.scenes import GAME, Fixed, play, position
from tests.variants.telling import victory

CENTERS = [p for p in standard_board().centers if p != "bel"]
FRENCH = "France A pic, A gas, A bur, A pie, A tus"
OTHERS = "Germany A boh, A sil, A tyr, A ruh"


def owning(number: int, *, but: str = "") -> str:
    """This number of centres for France, the rest for Germany; Belgium has no owner."""
    centers = [p for p in CENTERS if p not in but.split()]
    return f"France {' '.join(centers[:number])}; Germany {' '.join(centers[number:])}"


@pytest.mark.ruling("BH-6")
@pytest.mark.parametrize(
    ("phase", "on_board", "owned", "gone", "won"),
    [
        ("S1905M", f"{FRENCH}; {OTHERS}", 18, "bar", True),
        ("F1905M", f"{FRENCH}; {OTHERS}", 18, "bar", True),
        ("S1905M", f"{FRENCH}; {OTHERS}", 17, "bar", False),
        ("S1905M", f"{FRENCH}; {OTHERS}", 17, "bel", True),
        ("S1905M", f"{FRENCH}; {OTHERS}, A alb", 18, "bar", False),
        ("S1905M", f"{FRENCH}; {OTHERS}, A alb", 18, "alb", True),
        ("S1905M", f"{FRENCH}; {OTHERS}", 18, "gas", False),
    ],
    ids=["spring", "fall", "half of the centres", "half until one is gone", "half of the units",
         "half until one is annihilated", "more than half until one is annihilated"],
)  # fmt: skip
def test_bh_6_more_than_half_of_both(phase: str, on_board: str, owned: int, gone: str, won: bool) -> None:
    turn = play(position(phase, on_board, owning(owned)), "", Fixed(gone))
    assert (turn.victory is not None) is won
    if turn.victory is not None:
        assert turn.victory.winners == ("France",)


@pytest.mark.ruling("BH-6")
def test_bh_6_centres_without_an_owner_count() -> None:
    """Seventeen of thirty-four are not a majority, even if nobody else owns as many."""
    turn = play(position("S1905M", FRENCH, f"France {' '.join(CENTERS[:17])}"))
    assert turn.victory is None


@pytest.mark.ruling("BH-6")
def test_bh_6_ownership_as_last_counted() -> None:
    """In Spring captured centres do not count yet; in Fall they are counted after the hole."""
    standing = f"{FRENCH}, A bel; {OTHERS}"
    assert play(position("S1905M", standing, owning(17))).victory is None
    turn = play(position("F1905M", standing, owning(17)))
    assert turn.victory is not None
    assert victory(GAME, turn) == (
        "France has 6 of the 10 units on the board and owns 18 of the 34 supply centres still in being."
    )


@pytest.mark.ruling("BH-6")
def test_bh_6_also_after_retreats_but_not_before_them_or_in_winter() -> None:
    fight = position("S1905M", "France A bur, A ruh, A par; Germany A mun", owning(18))
    turn = play(fight, "France: A BUR-MUN, A RUH S A BUR-MUN")
    assert turn.victory is None
    assert turn.after.dislodged
    assert play(turn.after).victory is not None
    winter = position("W1905A", f"{FRENCH}; {OTHERS}", owning(18))
    assert advance(GAME, winter, {}, Fixed("bar")).victory is None


@pytest.mark.ruling("BH-6")
def test_bh_6_eighteen_centres_alone_do_not_win() -> None:
    assert play(position("F1905M", f"France A pic; {OTHERS}", owning(20))).victory is None


def test_when_nothing_is_left_nobody_has_won() -> None:
    turn = play(position("S1905M", "France A par", ""), "", Fixed("par"))
    assert turn.victory is not None
    assert turn.victory.winners == ()
    assert play(position("S1905M", "France A par", "France bre"), "", Fixed("par")).victory is None, "France can build"


def test_the_operator_s_options_come_first() -> None:
    game = read_options({"variant": "black-hole", "last": "1905"}).variant
    turn = advance(game, position("F1905M", f"France A pic; {OTHERS}", owning(17)), {}, Fixed("bar"))
    assert turn.victory is not None
    assert set(turn.victory.winners) == {"France", "Germany"}
