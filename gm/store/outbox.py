"""The outbox: every mail to be sent, once for each occasion, tried again with back-off until it is sent or given up.

A mail is held, not locked, while it is delivered, since that may take minutes: `claim_due` and commit, deliver, then
`mark_sent` or `mark_failed` in a transaction of its own. A process that dies in between leaves a mail that is sent
again, with the same Message-ID, when its hold ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from gm.store.claims import add_once, claim, free, hold
from gm.store.tables import OutboxRow, OutboxState

HOLD = timedelta(minutes=5)
"""How long a mail that is being delivered is left to its process; longer than any SMTP time-out of ours."""

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
GIVE_UP_AFTER = timedelta(days=5)


def queue(
    session: Session,
    *,
    purpose: str,
    recipient: str,
    raw: bytes,
    now: datetime,
    envelope_from: str = "",
    message_id: str = "",
    not_before: datetime | None = None,
) -> OutboxRow | None:
    """Queue a mail for its one `purpose` ("receipt:12", "report:5:31"); None when that was queued before.

    `envelope_from` "" is the null return path. It is sent with or after the commit, not before `not_before`.
    """
    return add_once(
        session,
        OutboxRow,
        purpose=purpose,
        recipient=recipient,
        envelope_from=envelope_from,
        message_id=message_id,
        raw=raw,
        created_at=now,
        next_try_at=not_before or now,
        tries=0,
        state=OutboxState.QUEUED,
        last_error="",
    )


def is_queued(session: Session, purpose: str) -> bool:
    """Whether a mail was queued for this purpose, sent or not; asked before a costly mail is written again."""
    return session.scalar(select(OutboxRow.id).where(OutboxRow.purpose == purpose)) is not None


def raw_of(session: Session, purpose: str) -> bytes | None:
    """The mail that was queued for this purpose, sent or not."""
    return session.scalar(select(OutboxRow.raw).where(OutboxRow.purpose == purpose))


def claim_due(session: Session, now: datetime, limit: int = 20, length: timedelta = HOLD) -> Sequence[OutboxRow]:
    """Up to `limit` mails that are due, oldest first, each try counted and the mail held for `length`. Commit first."""
    due = _queued().where(OutboxRow.next_try_at <= now, free(OutboxRow, now))
    mails = claim(session, due.order_by(OutboxRow.next_try_at, OutboxRow.id), limit)
    for mail in mails:
        mail.tries += 1
        hold(mail, now, length)
    session.flush()
    return mails


def mark_sent(session: Session, mail_id: int, now: datetime) -> bool:
    """Note that the mail was handed over; False when it was not queued any more."""
    for mail in claim(session, _queued().where(OutboxRow.id == mail_id), wait=True):
        mail.state, mail.sent_at, mail.held_until, mail.last_error = OutboxState.SENT, now, None, ""
        session.flush()
        return True
    return False


def mark_failed(
    session: Session, mail_id: int, now: datetime, error: str, *, jitter: float, final: bool = False
) -> OutboxState | None:
    """Note that a try failed and set the next one, `jitter` in [0, 1) handed in; or give the mail up.

    Given up at once when `final` (the other side refused it for good), else five days after it was queued. Gives the
    state the mail is in then, None when it was not queued any more.
    """
    for mail in claim(session, _queued().where(OutboxRow.id == mail_id), wait=True):
        mail.last_error, mail.held_until = error, None
        mail.next_try_at = now + pause(mail.tries, jitter)
        if final or now - mail.created_at >= GIVE_UP_AFTER:
            mail.state = OutboxState.FAILED
        session.flush()
        return mail.state
    return None


def pause(tries: int, jitter: float) -> timedelta:
    """How long to wait after try number `tries`: a minute, doubled each time up to four hours, less up to a quarter."""
    doublings = min(max(tries - 1, 0), 10)
    whole = min(LONGEST_PAUSE, FIRST_PAUSE * (1 << doublings))
    return whole * (1 - jitter / 4)


def send_again(session: Session, mail_id: int, now: datetime) -> bool:
    """Queue a mail that was given up once more, for another five days; False when it was not given up."""
    failed = select(OutboxRow).where(OutboxRow.id == mail_id, OutboxRow.state == OutboxState.FAILED)
    for mail in claim(session, failed, wait=True):
        mail.state, mail.created_at, mail.next_try_at, mail.tries = OutboxState.QUEUED, now, now, 0
        session.flush()
        return True
    return False


def counts(session: Session) -> dict[OutboxState, int]:
    """How many mails are in each state; states without a mail have 0."""
    rows = session.execute(select(OutboxRow.state, func.count()).group_by(OutboxRow.state))
    return dict.fromkeys(OutboxState, 0) | dict(rows.all())


def failed(session: Session, limit: int = 20) -> Sequence[OutboxRow]:
    """The mails that were given up, newest first."""
    statement = select(OutboxRow).where(OutboxRow.state == OutboxState.FAILED)
    return session.scalars(statement.order_by(OutboxRow.id.desc()).limit(limit)).all()


def queue_age(session: Session, now: datetime) -> timedelta | None:
    """How long the oldest mail that is still to be sent has waited since it was due first; None when all are sent."""
    oldest = session.scalar(select(func.min(OutboxRow.created_at)).where(OutboxRow.state == OutboxState.QUEUED))
    return None if oldest is None else now - oldest


def wakes_at(session: Session) -> datetime | None:
    """When a mail is to be sent: at its next try, or when the hold on it ends."""
    return session.scalar(
        select(func.min(func.coalesce(OutboxRow.held_until, OutboxRow.next_try_at))).where(
            OutboxRow.state == OutboxState.QUEUED
        )
    )


def sent_since(session: Session, recipient: str, since: datetime, purpose: str = "") -> int:
    """How many mails whose purpose begins so were queued for this address since then, sent or not; for limits."""
    statement = select(func.count()).where(OutboxRow.recipient == recipient, OutboxRow.created_at > since)
    if purpose:
        statement = statement.where(OutboxRow.purpose.startswith(purpose, autoescape=True))
    return session.scalar(statement) or 0


def by_return_path(session: Session, return_path: str) -> OutboxRow | None:
    """The mail that was sent with this return path, which no other has."""
    return session.scalar(select(OutboxRow).where(OutboxRow.envelope_from == return_path.lower()))


def by_message_id(session: Session, message_id: str) -> OutboxRow | None:
    """The mail with this Message-ID."""
    return session.scalar(select(OutboxRow).where(OutboxRow.message_id == message_id))


def mail_by_id(session: Session, mail_id: int) -> OutboxRow | None:
    """A mail, whatever became of it."""
    return session.get(OutboxRow, mail_id)


def _queued() -> Select[OutboxRow]:
    return select(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED)
