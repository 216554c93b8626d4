"""Texts that are kept: a game's press, votes, diaries and log; and questions that wait for a YES."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ForeignKey, Index, UniqueConstraint, bindparam, cast, func, null, select, union_all, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.game_rows import SeatRow
from gm.store.inbox import InboxRow, InboxState, close_quarantined
from gm.store.rows import Base, add_all_once, add_once, added, claiming, read


class PressRow(Base):
    """A message between seats of a game. `to`: powers, or "ALL" or "GM". `manner`: how it was sent, in words of
    `gm.parsing.several_lines.MANNERS` separated by blanks; empty or None for plain white press.
    """

    __tablename__ = "press"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"), index=True)
    from_seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    to: Mapped[list[str]] = mapped_column("to_powers")
    body: Mapped[str]
    sent_at: Mapped[datetime]
    manner: Mapped[str | None]


class VoteRow(Base):
    """What a person has voted at a seat in a phase; voting again replaces it. It counts while they hold the seat."""

    __tablename__ = "vote"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id", "kind"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    kind: Mapped[str]
    value: Mapped[str]
    cast_at: Mapped[datetime]


class DiaryRow(Base):
    """A player's note to themselves. A later holder of the seat cannot read it; everybody may read it when the game is
    over.
    """

    __tablename__ = "diary"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"))
    body: Mapped[str]
    written_at: Mapped[datetime]


class LogRow(Base):
    """An action, who did it, and when. Rows are only added; the database refuses changes."""

    __tablename__ = "log"

    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id"), index=True)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"))
    kind: Mapped[str]
    detail: Mapped[dict[str, Any]]
    at: Mapped[datetime]


# press


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
    """Store a message to these powers (or "ALL", "GM")."""
    return added(
        session,
        PressRow(
            game_id=game_id,
            phase_id=phase_id,
            from_seat_id=from_seat_id,
            to=list(to),
            body=body,
            sent_at=now,
            manner=manner,
        ),
    )


def press_of(session: Session, game_id: int, phase_id: int | None = None) -> Sequence[PressRow]:
    """The press of a game, or of one phase, in the order it was sent."""
    statement = select(PressRow).where(PressRow.game_id == game_id).order_by(PressRow.id)
    return session.scalars(statement if phase_id is None else statement.where(PressRow.phase_id == phase_id)).all()


_THESE = (
    select(PressRow)
    .where(PressRow.id.in_(bindparam("ids", expanding=True)), PressRow.game_id == bindparam("game_id"))
    .order_by(PressRow.id)
)


def press_with_ids(session: Session, game_id: int, ids: Iterable[int]) -> Sequence[PressRow]:
    """Those of the messages with these ids that are of the game."""
    return session.scalars(_THESE, {"ids": list(ids), "game_id": game_id}).all()


_NEWEST_PRESS = (
    select(PressRow.from_seat_id, PressRow.to, PressRow.body)
    .where(PressRow.game_id == bindparam("game_id"))
    .order_by(PressRow.id.desc())
    .limit(bindparam("most"))
)
_NEWEST_ANNOUNCED = (
    # PostgreSQL joins only columns of equal types, and a plain NULL is text to it.
    select(
        cast(null(), PressRow.from_seat_id.type).label("from_seat_id"),
        cast(null(), PressRow.to.type).label("to_powers"),
        LogRow.detail["text"].as_string().label("body"),
    )
    .where(LogRow.game_id == bindparam("game_id"), LogRow.kind == "official")
    .order_by(LogRow.id.desc())
    .limit(bindparam("most"))
)
_NEWEST_WORDS = union_all(*(select(newest.subquery()) for newest in (_NEWEST_PRESS, _NEWEST_ANNOUNCED)))


class Words(NamedTuple):
    """Press, or an announcement, which is from no seat and for everybody."""

    from_seat_id: int | None
    to: Sequence[str] | None
    body: str


def newest_words(session: Session, game_id: int, limit: int) -> Sequence[Words]:
    """The newest press of a game, and its gamemaster's newest announcements, each newest first."""
    return [Words(*row) for row in read(session, _NEWEST_WORDS, {"game_id": game_id, "most": limit})]


# votes


def cast_vote(
    session: Session, *, phase_id: int, seat_id: int, account_id: int, kind: str, value: str, now: datetime
) -> VoteRow:
    """The vote of this kind of who holds the seat, in this phase from now on."""
    ballot = {"account_id": account_id, "value": value, "cast_at": now}
    vote = add_once(session, VoteRow, phase_id=phase_id, seat_id=seat_id, kind=kind, **ballot)
    if vote is not None:
        return vote
    cast = select(VoteRow).where(VoteRow.phase_id == phase_id, VoteRow.seat_id == seat_id, VoteRow.kind == kind)
    vote = session.scalars(claiming(cast, wait=True)).one()
    vote.account_id, vote.value, vote.cast_at = account_id, value, now
    session.flush()
    return vote


def votes_of(session: Session, phase_id: int, kind: str) -> dict[tuple[int, int], str]:
    """The votes of a kind in a phase, by the ids of the seat and of the person who cast it there."""
    cast = select(VoteRow.seat_id, VoteRow.account_id, VoteRow.value)
    rows = session.execute(cast.where(VoteRow.phase_id == phase_id, VoteRow.kind == kind))
    return {(seat_id, account_id): value for seat_id, account_id, value in rows}


def votes_by(session: Session, phase_id: int, seat_id: int, account_id: int) -> dict[str, str]:
    """What a person has voted at a seat in a phase, by kind."""
    own = (VoteRow.phase_id == phase_id, VoteRow.seat_id == seat_id, VoteRow.account_id == account_id)
    return dict(session.execute(select(VoteRow.kind, VoteRow.value).where(*own)).all())


def change_votes(
    session: Session, phase_id: int, kind: str, seat_ids: Iterable[int], value: str, now: datetime
) -> None:
    """Set the votes of this kind that these seats have cast in a phase to this value."""
    cast = update(VoteRow).where(VoteRow.phase_id == phase_id, VoteRow.kind == kind, VoteRow.seat_id.in_(seat_ids))
    session.execute(cast.values(value=value, cast_at=now))


def copy_votes(session: Session, before: int, phase_id: int, kinds: Iterable[str], now: datetime) -> None:
    """The votes of these kinds in one phase are cast in another too."""
    cast = select(VoteRow.seat_id, VoteRow.account_id, VoteRow.kind, VoteRow.value)
    rows = session.execute(cast.where(VoteRow.phase_id == before, VoteRow.kind.in_(kinds))).mappings()
    add_all_once(session, VoteRow, [{**row, "phase_id": phase_id, "cast_at": now} for row in rows])


# diaries


def add_diary_entry(
    session: Session, *, seat_id: int, account_id: int, phase_id: int | None, body: str, now: datetime
) -> DiaryRow:
    """An entry in the diary that a person keeps at a seat."""
    return added(
        session, DiaryRow(seat_id=seat_id, account_id=account_id, phase_id=phase_id, body=body, written_at=now)
    )


def diary_of(session: Session, seat_id: int, account_id: int) -> Sequence[DiaryRow]:
    """What a person has written into their diary at a seat, in the order written."""
    own = select(DiaryRow).where(DiaryRow.seat_id == seat_id, DiaryRow.account_id == account_id)
    return session.scalars(own.order_by(DiaryRow.id)).all()


def diaries_of(session: Session, game_id: int) -> Sequence[DiaryRow]:
    """All diary entries of a game, in the order in which they were written."""
    of_game = select(DiaryRow).join(SeatRow, DiaryRow.seat_id == SeatRow.id).where(SeatRow.game_id == game_id)
    return session.scalars(of_game.order_by(DiaryRow.id)).all()


# the log


def note(
    session: Session,
    kind: str,
    now: datetime,
    *,
    game_id: int | None = None,
    seat_id: int | None = None,
    detail: Mapping[str, Any] | None = None,
) -> LogRow:
    """Add to the log what was done, and by which seat (None: the server or the operator)."""
    return added(session, LogRow(game_id=game_id, seat_id=seat_id, kind=kind, detail=dict(detail or {}), at=now))


def log_of(session: Session, game_id: int | None, limit: int | None = None) -> Sequence[LogRow]:
    """The log of a game, newest first; None for entries that belong to no game."""
    statement = select(LogRow).where(LogRow.game_id == game_id if game_id is not None else LogRow.game_id.is_(None))
    return session.scalars(statement.order_by(LogRow.id.desc()).limit(limit)).all()


def log_of_kind(session: Session, *kinds: str, game_id: int | None = None) -> Sequence[LogRow]:
    """What happened of these kinds in a game, oldest first; None for what belongs to no game."""
    where = LogRow.game_id == game_id if game_id is not None else LogRow.game_id.is_(None)
    statement = select(LogRow).where(where, LogRow.kind.in_(kinds))
    return session.scalars(statement.order_by(LogRow.id)).all()


# questions


UNANSWERED = ""
WITHDRAWN = "withdrawn"


class QuestionRow(Base):
    """A question to a person's own address: may this mail, or what it asks for, be acted on? It can be answered once,
    before it expires.

    `scope` says what waits for the answer. `asked` is the address it was sent to. `phase_id` is the phase that must
    still be open when the answer comes. Only the hash of the token is stored.
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


def by_token_hash(session: Session, token_hash: str) -> QuestionRow | None:
    """The question with this token, answered or not; None if there is none."""
    return session.scalar(_BY_TOKEN_HASH, {"token_hash": token_hash})


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


def asked_about(session: Session, mail_ids: Sequence[int]) -> int | None:
    """The first of these mails about which a question was asked that did not expire; None if there is none."""
    if not mail_ids:
        return None
    about = select(func.min(QuestionRow.inbox_id)).where(QuestionRow.inbox_id.in_(mail_ids))
    return session.scalar(about.where(QuestionRow.outcome != "late"))


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
