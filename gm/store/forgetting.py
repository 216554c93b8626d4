"""Forgetting a person: the content of all mails that they sent or received, or that contain an address of theirs, goes.

There may be very many mails, and each has to be read. So the transaction that forgets notes only whom; the mails are
read afterwards, some in a transaction, from the first to the last that there was then. What waits to be sent is emptied
when it has been sent.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeVar

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Mapped, Session

from gm.mail.message.bodies import all_lines
from gm.store import retention
from gm.store.inbox import InboxRow
from gm.store.outbox import OutboxRow, OutboxState
from gm.store.people import InvitationRow
from gm.store.rows import Base
from gm.store.sent import BounceRow

AT_ONCE = 100
"""The most mails that are read in one transaction, so that others do not wait long."""

Mail = TypeVar("Mail", InboxRow, OutboxRow)


class ForgottenRow(Base):
    """The addresses of somebody who is forgotten, until all mails have been looked at: those received from number
    `received` to before `all_received`, and likewise those sent.
    """

    __tablename__ = "forgotten"

    addresses: Mapped[list[str]]
    received: Mapped[int]
    all_received: Mapped[int]
    sent: Mapped[int]
    all_sent: Mapped[int]


def forget(session: Session, addresses: Collection[str]) -> None:
    """Delete what rows say of these addresses, and note that the mails with them are to be emptied, once found.

    A name is looked for in no mail: people choose it, and it may be a word that is in everybody's mails.
    """
    held = update(OutboxRow).where(OutboxRow.state == OutboxState.HELD, OutboxRow.recipient.in_(addresses))
    session.execute(held.values(state=OutboxState.DROPPED))
    session.execute(delete(InvitationRow).where(InvitationRow.email.in_(addresses)))
    session.execute(delete(BounceRow).where(BounceRow.recipient.in_(addresses)))
    ends = [session.scalar(select(func.coalesce(func.max(row.id), 0))) or 0 for row in (InboxRow, OutboxRow)]
    row = ForgottenRow(addresses=sorted(addresses), received=0, sent=0, all_received=ends[0] + 1, all_sent=ends[1] + 1)
    session.add(row)
    session.flush()


class Found(NamedTuple):
    """Mails to be emptied, by number, and where those begin that were not looked at yet."""

    row: int
    received: Collection[int]
    sent: Collection[int]
    begin_received: int
    begin_sent: int
    over: bool


def look(session: Session) -> Found | None:
    """What is found among the next mails, for somebody who is forgotten; None when all are forgotten."""
    row = session.scalar(select(ForgottenRow).order_by(ForgottenRow.id).limit(1))
    if row is None:
        return None
    received, begin_received = _next(session, InboxRow, row.received, row.all_received)
    sent, begin_sent = _next(session, OutboxRow, row.sent, row.all_sent)
    written, own = _written(row.addresses), frozenset(row.addresses)
    theirs = [mail.id for mail in received if own & {mail.sender, mail.envelope_from} or _in(written, mail.raw)]
    to_them = [mail.id for mail in sent if mail.recipient in own or _in(written, mail.raw)]
    over = (begin_received, begin_sent) == (row.all_received, row.all_sent)
    return Found(row.id, theirs, to_them, begin_received, begin_sent, over)


def empty(session: Session, found: Found) -> int:
    """Empty these mails, but for those about which somebody else is asked. Returns their number."""
    row = session.get(ForgottenRow, found.row)
    if row is None:
        return 0
    row.received, row.sent = found.begin_received, found.begin_sent
    if found.over:
        session.delete(row)
    return retention.empty(session, found.received, found.sent)


def _next(session: Session, mails: type[Mail], begin: int, end: int) -> tuple[Sequence[Mail], int]:
    """The next mails that have content, and where those after them begin."""
    which = select(mails).where(mails.id >= begin, mails.id < end, mails.raw != b"").order_by(mails.id).limit(AT_ONCE)
    found = session.scalars(which).all()
    return found, found[-1].id + 1 if len(found) == AT_ONCE else end


def _written(addresses: Collection[str]) -> re.Pattern[str]:
    """One of these addresses, but not as a part of another one."""
    either = "|".join(map(re.escape, addresses))
    return re.compile(rf"(?<![\w.+-])(?:{either})(?![\w-]|\.\w)", re.IGNORECASE)


def _in(written: re.Pattern[str], raw: bytes) -> bool:
    """Whether the mail has it, as it stands there or as it is read: base64, or broken between two lines."""
    return any(map(written.search, (raw.decode("latin-1"), *all_lines(raw))))
