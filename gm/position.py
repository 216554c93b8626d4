"""The position at the beginning of a phase: units, owners of centres; with its canonical JSON form.

A position is all that the rules need to adjudicate the phase, apart from its orders; it is what the store keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from gm.board import Board, Kind, Location, Power, Province, UnitKind
from gm.errors import NotUnderstood

T = TypeVar("T")


class Season(Kind):
    """A season of a game year; its text is its name, `spring`. `letter` begins the codes of its phases; `words` are
    other names that people use for it, unless another season of the game has that name.
    """

    letter: str
    words: tuple[str, ...]

    SPRING: ClassVar[Season]
    FALL: ClassVar[Season]
    WINTER: ClassVar[Season]

    def __new__(cls, name: str, letter: str = "", words: tuple[str, ...] = ()) -> Season:
        return cls._make(name, letter=letter or name[0].upper(), words=words)


Season.SPRING = Season("spring", words=("summer",))  # for the retreats of Spring
Season.FALL, Season.WINTER = Season("fall", words=("autumn",)), Season("winter")


class PhaseKind(Kind):
    """A kind of phase; its text is its name, `movement`. A kind that a variant adds is played like movement unless the
    variant says otherwise.

    `letter` ends the codes of its phases. `heading` is its name on a map. `prompt` follows a unit in the order form: `A
    Par-`. `deed` and `order` are what error messages expect of a unit, and of a line; {place}, {brief}, {name} and
    {other} in them are places on the board. `words` are other names that people use for it.
    """

    letter: str
    heading: str
    prompt: str
    deed: str
    order: str
    words: tuple[str, ...]

    MOVEMENT: ClassVar[PhaseKind]
    RETREAT: ClassVar[PhaseKind]
    ADJUSTMENT: ClassVar[PhaseKind]

    def __new__(
        cls,
        name: str,
        heading: str = "",
        *,
        letter: str = "",
        prompt: str = "-",
        deed: str = "what the unit is to do: '-' and a place, H, S or C",
        order: str = "an order such as A {place}-{other}",
        words: tuple[str, ...] = (),
    ) -> PhaseKind:
        letter, heading = letter or name[0].upper(), heading or name
        return cls._make(name, letter=letter, heading=heading, prompt=prompt, deed=deed, order=order, words=words)


PhaseKind.MOVEMENT = PhaseKind("movement", "moves", words=("move", "moves", "movements"))
PhaseKind.RETREAT = PhaseKind(
    "retreat",
    "retreats",
    deed="what the unit is to do: R and a place, or D",
    order="an order such as A {place} R {other} or A {place} D",
    words=("retreats",),
)
PhaseKind.ADJUSTMENT = PhaseKind(
    "adjustment",
    "builds and removals",
    deed="BUILD or REMOVE",
    order="an order such as BUILD A {place}, REMOVE A {place} or WAIVE",
    words=("b", "adjust", "adjustments", "build", "builds", "removals"),
)

K = TypeVar("K", bound=Kind)


@dataclass(frozen=True)
class Kinds:
    """The kinds of unit, season and phase that a game has, as used in its stored positions and orders.

    `firsts`: the seasons that do not begin with the first kind in `phases`, and the kind with which they begin.
    """

    units: tuple[UnitKind, ...] = (UnitKind.ARMY, UnitKind.FLEET)
    seasons: tuple[Season, ...] = (Season.SPRING, Season.FALL, Season.WINTER)
    phases: tuple[PhaseKind, ...] = (PhaseKind.MOVEMENT, PhaseKind.RETREAT, PhaseKind.ADJUSTMENT)
    firsts: tuple[tuple[Season, PhaseKind], ...] = ((Season.WINTER, PhaseKind.ADJUSTMENT),)

    def unit(self, letter: str) -> UnitKind:
        """The kind of unit with this letter. Raises ValueError."""
        return _named(self.units, letter)

    def season(self, name: str) -> Season:
        """The season with this name. Raises ValueError."""
        return _named(self.seasons, name)

    def phase(self, name: str) -> PhaseKind:
        """The kind of phase with this name. Raises ValueError."""
        return _named(self.phases, name)

    @cached_property
    def seasons_by_word(self) -> Mapping[str, Season]:
        """The seasons by the names that people use, in lower case."""
        others = {word: season for season in self.seasons for word in season.words}
        return MappingProxyType(others | {str(season): season for season in self.seasons})

    @cached_property
    def phases_by_word(self) -> Mapping[str, PhaseKind]:
        """The kinds of phase by their letters and by the names that people use, in lower case."""
        others = {word: kind for kind in self.phases for word in (*kind.words, kind.letter.lower())}
        return MappingProxyType(others | {str(kind): kind for kind in self.phases})

    def first_in(self, season: Season) -> PhaseKind:
        """The kind of phase with which a season begins."""
        return dict(self.firsts).get(season, self.phases[0])

    def phase_from_code(self, code: str) -> Phase:
        """The phase with this code, in capitals: `S1901M`. Raises ValueError."""
        for season in self.seasons:
            for kind in self.phases:
                year = code.removeprefix(season.letter).removesuffix(kind.letter)
                if year.isdecimal() and code == f"{season.letter}{year}{kind.letter}":
                    return Phase(int(year), season, kind)
        raise ValueError(f"{code!r} is not the code of a phase")


def _named(kinds: Iterable[K], text: str) -> K:
    for kind in kinds:
        if kind == text:
            return kind
    raise ValueError(f"{text!r} is not one of {', '.join(kinds)}")


STANDARD_KINDS = Kinds()
"""The kinds of the standard game."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the game's calendar."""

    year: int
    season: Season
    kind: PhaseKind

    @property
    def code(self) -> str:
        """The short form used by judges: `S1901M`, `F1901R`, `W1901A`."""
        return f"{self.season.letter}{self.year}{self.kind.letter}"

    def __str__(self) -> str:
        return f"{self.season.capitalize()} {self.year} {self.kind}"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a power at a location. Two equal units in one space are interchangeable."""

    power: Power
    kind: UnitKind
    at: Location

    def __str__(self) -> str:
        return f"{self.power} {self.kind} {self.at}"


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit that must retreat or be disbanded, and its attacker's origin."""

    unit: Unit
    origin: Province
    convoyed: bool = False
    """The attacker came by convoy (or otherwise crossed no border), so `origin` is not barred (DATC 4.A.5)."""


class Units(tuple[Unit, ...]):
    """Units by their powers, and by places. What is found of them is kept with them, for all positions that have
    them.
    """

    @classmethod
    def ordered(cls, units: Iterable[Unit]) -> Units:
        """These units in order."""
        return units if isinstance(units, Units) else cls(sorted(units, key=_unit_order))

    @cached_property
    def by_power(self) -> Mapping[Power, tuple[Unit, ...]]:
        """The units of each power that has any."""
        return _by_power((unit.power, unit) for unit in self)

    @cached_property
    def by_province(self) -> dict[Board, Mapping[Province, Sequence[Unit]]]:
        """For boards that were asked about, the units in each province that has any: see `units_by_province`."""
        return {}


class Owners(dict[Province, Power]):
    """Who owns each centre, in alphabetical order; never changed."""

    @classmethod
    def ordered(cls, centers: Mapping[Province, Power]) -> Owners:
        """These owners in order."""
        return centers if isinstance(centers, Owners) else cls(sorted(centers.items()))

    @cached_property
    def by_power(self) -> Mapping[Power, tuple[Province, ...]]:
        """The centres of each power that has any."""
        return _by_power((owner, province) for province, owner in self.items())


@dataclass(frozen=True)
class Position:
    """The board at the beginning of a phase. `extra` are a variant's additions, as JSON values.

    Values for each power are indexed, not searched for: a game may have a thousand powers.
    """

    phase: Phase
    units: tuple[Unit, ...]
    centers: Mapping[Province, Power]
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[Province] = frozenset()
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", Units.ordered(self.units))
        object.__setattr__(self, "centers", Owners.ordered(self.centers))

    def units_of(self, power: Power) -> tuple[Unit, ...]:
        """The power's units on the board, without dislodged ones."""
        return Units.ordered(self.units).by_power.get(power, ())

    def dislodged_of(self, power: Power) -> tuple[Dislodged, ...]:
        """The power's units that must retreat."""
        return tuple(d for d in self.dislodged if d.unit.power == power) if self.dislodged else ()

    @property
    def every_unit(self) -> tuple[Unit, ...]:
        """The units on the board, and those that must retreat."""
        return (*self.units, *(d.unit for d in self.dislodged))

    @property
    def to_order(self) -> tuple[Unit, ...]:
        """The units that can be ordered in this phase: in retreats those that must retreat, else those on the board."""
        return self.every_unit[len(self.units) :] if self.phase.kind is PhaseKind.RETREAT else self.units

    def holds(self, power: Power) -> bool:
        """Whether the power has a unit, dislodged or not, or a centre."""
        return bool(self.units_of(power) or self.dislodged_of(power) or self.centers_of(power))

    def centers_of(self, power: Power) -> tuple[Province, ...]:
        """The centres the power owns, in alphabetical order."""
        return Owners.ordered(self.centers).by_power.get(power, ())


def _by_power(pairs: Iterable[tuple[Power, T]]) -> Mapping[Power, tuple[T, ...]]:
    found: dict[Power, list[T]] = {}
    for power, thing in pairs:
        found.setdefault(power, []).append(thing)
    return {power: tuple(things) for power, things in found.items()}


_unit_order = attrgetter("power", "at", "kind")


@lru_cache(maxsize=1 << 14)
def parse_unit(text: str, kinds: Kinds = STANDARD_KINDS) -> Unit:
    """Read a canonical unit, `Russia F stp/sc`. The power may contain blanks. Raises ValueError that quotes the
    text.
    """
    words = text.rsplit(maxsplit=2)
    if len(words) != 3 or words[1] not in kinds.units:
        raise ValueError(f"{text!r} is not a unit; write it like 'Russia F stp/sc'")
    return Unit(Power(words[0]), kinds.unit(words[1]), Location(words[2]))


def texts_in(kept: Mapping[str, Any], key: str, among: Callable[[str], bool]) -> tuple[str, ...]:
    """The texts that a variant's state lists under a key; none without the key. Raises NotUnderstood for anything else,
    and for texts that are not `among` those that are possible.
    """
    listed = kept.get(key, ())
    if isinstance(listed, list | tuple) and all(isinstance(text, str) and among(text) for text in listed):
        return tuple(listed)
    raise NotUnderstood(f"{key!r} in the state is {listed!r}.", "Write what 'state_after' gave, or leave it out.")


def position_to_json(position: Position) -> dict[str, Any]:
    """The canonical JSON value of a position: equal positions give equal values."""
    owners: dict[str, list[str]] = {}
    for province, power in position.centers.items():
        owners.setdefault(power, []).append(province)
    return {
        "year": position.phase.year,
        "season": str(position.phase.season),
        "phase": str(position.phase.kind),
        "units": [str(unit) for unit in position.units],
        "centers": dict(sorted(owners.items())),
        "dislodged": [dislodged_to_json(d) for d in sorted(position.dislodged, key=lambda d: _unit_order(d.unit))],
        "contested": sorted(position.contested),
        "state": dict(position.extra),
    }


def position_from_json(value: Mapping[str, Any], kinds: Kinds) -> Position:
    """The inverse of `position_to_json` in a game with these kinds. Raises KeyError or ValueError for anything else."""
    return Position(
        phase=Phase(int(value["year"]), kinds.season(value["season"]), kinds.phase(value["phase"])),
        units=tuple(parse_unit(text, kinds) for text in value["units"]),
        centers=_owners(value["centers"]),
        dislodged=tuple(dislodged_from_json(d, kinds) for d in value.get("dislodged", ())),
        contested=frozenset(Province(code) for code in value.get("contested", ())),
        extra=MappingProxyType(dict(value.get("state", {}))),
    )


def dislodged_to_json(dislodged: Dislodged) -> dict[str, Any]:
    """The JSON value of a dislodged unit."""
    return {"unit": str(dislodged.unit), "from": dislodged.origin, "convoyed": dislodged.convoyed}


def dislodged_from_json(value: Mapping[str, Any], kinds: Kinds) -> Dislodged:
    """The inverse of `dislodged_to_json`. Raises KeyError or ValueError for anything else."""
    return Dislodged(parse_unit(value["unit"], kinds), Province(value["from"]), bool(value.get("convoyed", False)))


def _owners(centers: Mapping[str, Iterable[str]]) -> dict[Province, Power]:
    return {Province(code): Power(power) for power, codes in centers.items() for code in codes}
