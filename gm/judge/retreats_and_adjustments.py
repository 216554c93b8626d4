"""The phases after a movement phase: the outcomes of retreats (DATC 6.H), and of builds, waived builds and removals
(DATC 6.I, 6.J), including removals by default (ST-6). Where a unit may retreat is in `gm.orders.possible`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from gm.board import Board, Location, Power, Province, Travel, UnitKind
from gm.judge import RemovalRule, Rulebook
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.orders import Build, Declaration, Disband, Order, Retreat, Waive
from gm.orders.possible import NOTHING, Need, may_retreat
from gm.position import Dislodged, Position, Unit


def resolve_retreats(board: Board, position: Position, orders: Sequence[Order]) -> Resolution:
    """Adjudicate the retreats of the position's dislodged units. A unit without a possible order is disbanded.

    Of several orders for one unit the last possible one counts (ST-7). Units that retreat to the same province are all
    disbanded (ST-14; 6.H.7, 6.H.8), and so are those that retreat to a space for several units without room for all of
    them.
    """
    dislodged = {d.unit: d for d in position.dislodged}
    chosen: dict[Unit, int] = {}
    faults: dict[int, Why] = {}
    for place, order in enumerate(orders):
        fault = _fault(board, position, dislodged, order)
        if fault is not None:
            faults[place] = fault
            continue
        assert isinstance(order, (Retreat, Disband))
        if order.unit in chosen:
            faults[chosen[order.unit]] = Why.REPLACED
        chosen[order.unit] = place
    counted = [orders[place] for place in chosen.values()]
    crowded = _crowded(board, position, counted)
    outcomes = [
        Outcome(order, Result.VOID if faults[place] is Why.REPLACED else Result.ILLEGAL, None, Facts(faults[place]))
        if place in faults
        else _outcome(board, crowded, counted, order)
        for place, order in enumerate(orders)
    ]
    outcomes += [
        Outcome(Disband(unit), Result.DISBANDED, None, Facts(Why.UNORDERED)) for unit in dislodged if unit not in chosen
    ]
    arrived = [
        Unit(order.unit.power, order.unit.kind, order.to)
        for order, result, *_ in outcomes
        if result is Result.SUCCEEDS and isinstance(order, Retreat)
    ]
    return Resolution(tuple(outcomes), (*position.units, *arrived))


def _fault(board: Board, position: Position, dislodged: Mapping[Unit, Dislodged], order: Order) -> Why | None:
    """Why an order cannot count in this retreat phase; None for one that can."""
    if isinstance(order, Declaration) or not isinstance(order, (Retreat, Disband)):
        return Why.WRONG_PHASE
    if order.unit not in dislodged:
        return Why.NO_SUCH_UNIT
    if isinstance(order, Retreat) and not may_retreat(board, position, dislodged[order.unit], order.to):
        return Why.CANNOT_REACH
    return None


def _crowded(board: Board, position: Position, counted: Sequence[Order]) -> set[Province]:
    """The provinces to which more units retreat than there is room for."""
    coming = Counter(board.province(order.to) for order in counted if isinstance(order, Retreat))
    there = Counter(board.province(unit.at) for unit in position.units)
    return {goal for goal, count in coming.items() if count + there[goal] > board.capacity(goal)}


def _outcome(board: Board, crowded: Collection[Province], counted: Sequence[Order], order: Order) -> Outcome:
    if not isinstance(order, Retreat) or board.province(order.to) not in crowded:
        return Outcome(order, Result.SUCCEEDS)
    goal = board.province(order.to)
    if board.capacity(goal) > 1:
        return Outcome(order, Result.DISBANDED, None, Facts(Why.NO_ROOM))
    others = (o.unit for o in counted if isinstance(o, Retreat) and board.province(o.to) == goal and o is not order)
    return Outcome(order, Result.DISBANDED, None, Facts(Why.COLLIDED, by=next(others)))


UNREACHABLE = 1 << 30
"""The distance of a unit that cannot reach any centre that counts."""


RemovalOrder = Callable[[Board, Rulebook, Position, Power], Sequence[Unit]]
"""Sorts a power's units; the first is removed first."""


# Removals by default: the unit farthest away goes first (ST-6, DATC 4.D.8, 6.J)


def removal_order(
    board: Board, rulebook: Rulebook, position: Position, power: Power, goals: Collection[Province] | None = None
) -> list[Unit]:
    """The power's units in the order in which they are removed by default: farthest first, then fleets before armies,
    then by English name.

    `goals` are the provinces to which distance is counted, if they differ from those of the rulebook.
    """

    def is_goal(province: Province) -> bool:
        if goals is not None:
            return province in goals
        if rulebook.removals is RemovalRule.OWNED:
            return position.centers.get(province) == power
        return board.is_center(province) and board.home(province) == power

    def precedence(unit: Unit) -> tuple[int, bool, str]:
        freely = rulebook.removals is RemovalRule.OWNED or unit.kind.travel is Travel.LAND
        return -distance(board, unit, freely, is_goal), unit.kind.travel is not Travel.SEA, board.full_name(unit.at)

    return sorted(position.units_of(power), key=precedence)


def distance(board: Board, unit: Unit, freely: bool, is_goal: Callable[[Province], bool]) -> int:
    """The number of steps from the unit to the nearest goal, over land and sea if `freely`, otherwise as the unit
    moves.
    """
    reached = {unit.at}
    edge, steps = [unit.at], 0
    while edge:
        if any(is_goal(board.province(at)) for at in edge):
            return steps
        steps += 1
        onward = (to for at in edge for to in (_any_way(board, at) if freely else board.neighbours(unit.kind, at)))
        edge = [to for to in dict.fromkeys(onward) if to not in reached]
        reached.update(edge)
    return UNREACHABLE


def _any_way(board: Board, at: Location) -> Iterator[Location]:
    """The neighbours over land and sea alike, from any coast of the province."""
    province = board.province(at)
    for stand in dict.fromkeys((Location(province), *board.coasts(province))):
        for kind in (UnitKind.ARMY, UnitKind.FLEET):
            if board.may_stand(kind, stand):
                yield from board.neighbours(kind, stand)


# The phase


class _Count:
    """What has been used up so far; orders are processed in the order given."""

    def __init__(self, needs: Mapping[Power, Need]) -> None:
        self.needs = needs
        self.done: dict[Power, int] = {}
        self.sites: set[Province] = set()
        self.built: list[Unit] = []
        self.removed: Counter[Unit] = Counter()

    def left(self, power: Power) -> int:
        """Builds (positive) or removals (negative) that are still due."""
        due, done = self.needs.get(power, NOTHING).count, self.done.get(power, 0)
        return due - done if due > 0 else due + done

    def use(self, power: Power) -> None:
        self.done[power] = self.done.get(power, 0) + 1


def resolve_adjustments(
    board: Board,
    rulebook: Rulebook,
    position: Position,
    orders: Sequence[Order],
    needs: Mapping[Power, Need],
    removals: RemovalOrder = removal_order,
) -> Resolution:
    """Adjudicate an adjustment phase. Of surplus orders the first given count (ST-7); missing builds are waived, and
    missing removals fall on the units farthest away (ST-6), or follow `removals` if a variant supplies it.
    """
    count = _Count(needs)
    outcomes = [_adjust(board, rulebook, position, count, order) for order in orders]
    for power in needs:
        left = count.left(power)
        if left > 0:
            outcomes += [Outcome(Waive(power), Result.SUCCEEDS, None, Facts(Why.UNORDERED))] * left
        elif left < 0:
            outcomes += _by_default(_remaining(removals(board, rulebook, position, power), count), count, -left)
    return Resolution(tuple(outcomes), (*_remaining(position.units, count), *count.built))


def _adjust(board: Board, rulebook: Rulebook, position: Position, count: _Count, order: Order) -> Outcome:
    match order:
        case Build():
            return _build(board, count, order)
        case Disband():
            return _remove(position, count, order)
        case Waive():
            return _waive(rulebook, count, order)
    return Outcome(order, Result.ILLEGAL, None, Facts(Why.WRONG_PHASE))


def _build(board: Board, count: _Count, order: Build[Unit]) -> Outcome:
    unit = order.unit
    need, site = count.needs.get(unit.power, NOTHING), board.province(unit.at)
    if need.count <= 0 or site not in need.sites or not board.may_stand(unit.kind, unit.at):
        return Outcome(order, Result.ILLEGAL, None, Facts(Why.NOT_A_SITE))
    if count.left(unit.power) <= 0 or site in count.sites:
        return Outcome(order, Result.VOID, None, Facts(Why.SURPLUS))
    count.use(unit.power)
    count.sites.add(site)
    count.built.append(unit)
    return Outcome(order, Result.SUCCEEDS)


def _remove(position: Position, count: _Count, order: Disband[Unit]) -> Outcome:
    unit = order.unit
    if count.needs.get(unit.power, NOTHING).count >= 0:
        return Outcome(order, Result.ILLEGAL, None, Facts(Why.WRONG_PHASE))
    if unit not in position.units:
        return Outcome(order, Result.ILLEGAL, None, Facts(Why.NO_SUCH_UNIT))
    if count.left(unit.power) >= 0 or count.removed[unit] == position.units.count(unit):
        return Outcome(order, Result.VOID, None, Facts(Why.SURPLUS))
    count.use(unit.power)
    count.removed[unit] += 1
    return Outcome(order, Result.SUCCEEDS)


def _waive(rulebook: Rulebook, count: _Count, order: Waive[Unit]) -> Outcome:
    if order.power is None or not rulebook.waiving or count.needs.get(order.power, NOTHING).count <= 0:
        return Outcome(order, Result.ILLEGAL, None, Facts(Why.WRONG_PHASE))
    if count.left(order.power) <= 0:
        return Outcome(order, Result.VOID, None, Facts(Why.SURPLUS))
    count.use(order.power)
    return Outcome(order, Result.SUCCEEDS)


def _by_default(candidates: Sequence[Unit], count: _Count, number: int) -> list[Outcome]:
    """The removals by default."""
    removed = candidates[:number]
    count.removed.update(removed)
    return [Outcome(Disband(unit), Result.DISBANDED, None, Facts(Why.BY_DEFAULT)) for unit in removed]


def _remaining(units: Sequence[Unit], count: _Count) -> list[Unit]:
    """The units without those removed; of equal units, as many as are left."""
    taken: Counter[Unit] = Counter()
    left = []
    for unit in units:
        if taken[unit] < count.removed[unit]:
            taken[unit] += 1
        else:
            left.append(unit)
    return left
