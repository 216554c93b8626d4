"""What a connection promises: the pragmas, the kinds of transaction, the errors for the operator."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select, text

from gm.errors import ConfigurationError, Temporary
from gm.store import database as database_module
from gm.store import inbox
from gm.store.database import Database
from gm.store.tables import InboxMail, InboxState
from tests.store.setting import arrived


@pytest.fixture
def sqlite(tmp_path: Path, migrated_sqlite: Path) -> Database:
    """A migrated SQLite database, closed by the garbage collector at the latest."""
    path = tmp_path / "gm.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    return Database(f"sqlite:///{path}")


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("foreign_keys", 1), ("synchronous", 2), ("busy_timeout", 10_000)],
)
def test_every_sqlite_connection_keeps_the_promises(sqlite: Database, pragma: str, value: object) -> None:
    with sqlite.engine.connect() as first, sqlite.engine.connect() as second:
        for connection in (first, second):
            cursor = connection.connection.cursor()
            assert cursor.execute(f"PRAGMA {pragma}").fetchone() == (value,)
    sqlite.dispose()


def test_a_sqlite_transaction_has_the_write_lock_from_its_first_statement(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.05)
    other = Database(sqlite.url.render_as_string())
    with sqlite.transaction() as session:
        session.execute(select(InboxMail))
        with pytest.raises(Temporary, match="database is locked"), other.transaction() as second:
            second.execute(select(InboxMail))
        with other.reading() as reader:  # a reader is not locked out
            assert reader.scalars(select(InboxMail)).all() == []
    with other.transaction() as second:
        second.execute(select(InboxMail))
    other.dispose()
    sqlite.dispose()


def test_a_mistake_in_a_statement_is_not_called_temporary(database: Database) -> None:
    with pytest.raises(Exception, match="nosuch") as caught, database.transaction() as session:
        session.execute(text("SELECT * FROM nosuch"))
    assert not isinstance(caught.value, Temporary)


def test_an_exception_undoes_the_transaction(database: Database) -> None:
    def broken() -> None:
        with database.transaction() as session:
            assert inbox.accept(session, arrived()) is not None
            raise KeyError("something")

    with pytest.raises(KeyError):
        broken()
    with database.reading() as session:
        assert inbox.counts(session)[InboxState.NEW] == 0


def test_rows_are_readable_after_the_transaction(database: Database) -> None:
    with database.transaction() as session:
        mail = inbox.accept(session, arrived())
    assert mail is not None
    assert (mail.id, mail.recipients) == (1, ["gm@example.org"])


def test_a_reading_session_sees_one_picture_and_keeps_nothing(database: Database) -> None:
    with database.reading() as reader:
        assert inbox.oldest_new(reader) is None
        with database.transaction() as session:
            inbox.accept(session, arrived())
        assert inbox.oldest_new(reader) is None
    with database.reading() as reader:
        assert inbox.oldest_new(reader) is not None


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "not one that SQLAlchemy can read"),
        ("mysql://user:secret@host/gm", "'mysql' is not supported"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
    ],
)
def test_a_database_we_cannot_use_is_refused_in_words(url: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words) as caught:
        Database(url)
    assert "sqlite:////var/lib/gm" in caught.value.remedy
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_spelling_of_postgresql_means_psycopg(scheme: str) -> None:
    assert Database(f"{scheme}://user@host/gm").url.drivername == "postgresql+psycopg"


def test_a_server_that_is_away_is_temporary(tmp_path: Path) -> None:
    database = Database(f"postgresql://nobody@/gm?host={tmp_path}")
    with pytest.raises(Temporary, match="not available"), database.transaction() as session:
        session.execute(text("SELECT 1"))
    with pytest.raises(Temporary):
        database.migrate()
    missing = Database(f"sqlite:///{tmp_path}/no/such/folder/gm.sqlite3")
    with pytest.raises(Temporary, match="unable to open"):
        missing.is_current()
