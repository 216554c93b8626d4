"""What is written down for later: orders for phases to come, commands for a time, diaries. Tables and look-ups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import ForeignKey, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.tables import Base, SeatRow


class PreorderRow(Base):
    """Lines that a player sent for a phase to come, by its code; `R` or `A` stands for every phase of that kind."""

    __tablename__ = "later_orders"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    code: Mapped[str]
    lines: Mapped[list[str]]
    stored_at: Mapped[datetime]
    cancelled_at: Mapped[datetime | None]


class DiaryRow(Base):
    """What a player wrote for himself; everybody reads it when the game is over."""

    __tablename__ = "diary"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"))
    body: Mapped[str]
    written_at: Mapped[datetime]


class ScheduledRow(Base):
    """A gamemaster's command that is carried out at a time. `inbox_id` is the mail it came in."""

    __tablename__ = "scheduled"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    inbox_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"))
    line: Mapped[str]
    due_at: Mapped[datetime]
    done_at: Mapped[datetime | None]


def store(session: Session, seat_id: int, code: str, lines: Sequence[str], now: datetime) -> PreorderRow:
    """Keep lines for a phase in place of those kept for it before."""
    cancel(session, seat_id, now, code)
    row = PreorderRow(seat_id=seat_id, code=code, lines=list(lines), stored_at=now)
    session.add(row)
    session.flush()
    return row


def cancel(session: Session, seat_id: int, now: datetime, code: str | None = None) -> None:
    """Forget the lines kept for a phase, or for every one."""
    statement = update(PreorderRow).where(PreorderRow.seat_id == seat_id, PreorderRow.cancelled_at.is_(None))
    if code is not None:
        statement = statement.where(PreorderRow.code == code)
    session.execute(statement.values(cancelled_at=now))


def kept_for(session: Session, seat_id: int, codes: Iterable[str] | None = None) -> Sequence[PreorderRow]:
    """The lines that a seat has kept, for any phase or for these codes."""
    statement = select(PreorderRow).where(PreorderRow.seat_id == seat_id, PreorderRow.cancelled_at.is_(None))
    if codes is not None:
        statement = statement.where(PreorderRow.code.in_(list(codes)))
    return session.scalars(statement.order_by(PreorderRow.id)).all()


def schedule(
    session: Session, *, game_id: int, seat_id: int, inbox_id: int, line: str, due_at: datetime
) -> ScheduledRow:
    """Keep a command for its time."""
    row = ScheduledRow(game_id=game_id, seat_id=seat_id, inbox_id=inbox_id, line=line, due_at=due_at)
    session.add(row)
    session.flush()
    return row


def scheduled(session: Session, game_id: int) -> Sequence[ScheduledRow]:
    """What is still to be done in a game, soonest first."""
    statement = select(ScheduledRow).where(ScheduledRow.game_id == game_id, ScheduledRow.done_at.is_(None))
    return session.scalars(statement.order_by(ScheduledRow.due_at, ScheduledRow.id)).all()


def add_diary_entry(session: Session, seat_id: int, phase_id: int | None, body: str, now: datetime) -> DiaryRow:
    """An entry in a seat's diary."""
    entry = DiaryRow(seat_id=seat_id, phase_id=phase_id, body=body, written_at=now)
    session.add(entry)
    session.flush()
    return entry


def diary_of(session: Session, seat_id: int) -> Sequence[DiaryRow]:
    """A seat's diary, in the order written."""
    return session.scalars(select(DiaryRow).where(DiaryRow.seat_id == seat_id).order_by(DiaryRow.id)).all()


def diaries_of(session: Session, game_id: int) -> Sequence[tuple[SeatRow, DiaryRow]]:
    """Every entry of a game with its seat, in the order written."""
    statement = (
        select(SeatRow, DiaryRow).join(DiaryRow, DiaryRow.seat_id == SeatRow.id).where(SeatRow.game_id == game_id)
    )
    return session.execute(statement.order_by(DiaryRow.id)).all()
