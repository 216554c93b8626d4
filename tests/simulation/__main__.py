"""`python -m tests.simulation`: plays one seed, or one seed after the other for a time, and tells what came of it.

    python -m tests.simulation --seed 7 --trace              one seed, with everything that happens
    python -m tests.simulation --minutes 60 --jobs 2         as many seeds as there is time for, from --seed on
    python -m tests.simulation --fault "wrong phase"         how soon a fault put into gm by hand is found; "all": each

A seed that fails is printed with the fewest of its events that still fail; `--only` plays those again.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import make_url

from gm.store.database import Database
from tests.databases import fresh_postgresql, running_postgresql
from tests.simulation.sabotage import FAULTS, fault
from tests.simulation.schedule import Event, Outcome, made_from, play, shortened, ways_of
from tests.simulation.twins import twins


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

    def add(self, outcome: Outcome) -> None:
        """Count a seed."""
        self.seeds += 1
        self.days += outcome.days
        self.seconds += outcome.seconds
        self.counts += outcome.counts
        self.passed += outcome.passed
        self.crashed += outcome.crashed
        if outcome.broken:
            self.broken.append(outcome)

    def __str__(self) -> str:
        years = self.days / 365.25
        least = min((self.crashed[place] for place in self.passed), default=0)
        lines = [
            f"{self.seeds} seeds, {years:.2f} years of a server in {self.seconds:.0f} s of processor time:"
            f" {60 * years / max(self.seconds, 1):.3f} years and"
            f" {60 * self.counts['mails to the server'] / max(self.seconds, 1):.0f} mails to it a minute;"
            f" {len(self.broken)} broken",
            f"{sum(self.crashed.values())} crashes at {len(self.crashed)} of {len(self.passed)} places, at each"
            f" {least} times or more",
            *(f"{number:9,}  {what}" for what, number in sorted(self.counts.items())),
            "crashes, and passages, by place:",
            *(f"{self.crashed[place]:9,}  {self.passed[place]:9,}  {place}" for place in sorted(self.passed)),
        ]
        return "\n".join(lines)


@contextmanager
def databases(kind: str) -> Iterator[str]:
    """The PostgreSQL server of a run, with a template; "" for SQLite."""
    if kind == "sqlite":
        yield ""
        return
    with running_postgresql() as server:
        template = fresh_postgresql(server, "template1")
        with Database(template) as database:
            database.migrate()
        yield f"{server} {make_url(template).database}"


def _url(server: str, seed: int) -> str:
    """A new database for a seed; "" for a SQLite file."""
    address, _, template = server.partition(" ")
    return fresh_postgresql(address, "template1" if ways_of(seed).older else template) if server else ""


def one(server: str, steps: int, seed: int) -> Outcome:
    """Play one seed, after its twins, which are shorter."""
    logging.disable(logging.CRITICAL)
    if not server and (found := twins(seed)):
        return Outcome(seed, broken=found, of_twins=True)
    return play(seed, made_from(seed, steps), _url(server, seed))


def _seeds(first: int, minutes: float) -> Iterator[int]:
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        yield first
        first += 1


def run(server: str, given: argparse.Namespace) -> Summary:
    """Play seeds for a time, several at once."""
    summary, seeds = Summary(), _seeds(given.seed, given.minutes)
    with ProcessPoolExecutor(given.jobs) as pool:
        under_way = [
            pool.submit(one, server, given.steps, seed) for _, seed in zip(range(given.jobs), seeds, strict=False)
        ]
        while under_way:
            outcome = under_way.pop(0).result()
            summary.add(outcome)
            if outcome.broken:
                print(f"seed {outcome.seed}, event {outcome.at}: {outcome.broken}", flush=True)
            if summary.seeds % 20 == 0:
                print(f"... {summary.seeds} seeds, {summary.counts['deadlines']} deadlines", flush=True)
            under_way += [pool.submit(one, server, given.steps, seed) for _, seed in zip(range(1), seeds, strict=False)]
    return summary


def time_to_find(name: str, first: int, steps: int, most: float = 180) -> bool:
    """Play seeds with a fault until it is found, and print how long that took, in seconds of processor time."""
    began, outcome, seed = time.process_time(), Outcome(first), first
    with fault(name):
        while not outcome.broken and time.process_time() - began < most:
            outcome = one("", steps, seed)
            seed += 1
    took = time.process_time() - began
    said = outcome.broken.strip().splitlines()[-1 if outcome.broken.startswith("Traceback") else 0 :] or ["NOT FOUND"]
    print(f"{took:6.1f} s  {seed - first} seeds  {name}: {said[0][:150]}", flush=True)
    return bool(outcome.broken)


def shrink(seed: int, steps: int, server: str) -> list[int]:
    """The numbers of the fewest events of a seed with which it still fails."""
    events = made_from(seed, steps)
    outcome = play(seed, events, _url(server, seed))
    numbered = [Event(one.after, one.kind, one.number) for one in events]
    needed = numbered[: outcome.at + 1]

    def fails(left: list[Event]) -> bool:
        return play(seed, left, _url(server, seed)).failure == outcome.failure

    if not fails(needed):
        needed = numbered
    left = shortened(fails, needed, said=partial(print, flush=True))  # type: ignore[arg-type]
    return [numbered.index(next(one for one in numbered if one.number == kept.number)) for kept in left]


def chosen(seed: int, steps: int, only: str) -> list[Event]:
    """The events of a seed; of those only the ones with these numbers, at the same times."""
    events = made_from(seed, steps)
    if not only:
        return events
    wanted, left, waited = set(map(int, only.split(","))), [], 0
    for number, event in enumerate(events):
        waited += event.after
        if number in wanted:
            left.append(Event(waited, event.kind, event.number))
            waited = 0
    return left


def _single(server: str, given: argparse.Namespace) -> Outcome:
    """One seed as it is asked for: events, or twins."""
    if not (given.only or server or given.trace) or given.twins:
        found = twins(given.seed)
        if found or given.twins:
            return Outcome(given.seed, broken=found, of_twins=True)
    said = partial(print, flush=True) if given.trace else lambda _: None
    return play(given.seed, chosen(given.seed, given.steps, given.only), _url(server, given.seed), said=said)


def _explain(outcome: Outcome, server: str, given: argparse.Namespace) -> None:
    """How to see again what is broken, and how it becomes a test in test_simulation.py."""
    again = f"python -m tests.simulation --seed {outcome.seed}"
    if outcome.of_twins:
        print(f"{again} --twins\n    {outcome.broken}\n    as a test: {outcome.seed}, a seed of twins", flush=True)
        return
    print(
        f"{again} --steps {given.steps} --database {given.database} --trace\n    event {outcome.at}: {outcome.broken}"
    )
    if given.shrink or given.minutes:
        only = ",".join(map(str, shrink(outcome.seed, given.steps, server)))
        print(f"    --only {only}\n    as a test: ({outcome.seed}, {given.steps}, {only!r})", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="the seed, or the first of them")
    parser.add_argument("--steps", type=int, default=300, help="the number of events of a seed")
    parser.add_argument("--minutes", type=float, default=0, help="play one seed after the other for so long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--trace", action="store_true", help="print every event of the seed")
    parser.add_argument("--only", default="", help="play only the events with these numbers: 3,17,18")
    parser.add_argument("--twins", action="store_true", help="play only the twin worlds of the seed")
    parser.add_argument("--shrink", action="store_true", help="find the fewest events of the seed that fail")
    parser.add_argument("--fault", default="", choices=("", "all", *FAULTS), help="look for a fault put in by hand")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    if given.fault:
        names = FAULTS if given.fault == "all" else (given.fault,)
        return 1 if [name for name in names if not time_to_find(name, given.seed, given.steps)] else 0
    with databases(given.database) as server:
        if given.minutes:
            summary = run(server, given)
        else:
            summary = Summary()
            summary.add(_single(server, given))
        print(summary, flush=True)
        for outcome in summary.broken[:3]:
            _explain(outcome, server, given)
    return 1 if summary.broken else 0


if __name__ == "__main__":
    sys.exit(main())
