"""Deleting the content of mails: of old ones, and of those of a person who leaves (`gm.store.forgetting` finds them).

The row stays, without its content: the record that the mail arrived and was acted on once is needed permanently.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from gm.store import question_rows
from gm.store.inbox import SETTLED, InboxRow, InboxState, close_quarantined
from gm.store.outbox import OutboxRow, OutboxState, drop_files
from gm.store.question_rows import QuestionRow

AT_ONCE = 500
"""The most mails that are emptied in one transaction, so that others do not wait long."""

_SETTLED = InboxRow.state.in_(SETTLED)


def thin(session: Session, before: datetime) -> int:
    """Delete the content of mails that were settled, sent or given up before a time, at most `AT_ONCE` of each kind.
    Returns how many.
    """
    received = session.scalars(
        select(InboxRow).where(_SETTLED, InboxRow.done_at < before, InboxRow.raw != b"").limit(AT_ONCE)
    ).all()
    unsent = OutboxRow.state.in_((OutboxState.FAILED, OutboxState.DROPPED))
    given_up = and_(unsent, func.coalesce(OutboxRow.tried_at, OutboxRow.created_at) < before)
    sent = _thin_sent(session, or_(OutboxRow.sent_at < before, given_up))
    for mail in received:
        _thin_received(mail)
    session.flush()
    return len(received) + sent


def empty(session: Session, received: Collection[int], sent: Collection[int]) -> int:
    """Delete the content of these mails: of those received that are settled and about which no question is open, of
    those sent at once or, if they wait, when they have been sent. Returns the number of mails.
    """
    waits = InboxRow.id.in_(select(QuestionRow.inbox_id).where(QuestionRow.settled_at.is_(None)))
    found = session.scalars(select(InboxRow).where(_SETTLED, ~waits, InboxRow.id.in_(received))).all()
    for mail in found:
        _thin_received(mail)
    return len(found) + _forget_sent(session, OutboxRow.id.in_(sent))


LAST = "last:"
"""The beginning of the purpose of a mail that is emptied as soon as it is sent."""


def _forget_sent(session: Session, which: ColumnElement[bool]) -> int:
    unsent = OutboxRow.state.in_((OutboxState.QUEUED, OutboxState.HELD))
    for waiting in session.scalars(select(OutboxRow).where(unsent, which)):
        waiting.purpose = f"{LAST}{waiting.purpose}".replace(LAST * 2, LAST)
        waiting.state = OutboxState.QUEUED  # what a digest would keep is sent by itself, and emptied
    return _thin_sent(session, which, limit=None)


def sent(session: Session, mail_id: int) -> bool:
    """Delete the content of a mail that was sent, or given up, if it is to or about somebody who was forgotten."""
    last = OutboxRow.purpose.startswith(LAST)
    return _thin_sent(session, and_(OutboxRow.id == mail_id, last)) > 0


def forget_questions(session: Session, account_id: int, emails: Collection[str], now: datetime) -> None:
    """Close the questions to a person or about their mail, and delete the content of what waited for an answer."""
    wrote = select(InboxRow.id).where(InboxRow.sender.in_(emails))
    concerned = or_(
        QuestionRow.account_id == account_id, QuestionRow.asked.in_(emails), QuestionRow.inbox_id.in_(wrote)
    )
    rows = session.scalars(select(QuestionRow).where(concerned)).all()
    for row in rows:
        if row.settled_at is None:
            question_rows.settle(session, row, "no", now)
        row.asked, row.detail = "", {}
        close_quarantined(session, row.inbox_id, InboxState.IGNORED, now, "")
        mail = session.get(InboxRow, row.inbox_id)
        if mail is not None and mail.state in SETTLED:
            _thin_received(mail)
    session.flush()


def _thin_received(mail: InboxRow) -> None:
    mail.raw, mail.recipients, mail.address, mail.sender, mail.note = b"", [], "", "", ""
    mail.envelope_from = mail.peer = mail.helo = mail.findings = None


def _thin_sent(session: Session, which: ColumnElement[bool], limit: int | None = AT_ONCE) -> int:
    """A purpose may contain an address; it is replaced by its hash, so that it stays unique."""
    gone = OutboxRow.state != OutboxState.QUEUED
    mails = session.scalars(select(OutboxRow).where(gone, which, OutboxRow.raw != b"").limit(limit)).all()
    for mail in mails:
        mail.raw, mail.recipient, mail.domain, mail.last_error = b"", "", "", ""
        mail.proposes = []
        mail.purpose = f"thinned:{hashlib.sha256(mail.purpose.encode()).hexdigest()}"
    drop_files(session, mails)
    session.flush()
    return len(mails)
