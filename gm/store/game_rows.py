"""Games with their seats, phases, orders and preorders. A phase is closed only once.

`gm.games.loading` reads a game's rows, and `gm.games.writing` writes them, in a transaction that has locked the game;
each such transaction gives the game a new `version`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, UniqueConstraint, bindparam, case, func, insert, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.rows import Base, add_once, added, read


class AlreadyClosed(Exception):
    """The phase has been adjudicated already. Let this error leave the transaction, so that everything in it is rolled
    back."""


class GameState(StrEnum):
    """The state of a game, from forming to finished."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"


class SeatRole(StrEnum):
    """What the holder of a seat does in the game."""

    PLAYER = "player"
    MASTER = "master"
    OBSERVER = "observer"
    DEPUTY = "deputy"
    ASSISTANT = "assistant"


def new_version() -> int:
    """A new version, drawn at random instead of counted: a version that was rolled back must not be used again."""
    return secrets.randbits(53)


class GameRow(Base):
    """A game. `name` is in lower case. `seed` is in hexadecimal and secret until the end. `told_seeds` are earlier
    seeds, published when the game ended and then resumed; nothing is drawn from them any more. `victory` says how the
    game ended.

    `version` changes with every change to the game, its seats, phases, orders or deadlines, so that a decoded copy may
    be cached under it. `rules` is the edition of the rules in use ("standard/1"), None before the start. While the game
    is paused (since `paused_at`) it has no deadline; `left` is the time that remained until the last one, in seconds.
    `comment` is the gamemaster's line in LIST and STATUS.
    """

    __tablename__ = "game"

    name: Mapped[str] = mapped_column(unique=True)
    version: Mapped[int] = mapped_column(BigInteger, default=new_version)
    rules: Mapped[str | None]
    state: Mapped[GameState] = mapped_column(index=True)
    options: Mapped[dict[str, Any]]
    seed: Mapped[str]
    told_seeds: Mapped[list[str]] = mapped_column(default=list)
    created_at: Mapped[datetime]
    current_phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id", use_alter=True))
    victory: Mapped[dict[str, Any] | None]
    paused_at: Mapped[datetime | None]
    left: Mapped[int | None]
    comment: Mapped[str | None]
    house_rules: Mapped[str | None]
    stopped_at: Mapped[datetime | None]
    """When it was last ended by a vote or its gamemaster."""
    start_before: Mapped[str | None]
    """The option `start` before the start was taken back, which sets it to `gm`."""


class SeatRow(Base):
    """A seat in a game. It is vacant if `account_id` is None. `serial` counts the tokens made for it; only the token's
    hash is stored.

    `wish` lists the powers asked for in a game that is forming, favourite first, separated by commas. `dummy_since`:
    when the power was made a dummy, which is not offered. `left_in`: the number of the phase in which its last
    holder left. `muted` are the powers whose press the holder does not want. `names` are the holder's own names for
    places (ALIAS), with the codes of the places. A deputy's seat has the seat that it orders for (`deputy_of`), and
    until when; it has no power of its own.
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
    left_in: Mapped[int | None]
    muted: Mapped[list[Any]] = mapped_column(default=list)
    names: Mapped[dict[str, Any]] = mapped_column(default=dict)
    deputy_of: Mapped[int | None] = mapped_column(ForeignKey("seat.id"))
    until: Mapped[datetime | None]


class PhaseRow(Base):
    """A phase of a game: its first position and, once adjudicated, its result. `number` counts from 1.

    `follows` is the number of the phase before it in play, 0 for the first; after a rollback this differs from `number`
    - 1. `closed_at`: when the orders were closed, where a seat may alter them before they are adjudicated, or where the
    gamemaster releases the results. `seed_number` is the number of seeds published before, and so says which seed was
    used.
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
    forced_at: Mapped[datetime | None]
    """When a gamemaster closed it, so that it waits for no orders."""
    cut_short_at: Mapped[datetime | None]
    """When a gamemaster closed it before the deadline that was announced."""
    correction: Mapped[dict[str, Any] | None]
    """Why it is adjudicated again: the `why` of the report, and whether it `draws`; of the phase that was `left` for it
    the code and the deadline, and those of the `next` one.
    """
    released_at: Mapped[datetime | None]
    """When a gamemaster let the results go that they had seen first."""
    left_with: Mapped[int | None]
    """The seconds that it had until its deadline, or once the game went on, when a gamemaster rolled the game back from
    it.
    """
    given: Mapped[int] = mapped_column(default=0)
    """The longest time, in seconds, that its players were told that they have for it, without absences; a day at least
    where it had time without end.
    """
    seed_number: Mapped[int] = mapped_column(default=0)


# games


def create_game(session: Session, *, name: str, options: Mapping[str, Any], seed: str, now: datetime) -> GameRow | None:
    """Create a game that is forming, without seats. Returns None when the name is taken."""
    return add_once(
        session, GameRow, name=name, state=GameState.FORMING, options=dict(options), seed=seed, created_at=now
    )


_CHANGING = (
    *("version", "state", "options", "seed", "told_seeds", "current_phase_id"),
    *("victory", "paused_at", "left", "comment", "house_rules"),
)
_UPDATE_GAME = (
    update(GameRow).where(GameRow.id == bindparam("key")).values({name: bindparam(name) for name in _CHANGING})
)


def update_game(session: Session, game_id: int, values: Mapping[str, Any]) -> None:
    """Write all columns of a game that can change, including its version."""
    session.connection().execute(_UPDATE_GAME, {"key": game_id, **values})


def one_of_each(session: Session) -> Sequence[int]:
    """A running game of each edition of rules in use."""
    running = select(func.min(GameRow.id)).where(GameRow.state == GameState.RUNNING)
    return session.scalars(running.group_by(GameRow.rules)).all()


def rules_in_use(session: Session) -> Mapping[str, tuple[str, int]]:
    """The editions of rules of games that are not over, each with a game of it and their number."""
    rules = GameRow.options["rules"].as_string()
    going_on = select(rules, func.min(GameRow.name), func.count())
    going_on = going_on.where(GameRow.state.in_((GameState.FORMING, GameState.RUNNING)), rules.is_not(None))
    return {used: (name, number) for used, name, number in session.execute(going_on.group_by(rules))}


# seats


def options_of(session: Session, game_ids: Iterable[int]) -> Mapping[int, tuple[GameState, Mapping[str, str]]]:
    """The state and the options of each of these games."""
    rows = session.execute(select(GameRow.id, GameRow.state, GameRow.options).where(GameRow.id.in_(list(game_ids))))
    return {row.id: (row.state, row.options) for row in rows}


_ADD_SEAT = insert(SeatRow).returning(SeatRow.id)
_HELD = (
    *("power", "account_id", "serial", "token_hash", "wish", "wait", "joined_at", "dummy_since", "muted", "names"),
    *("left_in", "until"),
)
_UPDATE_SEAT = update(SeatRow).where(SeatRow.id == bindparam("key")).values({name: bindparam(name) for name in _HELD})


def new_seat(session: Session, game_id: int, role: SeatRole, deputy_of: int | None = None) -> int:
    """Create a vacant seat without a token (the token is made from the seat's id). Returns the id."""
    row = {"game_id": game_id, "role": role, "serial": 1, "wait": False, "muted": [], "names": {}}
    row |= {"deputy_of": deputy_of}
    return int(session.connection().execute(_ADD_SEAT, row).scalar_one())


def update_seats(session: Session, seats: Sequence[Mapping[str, Any]]) -> None:
    """Write all columns of these seats that can change; `key` is the seat's id."""
    session.connection().execute(_UPDATE_SEAT, list(seats))


# phases


_NEXT_NUMBER = select(func.coalesce(func.max(PhaseRow.number), 0) + 1).where(PhaseRow.game_id == bindparam("of_game"))
_ADD_PHASE = (
    insert(PhaseRow)
    .values(
        number=_NEXT_NUMBER.scalar_subquery(),
        **{name: bindparam(name) for name in ("game_id", "code", "position", "opened_at", "follows")},
    )
    .returning(PhaseRow.id, PhaseRow.number)
)
_UPDATE_PHASE = (
    update(PhaseRow)
    .where(PhaseRow.id == bindparam("key"))
    .values(position=bindparam("position"), closed_at=bindparam("closed_at"))
)
_CLOSE_PHASE = (
    update(PhaseRow)
    .where(PhaseRow.id == bindparam("key"), PhaseRow.adjudicated_at.is_(None))
    .values(adjudicated_at=bindparam("now"), result=bindparam("turn"), seed_number=bindparam("seed"))
)
_OF_GAME = select(PhaseRow).where(PhaseRow.game_id == bindparam("game_id")).order_by(PhaseRow.number)


def add_phase(
    session: Session, *, game_id: int, code: str, position: Mapping[str, Any], follows: int, now: datetime
) -> tuple[int, int]:
    """Add a phase to a locked game; `follows` is the number of the phase before it. Returns its id and number."""
    row = {"game_id": game_id, "code": code, "position": dict(position), "opened_at": now, "follows": follows}
    phase_id, number = session.connection().execute(_ADD_PHASE, {"of_game": game_id, **row}).one()
    return phase_id, number


def update_phase(session: Session, phase_id: int, position: Mapping[str, Any], closed_at: datetime | None) -> None:
    """Write the columns of a phase that can change while it is open."""
    session.connection().execute(_UPDATE_PHASE, {"key": phase_id, "position": dict(position), "closed_at": closed_at})


def close_phase(
    session: Session, phase_id: int, result: Mapping[str, Any], now: datetime, *, seed_number: int = 0
) -> None:
    """Store the phase's result. Raises AlreadyClosed when it has one already."""
    values = {"key": phase_id, "now": now, "turn": dict(result), "seed": seed_number}
    closed = session.connection().execute(_CLOSE_PHASE, values)
    if closed.rowcount != 1:
        raise AlreadyClosed(f"phase {phase_id} was adjudicated before")


def mark_game(session: Session, game_id: int, **values: datetime | str) -> None:
    """Note something of a game that its snapshot does not have: `stopped_at`, `start_before`."""
    session.execute(update(GameRow).where(GameRow.id == game_id).values(**values))


def stopped_at(session: Session, game_id: int) -> datetime | None:
    """When a game was last ended by a vote or its gamemaster."""
    return session.scalar(select(GameRow.stopped_at).where(GameRow.id == game_id))


def start_before(session: Session, game_id: int) -> str | None:
    """The option `start` of a game before its start was taken back."""
    return session.scalar(select(GameRow.start_before).where(GameRow.id == game_id))


def mark_phase(session: Session, phase_id: int, **values: datetime | dict[str, Any] | int | None) -> None:
    """Note what a gamemaster did with a phase: `forced_at`, `cut_short_at`, `released_at`, `correction`, and with what
    it was left.
    """
    session.execute(update(PhaseRow).where(PhaseRow.id == phase_id).values(**values))


_LONGER = PhaseRow.given + bindparam("more")
_NOTE_GIVEN = (
    update(PhaseRow)
    .where(PhaseRow.id == bindparam("key"))
    .values(given=case((bindparam("seconds") < _LONGER, _LONGER), else_=bindparam("seconds")))
)
_LONGEST_GIVEN = select(func.max(PhaseRow.given)).where(
    PhaseRow.game_id == bindparam("game_id"), PhaseRow.code == bindparam("code")
)


def note_given(session: Session, phase_id: int, time: timedelta, more: timedelta = timedelta(0)) -> None:
    """Note that the players were told that they have so much time for a phase, if it is the longest until now, or so
    much `more` than before.
    """
    values = {"key": phase_id, "seconds": int(time.total_seconds()), "more": int(more.total_seconds())}
    session.connection().execute(_NOTE_GIVEN, values)


def longest_given(session: Session, game_id: int, code: str) -> timedelta:
    """The longest time that players ever had for a phase of this name, whenever it was played; 0 if there was none."""
    return timedelta(seconds=session.scalar(_LONGEST_GIVEN, {"game_id": game_id, "code": code}) or 0)


def is_played_again(session: Session, game_id: int, code: str, number: int) -> bool:
    """Whether a phase of this name was played before the one of that number, and the game was set back."""
    earlier = select(PhaseRow.id).where(PhaseRow.game_id == game_id, PhaseRow.code == code, PhaseRow.number < number)
    return session.scalar(earlier.limit(1)) is not None


def is_forced(session: Session, phase_id: int) -> bool:
    """Whether a gamemaster has closed the phase, so that it waits for no orders."""
    return session.scalar(select(PhaseRow.forced_at).where(PhaseRow.id == phase_id)) is not None


def phase_by_id(session: Session, phase_id: int | None) -> PhaseRow | None:
    """The phase with this id, None if there is none."""
    return session.get(PhaseRow, phase_id or 0)


def phases_of(session: Session, game_id: int) -> Sequence[PhaseRow]:
    """Every phase of a game in the order in which they were opened, including those rolled back."""
    return session.scalars(_OF_GAME, {"game_id": game_id}).all()


_NEWEST_PHASE = select(func.max(PhaseRow.id)).where(PhaseRow.game_id == bindparam("game_id"))


def newest_phase(session: Session, game_id: int) -> int | None:
    """The id of the phase that was opened last, also if the game has left it; None in one that never began."""
    newest: int | None = session.execute(_NEWEST_PHASE, {"game_id": game_id}).scalar()
    return newest


def has_begun(session: Session, game_id: int) -> bool:
    """Whether a phase of the game was ever opened, also if its start was taken back."""
    return newest_phase(session, game_id) is not None


_CODES = select(PhaseRow.id, PhaseRow.code, PhaseRow.adjudicated_at).where(PhaseRow.game_id == bindparam("game_id"))


def phase_codes(session: Session, game_id: int) -> Mapping[int, tuple[str, bool]]:
    """The code of every phase of a game by id, and whether it was adjudicated, without reading what is in it."""
    return {row.id: (row.code, row.adjudicated_at is not None) for row in read(session, _CODES, {"game_id": game_id})}


def phases_leading_to(session: Session, game_id: int, phase_id: int) -> list[PhaseRow]:
    """The phases that led to this one and the phase itself, first to last."""
    phases = phases_of(session, game_id)
    every = {phase.number: phase for phase in phases}
    current = next((phase for phase in phases if phase.id == phase_id), None)
    line = []
    while current is not None:
        line.append(current)
        current = every.get(current.follows)
    return line[::-1]


# order sets


class OrderSetRow(Base):
    """One version of a seat's orders for a phase. Rows are never changed; `number` counts from 1, and the highest is in
    force. `sent`: somebody wrote for the seat, whether that could be used or not; not what the server gave.
    """

    __tablename__ = "order_set"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id", "number"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    number: Mapped[int]
    orders: Mapped[list[Any]]
    complete: Mapped[bool]
    sent: Mapped[bool] = mapped_column(default=True)
    received_at: Mapped[datetime]
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))


class MastersSetRow(Base):
    """An order set that a gamemaster gave for the seat (ORDERS FOR)."""

    __tablename__ = "masters_set"

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"), index=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    number: Mapped[int]


class PreorderRow(Base):
    """Lines that a player sent for a later phase. `code` is that phase's, or `R` or `A` for every phase of that
    kind."""

    __tablename__ = "preorder"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    code: Mapped[str]
    lines: Mapped[list[str]]
    stored_at: Mapped[datetime]
    cancelled_at: Mapped[datetime | None]


# order sets


_ADD_SET = insert(OrderSetRow)


def add_order_sets(session: Session, sets: Sequence[Mapping[str, Any]]) -> None:
    """Store order sets, each with the next number of its seat. The game must be locked."""
    session.connection().execute(_ADD_SET, list(sets))


def note_set_of_master(session: Session, phase_id: int, seat_id: int, number: int) -> None:
    """Note that a gamemaster gave this set of a seat."""
    session.add(MastersSetRow(phase_id=phase_id, seat_id=seat_id, number=number))


def sets_of_masters(session: Session, phase_id: int) -> Mapping[int, set[int]]:
    """The numbers of the sets that gamemasters gave for a phase, by seat id."""
    found: dict[int, set[int]] = {}
    for row in session.scalars(select(MastersSetRow).where(MastersSetRow.phase_id == phase_id)):
        found.setdefault(row.seat_id, set()).add(row.number)
    return found


_OF_PHASE = OrderSetRow.phase_id == bindparam("phase_id")
_NEWEST = (
    select(OrderSetRow.seat_id, func.max(OrderSetRow.number).label("number"))
    .where(_OF_PHASE)
    .group_by(OrderSetRow.seat_id)
    .subquery()
)
_IN_FORCE = (
    select(OrderSetRow)
    .join(_NEWEST, (OrderSetRow.seat_id == _NEWEST.c.seat_id) & (OrderSetRow.number == _NEWEST.c.number))
    .where(_OF_PHASE)
    .order_by(OrderSetRow.seat_id)
)


def latest_order_sets(session: Session, phase_id: int) -> dict[int, OrderSetRow]:
    """The order set in force of each seat that has sent orders for this phase, by seat id."""
    return {row.seat_id: row for row in session.scalars(_IN_FORCE, {"phase_id": phase_id})}


def order_set_history(session: Session, phase_id: int, seat_id: int) -> Sequence[OrderSetRow]:
    """Every version of the seat's orders for this phase, first to last."""
    statement = select(OrderSetRow).where(OrderSetRow.phase_id == phase_id, OrderSetRow.seat_id == seat_id)
    return session.scalars(statement.order_by(OrderSetRow.number)).all()


_RECEIVED = select(OrderSetRow.seat_id, OrderSetRow.received_at, OrderSetRow.orders, OrderSetRow.sent).where(_OF_PHASE)


def first_received(session: Session, phase_id: int, *, used_or_not: bool = False) -> Mapping[int, datetime]:
    """When each seat's first order set that is not empty was received, by seat id; or with `used_or_not` the first that
    was sent, though nothing of it could be used.
    """
    first: dict[int, datetime] = {}
    for row in session.execute(_RECEIVED.order_by(OrderSetRow.number), {"phase_id": phase_id}):
        if row.sent if used_or_not else row.orders:
            first.setdefault(row.seat_id, row.received_at)
    return first


# lines for phases to come


def keep_preorder(session: Session, seat_id: int, code: str, lines: Sequence[str], now: datetime) -> PreorderRow:
    """Store lines for a phase, replacing those stored for it before."""
    cancel_preorders(session, seat_id, now, code)
    return added(session, PreorderRow(seat_id=seat_id, code=code, lines=list(lines), stored_at=now))


def cancel_preorders(session: Session, seat_id: int, now: datetime, code: str | None = None) -> None:
    """Delete the lines stored for a phase, or for all phases."""
    statement = update(PreorderRow).where(PreorderRow.seat_id == seat_id, PreorderRow.cancelled_at.is_(None))
    if code is not None:
        statement = statement.where(PreorderRow.code == code)
    session.execute(statement.values(cancelled_at=now))


def preorders_of(session: Session, seat_id: int, codes: Iterable[str] | None = None) -> Sequence[PreorderRow]:
    """The lines stored for a seat, for all phases or for those with these codes."""
    statement = select(PreorderRow).where(PreorderRow.seat_id == seat_id, PreorderRow.cancelled_at.is_(None))
    if codes is not None:
        statement = statement.where(PreorderRow.code.in_(list(codes)))
    return session.scalars(statement.order_by(PreorderRow.id)).all()


_PREORDERS_FOR = select(PreorderRow.seat_id, PreorderRow.code, PreorderRow.lines).where(
    PreorderRow.seat_id.in_(bindparam("seats", expanding=True)),
    PreorderRow.code.in_(bindparam("codes", expanding=True)),
    PreorderRow.cancelled_at.is_(None),
)


def preorders_for(
    session: Session, seat_ids: Iterable[int], codes: Iterable[str]
) -> Mapping[tuple[int, str], Sequence[str]]:
    """The lines stored for these seats and codes, by seat id and code."""
    rows = session.execute(_PREORDERS_FOR, {"seats": list(seat_ids), "codes": list(codes)})
    return {(seat_id, code): lines for seat_id, code, lines in rows}


def preordered(session: Session, seat_ids: Sequence[int]) -> Sequence[tuple[int, str]]:
    """Which of these seats have lines stored, each with the code of the phase."""
    statement = select(PreorderRow.seat_id, PreorderRow.code).where(
        PreorderRow.seat_id.in_(seat_ids), PreorderRow.cancelled_at.is_(None)
    )
    return [(seat_id, code) for seat_id, code in session.execute(statement)]


# names for places
