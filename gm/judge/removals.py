"""Removals that nobody ordered: whose unit is farthest goes first (ST-6, DATC 4.D.8, 6.J)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from gm.board import Board, Location, Power, Province, UnitKind
from gm.judge.rulebook import RemovalRule, Rulebook
from gm.position import Position, Unit

UNREACHABLE = 1 << 30
"""The distance of a unit from which no centre that counts can be reached."""


RemovalOrder = Callable[[Board, Rulebook, Position, Power], Sequence[Unit]]
"""Puts a power's units in order, the first to be removed first."""


def removal_order(
    board: Board, rulebook: Rulebook, position: Position, power: Power, goals: Collection[Province] | None = None
) -> list[Unit]:
    """The power's units, the first to be removed first: farthest, then fleets before armies, then by English name.

    `goals` are the provinces from which distance is counted, where they are not those of the rulebook.
    """

    def is_goal(province: Province) -> bool:
        if goals is not None:
            return province in goals
        if rulebook.removals is RemovalRule.OWNED:
            return position.centers.get(province) == power
        return board.is_center(province) and board.home(province) == power

    def precedence(unit: Unit) -> tuple[int, bool, str]:
        freely = rulebook.removals is RemovalRule.OWNED or unit.kind is UnitKind.ARMY
        return -distance(board, unit, freely, is_goal), unit.kind is not UnitKind.FLEET, board.full_name(unit.at)

    return sorted(position.units_of(power), key=precedence)


def distance(board: Board, unit: Unit, freely: bool, is_goal: Callable[[Province], bool]) -> int:
    """Steps from the unit to the nearest goal, over land and sea if `freely`, else as the unit moves."""
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
    """Over land and sea alike, from any coast of the province."""
    province = board.province(at)
    for stand in dict.fromkeys((Location(province), *board.coasts(province))):
        for kind in (UnitKind.ARMY, UnitKind.FLEET):
            if board.may_stand(kind, stand):
                yield from board.neighbours(kind, stand)
