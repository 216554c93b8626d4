"""The database of an older server, killed with mail in flight: what an upgrade finds.

`older_server.json.gz` has the rows that the first release left (schema a001) when it died: three games, one of them
with a deadline due; mail that was accepted and not read, one of it leased; receipts and reminders that no relay took;
reports that are owed.
"""

from __future__ import annotations

import base64
import gzip
import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import JSON, Boolean, Connection, DateTime, LargeBinary, MetaData, Table, create_engine, insert, text
from sqlalchemy.types import TypeEngine

from gm.store.schema import configuration

FIRST = "a001"
GAMES = ("old0", "old1", "old2")
_FILE = Path(__file__).with_name("older_server.json.gz")


@cache
def _kept() -> dict[str, Any]:
    return dict(json.loads(gzip.decompress(_FILE.read_bytes())))


def older_server(url: str) -> datetime:
    """Make an empty database that of the older server. Returns when it died."""
    engine = create_engine(url)
    with engine.connect() as connection:
        configured = configuration()
        configured.attributes["connection"] = connection
        command.upgrade(configured, FIRST)
        connection.commit()
        tables = MetaData()
        tables.reflect(connection)
        for name, rows in _kept()["tables"].items():
            _fill(connection, tables.tables[name], rows)
        connection.commit()
    engine.dispose()
    return datetime.fromisoformat(_kept()["now"])


def _fill(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET session_replication_role = replica"))  # the tables come in any order
        numbers = f"pg_get_serial_sequence('{table.name}', 'id')"
        connection.execute(text(f"SELECT setval({numbers}, {max(row['id'] for row in rows)})"))
    kinds = {column.name: column.type for column in table.columns}
    connection.execute(insert(table), [{name: _value(kinds[name], row[name]) for name in row} for row in rows])


def _value(kind: TypeEngine[Any], kept: Any) -> Any:
    """A value as its column wants it."""
    if kept is None:
        return None
    if isinstance(kind, DateTime):
        return datetime.fromisoformat(kept).replace(tzinfo=UTC)
    if isinstance(kind, LargeBinary):
        return base64.b64decode(kept["base64"])
    if isinstance(kind, JSON):
        return json.loads(kept)
    return bool(kept) if isinstance(kind, Boolean) else kept
