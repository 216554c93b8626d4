"""SUMMARY: a game at a glance: who played what, centres year by year, how it ended, diaries when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.passages import own_seat, show
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.games.report_inputs import called, history
from gm.games.snapshot import Table
from gm.reports.turn_summary import years_text
from gm.reports.words import columns, quote, wrap
from gm.store import game_rows, records
from gm.store.game_rows import GameState
from gm.turn import victory_from_json


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Show the game from its beginning to now, as far as the sender may know it."""
    table = scene.public_table(str(args["words"]) or None)
    if table.position is None:
        raise NotNow(f"The game {table.game.name} has not begun.", "STATUS shows who has joined.")
    over = table.game.state in (GameState.FINISHED, GameState.ABORTED)
    powers = table.variant.powers(table.position)
    years = history(table, own_seat(scene, table), open_book=over)
    text = [
        f"{table.variant.title}, begun {table.line[0].opened_at:%d %b %Y}.",
        wrap(how_it_ended(table)),
        "",
        columns([("Power", "Player"), *((seat.power or "", called(table, seat) or "-") for seat in table.players)]),
        "",
        "Supply centres at the end of each year:",
        "",
        years_text(years, powers),
    ]
    if over:
        text += _released(scene, table)
    show(scene, f"Summary of {table.game.name}", "\n".join(text))


def how_it_ended(table: Table) -> str:
    """A sentence on how the game stands or ended."""
    if table.game.victory is None:
        return f"The game is {table.game.state}" + (f", at {table.phase.code}." if table.phase is not None else ".")
    victory = victory_from_json(table.game.victory)
    winners = victory.winners
    won = f"{winners[0]} has won. " if len(winners) == 1 else f"A draw of {', '.join(winners)}. " if winners else ""
    return won + table.variant.words.victory(victory)


def _released(scene: Scene, table: Table) -> list[str]:
    """What is open to all now: the seed of the draws, and the diaries."""
    lines = ["", f"The seed of the draws: {table.game.seed}"]
    for seat, entry in records.diaries_of(scene.session, table.game.id):
        phase = game_rows.phase_by_id(scene.session, entry.phase_id) if entry.phase_id is not None else None
        lines += ["", f"Diary of {seat.power}" + (f", {phase.code}:" if phase is not None else ":"), quote(entry.body)]
    return lines


COMMAND = Command(
    "summary",
    "show a game from its beginning: players, centres year by year",
    "When the game is over it shows how it ended, and everybody's diary.",
    act,
)
