"""`legal_orders` lists exactly what is accepted on receipt, and the judge finds it possible."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from gm.board import Location, Province, UnitKind, standard_board
from gm.errors import GmError
from gm.judge import RULEBOOK_2023
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Result
from gm.orders import Build, Convoy, Disband, Hold, Move, Order, Support, UnitName, Waive, WrittenOrder
from gm.orders.legality import understand
from gm.orders.possible import Need, legal_builds, legal_orders
from gm.position import Dislodged, Phase, PhaseKind, Position, Season, Unit, parse_unit
from tests.judge.positions import random_situation

BOARD = standard_board()
MOVEMENT = Phase(1901, Season.SPRING, PhaseKind.MOVEMENT)
PLACES = [at for province in BOARD.provinces for at in dict.fromkeys((Location(province), *BOARD.coasts(province)))]


def as_written(order: Order) -> WrittenOrder:
    """The order as a player would write it."""
    if isinstance(order, Waive):
        return Waive(order.power)
    changes: dict[str, Any] = {
        name: UnitName(unit.at, unit.kind) for name, unit in vars(order).items() if isinstance(unit, Unit)
    }
    return replace(order, **changes)  # type: ignore[return-value] # its units are now names


def positions() -> Iterator[Position]:
    rng = random.Random(3)
    for _ in range(12):
        yield Position(MOVEMENT, tuple(random_situation(rng, BOARD, 8)[0]), {})


def every_movement_order(position: Position, unit: Unit) -> Iterator[Order]:
    """Everything that could be written for the unit, sense or nonsense."""
    yield Hold(unit)
    yield from (Move(unit, to) for to in PLACES)
    for other in position.units:
        yield Support(unit, other)
        yield from (Support(unit, other, to) for to in PLACES)
        yield from (Convoy(unit, other, to) for to in PLACES)


@pytest.mark.parametrize("position", list(positions()))
def test_listed_is_what_is_accepted(position: Position) -> None:
    for unit in position.units:
        listed = legal_orders(BOARD, position, unit)
        assert len(listed) == len(set(listed))
        accepted = set()
        for order in every_movement_order(position, unit):
            try:
                accepted.add(understand(BOARD, position, unit.power, as_written(order)))
            except GmError:
                continue
        assert _without_loose_coasts(accepted) == set(listed)


def _without_loose_coasts(orders: set[Order]) -> set[Order]:
    """Leave out support to the province of a fleet's move where support to its coasts is there too."""

    def is_loose(order: Order) -> bool:
        if not isinstance(order, Support) or order.to is None or order.supported.kind is UnitKind.ARMY:
            return False
        return "/" not in order.to and order.to not in BOARD.coasts(Province(order.to))

    return {order for order in orders if not is_loose(order)}


@pytest.mark.parametrize("position", list(positions()))
def test_listed_is_possible_to_the_judge(position: Position) -> None:
    for unit in position.units:
        for order in legal_orders(BOARD, position, unit):
            outcome = resolve_movement(BOARD, RULEBOOK_2023, position.units, [order]).outcomes[0]
            assert outcome.result is not Result.ILLEGAL, order


def test_retreats() -> None:
    dislodged = Dislodged(parse_unit("Austria A ser"), Province("bul"))
    position = Position(
        Phase(1901, Season.SPRING, PhaseKind.RETREAT),
        (parse_unit("Turkey A bul"),),
        {},
        (dislodged,),
        frozenset({Province("gre")}),
    )
    listed = legal_orders(BOARD, position, dislodged.unit)
    assert [getattr(order, "to", None) for order in listed] == ["alb", "bud", "rum", "tri", None]
    assert all(understand(BOARD, position, dislodged.unit.power, as_written(order)) == order for order in listed)


@pytest.mark.parametrize(("convoyed", "open_places"), [(False, ["pie"]), (True, ["gas", "pie"])])
def test_a_convoyed_attacker_frees_its_origin_but_nothing_else(convoyed: bool, open_places: list[str]) -> None:
    """Occupied and contested provinces stay barred (DATC 4.A.5, 6.H.11)."""
    dislodged = Dislodged(parse_unit("Italy A mar"), Province("gas"), convoyed)
    units = (parse_unit("France A mar"), parse_unit("France A bur"))
    position = Position(
        Phase(1901, Season.SPRING, PhaseKind.RETREAT), units, {}, (dislodged,), frozenset({Province("spa")})
    )
    orders = legal_orders(BOARD, position, dislodged.unit)
    assert [getattr(order, "to", None) for order in orders[:-1]] == open_places
    taken = replace(position, units=(*units, parse_unit("France A gas")))
    assert [getattr(order, "to", None) for order in legal_orders(BOARD, taken, dislodged.unit)] == ["pie", None]


def test_adjustments() -> None:
    unit = parse_unit("Russia A mos")
    winter = Position(Phase(1901, Season.WINTER, PhaseKind.ADJUSTMENT), (unit,), {})
    assert legal_orders(BOARD, winter, unit, Need(-1)) == (Disband(unit),)
    assert legal_orders(BOARD, winter, unit) == ()
    builds = legal_builds(BOARD, unit.power, Need(1, frozenset({Province("stp"), Province("war")})))
    built = [str(order.unit) for order in builds if isinstance(order, Build)]
    assert built == ["Russia A stp", "Russia A war", "Russia F stp/nc", "Russia F stp/sc"]
    assert isinstance(builds[-1], Waive)
    assert legal_builds(BOARD, unit.power, Need(-1)) == ()
