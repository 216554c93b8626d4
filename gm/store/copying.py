"""All rows of one database into another, of the same kind or not: for moves, and for backups, which are SQLite files
whatever they are made of.

Tables are copied in the order in which they refer to each other, in batches, in one transaction, and compared row by
row before it is committed. What refers to rows that come later is filled in at the end.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, FromClause, Row, Table, bindparam, func, inspect, select, table, update

from gm.errors import ConfigurationError, GmError, Temporary
from gm.store.about import AboutRow, copy_whose
from gm.store.database import RESTORE, Database, NotMade, is_damaged
from gm.store.schema import REVISION_TABLE, every_table, lost, revision, revisions

BATCH = 500
"""How many rows are read and written at once."""

OWN_TABLES = frozenset({REVISION_TABLE, AboutRow.__tablename__})
"""What a database has of its own; the rows of all other tables are copied."""

Tell = Callable[[str, int, int], object]
"""Is called with what is being done, how many rows of it are done, and how many there are."""


class CopyDiffers(GmError):
    """A row that was copied is not what it was; nothing of the copy is kept."""


def is_there(database: Database) -> bool:
    """Whether the file of a SQLite database exists; others are always there."""
    return not database.is_sqlite or Path(str(database.url.database)).exists()


def known_revision(database: Database) -> str | None:
    """The database's revision; None if it is empty, or not there. Raises ConfigurationError when this program does not
    know it, or another program made what is in it.
    """
    if not is_there(database):
        return None
    with database.reading() as session:
        return revision(session.connection())


@contextmanager
def opened(url: str) -> Iterator[Database]:
    """The database of a server, within the block; all that works with one that was made before opens it by this.
    Raises NotMade, and ConfigurationError unless it has the schema of this program.
    """
    with Database(url) as database:
        require_current(database)
        yield database


def require_current(database: Database) -> None:
    """Raise ConfigurationError unless there is a database with the schema of this program."""
    if (found := known_revision(database)) is None:
        raise NotMade
    if found != revisions()[-1]:
        raise ConfigurationError(
            f"The database is at revision {found}, and this gm works with {revisions()[-1]}.",
            "Upgrade it first: `gm upgrade`.",
        )


def tables() -> Sequence[Table]:
    """The tables whose rows are copied, each after those that it refers to as soon as its rows are written."""
    return [table for table in every_table() if table.name not in OWN_TABLES]


_REFUSES = re.compile(r"CREATE TRIGGER \w+ BEFORE \w+ ON \w+ BEGIN SELECT RAISE\(ABORT, '[^']*+'\); END")
_COMPUTES = re.compile(r"\b(?:check|as|virtual|default)\b", re.IGNORECASE)
_MADE = "SELECT type, name, sql FROM sqlite_master WHERE type <> 'index'"
"""What is in a database; an index is looked at with its table."""
_LEAST_SECONDS, _OCTETS_A_SECOND = 60.0, 1_000_000
_OPERATIONS = 100_000


def why_unsound(file: Path) -> str:
    """What is wrong with a SQLite file that anybody may have written; "" if it is whole, and nothing in it is carried
    out when it is read or written, as views, triggers and what tables compute would be: gm's have none but triggers
    that refuse. It is read for a bounded time.
    """
    until = time.monotonic() + _LEAST_SECONDS + file.stat().st_size / _OCTETS_A_SECOND
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.set_progress_handler(lambda: time.monotonic() > until, _OPERATIONS)
            for kind, name, made in connection.execute(_MADE).fetchall():
                if _computes(connection, kind, name, made or ""):
                    return f"the {kind} {name!r} would compute what is read or written"
            [found] = connection.execute("PRAGMA quick_check(1)").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return str(error)
    return "" if found == "ok" else " ".join(str(found).split())


def _computes(connection: sqlite3.Connection, kind: str, name: str, made: str) -> bool:
    """Whether something in a database, made by this statement, computes when rows are read or written: of a table a
    default, a column that is generated or a check, of its indexes one of an expression or of some rows only.
    """
    if kind != "table":
        return kind == "view" or _REFUSES.fullmatch(made) is None
    columns = connection.execute("SELECT 1 FROM pragma_table_xinfo(?) WHERE dflt_value NOT NULL OR hidden", (name,))
    indexes = connection.execute(
        "SELECT 1 FROM pragma_index_list(?) AS listed, pragma_index_xinfo(listed.name) AS part"
        " WHERE listed.partial OR part.cid < -1",
        (name,),
    )
    return _COMPUTES.search(made) is not None or any(one.fetchone() is not None for one in (columns, indexes))


def counts(database: Database) -> dict[str, int]:
    """The number of rows of each table that a database has, whatever its revision."""
    with database.reading() as session:
        connection = session.connection()
        names = sorted(set(inspect(connection).get_table_names()) - OWN_TABLES)
        return {name: _count(connection, table(name)) for name in names}


def transfer(source: Database, target: Database, tell: Tell) -> dict[str, int]:
    """Copy all rows into an empty database, whose schema is made; the number of rows of each table.

    Raises ConfigurationError when `target` is not empty, CopyDiffers when a row is not the same afterwards. In either
    case nothing has been written but, at most, empty tables.
    """
    if gone := lost(source.altered()):
        raise ConfigurationError(f"The database has lost what was in it: {', '.join(gone[:3])}.", RESTORE)
    _make_ready(target)
    with source.reading() as reading, target.transaction() as writing:
        there, here = reading.connection(), writing.connection()
        every = [_Copied(table, there, here, tell) for table in tables()]
        for work in (_Copied.copy, _Copied.fill_in, _Copied.compare, _Copied.number_on):
            for one in every:
                work(one)
        copy_whose(reading, writing)
    return {one.table.name: one.many for one in every}


def snapshot(source: Database, file: Path, tell: Tell) -> dict[str, int]:
    """Write a consistent copy of a database, which may be in use, into a new SQLite file; the number of rows of each
    table. A SQLite database is copied page by page, whatever its revision.
    """
    if not source.is_sqlite:
        require_current(source)
        with Database(f"sqlite:///{file}") as copy:
            many = transfer(source, copy, tell)
        _close_log(file)
        return many
    try:
        with closing(source.engine.raw_connection()) as connection, closing(sqlite3.connect(file)) as copied:
            live = connection.driver_connection
            assert isinstance(live, sqlite3.Connection)
            live.backup(copied)
    except sqlite3.Error as error:
        if is_damaged(error):
            raise ConfigurationError(f"The database is damaged, and cannot be copied: {error}.", RESTORE) from error
        if not _copied_as_it_lies(Path(str(source.url.database)), file):
            remedy = "See to its disk and that of the copy."
            raise Temporary(f"The database cannot be copied: {error}.", remedy) from error
    with Database(f"sqlite:///{file}") as copy:
        many = counts(copy)
    _close_log(file)
    return many


def _copied_as_it_lies(source: Path, file: Path) -> bool:
    """Copy the file of a database and its write-ahead log; whether nothing was written meanwhile, and both could be
    copied.

    SQLite opens no database beside which it can write nothing, as on a full disk, or one that is mounted read-only.
    """
    log, logged = (Path(f"{one}-wal") for one in (source, file))
    try:
        before = _stamps(source, log)
        shutil.copyfile(source, file)
        logged.unlink(missing_ok=True)
        if log.exists():
            shutil.copyfile(log, logged)
        return before == _stamps(source, log)
    except OSError:
        return False


def _stamps(*files: Path) -> list[tuple[int, int]]:
    """What differs when somebody has written to one of the files."""
    return [(status.st_mtime_ns, status.st_size) for status in (file.stat() for file in files if file.exists())]


def _close_log(file: Path) -> None:
    """Leave one file, without a write-ahead log beside it."""
    with closing(sqlite3.connect(file)) as copied:
        copied.execute("PRAGMA journal_mode = DELETE")


def _make_ready(target: Database) -> None:
    """Make the schema of a database without rows."""
    target.migrate()
    if any(counts(target).values()):
        raise ConfigurationError("That database is in use: it has rows.", "Name an empty database.")


class _Copied:
    """One table that is copied."""

    def __init__(self, table: Table, source: Connection, target: Connection, tell: Tell) -> None:
        self.table, self._source, self._target, self._tell = table, source, target, tell
        self.many = _count(source, table)
        order = tables()
        before = {earlier.name for earlier in order[: order.index(table)]}
        self._postponed = [key.parent for key in table.foreign_keys if key.column.table.name not in before]
        """The columns that refer to rows which are not there yet when a row of this table is written."""

    def copy(self) -> None:
        """Write all rows."""
        empty: dict[str, None] = {column.key: None for column in self._postponed}
        done = 0
        for rows in self._batches(self._source):
            self._target.execute(self.table.insert(), [{**row._mapping, **empty} for row in rows])
            done += len(rows)
            self._tell(f"copying {self.table.name}", done, self.many)

    def fill_in(self) -> None:
        """Write the columns that were postponed."""
        key = self.table.c.id == bindparam("key")
        for column in self._postponed:
            statement = update(self.table).where(key).values({column: bindparam("value")})
            for rows in self._batches(self._source):
                values = [{"key": row.id, "value": row._mapping[column]} for row in rows]
                if some := [one for one in values if one["value"] is not None]:
                    self._target.execute(statement, some)

    def compare(self) -> None:
        """Raise CopyDiffers at the first row that is not the same in all its columns."""
        pairs = zip_longest(*(chain.from_iterable(self._batches(one)) for one in (self._source, self._target)))
        for done, (one, other) in enumerate(pairs, 1):
            if one is None or other is None or repr(tuple(one)) != repr(tuple(other)):
                which = f"Row {(one or other).id} of the table {self.table.name}"
                raise CopyDiffers(f"{which} is not the same in the copy.", "Please report it.")
            if done % BATCH == 0:
                self._tell(f"comparing {self.table.name}", done, self.many)

    def number_on(self) -> None:
        """Have PostgreSQL number new rows after those that were copied; SQLite does so by itself."""
        last = self._target.scalar(select(func.max(self.table.c.id)))
        if self._target.dialect.name == "postgresql" and last is not None:
            sequence = func.pg_get_serial_sequence(self.table.name, self.table.c.id.name)
            self._target.execute(select(func.setval(sequence, last)))

    def _batches(self, connection: Connection) -> Iterator[Sequence[Row[Any]]]:
        """The rows in their order, without reading all of them at once."""
        rows = select(self.table).order_by(self.table.c.id).execution_options(yield_per=BATCH)
        with closing(connection.execute(rows)) as found:
            yield from found.partitions()


def _count(connection: Connection, of: FromClause) -> int:
    return int(connection.scalar(select(func.count()).select_from(of)) or 0)
