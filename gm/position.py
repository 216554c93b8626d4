"""Who is where and who owns what, at the beginning of one phase; with its canonical JSON form.

A position is all the rules need to adjudicate the phase once orders are given; it is what the store keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from gm.board import Location, Power, Province, UnitKind


class Season(StrEnum):
    """The seasons of a game year, in their order."""

    SPRING = "spring"
    FALL = "fall"
    WINTER = "winter"


class PhaseKind(StrEnum):
    """What is ordered in a phase."""

    MOVEMENT = "movement"
    RETREAT = "retreat"
    ADJUSTMENT = "adjustment"
    LANDING = "landing"
    """Before the first season: each ship is given the places where it may come down."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the game's calendar."""

    year: int
    season: Season
    kind: PhaseKind

    @property
    def code(self) -> str:
        """Short form as the judges write it: `S1901M`, `F1901R`, `W1901A`."""
        return f"{self.season[0]}{self.year}{self.kind[0]}".upper()

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
    """A unit that must retreat or disband, and where its attacker came from."""

    unit: Unit
    origin: Province
    convoyed: bool = False
    """The attacker came by convoy (or otherwise crossed no border), so `origin` is not barred (DATC 4.A.5)."""


@dataclass(frozen=True, slots=True)
class Position:
    """The board at the beginning of a phase. `extra` is what a variant adds, in JSON values."""

    phase: Phase
    units: tuple[Unit, ...]
    centers: Mapping[Province, Power]
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[Province] = frozenset()
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(sorted(self.units, key=_unit_order)))
        object.__setattr__(self, "centers", MappingProxyType(dict(sorted(self.centers.items()))))

    def units_of(self, power: Power) -> tuple[Unit, ...]:
        """The power's units on the board, dislodged ones not counted."""
        return tuple(unit for unit in self.units if unit.power == power)

    def dislodged_of(self, power: Power) -> tuple[Dislodged, ...]:
        """The power's units that must retreat."""
        return tuple(d for d in self.dislodged if d.unit.power == power)

    def centers_of(self, power: Power) -> tuple[Province, ...]:
        """The centres the power owns, in alphabetical order."""
        return tuple(province for province, owner in self.centers.items() if owner == power)


def _unit_order(unit: Unit) -> tuple[str, str, str]:
    return (unit.power, unit.at, unit.kind)


def parse_unit(text: str) -> Unit:
    """Read a canonical unit, `Russia F stp/sc`. The power may hold blanks. Raises ValueError with the text quoted."""
    words = text.rsplit(maxsplit=2)
    if len(words) != 3 or words[1] not in set(UnitKind):
        raise ValueError(f"{text!r} is not a unit; write it like 'Russia F stp/sc'")
    return Unit(Power(words[0]), UnitKind(words[1]), Location(words[2]))


def position_to_json(position: Position) -> dict[str, Any]:
    """The canonical JSON value of a position: equal positions give equal values."""
    owners: dict[str, list[str]] = {}
    for province, power in position.centers.items():
        owners.setdefault(power, []).append(province)
    return {
        "year": position.phase.year,
        "season": position.phase.season.value,
        "phase": position.phase.kind.value,
        "units": [str(unit) for unit in position.units],
        "centers": dict(sorted(owners.items())),
        "dislodged": [
            {"unit": str(d.unit), "from": d.origin, "convoyed": d.convoyed}
            for d in sorted(position.dislodged, key=lambda d: _unit_order(d.unit))
        ],
        "contested": sorted(position.contested),
        "state": dict(position.extra),
    }


def position_from_json(value: Mapping[str, Any]) -> Position:
    """The inverse of `position_to_json`. Raises KeyError or ValueError for anything else."""
    return Position(
        phase=Phase(int(value["year"]), Season(value["season"]), PhaseKind(value["phase"])),
        units=tuple(parse_unit(text) for text in value["units"]),
        centers=_owners(value["centers"]),
        dislodged=tuple(
            Dislodged(parse_unit(d["unit"]), Province(d["from"]), bool(d.get("convoyed", False)))
            for d in value.get("dislodged", ())
        ),
        contested=frozenset(Province(code) for code in value.get("contested", ())),
        extra=MappingProxyType(dict(value.get("state", {}))),
    )


def _owners(centers: Mapping[str, Iterable[str]]) -> dict[Province, Power]:
    return {Province(code): Power(power) for power, codes in centers.items() for code in codes}
