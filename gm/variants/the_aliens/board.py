"""Europe as it lies before the aliens: Switzerland is passable and no centre is anybody's home.

Beside the provinces of the map there are places off it: the star system from which a race's reserves come, private to
it (`home.alpha`; players write `HOME`), and the numbers of ships still aloft.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

from gm.board import Board, Location, Power, Province, Terrain, Travel, UnitKind
from gm.board.standard import TableBoard, standard_table
from gm.errors import Ambiguous, IllegalOrder
from gm.orders.notation import PRIVATE, short

TRANSMITTER = UnitKind("T", "transmitter", Travel.LAND, ("t", "transmitter", "transmitters"), fights=False)
"""It goes where an army could (AL-8), and shares spaces."""

SHIP = UnitKind("SHIP", "ship", Travel.OWN, (), fights=False)
"""Still aloft; its place is its number."""

HOME = Location("home")
"""What players write for their own star system."""

CROWD = 1 << 16
"""More units than can ever be at home."""

_SWITZERLAND: dict[str, Any] = {
    "name": "Switzerland",
    "terrain": "inland",
    "army": "bur mar mun pie tyr",
    "aliases": ["swz", "sui", "alps"],
}


def home_of(power: Power) -> Location:
    """The star system of a race, where its reserves are."""
    return Location(f"{HOME}{PRIVATE}{power_code(power)}")


def power_code(power: str) -> str:
    """A race's name as a code: `the third fleet` -> `thethirdfleet`."""
    return "".join(letter for letter in power.casefold() if letter.isalnum())


def is_home(at: Location) -> bool:
    """Whether a place is somebody's star system."""
    return at.partition(PRIVATE)[0] == HOME


def coast_for_fleet(board: Board, to: Location, prefix: str) -> Location:
    """Where a fleet comes out of a transmitter. Raises IllegalOrder, Ambiguous; `prefix` is for remedies."""
    coasts = board.coasts(board.province(to))
    if not coasts:
        raise IllegalOrder(f"No fleet can be in {short(to)}: it has no coast.", "An army can.")
    if to in coasts:
        return to
    if len(coasts) > 1:
        choices = " or ".join(prefix + short(coast) for coast in coasts)
        raise Ambiguous(f"{prefix}{short(to)} does not say which coast.", f"Write {choices}.")
    return coasts[0]


class AlienBoard(TableBoard):
    """The standard table with Switzerland, and the places off the map."""

    def __init__(self) -> None:
        super().__init__("the-aliens", _table())
        self.aliases = {**self.aliases, "home": HOME, "home system": HOME, "home star": HOME}

    def province(self, at: Location) -> Province:
        return Province(at) if _is_off_map(at) else super().province(at)

    def exists(self, at: Location) -> bool:
        return _is_off_map(at) or super().exists(at)

    def terrain(self, province: Province) -> Terrain:
        return Terrain.INLAND if _is_off_map(Location(province)) else super().terrain(province)

    def coasts(self, province: Province) -> tuple[Location, ...]:
        return () if _is_off_map(Location(province)) else super().coasts(province)

    def capacity(self, province: Province) -> int:
        return CROWD if is_home(Location(province)) else 1

    def can_convoy(self, at: Location) -> bool:
        return not _is_off_map(at) and super().can_convoy(at)

    def full_name(self, at: Location) -> str:
        if is_home(at):
            return "Home"
        return at if _is_off_map(at) else super().full_name(at)

    @cached_property
    def lands(self) -> tuple[Province, ...]:
        """The provinces on which ships can land."""
        return tuple(p for p in self.provinces if self.terrain(p) is not Terrain.SEA)


def _is_off_map(at: Location) -> bool:
    return is_home(at) or at.isdecimal()


def _table() -> dict[str, dict[str, Any]]:
    table = standard_table()
    for row in table.values():
        row.pop("home", None)
    table["swi"] = _SWITZERLAND
    for code in _SWITZERLAND["army"].split():
        table[code]["army"] += " swi"
    return table


@cache
def alien_board() -> AlienBoard:
    """The board of the game."""
    return AlienBoard()
