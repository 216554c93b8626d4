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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from gm.board import (
    Board,
    FiniteBoard,
    Location,
    Power,
    Province,
    TableBoard,
    Terrain,
    Travel,
    UnitKind,
    standard_table,
)
from gm.errors import Ambiguous, IllegalOrder, NotUnderstood
from gm.judge.retreats_and_adjustments import distance
from gm.orders.notation import PRIVATE, short
from gm.position import STANDARD_KINDS, Kinds, Phase, PhaseKind, Position, Season, Unit, parse_unit, texts_in

TRANSMITTER = UnitKind("T", "transmitter", Travel.LAND, ("t", "transmitter", "transmitters"), fights=False)
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
        raise IllegalOrder(f"No fleet can be in {short(to)}: it has no coast.", "An army can.")
    if to in coasts:
        return to
    if len(coasts) > 1:
        choices = " or ".join(prefix + short(coast) for coast in coasts)
        raise Ambiguous(f"{prefix}{short(to)}: which coast?", f"Write {choices}.")
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

MOST_RACES = 13
"""Thirteen ships can stand so that no land is left for a fourteenth; twelve always leave some (AL-1)."""

LANDING_YEAR = 2050
FIRST_YEAR = 2051


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
            raise NotUnderstood(f"'races' in the state is {races!r}.", 'Write {"races": ["Alpha", "Beta"]}.')
        if len(races) > MOST_RACES:
            raise NotUnderstood(f"'races' in the state are {len(races)}; thirteen can play (AL-1).")
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

    def holds_transmitter(self, province: Province) -> bool:
        """Whether any race has a transmitter there."""
        return any(province_of(piece) == province for piece in self.transmitters)


def in_order(pieces: Iterable[Unit]) -> tuple[Unit, ...]:
    """Pieces sorted by race and place."""
    return tuple(sorted(pieces, key=lambda piece: (piece.power, piece.at, piece.kind)))


def _transmitter(powers: tuple[Power, ...], text: Any) -> Unit:
    try:
        piece = parse_unit(str(text), KINDS)
    except ValueError as error:
        raise NotUnderstood(f"In 'transmitters': {error}.") from None
    if piece.kind is not TRANSMITTER or piece.power not in powers:
        raise NotUnderstood(f"In 'transmitters': {text!r} is no transmitter of a race.", "Write 'Alpha T spa'.")
    if not alien_board().may_stand(piece.kind, piece.at):
        raise NotUnderstood(f"In 'transmitters': {text!r} is not on land.", "Write 'Alpha T spa'.")
    return piece


def province_of(piece: Unit) -> Province:
    """The province of a transmitter; it is never on a coast."""
    return Province(piece.at)


# Ships and units


def ships_each(races: int) -> int:
    """The number of ships of each race, by the number of races (AL-1)."""
    return 3 if races == 2 else 2 if races <= 5 else 1


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


# supply


BONUS: Mapping[int, int] = MappingProxyType({2052: 2, 2053: 1})
"""Units that the home worlds supply in addition to the number of centres, by game year."""

MOST_TRANSMITTERS = 4


def supply_year(phase: Phase) -> int:
    """The game year whose allowance applies in the phase: in Winter the next one's (AL-4)."""
    return phase.year + 1 if phase.season is Season.WINTER else phase.year


def kinds_to_come(position: Position) -> tuple[UnitKind, ...]:
    """The kinds of unit that may arrive: in the first year only armies."""
    return (UnitKind.ARMY,) if supply_year(position.phase) <= FIRST_YEAR else (UnitKind.ARMY, UnitKind.FLEET)


@dataclass(frozen=True, slots=True)
class Leaving:
    """Units that exceed the supply: `bound` are removed in any case, and `rest` (a number) of those in `choice`, which
    are equally near.
    """

    bound: tuple[Unit, ...] = ()
    choice: tuple[Unit, ...] = ()
    rest: int = 0

    @property
    def all(self) -> tuple[Unit, ...]:
        """Every unit that may be removed, the nearest first."""
        return (*self.bound, *self.choice)


@dataclass(frozen=True, slots=True)
class Supply:
    """The allowances of one edition of the rules.

    `in_first_year(position, power)`: the number of units and of transmitters that the race may have in 2051.
    `transmitters_for(units)`: the number of transmitters for an allowance of this many units, before the limit of four.
    """

    in_first_year: Callable[[Position, Power], tuple[int, int]]
    transmitters_for: Callable[[int], int]

    def units_allowed(self, position: Position, power: Power) -> int:
        """The number of armies and fleets that the race may have now."""
        year = supply_year(position.phase)
        if year <= FIRST_YEAR:
            return self.in_first_year(position, power)[0]
        return len(position.centers_of(power)) + BONUS.get(year, 0)

    def transmitters_allowed(self, position: Position, power: Power) -> int:
        """The number of transmitters that the race may have now; none without a centre, whatever the bonus."""
        if supply_year(position.phase) <= FIRST_YEAR:
            return self.in_first_year(position, power)[1]
        if not position.centers_of(power):
            return 0
        return min(MOST_TRANSMITTERS, self.transmitters_for(self.units_allowed(position, power)))

    def units_to_come(self, position: Position, power: Power) -> int:
        """The number of units that the race has in reserve; if negative, its surplus."""
        return self.units_allowed(position, power) - units_on_board(position, power)

    def transmitters_to_come(self, position: Position, power: Power) -> int:
        """The number of transmitters that may still arrive; if negative, the surplus."""
        return self.transmitters_allowed(position, power) - len(State.of(position).transmitters_of(power))

    # What must leave

    def leaving(self, board: FiniteBoard, position: Position, power: Power) -> Leaving:
        """The units nearest to any of the race's own transmitters.

        Distances are counted over spaces of any kind, with the transmitters where they are before removals.
        """
        surplus = -self.units_to_come(position, power)
        if surplus <= 0:
            return Leaving()
        goals = {province_of(piece) for piece in State.of(position).transmitters_of(power)}
        far = {
            unit: distance(board, unit, True, lambda province: province in goals) for unit in position.units_of(power)
        }
        ranked = sorted(far, key=lambda unit: (far[unit], board.full_name(unit.at)))
        if surplus >= len(ranked):
            return Leaving(tuple(ranked))
        limit = far[ranked[surplus - 1]]
        bound = tuple(unit for unit in ranked if far[unit] < limit)
        return Leaving(bound, tuple(unit for unit in ranked if far[unit] == limit), surplus - len(bound))

    def may_be_vacant(self, position: Position, at: Location, beside: Power | None = None) -> bool:
        """Whether something may arrive in Winter in the space of a transmitter: no unit is there but such as may be
        removed before, and units of `beside`.
        """
        board = alien_board()
        there = (unit for unit in position.units if board.province(unit.at) == board.province(at))
        return all(u.power == beside or u in self.leaving(board, position, u.power).all for u in there)

    def surplus_transmitters(self, position: Position, power: Power) -> int:
        """The number of the race's surplus transmitters."""
        return max(0, -self.transmitters_to_come(position, power))

    def removals_due(self, position: Position, power: Power) -> int:
        """The number of units and transmitters that the race has to give up."""
        return max(0, -self.units_to_come(position, power)) + self.surplus_transmitters(position, power)


def _what_landed(position: Position, power: Power) -> tuple[int, int]:
    """As in the first edition: losses could be replaced."""
    del power
    races = len(State.of(position).races)
    return starting_units(races), ships_each(races)


def _what_is_left(position: Position, power: Power) -> tuple[int, int]:
    """Losses are not replaced: only the army in reserve may arrive, until it has come."""
    state, there = State.of(position), units_on_board(position, power)
    reserve = starting_units(len(state.races)) - ships_each(len(state.races))
    waits = there <= ships_each(len(state.races)) if state.waiting is None else power in state.waiting
    return there + (reserve if waits else 0), len(state.transmitters_of(power))


FIRST_EDITION = Supply(in_first_year=_what_landed, transmitters_for=lambda units: 1 + units // 3)

SUPPLY = Supply(in_first_year=_what_is_left, transmitters_for=lambda units: 1 + (units - 1) // 3)
"""By AL-4: one transmitter, and one more for every three units beyond the first."""
