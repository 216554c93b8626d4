"""The parts of the server as steps, and what runs them: threads that are woken by the clock or by arriving mail.

Every part is a `Step`: it does one piece of work and says when it wants to be called again. Pending work is in rows; a
step keeps nothing that would be missed after a restart. `drain` runs steps until nothing is due, by any clock; tests
and simulations call it directly. `Scheduler` calls it in threads, woken by APScheduler.

Long because the parts and what runs them are read together.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf
from typing import Protocol, TypeAlias

from apscheduler.schedulers.background import BackgroundScheduler

from gm.errors import Temporary, log_failure
from gm.inbound.intake import process, receive_next
from gm.inbound.proof import Finds, Turns, check_next
from gm.machine.deadlines import NOTICED, close_next, give_up, tell_who_waits
from gm.machine.delivery import Delivers, send, send_due
from gm.machine.desks import tell_next
from gm.machine.digests import gather_next
from gm.machine.reports import write_next
from gm.machine.ways_in import WaysIn
from gm.operation import EVERY_PART, Part
from gm.server import Server
from gm.store import forgetting, outbox, question_rows, retention, senders, sights
from gm.store.agenda import SOONEST, Outlook
from gm.store.outbox import Pace
from gm.store.rows import EPOCH

log = logging.getLogger(__name__)

Call: TypeAlias = Callable[[], object]

_SELDOM = timedelta(days=1)

HANGING_SECONDS = 900.0
"""After how long one piece of work is taken to hang: slow mail servers are given up much sooner."""

_AGAIN = timedelta(seconds=5)
"""How soon a round is made again that ended because the database was away, or the like."""

STOP_SECONDS = 4.0
"""How long a server that stops waits for the work in progress; a slow mail server must not delay it."""


class Step(Protocol):
    """A part of the server. `step(now)` does at most one piece of work.

    It returns when it wants to be called again: `now` when there may be more to do at once, a later time, or None when
    it has nothing to wait for and will be woken.
    """

    def step(self, now: datetime) -> datetime | None: ...


def drain(
    steps: Sequence[Step],
    clock: Callable[[], datetime],
    between: Call = lambda: None,
    stopping: Callable[[], bool] = lambda: False,
) -> datetime | None:
    """Run steps until nothing is due, or until `stopping` returns True. Returns when the first wants to be called
    again.

    Earlier steps always go first: mail that has arrived comes before a deadline that has passed, and deadlines before
    reports. `between` is called after each piece of work.
    """
    while not stopping():
        now, later = clock(), []
        for one in steps:
            at = one.step(now)
            if at is not None and at <= now:
                between()
                break
            later.append(at)
        else:
            return min((at for at in later if at is not None), default=None)
    return None


def _when_due(moment: datetime | None, now: datetime, work: Call) -> datetime | None:
    """Do one piece of work if there is any by now, for which a look at the rows is enough: only work takes the write
    lock. Returns when to call the step again.
    """
    if moment is None or moment > now:
        return moment
    return now if work() else now + SOONEST


@dataclass
class Checks:
    """Authenticates the senders of accepted mails, or releases them unchecked without a `verifier`. `begins` is called
    before each."""

    server: Server
    verifier: Finds | None
    begins: Call = lambda: None
    turns: Turns = field(default_factory=Turns)

    def step(self, now: datetime) -> datetime | None:
        with self.server.database.reading() as session:
            moment = senders.checks_wake_at(session)
        return _when_due(moment, now, partial(check_next, self.server, self.verifier, self.turns, self.begins))


@dataclass
class Intake:
    """Processes the mails that have arrived."""

    server: Server
    outlook: Outlook

    def step(self, now: datetime) -> datetime | None:
        if (handed := self.server.arrivals.take()) is not None:
            process(self.server, handed)
            self.outlook.stays()
            return now
        return _when_due(self.outlook.work.mail, now, partial(receive_next, self.server))


@dataclass
class Deadlines:
    """Processes the deadlines and scheduled commands of games, once all mail from before them has been processed. A
    deadline that has waited for that too long is extended by `longer`.
    """

    server: Server
    outlook: Outlook
    ways: WaysIn
    longer: timedelta = timedelta(hours=24)
    reported_at: datetime = EPOCH
    """Of deadlines that were due by then and wait, operator and gamemasters have been notified."""

    def step(self, now: datetime) -> datetime | None:
        due = self.outlook.work.deadline
        if due is None or due > now:
            return due
        drained, given_up = self.ways.drained(now, due), self.ways.given_up(now)
        if close_next(self.server, drained):
            return now
        if given_up is not None and give_up(self.server, given_up, self.longer, self.ways.last):
            return now
        if given_up is not None and close_next(self.server, max(drained, given_up), given_up):
            return now
        if self._tells_who_waits(now, due):
            return now  # so that what is told is sent
        self.ways.look()
        self.outlook.step(now)  # other servers may have met it
        return self.outlook.work.deadline and max(self.outlook.work.deadline, now + SOONEST)

    def _tells_who_waits(self, now: datetime, due: datetime) -> bool:
        """About once a minute, look for deadlines that have begun to wait long. Returns whether it has looked."""
        until = now - NOTICED
        if max(due, self.reported_at + timedelta(minutes=1)) > until:
            return False
        tell_who_waits(self.server, self.reported_at, until, begun=self.ways.begun or now, way=self.ways.last)
        self.reported_at = until
        return True


@dataclass
class Drains:
    """When a deadline is due that another server processes, says until when the ways of this one are drained, so that
    it need not wait until they are renewed.
    """

    outlook: Outlook
    ways: WaysIn

    def step(self, now: datetime) -> datetime | None:
        due = self.outlook.work.deadline
        if due is None or due > now:
            return due
        if self.ways.drained(now, due) < due:
            self.ways.look()
        return now + SOONEST


@dataclass
class Reports:
    """Writes the reports that are queued, or calls the `writers`, other processes."""

    server: Server
    outlook: Outlook
    writers: Call | None = None

    def step(self, now: datetime) -> datetime | None:
        return _when_due(self.outlook.work.report, now, self.writers or partial(write_next, self.server))


@dataclass
class Questions:
    """Expires unanswered questions. It is the last of the steps, so that an answer that came in time counts."""

    server: Server
    outlook: Outlook
    ways: WaysIn

    def step(self, now: datetime) -> datetime | None:
        moment = self.outlook.work.expiry
        if moment is None or moment > now:
            return moment
        until = max(filter(None, (self.ways.drained(now, moment), self.ways.given_up(now))))
        with self.server.database.transaction() as session:
            return now if question_rows.expire(session, until) else now + SOONEST


@dataclass
class Digests:
    """Sends the digests that are due, after the reports of the same moment."""

    server: Server
    outlook: Outlook

    def step(self, now: datetime) -> datetime | None:
        return _when_due(self.outlook.work.digest, now, partial(gather_next, self.server))


@dataclass
class Desks:
    """Tells gamemasters, once a day at their hour, what waits for them."""

    server: Server
    outlook: Outlook

    def step(self, now: datetime) -> datetime | None:
        return _when_due(self.outlook.work.desk, now, partial(tell_next, self.server))


@dataclass
class Delivery:
    """Sends the mails that are due, one at a time; several of these steps send several at once. `begins` is called
    before each mail is sent.
    """

    server: Server
    sender: Delivers
    pace: Pace = field(default_factory=Pace)
    begins: Call = lambda: None

    def step(self, now: datetime) -> datetime | None:
        if (handed := self.server.departures.take()) is not None:
            return send(self.server, self.sender, handed)
        with self.server.database.reading() as session:
            moment = outbox.wakes_at(session, now, self.pace)
        return _when_due(moment, now, partial(send_due, self.server, self.sender, self.pace, self.begins))


@dataclass
class Tidying:
    """Once a day, deletes expired counts of limits, hashes of addresses that people had while their games went on, and
    the content of mails that are `days` old (0: never); and at once that of people who are forgotten.
    """

    server: Server
    days: int

    def step(self, now: datetime) -> datetime | None:
        return now if self.forget() is not None or self.thin(now) else now + timedelta(days=1)

    def forget(self) -> int | None:
        """Look at one batch of mails for who is forgotten. Returns the number that were emptied; None when there is
        nobody left to forget.
        """
        with self.server.database.reading() as session:
            found = forgetting.look(session)
        if found is None:
            return None
        with self.server.database.transaction() as session:
            emptied = forgetting.empty(session, found)
        self.server.database.scrub()
        return emptied

    def thin(self, now: datetime) -> int:
        """Delete one batch. Returns the number of mails."""
        with self.server.database.transaction() as session:
            senders.forget_spending(session, now)
            sights.forget_left(session)
            thinned = retention.thin(session, now - timedelta(days=self.days)) if self.days else 0
        self.server.database.scrub()
        return thinned


def desk(
    server: Server,
    ways: WaysIn | None = None,
    longer: timedelta = timedelta(hours=24),
    writers: Call | None = None,
    parts: frozenset[Part] = EVERY_PART,
) -> tuple[Step, ...]:
    """The steps of these parts that change games, in a fair order. `writers` calls other processes that write the
    reports.
    """
    ways, outlook = ways or WaysIn(server), Outlook(server.database)
    steps: tuple[tuple[Part, Step], ...] = (
        (Part.INTAKE, Intake(server, outlook)),
        (Part.DEADLINES, Deadlines(server, outlook, ways, longer)),
        (Part.REPORTS, Reports(server, outlook, writers)),
        (Part.DEADLINES, Questions(server, outlook, ways)),
        (Part.REPORTS, Digests(server, outlook)),
        (Part.REPORTS, Desks(server, outlook)),
    )
    chosen = [step for part, step in steps if part in parts]
    if Part.INTAKE in parts and Part.DEADLINES not in parts:
        chosen.append(Drains(outlook, ways))
    return ways, outlook, *chosen


HELPED = frozenset({Part.DEADLINES, Part.REPORTS})
"""The parts for which a server can have helpers."""


def helping(
    server: Server, longer: timedelta = timedelta(hours=24), parts: frozenset[Part] = EVERY_PART
) -> tuple[Step, ...]:
    """The steps of a helper, another process beside one with a desk. Reports come first: whoever adjudicates has the
    write lock of SQLite meanwhile, so that two adjudicate no faster than one; and a report delays no work.
    """
    outlook = Outlook(server.database)
    steps: list[Step] = [Reports(server, outlook)] if Part.REPORTS in parts else []
    if Part.DEADLINES in parts:
        steps.append(Deadlines(server, outlook, WaysIn(server), longer))
    return outlook, *steps


# threads


class Worker(threading.Thread):
    """A thread that runs its steps whenever it is woken, and survives their exceptions.

    `wait` is how it waits to be woken; a mailbox is watched in the meantime.
    """

    def __init__(
        self,
        name: str,
        work: Call,
        wait: Callable[[threading.Event], object] = threading.Event.wait,
    ) -> None:
        super().__init__(name=name, daemon=True)
        self._work = work
        self._wait = wait
        self._awake = threading.Event()
        self.stopping = False
        self.waiting = False
        """Whether it has nothing to do."""
        self._began = inf
        """When the present piece of work began, by time.monotonic(); infinity while it waits."""

    def hangs(self, seconds: float) -> bool:
        """Whether it has died, or has been at one piece of work for longer than this."""
        return not self.is_alive() or time.monotonic() - self._began > seconds

    def goes_on(self) -> bool:
        """Whether it may begin another piece of work, which is taken to begin now."""
        self._began = time.monotonic()
        return not self.stopping

    def wake(self) -> None:
        """Work now, or once more after the present round."""
        self._awake.set()

    def stop(self) -> None:
        """Finish the present piece of work and end."""
        self.stopping = True
        self._awake.set()

    def run(self) -> None:
        while True:
            self.waiting, self._began = True, inf
            self._wait(self._awake)
            self.waiting = False
            self._awake.clear()
            if self.stopping:
                return
            try:
                self._work()
            except Exception as error:
                log_failure(log, error, "%s: a round failed", self.name)


class Crew:
    """Several threads that do the same work in turn: one that finds work wakes another, so that no more of them run
    than needed.
    """

    def __init__(self) -> None:
        self._workers: list[Worker] = []

    def hire(self, scheduler: Scheduler, name: str, number: int, step: Step, *, between: Call = lambda: None) -> None:
        """Start this number of threads for a step that calls `call` when it begins a piece of work."""
        self._workers += [scheduler.add(f"{name} {one}", step, between=between, hears=False) for one in range(number)]

    def idle(self) -> int:
        """How many of the threads have nothing to do."""
        return sum(worker.waiting for worker in self._workers)

    def call(self) -> None:
        """Wake a thread that has nothing to do, otherwise any: there is work."""
        idle = next((worker for worker in self._workers if worker.waiting), None)
        for worker in [idle] if idle is not None else self._workers[:1]:
            worker.wake()


class Scheduler:
    """Runs steps in threads until stopped; APScheduler wakes a thread when one of its steps wants to be called.

    `clock` returns the time that is passed to steps. All threads except those that watch a mailbox wake at the latest
    `poll_seconds` after their last round, also when the clock was put back.
    """

    def __init__(self, clock: Callable[[], datetime], *, poll_seconds: int = 60) -> None:
        self._clock = clock
        self._poll = timedelta(seconds=poll_seconds)
        self._workers: dict[Worker, timedelta] = {}
        """For each worker, the time after which it is woken in any case."""
        self._wakes: dict[Worker, datetime] = {}
        self._hearing: list[Worker] = []
        self._timer = BackgroundScheduler(
            timezone=UTC, job_defaults={"coalesce": True, "misfire_grace_time": None, "max_instances": 1}
        )

    def add(
        self,
        name: str,
        *steps: Step,
        between: Call = lambda: None,
        watch: Callable[[threading.Event], object] | None = None,
        hears: bool = True,
    ) -> Worker:
        """A thread for these steps. With `watch` it waits in that function, which returns when there may be work;
        without `hears` it is not woken with the others.
        """

        def work() -> None:
            try:
                moment = drain(steps, self._clock, between, lambda: not worker.goes_on())
            except Temporary:
                self._wake_at(worker, self._clock() + _AGAIN)
                raise
            if not worker.stopping:
                self._wake_at(worker, moment)

        worker = Worker(name, work, watch or partial(threading.Event.wait, timeout=self._poll.total_seconds()))
        self._workers[worker] = self._poll if watch is None else _SELDOM
        if hears and watch is None:
            self._hearing.append(worker)
        return worker

    def start(self) -> None:
        """Start working, and do at once whatever is due."""
        for worker, longest in self._workers.items():
            # A job that repeats is moved and never removed: APScheduler stumbles over a removal while it stops.
            self._timer.add_job(worker.wake, "interval", seconds=longest.total_seconds(), id=worker.name)
        self._timer.start()
        for worker in self._workers:
            worker.start()
            worker.wake()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End after the present pieces of work. Work that takes longer is abandoned: it is in rows, and its
        lease ends.
        """
        for worker in self._workers:
            worker.stop()
        end = time.monotonic() + seconds
        for worker in self._workers:
            if worker.is_alive():
                worker.join(max(end - time.monotonic(), 0.0))
                if worker.is_alive():
                    log.warning("%s: did not end in time and is left", worker.name)
        if self._timer.running:
            self._timer.shutdown(wait=False)

    def hanging(self, seconds: float = HANGING_SECONDS) -> list[str]:
        """The names of the threads that have died, or have been at one piece of work for longer than this."""
        return [worker.name for worker in self._workers if worker.hangs(seconds)]

    def wake(self) -> None:
        """Wake the threads: mail has arrived, or something is due."""
        for worker in self._hearing:
            worker.wake()

    def _wake_at(self, worker: Worker, moment: datetime | None) -> None:
        now, longest = datetime.now(UTC), self._workers[worker]
        at = now + (longest if moment is None else min(moment - self._clock(), longest))
        if not now < self._wakes.get(worker, now) <= at:  # to be woken sooner does no harm
            self._wakes[worker] = at
            self._timer.modify_job(worker.name, next_run_time=at)
