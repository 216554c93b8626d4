"""Mails in the inbox whose senders are still to be authenticated: each check is leased, and tried again for a while."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from gm.store.inbox import LEASE, InboxRow, InboxState
from gm.store.rows import claiming

CHECKS = 6
"""How often authentication is tried; after that the mail is processed without it."""
_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (0.5, 1, 2, 4, 7))
"""The pauses between tries when the DNS does not answer, about a quarter of an hour in all."""

_UNCHECKED = select(InboxRow).where(InboxRow.state == InboxState.UNCHECKED)
_NEXT_UNCHECKED = claiming(_UNCHECKED.where(InboxRow.unleased()).order_by(InboxRow.tries, InboxRow.id))
_COPIES = claiming(
    _UNCHECKED.where(InboxRow.message_id == bindparam("message_id"), InboxRow.received_at == bindparam("received_at")),
    limit=100,
    wait=True,
)
_CHECKS_WAKE_AT = select(func.min(InboxRow.free_at())).where(InboxRow.state == InboxState.UNCHECKED)


def next_unchecked(session: Session, now: datetime) -> InboxRow | None:
    """Lease a mail whose sender is to be authenticated, one with the fewest tries first. Commit, then
    `settle_check`."""
    mail = session.scalar(_NEXT_UNCHECKED, {"now": now})
    if mail is not None:
        mail.tries += 1
        mail.lease(now, LEASE)
        session.flush()
    return mail


def settle_check(session: Session, mail: InboxRow, now: datetime, findings: str, *, deferred: bool) -> None:
    """Store the result of authentication for each of our addresses that the mail came to, and release it for
    processing; or, if the check is `deferred` and was not the last, leave it for another one."""
    named = {"message_id": mail.message_id, "received_at": mail.received_at}
    for copy in session.scalars(_COPIES, named).all():
        if (copy.raw, copy.peer, copy.envelope_from) != (mail.raw, mail.peer, mail.envelope_from):
            continue
        if deferred and copy.tries < CHECKS:
            copy.tries = max(copy.tries, mail.tries)
            copy.lease(now, _PAUSES[min(copy.tries, len(_PAUSES)) - 1])
        else:
            copy.state, copy.findings, copy.tries, copy.leased_until = InboxState.NEW, findings, 0, None
    session.flush()


def skip_checks(session: Session) -> bool:
    """Release every mail that waits for authentication, because the server does none. Returns whether there was one."""
    waiting = session.scalars(claiming(_UNCHECKED, limit=100)).all()
    for mail in waiting:
        mail.state, mail.tries, mail.leased_until = InboxState.NEW, 0, None
    session.flush()
    return bool(waiting)


def checks_wake_at(session: Session) -> datetime | None:
    """When a sender is next to be authenticated: in the past if one is waiting."""
    return session.scalar(_CHECKS_WAKE_AT)
