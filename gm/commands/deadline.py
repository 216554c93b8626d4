"""DEADLINE and EXTEND: when the phase is adjudicated, moved by the gamemaster."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gm.clock import parse_duration, parse_when
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.office.calendar import set_deadline
from gm.office.facts import due_at
from gm.office.post import tell
from gm.office.table import Table
from gm.reports.words import full_moment


def act_deadline(scene: Scene, args: Mapping[str, Any]) -> None:
    """Set the deadline of the phase."""
    table, _ = scene.as_master(args["game"])
    scene.running(table)
    move(scene, table, parse_when(args["when"], scene.now, table.options.clock.zone))


def act_extend(scene: Scene, args: Mapping[str, Any]) -> None:
    """Put the deadline off by a length of time, or until a moment."""
    table, _ = scene.as_master(args["game"])
    scene.running(table)
    words = str(args["by"])
    if words.lower().startswith("until "):
        move(scene, table, parse_when(words[6:], scene.now, table.options.clock.zone))
    else:
        move(scene, table, (due_at(table) or scene.now) + parse_duration(words))


def move(scene: Scene, table: Table, due: datetime) -> None:
    """Move the deadline and tell everybody. Raises NotNow for a moment that has passed."""
    zone = table.options.clock.zone
    if due <= scene.now:
        raise NotNow(f"{full_moment(due, zone)} has passed already.", "PROCESS adjudicates the phase at once.")
    if table.phase is None:
        return
    set_deadline(table, table.phase, due, scene.now)
    scene.say(f"The deadline for {table.phase.code} is now {full_moment(due, zone)}. Everybody is told.")
    said = f"The gamemaster has moved the deadline of {table.phase.code}."
    tell(
        table,
        scene.office,
        table.players,
        "new deadline",
        (said,),
        purpose=f"deadline:{scene.mail_id}:{due:%s}",
        now=scene.now,
    )
    scene.note("deadline", phase=table.phase.code, due=due.isoformat())


DEADLINE = Command(
    "deadline",
    "set when the phase is adjudicated",
    "Times are in the game's zone unless another one follows, such as UTC or\nAmerica/New_York. Everybody is told.",
    act_deadline,
    for_masters=True,
)
EXTEND = Command(
    "extend",
    "put the deadline off",
    "Everybody is told. Orders already sent stay in force.",
    act_extend,
    for_masters=True,
)
