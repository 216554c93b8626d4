"""What it costs to start: `python -m bench.starts`.

Processor time of whole processes, their children left out: `gm serve --help`; a server, from the call of the
interpreter until it listens, and until it works; and `gm publish`, where one game of many has one phase more, beside
one without any game.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from bench.due import prepared
from bench.goals import at_least_one, tell
from bench.homes import Clock
from bench.mails import free_port
from gm.cli import init
from gm.cli.serve import RunningServer
from gm.machine.deadlines import close_next
from gm.machine.reports import write_next
from gm.play import calendar
from gm.settings import load

GOAL_HELP, GOAL_START, GOAL_GALLERY = 0.15, 0.6, 0.5
GAMES, ROUNDS = 100, 5
COMPILED = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
"""Modules are compiled once, as installers do it: the first round, which does that, is not counted."""
BASE = "gm@bench.example"

START = """\
import sys, time
from pathlib import Path
from gm.cli import entry
entry("serve")
from gm.cli.serve import RunningServer
from gm.settings import load
server = RunningServer(load(Path(sys.argv[1])))
server.listen()
listens = time.process_time()
server.work()
print(listens, time.process_time(), flush=True)
server.stop()
"""
"""A server that says what it has taken when it listens, and when it works."""


def spent(*arguments: str) -> float:
    """Processor seconds of `gm` with these arguments."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "gm", *arguments], check=True, env=COMPILED, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def middle(work: Callable[[], float]) -> float:
    """The middle of some rounds after the first."""
    return median([work() for _ in range(ROUNDS + 1)][1:])


def started(home: Path) -> tuple[float, float]:
    """Processor seconds of a server until it listens, and until it works, each the middle of some rounds."""
    command = [sys.executable, "-c", START, str(home)]
    ran = [subprocess.run(command, check=True, env=COMPILED, capture_output=True, text=True) for _ in range(ROUNDS + 1)]
    listens, works = zip(*(map(float, one.stdout.split()) for one in ran[1:]), strict=True)
    return median(listens), median(works)


def one_phase_more(home: Path, games: int) -> float:
    """Processor seconds of `gm publish` when a game has one phase more."""
    clock = Clock()
    server = RunningServer(load(home), now=clock).service
    prepared(server, games)
    site = str(home / "site")
    spent("publish", "--home", str(home), "--to", site)
    found = []
    for number in range(ROUNDS):
        with server.transaction() as tx:
            game = tx.game_named(f"bench{number}", lock=True)
            assert game is not None
            calendar.set_deadline(tx, game, clock())
        while close_next(server):
            pass
        while write_next(server):
            pass
        found.append(spent("publish", "--home", str(home), "--to", site))
    server.database.dispose()
    return median(found)


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.starts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=at_least_one, default=GAMES, help="of the gallery (%(default)s)")
    games: int = parser.parse_args(argv).games
    tell("gm serve --help", middle(lambda: spent("serve", "--help")), GOAL_HELP, "s")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        init.write(home, address=BASE, mode="alone", port=free_port())
        listens, works = started(home)
        tell("start of gm serve, until it listens", listens, GOAL_START, "s")
        print(f"start of gm serve, until it works: {works:.2f} s")
        RunningServer(load(home)).service.database.migrate()
        bare = middle(lambda: spent("publish", "--home", str(home), "--to", str(home / "empty")))
        more = one_phase_more(home, games)
        tell(f"gallery of {games} games, one phase more", more - bare, GOAL_GALLERY, "s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
