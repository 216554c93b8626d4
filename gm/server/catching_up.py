"""Deadlines that passed while the server was down: adjudicated at once, or put off with a word to everybody."""

from __future__ import annotations

from datetime import timedelta

from gm.games.deadlines import set_deadline
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.server import Server
from gm.settings import ClockSettings
from gm.store import agenda, game_rows, records
from gm.store.agenda import DeadlineKind

NOTICED = timedelta(minutes=2)
"""A deadline missed by less is simply met: nobody noticed that the server was away."""


def catch_up(service: Server, clock: ClockSettings) -> int:
    """Called once at the start, before any deadline is met. Returns how many games were given more time.

    With `extend` every phase whose deadline passed unmet is put off from now; with `adjudicate` nothing is done here,
    and the phases are adjudicated with the orders that came in time.
    """
    if clock.catch_up == "adjudicate":
        return 0
    now = service.now()
    longer = timedelta(hours=clock.extend_hours)
    put_off = 0
    with service.database.transaction() as session:
        for deadline in agenda.deadlines_due(session, now - NOTICED):
            if deadline.kind not in (DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW):
                continue
            table = Table(session, game_rows.lock_game(session, deadline.game_id))
            if table.phase is None or table.deadline is None or table.deadline.id != deadline.id:
                continue
            due = table.options.clock.next_allowed(now + longer)
            set_deadline(table, table.phase, due, now)
            words = (
                f"This server was away at the deadline of {table.phase.code}. There is more time now; orders already"
                " sent stand.",
            )
            tell(
                table,
                service.office,
                [*table.players, *table.masters],
                "more time after an outage",
                words,
                purpose=f"outage:{deadline.id}",
                now=now,
            )
            records.note(session, "outage", now, game_id=table.game.id, detail={"missed": deadline.due_at.isoformat()})
            put_off += 1
    return put_off
