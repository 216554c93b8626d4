"""Servers that share the work: `python -m bench.servers [--games 100]`.

The same due games are worked off and their reports sent by one server and then by two, each in a process of its own
with one worker, at one PostgreSQL: how much less work, in processor time, is each of two left with, and is a map drawn
by more than one?

What a server does once, such as reading the grammars, it does before, for a few other games. All servers run on one
processor, the database on any: what two busy processors take from each other is the machine's, not the servers'. What
counts is the best of three rounds of each, since the speed of a machine that others use changes from minute to minute.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import LargeBinary, func, literal, select

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

GAMES, GAMES_BEFORE, ROUNDS = 100, 10, 3
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


def shared(servers: int, games: int, sink: int, url: str) -> tuple[float, int, int]:
    """Work off so many due games: processor seconds of all servers, how many maps they drew, and how many were needed.
    `url` names an empty database.
    """
    with tempfile.TemporaryDirectory() as folder:
        preparing = RunningServer(replace(settings(Path(folder), sink), database=DatabaseSettings(url))).service
        preparing.database.migrate()
        prepared(preparing, GAMES_BEFORE, "before", seed=8)
        prepared(preparing, games, "counted")
        running = [beside(serve) for _ in range(servers)]
        _all(running, (url, sink))
        _work_off(preparing, "before")
        before = _maps(preparing.database)
        _all(running, "count")
        _work_off(preparing, "counted")
        found = _all(running, "enough")
        for process, _ in running:
            process.join()
        needed = _maps(preparing.database) - before
        preparing.database.dispose()
    drawn = sum(number for _, number in found)
    if drawn < needed:
        raise RuntimeError(f"{needed} maps were sent, and {drawn} drawings were counted: maps are drawn elsewhere")
    return sum(work for work, _ in found), drawn, needed


def _all(running: Sequence[tuple[Any, Any]], order: object) -> list[Any]:
    """Tell all servers something; their answers."""
    for _, pipe in running:
        pipe.send(order)
    return [pipe.recv() for _, pipe in running]


def _work_off(preparing: Server, name: str) -> None:
    """Let the games be due whose names begin so, and wait until all their reports have been sent."""
    due = fall_due(preparing, timedelta(seconds=1), name)
    while at_work(preparing.database, due) or _unsent(preparing.database):
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
    print(f"{'servers':>10}{'games':>8}{'work':>8}{'ms each':>9}{'maps drawn':>12}{'needed':>8}")
    works: dict[int, list[float]] = {1: [], 2: []}
    with running_postgresql() as server:
        for servers in (1, 2) * ROUNDS:
            work, drawn, needed = shared(servers, games, sink, fresh_postgresql(server, "template1"))
            print(f"{servers:>10}{games:>8}{work:8.1f}{work / games * 1e3:9.1f}{drawn:12}{needed:8}", flush=True)
            works[servers].append(work)
    ours.send(None)
    process.join()
    gain = 2 * min(works[1]) / min(works[2])
    tell("two servers at one PostgreSQL, by their work", gain, GOAL_GAIN, "x", more=True)
    tell("maps drawn by two servers, a map needed", drawn / needed, 1, "x")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
