"""Press, votes, and the events of a game: what was said, what was wished, what was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.store.claims import add_once, claim
from gm.store.tables import LogRow, PressRow, VoteRow


def add_press(
    session: Session,
    *,
    game_id: int,
    phase_id: int | None,
    from_seat_id: int,
    to: Sequence[str],
    body: str,
    now: datetime,
    manner: str | None = None,
) -> PressRow:
    """A message that was sent to these powers (or "ALL", "GM")."""
    press = PressRow(
        game_id=game_id,
        phase_id=phase_id,
        from_seat_id=from_seat_id,
        to=list(to),
        body=body,
        sent_at=now,
        manner=manner,
    )
    session.add(press)
    session.flush()
    return press


def press_of(session: Session, game_id: int, phase_id: int | None = None) -> Sequence[PressRow]:
    """The press of a game (of one phase, when named), in the order it was sent."""
    statement = select(PressRow).where(PressRow.game_id == game_id).order_by(PressRow.id)
    return session.scalars(statement if phase_id is None else statement.where(PressRow.phase_id == phase_id)).all()


def cast_vote(session: Session, *, phase_id: int, seat_id: int, kind: str, value: str, now: datetime) -> VoteRow:
    """The seat's vote of this kind in this phase from now on."""
    vote = add_once(session, VoteRow, phase_id=phase_id, seat_id=seat_id, kind=kind, value=value, cast_at=now)
    if vote is not None:
        return vote
    cast = select(VoteRow).where(VoteRow.phase_id == phase_id, VoteRow.seat_id == seat_id, VoteRow.kind == kind)
    (vote,) = claim(session, cast, wait=True)
    vote.value, vote.cast_at = value, now
    session.flush()
    return vote


def votes_of(session: Session, phase_id: int, kind: str) -> dict[int, str]:
    """The votes of a kind in a phase, by seat id."""
    rows = session.execute(
        select(VoteRow.seat_id, VoteRow.value).where(VoteRow.phase_id == phase_id, VoteRow.kind == kind)
    )
    return dict(rows.all())


def record(
    session: Session,
    kind: str,
    now: datetime,
    *,
    game_id: int | None = None,
    seat_id: int | None = None,
    detail: Mapping[str, Any] | None = None,
) -> LogRow:
    """Note what was done, by which seat (None: the server or the operator); for ever."""
    event = LogRow(game_id=game_id, seat_id=seat_id, kind=kind, detail=dict(detail or {}), at=now)
    session.add(event)
    session.flush()
    return event


def events_of(session: Session, game_id: int | None, limit: int | None = None) -> Sequence[LogRow]:
    """The events of a game (None: those of no game), newest first."""
    statement = select(LogRow).where(LogRow.game_id == game_id if game_id is not None else LogRow.game_id.is_(None))
    return session.scalars(statement.order_by(LogRow.id.desc()).limit(limit)).all()
