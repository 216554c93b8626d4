"""The mails that wait in the outbox for their recipient's digest, and what becomes of them.

A mail is held until the digest takes it, or until it is released, and then sent as it is. What a digest has taken keeps
its row, with the digest's Message-ID: a reply that cites the digest cites each of them, so that its orders count for
the phase that the digest told each seat of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from gm.store.outbox import OutboxRow, OutboxState, drop_files
from gm.store.rows import claiming

DIGEST = "digest:"
"""The beginning of the purpose of a digest."""
_HELD = OutboxRow.state == OutboxState.HELD
NEXT_DUE = select(func.min(OutboxRow.next_try_at)).where(_HELD)
"""When the next digest is to be sent."""
_FIRST = select(OutboxRow).where(_HELD, OutboxRow.next_try_at <= bindparam("now")).order_by(OutboxRow.next_try_at)
_OF = select(OutboxRow).where(_HELD, OutboxRow.recipient.in_(bindparam("emails", expanding=True)))
_OLDEST_FIRST = _OF.order_by(OutboxRow.created_at, OutboxRow.id)
_MOST = 1000


def first_due(session: Session, now: datetime) -> OutboxRow | None:
    """The mail whose digest is due first; None if no digest is due."""
    return session.scalar(_FIRST.limit(1), {"now": now})


def held_for(session: Session, emails: Iterable[str], *, lock: bool = False) -> Sequence[OutboxRow]:
    """The mails that wait for a digest to these addresses of a person, the oldest first."""
    statement = claiming(_OLDEST_FIRST, _MOST, wait=True) if lock else _OLDEST_FIRST.limit(_MOST)
    return session.scalars(statement, {"emails": list(emails)}).all()


def is_due(session: Session, emails: Iterable[str], now: datetime) -> int:
    """Have the digest to these addresses of a person sent now. Returns how many mails it has."""
    mails = held_for(session, emails, lock=True)
    for mail in mails:
        mail.next_try_at = now
    session.flush()
    return len(mails)


def release(session: Session, mails: Iterable[OutboxRow], now: datetime) -> None:
    """Send these mails as they are."""
    for mail in mails:
        mail.state, mail.next_try_at = OutboxState.QUEUED, now
    session.flush()


def gather(
    session: Session, mails: Iterable[OutboxRow], message_id: str, phases: Mapping[int, int | None], now: datetime
) -> None:
    """Note that these mails go with the digest that has this Message-ID. It tells each seat of one of the `phases`."""
    mails = list(mails)
    drop_files(session, mails)
    for mail in mails:
        mail.state, mail.message_id, mail.created_at = OutboxState.GATHERED, message_id, now
        mail.phase_id = phases.get(mail.seat_id) if mail.seat_id is not None else None
    session.flush()


_SENT = update(OutboxRow).where(
    OutboxRow.state == OutboxState.GATHERED, OutboxRow.message_id == bindparam("digest"), OutboxRow.sent_at.is_(None)
)


def mark_sent(session: Session, message_id: str, now: datetime) -> None:
    """Note that a digest was handed over, and so all that it has gathered."""
    session.connection().execute(_SENT.values(sent_at=now), {"digest": message_id})


_SEATS = (
    select(OutboxRow.seat_id)
    .where(
        OutboxRow.state == OutboxState.GATHERED,
        OutboxRow.message_id.in_(bindparam("message_ids", expanding=True)),
        OutboxRow.seat_id.is_not(None),
    )
    .distinct()
)


def seats_in(session: Session, message_ids: Collection[str]) -> frozenset[int]:
    """The seats that the digests with these Message-IDs were about."""
    found = session.scalars(_SEATS, {"message_ids": list(message_ids)}) if message_ids else ()
    return frozenset(seat_id for seat_id in found if seat_id is not None)
