"""The inbox: every mail that arrived, kept before it is answered, worked on in order of arrival and acted on once.

A mail is worked on in two transactions. `next_new` counts the try and holds the mail, and is committed at once, so that
a mail which kills the process is counted too; then `take` locks it in the transaction that acts and answers, which ends
with `mark`. After an exception `failed_try` gives it back or sets it aside; `set_aside_exhausted` finds those that
killed the process too often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, exists, func, select
from sqlalchemy.orm import Session, aliased

from gm.mail.message.incoming import Identity, identity
from gm.store.claims import add_once, claim, free, hold
from gm.store.tables import InboxRow, InboxState

MAX_TRIES = 3
HOLD = timedelta(minutes=2)
"""How long a mail that is being worked on is left to its process."""


@dataclass(frozen=True, slots=True)
class ImapKey:
    """Where a mail lay on an IMAP server; the same key is the same mail for ever (RFC 3501, 2.3.1.1)."""

    account: str
    folder: str
    uidvalidity: int
    uid: int


@dataclass(frozen=True, slots=True)
class ArrivedMail:
    """A mail as a transport hands it over. `source` names the transport ("smtp", "lmtp", "imap").

    `envelope_from` is None where there is no envelope (IMAP), "" for the null return path. `received_at` is aware; it
    is the time that deadlines go by. `identity` says by what the mail is known again.
    """

    source: str
    raw: bytes
    received_at: datetime
    recipients: tuple[str, ...] = ()
    envelope_from: str | None = None
    imap: ImapKey | None = None
    identity: Identity = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "identity", identity(self.raw, self.recipients))


def accept(session: Session, mail: ArrivedMail) -> InboxRow | None:
    """Keep a mail that has arrived; None when it is here already (same Message-ID and body, or same IMAP message).

    Either way the mail is safe once the transaction is committed, and may be acknowledged.
    """
    return add_once(
        session,
        InboxRow,
        source=mail.source,
        envelope_from=mail.envelope_from,
        recipients=list(mail.recipients),
        raw=mail.raw,
        message_id=mail.identity.message_id,
        content_hash=mail.identity.content_hash,
        imap_account=mail.imap.account if mail.imap else None,
        imap_folder=mail.imap.folder if mail.imap else None,
        imap_uidvalidity=mail.imap.uidvalidity if mail.imap else None,
        imap_uid=mail.imap.uid if mail.imap else None,
        received_at=mail.received_at,
        state=InboxState.NEW,
        note="",
        tries=0,
    )


def knows_imap(session: Session, key: ImapKey) -> bool:
    """Whether this IMAP message was accepted before; asked before it is fetched."""
    return session.scalar(select(InboxRow.id).where(_at(key))) is not None


def next_new(session: Session, now: datetime, length: timedelta = HOLD) -> InboxRow | None:
    """The oldest mail to be worked on, its try counted and itself held for `length`; commit, then `take` it.

    A mail waits for earlier mails of the same envelope sender, so that of two order sets the later is the later one.
    """
    waiting = _new().where(InboxRow.tries < MAX_TRIES, free(InboxRow, now), _first_of_its_sender())
    for mail in claim(session, waiting.order_by(InboxRow.id)):
        mail.tries += 1
        hold(mail, now, length)
        session.flush()
        return mail
    return None


def take(session: Session, mail_id: int) -> InboxRow | None:
    """Lock a mail in the transaction that works on it; None when another process has it or has done it."""
    return next(iter(claim(session, _new().where(InboxRow.id == mail_id))), None)


def mark(session: Session, mail: InboxRow, state: InboxState, now: datetime, note: str = "") -> None:
    """Close a mail that was taken in this transaction. `note` says why, where the state does not."""
    mail.state, mail.note, mail.done_at, mail.held_until = state, note, now, None
    session.flush()


def failed_try(
    session: Session, mail_id: int, now: datetime, note: str, pause: timedelta = timedelta(seconds=30)
) -> InboxState | None:
    """After an exception (its traceback in `note`): give the mail back for another try after `pause`, or set it aside.

    Gives the state the mail is in then, ASIDE when its tries are used up; None when it was no longer new.
    """
    mail = take(session, mail_id)
    if mail is None:
        return None
    if mail.tries >= MAX_TRIES:
        mark(session, mail, InboxState.ASIDE, now, note)
    else:
        mail.note = note
        hold(mail, now, pause)
        session.flush()
    return mail.state


def give_back(session: Session, mail_id: int, now: datetime, pause: timedelta) -> None:
    """After a failure that was not the mail's (Temporary): it is tried again after `pause`, and the try not counted."""
    mail = take(session, mail_id)
    if mail is not None:
        mail.tries = max(0, mail.tries - 1)
        hold(mail, now, pause)
        session.flush()


def set_aside_exhausted(session: Session, now: datetime) -> Sequence[InboxRow]:
    """Set aside the mails whose tries are used up though nobody said why: they took the process with them."""
    mails = claim(session, _new().where(InboxRow.tries >= MAX_TRIES, free(InboxRow, now)), limit=100)
    for mail in mails:
        note = mail.note or f"The server stopped {mail.tries} times while it worked on this mail."
        mark(session, mail, InboxState.ASIDE, now, note)
    return mails


def try_again(session: Session, mail_id: int) -> bool:
    """Take a mail that was set aside or held into work again, with all its tries; False when it was neither."""
    for mail in claim(session, _stopped(mail_id)):
        mail.state, mail.tries, mail.done_at, mail.held_until = InboxState.NEW, 0, None, None
        session.flush()
        return True
    return False


def drop(session: Session, mail_id: int, now: datetime) -> bool:
    """Close a mail that was set aside or held, without working on it; False when it was neither."""
    for mail in claim(session, _stopped(mail_id)):
        mark(session, mail, InboxState.IGNORED, now, f"dropped by the operator; {mail.note}")
        return True
    return False


def mail_by_id(session: Session, mail_id: int) -> InboxRow | None:
    """A mail, whatever became of it."""
    return session.get(InboxRow, mail_id)


def set_aside(session: Session, limit: int = 20) -> Sequence[InboxRow]:
    """The mails that were set aside, newest first."""
    statement = select(InboxRow).where(InboxRow.state == InboxState.ASIDE)
    return session.scalars(statement.order_by(InboxRow.id.desc()).limit(limit)).all()


def in_states(session: Session, *states: InboxState, limit: int = 100) -> Sequence[InboxRow]:
    """The mails in these states, newest first."""
    statement = select(InboxRow).where(InboxRow.state.in_(states))
    return session.scalars(statement.order_by(InboxRow.id.desc()).limit(limit)).all()


def counts(session: Session) -> dict[InboxState, int]:
    """How many mails are in each state; states without a mail have 0."""
    rows = session.execute(select(InboxRow.state, func.count()).group_by(InboxRow.state))
    return dict.fromkeys(InboxState, 0) | dict(rows.all())


def oldest_new(session: Session) -> datetime | None:
    """When the oldest mail that still waits was received."""
    return session.scalar(select(func.min(InboxRow.received_at)).where(InboxRow.state == InboxState.NEW))


def wakes_at(session: Session) -> datetime | None:
    """When a mail is to be taken up: at its arrival, or when its hold ends."""
    return session.scalar(
        select(func.min(func.coalesce(InboxRow.held_until, InboxRow.received_at))).where(
            InboxRow.state == InboxState.NEW, _first_of_its_sender()
        )
    )


def _stopped(mail_id: int) -> Select[InboxRow]:
    states = (InboxState.ASIDE, InboxState.HELD)
    return select(InboxRow).where(InboxRow.id == mail_id, InboxRow.state.in_(states))


def _new() -> Select[InboxRow]:
    return select(InboxRow).where(InboxRow.state == InboxState.NEW)


def _first_of_its_sender() -> ColumnElement[bool]:
    earlier = aliased(InboxRow)
    return ~exists().where(
        earlier.state == InboxState.NEW,
        earlier.id < InboxRow.id,
        earlier.envelope_from == InboxRow.envelope_from,
    )


def _at(key: ImapKey) -> ColumnElement[bool]:
    return and_(
        InboxRow.imap_account == key.account,
        InboxRow.imap_folder == key.folder,
        InboxRow.imap_uidvalidity == key.uidvalidity,
        InboxRow.imap_uid == key.uid,
    )
