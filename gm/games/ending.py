"""A game that ends by agreement or by the gamemaster's word, in the midst of a phase."""

from __future__ import annotations

from datetime import datetime

from gm.games import ServerIdentity
from gm.games.deadlines import cancel_deadline
from gm.games.post import tell
from gm.games.report_inputs import chronicle
from gm.games.snapshot import Table
from gm.reports.words import listed
from gm.store import game_rows
from gm.store.game_rows import GameState
from gm.turn import Victory, victory_to_json


def end_game(
    table: Table,
    office: ServerIdentity,
    state: GameState,
    victory: Victory,
    *,
    purpose: str,
    now: datetime,
) -> None:
    """End the game and tell everybody at the table how, and what it kept secret."""
    if table.phase is not None:
        cancel_deadline(table, table.phase)
    table.game.paused_at = table.game.left = None
    game_rows.end_game(table.session, table.game, state, victory_to_json(victory))
    table.forget()
    winners = victory.winners
    if len(winners) == 1:
        result = f"{winners[0]} has won."
    elif winners:
        result = f"The game is drawn between {listed(winners)}."
    else:
        result = f"The game {table.game.name} is ended."
    words = (
        f"{result} {table.variant.words.victory(victory)}",
        f"SUMMARY {table.game.name} shows the game year by year, and everybody's diary; HISTORY {table.game.name} ALL"
        " every phase.",
        f"All that was drawn by lot came from this seed, which the first mail's commitment is the SHA-256 of:"
        f" {table.game.seed}",
        "Thank you for playing.",
    )
    told = chronicle(table)
    tell(table, office, list(table.seats), "the game is over", words, purpose=purpose, now=now, sections=told)
