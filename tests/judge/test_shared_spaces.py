"""Moves that cross no border and spaces that hold several units: what variants' orders mean to the judge.

The board is four provinces and an orbit with room for three; units cannot walk there, but armies beam up and down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gm.board import Location, Power, Province, TableBoard, UnitKind
from gm.judge import RULEBOOK_2023
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Resolution, Result, Why
from gm.orders import Move, Order, Support
from gm.position import Unit

ROOM = 3
KRELL, ZARN = Power("Krell"), Power("Zarn")


class Skies(TableBoard):
    """Provinces under an orbit."""

    def __init__(self) -> None:
        borders = {"aaa": "bbb ccc", "bbb": "aaa ccc", "ccc": "aaa bbb ddd", "ddd": "ccc", "orb": ""}
        super().__init__(
            "skies", {code: {"name": code, "terrain": "inland", "army": near} for code, near in borders.items()}
        )

    def capacity(self, province: Province) -> int:
        return ROOM if province == "orb" else 1


@dataclass(frozen=True)
class Beam(Move[Unit]):
    """Up to the orbit or down from it."""

    crosses_border: ClassVar[bool] = False


def army(power: Power, at: str) -> Unit:
    return Unit(power, UnitKind.ARMY, Location(at))


def beam(unit: Unit, to: str) -> Order:
    return Beam(unit, Location(to))


def judged(units: list[Unit], orders: list[Order]) -> Resolution:
    return resolve_movement(Skies(), RULEBOOK_2023, units, orders)


def results(resolution: Resolution) -> list[Result]:
    return [outcome.result for outcome in resolution.outcomes]


def test_a_beam_up_finds_room() -> None:
    ground, crew = army(KRELL, "aaa"), army(KRELL, "orb")
    resolution = judged([ground, crew, crew], [beam(ground, "orb")])
    assert results(resolution) == [Result.SUCCEEDS] * 3
    assert resolution.units == (crew, crew, crew)


def test_too_many_beams_up_all_fail() -> None:
    one, other, crew = army(KRELL, "aaa"), army(KRELL, "ddd"), army(KRELL, "orb")
    resolution = judged([one, other, crew, crew], [beam(one, "orb"), beam(other, "orb")])
    assert results(resolution)[:2] == [Result.BOUNCES] * 2
    assert resolution.outcomes[0].facts.why is Why.NO_ROOM
    assert resolution.units == (one, other, crew, crew)


def test_changing_places_with_a_full_orbit_succeeds_together() -> None:
    ground, crew = army(KRELL, "aaa"), army(KRELL, "orb")
    resolution = judged([ground, crew, crew, crew], [beam(ground, "orb"), beam(crew, "aaa")])
    assert results(resolution)[:2] == [Result.SUCCEEDS] * 2
    assert sorted(unit.at for unit in resolution.units) == ["aaa", "orb", "orb", "orb"]


def test_and_fails_together_when_the_way_down_is_barred() -> None:
    ground, crew, foe = army(KRELL, "aaa"), army(KRELL, "orb"), army(ZARN, "bbb")
    orders = [beam(ground, "orb"), beam(crew, "aaa"), Move(foe, Location("aaa"))]
    resolution = judged([ground, crew, crew, crew, foe], orders)
    assert results(resolution)[:3] == [Result.BOUNCES] * 3


def test_a_beamed_army_may_be_supported_and_leaves_no_origin_barred() -> None:
    crew, helper, foe = army(KRELL, "orb"), army(KRELL, "bbb"), army(ZARN, "aaa")
    resolution = judged([crew, helper, foe], [beam(crew, "aaa"), Support(helper, crew, Location("aaa"))])
    assert results(resolution) == [Result.SUCCEEDS, Result.SUCCEEDS, Result.DISLODGED]
    assert resolution.dislodged[0].convoyed


def test_units_that_cross_no_border_meet_nobody_head_to_head() -> None:
    """Two transmitted armies change places; two that walked would bounce."""
    one, other = army(KRELL, "aaa"), army(ZARN, "bbb")
    swap: list[Order] = [beam(one, "bbb"), Move(other, Location("aaa"))]
    assert results(judged([one, other], swap)) == [Result.SUCCEEDS] * 2
    walk: list[Order] = [Move(one, Location("bbb")), Move(other, Location("aaa"))]
    assert results(judged([one, other], walk)) == [Result.BOUNCES] * 2


def test_each_of_equal_units_has_its_own_order() -> None:
    crew = army(KRELL, "orb")
    orders = [beam(crew, "aaa"), beam(crew, "bbb"), beam(crew, "bbb")]
    resolution = judged([crew, crew, crew], orders)
    assert results(resolution) == [Result.SUCCEEDS, Result.BOUNCES, Result.BOUNCES]
    assert sorted(unit.at for unit in resolution.units) == ["aaa", "orb", "orb"]


def test_orders_beyond_the_units_there_count_for_nothing() -> None:
    crew = army(KRELL, "orb")
    first, surplus = judged([crew], [beam(crew, "aaa"), beam(crew, "bbb")]).outcomes
    assert first.succeeded
    assert surplus.result is Result.ILLEGAL
    assert surplus.facts.why is Why.SURPLUS
