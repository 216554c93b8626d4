"""The ledger of what senders have spent of their budgets: one row for each budget and who it is counted for.

A row counts from the first charge until its time is over, and begins again with the next charge after that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, case, delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session

from gm.store.rows import Base


class SpendingRow(Base):
    """What was spent of the budget `name` for `payer`, until `ends_at`."""

    __tablename__ = "spending"
    __table_args__ = (UniqueConstraint("name", "payer"), Index(None, "ends_at"))

    name: Mapped[str]
    payer: Mapped[str]
    ends_at: Mapped[datetime]
    amount: Mapped[int]


@dataclass(frozen=True, slots=True)
class Charge:
    """An amount to be spent of a budget; a count that begins with it ends at `ends_at`."""

    name: str
    payer: str
    ends_at: datetime
    amount: int


def charge(session: Session, charges: Sequence[Charge], now: datetime) -> Sequence[Charge]:
    """Spend these amounts, in one statement. Returns each with all that is spent by now, and until when it counts."""
    if not charges:
        return ()
    session.flush()
    # In one order, so that two transactions never wait for each other.
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


def forget(session: Session, now: datetime) -> None:
    """Drop the rows whose time is over."""
    session.execute(delete(SpendingRow).where(SpendingRow.ends_at <= now))
