"""`python -m tests.simulation`: plays one seed, or one seed after the other for a time, and tells what came of it.

    python -m tests.simulation --seed 7 --trace              one seed, with everything that happens
    python -m tests.simulation --minutes 60 --jobs 2         as many seeds as there is time for, from --seed on
    python -m tests.simulation --minutes 9 --database both   each seed on both, and everybody must be sent the same
    python -m tests.simulation --fault "wrong phase"         how soon a fault put into gm by hand is found; "all": each

A seed that fails is printed last, with the command that plays exactly it again. `--only` plays some of its events.
`--aim` has the places at which the process is to die above all: a run of many seeds chooses those where it died least.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from functools import partial

from tests.simulation.runs import Job, Summary, databases, run, time_to_find
from tests.simulation.sabotage import FAULTS
from tests.simulation.schedule import KINDS, Outcome


class _Help(argparse.RawDescriptionHelpFormatter, argparse.ArgumentDefaultsHelpFormatter):
    """The description as it is, and the defaults of options, where there are any."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return super()._get_help_string(action) if action.default else action.help


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser("python -m tests.simulation", description=__doc__, formatter_class=_Help)
    add = parser.add_argument
    add("--seed", type=int, default=1, help="the seed, or the first of them")
    add("--steps", type=int, default=300, help="the number of events of a seed")
    add("--minutes", type=float, default=0, help="play one seed after the other for so long, by the clock on the wall")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    add("--database", choices=("sqlite", "postgresql", "both"), default="sqlite", help="where the rows are")
    add("--trace", action="store_true", help="print every event, every mail, and what they changed")
    add(
        "--body",
        default="",
        help="with --trace: print whole each mail on whose line this is (a Message-ID, an address)",
    )
    add("--only", default="", help="play only the events with these numbers: 3,17,18; or none")
    add("--aim", default="", help="where the process is to die above all: places, as they are printed")
    add("--busy", action="store_true", help="everybody orders often, and events come twice as fast")
    add("--often", choices=("", *KINDS), default="", metavar="KIND", help="every fourth event is of this kind")
    add("--games", type=int, default=2, help="how many games there are at first")
    add("--twins", action="store_true", help="play only the twin worlds of the seed")
    add("--shrink", nargs="?", type=float, const=3.0, metavar="MINUTES", help="find the fewest events that fail, for so"
        " many minutes by the clock on the wall (3, also after a failure with --minutes)")  # fmt: skip
    add("--fault", default="", choices=("", "all", *FAULTS), metavar="NAME",
        help="look for a fault put in by hand; with --trace, --only or --shrink: play the seed with it")  # fmt: skip
    return parser


def job_of(given: argparse.Namespace, server: str) -> Job:
    """What the options say is to be played, on the databases of this server."""
    aims = tuple(filter(None, given.aim.split(",")))
    at = given.seed, given.steps, given.database, server, aims
    fault = "" if given.fault == "all" else given.fault
    return Job(*at, given.busy, given.games, given.twins, given.only, given.often, fault)


def _single(job: Job, given: argparse.Namespace) -> list[Outcome]:
    """One seed as it is asked for: events, or twins, or first the one and then the other."""
    if not (given.trace or given.only):
        return job.whole()
    return [job.play(**{"said": partial(print, flush=True), "bodies": given.body} if given.trace else {})]


def main() -> int:
    parser = arguments()
    given = parser.parse_args()
    if given.only and given.minutes:
        parser.error("--only is for the events of one seed; leave out --minutes")
    logging.disable(logging.CRITICAL)
    with databases(given.database) as server:
        job = job_of(given, server)
        if given.fault and not (given.trace or given.only or given.shrink):
            names = FAULTS if given.fault == "all" else (given.fault,)
            return 1 if [name for name in names if not time_to_find(name, job)] else 0
        if given.minutes:
            summary, failed = run(job, given.minutes, given.jobs)
        else:
            summary, outcomes = Summary(), _single(job, given)
            for outcome in outcomes:
                summary.add(outcome)
            failed = [(job, outcome) for outcome in summary.broken]
        print(summary, flush=True)
        if not given.minutes and not failed:
            print(*map(job.line, outcomes), sep="\n", flush=True)
        for one, outcome in failed[:3]:
            one.explain(outcome, given.shrink or (3.0 if given.minutes else 0))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
