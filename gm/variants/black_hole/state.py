"""The board, Europe without the provinces that have become black holes, and what a position stores about them (BH-1).

A hole has no borders, holds nothing and is not a centre, and its neighbours do not become neighbours of each other. Its
name is still understood, so that a player can be told what happened to it.

`Position.extra` contains, besides other keys:

    {"holes": {"bur": "S1901"}, "exempt": {"France": "par"}, "movable": {"Italy": "rom"}, "moved": ["Turkey"],
     "announced": {"France": ["par", "S1902"]}}

`holes` has the season in which each province vanished; a person may write a plain list of codes. `exempt` is missing
until the first orders are adjudicated; an eliminated power is removed from it. `movable` has the powers that may move
their exemption, and where to; `moved` those that have moved it. Everything but holes and announcements is secret.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from gm.board import Location, Power, Province, TableBoard, Terrain, standard_board
from gm.errors import NotUnderstood
from gm.position import STANDARD_KINDS, PhaseKind, Position
from gm.variants.game_file import packaged

# The board


@lru_cache(maxsize=256)
def hole_board(holes: frozenset[Province]) -> TableBoard:
    """The standard board without these provinces."""
    return standard_board().without(holes)


def homes(board: TableBoard, power: Power) -> tuple[Province, ...]:
    """The power's remaining home centres, in alphabetical order."""
    return tuple(province for province in board.centers if board.home(province) == power)


def spoken(board: TableBoard, province: Province, *, first: bool = False) -> str:
    """The province in a sentence, or `first` in it: `Burgundy`, `the North Sea`, `The North Sea`."""
    name = board.full_name(Location(province))
    return f"{'The' if first else 'the'} {name}" if board.terrain(province) is Terrain.SEA else name


# What the position keeps


FILE = packaged("black-hole")
"""The game as data."""

SAYS = FILE.says()

FIRST = FILE.begins.code[:-1]
"""The season of the first orders, in which exemptions are named (BH-3)."""

_NONE: Mapping[Any, Any] = MappingProxyType({})
_KEYS = ("holes", "exempt", "movable", "moved", "announced")


class Announcement(NamedTuple):
    """What a player had announced: an exempt home centre, and the season in which it was exempt."""

    center: Province
    season: str


@dataclass(frozen=True, slots=True)
class State:
    """Holes and exemptions. `exempt` is None until exemptions are chosen."""

    holes: Mapping[Province, str] = field(default_factory=lambda: _NONE)
    exempt: Mapping[Power, Province] | None = None
    movable: Mapping[Power, Province] = field(default_factory=lambda: _NONE)
    moved: frozenset[Power] = frozenset()
    announced: Mapping[Power, Announcement] = field(default_factory=lambda: _NONE)

    @property
    def exemptions(self) -> Mapping[Power, Province]:
        """Each power's exempt home centre; empty before they are chosen."""
        return self.exempt or {}

    def without(self, *powers: Power) -> State:
        """The state after these powers are out: their exemptions have lapsed (BH-4). A right to move one has ended
        with the centre to which it could be moved.
        """
        left = {*self.exemptions, *self.announced}.difference(powers)
        exempt = None if self.exempt is None else _of(self.exempt, left)
        return replace(self, exempt=exempt, announced=_of(self.announced, left))

    def seen_by(self, seat: Power | None) -> State:
        """What a seat may know: the holes, announcements, and its own exemption (BH-4)."""
        return replace(
            self,
            exempt=None if self.exempt is None else _of(self.exempt, (seat,)),
            movable=_of(self.movable, (seat,)),
            moved=self.moved & {seat},
        )

    def within(self, position: Position) -> Position:
        """The position with this state."""
        rest = {key: value for key, value in position.extra.items() if key not in _KEYS}
        return replace(position, extra=rest | self.to_json())

    def to_json(self) -> dict[str, Any]:
        """The canonical value; empty parts are left out, except holes."""
        value: dict[str, Any] = {"holes": dict(by_time(self.holes))}
        value |= {"exempt": dict(sorted(self.exempt.items()))} if self.exempt is not None else {}
        announced = {power: list(entry) for power, entry in sorted(self.announced.items())}
        more = {"movable": dict(sorted(self.movable.items())), "moved": sorted(self.moved), "announced": announced}
        return value | {key: part for key, part in more.items() if part}


def state_of(position: Position) -> State:
    """The state in a position. Raises NotUnderstood for a position of another game."""
    extra = position.extra
    board = hole_board(frozenset())
    try:
        holes = extra.get("holes", {})
        return State(
            holes={board.province(code): holes[code] if isinstance(holes, Mapping) else "" for code in holes},
            exempt=_centers(board, extra["exempt"]) if "exempt" in extra else None,
            movable=_centers(board, extra.get("movable", {})),
            moved=frozenset(map(Power, extra.get("moved", ()))),
            announced={
                Power(power): Announcement(board.province(center), str(season))
                for power, (center, season) in extra.get("announced", {}).items()
            },
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SAYS.refusal("state", NotUnderstood, error=repr(error)) from None


def board_of(position: Position) -> TableBoard:
    """The board of a position."""
    return hole_board(frozenset(state_of(position).holes))


def is_first(position: Position) -> bool:
    """Whether the first orders, in which exemptions are named, are given in this phase."""
    phase = position.phase
    return season_code(position) == FIRST and phase.kind is PhaseKind.MOVEMENT and state_of(position).exempt is None


def season_code(position: Position) -> str:
    """The season of the position: `S1901`."""
    return position.phase.code[:-1]


def season_name(code: str) -> str:
    """`Spring 1901` for `S1901`."""
    return " ".join(
        (*(season.capitalize() for season in STANDARD_KINDS.seasons if season.letter == code[:1]), code[1:])
    )


def since(code: str) -> str:
    """` since Spring 1901`, of a hole; "" if its season is not known."""
    return f" since {season_name(code)}" if code else ""


def by_time(holes: Mapping[Province, str]) -> list[tuple[Province, str]]:
    """The holes and their seasons, in chronological order."""
    return sorted(holes.items(), key=lambda hole: (hole[1][1:].zfill(6), hole[1][:1] == "F", hole[0]))


def _centers(board: TableBoard, value: Mapping[str, Any]) -> dict[Power, Province]:
    return {Power(power): board.province(code) for power, code in value.items()}


def _of(mapping: Mapping[Power, Any], kept: Container[Power | None]) -> dict[Power, Any]:
    return {power: value for power, value in mapping.items() if power in kept}
