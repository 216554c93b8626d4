"""The deadline rows of a game: written when a phase opens, moved by command or when every order is in."""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.clock import parse_duration
from gm.errors import NotUnderstood
from gm.games import preorders
from gm.games.snapshot import Table
from gm.position import Position, position_to_json
from gm.store import agenda, game_rows, people, records
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import PhaseRow
from gm.store.people import AccountRow

CAST = ("draw", "concede")
"""The ballots that may be standing."""


def open_phase(table: Table, position: Position, now: datetime) -> PhaseRow:
    """Begin a phase: its row, its deadline and reminders, nobody waiting any more, and the orders sent ahead for it."""
    before = table.phase
    phase = game_rows.open_phase(
        table.session, table.game, code=position.phase.code, position=position_to_json(position), now=now
    )
    table.forget()
    if before is not None and table.options.standing_ballots:
        _carry_ballots(table, before, phase, now)
    begin(table, phase, now)
    preorders.use(table, phase, now)
    close_early(table, now)
    return phase


def begin(table: Table, phase: PhaseRow, now: datetime) -> None:
    """The clock of a phase begins to run."""
    for seat in table.players:
        seat.wait = False
    set_deadline(table, phase, due_for(table, phase, now), now)


def due_for(table: Table, phase: PhaseRow, now: datetime) -> datetime:
    """When a phase that begins now is due, out of the absences of those who must order."""
    rule = table.options.clock
    if phase.number == 1:
        due = rule.next_allowed(now + table.options.first)
    elif table.position is not None:
        due = rule.due(table.position.phase.kind, now)
    else:
        raise ValueError(f"{phase.code} of {table.game.name} has no position")
    return rule.out_of(due, absences(table, now))


def absences(table: Table, now: datetime) -> list[tuple[datetime, datetime]]:
    """When those are away who still have something to order in this phase."""
    if table.in_review:
        return []
    if table.variant.review is not None:  # who truly must order, and when that seat is away, tells nothing
        missing = [seat for seat in table.voters if not table.reviews(seat)]
    else:
        missing = [seat for seat in table.held_by_people if seat.power in table.duties]
    ids = [seat.account_id for seat in missing if not table.has_ordered(seat, incomplete_too=False)]
    away = people.absences_of(table.session, [one for one in ids if one is not None], now)
    return [(absence.begins, absence.ends) for absence in away]


def set_deadline(table: Table, phase: PhaseRow, due: datetime, now: datetime) -> None:
    """Make `due` the phase's deadline in place of any other, with its reminders. A clock that stood runs again.

    Once the orders are closed for review it is the moment at which the phase is adjudicated, and nobody is reminded.
    """
    cancel_deadline(table, phase)
    table.game.paused_at = table.game.left = None
    if phase.closed_at is not None:
        agenda.add_deadline(table.session, table.game.id, phase.id, DeadlineKind.REVIEW, due)
        table.forget()
        return
    agenda.add_deadline(table.session, table.game.id, phase.id, DeadlineKind.ADJUDICATE, due)
    for moment in sorted(
        {due - lead for lead in map(lead_of, *_leads(table)) if lead is not None and due - lead > now}
    ):
        agenda.add_deadline(table.session, table.game.id, phase.id, DeadlineKind.REMINDER, moment)
    table.forget()


def cancel_deadline(table: Table, phase: PhaseRow) -> None:
    """The phase has no deadline any more, and nobody is reminded of it."""
    kinds = (DeadlineKind.ADJUDICATE, DeadlineKind.REMINDER, DeadlineKind.REVIEW)
    agenda.cancel_deadlines(table.session, phase.id, *kinds)
    table.forget()


def _leads(table: Table) -> tuple[list[Table], list[AccountRow]]:
    accounts = list(table.accounts.values())
    return [table] * len(accounts), accounts


def lead_of(table: Table, account: AccountRow) -> timedelta | None:
    """How long before a deadline this person is reminded, by his own wish or the game's option; None: not at all."""
    if account.remind is None:
        return table.options.clock.reminder
    try:
        return parse_duration(account.remind)
    except NotUnderstood:
        return None


def stop_clock(table: Table, now: datetime) -> None:
    """The clock stands until it is set going again; what was left is kept."""
    if table.phase is None or table.deadline is None:
        return
    table.game.left = max(0, int((table.deadline.due_at - now).total_seconds()))
    cancel_deadline(table, table.phase)
    table.game.paused_at = now


def start_clock(table: Table, now: datetime) -> datetime | None:
    """The clock goes on with what was left, at the game's own times. Returns the deadline."""
    if table.phase is None:
        return None
    left = timedelta(seconds=table.game.left or 0)
    due = table.options.clock.next_allowed(now + max(left, timedelta(hours=1)))
    set_deadline(table, table.phase, due, now)
    return due


def close_early(table: Table, now: datetime) -> bool:
    """Bring the deadline forward to now if every order is in and the game allows it. Returns whether it did.

    Where a seat may alter orders it never is: who is waited for would tell what that seat has done.
    """
    if table.variant.review is not None:
        return False
    if table.phase is None or not table.running or table.paused or not table.everybody_is_in():
        return False
    if not table.options.early and not table.in_grace:
        return False
    set_deadline(table, table.phase, now, now)
    return True


def _carry_ballots(table: Table, before: PhaseRow, phase: PhaseRow, now: datetime) -> None:
    """Standing votes go on into the next phase."""
    for kind in CAST:
        for seat_id, value in records.votes_of(table.session, before.id, kind).items():
            records.cast_vote(table.session, phase_id=phase.id, seat_id=seat_id, kind=kind, value=value, now=now)
