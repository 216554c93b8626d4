"""Places on the globe and on the sheet: the projection of a map, areas and centroids, bearings.

Pure figures, known to no board. Latitude and longitude are in degrees, north and east positive; on the sheet x runs to
the right and y down, in the map's own units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import acos, asin, atan2, cos, degrees, hypot, radians, sin, sqrt
from typing import NamedTuple


class Point(NamedTuple):
    """A point on the sheet."""

    x: float
    y: float


class Place(NamedTuple):
    """A place on the globe, in degrees."""

    latitude: float
    longitude: float


Ring = Sequence[Point]
"""A closed outline; its last point is joined to its first, which is not repeated."""


@dataclass(frozen=True, slots=True)
class Projection:
    """An azimuthal projection that is true in its middle and grows smaller towards the edges.

    A place at the angle c (radians) from the middle lies c / sqrt(1 + (c / spread)^2) from it on the sheet, in its true
    direction. The crowded middle of a map thus gets the room that its empty rim can spare. `scale` is units a radian
    in the middle, which lies at `origin` on the sheet.
    """

    middle: Place
    spread: float
    scale: float
    origin: Point

    def sheet(self, place: Place) -> Point:
        """Where a place lies on the sheet."""
        angle, bearing = _way(self.middle, place)
        far = self.scale * angle / sqrt(1 + (angle / self.spread) ** 2)
        return Point(self.origin.x + far * sin(bearing), self.origin.y - far * cos(bearing))

    def globe(self, point: Point) -> Place:
        """The place that lies at a point of the sheet. Raises ValueError outside the sheet's disc."""
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


def _way(origin: Place, target: Place) -> tuple[float, float]:
    """Angle and initial bearing, in radians, of the great circle from one place to another."""
    one, two = radians(origin.latitude), radians(target.latitude)
    east = radians(target.longitude - origin.longitude)
    angle = acos(max(-1.0, min(1.0, sin(one) * sin(two) + cos(one) * cos(two) * cos(east))))
    return angle, atan2(sin(east) * cos(two), cos(one) * sin(two) - sin(one) * cos(two) * cos(east))


def bearing(origin: Place, target: Place) -> float:
    """The direction of `target` as seen from `origin`: 0 is due north, 90 east, below 360."""
    return degrees(_way(origin, target)[1]) % 360


def anticlockwise(origin: Place, target: Place) -> float:
    """How far one turns from due north, against the clock, to look from `origin` to `target`: 0 to below 360."""
    return -degrees(_way(origin, target)[1]) % 360


def area(ring: Ring) -> float:
    """The area of a ring, in units squared; positive when it runs clockwise on the sheet (y down)."""
    return sum(a.x * b.y - b.x * a.y for a, b in _sides(ring)) / 2


def centroid(rings: Iterable[Ring]) -> Point:
    """The centre of gravity of outlines and, running the other way, of their holes. Raises ValueError without area."""
    total = x = y = 0.0
    for ring in rings:
        for a, b in _sides(ring):
            cross = a.x * b.y - b.x * a.y
            total += cross
            x += (a.x + b.x) * cross
            y += (a.y + b.y) * cross
    if total == 0:
        raise ValueError("an outline without area has no centroid")
    return Point(x / (3 * total), y / (3 * total))


def contains(rings: Iterable[Ring], point: Point) -> bool:
    """Whether a point lies within outlines and outside their holes."""
    inside = False
    for ring in rings:
        for a, b in _sides(ring):
            if (a.y > point.y) != (b.y > point.y) and point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x:
                inside = not inside
    return inside


def _sides(ring: Ring) -> Iterable[tuple[Point, Point]]:
    return zip(ring, (*ring[1:], ring[0]), strict=True)
