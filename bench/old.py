"""What an old server costs: `python -m bench.old [--games 2000] [--phases 40]`.

A home of so many games that were played for so long (`bench.homes`): how long does a server take to start, in a process
of its own, and what does a mail cost, with the loop that serves it, beside a new home (`bench.mails`)?
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench import mails
from bench.goals import at_least_one, tell
from bench.homes import home
from bench.mails import free_port
from bench.starts import START
from gm.cli import init

GOAL_START = 1.0
BASE = "gm@bench.example"
STARTS = 5


def start(folder: Path) -> float:
    """Seconds by the clock from the call of the interpreter until the server listens, the best of some."""
    times = []
    for _ in range(STARTS):
        begun = time.monotonic()
        said = subprocess.run([sys.executable, "-c", START, str(folder)], check=True, capture_output=True, text=True)
        times.append(float(said.stdout.split()[1]) - begun)
    return min(times)


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.old", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=at_least_one, default=2000, help="how many (%(default)s)")
    parser.add_argument("--phases", type=at_least_one, default=40, help="how long they were played (%(default)s)")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as written:
        folder = Path(written)
        init.write(folder, address=BASE, mode="alone", port=free_port())
        home(folder, options.games, options.phases)
        size = (folder / "gm.sqlite3").stat().st_size / 1e6
        print(f"{options.games} games x {options.phases} phases: {size:.0f} MB")
        begun = start(folder)
    tell(f"start with {options.games:,} games x {options.phases} phases", begun, GOAL_START, "s by clock")
    return mails.main(["--games", str(options.games), "--phases", str(options.phases)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
