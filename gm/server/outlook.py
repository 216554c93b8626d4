"""When the next work of each kind is due, read from the rows: for the steps that would otherwise each look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from gm.server import Server
from gm.store import agenda
from gm.store.agenda import Work
from gm.store.rows import EPOCH

SOONEST = timedelta(seconds=1)
"""When to check again for due work that another process has leased."""


@dataclass
class Outlook:
    """When the next work of each kind is due; a step before those that ask, so that each round reads it once, or not
    at all after a mail that was handed over, if it left no work and somebody looked just before.
    """

    server: Server
    _work: Work | None = None
    _changes: int = 0
    _looked: datetime = EPOCH
    _now: datetime = EPOCH
    _stays: bool = False
    _is_known: bool = False

    def step(self, now: datetime) -> datetime | None:
        lately = self._looked <= now < self._looked + SOONEST and self._changes == self.server.database.changes
        self._is_known, self._stays, self._now = lately and self._stays, False, now
        return None

    def stays(self) -> None:
        """Since the last look nothing was done but what leaves no work, or is counted as a change."""
        self._stays = True

    @property
    def work(self) -> Work:
        """The next work of each kind."""
        if self._work is None or not self._is_known:
            self._is_known, self._looked, self._changes = True, self._now, self.server.database.changes
            with self.server.database.reading() as session:
                self._work = agenda.next_work(session)
        return self._work
