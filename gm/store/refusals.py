"""Whether mail is refused, everywhere or by one domain, and whether an address that is refused as unknown is dead; and
what is sent again when that has passed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, bindparam, delete, func, or_, select
from sqlalchemy.orm import Session

from gm.store import outbox
from gm.store.outbox import GIVE_UP_AFTER, OutboxRow, OutboxState, Trouble, of_seats
from gm.store.rows import EPOCH
from gm.store.sent import BounceRow

ALL_REFUSED = 3
"""When this many mails were refused, and none was accepted since the first of these tries, mail does not leave; of
those that were refused as unknown, or deferred, as many addresses."""

_DEFERRED_FOR_LONG = timedelta(hours=4)
"""A mail that was tried for so long in vain, while none to its domain was accepted, is refused, whatever the relay
says; a few domains put off new senders for hours."""
_DEFERRED_EVERYWHERE = timedelta(minutes=40)
"""The same while none at all was accepted."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """The finding that mail does not leave, or mail to `domain`: `refused` mails wait, the oldest `since` then, of
    `tried` that were tried since, whether they were accepted or wait; to whom, and why the last was refused.
    """

    domain: str
    since: datetime
    refused: int
    tried: int
    recipients: tuple[str, ...]
    words: str
    accepted_at: datetime = EPOCH
    """When a mail was accepted last."""

    @property
    def problem(self) -> str:
        """The finding as a sentence."""
        to = f" to {self.domain}" if self.domain else ""
        counted = f"{self.refused} of {self.tried} mails{to} that were tried since {self.since:%d %b %H:%M} UTC"
        return f"All mail{to} is refused: {counted}." if self.refused == self.tried else f"Refused: {counted}."


@dataclass(frozen=True, slots=True)
class Passed:
    """Whether it is over that mail is refused: of the mails that were, how many are sent, and how many still wait."""

    over: bool
    sent: int
    left: int


_PASSES_BY_ITSELF = (Trouble.DEFERRED, Trouble.UNCONFIRMED)
_OF_ADDRESSES = (Trouble.UNKNOWN, *_PASSES_BY_ITSELF)
_OF_ALL = (Trouble.UNREACHABLE, *_PASSES_BY_ITSELF)
_MAY_PASS = (Trouble.UNKNOWN, Trouble.REFUSED, Trouble.UNREACHABLE)
_LAST_SENT = select(func.max(OutboxRow.sent_at))
_NEXT_SENT = select(func.min(OutboxRow.sent_at))
_SENT_SINCE = select(func.count(OutboxRow.sent_at)).where(OutboxRow.sent_at >= bindparam("since"))
_WAITING = (
    select(
        OutboxRow.id,
        OutboxRow.recipient,
        OutboxRow.domain,
        OutboxRow.trouble,
        OutboxRow.last_error,
        OutboxRow.created_at,
        OutboxRow.tried_at,
        OutboxRow.sent_at,
    )
    .where(
        OutboxRow.state == OutboxState.QUEUED,
        OutboxRow.trouble != Trouble.NONE,
    )
    .order_by(OutboxRow.tried_at.desc(), OutboxRow.id.desc())
)


def _to(domain: str) -> tuple[ColumnElement[bool], ...]:
    """The condition for mail to this domain; none for ""."""
    return (OutboxRow.domain == domain.lower(),) if domain else ()


def _last_accepted(session: Session, domain: str) -> datetime:
    """When a mail was accepted last, or one to this domain."""
    return session.scalar(_LAST_SENT.where(*_to(domain))) or EPOCH


def stuck(session: Session, domain: str = "") -> Stuck | None:
    """Whether mail is refused, or mail to this domain, and none was accepted since. What is known of one domain only
    is said of that.
    """
    there = _to(domain)
    last = _last_accepted(session, domain)
    waiting = session.execute(_WAITING.where(*there)).all()
    refused = [row for row in waiting if _is_refused(row.trouble, row.tried_at, row.created_at, last, domain)]
    lately = [row for row in refused if row.tried_at > last]
    if len({row.recipient if row.trouble in _OF_ADDRESSES else row.id for row in lately}) < ALL_REFUSED:
        return None
    kinds = {(row.domain, row.trouble) for row in lately}
    if not domain and len(kinds) == 1 and lately[0].trouble not in _OF_ALL:
        return stuck(session, lately[0].domain)
    since = min(row.created_at for row in refused)
    accepted = session.scalar(_SENT_SINCE.where(*there), {"since": since}) or 0
    tried = accepted + sum(row.tried_at >= since > (row.sent_at or EPOCH) for row in waiting)
    recipients = tuple(dict.fromkeys(row.recipient for row in refused))
    return Stuck(domain, since, len(refused), tried, recipients, refused[0].last_error, last)


def _is_refused(trouble: Trouble, tried_at: datetime, created_at: datetime, last: datetime, domain: str) -> bool:
    """Whether a mail that waits is refused: also one that is only deferred, for long since the `last` was accepted, to
    the domain or, if that is "", at all.
    """
    long = _DEFERRED_FOR_LONG if domain else _DEFERRED_EVERYWHERE
    return trouble not in _PASSES_BY_ITSELF or tried_at - max(created_at, last) >= long


def passed(session: Session, domain: str, since: datetime, told_at: datetime) -> Passed:
    """Whether mail, or mail to this domain, that was refused `since` then, as was `told_at` a later time, is accepted
    again: what counts as refused, as for `stuck`, was all tried again after the first that was accepted, and few are
    left.
    """
    there = _to(domain)
    first = session.scalar(select(func.min(OutboxRow.sent_at)).where(OutboxRow.sent_at > told_at, *there))
    last = session.scalar(_LAST_SENT.where(OutboxRow.sent_at <= told_at, *there)) or EPOCH
    every = session.execute(_WAITING.where(*there))
    waiting = [row for row in every if _is_refused(row.trouble, row.tried_at, row.created_at, last, domain)]
    over = first is not None and len(waiting) < ALL_REFUSED and all(row.tried_at > first for row in waiting)
    refused = (OutboxRow.state == OutboxState.SENT, OutboxRow.tried_at >= since)
    sent = session.scalar(select(func.count()).select_from(OutboxRow).where(*refused, *there)) or 0
    return Passed(over, sent, len(waiting))


def stuck_among(session: Session, recipients: Iterable[str]) -> list[Stuck]:
    """The finding that mail is refused everywhere, or otherwise one for each domain of these recipients where it is."""
    domains = sorted({recipient.rpartition("@")[2] for recipient in recipients})
    found = stuck(session)
    return [found] if found and not found.domain else list(filter(None, (stuck(session, domain) for domain in domains)))


_GREYLISTED = timedelta(hours=1)
"""A mail may be refused for so long as a matter of course."""


def refused_of(session: Session, recipients: Iterable[str], now: datetime, seats: Collection[int]) -> set[str]:
    """Those of these addresses to which mail, of these seats or of no game, is refused and waits for another try."""
    for_long = or_(OutboxRow.trouble.in_(_MAY_PASS), OutboxRow.created_at < now - _GREYLISTED)
    waiting = (OutboxRow.state == OutboxState.QUEUED, OutboxRow.trouble != Trouble.NONE, for_long)
    theirs = select(OutboxRow.recipient).where(*waiting, of_seats(seats), OutboxRow.recipient.in_(recipients))
    return set(session.scalars(theirs))


# when an address is refused as unknown


_LATELY_ACCEPTED = timedelta(hours=1)
_OTHER_ACCEPTED = (
    select(OutboxRow.id)
    .where(OutboxRow.sent_at >= bindparam("since"), OutboxRow.recipient != bindparam("recipient"))
    .limit(1)
)


def is_dead(session: Session, mail: OutboxRow, now: datetime) -> tuple[bool, Trouble]:
    """Whether the recipient of a mail that is refused as unknown has a dead address, which is so if the relay takes
    others; and the trouble to note, UNKNOWN as long as `unknown_again` may yet find otherwise.

    A relay that knows no address, or none in a domain, refuses several addresses and accepts none between. One address
    alone is dead if another was accepted within the hour; several, if one was accepted between two tries.
    """
    if len(_unknown(session, mail, now, mail.domain)) >= ALL_REFUSED:
        return False, Trouble.UNKNOWN
    if mail.trouble is Trouble.UNKNOWN and mail.tried_at and _accepts_others(session, mail, mail.tried_at):
        return True, Trouble.DEFERRED
    alone = len(_unknown(session, mail, now)) < ALL_REFUSED
    return alone and _accepts_others(session, mail, now - _LATELY_ACCEPTED), Trouble.UNKNOWN


def _accepts_others(session: Session, mail: OutboxRow, since: datetime) -> bool:
    return session.scalar(_OTHER_ACCEPTED, {"since": since, "recipient": mail.recipient}) is not None


def _unknown(session: Session, mail: OutboxRow, now: datetime, domain: str = "") -> set[str]:
    """The addresses refused as unknown since the last mail was accepted, or the last to this domain; with this one."""
    return {mail.recipient, *session.scalars(_spell(session, now, domain).with_only_columns(OutboxRow.recipient))}


def _spell(session: Session, now: datetime, domain: str = "") -> Select[OutboxRow]:
    """The mails refused as unknown, kept or given up, since the last mail was accepted, or the last to this domain."""
    there = _to(domain)
    last = _last_accepted(session, domain)
    spell = select(OutboxRow).where(
        OutboxRow.state.in_((OutboxState.QUEUED, OutboxState.FAILED)),
        OutboxRow.trouble == Trouble.UNKNOWN,
        OutboxRow.tried_at > max(last, now - GIVE_UP_AFTER),
        OutboxRow.raw != b"",
        *there,
    )
    return spell.order_by(OutboxRow.id)


def unknown_again(session: Session, mail: OutboxRow, now: datetime) -> Sequence[str]:
    """Queue the mails again that were given up although the relay, or the domain of this mail, refuses all as unknown,
    and forget their bounces. Returns whose they are."""
    everywhere = [where for where in ("", mail.domain) if len(_unknown(session, mail, now, where)) >= ALL_REFUSED]
    given_up = (OutboxRow.state == OutboxState.FAILED, OutboxRow.created_at > now - GIVE_UP_AFTER)
    found = [session.scalars(_spell(session, now, where).where(*given_up)).all() for where in everywhere]
    return _queue_again(session, [one for mails in found for one in mails])


def known_after_all(session: Session, recipient: str, now: datetime) -> Sequence[str]:
    """Queue the mails again that were given up because this address was unknown, and forget their bounces: the relay
    that said so takes mail to it now. What it said of others then, accepting nothing in between, counts no more either.
    Returns whose mails they are."""
    every = outbox.called_dead(session, now)
    wrong = [_accepted_around(session, mail) for mail in every if mail.recipient == recipient]
    again = [mail for mail in every if any(first <= (mail.tried_at or EPOCH) <= last for first, last in wrong)]
    return _queue_again(session, again)


def _accepted_around(session: Session, mail: OutboxRow) -> tuple[datetime, datetime]:
    """When a mail was accepted last before this one was refused, and first after that."""
    then = mail.tried_at or EPOCH
    before = session.scalar(_LAST_SENT.where(OutboxRow.sent_at < then))
    return before or EPOCH, session.scalar(_NEXT_SENT.where(OutboxRow.sent_at > then)) or then


def withdraw(session: Session, purpose: str) -> Sequence[str]:
    """Withdraw mails (`outbox.withdraw`), and forget that they bounced. Returns to whom some did."""
    return _forget(session, outbox.withdraw(session, purpose))


def _queue_again(session: Session, mails: Sequence[OutboxRow]) -> Sequence[str]:
    for mail in mails:
        mail.state = OutboxState.QUEUED
    session.flush()
    _forget(session, mails)
    return tuple(dict.fromkeys(mail.recipient for mail in mails))


def _forget(session: Session, mails: Sequence[OutboxRow]) -> Sequence[str]:
    bounced = delete(BounceRow).where(BounceRow.outbox_id.in_([mail.id for mail in mails]), BounceRow.hard)
    return sorted(session.scalars(bounced.returning(BounceRow.recipient)))


def flush(session: Session, now: datetime, domain: str = "") -> int:
    """Make all waiting mail due at once, or that for one domain; and what was given up because it was refused, if none
    was accepted since. Returns how many mails that is."""
    there = _to(domain)
    refused = (OutboxRow.state == OutboxState.FAILED, OutboxRow.trouble.in_(_MAY_PASS), OutboxRow.raw != b"")
    since = OutboxRow.tried_at > _last_accepted(session, domain)
    given_up = session.scalars(select(OutboxRow).where(*refused, since, *there)).all()
    _queue_again(session, given_up)
    for mail in given_up:
        mail.created_at, mail.next_try_at, mail.tries, mail.copies = now, now, 0, 0
    session.flush()
    return len(given_up) + outbox.flush(session, now, domain)
