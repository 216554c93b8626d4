"""A movement phase prepared for adjudication: units are numbers, and orders are lists indexed by them.

All questions to the board are asked here, once for each order; later steps only read lists. Orders that could never
succeed are set aside with the reason; their units hold (ST-8).

This is the first step of `gm.judge.movement`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gm.board import Board, Location, Province, Travel
from gm.judge import Rulebook
from gm.judge.outcomes import Why
from gm.orders import Convoy, Hold, Move, Order, Support
from gm.orders.possible import fleets_at_sea, may_be_convoyed, reaches
from gm.position import Unit

HOLD, MOVE, SUPPORT, CONVOY = range(4)
"""What a unit does."""

BY_LAND, BY_CONVOY, BY_EITHER = range(3)
"""How a unit moves. `BY_EITHER`: by convoy if it is not disrupted, otherwise over land (1971; DATC 4.A.3)."""

NO_UNIT = -1
"""Used in place of a unit's number where there is no unit."""

MovementOrder = Hold[Unit] | Move[Unit] | Support[Unit] | Convoy[Unit]


class Compiled:
    """The phase as lists. A unit is represented by its index in `units`; lists are by unit unless stated otherwise."""

    __slots__ = (
        "action",
        "arrivals",
        "at",
        "backers",
        "bearers",
        "board",
        "by_province",
        "convoyers",
        "convoying",
        "defender",
        "entering",
        "immune",
        "moving",
        "opponent",
        "orders",
        "origin",
        "rejected",
        "routes",
        "rulebook",
        "seas",
        "shared",
        "supporters",
        "supporting",
        "target",
        "toward",
        "units",
        "vacant_only",
        "void",
        "way",
        "weight",
    )

    def __init__(self, board: Board, rulebook: Rulebook, units: Sequence[Unit], orders: Sequence[Order]) -> None:
        count = len(units)
        self.board = board
        self.rulebook = rulebook
        self.units = units
        self.at: list[Province] = [board.province(unit.at) for unit in units]
        """The province a unit is in."""
        self.by_province: dict[Province, int] = {}
        """The unit in each province that holds one unit."""
        self.shared: dict[Province, list[int]] = {}
        """The units in each space that holds several; there is no fighting in these."""
        self.seas: tuple[Location, ...] = ()
        """The locations of fleets that could convoy."""
        self.orders: list[MovementOrder | None] = [None] * count
        """The order in force."""
        self.moving: list[tuple[int, Move[Unit]]] = []
        self.supporting: list[tuple[int, Support[Unit]]] = []
        self.convoying: list[tuple[int, Convoy[Unit]]] = []
        """The units with a convoy order, and the order."""
        self.bearers = [NO_UNIT] * len(orders)
        """By index of the order: its unit."""
        self.rejected: dict[int, Why] = {}
        """By index of the order: why it does not count."""
        self.action = [HOLD] * count
        self.target: list[Province | None] = [None] * count
        """The province a unit moves to."""
        self.origin: list[Province | None] = [None] * count
        """The province a move comes from; a support given there is not cut by it."""
        self.weight = [1] * count
        """A unit's own strength in an attack."""
        self.vacant_only: set[int] = set()
        """Units whose moves cannot dislodge another unit or cut support."""
        self.way = [BY_LAND] * count
        self.arrivals: dict[Province, list[int]] = {}
        """The units that move to each province that holds one unit."""
        self.entering: dict[Province, list[int]] = {}
        """The units that move to each space that holds several."""
        self.defender = [NO_UNIT] * count
        """For a moving unit, the unit in its target."""
        self.opponent = [NO_UNIT] * count
        """For a moving unit, the unit that moves the opposite way over the same border: a head-to-head battle."""
        self.supporters: list[int] = []
        """The units whose support matches the order of the supported unit."""
        self.toward: list[Province | None] = [None] * count
        """For a unit that supports a move, the target of that move."""
        self.backers: list[list[int]] = [[] for _ in units]
        """The units that support each unit's order."""
        self.convoyers: dict[int, list[int]] = {}
        """For each army, the fleets ordered to convoy it as it moves."""
        self.routes: dict[int, list[tuple[int, ...]]] = {}
        """For each army that could move by convoy, its routes: the fleets of each, in order."""
        self.immune: set[tuple[int, int]] = set()
        """(army, supporter): the army's attack does not cut this support (1971; DATC 4.A.2)."""
        self.void: dict[int, Why] = {}
        """Units whose support or convoy order is void, and why."""


def place_units(phase: Compiled) -> None:
    """Record where each unit is."""
    capacity = phase.board.capacity
    phase.seas = fleets_at_sea(phase.board, phase.units)
    for unit, province in enumerate(phase.at):
        if capacity(province) == 1:
            phase.by_province[province] = unit
        else:
            phase.shared.setdefault(province, []).append(unit)


def give_orders(phase: Compiled, orders: Sequence[Order]) -> None:
    """Give each unit its order. A later order replaces an earlier one (ST-7); an impossible one does not.

    Where several equal units share a space each of them takes one order, and surplus orders are ignored.
    """
    units, province, by_province = phase.units, phase.board.province, phase.by_province
    given: dict[int, int] = {}
    for place, order in enumerate(orders):
        if not isinstance(order, (Move, Support, Convoy, Hold)):
            phase.rejected[place] = Why.WRONG_PHASE
            continue
        unit = by_province.get(province(order.unit.at), NO_UNIT)
        if unit == NO_UNIT and phase.shared:
            unit = find_among_several(phase, order.unit)
        if unit == NO_UNIT or (units[unit] is not order.unit and units[unit] != order.unit):
            phase.rejected[place] = Why.NO_SUCH_UNIT
            continue
        phase.bearers[place] = unit
        if not is_possible(phase, unit, order):
            phase.rejected[place] = Why.CANNOT_REACH
            continue
        if unit in given:
            if phase.at[unit] in phase.shared:
                phase.rejected[place] = Why.SURPLUS
                continue
            phase.rejected[given[unit]] = Why.REPLACED
        given[unit] = place
        phase.orders[unit] = order
    sort_orders(phase)


def sort_orders(phase: Compiled) -> None:
    """Record what each unit does."""
    for unit, order in enumerate(phase.orders):
        if isinstance(order, Move):
            phase.action[unit] = MOVE
            phase.moving.append((unit, order))
        elif isinstance(order, Support):
            phase.action[unit] = SUPPORT
            phase.supporting.append((unit, order))
        elif isinstance(order, Convoy):
            phase.action[unit] = CONVOY
            phase.convoying.append((unit, order))


def find_among_several(phase: Compiled, unit: Unit) -> int:
    """Of equal units in a space that holds several, the first without an order, otherwise the last."""
    inside = phase.shared.get(phase.board.province(unit.at), ())
    equal = [number for number in inside if phase.units[number] == unit]
    return next((number for number in equal if phase.orders[number] is None), equal[-1] if equal else NO_UNIT)


def is_possible(phase: Compiled, unit: int, order: MovementOrder) -> bool:
    """Whether the order could ever succeed from the unit's location (ST-8)."""
    board = phase.board
    if isinstance(order, Move):
        return is_possible_move(phase, unit, order)
    if isinstance(order, Support):
        where = board.province(order.supported.at if order.to is None else order.to)
        return reaches(board, order.unit, where)
    if isinstance(order, Convoy):
        return order.unit.kind.convoys and board.can_convoy(order.unit.at)
    return True


def is_possible_move(phase: Compiled, unit: int, order: Move[Unit]) -> bool:
    """Whether the unit borders the target, or the fleets on the board, if all were ordered to, could convoy it there.

    For a move that crosses no border, the variant that has such moves says where it may go.
    """
    board, kind = phase.board, order.unit.kind
    if not order.crosses_border or board.may_step(kind, order.unit.at, order.to):
        return True
    if kind.travel is not Travel.LAND or not board.may_stand(kind, order.to):
        return False
    return may_be_convoyed(board, phase.seas, phase.at[unit], board.province(order.to))


def set_moves(phase: Compiled) -> None:
    """Record the target of every move, and the units it meets there."""
    board, by_province = phase.board, phase.by_province
    for unit, order in phase.moving:
        target = board.province(order.to)
        phase.target[unit] = target
        phase.origin[unit] = board.province(order.comes_from)
        phase.weight[unit] = order.strength
        if order.only_if_vacant:
            phase.vacant_only.add(unit)
        if order.crosses_border and not board.may_step(order.unit.kind, order.unit.at, order.to):
            phase.way[unit] = BY_CONVOY
        if target in phase.shared or board.capacity(target) != 1:
            phase.entering.setdefault(target, []).append(unit)
            continue
        phase.defender[unit] = by_province.get(target, NO_UNIT)
        arrivals = phase.arrivals.get(target)
        if arrivals is None:
            phase.arrivals[target] = [unit]
        else:
            arrivals.append(unit)


def match_supports(phase: Compiled) -> None:
    """Match every support with the supported unit, if that unit does what is supported; other supports are void.

    The coast of the supported unit does not matter (DATC 6.B.16, 6.B.17); the coast it moves to matters if the support
    names one (6.B.7 to 6.B.9, 6.B.15).
    """
    province = phase.board.province
    for unit, order in phase.supporting:
        there = province(order.supported.at)
        supported = phase.by_province.get(there, NO_UNIT)
        for number in phase.shared.get(there, ()):
            supported = number if supported == NO_UNIT and _does(phase, number, order) else supported
        if not _does(phase, supported, order):
            phase.void[unit] = Why.ORDERED_OTHERWISE
            continue
        phase.backers[supported].append(unit)
        phase.supporters.append(unit)
        if order.to is not None:
            phase.toward[unit] = province(order.to)


def _does(phase: Compiled, unit: int, support: Support[Unit]) -> bool:
    """Whether the unit is the supported one and does what is supported: moves there, or does not move."""
    if unit == NO_UNIT or phase.units[unit].power != support.supported.power:
        return False
    order = phase.orders[unit]
    if not isinstance(order, Move):
        return support.to is None
    return support.to is not None and support.to in (order.to, Location(phase.board.province(order.to)))


def all_fleets(routes: Iterable[tuple[int, ...]]) -> dict[int, None]:
    """The fleets of some routes, each once, in order."""
    return {fleet: None for route in routes for fleet in route}
