"""Who has held which seat in which phase, and so has known its secrets."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ForeignKey, UniqueConstraint, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.game_rows import SeatRow
from gm.store.rows import Base, add_once


class SightRow(Base):
    """Somebody has held this seat in this phase, and has given it up. `who` is the mark of a person or of one of their
    addresses (`gm.games.sight`), so that it is still known of somebody who has deleted their account and comes again.
    """

    __tablename__ = "sight"
    __table_args__ = (UniqueConstraint("who", "seat_id", "phase_id"),)

    who: Mapped[str]
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))


class Held(NamedTuple):
    """A seat that somebody has held, and the phase in which they gave it up."""

    seat_id: int
    phase_id: int


def note(session: Session, marks: Collection[str], seat_id: int, phase_id: int) -> None:
    """The person with these marks gives the seat up in this phase."""
    for who in marks:
        add_once(session, SightRow, who=who, seat_id=seat_id, phase_id=phase_id)


def of(session: Session, game_id: int, marks: Collection[str]) -> Sequence[Held]:
    """What the person with these marks has held in the game, in the order in which they gave it up."""
    rows = select(SightRow.seat_id, SightRow.phase_id).join(SeatRow, SeatRow.id == SightRow.seat_id)
    mine = rows.where(SeatRow.game_id == game_id, SightRow.who.in_(marks)).order_by(SightRow.phase_id, SightRow.id)
    return [Held(*row) for row in dict.fromkeys(map(tuple, session.execute(mine)))]


def forget(session: Session, seat_ids: Collection[int]) -> None:
    """Nobody has held these seats: the game begins again, and deals anew."""
    session.execute(delete(SightRow).where(SightRow.seat_id.in_(seat_ids)))
