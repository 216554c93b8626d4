"""What a game leaves in words: press, votes, diaries, and the log of what was done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.game_rows import SeatRow
from gm.store.rows import Base, add_all_once, add_once, claiming


class PressRow(Base):
    """A message between seats of a game. `to`: powers, or "ALL" or "GM". `manner`: how it was sent, in words of
    `gm.parsing.text_blocks.MANNERS` with blanks between; empty or None for plain white press.
    """

    __tablename__ = "press"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"), index=True)
    from_seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    to: Mapped[list[str]] = mapped_column("to_powers")
    body: Mapped[str]
    sent_at: Mapped[datetime]
    manner: Mapped[str | None]


class VoteRow(Base):
    """What a seat has voted in a phase; voting again replaces it."""

    __tablename__ = "vote"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id", "kind"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    kind: Mapped[str]
    value: Mapped[str]
    cast_at: Mapped[datetime]


class DiaryRow(Base):
    """A player's note to themselves; everybody reads it when the game is over."""

    __tablename__ = "diary"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"))
    body: Mapped[str]
    written_at: Mapped[datetime]


class LogRow(Base):
    """What was done, by whom, when. Rows are added and never changed; the database refuses anything else."""

    __tablename__ = "log"

    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id"), index=True)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"))
    kind: Mapped[str]
    detail: Mapped[dict[str, Any]]
    at: Mapped[datetime]


# press


def add_press(
    session: Session,
    *,
    game_id: int,
    phase_id: int | None,
    from_seat_id: int,
    to: Sequence[str],
    body: str,
    now: datetime,
    manner: str | None = None,
) -> PressRow:
    """A message that was sent to these powers (or "ALL", "GM")."""
    press = PressRow(
        game_id=game_id,
        phase_id=phase_id,
        from_seat_id=from_seat_id,
        to=list(to),
        body=body,
        sent_at=now,
        manner=manner,
    )
    session.add(press)
    session.flush()
    return press


def press_of(session: Session, game_id: int, phase_id: int | None = None) -> Sequence[PressRow]:
    """The press of a game (of one phase, when named), in the order it was sent."""
    statement = select(PressRow).where(PressRow.game_id == game_id).order_by(PressRow.id)
    return session.scalars(statement if phase_id is None else statement.where(PressRow.phase_id == phase_id)).all()


def press_by_id(session: Session, press_id: int) -> PressRow | None:
    """A message."""
    return session.get(PressRow, press_id)


def newest_press(session: Session, game_id: int, limit: int) -> Sequence[PressRow]:
    """The newest messages of a game, newest first."""
    statement = select(PressRow).where(PressRow.game_id == game_id).order_by(PressRow.id.desc())
    return session.scalars(statement.limit(limit)).all()


# votes


def cast_vote(session: Session, *, phase_id: int, seat_id: int, kind: str, value: str, now: datetime) -> VoteRow:
    """The seat's vote of this kind in this phase from now on."""
    vote = add_once(session, VoteRow, phase_id=phase_id, seat_id=seat_id, kind=kind, value=value, cast_at=now)
    if vote is not None:
        return vote
    cast = select(VoteRow).where(VoteRow.phase_id == phase_id, VoteRow.seat_id == seat_id, VoteRow.kind == kind)
    vote = session.scalars(claiming(cast, wait=True)).one()
    vote.value, vote.cast_at = value, now
    session.flush()
    return vote


def votes_of(session: Session, phase_id: int, kind: str) -> dict[int, str]:
    """The votes of a kind in a phase, by seat id."""
    rows = session.execute(
        select(VoteRow.seat_id, VoteRow.value).where(VoteRow.phase_id == phase_id, VoteRow.kind == kind)
    )
    return dict(rows.all())


def votes_by(session: Session, phase_id: int, seat_id: int) -> dict[str, str]:
    """What a seat has voted in a phase, by kind."""
    rows = session.execute(
        select(VoteRow.kind, VoteRow.value).where(VoteRow.phase_id == phase_id, VoteRow.seat_id == seat_id)
    )
    return dict(rows.all())


def change_votes(
    session: Session, phase_id: int, kind: str, seat_ids: Iterable[int], value: str, now: datetime
) -> None:
    """The votes of this kind that these seats have cast in a phase have this value from now on."""
    cast = update(VoteRow).where(VoteRow.phase_id == phase_id, VoteRow.kind == kind, VoteRow.seat_id.in_(seat_ids))
    session.execute(cast.values(value=value, cast_at=now))


def copy_votes(session: Session, before: int, phase_id: int, kinds: Iterable[str], now: datetime) -> None:
    """The votes of these kinds in one phase are cast in another too."""
    cast = select(VoteRow.seat_id, VoteRow.kind, VoteRow.value).where(
        VoteRow.phase_id == before, VoteRow.kind.in_(kinds)
    )
    rows = [
        {"phase_id": phase_id, "seat_id": seat_id, "kind": kind, "value": value, "cast_at": now}
        for seat_id, kind, value in session.execute(cast)
    ]
    add_all_once(session, VoteRow, rows)


# diaries


def add_diary_entry(session: Session, seat_id: int, phase_id: int | None, body: str, now: datetime) -> DiaryRow:
    """An entry in a seat's diary."""
    entry = DiaryRow(seat_id=seat_id, phase_id=phase_id, body=body, written_at=now)
    session.add(entry)
    session.flush()
    return entry


def diary_of(session: Session, seat_id: int) -> Sequence[DiaryRow]:
    """A seat's diary, in the order written."""
    return session.scalars(select(DiaryRow).where(DiaryRow.seat_id == seat_id).order_by(DiaryRow.id)).all()


def diaries_of(session: Session, game_id: int) -> Sequence[DiaryRow]:
    """Every entry of a game, in the order written."""
    of_game = select(DiaryRow).join(SeatRow, DiaryRow.seat_id == SeatRow.id).where(SeatRow.game_id == game_id)
    return session.scalars(of_game.order_by(DiaryRow.id)).all()


# the log


def note(
    session: Session,
    kind: str,
    now: datetime,
    *,
    game_id: int | None = None,
    seat_id: int | None = None,
    detail: Mapping[str, Any] | None = None,
) -> LogRow:
    """Write into the log what was done, by which seat (None: the server or the operator); for ever."""
    row = LogRow(game_id=game_id, seat_id=seat_id, kind=kind, detail=dict(detail or {}), at=now)
    session.add(row)
    session.flush()
    return row


def log_of(session: Session, game_id: int | None, limit: int | None = None) -> Sequence[LogRow]:
    """The log of a game (None: of what belongs to no game), newest first."""
    statement = select(LogRow).where(LogRow.game_id == game_id if game_id is not None else LogRow.game_id.is_(None))
    return session.scalars(statement.order_by(LogRow.id.desc()).limit(limit)).all()


def log_of_kind(session: Session, kind: str) -> Sequence[LogRow]:
    """What happened of this kind outside any game, oldest first."""
    statement = select(LogRow).where(LogRow.game_id.is_(None), LogRow.kind == kind)
    return session.scalars(statement.order_by(LogRow.id)).all()
