"""Seeds played one after the other, on the databases that are asked for, and what came of them; shortening one that
failed."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sqlalchemy import make_url

from gm.store.database import Database
from tests.databases import fresh_postgresql, running_postgresql, without_gaps
from tests.simulation.sabotage import fault
from tests.simulation.schedule import Event, Outcome, made_from, play, shortened, ways_of
from tests.simulation.trace import grouped
from tests.simulation.twins import alike, events_of_twins, twins

_AIMS = 14
"""A run aims the crashes of a seed at so many of the places at which there were the fewest so far."""


@dataclass
class Summary:
    """What came of many seeds."""

    seeds: int = 0
    days: float = 0.0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    crashed: Counter[str] = field(default_factory=Counter)
    broken: list[Outcome] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count a seed, or its twins."""
        self.seeds += not outcome.of_twins
        self.days += outcome.days
        self.seconds += outcome.seconds
        self.counts += outcome.counts
        self.passed += outcome.passed
        self.crashed += outcome.crashed
        self.digests += [outcome.digest] if outcome.digest else []
        if outcome.broken:
            self.broken.append(outcome)

    def rarest(self) -> tuple[str, ...]:
        """The places with the fewest crashes so far."""
        return tuple(sorted(self.passed, key=lambda place: (self.crashed[place], self.passed[place], place))[:_AIMS])

    def __str__(self) -> str:
        years, minutes = self.days / 365.25, max(self.seconds, 1) / 60
        least = min((self.crashed[place] for place in self.passed), default=0)
        lines = [
            f"{self.seeds} seeds, {years:.2f} years of a server in {self.seconds:.0f} s of processor time:"
            f" {years / minutes:.3f} years and {self.counts['mails to the server'] / minutes:.0f} mails to it a minute;"
            f" {len(self.broken)} broken",
            f"{sum(self.crashed.values())} crashes at {len(self.crashed)} of {len(self.passed)} places, at each"
            f" {least} times or more",
            *grouped(self.counts),
            *(f"hash of the mails sent: {one}" for one in self.digests if self.seeds <= 2),
            "crashes, and passages, by place:",
            *(f"{self.crashed[place]:9,}  {self.passed[place]:9,}  {place}" for place in sorted(self.passed)),
        ]
        return "\n".join(lines)


@contextmanager
def databases(kind: str) -> Iterator[str]:
    """The PostgreSQL server of a run, with a template; "" for SQLite alone."""
    if kind == "sqlite":
        yield ""
        return
    with running_postgresql() as server:
        template = fresh_postgresql(server, "template1")
        with Database(template) as database:
            database.migrate()
        yield f"{server} {make_url(template).database}"


@dataclass(frozen=True)
class Job:
    """A seed, and how it is played: for so many events, on one `database` or on both (`server` as from `databases`),
    on a `busy` server, that begins with so many `games`, and with crashes aimed at these places.
    """

    seed: int
    steps: int = 300
    database: str = "sqlite"
    server: str = ""
    aims: tuple[str, ...] = ()
    busy: bool = False
    games: int = 2

    pair: bool = False
    """Whether the twin worlds of the seed are played."""

    @property
    def events(self) -> list[Event]:
        """The events of the seed."""
        return events_of_twins(self.seed) if self.pair else made_from(self.seed, self.steps, busy=self.busy)

    def play(self, events: Sequence[Event] | None = None, **how: Any) -> Outcome:
        """Play the seed, or these of its events."""
        events = self.events if events is None else events
        if self.pair:
            return twins(self.seed, events, self._new_url, **how)
        older, how = ways_of(self.seed).older, {"games": self.games, **how}
        if self.database == "both" and not older:
            first = replace(self, database="sqlite").play(events, keep=True, **how)
            second = play(self.seed, events, without_gaps(self._new_url()), keep=True, aims=self.aims, **how)
            broken = first.broken or second.broken or alike(first, second)
            return replace(first, broken=broken) if first.broken else replace(second, broken=broken)
        return play(self.seed, events, self._new_url(migrated=not older), aims=self.aims, **how)

    @property
    def of_twins(self) -> Job:
        """That plays the twin worlds of the seed."""
        return replace(self, pair=True)

    def whole(self) -> list[Outcome]:
        """Play the twin worlds, which are shorter, and then the seed."""
        logging.disable(logging.CRITICAL)
        pair = self.of_twins.play()
        return [pair] if pair.broken else [pair, replace(self.play(), sent=[])]

    def _new_url(self, *, migrated: bool = True) -> str:
        """A new database; "" for a SQLite file."""
        address, _, template = self.server.partition(" ")
        if self.database == "sqlite":
            return ""
        return fresh_postgresql(address, template if migrated else "template1")

    def shrunk(self, failed: Outcome) -> list[int]:
        """The numbers of the fewest events with which it still fails."""
        events = self.events

        def fails(left: Sequence[Event]) -> bool:
            return self.play(left).failure == failed.failure

        needed = events[: failed.at + 1] if failed.at >= 0 else events
        left = shortened(fails, needed if fails(needed) else events, said=partial(print, flush=True))
        return [kept.place for kept in left]

    def explain(self, failed: Outcome, *, shrink: bool) -> None:
        """Print how to see again what is broken, and how it becomes a test in test_simulation.py."""
        if failed.of_twins and not self.pair:
            self.of_twins.explain(failed, shrink=shrink)
            return
        again = f"python -m tests.simulation --seed {self.seed} --database {self.database}"
        again += " --twins" if self.pair else f" --steps {self.steps}{' --busy' * self.busy} --games {self.games}"
        again += f" --aim '{','.join(self.aims)}'" if self.aims and not self.pair else ""
        print(f"{again} --trace\n    event {failed.at}: {failed.broken}", flush=True)
        if shrink:
            only = ",".join(map(str, self.shrunk(failed)))
            test = f"{self.seed}, a seed of twins" if self.pair else (self.seed, self.steps, self.busy, only)
            print(f"{again} --only {only} --trace\n    as a test: {test}", flush=True)


def chosen(events: list[Event], only: str) -> list[Event]:
    """Of these events, if `only` names some, only the ones with these numbers, at the same times."""
    if not only:
        return events
    wanted, left, waited = set(map(int, only.split(","))), [], 0
    for event in events:
        waited += event.after
        if event.place in wanted:
            left.append(replace(event, after=waited))
            waited = 0
    return left


def run(first: Job, minutes: float, processes: int) -> tuple[Summary, list[tuple[Job, Outcome]]]:
    """Play seeds for a time, several at once, every other one on a busy server; what failed, and how it was played."""
    summary, end, seed = Summary(), time.monotonic() + 60 * minutes, first.seed
    failed: list[tuple[Job, Outcome]] = []
    under_way: list[tuple[Job, Future[list[Outcome]]]] = []
    with ProcessPoolExecutor(processes) as pool:
        while True:
            while len(under_way) < processes and time.monotonic() < end:
                job = replace(first, seed=seed, aims=summary.rarest(), busy=bool(seed % 2))
                under_way.append((job, pool.submit(job.whole)))
                seed += 1
            if not under_way:
                return summary, failed
            job, future = under_way.pop(0)
            for outcome in future.result():
                summary.add(outcome)
                if outcome.broken:
                    failed.append((job, outcome))
                    print(f"seed {outcome.seed}, event {outcome.at}: {outcome.broken}", flush=True)
            if summary.seeds % 20 == 0:
                print(f"... {summary.seeds} seeds, {summary.counts['deadlines']} deadlines", flush=True)


def time_to_find(name: str, first: int, steps: int, most: float = 180) -> bool:
    """Play seeds with a fault until it is found, and print how long that took, in seconds of processor time."""
    began, broken, seed = time.process_time(), "", first
    with fault(name):
        while not broken and time.process_time() - began < most:
            broken = Job(seed, steps).whole()[-1].broken
            seed += 1
    took = time.process_time() - began
    said = broken.strip().splitlines()[-1 if broken.startswith("Traceback") else 0 :] or ["NOT FOUND"]
    print(f"{took:6.1f} s  {seed - first} seeds  {name}: {said[0][:150]}", flush=True)
    return bool(broken)
