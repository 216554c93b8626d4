"""Names that a player gives to places for himself (ALIAS): table and look-ups."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import ForeignKey, UniqueConstraint, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.tables import Base


class PrivateNameRow(Base):
    """A name, as it was written, that stands for a place, by its code, in the mails of one seat."""

    __tablename__ = "private_name"
    __table_args__ = (UniqueConstraint("seat_id", "name"),)

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    name: Mapped[str]
    place: Mapped[str]


def private_names(session: Session, seat_id: int) -> Mapping[str, str]:
    """The places by the names that the seat gave them, in alphabetical order."""
    rows = session.scalars(
        select(PrivateNameRow).where(PrivateNameRow.seat_id == seat_id).order_by(PrivateNameRow.name)
    )
    return {row.name: row.place for row in rows}


def keep(session: Session, seat_id: int, name: str, place: str) -> None:
    """Give a place a name, in place of what the name stood for before."""
    forget(session, seat_id, name)
    session.add(PrivateNameRow(seat_id=seat_id, name=name, place=place))
    session.flush()


def forget(session: Session, seat_id: int, name: str) -> None:
    """Take a name away."""
    session.execute(delete(PrivateNameRow).where(PrivateNameRow.seat_id == seat_id, PrivateNameRow.name == name))
