"""The retreat phase: the outcomes of retreats (DATC 6.H). Where a unit may retreat is in `gm.orders.possible`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from gm.board import Board, Province
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.orders import Declaration, Disband, Order, Retreat
from gm.orders.possible import may_retreat
from gm.position import Dislodged, Position, Unit


def resolve_retreats(board: Board, position: Position, orders: Sequence[Order]) -> Resolution:
    """Adjudicate the retreats of the position's dislodged units. A unit without a possible order is disbanded.

    Of several orders for one unit the last possible one counts (ST-7). Units that retreat to the same province are all
    disbanded (6.H.7, 6.H.8), and so are those that retreat to a space for several units without room for all of them.
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
