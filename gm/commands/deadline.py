"""DEADLINE and EXTEND: when the phase is adjudicated, moved by the gamemaster."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gm.clock import parse_duration, parse_when
from gm.commands import Command
from gm.commands.motions import move_for
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.games.deadlines import set_deadline
from gm.games.post import tell
from gm.games.report_inputs import due_at
from gm.games.snapshot import Table
from gm.reports.words import full_moment
from gm.store.game_rows import SeatRole


def act_deadline(scene: Scene, args: Mapping[str, Any]) -> None:
    """Set the deadline of the phase."""
    table, _ = scene.as_master(args["game"])
    scene.running(table)
    move(scene, table, parse_when(args["when"], scene.now, table.options.clock.zone))


def act_extend(scene: Scene, args: Mapping[str, Any]) -> None:
    """Put the deadline off by a length of time, or until a moment; players vote for it."""
    table, seat = scene.seated(args["game"])
    scene.running(table)
    words = str(args["by"])
    if seat.role is SeatRole.MASTER:
        move(scene, table, _put_off(scene, table, words))
        return
    if table.paused:
        raise NotNow(f"The clock of {table.game.name} stands: there is no deadline.", "RESUME votes to set it going.")
    value, what = "", ""
    if words.lower() not in ("yes", "no"):
        due = _put_off(scene, table, words)
        value, what = (
            due.isoformat(),
            f"that the deadline be put off until {full_moment(due, table.options.clock.zone)}",
        )
        if due <= (due_at(table) or scene.now):
            raise NotNow(
                f"{full_moment(due, table.options.clock.zone)} is not later than the deadline.", "Ask for more."
            )
    agreed = move_for(scene, "extend", words, what, value)
    if agreed is not None:
        move(scene, table, datetime.fromisoformat(agreed), "The players have voted for more time.")


def _put_off(scene: Scene, table: Table, words: str) -> datetime:
    """The moment that `24h` or `until Friday 18:00` puts the deadline off to."""
    if words.lower().startswith("until "):
        return parse_when(words[6:], scene.now, table.options.clock.zone)
    return (due_at(table) or scene.now) + parse_duration(words)


def move(scene: Scene, table: Table, due: datetime, reason: str = "The gamemaster has moved the deadline.") -> None:
    """Move the deadline and tell everybody. Raises NotNow for a moment that has passed."""
    zone = table.options.clock.zone
    if due <= scene.now:
        raise NotNow(f"{full_moment(due, zone)} has passed already.", "PROCESS adjudicates the phase at once.")
    if table.phase is None:
        return
    before = due_at(table)
    undo = {"what": "deadline", "due": before.isoformat()} if before is not None else {"what": "pause"}
    set_deadline(table, table.phase, due, scene.now)
    scene.say(f"The deadline for {table.phase.code} is now {full_moment(due, zone)}. Everybody is told.")
    tell(
        table,
        scene.office,
        [seat for seat in table.seats if seat is not scene.seat],
        "new deadline",
        (f"{reason} It is that of {table.phase.code}.",),
        purpose=f"deadline:{scene.mail_id}:{due:%s}",
        now=scene.now,
    )
    scene.note("deadline", phase=table.phase.code, due=due.isoformat(), undo=undo)


DEADLINE = Command(
    "deadline",
    "set when the phase is adjudicated",
    "Times are in the game's zone unless another one follows, such as UTC or\nAmerica/New_York. Everybody is told.",
    act_deadline,
    for_masters=True,
)
EXTEND = Command(
    "extend",
    "put the deadline off; players vote for it",
    "From the gamemaster it counts at once. From players it is a vote: it is\n"
    "done when as many agree as the game asks for (see STATUS). EXTEND YES\n"
    "agrees to what another player has asked for, EXTEND NO does not. Nobody\n"
    "is told who voted how. Orders already sent stay in force.",
    act_extend,
)
