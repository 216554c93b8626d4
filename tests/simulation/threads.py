"""The server's threads, simulated: a list of things to do in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from threading import Event as Woken
from typing import Any

from gm.errors import Temporary
from gm.machine.steps import Step, drain
from gm.machine.ways_in import WaysIn

COARSE, COARSEST = timedelta(seconds=30), timedelta(minutes=4)
"""A thread that wants to be called later is called this much later at the earliest, so that one that asks every second
whether something has happened costs little; while it finds nothing, the pause doubles up to the second."""

RETRIED = timedelta(minutes=1)
"""When a thread works again for which the database was not there."""


class Glance:
    """Stands in for the event that ends a wait for mail: whoever waits looks at the mailbox once."""

    notices = True
    """Whether the thread notices that something has happened; not if it waits for this event alone."""
    _asked = False

    def is_set(self) -> bool:
        """Whether to stop waiting."""
        self._asked, before = True, self._asked
        return before

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for nothing else."""
        self.notices = timeout is not None
        return self.notices


class Quiet:
    """`WaysIn` as a step that never asks to be called: its renewals in an idle time are made up for at its end
    (`Machine.sleep`)."""

    def __init__(self, ways: WaysIn) -> None:
        self._ways = ways

    def step(self, now: datetime) -> datetime | None:
        """Renew what is to be renewed."""
        wanted = self._ways.step(now)
        return wanted if wanted is not None and wanted <= now else None


class SimWorker:
    """A thread of the server: what it would do when woken, one piece of work at a time."""

    def __init__(self, name: str, steps: Sequence[Step], clock: Callable[[], datetime], **how: Any) -> None:
        self.name = name
        self.steps = [Quiet(step) if isinstance(step, WaysIn) else step for step in steps]
        self.ways = [step for step in steps if isinstance(step, WaysIn)]
        self._watch: Callable[[Any], object] | None = how["watch"]
        self._between: Callable[[], object] = how["between"]
        self._longest: timedelta = how["longest"]
        self._clock = clock
        self.awake = False
        self._pause = COARSE
        self.stopping = False
        self.wake_at: datetime | None = None
        self.failures: list[Exception] = []

    @property
    def waiting(self) -> bool:
        """Whether it has nothing to do."""
        return not self.awake

    def wake(self) -> None:
        """Work now."""
        self.awake, self._pause = True, COARSE

    def pushed(self) -> None:
        """The mailbox has news: what the thread hears of it if it listens just now."""
        if self._watch is None or self.awake:
            return
        glance = Glance()
        self._watch(glance)
        if glance.notices:
            self.wake()

    def turn(self) -> None:
        """Do one piece of work, if there is any; survive any exception, as the thread does."""
        self.awake, did = False, []

        def between() -> None:
            did.append(True)
            self._between()

        now = self._clock()
        self.wake_at = now + self._longest
        try:
            moment = drain(self.steps, self._clock, between, lambda: bool(did))
        except Temporary:
            self.wake_at = now + RETRIED
            return
        except Exception as error:
            self.failures.append(error)
            return
        if did:
            self.wake()
        elif moment is not None:
            soon = moment <= now + self._pause
            self.wake_at = min(self.wake_at, max(moment, now + self._pause))
            self._pause = min(2 * self._pause, COARSEST) if soon else COARSE


class SimScheduler:
    """Stands in for `gm.machine.steps.Scheduler`: starts no threads."""

    def __init__(self, clock: Callable[[], datetime], *, poll_seconds: int = 60) -> None:
        self._clock = clock
        self._poll = timedelta(seconds=poll_seconds)
        self.workers: list[SimWorker] = []
        self._hearing: list[SimWorker] = []

    def add(
        self,
        name: str,
        *steps: Step,
        between: Callable[[], object] = lambda: None,
        watch: Callable[[Woken], object] | None = None,
        hears: bool = True,
    ) -> SimWorker:
        """A thread for these steps."""
        longest = self._poll if watch is None else timedelta(days=1)
        worker = SimWorker(name, steps, self._clock, watch=watch, between=between, longest=longest)
        self.workers.append(worker)
        if hears and watch is None:
            self._hearing.append(worker)
        return worker

    def start(self) -> None:
        """Wake everybody."""
        for worker in self.workers:
            worker.wake()

    def stop(self, seconds: float = 0.0) -> None:
        """There is nothing to stop."""

    def wake(self) -> None:
        """Mail has arrived, or something is due."""
        for worker in self._hearing:
            worker.wake()
