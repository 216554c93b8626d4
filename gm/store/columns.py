"""Column types that mean the same on SQLite and PostgreSQL: aware UTC times, text that both hold, canonical JSON."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, Enum, Text
from sqlalchemy.types import TypeDecorator

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""PostgreSQL holds no NUL in a text, and neither database a lone surrogate; a hostile header may contain both."""


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
    """Text of any length. What no database can hold (NUL, lone surrogates) is stored as U+FFFD, not refused."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The text with every unstorable character replaced; look-ups pass here as well and so agree."""
        return None if value is None else _UNSTORABLE.sub("\ufffd", value)


def json_column() -> JSON:
    """A JSON value. Assign a new value to change it: changes inside the value are not noticed."""
    return JSON(none_as_null=True)


def enum_column(kind: type[StrEnum]) -> Enum:
    """An enum stored by its value as plain text, so that a new member needs no migration."""
    return Enum(
        kind, native_enum=False, length=16, values_callable=lambda members: [member.value for member in members]
    )


def canonical_json(value: Any) -> str:
    """One text for one value: keys sorted, no spaces, ASCII only (a lone surrogate stays an escape)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
