"""Provinces that vanish, and how they are drawn (BH-1, BH-2)."""

from __future__ import annotations

from collections import Counter

import pytest

from gm.board import Location, Province, UnitKind, standard_board
from gm.chance import Chance
from gm.variants.black_hole.state import hole_board
from tests.variants import telling
from tests.variants.black_hole.scenes import GAME, Fixed, play, position, refusal, same

ALL = standard_board().provinces
HOMES = {
    "Austria": "vie",
    "England": "lon",
    "France": "par",
    "Germany": "ber",
    "Italy": "rom",
    "Russia": "mos",
    "Turkey": "con",
}


# When


@pytest.mark.ruling("BH-1")
@pytest.mark.parametrize(
    ("phase", "lines", "holes"),
    [
        ("S1902M", "", 1),
        ("F1902M", "", 1),
        ("S1902M", "Germany: A MUN-BUR, A RUH S A MUN-BUR", 0),
        ("W1902A", "", 0),
    ],
)
def test_bh_1_after_the_retreats_of_spring_and_fall(phase: str, lines: str, holes: int) -> None:
    where = position(phase, "France A bur; Germany A mun, A ruh", "France par; Germany mun ber")
    assert len(play(where, lines).after.extra["holes"]) == holes


@pytest.mark.ruling("BH-1")
def test_bh_1_after_a_retreat_phase() -> None:
    where = position("S1902R", "Germany A bur", dislodged=[("France A bur", "mun")])
    turn = play(where, "France: A BUR-PAR", Fixed("par"))
    assert turn.after.extra["holes"] == {"par": "S1902"}
    assert same(turn.after, "Germany A bur"), "it retreats first, and is annihilated there"


@pytest.mark.ruling("BH-1")
def test_bh_1_before_ownership_is_counted() -> None:
    where = position("F1902M", "Germany A bel, A hol", "Germany ber")
    turn = play(where, "", Fixed("bel"))
    assert turn.count is not None
    assert turn.count.gained == {"Germany": ("hol",)}
    assert "bel" not in turn.after.centers


# What is lost


@pytest.mark.ruling("BH-1")
def test_bh_1_the_unit_is_annihilated_and_the_centre_gone_for_good() -> None:
    where = position("S1902M", "Germany A par; France A mar", "France par mar bre")
    turn = play(where, "", Fixed("par"))
    assert same(turn.after, "France A mar")
    assert turn.after.centers == {"mar": "France", "bre": "France"}
    board = GAME.board(turn.after)
    assert not board.is_center(Province("par"))
    assert board.home(Province("par")) is None
    told = telling.told(GAME, turn)
    assert "Paris, drawn from 75 provinces, becomes a black hole; the German army there is annihilated and" in told[0]
    assert "the French supply centre is gone for good" in told[0]
    winter = position("W1902A", "France A mar", "France mar bre", holes="par")
    assert GAME.needs(board, winter, next(iter(winter.units)).power).sites == {"bre"}
    assert "black hole" in refusal(winter, "France: BUILD A PAR")


@pytest.mark.ruling("BH-1")
@pytest.mark.parametrize(
    ("gone", "told"),
    [
        ("bur", "Burgundy, drawn from 75 provinces, becomes a black hole; nothing else was lost with it."),
        ("nth",
         "The North Sea, drawn from 75 provinces, becomes a black hole; the English fleet there is annihilated."),
        ("bel", "Belgium, drawn from 75 provinces, becomes a black hole; the unowned supply centre is gone for good."),
        ("spa", "Spain, drawn from 75 provinces, becomes a black hole; the French fleet there is annihilated and the "
         "Italian supply centre is gone for good."),
    ],
)  # fmt: skip
def test_bh_1_the_report_says_what_was_lost(gone: str, told: str) -> None:
    where = position("S1902M", "England F nth; France F spa/sc", "Italy spa; France bre")
    assert telling.told(GAME, play(where, "", Fixed(gone)))[0].startswith(told)


# What is left


@pytest.mark.ruling("BH-1")
@pytest.mark.parametrize("gone", ALL)
def test_bh_1_a_hole_borders_nothing_and_its_neighbours_are_as_before(gone: Province) -> None:
    whole, board = standard_board(), hole_board(frozenset({gone}))
    places = [at for p in ALL for at in (Location(p), *whole.coasts(p))]
    for kind in (UnitKind.ARMY, UnitKind.FLEET):
        for at in places:
            here = whole.province(at) == gone
            assert board.may_stand(kind, at) == (whole.may_stand(kind, at) and not here)
            expected = [to for to in whole.neighbours(kind, at) if not here and whole.province(to) != gone]
            assert list(board.neighbours(kind, at)) == expected
            assert [to for to in places if board.may_step(kind, at, to)] == [to for to in places if to in expected]
    assert set(ALL) - set(board.provinces) == {gone}


@pytest.mark.ruling("BH-1")
@pytest.mark.parametrize(
    "line",
    [
        "France: A PAR-BUR",
        "France: A PAR S A MUN-BUR",
        "France: A PAR S A BUR",
        "England: F NTH C A LON-NWY",
        "England: A LON-NTH-BEL",
        "England: F ENG-NTH",
        "France: A BUR H",
    ],
)
def test_bh_1_nothing_can_be_ordered_to_do_with_a_hole(line: str) -> None:
    where = position("S1902M", "France A par; Germany A mun; England A lon, F eng", holes="bur nth")
    assert (
        "is a black hole since Spring 1901: nothing can enter it, pass through it or support into it (BH-1)"
        in refusal(where, line)
    )


@pytest.mark.ruling("BH-1")
def test_bh_1_no_way_leads_through_a_hole() -> None:
    """Neither over land, nor by a convoy whose only route is gone, nor in retreat."""
    where = position("S1902M", "France A par; England A lon, F nwg", holes="bur nth")
    assert "cannot get to Mun" in refusal(where, "France: A PAR-MUN")
    assert "no chain of fleets" in refusal(where, "England: A LON-NWY")
    whole = position("S1902M", "England A lon, F nth")
    assert refusal(whole, "England: A LON-NWY") == ""
    retreat = position("S1902R", "Germany A par", dislodged=[("France A par", "bre")], holes="bur pic")
    assert "black hole" in refusal(retreat, "France: A PAR R BUR")
    assert refusal(retreat, "France: A PAR R GAS") == ""


@pytest.mark.ruling("BH-1")
def test_bh_1_removals_look_for_ways_that_are_left() -> None:
    """Swe is two steps from Kie over Den or Bal, and farther than Sil, three steps, when both are gone."""
    on_board, centers = "Germany A kie, A sil, F swe", "Germany kie ber"
    assert same(play(position("W1902A", on_board, centers, holes="mun ber pru")).after, "Germany A kie, F swe")
    assert same(play(position("W1902A", on_board, centers, holes="den bal")).after, "Germany A kie, A sil")


# The draw


@pytest.mark.ruling("BH-1", "BH-2")
def test_bh_1_every_province_left_and_not_exempt_is_a_candidate() -> None:
    chance = Fixed("bur")
    play(position("S1902M", "France A par", "France par bre", holes="mun nth", exempt={"France": "par"}), "", chance)
    assert chance.offered == {"S1902/hole": sorted(set(ALL) - {"par", "mun", "nth"})}


@pytest.mark.ruling("BH-1")
def test_bh_1_every_candidate_is_equally_likely() -> None:
    where = position("S1902M", "France A par", "France par bre", exempt={"France": "par"})
    drawn = Counter(
        next(iter(play(where, "", Chance(number.to_bytes(32, "big"))).after.extra["holes"])) for number in range(7400)
    )
    assert set(drawn) == set(ALL) - {"par"}
    assert all(55 < count < 150 for count in drawn.values()), drawn.most_common()


@pytest.mark.ruling("BH-2")
def test_bh_2_the_draw_is_that_of_seed_game_and_season() -> None:
    where = position("S1902M", "France A par", "France par bre")
    seed = bytes(range(32))
    number = Chance(seed, "spring").below(75, "S1902", "hole")
    assert list(play(where, "", Chance(seed, "spring")).after.extra["holes"]) == [ALL[number]]
    other = play(position("F1902M", "France A par", "France par bre"), "", Chance(seed, "spring"))
    assert other.after.extra["holes"] != play(where, "", Chance(seed, "spring")).after.extra["holes"]


@pytest.mark.ruling("BH-1", "BH-2")
def test_bh_2_another_exemption_moves_no_hole_but_that_centre() -> None:
    """Otherwise a player who sees a phase replayed moves the hole, by naming another home centre."""

    def hole(exempt: str, number: int) -> str:
        where = position("S1902M", "Turkey A ank", "Turkey ank smy con", exempt={"Turkey": exempt})
        return str(next(iter(play(where, "", Chance(number.to_bytes(32, "big"))).after.extra["holes"])))

    drawn = [(hole("ank", number), hole("smy", number)) for number in range(300)]
    assert all(one == other or {"ank", "smy"} & {one, other} for one, other in drawn)


@pytest.mark.ruling("BH-1")
def test_bh_1_when_all_that_is_left_is_exempt_there_is_no_hole() -> None:
    holes = " ".join(set(ALL) - set(HOMES.values()))
    centers = "; ".join(f"{power} {home}" for power, home in HOMES.items())
    where = position("S1940M", "France A par; Turkey A con", centers, holes=holes, exempt=HOMES)
    turn = play(where)
    assert telling.told(GAME, turn) == ("No black hole appears: every province that is left is exempt.",)
    assert turn.after.extra["holes"] == where.extra["holes"]
