"""Games, their seats, their phases. A phase is closed once; the orders for it are in `order_rows`.

Every change to a game begins with `lock_game` and gives the game another `version`, whoever writes and whatever is
written of the game, its seats, phases and deadlines: a listener sees to that as the rows are written.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, UniqueConstraint, bindparam, event, func, select
from sqlalchemy.orm import Mapped, Session, UOWTransaction, mapped_column

from gm.store.rows import Base, add_once, change_if, claiming


class AlreadyClosed(Exception):
    """The phase was adjudicated before. Let it leave the transaction, so that nothing of the second time remains."""


class GameState(StrEnum):
    """Where a game is in its life."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"


class SeatRole(StrEnum):
    """What the holder of a seat does in the game."""

    PLAYER = "player"
    MASTER = "master"
    OBSERVER = "observer"


def _another_version() -> int:
    """Drawn, not counted: what is rolled back must not share its number with what is written next."""
    return secrets.randbits(53)


class GameRow(Base):
    """A game. `seed` is hex and secret until the end; `victory` says how it ended.

    `version` is another number after every change to the game, its seats, phases, orders or deadlines, so that what was
    read of it can be kept for as long as the number is the same. `rules` is the edition of the rules that it is played
    by ("standard/1"), None before it starts. While it is paused (`paused_at`) it has no deadline; `left` are the
    seconds that were left to the last one. `comment` is the gamemaster's line in LIST and STATUS.
    """

    __tablename__ = "game"

    name: Mapped[str] = mapped_column(unique=True)
    version: Mapped[int] = mapped_column(BigInteger, default=_another_version)
    rules: Mapped[str | None]
    state: Mapped[GameState] = mapped_column(index=True)
    options: Mapped[dict[str, Any]]
    seed: Mapped[str]
    created_at: Mapped[datetime]
    current_phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id", use_alter=True))
    victory: Mapped[dict[str, Any] | None]
    paused_at: Mapped[datetime | None]
    left: Mapped[int | None]
    comment: Mapped[str | None]


class OfGame:
    """A row that belongs to a game and is part of what `GameRow.version` stands for."""

    game_id: Mapped[int]


class SeatRow(OfGame, Base):
    """A seat in a game. `account_id` None: vacant. `serial` counts the seat's tokens; only the hash is kept.

    `wish` are the powers asked for in a game that is forming, favourite first, with commas between. `dummy_since`: the
    power is nobody's on purpose and is not offered to anybody.
    """

    __tablename__ = "seat"
    __table_args__ = (UniqueConstraint("game_id", "power"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    role: Mapped[SeatRole]
    power: Mapped[str | None]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), index=True)
    serial: Mapped[int]
    token_hash: Mapped[str | None] = mapped_column(unique=True)
    wish: Mapped[str | None]
    wait: Mapped[bool]
    joined_at: Mapped[datetime | None]
    dummy_since: Mapped[datetime | None]


class PhaseRow(OfGame, Base):
    """A phase of a game: the position it began with and, once adjudicated, its result. `number` counts from 1.

    `follows` is the number of the phase it was played from, 0 for the first; after a rollback that is not the one
    before it. `closed_at`: when the orders were closed, in a game in which a seat may alter them before they are
    adjudicated; None while they are open, and in other games.
    """

    __tablename__ = "phase"
    __table_args__ = (UniqueConstraint("game_id", "number"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    number: Mapped[int]
    code: Mapped[str]
    position: Mapped[dict[str, Any]]
    opened_at: Mapped[datetime]
    adjudicated_at: Mapped[datetime | None]
    result: Mapped[dict[str, Any] | None]
    follows: Mapped[int]
    closed_at: Mapped[datetime | None]


@event.listens_for(Session, "before_flush")
def _new_version(session: Session, _flush: UOWTransaction, _objects: object) -> None:
    """Whatever is written of a game gives it another version in the same flush."""
    changed = {row for row in session.dirty if session.is_modified(row)} | set(session.new) | set(session.deleted)
    games = {row.id for row in changed if isinstance(row, GameRow)}
    games |= {row.game_id for row in changed if isinstance(row, OfGame)}
    for game_id in games - {None}:
        touch(session, game_id)


def touch(session: Session, game_id: int) -> None:
    """Give the game another version, after a change that no row in this session tells of."""
    game = session.get(GameRow, game_id)
    if game is not None:
        game.version = _another_version()


# games


def create_game(session: Session, *, name: str, options: Mapping[str, Any], seed: str, now: datetime) -> GameRow | None:
    """A new game, forming, without seats; None when the name is taken."""
    return add_once(
        session, GameRow, name=name, state=GameState.FORMING, options=dict(options), seed=seed, created_at=now
    )


_BY_NAME = select(GameRow).where(func.lower(GameRow.name) == bindparam("name"))


def game_by_name(session: Session, name: str) -> GameRow | None:
    """The game of this name, in any case."""
    return session.scalar(_BY_NAME, {"name": name.lower()})


def game_by_id(session: Session, game_id: int) -> GameRow | None:
    """The game of this number."""
    return session.get(GameRow, game_id)


def games(session: Session, *states: GameState) -> Sequence[GameRow]:
    """The games in these states (in any, when none is named), oldest first."""
    statement = select(GameRow).order_by(GameRow.id)
    if states:
        statement = statement.where(GameRow.state.in_(states))
    return session.scalars(statement).all()


_LOCKED_GAME = claiming(select(GameRow).where(GameRow.id == bindparam("game_id")), wait=True)


def lock_game(session: Session, game_id: int) -> GameRow:
    """The game, nobody else's until the transaction ends. Every change to a game begins with this, so that its
    deadline and a mail never work on it at the same time. Raises LookupError when there is no such game."""
    game = session.scalar(_LOCKED_GAME, {"game_id": game_id})
    if game is None:
        raise LookupError(f"there is no game {game_id}")
    return game


def end_game(session: Session, game: GameRow, state: GameState, victory: Mapping[str, Any] | None = None) -> None:
    """The game is finished or aborted; `victory` says by whom or how."""
    game.state, game.victory = state, None if victory is None else dict(victory)
    session.flush()


# seats


def add_seat(
    session: Session,
    game_id: int,
    role: SeatRole,
    *,
    power: str | None = None,
    account_id: int | None = None,
    joined_at: datetime | None = None,
) -> SeatRow:
    """A new seat, vacant without an account; its token is set afterwards, since it is made from the seat's id."""
    seat = SeatRow(
        game_id=game_id, role=role, power=power, account_id=account_id, serial=1, wait=False, joined_at=joined_at
    )
    session.add(seat)
    session.flush()
    return seat


def vacate_seat(session: Session, seat: SeatRow) -> None:
    """The seat is vacant from now on; its orders stay."""
    seat.account_id, seat.joined_at, seat.wait = None, None, False
    session.flush()


def replace_holder(session: Session, seat: SeatRow, account_id: int, now: datetime) -> None:
    """Another person has the seat. Its token should be renewed too."""
    seat.account_id, seat.joined_at, seat.wait = account_id, now, False
    session.flush()


_BY_TOKEN_HASH = select(SeatRow).where(SeatRow.token_hash == bindparam("token_hash"))


def seat_by_token_hash(session: Session, token_hash: str) -> SeatRow | None:
    """The seat whose present token has this hash."""
    return session.scalar(_BY_TOKEN_HASH, {"token_hash": token_hash})


def seat_by_id(session: Session, seat_id: int) -> SeatRow | None:
    """The seat of this number."""
    return session.get(SeatRow, seat_id)


_SEATS = select(SeatRow).where(SeatRow.game_id == bindparam("game_id")).order_by(SeatRow.id)


def seats_of(session: Session, game_id: int) -> Sequence[SeatRow]:
    """The seats of a game, in the order they were made."""
    return session.scalars(_SEATS, {"game_id": game_id}).all()


def vacant_seats(session: Session, game_id: int) -> Sequence[SeatRow]:
    """The players' seats that are vacant, in the order they were made."""
    return [seat for seat in seats_of(session, game_id) if seat.role is SeatRole.PLAYER and seat.account_id is None]


_SEATS_OF_ACCOUNT = (
    select(GameRow, SeatRow)
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .where(SeatRow.account_id == bindparam("account_id"))
    .order_by(GameRow.id, SeatRow.id)
)


def seats_of_account(session: Session, account_id: int, *states: GameState) -> Sequence[tuple[GameRow, SeatRow]]:
    """The games a person takes part in (in these states), with their seat in each; oldest first."""
    statement = _SEATS_OF_ACCOUNT.where(GameRow.state.in_(states)) if states else _SEATS_OF_ACCOUNT
    return session.execute(statement, {"account_id": account_id}).all()


# phases


def open_phase(session: Session, game: GameRow, *, code: str, position: Mapping[str, Any], now: datetime) -> PhaseRow:
    """The game's next phase, which is its current one from now on. The game must be locked."""
    current = current_phase(session, game)
    return _open(session, game, code, position, 0 if current is None else current.number, now)


def open_again(session: Session, game: GameRow, phase: PhaseRow, now: datetime) -> PhaseRow:
    """A phase played before is to be played anew, as a row of its own: what was played since stays, off the line."""
    return _open(session, game, phase.code, phase.position, phase.follows, now)


def _open(
    session: Session, game: GameRow, code: str, position: Mapping[str, Any], follows: int, now: datetime
) -> PhaseRow:
    last = session.scalar(select(func.max(PhaseRow.number)).where(PhaseRow.game_id == game.id)) or 0
    phase = PhaseRow(
        game_id=game.id, number=last + 1, code=code, position=dict(position), opened_at=now, follows=follows
    )
    session.add(phase)
    session.flush()
    point_at(session, game, phase)
    return phase


def point_at(session: Session, game: GameRow, phase: PhaseRow) -> None:
    """The game is in this phase from now on."""
    game.current_phase_id = phase.id
    session.flush()


def close_phase(session: Session, phase: PhaseRow, result: Mapping[str, Any], now: datetime) -> None:
    """Store the phase's result, once for ever. Raises AlreadyClosed when it has one, whoever gave it."""
    if not change_if(session, phase, PhaseRow.adjudicated_at.is_(None), adjudicated_at=now, result=dict(result)):
        raise AlreadyClosed(f"phase {phase.id} ({phase.code}) was adjudicated before")
    touch(session, phase.game_id)


def current_phase(session: Session, game: GameRow) -> PhaseRow | None:
    """The phase the game is in; None while it forms."""
    return None if game.current_phase_id is None else session.get(PhaseRow, game.current_phase_id)


def phase_by_id(session: Session, phase_id: int) -> PhaseRow | None:
    """The phase of this number."""
    return session.get(PhaseRow, phase_id)


def phases_of(session: Session, game_id: int) -> Sequence[PhaseRow]:
    """Every phase of a game, in the order they were opened, those that were rolled back too."""
    return session.scalars(select(PhaseRow).where(PhaseRow.game_id == game_id).order_by(PhaseRow.number)).all()


def line_of(session: Session, game: GameRow) -> list[PhaseRow]:
    """The phases that led to the current one, and that one, first to last."""
    every = {phase.number: phase for phase in phases_of(session, game.id)}
    current = current_phase(session, game)
    line = []
    while current is not None:
        line.append(current)
        current = every.get(current.follows)
    return line[::-1]
