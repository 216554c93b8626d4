"""What orders are drawn with: strands, which lie upon each other, as an SVG document and as pixels.

Each line differs from all others, and in a document of its own it would cost more than all other signs; so its strands
are drawn by Pillow, four times as large, and reduced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, hypot, inf

from PIL import Image

from gm.board.geography import Point
from gm.maps.arrows import along, at, length, part, ways_along
from gm.maps.glyphs import PAPER, Box, Curve, Head, Ray, Stroke, corner


@dataclass(frozen=True, slots=True)
class Strand:
    """A line of this width with round ends; filled and closed if it has none. `dashes`: how long its parts are, and the
    spaces between them.
    """

    curve: Curve
    colour: str
    width: float = 0.0
    opacity: float = 1.0
    dashes: tuple[float, float] = (inf, 0.0)

    @property
    def parts(self) -> Iterator[Curve]:
        """What is drawn of it at a time."""
        dash, step = self.dashes[0], sum(self.dashes)
        if step == inf:
            yield self.curve
            return
        ways, begin = ways_along(self.curve), 0.0
        while begin < ways[-1]:
            yield (
                part(self.curve, ways, begin, min(begin + dash, ways[-1]))
                if dash > _DOT
                else (at(self.curve, ways, begin),)
            )
            begin += step


_DOT = 1.0
"""Dashes that are not longer are dots."""


def strands(sign: Stroke | Head | Ray) -> tuple[Strand, ...]:
    """The strands of a sign, from the lowest to the highest. What is broken has failed; nothing else is broken.
    Supports are dotted, ways by sea wave, leaps zigzag.
    """
    if isinstance(sign, Head):
        return _edged(arrow(sign), sign.livery.strong, "#ffffff", 1.4)
    strong = sign.livery.strong
    if isinstance(sign, Ray):
        wedged = Strand(wedge(sign), strong, opacity=0.3 if sign.failed else 0.5)
        return (wedged, *_edged(dart(sign.chevron), "#ffffff", strong, 1.6))
    way = trail(sign)
    if sign.kind == "support":
        return Strand(way, PAPER, 6.4), Strand(way, sign.livery.fine, 4.0, dashes=(0.1, 7.0))
    dashes = _DASHES[sign.failed]
    below = Strand(way, PAPER, 7.0, 0.85), Strand(way, strong, _WIDTHS.get(sign.kind, 4.2), dashes=dashes)
    return (*below, Strand(way, "#ffffff", 1.6)) if sign.kind == "unarmed" else below


_DASHES = {True: (8.0, 7.0), False: (inf, 0.0)}
_WIDTHS = {"wave": 3.4, "leap": 3.4, "deed": 2.6}


def _edged(corners: Curve, colour: str, edge: str, width: float) -> tuple[Strand, Strand]:
    return Strand(corners, colour), Strand((*corners, corners[0]), edge, width)


# as points


def arrow(head: Head) -> Curve:
    """The corners of an arrowhead."""
    x, y = head.tip.x - head.tail.x, head.tip.y - head.tail.y
    return (
        head.tip,
        Point(head.tail.x - y * 0.55, head.tail.y + x * 0.55),
        Point(head.tail.x + y * 0.55, head.tail.y - x * 0.55),
    )


def dart(head: Head) -> Curve:
    """The corners of an arrowhead with a notch, which points one way whatever its direction."""
    tip, left, right = arrow(head)
    notch = Point(head.tail.x * 0.65 + head.tip.x * 0.35, head.tail.y * 0.65 + head.tip.y * 0.35)
    return tip, left, notch, right


def wedge(ray: Ray) -> Curve:
    """The corners of a ray, which becomes wider in its direction."""
    x, y = ray.ground.x - ray.beyond.x, ray.ground.y - ray.beyond.y
    far = max((x * x + y * y) ** 0.5, 0.1)
    across = Point(-y / far, x / far)
    above, below = (17.0, 5.0) if ray.up else (5.0, 19.0)
    corners = [(ray.beyond, above), (ray.ground, below), (ray.ground, -below), (ray.beyond, -above)]
    return tuple(Point(p.x + across.x * w, p.y + across.y * w) for p, w in corners)


def trail(stroke: Stroke) -> Curve:
    """The points of an order's line."""
    return _swinging(stroke.curve, *_SWINGS[stroke.kind]) if stroke.kind in _SWINGS else stroke.curve


_SWINGS = {
    "wave": (5.0, (0.0, 2.3, 3.2, 2.3, 0.0, -2.3, -3.2, -2.3), 2.5),
    "leap": (5.0, (0.0, 4.2, 0.0, -4.2), 4.0),
}
"""How far a line goes straight at its ends, how far beside its way each of its points is, again and again, and how far
the points are apart.
"""


def _swinging(curve: Curve, straight: float, swings: Sequence[float], step: float) -> Curve:
    """The points of a curve, moved to its sides in turn."""
    far = length(curve)
    count = max(1, int((far - 2 * straight) / step / len(swings))) * len(swings)
    points = [along(curve, straight + (far - 2 * straight) * number / count) for number in range(count + 1)]
    found = [curve[0], points[0]]
    for number, (a, b, c) in enumerate(zip(points, points[1:], points[2:], strict=False), 1):
        x, y, beside = c.x - a.x, c.y - a.y, swings[number % len(swings)]
        longest = max(hypot(x, y), 0.1)
        found.append(Point(b.x - y / longest * beside, b.y + x / longest * beside))
    return (*found, points[-1], curve[-1])


# as pixels


_FINE = 3.3
"""How many pixels to a unit a strand is drawn with at least, before it is reduced to the picture."""


def mask(strand: Strand, reach: Box, share: float) -> Image.Image:
    """What a strand covers of each pixel within these bounds; `share`: pixels to a unit."""
    finer = max(2, round(_FINE / share))
    left, top = corner(reach, share)
    size = (ceil(reach.right * share) - left) * finer, (ceil(reach.bottom * share) - top) * finer
    fine, large = share * finer, Image.new("L", size)
    pen = Image.core.draw(large.im, 0)  # type: ignore[attr-defined]  # what `ImageDraw` asks for, less its checks
    half = strand.width * fine / 2
    ink = round(255 * strand.opacity)
    x, y, wide = left * finer + 0.5, top * finer + 0.5, round(strand.width * fine)
    for curve in strand.parts:
        points = [(across * fine - x, down * fine - y) for across, down in curve]
        if not wide:
            pen.draw_polygon(points, ink, 1)
            continue
        if len(points) > 1:
            pen.draw_lines(points, ink, wide)
        for across, down in points:
            pen.draw_ellipse((across - half, down - half, across + half, down + half), ink, 1)
    return large.reduce(finer)
