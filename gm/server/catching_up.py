"""Deadlines that passed while the server was down: adjudicated at once, or put off with a word to everybody."""

from __future__ import annotations

from datetime import timedelta

from gm.games import calendar
from gm.games.transaction import Transaction
from gm.server import Server
from gm.settings import ClockSettings
from gm.store import agenda
from gm.store.agenda import DeadlineKind, DeadlineRow

NOTICED = timedelta(minutes=2)
"""A deadline missed by less is simply met: nobody noticed that the server was away."""


def catch_up(server: Server, clock: ClockSettings) -> int:
    """Called once at the start, before any deadline is met. Returns how many games were given more time.

    With `extend` every phase whose deadline passed unmet is put off from now; with `adjudicate` nothing is done here,
    and the phases are adjudicated with the orders that came in time.
    """
    if clock.catch_up == "adjudicate":
        return 0
    with server.transaction() as tx:
        overdue = [
            deadline
            for deadline in agenda.deadlines_due(tx.session, tx.now - NOTICED)
            if deadline.kind in (DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW)
        ]
        return sum(_give_more_time(tx, deadline, timedelta(hours=clock.extend_hours)) for deadline in overdue)


def _give_more_time(tx: Transaction, deadline: DeadlineRow, longer: timedelta) -> bool:
    """Put a deadline off that is still its game's. Returns whether it was."""
    game = tx.game(deadline.game_id, lock=True)
    if game.phase is None or deadline.phase_id != game.phase.id or game.due_at != deadline.due_at:
        return False
    game = calendar.set_deadline(tx, game, game.options.clock.next_allowed(tx.now + longer))
    code = game.phase.code if game.phase is not None else ""
    words = (f"This server was away at the deadline of {code}. There is more time now; orders already sent stand.",)
    tx.tell(game, (*game.players, *game.masters), "more time after an outage", words, f"outage:{deadline.id}")
    tx.note("outage", game, missed=deadline.due_at.isoformat())
    return True
