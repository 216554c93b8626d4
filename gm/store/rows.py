"""What all rows share: column types that mean the same on SQLite and PostgreSQL, and how a row is claimed, leased and
written once. This is the one place that knows how the databases differ.

A claim lasts as long as its transaction. A lease lasts longer: it is committed, with a time after which another process
may take the work up, and is for work that must not keep a transaction open (an SMTP conversation, drawing a map).

Times are aware UTC. JSON columns are replaced as a whole, never changed inside. No class has relationships: each file
of this package holds the row classes of one subject and their statements, so that nothing is loaded unasked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

from sqlalchemy import (
    JSON,
    ColumnElement,
    DateTime,
    Dialect,
    Enum,
    MetaData,
    Select,
    Text,
    bindparam,
    or_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.types import TypeDecorator

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""PostgreSQL stores no NUL in a text, and neither database a lone surrogate; a hostile header may contain both."""

NAMES = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}
"""Every constraint has a name, the same on both databases, so that a later migration can refer to it."""


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware times in, aware UTC out. A naive time is refused, since nobody knows what it means."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """To UTC, so that SQLite, which drops the offset, compares like with like."""
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError(f"the time {value!r} is naive; the store keeps aware times only")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """SQLite gives naive UTC, PostgreSQL an aware time in the session's zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class CleanText(TypeDecorator[str]):
    """Text of any length. What no database can store (NUL, lone surrogates) becomes U+FFFD and is not refused."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The text with every unstorable character replaced; look-ups pass here as well and so agree."""
        return None if value is None else _UNSTORABLE.sub("\ufffd", value)


def _json() -> JSON:
    return JSON(none_as_null=True)


def canonical_json(value: Any) -> str:
    """One text for one value: keys sorted, no spaces, ASCII only (a lone surrogate stays an escape)."""
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
        # By value as plain text, so that a new member needs no migration.
        StrEnum: Enum(
            StrEnum, native_enum=False, length=16, values_callable=lambda members: [member.value for member in members]
        ),
    }

    id: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)


class Leased:
    """A row of work for one process at a time. After `leased_until` another may take it up: the first has died."""

    leased_until: Mapped[datetime | None]

    def lease(self, now: datetime, length: timedelta) -> None:
        """Keep a claimed row for this process; it counts once the transaction is committed."""
        self.leased_until = now + length

    @classmethod
    def unleased(cls) -> ColumnElement[bool]:
        """The condition that no process works on the row at the time `now`, a parameter of the statement."""
        return or_(cls.leased_until.is_(None), cls.leased_until <= bindparam("now"))


Row = TypeVar("Row", bound=Base)


def claiming(statement: Select[Row], limit: int = 1, *, wait: bool = False) -> Select[Row]:
    """The statement that locks and gives at most `limit` of the rows that `statement` selects, until the transaction
    ends.

    Rows that another transaction has claimed are passed over, or waited for with `wait`. On SQLite the clause is left
    out: there the transaction itself has the only write lock. Rows are read anew even if the session knew them. The
    lock is FOR NO KEY UPDATE, since keys never change: a row that only refers to a claimed one need not wait.
    """
    locking = statement.limit(limit).with_for_update(skip_locked=not wait, key_share=True)
    return locking.execution_options(populate_existing=True)


def add_once(session: Session, table: type[Row], **values: Any) -> Row | None:
    """Insert a row and return it; None when a unique key of the table says it is there already.

    Two transactions that insert the same key at the same time: the second waits for the first, and gives way if it
    commits.
    """
    session.flush()
    if session.get_bind().dialect.name == "postgresql":
        return session.scalars(
            postgresql.insert(table).values(**values).on_conflict_do_nothing().returning(table)
        ).one_or_none()
    return session.scalars(
        sqlite.insert(table).values(**values).on_conflict_do_nothing().returning(table)
    ).one_or_none()


def add_all_once(session: Session, table: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert these rows in one statement, but for those of which a unique key says that they are there already."""
    if not rows:
        return
    session.flush()
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    session.connection().execute(insert(table).values(list(rows)).on_conflict_do_nothing())


def end_leases(session: Session) -> None:
    """Free all rows of work. Only for a server that has just started and knows that it is alone with its database."""
    for table in Leased.__subclasses__():
        session.execute(update(table).where(table.leased_until.is_not(None)).values(leased_until=None))
