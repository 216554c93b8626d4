"""How a player's later orders join his earlier ones in the same phase (ST-7)."""

from __future__ import annotations

from collections.abc import Sequence

from gm.orders import Order, Waive
from gm.orders.needs import Need
from gm.position import PhaseKind


def merge(kind: PhaseKind, earlier: Sequence[Order], later: Sequence[Order]) -> tuple[Order, ...]:
    """The set in force after `later` has come.

    In movement and retreat phases a later order for a unit replaces the earlier one and the rest stand. Builds and
    removals are one decision: a later mail that names any replaces them all.
    """
    if kind is PhaseKind.ADJUSTMENT:
        return tuple(later) if later else tuple(earlier)
    by_unit = {order.unit: order for order in (*earlier, *later) if not isinstance(order, Waive)}
    return tuple(by_unit.values())


def split_surplus(orders: Sequence[Order], need: Need) -> tuple[tuple[Order, ...], tuple[Order, ...]]:
    """Builds or removals within what is needed, and those beyond it: the first given count."""
    allowed = abs(need.count)
    return tuple(orders[:allowed]), tuple(orders[allowed:])
