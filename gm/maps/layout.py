"""The sheet: the outlines of its provinces, and the positions of units in one view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from math import cos, hypot, pi, sin

from gm.board import FiniteBoard, Location, Power, Province, Terrain, standard_board
from gm.board.geography import LAKE, Geography, Point, contains, standard_geography
from gm.maps.glyphs import STRANGER, Box, Livery
from gm.position import Unit
from gm.views import View

_SPIRAL = tuple(
    (radius * cos(turn * pi / 8), radius * sin(turn * pi / 8)) for radius in range(4, 80, 4) for turn in range(16)
)
_AIR = 1.0
"""The space that must stay free between two signs."""
_SQUARE = 40.0
"""The side of a square of the grid by which boxes are found."""


@dataclass(frozen=True)
class Ground:
    """A view on its sheet, with the liveries of its powers."""

    view: View
    sheet: Geography
    liveries: dict[Power, Livery]

    @property
    def board(self) -> FiniteBoard:
        return self.view.board

    def province(self, at: Location) -> Province:
        """The province of a location; for a location that is no longer on the board, derived from its code."""
        return Province(at.partition("/")[0])

    def shown(self, at: Location) -> bool:
        """Whether the location is on the sheet, not beyond it."""
        return self.province(at) in self.sheet.spots

    def livery(self, unit: Unit) -> Livery:
        """The livery of the unit's power; that of strangers for a power that is not in the view."""
        return self.liveries.get(unit.power, STRANGER)

    def standing(self, at: Location) -> Point:
        return self.sheet.unit_at(at)

    def within(self, provinces: Iterable[Province], point: Point) -> bool:
        """Whether the point is in one of the provinces."""
        return any(contains(self.sheet.rings(code), point) for code in provinces)

    def dislodged(self, at: Location) -> Point:
        return self.sheet.dislodged_at(at)


def near(middle: Point, least: float = 0) -> Iterator[Point]:
    """Points around `middle`, at least at the distance `least`, nearest first."""
    return (Point(middle.x + dx, middle.y + dy) for dx, dy in _SPIRAL if hypot(dx, dy) > least)


class Clearance:
    """The boxes that are occupied, and how much a further sign would cover. They are kept by the squares of a grid that
    they touch, so that only what is near is compared.
    """

    def __init__(self, taken: Iterable[Box], frame: Box) -> None:
        self._frame = frame
        self._near: dict[tuple[int, int], list[Box]] = {}
        for box in taken:
            self.take(box)

    def hits(self, box: Box) -> int:
        """How many signs the box would cover or touch; leaving the sheet counts as one."""
        left, top, right, low = box.left - _AIR, box.top - _AIR, box.right + _AIR, box.bottom + _AIR
        frame, known, found = self._frame, self._near, set()
        for across in range(int(left // _SQUARE), int(right // _SQUARE) + 1):
            for down in range(int(top // _SQUARE), int(low // _SQUARE) + 1):
                for other in known.get((across, down), ()):
                    if other[0] < right and left < other[2] and other[1] < low and top < other[3]:
                        found.add(other)
        outside = left < frame.left or right > frame.right or top < frame.top or low > frame.bottom
        return len(found) + outside

    def take(self, box: Box) -> None:
        """Mark the box as occupied."""
        for square in _squares(box):
            self._near.setdefault(square, []).append(box)

    def free(self, box: Box) -> None:
        """Take back that the box is occupied."""
        for square in _squares(box):
            self._near[square].remove(box)


def _squares(box: Box) -> product[tuple[int, int]]:
    across = range(int(box.left // _SQUARE), int(box.right // _SQUARE) + 1)
    return product(across, range(int(box.top // _SQUARE), int(box.bottom // _SQUARE) + 1))


# outlines


@dataclass(frozen=True, slots=True)
class Paper:
    """The SVG paths of the sheet. `shapes`: each province that is land, and the land that is not played. `lines`: what
    lies between provinces, by its kind (`glyphs.BORDERS`).
    """

    width: float
    height: float
    shapes: Mapping[str, str]
    lines: Mapping[str, str]


def frame() -> Box:
    """The edges of the sheet."""
    return Box(0, 0, standard_geography().width, standard_geography().height)


@cache
def paper() -> Paper:
    """The sheet of the standard board."""
    sheet = standard_geography()
    wet = {p for p in standard_board().provinces if standard_board().terrain(p) is Terrain.SEA} | {LAKE}
    land: list[tuple[Point, ...]] = []
    shores: list[tuple[Point, ...]] = []
    sea: list[tuple[Point, ...]] = []
    for number in range(len(sheet.arcs)):
        owners = sheet.owners(number)
        if len(owners) == 2:
            washed = sum(owner in wet for owner in owners)
            (land, shores, sea)[washed].append(sheet.arc(number))
    return Paper(
        width=sheet.width,
        height=sheet.height,
        shapes={code: _closed(sheet, code) for code in sheet.polygons},
        lines={"sea": _open(sea), "land": _open(land), "shore": _open(shores)},
    )


def _closed(sheet: Geography, code: str) -> str:
    return "".join(f"{line(ring)}z" for ring in sheet.rings(code))


def _open(arcs: Iterable[tuple[Point, ...]]) -> str:
    return "".join(map(line, arcs))


_FINE = 10


def line(points: Iterable[Point], fine: int = _FINE) -> str:
    """The SVG path through these points, in steps of a tenth of a unit; or of a unit divided by `fine`."""
    steps = [(round(point.x * fine), round(point.y * fine)) for point in points]
    words = [f"M{steps[0][0] / fine:g} {steps[0][1] / fine:g}"]
    for (x, y), (to_x, to_y) in pairwise(steps):
        if fine >= _FINE or (x, y) != (to_x, to_y):
            words.append(f"l{(to_x - x) / fine:g} {(to_y - y) / fine:g}")
    return "".join(words)
