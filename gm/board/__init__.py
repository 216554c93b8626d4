"""The board: spaces, their borders by kind of unit, centres and names.

A *province* is what one unit occupies and one power owns (`stp`). A *location* is where a unit stands: the province, or
for a fleet in a province with two coasts the coast (`stp/sc`). Both are lower-case codes and, on a board without split
coasts, the same text. A space that is private to one power bears its owner's code behind a dot (`orb.kre`). The judge
asks a board questions and never lists it, so that a board may be infinite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, StrEnum
from typing import NewType, Protocol

Province = NewType("Province", str)
Location = NewType("Location", str)
Power = NewType("Power", str)


class UnitKind(StrEnum):
    """Kinds of unit, by the letter they are written with."""

    ARMY = "A"
    FLEET = "F"
    TRANSMITTER = "T"
    """Apparatus, not a combat unit; no board of ours lets it stand anywhere by itself, the game that has it does."""
    SHIP = "SHIP"
    """Still aloft; its place is its number."""
    ARMY_FLEET = "A/F"
    """An army aboard a fleet of its own power: two units that move as one fleet."""

    @property
    def fights(self) -> bool:
        """Whether it takes up a space and fights for it."""
        return self not in (UnitKind.TRANSMITTER, UnitKind.SHIP)

    @property
    def word(self) -> str:
        """The kind in a sentence: `army`."""
        return self.name.lower().replace("_", "/")

    @property
    def pieces(self) -> int:
        """How many units it counts as, where units are counted against centres."""
        return 2 if self is UnitKind.ARMY_FLEET else 1


class Terrain(Enum):
    """What a province is made of."""

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"
    SPACE = "space"
    """For fleets, as the sea is, and no sea."""


class Board(Protocol):
    """What the rules ask of a board. Every question is answered without listing the board."""

    name: str

    def __hash__(self) -> int:
        """Boards are compared by identity; what is built for one is kept by it."""

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
        """Where a unit of this kind could step to, in alphabetical order. An infinite board gives those of note."""

    def more(self, kind: UnitKind, at: Location) -> str:
        """What `neighbours` leaves out because there is no end of it, in words: `any other star`; "" if nothing."""

    def refuges(self, power: Power, kind: UnitKind, at: Location) -> Iterable[Location]:
        """Where a unit of this power, dislodged at `at`, may look for refuge, before the usual bars; alphabetical.

        An infinite board gives some of them, one at least that is not barred if there is any.
        """

    def is_refuge(self, power: Power, kind: UnitKind, at: Location, to: Location) -> bool:
        """Whether the place is one of those where the unit may look for refuge, given by `refuges` or not."""

    def carriers(self, fleets: Sequence[Location], origin: Province, target: Province) -> Sequence[Location]:
        """Of the spaces where fleets are, in alphabetical order, those over which an army could be convoyed between the
        provinces; of many that serve alike, and are neighbours of each other and of the same spaces, one is enough.
        """

    def coasts(self, province: Province) -> tuple[Location, ...]:
        """Where a fleet may stand in the province: `('stp/nc', 'stp/sc')`, `('lon',)`, `('nth',)`, or `()` inland."""

    def capacity(self, province: Province) -> int:
        """How many units the province holds: 1, save where a variant says otherwise."""

    def can_convoy(self, at: Location) -> bool:
        """Whether a fleet here may convoy: at sea, not in port."""

    def is_center(self, province: Province) -> bool:
        """Whether the province is a supply centre."""

    def home(self, province: Province) -> Power | None:
        """The power whose home centre this is."""

    def full_name(self, at: Location) -> str:
        """The English name: `St Petersburg (south coast)`."""


class FiniteBoard(Board, Protocol):
    """A board that can be listed: for set-up, maps, grammars and reports, never for the judge.

    An infinite board lists its centres, and of its provinces those that have names of their own.
    """

    @property
    def provinces(self) -> tuple[Province, ...]:
        """Every province."""

    @property
    def centers(self) -> tuple[Province, ...]:
        """Every supply centre."""

    @property
    def aliases(self) -> Mapping[str, Location]:
        """Every spelling in use, lower-case, single blanks, to its location: codes, abbreviations, full names.

        Without those that a game's language computes.
        """
