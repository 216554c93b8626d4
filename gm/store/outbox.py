"""The outbox: every mail to be sent, once for each purpose, retried with back-off until it is sent or given up; and
bounces by address, which are forgiven when mail arrives from that address.

A mail is leased, not locked, while it is delivered, because that may take minutes: `claim_due` and commit, deliver,
then `mark_sent` or `mark_failed` in another transaction. If the process dies in between, the mail is sent again, with
the same Message-ID, when its lease ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, LargeBinary, Select, bindparam, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.people import normal
from gm.store.rows import Base, Leased, add_all_once, claiming

LEASE = timedelta(minutes=5)
"""How long a process may keep a lease on a mail that it is delivering; longer than all our SMTP time-outs."""

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
GIVE_UP_AFTER = timedelta(days=5)

SOFT_MAKE_HARD = 5
"""This many soft bounces within a week count as a hard one: a mailbox that stays full cannot be reached."""

_WEEK = timedelta(days=7)


class OutboxState(StrEnum):
    """The state of a mail to be sent."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


class OutboxRow(Leased, Base):
    """A mail to be sent. `purpose` is its unique purpose. `envelope_from` "" is the null return path.

    `phase_id` is the phase that the mail names as the one being played, for the holder of the seat `seat_id`.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index(None, "state", "next_try_at"),
        Index(None, "recipient", "created_at"),
        Index(None, "envelope_from"),
        Index(None, "message_id"),
        Index(None, "seat_id", "created_at"),
    )

    purpose: Mapped[str] = mapped_column(unique=True)
    recipient: Mapped[str]
    envelope_from: Mapped[str]
    message_id: Mapped[str]
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
    next_try_at: Mapped[datetime]
    tries: Mapped[int]
    state: Mapped[OutboxState]
    last_error: Mapped[str]
    sent_at: Mapped[datetime | None]
    seat_id: Mapped[int | None]
    phase_id: Mapped[int | None]


class BounceRow(Base):
    """A mail of ours that did not reach its recipient. `hard`: permanent, until mail arrives from the address. `status`
    is the code of RFC 3463, or empty.
    """

    __tablename__ = "bounce"
    __table_args__ = (Index(None, "recipient", "forgiven_at"),)

    recipient: Mapped[str]
    outbox_id: Mapped[int] = mapped_column(ForeignKey("outbox.id"), index=True)
    hard: Mapped[bool]
    status: Mapped[str]
    words: Mapped[str]
    at: Mapped[datetime]
    forgiven_at: Mapped[datetime | None]


_QUEUED = select(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED)
_DUE = _QUEUED.where(OutboxRow.next_try_at <= bindparam("now"), OutboxRow.unleased()).order_by(
    OutboxRow.next_try_at, OutboxRow.id
)
_TAKE = claiming(_QUEUED.where(OutboxRow.id == bindparam("mail_id")), wait=True)
_GIVEN_UP = claiming(
    select(OutboxRow).where(OutboxRow.id == bindparam("mail_id"), OutboxRow.state == OutboxState.FAILED), wait=True
)
_WAKES_AT = select(func.min(func.coalesce(OutboxRow.leased_until, OutboxRow.next_try_at))).where(
    OutboxRow.state == OutboxState.QUEUED
)
_SENT_SINCE = (
    select(func.count())
    .select_from(OutboxRow)
    .where(
        OutboxRow.recipient == bindparam("recipient"),
        OutboxRow.created_at > bindparam("since"),
    )
)


@dataclass(frozen=True, slots=True)
class Queued:
    """A mail to queue, unique by its `purpose`. `envelope_from` "" is the null return path; `seat_id` and `phase_id`
    are as in the row.
    """

    purpose: str
    recipient: str
    envelope_from: str
    message_id: str
    raw: bytes
    seat_id: int | None = None
    phase_id: int | None = None


def queue_all(session: Session, mails: Iterable[Queued], now: datetime) -> None:
    """Queue mails in one statement; those whose purpose has been queued before are left out."""
    fixed = {"created_at": now, "next_try_at": now, "tries": 0, "state": OutboxState.QUEUED, "last_error": ""}
    add_all_once(session, OutboxRow, [{**asdict(mail), **fixed} for mail in mails])


def raw_of(session: Session, purpose: str) -> bytes | None:
    """The mail that was queued for this purpose, sent or not; None if there is none."""
    return session.scalar(select(OutboxRow.raw).where(OutboxRow.purpose == purpose))


def claim_due(session: Session, now: datetime, limit: int = 20, length: timedelta = LEASE) -> Sequence[OutboxRow]:
    """Lease up to `limit` due mails for `length`, oldest first, and count the try of each. Commit before you deliver
    them.
    """
    mails = session.scalars(claiming(_DUE, limit), {"now": now}).all()
    for mail in mails:
        mail.tries += 1
        mail.lease(now, length)
    session.flush()
    return mails


def mark_sent(session: Session, mail_id: int, now: datetime) -> bool:
    """Mark a mail as sent; False when it was no longer queued."""
    mail = session.scalar(_TAKE, {"mail_id": mail_id})
    if mail is not None:
        mail.state, mail.sent_at, mail.leased_until, mail.last_error = OutboxState.SENT, now, None, ""
        session.flush()
    return mail is not None


def mark_failed(
    session: Session, mail_id: int, now: datetime, error: str, *, jitter: float, final: bool = False
) -> OutboxState | None:
    """Record a failed try and set the time of the next one, with `jitter` in [0, 1); or give the mail up.

    It is given up at once if `final` (the other side refused it permanently), otherwise five days after it was queued.
    Returns the mail's new state, None when it was no longer queued.
    """
    mail = session.scalar(_TAKE, {"mail_id": mail_id})
    if mail is None:
        return None
    mail.last_error, mail.leased_until = error, None
    mail.next_try_at = now + pause(mail.tries, jitter)
    if final or now - mail.created_at >= GIVE_UP_AFTER:
        mail.state = OutboxState.FAILED
    session.flush()
    return mail.state


def pause(tries: int, jitter: float) -> timedelta:
    """How long to wait after try number `tries`: a minute, doubled each time up to four hours, shortened by up to a
    quarter (`jitter`).
    """
    doublings = min(max(tries - 1, 0), 10)
    whole = min(LONGEST_PAUSE, FIRST_PAUSE * (1 << doublings))
    return whole * (1 - jitter / 4)


def send_again(session: Session, mail_id: int, now: datetime) -> bool:
    """Queue a mail again that was given up, for another five days; False when it was not given up."""
    mail = session.scalar(_GIVEN_UP, {"mail_id": mail_id})
    if mail is not None:
        mail.state, mail.created_at, mail.next_try_at, mail.tries = OutboxState.QUEUED, now, now, 0
        session.flush()
    return mail is not None


def counts(session: Session) -> dict[OutboxState, int]:
    """How many mails are in each state, including states with none."""
    rows = session.execute(select(OutboxRow.state, func.count()).group_by(OutboxRow.state))
    return dict.fromkeys(OutboxState, 0) | dict(rows.all())


def failed(session: Session, limit: int = 20) -> Sequence[OutboxRow]:
    """The mails that were given up, newest first."""
    statement = select(OutboxRow).where(OutboxRow.state == OutboxState.FAILED)
    return session.scalars(statement.order_by(OutboxRow.id.desc()).limit(limit)).all()


def queue_age(session: Session, now: datetime) -> timedelta | None:
    """How long the oldest unsent mail has waited since it was first due; None when all are sent."""
    oldest = session.scalar(select(func.min(OutboxRow.created_at)).where(OutboxRow.state == OutboxState.QUEUED))
    return None if oldest is None else now - oldest


def wakes_at(session: Session) -> datetime | None:
    """When the next mail is to be sent: at its next try, or when the lease on it ends."""
    return session.scalar(_WAKES_AT)


def sent_since(session: Session, recipient: str, since: datetime, purpose: str = "") -> int:
    """How many mails to this address were queued since then, sent or not, whose purpose begins with `purpose`; for
    limits.
    """
    statement = _SENT_SINCE.where(OutboxRow.purpose.startswith(purpose, autoescape=True)) if purpose else _SENT_SINCE
    return session.scalar(statement, {"recipient": recipient, "since": since}) or 0


def by_return_path(session: Session, return_path: str) -> OutboxRow | None:
    """The mail with this return path, which is unique; None if there is none."""
    return session.scalar(select(OutboxRow).where(OutboxRow.envelope_from == return_path.lower()))


def by_message_id(session: Session, message_id: str) -> OutboxRow | None:
    """The mail with this Message-ID; None if there is none."""
    return session.scalar(select(OutboxRow).where(OutboxRow.message_id == message_id))


# the phase that a seat was told of


_TOLD = (
    select(OutboxRow.phase_id, OutboxRow.created_at)
    .where(OutboxRow.seat_id == bindparam("seat_id"), OutboxRow.phase_id.is_not(None))
    .order_by(OutboxRow.created_at.desc(), OutboxRow.id.desc())
    .limit(1)
)
_TOLD_IN = _TOLD.where(OutboxRow.message_id.in_(bindparam("message_ids", expanding=True)))
_TOLD_BY = _TOLD.where(OutboxRow.sent_at <= bindparam("moment"))
_TOLD_OTHER = _TOLD.where(OutboxRow.phase_id != bindparam("phase_id"))
_FIRST_SENT = select(func.min(OutboxRow.sent_at)).where(
    OutboxRow.seat_id == bindparam("seat_id"),
    OutboxRow.phase_id == bindparam("phase_id"),
    OutboxRow.created_at >= bindparam("since"),
)


@dataclass(frozen=True, slots=True)
class Told:
    """A mail that told a seat which phase is being played, and when it was written."""

    phase_id: int
    at: datetime


def told_in(session: Session, seat_id: int, message_ids: Iterable[str]) -> Told | None:
    """The newest of these mails that told the seat of a phase."""
    return _told(session, _TOLD_IN, seat_id=seat_id, message_ids=list(message_ids))


def told_by(session: Session, seat_id: int, moment: datetime) -> Told | None:
    """The newest mail that told the seat of a phase and was sent by this time."""
    return _told(session, _TOLD_BY, seat_id=seat_id, moment=moment)


def told_before(session: Session, seat_id: int, phase_id: int) -> Told | None:
    """The newest mail that told the seat of a phase other than this one, which is being played."""
    return _told(session, _TOLD_OTHER, seat_id=seat_id, phase_id=phase_id)


def first_told(session: Session, seat_id: int, phase_id: int, since: datetime) -> datetime | None:
    """When the seat was first sent a mail, written since then, that tells it of this phase."""
    key = {"seat_id": seat_id, "phase_id": phase_id, "since": since}
    return session.scalar(_FIRST_SENT, key)


def _told(session: Session, statement: Select[int | None, datetime], **key: object) -> Told | None:
    row = session.execute(statement, key).first()
    return Told(row.phase_id, row.created_at) if row is not None else None


_PURPOSES = select(OutboxRow.purpose).where(OutboxRow.message_id.in_(bindparam("message_ids", expanding=True)))


def purposes_of(session: Session, message_ids: Iterable[str]) -> Sequence[str]:
    """The purposes of the mails with these Message-IDs."""
    return session.scalars(_PURPOSES, {"message_ids": list(message_ids)}).all()


_QUOTED = (
    select(OutboxRow.raw)
    .where(OutboxRow.recipient.in_(bindparam("recipients", expanding=True)))
    .order_by(OutboxRow.created_at.desc(), OutboxRow.id.desc())
)
_CITED = _QUOTED.where(OutboxRow.message_id.in_(bindparam("message_ids", expanding=True)))


def may_be_quoted(session: Session, recipients: Iterable[str], cited: Iterable[str], limit: int) -> Sequence[bytes]:
    """The newest mails to these addresses of a person that a mail of theirs may quote: of those that it cites by
    Message-ID, or, when it cites none, of all."""
    key = {"recipients": list(recipients), "message_ids": list(cited)}
    return session.scalars((_CITED if key["message_ids"] else _QUOTED).limit(limit), key).all()


def mail_by_id(session: Session, mail_id: int) -> OutboxRow | None:
    """The mail with this id, in any state; None if there is none."""
    return session.get(OutboxRow, mail_id)


# bounces


def add_bounce(
    session: Session, *, recipient: str, outbox_id: int, hard: bool, status: str, words: str, now: datetime
) -> BounceRow | None:
    """Record a bounce; the last of too many soft ones is recorded as hard. Returns None when the same mail has bounced
    in the same way before.
    """
    recipient = normal(recipient)
    before = session.scalars(select(BounceRow).where(BounceRow.outbox_id == outbox_id)).all()
    if any(one.hard or not hard for one in before):
        return None
    recent = select(func.count()).where(
        BounceRow.recipient == recipient, BounceRow.forgiven_at.is_(None), BounceRow.at > now - _WEEK
    )
    hard = hard or (session.scalar(recent) or 0) + 1 >= SOFT_MAKE_HARD
    row = BounceRow(recipient=recipient, outbox_id=outbox_id, hard=hard, status=status, words=words, at=now)
    session.add(row)
    session.flush()
    return row


_FORGIVE = update(BounceRow).where(BounceRow.recipient == bindparam("email"), BounceRow.forgiven_at.is_(None))


def forgive_bounces(session: Session, email: str, now: datetime) -> None:
    """Forgive all bounces of an address, because mail has arrived from it."""
    session.execute(_FORGIVE.values(forgiven_at=now), {"email": normal(email)})


def bounce_counts(session: Session) -> dict[bool, int]:
    """How many bounces there have been in all: hard (True) and soft (False)."""
    rows = session.execute(select(BounceRow.hard, func.count()).group_by(BounceRow.hard))
    return {True: 0, False: 0} | dict(rows.all())
