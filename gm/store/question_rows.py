"""Questions that wait for a YES: rows, and what is asked of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, bindparam, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.inbox import InboxRow, InboxState, close_quarantined
from gm.store.rows import Base, added, claiming

UNANSWERED = ""
WITHDRAWN = "withdrawn"
AGAIN = "again"
BOUND = "bound"
"""The detail of a question about what is for the phase that is played then, or for the time before the first."""
SILENT = "silent"
"""The detail of a question that was noted and charged, and not sent."""
SHOWN = "shown"
"""Others know the address for its answer, so it was asked again at another one."""


class QuestionRow(Base):
    """A question to a person's own address: may this mail, or what it asks for, be acted on? It can be answered once,
    before it expires.

    `scope` says what waits for the answer. `asked` is the address it was sent to. `phase_id` is the phase that must
    still be open when the answer comes; None: none was, and if it `is_bound`, none may be. Only the hash of the token
    is stored.
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

    @property
    def is_bound(self) -> bool:
        """Whether it is about the phase that was played when it was asked, or the time before the first."""
        return bool(self.detail.get(BOUND))

    def can_be_answered(self, at: datetime) -> bool:
        """Whether an answer that was received then is in time, and the first."""
        return self.settled_at is None and self.expires_at > at


_BY_TOKEN_HASH = select(QuestionRow).where(QuestionRow.token_hash == bindparam("token_hash"))
_TAKE = claiming(select(QuestionRow).where(QuestionRow.id == bindparam("row_id")), wait=True)
_EXPIRED = claiming(
    select(QuestionRow)
    .where(QuestionRow.settled_at.is_(None), QuestionRow.expires_at <= bindparam("now"))
    .order_by(QuestionRow.id),
    limit=100,
)


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
    """Store a question. Call `set_token` afterwards: the token is made from the question's id."""
    return added(
        session,
        QuestionRow(
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
        ),
    )


def set_token(session: Session, row: QuestionRow, token_hash: str) -> None:
    """Store the hash of the token that identifies the answer."""
    row.token_hash = token_hash
    session.flush()


def again(session: Session, row: QuestionRow, now: datetime) -> QuestionRow:
    """Close the question as `shown`, and store another one that asks the same, whose `detail` says how many times that
    was done. Call `set_token` afterwards.
    """
    settle(session, row, SHOWN, now)
    return ask(
        session,
        inbox_id=row.inbox_id,
        scope=row.scope,
        asked=row.asked,
        now=now,
        expires_at=row.expires_at,
        account_id=row.account_id,
        seat_id=row.seat_id,
        phase_id=row.phase_id,
        detail={**row.detail, AGAIN: row.detail.get(AGAIN, 0) + 1},
    )


def by_token_hash(session: Session, token_hash: str) -> QuestionRow | None:
    """The question with this token, answered or not; None if there is none."""
    return session.scalar(_BY_TOKEN_HASH, {"token_hash": token_hash})


def unanswered_at(session: Session, hashes: Collection[str]) -> Sequence[QuestionRow]:
    """The questions with these tokens that wait for an answer, locked."""
    statement = select(QuestionRow).where(QuestionRow.token_hash.in_(list(hashes)), QuestionRow.settled_at.is_(None))
    return session.scalars(claiming(statement.order_by(QuestionRow.id), wait=True)).all()


def take(session: Session, row_id: int) -> QuestionRow:
    """Lock a question, so that of two answers at the same time only one counts. Raises LookupError if it does not
    exist.
    """
    row = session.scalar(_TAKE, {"row_id": row_id})
    if row is None:
        raise LookupError(f"there is no question {row_id}")
    return row


def settle(session: Session, row: QuestionRow, outcome: str, now: datetime) -> None:
    """Close the question with its answer, `yes` or `no`, or as `late` or `withdrawn`."""
    row.settled_at, row.outcome = now, outcome
    session.flush()


def open_of(session: Session, scope: str, game_id: int) -> Sequence[QuestionRow]:
    """The questions of this scope about the game that wait for an answer, oldest first."""
    about = QuestionRow.detail["game"].as_integer() == game_id
    statement = select(QuestionRow).where(QuestionRow.settled_at.is_(None), QuestionRow.scope == scope, about)
    return session.scalars(statement.order_by(QuestionRow.id)).all()


def waiting_at(session: Session, emails: Collection[str], now: datetime) -> str:
    """The subject of the newest mail that asks one of these addresses something, and waits for the answer; ""."""
    waits = (QuestionRow.asked.in_(list(emails)), QuestionRow.settled_at.is_(None), QuestionRow.expires_at > now)
    rows = session.scalars(select(QuestionRow).where(*waits).order_by(QuestionRow.id.desc()).limit(_MOST_WAITING))
    return next((str(row.detail.get("subject", "")) for row in rows if not row.detail.get(SILENT)), "")


_MOST_WAITING = 5


def was_asked(session: Session, game_id: int, emails: Collection[str]) -> bool:
    """Whether one of these addresses was ever asked to take a seat in the game, whatever came of it."""
    about = QuestionRow.detail["game"].as_integer() == game_id
    rows = select(QuestionRow.id).where(QuestionRow.scope == "seat", QuestionRow.asked.in_(list(emails)), about)
    return session.scalar(rows.limit(1)) is not None


def asked_from(session: Session, scope: str, game_id: int, seat_id: int) -> Sequence[QuestionRow]:
    """The questions of this scope about the game that were ever asked from this seat of it, whatever came of them."""
    detail = QuestionRow.detail
    about = detail["game"].as_integer() == game_id, detail["by"].as_integer() == seat_id
    return session.scalars(select(QuestionRow).where(QuestionRow.scope == scope, *about)).all()


def alike(session: Session, row: QuestionRow, key: str) -> list[QuestionRow]:
    """The questions that the same mail asks of several people with the same value of `key` in their details."""
    rows = select(QuestionRow).where(QuestionRow.inbox_id == row.inbox_id, QuestionRow.scope == row.scope)
    return [one for one in session.scalars(rows) if one.detail.get(key) == row.detail[key]]


def asked_about(session: Session, mail_ids: Sequence[int], *scopes: str, refused: bool = False) -> int | None:
    """The first of these mails about which a question was asked that did not expire, of these scopes, or which was
    `refused`: answered with NO; None if there is none.
    """
    if not mail_ids:
        return None
    about = select(func.min(QuestionRow.inbox_id)).where(QuestionRow.inbox_id.in_(mail_ids))
    about = about.where(QuestionRow.scope.in_(scopes)) if scopes else about
    return session.scalar(about.where(QuestionRow.outcome == "no" if refused else QuestionRow.outcome != "late"))


def withdraw(session: Session, mail_id: int, now: datetime, reason: str) -> None:
    """Close the questions about a quarantined mail, which is not needed any more, and the mail."""
    asked = select(QuestionRow).where(QuestionRow.inbox_id == mail_id, QuestionRow.settled_at.is_(None))
    for row in session.scalars(claiming(asked, limit=100, wait=True)):
        settle(session, row, WITHDRAWN, now)
    close_quarantined(session, mail_id, InboxState.IGNORED, now, reason)


def asked_since(session: Session, asked: str, since: datetime) -> int:
    """How many questions were sent to this address since then."""
    statement = select(func.count()).where(QuestionRow.asked == asked, QuestionRow.created_at > since)
    return session.scalar(statement) or 0


def open_questions(session: Session) -> int:
    """How many questions are unanswered."""
    return session.scalar(select(func.count()).where(QuestionRow.settled_at.is_(None))) or 0


def waiting_for(session: Session, seat_ids: Sequence[int]) -> tuple[int, int]:
    """How many questions to the holders of these seats are unanswered: about quarantined mails, and others."""
    quarantined = InboxRow.state == InboxState.QUARANTINED
    statement = (
        select(func.count().filter(quarantined), func.count().filter(~quarantined))
        .select_from(QuestionRow)
        .join(InboxRow, InboxRow.id == QuestionRow.inbox_id)
        .where(QuestionRow.seat_id.in_(list(seat_ids)), QuestionRow.settled_at.is_(None))
    )
    about_mails, others = session.execute(statement).one()
    return about_mails, others


def expire(session: Session, now: datetime) -> Sequence[QuestionRow]:
    """Close the expired questions as `late`, and the mails that waited for them."""
    rows = session.scalars(_EXPIRED, {"now": now}).all()
    for row in rows:
        settle(session, row, "late", now)
        close_quarantined(session, row.inbox_id, InboxState.IGNORED, now, "nobody confirmed it in time")
    return rows
