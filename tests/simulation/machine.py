"""The server's process, simulated: the server as `gm serve` puts it together, and its death."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any, ClassVar, TypeVar

from sqlalchemy import update

import gm.server
from gm.cli import serve, working
from gm.cli.serve import RunningServer
from gm.errors import Temporary
from gm.machine.ways_in import RENEWED
from gm.mail.message.trace import Findings, HandedOver
from gm.mail.transport.listener import Listener
from gm.settings import Settings
from gm.store.presence import Presence, Wake
from gm.store.ways import WAY_LEASE, WayRow
from tests.simulation.faults import Crash, Points, watch_commits
from tests.simulation.threads import SimScheduler

T = TypeVar("T")


class AtOnce(Executor):
    """Runs what it is given at once, in this thread."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


_loop = asyncio.new_event_loop()


def finished(call: Awaitable[T]) -> T:
    """The result of a call of the listener's."""
    return _loop.run_until_complete(_waited(call))


async def _waited(call: Awaitable[T]) -> T:
    return await call


class DeafListener(Listener):
    """A listener without a socket: its handler is called by `network`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._threads = self._handler._threads = AtOnce()  # type: ignore[assignment]

    handler = property(lambda self: self._handler)

    def start(self) -> None:
        """Nothing is opened."""

    def stop(self) -> None:
        """Nothing is closed."""


class SimVerifier:
    """Stands in for the DNS: who has really sent a mail is written in it."""

    deferred = 0
    """How many look-ups in a row are not answered."""
    looked = unanswered = 0

    def __init__(self, authserv_id: str, trusted: frozenset[str], is_ours: Callable[[str], bool]) -> None:
        self._authserv_id = authserv_id

    @classmethod
    def reset(cls) -> None:
        """The name servers of a new world."""
        cls.deferred = cls.looked = cls.unanswered = 0

    def find(self, raw: bytes, came: HandedOver) -> Findings:
        """What the mail server in front has found as well."""
        SimVerifier.looked += 1
        if SimVerifier.deferred:
            SimVerifier.deferred -= 1
            SimVerifier.unanswered += 1
            return Findings(f"{self._authserv_id}; none", deferred=True)
        found = re.search(rb"dmarc=\w+ header\.from=\S+", raw.partition(b"\r\n\r\n")[0])
        return Findings(f"{self._authserv_id}; {found[0].decode() if found else 'none'}")


class Machine:
    """One server process, which is up or down; `clock` is what its clock says."""

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], datetime],
        points: Points,
        *,
        alone: bool,
        ahead: timedelta = timedelta(),
    ) -> None:
        self.settings = settings
        self.ahead = ahead
        """How much later its clock is than the first server's."""
        self._alone = alone
        self._clock = clock
        self._points = points
        self._presences: list[Presence] = []
        self.full: str | None = None
        """The disk is full: noticed at a "commit" or at a "statement"; or a "lock" is held by somebody else."""
        self.full_hits = 0
        self.up = False
        self._dead = True
        self.failures: list[Exception] = []
        self.died_of = ""
        """Why it did not come up when it was started last."""
        self.commits = 0
        self.boots = 0

    def boot(self) -> bool:
        """Start the server; False if it did not come up."""
        self.boots += 1
        self._dead = False
        SeenPresence.opened = self._presences
        gm.server.PATIENT_SECONDS = 0.0  # the clock stands still while one of its threads works
        self.server = RunningServer(self.settings, self._clock)
        watch_commits(self.server.service.database, self.passes, self._is_full, self._points.asks)
        try:
            self.server.start()
        except (Crash, Temporary, Exception) as error:  # an Exception: something that a dying process met last
            if not self._dead and not isinstance(error, Temporary):
                raise
            self.died_of = f"{type(error).__name__} {error}"
            self.die()
            return False
        self.up = True
        return True

    @property
    def scheduler(self) -> SimScheduler:
        """Its threads."""
        return self.server._work.scheduler  # type: ignore[union-attr,return-value]

    @property
    def listener(self) -> DeafListener | None:
        """Its listener."""
        return self.server._listener  # type: ignore[return-value]

    def passes(self, place: str) -> None:
        """A place where it can die. Raises Crash if it does, or has."""
        self.commits += 1
        if self._dead or self._points.dies(place):
            self._dead = True
            raise Crash(place)

    def _is_full(self, at: str) -> bool:
        hit = self.full == at
        self.full_hits += hit
        return hit

    def die(self) -> None:
        """What is left of a process that was killed: its rows, and what others hold of it."""
        self.up, self._dead = False, True
        self._drop()

    def stop(self) -> None:
        """Stop it as SIGTERM does."""
        self.up = False
        with suppress(Crash):
            self.server.stop()
        self._dead = True
        self._drop()

    def _drop(self) -> None:
        if self.server._work is not None:
            self.failures += [error for worker in self.scheduler.workers for error in worker.failures]
        with suppress(Crash):
            self.server.service.database.dispose()
        while self._presences:
            self._presences.pop().close()

    # ---- running

    def turn(self, chance: random.Random) -> bool:
        """Let one of the threads that are awake do a piece of work; False when all wait. Raises Crash."""
        awake = [worker for worker in self.scheduler.workers if worker.awake]
        if not awake:
            return False
        worker = chance.choice(awake)
        known = len(worker.failures)
        worker.turn()
        if self._dead:  # and met another error as it died
            del worker.failures[known:]
            raise Crash(worker.name)
        return True

    def due(self, now: datetime) -> datetime:
        """When the next thread wants to be woken."""
        return min(worker.wake_at or now for worker in self.scheduler.workers)

    def call(self, now: datetime) -> None:
        """Wake the threads whose time has come."""
        for worker in self.scheduler.workers:
            if worker.wake_at is not None and worker.wake_at <= now:
                worker.awake = True

    def ways_in(self) -> list[tuple[str, bool]]:
        """The names of the ways in that it has leased, and whether others may have them too."""
        ways = [ways for worker in self.scheduler.workers for ways in worker.ways]
        return [(name, way.shared) for one in ways for name, way in zip(one._names, one._own, strict=False)]

    def new_mail(self) -> None:
        """The mailbox tells of new mail."""
        for worker in self.scheduler.workers:
            worker.pushed()

    def sleep(self, until: datetime) -> None:
        """Nothing happens until then; what the idle server would have renewed all the while is as if it had been."""
        for ways in (ways for worker in self.scheduler.workers for ways in worker.ways):
            if self.full or ways._renewed is None or until - ways._renewed <= RENEWED:
                continue
            ways._renewed = until - RENEWED
            if self._alone:
                continue
            with self.server.service.database.engine.connect() as connection:
                fresh = {"heard_at": until - RENEWED, "leased_until": until - RENEWED + WAY_LEASE}
                connection.execute(update(WayRow).where(WayRow.name.in_(ways._names)).values(**fresh))
                connection.connection.commit()


class SeenPresence(Presence):
    """A presence that ends with its process, as a lock of a process that was killed does."""

    opened: ClassVar[list[Presence]] = []
    """Those of the machine that is being started."""

    def __init__(self, database: Any, parts: Any) -> None:
        SeenPresence.opened.append(self)  # first, because the process may die in the next line, holding the lock
        super().__init__(database, parts)

    def watch(self, wake: Wake) -> None:
        """The simulation wakes its servers itself."""


STAND_INS: tuple[tuple[ModuleType, str, Any], ...] = (
    (working, "Scheduler", SimScheduler),
    (serve, "Listener", DeafListener),
    (working, "_Verifier", SimVerifier),
    (serve, "Presence", SeenPresence),
)
"""What stands in for names in these modules."""
assert all(hasattr(module, name) for module, name, _ in STAND_INS)
