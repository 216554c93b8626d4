"""How many phases a second `gm adjudicate` does: `python -m bench.stream [--phases N] [--profile]`.

Full boards that move come first, after some for which the grammar is built. Then phases of whole games, played out by
likely and by random legal orders, as lines of JSON: read, adjudicated and written again. The best of some rounds; each
has other phases, so that no phase is seen twice. Random orders repeat far less often than those of people. Then the
whole program, by the clock: from its start to its end, on all processor cores.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import islice

from bench.__main__ import full_boards
from bench.games import PlayedPhase, played_games
from bench.goals import at_least_one, tell
from gm.cli.adjudicate import answer_line
from gm.orders.notation import write
from gm.position import position_to_json

PHASES, BUILDING, ROUNDS = 2000, 100, 3
GOAL, GOAL_FULL = 3000, 1200
"""Phases a second: of whole games, and of full boards in movement phases."""


def line(phase: PlayedPhase) -> bytes:
    """A phase as `gm adjudicate` reads it."""
    position, values = phase.position, position_to_json(phase.position)
    asked = {name: values[name] for name in ("year", "season", "phase", "centers")} | {
        "variant": "standard",
        "units": [str(unit) for unit in position.units],
        "dislodged": [{"unit": str(d.unit), "from": d.origin, "convoyed": d.convoyed} for d in position.dislodged],
        "contested": sorted(position.contested),
        "orders": [f"{power}: {write(order)}" for power, given in phase.orders.items() for order in given],
    }
    return json.dumps(asked).encode() + b"\n"


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.stream", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--phases", type=at_least_one, default=PHASES, help="how many (%(default)s)")
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    options = parser.parse_args(argv)
    full = [line(phase) for phase in full_boards(BUILDING + options.phases // 2, 7)]
    _speed(full[:BUILDING])
    boards = _speed(full[BUILDING:])
    tell("gm adjudicate, full boards that move, one process", boards, GOAL_FULL, "phases a s", more=True)
    for likely, orders in ((True, "likely"), (False, "random")):
        games = played_games(7, likely=likely)
        rounds = [[line(phase) for phase in islice(games, options.phases)] for _ in range(ROUNDS)]
        best = max(_speed(lines) for lines in rounds)
        tell(f"gm adjudicate, {orders} orders, one process", best, GOAL, "phases a s", more=True)
        if options.profile:
            seen = cProfile.Profile()
            seen.runcall(_speed, rounds[0])
            pstats.Stats(seen).sort_stats("cumulative").print_stats(40)
        if likely:
            together = _of_program([text for lines in rounds for text in lines])
            tell(f"gm adjudicate, likely orders, {os.cpu_count()} cores", together, GOAL, "phases a s", more=True)
    return 0


def _of_program(lines: Sequence[bytes]) -> float:
    """Phases a second of the whole program, its start included."""
    command = [sys.executable, "-m", "gm", "adjudicate"]
    begun = time.perf_counter()
    subprocess.run(command, input=b"".join(lines), stdout=subprocess.DEVNULL, check=True)
    return len(lines) / (time.perf_counter() - begun)


def _speed(lines: Sequence[bytes]) -> float:
    """Phases a second of processor time."""
    begun = time.process_time()
    for number, text in enumerate(lines, 1):
        answer_line(number, text)
    return len(lines) / (time.process_time() - begun)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
