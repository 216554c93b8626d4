"""What two processes that share a database may not do twice: real connections that compete for the same row."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from gm.errors import Temporary
from gm.store import agenda, game_rows, inbox, outbox
from gm.store.database import Database
from gm.store.game_rows import AlreadyClosed
from gm.store.inbox import InboxRow
from gm.store.outbox import OutboxRow
from gm.store.people import AccountRow, AddressRow
from gm.store.rows import claiming
from tests.store.setting import NOW, arrived, lay_table
from tests.timing import HANGING

MEETING = HANGING
"""Seconds after which a test that hangs fails."""

UNCLAIMED = select(AccountRow).where(AccountRow.zone == "UTC").order_by(AccountRow.id)


def both(work: Callable[[], object]) -> list[object]:
    """Run the same function in two threads that start together. Returns the results and exceptions, in no order."""
    start = threading.Barrier(2, timeout=MEETING)

    def one() -> object:
        start.wait()
        try:
            return work()
        except Exception as error:
            return error

    with ThreadPoolExecutor(2) as threads:
        return [future.result(MEETING) for future in [threads.submit(one), threads.submit(one)]]


def add_accounts(database: Database, count: int) -> None:
    with database.transaction() as session:
        session.add_all(AccountRow(name=str(n), zone="UTC", html=False, created_at=NOW) for n in range(count))


def test_two_connections_never_get_the_same_row(database: Database) -> None:
    """Each worker takes rows, one in each transaction, until there are none; on both databases every row is taken
    exactly once.
    """
    add_accounts(database, 30)

    def take_all() -> list[int]:
        taken: list[int] = []
        while True:
            with database.transaction() as session:
                row = session.scalar(claiming(UNCLAIMED))
                if row is None:
                    return taken
                row.zone = "taken"
                taken.append(row.id)

    first, second = both(take_all)
    assert isinstance(first, list)
    assert isinstance(second, list)
    # Where one passed over the other's last row it stops early, but no row is left or taken twice.
    assert sorted(first + second) == list(range(1, 31))


@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_on_postgresql_a_claimed_row_is_passed_over_and_not_waited_for(database: Database) -> None:
    add_accounts(database, 3)
    every = select(AccountRow).order_by(AccountRow.id)
    with database.transaction() as first, database.transaction() as second, database.transaction() as third:
        assert [row.id for row in first.scalars(claiming(every))] == [1]
        assert [row.id for row in second.scalars(claiming(every, limit=5))] == [2, 3]
        assert third.scalars(claiming(every)).all() == []
        # To refer to a claimed row is no claim: keys never change.
        third.add(AddressRow(account_id=1, email="a@example.org", created_at=NOW))
        third.flush()


@pytest.mark.parametrize("database_kind", ["sqlite"])
def test_on_sqlite_a_second_claim_waits_for_the_first_transaction(database: Database) -> None:
    add_accounts(database, 1)
    order: list[str] = []
    claimed, waiting = threading.Event(), threading.Event()

    def second() -> int:
        claimed.wait(MEETING)
        waiting.set()
        with database.transaction() as session:
            found = len(session.scalars(claiming(UNCLAIMED)).all())
            order.append("second")
            return found

    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(second)
        with database.transaction() as session:
            session.scalars(claiming(UNCLAIMED)).one().zone = "taken"
            claimed.set()
            assert waiting.wait(MEETING)
            order.append("first")
        assert future.result(MEETING) == 0
    assert order == ["first", "second"]


def test_a_claim_reads_the_row_anew(database: Database) -> None:
    add_accounts(database, 1)
    with database.transaction() as session:
        known = session.get(AccountRow, 1)
        assert known is not None
        session.execute(update(AccountRow).values(name="changed"), execution_options={"synchronize_session": False})
        assert known.name == "0"
        assert session.scalars(claiming(select(AccountRow))).one().name == "changed"


def test_a_phase_is_closed_once(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)

    def close() -> str:
        with database.transaction() as session:
            game_rows.close_phase(session, table.phase.id, {"by": threading.get_ident()}, NOW)
            return str(threading.get_ident())

    results = both(close)
    winners = [result for result in results if isinstance(result, str)]
    losers = [result for result in results if isinstance(result, AlreadyClosed)]
    assert (len(winners), len(losers)) == (1, 1)
    with database.reading() as session:
        phase = game_rows.phase_by_id(session, table.phase.id)
        assert phase is not None
        assert phase.result == {"by": int(winners[0])}
        assert phase.adjudicated_at == NOW


def test_closing_again_changes_nothing(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        game_rows.close_phase(session, table.phase.id, {"first": True}, NOW)
    with pytest.raises(AlreadyClosed), database.transaction() as session:
        game_rows.close_phase(session, table.phase.id, {"second": True}, NOW + timedelta(days=1))
    with database.reading() as session:
        phase = game_rows.phase_by_id(session, table.phase.id)
        assert phase is not None
        assert (phase.result, phase.adjudicated_at) == ({"first": True}, NOW)


def in_transaction(database: Database, work: Callable[[Session], object]) -> Callable[[], object]:
    def run() -> object:
        with database.transaction() as session:
            result = work(session)
            return None if result is None else type(result).__name__

    return run


def test_the_same_mail_by_two_ways_at_once_is_one_row(database: Database) -> None:
    results = both(in_transaction(database, lambda session: inbox.accept(session, arrived())))
    assert sorted(results, key=str) == ["InboxRow", None]
    with database.reading() as session:
        assert len(session.scalars(select(InboxRow)).all()) == 1


def test_the_same_purpose_at_once_is_one_mail(database: Database) -> None:
    def queue(session: Session) -> None:
        outbox.queue_all(session, [outbox.Queued("receipt:1", "ann@example.org", "", "", b"")], NOW)

    assert both(in_transaction(database, queue)) == [None, None]
    with database.reading() as session:
        assert len(session.scalars(select(OutboxRow)).all()) == 1


def test_a_report_is_settled_by_one_of_two(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        agenda.owe_reports(session, table.phase.id, [table.france.id], "turn", NOW)
        (report,) = agenda.next_reports(session, NOW)

    def settle() -> frozenset[int]:
        with database.transaction() as session:
            return agenda.settle_reports(session, [report.id], NOW)

    settled = both(settle)
    assert frozenset() in settled
    assert {report.id} in settled


def test_two_lease_the_reports_of_different_phases(database: Database) -> None:
    with database.transaction() as session:
        for name in ("one", "two"):
            table = lay_table(session, name)
            agenda.owe_reports(session, table.phase.id, [table.france.id, table.turkey.id], "turn", NOW)

    def lease() -> list[int]:
        with database.transaction() as session:
            return [report.phase_id for report in agenda.next_reports(session, NOW)]

    one, other = both(lease)
    assert isinstance(one, list)
    assert isinstance(other, list)
    assert len(one) == len(other) == 2
    assert len({*one, *other}) == 2


@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_deadlock_is_temporary_for_the_one_who_loses(database: Database) -> None:
    add_accounts(database, 2)
    halfway = threading.Barrier(2, timeout=MEETING)
    order = iter([(1, 2), (2, 1)])

    def cross() -> None:
        first, then = next(order)
        with database.transaction() as session:
            session.scalars(claiming(select(AccountRow).where(AccountRow.id == first), wait=True)).one()
            halfway.wait()
            session.scalars(claiming(select(AccountRow).where(AccountRow.id == then), wait=True)).one()

    results = both(cross)
    assert [type(result) for result in results if result is not None] == [Temporary]
