"""The deadline rows of a game: written when a phase opens, moved by command or when every order is in."""

from __future__ import annotations

from datetime import datetime

from gm.clock import parse_duration
from gm.office.table import Table
from gm.position import Position, position_to_json
from gm.store import deadlines, games
from gm.store.tables import DeadlineKind, PhaseRow


def open_phase(table: Table, position: Position, now: datetime) -> PhaseRow:
    """Begin a phase: its row, its deadline and reminder, and nobody waiting any more."""
    phase = games.open_phase(
        table.session, table.game, code=position.phase.code, position=position_to_json(position), now=now
    )
    table.forget()
    for seat in table.players:
        seat.wait = False
    rule = table.options.clock
    if phase.number == 1:
        due = rule.next_allowed(now + parse_duration(table.options.texts["first"]))
    else:
        due = rule.due(position.phase.kind, now)
    set_deadline(table, phase, due, now)
    return phase


def set_deadline(table: Table, phase: PhaseRow, due: datetime, now: datetime) -> None:
    """Make `due` the phase's deadline in place of any other, with its reminder."""
    deadlines.cancel_deadlines(table.session, phase.id)
    deadlines.add_deadline(table.session, table.game.id, phase.id, DeadlineKind.ADJUDICATE, due)
    remind = table.options.clock.remind_at(due, now)
    if remind is not None:
        deadlines.add_deadline(table.session, table.game.id, phase.id, DeadlineKind.REMINDER, remind)
    table.forget()


def close_early(table: Table, now: datetime) -> bool:
    """Bring the deadline forward to now if every order is in and the game allows it. Returns whether it did."""
    if table.phase is None or not table.running or not table.options.early or not table.everybody_is_in():
        return False
    set_deadline(table, table.phase, now, now)
    return True
