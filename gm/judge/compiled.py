"""A movement phase compiled: units become numbers, orders become lists indexed by them, strings are left behind.

Everything is asked of the board here, once for each order given; the decisions that follow only read lists. Orders that
could never succeed are set aside with the reason; their units hold (ST-8).

Place: first step of `gm.judge.movement`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from gm.board import Board, Location, Province, UnitKind
from gm.judge.outcome import Why
from gm.judge.rulebook import Rulebook
from gm.orders import Convoy, Hold, Move, Order, Support
from gm.orders.possible import reaches
from gm.orders.routes import may_be_convoyed
from gm.position import Unit

HOLD, MOVE, SUPPORT, CONVOY, OTHER = range(5)
"""What a unit does."""

BY_LAND, BY_CONVOY, BY_EITHER = range(3)
"""How a unit moves. `BY_EITHER`: by convoy if it is not disrupted, else over land (1971; DATC 4.A.3)."""

NOBODY = -1


class Compiled:
    """The phase in lists. A unit is its index in `units`; `NOBODY` is no unit."""

    __slots__ = (
        "action",
        "arrivals",
        "at",
        "backers",
        "board",
        "by_province",
        "convoyers",
        "defender",
        "immune",
        "opponent",
        "orders",
        "rejected",
        "routes",
        "rulebook",
        "target",
        "units",
        "void",
        "way",
        "weight",
    )

    def __init__(self, board: Board, rulebook: Rulebook, units: Sequence[Unit]) -> None:
        count = len(units)
        self.board = board
        self.rulebook = rulebook
        self.units = units
        self.at: list[Province] = [board.province(unit.at) for unit in units]
        """The province of each unit."""
        self.by_province: dict[Province, int] = {}
        """Who stands where; spaces that hold several units are left out."""
        self.orders: list[Order | None] = [None] * count
        """The order that counts for each unit."""
        self.action = [HOLD] * count
        self.target: list[Province | None] = [None] * count
        """Where each moving unit goes."""
        self.weight = [1] * count
        """What each moving unit brings to its attack."""
        self.way = [BY_LAND] * count
        self.arrivals: dict[Province, list[int]] = {}
        """The units that move to a province."""
        self.defender = [NOBODY] * count
        """For each moving unit, who stands in its target."""
        self.opponent = [NOBODY] * count
        """For each moving unit, who moves the opposite way over the same border: a head-to-head battle."""
        self.backers: list[list[int]] = [[] for _ in units]
        """For each unit, who supports what it does."""
        self.routes: dict[int, list[tuple[int, ...]]] = {}
        """For each army that moves by convoy, its routes: the fleets of each in order."""
        self.convoyers: dict[int, list[int]] = {}
        """For each army, the fleets ordered to convoy it as it moves."""
        self.immune: set[tuple[int, int]] = set()
        """(army, supporter): attacks by convoy that do not cut (1971; DATC 4.A.2)."""
        self.rejected: dict[int, Why] = {}
        """By the place in the list of orders: those that do not count, and why."""
        self.void: dict[int, Why] = {}
        """Units whose support or convoy order matches nothing."""


@cache
def action_of(kind: type) -> int:
    """The action of an order's type; a variant's own types derive from the standard ones."""
    for action, parent in ((MOVE, Move), (HOLD, Hold), (SUPPORT, Support), (CONVOY, Convoy)):
        if issubclass(kind, parent):
            return action
    return OTHER


def place_units(phase: Compiled) -> dict[Province, list[int]]:
    """Note who stands where. Returns the spaces that hold several units, with those in them."""
    shared: dict[Province, list[int]] = {}
    capacity = phase.board.capacity
    for unit, province in enumerate(phase.at):
        if capacity(province) == 1:
            phase.by_province[province] = unit
        else:
            shared.setdefault(province, []).append(unit)
    return shared


def read_orders(phase: Compiled, orders: Sequence[Order], bearers: list[int]) -> None:
    """Give each unit its order, and each order its unit in `bearers`. A later order replaces an earlier (ST-7)."""
    shared = place_units(phase)
    province, units = phase.board.province, phase.units
    given: dict[int, int] = {}
    for place, order in enumerate(orders):
        action = action_of(type(order))  # type: ignore[arg-type]
        if action == OTHER:
            phase.rejected[place] = Why.WRONG_PHASE
            continue
        at = province(order.unit.at)  # type: ignore[union-attr] # every order but Waive names a unit
        unit = phase.by_province.get(at, NOBODY)
        if at in shared:
            unit = _next_of(shared[at], phase, order.unit)  # type: ignore[union-attr]
        if unit < 0 or units[unit] != order.unit:  # type: ignore[union-attr]
            phase.rejected[place] = Why.NO_SUCH_UNIT
            continue
        bearers[place] = unit
        if not _is_possible(phase, unit, action, order):
            phase.rejected[place] = Why.CANNOT_REACH
            continue
        if unit in given:
            phase.rejected[given[unit]] = Why.REPLACED
        given[unit] = place
        phase.orders[unit] = order
        phase.action[unit] = action


def _next_of(crowd: Iterable[int], phase: Compiled, unit: Unit) -> int:
    """Of equal units in one space, the first that has no order yet, else the last."""
    equal = [index for index in crowd if phase.units[index] == unit]
    return next((index for index in equal if phase.orders[index] is None), equal[-1] if equal else NOBODY)


def _is_possible(phase: Compiled, unit: int, action: int, order: Order) -> bool:
    """Whether the order could ever succeed, from where the unit stands (ST-8)."""
    board = phase.board
    if action == MOVE:
        assert isinstance(order, Move)
        return _may_move(phase, unit, order)
    if action == SUPPORT:
        assert isinstance(order, Support)
        supported = phase.by_province.get(board.province(order.supported.at), NOBODY)
        if supported == unit:
            return False
        return reaches(board, order.unit, board.province(order.supported.at if order.to is None else order.to))
    if action == CONVOY:
        return order.unit.kind is UnitKind.FLEET and board.can_convoy(order.unit.at)  # type: ignore[union-attr]
    return True


def _may_move(phase: Compiled, unit: int, order: Move[Unit]) -> bool:
    board, kind = phase.board, order.unit.kind
    # Where a move that crosses no border may go is for the variant to say, which has such moves.
    if not order.crosses_border or board.may_step(kind, order.unit.at, order.to):
        phase.way[unit] = BY_LAND
        return True
    if kind is not UnitKind.ARMY or not board.may_stand(kind, order.to):
        return False
    if not may_be_convoyed(board, phase.units, phase.at[unit], board.province(order.to)):
        return False
    phase.way[unit] = BY_CONVOY
    return True


def set_moves(phase: Compiled) -> None:
    """Note where every move goes and whom it meets there."""
    province, by_province = phase.board.province, phase.by_province
    for unit, action in enumerate(phase.action):
        if action != MOVE:
            continue
        order = phase.orders[unit]
        assert isinstance(order, Move)
        target = phase.target[unit] = province(order.to)
        phase.weight[unit] = order.strength
        if order.strength:
            phase.arrivals.setdefault(target, []).append(unit)
        phase.defender[unit] = by_province.get(target, NOBODY)


def match_supports(phase: Compiled) -> None:
    """Give every support to the unit it supports, if that unit does what is supported; else it is void.

    The coast of the supported unit does not matter (DATC 6.B.16, 6.B.17); the coast it moves to matters when the
    support names one (6.B.7 to 6.B.9, 6.B.15).
    """
    province = phase.board.province
    for unit, action in enumerate(phase.action):
        if action != SUPPORT:
            continue
        order = phase.orders[unit]
        assert isinstance(order, Support)
        supported = phase.by_province.get(province(order.supported.at), NOBODY)
        if supported < 0 or phase.units[supported].power != order.supported.power:
            phase.void[unit] = Why.NO_SUCH_UNIT
        elif _does(phase, supported, order.to):
            phase.backers[supported].append(unit)
        else:
            phase.void[unit] = Why.ORDERED_OTHERWISE


def _does(phase: Compiled, unit: int, to: Location | None) -> bool:
    """Whether the unit does what somebody supports: moves to `to`, or with None does not move."""
    if phase.action[unit] != MOVE:
        return to is None
    order = phase.orders[unit]
    assert isinstance(order, Move)
    return to is not None and (order.to == to or to == Location(phase.target[unit] or ""))
