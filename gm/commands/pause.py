"""PAUSE and RESUME: the clock stands and goes on; by the gamemaster, or by vote of the players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.motions import move_for
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.games.deadlines import close_early, start_clock, stop_clock
from gm.games.post import tell
from gm.games.report_inputs import due_at
from gm.games.snapshot import Table
from gm.reports.words import full_moment
from gm.store.game_rows import SeatRole


def act_pause(scene: Scene, args: Mapping[str, Any]) -> None:
    """Stop the clock, or vote for it."""
    table, seat = scene.seated()
    scene.running(table)
    if table.paused:
        raise NotNow(f"The clock of {table.game.name} stands already.", "RESUME sets it going.")
    if seat.role is SeatRole.MASTER:
        pause(scene, table, "The gamemaster has stopped the clock.")
    elif move_for(scene, "pause", str(args["words"]), "that the clock be stopped") is not None:
        pause(scene, table, "The players have voted to stop the clock.")


def act_resume(scene: Scene, args: Mapping[str, Any]) -> None:
    """Set the clock going, or vote for it."""
    table, seat = scene.seated()
    scene.running(table)
    if not table.paused:
        raise NotNow(f"The clock of {table.game.name} is running.", "PAUSE stops it.")
    if seat.role is SeatRole.MASTER:
        resume(scene, table, "The gamemaster has set the clock going.")
    elif move_for(scene, "resume", str(args["words"]), "that the clock be set going") is not None:
        resume(scene, table, "The players have voted to set the clock going.")


def pause(scene: Scene, table: Table, reason: str) -> None:
    """The clock stands, and everybody is told."""
    due = due_at(table)
    stop_clock(table, scene.now)
    words = (f"{reason} There is no deadline until it is resumed; orders are taken as before.",)
    tell(
        table,
        scene.office,
        list(table.seats),
        "the clock stands",
        words,
        purpose=f"pause:{scene.mail_id}",
        now=scene.now,
    )
    scene.say("The clock stands. Everybody is told.")
    scene.note("pause", undo={"what": "deadline", "due": due.isoformat() if due is not None else None})


def resume(scene: Scene, table: Table, reason: str) -> None:
    """The clock goes on with the time that was left, and everybody is told."""
    due = start_clock(table, scene.now)
    tell(
        table,
        scene.office,
        list(table.seats),
        "the clock is running",
        (reason,),
        purpose=f"resume:{scene.mail_id}",
        now=scene.now,
    )
    if due is not None:
        scene.say(f"The clock is running; the deadline is {full_moment(due, table.options.clock.zone)}.")
    scene.note("resume", undo={"what": "pause"})
    close_early(table, scene.now)


PAUSE = Command(
    "pause",
    "stop the clock; players vote for it",
    "From the gamemaster it counts at once. From players it is a vote: it is\n"
    "done when as many agree as the game asks for. PAUSE NO votes against it.\n"
    "Orders are taken while the clock stands; RESUME sets it going again\n"
    "with the time that was left.",
    act_pause,
)
RESUME = Command(
    "resume",
    "set the clock going again; players vote for it",
    "The phase then has the time that was left when the clock was stopped.",
    act_resume,
)
