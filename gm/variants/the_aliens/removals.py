"""What a race must give up in Winter: units nearest to its transmitters, and surplus transmitters (AL-13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gm.board import FiniteBoard, Location, Power
from gm.errors import IllegalOrder
from gm.judge.adjustments import distance
from gm.judge.outcomes import Facts, Outcome, Result, Why
from gm.orders import Disband, Order, legality
from gm.orders.notation import short, write_unit
from gm.position import Position, Unit
from gm.variants.the_aliens.board import TRANSMITTER
from gm.variants.the_aliens.state import State, province_of, transmitters_to_come, units_to_come


@dataclass(frozen=True, slots=True)
class Leaving:
    """Units that are short of supply: `bound` go for certain, and `rest` of those in `choice`, which are as near."""

    bound: tuple[Unit, ...] = ()
    choice: tuple[Unit, ...] = ()
    rest: int = 0

    @property
    def all(self) -> tuple[Unit, ...]:
        """Every unit that may be removed, the nearest first."""
        return (*self.bound, *self.choice)


def leaving(board: FiniteBoard, position: Position, power: Power) -> Leaving:
    """The units nearest to any of the race's own transmitters.

    Distances are counted over spaces of any kind, with the transmitters as they stand before removals.
    """
    surplus = -units_to_come(position, power)
    if surplus <= 0:
        return Leaving()
    goals = {province_of(piece) for piece in State.of(position).transmitters_of(power)}
    far = {unit: distance(board, unit, True, lambda province: province in goals) for unit in position.units_of(power)}
    ranked = sorted(far, key=lambda unit: (far[unit], board.full_name(unit.at)))
    if surplus >= len(ranked):
        return Leaving(tuple(ranked))
    limit = far[ranked[surplus - 1]]
    bound = tuple(unit for unit in ranked if far[unit] < limit)
    return Leaving(bound, tuple(unit for unit in ranked if far[unit] == limit), surplus - len(bound))


def surplus_transmitters(position: Position, power: Power) -> int:
    """How many transmitters the race has too many."""
    return max(0, -transmitters_to_come(position, power))


def removals_due(position: Position, power: Power) -> int:
    """How many units and transmitters the race has to give up."""
    return max(0, -units_to_come(position, power)) + surplus_transmitters(position, power)


def understand_removal(board: FiniteBoard, position: Position, power: Power, order: Disband[Any]) -> Disband[Unit]:
    """`REMOVE A SPA`, `REMOVE T SPA`. Raises IllegalOrder for what need not, or may not, be removed."""
    here = board.province(order.unit.at)
    pieces = [piece for piece in State.of(position).transmitters_of(power) if province_of(piece) == here]
    stands = any(board.province(unit.at) == here for unit in position.units_of(power))
    if order.unit.kind is TRANSMITTER or (order.unit.kind is None and pieces and not stands):
        if not pieces:
            raise IllegalOrder(f"You have no transmitter in {short(Location(here))}.")
        if not surplus_transmitters(position, power):
            raise IllegalOrder("You have no transmitter to remove.")
        return Disband(pieces[0])
    unit = legality.own_unit(board, position.units, power, order.unit)
    may_go = leaving(board, position, power).all
    if not may_go:
        raise IllegalOrder("You have no unit to remove.")
    if unit not in may_go:
        raise IllegalOrder(
            f"{write_unit(unit)} cannot be removed: the units nearest to your transmitters go first (AL-13).",
            f"Nearest: {', '.join(map(write_unit, may_go))}.",
        )
    return Disband(unit)


class Removals:
    """The removals of one Winter: what is gone, and an outcome for each order and each removal that nobody ordered."""

    def __init__(self, board: FiniteBoard, position: Position) -> None:
        self.gone: Counter[Unit] = Counter()
        self._board = board
        self._position = position
        self._state = State.of(position)
        self._leaving = {race: leaving(board, position, race) for race in self._state.races}
        self._chosen: Counter[Power] = Counter()
        self._given_up: Counter[Power] = Counter()

    def order(self, order: Disband[Unit]) -> Outcome:
        """Remove as ordered; of more than is due the first given count."""
        unit, power = order.unit, order.unit.power
        if unit.kind is TRANSMITTER:
            there = self._state.transmitters.count(unit) > self.gone[unit]
            used, due = self._given_up, surplus_transmitters(self._position, power)
        else:
            there = unit in self._leaving[power].all and not self.gone[unit]
            used, due = self._chosen, self._leaving[power].rest
        if not there:
            return Outcome(order, Result.ILLEGAL, None, Facts(Why.NO_SUCH_UNIT))
        if unit not in self._leaving[power].bound:
            if used[power] == due:
                return Outcome(order, Result.VOID, None, Facts(Why.SURPLUS))
            used[power] += 1
        self.gone[unit] += 1
        return Outcome(order, Result.SUCCEEDS)

    def by_default(self) -> Iterator[Outcome]:
        """What should have been removed and was not: the nearest units, then alphabetically."""
        for race, found in self._leaving.items():
            chosen = [unit for unit in found.choice if not self.gone[unit]][: found.rest - self._chosen[race]]
            units = [unit for unit in found.bound if not self.gone[unit]] + chosen
            left = (Counter(self._state.transmitters_of(race)) - self.gone).elements()
            surplus = surplus_transmitters(self._position, race) - self._given_up[race]
            units += sorted(left, key=lambda piece: self._board.full_name(piece.at))[:surplus]
            self.gone.update(units)
            yield from (Outcome(Disband(unit), Result.DISBANDED, None, Facts(Why.UNORDERED)) for unit in units)

    def units_left(self) -> tuple[Unit, ...]:
        """The units on the board."""
        return tuple(unit for unit in self._position.units if not self.gone[unit])

    def transmitters_left(self) -> tuple[Unit, ...]:
        """The transmitters on the board."""
        return tuple((Counter(self._state.transmitters) - self.gone).elements())


def removal_orders(orders: Sequence[Order]) -> list[tuple[int, Disband[Unit]]]:
    """The removals among the orders, each with its place."""
    return [(place, order) for place, order in enumerate(orders) if isinstance(order, Disband)]
