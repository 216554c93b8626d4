"""What all tables share: column types that behave alike on SQLite and PostgreSQL, and how a row is claimed, leased and
inserted once. Only this module knows how the databases differ.

A claim lasts as long as its transaction. A lease lasts longer: it is committed with an end time, after which another
process may take over the work. It is for work that must not keep a transaction open, such as an SMTP conversation or
drawing a map.

Times are aware UTC. JSON columns are replaced as a whole, never changed in place. No class has relationships, so that
nothing is loaded implicitly.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, TypeVarTuple

from sqlalchemy import (
    JSON,
    ColumnElement,
    CursorResult,
    DateTime,
    Dialect,
    Enum,
    LargeBinary,
    MetaData,
    Select,
    Text,
    Update,
    bindparam,
    func,
    literal,
    update,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.sql.selectable import TypedReturnsRows
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""PostgreSQL cannot store NUL in a text, and neither database a lone surrogate; the header of a hostile mail may
contain both.
"""


def storable(text: str) -> str:
    """The text as a database holds it: U+FFFD for every character that it cannot store."""
    return _UNSTORABLE.sub("\ufffd", text)


NAMES = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}
"""Every constraint is named, in the same way on both databases, so that a later migration can refer to it."""


class UtcDateTime(TypeDecorator[datetime]):
    """A point in time: aware times in, aware UTC out. Raises ValueError for a naive time, because it is ambiguous."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert to UTC, because SQLite drops the offset and would compare local times."""
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError(f"the time {value!r} is naive; the store keeps aware times only")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """SQLite returns naive UTC, PostgreSQL an aware time in the session's zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class CleanText(TypeDecorator[str]):
    """Text of any length. Characters that a database cannot store (NUL, lone surrogates) become U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The text with every unstorable character replaced; the same is done for look-ups, so that they match."""
        return None if value is None else storable(value)


class Packed(TypeDecorator[bytes]):
    """Bytes that are mostly text, compressed: a fourth of the size. The database cannot look into them."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        """Nothing stays nothing, so that it can be looked for."""
        return zlib.compress(value, 1) if value else value

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        """The bytes as they were."""
        return unpacked(value) if value else value


def unpacked(value: bytes) -> bytes:
    """Bytes as they were before a database packed them."""
    return zlib.decompress(value) if value else value


def _json() -> JSON:
    return JSON(none_as_null=True)


def canonical_json(value: Any) -> str:
    """The canonical JSON text of a value: keys sorted, no spaces, ASCII only (a lone surrogate stays an escape)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


class Base(DeclarativeBase):
    """The declarative base: one column type for each kind of annotation."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {  # noqa: RUF012  (SQLAlchemy's own attribute)
        str: CleanText(),
        datetime: UtcDateTime(),
        dict[str, Any]: _json(),
        list[Any]: _json(),
        list[str]: _json(),
        # Stored by value as plain text, so that a new member needs no migration.
        StrEnum: Enum(
            StrEnum, native_enum=False, length=16, values_callable=lambda members: [member.value for member in members]
        ),
    }

    id: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)


HOLDER = "gm_holder"
"""Where a session keeps the number under which its server holds leases."""


def holder(session: Session) -> int | None:
    """The number under which the server of this session holds leases; None for what is not known as one."""
    number: int | None = session.info.get(HOLDER)
    return number


SEATS = "gm_seats"
"""Where a session keeps the seats that were found lately by the tokens of their addresses, for all that come after."""


class Leased:
    """A row of work for one process at a time. After `leased_until` another process may take over: the first is assumed
    dead. It may do so at once when the server `leased_by`, a number, is known to be gone (`gm.store.presence`).
    """

    leased_until: Mapped[datetime | None] = mapped_column(index=True)
    leased_by: Mapped[int | None]

    def lease(self, session: Session, now: datetime, length: timedelta) -> None:
        """Lease a claimed row for this process; the lease counts once the transaction is committed."""
        self.leased_until, self.leased_by = now + length, holder(session)

    @classmethod
    def unleased(cls) -> ColumnElement[bool]:
        """The condition that no process has a lease at the time `now`, a parameter of the statement. An expression:
        almost all rows have no lease, so that their index would find every row ever settled.
        """
        return cls.free_at() <= bindparam("now")

    @classmethod
    def free_at(cls) -> ColumnElement[datetime]:
        """When a process may lease the row: in the past if no process ever has, whatever a clock says of its
        arrival.
        """
        return func.coalesce(cls.leased_until, literal(EPOCH, UtcDateTime()))


Row = TypeVar("Row", bound=Base)
Ts = TypeVarTuple("Ts")


def claiming(statement: Select[Row], limit: int = 1, *, wait: bool = False) -> Select[Row]:
    """A statement that locks and returns at most `limit` of the rows that `statement` selects, until the transaction
    ends.

    Rows that another transaction has claimed are skipped, or waited for with `wait`. On SQLite the clause is left out,
    because the transaction itself holds the only write lock. Rows are read again even if the session has loaded them
    before. The lock is FOR NO KEY UPDATE, because keys never change: a row that only refers to a claimed one need not
    wait.
    """
    locking = statement.limit(limit).with_for_update(skip_locked=not wait, key_share=True)
    return locking.execution_options(populate_existing=True)


def as_stored(table: type[Row], values: Mapping[str, Any]) -> Row:
    """A row with these values, which a statement has stored: an object that no session watches."""
    row = table()
    vars(row).update(values)
    return row


def added(session: Session, row: Row) -> Row:
    """The row, inserted, with its id."""
    session.add(row)
    session.flush()
    return row


def read(session: Session, statement: TypedReturnsRows[*Ts], values: Mapping[str, Any]) -> CursorResult[*Ts]:
    """The rows of a statement that selects columns: what `Session.execute` does, less what it does for objects."""
    session.flush()
    return session.connection().execute(statement, values)


def put(session: Session, row: Base, **values: Any) -> None:
    """Write these columns of a row that the session has loaded."""
    session.connection().execute(_updating(type(row), tuple(values)), {"key": row.id, **values})
    for name, value in values.items():
        set_committed_value(row, name, value)


@cache
def _updating(table: type[Base], names: tuple[str, ...]) -> Update:
    return update(table).where(table.id == bindparam("key")).values({name: bindparam(name) for name in names})


Insert: TypeAlias = "sqlite.Insert | postgresql.Insert"


def adding(session: Session, table: type[Base]) -> Insert:
    """A statement that inserts into a table of the session's database."""
    return _adding(table, session.get_bind().dialect.name)


@cache
def _adding(table: type[Base], dialect: str) -> Insert:
    if dialect != "postgresql":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # servers with a SQLite file can do without

    return postgresql.insert(table)


def add_once(session: Session, table: type[Row], **values: Any) -> Row | None:
    """Insert a row and return it; None when a row with the same unique key exists already.

    If two transactions insert the same key at the same time, the second waits for the first, and returns None if it
    commits.
    """
    session.flush()
    return session.scalars(adding(session, table).on_conflict_do_nothing().returning(table), values).one_or_none()


def add_all_once(session: Session, table: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert these rows at once, except those with a unique key that exists already."""
    if rows:
        session.flush()
        session.connection().execute(adding(session, table).on_conflict_do_nothing(), list(rows))


def end_leases(session: Session, *, of: int | None = None, but: Collection[int] | None = None) -> None:
    """End the leases of one server, those of all servers but these, or all: only for who knows that they hold none."""
    for table in Leased.__subclasses__():
        ending = update(table).where(table.leased_until > EPOCH).values(leased_until=None)
        if of is not None:
            ending = ending.where(table.leased_by == of)
        if but is not None:
            ending = ending.where(table.leased_by.not_in(but))
        session.execute(ending)


class texts_of(FunctionElement[str]):  # noqa: N801  as functions of SQLAlchemy are named
    """What these columns hold in all rows together, as one text: to see whether it is what it was."""

    type = Text()
    inherit_cache = True


@compiles(texts_of, "sqlite")
def _of_sqlite(element: texts_of, compiler: SQLCompiler, **given: Any) -> str:
    return f"json_group_array(json_array({compiler.process(element.clauses, **given)}))"


@compiles(texts_of, "postgresql")
def _of_postgresql(element: texts_of, compiler: SQLCompiler, **given: Any) -> str:
    return f"json_agg(json_build_array({compiler.process(element.clauses, **given)}))::text"
