"""Games in which every power gives random legal orders: for the invariants of each game, and for replay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random

from hypothesis import settings

from gm.advance import advance
from gm.board import FiniteBoard, Location, Power
from gm.chance import Chance
from gm.orders import Declaration, Move, Order, Retreat, Support, order_from_json, order_to_json
from gm.orders.possible import legal_builds
from gm.position import Position, Unit, position_from_json, position_to_json
from gm.turn import Turn, turn_from_json, turn_to_json
from gm.variants import Variant

GAMES = settings().max_examples // 8
"""The random games of one property: a dozen, and some hundreds under the profile `fuzz`."""


def random_orders(game: Variant, position: Position, dice: Random) -> dict[Power, tuple[Order, ...]]:
    """Orders that are legal as far as each power sees; sometimes a unit or a power is left out."""
    board = game.board(position)
    given: dict[Power, tuple[Order, ...]] = {}
    moves: set[tuple[Unit, Location]] = set()
    for power, duty in dice.sample(sorted(game.duties(position).items()), len(game.duties(position))):
        need = duty.need
        if dice.random() < 0.03:
            continue
        if need.count > 0:
            given[power] = tuple(dice.sample(legal_builds(board, power, need), need.count))
            continue
        units: Sequence[Unit] = [unit for unit in duty.units if dice.random() < 0.97]
        if need.count < 0:
            units = dice.sample(position.units_of(power), -need.count)
        orders = []
        for unit in units:
            seen = game.seen(game, position, power)
            order = _choose(board, game.legal_orders(board, seen, unit, need), moves, dice)
            orders.append(order)
            if isinstance(order, Move):
                moves.add((order.unit, order.to))
        given[power] = tuple(orders)
    return given


def _choose(board: FiniteBoard, orders: Sequence[Order], moves: set[tuple[Unit, Location]], dice: Random) -> Order:
    supports = [order for order in orders if isinstance(order, Support) and (order.supported, order.to) in moves]
    if supports and dice.random() < 0.5:
        return dice.choice(supports)
    taking = [order for order in orders if board.is_center(board.province(_end(order)))]
    if taking and dice.random() < 0.5:
        return dice.choice(taking)
    kind = dice.choice(list(dict.fromkeys(type(order) for order in orders)))  # or supports would crowd out all else
    return dice.choice([order for order in orders if type(order) is kind])


def _end(order: Order) -> Location:
    """Where the order's unit wants to be."""
    assert not isinstance(order, Declaration)
    return order.to if isinstance(order, Move | Retreat) else order.unit.at


Players = Callable[[Variant, Position, Random], dict[Power, tuple[Order, ...]]]
"""The powers that give random orders in one position."""


def play(
    game: Variant, powers: Sequence[Power], seed: int, phases: int, players: Players = random_orders
) -> Iterator[Turn]:
    """The turns of one game, until it is won. Each is replayed from what would be stored."""
    dice, chance = Random(seed), Chance(seed.to_bytes(32, "big"))
    position = game.opening(powers, chance)
    for _ in range(phases):
        orders = players(game, position, dice)
        turn = advance(game, position, orders, chance)
        assert replayed(game, position, orders, chance) == turn
        assert stored(game, turn) == turn
        yield turn
        if turn.victory is not None:
            return
        position = turn.after


def stored(game: Variant, turn: Turn) -> Turn:
    """The same turn decoded from its stored form, as JSON text."""
    values = turn_to_json(turn, game.rules), position_to_json(turn.before)
    value, before = (json.loads(json.dumps(value, sort_keys=True)) for value in values)
    assert value["rules"] == game.rules
    return turn_from_json(value, before, turn.orders, game.language)


def replayed(game: Variant, position: Position, orders: dict[Power, tuple[Order, ...]], chance: Chance) -> Turn:
    """The same turn from JSON texts of position and orders."""
    before = position_from_json(json.loads(json.dumps(position_to_json(position), sort_keys=True)), game.language.kinds)
    texts = {power: json.dumps([order_to_json(order) for order in own]) for power, own in orders.items()}
    read = {p: tuple(order_from_json(value, game.language) for value in json.loads(t)) for p, t in texts.items()}
    return advance(game, before, read, chance)
