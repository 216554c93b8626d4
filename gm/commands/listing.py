"""LIST: the games of this server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.office.facts import due_at, reader_of
from gm.office.table import Table
from gm.office.terms import seats_taken
from gm.reports.context import GameLine, GameList
from gm.store import games
from gm.store.tables import GameState


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Show the games that are forming or running."""
    del args
    shown = [Table(scene.session, game) for game in games.games(scene.session, GameState.FORMING, GameState.RUNNING)]
    scene.parts.append(GameList(reader_of(scene.office, scene.account), tuple(_line(table) for table in shown)))


def _line(table: Table) -> GameLine:
    state = f"{table.game.state}, {seats_taken(table)}"
    phase = str(table.position.phase) if table.position is not None else ""
    return GameLine(table.game.name, table.variant.title, state, phase, due_at(table))


COMMAND = Command("list", "show the games of this server", "Games that are forming can be joined: JOIN game.", act)
