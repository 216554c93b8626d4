"""A change makes a new snapshot and is written once; rows and snapshot agree, under a new version."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from bench.deadlines import listening
from gm.board import Location, Power
from gm.errors import NotNow
from gm.games.composing import Envelope
from gm.games.snapshot import Game, Seat
from gm.games.transaction import StaleSnapshot, Transaction
from gm.orders import Hold
from gm.play import calendar, missing_orders, preorders, seats
from gm.reports.render import Rendered
from gm.store import game_rows
from gm.store.database import Database
from gm.store.game_rows import GameState, SeatRole
from gm.store.outbox import OutboxRow
from gm.turn import AGREED, Victory
from tests.games.hands import Hands, registered
from tests.games.people import NOW, options


@pytest.fixture
def hands(database: Database) -> Hands:
    return Hands(database)


def seat_of(game: Game, power: str) -> Seat:
    seat = game.seat_of(Power(power))
    assert seat is not None
    return seat


def order(tx: Transaction, game: Game, power: str = "France") -> Game:
    seat = seat_of(game, power)
    assert game.position is not None
    holds = tuple(Hold(unit) for unit in game.position.units_of(Power(power)))
    return tx.put_orders(game, {seat.id: game.next_set(seat, holds, tx.now, None)})


def send_ahead(tx: Transaction, game: Game) -> Game:
    """Stored orders for a phase are put in force when it begins."""
    game_rows.keep_preorder(tx.session, seat_of(game, "France").id, "S1901M", ["A PAR H"], tx.now)
    game = preorders.put_in_force(tx, game)
    assert game.orders[seat_of(game, "France").id].number == 1
    return game


def close_for_review(tx: Transaction, game: Game) -> Game:
    assert game.phase is not None
    position = replace(game.phase.position, extra={"x": [1, {"y": "z"}]})
    return tx.fold(game, phase=replace(game.phase, closed_at=tx.now, position=position))


def next_phase(tx: Transaction, game: Game) -> Game:
    assert game.position is not None
    return calendar.open_phase(tx, game, game.position)


def rename(tx: Transaction, game: Game) -> Game:
    tx.change_person(game.seats[0].person or registered(tx, "x@y.example"), name="Ann", zone="Asia/Tokyo")
    return tx.fold(tx.newest(game), comment="renamed")


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("asks", [True, False])
def test_an_attempt_is_kept_or_not_and_asks_the_database_or_not(hands: Hands, *, keep: bool, asks: bool) -> None:
    """Orders given before it stay; there is a savepoint only if the database was asked."""
    game, ran = hands.played(), list[str]()

    def execute(_connection: Any, name: str) -> None:
        ran.append(name)

    with listening(hands.database, "savepoint", execute), hands.tx() as tx:
        game = order(tx, tx.game(game.id, lock=True), "Italy")
        with tx.attempt(keep=keep):
            game = order(tx, game)
            if asks:
                assert len(game_rows.latest_order_sets(tx.session, game.phase.id if game.phase else 0)) == 2
        assert len(tx.newest(game).orders) == 1 + keep
    assert len(ran) == asks
    seats = {seat_of(game, power).id for power in ("Italy", *(["France"] if keep else []))}
    assert set(hands.stored().orders) == seats


CHANGES: dict[str, Callable[[Transaction, Game], Game]] = {
    "comment": lambda tx, game: tx.fold(game, comment="a line"),
    "options": lambda tx, game: tx.fold(game, options=options(nmr="wait")),
    "another seat": lambda tx, game: tx.add_seat(game, SeatRole.OBSERVER, registered(tx, "w@players.example"))[0],
    "waiting": lambda tx, game: tx.fold_seats(game, *(replace(seat, wait=True) for seat in game.players[:3])),
    "a name for a place": lambda tx, game: tx.fold_seats(
        game, replace(game.seats[0], names=(("nest", Location("par")),))
    ),
    "a seat given": lambda tx, game: seats.give(
        tx, game, seat_of(game, "Italy"), registered(tx, "new@players.example")
    ),
    "a seat emptied": lambda tx, game: seats.vacate(tx, game, seat_of(game, "Italy")),
    "orders": order,
    "orders twice": lambda tx, game: order(tx, order(tx, game)),
    "orders sent ahead": send_ahead,
    "random orders": lambda tx, game: missing_orders.give_random_orders(tx, game)[0],
    "a deadline": lambda tx, game: calendar.set_deadline(tx, game, tx.now + timedelta(days=9)),
    "no deadline": calendar.cancel_deadline,
    "a pause": calendar.pause,
    "a pause and its end": lambda tx, game: calendar.resume(tx, calendar.pause(tx, game)),
    "grace": lambda tx, game: missing_orders.give_grace(tx, game, tx.now + timedelta(hours=12)),
    "another day": missing_orders.wait_on,
    "the orders closed": close_for_review,
    "the next phase": next_phase,
    "the end": lambda tx, game: calendar.end_game(
        tx, game, GameState.FINISHED, Victory((Power("Italy"),), AGREED), "end"
    ),
    "a person's name": rename,
}


@pytest.mark.parametrize("change", CHANGES)
def test_after_every_change_the_rows_say_what_the_snapshot_says(hands: Hands, change: str) -> None:
    before = hands.played()
    hands.now = NOW + timedelta(hours=1)
    with hands.tx() as tx:
        after = CHANGES[change](tx, tx.game(before.id, lock=True))
    assert after != before
    assert after.version != before.version
    assert hands.stored() == after
    with hands.tx() as tx:
        assert tx.game(before.id) == after, "what is kept decoded is the same"


def test_what_is_written_is_loaded_within_the_transaction(hands: Hands) -> None:
    game = hands.played()
    with hands.tx() as tx:
        game = tx.fold(tx.game(game.id, lock=True), state=GameState.ABORTED)
        assert list(tx.games_in(GameState.ABORTED)) == [game]
        assert not list(tx.games_in(GameState.RUNNING))
        assert tx.game(game.id) is game


def test_a_snapshot_that_is_not_the_newest_is_not_changed(hands: Hands) -> None:
    game = hands.played()
    with hands.tx() as tx:
        first = tx.game(game.id, lock=True)
        tx.fold(first, comment="one")
        with pytest.raises(StaleSnapshot):
            tx.fold(first, comment="two")
        with pytest.raises(StaleSnapshot):
            tx.fold(game, comment="three")


def test_a_game_that_is_not_locked_is_not_changed(hands: Hands) -> None:
    game = hands.played()
    with hands.tx() as tx:
        unlocked = tx.game(game.id)
        with pytest.raises(StaleSnapshot):
            tx.fold(unlocked, comment="one")
        tx.fold(tx.game(game.id, lock=True), comment="one")
    assert hands.stored().comment == "one"


def mail(tx: Transaction, purpose: str) -> None:
    tx.post(Rendered("Hello", "Hello", ""), Envelope(purpose, "ann@example.org", "gm@example.org"))


def purposes(hands: Hands) -> list[str]:
    with hands.database.reading() as session:
        return list(session.scalars(select(OutboxRow.purpose).order_by(OutboxRow.id)))


def fail(tx: Transaction, game: Game) -> None:
    """Make these changes, and then one that changes nothing."""
    with tx.attempt():
        order(tx, tx.fold(game, comment="during"))
        tx.note("during", game)
        mail(tx, "during")
        raise NotNow("No.")


def change_in_vain(hands: Hands, game_id: int) -> None:
    """A transaction that fails after it has written."""
    with hands.tx() as tx:
        tx.fold(tx.game(game_id, lock=True), comment="lost")
        tx.games_in()
        raise NotNow("No.")


def test_an_attempt_that_fails_leaves_nothing(hands: Hands) -> None:
    game = hands.played()
    with hands.tx() as tx:
        game = tx.fold(tx.game(game.id, lock=True), comment="before")
        mail(tx, "before")
        with pytest.raises(NotNow):
            fail(tx, game)
        assert tx.newest(game) is game
        order(tx, game)
        mail(tx, "after")
    stored = hands.stored()
    assert stored.comment == "before"
    assert [given.number for given in stored.orders.values()] == [1]
    assert purposes(hands) == ["before", "after"]


def test_an_attempt_that_is_not_kept_leaves_nothing(hands: Hands) -> None:
    game = hands.played()
    with hands.tx() as tx:
        game = tx.game(game.id, lock=True)
        with tx.attempt(keep=False):
            order(tx, tx.fold(game, comment="tried"))
            tx.games_in()  # what was changed is written by now
            mail(tx, "tried")
        assert tx.newest(game) is game
    assert hands.stored() == game, "nor another version"
    assert not purposes(hands)


def test_what_is_rolled_back_is_not_kept_decoded(hands: Hands) -> None:
    game = hands.played()
    with pytest.raises(NotNow):
        change_in_vain(hands, game.id)
    with hands.tx() as tx:
        assert tx.game(game.id) == game


def test_a_purpose_is_mailed_once(hands: Hands) -> None:
    with hands.tx() as tx:
        mail(tx, "one")
        mail(tx, "one")
        mail(tx, "two")
    with hands.tx() as tx:
        mail(tx, "two")
        mail(tx, "three")
    assert purposes(hands) == ["one", "two", "three"]


def test_many_are_notified_in_one_statement(hands: Hands) -> None:
    game = hands.played()
    with hands.tx() as tx:
        game = tx.game(game.id, lock=True)
        with hands.statements() as seen:
            tx.tell(game, game.seats, "news", ("Something is new.",), "news")
            tx.owe(game, game.seats, "report")
            tx.finish()
    assert len(seen) == 2
    assert len(purposes(hands)) == 8


def test_a_phase_begins_in_a_fixed_number_of_statements(hands: Hands) -> None:
    game = hands.played()
    with hands.tx() as tx:
        game = tx.game(game.id, lock=True)
        with hands.statements() as seen:
            next_phase(tx, game)
            tx.finish()
    assert len(seen) <= 7, seen
