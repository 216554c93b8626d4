"""Where a dislodged unit may go: asked on receipt of its order, and by the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from gm.board import Board, Location, Province
from gm.position import Dislodged, Position, Unit


class Barred(StrEnum):
    """Why a unit may not retreat to a place."""

    NOT_ADJACENT = "not adjacent"
    NO_REFUGE = "no refuge"
    """Adjacent, but none of the places where the game lets its units take refuge."""
    OCCUPIED = "occupied"
    FULL = "full"
    """A space for several units that holds as many as it can."""
    ATTACKER = "the attacker came from there"
    CONTESTED = "contested"


def retreat_options(board: Board, position: Position, dislodged: Dislodged) -> tuple[Location, ...]:
    """Where the unit may retreat: over a border, to a province that is vacant, where nobody bounced (DATC 6.H.6), and
    from which its attacker did not come, unless that came by convoy (4.A.5).
    """
    barred = occupied(board, position.units) | position.contested
    if not dislodged.convoyed:
        barred.add(dislodged.origin)
    unit = dislodged.unit
    refuges = board.refuges(unit.power, unit.kind, unit.at)
    return tuple(at for at in refuges if board.province(at) not in barred)


def occupied(board: Board, units: Iterable[Unit]) -> set[Province]:
    """The provinces in which there is no room for one more unit."""
    standing = Counter(board.province(unit.at) for unit in units)
    return {province for province, count in standing.items() if count >= board.capacity(province)}


def barred(board: Board, position: Position, dislodged: Dislodged, to: Location) -> Barred | None:
    """Why the unit may not retreat to the place; None when it may."""
    unit, province = dislodged.unit, board.province(to)
    if to not in board.refuges(unit.power, unit.kind, unit.at):
        return Barred.NO_REFUGE if board.may_step(unit.kind, unit.at, to) else Barred.NOT_ADJACENT
    if province in occupied(board, position.units):
        return Barred.OCCUPIED if board.capacity(province) == 1 else Barred.FULL
    if province == dislodged.origin and not dislodged.convoyed:
        return Barred.ATTACKER
    return Barred.CONTESTED if province in position.contested else None
