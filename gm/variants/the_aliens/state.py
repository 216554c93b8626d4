"""What a position of this game contains besides units and centres, how many ships there are (AL-1), and the board.

The state in JSON: `races`, in the order of their seats; `transmitters`, as `Alpha T spa`; `spared`, the provinces with
a unit that came by transmitter and so has not yet destroyed the transmitters of others there (AL-9); in the first year
`waiting`, the races whose army in reserve has not come yet (AL-4).

The board is Europe without home centres, and with Switzerland passable. Besides the provinces of the map it has places
off the map: the star system from which a race's reserves come, private to it (`home.alpha`; players write `HOME`), and
the numbers of ships still aloft.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from gm.board import Board, Location, Power, Province, TableBoard, Terrain, Travel, UnitKind, standard_table
from gm.errors import Ambiguous, NotUnderstood
from gm.orders.notation import PRIVATE, short
from gm.position import STANDARD_KINDS, Kinds, PhaseKind, Position, Unit, parse_unit, texts_in
from gm.variants.game_file import packaged

TRANSMITTER = UnitKind(
    "T", "transmitter", Travel.LAND, ("t", "transmitter", "transmitters", "transmetteur", "transmetteurs"), fights=False
)
"""It moves like an army (AL-8), and shares spaces."""

SHIP = UnitKind("SHIP", "ship", Travel.OWN, (), fights=False)
"""A ship still aloft; its place is its number."""

HOME = Location("home")
"""What players write for their own star system."""

CROWD = 1 << 16
"""More units than a race can ever have in reserve."""

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
    """A race's name as a code: `the third fleet` -> `thethirdfleet`, `Ünion` -> `union`."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", power.casefold()) if letter.isalnum())


def is_home(at: Location) -> bool:
    """Whether a place is somebody's star system."""
    return at.partition(PRIVATE)[0] == HOME


def coast_for_fleet(board: Board, to: Location, prefix: str) -> Location:
    """The exact place where a fleet leaves a transmitter. Raises IllegalOrder, Ambiguous; `prefix` is for remedies."""
    coasts = board.coasts(board.province(to))
    if not coasts:
        raise SAYS.refusal("no coast", to=to)
    if to in coasts:
        return to
    if len(coasts) > 1:
        raise SAYS.refusal(
            "which coast", Ambiguous, to=prefix + short(to), ways=[prefix + short(one) for one in coasts]
        )
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


# What the position keeps


LANDING = PhaseKind("landing", prompt=":", deed="where it lands", order="a list such as SHIP 1: {place}, {other}")
"""The phase before the first season: each ship is given a list of places where it may land."""

KINDS = Kinds(units=(*STANDARD_KINDS.units, TRANSMITTER, SHIP), phases=(*STANDARD_KINDS.phases, LANDING))

FILE = packaged("the-aliens")
"""The game as data."""

SAYS = FILE.says(KINDS)

FIRST_YEAR = FILE.begins.year + 1


@dataclass(frozen=True, slots=True)
class State:
    """The races, their transmitters, and the provinces where transmitters are spared this season.

    `waiting`: the races whose army in reserve has not come yet, in the first year; None if that is not recorded.
    """

    races: tuple[Power, ...]
    transmitters: tuple[Unit, ...] = ()
    spared: frozenset[Province] = frozenset()
    waiting: frozenset[Power] | None = None

    @classmethod
    def of(cls, position: Position) -> State:
        """Read the state of a position. Raises NotUnderstood for one of another game, or a malformed one."""
        extra = position.extra
        races = extra.get("races")
        if not isinstance(races, list | tuple) or not all(isinstance(race, str) and race.strip() for race in races):
            raise SAYS.refusal("races", NotUnderstood, races=repr(races))
        if len(races) > (FILE.naming.most or 0):
            raise SAYS.refusal("too many races", NotUnderstood, number=len(races))
        powers = tuple(map(Power, races))
        pieces = tuple(_transmitter(powers, text) for text in texts_in(extra, "transmitters", bool))
        waiting = frozenset(map(Power, texts_in(extra, "waiting", powers.__contains__))) if "waiting" in extra else None
        spared = texts_in(extra, "spared", alien_board().provinces.__contains__)
        return cls(powers, pieces, frozenset(map(Province, spared)), waiting)

    def to_json(self) -> Mapping[str, Any]:
        """The canonical value: equal states give equal values."""
        value: dict[str, Any] = {
            "races": list(self.races),
            "transmitters": [str(piece) for piece in in_order(self.transmitters)],
            "spared": sorted(self.spared),
        }
        return value if self.waiting is None else value | {"waiting": sorted(self.waiting)}

    def with_transmitters(self, pieces: Iterable[Unit]) -> State:
        """The same with these transmitters."""
        return replace(self, transmitters=in_order(pieces))

    def transmitters_of(self, power: Power) -> tuple[Unit, ...]:
        """The race's transmitters; equal ones share a space."""
        return tuple(piece for piece in self.transmitters if piece.power == power)

    def transmitters_in(self, province: Province, power: Power | None = None) -> list[Unit]:
        """Those there, of the race or of any."""
        return [p for p in self.transmitters if province_of(p) == province and power in (None, p.power)]


def in_order(pieces: Iterable[Unit]) -> tuple[Unit, ...]:
    """Pieces sorted by race and place."""
    return tuple(sorted(pieces, key=lambda piece: (piece.power, piece.at, piece.kind)))


def _transmitter(powers: tuple[Power, ...], text: Any) -> Unit:
    try:
        piece = parse_unit(str(text), KINDS)
    except ValueError as error:
        raise SAYS.refusal("no unit", NotUnderstood, error=error) from None
    if piece.kind is not TRANSMITTER or piece.power not in powers:
        raise SAYS.refusal("nobody's transmitter", NotUnderstood, text=repr(text))
    if not alien_board().may_stand(piece.kind, piece.at):
        raise SAYS.refusal("not on land", NotUnderstood, text=repr(text))
    return piece


def province_of(piece: Unit) -> Province:
    """The province of a transmitter; it is never on a coast."""
    return Province(piece.at)


# Ships and units


def ships_each(races: int) -> int:
    """The number of ships of each race, by the number of races (AL-1)."""
    return FILE.numbers["ships_of_2" if races == 2 else "ships_to_5" if races <= 5 else "ships_of_more"]


def starting_units(races: int) -> int:
    """The number of armies of each race at the beginning: one for each ship, and one in reserve if it has only one
    ship.
    """
    return max(2, ships_each(races))


def ships_of(state: State, power: Power) -> tuple[Unit, ...]:
    """The ships of a race while they are aloft."""
    return tuple(Unit(power, SHIP, Location(str(n + 1))) for n in range(ships_each(len(state.races))))


def units_on_board(position: Position, power: Power) -> int:
    """The number of the race's armies and fleets, including dislodged ones."""
    return len(position.units_of(power)) + len(position.dislodged_of(power))
