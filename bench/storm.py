"""What a due game costs among many that are due together: `python -m bench.storm [--games 200]`.

A whole server in this process, its listener and threads: games in the middle of play, with orders from everybody, are
adjudicated, their maps drawn, and the reports to seven players and a gamemaster written and sent, to another process.
Twenty games before are the process's first, cold ones. Processor time of this process.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from bench.due import at_work, fall_due, prepared
from bench.due import probe as sink_of_mails
from bench.goals import at_least_one, tell
from bench.mails import beside, settings
from gm.cli.serve import RunningServer
from gm.store import outbox
from gm.store.outbox import OutboxState

GAMES, COLD = 200, 20
GOAL = 75


def worked_off(server: RunningServer, name: str) -> float:
    """Processor seconds until all games whose names begin so are adjudicated, and their reports sent."""
    database, begun = server.service.database, time.process_time()
    due = fall_due(server.service, timedelta(0), name)
    while at_work(database, due) or _unsent(server):
        time.sleep(0.5)
    return time.process_time() - begun


def _unsent(server: RunningServer) -> bool:
    with server.service.database.reading() as session:
        return outbox.counts(session)[OutboxState.QUEUED] > 0


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.storm", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=at_least_one, default=GAMES, help="how many (%(default)s)")
    games: int = parser.parse_args(argv).games
    logging.getLogger().setLevel(logging.WARNING)
    process, ours = beside(sink_of_mails)
    with tempfile.TemporaryDirectory() as folder:
        running = RunningServer(settings(Path(folder), ours.recv()))
        running.service.database.migrate()
        prepared(running.service, COLD, "cold", seed=8)
        prepared(running.service, games, "counted", seed=18)
        running.start()
        cold, warm = worked_off(running, "cold") / COLD, worked_off(running, "counted") / games
        running.stop()
    ours.send(None)
    process.join()
    print(f"the first {COLD} games: {cold * 1e3:.1f} ms each")
    tell(f"a due game in a storm of {games}", warm * 1e3, GOAL, "ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
