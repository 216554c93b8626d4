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

from sqlalchemy import BigInteger, ForeignKey, UniqueConstraint, bindparam, event, func, insert, select, update
from sqlalchemy.orm import Mapped, Session, UOWTransaction, mapped_column

from gm.store.rows import Base, add_once, claiming


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


def new_version() -> int:
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
    version: Mapped[int] = mapped_column(BigInteger, default=new_version)
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
    names: Mapped[dict[str, Any]] = mapped_column(default=dict)


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
        game.version = new_version()


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


_UPDATE_GAME = (
    update(GameRow)
    .where(GameRow.id == bindparam("key"))
    .values(
        {
            name: bindparam(name)
            for name in ("version", "state", "options", "current_phase_id", "victory", "paused_at", "left", "comment")
        }
    )
)


def update_game(session: Session, game_id: int, values: Mapping[str, Any]) -> None:
    """Write what can change of a game: every column that `_UPDATE_GAME` names."""
    session.connection().execute(_UPDATE_GAME, {"key": game_id, **values})


# seats


_ADD_SEAT = insert(SeatRow).returning(SeatRow.id)
_UPDATE_SEAT = (
    update(SeatRow)
    .where(SeatRow.id == bindparam("key"))
    .values(
        {
            name: bindparam(name)
            for name in (
                "power",
                "account_id",
                "serial",
                "token_hash",
                "wish",
                "wait",
                "joined_at",
                "dummy_since",
                "names",
            )
        }
    )
)


def new_seat(session: Session, game_id: int, role: SeatRole) -> int:
    """A new seat, vacant and without a token, which is made from its number. Returns the number."""
    row = {"game_id": game_id, "role": role, "serial": 1, "wait": False, "names": {}}
    return int(session.connection().execute(_ADD_SEAT, row).scalar_one())


def update_seats(session: Session, seats: Sequence[Mapping[str, Any]]) -> None:
    """Write what can change of these seats: `key`, the number, and every column that `_UPDATE_SEAT` names."""
    session.connection().execute(_UPDATE_SEAT, list(seats))


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


_ADD_PHASE = (
    insert(PhaseRow)
    .values(
        number=select(func.coalesce(func.max(PhaseRow.number), 0) + 1)
        .where(PhaseRow.game_id == bindparam("of_game"))
        .scalar_subquery(),
        **{name: bindparam(name) for name in ("game_id", "code", "position", "opened_at", "follows")},
    )
    .returning(PhaseRow.id, PhaseRow.number)
)
_UPDATE_PHASE = (
    update(PhaseRow)
    .where(PhaseRow.id == bindparam("key"))
    .values(position=bindparam("position"), closed_at=bindparam("closed_at"))
)


def add_phase(
    session: Session, *, game_id: int, position: Mapping[str, Any], code: str, follows: int, now: datetime
) -> tuple[int, int]:
    """A new phase of a game that is locked, played from the one numbered `follows`. Returns its id and number."""
    row = {
        "of_game": game_id,
        "game_id": game_id,
        "code": code,
        "position": dict(position),
        "opened_at": now,
        "follows": follows,
    }
    phase_id, number = session.connection().execute(_ADD_PHASE, row).one()
    return phase_id, number


def update_phase(session: Session, phase_id: int, position: Mapping[str, Any], closed_at: datetime | None) -> None:
    """Write what can change of a phase while it is played."""
    session.connection().execute(_UPDATE_PHASE, {"key": phase_id, "position": dict(position), "closed_at": closed_at})


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


_CLOSE_PHASE = (
    update(PhaseRow)
    .where(PhaseRow.id == bindparam("key"), PhaseRow.adjudicated_at.is_(None))
    .values(adjudicated_at=bindparam("now"), result=bindparam("turn"))
)


def close_phase(session: Session, phase_id: int, result: Mapping[str, Any], now: datetime) -> None:
    """Store the phase's result, once for ever. Raises AlreadyClosed when it has one, whoever gave it."""
    closed = session.connection().execute(_CLOSE_PHASE, {"key": phase_id, "now": now, "turn": dict(result)})
    if closed.rowcount != 1:
        raise AlreadyClosed(f"phase {phase_id} was adjudicated before")


def current_phase(session: Session, game: GameRow) -> PhaseRow | None:
    """The phase the game is in; None while it forms."""
    return None if game.current_phase_id is None else session.get(PhaseRow, game.current_phase_id)


def phase_by_id(session: Session, phase_id: int) -> PhaseRow | None:
    """The phase of this number."""
    return session.get(PhaseRow, phase_id)


def phases_of(session: Session, game_id: int) -> Sequence[PhaseRow]:
    """Every phase of a game, in the order they were opened, those that were rolled back too."""
    return session.scalars(select(PhaseRow).where(PhaseRow.game_id == game_id).order_by(PhaseRow.number)).all()


def line_of(session: Session, game_id: int, phase_id: int) -> list[PhaseRow]:
    """The phases of a game that led to this one, and this one, first to last."""
    phases = phases_of(session, game_id)
    every = {phase.number: phase for phase in phases}
    current = next((phase for phase in phases if phase.id == phase_id), None)
    line = []
    while current is not None:
        line.append(current)
        current = every.get(current.follows)
    return line[::-1]
