"""The server: receive one mail, close one phase, write one report, send what is due. Transactions are opened here.

Each of these does one piece of work and returns whether there was any; `gm.server.steps` orders and wakes them. All
pending work is in rows, so a crash loses none of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gm.games.identity import ServerIdentity
from gm.games.limits import Exhausted
from gm.games.loading import Snapshots
from gm.games.transaction import Transaction, reading, transaction
from gm.store.database import Database


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Server:
    """What every step works with. `now` and `jitter` (0 to 1, for back-off) can be set by tests."""

    database: Database
    identity: ServerIdentity
    now: Callable[[], datetime] = utc_now
    jitter: Callable[[], float] = random.random
    snapshots: Snapshots = field(default_factory=Snapshots)
    exhausted: Exhausted = field(default_factory=dict)
    """The budgets that this process has seen used up."""

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """A transaction that is committed at the end, and undone by any exception."""
        with transaction(self.database, self.identity, self.now(), self.snapshots) as tx:
            tx.exhausted = self.exhausted
            yield tx

    def reading(self) -> AbstractContextManager[Transaction]:
        """A read-only transaction without locks."""
        return reading(self.database, self.identity, self.now(), self.snapshots)
