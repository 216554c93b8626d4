"""The column types: both databases return the same times, texts and JSON values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select
from sqlalchemy.exc import StatementError

from gm.games.loading import person_at
from gm.store import people, records
from gm.store.database import Database
from gm.store.people import AccountRow
from gm.store.records import LogRow
from gm.store.rows import canonical_json
from tests.store.setting import NOW


@pytest.mark.parametrize(
    "instant",
    [
        NOW,
        datetime(2026, 7, 1, 0, 30, tzinfo=ZoneInfo("Europe/Berlin")),
        datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Berlin")),
        datetime(2026, 1, 1, 23, 59, 59, 999_999, tzinfo=timezone(timedelta(hours=-11))),
    ],
)
def test_an_instant_comes_back_as_utc(database: Database, instant: datetime) -> None:
    with database.transaction() as session:
        records.note(session, "test", instant)
    with database.reading() as session:
        found = session.scalars(select(LogRow.at)).one()
    assert found == instant.astimezone(UTC)
    assert found.tzinfo is UTC


def test_instants_are_compared_as_instants_whatever_their_zone(database: Database) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    with database.transaction() as session:
        records.note(session, "earlier", NOW.astimezone(berlin))
        records.note(session, "later", NOW + timedelta(microseconds=1))
    with database.reading() as session:
        until = select(LogRow.kind).where(LogRow.at <= NOW.astimezone(timezone(timedelta(hours=9))))
        assert session.scalars(until).all() == ["earlier"]


def test_a_naive_time_is_refused(database: Database) -> None:
    naive = NOW.replace(tzinfo=None)
    with pytest.raises(StatementError, match="is naive"), database.transaction() as session:
        records.note(session, "test", naive)
    with pytest.raises(StatementError, match="is naive"), database.reading() as session:
        session.scalars(select(LogRow).where(LogRow.at < naive)).all()


def test_text_that_no_database_holds_is_replaced_and_found_again(database: Database) -> None:
    with database.transaction() as session:
        assert people.create_account(session, email="a\0b\udc80@example.org", name="Zoë\0", now=NOW) is not None
    with database.reading() as session:
        found = person_at(session, "A\0B\udc80@example.org")
        assert found is not None
        assert found.name == "Zoë\ufffd"


def test_json_keeps_every_text_and_is_canonical(database: Database) -> None:
    detail = {"z": [1, None, {"é": "\0\udc80"}], "a": "\u2028"}
    with database.transaction() as session:
        records.note(session, "test", NOW, detail=detail)
    with database.reading() as session:
        assert session.scalars(select(LogRow.detail)).one() == detail
    assert canonical_json({"b": 1, "a": "é"}) == '{"a":"\\u00e9","b":1}'


def test_a_failed_transaction_leaves_no_account_behind(database: Database) -> None:
    with database.transaction() as session:
        assert people.create_account(session, email="Ann@Example.org", name="Ann", now=NOW) is not None
        assert people.create_account(session, email=" ann@example.ORG", name="Anna", now=NOW) is None
    with database.reading() as session:
        assert session.scalars(select(AccountRow.name)).all() == ["Ann"]
