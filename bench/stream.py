"""How many phases a second `gm adjudicate` does, in one process: `python -m bench.stream [--phases N] [--profile]`.

Phases of whole games, played out by random legal orders, as lines of JSON: read, adjudicated and written again. The
best of some rounds; random orders repeat less often than those of people.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import json
import pstats
import sys
import time
from collections.abc import Sequence
from itertools import islice

from bench.games import PlayedPhase, played_games
from bench.goals import tell
from gm.cli import adjudicate
from gm.orders.notation import write
from gm.position import position_to_json

PHASES, ROUNDS = 2000, 3
GOAL = 3000
"""Phases a second."""


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
    parser.add_argument("--phases", type=int, default=PHASES, help="how many (%(default)s)")
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    options = parser.parse_args(argv)
    lines = [line(phase) for phase in islice(played_games(7), options.phases)]
    if options.profile:
        seen = cProfile.Profile()
        seen.runcall(adjudicate.run, lines, io.StringIO())
        pstats.Stats(seen).sort_stats("cumulative").print_stats(40)
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        adjudicate.run(lines, io.StringIO())
        times.append(time.process_time() - begun)
    tell("gm adjudicate, one process", len(lines) / min(times), GOAL, "phases a s", more=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
