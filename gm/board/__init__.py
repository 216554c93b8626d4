"""The board: spaces, their borders for each kind of unit, centres and names.

A *province* is what one unit occupies and one power owns (`stp`). A *location* is where a unit is: the province, or for
a fleet in a province with two coasts the coast (`stp/sc`). Both are lower-case codes and, on a board without divided
coasts, the same text. The code of a space that is private to one power ends with a dot and its owner's code
(`orb.kre`). The judge asks a board questions and never lists it, so that a board may be infinite. The standard board is
read from `standard.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from enum import Enum
from functools import cache, partial
from importlib import resources
from types import MappingProxyType
from typing import Any, ClassVar, NewType, Protocol, Self, cast

Province = NewType("Province", str)
Location = NewType("Location", str)
Power = NewType("Power", str)


class Kind(str):
    """A name from an open list, with its properties: a game extends the list by making another instance.

    Making one with the same values again returns the same object, also when unpickled, so kinds are compared with `is`.
    """

    _made: ClassVar[dict[tuple[object, ...], Any]] = {}

    @classmethod
    def _make(cls, text: str, **known: Any) -> Self:
        key = (cls, text, *known.items())
        if key not in cls._made:
            made = str.__new__(cls, text)
            made.__dict__.update(known)
            cls._made[key] = made
        return cast("Self", cls._made[key])

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(self._make, **self.__dict__), (str(self),)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} is frozen")


class Travel(Enum):
    """How a kind of unit travels."""

    LAND = "as armies do: in provinces, over land, and by convoy"
    SEA = "as fleets do: at coasts and at sea"
    OWN = "as its game says"

    __hash__ = object.__hash__  # asked for at every border; that of Enum is four times as slow


class UnitKind(Kind):
    """A kind of unit; its text is the letter it is written with, `A`. ARMY and FLEET are those of the standard game.

    `word` is the kind in a sentence, `names` are its spellings in orders (by default the letter and the word).
    `fights`: whether it occupies a space and fights for it. `convoys`: whether it can carry armies. `pieces`: how many
    units it counts as when units are compared with centres.
    """

    word: str
    names: tuple[str, ...]
    travel: Travel
    fights: bool
    convoys: bool
    pieces: int

    ARMY: ClassVar[UnitKind]
    FLEET: ClassVar[UnitKind]

    def __new__(
        cls,
        letter: str,
        word: str,
        travel: Travel,
        names: tuple[str, ...] | None = None,
        *,
        fights: bool = True,
        convoys: bool = False,
        pieces: int = 1,
    ) -> UnitKind:
        spellings = (letter.lower(), word) if names is None else names
        return cls._make(
            letter, word=word, travel=travel, names=spellings, fights=fights, convoys=convoys, pieces=pieces
        )


UnitKind.ARMY = UnitKind("A", "army", Travel.LAND, ("a", "army", "armies", "armee"))
UnitKind.FLEET = UnitKind("F", "fleet", Travel.SEA, ("f", "fleet", "flt", "flotte"), convoys=True)


class Terrain(Enum):
    """The kind of ground of a province."""

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"
    SPACE = "space"
    """For fleets, like the sea, but not sea."""


class Board(Protocol):
    """What the rules ask of a board. Every question is answered without listing the board."""

    name: str

    def __hash__(self) -> int:
        """Boards are compared by identity; values derived from a board are cached under it."""

    def province(self, at: Location) -> Province:
        """The province a location belongs to (`stp/sc` -> `stp`). Raises KeyError for a code not on the board."""

    def exists(self, at: Location) -> bool:
        """Whether the code names a location of this board."""

    def terrain(self, province: Province) -> Terrain:
        """Inland, coast or sea."""

    def may_stand(self, kind: UnitKind, at: Location) -> bool:
        """Whether a unit of this kind can be at exactly this location (a fleet needs its coast, an army has none)."""

    def may_step(self, kind: UnitKind, origin: Location, target: Location) -> bool:
        """Whether a unit of this kind at `origin` borders `target`. Convoys are not counted."""

    def neighbours(self, kind: UnitKind, at: Location) -> Iterable[Location]:
        """Where a unit of this kind could step to, in alphabetical order. An infinite board returns only the most
        relevant ones.
        """

    def more(self, kind: UnitKind, at: Location) -> str:
        """What `neighbours` leaves out because it is infinite, in words: `any other island`; "" if nothing."""

    def refuges(self, power: Power, kind: UnitKind, at: Location) -> Iterable[Location]:
        """Where a unit of this power, dislodged at `at`, may retreat, before the usual restrictions; in alphabetical
        order.

        An infinite board returns some of them, and at least one that is allowed if there is any.
        """

    def is_refuge(self, power: Power, kind: UnitKind, at: Location, to: Location) -> bool:
        """Whether the place is one of the refuges, whether or not `refuges` returns it."""

    def carriers(self, fleets: Sequence[Location], origin: Province, target: Province) -> Sequence[Location]:
        """Of the spaces with fleets, in alphabetical order, those over which an army could be convoyed between the
        provinces. Of several interchangeable ones (neighbours of each other and of the same spaces) one is enough.
        """

    def coasts(self, province: Province) -> tuple[Location, ...]:
        """Where a fleet may be in the province: `('stp/nc', 'stp/sc')`, `('lon',)`, `('nth',)`, or `()` inland."""

    def capacity(self, province: Province) -> int:
        """How many units the province holds: 1 (ST-12), unless a variant says otherwise."""

    def can_convoy(self, at: Location) -> bool:
        """Whether a fleet here may convoy: at sea, not on a coast."""

    def is_center(self, province: Province) -> bool:
        """Whether the province is a supply centre."""

    def home(self, province: Province) -> Power | None:
        """The power whose home centre this is."""

    def full_name(self, at: Location) -> str:
        """The English name: `St Petersburg (south coast)`."""


class FiniteBoard(Board, Protocol):
    """A board that can be listed: for set-up, maps, grammars and reports, never for the judge.

    An infinite board lists its centres, and the provinces that have names of their own.
    """

    @property
    def provinces(self) -> tuple[Province, ...]:
        """Every province."""

    @property
    def centers(self) -> tuple[Province, ...]:
        """Every supply centre."""

    @property
    def aliases(self) -> Mapping[str, Location]:
        """Every spelling in use (lower case, single blanks) with its location: codes, abbreviations, full names.

        Spellings that a game's language computes are not included.
        """


# from a table


COAST_NAMES = {"nc": "north coast", "sc": "south coast", "ec": "east coast", "wc": "west coast"}


class TableBoard:
    """A finite board made from a table of provinces (the form of `standard.toml`)."""

    def __init__(self, name: str, table: Mapping[str, Mapping[str, Any]]) -> None:
        self.name = name
        self.provinces: tuple[Province, ...] = tuple(Province(code) for code in sorted(table))
        self.centers = tuple(p for p in self.provinces if "home" in table[p] or table[p].get("center", False))
        self._terrain = {p: Terrain(table[p]["terrain"]) for p in self.provinces}
        self._home = {p: Power(table[p]["home"]) for p in self.provinces if "home" in table[p]}
        self._center_set = frozenset(self.centers)
        self._steps = _borders(table)
        self._coasts = {p: tuple(at for at in self._steps[Travel.SEA] if _head(at) == p) for p in self.provinces}
        self._names = {p: str(table[p]["name"]) for p in self.provinces}
        self._province = {at: _head(at) for coasts in self._coasts.values() for at in coasts}
        self._province |= {Location(p): p for p in self.provinces}
        self.aliases: Mapping[str, Location] = MappingProxyType(_aliases(table))

    def province(self, at: Location) -> Province:
        return self._province[at]

    def exists(self, at: Location) -> bool:
        return at in self._province

    def terrain(self, province: Province) -> Terrain:
        return self._terrain[province]

    def may_stand(self, kind: UnitKind, at: Location) -> bool:
        return at in self._steps[kind.travel]

    def may_step(self, kind: UnitKind, origin: Location, target: Location) -> bool:
        return target in self._steps[kind.travel].get(origin, ())

    def neighbours(self, kind: UnitKind, at: Location) -> tuple[Location, ...]:
        return tuple(self._steps[kind.travel].get(at, ()))

    def more(self, kind: UnitKind, at: Location) -> str:  # noqa: ARG002 (there is no more)
        return ""

    def refuges(self, power: Power, kind: UnitKind, at: Location) -> tuple[Location, ...]:  # noqa: ARG002
        return self.neighbours(kind, at)

    def is_refuge(self, power: Power, kind: UnitKind, at: Location, to: Location) -> bool:
        return to in self.refuges(power, kind, at)

    def carriers(
        self,
        fleets: Sequence[Location],
        origin: Province,  # noqa: ARG002 (each may be needed)
        target: Province,  # noqa: ARG002
    ) -> Sequence[Location]:
        return fleets

    def coasts(self, province: Province) -> tuple[Location, ...]:
        return self._coasts[province]

    def capacity(self, province: Province) -> int:  # noqa: ARG002 (the same for every province)
        return 1

    def can_convoy(self, at: Location) -> bool:
        return self._terrain[self._province[at]] is Terrain.SEA

    def is_center(self, province: Province) -> bool:
        return province in self._center_set

    def home(self, province: Province) -> Power | None:
        return self._home.get(province)

    def full_name(self, at: Location) -> str:
        name = self._names[self._province[at]]
        coast = at.partition("/")[2]
        return f"{name} ({COAST_NAMES[coast]})" if coast else name

    def with_homes(self, homes: Mapping[Province, Power]) -> TableBoard:
        """The board with the home centres of another game's powers; itself, if they are these."""
        if homes == self._home:
            return self
        other = copy(self)
        other._home = dict(homes)
        return other

    def without(self, gone: Collection[Province]) -> TableBoard:
        """The board without some provinces: they have no borders, hold no units and are not centres. The borders
        between the others do not change, and all names are still understood.
        """
        less = copy(self)
        less.provinces = tuple(p for p in self.provinces if p not in gone)
        less.centers = tuple(p for p in self.centers if p not in gone)
        less._center_set = frozenset(less.centers)
        less._home = {p: power for p, power in self._home.items() if p not in gone}
        less._coasts = {p: () if p in gone else coasts for p, coasts in self._coasts.items()}
        less._steps = {
            travel: {
                at: {to: None for to in reached if self._province[to] not in gone}
                for at, reached in steps.items()
                if self._province[at] not in gone
            }
            for travel, steps in self._steps.items()
        }
        return less


def _head(at: Location) -> Province:
    return Province(at.partition("/")[0])


def _borders(table: Mapping[str, Mapping[str, Any]]) -> dict[Travel, dict[Location, dict[Location, None]]]:
    """For each way to travel, each location where a unit can be and the locations it can step to from there."""
    steps: dict[Travel, dict[Location, dict[Location, None]]] = {travel: {} for travel in Travel}
    for code, row in sorted(table.items()):
        if row["terrain"] != "sea":
            steps[Travel.LAND][Location(code)] = _row(row.get("army", ""))
        fleet = row.get("fleet", "")
        if isinstance(fleet, str):
            fleet = {"": fleet} if fleet else {}
        for coast, borders in fleet.items():
            steps[Travel.SEA][Location(f"{code}/{coast}" if coast else code)] = _row(borders)
    return steps


def _row(codes: str) -> dict[Location, None]:
    return dict.fromkeys(Location(code) for code in sorted(codes.split()))


_AS_TYPED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
"""How umlauts are written where they cannot be typed."""


def _aliases(table: Mapping[str, Mapping[str, Any]]) -> dict[str, Location]:
    spellings: dict[str, Location] = {}
    for code, row in table.items():
        names = (code, row["name"].lower(), *row.get("aliases", ()))
        for spelling in (*names, *(name.translate(_AS_TYPED) for name in names)):
            if spellings.setdefault(spelling, Location(code)) != code:
                raise ValueError(f"{spelling!r} names both {spellings[spelling]!r} and {code!r}")
    return spellings


def standard_table() -> dict[str, dict[str, Any]]:
    """The rows of the standard board by province, for boards derived from it; every caller gets a copy."""
    text = resources.files(__package__).joinpath("standard.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def standard_board() -> TableBoard:
    """The board of the standard game."""
    return TableBoard("standard", standard_table())
