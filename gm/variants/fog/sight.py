"""What a power sees of a position (FW-1 to FW-3), and the position as far as it is seen.

Everything here depends on what is in sight and on nothing else: two positions that differ out of a power's sight give
that power equal positions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from gm.board import FiniteBoard, Location, Power, Province, UnitKind
from gm.judge.outcomes import Resolution, Result
from gm.orders import Move
from gm.orders.possible import ByIdentity
from gm.position import Dislodged, Position, texts_in
from gm.variants import Variant

Sight = frozenset[Province]

NOTHING_SEEN: Sight = frozenset()


def sight_of(board: FiniteBoard, position: Position, power: Power | None) -> Sight:
    """The provinces that a power sees: where its units and its centres are, and what borders them (FW-1). The public
    (None) sees nothing.
    """
    if power is None:
        return NOTHING_SEEN
    units = (*position.units_of(power), *(one.unit for one in position.dislodged_of(power)))
    places = {*(board.province(unit.at) for unit in units), *position.centers_of(power)}
    return frozenset(places.union(*(_bordering(board, place) for place in places)))


@lru_cache(maxsize=1 << 10)
def _bordering(board: FiniteBoard, province: Province) -> Sight:
    """The provinces to which an army or a fleet could step from some place in this one."""
    by_land = board.neighbours(UnitKind.ARMY, Location(province))
    by_sea = (at for coast in board.coasts(province) for at in board.neighbours(UnitKind.FLEET, coast))
    return frozenset(board.province(at) for at in (*by_land, *by_sea))


def seen_within(board: FiniteBoard, position: Position, sight: Sight, power: Power | None) -> Position:
    """The position as far as it is in sight (FW-2)."""
    return replace(
        position,
        units=tuple(unit for unit in position.units if board.province(unit.at) in sight),
        centers={province: owner for province, owner in position.centers.items() if province in sight},
        dislodged=tuple(_dislodged(board, position, sight)),
        contested=position.contested.intersection(_standoffs_seen(position, power)),
        extra=MappingProxyType({}),
    )


def _dislodged(board: FiniteBoard, position: Position, sight: Sight) -> Iterator[Dislodged]:
    """The dislodged units in sight, in an order that no others decide."""
    for one in sorted(position.dislodged, key=lambda one: str(one.unit)):
        if board.province(one.unit.at) in sight:
            yield _seen_attack(board, one, sight)


def _seen_attack(board: FiniteBoard, dislodged: Dislodged, sight: Sight) -> Dislodged:
    """A dislodged unit. An attacker that came from out of sight bars no retreat that is offered (FW-8)."""
    if dislodged.origin in sight:
        return dislodged
    return replace(dislodged, origin=board.province(dislodged.unit.at), convoyed=True)


def seen(game: Variant, position: Position, power: Power | None) -> Position:
    """The position as a power sees it now."""
    return _seen(ByIdentity(game), ByIdentity(position), power)


@lru_cache(maxsize=64)
def _seen(game: ByIdentity[Variant], position: ByIdentity[Position], power: Power | None) -> Position:
    board, whole = game.value.board(position.value), position.value
    return seen_within(board, whole, sight_of(board, whole, power), power)


# Standoffs: a retreat to where units bounced is barred, but offered to those who saw none of them (FW-8)

_KEPT = "standoffs"
"""The part of a position's state that says for each power which contested provinces it knows of."""


def standoffs(
    board: FiniteBoard, before: Position, found: Resolution, powers: Collection[Power]
) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The state of the position after a movement: for each power the contested provinces in its sight to which it saw
    a unit bounce.
    """
    if not found.contested or not found.dislodged:
        return {}
    after = replace(before, units=found.units, dislodged=found.dislodged)
    bounced = [one.order for one in found.outcomes if isinstance(one.order, Move) and one.result is Result.BOUNCES]
    tried = [(board.province(order.unit.at), board.province(order.to)) for order in bounced]
    known: dict[str, Sequence[str]] = {}
    for power in powers:
        sight = sight_of(board, before, power) | sight_of(board, after, power)
        known[power] = sorted({goal for start, goal in tried if start in sight and goal in sight & found.contested})
    return {_KEPT: known}


def _standoffs_seen(position: Position, power: Power | None) -> Collection[Province]:
    kept: Any = position.extra.get(_KEPT, {})
    if not isinstance(kept, Mapping) or power is None:
        return ()
    return tuple(map(Province, texts_in(kept, power, lambda _: True)))
