"""What is known of the senders of mail: what they have used of their limits, one row for each limit and each sender it
is counted for; and the mails in the inbox whose senders are still to be authenticated.

A count begins with the first charge and lasts until its time is over; the next charge after that begins a new one. A
check of a sender is leased, and tried again for a while.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import (
    Executable,
    Index,
    Integer,
    UniqueConstraint,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    select,
    union_all,
    update,
)
from sqlalchemy.orm import Mapped, Session

from gm.store.inbox import LEASE, REPLAYED, ArrivedMail, InboxRow, InboxState, accept
from gm.store.people import AddressRow
from gm.store.rows import Base, Insert, adding, claiming


class SpendingRow(Base):
    """The amount that `payer` has used of the budget `name`, valid until `ends_at`."""

    __tablename__ = "spending"
    __table_args__ = (UniqueConstraint("name", "payer"), Index(None, "ends_at"))

    name: Mapped[str]
    payer: Mapped[str]
    ends_at: Mapped[datetime]
    amount: Mapped[int]


@dataclass(frozen=True, slots=True)
class Charge:
    """An amount to be charged to a budget. If it begins a new count, that count ends at `ends_at`."""

    name: str
    payer: str
    ends_at: datetime
    amount: int


def charge(session: Session, charges: Sequence[Charge], now: datetime) -> Sequence[Charge]:
    """Charge these amounts in one statement. Returns for each the total used so far, and until when it counts."""
    if not charges:
        return ()
    session.flush()
    # Sorted, so that two transactions cannot wait for each other (deadlock).
    rows = sorted(charges, key=lambda one: (one.name, one.payer))
    values = {f"{name}{number}": getattr(row, name) for number, row in enumerate(rows) for name in Charge.__slots__}
    upsert = _charging(adding(session, SpendingRow), len(rows))
    return [Charge(*row) for row in session.connection().execute(upsert, {**values, "now": now})]


@cache
def _charging(adding: Insert, number: int) -> Executable:
    """The statement that charges this number of amounts. SQLAlchemy builds one with several VALUES anew each time."""
    columns = (SpendingRow.name, SpendingRow.payer, SpendingRow.ends_at, SpendingRow.amount)
    rows = [
        select(*(bindparam(f"{column.key}{one}", type_=column.type).label(column.key) for column in columns))
        for one in range(number)
    ]
    every = union_all(*rows).subquery()
    whole = adding.from_select([column.key for column in columns], select(every).where(every.c.name.is_not(None)))
    over, new = SpendingRow.ends_at <= bindparam("now"), whole.excluded
    upsert = whole.on_conflict_do_update(
        index_elements=["name", "payer"],
        set_={
            "amount": case((over, new.amount), else_=SpendingRow.amount + new.amount),
            "ends_at": case((over, new.ends_at), else_=SpendingRow.ends_at),
        },
    )
    return upsert.returning(*columns)


_USED = select(SpendingRow.name, SpendingRow.payer, SpendingRow.ends_at, SpendingRow.amount).where(
    SpendingRow.name == bindparam("name"),
    SpendingRow.payer == bindparam("payer"),
    SpendingRow.ends_at > bindparam("now"),
)


def used(session: Session, name: str, payer: str, now: datetime) -> Charge | None:
    """What the payer has used of a budget, and until when it counts; None for nothing."""
    found = session.execute(_USED, {"name": name, "payer": payer, "now": now}).one_or_none()
    return Charge(*found) if found is not None else None


def forget_spending(session: Session, now: datetime) -> None:
    """Delete the rows whose time is over."""
    session.execute(delete(SpendingRow).where(SpendingRow.ends_at <= now))


# authentication


CHECKS = 6
"""How often authentication is tried; after that the mail is processed without it."""
_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (0.5, 1, 2, 4, 7))
"""The pauses between tries when the DNS does not answer, about a quarter of an hour in all."""

_UNCHECKED = select(InboxRow).where(InboxRow.state == InboxState.UNCHECKED)
_IS_STRANGE = ~exists().where(AddressRow.email == InboxRow.sender)
_NEXT_OF_SITE = claiming(
    _UNCHECKED.where(InboxRow.unleased(), InboxRow.site == bindparam("site")).order_by(
        _IS_STRANGE, InboxRow.tries, InboxRow.id
    )
)
_MOST_SITES = 1_000
_strange, _first = func.min(cast(_IS_STRANGE, Integer)), func.min(InboxRow.id)
_SITES = (
    select(InboxRow.site, _strange)
    .where(InboxRow.state == InboxState.UNCHECKED, InboxRow.unleased())
    .group_by(InboxRow.site)
    .order_by(_strange, _first)
    .limit(_MOST_SITES)
)
_COPIES = claiming(
    _UNCHECKED.where(InboxRow.message_id == bindparam("message_id"), InboxRow.received_at == bindparam("received_at")),
    limit=100,
    wait=True,
)
_CHECKS_WAKE_AT = select(func.min(InboxRow.free_at())).where(InboxRow.state == InboxState.UNCHECKED)


def unchecked_sites(session: Session, now: datetime) -> Sequence[tuple[str, bool]]:
    """The sites whose mails wait for authentication, and whether only strangers' do. Those with mail of a registered
    sender come first, then those that have waited longest.
    """
    return [(site or "", bool(strange)) for site, strange in session.execute(_SITES, {"now": now})]


def next_unchecked(session: Session, now: datetime, site: str) -> InboxRow | None:
    """Lease a mail of this site whose sender is to be authenticated: one of a registered sender first, and with the
    fewest tries. Commit, then `settle_check`."""
    mail = session.scalar(_NEXT_OF_SITE, {"now": now, "site": site})
    if mail is not None:
        mail.tries += 1
        mail.lease(session, now, LEASE)
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
            copy.lease(session, now, _PAUSES[min(copy.tries, len(_PAUSES)) - 1])
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


def hand_on(
    session: Session, row: InboxRow, address: str, recipients: Sequence[str], *, secret: bool, confirmed: bool = False
) -> None:
    """Store a mail once more, for another address of ours, with what was found out about its sender, whether it came to
    an address that only they know, whether they have confirmed it, and whether the operator has replayed it.
    """
    source = f"{_CONFIRMED if confirmed else _HANDED_ON if secret else _OPENLY}{arrived_at(row)}"
    to, come = tuple(recipients), row.arrived_at
    again = ArrivedMail(source, row.raw, row.received_at, to, row.envelope_from, arrived_at=come)
    stored = accept(session, again, address)
    if stored is not None:
        found = {name: getattr(row, name) for name in ("peer", "helo", "findings")}
        found |= {"note": row.note if row.note == REPLAYED else ""}
        session.execute(update(InboxRow).where(InboxRow.id == stored.id).values(found))


_HANDED_ON, _OPENLY, _CONFIRMED = "at ", "openly at ", "confirmed at "
"""What the source of a mail that was handed on begins with, before the address at which it arrived."""


def came_openly(row: InboxRow) -> bool:
    """Whether a mail was handed on that came to an address which others know, too."""
    return row.source.startswith(_OPENLY)


def was_confirmed(row: InboxRow) -> bool:
    """Whether a mail was handed on that its sender had said to have written."""
    return row.source.startswith(_CONFIRMED)


def arrived_at(row: InboxRow) -> str:
    """The address of ours at which a mail arrived, "" for the server's own; it may have been handed on since."""
    for handed_on in (_HANDED_ON, _OPENLY, _CONFIRMED):
        if row.source.startswith(handed_on):
            return row.source.removeprefix(handed_on)
    return row.address
