"""The connection to the database: transactions that mean the same on SQLite and PostgreSQL, and migrations.

SQLite is opened as its promises demand: write-ahead log, every commit on the disk before it counts, foreign keys, and
each transaction with the write lock from its beginning, so that what it read still holds when it writes.
"""

from __future__ import annotations

import importlib.util
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from gm import folder
from gm.errors import ConfigurationError, Temporary
from gm.store.rows import canonical_json

BUSY_SECONDS = 10.0
"""How long a SQLite transaction waits for the write lock."""

_ASK_AGAIN_SECONDS = 0.02
_READING = "gm_reading"
_EXAMPLES = "Write sqlite:////var/lib/gm/gm.sqlite3 or postgresql://user:password@host/name."


class Database:
    """One database. `url` as SQLAlchemy writes it: `sqlite:///file` or `postgresql://user@host/name`.

    Raises ConfigurationError when the URL is of another kind or its driver is not installed. Connects at first use.
    """

    def __init__(self, url: str) -> None:
        self.url = _understood(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            self.engine = create_engine(
                self.url, json_serializer=canonical_json, connect_args={"timeout": BUSY_SECONDS}
            )
            _prepare_sqlite(self.engine)
        else:
            self.engine = create_engine(self.url, json_serializer=canonical_json, pool_pre_ping=True)
        self._writing = threading.Lock()
        self._reading = self.engine.execution_options(
            **{_READING: True}
            if self.is_sqlite
            else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        )

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session whose work is committed at the end and undone by any exception.

        Rows may still be read after it. Raises Temporary when the database cannot be reached, is locked for too long,
        or broke a deadlock at our cost: the same work may be tried again.
        """
        with (
            self._turn(),
            _failures_in_words(),
            Session(self.engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session on one unchanging picture of the database that locks nobody out; nothing written in it is kept."""
        with _failures_in_words(), Session(self._reading, expire_on_commit=False) as session:
            yield session

    def migrate(self) -> None:
        """Bring the schema up to date; safe when processes start together, and cheap when there is nothing to do.

        Raises ConfigurationError when the database was made by a newer program, Temporary when it cannot be reached.
        """
        with self._turn(), _failures_in_words():
            upgrade(self.engine)

    def is_current(self) -> bool:
        """Whether the schema is the one this program works with. Raises as `migrate` does."""
        with _failures_in_words(), self._reading.connect() as connection:
            return is_current(connection)

    def dispose(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """On SQLite, one writing thread of this process at a time.

        The write lock would see to that too, but those who wait for it only look again now and then, and under load
        one of them can be passed over for seconds.
        """
        if not self.is_sqlite:
            yield
            return
        if not self._writing.acquire(timeout=BUSY_SECONDS):
            raise Temporary(f"Another transaction has been writing for {BUSY_SECONDS:g} seconds.", "Try again later.")
        try:
            yield
        finally:
            self._writing.release()


def _understood(text: str) -> URL:
    """The URL with the driver we use. Raises ConfigurationError; the password is never quoted."""
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise ConfigurationError("The database URL is not one that SQLAlchemy can read.", _EXAMPLES) from error
    match url.drivername:
        case "sqlite" | "sqlite+pysqlite":
            if url.database in (None, "", ":memory:"):
                raise ConfigurationError(f"The database {text!r} names no file and would forget everything.", _EXAMPLES)
            return url
        case "postgres" | "postgresql" | "postgresql+psycopg":
            if importlib.util.find_spec("psycopg") is None:
                raise ConfigurationError("PostgreSQL needs the package psycopg.", "Install gm[postgresql].")
            return url.set(drivername="postgresql+psycopg")
    raise ConfigurationError(f"The database kind {url.drivername!r} is not supported.", _EXAMPLES)


def _prepare_sqlite(engine: Engine) -> None:
    """The pragmas of each connection, and BEGIN IMMEDIATE in place of the driver's own transactions."""

    @event.listens_for(engine, "connect")
    def connected(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA synchronous = FULL")
        if not _keeps_write_ahead_log(cursor):
            raise ConfigurationError(
                f"SQLite cannot keep a write-ahead log beside the file {engine.url.database!r}.",
                "Put the database on a local disk, or use PostgreSQL.",
            )
        cursor.close()

    @event.listens_for(engine, "begin")
    def begins(connection: Connection) -> None:
        reading = connection.get_execution_options().get(_READING, False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _keeps_write_ahead_log(cursor: DBAPICursor) -> bool:
    """Turn the file's write-ahead log on, for ever, if it is not.

    When two processes open a new file together one of them is told at once that it is locked: SQLite does not wait
    here, since waiting for each other they would wait for ever. So we ask again.
    """
    for _ in range(int(BUSY_SECONDS / _ASK_AGAIN_SECONDS)):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(_ASK_AGAIN_SECONDS)
        else:
            mode = cursor.fetchone()
            return mode is not None and mode[0] == "wal"
    raise sqlite3.OperationalError("database is locked")


@contextmanager
def _failures_in_words() -> Iterator[None]:
    """Turn what the driver says of a failure that is not the program's into Temporary or ConfigurationError."""
    try:
        yield
    except PoolTimeout as error:
        raise Temporary("All connections to the database are in use.", "Try again later.") from error
    except DBAPIError as error:
        cause = error.orig
        name = getattr(cause, "sqlite_errorname", "")
        if name == "SQLITE_NOTADB":
            raise ConfigurationError("The database file is not a SQLite database.", _EXAMPLES) from error
        # SQLite calls a mistake in a statement operational as well.
        if isinstance(error, OperationalError) and name != "SQLITE_ERROR":
            complaint = " ".join(str(cause).split())
            raise Temporary(f"The database is not available: {complaint}.", "See to its disk or its server.") from error
        raise


# migrations


_LOCK = 0x676D_6D69_6772  # "gmmigr": the number of our advisory lock

_UNRELEASED = frozenset(f"{number:04}" for number in range(1, 7))
"""Revisions of databases made before the first release, which no migration leads on from."""


def configuration() -> Config:
    """Alembic's configuration, without an ini file; `migrations/env.py` wants `connection` in its attributes."""
    config = Config()
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    return config


def revision(connection: Connection) -> str | None:
    """The database's revision, None for an empty one. Raises ConfigurationError when this program does not know it."""
    found = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions()}
    if found in _UNRELEASED:
        raise ConfigurationError(
            f"The database is at revision {found!r}: it was made by a gm from before the first release.",
            "Play its games to the end with the gm that made it, or name another file or database under [database] in"
            " gm.toml, where gm begins anew.",
        )
    if found is not None and found not in known:
        raise ConfigurationError(
            f"The database is at revision {found!r}, which this program does not know: a newer one has used it.",
            "Install that newer gm again, or restore the backup made before it was installed.",
        )
    return found


def is_current(connection: Connection) -> bool:
    """Whether the database is at the newest revision that this program knows."""
    return revision(connection) == ScriptDirectory.from_config(configuration()).get_current_head()


def upgrade(engine: Engine) -> None:
    """Upgrade to the newest revision in one transaction. Raises ConfigurationError for a newer database."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            _upgrade_sqlite(connection)
        else:
            with connection.begin():
                connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
                _upgrade(connection)


def _upgrade_sqlite(connection: Connection) -> None:
    """Foreign keys rest while tables are rebuilt, as SQLite wants it, and are checked before the commit."""
    driver = connection.connection.cursor()
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        with connection.begin():
            _upgrade(connection)
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            if broken:
                raise RuntimeError(f"the migration would leave {len(broken)} rows without what they refer to")
    finally:
        driver.execute("PRAGMA foreign_keys = ON")
        driver.close()


def _upgrade(connection: Connection) -> None:
    if not is_current(connection):
        config = configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
