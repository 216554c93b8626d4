"""Guarantees of a connection: the pragmas, the kinds of transaction, the errors for the operator."""

from __future__ import annotations

import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import select, text

from gm.errors import ConfigurationError, Temporary
from gm.store import database as database_module
from gm.store import inbox
from gm.store.copying import OWN_TABLES
from gm.store.database import Database
from gm.store.inbox import InboxRow, InboxState
from tests.databases import migrated_sqlite
from tests.store.setting import arrived


@pytest.fixture
def sqlite(tmp_path: Path) -> Database:
    """A migrated SQLite database, closed by the garbage collector at the latest."""
    path = tmp_path / "gm.sqlite3"
    path.write_bytes(migrated_sqlite())
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
        session.execute(select(InboxRow))
        with pytest.raises(Temporary, match="database is locked"), other.transaction() as second:
            second.execute(select(InboxRow))
        with other.reading() as reader:  # a reader is not locked out
            assert reader.scalars(select(InboxRow)).all() == []
    with other.transaction() as second:
        second.execute(select(InboxRow))
    other.dispose()
    sqlite.dispose()


def test_a_process_that_writes_turn_after_turn_leaves_turns_to_others(sqlite: Database) -> None:
    other, begun, waits = Database(sqlite.url.render_as_string()), threading.Event(), []
    turns = [0]

    def greedy() -> None:
        for _ in range(300):
            with other.transaction() as session:
                session.execute(select(InboxRow))
                begun.set()
                time.sleep(0.01)
            turns[0] += 1
            time.sleep(0.003)

    with ThreadPoolExecutor(1) as threads:
        working = threads.submit(greedy)
        begun.wait()
        while not working.done():
            asked = turns[0]
            with sqlite.transaction() as session:
                session.execute(select(InboxRow))
                waits.append(turns[0] - asked)
            time.sleep(0.03)
    other.dispose()
    sqlite.dispose()
    assert len(waits) > 20
    assert sum(waits) < 2 * len(waits), "turns of the other while one waited for one"


def test_a_thread_that_somebody_waits_for_writes_before_those_that_waited_longer(sqlite: Database) -> None:
    turns: list[str] = []

    def write(name: str, *, first: bool) -> None:
        with sqlite.transaction(first=first) as session:
            session.execute(select(InboxRow))
            turns.append(name)

    with ThreadPoolExecutor(3) as threads, sqlite.transaction() as session:
        session.execute(select(InboxRow))
        for name, first in (("report", False), ("sent", False), ("mail", True)):
            threads.submit(write, name, first=first)
            time.sleep(0.1)  # the order in which they wait; if a thread comes late, it is behind anyway
    sqlite.dispose()
    assert turns[0] == "mail"


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


def test_a_step_can_be_undone_alone(database: Database) -> None:
    """A line of a mail that fails is rolled back; the other lines count."""
    with database.transaction() as session:
        assert inbox.accept(session, arrived(1)) is not None
        savepoint = session.begin_nested()
        assert inbox.accept(session, arrived(2)) is not None
        savepoint.rollback()
        assert inbox.accept(session, arrived(3)) is not None
    with database.reading() as session:
        found = session.scalars(select(InboxRow.message_id).order_by(InboxRow.id)).all()
        assert found == ["<1@example.org>", "<3@example.org>"]


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


@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_transaction_that_stands_still_keeps_nobody_waiting(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "IDLE_SECONDS", 1)
    database.dispose()

    def stand_still() -> None:
        with database.transaction() as session:
            session.execute(text("LOCK TABLE inbox"))
            with database.transaction() as other:
                other.execute(text("LOCK TABLE inbox"))

    with pytest.raises(Temporary, match="not available"):
        stand_still()


@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_user_without_rights_is_told_what_to_do(database: Database) -> None:
    with database.transaction() as session:
        session.execute(text("DROP ROLE IF EXISTS nobody_here"))
        session.execute(text("CREATE ROLE nobody_here LOGIN"))
    with Database(str(database.url.set(username="nobody_here"))) as theirs:
        with theirs.reading() as session, pytest.raises(ConfigurationError, match="denied for table inbox") as caught:
            session.execute(select(InboxRow))
        assert "rights" in caught.value.remedy
        with pytest.raises(ConfigurationError, match="permission denied"):
            theirs.migrate()


@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_connection_that_breaks_is_temporary(database: Database) -> None:
    found = list[type[Exception]]()

    def cut_off() -> None:
        with database.transaction() as session:
            own = session.execute(text("SELECT pg_backend_pid()")).scalar_one()
            with database.transaction() as other:
                other.execute(text(f"SELECT pg_terminate_backend({own})"))
            try:
                session.execute(text("SELECT 1"))
            except Exception as error:
                found.append(type(error))
                raise

    with pytest.raises(Temporary, match="not available"):
        cut_off()
    assert found == [Temporary], "what works on it hears of it"
    with database.transaction() as session:  # the next transaction has a connection of its own
        assert session.execute(text("SELECT 1")).scalar_one() == 1


def test_a_new_sqlite_file_that_another_process_writes_is_waited_for(tmp_path: Path) -> None:
    """SQLite does not wait for a lock when it turns on the write-ahead log; our code does."""
    path = tmp_path / "new.sqlite3"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    for name in ("t", *OWN_TABLES):  # whenever it is looked at, it is a database of ours
        other.execute(f"CREATE TABLE {name} (id INTEGER)")
    done = threading.Timer(0.2, other.execute, ["COMMIT"])
    done.start()
    database = Database(f"sqlite:///{path}")
    with database.reading() as session:
        assert session.execute(text("SELECT count(*) FROM t")).scalar_one() == 0
    done.join()
    other.close()
    database.dispose()


def test_the_threads_of_one_server_write_in_turn(sqlite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def accept_some(worker: int) -> None:
        for number in range(10):
            with sqlite.transaction() as session:
                assert inbox.accept(session, arrived(worker * 100 + number)) is not None

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(accept_some, range(6)))
    with sqlite.reading() as session:
        assert inbox.counts(session)[InboxState.NEW] == 60
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.05)
    with sqlite.transaction(), pytest.raises(Temporary, match="Another transaction"), sqlite.transaction():
        pass
    sqlite.dispose()


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir, this is not a database, but it is long enough to be taken for one. " * 20)
    with pytest.raises(ConfigurationError, match="not a SQLite database"):
        Database(f"sqlite:///{path}").migrate()


def test_a_used_up_pool_is_temporary(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database.engine.pool, "_timeout", 0.05)
    with ExitStack() as stack:
        for _ in range(15):
            stack.enter_context(database.reading()).execute(text("SELECT 1"))
        with pytest.raises(Temporary, match="connections"), database.reading() as session:
            session.execute(text("SELECT 1"))


def test_a_file_that_loses_its_name_is_used_no_more_until_it_is_back(tmp_path: Path) -> None:
    """SQLite would go on: everything would be lost when the process ends, or be in a new file."""
    file, elsewhere = tmp_path / "gm.sqlite3", tmp_path / "elsewhere"
    with Database(f"sqlite:///{file}") as database:
        database.migrate()
        file.rename(elsewhere)
        for what in (database.transaction, database.reading, database.transaction):
            with pytest.raises(ConfigurationError, match="not there any more"), what() as session:
                session.execute(text("SELECT 1"))
        database.engine.dispose()  # of all connections, as a pool does by and by
        with pytest.raises(ConfigurationError, match="not there any more"), database.reading() as session:
            session.execute(text("SELECT 1"))
        assert not file.exists()
        file.write_bytes(b"")
        with pytest.raises(ConfigurationError, match="another file is in its place"), database.reading() as session:
            session.execute(text("SELECT 1"))
        elsewhere.rename(file)
        with database.transaction() as session:
            assert session.scalars(select(InboxRow)).all() == []


def test_a_file_that_was_found_damaged_takes_nothing_more(tmp_path: Path) -> None:
    file = tmp_path / "gm.sqlite3"
    with Database(f"sqlite:///{file}") as database:
        database.migrate()
        with database.transaction() as session:
            session.execute(text("PRAGMA user_version = 1"))
    size = file.stat().st_size
    with file.open("r+b") as damaged:
        damaged.seek(4096)
        damaged.write(b"\xff" * (size - 4096))
    with Database(f"sqlite:///{file}") as database:
        with pytest.raises(ConfigurationError, match="is damaged"), database.reading() as session:
            session.execute(text("SELECT * FROM inbox")).all()
        with pytest.raises(ConfigurationError, match="is damaged"), database.transaction() as session:
            session.execute(text("SELECT 1"))  # which would be answered
