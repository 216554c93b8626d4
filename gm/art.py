"""How a map draws what only some games have: said by the variant, drawn by `gm.maps`.

Signs are SVG round their middle, in units of the sheet: some 26 across and 16 high. In them stand {strong} for the
colour of the sign's power (white for nobody's), {edge} for the same where lines are drawn (ink for nobody's), {letters}
for the colour of letters on it, {tag} for the power's letters, and {ink} for the colour of outlines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from gm.board import UnitKind


@dataclass(frozen=True, slots=True)
class Surface:
    """What a mark does to the ground of its province.

    `striped` in the colour of the mark's power; or filled with `paint`, an SVG paint whose definition is in `defs`, on
    which names are written in `tone`: `land` or `dark`.
    """

    striped: bool = False
    paint: str = ""
    defs: str = ""
    tone: str = "land"


@dataclass(frozen=True, slots=True)
class Emblem:
    """A kind of mark: its sign ("" for none), and what the legend says of it, with a sample in SVG beside it."""

    meaning: str = ""
    sign: str = ""
    sample: str = ""
    ground: Surface = Surface()


@dataclass(frozen=True, slots=True)
class UnitShape:
    """The outline of a unit, 29 by 25, as an SVG path; how far below the middle its letters stand, and their size."""

    path: str
    letters: float = 0.0
    size: float = 17.0


class Picture(Protocol):
    """A picture ready to be drawn. `template` names the file in `templates/maps/` that draws it as `picture`."""

    template: ClassVar[str]

    @property
    def title(self) -> str:
        """What it shows: `Fall 1901: moves`."""

    @property
    def width(self) -> float:
        """In its own units."""


@dataclass(frozen=True)
class Art:
    """What a game's maps have that those of the standard game have not.

    `units`: the shapes of its own kinds of unit, where they are not those of armies (or of fleets, for kinds that
    travel as these). What the legend calls moves that cross no border: `leap` on the sheet, `arrival` from beyond it
    and `departure`. `unarmed`: what it calls moves of units that do not fight. `beyond`: the sign where units are that
    come from, or go, beyond the sheet. `picture`: draws a `View` whose board is not on the sheet at all. `near`: of
    more powers than these it shows those near the reader; None where all who see the same get the same picture.
    """

    units: Mapping[UnitKind, UnitShape] = field(default_factory=lambda: MappingProxyType({}))
    leap: str = "leaps"
    arrival: str = "comes"
    departure: str = "leaves"
    unarmed: str = "unarmed"
    beyond: str = (
        '<ellipse cy="2.500" rx="15.500" ry="5.500" fill="{strong}" stroke="{ink}" stroke-width="1.200"/>'
        '<path d="M-7-.5A7 8 0 0 1 7-.5z" fill="#eef6fb" stroke="{ink}" stroke-width="1.200"/>'
        '<text class="tag" font-size="8.500" y="5.600" fill="{letters}">{tag}</text>'
    )
    picture: Callable[[Any], Picture] | None = None
    near: int | None = None


PLAIN = Art()
"""Of games whose maps have nothing of their own."""
