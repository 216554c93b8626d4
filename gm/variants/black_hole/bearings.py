"""Where a dislodged unit goes that nobody ordered to retreat (BH-5).

One takes bearings from the centroid of the province that it left: first the neighbour across the border due north, then
the others as their borders come into sight turning against the clock. Geometry is the board's own (BH-7).
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.board import Board, Location
from gm.board.geography import counter_clockwise, standard_geography
from gm.orders.possible import retreat_options
from gm.position import Dislodged, Position, Unit
from gm.variants.black_hole.orders import Drift

BY_BEARINGS = "by bearings"
"""The reason of a retreat that nobody ordered."""


def drift(board: Board, position: Position, dislodged: Dislodged) -> Drift[Unit] | None:
    """The retreat that the rules give the unit, among its legal ones; None when it has none."""
    options = retreat_options(board, position, dislodged)
    if not options:
        return None
    return Drift(dislodged.unit, in_sight(board, dislodged.unit.at, options)[0])


def in_sight(board: Board, origin: Location, places: Sequence[Location]) -> list[Location]:
    """The places as one meets them from the province of `origin`; of two coasts that nearer to due north first."""
    sheet, here = standard_geography(), board.province(origin)
    middle, around = sheet.centroid(here), sheet.round_about(here)

    def turn(at: Location) -> tuple[int, float]:
        coast = sheet.projection.globe(sheet.unit_at(at))
        return around.index(board.province(at)), counter_clockwise(middle, coast)

    return sorted(places, key=turn)
