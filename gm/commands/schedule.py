"""SCHEDULE: a gamemaster's command that is carried out at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.clock import parse_when
from gm.commands import Command
from gm.commands.passages import show
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games.snapshot import Table
from gm.parsing.commands import parse_command
from gm.reports.words import full_moment
from gm.store import agenda
from gm.store.agenda import DeadlineKind

MAY_WAIT = frozenset(("process", "pause", "resume", "deadline", "extend", "set", "comment", "reveal"))
"""The commands that can be given for later: they need no lines below them and nobody's consent."""

_MOST = 20
_FORM = "Write SCHEDULE Friday 18:00: PROCESS, or SCHEDULE NONE to forget all."


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Keep a command for its time; list what is kept; or forget it."""
    table, seat = scene.as_master()
    scene.running(table)
    if table.phase is None:
        return
    words = str(args["words"]).strip()
    waiting = agenda.scheduled(scene.session, table.game.id)
    if words.upper() == "NONE":
        for row in waiting:
            row.done_at = scene.now
        scene.say(f"Nothing is scheduled in {table.game.name} any more.")
    elif not words:
        zone = table.options.clock.zone
        lines = [f"{full_moment(row.due_at, zone)}: {row.line}" for row in waiting]
        show(scene, f"Scheduled in {table.game.name}", "\n".join(lines) or "Nothing.")
    else:
        if len(waiting) >= _MOST:
            raise NotNow(f"{_MOST} commands are scheduled already.", "SCHEDULE NONE forgets them.")
        when, _, line = words.partition(": ")
        due = parse_when(when, scene.now, table.options.clock.zone)
        if due <= scene.now:
            raise NotNow(f"{full_moment(due, table.options.clock.zone)} has passed already.", _FORM)
        _check(table, line.strip())
        agenda.schedule(
            scene.session,
            game_id=table.game.id,
            seat_id=seat.id,
            inbox_id=scene.mail_id,
            line=line.strip(),
            due_at=due,
        )
        agenda.add_deadline(scene.session, table.game.id, table.phase.id, DeadlineKind.ACTION, due)
        scene.say(f"On {full_moment(due, table.options.clock.zone)}: {line.strip()}")
        scene.note("schedule", line=line.strip(), due=due.isoformat())


def _check(table: Table, line: str) -> None:
    """Raises NotUnderstood for what is no command, or none that can wait."""
    command = parse_command(line, table.lexicon) if line else None
    if command is None or command.name not in MAY_WAIT:
        may = ", ".join(sorted(name.upper() for name in MAY_WAIT))
        raise NotUnderstood(f"'{line}' is not a command that can be scheduled.", f"{_FORM} It can be: {may}.")


COMMAND = Command(
    "schedule",
    "have a command carried out at a time",
    "The time stands before a colon and a blank, as in DEADLINE; the command\n"
    "after it. PROCESS, PAUSE, RESUME, DEADLINE, EXTEND, SET, COMMENT and\n"
    "REVEAL can wait. You are told when it is done, or why it could not be.\n"
    "SCHEDULE alone shows what waits, SCHEDULE NONE forgets it.",
    act,
    for_masters=True,
)
