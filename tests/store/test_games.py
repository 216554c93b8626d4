"""Games, seats, phases, order sets, press, votes and events: the look-ups, and what may not be lost."""

from __future__ import annotations

from typing import Any

import pytest

from gm.store import accounts, games, order_sets, records
from gm.store.database import Database
from gm.store.tables import GameState, SeatRole
from tests.store.setting import MINUTE, NOW, lay_table


def test_a_person_is_found_by_each_of_his_addresses(database: Database) -> None:
    with database.transaction() as session:
        ann = accounts.create_account(session, email="Ann@Example.org", name="Ann", now=NOW, zone="Europe/Berlin")
        assert ann is not None
        assert accounts.add_address(session, ann.id, "ann@work.example", NOW) is not None
        assert accounts.add_address(session, ann.id, "ANN@work.example ", NOW) is None
        accounts.set_profile(session, ann, name="Ann Example", html=False)
    with database.reading() as session:
        found = accounts.account_by_address(session, "ANN@WORK.EXAMPLE")
        assert found is not None
        assert (found.id, found.name, found.zone, found.html) == (ann.id, "Ann Example", "Europe/Berlin", False)
        assert accounts.addresses_of(session, ann.id) == ["ann@example.org", "ann@work.example"]
        assert accounts.account_by_address(session, "nobody@example.org") is None


def test_a_game_is_found_by_its_name_in_any_case_and_made_once(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        again = games.create_game(session, name="spring", variant="standard", options={}, seed="00", now=NOW)
        assert again is None
    with database.reading() as session:
        found = games.game_by_name(session, "SPRING")
        assert found is not None
        assert found.id == table.game.id
        phase = games.current_phase(session, found)
        assert phase is not None
        assert (phase.code, phase.number, phase.opened_at) == ("S1901M", 1, NOW)
        assert games.game_by_name(session, "winter") is None


def test_games_by_state(database: Database) -> None:
    with database.transaction() as session:
        lay_table(session)
        games.create_game(session, name="winter", variant="standard", options={"press": "white"}, seed="", now=NOW)
        assert [game.name for game in games.games(session)] == ["spring", "winter"]
        assert [game.name for game in games.games(session, GameState.FORMING)] == ["winter"]
        assert games.games(session, GameState.FINISHED, GameState.ABORTED) == []
        with pytest.raises(LookupError, match="no game 99"):
            games.lock_game(session, 99)


def test_seats_and_who_holds_them(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        master = games.add_seat(session, table.game.id, SeatRole.MASTER)
        assert [seat.id for seat in games.vacant_seats(session, table.game.id)] == [table.turkey.id]
        assert [seat.id for seat in games.seats_of(session, table.game.id, SeatRole.MASTER)] == [master.id]
        assert len(games.seats_of(session, table.game.id)) == 3
        turkey = games.seat_of_power(session, table.game.id, "TURKEY")
        assert turkey is not None
        assert turkey.id == table.turkey.id
        assert table.france.account_id is not None
        bob = accounts.create_account(session, email="bob@example.org", name="Bob", now=NOW)
        assert bob is not None
        assert games.fill_seat(session, turkey, bob.id, NOW)
        assert turkey.account_id == bob.id
        assert not games.fill_seat(session, turkey, table.france.account_id, NOW)
        games.vacate_seat(session, table.france)
        assert [seat.id for seat in games.vacant_seats(session, table.game.id)] == [table.france.id]
        games.replace_holder(session, table.france, bob.id, NOW)
        assert games.vacant_seats(session, table.game.id) == []


def test_a_seat_is_known_by_its_last_token_only(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        games.set_token(session, table.france, "old", 1)
        games.set_token(session, table.france, "new", 2)
        found = games.seat_by_token_hash(session, "new")
        assert found is not None
        assert (found.id, found.serial) == (table.france.id, 2)
        assert games.seat_by_token_hash(session, "old") is None


def test_the_games_of_a_sender(database: Database) -> None:
    with database.transaction() as session:
        lay_table(session)
        winter = lay_table(session, "winter")
        games.end_game(session, winter.game, GameState.FINISHED, {"winners": ["France"]})
        mine = games.seats_of_sender(session, "ANN@example.org")
        assert [(game.name, seat.power) for game, seat in mine] == [("spring", "France"), ("winter", "France")]
        mine = games.seats_of_sender(session, "ann@example.org", GameState.RUNNING)
        assert [game.name for game, _ in mine] == ["spring"]
        assert games.seats_of_sender(session, "nobody@example.org") == []


def test_phases_follow_each_other(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        other = lay_table(session, "winter")
        games.close_phase(session, table.phase, {"outcomes": []}, NOW)
        second = games.open_phase(session, table.game, code="F1901M", position={"units": []}, now=NOW + MINUTE)
        assert (second.number, table.game.current_phase_id) == (2, second.id)
        assert [phase.code for phase in games.phases_of(session, table.game.id)] == ["S1901M", "F1901M"]
        before = games.phase_before(session, second)
        assert before is not None
        assert (before.id, before.result) == (table.phase.id, {"outcomes": []})
        assert games.phase_before(session, table.phase) is None
        assert other.phase.number == 1


def test_every_version_of_the_orders_is_kept_and_the_last_counts(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        seats = (table.france.id, table.turkey.id)
        sent: list[tuple[int, list[Any]]] = [(seats[0], ["a"]), (seats[1], ["b"]), (seats[0], [])]
        for seat_id, orders in [*sent, (seats[0], ["c", {"d": 1}])]:
            order_sets.add_order_set(session, table.phase, seat_id, orders, complete=bool(orders), now=NOW)
    with database.reading() as session:
        latest = order_sets.latest_order_sets(session, table.phase.id)
        found = {seat_id: (row.number, row.orders) for seat_id, row in latest.items()}
        assert found == {seats[0]: (3, ["c", {"d": 1}]), seats[1]: (1, ["b"])}
        history = order_sets.order_set_history(session, table.phase.id, seats[0])
        assert [(row.number, row.orders, row.complete) for row in history] == [
            (1, ["a"], True),
            (2, [], False),
            (3, ["c", {"d": 1}], True),
        ]
        last = order_sets.latest_order_set(session, table.phase.id, seats[0])
        assert last is not None
        assert last.number == 3
        assert order_sets.latest_order_set(session, table.phase.id, 999) is None


def test_press_votes_and_events(database: Database) -> None:
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
        records.record(session, "first", NOW, game_id=table.game.id, seat_id=france, detail={"by": "Ann"})
        records.record(session, "second", NOW, game_id=table.game.id)
        records.record(session, "server", NOW)
    with database.reading() as session:
        press = records.press_of(session, table.game.id, table.phase.id)
        assert [(row.body, row.to) for row in press] == [
            ("Hello", ["Turkey", "GM"]),
            ("TO arms \U0001f1eb\U0001f1f7", ["Turkey", "GM"]),
        ]
        assert records.press_of(session, table.game.id, 999) == []
        assert records.votes_of(session, table.phase.id, "draw") == {france: "no", turkey: "yes"}
        assert [event.kind for event in records.events_of(session, table.game.id)] == ["second", "first"]
        assert [event.kind for event in records.events_of(session, None, limit=1)] == ["server"]
