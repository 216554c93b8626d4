"""The game generator: standard games played out by random legal orders, for the benchmark.

Every unit gets one of the orders legal for it, uniformly; so do retreats and adjustments. Chance is a seeded
`random.Random`, so a seed gives the same games for ever.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from gm.advance import advance
from gm.board import Power
from gm.chance import Chance
from gm.orders import Disband, Order
from gm.orders.possible import legal_builds, legal_orders
from gm.position import PhaseKind, Position
from gm.variants.standard import POWERS, STANDARD, opening

LAST_YEAR = 1925


@dataclass(frozen=True)
class PlayedPhase:
    """A position and the orders that were given in it."""

    position: Position
    orders: dict[Power, list[Order]]

    @property
    def order_count(self) -> int:
        """How many orders all powers gave."""
        return sum(map(len, self.orders.values()))


def played_games(seed: int) -> Iterator[PlayedPhase]:
    """Phase after phase of game after game, without end."""
    rng = random.Random(seed)
    while True:
        yield from _game(rng)


def _game(rng: random.Random) -> Iterator[PlayedPhase]:
    position = opening()
    while position.phase.year <= LAST_YEAR:
        phase = PlayedPhase(position, _random_orders(rng, position))
        yield phase
        turn = advance(STANDARD, position, phase.orders, Chance(b"the seed of a benchmark"))
        if turn.victory is not None:
            return
        position = turn.after


def _random_orders(rng: random.Random, position: Position) -> dict[Power, list[Order]]:
    return {power: _orders_of(rng, position, power) for power in POWERS}


def _orders_of(rng: random.Random, position: Position, power: Power) -> list[Order]:
    board = STANDARD.board(position)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return [rng.choice(legal_orders(board, position, unit)) for unit in position.units_of(power)]
        case PhaseKind.RETREAT:
            return [rng.choice(legal_orders(board, position, d.unit)) for d in position.dislodged_of(power)]
    need = STANDARD.needs(board, position, power)
    if need.count < 0:
        return [Disband(unit) for unit in rng.sample(position.units_of(power), -need.count)]
    builds = legal_builds(board, power, need)
    return [rng.choice(builds) for _ in range(need.count)]
