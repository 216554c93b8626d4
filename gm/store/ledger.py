"""What senders have used of their limits: one row for each limit and each sender it is counted for.

A count begins with the first charge and lasts until its time is over; the next charge after that begins a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, case, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session

from gm.store.rows import Base


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
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    adding = dialect.insert(SpendingRow).values(rows)
    over, new = SpendingRow.ends_at <= now, adding.excluded
    upsert = adding.on_conflict_do_update(
        index_elements=["name", "payer"],
        set_={
            "amount": case((over, new.amount), else_=SpendingRow.amount + new.amount),
            "ends_at": case((over, new.ends_at), else_=SpendingRow.ends_at),
        },
    ).returning(SpendingRow.name, SpendingRow.payer, SpendingRow.ends_at, SpendingRow.amount)
    return [Charge(*row) for row in session.connection().execute(upsert)]


def used(session: Session, name: str, payer: str, now: datetime) -> Charge | None:
    """What the payer has used of a budget, and until when it counts; None for nothing."""
    counted = select(SpendingRow.name, SpendingRow.payer, SpendingRow.ends_at, SpendingRow.amount)
    found = session.execute(
        counted.where(SpendingRow.name == name, SpendingRow.payer == payer, SpendingRow.ends_at > now)
    ).one_or_none()
    return Charge(*found) if found is not None else None


def forget(session: Session, now: datetime) -> None:
    """Delete the rows whose time is over."""
    session.execute(delete(SpendingRow).where(SpendingRow.ends_at <= now))
