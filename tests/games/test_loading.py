"""A game is read in a fixed number of statements, and what was decoded is used until its version changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import text

from gm.board import Location, Power
from gm.games import loading
from gm.games.loading import Snapshots
from gm.games.snapshot import Person
from gm.games.transaction import Transaction
from gm.orders import Hold
from gm.play import seat_addresses, seats
from gm.store import outbox, people
from gm.store.agenda import DeadlineKind
from gm.store.database import Database
from gm.store.game_rows import GameState, SeatRole
from gm.store.sent import BounceRow
from tests.games.hands import IDENTITY, Hands, registered
from tests.games.people import NOW


@pytest.fixture
def hands(database: Database) -> Hands:
    return Hands(database)


def test_a_game_is_what_was_made(hands: Hands) -> None:
    game = hands.played()
    assert game.state is GameState.RUNNING
    assert game.powers == ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
    assert game.phase is not None
    assert (game.phase.code, game.phase.number) == ("S1901M", 1)
    assert game.deadline is not None
    assert game.deadline.kind is DeadlineKind.ADJUDICATE
    assert hands.stored() == game


@pytest.mark.parametrize("observers", [0, 40])
def test_the_number_of_statements_is_fixed(hands: Hands, observers: int) -> None:
    game = hands.played()
    with hands.tx() as tx:
        game = tx.game(game.id, lock=True)
        for number in range(observers):
            game, _ = tx.add_seat(game, SeatRole.OBSERVER, registered(tx, f"o{number}@players.example"))
        orders = {
            seat.id: tx.newest(game).next_set(
                seat, (Hold(game.phase.position.units_of(Power("France"))[0]),), NOW, None
            )
            for seat in game.players
            if game.phase is not None
        }
        game = tx.put_orders(game, orders)
    for most in (1 + (observers > 0), 1):
        with hands.tx() as tx, hands.statements() as seen:
            assert tx.game(game.id, lock=True) == game
        assert len(seen) == most, "what was decoded is kept by its version, and seats as long as their people stay"
    hands.snapshots = Snapshots()
    with hands.tx() as tx, hands.statements() as seen:
        assert tx.game(game.id, lock=True) == game
    assert len(seen) == 4


PEOPLE: dict[str, Callable[[Transaction, Person], object]] = {
    "a name": lambda tx, person: tx.change_person(person, name="Ann"),
    "a zone": lambda tx, person: tx.change_person(person, zone="Asia/Tokyo"),
    "plain text": lambda tx, person: tx.change_person(person, html=False),
    "an address": lambda tx, person: people.add_address(tx.session, person.id, "new@players.example", tx.now),
    "an address again": lambda tx, person: people.prefer_address(
        tx.session, person.id, person.addresses[1], tx.now + timedelta(hours=1)
    ),
}


@pytest.mark.parametrize("change", PEOPLE)
def test_people_are_read_again_when_another_process_has_changed_them(hands: Hands, change: str) -> None:
    game = hands.played()
    with hands.tx() as tx:
        people.add_address(tx.session, 1, "second@players.example", tx.now)
        people.prefer_address(tx.session, 1, "second@players.example", tx.now)
    for _ in range(2):
        with hands.tx() as tx:
            game = tx.game(game.id)
    person = next(seat.person for seat in game.players if seat.person is not None and seat.person.id == 1)
    with Hands(hands.database, Snapshots(), hands.now).tx() as tx:
        PEOPLE[change](tx, person)
    with hands.tx() as tx:
        found = tx.game(game.id)
    assert found == hands.stored() != game


def test_many_games_take_as_many_statements_as_one(hands: Hands) -> None:
    hands.played()
    with hands.tx() as tx:
        for number in range(5):
            tx.session.execute(
                text(
                    "insert into game (name, version, state, options, seed, told_seeds, created_at)"
                    f" select 'g{number}', 1, 'forming', options, seed, told_seeds, created_at"
                    " from game where name = 'spring'"
                )
            )
    with hands.tx() as tx, hands.statements() as seen:
        found = tx.games_in(GameState.FORMING, GameState.RUNNING)
    assert [game.name for game in found] == ["spring", "g0", "g1", "g2", "g3", "g4"]
    assert len(seen) <= 4


def test_a_game_is_found_by_name_by_number_and_by_the_address_of_a_seat(hands: Hands) -> None:
    game = hands.played()
    seat = game.seat_of(Power("Italy"))
    assert seat is not None
    token = IDENTITY.address_of(game, seat).partition("+")[2].partition(".")[2].partition("@")[0]
    with hands.tx() as tx:
        assert tx.game_named("SPRING") == game
        assert tx.game_named("summer") is None
        assert tx.seat_at(token) == (game, seat)
        assert tx.games_of(seat.person) == [game] if seat.person is not None else False
        assert not tx.games_of(seat.person, GameState.FORMING) if seat.person is not None else False
        with pytest.raises(LookupError):
            tx.game(99)
    with hands.tx() as tx:
        game = tx.game(game.id, lock=True)
        seat_addresses.renew(tx, game, seat, "seen", "test")
    with hands.tx() as tx:
        assert tx.seat_at(token) is None
        known = seat_addresses.former(tx, token, seat.person)
        assert known is not None
        assert known[1].id == seat.id
        assert seat_addresses.former(tx, token, None) is None
    with hands.tx() as tx:
        game = tx.game(game.id, lock=True)
        seats.empty(tx, game, game.seat(seat.id))
        known = seat_addresses.former(tx, token, seat.person)
        assert known is not None
        assert known[1].person is None, "it is nobody's, and its former holder can be told so"


def test_people_are_read_with_their_addresses_and_what_came_back(hands: Hands) -> None:
    hands.played()
    with hands.tx() as tx:
        ann = registered(tx, "italy@players.example")
        people.add_address(tx.session, ann.id, "Ann@home.example", NOW)
        people.prefer_address(tx.session, ann.id, "ann@home.example", NOW)
        outbox.queue_all(tx.session, [outbox.Queued("x", "x@x.example", "", "", b"")], NOW)
        for email, hard in (("ann@home.example", True), ("italy@players.example", False)):
            tx.session.add(BounceRow(recipient=email, outbox_id=1, hard=hard, reason="", status="", words="", at=NOW))
    with hands.tx() as tx:
        ann = registered(tx, "italy@players.example")
        assert ann.addresses == ("ann@home.example", "italy@players.example")
        assert ann.bounced == set(ann.addresses)
        assert ann.dead == {"ann@home.example"}
        assert ann.reachable == "italy@players.example"
        assert loading.people(tx.session, [ann.id, 999]) == {ann.id: ann}
        game = tx.game(1)
        assert [seat.power for seat in game.seats_of(ann)] == ["Italy"]
        assert game.people[ann.id] == ann
        assert loading.person_at(tx.session, "nobody@example.org") is None


def test_what_is_known_of_people_is_never_old(hands: Hands) -> None:
    """People are not part of the version: a bounce, or a new address, locks no game."""
    game = hands.played()
    with hands.tx() as tx:
        ann = registered(tx, "italy@players.example")
        people.update_account(tx.session, ann.id, {"name": "Ann", "maps": "none"})
    with hands.tx() as tx:
        again = tx.game(game.id)
    assert again.version == game.version
    assert [seat.person.name for seat in again.seats if seat.person and seat.power == "Italy"] == ["Ann"]
    assert hands.stored() == again


def test_a_phase_that_passed_its_deadline_is_in_grace(hands: Hands) -> None:
    game = hands.played()
    assert game.due_at is not None
    with hands.tx() as tx:
        tx.session.execute(text("update deadline set done_at = due_at where kind = 'adjudicate'"))
        tx.session.execute(text("update game set version = 7"))
    again = hands.stored()
    assert again.phase is not None
    assert again.phase.passed_at == game.due_at
    assert again.deadline is None
    assert again.in_grace


def test_only_a_limited_number_of_games_is_cached() -> None:
    from tests.games.people import running

    snapshots = Snapshots(most=1)
    first = running()
    snapshots.keep([first])
    assert snapshots.find(first.id, first.version) is first
    assert snapshots.find(first.id, first.version + 1) is None
    from dataclasses import replace

    snapshots.keep([replace(first, id=2)])
    assert snapshots.find(first.id, first.version) is None


def test_names_of_ones_own_are_read(hands: Hands) -> None:
    game = hands.played()
    with hands.tx() as tx:
        game = tx.game(game.id, lock=True)
        from dataclasses import replace

        named = (("nest", Location("par")), ("zoo", Location("ber")))
        game = tx.fold_seats(game, replace(game.seats[0], names=named))
    assert hands.stored().seats[0].names == named
