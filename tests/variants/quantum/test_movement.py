"""Movement, convoys across quantum space, and retreats with an endless number of places (QS-7, QS-8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.board import Location
from gm.errors import IllegalOrder
from gm.judge.outcomes import Result
from gm.orders import Retreat
from gm.orders.possible import may_retreat, retreat_options
from gm.variants import Variant
from tests.variants.quantum.scenes import NEW, OLD, PLANETS, orders, outcome, play, position, same, understood, unit


@pytest.mark.ruling("QS-7")
@pytest.mark.parametrize("game", [OLD, NEW], ids=["1975", "3001"])
@pytest.mark.parametrize(
    ("before", "lines", "after"),
    [
        ("Auerbach A a1, F ao", "Auerbach: A A1-A7, F AO C A A1-A7", "Auerbach A a7, F ao"),
        (
            "Auerbach A a1, F ao, F q31415926; Berenike F bo",
            "Auerbach: A A1-B3, F AO C A A1-B3, F Q31415926 C A A1-B3; Berenike: F BO C A A1-B3",
            "Auerbach A b3, F ao, F q31415926; Berenike F bo",
        ),
        (  # no quantum space, no convoy
            "Auerbach A a1, F ao, F q5; Berenike F bo",
            "Auerbach: A A1-B3, F AO C A A1-B3, F Q5 H; Berenike: F BO C A A1-B3",
            "Auerbach A a1, F ao, F q5; Berenike F bo",
        ),
        (  # a fleet moves from orbit to the surface and bounces off an army
            "Auerbach A a1, F ao", "Auerbach: A A1 H, F AO-A1", "Auerbach A a1, F ao",
        ),
        (  # support into a space where one could move
            "Auerbach F ao, F q5; Berenike F bo",
            "Auerbach: F AO-Q77, F Q5 S F AO-Q77; Berenike: F BO-Q77",
            "Auerbach F q77, F q5; Berenike F bo",
        ),
        (  # two quantum spaces are neighbours: head to head
            "Auerbach F q5; Octagon F q99999999", "Auerbach: F Q5-Q99999999; Octagon: F Q99999999-Q5",
            "Auerbach F q5; Octagon F q99999999",
        ),
    ],
)  # fmt: skip
def test_qs_07_movement(game: Variant, before: str, lines: str, after: str) -> None:
    turn = play(position(before), lines, game)
    assert same(turn.after, after), [str(each) for each in turn.after.units]


@pytest.mark.ruling("QS-7")
def test_1971_a_route_that_is_lost_stops_the_army() -> None:
    """The 1971 rules: of several ordered routes none may be disrupted (ST-1)."""
    before = "Auerbach A a1, F ao, F q5, F q6; Berenike F bo; Octagon F q7, F q8"
    lines = (
        "Auerbach: A A1-B3, F AO C A A1-B3, F Q5 C A A1-B3, F Q6 C A A1-B3; Berenike: F BO C A A1-B3; "
        "Octagon: F Q7-Q6, F Q8 S F Q7-Q6"
    )
    turn = play(position(before), lines, OLD)
    assert outcome(turn, "Auerbach A a1").result is Result.DISRUPTED
    spelled = lines.replace("A A1-B3, F AO C", "A A1-AO-Q5-BO-B3, F AO C", 1)
    assert outcome(play(position(before), spelled, OLD), "Auerbach A a1").result is Result.SUCCEEDS


@pytest.mark.ruling("QS-8")
def test_qs_08_retreats_to_any_vacant_quantum_space_or_orbit() -> None:
    turn = play(
        position("Auerbach F q5; Berenike F q6, F q7; Octagon F oo, F q1"),
        "Auerbach: F Q5 H; Berenike: F Q6-Q5, F Q7 S F Q6-Q5; Octagon: F OO H, F Q1 H",
    )
    where = turn.after
    assert where.phase.code == "S3002R"
    board, (lost,) = NEW.board(where), where.dislodged
    assert lost.unit == unit("Auerbach F q5")
    offered = retreat_options(board, where, lost)
    assert set(offered) == {"ao", "bo", "q2", "q3", "q4"}
    for place in (*offered, *map(Location, ("q9876543210", "q8"))):
        assert may_retreat(board, where, lost, place)
        _, order = understood(where, f"Auerbach: F Q5 R {place}")
        assert order == Retreat(lost.unit, place)
        assert same(play(where, f"Auerbach: F Q5-{place}").after,
                    f"Auerbach F {place}; Berenike F q5, F q7; Octagon F oo, F q1")  # fmt: skip
    for bad, why in (("q6", "attacker came from there"), ("q7", "occupied"), ("oo", "occupied"), ("a1", "adjacent")):
        assert not may_retreat(board, where, lost, Location(bad))
        with pytest.raises(IllegalOrder, match=why) as caught:
            understood(where, f"Auerbach: F Q5-{bad}")
        assert "any other orbit or quantum space that is vacant (not Q6)" in caught.value.remedy


@pytest.mark.ruling("QS-8")
def test_qs_08_the_own_orbit_and_those_nothing_came_from_are_offered() -> None:
    """With more planets than are listed; an army that landed from the orbit of A has not come over a border."""
    where = position("Auerbach F q5", "S3002R", dislodged=[("Octagon F q5", "q6"), ("Berenike A b2", "ao")])
    where = replace(where, extra={**where.extra, "planets": {**PLANETS, "Cetus": "c", "Dione": "d"}})
    lost, other = where.dislodged
    by_land = replace(where, dislodged=(lost, other))
    landed = replace(where, dislodged=(lost, replace(other, convoyed=True)))
    for before, orbits in ((by_land, ["bo", "co", "do", "oo"]), (landed, ["ao", "bo", "co", "oo"])):
        assert [at for at in retreat_options(NEW.board(before), before, lost) if at[0] != "q"] == orbits


@pytest.mark.ruling("QS-8")
def test_qs_08_two_that_retreat_to_one_space_are_lost() -> None:
    where = position(
        "Berenike F q5, F q6", "S3002R", dislodged=[("Auerbach F q5", "q7"), ("Octagon F q6", "q8")], contested="q10"
    )
    assert same(play(where, "Auerbach: F Q5-Q9; Octagon: F Q6-Q9").after, "Berenike F q5, F q6")
    with pytest.raises(IllegalOrder, match="bounced"):
        understood(where, "Auerbach: F Q5-Q10")


@pytest.mark.ruling("QS-8")
def test_qs_08_retreats_on_a_planet_are_as_usual() -> None:
    where = position("Berenike A a1; Auerbach F ao", "S3002R", dislodged=[("Auerbach A a1", "a5")])
    lost = where.dislodged[0]
    assert retreat_options(NEW.board(where), where, lost) == ("a2", "a4")
    where = position("Berenike A a6; Octagon F ao", "S3002R", dislodged=[("Auerbach F a6", "a5")])
    assert retreat_options(NEW.board(where), where, where.dislodged[0]) == ()


@pytest.mark.ruling("QS-8")
def test_qs_08_in_a_small_space_a_fleet_may_be_destroyed() -> None:
    crowd = ", ".join(f"F q{number}" for number in range(2, 10))
    turn = play(
        position(f"Berenike F q1, {crowd}, F bo, F ao, F oo; Auerbach F a6", digits=1),
        "Berenike: F BO-Q1, F Q1-BO",
    )
    assert not turn.after.dislodged
    before = position(f"Auerbach F q1; Berenike {crowd}, F bo, F ao; Octagon F oo", digits=1)
    turn = play(before, "Berenike: F Q2-Q1, F Q3 S F Q2-Q1, F BO-Q2; Octagon: F OO-O1")
    assert [str(d.unit) for d in turn.after.dislodged] == ["Auerbach F q1"]
    turn = play(before, "Berenike: F Q2-Q1, F Q3 S F Q2-Q1, F BO H; Octagon: F OO H")
    assert [str(d.unit) for d in turn.destroyed] == ["Auerbach F q1"]  # Q2 is where its attacker came from


def test_a_later_order_replaces() -> None:
    where = position("Auerbach F ao")
    (first,) = orders(where, "Auerbach: F AO-Q1").values()
    (later,) = orders(where, "Auerbach: F AO-Q2").values()
    assert NEW.merge(where, first, later) == later
