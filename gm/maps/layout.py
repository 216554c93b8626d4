"""Where units are on the sheet, in one view: standing, dislodged or beyond it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from gm.board import FiniteBoard, Location, Power, Province
from gm.board.geography import Geography, Point, contains
from gm.maps.colours import STRANGER, Livery
from gm.maps.glyphs import Box
from gm.position import Unit
from gm.views import View

_SPIRAL = tuple(
    (radius * cos(turn * pi / 8), radius * sin(turn * pi / 8)) for radius in range(4, 60, 4) for turn in range(16)
)
_AIR = 1.0
"""What stays free between two signs."""


@dataclass(frozen=True)
class Ground:
    """A view on its sheet, and the liveries of its powers."""

    view: View
    sheet: Geography
    liveries: dict[Power, Livery]

    @property
    def board(self) -> FiniteBoard:
        return self.view.board

    def province(self, at: Location) -> Province:
        """The province of a location; of a location that is no longer on the board, by its code."""
        return Province(at.partition("/")[0])

    def shown(self, at: Location) -> bool:
        """Whether the location is on the sheet, not beyond it."""
        return self.province(at) in self.sheet.spots

    def livery(self, unit: Unit) -> Livery:
        """The livery of the unit's power; a unit of nobody in the view's list has that of strangers."""
        return self.liveries.get(unit.power, STRANGER)

    def standing(self, at: Location) -> Point:
        return self.sheet.unit_at(at)

    def within(self, provinces: Iterable[Province], point: Point) -> bool:
        """Whether the point lies in one of the provinces."""
        return any(contains(self.sheet.rings(code), point) for code in provinces)

    def dislodged(self, at: Location) -> Point:
        return self.sheet.dislodged_at(at)


def near(middle: Point, least: float = 0) -> Iterator[Point]:
    """Points round about, no nearer than `least`, the nearest first."""
    return (Point(middle.x + dx, middle.y + dy) for dx, dy in _SPIRAL if hypot(dx, dy) > least)


class Clearance:
    """The boxes that are taken, and how much a further sign would cover."""

    def __init__(self, taken: list[Box], frame: Box) -> None:
        self._taken = taken
        self._frame = frame

    def hits(self, box: Box) -> int:
        """How many signs it would cover or touch; leaving the sheet counts as one."""
        box = Box(box.left - _AIR, box.top - _AIR, box.right + _AIR, box.bottom + _AIR)
        outside = box.left < self._frame.left or box.right > self._frame.right
        outside = outside or box.top < self._frame.top or box.bottom > self._frame.bottom
        return sum(box.overlaps(other) for other in self._taken) + outside

    def take(self, box: Box) -> None:
        """Keep the box free from now on."""
        self._taken.append(box)
