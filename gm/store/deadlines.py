"""What is to be done at a time, and when the server must wake next.

A deadline is worked off in one transaction that has claimed its game: `claim_due_game` gives a game that nobody else
works on and its due rows; each is closed with `finish`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, select, update
from sqlalchemy.orm import Session

from gm.store import inbox, outbox, owed
from gm.store.claims import claim
from gm.store.tables import Deadline, DeadlineKind, Game, GameState


def add_deadline(session: Session, game_id: int, phase_id: int, kind: DeadlineKind, due_at: datetime) -> Deadline:
    """Something to be done at `due_at`."""
    deadline = Deadline(game_id=game_id, phase_id=phase_id, kind=kind, due_at=due_at, cancelled=False)
    session.add(deadline)
    session.flush()
    return deadline


def set_deadline(session: Session, game_id: int, phase_id: int, due_at: datetime) -> Deadline:
    """The time of the phase's adjudication from now on; an earlier decision is cancelled and kept."""
    cancel_deadlines(session, phase_id, DeadlineKind.ADJUDICATE)
    return add_deadline(session, game_id, phase_id, DeadlineKind.ADJUDICATE, due_at)


def cancel_deadlines(session: Session, phase_id: int, *kinds: DeadlineKind) -> None:
    """Cancel what is not done yet of these kinds (of any, when none is named)."""
    statement = update(Deadline).where(Deadline.phase_id == phase_id, _open()).values(cancelled=True)
    session.execute(statement.where(Deadline.kind.in_(kinds)) if kinds else statement)


def deadline_of(session: Session, phase_id: int) -> Deadline | None:
    """When the phase is to be closed or, its orders being closed for review, adjudicated; None when it was, or when
    nobody has set a time.
    """
    kinds = (DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW)
    statement = select(Deadline).where(Deadline.phase_id == phase_id, Deadline.kind.in_(kinds), _open())
    return session.scalar(statement.order_by(Deadline.id.desc()).limit(1))


def passed(session: Session, phase_id: int) -> datetime | None:
    """The first deadline of the phase that has passed without its adjudication; None when none has: it is in time."""
    statement = select(Deadline.due_at).where(
        Deadline.phase_id == phase_id, Deadline.kind == DeadlineKind.ADJUDICATE, Deadline.done_at.is_not(None)
    )
    return session.scalar(statement.order_by(Deadline.id).limit(1))


def open_deadlines(session: Session, game_id: int) -> Sequence[Deadline]:
    """What is still to be done for a game, soonest first."""
    statement = select(Deadline).where(Deadline.game_id == game_id, _open())
    return session.scalars(statement.order_by(Deadline.due_at, Deadline.id)).all()


def deadlines_due(session: Session, now: datetime, game_id: int | None = None) -> Sequence[Deadline]:
    """What is due of running games (of one, when named), longest due first; not locked."""
    statement = select(Deadline).join(Game, Game.id == Deadline.game_id).where(_due(now))
    if game_id is not None:
        statement = statement.where(Deadline.game_id == game_id)
    return session.scalars(statement.order_by(Deadline.due_at, Deadline.id)).all()


def claim_due_game(session: Session, now: datetime) -> tuple[Game, Sequence[Deadline]] | None:
    """A game with something due, claimed for this transaction, and what is due; None when nothing is, or others do it.

    What is due is read after the lock is had: what another process has just done is not done again.
    """
    passed: list[int] = []
    while True:
        due = select(Deadline.id).where(Deadline.game_id == Game.id, _due(now))
        games = claim(session, select(Game).where(due.exists(), Game.id.not_in(passed)).order_by(Game.id))
        if not games:
            return None
        deadlines = deadlines_due(session, now, games[0].id)
        if deadlines:
            return games[0], deadlines
        passed.append(games[0].id)


def finish(session: Session, deadline: Deadline, now: datetime) -> None:
    """The deadline was worked off in this transaction."""
    deadline.done_at = now
    session.flush()


def next_wake(session: Session) -> datetime | None:
    """The first time at which there is work: a deadline, a mail to work on or to send, a report owed; None without any.

    A time that has passed means: now. Work that another process holds counts when its hold ends.
    """
    due = session.scalar(
        select(func.min(Deadline.due_at)).join(Game, Game.id == Deadline.game_id).where(_open(), _running())
    )
    times = [due, inbox.wakes_at(session), outbox.wakes_at(session), owed.wakes_at(session)]
    return min((time for time in times if time is not None), default=None)


def _open() -> ColumnElement[bool]:
    return and_(Deadline.done_at.is_(None), Deadline.cancelled.is_(False))


def _running() -> ColumnElement[bool]:
    return Game.state == GameState.RUNNING


def _due(now: datetime) -> ColumnElement[bool]:
    return and_(_open(), _running(), Deadline.due_at <= now)
