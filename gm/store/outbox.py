"""The outbox: every mail to be sent, once for each purpose, retried with back-off until it is sent or given up.

A mail is leased, not locked, while it is delivered, because that may take minutes: `claim_next` and commit, deliver,
then `mark_sent` or `mark_failed` in another transaction. If the process dies in between, the mail is sent again, with
the same Message-ID, when its lease ends. One that was sent and bounces is queued again by `mark_returned`. The module
is long because all that changes the state of a mail is here, so that one can see that none is lost or sent twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Executable,
    Index,
    ScalarSelect,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from gm.operation import OURS
from gm.store import mail_files
from gm.store.rows import Base, Insert, Leased, Packed, add_all_once, adding, as_stored, claiming, holder, read

LEASE = timedelta(minutes=15)
"""How long a process may keep a lease on a mail that it is delivering; longer than all SMTP time-outs of one mail."""

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
GIVE_UP_AFTER = timedelta(days=5)

COPY_PAUSES = (timedelta(minutes=15), timedelta(hours=6), timedelta(days=1))
"""The pauses after each try of which it is not known whether the mail was accepted; the last also after later ones."""
MOST_COPIES = len(COPY_PAUSES)
"""After so many of these tries a mail is given up, unless none at all was accepted since it was queued."""

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


class OutboxState(StrEnum):
    """The state of a mail to be sent."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"
    DROPPED = "dropped"
    """Never to be sent: discarded by the operator, or not true any more."""
    HELD = "held"
    """It waits for the digest of its recipient (`gm.store.gathering`), at `next_try_at` at the latest."""
    GATHERED = "gathered"
    """It went with a digest, whose Message-ID it has."""


class Trouble(StrEnum):
    """Why the last try to send a mail failed."""

    NONE = ""
    UNREACHABLE = "unreachable"
    """Our way out did not work: no mail at all leaves."""
    REFUSED = "refused"
    """Refused for what we are or send; other mail may fare the same."""
    UNKNOWN = "unknown"
    """Refused as an address that does not exist: it is dead if the relay takes mail to others."""
    UNCONFIRMED = "unconfirmed"
    """Sent whole, and perhaps accepted: there was no response."""
    DEFERRED = "deferred"
    """Any other reason."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast mail may be sent: the connections at once for a domain, and the mails per hour and day (0: no limit)."""

    each: int = 2
    per_hour: int = 0
    per_day: int = 0

    @property
    def limits(self) -> tuple[tuple[int, timedelta], ...]:
        """How many mails may be sent within which time."""
        both = (self.per_hour, _HOUR), (self.per_day, _DAY)
        return tuple((most, span) for most, span in both if most)


class OutboxRow(Leased, Base):
    """A mail to be sent. `purpose` is its unique purpose. `envelope_from` "" is the null return path.

    `phase_id` is the phase that the mail names as the one being played, for the holder of the seat `seat_id`. `files`:
    how many of its files are kept apart (`gm.store.mail_files`). `domain` is the recipient's. `urgent`: somebody waits
    for it, so that it goes before all that is not. `trouble` and `last_error` are those of the last try, at `tried_at`;
    `copies` counts the tries that may have delivered it.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index(None, "state", "next_try_at"),
        Index(None, "state", "urgent", "next_try_at"),
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
    raw: Mapped[bytes] = mapped_column(Packed)
    files: Mapped[int]
    created_at: Mapped[datetime]
    next_try_at: Mapped[datetime]
    tries: Mapped[int]
    copies: Mapped[int]
    state: Mapped[OutboxState]
    trouble: Mapped[Trouble]
    tried_at: Mapped[datetime | None]
    last_error: Mapped[str]
    reply: Mapped[str | None]
    """What the relay said when it took the mail, with its own name for it."""
    sent_at: Mapped[datetime | None]
    seat_id: Mapped[int | None]
    phase_id: Mapped[int | None]
    proposes: Mapped[list[str]]
    """What YES in reply does, each the lines of one way; none any more once it was done."""
    vouched: Mapped[bool]
    """Whether the mail that led to that, if one did, was authenticated."""

    @property
    def number(self) -> str:
        """Its number for the operator, which tells it from mails that arrived."""
        return f"{OURS}{self.id}"


_QUEUED = select(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED)
_UNDER_WAY = OutboxRow.leased_until > bindparam("now")
_DOMAIN = func.lower(OutboxRow.domain)  # an expression: by the bare column SQLite would read a whole index
_BUSY = select(_DOMAIN).where(_UNDER_WAY).group_by(_DOMAIN).having(func.count() >= bindparam("each"))
"""The domains to which as many mails are under way as may be."""
_TAKE = claiming(_QUEUED.where(OutboxRow.id == bindparam("mail_id")), wait=True)
_WITH_CONTENT = select(OutboxRow).where(OutboxRow.id == bindparam("mail_id"), OutboxRow.raw != b"")
_REFUSED = and_(
    OutboxRow.state == OutboxState.QUEUED, OutboxRow.trouble != Trouble.NONE, OutboxRow.leased_until.is_(None)
)
_LISTED = or_(OutboxRow.state == OutboxState.FAILED, _REFUSED)
_UNSENT = claiming(_WITH_CONTENT.where(or_(_LISTED, OutboxRow.state == OutboxState.DROPPED)), wait=True)
_TO_DROP = claiming(select(OutboxRow).where(OutboxRow.id == bindparam("mail_id"), _LISTED), wait=True)
_SENT = claiming(_WITH_CONTENT.where(OutboxRow.state == OutboxState.SENT), wait=True)
_other = aliased(OutboxRow)


def _due(*, urgent: bool) -> ScalarSelect[int]:
    """The mail of these that is due first, found by an index."""
    due = (_other.state == OutboxState.QUEUED, _other.urgent == literal(urgent), _other.next_try_at <= bindparam("now"))
    free = (_other.unleased(), _other.domain.not_in(_BUSY))
    first = select(_other.id).where(*due, *free).order_by(_other.next_try_at, _other.id).limit(1)
    return first.with_for_update(skip_locked=True, key_share=True).scalar_subquery()


_CLAIM = (
    update(OutboxRow)
    .where(OutboxRow.id == func.coalesce(_due(urgent=True), _due(urgent=False)))
    .values(tries=OutboxRow.tries + 1, leased_until=bindparam("until"), leased_by=bindparam("holder"))
    .returning(*OutboxRow.__table__.c)
)
"""Of all together those that are due would be sorted; whether any of the others is due is asked only if none that
somebody waits for is."""
_FREE_AT = (
    select(_other.next_try_at)
    .where(_other.state == OutboxState.QUEUED, _other.leased_until.is_(None), _other.id != bindparam("mail_id"))
    .order_by(_other.next_try_at)
    .limit(1)
    .scalar_subquery(),
    select(func.min(_other.leased_until)).where(_other.id != bindparam("mail_id")).scalar_subquery(),
)
"""When the first mail other than `mail_id` is due, and when the first lease on one ends; each is found in an index."""
_NEXT_TRY = select(*_FREE_AT)


@dataclass(frozen=True, slots=True)
class Queued:
    """A mail for its `purpose`; `envelope_from` "" is the null return path, `files` are kept apart, else as above."""

    purpose: str
    recipient: str
    envelope_from: str
    message_id: str
    raw: bytes
    seat_id: int | None = None
    phase_id: int | None = None
    urgent: bool = False
    files: tuple[bytes, ...] = ()
    held_until: datetime | None = None
    """When it goes with its recipient's digest; None for a mail that is sent at once."""
    not_before: datetime | None = None
    """When it is first tried, if not at once."""
    proposes: tuple[str, ...] = ()
    vouched: bool = True

    @property
    def domain(self) -> str:
        """The recipient's domain."""
        return self.recipient.rpartition("@")[2].lower()

    def row(self, now: datetime) -> dict[str, Any]:
        """The row of a mail that was never tried."""
        state = OutboxState.QUEUED if self.held_until is None else OutboxState.HELD
        new = {"created_at": now, "next_try_at": self.held_until or self.not_before or now, "tries": 0, "state": state}
        given = {name: getattr(self, name) for name in self.__slots__ if name not in ("held_until", "not_before")}
        return {
            **given,
            "files": len(self.files),
            "domain": self.domain,
            **new,
            "copies": 0,
            "trouble": Trouble.NONE,
            "last_error": "",
        }


def of_seats(seats: Collection[int]) -> ColumnElement[bool]:
    """Whether a mail is one of these seats' or of no game's."""
    return or_(OutboxRow.seat_id.is_(None), OutboxRow.seat_id.in_(seats))


def queue_all(session: Session, mails: Iterable[Queued], now: datetime) -> None:
    """Queue mails in one statement; a mail whose purpose was queued before is left out."""
    every = list(mails)
    add_all_once(session, OutboxRow, [mail.row(now) for mail in every])
    mail_files.keep(session, {mail.message_id: mail.files for mail in every})


def replace_unsent(session: Session, purpose: str, now: datetime) -> None:
    """Forget the mail with exactly this purpose if it was never tried: a newer one takes its place."""
    session.execute(_UNTRIED, {"purpose": purpose, "now": now})


_UNTRIED = delete(OutboxRow).where(
    OutboxRow.purpose == bindparam("purpose"),
    OutboxRow.state == OutboxState.QUEUED,
    OutboxRow.tries == 0,
    OutboxRow.unleased(),
)


def drop_files(session: Session, mails: Sequence[OutboxRow]) -> None:
    """Delete the files of these mails, except those that another mail with the same Message-ID still has."""
    ids = {mail.message_id for mail in mails if mail.files}
    if not ids:
        return
    for mail in mails:
        mail.files = 0
    session.flush()
    elsewhere = select(OutboxRow.message_id).where(OutboxRow.message_id.in_(ids), OutboxRow.files > 0)
    mail_files.drop(session, ids - set(session.scalars(elsewhere)))


def queue_answer_first(
    departure: list[OutboxRow], pace: Pace, session: Session, mails: Sequence[Queued], now: datetime
) -> None:
    """Queue mails as `queue_all` does; one that somebody waits for is leased, and added to `departure`."""
    urgent = [mail for mail in mails if mail.urgent][:1]
    leased = (queue_leased(session, mail, now, pace) for mail in urgent)
    departure += [row for row in leased if row is not None]
    queue_all(session, [mail for mail in mails if mail not in urgent], now)


def queue_leased(
    session: Session, mail: Queued, now: datetime, pace: Pace, length: timedelta = LEASE
) -> OutboxRow | None:
    """Queue a mail as `queue_all` does, leased as `claim_next` does, and return it; None where `pace` forbids that, and
    if its purpose was queued before.
    """
    if pace.limits:
        queue_all(session, [mail], now)
        return None
    row = {**mail.row(now), "tries": 1, "leased_until": now + length, "leased_by": holder(session)}
    lease = _leasing(adding(session, OutboxRow), tuple(row))
    mail_files.keep(session, {mail.message_id: mail.files})
    done = session.connection().execute(lease, {**row, "now": now, "each": pace.each}).one_or_none()
    return as_stored(OutboxRow, {**row, "id": done.id}) if done is not None and done.leased_until is not None else None


@cache
def _leasing(adding: Insert, names: Iterable[str]) -> Executable:
    """The statement that queues a mail, leased unless as many are under way to its domain as may be."""
    values: dict[str, Any] = {name: bindparam(name, type_=OutboxRow.__table__.c[name].type) for name in names}
    free = values["domain"].not_in(_BUSY)
    leased = {"tries": case((free, values["tries"]), else_=0), "leased_until": case((free, values["leased_until"]))}
    return adding.values(values | leased).on_conflict_do_nothing().returning(OutboxRow.id, OutboxRow.leased_until)


def raw_of(session: Session, purpose: str) -> bytes | None:
    """The mail that was queued for this purpose, sent or not; None if there is none."""
    return session.scalar(select(OutboxRow.raw).where(OutboxRow.purpose == purpose))


def sent_for(session: Session, purpose: str) -> Sequence[str]:
    """The purposes that begin so of mails that were sent."""
    said = OutboxRow.purpose.startswith(purpose, autoescape=True), OutboxRow.state == OutboxState.SENT
    return session.scalars(select(OutboxRow.purpose).where(*said)).all()


def claim_next(
    session: Session, now: datetime, pace: Pace | None = None, length: timedelta = LEASE
) -> OutboxRow | None:
    """The mail that is due, of those that somebody waits for, otherwise of all, the oldest, its try counted, leased for
    `length`; None where `pace` forbids it. Commit first."""
    pace = pace or Pace()
    if any(_sent_within(session, now, span)[0] >= most for most, span in pace.limits):
        return None
    key = {"now": now, "each": pace.each, "until": now + length, "holder": holder(session)}
    found = read(session, _CLAIM, key).one_or_none()
    return as_stored(OutboxRow, dict(found._mapping)) if found is not None else None


_SENT_IN = select(func.count(), func.min(OutboxRow.sent_at)).where(OutboxRow.sent_at > bindparam("since"))
_NOW_UNDER_WAY = select(func.count()).select_from(OutboxRow).where(_UNDER_WAY)


def _sent_within(session: Session, now: datetime, span: timedelta) -> tuple[int, datetime | None]:
    """How many mails were sent within this time before now or are under way, and when the first of them was sent."""
    sent, first = session.execute(_SENT_IN, {"since": now - span}).one()
    return int(sent) + (session.scalar(_NOW_UNDER_WAY, {"now": now}) or 0), first


_TAKEN_BACK = timedelta(days=1)
_same = aliased(OutboxRow)
_the_same = select(_same.recipient).where(_same.id == bindparam("mail_id")).scalar_subquery()
_to_the_same = _other.recipient + "" == _the_same
"""An expression: by the bare column SQLite would read all mails to the address, and not those that were given up."""


def _called_dead(row: type[OutboxRow]) -> ColumnElement[bool]:
    """Whether a mail was lately given up at its first refusals, because its recipient was unknown."""
    never_sent = and_(row.state == OutboxState.FAILED, row.sent_at.is_(None), row.raw != b"")
    lately = and_(row.created_at > bindparam("since"), row.next_try_at > bindparam("since"))  # which an index has
    return and_(never_sent, lately)


_CALLED_DEAD = select(OutboxRow).where(_called_dead(OutboxRow)).order_by(OutboxRow.id)


def called_dead(session: Session, now: datetime) -> Sequence[OutboxRow]:
    """The mails that were given up within a day at their first refusals, because their recipients were unknown."""
    return session.scalars(_CALLED_DEAD, {"since": now - _TAKEN_BACK}).all()


_GONE_BACK = or_(*(OutboxRow.trouble == one for one in (Trouble.UNREACHABLE, Trouble.UNKNOWN, Trouble.UNCONFIRMED)))
"""Not by a list, which SQLAlchemy would write out anew for each mail."""
_MARK_SENT = (
    update(OutboxRow)
    .where(
        OutboxRow.id == bindparam("mail_id"),
        or_(OutboxRow.state == OutboxState.QUEUED, OutboxRow.state == OutboxState.DROPPED),
    )
    .values(state=OutboxState.SENT, sent_at=bindparam("now"), reply=bindparam("reply"))
    .values(leased_until=None, last_error="", trouble=Trouble.NONE)
    .returning(
        _QUEUED.where(_GONE_BACK).exists().label("back"),
        select(_other.id).where(_to_the_same, _called_dead(_other)).exists().label("alive"),
        *_FREE_AT,
    )
)
_WAITING = update(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED, OutboxRow.next_try_at > bindparam("now"))
_OF_ITS_DOMAIN = OutboxRow.domain == select(_other.domain).where(_other.id == bindparam("mail_id")).scalar_subquery()
_MAY_BE_DEAD = and_(OutboxRow.trouble == Trouble.UNKNOWN, or_(OutboxRow.tries <= 1, _OF_ITS_DOMAIN))
_ANOTHER_ACCEPTED = (
    select(_other.id).where(_other.sent_at >= OutboxRow.created_at, _other.id != bindparam("mail_id")).exists()
)
"""Whether a mail other than `mail_id` was accepted since the row's was queued."""
_FIRST_SINCE = and_(OutboxRow.trouble == Trouble.UNCONFIRMED, ~_ANOTHER_ACCEPTED)
_BACK = _WAITING.where(or_(OutboxRow.trouble == Trouble.UNREACHABLE, _MAY_BE_DEAD, _FIRST_SINCE)).values(
    next_try_at=bindparam("now")
)


class Sent(NamedTuple):
    """A mail was handed over; `wakes_at` is when another is to be sent, whatever the pace. `alive`: others to the same
    address were given up, because it was unknown (`called_dead`).
    """

    wakes_at: datetime | None
    alive: bool = False


def mark_sent(session: Session, mail_id: int, now: datetime, reply: str = "") -> Sent | None:
    """Note that the mail was handed over, and the relay's reply; None when it was not queued any more. What waited
    because our way out did not work is due again: it does, as what was never confirmed if this is the first mail that
    is; and what was refused as unknown, which the next try settles.
    """
    key = {"mail_id": mail_id, "now": now, "since": now - _TAKEN_BACK, "reply": reply}
    done = session.connection().execute(_MARK_SENT, key).one_or_none()
    if done is None:
        return None
    if done.back:
        session.connection().execute(_BACK, {"now": now, "mail_id": mail_id})
    return Sent(now if done.back else _first(done[2:]), bool(done.alive))


def flush(session: Session, now: datetime, domain: str = "") -> int:
    """Make all waiting mail due at once, or that for one domain. Returns how many mails that is."""
    statement = _WAITING.where(OutboxRow.domain == domain.lower()) if domain else _WAITING
    done = session.execute(statement.values(next_try_at=now), {"now": now})
    return int(getattr(done, "rowcount", 0))


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a try failed. `final`: the address is dead; `jitter`, in [0, 1), is for the time of the next try."""

    error: str
    jitter: float
    final: bool = False
    trouble: Trouble = Trouble.DEFERRED


def mark_failed(session: Session, mail_id: int, now: datetime, failure: Failure) -> OutboxState | None:
    """Record a failed try and set the time of the next one; or give the mail up, at once when that is final, otherwise
    five days after it was queued, or after `MOST_COPIES`. Returns its new state, None when it was no longer queued.
    """
    mail = session.scalar(_TAKE, {"mail_id": mail_id})
    return _put_off(session, mail, now, failure) if mail is not None else None


def mark_returned(session: Session, mail_id: int, now: datetime, failure: Failure) -> OutboxState | None:
    """Record, as `mark_failed` does, that a mail which was sent has bounced. None for any other, or without content.
    One that was refused because of us waits as one that may have arrived: each try makes another bounce.
    """
    mail = session.scalar(_SENT, {"mail_id": mail_id})
    return _put_off(session, mail, now, failure, returned=True) if mail is not None else None


def _put_off(
    session: Session, mail: OutboxRow, now: datetime, failure: Failure, *, returned: bool = False
) -> OutboxState:
    mail.last_error, mail.leased_until, mail.trouble, mail.tried_at = failure.error, None, failure.trouble, now
    mail.copies += failure.trouble is Trouble.UNCONFIRMED
    mail.next_try_at = now + _pause_after(mail, failure, returned=returned) * (1 - failure.jitter / 4)
    given_up = failure.final or now - mail.created_at >= GIVE_UP_AFTER or _has_gone_often(session, mail)
    mail.state = OutboxState.FAILED if given_up else OutboxState.QUEUED
    session.flush()
    return mail.state


def _pause_after(mail: OutboxRow, failure: Failure, *, returned: bool) -> timedelta:
    if failure.trouble is Trouble.UNCONFIRMED:
        return _copy_pause(mail.copies)
    return _copy_pause(mail.tries) if returned and failure.trouble is Trouble.REFUSED else pause(mail.tries)


def pause(tries: int) -> timedelta:
    """How long to wait, at most, after try number `tries`: a minute, doubled each time up to four hours."""
    doublings = min(max(tries - 1, 0), 10)
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << doublings))


def _copy_pause(copies: int) -> timedelta:
    return COPY_PAUSES[min(max(copies, 1), MOST_COPIES) - 1]


def _has_gone_often(session: Session, mail: OutboxRow) -> bool:
    """Whether a mail has perhaps arrived too often, and this is not the relay's way with all mail."""
    if mail.trouble is not Trouble.UNCONFIRMED or mail.copies < MOST_COPIES:
        return False
    here = select(OutboxRow.id).where(OutboxRow.id == mail.id, _ANOTHER_ACCEPTED)
    return session.scalar(here, {"mail_id": mail.id}) is not None


def withdraw(session: Session, purpose: str) -> Sequence[OutboxRow]:
    """Have the mails whose purposes begin so, unless they are sent, never sent: what they say is not true any more. One
    that is under way is not tried again. Returns them.
    """
    unsent = OutboxRow.state.in_((OutboxState.QUEUED, OutboxState.FAILED, OutboxState.HELD))
    mails = session.scalars(select(OutboxRow).where(unsent, OutboxRow.purpose.startswith(purpose, autoescape=True)))
    withdrawn = mails.all()
    for mail in withdrawn:
        mail.state, mail.leased_until = OutboxState.DROPPED, None
    session.flush()
    return withdrawn


def send_again(session: Session, mail_id: int, now: datetime) -> bool:
    """Send a mail that was refused, given up or dropped, and try it for another five days; False when it was none of
    these, is being sent, or was thinned."""
    mail = session.scalar(_UNSENT, {"mail_id": mail_id})
    if mail is not None:
        mail.state, mail.trouble = OutboxState.QUEUED, Trouble.NONE
        mail.created_at, mail.next_try_at, mail.tries, mail.copies = now, now, 0, 0
        session.flush()
    return mail is not None


def drop(session: Session, mail_id: int) -> bool:
    """Have a mail that was refused or given up never sent, and keep its row; False when it was neither, or is being
    sent."""
    mail = session.scalar(_TO_DROP, {"mail_id": mail_id})
    if mail is not None:
        mail.state = OutboxState.DROPPED
        session.flush()
    return mail is not None


def last_sent(session: Session) -> datetime | None:
    """When a mail was accepted last; None if none ever was."""
    return session.scalar(select(func.max(OutboxRow.sent_at)))


def counts(session: Session) -> dict[OutboxState, int]:
    """How many mails are in each state, including states with none."""
    rows = session.execute(select(OutboxRow.state, func.count()).group_by(OutboxRow.state))
    return dict.fromkeys(OutboxState, 0) | dict(rows.all())


def failed(session: Session, limit: int = 20) -> Sequence[OutboxRow]:
    """The mails that were given up and have their content, newest first."""
    statement = select(OutboxRow).where(OutboxRow.state == OutboxState.FAILED, OutboxRow.recipient != "")
    return session.scalars(statement.order_by(OutboxRow.id.desc()).limit(limit)).all()


def refused_for_now(session: Session, limit: int = 20) -> tuple[int, Sequence[OutboxRow]]:
    """How many mails wait for another try, and the oldest of them."""
    waiting = select(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED, OutboxRow.trouble != Trouble.NONE)
    number = session.scalar(waiting.with_only_columns(func.count())) or 0
    return number, session.scalars(waiting.order_by(OutboxRow.id).limit(limit)).all()


def under_way(session: Session, now: datetime, longer: timedelta = timedelta(minutes=1)) -> Sequence[OutboxRow]:
    """The mails that have been under way for longer than that, the first first: their mail server hangs."""
    begun = and_(OutboxRow.leased_until > now, OutboxRow.leased_until <= now + LEASE - longer)
    queued = select(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED, begun)
    return session.scalars(queued.order_by(OutboxRow.leased_until, OutboxRow.id)).all()


def queue_age(session: Session, now: datetime) -> timedelta | None:
    """How long the oldest unsent mail has waited since it was first due; None when all are sent."""
    oldest = session.scalar(select(func.min(OutboxRow.created_at)).where(OutboxRow.state == OutboxState.QUEUED))
    return None if oldest is None else now - oldest


def _first(moments: Iterable[datetime | None]) -> datetime | None:
    return min(filter(None, moments), default=None)


def wakes_at(session: Session, now: datetime | None = None, pace: Pace | None = None) -> datetime | None:
    """When a mail is to be sent: at its next try, when the lease on it ends, or when `pace` allows another."""
    moment = _first(read(session, _NEXT_TRY, {"mail_id": 0}).one())
    if moment is None or now is None or pace is None:
        return moment
    for most, span in pace.limits:
        sent, first = _sent_within(session, now, span)
        if first is not None and sent >= most:
            moment = max(moment, first + span)
    return moment


def mail_by_id(session: Session, mail_id: int) -> OutboxRow | None:
    """The mail with this id, in any state; None if there is none."""
    return session.get(OutboxRow, mail_id)
