"""What two processes that share a database may not do twice: real connections that meet at the same row."""

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
from gm.store.game_rows import AlreadyClosed, PhaseRow, SeatRow
from gm.store.inbox import InboxRow
from gm.store.order_rows import OrderSetRow, add_order_set
from gm.store.outbox import OutboxRow
from gm.store.people import AccountRow, AddressRow
from gm.store.rows import change_if, claiming
from tests.store.setting import NOW, arrived, lay_table
from tests.timing import HANGING

MEETING = HANGING
"""Seconds after which a test that hangs fails."""

UNCLAIMED = select(AccountRow).where(AccountRow.zone == "UTC").order_by(AccountRow.id)


def both(work: Callable[[], object]) -> list[object]:
    """Run the same work in two threads that begin together; the results, exceptions too, in no order."""
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
    """Each takes rows, one a transaction, until there are none; on both databases all are taken, and none twice."""
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
            game_rows.close_phase(session, table.phase, {"by": threading.get_ident()}, NOW)
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
        game_rows.close_phase(session, table.phase, {"first": True}, NOW)
        assert (table.phase.result, table.phase.adjudicated_at) == ({"first": True}, NOW)
    stale = PhaseRow(id=table.phase.id, code="S1901M")
    with pytest.raises(AlreadyClosed, match="S1901M"), database.transaction() as session:
        game_rows.close_phase(session, stale, {"second": True}, NOW + timedelta(days=1))
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
    def queue(session: Session) -> object:
        return outbox.queue(session, purpose="receipt:1", recipient="ann@example.org", raw=b"", now=NOW)

    assert sorted(both(in_transaction(database, queue)), key=str) == [None, "OutboxRow"]
    with database.reading() as session:
        assert len(session.scalars(select(OutboxRow)).all()) == 1


def test_a_report_is_settled_by_one_of_two(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        agenda.owe_reports(session, table.phase.id, [table.france.id], "turn", NOW)
        report = agenda.next_report(session, NOW)
    assert report is not None

    def settle() -> bool:
        with database.transaction() as session:
            return agenda.settle_report(session, report.id, NOW)

    assert sorted(both(settle), key=str) == [False, True]


def test_order_sets_sent_at_once_get_numbers_of_their_own(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)

    def send() -> int:
        with database.transaction() as session:
            phase = game_rows.phase_by_id(session, table.phase.id)
            assert phase is not None
            return add_order_set(session, phase, table.france.id, [], complete=False, now=NOW).number

    assert sorted(both(send), key=str) == [1, 2]
    with database.reading() as session:
        assert session.scalars(select(OrderSetRow.number).order_by(OrderSetRow.number)).all() == [1, 2]


def test_no_orders_are_added_to_a_phase_that_was_adjudicated(database: Database) -> None:
    """A mail was read while the phase was open, and its orders come after the deadline's transaction."""
    with database.transaction() as session:
        table = lay_table(session)
        add_order_set(session, table.phase, table.france.id, ["in time"], complete=True, now=NOW)
    with database.transaction() as session:
        seen_by_the_mail = game_rows.phase_by_id(session, table.phase.id)
    assert seen_by_the_mail is not None
    adjudicating, asked = threading.Event(), threading.Event()

    def late() -> object:
        adjudicating.wait(MEETING)
        asked.set()
        with database.transaction() as session:
            return add_order_set(
                session, session.merge(seen_by_the_mail, load=False), table.france.id, ["late"], complete=True, now=NOW
            )

    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(late)
        with database.transaction() as session:
            game = game_rows.lock_game(session, table.game.id)
            adjudicating.set()
            assert asked.wait(MEETING)
            game_rows.close_phase(session, table.phase, {}, NOW)
            game_rows.open_phase(session, game, code="F1901M", position={}, now=NOW)
        with pytest.raises(Temporary, match="S1901M was adjudicated"):
            future.result(MEETING)
    with database.reading() as session:
        assert session.scalars(select(OrderSetRow.orders)).all() == [["in time"]]


def test_a_seat_is_filled_by_one_of_two(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
    add_accounts(database, 1)

    def sit_down() -> bool:
        with database.transaction() as session:
            return change_if(session, table.turkey, SeatRow.account_id.is_(None), account_id=1, joined_at=NOW)

    assert sorted(both(sit_down), key=str) == [False, True]


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
