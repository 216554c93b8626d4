"""Sandboxes: a position that one person, and whom they share it with, plays on for all powers; nobody else sees it.

A sandbox is a game without players, whose gamemasters order for every power. It is begun from a view, so that it holds
nothing that its maker may not see, and has random draws of its own. It ends by its own victory, or a week after its
last results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from gm.board import Power
from gm.games import calendar
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.options import PRACTICE, SANDBOX, GameOptions
from gm.orders import Order
from gm.position import Position
from gm.store.game_rows import GameState, SeatRole
from gm.turn import TERMINATED, Victory

SILENCE = timedelta(days=7)
"""How long a sandbox waits for the next READY."""

_WEEK = f"{SILENCE.days}d"
_QUIET: Mapping[str, str] = {
    **{"press": "none", "anonymous": "no", "admission": "invited", "draw": "none", "concede": "no", "motions": "none"},
    **{"first": _WEEK, "move": _WEEK, "retreat": _WEEK, "adjust": _WEEK, "at": "none", "days": "all"},
    **{"holidays": "none", "reminder": "none", "grace": "none", "extensions": "none", "absence": "none"},
    **{"nmr": "hold", "early": "no", "standins": "no"},
}
"""A week for every phase, and nothing else of deadlines or players."""


def create(
    tx: Transaction, name: str, options: GameOptions, position: Position, powers: Sequence[Power], person: Person
) -> tuple[Game, Seat] | None:
    """A sandbox at this position, with the rules of these options, and its maker's seat; None if the name is taken."""
    texts = {key: text for key, text in options.texts.items() if key != PRACTICE}
    game = tx.create_game(name, GameOptions({**texts, **_QUIET, SANDBOX: str(person.id)}))
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


def is_maker(game: Game, person: Person) -> bool:
    """Whether it is a sandbox that this person has begun."""
    return game.options.texts.get(SANDBOX) == str(person.id)


def is_given_up(tx: Transaction, game: Game) -> bool:
    """Whether nobody has gone on with it for a week, or nobody holds it any longer."""
    asleep = game.phase is None or tx.now - game.phase.opened_at >= SILENCE
    return asleep or all(seat.person is None for seat in game.masters)


def end(tx: Transaction, game: Game, why: str) -> Game:
    """End the sandbox without a result, and tell those who hold it."""
    game = tx.fold(calendar.cancel_deadline(tx, game), state=GameState.ABORTED, victory=Victory((), TERMINATED))
    held = [seat for seat in game.masters if seat.person is not None]
    tx.tell(game, held, "the sandbox is over", (why,), f"sandbox-over:{game.id}", answers=AFTERWARDS)
    return game


AFTERWARDS = (("HISTORY ALL", "shows how it went."), ("SANDBOX standard", "begins another one."))
