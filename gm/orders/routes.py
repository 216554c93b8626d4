"""The unit index, and convoy routes: chains of sea spaces with fleets that could carry an army between two provinces.

Routes are used to say on receipt whether a convoy is possible at all (with any power's fleets), and by the judge with
the fleets that were ordered to convoy. Units are indexed by province once for each position, since many orders of a
phase look up the same units, and a board may hold thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from gm.board import Board, Location, Province, UnitKind
from gm.position import Unit

T = TypeVar("T")

Route = tuple[Location, ...]


def lies_off(board: Board, sea: Location, province: Province) -> bool:
    """Whether a fleet at `sea` could put an army ashore in `province`."""
    for coast in board.coasts(province):  # noqa: SIM110 (any() with a generator takes twice as long; asked very often)
        if board.may_step(UnitKind.FLEET, sea, coast):
            return True
    return False


def routes(board: Board, seas: Iterable[Location], origin: Province, target: Province) -> Iterator[Route]:
    """The routes over `seas` (spaces with fleets), each without a needless fleet (DATC 6.G.19).

    No space of a route but its first lies off `origin`, none but its last off `target`, and no two touch but
    neighbours in the chain: whatever fleets are lost, a convoy holds if and only if one of these routes holds.
    """
    if origin == target:
        return
    fleets = tuple(seas)
    last = {sea for sea in fleets if lies_off(board, sea, target)}
    if not last:
        return
    first = [sea for sea in fleets if lies_off(board, sea, origin)]
    between = [sea for sea in fleets if sea not in first]
    for sea in first:
        yield from _lengthened(board, (sea,), between, last)


def _lengthened(board: Board, chain: Route, between: list[Location], last: set[Location]) -> Iterator[Route]:
    if chain[-1] in last:
        yield chain
        return
    onward = [sea for sea in between if board.may_step(UnitKind.FLEET, chain[-1], sea)]
    beyond = [sea for sea in between if sea not in onward and sea != chain[-1]]
    for sea in onward:
        yield from _lengthened(board, (*chain, sea), beyond, last)


def may_be_convoyed(board: Board, seas: Sequence[Location], origin: Province, target: Province) -> bool:
    """Whether fleets on `seas` could carry an army from one province to the other, if all were ordered to."""
    if origin == target:
        return False
    carriers = board.carriers(seas, origin, target)
    reached = [sea for sea in carriers if lies_off(board, sea, origin)]
    for sea in reached:
        if lies_off(board, sea, target):
            return True
        reached += [to for to in carriers if to not in reached and board.may_step(UnitKind.FLEET, sea, to)]
    return False


def may_help(board: Board, seas: Sequence[Location], fleet: Location, origin: Province, target: Province) -> bool:
    """Whether the fleet has a place on some route over `seas` between the provinces."""
    carriers = dict.fromkeys((*board.carriers(seas, origin, target), fleet))
    return any(fleet in route for route in routes(board, carriers, origin, target))


# Who stands where


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
    return tuple(sorted(unit.at for unit in units if unit.kind.convoys and board.can_convoy(unit.at)))
