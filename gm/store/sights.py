"""Who has held which seat in which phase, and so has known its secrets."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ForeignKey, UniqueConstraint, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.game_rows import GameRow, GameState, SeatRow
from gm.store.people import AddressHistoryRow
from gm.store.rows import Base, add_once


class SightRow(Base):
    """Somebody has held this seat, as this power, when this phase was the newest that had been opened, and has given it
    up; or the game has left its phase then without its adjudication, for another one. Without a phase the game had not
    begun. The number of their account stays when they are forgotten.
    """

    __tablename__ = "sight"
    __table_args__ = (UniqueConstraint("account_id", "seat_id", "phase_id"),)

    account_id: Mapped[int]
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"))
    power: Mapped[str | None]


class Held(NamedTuple):
    """A seat that somebody has held, the phase until which they have seen what it sees (None: the game had not begun),
    and its power then.
    """

    seat_id: int
    phase_id: int | None
    power: str | None


def note(session: Session, account_id: int, seat_id: int, phase_id: int | None, power: str | None) -> None:
    """This person has held the seat when this phase was the newest."""
    add_once(session, SightRow, account_id=account_id, seat_id=seat_id, phase_id=phase_id, power=power)


def of(session: Session, game_id: int, accounts: Collection[int]) -> Sequence[Held]:
    """What the person with these accounts has held in the game, in the order in which they gave it up."""
    rows = select(SightRow.seat_id, SightRow.phase_id, SightRow.power).join(SeatRow, SeatRow.id == SightRow.seat_id)
    mine = rows.where(SeatRow.game_id == game_id, SightRow.account_id.in_(accounts))
    found = session.execute(mine.order_by(SightRow.phase_id, SightRow.id))
    return list(dict.fromkeys(Held(row.seat_id, row.phase_id, row.power) for row in found))


def last_of(session: Session, seat_id: int) -> int | None:
    """The account of who has given the seat up last."""
    newest = select(SightRow.account_id).where(SightRow.seat_id == seat_id).order_by(SightRow.id.desc()).limit(1)
    return session.scalar(newest)


def pass_on(session: Session, seats: Mapping[int, int]) -> None:
    """What was seen at each of these seats was seen at the other one."""
    for row in session.scalars(select(SightRow).where(SightRow.seat_id.in_(seats))).all():
        values = {"account_id": row.account_id, "phase_id": row.phase_id, "power": row.power}
        add_once(session, SightRow, seat_id=seats[row.seat_id], **values)
        session.delete(row)
    session.flush()


def forget_left(session: Session) -> None:
    """Delete what is known of the addresses that people have removed, or had before they were forgotten, unless they
    hold, or have held, a seat in a game that is not over.
    """
    history = AddressHistoryRow
    left = set(session.scalars(select(history.account_id).where(history.left_at.is_not(None)).distinct()))
    if not left:
        return
    going_on = GameRow.state.in_((GameState.FORMING, GameState.RUNNING))
    in_games = select(SeatRow.account_id).join(GameRow, GameRow.id == SeatRow.game_id).where(going_on)
    holding = set(session.scalars(in_games.where(SeatRow.account_id.in_(left))))
    seen = select(SightRow.account_id).join(SeatRow, SeatRow.id == SightRow.seat_id)
    seen = seen.join(GameRow, GameRow.id == SeatRow.game_id).where(going_on, SightRow.account_id.in_(left))
    done = left - holding - set(session.scalars(seen))
    session.execute(delete(history).where(history.account_id.in_(done), history.left_at.is_not(None)))
