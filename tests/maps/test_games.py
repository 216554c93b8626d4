"""Maps of every variant, after random legal orders: readable for every seat, and no seat sees more than it may."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from gm.advance import advance
from gm.board import Power
from gm.chance import Chance
from gm.maps.scene import drawable, scene
from gm.orders import Order
from gm.position import Position
from gm.turn import Turn
from gm.variants import Variant, all_variants
from tests.variants.written import WRITTEN

CHANCE = Chance(b"maps of every game")
NAMES = tuple(map(Power, ("Krell", "Zorg", "Vulcan", "Mekon")))
PHASES = 6


def played(game: Variant) -> Iterator[Turn]:
    """The first phases of a game."""
    rng = random.Random(1975)
    position = game.opening(game.seating.powers or NAMES, CHANCE)
    for _ in range(PHASES):
        turn = advance(game, position, _orders(game, position, rng), CHANCE)
        yield turn
        position = turn.after


def _orders(game: Variant, position: Position, rng: random.Random) -> dict[Power, tuple[Order, ...]]:
    board = game.board(position)
    found = {}
    for power, duty in game.duties(position).items():
        need = game.needs(board, position, power)
        seen = game.seen(game, position, power)
        choices = [game.legal_orders(board, seen, unit, need) for unit in duty.units]
        found[power] = tuple(rng.choice(orders) for orders in choices if orders)
    return found


@pytest.mark.parametrize("name", WRITTEN)
def test_every_seat_of_every_game_can_read_its_map(name: str) -> None:
    game = all_variants()[name]
    for turn in played(game):
        for seat in (None, *game.powers(turn.after)):
            view = game.view(game, turn.after, turn, seat)
            if drawable(view):
                boxes = [(sign.box, sign) for sign in scene(view).signs]
                assert not [(a, b) for (one, a), (other, b) in combinations(boxes, 2) if one.overlaps(other)]
