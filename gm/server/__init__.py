"""A server: what every step works with, and what is asked of its state.

All pending work is in rows, so a crash loses none of it.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from gm.errors import Temporary
from gm.games.identity import ServerIdentity
from gm.games.limits import Exhausted
from gm.games.loading import Snapshots
from gm.games.transaction import Transaction, reading, transaction
from gm.server.condition import Asked, Folder
from gm.store import outbox
from gm.store.database import Database
from gm.store.inbox import InboxRow
from gm.store.outbox import OutboxRow, Pace
from gm.turn import Turn

log = logging.getLogger(__name__)

PATIENT_SECONDS = 600.0
"""How long what was done waits to be noted while the database is away."""
_AGAIN_SECONDS = 1.0


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


T = TypeVar("T")


class Handover(Generic[T]):
    """Work that was leased in the transaction that stored it, for a thread that has nothing to do: it need not look for
    it, and lease it. What is not taken in time is found by any process when its lease ends.
    """

    def __init__(self) -> None:
        self.idle: Callable[[], int] = lambda: 0
        """How many threads have nothing to do and can be woken."""
        self._lock = threading.Lock()
        self._promised = 0
        self._work: deque[T] = deque()

    @contextmanager
    def offered(self) -> Iterator[list[T] | None]:
        """For one transaction: a list of what it leases, one piece of work at most, which is handed over at the end
        unless there is an exception. None when no thread is free.
        """
        with self._lock:
            free = self.idle() > self._promised + len(self._work)
            self._promised += free
        work: list[T] = []
        try:
            yield work if free else None
            self._work.extend(work)
        finally:
            with self._lock:
                self._promised -= free

    @contextmanager
    def promised(self) -> Iterator[list[T]]:
        """For one transaction of a thread that will take more work: a list of what it leases, as above."""
        work: list[T] = []
        yield work
        self._work.extend(work)

    def take(self) -> T | None:
        """What was handed over first; None if there is nothing."""
        try:
            return self._work.popleft()
        except IndexError:
            return None


@dataclass
class Common:
    """What the reports about one phase have in common, kept for the next ones about it: a phase may have a thousand,
    and they are written some at a time.
    """

    phase: object = None
    turn: Turn | None = None
    parts: list[Any] = field(default_factory=list)

    def about(self, phase: object) -> Common:
        """What is known of this phase; what was known of another one is forgotten."""
        if phase != self.phase:
            self.phase, self.turn, self.parts = phase, None, []
        return self


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
    common: Common = field(default_factory=Common)
    pace: Pace = field(default_factory=Pace)
    arrivals: Handover[InboxRow] = field(default_factory=Handover)
    departures: Handover[OutboxRow] = field(default_factory=Handover)
    home: Path | None = None
    """The server's folder."""
    folders: list[Folder] = field(default_factory=list)
    """The folders of mailboxes that this process reads."""
    files: Mapping[Path, str] = field(default_factory=dict)
    """The files of settings that this process has read, as `gm.server.condition.stamp` has them."""

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """A transaction that is committed at the end, and undone by any exception."""
        with (
            self.departures.offered() as departure,
            transaction(self.database, self.identity, self.now(), self.snapshots) as tx,
        ):
            tx.exhausted = self.exhausted
            if departure is not None:
                tx.queue_all = partial(outbox.queue_answer_first, departure, self.pace)
            yield tx

    def noted(self, note: Callable[[], T]) -> T:
        """What a transaction returns that says what became of work that is leased. While the database is away it is
        tried again: otherwise the work would wait until its lease ends, or be done twice. Raises Temporary.
        """
        begun, said = time.monotonic(), False
        while True:
            try:
                return note()
            except Temporary as error:
                if time.monotonic() >= begun + PATIENT_SECONDS:
                    raise
                if not said:
                    log.warning("what was done cannot be noted yet: %s", error)
                said = True
            time.sleep(_AGAIN_SECONDS)

    def asked(self) -> Asked:
        """This server, to be asked about its state."""
        return Asked(self.database, self.identity, self.now(), self.home, tuple(self.folders), self.files)

    def reading(self) -> AbstractContextManager[Transaction]:
        """A read-only transaction without locks."""
        return reading(self.database, self.identity, self.now(), self.snapshots)
