"""Who stands where, worked out once for the units of a position and looked up from then on.

Many orders of a phase ask the same of the same units, and a board may hold thousands: none of them searches all. The
units are known again by identity, for they never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from gm.board import Board, Location, Province, UnitKind
from gm.position import Unit

T = TypeVar("T")


class Same(Generic[T]):
    """A value that is equal to itself alone, so that it can be looked up without comparing what it holds."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def units_by_province(board: Board, units: Iterable[Unit]) -> Mapping[Province, Sequence[Unit]]:
    """The units in each province that has any, in the order given."""
    return _by_province(board, Same(units)) if isinstance(units, tuple) else _sorted_out(board, units)


def fleets_at_sea(board: Board, units: Iterable[Unit]) -> tuple[Location, ...]:
    """Where fleets stand that could convoy, in alphabetical order."""
    return _at_sea(board, Same(units)) if isinstance(units, tuple) else _find_at_sea(board, units)


@lru_cache(maxsize=8)
def _by_province(board: Board, units: Same[tuple[Unit, ...]]) -> Mapping[Province, Sequence[Unit]]:
    return _sorted_out(board, units.value)


@lru_cache(maxsize=8)
def _at_sea(board: Board, units: Same[tuple[Unit, ...]]) -> tuple[Location, ...]:
    return _find_at_sea(board, units.value)


def _sorted_out(board: Board, units: Iterable[Unit]) -> Mapping[Province, Sequence[Unit]]:
    found: dict[Province, list[Unit]] = {}
    for unit in units:
        found.setdefault(board.province(unit.at), []).append(unit)
    return found


def _find_at_sea(board: Board, units: Iterable[Unit]) -> tuple[Location, ...]:
    return tuple(sorted(unit.at for unit in units if unit.kind is UnitKind.FLEET and board.can_convoy(unit.at)))
