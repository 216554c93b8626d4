"""Deleting the content of mails: of old ones, and of all that a person who leaves has sent or received.

The row stays, without its content: the record that the mail arrived and was acted on once is needed permanently.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, LargeBinary, and_, delete, false, func, literal, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from gm.store import question_rows
from gm.store.inbox import InboxRow, InboxState, close_quarantined
from gm.store.outbox import OutboxRow, OutboxState, drop_files
from gm.store.people import InvitationRow
from gm.store.question_rows import QuestionRow
from gm.store.sent import BounceRow

AT_ONCE = 500
"""The most mails that are emptied in one transaction, so that others do not wait long."""

_SETTLED = InboxRow.state.in_((InboxState.DONE, InboxState.IGNORED, InboxState.DROPPED))


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


def forget(session: Session, addresses: Collection[str]) -> int:
    """Delete the content of every settled or sent mail that is from or to one of these addresses, or contains one, and
    the addresses in other rows. What still waits to be sent is emptied by `sent` afterwards. Returns the number of
    mails.

    A name is looked for in no mail: people choose it, and it may be a word that is in everybody's mails.
    """
    if not addresses:
        return 0
    naming, own = _written(addresses), set(addresses)
    theirs = or_(InboxRow.sender.in_(addresses), InboxRow.envelope_from.in_(addresses))
    named = _containing(session, InboxRow.raw, addresses)
    waits = InboxRow.id.in_(select(QuestionRow.inbox_id).where(QuestionRow.settled_at.is_(None)))  # of others
    found = session.scalars(select(InboxRow).where(_SETTLED, ~waits, or_(theirs, named), InboxRow.raw != b"")).all()
    received = [mail for mail in found if own & {mail.sender, mail.envelope_from} or naming.search(mail.raw)]
    for mail in received:
        _thin_received(mail)
    held = update(OutboxRow).where(OutboxRow.state == OutboxState.HELD, OutboxRow.recipient.in_(addresses))
    session.execute(held.values(state=OutboxState.DROPPED))
    keys = [key for key, raw in session.execute(_CONTENTS) if naming.search(raw)]
    parts = (OutboxRow.id.in_(keys[start : start + AT_ONCE]) for start in range(0, len(keys), AT_ONCE))
    emptied = sum(_forget_sent(session, named) for named in (OutboxRow.recipient.in_(addresses), *parts))
    session.execute(delete(InvitationRow).where(InvitationRow.email.in_(addresses)))
    session.execute(delete(BounceRow).where(BounceRow.recipient.in_(addresses)))
    session.flush()
    return len(received) + emptied


LAST = "last:"
"""The beginning of the purpose of a mail that is emptied as soon as it is sent."""


def _forget_sent(session: Session, which: ColumnElement[bool]) -> int:
    unsent = OutboxRow.state.in_((OutboxState.QUEUED, OutboxState.HELD))
    for waiting in session.scalars(select(OutboxRow).where(unsent, which)):
        waiting.purpose = f"{LAST}{waiting.purpose}".replace(LAST * 2, LAST)
        waiting.state = OutboxState.QUEUED  # what a digest would keep is sent by itself, and emptied
    return _thin_sent(session, which, limit=None)


def _written(addresses: Collection[str]) -> re.Pattern[bytes]:
    """One of these addresses, but not as a part of another one."""
    either = "|".join(map(re.escape, addresses))
    return re.compile(rf"(?<![\w.+-])(?:{either})(?![\w-]|\.\w)".encode(), re.IGNORECASE)


_CONTENTS = select(OutboxRow.id, OutboxRow.raw).where(OutboxRow.raw != b"").execution_options(yield_per=AT_ONCE)


def _containing(session: Session, raw: InstrumentedAttribute[bytes], words: Collection[str]) -> ColumnElement[bool]:
    """Whether a mail contains one of these words."""

    def has(word: str) -> ColumnElement[bool]:
        if session.get_bind().dialect.name == "postgresql":
            return func.strpos(func.encode(raw, "escape"), word) > 0
        return func.instr(raw, literal(word.encode(), LargeBinary)) > 0

    return or_(false(), *map(has, words))


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
        if mail is not None and mail.state in (InboxState.DONE, InboxState.IGNORED, InboxState.DROPPED):
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
