"""What a seat has sent for its orders: every version of its order sets, lines for phases to come, names for places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, bindparam, func, insert, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.rows import Base


class OrderSetRow(Base):
    """One version of a seat's orders for a phase, numbered from 1; never changed, the highest `number` counts."""

    __tablename__ = "order_set"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id", "number"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    number: Mapped[int]
    orders: Mapped[list[Any]]
    complete: Mapped[bool]
    received_at: Mapped[datetime]
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))


class PreorderRow(Base):
    """Lines that a player sent for a phase to come, by its code; `R` or `A` stands for every phase of that kind."""

    __tablename__ = "preorder"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    code: Mapped[str]
    lines: Mapped[list[str]]
    stored_at: Mapped[datetime]
    cancelled_at: Mapped[datetime | None]


# order sets


_ADD_SET = insert(OrderSetRow)


def add_order_sets(session: Session, sets: Sequence[Mapping[str, Any]]) -> None:
    """Keep order sets, each with the number after that of its seat's last. The game must be locked."""
    session.connection().execute(_ADD_SET, list(sets))


_OF_PHASE = OrderSetRow.phase_id == bindparam("phase_id")
_NEWEST = (
    select(OrderSetRow.seat_id, func.max(OrderSetRow.number).label("number"))
    .where(_OF_PHASE)
    .group_by(OrderSetRow.seat_id)
    .subquery()
)
_IN_FORCE = (
    select(OrderSetRow)
    .join(_NEWEST, (OrderSetRow.seat_id == _NEWEST.c.seat_id) & (OrderSetRow.number == _NEWEST.c.number))
    .where(_OF_PHASE)
    .order_by(OrderSetRow.seat_id)
)


def latest_order_sets(session: Session, phase_id: int) -> dict[int, OrderSetRow]:
    """The version in force of each seat that has sent orders for this phase, by seat id."""
    return {row.seat_id: row for row in session.scalars(_IN_FORCE, {"phase_id": phase_id})}


def order_set_history(session: Session, phase_id: int, seat_id: int) -> Sequence[OrderSetRow]:
    """Every version, first to last."""
    statement = select(OrderSetRow).where(OrderSetRow.phase_id == phase_id, OrderSetRow.seat_id == seat_id)
    return session.scalars(statement.order_by(OrderSetRow.number)).all()


_RECEIVED = select(OrderSetRow.seat_id, OrderSetRow.received_at, OrderSetRow.orders).where(_OF_PHASE)


def first_received(session: Session, phase_id: int) -> Mapping[int, datetime]:
    """When each seat's first set with an order in it came."""
    first: dict[int, datetime] = {}
    for seat_id, received_at, orders in session.execute(_RECEIVED.order_by(OrderSetRow.number), {"phase_id": phase_id}):
        if orders:
            first.setdefault(seat_id, received_at)
    return first


# lines for phases to come


def keep_preorder(session: Session, seat_id: int, code: str, lines: Sequence[str], now: datetime) -> PreorderRow:
    """Keep lines for a phase in place of those kept for it before."""
    cancel_preorders(session, seat_id, now, code)
    row = PreorderRow(seat_id=seat_id, code=code, lines=list(lines), stored_at=now)
    session.add(row)
    session.flush()
    return row


def cancel_preorders(session: Session, seat_id: int, now: datetime, code: str | None = None) -> None:
    """Forget the lines kept for a phase, or for every one."""
    statement = update(PreorderRow).where(PreorderRow.seat_id == seat_id, PreorderRow.cancelled_at.is_(None))
    if code is not None:
        statement = statement.where(PreorderRow.code == code)
    session.execute(statement.values(cancelled_at=now))


def preorders_of(session: Session, seat_id: int, codes: Iterable[str] | None = None) -> Sequence[PreorderRow]:
    """The lines that a seat has kept, for any phase or for these codes."""
    statement = select(PreorderRow).where(PreorderRow.seat_id == seat_id, PreorderRow.cancelled_at.is_(None))
    if codes is not None:
        statement = statement.where(PreorderRow.code.in_(list(codes)))
    return session.scalars(statement.order_by(PreorderRow.id)).all()


_PREORDERS_FOR = select(PreorderRow.seat_id, PreorderRow.code, PreorderRow.lines).where(
    PreorderRow.seat_id.in_(bindparam("seats", expanding=True)),
    PreorderRow.code.in_(bindparam("codes", expanding=True)),
    PreorderRow.cancelled_at.is_(None),
)


def preorders_for(
    session: Session, seat_ids: Iterable[int], codes: Iterable[str]
) -> Mapping[tuple[int, str], Sequence[str]]:
    """The lines that these seats have kept for these codes, by seat and code."""
    rows = session.execute(_PREORDERS_FOR, {"seats": list(seat_ids), "codes": list(codes)})
    return {(seat_id, code): lines for seat_id, code, lines in rows}


# names for places
