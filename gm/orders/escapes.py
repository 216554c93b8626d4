"""Where a dislodged unit may go: asked on receipt of its order, and by the judge."""

from __future__ import annotations

from enum import StrEnum

from gm.board import Board, Location
from gm.position import Dislodged, Position


class Barred(StrEnum):
    """Why a unit may not retreat to a place."""

    NOT_ADJACENT = "not adjacent"
    OCCUPIED = "occupied"
    ATTACKER = "the attacker came from there"
    CONTESTED = "contested"


def retreat_options(board: Board, position: Position, dislodged: Dislodged) -> tuple[Location, ...]:
    """Where the unit may retreat: over a border, to a province that is vacant, where nobody bounced (DATC 6.H.6), and
    from which its attacker did not come, unless that came by convoy (4.A.5).
    """
    barred = {board.province(unit.at) for unit in position.units} | position.contested
    if not dislodged.convoyed:
        barred.add(dislodged.origin)
    unit = dislodged.unit
    refuges = board.refuges(unit.power, unit.kind, unit.at)
    return tuple(at for at in refuges if board.province(at) not in barred)


def barred(board: Board, position: Position, dislodged: Dislodged, to: Location) -> Barred | None:
    """Why the unit may not retreat to the place; None when it may."""
    unit, province = dislodged.unit, board.province(to)
    if to not in board.refuges(unit.power, unit.kind, unit.at):
        return Barred.NOT_ADJACENT
    if any(board.province(other.at) == province for other in position.units):
        return Barred.OCCUPIED
    if province == dislodged.origin and not dislodged.convoyed:
        return Barred.ATTACKER
    return Barred.CONTESTED if province in position.contested else None
