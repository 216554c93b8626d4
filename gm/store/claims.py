"""How rows are taken by one process at a time, and written once: the one place that knows how the databases differ.

A claim lasts as long as its transaction. A hold lasts longer: it is committed, with a time after which another process
may take the work up, and is for work that must not keep a transaction open (an SMTP conversation, drawing a map).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, or_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from gm.store.tables import Base, InboxRow, Leased, OutboxRow, ReportQueueRow

Row = TypeVar("Row", bound=Base)


def claim(session: Session, statement: Select[Row], limit: int = 1, *, wait: bool = False) -> Sequence[Row]:
    """Lock and give at most `limit` of the rows that `statement` selects, until the transaction ends.

    Rows that another transaction has claimed are passed over, or waited for with `wait`. On SQLite the clause is left
    out: there the transaction itself holds the only write lock. Rows are read anew even if the session knew them.
    The lock is FOR NO KEY UPDATE, since keys never change: a row that only refers to a claimed one need not wait.
    """
    locking = statement.limit(limit).with_for_update(skip_locked=not wait, key_share=True)
    return session.scalars(locking.execution_options(populate_existing=True)).all()


def change_if(session: Session, row: Base, condition: ColumnElement[bool], **values: Any) -> bool:
    """Set values of a row in one statement if the condition holds at that moment; False when another was faster.

    Only the row's id is looked at, so that it may have been read long ago; in this session it is read anew.
    """
    session.flush()
    table = type(row)
    changed = session.scalars(
        update(table).where(table.id == row.id, condition).values(**values).returning(table.id),
        execution_options={"synchronize_session": False},
    ).all()
    if row in session:
        session.refresh(row)
    return len(changed) == 1


def free(table: type[Leased], now: datetime) -> ColumnElement[bool]:
    """The condition that nobody holds the row at `now`."""
    return or_(table.held_until.is_(None), table.held_until <= now)


def add_once(session: Session, table: type[Row], **values: Any) -> Row | None:
    """Insert a row and return it; None when a unique key of the table says it is there already.

    Two transactions that insert the same key at the same time: the second waits for the first, and gives way if it
    commits.
    """
    session.flush()
    if session.get_bind().dialect.name == "postgresql":
        return session.scalars(
            postgresql.insert(table).values(**values).on_conflict_do_nothing().returning(table)
        ).one_or_none()
    return session.scalars(
        sqlite.insert(table).values(**values).on_conflict_do_nothing().returning(table)
    ).one_or_none()


def hold(row: Leased, now: datetime, length: timedelta) -> None:
    """Hold a claimed row for `length`; it counts once the transaction is committed."""
    row.held_until = now + length


def forget_holds(session: Session) -> None:
    """Free all rows of work. Only for a server that has just started and knows that it is alone with its database."""
    for table in (InboxRow, OutboxRow, ReportQueueRow):
        session.execute(update(table).where(table.held_until.is_not(None)).values(held_until=None))
