"""The connection to the database: transactions that behave alike on SQLite and PostgreSQL.

SQLite is opened with a write-ahead log, full synchronisation (each commit is on disk before it returns) and foreign
keys. Each transaction takes the write lock when it begins, so that what it has read is still true when it writes.

On PostgreSQL a transaction that may have left work tells the servers that listen (`gm.store.presence`).
"""

from __future__ import annotations

import importlib.util
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from itertools import count
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor, ExceptionContext
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from gm.errors import ConfigurationError, GmError, Temporary
from gm.store.rows import HOLDER, SEATS, canonical_json
from gm.store.schema import altered, is_current, refuse_tables_of_others, upgrade

BUSY_SECONDS = 10.0
"""How long a SQLite transaction waits for the write lock, in seconds."""

_RETRY_SECONDS = 0.02
_LOOK_SECONDS = 0.001
_READING = "gm_reading"
_NO_WORK = "gm_no_work"
_NO_RIGHT = "42501"  # insufficient_privilege, in PostgreSQL's list of error codes
IDLE_SECONDS = 90
"""After so long PostgreSQL ends a transaction in which nothing is asked of it: its process stands still, and others
wait for what it has locked."""
CHANNEL = "gm"
"""Where PostgreSQL tells servers that there may be work."""
_TELL = text(f"SELECT pg_notify('{CHANNEL}', :told) WHERE pg_current_xact_id_if_assigned() IS NOT NULL")
"""Tells who has written to which tables, if it has, when the transaction is committed."""
_WRITTEN = "gm_written"
"""In the `info` of a connection: the tables to which its transaction writes."""
_EXAMPLES = "Write sqlite:////var/lib/gm/gm.sqlite3 or postgresql://user:password@host/name."


RESTORE = (
    "Stop the server and restore your newest backup into a new folder: `gm restore BACKUP --home NEW`, then"
    " `gm check --home NEW`."
)
"""What to do when a database cannot be used any more."""
COPY = (
    "Stop the server and have every row copied into a new database, `gm move --to sqlite:///NEW.sqlite3`, then"
    " `gm check`."
)
"""What to do when only how a database is made is wrong, and nothing of what is in it is missing."""


class NotMade(ConfigurationError):
    """There is no database yet: only the start of a server, and what fills a new one, makes it."""

    def __init__(self) -> None:
        super().__init__("There is no database yet.", "The server makes it when it starts: `gm serve`.")


class Unusable(ConfigurationError):
    """A SQLite file that this process can use no more, whatever it was about to do."""


class Damaged(Unusable):
    """A SQLite file that is damaged, or none."""


class Database:
    """One database. `url` is in SQLAlchemy's form: `sqlite:///file` or `postgresql://user@host/name`.

    It connects at first use; a `with` block closes all connections at its end. Only `migrate` makes a SQLite file:
    whatever else is asked of one that is not there raises NotMade. Raises ConfigurationError when the URL is of another
    kind or its driver is not installed.
    """

    def __init__(self, url: str) -> None:
        self.url = _parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            self.engine = create_engine(
                self.url, json_serializer=canonical_json, connect_args={"timeout": BUSY_SECONDS}
            )
            event.listen(self.engine, "do_connect", self._require_file)
            _prepare_sqlite(self.engine, self._note_file)
        else:
            self.engine = create_engine(self.url, json_serializer=canonical_json, pool_pre_ping=True)
            _prepare_postgresql(self.engine)
        event.listen(self.engine, "handle_error", _fails)
        self._path = Path(str(self.url.database))
        self._makes = False
        """Whether a SQLite file that is not there may be made."""
        self._file: tuple[int, int] | None = None
        """Which SQLite file this process has open: it would go on reading and writing what has lost its name."""
        self._damage: Damaged | None = None
        """What a statement of this process has met, after which the file is used no more: what is stored in a damaged
        file may never be read again."""
        self._turns = _Turns()
        self._numbers = count(1)
        self.changes = 0
        """Another number after each transaction of this process that may have left work to be done, or of another
        process that was heard of."""
        self.holder: int | None = None
        """The number under which the server of this process holds leases."""
        self._seats: dict[str, int] = {}
        self.tells = not self.is_sqlite
        """Whether there may be other servers, to be told of work that is left."""
        self.does_itself: Callable[[], frozenset[str]] = frozenset
        """The tables of which others are not told now: the server of this process does that work itself at once."""
        self._reading = self.engine.execution_options(
            **{_READING: True}
            if self.is_sqlite
            else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        )

    @contextmanager
    def transaction(self, *, first: bool = False) -> Iterator[Session]:
        """A session that is committed at the end, or rolled back on any exception. `first`: before others that wait.

        Its rows may be read afterwards; `leaves_no_work` says that there is no work to look for. Raises Temporary when
        the database cannot be reached, is locked for too long, or chose this transaction to end a deadlock: you may
        then try the same work again.
        """
        with (
            self._one_writer(first=first),
            self._using(),
            Session(self.engine, expire_on_commit=False, info={HOLDER: self.holder, SEATS: self._seats}) as session,
            session.begin(),
        ):
            yield session
            if self.tells and _NO_WORK not in session.info and session.in_transaction():
                session.flush()
                if tables := session.connection().info[_WRITTEN] - self.does_itself():
                    session.execute(_TELL, {"told": " ".join([str(self.holder or 0), *sorted(tables)])})
        if _NO_WORK not in session.info:
            self.is_changed()

    def is_changed(self) -> None:
        """There may be other work than there was."""
        self.changes = next(self._numbers)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A read-only session on a consistent snapshot of the database. It blocks no writer; what is written in it is
        discarded.
        """
        with self._using(), Session(self._reading, expire_on_commit=False) as session:
            yield session

    def migrate(self) -> None:
        """Upgrade the schema to the newest revision. Safe when several processes start together, and quick when there
        is nothing to do.

        Raises ConfigurationError when a newer version of the program made the database, Temporary when it cannot be
        reached.
        """
        with self._one_writer(), self._using():
            self._makes = True
            try:
                upgrade(self.engine)
            finally:
                self._makes = False

    def is_current(self) -> bool:
        """Whether the schema has the revision that this program needs. Raises the errors of `migrate`."""
        with self._using(), self._reading.connect() as connection:
            return is_current(connection)

    def altered(self) -> list[str]:
        """What of the schema is not as it was made, or not as this program needs it. Raises as `migrate` does."""
        with self._using(), self._reading.connect() as connection:
            return altered(connection)

    def damage(self) -> str:
        """What is wrong with a SQLite file, all of which is read; "" if it is whole."""
        with self.reading() as session:
            found = str(session.connection().exec_driver_sql("PRAGMA quick_check(1)").scalar())
        return "" if found == "ok" else " ".join(found.split())

    def scrub(self) -> None:
        """Overwrite the write-ahead log, in which what was deleted can still be read; as far as it is not being
        read.
        """
        if self.is_sqlite:
            with self._one_writer(), self._using():
                connection = self.engine.raw_connection()
                try:
                    connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
                finally:
                    connection.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.dispose()

    def dispose(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        self._file = None

    def _require_file(self, *_: object) -> None:
        if not self._makes and not self._path.exists():
            raise NotMade

    def _note_file(self) -> None:
        self._file = _identity(self._path)

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Whatever is asked of the database. Raises ConfigurationError when what is open is not the SQLite file of that
        name any more, or was found damaged.
        """
        if self._damage is not None:
            raise Damaged(self._damage.problem, self._damage.remedy)
        if self._file is not None and self._file != _identity(self._path):
            raise Unusable(
                f"The database {self.url.database} is not there any more, or another file is in its place; this"
                " process had it open.",
                f"If you have moved it, move it back. Otherwise: {RESTORE}",
            )
        try:
            with translate_errors():
                yield
        except Damaged as error:
            self._damage = error
            raise

    def _one_writer(self, *, first: bool = False) -> AbstractContextManager[object]:
        """On SQLite, let only one thread of this process write at a time."""
        return self._turns.taken(first=first) if self.is_sqlite else nullcontext()


def leaves_no_work(session: Session) -> None:
    """This transaction leaves nothing to be done but what was handed over: no mail, deadline, report or question."""
    session.info[_NO_WORK] = True


@lru_cache(1024)
def _tables_written(statement: str) -> frozenset[str]:
    """The tables to which a statement adds, or in which it changes, rows; deleting leaves no work."""
    return frozenset(re.findall(r"\b(?:INSERT INTO|(?<!FOR )UPDATE) (\w+)", statement))


def _prepare_postgresql(engine: Engine) -> None:
    """Note what each transaction writes, and have the database end those of a process that stands still."""

    @event.listens_for(engine, "connect")
    def connected(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        connection.cursor().execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS} s'")
        connection.commit()

    @event.listens_for(engine, "begin")
    def begins(connection: Connection) -> None:
        connection.info[_WRITTEN] = set()

    @event.listens_for(engine, "before_cursor_execute")
    def executes(connection: Connection, _cursor: DBAPICursor, statement: str, *_: object) -> None:
        connection.info[_WRITTEN] |= _tables_written(statement)


class _Turns:
    """The right to write, for one thread at a time: who would only look for the write lock again and again could miss
    it under load for seconds.
    """

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._taken = False
        self._before = 0
        """How many wait that go before others."""

    @contextmanager
    def taken(self, *, first: bool) -> Iterator[None]:
        with self._free:
            self._before += first
            free = self._free.wait_for(lambda: not self._taken and (first or not self._before), BUSY_SECONDS)
            self._before -= first
            self._taken = self._taken or free
        if not free:
            raise Temporary(f"Another transaction has been writing for {BUSY_SECONDS:g} seconds.", "Try again later.")
        try:
            yield
        finally:
            with self._free:
                self._taken = False
                (self._free.notify_all if self._before else self._free.notify)()


def _parse_url(text: str) -> URL:
    """The URL with the driver that we use. Raises ConfigurationError, whose message never quotes the password."""
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
                raise ConfigurationError("PostgreSQL needs the package psycopg.", "Install gm-diplomacy[postgresql].")
            return url.set(drivername="postgresql+psycopg")
    raise ConfigurationError(f"The database kind {url.drivername!r} is not supported.", _EXAMPLES)


def _identity(path: Path) -> tuple[int, int]:
    """Which file has the name of a database; (0, 0) if none has."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_dev, found.st_ino


def _prepare_sqlite(engine: Engine, note_file: Callable[[], None]) -> None:
    """Set the pragmas of each connection, and use BEGIN IMMEDIATE instead of the driver's own transactions."""

    @event.listens_for(engine, "connect")
    def connected(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA secure_delete = ON")
        if not _has_write_ahead_log(cursor):  # turning it on would change a file that may be another program's
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            refuse_tables_of_others([str(name) for [name] in cursor.fetchall()])
        if not _keeps_write_ahead_log(cursor):
            raise ConfigurationError(
                f"SQLite cannot keep a write-ahead log beside the file {engine.url.database!r}.",
                "Put the database on a local disk, or use PostgreSQL.",
            )
        cursor.close()
        note_file()

    @event.listens_for(engine, "begin")
    def begins(connection: Connection) -> None:
        reading = connection.get_execution_options().get(_READING, False)
        if reading or not _is_writing(connection):
            connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _is_writing(connection: Connection) -> bool:
    """Begin a transaction that writes, as soon as no other process writes; False if it cannot be begun.

    SQLite itself looks ten times a second, and misses its turn for as long as another process takes turn after turn.
    """
    cursor, until = connection.connection.cursor(), time.monotonic() + BUSY_SECONDS
    cursor.execute("PRAGMA busy_timeout = 0")
    try:
        while time.monotonic() < until:
            try:
                cursor.execute("BEGIN IMMEDIATE")
                return True
            except sqlite3.DatabaseError as error:
                if not _is_busy(error):
                    break
            time.sleep(_LOOK_SECONDS)
        return False
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")
        cursor.close()


def _is_busy(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def _has_write_ahead_log(cursor: DBAPICursor) -> bool:
    cursor.execute("PRAGMA journal_mode")
    return cursor.fetchone() == ("wal",)


def _keeps_write_ahead_log(cursor: DBAPICursor) -> bool:
    """Turn on the file's write-ahead log if it is off; the setting is permanent.

    When two processes open a new file together, SQLite reports a lock to one of them at once instead of waiting,
    because waiting could be a deadlock. So the statement is retried here.
    """
    until = time.monotonic() + BUSY_SECONDS
    while time.monotonic() < until:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not _is_busy(error):
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            mode = cursor.fetchone()
            return mode is not None and mode[0] == "wal"
    raise sqlite3.OperationalError("database is locked")


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn driver errors that are not bugs of this program into Temporary or ConfigurationError."""
    try:
        yield
    except PoolTimeout as error:
        raise Temporary("All connections to the database are in use.", "Try again later.") from error
    except DBAPIError as error:
        if (translated := _translated(error)) is not None:
            raise translated from error
        raise


def is_damaged(error: object) -> bool:
    """Whether SQLite says by this error that its file is damaged."""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT"))


def _fails(context: ExceptionContext) -> GmError | None:
    """The error where a statement fails: so what catches the errors of a piece of work can tell them apart."""
    error = context.sqlalchemy_exception
    return _translated(error) if isinstance(error, DBAPIError) and not context.is_pre_ping else None


def _translated(error: DBAPIError) -> GmError | None:
    if is_damaged(error.orig):
        return Damaged(f"The database file is damaged, or not a SQLite database ({error.orig}).", RESTORE)
    if getattr(error.orig, "sqlstate", None) == _NO_RIGHT:
        remedy = "Make the user in the database's URL its owner, or give them all rights to it."
        return ConfigurationError(f"The database refuses what gm asks: {str(error.orig).splitlines()[0]}.", remedy)
    is_away = isinstance(error, OperationalError) or error.connection_invalidated
    if is_away and getattr(error.orig, "sqlite_errorname", "") != "SQLITE_ERROR":  # which is an error in a statement
        complaint = " ".join(str(error.orig).split())
        return Temporary(f"The database is not available: {complaint}.", "See to its disk or its server.")
    return None
