"""Rectangles on the sheet, and what they tell: whether a sign covers another."""

from __future__ import annotations

from typing import NamedTuple

from gm.board.geometry import Point
from gm.maps.sizes import Size


class Box(NamedTuple):
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Whether the two have more than an edge in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def around(middle: Point, size: Size) -> Box:
    """The box of a sign that stands at a point."""
    width, height = size.width / 2, size.height / 2
    return Box(middle.x - width, middle.y - height, middle.x + width, middle.y + height)
