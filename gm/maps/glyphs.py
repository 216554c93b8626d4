"""What stands and runs on a map: frozen values that the template draws and the tests measure.

Every sign knows the box that it needs to be read. Points are in units of the sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gm.board.geometry import Point
from gm.maps.boxes import Box, around
from gm.maps.colours import Livery
from gm.maps.curves import Curve
from gm.maps.sizes import BADGE, CENTER, DOT, HEAD, MARK, UNIT, Size, label_size


class State(StrEnum):
    """How a unit is on the board."""

    STANDING = "standing"
    NEW = "new"
    DISLODGED = "dislodged"
    GONE = "gone"
    """It was disbanded, removed or destroyed in this phase."""


@dataclass(frozen=True, slots=True)
class UnitSign:
    """A unit: `shape` is `A`, `F` or `T`."""

    shape: str
    middle: Point
    livery: Livery
    state: State = State.STANDING

    @property
    def box(self) -> Box:
        return around(self.middle, UNIT)


@dataclass(frozen=True, slots=True)
class CenterSign:
    """A supply centre; without a livery nobody owns it."""

    middle: Point
    livery: Livery | None

    @property
    def box(self) -> Box:
        return around(self.middle, CENTER)


@dataclass(frozen=True, slots=True)
class Label:
    """A province's name. `tone` is `land`, `sea` or `dark` (on a dark ground)."""

    text: str
    middle: Point
    tone: str

    @property
    def box(self) -> Box:
        return around(self.middle, label_size(self.text))


@dataclass(frozen=True, slots=True)
class MarkSign:
    """What only some games have: `shape` is `flag`, `dish`, `craft` or `mask`."""

    shape: str
    middle: Point
    livery: Livery | None

    @property
    def box(self) -> Box:
        return around(self.middle, MARK)


@dataclass(frozen=True, slots=True)
class Stroke:
    """The line of an order. `kind` is `move`, `support`, `wave` (a way by sea) or `beam`."""

    kind: str
    curve: Curve
    livery: Livery
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The point of an arrow, flying from `tail` to `tip`."""

    tip: Point
    tail: Point
    livery: Livery

    @property
    def box(self) -> Box:
        return around(Point((self.tip.x + self.tail.x) / 2, (self.tip.y + self.tail.y) / 2), HEAD)


@dataclass(frozen=True, slots=True)
class Dot:
    """Where a support touches what it supports."""

    middle: Point
    livery: Livery

    @property
    def box(self) -> Box:
        return around(self.middle, DOT)


@dataclass(frozen=True, slots=True)
class Cross:
    """An order that failed."""

    middle: Point

    @property
    def box(self) -> Box:
        return around(self.middle, BADGE)


@dataclass(frozen=True, slots=True)
class Ring:
    """Round a fleet that was ordered to convoy, in the colour of the army's power."""

    middle: Point
    livery: Livery


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a unit that moved away stood."""

    middle: Point
    livery: Livery


@dataclass(frozen=True, slots=True)
class Ray:
    """A beam between a craft and the ground: the craft's place, the ground's, and where it leads."""

    craft: Point
    ground: Point
    livery: Livery
    failed: bool = False

    @property
    def box(self) -> Box:
        return around(self.craft, Size(34, 20))


Sign = UnitSign | CenterSign | Label | MarkSign | Head | Dot | Cross | Ray
"""A sign that must be readable: no two of them overlap."""
