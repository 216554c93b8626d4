"""DIARY: what a player writes for himself, and everybody reads when the game is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.passages import show
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.games.token_redaction import redact, replace_addresses
from gm.reports.words import quote
from gm.store import records
from gm.store.game_rows import GameState


def write(scene: Scene, body: str) -> None:
    """Add an entry to the diary of the sender's seat."""
    table, seat = scene.as_player()
    if table.game.state not in (GameState.FORMING, GameState.RUNNING):
        raise NotNow(
            f"The game {table.game.name} is {table.game.state}.", "Its diaries are closed; SUMMARY shows them."
        )
    body, leaked = redact(scene.session, scene.office, body)
    replace_addresses(scene.session, scene.office, leaked, purpose=f"leaked:{scene.mail_id}", now=scene.now)
    phase_id = table.phase.id if table.phase is not None else None
    records.add_diary_entry(scene.session, seat.id, phase_id, body, scene.now)
    scene.say(f"Your diary has a new entry ({len(body.split())} words). Nobody reads it until the game is over.")


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """DIARY LIST: show the sender his own."""
    del args
    table, seat = scene.as_player()
    entries = records.diary_of(scene.session, seat.id)
    if not entries:
        raise NotNow("Your diary is empty.", "Write DIARY, your text below it, and ENDDIARY.")
    text = "\n\n".join(f"{entry.written_at:%d %b %Y}\n{quote(entry.body)}" for entry in entries)
    show(scene, f"Your diary in {table.game.name}", text)


COMMAND = Command(
    "diary",
    "write what everybody reads when the game is over",
    "Until then nobody does, not the gamemaster either. DIARY LIST shows you\nwhat you have written.",
    act,
)
