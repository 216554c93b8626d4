"""People: accounts and their mail addresses, absences, turnout, standby lists, invitations and blocked mail.

An address belongs to one person and is compared in lower case.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    Select,
    UniqueConstraint,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.game_rows import PhaseRow
from gm.store.rows import Base, add_all_once, add_once, added, claiming, storable


class AccountRow(Base):
    """A person and their preferences for mail: `zone` is "" until they choose one; `maps` and `calendar` are "none"
    for mails without maps or calendar files, otherwise None; `json` is "yes" for turns as JSON, otherwise None;
    `receipts` is "map" for receipts with the orders on a map; `remind` is how long before a deadline reminders are sent
    (None: the game's own setting); `digest` is the time of day of their one mail a day (`07:00`), None for mails at
    once; `wishes` lists the powers they like to play, as they wrote them; `signature` is another name that they sign
    with; `proved_at` is when it was first certain that they had written, or None.
    """

    __tablename__ = "account"

    name: Mapped[str]
    zone: Mapped[str]
    html: Mapped[bool]
    created_at: Mapped[datetime]
    maps: Mapped[str | None]
    calendar: Mapped[str | None]
    json: Mapped[str | None]
    receipts: Mapped[str | None]
    remind: Mapped[str | None]
    digest: Mapped[str | None]
    wishes: Mapped[str | None]
    signature: Mapped[str | None]
    proved_at: Mapped[datetime | None]
    digest_seen_at: Mapped[datetime | None]
    """When others last saw the address of a digest of theirs."""
    desk: Mapped[str | None]
    """The time of day at which they are told what waits for them in the games that they run; None for never."""
    desk_at: Mapped[datetime | None] = mapped_column(index=True)
    """When they are told next."""


class AddressRow(Base):
    """A mail address of a person, in lower case. Mail goes to the address preferred last, otherwise to the
    first one."""

    __tablename__ = "address"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    email: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    preferred_at: Mapped[datetime | None]


class AddressHistoryRow(Base):
    """An address is a person's, or (with `left_at`) was until then. `who` is its hash, so that the row has no name.

    Whoever has known a secret of a game is known by every address that they had, also when they have removed it or
    have been forgotten, until their games are over.
    """

    __tablename__ = "address_history"
    __table_args__ = (UniqueConstraint("who", "account_id"),)

    who: Mapped[str]
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    left_at: Mapped[datetime | None]


class AbsenceRow(Base):
    """A period in which a person is away. It moves deadlines of the `only_game` that they had when they announced it,
    if its players are not known to each other; None: of games in which they are.
    """

    __tablename__ = "absence"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    begins: Mapped[datetime]
    ends: Mapped[datetime]
    told_at: Mapped[datetime]
    only_game: Mapped[int | None]
    cancelled_at: Mapped[datetime | None]


class TurnoutRow(Base):
    """How a person's orders for a phase came: on time, late (in the time of grace), missed, or excused (missed, but the
    absence was announced or the phase was closed before its deadline).
    """

    __tablename__ = "turnout"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    came: Mapped[str]
    noted_at: Mapped[datetime]


class StandbyRow(Base):
    """A person on a game's standby list, and the vacant seat they were asked to take, if any."""

    __tablename__ = "standby"
    __table_args__ = (UniqueConstraint("game_id", "account_id"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    listed_at: Mapped[datetime]
    asked_seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"))
    asked_at: Mapped[datetime | None]


class InvitationRow(Base):
    """An address that the gamemaster has invited, for one power or for any."""

    __tablename__ = "invitation"
    __table_args__ = (UniqueConstraint("game_id", "email"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    email: Mapped[str]
    power: Mapped[str | None]
    invited_at: Mapped[datetime]


class BlockRow(Base):
    """Mail that a person does not want. `who` is the SHA-256 of their address, so that the row does not reveal it."""

    __tablename__ = "block"
    __table_args__ = (UniqueConstraint("who", "what"),)

    who: Mapped[str]
    what: Mapped[str]
    since: Mapped[datetime]


# accounts and addresses


def normal(email: str) -> str:
    """An address in the form that is stored: in lower case."""
    return email.strip().lower()


_BY_EMAIL = select(AddressRow.id).where(AddressRow.email == bindparam("email"))


def unnamed(number: int) -> str:
    """The name of a person who has given none."""
    return f"Player {number}"


def is_unnamed(name: str) -> bool:
    """Whether this is such a name, which people cannot give themselves."""
    return name.startswith("Player ") and name.removeprefix("Player ").isdecimal()


def create_account(
    session: Session, *, email: str, name: str, now: datetime, zone: str = "", html: bool = True
) -> AccountRow | None:
    """Create an account with its first address; None, and nothing is written, when the address belongs to somebody
    already.
    """
    if session.scalar(_BY_EMAIL, {"email": normal(email)}) is not None:
        return None
    account = AccountRow(name=name, zone=zone, html=html, created_at=now)
    session.add(account)
    session.flush()
    if add_address(session, account.id, email, now) is None:
        session.delete(account)
        session.flush()
        return None
    return account


def add_address(session: Session, account_id: int, email: str, now: datetime) -> AddressRow | None:
    """Add an address to a person; None when it belongs to somebody already, even to the same person."""
    added_now = add_once(session, AddressRow, account_id=account_id, email=normal(email), created_at=now)
    if added_now is not None:
        add_once(session, AddressHistoryRow, account_id=account_id, who=address_hash(email))
        _mark_left(session, account_id, address_hash(email), None)
    return added_now


def prefer_address(session: Session, account_id: int, email: str, now: datetime) -> bool:
    """Send the person's mail to this address from now on; False when the address is not theirs."""
    return _on_address(session, account_id, email, lambda address: setattr(address, "preferred_at", now))


def remove_address(session: Session, account_id: int, email: str, now: datetime) -> bool:
    """Remove an address from a person, who must have another; False when it was not theirs."""
    removed = _on_address(session, account_id, email, session.delete)
    if removed:
        _mark_left(session, account_id, address_hash(email), now)
    return removed


def _mark_left(session: Session, account_id: int, who: str, at: datetime | None) -> None:
    mine = AddressHistoryRow.account_id == account_id, AddressHistoryRow.who == who
    session.execute(update(AddressHistoryRow).where(*mine).values(left_at=at))


def same_person(session: Session, account_id: int | None, emails: Iterable[str]) -> set[int]:
    """The accounts of somebody with this one (None: without) who writes from these addresses, at any time. An address
    that one account had and another has joins them.
    """
    return _joined(session, account_id, emails)[0]


def _joined(session: Session, account_id: int | None, emails: Iterable[str]) -> tuple[set[int], set[str]]:
    """The accounts of one person, and what is stored of their addresses."""
    accounts = {account_id} if account_id is not None else set()
    marks = set(map(address_hash, emails))
    row = AddressHistoryRow
    while True:
        found = session.execute(
            select(row.account_id, row.who).where(or_(row.account_id.in_(accounts), row.who.in_(marks)))
        ).all()
        known = len(accounts) + len(marks)
        accounts |= {account for account, _ in found}
        marks |= {who for _, who in found}
        if known == len(accounts) + len(marks):
            return accounts, marks


def _on_address(session: Session, account_id: int, email: str, change: Callable[[AddressRow], object]) -> bool:
    address = session.scalar(
        select(AddressRow).where(AddressRow.account_id == account_id, AddressRow.email == normal(email))
    )
    if address is None:
        return False
    change(address)
    session.flush()
    return True


def erase(session: Session, account_id: int, now: datetime) -> None:
    """Delete everything about a person except a row without a name, which the records of games refer to, and, while
    their games go on, the hashes of their addresses."""
    session.execute(delete(AddressRow).where(AddressRow.account_id == account_id))
    mine = AddressHistoryRow.account_id == account_id, AddressHistoryRow.left_at.is_(None)
    session.execute(update(AddressHistoryRow).where(*mine).values(left_at=now))
    session.execute(delete(StandbyRow).where(StandbyRow.account_id == account_id))
    away = update(AbsenceRow).where(AbsenceRow.account_id == account_id, AbsenceRow.cancelled_at.is_(None))
    session.execute(away.values(cancelled_at=now))
    chosen = ("wishes", "signature", "remind", "digest", "maps", "calendar", "json", "receipts", "desk", "desk_at")
    nobody = {"name": "somebody", "zone": "", **dict.fromkeys(chosen)}
    update_account(session, account_id, nobody)


def update_account(session: Session, account_id: int, values: Mapping[str, Any]) -> None:
    """Write new preferences of a person."""
    session.connection().execute(update(AccountRow).where(AccountRow.id == account_id).values(values))


NEXT_DESK = select(func.min(AccountRow.desk_at))
"""When the next gamemaster is to be told what waits for them."""


def desk_due(session: Session, now: datetime) -> int | None:
    """The account of a gamemaster who is to be told by now what waits for them, claimed; None if there is none."""
    due = select(AccountRow).where(AccountRow.desk_at <= now).order_by(AccountRow.desk_at)
    row = session.scalars(claiming(due)).first()
    return row.id if row is not None else None


# absences


def add_absence(
    session: Session, account_id: int, begins: datetime, ends: datetime, now: datetime, *, only_game: int | None = None
) -> AbsenceRow:
    """Record that the person is away from `begins` to `ends`."""
    of = {"account_id": account_id, "only_game": only_game}
    return added(session, AbsenceRow(begins=begins, ends=ends, told_at=now, **of))


def absences_of(session: Session, account_ids: Iterable[int], now: datetime) -> Sequence[AbsenceRow]:
    """The absences of these people that are not over yet, soonest first."""
    statement = select(AbsenceRow).where(
        AbsenceRow.account_id.in_(list(account_ids)), AbsenceRow.cancelled_at.is_(None), AbsenceRow.ends > now
    )
    return session.scalars(statement.order_by(AbsenceRow.begins, AbsenceRow.id)).all()


# turnout


def note_turnout(
    session: Session, phase_id: int, holders: Mapping[int, int], came: Mapping[int, str], now: datetime
) -> None:
    """Record how the orders of each seat came for a phase, once: `on time`, `late`, `missed` or `excused`. `holders`
    are the account ids by seat id.
    """
    add_all_once(
        session,
        TurnoutRow,
        [
            {"phase_id": phase_id, "seat_id": seat_id, "account_id": holders[seat_id], "came": how, "noted_at": now}
            for seat_id, how in came.items()
        ],
    )


def pass_turnout_on(session: Session, phase_id: int, to: int, but: Iterable[int]) -> None:
    """Let what was recorded for a phase, but for these seats, count for the phase `to`, in which it is played again."""
    rows = update(TurnoutRow).where(TurnoutRow.phase_id == phase_id, TurnoutRow.seat_id.not_in(list(but)))
    session.execute(rows.values(phase_id=to))


def forget_turnout(session: Session, game_id: int, code: str, but: int) -> None:
    """Delete what was recorded for a phase that has been played again since, as `but`."""
    earlier = select(PhaseRow.id).where(PhaseRow.game_id == game_id, PhaseRow.code == code, PhaseRow.id != but)
    session.execute(delete(TurnoutRow).where(TurnoutRow.phase_id.in_(earlier)))


def turnout_of(session: Session, account_ids: Iterable[int]) -> Mapping[int, Mapping[str, int]]:
    """How often each of these people was on time, late, and missing, in all games."""
    found: dict[int, dict[str, int]] = {account_id: {} for account_id in account_ids}
    for account_id, came, number in session.execute(_turnout(found, TurnoutRow.account_id, TurnoutRow.came)):
        found[account_id][came] = number
    return found


def turnout_by_game(session: Session, account_ids: Iterable[int]) -> Mapping[tuple[int, int], Mapping[str, int]]:
    """The same by person and game."""
    found: dict[tuple[int, int], dict[str, int]] = {}
    statement = _turnout(account_ids, TurnoutRow.account_id, PhaseRow.game_id, TurnoutRow.came)
    for account_id, game_id, came, number in session.execute(statement):
        found.setdefault((account_id, game_id), {})[came] = number
    return found


def _turnout(account_ids: Iterable[int], *by: Any) -> Select[Any]:
    """How often it was so, by these columns, in phases that were adjudicated: one that was closed may open again."""
    counted = select(*by, func.count()).join(PhaseRow, PhaseRow.id == TurnoutRow.phase_id)
    theirs = TurnoutRow.account_id.in_(list(account_ids)), PhaseRow.adjudicated_at.is_not(None)
    return counted.where(*theirs).group_by(*by)


_NEWEST_FIRST = (
    select(
        *(TurnoutRow.seat_id, TurnoutRow.account_id, TurnoutRow.came),
        func.row_number()
        .over(partition_by=(TurnoutRow.seat_id, TurnoutRow.account_id), order_by=TurnoutRow.id.desc())
        .label("place"),
    )
    .where(TurnoutRow.seat_id.in_(bindparam("seats", expanding=True)))
    .subquery()
)
_MISSED = (
    select(_NEWEST_FIRST.c.seat_id, _NEWEST_FIRST.c.account_id)
    .where(_NEWEST_FIRST.c.place <= bindparam("times"))
    .group_by(_NEWEST_FIRST.c.seat_id, _NEWEST_FIRST.c.account_id)
    .having(func.sum(case((_NEWEST_FIRST.c.came == "missed", 1), else_=0)) == bindparam("times"))
)


def missed_in_a_row(session: Session, seat_ids: Iterable[int], times: int) -> set[tuple[int, int]]:
    """The seats and accounts that have missed their last `times` phases in a row, counting only phases with something
    to order.
    """
    return {(seat, person) for seat, person in session.execute(_MISSED, {"seats": list(seat_ids), "times": times})}


# stand-by


def add_standby(session: Session, game_id: int, account_id: int, now: datetime) -> StandbyRow | None:
    """Add a person at the end of a game's standby list; None when they are already on it."""
    return add_once(session, StandbyRow, game_id=game_id, account_id=account_id, listed_at=now)


def standbys_of(session: Session, game_id: int) -> Sequence[StandbyRow]:
    """A game's standby list, in the order of joining."""
    return session.scalars(select(StandbyRow).where(StandbyRow.game_id == game_id).order_by(StandbyRow.id)).all()


def count_standbys(session: Session, game_ids: Iterable[int]) -> Mapping[int, int]:
    """The length of each of these games' standby lists; games without one are left out."""
    listed = select(StandbyRow.game_id, func.count()).where(StandbyRow.game_id.in_(list(game_ids)))
    return dict(session.execute(listed.group_by(StandbyRow.game_id)).all())


def standby_of(session: Session, game_id: int, account_id: int) -> StandbyRow | None:
    """A person's entry in a game's standby list; None if they are not on it."""
    return session.scalar(select(StandbyRow).where(StandbyRow.game_id == game_id, StandbyRow.account_id == account_id))


def remove_standby(session: Session, game_id: int, account_id: int) -> None:
    """Remove a person from a game's standby list, if they are on it."""
    session.execute(delete(StandbyRow).where(StandbyRow.game_id == game_id, StandbyRow.account_id == account_id))


# invitations


def invite(session: Session, game_id: int, email: str, power: str | None, now: datetime) -> InvitationRow:
    """Invite this address, for this power or (None) for any; replaces an earlier invitation."""
    row = invitation_of(session, game_id, (email,))
    if row is None:
        row = InvitationRow(game_id=game_id, email=normal(email), power=power, invited_at=now)
        session.add(row)
    row.power, row.invited_at = power, now
    session.flush()
    return row


def invitation_of(session: Session, game_id: int, emails: Iterable[str]) -> InvitationRow | None:
    """The invitation to one of these addresses of a person; None if there is none."""
    wanted = list(map(normal, emails))
    return session.scalar(
        select(InvitationRow).where(InvitationRow.game_id == game_id, InvitationRow.email.in_(wanted))
    )


_MINE = select(InvitationRow).where(
    InvitationRow.game_id.in_(bindparam("games", expanding=True)),
    InvitationRow.email.in_(bindparam("emails", expanding=True)),
)


def invitations_to(session: Session, emails: Iterable[str], games: Iterable[int]) -> Mapping[int, str | None]:
    """The power of each invitation to one of these addresses of a person, by game, among these games."""
    key = {"games": list(games), "emails": list(map(normal, emails))}
    return {row.game_id: row.power for row in session.scalars(_MINE, key)} if key["games"] else {}


def withdraw_invitation(session: Session, game_id: int, emails: Iterable[str]) -> None:
    """Forget that these addresses of a person were invited to a game."""
    wanted = list(map(normal, emails))
    session.execute(delete(InvitationRow).where(InvitationRow.game_id == game_id, InvitationRow.email.in_(wanted)))


def invitations_of(session: Session, game_id: int) -> Sequence[InvitationRow]:
    """All invitations to a game."""
    return session.scalars(
        select(InvitationRow).where(InvitationRow.game_id == game_id).order_by(InvitationRow.id)
    ).all()


# mail that is not wanted


ALL_MAIL = "all"
"""What others can have sent to a person."""
UNPROVED = "unproved"
"""Answers to mail that only bears their name, and questions whether they wrote it."""
INVITATIONS = "invitations"
"""Invitations to any game; for one game, its id follows this word."""


def block(session: Session, who: str, what: str, now: datetime) -> None:
    """Record that a person does not want this kind of mail any more."""
    add_once(session, BlockRow, who=address_hash(who), what=what, since=now)


class JoinedRow(Base):
    """When somebody last took a player's seat in a game, whether or not they still have it."""

    __tablename__ = "joined"
    __table_args__ = (UniqueConstraint("game_id", "account_id"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    at: Mapped[datetime]


def took_seat(session: Session, game_id: int, account_id: int, now: datetime) -> None:
    """Note that somebody takes a player's seat."""
    add_once(session, JoinedRow, game_id=game_id, account_id=account_id, at=now)
    mine = JoinedRow.game_id == game_id, JoinedRow.account_id == account_id
    session.execute(update(JoinedRow).where(*mine).values(at=now))


def joined(session: Session, game_id: int) -> Mapping[int, datetime]:
    """When everybody last took a player's seat in a game, by account."""
    rows = session.execute(select(JoinedRow.account_id, JoinedRow.at).where(JoinedRow.game_id == game_id))
    return {row.account_id: row.at for row in rows}


def digest_seen_at(session: Session, account_id: int) -> datetime | None:
    """When others last saw the address of a digest of this person."""
    return session.scalar(select(AccountRow.digest_seen_at).where(AccountRow.id == account_id))


class DenialRow(Base):
    """Somebody whom a game's gamemaster keeps out of it: the hash of an address, without a name."""

    __tablename__ = "denial"
    __table_args__ = (UniqueConstraint("game_id", "who"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    who: Mapped[str]


def deny(session: Session, game_id: int, emails: Iterable[str]) -> None:
    """Keep whoever has one of these addresses, or has had it, out of the game."""
    _, marks = _joined(session, None, emails)
    for who in sorted(marks):
        add_once(session, DenialRow, game_id=game_id, who=who)


def admit(session: Session, game_id: int, emails: Iterable[str]) -> None:
    """Keep whoever has one of these addresses, or has had it, out of the game no longer."""
    session.execute(delete(DenialRow).where(*_denied(session, game_id, emails)))


def is_denied(session: Session, game_id: int, emails: Iterable[str]) -> bool:
    """Whether somebody who has one of these addresses, or has had it, is kept out of the game."""
    return session.scalar(select(DenialRow.id).where(*_denied(session, game_id, emails)).limit(1)) is not None


def _denied(session: Session, game_id: int, emails: Iterable[str]) -> tuple[ColumnElement[bool], ...]:
    _, marks = _joined(session, None, emails)
    return DenialRow.game_id == game_id, DenialRow.who.in_(marks)


def address_hash(email: str) -> str:
    """What is stored of an address that a row is not to reveal."""
    return hashlib.sha256(storable(normal(email)).encode()).hexdigest()


def unblock(session: Session, who: Iterable[str]) -> None:
    """Delete all blocks of these addresses."""
    session.execute(delete(BlockRow).where(BlockRow.who.in_(list(map(address_hash, who)))))


def blocked(session: Session, who: Iterable[str]) -> frozenset[str]:
    """The kinds of mail that these addresses do not want."""
    return frozenset(session.scalars(_BLOCKED, {"who": list(map(address_hash, who))}))


_BLOCKED = select(BlockRow.what).where(BlockRow.who.in_(bindparam("who", expanding=True)))
