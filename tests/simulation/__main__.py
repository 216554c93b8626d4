"""`python -m tests.simulation`: plays one seed, or one seed after the other for a time, and tells what came of it.

    python -m tests.simulation --seed 7 --trace              one seed, with everything that happens
    python -m tests.simulation --minutes 60 --jobs 2         as many seeds as there is time for, from --seed on
    python -m tests.simulation --minutes 9 --database both   each seed on both, and everybody must be sent the same
    python -m tests.simulation --fault "wrong phase"         how soon a fault put into gm by hand is found; "all": each

A seed that fails is printed with the fewest of its events that still fail; `--only` plays those again. `--aim` has the
places at which the process is to die above all: a run of many seeds chooses those where it died least, and prints them.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from functools import partial

from tests.simulation.runs import Job, Summary, chosen, databases, run, time_to_find
from tests.simulation.sabotage import FAULTS
from tests.simulation.schedule import Outcome


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="the seed, or the first of them")
    parser.add_argument("--steps", type=int, default=300, help="the number of events of a seed")
    parser.add_argument("--minutes", type=float, default=0, help="play one seed after the other for so long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="sqlite")
    parser.add_argument("--trace", action="store_true", help="print every event, every mail, and what they changed")
    parser.add_argument("--only", default="", help="play only the events with these numbers: 3,17,18")
    parser.add_argument("--aim", default="", help="where the process is to die above all: places, as they are printed")
    parser.add_argument("--busy", action="store_true", help="everybody orders often, and events come twice as fast")
    parser.add_argument("--games", type=int, default=2, help="how many games there are at first (%(default)s)")
    parser.add_argument("--twins", action="store_true", help="play only the twin worlds of the seed")
    parser.add_argument("--shrink", action="store_true", help="find the fewest events of the seed that fail")
    parser.add_argument("--fault", default="", choices=("", "all", *FAULTS), help="look for a fault put in by hand")
    return parser


def _single(job: Job, given: argparse.Namespace) -> list[Outcome]:
    """One seed as it is asked for: events, or twins, or first the one and then the other."""
    said = partial(print, flush=True) if given.trace else None
    pair = [] if given.twins or given.only or given.trace else [job.of_twins.play()]
    return [*pair, job.play(chosen(job.events, given.only), said=said)]


def main() -> int:
    given = _arguments().parse_args()
    logging.disable(logging.CRITICAL)
    if given.fault:
        names = FAULTS if given.fault == "all" else (given.fault,)
        return 1 if [name for name in names if not time_to_find(name, given.seed, given.steps)] else 0
    with databases(given.database) as server:
        job = Job(
            given.seed,
            given.steps,
            given.database,
            server,
            tuple(filter(None, given.aim.split(","))),
            given.busy,
            given.games,
            given.twins,
        )
        if given.minutes:
            summary, failed = run(job, given.minutes, given.jobs)
        else:
            summary = Summary()
            for outcome in _single(job, given):
                summary.add(outcome)
            failed = [(job, outcome) for outcome in summary.broken]
        print(summary, flush=True)
        for one, outcome in failed[:3]:
            one.explain(outcome, shrink=given.shrink or bool(given.minutes))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
