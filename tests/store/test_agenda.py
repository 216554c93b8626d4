"""Deadlines and queued reports: what is due, who processes it, when the server wakes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.store import agenda, game_rows
from gm.store.agenda import DeadlineKind, DeadlineRow, ReportQueueRow
from gm.store.database import Database
from gm.store.game_rows import GameRow, GameState, SeatRow
from gm.store.inbox import InboxState, accept, mark
from tests.store.setting import MINUTE, NOW, Table, arrived, lay_table, set_deadline

DAY = timedelta(days=1)


def lay_due(database: Database, name: str = "spring", due: timedelta = DAY) -> Table:
    with database.transaction() as session:
        table = lay_table(session, name)
        set_deadline(session, table, NOW + due)
    return table


def test_a_deadline_is_due_from_its_very_time(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        assert agenda.next_work(session).deadline == NOW + DAY
        assert agenda.claim_due_game(session, NOW + DAY - timedelta(microseconds=1)) is None
        claimed = agenda.claim_due_game(session, NOW + DAY)
        assert claimed is not None
        game_id, (deadline,) = claimed
        assert (game_id, deadline.kind, deadline.phase_id) == (table.game.id, DeadlineKind.ADJUDICATE, table.phase.id)
        agenda.finish(session, deadline.id, NOW + DAY)
        assert agenda.claim_due_game(session, NOW + DAY) is None
        assert agenda.next_work(session).deadline is None


def test_moving_a_deadline_keeps_the_old_row(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        set_deadline(session, table, NOW, DeadlineKind.REMINDER)
        agenda.cancel(session, table.phase.id, [DeadlineKind.ADJUDICATE])
        set_deadline(session, table, NOW + 2 * DAY)
        found = agenda.open_deadlines(session, table.game.id)
        assert [deadline.kind for deadline in found] == [DeadlineKind.REMINDER, DeadlineKind.ADJUDICATE]
        assert (found[1].id, found[1].due_at) == (3, NOW + 2 * DAY)
        agenda.cancel(session, table.phase.id, DeadlineKind)
        assert agenda.open_deadlines(session, table.game.id) == []
        assert agenda.deadlines_due(session, NOW + 9 * DAY) == []
        assert session.scalars(select(DeadlineRow.cancelled)).all() == [True, True, True]


def test_one_deadline_is_cancelled_by_its_number(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        set_deadline(session, table, NOW)
        agenda.cancel_deadline(session, 2)
        assert [deadline.id for deadline in agenda.open_deadlines(session, table.game.id)] == [1]


@pytest.mark.parametrize("state", [state for state in GameState if state is not GameState.RUNNING])
def test_only_running_games_have_due_deadlines(database: Database, state: GameState) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        session.get_one(GameRow, table.game.id).state = state
    with database.transaction() as session:
        assert agenda.deadlines_due(session, NOW + DAY) == []
        assert agenda.claim_due_game(session, NOW + DAY) is None
        assert agenda.next_work(session).deadline is None


@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_two_servers_work_on_two_games(database: Database) -> None:
    first, second = lay_due(database, "spring"), lay_due(database, "autumn")
    with database.transaction() as one, database.transaction() as other, database.transaction() as third:
        claimed = agenda.claim_due_game(one, NOW + DAY)
        assert claimed is not None
        also = agenda.claim_due_game(other, NOW + DAY)
        assert also is not None
        assert (claimed[0], also[0]) == (first.game.id, second.game.id)
        assert agenda.claim_due_game(third, NOW + DAY) is None


def test_a_claimed_game_comes_with_its_own_deadlines_only(database: Database) -> None:
    tables = [lay_due(database, "spring"), lay_due(database, "autumn")]
    with database.transaction() as session:
        set_deadline(session, tables[0], NOW, DeadlineKind.REMINDER)
    for table, count in zip(tables, (2, 1), strict=True):
        with database.transaction() as session:
            claimed = agenda.claim_due_game(session, NOW + DAY)
            assert claimed is not None
            assert claimed[0] == table.game.id
            assert [deadline.game_id for deadline in claimed[1]] == [table.game.id] * count
            for deadline in claimed[1]:
                agenda.finish(session, deadline.id, NOW + DAY)


def test_two_servers_that_work_at_once_meet_each_deadline_once(database: Database) -> None:
    """Each worker processes deadlines until none is due; a phase processed twice would raise AlreadyClosed."""
    tables = [lay_due(database, f"game-{number}") for number in range(6)]

    def work(_: int) -> list[int]:
        met: list[int] = []
        while True:
            with database.transaction() as session:
                claimed = agenda.claim_due_game(session, NOW + DAY)
                if claimed is None:
                    return met
                game_id, due = claimed
                for deadline in due:
                    game_rows.close_phase(session, deadline.phase_id, {}, NOW + DAY)
                    agenda.finish(session, deadline.id, NOW + DAY)
                met.append(game_id)

    with ThreadPoolExecutor(2) as servers:
        first, second = servers.map(work, range(2))
    assert sorted(first + second) == [table.game.id for table in tables]


def test_a_game_locked_by_a_mail_is_due_when_the_mail_is_done(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        agenda.cancel(session, table.phase.id, [DeadlineKind.ADJUDICATE])
        set_deadline(session, table, NOW + 2 * DAY)
    with database.transaction() as session:
        assert agenda.claim_due_game(session, NOW + DAY) is None
        assert agenda.claim_due_game(session, NOW + 2 * DAY) is not None


@pytest.mark.parametrize("address", ["gm@example.org", "gm+spring.0123456789abcdef@example.org"])
def test_a_game_waits_for_unread_mail_of_its_own_players_alone(database: Database, address: str) -> None:
    """Another game is closed meanwhile, whether its number is lower or higher."""
    tables = [lay_due(database, name) for name in ("autumn", "spring", "winter")]
    lower, awaited, higher = (table.game.id for table in tables)
    with database.transaction() as session:
        for other in (tables[0], tables[2]):
            session.get_one(SeatRow, other.france.id).account_id = None
        mail = accept(session, arrived(sender="ann@example.org"), address)
        assert mail is not None
        assert claimed(session) == lower
        assert claimed(session) == higher
        assert claimed(session) is None
        mark(session, mail, InboxState.DONE, NOW + DAY)
        assert claimed(session) == awaited


def claimed(session: Session) -> int | None:
    """The game that is due and waits for nothing, whose deadlines are finished then."""
    game_id, deadlines = agenda.claim_due_game(session, NOW + DAY) or (None, ())
    for deadline in deadlines:
        agenda.finish(session, deadline.id, NOW + DAY)
    return game_id


def test_the_first_deadline_and_the_first_report_wake_the_server(database: Database) -> None:
    table = lay_due(database)
    lay_due(database, "autumn", due=2 * DAY)
    with database.transaction() as session:
        assert agenda.next_work(session).deadline == NOW + DAY
        assert agenda.next_work(session).report is None
        agenda.owe_reports(session, table.phase.id, [table.france.id], "turn", NOW)
        assert agenda.next_work(session).report == NOW


def owed(session: Session) -> int:
    """The number of reports still to be written."""
    return len(session.scalars(select(ReportQueueRow.id).where(ReportQueueRow.done_at.is_(None))).all())


def test_the_reports_of_a_phase_are_leased_and_settled_together(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        other = lay_table(session, "other").phase
        agenda.owe_reports(session, other.id, [table.turkey.id], "turn", NOW)
        agenda.owe_reports(session, table.phase.id, [table.france.id, table.turkey.id], "turn", NOW)
    phases = []
    for _ in range(3):
        with database.transaction() as session:
            phases.append([report.phase_id for report in agenda.next_reports(session, NOW)])
    assert phases == [[table.phase.id] * 2, [other.id], []]
    with database.transaction() as session:
        assert len(agenda.settle_reports(session, [1, 2, 3, 4], NOW)) == 3
        assert owed(session) == 0


def test_a_report_is_queued_once_and_written_by_one(database: Database) -> None:
    table = lay_due(database)
    with database.transaction() as session:
        for _ in range(2):
            agenda.owe_reports(session, table.phase.id, [table.france.id, table.turkey.id], "turn", NOW)
        assert owed(session) == 2
    reports = []
    for _ in range(3):
        with database.transaction() as session:
            reports.append(agenda.next_reports(session, NOW, 1))
    (first,), (second,), none = reports
    assert not none
    assert (first.seat_id, second.seat_id) == (table.france.id, table.turkey.id)
    with database.transaction() as session:
        assert agenda.settle_reports(session, [first.id], NOW) == {first.id}
        assert not agenda.settle_reports(session, [first.id], NOW)
        assert owed(session) == 1
        assert agenda.next_work(session).report == NOW + agenda.REPORT_LEASE
        (again,) = agenda.next_reports(session, NOW + agenda.REPORT_LEASE + MINUTE)
        assert again.id == second.id
        agenda.owe_reports(session, table.phase.id, [table.france.id], "turn", NOW)  # long settled: not owed again
        assert owed(session) == 1
