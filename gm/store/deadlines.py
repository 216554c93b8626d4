"""What is to be done at a time, and when the server must wake next.

A deadline is worked off in one transaction that has claimed its game: `claim_due_game` gives a game that nobody else
works on and its due rows; each is closed with `finish`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, select, update
from sqlalchemy.orm import Session

from gm.store import inbox, outbox, report_queue
from gm.store.claims import claim
from gm.store.tables import DeadlineKind, DeadlineRow, GameRow, GameState


def add_deadline(session: Session, game_id: int, phase_id: int, kind: DeadlineKind, due_at: datetime) -> DeadlineRow:
    """Something to be done at `due_at`."""
    deadline = DeadlineRow(game_id=game_id, phase_id=phase_id, kind=kind, due_at=due_at, cancelled=False)
    session.add(deadline)
    session.flush()
    return deadline


def set_deadline(session: Session, game_id: int, phase_id: int, due_at: datetime) -> DeadlineRow:
    """The time of the phase's adjudication from now on; an earlier decision is cancelled and kept."""
    cancel_deadlines(session, phase_id, DeadlineKind.ADJUDICATE)
    return add_deadline(session, game_id, phase_id, DeadlineKind.ADJUDICATE, due_at)


def cancel_deadlines(session: Session, phase_id: int, *kinds: DeadlineKind) -> None:
    """Cancel what is not done yet of these kinds (of any, when none is named)."""
    statement = update(DeadlineRow).where(DeadlineRow.phase_id == phase_id, _open()).values(cancelled=True)
    session.execute(statement.where(DeadlineRow.kind.in_(kinds)) if kinds else statement)


def deadline_of(session: Session, phase_id: int) -> DeadlineRow | None:
    """When the phase is to be closed or, its orders being closed for review, adjudicated; None when it was, or when
    nobody has set a time.
    """
    kinds = (DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW)
    statement = select(DeadlineRow).where(DeadlineRow.phase_id == phase_id, DeadlineRow.kind.in_(kinds), _open())
    return session.scalar(statement.order_by(DeadlineRow.id.desc()).limit(1))


def passed(session: Session, phase_id: int) -> datetime | None:
    """The first deadline of the phase that has passed without its adjudication; None when none has: it is in time."""
    statement = select(DeadlineRow.due_at).where(
        DeadlineRow.phase_id == phase_id, DeadlineRow.kind == DeadlineKind.ADJUDICATE, DeadlineRow.done_at.is_not(None)
    )
    return session.scalar(statement.order_by(DeadlineRow.id).limit(1))


def open_deadlines(session: Session, game_id: int) -> Sequence[DeadlineRow]:
    """What is still to be done for a game, soonest first."""
    statement = select(DeadlineRow).where(DeadlineRow.game_id == game_id, _open())
    return session.scalars(statement.order_by(DeadlineRow.due_at, DeadlineRow.id)).all()


def deadlines_due(session: Session, now: datetime, game_id: int | None = None) -> Sequence[DeadlineRow]:
    """What is due of running games (of one, when named), longest due first; not locked."""
    statement = select(DeadlineRow).join(GameRow, GameRow.id == DeadlineRow.game_id).where(_due(now))
    if game_id is not None:
        statement = statement.where(DeadlineRow.game_id == game_id)
    return session.scalars(statement.order_by(DeadlineRow.due_at, DeadlineRow.id)).all()


def claim_due_game(session: Session, now: datetime) -> tuple[GameRow, Sequence[DeadlineRow]] | None:
    """A game with something due, claimed for this transaction, and what is due; None when nothing is, or others do it.

    What is due is read after the lock is had: what another process has just done is not done again.
    """
    passed: list[int] = []
    while True:
        due = select(DeadlineRow.id).where(DeadlineRow.game_id == GameRow.id, _due(now))
        games = claim(session, select(GameRow).where(due.exists(), GameRow.id.not_in(passed)).order_by(GameRow.id))
        if not games:
            return None
        deadlines = deadlines_due(session, now, games[0].id)
        if deadlines:
            return games[0], deadlines
        passed.append(games[0].id)


def finish(session: Session, deadline: DeadlineRow, now: datetime) -> None:
    """The deadline was worked off in this transaction."""
    deadline.done_at = now
    session.flush()


def next_wake(session: Session) -> datetime | None:
    """The first time at which there is work: a deadline, a mail to work on or to send, a report owed; None without any.

    A time that has passed means: now. Work that another process holds counts when its hold ends.
    """
    due = session.scalar(
        select(func.min(DeadlineRow.due_at)).join(GameRow, GameRow.id == DeadlineRow.game_id).where(_open(), _running())
    )
    times = [due, inbox.wakes_at(session), outbox.wakes_at(session), report_queue.wakes_at(session)]
    return min((time for time in times if time is not None), default=None)


def _open() -> ColumnElement[bool]:
    return and_(DeadlineRow.done_at.is_(None), DeadlineRow.cancelled.is_(False))


def _running() -> ColumnElement[bool]:
    return GameRow.state == GameState.RUNNING


def _due(now: datetime) -> ColumnElement[bool]:
    return and_(_open(), _running(), DeadlineRow.due_at <= now)
