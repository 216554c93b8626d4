"""From the globe to the true sheet and back, and what is measured there: the middle of each province and the order in
which its neighbours are seen from it (BH-5, BH-7).

The true sheet is drawn to the scale of the globe; the sheet of maps is stretched from it (`cartogram.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import asin, atan2, cos, degrees, hypot, radians, sin, sqrt

from gm.board.geography import Place, Point, Ring, counter_clockwise, great_circle, sides


@dataclass(frozen=True, slots=True)
class Projection:
    """An azimuthal projection that is true to scale in the middle and compresses towards the edges.

    A place at the angle c (radians) from the middle is c / sqrt(1 + (c / spread)^2) from it on the sheet, in its true
    direction. The crowded middle of the map thus gets more room than its empty rim. `scale` is units per radian in the
    middle, which is at `origin` on the sheet.
    """

    middle: Place
    spread: float
    scale: float
    origin: Point

    def sheet(self, place: Place) -> Point:
        """The point of the sheet where a place is shown."""
        angle, bearing = great_circle(self.middle, place)
        far = self.scale * angle / sqrt(1 + (angle / self.spread) ** 2)
        return Point(self.origin.x + far * sin(bearing), self.origin.y - far * cos(bearing))

    def globe(self, point: Point) -> Place:
        """The place shown at a point of the sheet. Raises ValueError outside the sheet's disc."""
        right, up = point.x - self.origin.x, self.origin.y - point.y
        far = hypot(right, up) / self.scale
        if far >= self.spread:
            raise ValueError(f"no place of the globe lies at {point}")
        angle = far / sqrt(1 - (far / self.spread) ** 2)
        if angle == 0:
            return self.middle
        bearing, latitude = atan2(right, up), radians(self.middle.latitude)
        sine = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
        east = atan2(sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sine)
        return Place(degrees(asin(sine)), self.middle.longitude + degrees(east))


def centroid(rings: Iterable[Ring]) -> Point:
    """The centroid of outlines and, running the other way, of their holes. Raises ValueError if they have no area."""
    total = x = y = 0.0
    for ring in rings:
        for a, b in sides(ring):
            cross = a.x * b.y - b.x * a.y
            total += cross
            x += (a.x + b.x) * cross
            y += (a.y + b.y) * cross
    if total == 0:
        raise ValueError("an outline without area has no centroid")
    return Point(x / (3 * total), y / (3 * total))


Arcs = Sequence[Sequence[Point]]
Shapes = Mapping[str, Iterable[Iterable[Iterable[int]]]]
"""For each code polygons of rings of arc numbers; ~n is arc n backwards."""


@dataclass(frozen=True)
class TrueSheet:
    """The mosaic before it is stretched."""

    projection: Projection
    arcs: Arcs
    shapes: Shapes

    def middle(self, code: str) -> Place:
        """The centroid of a province, including islands."""
        rings = [
            tuple(point for number in ring for point in self._arc(number)[:-1])
            for polygon in self.shapes[code]
            for ring in polygon
        ]
        return self.projection.globe(centroid(rings))

    def around(self, code: str) -> tuple[str, ...]:
        """What borders a province, counter-clockwise from due north, by where each border is first seen from its
        middle; of two in the same direction the nearer comes first.
        """
        middle = self.middle(code)
        eye = self.projection.sheet(middle)
        borders = self._borders(code)
        met = {other: min(self._first_seen(eye, middle, n) for n in numbers) for other, numbers in borders.items()}
        return tuple(sorted(met, key=lambda other: met[other]))

    def _arc(self, number: int) -> Sequence[Point]:
        return self.arcs[number] if number >= 0 else self.arcs[~number][::-1]

    def _borders(self, code: str) -> dict[str, list[int]]:
        """The arcs that a province shares with each neighbour, in the order in which its outline has them."""
        owners: dict[int, list[str]] = defaultdict(list)
        for other in self.shapes:
            for number in self._numbers(other):
                owners[max(number, ~number)].append(other)
        found: dict[str, list[int]] = defaultdict(list)
        for number in self._numbers(code):
            for other in owners[max(number, ~number)]:
                if other != code:
                    found[other].append(number)
        return found

    def _numbers(self, code: str) -> Iterable[int]:
        return (number for polygon in self.shapes[code] for ring in polygon for number in ring)

    def _first_seen(self, eye: Point, middle: Place, number: int) -> tuple[float, float]:
        """The smallest angle from due north at which an arc is seen, and its distance there (on the sheet)."""
        seen = [
            (counter_clockwise(middle, self.projection.globe(p)), (p.x - eye.x) ** 2 + (p.y - eye.y) ** 2)
            for p in self._arc(number)
        ]
        across_north = [(0.0, min(a[1], b[1])) for a, b in pairwise(seen) if abs(a[0] - b[0]) > 180]
        return min(seen + across_north)
