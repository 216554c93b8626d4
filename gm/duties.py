"""What each power has to order in a phase, and what of it is still missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gm.board import Power
from gm.orders import Build, Disband, Order, Waive
from gm.orders.needs import NOTHING, Need
from gm.position import PhaseKind, Position, Unit
from gm.variants import Variant


@dataclass(frozen=True, slots=True)
class Duty:
    """Units that want an order each, or builds and removals to be named."""

    units: tuple[Unit, ...] = ()
    need: Need = NOTHING

    def unordered(self, orders: Iterable[Order]) -> tuple[Unit, ...]:
        """The units that none of these orders is for."""
        ordered = Counter(order.unit for order in orders if not isinstance(order, Waive))
        left = []
        for unit in self.units:
            if ordered[unit]:
                ordered[unit] -= 1
            else:
                left.append(unit)
        return tuple(left)

    def unnamed(self, orders: Iterable[Order]) -> int:
        """How many builds (or waives) or removals are still to be named."""
        wanted = (Build, Waive) if self.need.count > 0 else (Disband,)
        return max(0, abs(self.need.count) - sum(isinstance(order, wanted) for order in orders))

    def met_by(self, orders: Iterable[Order]) -> bool:
        """Whether nothing is missing."""
        given = tuple(orders)
        return not self.unordered(given) and not self.unnamed(given)


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """What the power has to order, or None when it has nothing to do in this phase."""
    match position.phase.kind:
        case PhaseKind.RETREAT:
            units = tuple(d.unit for d in position.dislodged_of(power))
            return Duty(units) if units else None
        case PhaseKind.ADJUSTMENT:
            need = game.needs(game.board(position), position, power)
            return Duty(need=need) if need.count else None
        case _:
            units = position.units_of(power)
            return Duty(units) if units else None


def duties(game: Variant, position: Position) -> Mapping[Power, Duty]:
    """The powers that have something to order in this phase."""
    every = {power: duty(game, position, power) for power in game.powers}
    return {power: found for power, found in every.items() if found is not None}
