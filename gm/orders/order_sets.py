"""A power's set of orders: merging later orders into earlier ones (ST-7), and warnings about legal but odd orders.

Warnings concern only the power's own units; whether an order about another power's unit is odd depends on that power.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gm.board import Board, Location, Province, Travel
from gm.errors import IllegalOrder
from gm.orders import Build, Convoy, Declaration, Disband, Move, Order, Retreat, Support, Waive, WrittenOrder, unit_of
from gm.orders.notation import short, write, write_unit
from gm.orders.possible import Need, fleets_at_sea, may_be_convoyed, may_help
from gm.position import PhaseKind, Unit


def warnings_on(
    board: Board, standing: Sequence[Unit], orders: Sequence[Order], *, dislodges_own: bool = False
) -> tuple[str, ...]:
    """A sentence for each order of a power that does not fit its other orders, or that the `standing` units prevent.

    `dislodges_own`: whether a power may dislodge its own units.
    """
    by_unit = {o.unit: o for o in orders if not isinstance(o, Declaration) and o.unit.kind.fights}
    found: list[str] = []
    for order in orders:
        if isinstance(order, Support):
            found += _support(board, order, orders, by_unit)
        elif isinstance(order, Convoy):
            found += _convoy(board, order, by_unit)
        elif isinstance(order, Move) and order.unit.kind.fights:
            found += _into_own(board, order, by_unit, dislodges=dislodges_own)
    crowded = (*_together(board, orders), *_without_room(board, standing, orders))
    return (*found, *_without_fleets(board, standing, orders), *crowded)


def _support(
    board: Board, order: Support[Unit], orders: Sequence[Order], by_unit: Mapping[Unit, Order]
) -> Iterator[str]:
    """Support for a move that is not ordered, or for a unit that is ordered to move elsewhere. Of several equal units
    one that fits is enough.
    """
    theirs = by_unit.get(order.supported)
    if theirs is None or (order.to is not None and any(_goes(board, other, order) for other in orders)):
        return
    name, ordered = write_unit(order.supported), write(theirs)
    if order.to is None:
        if isinstance(theirs, Move):
            yield f"{write(order)}: it supports {name} to hold, but {name} is ordered to move ({ordered})."
    elif not isinstance(theirs, Move) or board.province(theirs.to) != board.province(order.to):
        yield f"{write(order)}: you support a move that you did not order; {name} is ordered {ordered}."


def _goes(board: Board, other: Order, order: Support[Unit]) -> bool:
    """Whether the other order is the move that the support names."""
    if not isinstance(other, Move) or order.to is None or other.unit != order.supported:
        return False
    return board.province(other.to) == board.province(order.to)


def _convoy(board: Board, order: Convoy[Unit], by_unit: Mapping[Unit, Order]) -> Iterator[str]:
    """Convoy of an army of the same power that moves elsewhere or stays."""
    army = by_unit.get(order.convoyed)
    if isinstance(army, Move) and board.province(army.to) == board.province(order.to):
        return
    if army is not None:
        yield f"{write(order)}: the army has another order, {write(army)}."
    elif order.convoyed.power == order.unit.power:
        yield f"{write(order)}: the army has no order yet."


def _without_fleets(board: Board, standing: Sequence[Unit], orders: Sequence[Order]) -> Iterator[str]:
    """An army that can only go by convoy, when the power's own fleets that are ordered to carry it make no chain, nor
    do they with all those of others. An army beside a piece of the power that does not fight may have another way.
    """
    seas = fleets_at_sea(board, standing)
    ordered = {unit: order for order in orders if (unit := unit_of(order)) is not None}
    beside = {unit.at for order in orders if (unit := unit_of(order)) is not None and not unit.kind.fights}
    for order in orders:
        if not isinstance(order, Move) or order.unit.kind.travel is not Travel.LAND or not order.crosses_border:
            continue
        start, goal = board.province(order.unit.at), board.province(order.to)
        walks = board.may_step(order.unit.kind, order.unit.at, order.to) and not order.via_convoy
        if walks or order.unit.at in beside or not order.unit.kind.fights:
            continue
        own = {unit: ordered.get(unit) for unit in standing if unit.power == order.unit.power and unit.at in seas}
        idle = {unit.at: _said(unit, given) for unit, given in own.items() if not _carries(board, given, order)}
        left = tuple(sea for sea in seas if sea not in idle)
        if may_be_convoyed(board, seas, start, goal) and not may_be_convoyed(board, left, start, goal):
            why = ", ".join(idle[sea] for sea in idle if may_help(board, seas, sea, start, goal))
            lacks = "no fleet is left to convoy it" if len(idle) == len(own) else "its chain of fleets has a gap"
            yield f"{write(order)}: {lacks} ({why})."


def _said(unit: Unit, order: Order | None) -> str:
    return write(order) if order is not None else f"{write_unit(unit)} has no order"


def _carries(board: Board, fleets: Order | None, armys: Move[Unit]) -> bool:
    """Whether the first order is a convoy of the army's move."""
    if not isinstance(fleets, Convoy) or fleets.convoyed != armys.unit:
        return False
    return board.province(fleets.to) == board.province(armys.to)


def _into_own(board: Board, order: Move[Unit], by_unit: Mapping[Unit, Order], *, dislodges: bool) -> Iterator[str]:
    """A move to a province where a unit of the same power is ordered to stay."""
    for unit, theirs in by_unit.items():
        there = board.province(unit.at)
        stays = not isinstance(theirs, Move) and board.capacity(there) == 1
        if stays and unit != order.unit and there == board.province(order.to):
            then = "; it is dislodged if the move is the stronger" if dislodges else ""
            yield f"{write(order)}: your own {write_unit(unit)} stays there ({write(theirs)}){then}."


def _together(board: Board, orders: Sequence[Order]) -> Iterator[str]:
    """Two units sent to one place. Two moves may bounce on purpose, but two retreats would disband both."""
    seen: dict[str, Order] = {}
    for target, order in _arrivals(board, orders):
        if board.capacity(target) > 1:
            continue
        first = seen.setdefault(target, order)
        if first is not order:
            end = "both will be disbanded" if isinstance(order, Retreat) else "they will bounce unless one is supported"
            yield f"{write(first)} and {write(order)} go to the same place: {end}."


def _without_room(board: Board, standing: Sequence[Unit], orders: Sequence[Order]) -> Iterator[str]:
    """More units sent to a space for several units than there is room for beside those that stay in it."""
    coming: dict[Province, list[Move[Unit] | Retreat[Unit]]] = {}
    for target, order in _arrivals(board, orders):
        if board.capacity(target) > 1:
            coming.setdefault(target, []).append(order)
    leaving = Counter(board.province(order.unit.at) for order in orders if isinstance(order, Move))
    there = Counter(board.province(unit.at) for unit in standing)
    for target, sent in coming.items():
        room = max(0, board.capacity(target) - there[target] + leaving[target])
        if len(sent) > room:
            end = "all of them will be disbanded" if isinstance(sent[0], Retreat) else "none of them will get there"
            yield f"{', '.join(map(write, sent))}: {short(Location(target))} has room for {room}, so {end}."


def _arrivals(board: Board, orders: Sequence[Order]) -> Iterator[tuple[Province, Move[Unit] | Retreat[Unit]]]:
    """The moves and retreats of units that fight, each with its goal."""
    for order in orders:
        if isinstance(order, Move | Retreat) and order.unit.kind.fights:
            yield board.province(order.to), order


def chosen_coast(written: WrittenOrder, order: Order) -> str:
    """A sentence on the coast that was filled in because it is the only possible one, or on a convoy that there
    cannot be, which was left out; "" if neither was.
    """
    if isinstance(order, Move) and isinstance(written, Move) and written.via_convoy and not order.via_convoy:
        by_land = order.unit.kind.travel is Travel.LAND
        why = "no fleets can carry it; it goes by land" if by_land else "only armies are convoyed"
        return f"{write(order)}: 'via convoy' was left out, since {why}."
    if isinstance(order, Move | Retreat) and isinstance(written, Move | Retreat):
        given, meant = written.to, order.to
    elif isinstance(order, Build) and isinstance(written, Build):
        given, meant = written.unit.at, order.unit.at
    else:
        return ""
    return _coast(order, given, meant) if "/" in meant and "/" not in given else ""


def _coast(order: Order, given: Location, meant: Location) -> str:
    return (
        f"{write(order)}: you named no coast of {short(given)}, so we chose {short(meant)}, the only one it can reach."
    )


# later orders


def merge(
    kind: PhaseKind, earlier: Sequence[Order], later: Sequence[Order], units: Iterable[Unit] = ()
) -> tuple[Order, ...]:
    """The order set in force after `later` has arrived.

    In movement and retreat phases a later order for a unit replaces the earlier one and the other orders stay in force;
    the set is in the order in which its orders were written.
    Builds and removals are one decision: those that are later replace them all; `beside` says which earlier ones were
    added to them before. `units` are those on the board: of several equal ones in one space any may take a later order,
    see `_share`.
    """
    if kind is PhaseKind.ADJUSTMENT:
        return tuple(later) if later else tuple(earlier)
    standing = Counter(units)
    sets: dict[Unit, tuple[list[Order], list[Order]]] = {}
    for number, orders in enumerate((earlier, later)):
        for order in orders:
            if not isinstance(order, Declaration):
                sets.setdefault(order.unit, ([], []))[number].append(order)
    left = Counter(order for unit, (old, new) in sets.items() for order in _share(old, new, max(1, standing[unit])))
    return tuple(order for order in (*earlier, *later) if _taken_from(left, order))


def beside(earlier: Sequence[Order], later: Sequence[Order], due: int) -> tuple[Order, ...]:
    """The earlier builds or removals that stay in force beside later ones, of which so many are `due` in all: those of
    other places and units while there is room for all of them, otherwise none. Waived builds make room.
    """
    anew = {decided(order) for order in later}
    left = [order for order in earlier if isinstance(order, Build | Disband) and decided(order) not in anew]
    room = due - len(left) - sum(isinstance(order, Build | Disband | Waive) for order in later)
    if room < 0 or not later:
        return ()
    waived = [] if Waive in anew else [order for order in earlier if isinstance(order, Waive)]
    return (*left, *waived[:room])


def decided(order: Order) -> object:
    """What an order decides on: the place of a build, else its unit; of waived builds, how many there are."""
    if isinstance(order, Build):
        return Location(order.unit.at.partition("/")[0])
    return Waive if isinstance(order, Waive) else unit_of(order)


def _taken_from(left: Counter[Order], order: Order) -> bool:
    """Whether the order is still among these; if so it is taken out."""
    left[order] -= 1
    return left[order] >= 0


def unless_ordered_anew(
    earlier: Sequence[Order], later: Sequence[Order], alike: Callable[[Unit], bool]
) -> tuple[Order, ...]:
    """The earlier orders, without those for pieces that are `alike` if the later mail orders any of these: which of
    them it means cannot be known.
    """

    def is_alike(order: Order) -> bool:
        unit = unit_of(order)
        return unit is not None and alike(unit)

    return tuple(order for order in earlier if not is_alike(order)) if any(map(is_alike, later)) else tuple(earlier)


def _share(earlier: list[Order], later: list[Order], units: int) -> list[Order]:
    """Distribute the orders among a number of equal units.

    An order that is repeated is the same order. Later orders go to units without an order; if there are too few of
    these, the later orders replace all the earlier ones.
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


def superseded(units: Sequence[Unit], earlier: Sequence[Order], now: Sequence[Order]) -> tuple[Order, ...]:
    """The earlier orders that are no longer in force, where several equal units could have had them, or where their
    unit now has none.
    """
    gone, ordered = Counter(earlier) - Counter(now), {unit_of(order) for order in now}
    return tuple(
        order
        for order in gone.elements()
        if (unit := unit_of(order)) is not None
        if units.count(unit) > 1 or (unit in units and unit not in ordered)
    )


def refuse_surplus(board: Board, units: Sequence[Unit], before: Iterable[Order], order: Order) -> None:
    """Where a space holds several equal units, each line orders one of them. Raises IllegalOrder for one line
    too many.
    """
    if isinstance(order, Declaration | Build) or board.capacity(board.province(order.unit.at)) == 1:
        return
    count = units.count(order.unit)
    if sum(not isinstance(other, Declaration) and other.unit == order.unit for other in before) >= count:
        there = f"{count} units" if count > 1 else "one unit"
        raise IllegalOrder(
            f"You have {there} in {short(order.unit.at)}, and you have already ordered all of them.",
            "One line orders one unit; this one was ignored.",
        )


def split_surplus(orders: Sequence[Order], need: Need) -> tuple[tuple[Order, ...], tuple[Order, ...]]:
    """The builds or removals within `need`, and those beyond it: the first given count. Other orders are kept."""
    limited = (Build, Waive) if need.count > 0 else (Disband,) if need.count < 0 else ()
    of_kind = [place for place, order in enumerate(orders) if isinstance(order, limited)]
    beyond = set(of_kind[abs(need.count) :])
    return (
        tuple(order for place, order in enumerate(orders) if place not in beyond),
        tuple(order for place, order in enumerate(orders) if place in beyond),
    )
