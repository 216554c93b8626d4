"""How large the signs of a map are, in units of its sheet, which is 1120 wide.

Place: beside the scene that sets the signs; the generator of the outlines keeps room for them.
"""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """Width and height of a sign's box."""

    width: float
    height: float


UNIT = Size(29, 25)
CENTER = Size(17, 17)
MARK = Size(26, 16)
"""Flags of colonies, transmitters, ships: what only some games have."""
HEAD = Size(13, 13)
"""The point of an arrow."""
BADGE = Size(14, 14)
"""The cross of an order that failed."""
DOT = Size(9, 9)
"""The end of a support."""
LABEL_HEIGHT = 13.0
"""The height of capitals, with the room a label needs above and below."""
LETTER_WIDTH = 10.6
"""The room of one letter of a label."""
MARGIN = 1.5
"""What stays free between two signs."""


def label_size(text: str) -> Size:
    """The box of a province's label."""
    return Size(LETTER_WIDTH * len(text), LABEL_HEIGHT)
