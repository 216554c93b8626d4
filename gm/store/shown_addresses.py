"""Earlier addresses of seats, and who held the seats then."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ForeignKey, bindparam, delete, select, union_all
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.game_rows import SeatRow
from gm.store.rows import SEATS, Base, add_once, read


class ShownAddressRow(Base):
    """An earlier address of a seat: others may have seen it, or the seat is another's now. It counts for who held the
    seat then, as long as they hold it.
    """

    __tablename__ = "shown_address"

    token_hash: Mapped[str] = mapped_column(unique=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))


def show_address(session: Session, token_hash: str, seat_id: int, account_id: int) -> None:
    """This address of a seat was this person's, and is replaced."""
    add_once(session, ShownAddressRow, token_hash=token_hash, seat_id=seat_id, account_id=account_id)


_WITH = union_all(
    *(
        select(row).where(hashed == bindparam("token"))
        for row, hashed in ((SeatRow.id, SeatRow.token_hash), (ShownAddressRow.seat_id, ShownAddressRow.token_hash))
    )
).limit(1)


_KEPT = 10_000
"""The most seats that are kept."""


def seat_with(session: Session, token_hash: str) -> int | None:
    """The seat whose address has this token, or had it before. One that was found is not looked up again, since a token
    never becomes another seat's.
    """
    known: dict[str, int] = session.info.get(SEATS, {})
    seat = known.get(token_hash)
    if seat is None and (seat := read(session, _WITH, {"token": token_hash}).scalar()) is not None:
        known[token_hash] = seat
        if len(known) > _KEPT:
            known.pop(next(iter(known)), None)
    return seat


def holders_of(session: Session, seat_ids: Collection[int]) -> set[int]:
    """The accounts of those who have held one of these seats and given it up."""
    held = select(ShownAddressRow.account_id).where(ShownAddressRow.seat_id.in_(seat_ids))
    return set(session.scalars(held.distinct()))


def forget(session: Session, seat_ids: Collection[int]) -> None:
    """The earlier addresses of these seats are void."""
    session.execute(delete(ShownAddressRow).where(ShownAddressRow.seat_id.in_(seat_ids)))
