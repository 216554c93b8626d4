"""Where a dislodged unit may go: asked on receipt of its order, and by the judge."""

from __future__ import annotations

from enum import StrEnum

from gm.board import Board, Location, Province
from gm.orders.unit_index import units_by_province
from gm.position import Dislodged, Position


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
    unit = dislodged.unit
    refuges = board.refuges(unit.power, unit.kind, unit.at)
    return tuple(at for at in refuges if _bar(board, position, dislodged, board.province(at)) is None)


def may_retreat(board: Board, position: Position, dislodged: Dislodged, to: Location) -> bool:
    """Whether the unit may retreat there; asked, not listed, for on an infinite board there is no end of places."""
    return board.exists(to) and barred(board, position, dislodged, to) is None


def barred(board: Board, position: Position, dislodged: Dislodged, to: Location) -> Barred | None:
    """Why the unit may not retreat to the place; None when it may."""
    unit = dislodged.unit
    if not board.is_refuge(unit.power, unit.kind, unit.at, to):
        return Barred.NO_REFUGE if board.may_step(unit.kind, unit.at, to) else Barred.NOT_ADJACENT
    return _bar(board, position, dislodged, board.province(to))


def _bar(board: Board, position: Position, dislodged: Dislodged, province: Province) -> Barred | None:
    """Why a place that might be a refuge is none now."""
    if len(units_by_province(board, position.units).get(province, ())) >= board.capacity(province):
        return Barred.OCCUPIED if board.capacity(province) == 1 else Barred.FULL
    if province == dislodged.origin and not dislodged.convoyed:
        return Barred.ATTACKER
    return Barred.CONTESTED if province in position.contested else None
