"""What a power has to order in a phase, and what of it is missing: said by the variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from gm.board import Province, UnitKind
from gm.orders import Build, Declaration, Disband, Order, Waive
from gm.position import Unit


@dataclass(frozen=True, slots=True)
class Need:
    """`count` > 0: as many builds allowed, of `kinds`, in `sites`; < 0: as many units to remove; 0: nothing to do.

    `count` is already limited by the sites: a power with three centres too many and one vacant home centre has 1.
    """

    count: int = 0
    sites: frozenset[Province] = frozenset()
    kinds: tuple[UnitKind, ...] = (UnitKind.ARMY, UnitKind.FLEET)


NOTHING = Need()


@dataclass(frozen=True, slots=True)
class Duty:
    """Units that want an order each, or builds and removals to be named.

    `offer`: more may be ordered, or nothing (WAIVE); any answer to that completes the orders. `things` is what reports
    call all this, where it is not orders, retreats, builds or removals.
    """

    units: tuple[Unit, ...] = ()
    need: Need = NOTHING
    offer: bool = False
    things: str = ""

    @property
    def binding(self) -> bool:
        """Whether something must be ordered, so that silence is civil disorder."""
        return bool(self.units or self.need.count)

    def unordered(self, orders: Iterable[Order]) -> tuple[Unit, ...]:
        """The units that none of these orders is for."""
        ordered = Counter(order.unit for order in orders if not isinstance(order, Declaration))
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
        return not self.unordered(given) and not self.unnamed(given) and (self.binding or bool(given))
