"""LOG and UNDO: what was done in a game, and the gamemaster's last deed taken back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gm.commands import Command
from gm.commands.passages import show
from gm.commands.rollback import roll_forward
from gm.commands.scene import Scene
from gm.commands.settings import change
from gm.errors import NotNow, NotUnderstood
from gm.games.deadlines import set_deadline, stop_clock
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.reports.words import wrap
from gm.store import game_rows, records
from gm.store.game_rows import SeatRole
from gm.store.records import LogRow

_USUAL, _MOST = 30, 500
_UNSEEN = frozenset(("ballot", "motion"))
"""Votes are nobody's business."""
_LONG = frozenset(("undo", "powers", "wishes", "dealt", "options", "phase_id"))
"""What is kept of an event and is no news."""
_QUIET = frozenset(("preview", "undo", "join", "press"))
"""What a gamemaster does without changing anything that could be taken back."""


def act_log(scene: Scene, args: Mapping[str, Any]) -> None:
    """The newest events of the game."""
    table, _ = scene.as_master()
    words = str(args["words"]).strip()
    if words and not (words.isdecimal() and 0 < int(words) <= _MOST):
        raise NotUnderstood(f"'{words}' is not a number of events.", f"Write LOG, or LOG and a number up to {_MOST}.")
    number = int(words) if words else _USUAL
    zone = scene.office.zone_of(scene.account)
    powers = {seat.id: seat.power or str(seat.role) for seat in table.seats}
    hidden = scene.plays(table)
    lines = []
    for event in records.log_of(scene.session, table.game.id, number):
        if event.kind in _UNSEEN or (hidden and event.kind == "orders for"):
            continue
        who = powers.get(event.seat_id or 0, "server")
        lines.append(wrap(f"{event.at.astimezone(zone):%Y-%m-%d %H:%M} {who}: {_said(event)}", 0, 4))
    show(scene, f"Log of {table.game.name}, the newest first", "\n".join(lines) or "Nothing was done yet.")


def _said(event: LogRow) -> str:
    detail = ", ".join(
        f"{key}={value}"
        for key, value in event.detail.items()
        if key not in ("undo", "powers", "wishes", "dealt") and value not in (None, [])
    )
    return f"{event.kind} {detail}".rstrip()


def act_undo(scene: Scene, args: Mapping[str, Any]) -> None:
    """Take back the last thing a gamemaster did in this game, if that can be done."""
    del args
    table, _ = scene.as_master()
    event = _last(table)
    undo = event.detail.get("undo")
    if undo is None:
        raise NotNow(
            f"The last thing done, '{_said(event)}', cannot be taken back.", "ROLLBACK sets the game back to a phase."
        )
    said = _take_back(scene, table, undo)
    scene.say(f"Taken back: {_said(event)}. {said}")
    words = (f"The gamemaster has taken back what he did last ({event.kind}).", said)
    others = [seat for seat in table.seats if seat is not scene.seat]
    tell(table, scene.office, others, "taken back", words, purpose=f"undo:{event.id}", now=scene.now)
    scene.note("undo", of=event.id)


def _last(table: Table) -> LogRow:
    """The newest deed of a gamemaster that was not taken back. Raises NotNow when there is none."""
    masters = {seat.id for seat in table.masters}
    undone: set[int] = set()
    for event in records.log_of(table.session, table.game.id):
        if event.kind == "undo":
            undone.add(int(event.detail["of"]))
        elif event.kind == "adjudicate":
            break
        elif event.seat_id in masters and event.id not in undone and event.kind not in _QUIET:
            return event
    raise NotNow("There is nothing to take back in this phase.", "ROLLBACK sets the game back to a phase.")


def _take_back(scene: Scene, table: Table, undo: Mapping[str, Any]) -> str:
    """Do the contrary. Returns what to say of it."""
    match undo["what"]:
        case "deadline":
            return _set_back(scene, table, undo["due"])
        case "pause":
            stop_clock(table, scene.now)
            return "The clock stands."
        case "set":
            change(table, undo["options"])
            return "The options are as they were."
        case "comment":
            table.game.comment = undo["text"]
            return "The comment is as it was."
        case "dummy":
            return _no_dummy(table, int(undo["seat"]))
        case _:
            return f"{roll_forward(table, scene).code} is played."


def _set_back(scene: Scene, table: Table, due: str | None) -> str:
    """The deadline as it was; not one that has passed meanwhile."""
    scene.running(table)
    moment = datetime.fromisoformat(due) if due is not None else None
    if table.phase is None or moment is None or moment <= scene.now:
        raise NotNow("The deadline of before has passed meanwhile.", "DEADLINE sets another.")
    set_deadline(table, table.phase, moment, scene.now)
    return "The deadline is as it was."


def _no_dummy(table: Table, seat_id: int) -> str:
    seat = game_rows.seat_by_id(table.session, seat_id)
    if seat is None or seat.dummy_since is None or seat.role is not SeatRole.PLAYER:
        raise NotNow("That power is no dummy any more.")
    seat.dummy_since = None
    table.forget()
    return f"{seat.power} is vacant and may be taken over."


LOG = Command(
    "log",
    "show what was done in the game",
    "The newest first, 30 or as many as you say. Votes are not shown.",
    act_log,
    for_masters=True,
)
UNDO = Command(
    "undo",
    "take back the last thing you did",
    "DEADLINE, EXTEND, PAUSE, RESUME, SET, COMMENT, DUMMY and ROLLBACK can be\n"
    "taken back within the phase, one after the other.",
    act_undo,
    for_masters=True,
)
