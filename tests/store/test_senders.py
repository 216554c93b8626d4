"""What senders have used of limits: charges add up until their time is over, in one statement, on both databases."""

from __future__ import annotations

from datetime import timedelta

from bench.deadlines import statements
from gm.store import senders
from gm.store.database import Database
from gm.store.senders import Charge
from tests.store.setting import NOW

HOUR = timedelta(hours=1)


def spent(database: Database, amount: int, at: timedelta = timedelta(0), name: str = "answers") -> Charge:
    with database.transaction() as session:
        (row,) = senders.charge(session, [Charge(name, "ann", NOW + at + HOUR, amount)], NOW + at)
    return row


def test_charges_add_up_until_their_time_is_over(database: Database) -> None:
    assert spent(database, 2).amount == 2
    assert spent(database, 3, HOUR / 2) == Charge("answers", "ann", NOW + HOUR, 5)
    assert spent(database, 1, HOUR) == Charge("answers", "ann", NOW + 2 * HOUR, 1)


def test_each_budget_and_each_payer_is_counted_alone(database: Database) -> None:
    charges = [Charge(name, payer, NOW + HOUR, 1) for name in ("answers", "mails") for payer in ("ann", "bob")]
    with database.transaction() as session, statements(database) as seen:
        senders.charge(session, charges, NOW)
        rows = senders.charge(session, charges[:2], NOW)
    assert len(seen) == 2
    assert {(row.name, row.payer): row.amount for row in rows} == {("answers", "ann"): 2, ("answers", "bob"): 2}


def test_what_is_undone_is_not_charged(database: Database) -> None:
    with database.transaction() as session:
        senders.charge(session, [Charge("answers", "ann", NOW + HOUR, 7)], NOW)
        session.rollback()
    assert spent(database, 1).amount == 1


def test_what_is_over_is_forgotten(database: Database) -> None:
    spent(database, 2)
    with database.transaction() as session:
        senders.forget_spending(session, NOW + HOUR)
        (row,) = senders.charge(session, [Charge("answers", "ann", NOW + HOUR, 1)], NOW)
    assert row.amount == 1
