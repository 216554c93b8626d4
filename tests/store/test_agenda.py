"""Deadlines and owed reports: what is due, who works on it, when the server wakes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.store import agenda, game_rows
from gm.store.agenda import DeadlineKind, ReportQueueRow
from gm.store.database import Database
from gm.store.game_rows import GameState
from tests.store.setting import MINUTE, NOW, Table, lay_table

DAY = timedelta(days=1)


def lay_due(database: Database, name: str = "spring", due: timedelta = DAY) -> Table:
    with database.transaction() as session:
        table = lay_table(session, name)
        agenda.set_deadline(session, table.game.id, table.phase.id, NOW + due)
    return table


def test_a_deadline_is_due_from_its_very_time(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        assert agenda.next_deadline(session) == NOW + DAY
        assert agenda.claim_due_game(session, NOW + DAY - timedelta(microseconds=1)) is None
        claimed = agenda.claim_due_game(session, NOW + DAY)
        assert claimed is not None
        game, (deadline,) = claimed
        assert (game.id, deadline.kind, deadline.phase_id) == (table.game.id, DeadlineKind.ADJUDICATE, table.phase.id)
        agenda.finish(session, deadline, NOW + DAY)
        assert agenda.claim_due_game(session, NOW + DAY) is None
        assert agenda.next_deadline(session) is None


def test_moving_a_deadline_keeps_the_old_row(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        agenda.add_deadline(session, table.game.id, table.phase.id, DeadlineKind.REMINDER, NOW)
        agenda.set_deadline(session, table.game.id, table.phase.id, NOW + 2 * DAY)
        found = agenda.deadline_of(session, table.phase.id)
        assert found is not None
        assert (found.id, found.due_at) == (3, NOW + 2 * DAY)
        kinds = [deadline.kind for deadline in agenda.open_deadlines(session, table.game.id)]
        assert kinds == [DeadlineKind.REMINDER, DeadlineKind.ADJUDICATE]
        agenda.cancel_deadlines(session, table.phase.id)
        assert agenda.deadline_of(session, table.phase.id) is None
        assert agenda.deadlines_due(session, NOW + 9 * DAY) == []


@pytest.mark.parametrize("state", [state for state in GameState if state is not GameState.RUNNING])
def test_only_running_games_have_due_deadlines(database: Database, state: GameState) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        game_rows.end_game(session, game_rows.lock_game(session, table.game.id), state)
    with database.transaction() as session:
        assert agenda.deadlines_due(session, NOW + DAY) == []
        assert agenda.claim_due_game(session, NOW + DAY) is None
        assert agenda.next_deadline(session) is None


@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_two_servers_work_on_two_games(database: Database) -> None:
    first, second = lay_due(database, "spring"), lay_due(database, "autumn")
    with database.transaction() as one, database.transaction() as other, database.transaction() as third:
        claimed = agenda.claim_due_game(one, NOW + DAY)
        assert claimed is not None
        also = agenda.claim_due_game(other, NOW + DAY)
        assert also is not None
        assert (claimed[0].id, also[0].id) == (first.game.id, second.game.id)
        assert agenda.claim_due_game(third, NOW + DAY) is None


def test_a_claimed_game_comes_with_its_own_deadlines_only(database: Database) -> None:
    tables = [lay_due(database, "spring"), lay_due(database, "autumn")]
    with database.transaction() as session:
        agenda.add_deadline(session, tables[0].game.id, tables[0].phase.id, DeadlineKind.REMINDER, NOW)
    for table, count in zip(tables, (2, 1), strict=True):
        with database.transaction() as session:
            claimed = agenda.claim_due_game(session, NOW + DAY)
            assert claimed is not None
            assert claimed[0].id == table.game.id
            assert [deadline.game_id for deadline in claimed[1]] == [table.game.id] * count
            for deadline in claimed[1]:
                agenda.finish(session, deadline, NOW + DAY)


def test_two_servers_that_work_at_once_meet_each_deadline_once(database: Database) -> None:
    """Each works until nothing is due, closing the phase; a phase met twice would raise AlreadyClosed."""
    tables = [lay_due(database, f"game-{number}") for number in range(6)]

    def work(_: int) -> list[int]:
        met: list[int] = []
        while True:
            with database.transaction() as session:
                claimed = agenda.claim_due_game(session, NOW + DAY)
                if claimed is None:
                    return met
                game, due = claimed
                for deadline in due:
                    phase = game_rows.current_phase(session, game)
                    assert phase is not None
                    game_rows.close_phase(session, phase, {}, NOW + DAY)
                    agenda.finish(session, deadline, NOW + DAY)
                met.append(game.id)

    with ThreadPoolExecutor(2) as servers:
        first, second = servers.map(work, range(2))
    assert sorted(first + second) == [table.game.id for table in tables]


def test_a_game_locked_by_a_mail_is_due_when_the_mail_is_done(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        game_rows.lock_game(session, table.game.id)
        agenda.set_deadline(session, table.game.id, table.phase.id, NOW + 2 * DAY)
    with database.transaction() as session:
        assert agenda.claim_due_game(session, NOW + DAY) is None
        assert agenda.claim_due_game(session, NOW + 2 * DAY) is not None


def test_the_first_deadline_and_the_first_report_wake_the_server(database: Database) -> None:
    table = lay_due(database)
    lay_due(database, "autumn", due=2 * DAY)
    with database.transaction() as session:
        assert agenda.next_deadline(session) == NOW + DAY
        assert agenda.reports_wake_at(session) is None
        agenda.owe_reports(session, table.phase.id, [table.france.id], "turn", NOW)
        assert agenda.reports_wake_at(session) == NOW


def owed(session: Session) -> int:
    """How many reports are still to be written."""
    return len(session.scalars(select(ReportQueueRow.id).where(ReportQueueRow.done_at.is_(None))).all())


def test_a_report_is_owed_once_and_written_by_one(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        for _ in range(2):
            agenda.owe_reports(session, table.phase.id, [table.france.id, table.turkey.id], "turn", NOW)
        assert owed(session) == 2
    reports = []
    for _ in range(3):
        with database.transaction() as session:
            reports.append(agenda.next_report(session, NOW))
    first, second, none = reports
    assert first is not None
    assert second is not None
    assert none is None
    assert (first.seat_id, second.seat_id) == (table.france.id, table.turkey.id)
    with database.transaction() as session:
        assert agenda.settle_report(session, first.id, NOW)
        assert not agenda.settle_report(session, first.id, NOW)
        assert owed(session) == 1
        assert agenda.reports_wake_at(session) == NOW + agenda.REPORT_LEASE
        again = agenda.next_report(session, NOW + agenda.REPORT_LEASE + MINUTE)
        assert again is not None
        assert again.id == second.id
        agenda.owe_reports(session, table.phase.id, [table.france.id], "turn", NOW)  # long settled: not owed again
        assert owed(session) == 1
