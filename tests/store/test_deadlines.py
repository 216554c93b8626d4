"""Deadlines and owed reports: what is due, who works on it, when the server wakes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from gm.store import deadlines, games, report_queue
from gm.store.database import Database
from gm.store.tables import DeadlineKind, GameState
from tests.store.setting import MINUTE, NOW, Table, lay_table

DAY = timedelta(days=1)


def lay_due(database: Database, name: str = "spring", due: timedelta = DAY) -> Table:
    with database.transaction() as session:
        table = lay_table(session, name)
        deadlines.set_deadline(session, table.game.id, table.phase.id, NOW + due)
    return table


def test_a_deadline_is_due_from_its_very_time(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        assert deadlines.next_wake(session) == NOW + DAY
        assert deadlines.claim_due_game(session, NOW + DAY - timedelta(microseconds=1)) is None
        claimed = deadlines.claim_due_game(session, NOW + DAY)
        assert claimed is not None
        game, (deadline,) = claimed
        assert (game.id, deadline.kind, deadline.phase_id) == (table.game.id, DeadlineKind.ADJUDICATE, table.phase.id)
        deadlines.finish(session, deadline, NOW + DAY)
        assert deadlines.claim_due_game(session, NOW + DAY) is None
        assert deadlines.next_wake(session) is None


def test_moving_a_deadline_keeps_the_old_row(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        deadlines.add_deadline(session, table.game.id, table.phase.id, DeadlineKind.REMINDER, NOW)
        deadlines.set_deadline(session, table.game.id, table.phase.id, NOW + 2 * DAY)
        found = deadlines.deadline_of(session, table.phase.id)
        assert found is not None
        assert (found.id, found.due_at) == (3, NOW + 2 * DAY)
        kinds = [deadline.kind for deadline in deadlines.open_deadlines(session, table.game.id)]
        assert kinds == [DeadlineKind.REMINDER, DeadlineKind.ADJUDICATE]
        deadlines.cancel_deadlines(session, table.phase.id)
        assert deadlines.deadline_of(session, table.phase.id) is None
        assert deadlines.deadlines_due(session, NOW + 9 * DAY) == []


@pytest.mark.parametrize("state", [state for state in GameState if state is not GameState.RUNNING])
def test_only_running_games_have_due_deadlines(database: Database, state: GameState) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        games.end_game(session, games.lock_game(session, table.game.id), state)
    with database.transaction() as session:
        assert deadlines.deadlines_due(session, NOW + DAY) == []
        assert deadlines.claim_due_game(session, NOW + DAY) is None
        assert deadlines.next_wake(session) is None


@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_two_servers_work_on_two_games(database: Database) -> None:
    first, second = lay_due(database, "spring"), lay_due(database, "autumn")
    with database.transaction() as one, database.transaction() as other, database.transaction() as third:
        claimed = deadlines.claim_due_game(one, NOW + DAY)
        assert claimed is not None
        also = deadlines.claim_due_game(other, NOW + DAY)
        assert also is not None
        assert (claimed[0].id, also[0].id) == (first.game.id, second.game.id)
        assert deadlines.claim_due_game(third, NOW + DAY) is None


def test_a_claimed_game_comes_with_its_own_deadlines_only(database: Database) -> None:
    tables = [lay_due(database, "spring"), lay_due(database, "autumn")]
    with database.transaction() as session:
        deadlines.add_deadline(session, tables[0].game.id, tables[0].phase.id, DeadlineKind.REMINDER, NOW)
    for table, count in zip(tables, (2, 1), strict=True):
        with database.transaction() as session:
            claimed = deadlines.claim_due_game(session, NOW + DAY)
            assert claimed is not None
            assert claimed[0].id == table.game.id
            assert [deadline.game_id for deadline in claimed[1]] == [table.game.id] * count
            for deadline in claimed[1]:
                deadlines.finish(session, deadline, NOW + DAY)


def test_two_servers_that_work_at_once_meet_each_deadline_once(database: Database) -> None:
    """Each works until nothing is due, closing the phase; a phase met twice would raise AlreadyClosed."""
    tables = [lay_due(database, f"game-{number}") for number in range(6)]

    def work(_: int) -> list[int]:
        met: list[int] = []
        while True:
            with database.transaction() as session:
                claimed = deadlines.claim_due_game(session, NOW + DAY)
                if claimed is None:
                    return met
                game, due = claimed
                for deadline in due:
                    phase = games.current_phase(session, game)
                    assert phase is not None
                    games.close_phase(session, phase, {}, NOW + DAY)
                    deadlines.finish(session, deadline, NOW + DAY)
                met.append(game.id)

    with ThreadPoolExecutor(2) as servers:
        first, second = servers.map(work, range(2))
    assert sorted(first + second) == [table.game.id for table in tables]


def test_a_game_locked_by_a_mail_is_due_when_the_mail_is_done(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        games.lock_game(session, table.game.id)
        deadlines.set_deadline(session, table.game.id, table.phase.id, NOW + 2 * DAY)
    with database.transaction() as session:
        assert deadlines.claim_due_game(session, NOW + DAY) is None
        assert deadlines.claim_due_game(session, NOW + 2 * DAY) is not None


def test_the_soonest_work_of_all_tables_wakes_the_server(database: Database) -> None:
    table = lay_due(database)
    lay_due(database, "autumn", due=2 * DAY)
    with database.transaction() as session:
        assert deadlines.next_wake(session) == NOW + DAY
        report_queue.owe(session, table.phase.id, [table.france.id], "turn", NOW)
        assert deadlines.next_wake(session) == NOW


def test_a_report_is_owed_once_and_written_by_one(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        for _ in range(2):
            report_queue.owe(session, table.phase.id, [table.france.id, table.turkey.id], "turn", NOW)
        assert report_queue.count_owed(session) == 2
    reports = []
    for _ in range(3):
        with database.transaction() as session:
            reports.append(report_queue.next_owed(session, NOW))
    first, second, none = reports
    assert first is not None
    assert second is not None
    assert none is None
    assert (first.seat_id, second.seat_id) == (table.france.id, table.turkey.id)
    with database.transaction() as session:
        assert report_queue.settle(session, first.id, NOW)
        assert not report_queue.settle(session, first.id, NOW)
        assert report_queue.count_owed(session) == 1
        assert report_queue.wakes_at(session) == NOW + report_queue.HOLD
        again = report_queue.next_owed(session, NOW + report_queue.HOLD + MINUTE)
        assert again is not None
        assert again.id == second.id
        report_queue.owe(session, table.phase.id, [table.france.id], "turn", NOW)  # long settled: not owed again
        assert report_queue.count_owed(session) == 1
