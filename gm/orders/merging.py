"""How a player's later orders join the earlier ones in the same phase (ST-7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gm.board import Board
from gm.errors import IllegalOrder
from gm.orders import Build, Declaration, Disband, Order, Waive
from gm.orders.notation import short
from gm.orders.possible import Need
from gm.position import PhaseKind, Unit


def merge(
    kind: PhaseKind, earlier: Sequence[Order], later: Sequence[Order], units: Iterable[Unit] = ()
) -> tuple[Order, ...]:
    """The set in force after `later` has come.

    In movement and retreat phases a later order for a unit replaces the earlier one and the rest stand. Builds and
    removals are one decision: a later mail that names any replaces them all. `units` are those on the board: of equal
    ones in one space any may take a later order, see `_share`.
    """
    if kind is PhaseKind.ADJUSTMENT:
        return tuple(later) if later else tuple(earlier)
    standing = Counter(units)
    sets: dict[Unit, tuple[list[Order], list[Order]]] = {}
    for number, orders in enumerate((earlier, later)):
        for order in orders:
            if not isinstance(order, Declaration):
                sets.setdefault(order.unit, ([], []))[number].append(order)
    return tuple(order for unit, (old, new) in sets.items() for order in _share(old, new, max(1, standing[unit])))


def _share(earlier: list[Order], later: list[Order], units: int) -> list[Order]:
    """The orders of so many equal units.

    An order that is written again is the same order. The later ones go to units without an order; where these are too
    few, they replace the earlier ones altogether.
    """
    left = Counter(later)
    old = []
    for order in earlier:
        if left[order]:
            left[order] -= 1
        else:
            old.append(order)
    if len(old) + len(later) > units and later:
        old = []
    return [*old, *later][-units:]


def refuse_surplus(board: Board, units: Sequence[Unit], before: Iterable[Order], order: Order) -> None:
    """Where a space holds several equal units each line orders one. Raises IllegalOrder for one line too many."""
    if isinstance(order, Declaration | Build) or board.capacity(board.province(order.unit.at)) == 1:
        return
    count = units.count(order.unit)
    if sum(not isinstance(other, Declaration) and other.unit == order.unit for other in before) >= count:
        there = f"{count} units" if count > 1 else "one unit"
        raise IllegalOrder(
            f"You have {there} in {short(order.unit.at)}, and the lines before this one order as many.",
            "One line orders one unit; the first given count.",
        )


def split_surplus(orders: Sequence[Order], need: Need) -> tuple[tuple[Order, ...], tuple[Order, ...]]:
    """Builds or removals within what is needed, and those beyond it: the first given count. Other orders are kept."""
    limited = (Build, Waive) if need.count > 0 else (Disband,) if need.count < 0 else ()
    of_kind = [place for place, order in enumerate(orders) if isinstance(order, limited)]
    beyond = set(of_kind[abs(need.count) :])
    return (
        tuple(order for place, order in enumerate(orders) if place not in beyond),
        tuple(order for place, order in enumerate(orders) if place in beyond),
    )
