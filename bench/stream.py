"""How many phases a second `gm adjudicate` does, in one process: `python -m bench.stream [--phases N] [--profile]`.

Phases of whole games, played out by likely and by random legal orders, as lines of JSON: read, adjudicated and written
again. The best of some rounds; each has other phases, so that no phase is seen twice. Random orders repeat far less
often than those of people.
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
    for likely, orders in ((True, "likely"), (False, "random")):
        games = played_games(7, likely=likely)
        rounds = [[line(phase) for phase in islice(games, options.phases)] for _ in range(ROUNDS)]
        best = max(_speed(lines) for lines in rounds)
        tell(f"gm adjudicate, {orders} orders, one process", best, GOAL, "phases a s", more=True)
        if options.profile:
            seen = cProfile.Profile()
            seen.runcall(adjudicate.run, rounds[0], io.StringIO())
            pstats.Stats(seen).sort_stats("cumulative").print_stats(40)
    return 0


def _speed(lines: Sequence[bytes]) -> float:
    """Phases a second of processor time."""
    begun = time.process_time()
    adjudicate.run(lines, io.StringIO())
    return len(lines) / (time.process_time() - begun)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
