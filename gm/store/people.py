"""What is kept of people beside their games: absences, turnout, stand-by lists, invitations. Tables and look-ups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.accounts import normal
from gm.store.claims import add_once
from gm.store.tables import Base


class AbsenceRow(Base):
    """A time in which a person is away."""

    __tablename__ = "absence"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    begins: Mapped[datetime]
    ends: Mapped[datetime]
    told_at: Mapped[datetime]
    cancelled_at: Mapped[datetime | None]


class StandbyRow(Base):
    """A person who would take over a vacant seat, and where asking him has got to."""

    __tablename__ = "standby"
    __table_args__ = (UniqueConstraint("game_id", "account_id"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    listed_at: Mapped[datetime]
    asked_seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"))
    asked_at: Mapped[datetime | None]


class InvitationRow(Base):
    """An address that the gamemaster has invited, for a power or for any."""

    __tablename__ = "invitation"
    __table_args__ = (UniqueConstraint("game_id", "email"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    email: Mapped[str]
    power: Mapped[str | None]
    invited_at: Mapped[datetime]


class TurnoutRow(Base):
    """Whether a person's orders for a phase came on time, late (in the time of grace), missed, or missed and
    excused (he had told that he is away, or the phase was closed before its deadline)."""

    __tablename__ = "turnout"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    came: Mapped[str]
    noted_at: Mapped[datetime]


# absences


def add_absence(session: Session, account_id: int, begins: datetime, ends: datetime, now: datetime) -> AbsenceRow:
    """The person is away from `begins` to `ends`."""
    row = AbsenceRow(account_id=account_id, begins=begins, ends=ends, told_at=now)
    session.add(row)
    session.flush()
    return row


def absences_of(session: Session, account_ids: Iterable[int], now: datetime) -> Sequence[AbsenceRow]:
    """The absences of these people that are not over, soonest first."""
    statement = select(AbsenceRow).where(
        AbsenceRow.account_id.in_(list(account_ids)), AbsenceRow.cancelled_at.is_(None), AbsenceRow.ends > now
    )
    return session.scalars(statement.order_by(AbsenceRow.begins, AbsenceRow.id)).all()


# turnout


def note_turnout(session: Session, *, phase_id: int, seat_id: int, account_id: int, came: str, now: datetime) -> None:
    """How a person's orders for a phase came: `on time`, `late`, `missed` or `excused`; once."""
    add_once(session, TurnoutRow, phase_id=phase_id, seat_id=seat_id, account_id=account_id, came=came, noted_at=now)


def turnout_of(session: Session, account_ids: Iterable[int]) -> Mapping[int, Mapping[str, int]]:
    """How often each of these people came on time, late and not at all, over all games."""
    found: dict[int, dict[str, int]] = {account_id: {} for account_id in account_ids}
    statement = (
        select(TurnoutRow.account_id, TurnoutRow.came, func.count())
        .where(TurnoutRow.account_id.in_(list(found)))
        .group_by(TurnoutRow.account_id, TurnoutRow.came)
    )
    for account_id, came, number in session.execute(statement):
        found[account_id][came] = number
    return found


def missed_in_a_row(session: Session, seat_id: int, account_id: int) -> int:
    """How many phases in a row this person has missed at this seat, up to now."""
    statement = select(TurnoutRow.came).where(TurnoutRow.seat_id == seat_id, TurnoutRow.account_id == account_id)
    missed = 0
    for came in session.scalars(statement.order_by(TurnoutRow.id.desc())):
        if came != "missed":
            break
        missed += 1
    return missed


# stand-by


def add_standby(session: Session, game_id: int, account_id: int, now: datetime) -> StandbyRow | None:
    """Put a person at the end of a game's list; None when he is on it."""
    return add_once(session, StandbyRow, game_id=game_id, account_id=account_id, listed_at=now)


def standbys_of(session: Session, game_id: int) -> Sequence[StandbyRow]:
    """A game's list, in the order of entering it."""
    return session.scalars(select(StandbyRow).where(StandbyRow.game_id == game_id).order_by(StandbyRow.id)).all()


def standby_of(session: Session, game_id: int, account_id: int) -> StandbyRow | None:
    """A person's entry in a game's list."""
    return session.scalar(select(StandbyRow).where(StandbyRow.game_id == game_id, StandbyRow.account_id == account_id))


def standby_entries_of(session: Session, account_id: int) -> Sequence[StandbyRow]:
    """A person's entries in the lists of all games."""
    return session.scalars(select(StandbyRow).where(StandbyRow.account_id == account_id)).all()


def remove_standby(session: Session, row: StandbyRow) -> None:
    """Take somebody off the list."""
    session.delete(row)
    session.flush()


# invitations


def invite(session: Session, game_id: int, email: str, power: str | None, now: datetime) -> InvitationRow:
    """This address is invited, for this power from now on."""
    row = invitation_of(session, game_id, (email,))
    if row is None:
        row = InvitationRow(game_id=game_id, email=normal(email), power=power, invited_at=now)
        session.add(row)
    row.power = power
    session.flush()
    return row


def invitation_of(session: Session, game_id: int, emails: Iterable[str]) -> InvitationRow | None:
    """The invitation of whoever has one of these addresses."""
    wanted = [normal(email) for email in emails]
    return session.scalar(
        select(InvitationRow).where(InvitationRow.game_id == game_id, InvitationRow.email.in_(wanted))
    )


def invitations_of(session: Session, game_id: int) -> Sequence[InvitationRow]:
    """Everybody invited to a game."""
    return session.scalars(
        select(InvitationRow).where(InvitationRow.game_id == game_id).order_by(InvitationRow.id)
    ).all()
