"""What was sent, as a mail finds it again that cites or quotes it, or brings it back; and what was told of phases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, func, literal, select, union_all
from sqlalchemy.orm import Session

from gm.store.outbox import OutboxRow
from gm.store.people import normal

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
_WHAT_WAS_TOLD = union_all(
    *(
        select(literal(number).label("which"), newest.c.phase_id, newest.c.created_at)
        for number, newest in enumerate(
            _TOLD.where(condition).subquery()
            for condition in (
                OutboxRow.message_id.in_(bindparam("message_ids", expanding=True)),
                OutboxRow.sent_at <= bindparam("moment"),
                OutboxRow.phase_id != bindparam("phase_id"),
            )
        )
    )
)
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


class ToldBefore(NamedTuple):
    """The newest mails that told a seat of a phase: of those that a mail cites, of those sent by the time when it was
    received, and of those that told of another phase than the one being played."""

    cited: Told | None
    by_then: Told | None
    other: Told | None


def what_was_told(
    session: Session, seat_id: int, phase_id: int, moment: datetime, message_ids: Iterable[str]
) -> ToldBefore:
    """What the seat was told before it sent a mail that was received at this time and cites these mails; `phase_id` is
    the phase being played.
    """
    key = {"seat_id": seat_id, "phase_id": phase_id, "moment": moment, "message_ids": list(message_ids)}
    found = {row.which: Told(row.phase_id, row.created_at) for row in session.execute(_WHAT_WAS_TOLD, key)}
    return ToldBefore(*(found.get(number) for number in range(3)))


def first_told(session: Session, seat_id: int, phase_id: int, since: datetime) -> datetime | None:
    """When the seat was first sent a mail, written since then, that tells it of this phase."""
    key = {"seat_id": seat_id, "phase_id": phase_id, "since": since}
    return session.scalar(_FIRST_SENT, key)


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
