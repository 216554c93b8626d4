"""The inbox: every mail that arrived. A mail is stored before it is answered, processed in order of arrival and acted
on once.

A mail is processed in two transactions. `next_new` counts the try and leases the mail, and is committed at once, so
that a mail that kills the process is counted too; where no worker is busy, `accept` has done so already. `take_copies`
locks it in the transaction that acts and answers, and marks it as done, unless `mark` says otherwise. After an
exception `failed_try` returns it to the queue or sets it aside; `next_new` sets aside one that has killed the process
too often.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, TypeAlias

from sqlalchemy import (
    BigInteger,
    Executable,
    Index,
    LargeBinary,
    Row,
    UniqueConstraint,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from gm.mail.message.addresses import CONVERSATION, DIGEST, OPERATORS, RESERVED, token_hash
from gm.mail.message.incoming import Head, Identity, read_head
from gm.mail.message.trace import organization_of, site_of
from gm.store.rows import (
    EPOCH,
    Base,
    Insert,
    Leased,
    UtcDateTime,
    add_once,
    adding,
    as_stored,
    claiming,
    holder,
    put,
    read,
)
from gm.store.shown_addresses import seat_with

MAX_TRIES = 3
LEASE = timedelta(minutes=2)
"""How long a process may keep a lease on a mail that it is working on."""

_SOON = timedelta(seconds=10)

SPAM = "spam"
"""The source of a mail that lay in the mailbox's spam folder."""
CLICK = "click"
"""The source of a mail that stands for what was posted to an address of ours on the web."""


class InboxState(StrEnum):
    """The state of a mail that arrived."""

    UNCHECKED = "unchecked"
    """It waits until its sender has been authenticated."""
    NEW = "new"
    DONE = "done"
    IGNORED = "ignored"
    DROPPED = "dropped"
    """The operator has discarded it."""
    ASIDE = "aside"
    """It could not be processed; the operator decides what to do."""
    QUARANTINED = "quarantined"
    """It waits until the person named as its sender confirms it."""
    UNPROVED = "unproved"
    """It was answered, and something of it waits for a proof of who wrote it, here or at seats that it names, or it
    answers a question that is still open: a copy that is proved is acted on."""


ANSWERED = (InboxState.DONE, InboxState.UNPROVED)
"""The states of a mail that was acted on, or answered."""
SETTLED = (InboxState.DONE, InboxState.UNPROVED, InboxState.IGNORED, InboxState.DROPPED)
"""The states of a mail that waits for nobody."""


class InboxRow(Leased, Base):
    """A mail as it arrived, for one address of ours. Unique by its place in an IMAP folder.

    A mail is identified by Message-ID, sender, Date, body and that address (`content_hash` is of the last four). Its
    copies are rows of their own, because a forged one may come before the true one; one `copy` is acted on.
    """

    __tablename__ = "inbox"
    __table_args__ = (
        UniqueConstraint("message_id", "content_hash", "copy"),
        UniqueConstraint("imap_account", "imap_folder", "imap_uidvalidity", "imap_uid", name="uq_inbox_imap"),
        Index(None, "state", "id"),
        Index(None, "state", "game"),
        Index(None, "state", "sender"),
        Index(None, "address", "sender", "sent_at"),
    )

    source: Mapped[str]
    envelope_from: Mapped[str | None]
    recipients: Mapped[list[str]]
    address: Mapped[str]
    game: Mapped[str]
    """The name of the game in the address, "" if there is none."""
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    peer: Mapped[str | None]
    """The IP address of the machine that delivered the mail, if it is none of ours; `helo` is the name it gave."""
    helo: Mapped[str | None]
    site: Mapped[str | None]
    """The organization of its sender's domain and the site of that machine: who can make its authentication slow."""
    findings: Mapped[str | None]
    """The results of our own authentication of the sender, as the value of an Authentication-Results field."""
    message_id: Mapped[str]
    content_hash: Mapped[str]
    copy: Mapped[int]
    sender: Mapped[str]
    sent_at: Mapped[datetime | None]
    imap_account: Mapped[str | None]
    imap_folder: Mapped[str | None]
    imap_uidvalidity: Mapped[int | None] = mapped_column(BigInteger)
    imap_uid: Mapped[int | None] = mapped_column(BigInteger)
    received_at: Mapped[datetime]
    """When it was received, on whichever way it came first: its orders are for the phase that its sender knew then."""
    arrived_at: Mapped[datetime]
    """When we had all of it: what its sender may have known when they ended it."""
    state: Mapped[InboxState]
    note: Mapped[str]
    tries: Mapped[int]
    done_at: Mapped[datetime | None]


class MailboxRow(Base):
    """An IMAP folder as it was when the server first looked: mail with a UID below `first_uid` was there before."""

    __tablename__ = "mailbox"
    __table_args__ = (UniqueConstraint("account", "folder"),)

    account: Mapped[str]
    folder: Mapped[str]
    uidvalidity: Mapped[int] = mapped_column(BigInteger)
    first_uid: Mapped[int] = mapped_column(BigInteger)


@dataclass(frozen=True, slots=True)
class ImapKey:
    """Where a mail is on an IMAP server; the same key always means the same mail (RFC 3501, 2.3.1.1)."""

    account: str
    folder: str
    uidvalidity: int
    uid: int


@dataclass(frozen=True, slots=True)
class ArrivedMail:
    """A mail as a transport ("smtp", "lmtp", "imap") delivers it, or what was posted (`CLICK`).
    `envelope_from` is None where there is no envelope (IMAP), "" for the null return path. `received_at` is compared
    with deadlines; `arrived_at` is when we had all of it, if that may be later. `peer` is the IP address of the machine
    that delivered it, if it is none of ours, `helo` its name. `head` identifies and classifies the mail.
    """

    source: str
    raw: bytes
    received_at: datetime
    recipients: tuple[str, ...] = ()
    envelope_from: str | None = None
    imap: ImapKey | None = None
    peer: str | None = None
    helo: str = ""
    arrived_at: datetime | None = None
    head: Head = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "head", read_head(self.raw, self.recipients))


_OF_IDENTITY = (InboxRow.message_id == bindparam("message_id"), InboxRow.content_hash == bindparam("content_hash"))
_SAME_WAY = and_(
    InboxRow.address == bindparam("address"),
    InboxRow.raw == bindparam("raw"),
    InboxRow.peer.is_not_distinct_from(bindparam("peer")),
    InboxRow.envelope_from.is_not_distinct_from(bindparam("envelope_from")),
)
_AS_GOOD = (
    select(InboxRow.id)
    .where(*_OF_IDENTITY, or_(InboxRow.state == InboxState.DONE, InboxRow.raw == b"", _SAME_WAY))
    .limit(1)
)
_PLACE = [InboxRow.__table__.c[f"imap_{name}"] for name in ImapKey.__slots__]
_IN_FOLDER = select(InboxRow.id).where(*(column == bindparam(column.key) for column in _PLACE))
_NEXT_COPY = select(func.coalesce(func.max(InboxRow.copy) + 1, 0)).where(*_OF_IDENTITY)
_FIRST_RECEIVED = select(func.min(InboxRow.received_at)).where(*_OF_IDENTITY)
_NEWEST = select(InboxRow).order_by(InboxRow.id.desc()).limit(1)
_NEWEST_OF_SENDER = _NEWEST.where(InboxRow.address == bindparam("address"), InboxRow.sender == bindparam("sender"))


def has_others(session: Session, beginning: str) -> bool:
    """Whether a mail has arrived whose Message-ID does not begin like this."""
    ours = InboxRow.message_id.startswith(f"<{beginning}", autoescape=True)
    return session.scalar(select(InboxRow.id).where(~ours).limit(1)) is not None


def accept(
    session: Session,
    mail: ArrivedMail,
    address: str = "",
    until: datetime | None = None,
    *,
    checked: bool = False,
    shown: bool = False,
) -> InboxRow | None:
    """Store a mail that arrived for an address of ours ("" for the server's own), to be acted on once its sender is
    `checked`, or at once: if `until` is given and no other mail of its sender waits, it is leased until then and its
    first try is counted, as `next_new` does.

    Returns None for a duplicate: another copy was acted on or is no worse, or it is the same IMAP message. In any case
    the mail is safe once the transaction is committed, and may be acknowledged.
    """
    if mail.head.nameless and _is_repeated(session, mail, address):
        return None
    identity = mail.head.identity(_place(session, mail.head, address, shown=shown), mail.received_at)
    row = {**_row(mail, address, until, identity, checked=checked), "leased_by": holder(session)}
    store = _storing(adding(session, InboxRow), tuple(row))
    while (stored := session.connection().execute(store, row).one_or_none()) is None:
        # A conflict that is neither of these is with a copy that was stored just now.
        if session.scalar(_AS_GOOD, row) is not None or session.scalar(_IN_FOLDER, row) is not None:
            return None
    return as_stored(InboxRow, {**row, **stored._mapping})


def _place(session: Session, head: Head, address: str, *, shown: bool) -> str:
    """What an address of ours is to the identity of a mail. The server can move, a game can be renamed and a seat's
    address be replaced, and a seat is the same then; so of its address the seat counts, and its conversation.

    What is behind the plus sign counts only where an address in To or Cc says it (`shown`) if a display name may stand
    for one: what we know of the mails that this one answers, and which outweighs the name, will be forgotten; and
    whoever has it can send it to any address.
    """
    local, _, behind = (address.rpartition("@")[0] or address).partition("+")
    if shown and not any(behind in one for one in head.shown):
        behind = ""
    name, _, token = behind.rpartition(".")
    is_seat = bool(name) and name not in RESERVED and not name.startswith(DIGEST)
    seat = seat_with(session, token_hash(token)) if is_seat else None
    if seat is not None:
        return f"seat {seat}{''.join(name.partition(CONVERSATION)[1:])}"
    return f"+{behind}" if behind else local if local in OPERATORS else ""


@cache
def _storing(adding: Insert, names: Sequence[str]) -> Executable:
    """The statement that stores a mail as another copy, unless there is one as good."""
    values: dict[str, Any] = {name: bindparam(name, type_=InboxRow.__table__.c[name].type) for name in names}
    first = ~exists().where(_OTHER_WAITS, _other.envelope_from == values["envelope_from"])
    before = _FIRST_RECEIVED.where(InboxRow.received_at < values["received_at"])
    values["received_at"] = func.coalesce(before.scalar_subquery(), values["received_at"])
    values |= {"copy": _NEXT_COPY.scalar_subquery(), "tries": case((first, values["tries"]), else_=0)}
    values["leased_until"] = case((first, values["leased_until"]))
    whole = adding.from_select(list(values), select(*values.values()).where(~exists(_AS_GOOD.subquery())))
    stored = (InboxRow.id, InboxRow.copy, InboxRow.received_at, InboxRow.tries, InboxRow.leased_until)
    return whole.on_conflict_do_nothing().returning(*stored)


def _row(
    mail: ArrivedMail, address: str, until: datetime | None, identity: Identity, *, checked: bool
) -> dict[str, Any]:
    """The mail as a row, but for its number as a copy."""
    given = ("source", "envelope_from", "raw", "peer", "helo", "received_at")
    return {
        **{name: getattr(mail, name) for name in given},
        **{f"imap_{name}": getattr(mail.imap, name, None) for name in ImapKey.__slots__},
        "arrived_at": max(mail.received_at, mail.arrived_at or mail.received_at),
        "recipients": list(mail.recipients),
        "site": _site(mail) if checked else None,
        "address": address,
        "game": address.rpartition("@")[0].rpartition("+")[2].rpartition(".")[0],
        "message_id": identity.message_id,
        "content_hash": identity.content_hash,
        "sender": mail.head.sender.address if mail.head.sender is not None else "",
        "sent_at": min(mail.head.sent, mail.received_at) if mail.head.sent is not None else None,
        "state": InboxState.UNCHECKED if checked else InboxState.NEW,
        "note": "",
        "tries": int(until is not None),
        "leased_until": until,
    }


def _site(mail: ArrivedMail) -> str:
    organization = organization_of(mail.head.sender.domain) if mail.head.sender is not None else ""
    return f"{organization} {site_of(mail.peer) if mail.peer is not None else organization}"


REPEATED = timedelta(minutes=3)
"""How soon a mail server or program that got no answer sends a mail again that nothing in it tells from another."""


def _is_repeated(session: Session, mail: ArrivedMail, address: str) -> bool:
    """Whether the newest mail of this sender was this one."""
    sender = mail.head.sender.address if mail.head.sender is not None else ""
    newest = session.scalar(_NEWEST_OF_SENDER, {"address": address, "sender": sender})
    if newest is None or abs(mail.received_at - newest.received_at) > REPEATED:
        return False
    return (newest.raw, newest.peer, newest.envelope_from) == (mail.raw, mail.peer, mail.envelope_from)


def mailbox(session: Session, account: str, folder: str) -> MailboxRow | None:
    """Where the server began to read an IMAP folder; None if it has not looked at it yet."""
    return session.scalar(select(MailboxRow).where(MailboxRow.account == account, MailboxRow.folder == folder))


def note_mailbox(session: Session, account: str, folder: str, uidvalidity: int, first_uid: int) -> None:
    """Keep where the server begins to read a folder."""
    add_once(session, MailboxRow, account=account, folder=folder, uidvalidity=uidvalidity, first_uid=first_uid)


def has_read(session: Session, account: str, folder: str) -> bool:
    """Whether mail from this IMAP folder was ever accepted."""
    there = select(InboxRow.id).where(InboxRow.imap_account == account, InboxRow.imap_folder == folder).limit(1)
    return session.scalar(there) is not None


_other = aliased(InboxRow)
_OTHER_WAITS = and_(_other.state == InboxState.NEW, _other.tries <= 1, _other.note == "")
_FIRST_OF_ITS_SENDER = ~exists().where(
    _OTHER_WAITS, _other.envelope_from == InboxRow.envelope_from, _other.id < InboxRow.id
)
"""No earlier mail of the same sender waits for its first try; a mail that has failed once does not delay later ones."""
_NEW = select(InboxRow).where(InboxRow.state == InboxState.NEW)
_NEXT = claiming(_NEW.where(InboxRow.unleased(), _FIRST_OF_ITS_SENDER).order_by(InboxRow.id))
_TAKE = claiming(_NEW.where(InboxRow.id == bindparam("mail_id")))
_IS_STOPPED = (InboxState.ASIDE, InboxState.QUARANTINED)
_NOT_ACTED_ON = (InboxState.IGNORED, InboxState.DROPPED)
_LISTED = claiming(
    select(InboxRow).where(InboxRow.id == bindparam("mail_id"), InboxRow.state.in_((*_IS_STOPPED, InboxState.IGNORED)))
)
_NOT_DONE = claiming(
    select(InboxRow).where(
        InboxRow.id == bindparam("mail_id"),
        InboxRow.state.in_((*_IS_STOPPED, *_NOT_ACTED_ON)),
        InboxRow.raw != b"",
    )
)
NOT_READ = "it could not be read"
"""What the note begins with of a mail that was answered, or asked about, without being read: another copy of it may be
as it was sent. One that was answered is IGNORED, since nothing was done."""
REPLAYED = "replayed by the operator"
"""The note of a mail that is processed again although it was ignored, as mail that a robot sent is."""
_QUARANTINED = claiming(
    select(InboxRow).where(InboxRow.id == bindparam("mail_id"), InboxRow.state == InboxState.QUARANTINED), wait=True
)
_UNLEASED = _NEW.where(InboxRow.leased_until.is_(None), _FIRST_OF_ITS_SENDER).order_by(InboxRow.id).limit(1)
_LEASED = select(func.min(InboxRow.leased_until)).where(InboxRow.state == InboxState.NEW)
WAKES_AT = func.coalesce(
    _UNLEASED.with_only_columns(literal(EPOCH, UtcDateTime())).scalar_subquery(), _LEASED.scalar_subquery()
)
"""When the next mail can be processed: in the past if one is waiting, otherwise when a lease ends."""


def next_new(session: Session, now: datetime, length: timedelta = LEASE) -> InboxRow | None:
    """Lease the oldest mail that waits for `length`, and count the try. Commit, then `take_copies`.

    A mail waits for the first try of earlier mails from the same envelope sender, so that order sets are processed in
    order. A mail that has used up its tries without an error message has killed the process: it is set aside, and its
    state then says so.
    """
    mail = session.scalar(_NEXT, {"now": now})
    if mail is not None and mail.tries >= MAX_TRIES:
        note = mail.note or f"The server stopped {mail.tries} times while it worked on this mail."
        mark(session, mail, InboxState.ASIDE, now, note)
    elif mail is not None:
        put(session, mail, tries=mail.tries + 1, leased_until=now + length, leased_by=holder(session))
    return mail


# mails that are worked on


def take(session: Session, mail_id: int) -> InboxRow | None:
    """Lock a mail in the transaction that processes it; None when another process has it or has finished it."""
    return session.scalar(_TAKE, {"mail_id": mail_id})


Copies: TypeAlias = Sequence[Row[int, InboxState, str]]


_IS_COPY = and_(  # of what is given: SQLAlchemy does not say of which row a column is in what is returned
    _other.message_id == bindparam("its_name"),
    _other.content_hash == bindparam("its_hash"),
    _other.id != bindparam("mail_id"),
)
_DO = (
    update(InboxRow)
    .where(InboxRow.id == bindparam("mail_id"), InboxRow.state == InboxState.NEW)
    .values(state=InboxState.DONE, note="", done_at=bindparam("now"), leased_until=None)
    .returning(exists().where(_IS_COPY))
)
_FOUND = select(_other.id, _other.state, _other.note).where(_IS_COPY)
_DECIDED = {InboxState.DONE: 0, InboxState.UNPROVED: 1, InboxState.IGNORED: 2}  # of many, those that settle a mail
_COPIES = (
    _FOUND.order_by(case(_DECIDED, value=_other.state, else_=3), _other.id).limit(100).with_for_update(key_share=True)
)


def take_copies(session: Session, mail: InboxRow, now: datetime) -> Copies | None:
    """Lock a leased mail in the transaction that processes it, and its other copies, those that were acted on first:
    of all of them one at most is acted on. It is marked as done without a note. Returns the others' ids, states and
    notes; None when another process has finished the mail.
    """
    key = {"its_name": mail.message_id, "its_hash": mail.content_hash, "mail_id": mail.id}
    has_copies = session.connection().execute(_DO, {**key, "now": now}).scalar_one_or_none()
    if not has_copies:
        return () if has_copies is not None else None
    return read(session, _COPIES, key).all()


def is_answered(copy: Row[int, InboxState, str]) -> bool:
    """Whether one of these copies was acted on or answered."""
    unread = copy.state is InboxState.IGNORED and copy.note.startswith(NOT_READ)
    return unread or copy.state in ANSWERED


def mark(session: Session, mail: InboxRow, state: InboxState, now: datetime, note: str = "") -> None:
    """Close a mail that was taken in this transaction. `note` gives the reason where the state does not."""
    put(session, mail, state=state, note=note, done_at=now, leased_until=None)


def failed_try(
    session: Session, mail_id: int, now: datetime, note: str, pause: timedelta = timedelta(seconds=30)
) -> InboxState | None:
    """After an exception (its traceback in `note`), allow another try after `pause`, or set the mail aside.

    Returns the mail's new state, ASIDE when its tries are used up; None when its state was no longer NEW.
    """
    mail = take(session, mail_id)
    if mail is None:
        return None
    if mail.tries >= MAX_TRIES:
        mark(session, mail, InboxState.ASIDE, now, note)
    else:
        put(session, mail, note=note, leased_until=now + pause)
    return mail.state


def give_back(session: Session, mail_id: int, now: datetime) -> None:
    """After a failure that was not the mail's fault (Temporary), allow another try soon; this one is not counted."""
    mail = take(session, mail_id)
    if mail is not None:
        put(session, mail, tries=max(0, mail.tries - 1), leased_until=now + _SOON)


def try_again(session: Session, mail_id: int) -> bool:
    """Queue a mail again that was set aside, quarantined, ignored or dropped, with all its tries; or return False."""
    mail = session.scalar(_NOT_DONE, {"mail_id": mail_id})
    if mail is not None:
        note = REPLAYED if mail.state in _NOT_ACTED_ON else mail.note
        put(session, mail, state=InboxState.NEW, note=note, tries=0, done_at=None, leased_until=None)
    return mail is not None


def drop(session: Session, mail_id: int, now: datetime) -> bool:
    """Discard a mail that was set aside, quarantined or ignored, and keep its row; False when it was none of these."""
    mail = session.scalar(_LISTED, {"mail_id": mail_id})
    if mail is not None:
        mark(session, mail, InboxState.DROPPED, now, f"dropped by the operator; {mail.note}")
    return mail is not None


def close_quarantined(session: Session, mail_id: int, state: InboxState, now: datetime, note: str) -> None:
    """Close a quarantined mail; one in any other state is left unchanged."""
    mail = session.scalar(_QUARANTINED, {"mail_id": mail_id})
    if mail is not None:
        mark(session, mail, state, now, note)


def mail_by_id(session: Session, mail_id: int) -> InboxRow | None:
    """The mail with this id, in any state; None if there is none."""
    return session.get(InboxRow, mail_id)


ANSWERED_IN_ONE = "answered in one with others"
"""In the note of a mail that has no answer of its own."""


def answered_in_one(session: Session, newest: InboxRow, since: datetime) -> Sequence[InboxRow]:
    """The mails of the same sender to the same address that were answered in one since then, oldest first; of many the
    first ones, and none that is very long, since each further mail has them read again.
    """
    same = (InboxRow.state.in_(ANSWERED), InboxRow.sender == newest.sender, InboxRow.address == newest.address)
    together = InboxRow.note.contains(ANSWERED_IN_ONE) & (InboxRow.received_at >= since)
    short = func.length(InboxRow.raw) <= _LONGEST_READ_AGAIN
    first = select(InboxRow).where(*same, together, short).order_by(InboxRow.id).limit(_MOST_READ_AGAIN)
    return session.scalars(first).all()


_LONGEST_READ_AGAIN, _MOST_READ_AGAIN = 60_000, 10


def from_with_id(session: Session, senders: Collection[str], message_id: str, most: int) -> Sequence[InboxRow]:
    """The mail from these addresses with this Message-ID, with its last copy, if their content is kept and has up to
    `most` octets.
    """
    named = (InboxRow.message_id == message_id, InboxRow.sender.in_(list(senders)))
    kept = (InboxRow.raw != b"", func.length(InboxRow.raw) <= most)
    return session.scalars(select(InboxRow).where(*named, *kept).order_by(InboxRow.id.desc()).limit(2)).all()


def in_states(session: Session, *states: InboxState, limit: int = 100) -> Sequence[InboxRow]:
    """Mails in these states, newest first, `limit` at most."""
    statement = select(InboxRow).where(InboxRow.state.in_(states))
    return session.scalars(statement.order_by(InboxRow.id.desc()).limit(limit)).all()


def counts(session: Session) -> dict[InboxState, int]:
    """How many mails are in each state, including states with none."""
    rows = session.execute(select(InboxRow.state, func.count()).group_by(InboxRow.state))
    return dict.fromkeys(InboxState, 0) | dict(rows.all())


def oldest_new(session: Session) -> datetime | None:
    """When the oldest mail that still waits was received; None if none waits."""
    waiting = InboxRow.state.in_((InboxState.NEW, InboxState.UNCHECKED))
    return session.scalar(select(func.min(InboxRow.received_at)).where(waiting))
