"""How a game begins: its powers are dealt and its first phase opens; by START, or by itself when enough have joined."""

from __future__ import annotations

from dataclasses import replace

from gm.board import Power
from gm.games import calendar
from gm.games.seats import Wishes, begins_when, deal, enough, read_wishes
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.store.game_rows import GameState, SeatRole


def missing(game: Game) -> int:
    """How many players must still join before the game can begin."""
    if _spare(game):
        return 0
    return max(0, game.variant.seating.fewest - len(game.held))


def begins_by_itself(game: Game) -> bool:
    """Whether as many have joined as the option `start` asks for."""
    return game.state is GameState.FORMING and 0 < enough(game) <= len(game.held)


def when(game: Game) -> str:
    """How players are told when a game that is forming begins: `When the gamemaster starts the game,`."""
    begins = begins_when(game)
    return f"{begins.capitalize()}, the game begins:" if begins else "When the gamemaster starts the game,"


def begin(tx: Transaction, game: Game, by: Seat | None = None) -> str:
    """Begin the game, at the word of this seat, and send everybody the opening report. Returns a sentence about it."""
    wishes = [_wishes(game, seat) for seat in game.held]
    powers = game.variant.seating.powers
    dealt = deal(powers, wishes, game.chance) if powers else ()
    spare = [power for power in _spare(game) if power not in dealt]
    # A seat that was taken and given back is not needed.
    seated = [replace(seat, dummy_since=tx.now) for seat in game.vacant]
    seated += [replace(seat, power=power) for seat, power in zip(game.held, dealt, strict=False)]
    game = tx.fold_seats(game, *seated)
    for power in spare:
        game, _ = tx.add_seat(game, SeatRole.PLAYER, None, power)
    game = tx.fold(game, state=GameState.RUNNING)
    game = calendar.open_phase(tx, game, game.variant.opening(game.powers, game.chance))
    tx.owe(game, game.seats, "opening")
    by_power = {seat.power: seat.id for seat in game.players}
    # From which `gm verify` repeats the dealing and the opening.
    tx.note("start", game, by, powers=by_power, wishes=wishes, dealt=dealt, opened=game.powers)
    return f"The game {game.name} has begun. Everybody will receive the opening report."


def _spare(game: Game) -> tuple[Power, ...]:
    """The powers that stand-ins would play without a player."""
    return game.variant.seating.powers if game.options.stands_in("all") and game.held else ()


def _wishes(game: Game, seat: Seat) -> Wishes:
    """The power preferences of the seat's player; none in a game that deals powers at random."""
    if not seat.wish or game.options.powers_at_random:
        return ()
    return read_wishes(seat.wish, game.variant.seating.powers, game.lexicon.power)
