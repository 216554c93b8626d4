"""The rows of a server's database, looked at from outside."""

from __future__ import annotations

import re
import sqlite3
from collections import namedtuple
from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import make_url


class Looking:
    """Statements in text, without the layers between: the invariants ask very often."""

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        self._sqlite = parsed.get_backend_name() == "sqlite"
        self.connection: Any
        if self._sqlite:
            self.connection = sqlite3.connect(str(parsed.database), isolation_level=None)
        else:
            import psycopg

            plain = parsed.set(drivername="postgresql").render_as_string(hide_password=False)
            self.connection = psycopg.connect(plain, autocommit=True)

    def rows(self, statement: str, values: Mapping[str, object]) -> list[Any]:
        """The rows, with their columns as attributes."""
        if not self._sqlite:
            statement = re.sub(r":(\w+)", r"%(\1)s", statement)
        cursor = self.connection.cursor()
        cursor.execute(statement, values)
        return list(map(_row_type(tuple(column[0] for column in cursor.description))._make, cursor.fetchall()))


@cache
def _row_type(names: tuple[str, ...]) -> Any:
    return namedtuple("Row", names)
