"""The glyphs of a map and their colours: frozen values that the template draws and the tests measure.

Every glyph knows the box that it needs to be readable. Points and sizes are in units of the sheet, which is 1120 wide;
the generator of the outlines leaves room for the glyphs.
"""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from itertools import chain, combinations, count, islice
from math import floor
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from gm.board import Power, Travel, UnitKind
from gm.board.geography import Point
from gm.maps.letters import CAPITAL, across, tail
from gm.views import GROUNDS, NO_LOOK, Art, Emblem, Look, UnitShape, channels

Curve = tuple[Point, ...]
"""The line of an order, as points."""


# Sizes and boxes


class Size(NamedTuple):
    """Width and height of a sign's box."""

    width: float
    height: float


PIXELS = 936
"""The width of a map in a report: 2.4 pixels for each point of a phone's screen, 1.5 in a wide window's mail."""
UNIT = Size(43, 35)
"""At least 14 pixels wide on a phone, where the picture is 390 wide."""
CENTER = Size(21, 21)
MARK = Size(32, 20)
"""A sign that only some games have."""
HEAD = Size(16, 16)
"""The point of an arrow."""
BADGE = Size(18, 18)
"""The cross of an order that failed."""
DOT = Size(11, 11)  # the end of a support
NAME = 32.0
"""The height of letters: at least 11 pixels on a phone, where the picture is 390 wide."""
MARGIN = 1.5
"""The space that must stay free between two signs."""


def label_size(text: str) -> Size:
    """The box of a province's label."""
    return Size(across(text, NAME, 600) + 2, (CAPITAL + tail(text)) * NAME + 2)


class Box(NamedTuple):
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Whether the two boxes share more than an edge."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def wider(self, by: float) -> Box:
        """The box with so much more on each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


def around(middle: Point, size: Size) -> Box:
    """The box of a sign with its centre at a point."""
    width, height = size.width / 2, size.height / 2
    return Box(middle.x - width, middle.y - height, middle.x + width, middle.y + height)


def about(points: Sequence[Point], margin: float) -> Box:
    """The box of all points, with a margin."""
    across, down = [point.x for point in points], [point.y for point in points]
    return Box(min(across) - margin, min(down) - margin, max(across) + margin, max(down) + margin)


def corner(reach: Box, share: float) -> tuple[int, int]:
    """The upper left pixel of what lies within these bounds; `share`: pixels to a unit."""
    return floor(reach.left * share), floor(reach.top * share)


# Signs


class State(StrEnum):
    """The state of a unit on the map."""

    STANDING = "standing"
    NEW = "new"
    DISLODGED = "dislodged"
    GONE = "gone"
    """The unit was disbanded, removed or destroyed in this phase."""


ARMY = UnitShape("M-20.300-16H20.300V-1C20.300 8 11 13.500 0 16.500-11 13.500-20.300 8-20.300-1z", -1.5)
FLEET = UnitShape("M-20.700-4.500H20.700L14.500 16H-14.500zM-2-5V-16.700L11-11 1.500-7.500V-5z", 5.6, 19)


def shape_of(kind: UnitKind, art: Art) -> UnitShape:
    """How units of a kind are drawn."""
    return art.units.get(kind, FLEET if kind.travel is Travel.SEA else ARMY)


class _Sized:
    """A sign of one `size` around its middle."""

    __slots__ = ()
    size: ClassVar[Size]
    middle: Point

    @property
    def box(self) -> Box:
        """What it covers."""
        return around(self.middle, self.size)


@dataclass(frozen=True, slots=True)
class UnitSign(_Sized):
    """A unit."""

    size = UNIT

    shape: UnitShape
    middle: Point
    livery: Livery
    state: State = State.STANDING

    @property
    def layers(self) -> tuple[tuple[str, object], ...]:
        """What it consists of, each with its kind: a badge below or upon a unit as it stands everywhere."""
        if self.state not in (State.DISLODGED, State.NEW):
            return (("unit", self),)
        unit, badge = ("unit", replace(self, state=State.STANDING)), ("badge", Badge(self.middle, self.state))
        return (unit, badge) if self.state is State.NEW else (badge, unit)


@dataclass(frozen=True, slots=True)
class Badge:
    """What says that a unit is dislodged, or new."""

    middle: Point
    state: State


@dataclass(frozen=True, slots=True)
class CenterSign(_Sized):
    """A supply centre; unowned if `livery` is None."""

    size = CENTER

    middle: Point
    livery: Livery | None


@dataclass(frozen=True, slots=True)
class Label:
    """A province's name. `tone` is `land`, `sea` or `dark` (on a dark ground); `ground` is the colour below it, which
    its edge has; "" for that of the tone.
    """

    text: str
    middle: Point
    tone: str
    ground: str = ""

    @property
    def box(self) -> Box:
        return around(self.middle, label_size(self.text))

    @property
    def line(self) -> float:
        """Where its letters stand."""
        return self.middle.y + (CAPITAL - tail(self.text)) / 2 * NAME


@dataclass(frozen=True, slots=True)
class MarkSign:
    """A sign that only some games have."""

    emblem: Emblem
    middle: Point
    livery: Livery | None

    @property
    def box(self) -> Box:
        """What it covers."""
        return around(self.middle, Size(self.emblem.width, MARK.height))


@dataclass(frozen=True, slots=True)
class Stroke:
    """The line of an order. `kind` is `move`, `unarmed` (of a unit that does not fight), `support`, `wave` (a way by
    sea), `leap`, or `deed` (to the place that a game's own order names).
    """

    kind: str
    curve: Curve
    livery: Livery
    failed: bool = False

    @property
    def reach(self) -> Box:
        """What is drawn lies within it."""
        return about(self.curve, 9 if self.kind in ("wave", "leap") else 5)


@dataclass(frozen=True, slots=True)
class Head:
    """An arrowhead, pointing from `tail` to `tip`."""

    tip: Point
    tail: Point
    livery: Livery

    @property
    def box(self) -> Box:
        return around(Point((self.tip.x + self.tail.x) / 2, (self.tip.y + self.tail.y) / 2), HEAD)

    @property
    def reach(self) -> Box:
        """What is drawn lies within it."""
        return about((self.tip, self.tail), 10)


@dataclass(frozen=True, slots=True)
class Dot(_Sized):
    """The dot where a support line meets what it supports."""

    size = DOT

    middle: Point
    livery: Livery


@dataclass(frozen=True, slots=True)
class Cross(_Sized):
    """The cross of an order that failed."""

    size = BADGE

    middle: Point


@dataclass(frozen=True, slots=True)
class _Around(_Sized):
    """What is drawn around a unit."""

    size = Size(59, 51)

    middle: Point
    livery: Livery


@dataclass(frozen=True, slots=True)
class Ring(_Around):
    """A ring around a fleet that was ordered to convoy, in the colour of the army's power."""


@dataclass(frozen=True, slots=True)
class Hold(_Around):
    """An octagon around a unit that holds."""


@dataclass(frozen=True, slots=True)
class DeedSign(_Around):
    """A frame around a unit that does in its place what only its game knows."""

    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Standoff(_Sized):
    """A star where several units tried to go and none came."""

    size = BADGE

    middle: Point


@dataclass(frozen=True, slots=True)
class Trace(_Sized):
    """The place that a unit moved away from."""

    size = Size(14, 14)

    middle: Point
    livery: Livery


@dataclass(frozen=True, slots=True)
class Ray:
    """A line between the map and a place beyond the sheet, which is represented by a sign near by. `up`: it leaves the
    sheet.
    """

    beyond: Point
    ground: Point
    livery: Livery
    failed: bool = False
    up: bool = False

    @property
    def chevron(self) -> Head:
        """The arrowhead in the middle of the line that shows its direction."""
        start, end = (self.ground, self.beyond) if self.up else (self.beyond, self.ground)

        def between(share: float) -> Point:
            return Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)

        return Head(between(0.64), between(0.4), self.livery)

    @property
    def box(self) -> Box:
        return around(self.beyond, Size(46, 27))

    @property
    def reach(self) -> Box:
        """What is drawn lies within it."""
        return about((self.beyond, self.ground), 21)


Sign = UnitSign | CenterSign | Label | MarkSign | Standoff | Head | Dot | Cross | Ray
"""A sign that must be readable: no two of them overlap."""


# colours


LAND, SEA = GROUNDS["land"], GROUNDS["water"]
NOT_PLAYED = "#e2ded3"
BORDERS = {"sea": "#8fb0c4", "land": "#7a6c58", "shore": "#4d6373"}
SEA_INK = "#3c637d"
"""For the names of seas."""
PAPER = "#fffdf7"
"""The ground of the legend."""
INK = "#22262b"
ALARM = "#b3001b"
GAIN = "#1b6e3c"

NO_CODES: Mapping[Power, str] = MappingProxyType({})
NO_LOOKS: Mapping[Power, Look] = MappingProxyType({})

_FIRST = (
    *("#d55e00", "#0064a8", "#5cb6e8", "#4b4b4b", "#009e73", "#b4659e", "#e8c81c"),
    *("#8523e7", "#81310e", "#89c95e", "#0e0e81", "#8e75f0", "#46165a", "#91f3a4", "#7c9852", "#c99cb2"),
)
"""Each is as far from those before it as can be, and from bare land and the sea, for eyes of every kind."""
_KINDS = "af"
"""The initials that mean an army and a fleet in orders."""
_FEW = 2
TINT = 0.46
"""How much of a power's colour its land has."""
_GOLDEN = 0.618034


@dataclass(frozen=True, slots=True)
class Livery:
    """The colours of a power: of its units, the tint of its land, the text on either, and its letters."""

    strong: str
    tint: str
    ink: str
    tag: str
    letter: str = ""
    """One letter, for what is too small for more, such as a centre; "" if several powers would have it."""

    @property
    def fine(self) -> str:
        """For what is thin: as dark as it must be to show on any ground, the power's own included."""
        return blend(INK, self.strong, max(0.0, min(0.75, _brightness(self.strong) / 204 - 0.35)))


STRANGER = Livery("#a59c84", "#d1c9b5", "#000000", "")
"""For units that belong to no power of the game."""


def liveries(
    powers: Sequence[Power], codes: Mapping[Power, str] = NO_CODES, looks: Mapping[Power, Look] = NO_LOOKS
) -> dict[Power, Livery]:
    """One for each power of a game, in the game's order. `codes` are the codes that players know, `looks` what the game
    says of them. Powers without a colour of their own get those that no other has.
    """
    return dict(_liveries(tuple(powers), tuple(codes.items()), tuple(looks.items())))


@lru_cache(maxsize=64)
def _liveries(
    powers: tuple[Power, ...], codes: tuple[tuple[Power, str], ...], looks: tuple[tuple[Power, Look], ...]
) -> Mapping[Power, Livery]:
    marks, known = tags(powers, dict(codes)), dict(looks)
    own = {power: known[power] for power in powers if power in known}
    taken = {look.colour.lower() for look in own.values()}
    free = (colour for colour in _colours() if colour not in taken)
    found = {}
    for power in powers:
        look = own.get(power, NO_LOOK)
        strong = look.colour.lower() or next(free)
        found[power] = Livery(strong, blend(strong, LAND, TINT), _ink(strong), look.letter or marks[power])
    firsts = Counter(livery.tag[:1].casefold() for livery in found.values())
    alone = (power for power, livery in found.items() if firsts[livery.tag[:1].casefold()] == 1)
    return found | {power: replace(found[power], letter=found[power].tag[:1]) for power in alone}


def colours(powers: Sequence[Power], looks: Mapping[Power, Look] = NO_LOOKS) -> dict[Power, str]:
    """The colour of each power of a game, as its units have it on the map."""
    return {power: livery.strong for power, livery in liveries(powers, looks=looks).items()}


@cache
def palette(number: int) -> tuple[str, ...]:
    """The first colours that powers without a colour of their own get."""
    return tuple(islice(_colours(), number))


def _colours() -> Iterator[str]:
    yield from _FIRST
    for number in count():
        red, green, blue = colorsys.hls_to_rgb(number * _GOLDEN % 1, (0.34, 0.66, 0.5)[number % 3], 0.62)
        yield f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def tags(powers: Sequence[Power], codes: Mapping[Power, str] = NO_CODES) -> dict[Power, str]:
    """The letters on units of each power: its initial; where powers share one, or it means a kind of unit in orders,
    their codes, or three letters, the first ones unless another power has them.

    If more than a few powers share initials, no power has a single letter.
    """
    names = {power: "".join(filter(str.isalnum, power.removeprefix("the "))) or power for power in powers}
    initials = Counter(name[:1].casefold() for name in names.values())
    shared = {power for power, name in names.items() if initials[name[:1].casefold()] > 1}
    kinds = {power for power, name in names.items() if name[:1].casefold() in _KINDS}
    if len(shared) > _FEW:
        shared = set(names)
    shared |= kinds
    given = {power: codes[power] if power in shared and power in codes else "" for power in powers}
    taken = {code.casefold() for code in given.values()}
    found = {}
    for power, name in names.items():
        written = chain([name[:1]] if power not in shared else (), of_three(name))
        tag = given[power] or next((one for one in written if one.casefold() not in taken), "")
        taken.add(tag.casefold())
        found[power] = tag.capitalize()
    if all(found.values()):
        return found
    return {power: str(number) for number, power in enumerate(names, 1)}


def of_three(name: str) -> Iterator[str]:
    """Three letters for a name, at most: its first ones, or the first with two that follow later."""
    yield name[:3]
    yield from ("".join((name[:1], *rest)) for rest in combinations(name[1:], 2))


@lru_cache(maxsize=4096)
def blend(colour: str, ground: str, share: float) -> str:
    """The colour that results from laying `colour` over `ground` with the opacity `share`."""
    both = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in both)


def _ink(ground: str) -> str:
    """White or black, whichever stands out more: by at least 4.58 to 1 on any ground."""
    return max(("#ffffff", "#000000"), key=lambda ink: contrast(ink, ground))


def contrast(one: str, other: str) -> float:
    """How much two colours stand out from each other, from 1 to 21 (WCAG 2.2, contrast ratio)."""
    light, dark = sorted(map(_luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=4096)
def _luminance(colour: str) -> float:
    parts = [value / 255 for value in channels(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _brightness(colour: str) -> float:
    red, green, blue = channels(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue
