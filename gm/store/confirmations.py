"""Questions that wait for a person's yes: asked once, answered once, in time or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.store.claims import claim
from gm.store.tables import ConfirmationRow, InboxRow, InboxState

UNANSWERED = ""


def ask(
    session: Session,
    *,
    inbox_id: int,
    scope: str,
    asked: str,
    now: datetime,
    expires_at: datetime,
    account_id: int | None = None,
    seat_id: int | None = None,
    phase_id: int | None = None,
    detail: Mapping[str, Any] | None = None,
) -> ConfirmationRow:
    """A new question; `set_token` follows, since its token is made from its id."""
    row = ConfirmationRow(
        inbox_id=inbox_id,
        scope=scope,
        asked=asked,
        account_id=account_id,
        seat_id=seat_id,
        phase_id=phase_id,
        detail=dict(detail or {}),
        token_hash=f"none for mail {inbox_id} {scope}",
        created_at=now,
        expires_at=expires_at,
        outcome=UNANSWERED,
    )
    session.add(row)
    session.flush()
    return row


def set_token(session: Session, row: ConfirmationRow, token_hash: str) -> None:
    """The question is answered by whoever knows this token."""
    row.token_hash = token_hash
    session.flush()


def by_token_hash(session: Session, token_hash: str) -> ConfirmationRow | None:
    """The question with this token, answered or not."""
    return session.scalar(select(ConfirmationRow).where(ConfirmationRow.token_hash == token_hash))


def take(session: Session, row_id: int) -> ConfirmationRow:
    """Lock a question, so that two answers at once are not both the first. Raises LookupError."""
    for row in claim(session, select(ConfirmationRow).where(ConfirmationRow.id == row_id), wait=True):
        return row
    raise LookupError(f"there is no question {row_id}")


def settle(session: Session, row: ConfirmationRow, outcome: str, now: datetime) -> None:
    """The question is answered: `yes`, `no` or `late`."""
    row.settled_at, row.outcome = now, outcome
    session.flush()


def asked_since(session: Session, asked: str, since: datetime) -> int:
    """How many questions went to this address since then."""
    statement = select(func.count()).where(ConfirmationRow.asked == asked, ConfirmationRow.created_at > since)
    return session.scalar(statement) or 0


def open_questions(session: Session) -> int:
    """How many questions wait for their answer."""
    return session.scalar(select(func.count()).where(ConfirmationRow.settled_at.is_(None))) or 0


def waiting_for(session: Session, seat_ids: Sequence[int]) -> int:
    """How many questions to the holders of these seats wait for their answer."""
    statement = select(func.count()).where(
        ConfirmationRow.seat_id.in_(list(seat_ids)), ConfirmationRow.settled_at.is_(None)
    )
    return session.scalar(statement) or 0


def expire(session: Session, now: datetime) -> Sequence[ConfirmationRow]:
    """Settle the questions whose time is over as `late`, and close the mails that waited for them."""
    over = select(ConfirmationRow).where(ConfirmationRow.settled_at.is_(None), ConfirmationRow.expires_at <= now)
    rows = claim(session, over.order_by(ConfirmationRow.id), limit=100)
    for row in rows:
        settle(session, row, "late", now)
        close_held(session, row.inbox_id, InboxState.IGNORED, now, "nobody confirmed it in time")
    return rows


def close_held(session: Session, mail_id: int, state: InboxState, now: datetime, note: str) -> None:
    """A mail that was held is done, or will never be; one in another state is left as it is."""
    held = select(InboxRow).where(InboxRow.id == mail_id, InboxRow.state == InboxState.HELD)
    for mail in claim(session, held, wait=True):
        mail.state, mail.note, mail.done_at = state, note, now
        session.flush()
