"""Seeds played one after the other, on the databases that are asked for, and what came of them; shortening one that
failed."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from sqlalchemy import make_url

from gm.store.database import Database
from tests.databases import fresh_postgresql, running_postgresql, without_gaps
from tests.simulation.damage import OFTEN
from tests.simulation.promises import Promise, check, told
from tests.simulation.sabotage import fault
from tests.simulation.schedule import Event, Outcome, made_from, play, shortened
from tests.simulation.trace import grouped
from tests.simulation.twins import alike, events_of_twins, twins

_AIMS = 14
"""A run aims the crashes of a seed at so many of the places at which there were the fewest so far."""


@dataclass
class Summary:
    """What came of many seeds."""

    seeds: int = 0
    pairs: int = 0
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
        self.pairs += outcome.of_twins
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
        others = Counter(self.counts)
        lines = [
            "crashes, and passages, by place:",
            *(f"{self.crashed[place]:9,}  {self.passed[place]:9,}  {place}" for place in sorted(self.passed)),
            *told(others),
            *grouped(others),
            *(f"hash of the mails sent: {one}" for one in self.digests if self.seeds <= 2),
            f"{sum(self.crashed.values())} crashes at {len(self.crashed)} of {len(self.passed)} places, at each"
            f" {least} times or more",
            f"{self.seeds} seeds and {self.pairs} pairs of twin worlds, {years:.2f} years of a server in"
            f" {self.seconds:.0f} s of processor time: {years / minutes:.3f} years and"
            f" {self.counts['mails to the server'] / minutes:.0f} mails to it a minute; {len(self.broken)} broken",
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
    only: str = ""
    """The numbers of the events that are played, or "none"; "" for all."""
    often: str = ""
    """A kind of event that is every fourth one."""
    fault: str = ""
    """The fault that is put into gm meanwhile."""

    @property
    def events(self) -> list[Event]:
        """The events of the seed that are played."""
        if self.pair:
            return chosen(events_of_twins(self.seed), self.only)
        return chosen(made_from(self.seed, self.steps, busy=self.busy, often=self.often), self.only)

    @property
    def command(self) -> str:
        """The command that plays exactly this, and traces it."""
        words = [f"python -m tests.simulation --seed {self.seed} --database {self.database}"]
        if self.pair:
            words.append("--twins")
        else:
            words += [f"--steps {self.steps}", *["--busy"] * self.busy, f"--games {self.games}"]
            words += [f"--often {self.often}"] * bool(self.often) + [f"--aim '{','.join(self.aims)}'"] * bool(self.aims)
        words += [f"--only {self.only}"] * bool(self.only) + [f"--fault '{self.fault}'"] * bool(self.fault)
        return f"{' '.join(words)} --trace"

    @property
    def test(self) -> str:
        """The line for test_simulation.py that plays this on SQLite."""
        given = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("database", "server")}
        usual = {one.name: one.default for one in fields(self)}
        return f"Job({', '.join(f'{name}={what!r}' for name, what in given.items() if what != usual[name])})"

    def play(self, events: Sequence[Event] | None = None, **how: Any) -> Outcome:
        """Play the seed, or these of its events."""
        events = self.events if events is None else events
        with fault(self.fault):
            if self.pair:
                return twins(self.seed, events, self._new_url, **how)
            how = {"games": self.games, "aims": self.aims, **how}
            if self.database == "both":
                return self._both(events, **how)
            return play(self.seed, events, self._new_url(), **how)

    def _both(self, events: Sequence[Event], **how: Any) -> Outcome:
        """Play these events on SQLite and on PostgreSQL."""
        first = play(self.seed, events, keep=True, **how)
        second = play(self.seed, events, without_gaps(self._new_url()), keep=True, **how)
        second.counts["seeds by comparison: the same mails on both databases"] += 1
        check(second.counts, Promise.BOTH, len(second.sent))
        broken = first.broken or second.broken or alike(first, second)
        return replace(first, broken=broken) if first.broken else replace(second, broken=broken)

    @property
    def of_twins(self) -> Job:
        """That plays the twin worlds of the seed."""
        return replace(self, pair=True)

    def whole(self) -> list[Outcome]:
        """Play the twin worlds, which are shorter, and then the seed."""
        logging.disable(logging.CRITICAL)
        pair = self.of_twins.play()
        return [pair] if pair.broken or self.pair else [pair, replace(self.play(), sent=[])]

    def _new_url(self) -> str:
        """A new database with all tables; "" for a SQLite file."""
        address, _, template = self.server.partition(" ")
        if self.database == "sqlite":
            return ""
        return fresh_postgresql(address, template)

    def shrunk(self, failed: Outcome, minutes: float) -> Job:
        """That plays the fewest of its events with which it still fails, as far as they are found in this time."""
        events, told = self.events, partial(print, flush=True)

        def fails(left: Sequence[Event]) -> bool:
            return self.play(left).failure == failed.failure

        needed = [event for event in events if event.place <= failed.at] if failed.at >= 0 else events
        left = shortened(fails, needed if fails(needed) else events, 60 * minutes, told)
        return replace(self, only=",".join(str(event.place) for event in left) or "none")

    def explain(self, failed: Outcome, minutes: float = 0) -> None:
        """Print what is broken, how to see it again, and how it becomes a test in test_simulation.py; with the fewest
        events that are found in so many minutes."""
        if failed.of_twins and not self.pair:
            self.of_twins.explain(failed, minutes)
            return
        found = self.shrunk(failed, minutes) if minutes else self
        print(f"BROKEN: {self.line(failed)}\n    again: {self.command}", flush=True)
        if minutes:
            print(f"    the fewest events: {found.command}\n    as a test: {found.test}", flush=True)

    def line(self, outcome: Outcome) -> str:
        """A seed and what came of it, on one line or more."""
        which = ", twin worlds" * outcome.of_twins
        at = f"event {outcome.at}" if outcome.at >= 0 else "before any event"
        return f"seed {outcome.seed}{which}: " + (f"{at}: {outcome.broken}" if outcome.broken else "ok")


def chosen(events: list[Event], only: str) -> list[Event]:
    """Of these events, if `only` names some or "none", only the ones with these numbers, at the same times."""
    if not only:
        return events
    wanted = set(map(int, only.split(","))) if only != "none" else set()
    left, waited = [], 0
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
                    print(job.line(outcome), flush=True)
            if summary.seeds % 20 == 0:
                print(f"... {summary.seeds} seeds, {summary.counts['deadlines']} deadlines", flush=True)


def time_to_find(name: str, first: Job, most: float = 180) -> bool:
    """Play seeds with a fault, and more often what reaches it, until it is found, and print how long that took, in
    seconds of processor time."""
    began, job = time.process_time(), replace(first, fault=name, often=first.often or OFTEN.get(name, ""))
    while True:
        found = job.whole()[-1]
        took = time.process_time() - began
        if found.broken or took > most:
            break
        job = replace(job, seed=job.seed + 1)
    said = found.broken.strip().splitlines()[-1 if found.broken.startswith("Traceback") else 0 :] or ["NOT FOUND"]
    print(f"{took:6.1f} s  {job.seed - first.seed + 1} seeds  {name}: {said[0][:150]}", flush=True)
    if found.broken:
        print(f"    again: {(job.of_twins if found.of_twins else job).command}", flush=True)
    return bool(found.broken)
