"""What a star chart consists of: planets in their orbits, quantum spaces, units, and the lines of orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import hypot

from gm.board import UnitKind
from gm.board.geography import Point
from gm.maps.figures import STRONG, Figure, Form, Shape, Words, sharp
from gm.maps.glyphs import ALARM, INK, Livery, Size, around
from gm.orders.notation import write_unit
from gm.position import Unit

PAPER = "#1b2440"
RADIUS = 76.0
MIDST = 0.55 * RADIUS
"""How far the sign of a unit is from the middle of its disc, across and down."""
INWARD = 0.66 * MIDST
"""And the ring of a supply centre from there, nearer to the middle."""
LETTERS = 22.2
"""The height of all letters but those of the title: at least 11 pixels where a chart is 390 wide."""
HIGH = 31.0
"""The height of the sign of a unit."""
CORNERS: Mapping[str, tuple[int, int, int]] = {
    "4": (0, -1, -1), "1": (0, 1, -1), "2": (0, 1, 1), "3": (0, -1, 1),
    "8": (1, -1, -1), "5": (1, 1, -1), "6": (1, 1, 1), "7": (1, -1, 1),
}  # fmt: skip
"""The place of an octant: on the northern or southern disc, left or right, above or below."""
ZERO = Point(0.0, 0.0)


# paths


def breadth(letters: int) -> float:
    """The width of the sign of a unit with this many letters."""
    return 8.0 + 11.7 * letters


def ellipse(middle: Point, across: float, down: float) -> str:
    """An SVG path of an ellipse with these half axes, across and down."""
    return (
        f"M{middle.x - across:.1f} {middle.y:.1f}a{across:.1f} {down:.1f} 0 1 0 {2 * across:.1f} 0"
        f"a{across:.1f} {down:.1f} 0 1 0 {-2 * across:.1f} 0z"
    )


def plate(width: float, height: float, round: float) -> str:
    """A rectangle with rounded corners around the middle."""
    across, down, turn = width - 2 * round, height - 2 * round, f"a{round:.1f} {round:.1f} 0 0 1"
    return (
        f"M{-across / 2:.1f} {-height / 2:.1f}h{across:.1f}{turn} {round:.1f} {round:.1f}v{down:.1f}"
        f"{turn} {-round:.1f} {round:.1f}h{-across:.1f}{turn} {-round:.1f} {-round:.1f}v{-down:.1f}"
        f"{turn} {round:.1f} {-round:.1f}z"
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
    """A star with four points."""
    near_by = size * 0.24
    corners = [(0, -size), (near_by, -near_by), (size, 0), (near_by, near_by), (0, size), (-near_by, near_by),
               (-size, 0), (-near_by, -near_by)]  # fmt: skip
    return "M" + "L".join(f"{middle.x + x:.1f} {middle.y + y:.1f}" for x, y in corners) + "z"


def _cut(start: Point, end: Point, first: float, last: float) -> tuple[Point, Point]:
    """The ends of a line after its start and end are shortened by these lengths, but by at most a third of it."""
    length = hypot(end.x - start.x, end.y - start.y)
    x, y = (end.x - start.x) / length, (end.y - start.y) / length
    first, last = min(first, length / 3), min(last, length / 3)
    return Point(start.x + x * first, start.y + y * first), Point(end.x - x * last, end.y - y * last)


def line(start: Point, end: Point, first: float, last: float) -> str:
    """A line that is shortened at both ends."""
    begin, stop = _cut(start, end, first, last)
    return f"M{begin.x:.1f} {begin.y:.1f}L{stop.x:.1f} {stop.y:.1f}"


def striped(path: str, edge: float, width: float, dash: str = "") -> tuple[Shape, Shape]:
    """A line, broken if it is dashed, in the strong colour upon a pale one."""
    return Shape(path, stroke="#ffffff", width=edge), Shape(path, stroke=STRONG, width=width, dash=dash)


def curve(start: Point, end: Point, bow: float, short_by: float) -> tuple[Point, Point, Point]:
    """The beginning, the end and the bend of a line that stops `short_by` before its target.

    `bow` is how far it bulges upwards, to avoid what is between.
    """
    knot = Point((start.x + end.x) / 2, (start.y + end.y) / 2 - 2 * bow)
    return _cut(start, knot, 18, 0)[0], _cut(knot, end, 0, short_by)[1], knot


def arrow(begin: Point, stop: Point, knot: Point, succeeded: bool) -> Sequence[Shape]:
    """An arrow; if the move failed it is broken and has no head. A pale edge separates it from what it crosses."""
    length = hypot(stop.x - knot.x, stop.y - knot.y) or 1.0
    x, y = (stop.x - knot.x) / length, (stop.y - knot.y) / length
    path = f"M{begin.x:.1f} {begin.y:.1f}Q{knot.x:.1f} {knot.y:.1f} {stop.x:.1f} {stop.y:.1f}"
    edge = Shape(path, stroke="#ffffff", width=5.2)
    if not succeeded:
        return edge, Shape(path, stroke=STRONG, width=3.0, dash="8 5")
    wing = [
        (stop.x - 13 * x - 6.5 * y, stop.y - 13 * y + 6.5 * x),
        (stop.x - 13 * x + 6.5 * y, stop.y - 13 * y - 6.5 * x),
    ]
    head = f"M{stop.x:.1f} {stop.y:.1f}" + "".join(f"L{a:.1f} {b:.1f}" for a, b in wing) + "z"
    return edge, Shape(path, stroke=STRONG, width=3.0), Shape(head, fill=STRONG, stroke="#ffffff", width=1.0)


# forms


_PATH_OF_ORBIT = Shape(ellipse(ZERO, 2 * RADIUS + 22, RADIUS + 26), stroke="#a9b6cf", width=2.0)
STAR_FORM = Form((Shape(star(ZERO, 26.0), "#3b4d78", "#9fb2dd", 1.0),), around(ZERO, Size(60, 60)))
RING = Form((Shape(ellipse(ZERO, 7, 7), "#ffffff", INK, 1.8),), around(ZERO, Size(18, 18)))
"""The sign of a supply centre."""
_CROSSED = "M-6.5-6.5L6.5 6.5M6.5-6.5L-6.5 6.5"
CROSSED = Size(17, 17)
"""What a cross covers."""
CROSS = Form(
    (Shape(_CROSSED, stroke="#ffffff", width=6.4), Shape(_CROSSED, stroke=ALARM, width=3.4)), around(ZERO, Size(22, 22))
)


@lru_cache(maxsize=4096)
def swatch(colour: str) -> Form:
    """The mark of a planet in the key, in its colour."""
    return Form((Shape(plate(26, 16, 4), STRONG, "#ffffff", 0.8),), around(ZERO, Size(30, 20)), colour)


@lru_cache(maxsize=4096)
def underline(colour: str) -> Form:
    """What lies under the name of a planet, in its colour."""
    return Form((Shape(ellipse(ZERO, 60, 2.5), STRONG, "#ffffff", 0.8),), around(ZERO, Size(124, 10)), colour)


def apart(southern: int, width: float) -> Point:
    """Where a disc is from the middle of its planet, on a chart of this width."""
    return sharp(Point((RADIUS + 5) * (1 if southern else -1), 0.0), width)


@lru_cache(maxsize=4096)
def planet(colours: tuple[str, ...], width: float) -> Form:
    """A planet with the colours of its octants, in its orbit, on a chart of this width."""
    octants = (
        Figure(apart(southern, width), _octant(number, colour))
        for (number, (southern, _, _)), colour in zip(CORNERS.items(), colours, strict=True)
    )
    bounds = around(ZERO, Size(4 * RADIUS + 54, 2 * RADIUS + 62))
    return Form((_PATH_OF_ORBIT,), bounds, parts=tuple(octants), upon=PAPER)


@lru_cache(maxsize=4096)
def _octant(number: str, colour: str) -> Form:
    """An octant on its disc."""
    _, across, down = CORNERS[number]
    bounds = around(ZERO, Size(2 * RADIUS + 4, 2 * RADIUS + 4))
    return Form((Shape(quarter(ZERO, RADIUS, across, down), STRONG, INK, 1.3),), bounds, colour)


@lru_cache(maxsize=4096)
def piece(unit: Unit, livery: Livery, stranded: bool) -> Form:
    """A unit as orders write it, on its power's colour, with a red edge if it must retreat."""
    text = write_unit(unit)
    across, edge, width = breadth(len(text)), *(("#ff3b3b", 3.2) if stranded else ("#ffffff", 1.6))
    shape = Shape(plate(across, HIGH, 4 if unit.kind is UnitKind.ARMY else HIGH / 2), STRONG, edge, width)
    words = Words(Point(0, 7.4), text, LETTERS, livery.ink, weight=700)
    return Form((shape,), around(ZERO, Size(across + 8, HIGH + 10)), livery.strong, (words,))
