"""What was sent, as a mail finds it again that cites or quotes it, or brings it back; what was told of phases; and the
bounces, by address, until mail arrives from the address.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    CompoundSelect,
    ForeignKey,
    Index,
    LargeBinary,
    Select,
    bindparam,
    func,
    literal,
    or_,
    select,
    type_coerce,
    union_all,
    update,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.mail.message.bounce_report import Bounce
from gm.store.game_rows import PhaseRow
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow, OutboxState, of_seats
from gm.store.people import normal
from gm.store.rows import EPOCH, Base, added, read, unpacked

_NEWEST = select(OutboxRow).order_by(OutboxRow.id.desc()).limit(1)


def by_return_path(
    session: Session, return_path: str, message_ids: Iterable[str] = (), until: datetime | None = None
) -> OutboxRow | None:
    """Of the mails that were sent with this return path, which are all for one recipient, the newest with one of these
    Message-IDs, or else the newest, or the newest that was written `until` then."""
    there = _NEWEST.where(OutboxRow.envelope_from == return_path.lower())
    named = list(message_ids)
    found = session.scalar(there.where(OutboxRow.message_id.in_(named))) if named else None
    before = there.where(OutboxRow.created_at <= until) if until is not None else there
    return found or session.scalar(before) or session.scalar(there)


def newest_to(session: Session, recipient: str, until: datetime, within: timedelta) -> OutboxRow | None:
    """The newest mail for this address that was sent `until` then, and written `within` so long before."""
    there = _NEWEST.where(OutboxRow.recipient == normal(recipient), OutboxRow.created_at > until - within)
    return session.scalar(there.where(OutboxRow.sent_at <= until))


def by_message_id(session: Session, message_id: str, recipients: Collection[str] = ()) -> OutboxRow | None:
    """The mail with this Message-ID; None if there is none. Of those that went to several addresses of a person, the
    one to one of these `recipients`, or else the first.
    """
    named = select(OutboxRow).where(OutboxRow.message_id == message_id, OutboxRow.state != OutboxState.GATHERED)
    mails = session.scalars(named.order_by(OutboxRow.id)).all()
    return next((mail for mail in mails if mail.recipient in recipients), mails[0] if mails else None)


_WITH_IDS = select(OutboxRow.raw).where(OutboxRow.message_id.in_(bindparam("message_ids", expanding=True)))


def with_message_ids(session: Session, message_ids: Iterable[str]) -> Sequence[bytes]:
    """The mails with these Message-IDs."""
    return session.scalars(_WITH_IDS, {"message_ids": list(message_ids)}).all()


# the phase that a seat was told of


_TOLD = (
    select(OutboxRow.phase_id, OutboxRow.created_at)
    .where(OutboxRow.phase_id.is_not(None))
    .order_by(OutboxRow.created_at.desc(), OutboxRow.id.desc())
    .limit(1)
)
_OF_SEAT = OutboxRow.seat_id == bindparam("seat_id")
_NAMED = OutboxRow.message_id.in_(bindparam("message_ids", expanding=True))
# an expression: by the bare column SQLite would read all mails to the seat, and not those that are named
_TOLD_BY_CITED = _TOLD.where(_NAMED, OutboxRow.seat_id + 0 == bindparam("seat_id"))
_TOLD_BY_THEN = _TOLD.where(_OF_SEAT, OutboxRow.sent_at <= bindparam("moment"))
_TOLD_OF_ANOTHER = _TOLD.where(_OF_SEAT, OutboxRow.phase_id != bindparam("phase_id"))
_OVERTAKING = (
    select(literal(0).label("phase_id"), func.max(InboxRow.sent_at).label("created_at"))
    .where(InboxRow.address.in_(bindparam("addresses", expanding=True)), InboxRow.sender == bindparam("sender"))
    .where(InboxRow.sent_at > bindparam("sent_at"), InboxRow.state == InboxState.DONE)
)


def _apart(*selects: Select[Any, Any]) -> CompoundSelect[int, Any, Any]:
    """The rows of these statements together, each with the number of its statement."""
    found = enumerate(one.subquery() for one in selects)
    return union_all(*(select(literal(at).label("which"), one.c.phase_id, one.c.created_at) for at, one in found))


_BEFORE = _apart(_TOLD_BY_CITED, _OVERTAKING)
_LATEST = _apart(_TOLD_BY_THEN, _TOLD_OF_ANOTHER)
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


class Before(NamedTuple):
    """What was before a mail: the newest of the mails that it cites that told its seat of a phase, and when the newest
    mail of its sender was sent that was sent after it and is done already."""

    cited: Told | None
    overtaking: datetime | None


class Latest(NamedTuple):
    """The newest mails that told a seat of a phase: of those sent by some time, and of those that told of another phase
    than the one being played."""

    newest: Told | None
    other: Told | None


def what_was_before(
    session: Session, mail: InboxRow, addresses: Iterable[str], seat_id: int, cited: Iterable[str]
) -> Before:
    """What was before a mail to these addresses of the seat that cites these mails."""
    key = {"seat_id": seat_id, "message_ids": list(cited)}
    key |= {"addresses": list(addresses), "sender": mail.sender, "sent_at": mail.sent_at}
    told, overtaking = _told(session, _BEFORE, key)
    return Before(told, overtaking.at if overtaking is not None else None)


def latest_told(session: Session, seat_id: int, phase_id: int, moment: datetime) -> Latest:
    """The newest mails that told a seat of a phase; `phase_id` is the phase being played."""
    return Latest(*_told(session, _LATEST, {"seat_id": seat_id, "phase_id": phase_id, "moment": moment}))


def _told(
    session: Session, statement: CompoundSelect[int, Any, Any], key: Mapping[str, Any]
) -> tuple[Told | None, Told | None]:
    found = {row.which: Told(row.phase_id, row.created_at) for row in read(session, statement, key) if row.created_at}
    return found.get(0), found.get(1)


def first_told(session: Session, seat_id: int, phase_id: int, since: datetime) -> datetime | None:
    """When the seat was first sent a mail, written since then, that tells it of this phase."""
    key = {"seat_id": seat_id, "phase_id": phase_id, "since": since}
    return session.scalar(_FIRST_SENT, key)


_PURPOSES = (
    select(OutboxRow.purpose)
    .where(OutboxRow.message_id.in_(bindparam("message_ids", expanding=True)))
    .order_by(OutboxRow.id.desc())
)


def purposes_of(session: Session, message_ids: Iterable[str]) -> Sequence[str]:
    """The purposes of the mails with these Message-IDs, the newest first."""
    return session.scalars(_PURPOSES, {"message_ids": list(message_ids)}).all()


_PROPOSES = (
    select(OutboxRow)
    .where(OutboxRow.message_id.in_(bindparam("message_ids", expanding=True)))
    .order_by(OutboxRow.id.desc())
    .limit(1)
)


def proposed(session: Session, message_ids: Iterable[str], recipients: Collection[str]) -> OutboxRow | None:
    """The newest mail with one of these Message-IDs, if it went to one of these recipients and proposes something."""
    newest = session.scalar(_PROPOSES, {"message_ids": list(message_ids)})
    return newest if newest is not None and newest.proposes and newest.recipient in recipients else None


_TO_SEAT = (
    select(OutboxRow)
    .where(OutboxRow.seat_id == bindparam("seat_id"), OutboxRow.created_at >= bindparam("since"))
    .order_by(OutboxRow.created_at.desc(), OutboxRow.id.desc())
    .limit(bindparam("most"))
)
_MOST_TO_SEAT = 12


def proposed_at(
    session: Session, seat_id: int, since: datetime, recipients: Collection[str], *, most: int = _MOST_TO_SEAT
) -> OutboxRow | None:
    """The newest of the last mails to a seat that went to one of these recipients and proposes something."""
    rows = session.scalars(_TO_SEAT, {"seat_id": seat_id, "since": since, "most": most})
    return next((row for row in rows if row.proposes and row.recipient in recipients), None)


_MOST_CITED = 12
_CITED = (
    select(
        OutboxRow.purpose,
        OutboxRow.recipient,
        type_coerce(OutboxRow.raw, LargeBinary).label("packed"),
        OutboxRow.proposes,
    )
    .where(OutboxRow.message_id.in_(bindparam("message_ids", expanding=True)))
    .order_by(OutboxRow.id.desc())
    .limit(bindparam("most"))
)


@dataclass(frozen=True, slots=True)
class Cited:
    """A mail of ours that a mail cites."""

    purpose: str
    recipient: str
    packed: bytes
    proposes: Sequence[str]

    @property
    def raw(self) -> bytes:
        """Its bytes; few of those that are cited are read."""
        return unpacked(self.packed)


def cited(session: Session, message_ids: Iterable[str], most: int = _MOST_CITED) -> Sequence[Cited]:
    """The newest of the mails with these Message-IDs, the newest first: what a reader quotes is among the last."""
    return [Cited(*row) for row in read(session, _CITED, {"message_ids": list(message_ids), "most": most})]


def cites_since(session: Session, message_ids: Sequence[str], since: datetime) -> bool:
    """Whether one of these is the Message-ID of a mail of ours that was written since then."""
    ours = OutboxRow.message_id.in_(message_ids), OutboxRow.created_at >= since
    return bool(message_ids) and session.scalar(select(OutboxRow.id).where(*ours).limit(1)) is not None


@cache
def _newest_of(addresses: int) -> Select[bytes]:
    """The newest mails to so many addresses: of each the newest, found at the end of an index."""
    each = [
        select(OutboxRow.id, OutboxRow.created_at, OutboxRow.raw)
        .where(OutboxRow.recipient == bindparam(f"recipient_{number}"))
        .order_by(OutboxRow.created_at.desc(), OutboxRow.id.desc())
        .limit(bindparam("most"))
        .subquery()
        for number in range(addresses)
    ]
    together = union_all(*(select(one) for one in each)).subquery()
    return select(together.c.raw).order_by(together.c.created_at.desc(), together.c.id.desc()).limit(bindparam("most"))


def newest_to_each(session: Session, recipients: Iterable[str], most: int) -> Sequence[bytes]:
    """The newest mails to these addresses of a person, which a mail of theirs may quote. Programs cite one mail and
    quote another.
    """
    addresses = list(dict.fromkeys(recipients))
    key = {f"recipient_{number}": address for number, address in enumerate(addresses)}
    return session.scalars(_newest_of(len(addresses)), {**key, "most": most}).all() if addresses else ()


_LAST_PHASES = select(PhaseRow.id).where(PhaseRow.game_id == bindparam("game_id")).order_by(PhaseRow.number.desc())
_FOR_PURPOSES = select(OutboxRow.raw).where(OutboxRow.purpose.in_(bindparam("purposes", expanding=True)))


def reports_to(session: Session, game_id: int, seat_id: int, kinds: Iterable[str], phases: int) -> Sequence[bytes]:
    """The reports of these kinds to a seat on a game's last phases, however many mails were sent to it since then."""
    last = session.scalars(_LAST_PHASES.limit(phases), {"game_id": game_id}).all()
    purposes = [f"{kind}:{phase}:{seat_id}" for kind in kinds for phase in last]
    return session.scalars(_FOR_PURPOSES, {"purposes": purposes}).all()


_OF_PHASE = (
    select(OutboxRow.raw)
    .where(OutboxRow.seat_id == bindparam("seat_id"), OutboxRow.phase_id == bindparam("phase_id"))
    .where(OutboxRow.created_at >= bindparam("since"))
    .order_by(OutboxRow.created_at.desc(), OutboxRow.id.desc())
)


def told_of(session: Session, seat_id: int, phase_id: int, since: datetime, limit: int) -> Sequence[bytes]:
    """The newest mails to a seat in which this phase, which began at `since`, was the one being played."""
    key = {"seat_id": seat_id, "phase_id": phase_id, "since": since}
    return session.scalars(_OF_PHASE.limit(limit), key).all()


# what came back


SOFT_MAKE_HARD = 5
"""This many soft bounces within a week count as a hard one: a mailbox that stays full cannot be reached."""

_WEEK = timedelta(days=7)


class BounceRow(Base):
    """A mail of ours that did not reach its recipient. `hard`: permanent, until mail arrives from the address, which
    forgives it. `reason` is a word or two, `status` the code of RFC 3463, or empty.
    """

    __tablename__ = "bounce"
    __table_args__ = (Index(None, "recipient", "forgiven_at"),)

    recipient: Mapped[str]
    outbox_id: Mapped[int] = mapped_column(ForeignKey("outbox.id"), index=True)
    hard: Mapped[bool]
    reason: Mapped[str]
    status: Mapped[str]
    words: Mapped[str]
    at: Mapped[datetime]
    forgiven_at: Mapped[datetime | None]


_RECENT = select(func.count()).where(
    BounceRow.recipient == bindparam("recipient"),
    BounceRow.forgiven_at.is_(None),
    BounceRow.at > bindparam("since"),
    BounceRow.reason.not_in(bindparam("uncounted", expanding=True)),
)


def add_bounce(
    session: Session,
    mail: tuple[int, str],
    found: Bounce,
    at: datetime,
    *,
    hard: bool,
    uncounted: Collection[str] = (),
) -> BounceRow | None:
    """Record that a mail (its id in the outbox, and its recipient) bounced at that time; None when it has bounced in
    the same way before.

    The last of too many soft bounces is recorded as hard; those whose reasons are `uncounted` do not count.
    """
    outbox_id, recipient = mail[0], normal(mail[1])
    before = session.scalars(select(BounceRow).where(BounceRow.outbox_id == outbox_id)).all()
    if any(one.hard or not hard for one in before):
        return None
    if not hard and found.reason not in uncounted:
        key = {"recipient": recipient, "since": at - _WEEK, "uncounted": list(uncounted)}
        hard = (session.scalar(_RECENT, key) or 0) + 1 >= SOFT_MAKE_HARD
    return added(
        session,
        BounceRow(
            recipient=recipient,
            outbox_id=outbox_id,
            hard=hard,
            reason=found.reason,
            status=found.status,
            words=found.words,
            at=at,
        ),
    )


_FORGIVE = update(BounceRow).where(BounceRow.recipient == bindparam("email"), BounceRow.forgiven_at.is_(None))


def forgive_bounces(session: Session, email: str, now: datetime) -> None:
    """Forgive all bounces of an address, because mail has arrived from it."""
    session.execute(_FORGIVE.values(forgiven_at=now), {"email": normal(email)})


_SPELLS = 5
"""Beyond so many spells of bouncing within a day, no notice is sent of another."""
_COMES_BACK = timedelta(minutes=10)
"""A mail that has not come back for so long has arrived, as far as anybody can tell."""
_DAY = timedelta(days=1)
_ARRIVED = select(func.max(OutboxRow.sent_at)).where(
    OutboxRow.recipient == bindparam("recipient"),
    OutboxRow.state == OutboxState.SENT,
    OutboxRow.sent_at < bindparam("before"),
    OutboxRow.id.not_in(select(BounceRow.outbox_id).where(BounceRow.recipient == bindparam("recipient"))),
)


def spell_of(session: Session, row: BounceRow) -> int | None:
    """The spell of bouncing that a hard bounce belongs to, by the id of its first one: a new one begins when mail has
    come from the address, or has arrived there. None if there were too many within a day to be told of another.
    """
    theirs = select(BounceRow).where(BounceRow.recipient == row.recipient, BounceRow.hard, BounceRow.at > row.at - _DAY)
    rows = session.scalars(theirs.order_by(BounceRow.id)).all()
    if len({one.forgiven_at for one in rows}) > _SPELLS:
        return None
    mail = session.get(OutboxRow, row.outbox_id)
    before = min(row.at - _COMES_BACK, (mail and mail.sent_at) or row.at)
    arrived = session.scalar(_ARRIVED, {"recipient": row.recipient, "before": before}) or EPOCH
    return next((one.id for one in rows if one.forgiven_at is None and one.at > arrived), row.id)


_LATELY = select(BounceRow).where(
    BounceRow.recipient.in_(bindparam("emails", expanding=True)),
    or_(BounceRow.at > bindparam("since"), BounceRow.forgiven_at.is_(None)),
)


def bounced_lately(
    session: Session, emails: Iterable[str], now: datetime, uncounted: Collection[str] = ()
) -> Mapping[str, BounceRow]:
    """The newest bounce of each of these addresses: of the last week even if mail has arrived from them since."""
    rows = session.scalars(_LATELY.order_by(BounceRow.id), {"emails": list(emails), "since": now - _WEEK}).all()
    return {row.recipient: row for row in rows if row.reason not in uncounted}


def bounced_in_game(
    session: Session, emails: Iterable[str], now: datetime, seats: Collection[int]
) -> Mapping[str, BounceRow]:
    """The same of hard bounces, of mail to these seats and mail of no game."""
    mails = _LATELY.join(OutboxRow, OutboxRow.id == BounceRow.outbox_id).where(BounceRow.hard, of_seats(seats))
    key = {"emails": list(emails), "since": now - _WEEK}
    return {row.recipient: row for row in session.scalars(mails.order_by(BounceRow.id), key)}


def bounce_counts(session: Session) -> dict[bool, int]:
    """How many bounces there have been in all: hard (True) and soft (False)."""
    rows = session.execute(select(BounceRow.hard, func.count()).group_by(BounceRow.hard))
    return {True: 0, False: 0} | dict(rows.all())
