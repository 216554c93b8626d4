"""Servers that share the work: `python -m bench.servers [--games 50]`.

The same due games are worked off and their reports sent by one server, by two at one PostgreSQL, and by two of which
each has a database of its own with half of the games. How much less work, in processor time, is each of two left with,
and is a map drawn by more than one? Two servers that share nothing show how much of the rest is the machine's: two
processes take turns at the caches of a processor.

What a server does once, such as reading the grammars, it does before, for a few other games. All servers run on one
processor, the database on any: what two busy processors take from each other is the machine's, not the servers'. What
counts is the middle of some rounds of each, since the speed of a machine that others use changes from minute to minute.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import LargeBinary, func, literal, make_url, select

from bench.due import at_work, fall_due, prepared
from bench.due import probe as sink_of_mails
from bench.goals import at_least_one, tell
from bench.mails import beside, settings
from gm.cli.serve import RunningServer
from gm.maps.picture import _drawn
from gm.server import Server
from gm.settings import DatabaseSettings
from gm.store import outbox
from gm.store.database import Database
from gm.store.mail_files import FileRow
from gm.store.outbox import OutboxState
from tests.databases import fresh_postgresql, running_postgresql

GAMES, GAMES_BEFORE, ROUNDS = 50, 20, 5
HALVES = ("one", "two")
GOAL_GAIN = 1.9
_SIGNATURE = b"\x89PNG"


def serve(pipe: Any) -> None:
    """A server: gets its settings, says that it runs; asked once more, says what it worked since, in processor seconds,
    and how many maps it drew, and ends.
    """
    logging.getLogger().setLevel(logging.WARNING)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        url, sink = pipe.recv()
        server = RunningServer(replace(settings(Path(folder), sink), database=DatabaseSettings(url)))
        server.start()
        try:
            pipe.send("runs")
            pipe.recv()
            begun, drawn = time.process_time(), _drawn.cache_info().misses
            pipe.send("counts")
            pipe.recv()
            pipe.send((time.process_time() - begun, _drawn.cache_info().misses - drawn))
        finally:
            server.stop()


@dataclass(frozen=True)
class Way:
    """A way to share out the work: for each database, how many servers there are, and which halves of the games."""

    name: str
    databases: tuple[tuple[int, tuple[str, ...]], ...]


ONE = Way("one server", ((1, HALVES),))
TWO = Way("two at one database", ((2, HALVES),))
APART = Way("two, each at its own", ((1, HALVES[:1]), (1, HALVES[1:])))


@dataclass(frozen=True)
class Found:
    """What a number of games costs: processor seconds of all servers, maps drawn by them, and maps that were sent."""

    work: float
    drawn: int
    needed: int


def template(server: str, games: int, sink: int) -> str:
    """The name of a database at this PostgreSQL with two halves of these games, and of some to begin with, none due."""
    url = fresh_postgresql(server, "template1")
    with tempfile.TemporaryDirectory() as folder:
        preparing = _at(url, folder, sink).service
        preparing.database.migrate()
        for number, half in enumerate(HALVES):
            prepared(preparing, GAMES_BEFORE // 2, f"before-{half}-", seed=8 + number)
            prepared(preparing, (games + number) // 2, f"counted-{half}-", seed=18 + number)
        preparing.database.dispose()
    return make_url(url).database or ""


def _at(url: str, folder: str, sink: int) -> RunningServer:
    return RunningServer(replace(settings(Path(folder), sink), database=DatabaseSettings(url)))


def worked(way: Way, server: str, name: str, sink: int) -> Found:
    """Work off the games of the database of this name, each in a copy of it."""
    with tempfile.TemporaryDirectory() as folder:
        places, running = [], []
        for servers, halves in way.databases:
            url = fresh_postgresql(server, name)
            places.append((_at(url, folder, sink).service, halves))
            for _ in range(servers):
                process, pipe = beside(serve)
                pipe.send((url, sink))
                running.append((process, pipe))
        pipes = [pipe for _, pipe in running]
        for pipe in pipes:
            pipe.recv()
        _work_off(places, "before")
        before = sum(_maps(place.database) for place, _ in places)
        _all(pipes, "count")
        _work_off(places, "counted")
        found = _all(pipes, "enough")
        for process, _ in running:
            process.join()
        needed = sum(_maps(place.database) for place, _ in places) - before
        for place, _ in places:
            place.database.dispose()
    drawn = sum(number for _, number in found)
    if drawn < needed:
        raise RuntimeError(f"{needed} maps were sent, and {drawn} drawings were counted: maps are drawn elsewhere")
    return Found(sum(work for work, _ in found), drawn, needed)


def _all(pipes: Sequence[Any], order: object) -> list[Any]:
    """Tell all servers something; their answers."""
    for pipe in pipes:
        pipe.send(order)
    return [pipe.recv() for pipe in pipes]


def _work_off(places: Sequence[tuple[Server, Sequence[str]]], name: str) -> None:
    """Let these halves of the games be due whose names begin so, and wait until all their reports have been sent."""
    dues = [
        (place.database, fall_due(place, timedelta(seconds=1), f"{name}-{half}-"))
        for place, halves in places
        for half in halves
    ]
    for database, due in dues:
        while at_work(database, due) or _unsent(database):
            time.sleep(0.2)


def _unsent(database: Database) -> bool:
    with database.reading() as session:
        return outbox.counts(session)[OutboxState.QUEUED] > 0


def _maps(database: Database) -> int:
    """How many different maps were sent."""
    maps = select(func.count()).where(
        func.substr(FileRow.content, 1, len(_SIGNATURE)) == literal(_SIGNATURE, LargeBinary)
    )
    with database.reading() as session:
        return session.scalar(maps) or 0


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.servers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=at_least_one, default=GAMES, help="how many games are due (%(default)s)")
    games: int = parser.parse_args(argv).games
    logging.getLogger().setLevel(logging.WARNING)
    process, ours = beside(sink_of_mails)
    sink = ours.recv()
    print(f"{'':22}{'games':>8}{'work':>8}{'ms each':>9}{'maps drawn':>12}{'needed':>8}")
    works: dict[Way, list[float]] = {ONE: [], TWO: [], APART: []}
    doubly = 0.0
    with running_postgresql() as server:
        name = template(server, games, sink)
        for way in [*works] * ROUNDS:
            found = worked(way, server, name, sink)
            line = f"{way.name:22}{games:>8}{found.work:8.1f}{found.work / games * 1e3:9.1f}"
            print(f"{line}{found.drawn:12}{found.needed:8}", flush=True)
            works[way].append(found.work)
            doubly = max(doubly, found.drawn / found.needed)
    ours.send(None)
    process.join()
    one, two, apart = (median(each) for each in works.values())
    tell("two servers at one PostgreSQL, by their work", 2 * one / two, GOAL_GAIN, "x", more=True)
    tell("and beside two that share nothing", 2 * apart / two, GOAL_GAIN, "x", more=True)
    tell("maps drawn by two servers, a map needed", doubly, 1, "x")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
