"""What the rows of the database hold, read by statements in text."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from tests.simulation.world import World

Orders = list[dict[str, Any]]
"""Orders as they are stored."""
ADJUSTING = {"build", "disband", "waive"}
"""Orders that count for a number of units, not for one."""


def moment(value: Any) -> datetime:
    """A time as the database returns it to a statement in text."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    found: datetime = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    return found.astimezone(UTC)


def value(stored: Any) -> Any:
    """A JSON column as the database returns it to a statement in text."""
    return json.loads(stored) if isinstance(stored, str) else stored


class Newer:
    """The rows that a statement finds and that were not there when it was asked before: `:last` in it is the greatest
    id so far."""

    def __init__(self, world: World, statement: str) -> None:
        self._world, self._statement, self.last = world, statement, 0

    def __call__(self) -> list[Any]:
        rows = self._world.rows(self._statement, last=self.last)
        self.last = max((row.id for row in rows), default=self.last)
        return rows
