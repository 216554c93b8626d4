"""Boards made from a table of provinces, and the standard Diplomacy board, read from the table beside this file."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from gm.board import Location, Power, Province, Terrain, Travel, UnitKind

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

    def without(self, gone: Collection[Province]) -> TableBoard:
        """The board less some provinces: they border nothing, hold nothing and are no centres. The others border each
        other as before, and the names of all are still understood.
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
    """For each way to travel, each location where one can stand and the locations one can step to from there."""
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


def _aliases(table: Mapping[str, Mapping[str, Any]]) -> dict[str, Location]:
    spellings: dict[str, Location] = {}
    for code, row in table.items():
        for spelling in (code, row["name"].lower(), *row.get("aliases", ())):
            if spellings.setdefault(spelling, Location(code)) != code:
                raise ValueError(f"{spelling!r} names both {spellings[spelling]!r} and {code!r}")
    return spellings


def standard_table() -> dict[str, dict[str, Any]]:
    """The rows of the standard board by province, for boards that differ from it; every caller has its own copy."""
    text = resources.files(__package__).joinpath("standard.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def standard_board() -> TableBoard:
    """The board of the standard game."""
    return TableBoard("standard", standard_table())
