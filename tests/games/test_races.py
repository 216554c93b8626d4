"""Two transactions that change the same game at once: the second waits, and sees what the first has done."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from gm.board import Power
from gm.games.loading import Snapshots
from gm.games.snapshot import Game
from gm.games.transaction import Transaction
from gm.orders import Hold
from gm.play import calendar, seats
from gm.store import game_rows
from gm.store.database import Database
from tests.games.hands import Hands, registered

MEETING = 20.0
"""Seconds after which a waiting thread gives up."""

Change = Callable[[Transaction, Game], object]


@pytest.fixture
def hands(database: Database) -> Hands:
    return Hands(database)


def at_once(hands: Hands, *changes: Change) -> list[object]:
    """The results of each change, with the second begun while the first has the lock, by a server without a cache."""
    begun = threading.Event()

    def first() -> object:
        with hands.tx() as tx:
            game = tx.game(1, lock=True)
            begun.set()
            return changes[0](tx, game)

    def second() -> object:
        assert begun.wait(MEETING)
        with Hands(hands.database, Snapshots(), hands.now).tx() as tx:
            return changes[1](tx, tx.game(1, lock=True))

    with ThreadPoolExecutor(2) as threads:
        return [future.result(MEETING) for future in (threads.submit(first), threads.submit(second))]


def order(tx: Transaction, game: Game) -> tuple[str, int]:
    """France's units hold: the phase and the number of the set."""
    france = game.seat_of(Power("France"))
    assert france is not None
    assert game.phase is not None
    holds = tuple(Hold(unit) for unit in game.phase.position.units_of(Power("France")))
    given = game.next_set(france, holds, tx.now, None)
    tx.put_orders(game, {france.id: given})
    return game.phase.code, given.number


def adjudicate(tx: Transaction, game: Game) -> None:
    """Close the phase and open another."""
    assert game.phase is not None
    game_rows.close_phase(tx.session, game.phase.id, {}, tx.now)
    calendar.open_phase(tx, game, game.phase.position)


def test_order_sets_sent_at_once_get_numbers_of_their_own(hands: Hands) -> None:
    hands.played()
    assert at_once(hands, order, order) == [("S1901M", 1), ("S1901M", 2)]
    assert [given.number for given in hands.stored().orders.values()] == [2]


def test_orders_that_waited_for_an_adjudication_are_for_the_phase_after_it(hands: Hands) -> None:
    """A transaction that writes reads the game once it has the lock; so nothing is added to a phase that was
    adjudicated.
    """
    before = hands.played()
    at_once(hands, adjudicate, order)
    after = hands.stored()
    assert after.phase is not None
    assert before.phase is not None
    assert (before.phase.number, after.phase.number) == (1, 2)
    assert [given.number for given in after.orders.values()] == [1]


def test_a_seat_is_filled_by_one_of_two(hands: Hands) -> None:
    hands.played()
    with hands.tx() as tx:
        game = tx.game(1, lock=True)
        seats.empty(tx, game, game.players[0])
        for name in ("ann", "bob"):
            registered(tx, f"{name}@players.example")

    def sit_down(name: str) -> Change:
        def change(tx: Transaction, game: Game) -> bool:
            if not game.vacant:
                return False
            seats.hold(tx, game, game.vacant[0], registered(tx, f"{name}@players.example"))
            return True

        return change

    assert at_once(hands, sit_down("ann"), sit_down("bob")) == [True, False]
    holder = hands.stored().players[0].person
    assert holder is not None
    assert holder.name == "Ann"
