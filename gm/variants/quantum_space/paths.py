"""What the star chart is drawn with: shapes as SVG paths, from discs and stars to arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from gm.board.geography import Point


@dataclass(frozen=True, slots=True)
class Shape:
    """A path with its ground and its line; `dash` as SVG writes it."""

    path: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    dash: str = ""


def breadth(letters: int) -> float:
    """Of the sign of a unit with so many letters."""
    return 17.0 + 8.2 * letters


def ellipse(middle: Point, across: float, down: float) -> str:
    """Half axes across and down."""
    return (
        f"M{middle.x - across:.1f} {middle.y:.1f}a{across:.1f} {down:.1f} 0 1 0 {2 * across:.1f} 0"
        f"a{across:.1f} {down:.1f} 0 1 0 {-2 * across:.1f} 0z"
    )


def quarter(middle: Point, radius: float, across: int, down: int) -> str:
    """The quarter of a disc to the left (-1) or right (1), above (-1) or below (1)."""
    sweep = int(across * down > 0)
    begin, end = Point(middle.x + across * radius, middle.y), Point(middle.x, middle.y + down * radius)
    return (
        f"M{middle.x:.1f} {middle.y:.1f}L{begin.x:.1f} {begin.y:.1f}"
        f"A{radius:.1f} {radius:.1f} 0 0 {sweep} {end.x:.1f} {end.y:.1f}z"
    )


def star(middle: Point, size: float) -> str:
    """A star of four points."""
    near_by = size * 0.24
    corners = [(0, -size), (near_by, -near_by), (size, 0), (near_by, near_by), (0, size), (-near_by, near_by),
               (-size, 0), (-near_by, -near_by)]  # fmt: skip
    return "M" + "L".join(f"{middle.x + x:.1f} {middle.y + y:.1f}" for x, y in corners) + "z"


def _cut(start: Point, end: Point, first: float, last: float) -> tuple[Point, Point]:
    """The ends of a line that begins and stops short of its points by so much, but for a third of it at most."""
    length = hypot(end.x - start.x, end.y - start.y)
    x, y = (end.x - start.x) / length, (end.y - start.y) / length
    first, last = min(first, length / 3), min(last, length / 3)
    return Point(start.x + x * first, start.y + y * first), Point(end.x - x * last, end.y - y * last)


def line(start: Point, end: Point, first: float, last: float) -> str:
    """A line that begins and stops short of its points by so much."""
    begin, stop = _cut(start, end, first, last)
    return f"M{begin.x:.1f} {begin.y:.1f}L{stop.x:.1f} {stop.y:.1f}"


def curve(start: Point, end: Point, bow: float, short_by: float) -> tuple[Point, Point, Point]:
    """The beginning, the end and the bend of a line that stops so much short of its goal.

    `bow` is how far it bulges upwards, to pass what lies between.
    """
    knot = Point((start.x + end.x) / 2, (start.y + end.y) / 2 - 2 * bow)
    return _cut(start, knot, 18, 0)[0], _cut(knot, end, 0, short_by)[1], knot


def arrow(begin: Point, stop: Point, knot: Point, colour: str, succeeded: bool) -> Sequence[Shape]:
    """An arrow; of a move that failed broken, without its head. A pale edge sets it off from what it crosses."""
    length = hypot(stop.x - knot.x, stop.y - knot.y) or 1.0
    x, y = (stop.x - knot.x) / length, (stop.y - knot.y) / length
    path = f"M{begin.x:.1f} {begin.y:.1f}Q{knot.x:.1f} {knot.y:.1f} {stop.x:.1f} {stop.y:.1f}"
    edge = Shape(path, stroke="#ffffff", width=5.2)
    if not succeeded:
        return edge, Shape(path, stroke=colour, width=3.0, dash="8 5")
    wing = [
        (stop.x - 13 * x - 6.5 * y, stop.y - 13 * y + 6.5 * x),
        (stop.x - 13 * x + 6.5 * y, stop.y - 13 * y - 6.5 * x),
    ]
    head = f"M{stop.x:.1f} {stop.y:.1f}" + "".join(f"L{a:.1f} {b:.1f}" for a, b in wing) + "z"
    return edge, Shape(path, stroke=colour, width=3.0), Shape(head, fill=colour, stroke="#ffffff", width=1.0)
