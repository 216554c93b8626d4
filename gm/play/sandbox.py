"""Sandboxes: a position that one person, and whom they share it with, plays on for all powers, unseen by others.

A sandbox is a game without players, whose gamemasters order for every power. It is begun from a view, so that it holds
nothing that its maker may not see, and has random draws of its own. It ends by its own victory, or a week after its
last results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import Power
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.options import PRACTICE, SANDBOX, GameOptions
from gm.orders import Order
from gm.play import calendar
from gm.play.private_games import QUIET, SILENCE
from gm.position import Position
from gm.store.game_rows import GameState, SeatRole


def create(
    tx: Transaction, options: GameOptions, position: Position, powers: Sequence[Power], name: str, person: Person
) -> tuple[Game, Seat] | None:
    """A sandbox at this position, with the rules of these options, and its maker's seat; None if the name is taken."""
    texts = {key: text for key, text in options.texts.items() if key != PRACTICE}
    fixed = {"nmr": "hold", "early": "no", "standins": "no", SANDBOX: str(person.id)}
    game = tx.create_game(name, GameOptions({**texts, **QUIET, **fixed}))
    if game is None:
        return None
    game, seat = tx.add_seat(game, SeatRole.MASTER, person)
    for power in powers:
        game, own = tx.add_seat(game, SeatRole.PLAYER, None, power)
        game = tx.fold_seats(game, replace(own, dummy_since=tx.now))
    game = calendar.open_phase(tx, tx.fold(game, state=GameState.RUNNING), position)
    tx.owe(game, [seat], "opening")
    return game, game.seat(seat.id)


def put_orders(tx: Transaction, game: Game, power: Power, orders: tuple[Order, ...]) -> Game:
    """Begin with these orders of one power."""
    seat = game.seat_of(power)
    return tx.put_orders(game, {seat.id: game.next_set(seat, orders, tx.now, None)}) if seat and orders else game


def is_given_up(tx: Transaction, game: Game) -> bool:
    """Whether it has rested for a week, or has no holder any longer."""
    asleep = tx.now - game.present.opened_at >= SILENCE
    return asleep or all(seat.person is None for seat in game.masters)
