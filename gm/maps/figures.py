"""What a flat picture consists of, for boards that are not on the sheet: shapes around a point, and words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gm.board.geography import Point
from gm.maps.glyphs import Box

WIDTH = 780
"""The width of the picture in a report, in pixels: two for each point of a phone's screen, 115 per inch on paper."""
STRONG = "currentColor"
"""Stands in a shape for the strong colour of its figure."""


def sharp(point: Point, width: float) -> Point:
    """The nearest point of a picture this wide that is the corner of a pixel in a report. Equal signs in such places
    are equal pixel by pixel.
    """
    share = WIDTH / width
    return Point(round(point.x * share) / share, round(point.y * share) / share)


@dataclass(frozen=True, slots=True)
class Shape:
    """A path with its fill and its line; `dash` is in SVG's notation."""

    path: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    dash: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A text in its place, of this height; `anchor` as SVG writes it; `edge`: the colour around its letters."""

    middle: Point
    text: str
    height: float
    fill: str
    anchor: str = "middle"
    edge: str = "none"
    weight: int = 600

    @property
    def colours(self) -> tuple[str, ...]:
        """Its colours."""
        return (self.fill,) if self.edge == "none" else (self.fill, self.edge)

    @property
    def covered(self) -> Box:
        """What covers it."""
        across = self.height * 0.65 * len(self.text)
        left = self.middle.x - across * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return Box(left - 5, self.middle.y - self.height - 3, left + across + 5, self.middle.y + self.height / 2 + 3)


@dataclass(frozen=True)
class Form:
    """Shapes, with smaller figures and words upon them, measured from a middle; `bounds` cover them all. Those that
    differ only in their strong colour are drawn once for all. The words have no edge. `upon`: the colour of the paper,
    if nothing else lies below: so they hide it, which is quicker.
    """

    shapes: tuple[Shape, ...]
    bounds: Box
    strong: str = "none"
    words: tuple[Words, ...] = ()
    parts: tuple[Figure, ...] = ()
    upon: str = ""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.shapes, self.strong, self.words, self.parts))


@dataclass(frozen=True, slots=True)
class Figure:
    """A form in its place."""

    middle: Point
    form: Form
