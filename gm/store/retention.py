"""Deleting the content of mails: of old ones, and of all that a person who leaves has sent or received.

The row stays, without its content: the record that the mail arrived and was acted on once is needed permanently.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.orm import Session

from gm.store.bounce_rows import BounceRow
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow, OutboxState
from gm.store.people import InvitationRow
from gm.store.records import QuestionRow

AT_ONCE = 500
"""The most mails that are emptied in one transaction, so that others do not wait long."""

_SETTLED = InboxRow.state.in_((InboxState.DONE, InboxState.IGNORED))


def thin(session: Session, before: datetime) -> int:
    """Delete the content of mails that were settled or sent before a time, at most `AT_ONCE` of each kind. Returns how
    many.
    """
    received = session.scalars(
        select(InboxRow).where(_SETTLED, InboxRow.done_at < before, InboxRow.raw != b"").limit(AT_ONCE)
    ).all()
    sent = _thin_sent(session, OutboxRow.sent_at < before)
    for mail in received:
        _thin_received(mail)
    session.flush()
    return len(received) + sent


def forget(session: Session, emails: Collection[str]) -> int:
    """Delete the content of every mail from or to these addresses that is settled or sent, and their names in other
    rows. Returns the number of mails.
    """
    if not emails:
        return 0
    theirs = or_(InboxRow.sender.in_(emails), InboxRow.envelope_from.in_(emails))
    received = session.scalars(select(InboxRow).where(_SETTLED, theirs, InboxRow.raw != b"")).all()
    for mail in received:
        _thin_received(mail)
    sent = _thin_sent(session, OutboxRow.recipient.in_(emails), limit=None)
    session.execute(delete(InvitationRow).where(InvitationRow.email.in_(emails)))
    session.execute(delete(BounceRow).where(BounceRow.recipient.in_(emails)))
    asked = update(QuestionRow).where(QuestionRow.asked.in_(emails), QuestionRow.settled_at.is_not(None))
    session.execute(asked.values(asked="", detail={}))
    session.flush()
    return len(received) + sent


def _thin_received(mail: InboxRow) -> None:
    mail.raw, mail.recipients, mail.address, mail.sender, mail.note = b"", [], "", "", ""
    mail.envelope_from = mail.peer = mail.helo = mail.findings = None


def _thin_sent(session: Session, which: ColumnElement[bool], limit: int | None = AT_ONCE) -> int:
    """A purpose may contain an address; it is replaced by its hash, so that it stays unique."""
    gone = or_(OutboxRow.state == OutboxState.SENT, OutboxRow.state == OutboxState.FAILED)
    mails = session.scalars(select(OutboxRow).where(gone, which, OutboxRow.raw != b"").limit(limit)).all()
    for mail in mails:
        mail.raw, mail.recipient, mail.last_error = b"", "", ""
        mail.purpose = f"thinned:{hashlib.sha256(mail.purpose.encode()).hexdigest()}"
    return len(mails)
