"""Lines of orders as points: bent from here to there, through given points, cut off short of what they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from gm.board.geometry import Point

Curve = tuple[Point, ...]

_STEPS = 16


def bent(start: Point, end: Point, bend: float) -> Curve:
    """From start to end, bulging to the left by half of `bend` times the distance (quadratic)."""
    right, down = end.x - start.x, end.y - start.y
    knot = Point((start.x + end.x) / 2 + down * bend, (start.y + end.y) / 2 - right * bend)
    return tuple(_quadratic(start, knot, end, step / _STEPS) for step in range(_STEPS + 1))


def _quadratic(a: Point, b: Point, c: Point, t: float) -> Point:
    s = 1 - t
    return Point(s * s * a.x + 2 * s * t * b.x + t * t * c.x, s * s * a.y + 2 * s * t * b.y + t * t * c.y)


def through(points: Sequence[Point]) -> Curve:
    """A smooth line through two points or more (centripetal enough for a map: Catmull and Rom's cubic)."""
    ends = [points[0], *points, points[-1]]
    found = [points[0]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        found += [_cubic(a, b, c, d, step / _STEPS) for step in range(1, _STEPS + 1)]
    return tuple(found)


def _cubic(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    def axis(p: float, q: float, r: float, s: float) -> float:
        return 0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t * t * t)

    return Point(axis(a.x, b.x, c.x, d.x), axis(a.y, b.y, c.y, d.y))


def length(curve: Curve) -> float:
    """How long it is."""
    return sum(distance(a, b) for a, b in pairwise(curve))


def distance(a: Point, b: Point) -> float:
    """How far two points lie apart."""
    return hypot(b.x - a.x, b.y - a.y)


def along(curve: Curve, way: float) -> Point:
    """The point at a distance along the curve; its end when that is farther."""
    for a, b in pairwise(curve):
        step = distance(a, b)
        if step >= way and step > 0:
            return Point(a.x + (b.x - a.x) * way / step, a.y + (b.y - a.y) * way / step)
        way -= step
    return curve[-1]


def trimmed(curve: Curve, first: float, last: float) -> Curve:
    """The curve without its first and last stretch, of these lengths; at least a third of it stays."""
    whole = length(curve)
    spare = max(first + last, 0.01)
    share = min(1.0, whole * 2 / 3 / spare)
    begin, end = first * share, whole - last * share
    inner: list[Point] = []
    way = 0.0
    for a, b in pairwise(curve):
        way += distance(a, b)
        if begin < way < end:
            inner.append(b)
    return (along(curve, begin), *inner, along(curve, end))
