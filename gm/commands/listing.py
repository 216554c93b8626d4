"""LIST: the games of this server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.commands.summary import how_it_ended
from gm.games.report_inputs import due_at, reader_of
from gm.games.snapshot import Table
from gm.games.terms import seats_taken
from gm.reports.context import GameLine, GameList
from gm.store import game_rows, people
from gm.store.game_rows import GameState

_OPEN = (GameState.FORMING, GameState.RUNNING)
_STATES = {
    None: _OPEN,
    "forming": (GameState.FORMING,),
    "open": _OPEN,
    "running": (GameState.RUNNING,),
    "finished": (GameState.FINISHED, GameState.ABORTED),
    "mine": (),
    "all": (),
}


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Show the games that are forming or running, those that are over, the sender's, or those with room."""
    wanted = args["state"]
    shown = [Table(scene.session, game) for game in game_rows.games(scene.session, *_STATES[wanted])]
    if wanted == "mine":
        mine = scene.account.id if scene.account is not None else None
        shown = [table for table in shown if any(seat.account_id == mine for seat in table.seats if mine is not None)]
    if wanted == "open":
        shown = [
            table for table in shown if table.game.state is GameState.FORMING or table.vacant or _joins_late(table)
        ]
    scene.parts.append(GameList(reader_of(scene.office, scene.account), tuple(_line(table) for table in shown)))


def _line(table: Table) -> GameLine:
    if not table.playable:
        return GameLine(table.game.name, table.options.rules, "an edition of the rules that this server does not have")
    phase = str(table.position.phase) if table.position is not None else ""
    return GameLine(table.game.name, table.variant.title, ", ".join(_facts(table)), phase, due_at(table))


def _joins_late(table: Table) -> bool:
    """Whether the rules let somebody into the running game."""
    return table.running and table.playable and table.variant.seating.late is not None


def _facts(table: Table) -> list[str]:
    """What somebody who looks for a game wants to know of this one."""
    state, options = table.game.state, table.options
    if state is GameState.FINISHED or state is GameState.ABORTED:
        return [how_it_ended(table).rstrip(".")]
    facts = [str(state) if not table.paused else "paused"]
    if state is GameState.FORMING:
        facts.append(seats_taken(table))
        facts += [f"JOIN {table.game.name}" if not options.by_invitation else "by invitation"]
    elif table.vacant:
        facts.append(f"vacant: {', '.join(seat.power or '' for seat in table.vacant)} (TAKEOVER {table.game.name})")
    elif _joins_late(table):
        facts.append(f"JOIN {table.game.name} at any time")
    facts.append("no press" if options.press == "none" else f"{options.press} press")
    if options.anonymous != "no":
        facts.append("anonymous")
    waiting = len(people.standbys_of(table.session, table.game.id))
    if waiting:
        facts.append(f"{waiting} standing by")
    if table.game.comment:
        facts.append(f'"{table.game.comment}"')
    return facts


COMMAND = Command(
    "list",
    "show the games of this server, and what they need",
    "LIST shows games that form or run. LIST OPEN shows those with room,\n"
    "LIST MINE yours, LIST FINISHED those that are over, LIST ALL every one.\n"
    "JOIN takes a seat in a game that forms, TAKEOVER a vacant one.",
    act,
)
