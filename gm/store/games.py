"""Games, their seats, their phases. A phase is closed once; the order sets of a phase are in `order_sets`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.store.accounts import normal
from gm.store.claims import add_once, change_if, claim
from gm.store.tables import AddressRow, GameRow, GameState, PhaseRow, SeatRole, SeatRow


class AlreadyClosed(Exception):
    """The phase was adjudicated before. Let it leave the transaction, so that nothing of the second time remains."""


def create_game(
    session: Session, *, name: str, variant: str, options: Mapping[str, Any], seed: str, now: datetime
) -> GameRow | None:
    """A new game, forming, without seats; None when the name is taken."""
    return add_once(
        session,
        GameRow,
        name=name,
        variant=variant,
        state=GameState.FORMING,
        options=dict(options),
        seed=seed,
        created_at=now,
    )


def game_by_name(session: Session, name: str) -> GameRow | None:
    """The game of this name, in any case."""
    return session.scalar(select(GameRow).where(func.lower(GameRow.name) == name.lower()))


def game_by_id(session: Session, game_id: int) -> GameRow | None:
    """The game of this number."""
    return session.get(GameRow, game_id)


def games(session: Session, *states: GameState) -> Sequence[GameRow]:
    """The games in these states (in any, when none is named), oldest first."""
    statement = select(GameRow).order_by(GameRow.id)
    if states:
        statement = statement.where(GameRow.state.in_(states))
    return session.scalars(statement).all()


def lock_game(session: Session, game_id: int) -> GameRow:
    """The game, nobody else's until the transaction ends. Every change to a game begins with this, so that its
    deadline and a mail never work on it at the same time. Raises LookupError when there is no such game."""
    for game in claim(session, select(GameRow).where(GameRow.id == game_id), wait=True):
        return game
    raise LookupError(f"there is no game {game_id}")


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


def set_token(session: Session, seat: SeatRow, token_hash: str, serial: int) -> None:
    """The seat is known by this token from now on, and by none before it."""
    seat.token_hash, seat.serial = token_hash, serial
    session.flush()


def fill_seat(session: Session, seat: SeatRow, account_id: int, now: datetime) -> bool:
    """Give a vacant seat to a person; False when somebody was faster."""
    return change_if(session, seat, SeatRow.account_id.is_(None), account_id=account_id, joined_at=now)


def vacate_seat(session: Session, seat: SeatRow) -> None:
    """Nobody holds the seat any more; its orders stay."""
    seat.account_id, seat.joined_at, seat.wait = None, None, False
    session.flush()


def replace_holder(session: Session, seat: SeatRow, account_id: int, now: datetime) -> None:
    """Another person holds the seat. Its token should be renewed too."""
    seat.account_id, seat.joined_at, seat.wait = account_id, now, False
    session.flush()


def seat_by_token_hash(session: Session, token_hash: str) -> SeatRow | None:
    """The seat whose present token has this hash."""
    return session.scalar(select(SeatRow).where(SeatRow.token_hash == token_hash))


def seat_by_id(session: Session, seat_id: int) -> SeatRow | None:
    """The seat of this number."""
    return session.get(SeatRow, seat_id)


def seats_of(session: Session, game_id: int, *roles: SeatRole) -> Sequence[SeatRow]:
    """The seats of a game with these roles (with any, when none is named), in the order they were made."""
    statement = select(SeatRow).where(SeatRow.game_id == game_id).order_by(SeatRow.id)
    if roles:
        statement = statement.where(SeatRow.role.in_(roles))
    return session.scalars(statement).all()


def seat_of_power(session: Session, game_id: int, power: str) -> SeatRow | None:
    """The seat of a power, in any case."""
    return session.scalar(select(SeatRow).where(SeatRow.game_id == game_id, func.lower(SeatRow.power) == power.lower()))


def vacant_seats(session: Session, game_id: int) -> Sequence[SeatRow]:
    """The players' seats that nobody holds."""
    statement = select(SeatRow).where(
        SeatRow.game_id == game_id, SeatRow.role == SeatRole.PLAYER, SeatRow.account_id.is_(None)
    )
    return session.scalars(statement.order_by(SeatRow.id)).all()


def seats_of_account(session: Session, account_id: int, *states: GameState) -> Sequence[tuple[GameRow, SeatRow]]:
    """The games a person takes part in (in these states), with his seat in each; oldest first."""
    statement = (
        select(GameRow, SeatRow).join(SeatRow, SeatRow.game_id == GameRow.id).where(SeatRow.account_id == account_id)
    )
    if states:
        statement = statement.where(GameRow.state.in_(states))
    return session.execute(statement.order_by(GameRow.id, SeatRow.id)).all()


def seats_of_sender(session: Session, email: str, *states: GameState) -> Sequence[tuple[GameRow, SeatRow]]:
    """As `seats_of_account`, for whoever has this address."""
    account_id = session.scalar(select(AddressRow.account_id).where(AddressRow.email == normal(email)))
    return [] if account_id is None else seats_of_account(session, account_id, *states)


# phases


def open_phase(session: Session, game: GameRow, *, code: str, position: Mapping[str, Any], now: datetime) -> PhaseRow:
    """The game's next phase, which is its current one from now on. The game must be locked."""
    current = current_phase(session, game)
    return _open(session, game, code, position, 0 if current is None else current.number, now)


def open_again(session: Session, game: GameRow, phase: PhaseRow, now: datetime) -> PhaseRow:
    """A phase played before is to be played anew, as a row of its own: what was played since stays, off the line."""
    return _open(session, game, phase.code, phase.position, played_from(phase), now)


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
        current = every.get(played_from(current))
    return line[::-1]


def played_from(phase: PhaseRow) -> int:
    """The number of the phase that this one was played from; 0 for the first."""
    return phase.number - 1 if phase.follows is None else phase.follows


def phase_before(session: Session, phase: PhaseRow) -> PhaseRow | None:
    """The phase that this one was played from."""
    before = PhaseRow.number == played_from(phase)
    return session.scalar(select(PhaseRow).where(PhaseRow.game_id == phase.game_id, before))
