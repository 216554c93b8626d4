"""The game generator: standard games played out by random legal orders, for the benchmarks.

Every unit gets one of the orders legal for it, uniformly; so do retreats and adjustments. Of such orders most are
supports and convoys that fit nothing. `likely` orders are more like those that people give. Chance is a seeded
`random.Random`, so a seed gives the same games for ever.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gm.advance import advance
from gm.board import Board, Power
from gm.chance import Chance
from gm.orders import Convoy, Disband, Hold, Move, Order, Support, unit_of
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


def played_games(seed: int, *, likely: bool = False) -> Iterator[PlayedPhase]:
    """Phase after phase of game after game, without end."""
    rng = random.Random(seed)
    while True:
        yield from _game(rng, _likely if likely else _any)


Player = Callable[[random.Random, Position, Power], list[Order]]
"""The orders of a power for its units in a movement phase."""


def _game(rng: random.Random, player: Player) -> Iterator[PlayedPhase]:
    position = opening()
    while position.phase.year <= LAST_YEAR:
        phase = PlayedPhase(position, {power: _orders_of(rng, position, power, player) for power in POWERS})
        yield phase
        turn = advance(STANDARD, position, phase.orders, Chance(b"the seed of a benchmark"))
        if turn.victory is not None:
            return
        position = turn.after


def _orders_of(rng: random.Random, position: Position, power: Power, player: Player) -> list[Order]:
    board = STANDARD.board(position)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return player(rng, position, power)
        case PhaseKind.RETREAT:
            return [rng.choice(legal_orders(board, position, d.unit)) for d in position.dislodged_of(power)]
    need = STANDARD.needs(board, position, power)
    if need.count < 0:
        return [Disband(unit) for unit in rng.sample(position.units_of(power), -need.count)]
    builds = legal_builds(board, power, need)
    return [rng.choice(builds) for _ in range(need.count)]


def _any(rng: random.Random, position: Position, power: Power) -> list[Order]:
    board = STANDARD.board(position)
    return [rng.choice(legal_orders(board, position, unit)) for unit in position.units_of(power)]


SHARES: Mapping[type[Order], float] = {Move: 0.55, Support: 0.28, Hold: 0.13, Convoy: 0.04}
"""About how many of people's orders are of each kind."""


def _likely(rng: random.Random, position: Position, power: Power) -> list[Order]:
    """Orders of these kinds: moves rather to centres of others, supports rather for own orders."""
    board, given = STANDARD.board(position), list[Order]()
    for unit in rng.sample(position.units_of(power), len(position.units_of(power))):
        kinds: dict[type[Order], list[Order]] = {}
        for order in legal_orders(board, position, unit):
            kinds.setdefault(type(order), []).append(order)
        kind = rng.choices(list(kinds), [SHARES[each] for each in kinds])[0]
        meant = [order for order in kinds[kind] if _is_meant(board, position, order, given)]
        given.append(rng.choice(meant if meant and rng.random() < 0.7 else kinds[kind]))
    return given


def _is_meant(board: Board, position: Position, order: Order, given: Sequence[Order]) -> bool:
    match order:
        case Move(unit, to):
            return board.is_center(board.province(to)) and position.centers.get(board.province(to)) != unit.power
        case Support(_, supported, to):
            return any(unit_of(own) == supported and getattr(own, "to", None) == to for own in given)
    return True
