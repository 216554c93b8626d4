"""A game that ends by agreement or by the gamemaster's word, in the midst of a phase."""

from __future__ import annotations

from gm.games import played
from gm.games.calendar import cancel_deadline
from gm.games.snapshot import Game
from gm.games.transaction import Transaction
from gm.reports.words import listed
from gm.store.game_rows import GameState
from gm.turn import Victory


def end_game(tx: Transaction, game: Game, state: GameState, victory: Victory, purpose: str) -> Game:
    """End the game and tell everybody at the table how, and what it kept secret."""
    game = cancel_deadline(tx, game)
    winners = victory.winners
    game = tx.fold(game, state=state, victory=victory, paused_at=None, left=None)
    if len(winners) == 1:
        result = f"{winners[0]} has won."
    elif winners:
        result = f"The game is drawn between {listed(winners)}."
    else:
        result = f"The game {game.name} is ended."
    words = (
        f"{result} {game.variant.words.victory(victory)}",
        f"SUMMARY {game.name} shows the game year by year, and everybody's diary; HISTORY {game.name} ALL every phase.",
        "All that was drawn by lot came from this seed, which the first mail's commitment is the SHA-256 of:"
        f" {game.seed}",
        "Thank you for playing.",
    )
    tx.tell(game, game.seats, "the game is over", words, purpose, played.chronicle(tx.session, game))
    return game
