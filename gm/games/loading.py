"""Loads games and people into snapshots, with a fixed number of statements however many seats and phases there are.

A game takes four statements: its own row, its seats with the people in them, its phase and its orders. All is then
cached by the game's version. People are not part of that version: otherwise somebody who changes their address, or
whose mail bounces, would have to lock every game they play in, in a transaction that concerns none of them. So what the
database has of them comes with the game's row, as a text, and the seats are read again if it is another one.

Statements are SQLAlchemy Core, built once, and return plain rows.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import Any

from sqlalchemy import Integer, Row, Select, bindparam, cast, func, select
from sqlalchemy.orm import Session, aliased

from gm.board import Location, Power
from gm.games.snapshot import Deadline, Game, OrderSet, Person, PhasePlayed, Seat
from gm.options import GameOptions
from gm.orders import order_from_json
from gm.position import Phase, PhaseKind, Position, Season, position_from_json
from gm.store.agenda import DeadlineKind, DeadlineRow
from gm.store.game_rows import GameRow, OrderSetRow, PhaseRow, SeatRow
from gm.store.people import AccountRow, AddressRow, normal
from gm.store.rows import read, texts_of
from gm.store.sent import BounceRow
from gm.store.shown_addresses import ShownAddressRow
from gm.turn import victory_from_json
from gm.variants import NoSuchEdition, Variant

# The games that were decoded lately, kept for the next transactions: to decode them is what takes long

_UNKNOWN = None, None
KEPT = 512
"""The most decoded games that are cached."""


class Snapshots:
    """The most recently decoded games, by id and version; one cache for each database. Safe for threads."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._games: OrderedDict[int, tuple[Game, str | None]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, game_id: int, version: int) -> Game | None:
        """The game in this version, if it is cached. Its seats and people may be older."""
        with self._lock:
            game, _ = self._games.get(game_id, _UNKNOWN)
            if game is None or game.version != version:
                return None
            self._games.move_to_end(game_id)
            return game

    def has(self, game_id: int, version: int, people: str) -> bool:
        """Whether the game is cached in this version, and with these people."""
        game, known = self._games.get(game_id, _UNKNOWN)
        return game is not None and (game.version, known) == (version, people)

    def keep(self, games: Iterable[Game], people: Mapping[int, str] = MappingProxyType({})) -> None:
        """Cache these games, as they were committed, by id with what the database has of their people, if known."""
        with self._lock:
            for game in games:
                self._games[game.id] = game, people.get(game.id)
                self._games.move_to_end(game.id)
            while len(self._games) > self._most:
                self._games.popitem(last=False)


# What is selected

# 1 for a hard bounce, 0 for soft ones only, None for none.
_BOUNCED = (
    select(func.max(cast(BounceRow.hard, Integer)))
    .where(BounceRow.recipient == AddressRow.email, BounceRow.forgiven_at.is_(None))
    .correlate(AddressRow)
    .scalar_subquery()
)
_PERSON = (
    *(AccountRow.id.label("person_id"), AccountRow.name, AccountRow.zone, AccountRow.html, AccountRow.maps),
    *(AccountRow.calendar, AccountRow.json, AccountRow.receipts),
    *(AccountRow.remind, AccountRow.digest, AccountRow.desk, AccountRow.wishes, AccountRow.signature),
    *(AccountRow.proved_at, AddressRow.email, _BOUNCED.label("bounced")),
)
_PEOPLE_IN = (
    select(texts_of(SeatRow.id, *_PERSON, AddressRow.preferred_at))
    .outerjoin(AccountRow, AccountRow.id == SeatRow.account_id)
    .outerjoin(AddressRow, AddressRow.account_id == AccountRow.id)
    .where(SeatRow.game_id == GameRow.id)
    .correlate(GameRow)
    .scalar_subquery()
)
"""All that the database has of the people in a game."""

_HEAD = select(
    *(GameRow.id, GameRow.name, GameRow.state, GameRow.version, GameRow.options, GameRow.seed),
    *(GameRow.told_seeds, _PEOPLE_IN.label("people")),
    *(GameRow.victory, GameRow.paused_at, GameRow.left, GameRow.comment, GameRow.house_rules),
    GameRow.current_phase_id,
).order_by(GameRow.id)

BY_ID = _HEAD.where(GameRow.id == bindparam("key"))
"""The game with an id."""
BY_NAME = _HEAD.where(GameRow.name == bindparam("name"))
"""The game with a name, which is in lower case."""
BY_TOKEN = (
    _HEAD.add_columns(SeatRow.id.label("seat_id"))
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .where(SeatRow.token_hash == bindparam("token"))
)
"""The game in which a token is a seat's, and the seat's id."""
BY_SHOWN_TOKEN = (
    _HEAD.add_columns(ShownAddressRow.seat_id, ShownAddressRow.account_id)
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .join(ShownAddressRow, ShownAddressRow.seat_id == SeatRow.id)
    .where(ShownAddressRow.token_hash == bindparam("token"))
)
"""The game in which a token was a seat's until it was replaced, with the ids of the seat and of its holder then."""
BY_SEAT = _HEAD.join(SeatRow, SeatRow.game_id == GameRow.id).where(SeatRow.id == bindparam("seat"))
"""The game with a seat's id."""
IN_STATES = _HEAD.where(GameRow.state.in_(bindparam("states", expanding=True)))
"""The games in these states."""
NEXT_IN_STATES = IN_STATES.where(GameRow.id > bindparam("after")).limit(50)
"""The first of them after one with an id."""
_GAMES_OF_PERSON = select(SeatRow.game_id).where(SeatRow.account_id == bindparam("person"))
OF_PERSON = IN_STATES.where(
    GameRow.id.in_(_GAMES_OF_PERSON)
)  # from the seats: by the states all games would be looked at
"""The games in these states in which a person has a seat."""
_NAMES_OF_PERSON = OF_PERSON.with_only_columns(GameRow.name, GameRow.options)

_PREFERRED_FIRST = (AddressRow.preferred_at.desc().nulls_last(), AddressRow.id)

_SEATS = (
    select(
        *(SeatRow.id, SeatRow.game_id, SeatRow.role, SeatRow.power, SeatRow.serial, SeatRow.wish, SeatRow.wait),
        *(SeatRow.joined_at, SeatRow.dummy_since, SeatRow.left_in, SeatRow.muted, SeatRow.names),
        *(SeatRow.deputy_of, SeatRow.until, *_PERSON),
    )
    .outerjoin(AccountRow, AccountRow.id == SeatRow.account_id)
    .outerjoin(AddressRow, AddressRow.account_id == AccountRow.id)
    .where(SeatRow.game_id.in_(bindparam("games", expanding=True)))
    .order_by(SeatRow.id, *_PREFERRED_FIRST)
)
_PEOPLE = (
    select(*_PERSON)
    .outerjoin(AddressRow, AddressRow.account_id == AccountRow.id)
    .where(AccountRow.id.in_(bindparam("people", expanding=True)))
    .order_by(AccountRow.id, *_PREFERRED_FIRST)
)
_named = aliased(AddressRow)
_PERSON_AT = (
    select(*_PERSON)
    .join(AddressRow, AddressRow.account_id == AccountRow.id)
    .join(_named, _named.account_id == AccountRow.id)
    .where(_named.email == bindparam("email"))
    .order_by(*_PREFERRED_FIRST)
)

_NEXT_DEADLINE = (
    select(DeadlineRow.id)
    .where(DeadlineRow.phase_id == PhaseRow.id)
    .where(DeadlineRow.kind.in_((DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW)))
    .where(DeadlineRow.done_at.is_(None), DeadlineRow.cancelled.is_(False))
    .order_by(DeadlineRow.id.desc())
    .limit(1)
    .correlate(PhaseRow)
    .scalar_subquery()
)
_earlier = aliased(DeadlineRow)
_PASSED_AT = (
    select(_earlier.due_at)
    .where(_earlier.phase_id == PhaseRow.id, _earlier.kind == DeadlineKind.ADJUDICATE, _earlier.done_at.is_not(None))
    .order_by(_earlier.id)
    .limit(1)
    .correlate(PhaseRow)
    .scalar_subquery()
)
_PHASES = (
    select(
        *(PhaseRow.game_id, PhaseRow.id, PhaseRow.number, PhaseRow.position, PhaseRow.opened_at, PhaseRow.closed_at),
        *(
            PhaseRow.correction,
            _PASSED_AT.label("passed_at"),
            DeadlineRow.due_at,
            DeadlineRow.kind,
            DeadlineRow.unmoved_at,
        ),
    )
    .outerjoin(DeadlineRow, DeadlineRow.id == _NEXT_DEADLINE)
    .where(PhaseRow.id.in_(bindparam("phases", expanding=True)))
)

_NEWEST = (
    select(OrderSetRow.phase_id, OrderSetRow.seat_id, func.max(OrderSetRow.number).label("number"))
    .where(OrderSetRow.phase_id.in_(bindparam("phases", expanding=True)))
    .group_by(OrderSetRow.phase_id, OrderSetRow.seat_id)
    .subquery()
)
_ORDERS = (
    select(
        *(OrderSetRow.phase_id, OrderSetRow.seat_id, OrderSetRow.number, OrderSetRow.orders, OrderSetRow.complete),
        *(OrderSetRow.received_at, OrderSetRow.inbox_id, OrderSetRow.sent),
    )
    .join(_NEWEST, (OrderSetRow.phase_id == _NEWEST.c.phase_id) & (OrderSetRow.seat_id == _NEWEST.c.seat_id))
    .where(OrderSetRow.number == _NEWEST.c.number)
    .order_by(OrderSetRow.seat_id)
)


# Games


@cache
def locked(statement: Select[Any]) -> Select[Any]:
    """The statement, locking each game until the transaction ends, and waiting for the lock if necessary."""
    return statement.with_for_update(of=GameRow, key_share=True)


def heads(session: Session, statement: Select[Any], key: Mapping[str, Any], *, lock: bool) -> Sequence[Row[Any]]:
    """The rows of games that one of the statements above selects; with `lock`, locked."""
    return read(session, locked(statement) if lock else statement, key).all()


def names_of(session: Session, key: Mapping[str, Any]) -> frozenset[str]:
    """The names of the games that `OF_PERSON` selects, of those whose rules this program has; no game is loaded."""
    rows = read(session, _NAMES_OF_PERSON, key).all()
    return frozenset(row.name for row in rows if not isinstance(_rules(GameOptions(row.options)), NoSuchEdition))


def load(session: Session, statement: Select[Any], key: Mapping[str, Any]) -> list[Game]:
    """The games selected by one of the statements above."""
    return assemble(session, read(session, statement, key).all(), Snapshots())


def assemble(session: Session, heads: Sequence[Row[Any]], snapshots: Snapshots) -> list[Game]:
    """The games of these rows, which one of the statements above returned, in the same order."""
    unknown = [head.id for head in heads if not snapshots.has(head.id, head.version, head.people)]
    seats = _seats(session, unknown) if unknown else {}
    kept = {head.id: found for head in heads if (found := snapshots.find(head.id, head.version)) is not None}
    fresh = [head for head in heads if head.id not in kept]
    if fresh:
        kept |= {game.id: game for game in _decoded(session, fresh)}
    kept |= {game_id: _seated(kept[game_id], seats.get(game_id, ())) for game_id in unknown}
    games = [kept[head.id] for head in heads]
    snapshots.keep(games, {head.id: head.people for head in heads})
    return games


def _seated(game: Game, seats: tuple[Seat, ...]) -> Game:
    return game if game.seats == seats else replace(game, seats=seats)


def _decoded(session: Session, heads: Sequence[Row[Any]]) -> list[Game]:
    """The games without their seats."""
    current = {"phases": [head.current_phase_id for head in heads if head.current_phase_id is not None]}
    phases, sets = _phases(session, current) if current["phases"] else ({}, {})
    return [_game(head, phases.get(head.current_phase_id), sets.get(head.current_phase_id, ())) for head in heads]


def _phases(
    session: Session, ids: Mapping[str, Sequence[int]]
) -> tuple[Mapping[int, Row[Any]], Mapping[int, list[Row[Any]]]]:
    """The rows of phases, and of the order sets in force for them."""
    orders = groupby(read(session, _ORDERS, ids), lambda row: row.phase_id)
    return {row.id: row for row in read(session, _PHASES, ids)}, {phase_id: list(rows) for phase_id, rows in orders}


_REVISION = select(
    func.count(DeadlineRow.id),
    func.count(DeadlineRow.id).filter(DeadlineRow.done_at.is_(None), DeadlineRow.cancelled.is_(False)),
    func.count(DeadlineRow.id).filter(DeadlineRow.announced.is_(True)),
).where(
    DeadlineRow.game_id == bindparam("game_id"), DeadlineRow.kind.in_((DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW))
)


def revision(session: Session, game_id: int) -> int:
    """A number that rises whenever the game's deadline is set, moved or cancelled; 0 when none was ever announced."""
    added, still, announced = read(session, _REVISION, {"game_id": game_id}).one()
    return 2 * int(added) + (0 if still else 1) if announced else 0


def in_phase(session: Session, game: Game, phase_id: int) -> dict[str, Any]:
    """The fields of a game that differ in this phase of its past: the phase, its deadline, its orders."""
    phases, sets = _phases(session, {"phases": [phase_id]})
    return _fields(phases.get(phase_id), sets.get(phase_id, ()), game.variant)


def _fields(phase: Row[Any] | None, sets: Iterable[Row[Any]], rules: Variant | NoSuchEdition) -> dict[str, Any]:
    return {
        "phase": _phase(phase, rules) if phase is not None else None,
        "deadline": _deadline(phase) if phase is not None and phase.due_at is not None else None,
        "orders": {} if isinstance(rules, NoSuchEdition) else {row.seat_id: order_set(row, rules) for row in sets},
    }


def _deadline(phase: Row[Any]) -> Deadline:
    return Deadline(phase.due_at, phase.kind, phase.unmoved_at)


def order_set(row: Any, variant: Variant) -> OrderSet:
    """The order set in a row, decoded in the language of its game."""
    orders = tuple(order_from_json(value, variant.language) for value in row.orders)
    return OrderSet(row.number, orders, row.complete, row.received_at, row.inbox_id, row.sent)


def _game(head: Row[Any], phase: Row[Any] | None, sets: Iterable[Row[Any]]) -> Game:
    options = GameOptions(head.options)
    return Game(
        id=head.id,
        name=head.name,
        state=head.state,
        version=head.version,
        options=options,
        seed=head.seed,
        told_seeds=tuple(head.told_seeds),
        victory=victory_from_json(head.victory) if head.victory is not None else None,
        paused_at=head.paused_at,
        left=head.left,
        comment=head.comment,
        house_rules=head.house_rules,
        **_fields(phase, sets, _rules(options)),
    )


def _rules(options: GameOptions) -> Variant | NoSuchEdition:
    """The rules, or why there are none: a game that cannot be played must not prevent others from being loaded."""
    try:
        return options.variant
    except NoSuchEdition as error:
        return error


def _phase(row: Row[Any], rules: Variant | NoSuchEdition) -> PhasePlayed:
    return PhasePlayed(
        id=row.id,
        number=row.number,
        position=_unread(row.position)
        if isinstance(rules, NoSuchEdition)
        else position_from_json(row.position, rules.language.kinds),
        opened_at=row.opened_at,
        rules=rules,
        closed_at=row.closed_at,
        passed_at=row.passed_at,
        correction=row.correction,
    )


def _unread(position: Mapping[str, Any]) -> Position:
    """A position with only its phase, which can be decoded without the kinds of its game."""
    return Position(Phase(int(position["year"]), Season(position["season"]), PhaseKind(position["phase"])), (), {})


def _seats(session: Session, game_ids: Sequence[int]) -> Mapping[int, tuple[Seat, ...]]:
    """The seats of each game, with their people."""
    found: dict[int, list[Seat]] = {}
    people: dict[int, Person] = {}
    for _, rows in groupby(read(session, _SEATS, {"games": game_ids}), lambda row: row.id):
        every = list(rows)
        row = every[0]
        if row.person_id is not None and row.person_id not in people:
            people[row.person_id] = _person(every)
        seat = Seat(
            id=row.id,
            role=row.role,
            power=Power(row.power) if row.power is not None else None,
            person=people.get(row.person_id),
            serial=row.serial,
            wish=row.wish,
            wait=row.wait,
            joined_at=row.joined_at,
            dummy_since=row.dummy_since,
            left_in=row.left_in,
            muted=frozenset(map(Power, row.muted)),
            names=tuple((name, Location(at)) for name, at in sorted(row.names.items())),
            deputy_of=row.deputy_of,
            until=row.until,
        )
        found.setdefault(row.game_id, []).append(seat)
    return {game_id: _with_deputies(seats) for game_id, seats in found.items()}


def _with_deputies(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats of a game, those of deputies with the powers that they order for."""
    if all(seat.deputy_of is None for seat in seats):
        return tuple(seats)
    powers = {seat.id: seat.power for seat in seats}
    return tuple(seat if seat.deputy_of is None else replace(seat, power=powers[seat.deputy_of]) for seat in seats)


_SEATS_AT = select(SeatRow.token_hash, SeatRow.game_id, SeatRow.id).where(
    SeatRow.token_hash.in_(bindparam("hashes", expanding=True))
)


def seats_at(session: Session, hashes: Iterable[str]) -> list[tuple[str, int, int]]:
    """For each of these token hashes that is a seat's now: the hash, the game and the seat."""
    rows = read(session, _SEATS_AT, {"hashes": list(hashes)})
    return [(str(row.token_hash), row.game_id, row.id) for row in rows]


_SHOWN = select(ShownAddressRow.token_hash).where(ShownAddressRow.token_hash.in_(bindparam("hashes", expanding=True)))


def shown(session: Session, hashes: Iterable[str]) -> frozenset[str]:
    """Those of these hashes of tokens that were a seat's until they were replaced."""
    return frozenset(session.scalars(_SHOWN, {"hashes": list(hashes)}))


# People


def person_at(session: Session, email: str) -> Person | None:
    """The person with this address; None if there is none."""
    rows = read(session, _PERSON_AT, {"email": normal(email)}).all()
    return _person(rows) if rows else None


def people(session: Session, ids: Iterable[int]) -> Mapping[int, Person]:
    """These people, by id."""
    rows = read(session, _PEOPLE, {"people": list(ids)})
    return {person_id: _person(list(own)) for person_id, own in groupby(rows, lambda row: row.person_id)}


def _person(rows: Sequence[Row[Any]]) -> Person:
    """A person from one row for each of their addresses, the preferred one first."""
    first = rows[0]
    return Person(
        id=first.person_id,
        name=first.name,
        zone=first.zone,
        html=first.html,
        maps=first.maps,
        calendar=first.calendar,
        json=first.json,
        receipts=first.receipts,
        remind=first.remind,
        digest=first.digest,
        desk=first.desk,
        wishes=first.wishes,
        signature=first.signature,
        proved_at=first.proved_at,
        addresses=tuple(row.email for row in rows if row.email is not None),
        bounced=frozenset(row.email for row in rows if row.bounced is not None),
        dead=frozenset(row.email for row in rows if row.bounced == 1),
    )
