"""Questions that wait for a person's yes: asked once, answered once, in time or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, bindparam, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.inbox import InboxState, close_quarantined
from gm.store.rows import Base, claiming

UNANSWERED = ""


class QuestionRow(Base):
    """A question to a person's own address: may this mail, or what it asks for, be acted on? Answered once, in time.

    `scope` says what waits for the answer, `asked` is the address it went to, `phase_id` the phase that must still be
    played when the answer comes. Only the hash of the token is kept.
    """

    __tablename__ = "question"
    __table_args__ = (Index(None, "settled_at", "expires_at"),)

    inbox_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"), index=True)
    scope: Mapped[str]
    token_hash: Mapped[str] = mapped_column(unique=True)
    asked: Mapped[str]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"))
    detail: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]
    outcome: Mapped[str]


_BY_TOKEN_HASH = select(QuestionRow).where(QuestionRow.token_hash == bindparam("token_hash"))
_TAKE = claiming(select(QuestionRow).where(QuestionRow.id == bindparam("row_id")), wait=True)
_EXPIRED = claiming(
    select(QuestionRow)
    .where(QuestionRow.settled_at.is_(None), QuestionRow.expires_at <= bindparam("now"))
    .order_by(QuestionRow.id),
    limit=100,
)
_NEXT_EXPIRY = select(func.min(QuestionRow.expires_at)).where(QuestionRow.settled_at.is_(None))


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
) -> QuestionRow:
    """A new question; `set_token` follows, since its token is made from its id."""
    row = QuestionRow(
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


def set_token(session: Session, row: QuestionRow, token_hash: str) -> None:
    """The question is answered by whoever knows this token."""
    row.token_hash = token_hash
    session.flush()


def by_token_hash(session: Session, token_hash: str) -> QuestionRow | None:
    """The question with this token, answered or not."""
    return session.scalar(_BY_TOKEN_HASH, {"token_hash": token_hash})


def take(session: Session, row_id: int) -> QuestionRow:
    """Lock a question, so that two answers at once are not both the first. Raises LookupError."""
    row = session.scalar(_TAKE, {"row_id": row_id})
    if row is None:
        raise LookupError(f"there is no question {row_id}")
    return row


def settle(session: Session, row: QuestionRow, outcome: str, now: datetime) -> None:
    """The question is answered: `yes`, `no` or `late`."""
    row.settled_at, row.outcome = now, outcome
    session.flush()


def asked_since(session: Session, asked: str, since: datetime) -> int:
    """How many questions went to this address since then."""
    statement = select(func.count()).where(QuestionRow.asked == asked, QuestionRow.created_at > since)
    return session.scalar(statement) or 0


def open_questions(session: Session) -> int:
    """How many questions wait for their answer."""
    return session.scalar(select(func.count()).where(QuestionRow.settled_at.is_(None))) or 0


def waiting_for(session: Session, seat_ids: Sequence[int]) -> int:
    """How many questions to the holders of these seats wait for their answer."""
    statement = select(func.count()).where(QuestionRow.seat_id.in_(list(seat_ids)), QuestionRow.settled_at.is_(None))
    return session.scalar(statement) or 0


def next_expiry(session: Session) -> datetime | None:
    """When the time of the first unanswered question is over."""
    return session.scalar(_NEXT_EXPIRY)


def expire(session: Session, now: datetime) -> Sequence[QuestionRow]:
    """Settle the questions whose time is over as `late`, and close the mails that waited for them."""
    rows = session.scalars(_EXPIRED, {"now": now}).all()
    for row in rows:
        settle(session, row, "late", now)
        close_quarantined(session, row.inbox_id, InboxState.IGNORED, now, "nobody confirmed it in time")
    return rows
