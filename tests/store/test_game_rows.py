"""Games and their versions, seats, phases, order sets, press, votes, the log: look-ups, and what may not be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session

from gm.store import agenda, game_rows, order_rows, people, records
from gm.store.agenda import DeadlineKind
from gm.store.database import Database
from gm.store.game_rows import GameState, SeatRole
from tests.store.setting import MINUTE, NOW, Table, lay_table


def test_a_person_is_found_by_each_of_his_addresses(database: Database) -> None:
    with database.transaction() as session:
        ann = people.create_account(session, email="Ann@Example.org", name="Ann", now=NOW, zone="Europe/Berlin")
        assert ann is not None
        assert people.add_address(session, ann.id, "ann@work.example", NOW) is not None
        assert people.add_address(session, ann.id, "ANN@work.example ", NOW) is None
        ann.name, ann.html = "Ann Example", False
    with database.reading() as session:
        found = people.account_by_address(session, "ANN@WORK.EXAMPLE")
        assert found is not None
        assert (found.id, found.name, found.zone, found.html) == (ann.id, "Ann Example", "Europe/Berlin", False)
        assert people.addresses_of(session, ann.id) == ["ann@example.org", "ann@work.example"]
        assert people.account_by_address(session, "nobody@example.org") is None


def test_a_game_is_found_by_its_name_in_any_case_and_made_once(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        again = game_rows.create_game(session, name="spring", options={}, seed="00", now=NOW)
        assert again is None
    with database.reading() as session:
        found = game_rows.game_by_name(session, "SPRING")
        assert found is not None
        assert found.id == table.game.id
        phase = game_rows.current_phase(session, found)
        assert phase is not None
        assert (phase.code, phase.number, phase.opened_at) == ("S1901M", 1, NOW)
        assert game_rows.game_by_name(session, "winter") is None


def test_games_by_state(database: Database) -> None:
    with database.transaction() as session:
        lay_table(session)
        game_rows.create_game(session, name="winter", options={"press": "white"}, seed="", now=NOW)
        assert [game.name for game in game_rows.games(session)] == ["spring", "winter"]
        assert [game.name for game in game_rows.games(session, GameState.FORMING)] == ["winter"]
        assert game_rows.games(session, GameState.FINISHED, GameState.ABORTED) == []
        with pytest.raises(LookupError, match="no game 99"):
            game_rows.lock_game(session, 99)


def test_seats_and_who_holds_them(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        master = game_rows.add_seat(session, table.game.id, SeatRole.MASTER)
        assert [seat.id for seat in game_rows.vacant_seats(session, table.game.id)] == [table.turkey.id]
        assert [seat.id for seat in game_rows.seats_of(session, table.game.id)] == [
            table.france.id,
            table.turkey.id,
            master.id,
        ]
        bob = people.create_account(session, email="bob@example.org", name="Bob", now=NOW)
        assert bob is not None
        game_rows.replace_holder(session, table.turkey, bob.id, NOW)
        assert table.turkey.account_id == bob.id
        assert game_rows.vacant_seats(session, table.game.id) == []
        game_rows.vacate_seat(session, table.france)
        assert [seat.id for seat in game_rows.vacant_seats(session, table.game.id)] == [table.france.id]
        game_rows.replace_holder(session, table.france, bob.id, NOW)
        assert game_rows.vacant_seats(session, table.game.id) == []


def test_a_seat_is_known_by_its_last_token_only(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        table.france.token_hash, table.france.serial = "old", 1
        session.flush()
        table.france.token_hash, table.france.serial = "new", 2
        found = game_rows.seat_by_token_hash(session, "new")
        assert found is not None
        assert (found.id, found.serial) == (table.france.id, 2)
        assert game_rows.seat_by_token_hash(session, "old") is None


def test_the_games_of_a_sender(database: Database) -> None:
    with database.transaction() as session:
        lay_table(session)
        winter = lay_table(session, "winter")
        game_rows.end_game(session, winter.game, GameState.FINISHED, {"winners": ["France"]})
        ann = people.account_by_address(session, "ANN@example.org")
        assert ann is not None
        mine = game_rows.seats_of_account(session, ann.id)
        assert [(game.name, seat.power) for game, seat in mine] == [("spring", "France"), ("winter", "France")]
        mine = game_rows.seats_of_account(session, ann.id, GameState.RUNNING)
        assert [game.name for game, _ in mine] == ["spring"]
        assert game_rows.seats_of_account(session, ann.id + 1) == []


CHANGES: dict[str, Callable[[Session, Table], object]] = {
    "the game": lambda session, table: setattr(table.game, "comment", "a fine game"),
    "its options": lambda session, table: setattr(table.game, "options", {"press": "white"}),
    "its end": lambda session, table: game_rows.end_game(session, table.game, GameState.ABORTED),
    "another seat": lambda session, table: game_rows.add_seat(session, table.game.id, SeatRole.OBSERVER),
    "the holder of a seat": lambda session, table: game_rows.vacate_seat(session, table.france),
    "what a seat waits for": lambda session, table: setattr(table.turkey, "wait", True),
    "another phase": lambda session, table: game_rows.open_phase(
        session, table.game, code="F1901M", position={}, now=NOW
    ),
    "the result of a phase": lambda session, table: game_rows.close_phase(session, table.phase, {}, NOW),
    "orders closed for review": lambda session, table: setattr(table.phase, "closed_at", NOW),
    "orders": lambda session, table: order_rows.add_order_set(
        session, table.phase, table.france.id, [], complete=True, now=NOW
    ),
    "a deadline": lambda session, table: agenda.set_deadline(session, table.game.id, table.phase.id, NOW),
    "a reminder": lambda session, table: agenda.add_deadline(
        session, table.game.id, table.phase.id, DeadlineKind.REMINDER, NOW
    ),
    "no deadline": lambda session, table: agenda.cancel_deadlines(session, table.phase.id),
    "a deadline that was met": lambda session, table: agenda.finish(
        session, agenda.open_deadlines(session, table.game.id)[0], NOW
    ),
}
"""What belongs to a game and may change."""


@pytest.mark.parametrize("what", CHANGES)
def test_every_change_gives_a_game_another_version(database: Database, what: str) -> None:
    with database.transaction() as session:
        table, other = lay_table(session), lay_table(session, "winter")
        agenda.set_deadline(session, table.game.id, table.phase.id, NOW + MINUTE)
    before, untouched = version(database, table), version(database, other)
    with database.transaction() as session:
        CHANGES[what](session, read_anew(session, table))
    assert version(database, table) != before
    assert version(database, other) == untouched


def test_what_changes_nothing_leaves_the_version(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
    before = version(database, table)
    with database.transaction() as session:
        game = game_rows.lock_game(session, table.game.id)
        game.comment = game.comment
        for seat in game_rows.seats_of(session, game.id):
            seat.wait = False
        records.note(session, "looked", NOW, game_id=game.id)
    assert version(database, table) == before


def test_a_change_that_is_undone_does_not_share_its_version(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
    seen = {version(database, table)}
    for comment in ("one", "another"):
        with database.transaction() as session:
            game = game_rows.lock_game(session, table.game.id)
            game.comment = comment
            session.flush()
            assert game.version not in seen
            seen.add(game.version)
            session.rollback()
    assert version(database, table) in seen
    assert len(seen) == 3


def read_anew(session: Session, table: Table) -> Table:
    """The same game in another session."""
    france, turkey = game_rows.seats_of(session, table.game.id)
    phase = game_rows.phase_by_id(session, table.phase.id)
    assert phase is not None
    return Table(game_rows.lock_game(session, table.game.id), france, turkey, phase)


def version(database: Database, table: Table) -> int:
    """The game's version, as another transaction reads it."""
    with database.reading() as session:
        game = game_rows.game_by_id(session, table.game.id)
        assert game is not None
        return game.version


def test_phases_follow_each_other(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        other = lay_table(session, "winter")
        game_rows.close_phase(session, table.phase, {"outcomes": []}, NOW)
        second = game_rows.open_phase(session, table.game, code="F1901M", position={"units": []}, now=NOW + MINUTE)
        assert (second.number, table.game.current_phase_id) == (2, second.id)
        assert [phase.code for phase in game_rows.phases_of(session, table.game.id)] == ["S1901M", "F1901M"]
        assert (second.follows, table.phase.number, table.phase.result) == (1, 1, {"outcomes": []})
        assert table.phase.follows == 0
        assert other.phase.number == 1


def test_every_version_of_the_orders_is_kept_and_the_last_counts(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        seats = (table.france.id, table.turkey.id)
        sent: list[tuple[int, list[Any]]] = [(seats[0], ["a"]), (seats[1], ["b"]), (seats[0], [])]
        for seat_id, orders in [*sent, (seats[0], ["c", {"d": 1}])]:
            order_rows.add_order_set(session, table.phase, seat_id, orders, complete=bool(orders), now=NOW)
    with database.reading() as session:
        latest = order_rows.latest_order_sets(session, table.phase.id)
        found = {seat_id: (row.number, row.orders) for seat_id, row in latest.items()}
        assert found == {seats[0]: (3, ["c", {"d": 1}]), seats[1]: (1, ["b"])}
        history = order_rows.order_set_history(session, table.phase.id, seats[0])
        assert [(row.number, row.orders, row.complete) for row in history] == [
            (1, ["a"], True),
            (2, [], False),
            (3, ["c", {"d": 1}], True),
        ]
        assert order_rows.latest_order_sets(session, 999) == {}


def test_press_votes_and_the_log(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        france, turkey = table.france.id, table.turkey.id
        for body in ("Hello", "TO arms \U0001f1eb\U0001f1f7"):
            records.add_press(
                session,
                game_id=table.game.id,
                phase_id=table.phase.id,
                from_seat_id=france,
                to=["Turkey", "GM"],
                body=body,
                now=NOW,
            )
        for seat_id, value in [(france, "yes"), (turkey, "yes"), (france, "no")]:
            records.cast_vote(session, phase_id=table.phase.id, seat_id=seat_id, kind="draw", value=value, now=NOW)
        records.note(session, "first", NOW, game_id=table.game.id, seat_id=france, detail={"by": "Ann"})
        records.note(session, "second", NOW, game_id=table.game.id)
        records.note(session, "server", NOW)
    with database.reading() as session:
        press = records.press_of(session, table.game.id, table.phase.id)
        assert [(row.body, row.to) for row in press] == [
            ("Hello", ["Turkey", "GM"]),
            ("TO arms \U0001f1eb\U0001f1f7", ["Turkey", "GM"]),
        ]
        assert records.press_of(session, table.game.id, 999) == []
        assert records.votes_of(session, table.phase.id, "draw") == {france: "no", turkey: "yes"}
        assert [row.kind for row in records.log_of(session, table.game.id)] == ["second", "first"]
        assert [row.kind for row in records.log_of(session, None, limit=1)] == ["server"]
