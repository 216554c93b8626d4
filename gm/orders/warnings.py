"""Warnings of orders that are legal and yet hardly meant: on the receipt, so that a slip is seen in time.

Only a power's own orders are looked at, since another power may have made sense of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gm.board import Board, Location
from gm.orders import Build, Convoy, Declaration, Move, Order, Retreat, Support, WrittenOrder
from gm.orders.notation import short, write, write_unit
from gm.position import Unit


def warnings_on(board: Board, orders: Sequence[Order]) -> tuple[str, ...]:
    """A sentence for each order of a power that does not fit its others."""
    by_unit = {o.unit: o for o in orders if not isinstance(o, Declaration) and o.unit.kind.fights}
    found: list[str] = []
    for order in orders:
        if isinstance(order, Support):
            found += _support(board, order, orders, by_unit)
        elif isinstance(order, Convoy):
            found += _convoy(board, order, by_unit)
        elif isinstance(order, Move) and order.unit.kind.fights:
            found += _into_own(board, order, by_unit)
    return (*found, *_together(board, orders))


def _support(
    board: Board, order: Support[Unit], orders: Sequence[Order], by_unit: Mapping[Unit, Order]
) -> Iterator[str]:
    """Support for a move that is not ordered, or for a unit that is to move elsewhere. Of equal units one is enough."""
    theirs = by_unit.get(order.supported)
    if theirs is None or (order.to is not None and any(_goes(board, other, order) for other in orders)):
        return
    name, ordered = write_unit(order.supported), write(theirs)
    if order.to is None:
        if isinstance(theirs, Move):
            yield f"{write(order)}: it supports {name} to stay, but {name} is ordered to move ({ordered})."
    elif not isinstance(theirs, Move) or board.province(theirs.to) != board.province(order.to):
        yield f"{write(order)}: the move it supports is not ordered; {name} is ordered {ordered}."


def _goes(board: Board, other: Order, order: Support[Unit]) -> bool:
    """Whether the other order is the move that the support names."""
    if not isinstance(other, Move) or order.to is None or other.unit != order.supported:
        return False
    return board.province(other.to) == board.province(order.to)


def _convoy(board: Board, order: Convoy[Unit], by_unit: Mapping[Unit, Order]) -> Iterator[str]:
    """A convoy of an army of one's own that goes elsewhere or stays."""
    army = by_unit.get(order.convoyed)
    if army is None or (isinstance(army, Move) and board.province(army.to) == board.province(order.to)):
        return
    yield f"{write(order)}: the army is not ordered there but {write(army)}."


def _into_own(board: Board, order: Move[Unit], by_unit: Mapping[Unit, Order]) -> Iterator[str]:
    """A move to where a unit of one's own is ordered to stay."""
    for unit, theirs in by_unit.items():
        stays = not isinstance(theirs, Move)
        if stays and unit != order.unit and board.province(unit.at) == board.province(order.to):
            yield f"{write(order)}: your own {write_unit(unit)} is ordered to stay there ({write(theirs)})."


def _together(board: Board, orders: Sequence[Order]) -> Iterator[str]:
    """Two units sent to one place; for a bounce on purpose that is right, for a retreat it is the end of both."""
    seen: dict[str, Order] = {}
    for order in orders:
        if not isinstance(order, Move | Retreat) or not order.unit.kind.fights:
            continue
        target = board.province(order.to)
        first = seen.setdefault(target, order)
        if first is not order:
            end = "both will be disbanded" if isinstance(order, Retreat) else "they will bounce unless one is supported"
            yield f"{write(first)} and {write(order)} go to the same place: {end}."


def chosen_coast(written: WrittenOrder, order: Order) -> str:
    """A sentence on the coast that was filled in because it is the only one possible; "" when none was."""
    if isinstance(order, Move | Retreat) and isinstance(written, Move | Retreat):
        given, meant = written.to, order.to
    elif isinstance(order, Build) and isinstance(written, Build):
        given, meant = written.unit.at, order.unit.at
    else:
        return ""
    return _coast(order, given, meant) if "/" in meant and "/" not in given else ""


def _coast(order: Order, given: Location, meant: Location) -> str:
    return (
        f"{write(order)}: no coast of {short(given)} was named, so {short(meant)} was taken, the only one it reaches."
    )
