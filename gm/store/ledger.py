"""What senders have used of their limits: one row for each limit and each sender it is counted for.

A count begins with the first charge and lasts until its time is over; the next charge after that begins a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache

from sqlalchemy import Executable, Index, UniqueConstraint, bindparam, case, delete, select
from sqlalchemy.orm import Mapped, Session

from gm.store.rows import Base, Insert, adding


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
    rows = [asdict(one) for one in sorted(charges, key=lambda one: (one.name, one.payer))]
    values = {f"{name}{number}": value for number, row in enumerate(rows) for name, value in row.items()}
    upsert = _charging(adding(session, SpendingRow), len(rows))
    return [Charge(*row) for row in session.connection().execute(upsert, {**values, "now": now})]


@cache
def _charging(adding: Insert, number: int) -> Executable:
    """The statement that charges this number of amounts."""
    names = ("name", "payer", "ends_at", "amount")
    every = adding.values([{name: bindparam(f"{name}{one}") for name in names} for one in range(number)])
    over, new = SpendingRow.ends_at <= bindparam("now"), every.excluded
    upsert = every.on_conflict_do_update(
        index_elements=["name", "payer"],
        set_={
            "amount": case((over, new.amount), else_=SpendingRow.amount + new.amount),
            "ends_at": case((over, new.ends_at), else_=SpendingRow.ends_at),
        },
    )
    return upsert.returning(SpendingRow.name, SpendingRow.payer, SpendingRow.ends_at, SpendingRow.amount)


_USED = select(SpendingRow.name, SpendingRow.payer, SpendingRow.ends_at, SpendingRow.amount).where(
    SpendingRow.name == bindparam("name"),
    SpendingRow.payer == bindparam("payer"),
    SpendingRow.ends_at > bindparam("now"),
)


def used(session: Session, name: str, payer: str, now: datetime) -> Charge | None:
    """What the payer has used of a budget, and until when it counts; None for nothing."""
    found = session.execute(_USED, {"name": name, "payer": payer, "now": now}).one_or_none()
    return Charge(*found) if found is not None else None


def forget(session: Session, now: datetime) -> None:
    """Delete the rows whose time is over."""
    session.execute(delete(SpendingRow).where(SpendingRow.ends_at <= now))
