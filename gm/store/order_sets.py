"""Order sets: every version of every seat's orders for a phase, numbered from 1; the last one counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.errors import Temporary
from gm.store.games import lock_game
from gm.store.tables import OrderSetRow, PhaseRow


def add_order_set(
    session: Session,
    phase: PhaseRow,
    seat_id: int,
    orders: Sequence[Any],
    *,
    complete: bool,
    now: datetime,
    inbox_id: int | None = None,
) -> OrderSetRow:
    """A seat's next version of its orders (JSON values).

    Locks the game, so that no number is given twice and nothing is added to a phase that is being adjudicated. Raises
    Temporary when it was adjudicated in the meantime: what was read as orders for it must be read anew.
    """
    lock_game(session, phase.game_id)
    session.refresh(phase)
    if phase.adjudicated_at is not None:
        raise Temporary(f"{phase.code} was adjudicated while its orders were being read.", "They are read again.")
    last = latest_order_set(session, phase.id, seat_id)
    row = OrderSetRow(
        phase_id=phase.id,
        seat_id=seat_id,
        number=1 if last is None else last.number + 1,
        orders=list(orders),
        complete=complete,
        received_at=now,
        inbox_id=inbox_id,
    )
    session.add(row)
    session.flush()
    return row


def latest_order_set(session: Session, phase_id: int, seat_id: int) -> OrderSetRow | None:
    """The version that counts; None when the seat has sent nothing for this phase."""
    statement = select(OrderSetRow).where(OrderSetRow.phase_id == phase_id, OrderSetRow.seat_id == seat_id)
    return session.scalar(statement.order_by(OrderSetRow.number.desc()).limit(1))


def latest_order_sets(session: Session, phase_id: int) -> dict[int, OrderSetRow]:
    """The version that counts of each seat that has sent orders for this phase, by seat id."""
    newest = (
        select(OrderSetRow.seat_id, func.max(OrderSetRow.number).label("number"))
        .where(OrderSetRow.phase_id == phase_id)
        .group_by(OrderSetRow.seat_id)
        .subquery()
    )
    statement = select(OrderSetRow).join(
        newest, (OrderSetRow.seat_id == newest.c.seat_id) & (OrderSetRow.number == newest.c.number)
    )
    rows = session.scalars(statement.where(OrderSetRow.phase_id == phase_id).order_by(OrderSetRow.seat_id))
    return {row.seat_id: row for row in rows}


def order_set_history(session: Session, phase_id: int, seat_id: int) -> Sequence[OrderSetRow]:
    """Every version, first to last."""
    statement = select(OrderSetRow).where(OrderSetRow.phase_id == phase_id, OrderSetRow.seat_id == seat_id)
    return session.scalars(statement.order_by(OrderSetRow.number)).all()
