"""The orders of the last turn as arrows: start, curve, and the position of the arrowhead or cross.

A line may run below names and units, which stay readable; its arrowhead, cross and dots may not cover them. Of several
ways to draw an order the first free one is taken, otherwise the one that covers least.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, product
from math import cos, dist, pi, sin
from typing import TypeVar

from gm.board import Location
from gm.board.geography import Point, point
from gm.judge.outcomes import Outcome, Result
from gm.maps.glyphs import Cross, Curve, DeedSign, Dot, Head, Ray, Ring, Stroke, Trace
from gm.maps.glyphs import Hold as HoldSign
from gm.maps.layout import Clearance, Ground, near
from gm.orders import Convoy, Hold, Move, Order, Retreat, Support, unit_of
from gm.position import Unit
from gm.turn import Turn

_BENDS = (0.1, -0.1, 0.2, -0.2, 0.0, 0.32, -0.32, 0.45, -0.45, 0.6, -0.6, 0.8, -0.8, 1.05, -1.05)
_STOPS = (27.0, 31.0, 36.0, 42.0, 48.0, 55.0, 64.0, 74.0, 86.0)
_SUPPORT_BENDS = (0.0, 0.12, -0.12, 0.25, -0.25, 0.4, -0.4, 0.6, -0.6, 0.85, -0.85, 1.1, -1.1)
_TOUCHES = (0.5, 0.6, 0.4, 0.68, 0.32, 0.76, 0.25, 0.84, 0.18, 0.45, 0.55, 0.64, 0.36, 0.72, 0.28, 0.8, 0.21, 0.9, 0.12)
_BEYOND = (
    *((0, -72), (32, -65), (-32, -65), (60, -42), (-60, -42), (0, -92), (42, -84), (-42, -84), (0, 72)),
    *((100 * cos(turn * pi / 8), 100 * sin(turn * pi / 8)) for turn in range(16)),
)
_LEAVING = 23.0
_HEAD = 14.0
_STEPS = 16

S = TypeVar("S")


@dataclass(frozen=True)
class Drawing:
    """The orders of a turn, from the lowest layer to the highest."""

    rays: tuple[Ray, ...] = ()
    traces: tuple[Trace, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    rings: tuple[Ring, ...] = ()
    holds: tuple[HoldSign, ...] = ()
    deeds: tuple[DeedSign, ...] = ()
    heads: tuple[Head, ...] = ()
    dots: tuple[Dot, ...] = ()
    crosses: tuple[Cross, ...] = ()
    routes: Mapping[Order, Curve] = field(default_factory=dict, compare=False)
    """Where each order is to be seen: its line, or one point at its unit."""


class OrdersDrawn:
    """Draws a turn's orders, keeping clear of the signs on the map."""

    def __init__(self, ground: Ground, turn: Turn, clearance: Clearance) -> None:
        self.ground = ground
        self.turn = turn
        self.clearance = clearance
        self._drawn: list[object] = []
        position = ground.view.position
        self._standing = {unit.at for unit in position.units}
        self._remaining = frozenset(position.units)
        gone = [d.unit for d in (*position.dislodged, *turn.destroyed)]
        self._driven_out = {unit for unit in gone if unit in turn.before.units}
        self._ways: dict[tuple[Unit, Location], Curve] = {}
        self._others: dict[Order, Curve] = {}

    def draw(self) -> Drawing:
        """Draw moves and retreats first, so that supports can touch them; then supports and convoys."""
        outcomes = [outcome for outcome in self.turn.outcomes if self._visible(outcome)]
        convoys = [outcome for outcome in outcomes if isinstance(outcome.order, Convoy)]
        for outcome in sorted(outcomes, key=self._reach):
            if isinstance(outcome.order, Move):
                self._move(outcome, outcome.order, convoys)
            elif isinstance(outcome.order, Retreat):
                self._retreat(outcome, outcome.order)
        for order, unit in self.ground.view.descended.items():
            self._others[order] = self._ray(unit, unit.at, True, down=True)
        for outcome in outcomes:
            if isinstance(outcome.order, Support):
                self._support(outcome, outcome.order)
            elif isinstance(outcome.order, Convoy):
                self._convoy(outcome, outcome.order)
        for outcome in self.turn.outcomes:
            here = self._place_of(outcome.order)
            if here is not None and type(outcome.order) in self.ground.view.art.deeds:
                self._deed(outcome, outcome.order, here)
        return Drawing(
            rays=self._all(Ray),
            traces=self._all(Trace),
            strokes=self._all(Stroke),
            rings=self._all(Ring),
            holds=tuple(self._holds()),
            deeds=self._all(DeedSign),
            heads=self._all(Head),
            dots=self._all(Dot),
            crosses=self._all(Cross),
            routes={outcome.order: way for outcome in self.turn.outcomes if (way := self._route(outcome))},
        )

    def _holds(self) -> Iterator[HoldSign]:
        """Octagons around the units that held their places; a piece that does not fight is no unit on the map."""
        own = tuple(self.ground.view.art.deeds)
        for outcome in self.turn.outcomes:
            order = outcome.order
            if not isinstance(order, Hold) or isinstance(order, own):
                continue
            if order.unit.kind.fights and self._in_place(outcome):
                yield HoldSign(self._where(order.unit), self.ground.livery(order.unit))

    def _in_place(self, outcome: Outcome) -> bool:
        """Whether the order is that of a unit on the map that is still where it was: there is something to frame."""
        unit = unit_of(outcome.order)
        return unit is not None and unit in self._remaining and self.ground.shown(unit.at)

    def _place_of(self, order: Order) -> Point | None:
        """Where the unit of the order is still to be seen; a piece that is no unit by its mark."""
        unit = unit_of(order)
        if unit is None or not self.ground.shown(unit.at):
            return None
        if unit in self._remaining:
            return self._where(unit)
        province = self.ground.province(unit.at)
        marked = any(mark.province == province and mark.power == unit.power for mark in self.ground.view.marks)
        return self.ground.sheet.spots[province].mark if marked and not unit.kind.fights else None

    def _deed(self, outcome: Outcome, order: Order, here: Point) -> None:
        """A frame around the unit, and a line to the place that the order names."""
        unit, deed = unit_of(order), self.ground.view.art.deeds[type(order)]
        assert unit is not None
        livery, aim = self.ground.livery(unit), deed.aim(order)
        self._drawn.append(DeedSign(here, livery, deed.meaning))
        if aim is not None and self.ground.shown(aim) and self.ground.province(aim) != self.ground.province(unit.at):
            line = trimmed(bent(here, self.ground.standing(aim), 0.1), _LEAVING, 8.0)
            self._drawn.append(Stroke("deed", line, livery, not outcome.succeeded))
            self._others[order] = line
        if not outcome.succeeded:
            self._add_cross(self._free_cross_near(here))

    def _all(self, kind: type[S]) -> tuple[S, ...]:
        return tuple(sign for sign in self._drawn if isinstance(sign, kind))

    def _route(self, outcome: Outcome) -> Curve:
        """Where the order of an outcome is to be seen; empty if it is not on the sheet."""
        order = outcome.order
        if isinstance(order, Move | Retreat) and (order.unit, order.to) in self._ways:
            return self._ways[order.unit, order.to]
        if order in self._others:
            return self._others[order]
        unit = unit_of(order)
        return (self._where(unit),) if unit is not None and self.ground.shown(unit.at) else ()

    def _visible(self, outcome: Outcome) -> bool:
        """Whether the order is drawn: a legal order of a unit, with its unit or its target on the sheet."""
        order = outcome.order
        if not isinstance(order, Move | Retreat | Support | Convoy) or outcome.result is Result.ILLEGAL:
            return False
        target = order.to if order.to is not None else order.unit.at
        return self.ground.shown(order.unit.at) or self.ground.shown(target)

    def _reach(self, outcome: Outcome) -> float:
        """The length of an order's line. Short ones are drawn first, because they have the fewest alternatives."""
        order = outcome.order
        if isinstance(order, Move | Retreat) and self.ground.shown(order.unit.at) and self.ground.shown(order.to):
            return dist(self.ground.standing(order.unit.at), self.ground.standing(order.to))
        return 0.0

    # Moves and retreats

    def _move(self, outcome: Outcome, order: Move[Unit], convoys: Iterable[Outcome]) -> None:
        ground = self.ground
        if not (ground.shown(order.unit.at) and ground.shown(order.to)):
            self._between(outcome, order.unit, order.to)
            return
        start = self._where(order.unit)
        kind = "leap" if not order.crosses_border else "move" if order.unit.kind.fights else "unarmed"
        by_sea = self._fleets(order, convoys) if order.crosses_border else []
        if outcome.succeeded and order.unit.at not in self._standing:
            self._drawn.append(Trace(start, ground.livery(order.unit)))
        self._arrow(order.unit, start, ground.standing(order.to), kind, order.to, outcome.succeeded, by_sea)

    def _retreat(self, outcome: Outcome, order: Retreat[Unit]) -> None:
        ground = self.ground
        if not (ground.shown(order.unit.at) and ground.shown(order.to)):
            self._between(outcome, order.unit, order.to)
            return
        start = ground.dislodged(order.unit.at)
        if outcome.succeeded:
            self._drawn.append(Trace(start, ground.livery(order.unit)))
        self._arrow(order.unit, start, ground.standing(order.to), "move", order.to, outcome.succeeded, [])

    def _where(self, unit: Unit) -> Point:
        """Where the unit's line begins: at its position, or beside it if it was dislodged."""
        return self.ground.dislodged(unit.at) if unit in self._driven_out else self.ground.standing(unit.at)

    def _arrow(
        self, unit: Unit, start: Point, end: Point, kind: str, to: Location, succeeded: bool, fleets: list[Location]
    ) -> None:
        livery = self.ground.livery(unit)
        leaving = _LEAVING if unit.at in self._standing or unit in self._driven_out else 6.5
        own = [self.ground.province(at) for at in (to, unit.at, *fleets)]  # most lines end where they lead
        stations = [self.ground.standing(at) for at in fleets]
        best = None
        for line in self._lines(start, end, stations, leaving):
            sign: Head | Cross = Cross(line[-1])
            if succeeded:
                sign = Head(line[-1], before_end(line, _HEAD), livery)
            hits = self.clearance.hits(sign.box)
            astray = hits == 0 and not self.ground.within(own, line[-1])
            if best is None or (hits, astray) < best[:2]:
                best = (hits, astray, line, sign)
            if best[:2] == (0, False):
                break
        assert best is not None
        hits, _, line, sign = best
        if hits and isinstance(sign, Cross):
            sign = self._free_cross_near(sign.middle)
            line = bowed(start, sign.middle, 0.1, leaving, 0)
        self.clearance.take(sign.box)
        self._drawn.append(sign)
        if isinstance(sign, Head):
            line = trimmed(line, 0, _HEAD - 2)
        self._drawn.append(Stroke("wave" if stations else kind, line, livery, not succeeded))
        self._ways[unit, to] = line

    @staticmethod
    def _lines(start: Point, end: Point, stations: list[Point], leaving: float) -> Iterator[Curve]:
        """The ways in which an arrow may be drawn, best first: where it bends, and how far before its end it stops."""
        far = dist(start, end)
        stops = [stop for stop in _STOPS if stop < 0.7 * far] or [0.5 * far]
        if stations:
            line = through([start, *stations, end])
            yield from (trimmed(line, leaving, stop) for stop in stops)
        else:
            yield from (bowed(start, end, *way) for way in product(_BENDS, (leaving,), stops))
        last = [start, *stations][-1]
        for knot in sorted(near(end, 36), key=lambda knot: dist(last, knot) + dist(knot, end)):
            line = through([start, *stations, knot, end])
            yield from (trimmed(line, leaving, stop) for stop in _STOPS[:4])

    def _fleets(self, order: Move[Unit], convoys: Iterable[Outcome]) -> list[Location]:
        """The fleets that convoy an army, in order: those that were ordered to and form a chain."""
        sheet = self.ground.sheet
        fleets: Mapping[str, Location] = {
            self.ground.province(o.order.unit.at): o.order.unit.at
            for o in convoys
            if isinstance(o.order, Convoy) and o.order.convoyed == order.unit and o.order.to == order.to
        }
        origin, goal = self.ground.province(order.unit.at), self.ground.province(order.to)
        ways: list[list[str]] = [[str(origin)]]
        seen = {str(origin)}
        while ways:
            way = ways.pop(0)
            near = sheet.borders(way[-1])
            if goal in near and len(way) > 1:
                return [fleets[code] for code in way[1:]]
            for code in fleets:
                if code in near and code not in seen:
                    seen.add(code)
                    ways.append([*way, code])
        return []

    def _between(self, outcome: Outcome, unit: Unit, to: Location) -> None:
        """A move between the map and a place beyond the sheet."""
        down = self.ground.shown(to)
        line = self._ray(unit, to if down else unit.at, outcome.succeeded, down=down)
        self._ways[unit, to] = line
        if not outcome.succeeded:
            self._cross(line)

    def _ray(self, unit: Unit, place: Location, succeeded: bool, *, down: bool) -> Curve:
        """Draw a ray from beyond the sheet in any free direction. Returns its curve."""
        ground, livery = self.ground.standing(place), self.ground.livery(unit)
        rays = [Ray(Point(ground.x + dx, ground.y + dy), ground, livery, not succeeded, not down) for dx, dy in _BEYOND]
        ray = min(rays, key=lambda ray: self.clearance.hits(ray.box))
        self.clearance.take(ray.box)
        self._drawn.append(ray)
        return trimmed((ray.beyond, ground) if down else (ground, ray.beyond), 15.0, 27.0)

    # Supports and convoys

    def _support(self, outcome: Outcome, order: Support[Unit]) -> None:
        """A dotted line to the unit held, or to the arrow of the move supported."""
        ground = self.ground
        start = self._where(order.unit)
        livery = ground.livery(order.unit)
        best = None
        touches = list(self._touches(order))
        bends = _SUPPORT_BENDS if any(dict(touches).values()) else _SUPPORT_BENDS[:1]  # else all end there
        for bend, (touch, back) in product(bends, touches):
            line = bowed(start, touch, bend, _LEAVING, back)
            dot = Dot(line[-1], livery)
            hits = self.clearance.hits(dot.box)
            if best is None or hits < best[0]:
                best = (hits, line, dot)
            if hits == 0:
                break
        if best is None:
            return
        hits, line, dot = best
        self._drawn.append(Stroke("support", line, livery, not outcome.succeeded))
        self._others[order] = line
        if hits == 0:
            self.clearance.take(dot.box)
            self._drawn.append(dot)
        if not outcome.succeeded:
            self._cross(line)

    def _touches(self, order: Support[Unit]) -> Iterator[tuple[Point, float]]:
        """Where the support line may end, and how far before that point it stops."""
        ground = self.ground
        to = order.to
        if to is None or ground.province(to) == ground.province(order.supported.at):
            if ground.shown(order.supported.at):
                yield from ((self._where(order.supported), back) for back in (29.0, 33.0, 38.0, 44.0))
            return
        province = ground.province(to)
        ways = [
            w for (unit, at_), w in self._ways.items() if unit == order.supported and ground.province(at_) == province
        ]
        if not ways:
            if ground.shown(to):
                yield from ((ground.standing(to), back) for back in (*_STOPS, 8.0))
            return
        for way in ways:
            ways_to = ways_along(way)
            yield from ((at(way, ways_to, ways_to[-1] * share), 0.0) for share in _TOUCHES)

    def _convoy(self, outcome: Outcome, order: Convoy[Unit]) -> None:
        fleet = self._where(order.unit)
        self._drawn.append(Ring(fleet, self.ground.livery(order.convoyed)))
        if not outcome.succeeded:
            self._add_cross(self._free_cross_near(fleet))

    def _cross(self, line: Curve) -> None:
        """Draw a cross on a line, or beside it if there is no room."""
        ways = ways_along(line)
        upon = (Cross(at(line, ways, ways[-1] * share)) for share in _TOUCHES)
        free = next((cross for cross in upon if self.clearance.hits(cross.box) == 0), None)
        self._add_cross(free or self._free_cross_near(at(line, ways, ways[-1] / 2)))

    def _free_cross_near(self, middle: Point) -> Cross:
        """A cross as near to a point as there is room."""
        crosses = map(Cross, near(middle))
        return next((cross for cross in crosses if self.clearance.hits(cross.box) == 0), Cross(middle))

    def _add_cross(self, cross: Cross) -> None:
        self.clearance.take(cross.box)
        self._drawn.append(cross)


# Curves


def bent(start: Point, end: Point, bend: float) -> Curve:
    """A curve from start to end that bulges to the left by half of `bend` times the distance (quadratic)."""
    (left, top), (right, low) = start, end
    across, down = (left + right) / 2 + (low - top) * bend, (top + low) / 2 - (right - left) * bend
    across_all = [a * left + b * across + c * right for a, b, c in _SHARES]
    down_all = [a * top + b * down + c * low for a, b, c in _SHARES]
    return tuple(map(point, zip(across_all, down_all, strict=True)))


@lru_cache(maxsize=2048)
def bowed(start: Point, end: Point, bend: float, first: float, last: float) -> Curve:
    """Such a curve, trimmed: most are between the places of units, so that another map has them too."""
    return trimmed(bent(start, end, bend) if bend else (start, end), first, last)


def _quadratic(t: float) -> tuple[float, float, float]:
    """How much of start, knot and end is in a point of a quadratic curve."""
    return (1 - t) * (1 - t), 2 * (1 - t) * t, t * t


_SHARES = tuple(_quadratic(step / _STEPS) for step in range(_STEPS + 1))


def through(points: Sequence[Point]) -> Curve:
    """A smooth curve through two or more points (Catmull-Rom cubic)."""
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
    """The length of the curve."""
    return sum(map(dist, curve, curve[1:]))


def along(curve: Curve, way: float) -> Point:
    """The point at a distance along the curve; its end if the curve is shorter."""
    return at(curve, ways_along(curve), way)


def before_end(curve: Curve, way: float) -> Point:
    """The point at a distance before the end of the curve."""
    ways = ways_along(curve)
    return at(curve, ways, ways[-1] - way)


def trimmed(curve: Curve, first: float, last: float) -> Curve:
    """The curve without its first and last parts of these lengths; at least a third of it remains."""
    ways = ways_along(curve)
    spare = max(first + last, 0.01)
    share = min(1.0, ways[-1] * 2 / 3 / spare)
    return part(curve, ways, first * share, ways[-1] - last * share)


def part(curve: Curve, ways: Sequence[float], begin: float, end: float) -> Curve:
    """The part of the curve between these ways along it."""
    inner = curve[bisect_right(ways, begin) : bisect_left(ways, end)]
    return (at(curve, ways, begin), *inner, at(curve, ways, end))


def ways_along(curve: Curve) -> list[float]:
    """How far each point is from the beginning, along the curve."""
    return list(accumulate(map(dist, curve, curve[1:]), initial=0.0))


def at(curve: Curve, ways: Sequence[float], way: float) -> Point:
    """The point at a distance along the curve; `ways`: how far each of its points is."""
    after = bisect_left(ways, way, 1)
    if after == len(curve):
        return curve[-1]
    a, b, share = curve[after - 1], curve[after], (way - ways[after - 1]) / max(ways[after] - ways[after - 1], 1e-9)
    return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
