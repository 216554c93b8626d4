"""What a seat has sent for its orders: every version of its order sets, lines for phases to come, names for places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, bindparam, delete, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.errors import Temporary
from gm.store.game_rows import PhaseRow, lock_game, touch
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


class PrivateNameRow(Base):
    """A name, as it was written, that stands for a place, by its code, in the mails of one seat (ALIAS)."""

    __tablename__ = "private_name"
    __table_args__ = (UniqueConstraint("seat_id", "name"),)

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    name: Mapped[str]
    place: Mapped[str]


# order sets


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
    last = session.scalar(_LAST_NUMBER, {"phase_id": phase.id, "seat_id": seat_id})
    row = OrderSetRow(
        phase_id=phase.id,
        seat_id=seat_id,
        number=(last or 0) + 1,
        orders=list(orders),
        complete=complete,
        received_at=now,
        inbox_id=inbox_id,
    )
    session.add(row)
    touch(session, phase.game_id)
    session.flush()
    return row


_OF_PHASE = OrderSetRow.phase_id == bindparam("phase_id")
_OF_SEAT = OrderSetRow.seat_id == bindparam("seat_id")
_LAST_NUMBER = select(func.max(OrderSetRow.number)).where(_OF_PHASE, _OF_SEAT)
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


# names for places


_NAMES = select(PrivateNameRow).where(PrivateNameRow.seat_id == bindparam("seat_id")).order_by(PrivateNameRow.name)


def private_names(session: Session, seat_id: int) -> Mapping[str, str]:
    """The places by the names that the seat gave them, in alphabetical order."""
    return {row.name: row.place for row in session.scalars(_NAMES, {"seat_id": seat_id})}


def keep_name(session: Session, seat_id: int, name: str, place: str) -> None:
    """Give a place a name, in place of what the name stood for before."""
    forget_name(session, seat_id, name)
    session.add(PrivateNameRow(seat_id=seat_id, name=name, place=place))
    session.flush()


def forget_name(session: Session, seat_id: int, name: str) -> None:
    """Take a name away."""
    session.execute(delete(PrivateNameRow).where(PrivateNameRow.seat_id == seat_id, PrivateNameRow.name == name))
