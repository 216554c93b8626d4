"""The outlines of the standard board's provinces: where they are on a sheet and on the globe, and which of them are
neighbours.

The sheet is Europe stretched where provinces are crowded (`geography/cartogram.py`), so that names and units have room.
It is only drawn upon: centroids and bearings are those of the globe, where north is true north. Latitude and longitude
are in degrees, north and east positive; on the sheet x runs to the right and y down, in its own units. The outlines are
read from `geography.json` beside this file (TopoJSON, made by the generator in `geography/`) when a map or a bearing is
first needed. Boards that have the same provinces, or fewer, share them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from itertools import accumulate
from math import acos, atan2, cos, degrees, radians, sin
from typing import Any, NamedTuple

from gm.board import Location

# Geometry


class Point(NamedTuple):
    """A point on the sheet."""

    x: float
    y: float


point = partial(tuple.__new__, Point)
"""A point from two numbers, with less work than Point itself: a map needs thousands."""


class Place(NamedTuple):
    """A place on the globe, in degrees."""

    latitude: float
    longitude: float


Ring = Sequence[Point]
"""A closed outline; the last point is joined to the first, which is not repeated."""


def great_circle(origin: Place, target: Place) -> tuple[float, float]:
    """Angle and initial bearing, in radians, of the great circle from one place to another."""
    one, two = radians(origin.latitude), radians(target.latitude)
    east = radians(target.longitude - origin.longitude)
    angle = acos(max(-1.0, min(1.0, sin(one) * sin(two) + cos(one) * cos(two) * cos(east))))
    return angle, atan2(sin(east) * cos(two), cos(one) * sin(two) - sin(one) * cos(two) * cos(east))


def bearing(origin: Place, target: Place) -> float:
    """The direction of `target` as seen from `origin`: 0 is due north, 90 east, below 360."""
    return degrees(great_circle(origin, target)[1]) % 360


def counter_clockwise(origin: Place, target: Place) -> float:
    """The angle from due north, counter-clockwise, at which `target` is seen from `origin`: from 0 to below 360
    degrees.
    """
    return -degrees(great_circle(origin, target)[1]) % 360


def contains(rings: Iterable[Ring], point: Point) -> bool:
    """Whether a point is within the outlines and outside their holes."""
    inside, (x, y) = False, point
    for ring in rings:
        for (left, high), (right, low) in sides(ring):
            if (high > y) != (low > y) and x < (right - left) * (y - high) / (low - high) + left:
                inside = not inside
    return inside


def sides(ring: Ring) -> Iterable[tuple[Point, Point]]:
    return zip(ring, (*ring[1:], ring[0]), strict=True)


# The standard board

OFF_BOARD = "-"
"""Land on the sheet that is not on the board."""
LAKE = "~"
"""Water on the sheet that is not on the board."""

Polygon = tuple[tuple[int, ...], ...]
"""Rings of arc numbers, the outline first, then holes; ~n is arc n backwards."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Where the signs of a province are; fleets on a divided coast by their location (`stp/sc`)."""

    unit: Point
    label: Point
    center: Point | None
    coasts: Mapping[str, Point]
    dislodged: Mapping[str, Point]
    mark: Point
    """For signs that only some games have."""


@dataclass(frozen=True, slots=True)
class Bearings:
    """Where a province is on the globe: its centroid, what is seen from there, counter-clockwise from due north, and
    its coasts if it is divided. The sheet is stretched; these are not.
    """

    middle: Place
    around: tuple[str, ...]
    coasts: Mapping[str, Place]


@dataclass(frozen=True, eq=False)
class Geography:
    """The sheet divided into provinces, OFF_BOARD and LAKE. Codes are those of provinces; unknown codes raise
    KeyError.
    """

    width: float
    height: float
    arcs: tuple[tuple[Point, ...], ...]
    polygons: Mapping[str, tuple[Polygon, ...]]
    spots: Mapping[str, Spots]
    bearings: Mapping[str, Bearings]

    def unit_at(self, at: Location) -> Point:
        """The point of a unit at the location."""
        spots = self.spots[_head(at)]
        return spots.coasts.get(at, spots.unit)

    def dislodged_at(self, at: Location) -> Point:
        """The point of a unit that was dislodged from the location, beside the unit that dislodged it."""
        spots = self.spots[_head(at)]
        return spots.dislodged[at if at in spots.coasts else _head(at)]

    def rings(self, code: str) -> tuple[Ring, ...]:
        """All outlines of a province, including islands, and its holes, which run the other way."""
        return _rings(self, code)

    def arc(self, number: int) -> tuple[Point, ...]:
        """The points of an arc; ~n is arc n backwards."""
        return self.arcs[number] if number >= 0 else self.arcs[~number][::-1]

    def borders(self, code: str) -> Mapping[str, Sequence[int]]:
        """The arcs that a province shares with each neighbour on the sheet, including OFF_BOARD and LAKE."""
        return _borders(self, code)

    def owners(self, number: int) -> tuple[str, ...]:
        """The provinces on the two sides of an arc; at the edge of the sheet only one."""
        return _owners(self)[number if number >= 0 else ~number]

    def centroid(self, code: str) -> Place:
        """The centroid of a province, including islands, on the globe."""
        return self.bearings[code].middle

    def round_about(self, code: str) -> tuple[str, ...]:
        """The neighbours, counter-clockwise from due north, as seen from the province's centroid on the globe.

        A neighbour's place in the order is where its border is first seen; of two in the same direction the nearer
        comes first.
        """
        return self.bearings[code].around

    def coast(self, at: Location) -> Place:
        """Where a coast is on the globe; for a province without divided coasts its centroid."""
        bearings = self.bearings[_head(at)]
        return bearings.coasts.get(at, bearings.middle)


@cache
def _rings(geography: Geography, code: str) -> tuple[Ring, ...]:
    return tuple(
        tuple(point for number in ring for point in geography.arc(number)[:-1])
        for polygon in geography.polygons[code]
        for ring in polygon
    )


@cache
def _borders(geography: Geography, code: str) -> Mapping[str, Sequence[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for polygon in geography.polygons[code]:
        for number in (number for ring in polygon for number in ring):
            for other in geography.owners(number):
                if other != code:
                    found[other].append(number)
    return dict(found)


def _head(at: str) -> str:
    return at.partition("/")[0]


@cache
def _owners(geography: Geography) -> tuple[tuple[str, ...], ...]:
    """The provinces on the two sides of each arc (only one at the edge of the sheet)."""
    found: list[list[str]] = [[] for _ in geography.arcs]
    for code, polygons in geography.polygons.items():
        for number in (number for polygon in polygons for ring in polygon for number in ring):
            found[number if number >= 0 else ~number].append(code)
    return tuple(map(tuple, found))


@cache
def standard_geography() -> Geography:
    """The outlines of the standard board."""
    text = resources.files(__package__).joinpath("geography.json").read_text(encoding="utf-8")
    return _read(json.loads(text))


def _read(topology: Mapping[str, Any]) -> Geography:
    """A geography from its TopoJSON. Raises KeyError for a file of another form."""
    step_x, step_y = topology["transform"]["scale"]
    arcs = []
    for steps in topology["arcs"]:
        xs = accumulate(step[0] for step in steps)
        ys = accumulate(step[1] for step in steps)
        arcs.append(tuple(point((x * step_x, y * step_y)) for x, y in zip(xs, ys, strict=True)))
    shapes = topology["objects"]["board"]["geometries"]
    width, height = topology["size"]
    return Geography(
        width=width,
        height=height,
        arcs=tuple(arcs),
        polygons={
            shape["id"]: tuple(tuple(tuple(ring) for ring in polygon) for polygon in shape["arcs"]) for shape in shapes
        },
        spots={shape["id"]: _spots(shape["properties"]) for shape in shapes if shape["properties"]},
        bearings={shape["id"]: _bearings(shape["properties"]) for shape in shapes if shape["properties"]},
    )


def _spots(properties: Mapping[str, Any]) -> Spots:
    return Spots(
        unit=Point(*properties["unit"]),
        label=Point(*properties["label"]),
        center=Point(*properties["center"]) if "center" in properties else None,
        coasts={at: Point(*spot) for at, spot in properties.get("coasts", {}).items()},
        dislodged={at: Point(*spot) for at, spot in properties["dislodged"].items()},
        mark=Point(*properties["mark"]),
    )


def _bearings(properties: Mapping[str, Any]) -> Bearings:
    return Bearings(
        middle=Place(*properties["middle"]),
        around=tuple(properties["around"].split()),
        coasts={at: Place(*place) for at, place in properties.get("ashore", {}).items()},
    )
