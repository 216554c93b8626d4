"""The outbox: every mail to be sent, once for each purpose, retried with back-off until it is sent or given up.

A mail is leased, not locked, while it is delivered, because that may take minutes: `claim_due` and commit, deliver,
then `mark_sent` or `mark_failed` in another transaction. If the process dies in between, the mail is sent again, with
the same Message-ID, when its lease ends. One that was sent and bounces is queued again by `mark_returned`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import Index, LargeBinary, Select, bindparam, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.people import normal
from gm.store.rows import Base, Leased, add_all_once, claiming

LEASE = timedelta(minutes=15)
"""How long a process may keep a lease on a mail that it is delivering; longer than all SMTP time-outs of one mail."""

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
GIVE_UP_AFTER = timedelta(days=5)

_HOUR = timedelta(hours=1)


class OutboxState(StrEnum):
    """The state of a mail to be sent."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


class Trouble(StrEnum):
    """Why the last try to send a mail failed."""

    NONE = ""
    UNREACHABLE = "unreachable"
    """Our way out did not work: no mail at all leaves."""
    REFUSED = "refused"
    """Refused for what we are or send; other mail may fare the same."""
    DEFERRED = "deferred"
    """Any other reason."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast mail may be sent: the connections at once for a domain, and the mails per hour (0: no limit)."""

    each: int = 2
    per_hour: int = 0


class OutboxRow(Leased, Base):
    """A mail to be sent. `purpose` is its unique purpose. `envelope_from` "" is the null return path.

    `phase_id` is the phase that the mail names as the one being played, for the holder of the seat `seat_id`.
    `domain` is the recipient's. `urgent`: somebody waits for it, so that it goes before all that is not. `trouble` and
    `last_error` are those of the last try, at `tried_at`.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index(None, "state", "next_try_at"),
        Index(None, "state", "trouble"),
        Index(None, "domain", "sent_at"),
        Index(None, "sent_at"),
        Index(None, "recipient", "created_at"),
        Index(None, "envelope_from"),
        Index(None, "message_id"),
        Index(None, "seat_id", "created_at"),
    )

    purpose: Mapped[str] = mapped_column(unique=True)
    recipient: Mapped[str]
    domain: Mapped[str]
    urgent: Mapped[bool]
    envelope_from: Mapped[str]
    message_id: Mapped[str]
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
    next_try_at: Mapped[datetime]
    tries: Mapped[int]
    state: Mapped[OutboxState]
    trouble: Mapped[Trouble]
    tried_at: Mapped[datetime | None]
    last_error: Mapped[str]
    sent_at: Mapped[datetime | None]
    seat_id: Mapped[int | None]
    phase_id: Mapped[int | None]


_QUEUED = select(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED)
_UNDER_WAY = (OutboxRow.state == OutboxState.QUEUED, OutboxRow.leased_until > bindparam("now"))
_BUSY = select(OutboxRow.domain).where(*_UNDER_WAY).group_by(OutboxRow.domain).having(func.count() >= bindparam("each"))
"""The domains to which as many mails are under way as may be."""
_DUE = _QUEUED.where(
    OutboxRow.next_try_at <= bindparam("now"), OutboxRow.unleased(), OutboxRow.domain.not_in(_BUSY)
).order_by(OutboxRow.urgent.desc(), OutboxRow.next_try_at, OutboxRow.id)
_TAKE = claiming(_QUEUED.where(OutboxRow.id == bindparam("mail_id")), wait=True)
_WITH_CONTENT = select(OutboxRow).where(OutboxRow.id == bindparam("mail_id"), OutboxRow.raw != b"")
_GIVEN_UP = claiming(_WITH_CONTENT.where(OutboxRow.state == OutboxState.FAILED), wait=True)
_SENT = claiming(_WITH_CONTENT.where(OutboxRow.state == OutboxState.SENT), wait=True)
_WAKES_AT = select(func.min(func.coalesce(OutboxRow.leased_until, OutboxRow.next_try_at))).where(
    OutboxRow.state == OutboxState.QUEUED
)


@dataclass(frozen=True, slots=True)
class Queued:
    """A mail for its one `purpose`; `envelope_from` "" is the null return path, the other fields are as in the row."""

    purpose: str
    recipient: str
    envelope_from: str
    message_id: str
    raw: bytes
    seat_id: int | None = None
    phase_id: int | None = None
    urgent: bool = False

    @property
    def domain(self) -> str:
        """The recipient's domain."""
        return self.recipient.rpartition("@")[2].lower()


def queue_all(session: Session, mails: Iterable[Queued], now: datetime) -> None:
    """Queue mails in one statement; a mail whose purpose was queued before is left out."""
    fixed = {"created_at": now, "next_try_at": now, "tries": 0, "state": OutboxState.QUEUED}
    fixed |= {"trouble": Trouble.NONE, "last_error": ""}
    add_all_once(session, OutboxRow, [{**asdict(mail), "domain": mail.domain, **fixed} for mail in mails])


def raw_of(session: Session, purpose: str) -> bytes | None:
    """The mail that was queued for this purpose, sent or not; None if there is none."""
    return session.scalar(select(OutboxRow.raw).where(OutboxRow.purpose == purpose))


def claim_due(
    session: Session, now: datetime, limit: int = 20, length: timedelta = LEASE, pace: Pace | None = None
) -> Sequence[OutboxRow]:
    """Up to `limit` mails that are due, those first that somebody waits for, then the oldest, each try counted, leased
    for `length`; none where `pace` forbids it. Commit first."""
    pace = pace or Pace()
    if pace.per_hour:
        limit = min(limit, pace.per_hour - _in_last_hour(session, now))
    if limit <= 0:
        return ()
    mails = session.scalars(claiming(_DUE, limit), {"now": now, "each": pace.each}).all()
    for mail in mails:
        mail.tries += 1
        mail.lease(now, length)
    session.flush()
    return mails


_SENT_IN = select(func.count(), func.min(OutboxRow.sent_at)).where(OutboxRow.sent_at > bindparam("since"))
_NOW_UNDER_WAY = select(func.count()).select_from(OutboxRow).where(*_UNDER_WAY)


def _in_last_hour(session: Session, now: datetime) -> int:
    """How many mails were sent within the last hour or are under way."""
    sent = session.execute(_SENT_IN, {"since": now - _HOUR}).one()[0]
    return int(sent) + (session.scalar(_NOW_UNDER_WAY, {"now": now}) or 0)


def mark_sent(session: Session, mail_id: int, now: datetime) -> bool:
    """Note that the mail was handed over; False when it was not queued any more. What waited because our way out did
    not work is due again: it does."""
    mail = session.scalar(_TAKE, {"mail_id": mail_id})
    if mail is not None:
        mail.state, mail.sent_at, mail.leased_until, mail.last_error = OutboxState.SENT, now, None, ""
        mail.trouble = Trouble.NONE
        session.flush()
        session.execute(_BACK.values(next_try_at=now), {"now": now})
    return mail is not None


_WAITING = update(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED, OutboxRow.next_try_at > bindparam("now"))
_BACK = _WAITING.where(OutboxRow.trouble == Trouble.UNREACHABLE)


def flush(session: Session, now: datetime, domain: str = "") -> int:
    """Make all waiting mail due at once, or that for one domain. Returns how many mails that is."""
    statement = _WAITING.where(OutboxRow.domain == domain.lower()) if domain else _WAITING
    done = session.execute(statement.values(next_try_at=now), {"now": now})
    return int(getattr(done, "rowcount", 0))


def mark_failed(
    session: Session,
    mail_id: int,
    now: datetime,
    error: str,
    *,
    jitter: float,
    final: bool = False,
    trouble: Trouble = Trouble.DEFERRED,
) -> OutboxState | None:
    """Record a failed try and set the time of the next one, with `jitter` in [0, 1); or give the mail up.

    Given up at once when `final` (the address is dead), otherwise five days after it was queued. Returns the mail's new
    state, None when it was no longer queued.
    """
    mail = session.scalar(_TAKE, {"mail_id": mail_id})
    return _put_off(session, mail, now, error, jitter, trouble, final=final) if mail is not None else None


def mark_returned(
    session: Session,
    mail_id: int,
    now: datetime,
    error: str,
    *,
    jitter: float,
    final: bool = False,
    trouble: Trouble = Trouble.DEFERRED,
) -> OutboxState | None:
    """Record, as `mark_failed` does, that a mail which was sent has bounced. None for any other, or without content."""
    mail = session.scalar(_SENT, {"mail_id": mail_id})
    return _put_off(session, mail, now, error, jitter, trouble, final=final) if mail is not None else None


def _put_off(
    session: Session, mail: OutboxRow, now: datetime, error: str, jitter: float, trouble: Trouble, *, final: bool
) -> OutboxState:
    mail.last_error, mail.leased_until, mail.trouble, mail.tried_at = error, None, trouble, now
    mail.next_try_at = now + pause(mail.tries, jitter)
    given_up = final or now - mail.created_at >= GIVE_UP_AFTER
    mail.state = OutboxState.FAILED if given_up else OutboxState.QUEUED
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
    """Queue a mail again that was given up, for another five days; False when it was not, or was thinned."""
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


def refused_for_now(session: Session, limit: int = 20) -> tuple[int, Sequence[OutboxRow]]:
    """How many mails wait for another try, and the oldest of them."""
    waiting = select(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED, OutboxRow.trouble != Trouble.NONE)
    number = session.scalar(waiting.with_only_columns(func.count())) or 0
    return number, session.scalars(waiting.order_by(OutboxRow.id).limit(limit)).all()


def queue_age(session: Session, now: datetime) -> timedelta | None:
    """How long the oldest unsent mail has waited since it was first due; None when all are sent."""
    oldest = session.scalar(select(func.min(OutboxRow.created_at)).where(OutboxRow.state == OutboxState.QUEUED))
    return None if oldest is None else now - oldest


def wakes_at(session: Session, now: datetime | None = None, pace: Pace | None = None) -> datetime | None:
    """When a mail is to be sent: at its next try, when the lease on it ends, or when `pace` allows another."""
    moment = session.scalar(_WAKES_AT)
    if moment is None or now is None or pace is None or not pace.per_hour:
        return moment
    first: datetime | None = session.execute(_SENT_IN, {"since": now - _HOUR}).one()[1]
    if first is None or _in_last_hour(session, now) < pace.per_hour:
        return moment
    return max(moment, first + _HOUR)


_NEWEST = select(OutboxRow).order_by(OutboxRow.id.desc()).limit(1)


def by_return_path(session: Session, return_path: str, message_ids: Iterable[str] = ()) -> OutboxRow | None:
    """Of the mails that were sent with this return path, which are all for one recipient, the newest with one of these
    Message-IDs, or else the newest."""
    there = _NEWEST.where(OutboxRow.envelope_from == return_path.lower())
    named = list(message_ids)
    found = session.scalar(there.where(OutboxRow.message_id.in_(named))) if named else None
    return found or session.scalar(there)


def newest_to(session: Session, recipient: str, since: datetime) -> OutboxRow | None:
    """The newest mail for this address that was sent since then."""
    there = _NEWEST.where(OutboxRow.recipient == normal(recipient), OutboxRow.created_at > since)
    return session.scalar(there.where(OutboxRow.sent_at.is_not(None)))


def by_message_id(session: Session, message_id: str, recipients: Collection[str] = ()) -> OutboxRow | None:
    """The mail with this Message-ID; None if there is none. Of those that went to several addresses of a person, the
    one to one of these `recipients`, or else the first.
    """
    mails = session.scalars(select(OutboxRow).where(OutboxRow.message_id == message_id).order_by(OutboxRow.id)).all()
    return next((mail for mail in mails if mail.recipient in recipients), mails[0] if mails else None)


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
    """The mails to these addresses of a person that a mail of theirs may quote: the newest of those that it cites by
    Message-ID, and the newest of all, each at most `limit`. Programs cite one mail and quote another."""
    key = {"recipients": list(recipients), "message_ids": list(cited)}
    named = session.scalars(_CITED.limit(limit), key).all() if key["message_ids"] else ()
    return tuple(dict.fromkeys((*named, *session.scalars(_QUOTED.limit(limit), key))))


def mail_by_id(session: Session, mail_id: int) -> OutboxRow | None:
    """The mail with this id, in any state; None if there is none."""
    return session.get(OutboxRow, mail_id)
