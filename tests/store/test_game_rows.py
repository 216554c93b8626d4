"""Games, seats, phases, order sets, press, votes, the log: rows are read as written, and nothing required is lost."""

from __future__ import annotations

from typing import Any

from gm.games import loading
from gm.store import game_rows, people, records
from gm.store.database import Database
from gm.store.game_rows import GameRow, GameState, SeatRole, SeatRow
from tests.store.setting import MINUTE, NOW, lay_table, open_phase


def test_a_person_is_found_by_each_of_their_addresses(database: Database) -> None:
    with database.transaction() as session:
        ann = people.create_account(session, email="Ann@Example.org", name="Ann", now=NOW, zone="Europe/Berlin")
        assert ann is not None
        assert people.add_address(session, ann.id, "ann@work.example", NOW) is not None
        assert people.add_address(session, ann.id, "ANN@work.example ", NOW) is None
        assert people.create_account(session, email="ann@work.example", name="Eve", now=NOW) is None
        people.update_account(session, ann.id, {"name": "Ann Example", "html": False})
    with database.reading() as session:
        found = loading.person_at(session, "ANN@WORK.EXAMPLE")
        assert found is not None
        assert (found.id, found.name, found.zone, found.html) == (ann.id, "Ann Example", "Europe/Berlin", False)
        assert found.addresses == ("ann@example.org", "ann@work.example")
        assert loading.person_at(session, "nobody@example.org") is None


def test_a_game_is_made_once(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        assert game_rows.create_game(session, name="spring", options={}, seed="00", now=NOW) is None
        other = game_rows.create_game(session, name="winter", options={}, seed="00", now=NOW)
        assert other is not None
        assert other.version != table.game.version


def test_all_that_can_change_of_a_game_is_written(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        values: dict[str, Any] = {
            "version": 7,
            "state": GameState.FINISHED,
            "options": {"press": "none"},
            "seed": "11",
            "told_seeds": ["00"],
            "current_phase_id": None,
            "victory": {"winners": ["France"]},
            "paused_at": NOW,
            "left": 9,
            "comment": "a fine game",
            "house_rules": "no swearing",
        }
        game_rows.update_game(session, table.game.id, values)
    with database.reading() as session:
        game = session.get_one(GameRow, table.game.id)
        assert {name: getattr(game, name) for name in values} == values
        assert game.name == "spring"


def test_all_that_can_change_of_seats_is_written(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        values: dict[str, Any] = {
            "power": "Italy",
            "account_id": None,
            "serial": 4,
            "token_hash": "new",
            "wish": "Italy, Turkey",
            "wait": True,
            "joined_at": NOW,
            "dummy_since": NOW,
            "left_in": 3,
            "muted": [7],
            "names": {"nest": "par"},
            "until": NOW,
        }
        turkey = {**values, "power": "Turkey", "token_hash": None}
        seats = [{"key": table.france.id, **values}, {"key": table.turkey.id, **turkey}]
        game_rows.update_seats(session, seats)
    with database.reading() as session:
        for seat_id, written in ((table.france.id, values), (table.turkey.id, turkey)):
            seat = session.get_one(SeatRow, seat_id)
            assert {name: getattr(seat, name) for name in written} == written
            assert seat.role is SeatRole.PLAYER


def test_phases_follow_each_other(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        other = lay_table(session, "winter")
        game_rows.close_phase(session, table.phase.id, {"outcomes": []}, NOW)
        second = open_phase(session, table.game, "F1901M")
        assert (second.number, table.game.current_phase_id) == (2, second.id)
        game_rows.update_phase(session, second.id, {"units": ["France A par"]}, NOW)
    with database.reading() as session:
        first, second = game_rows.phases_of(session, table.game.id)
        assert (first.code, second.code) == ("S1901M", "F1901M")
        assert (second.follows, first.number, first.result) == (1, 1, {"outcomes": []})
        assert (first.adjudicated_at, first.follows, other.phase.number) == (NOW, 0, 1)
        assert (second.position, second.closed_at) == ({"units": ["France A par"]}, NOW)


def test_every_version_of_the_orders_is_kept_and_the_last_counts(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        france, turkey = table.france.id, table.turkey.id
        sent: list[tuple[int, int, list[Any]]] = [(france, 1, []), (turkey, 1, ["b"]), (france, 2, ["a"])]
        sent.append((france, 3, ["c", {"d": 1}]))
        for minute, (seat_id, number, orders) in enumerate(sent):
            given = {"phase_id": table.phase.id, "seat_id": seat_id, "number": number, "orders": orders}
            more = {"complete": bool(orders), "received_at": NOW + minute * MINUTE, "inbox_id": None}
            game_rows.add_order_sets(session, [{**given, **more}])
    with database.reading() as session:
        latest = game_rows.latest_order_sets(session, table.phase.id)
        found = {seat_id: (row.number, row.orders) for seat_id, row in latest.items()}
        assert found == {france: (3, ["c", {"d": 1}]), turkey: (1, ["b"])}
        history = game_rows.order_set_history(session, table.phase.id, france)
        assert [(row.number, row.orders, row.complete) for row in history] == [
            (1, [], False),
            (2, ["a"], True),
            (3, ["c", {"d": 1}], True),
        ]
        assert game_rows.latest_order_sets(session, 999) == {}
        first = game_rows.first_received(session, table.phase.id)
        assert first == {france: NOW + 2 * MINUTE, turkey: NOW + MINUTE}, "an empty set is no order"
        first = game_rows.first_received(session, table.phase.id, used_or_not=True)
        assert first == {france: NOW, turkey: NOW + MINUTE}, "what could not be used was sent, too"


def test_press_votes_and_the_log(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        france, turkey, ann = table.france.id, table.turkey.id, table.france.account_id or 0
        for body in ("Hello", "TO arms \U0001f1eb\U0001f1f7"):
            records.add_press(
                session,
                game_id=table.game.id,
                phase_id=table.phase.id,
                from_seat_id=france,
                to=["Turkey", "GM"],
                readers=[turkey],
                body=body,
                now=NOW,
            )
        for seat_id, value in [(france, "yes"), (turkey, "yes"), (france, "no")]:
            whose = {"phase_id": table.phase.id, "seat_id": seat_id, "account_id": ann}
            records.cast_vote(session, **whose, kind="draw", value=value, now=NOW)
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
        assert records.votes_of(session, table.phase.id, "draw") == {(france, ann): "no", (turkey, ann): "yes"}
        assert records.votes_by(session, table.phase.id, france, ann) == {"draw": "no"}
        assert records.votes_by(session, table.phase.id, france, 999) == {}
        assert [row.kind for row in records.log_of(session, table.game.id)] == ["second", "first"]
        assert [row.kind for row in records.log_of(session, None, limit=1)] == ["server"]
