"""The goals of the benchmarks: each tells what it found. `python -m bench.goals` runs all of them, each in a process of
its own, and prints the table.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence

MARK = "goal | "
MACHINE = "this machine: the parts of a mail"
_NUMBER = re.compile(r"\d[\d,.]*")
_TIMES = ("ms", "s", "s by clock", "s of a core")
RUNS: tuple[tuple[str, ...], ...] = (
    ("bench",),
    ("bench.mails",),
    ("bench.reports",),
    ("bench.maps",),
    ("bench.due", "--games", "250,500,1000"),
    ("bench.servers",),
    ("bench.quantum",),
    ("bench.deadlines",),
    ("bench.old",),
    ("bench.stream",),
)
"""The benchmarks, with their options."""


def at_least_one(written: str) -> int:
    """A number on the command line. Raises ArgumentTypeError."""
    if not written.isdecimal() or int(written) < 1:
        raise argparse.ArgumentTypeError(f"{written!r} is not a number from 1 on")
    return int(written)


def numbers(written: str) -> list[int]:
    """Numbers on the command line, with commas between them. Raises ArgumentTypeError."""
    return [at_least_one(number) for number in written.split(",")]


def tell(work: str, today: float, goal: float, unit: str, *, least: float | None = None, more: bool = False) -> None:
    """Print what a piece of work costs beside its goal, and beside what is the least; `more`: more is better."""
    met = judged(today, goal, least, more=more)
    aim = f"{'>=' if more else '<='} {goal:,g}" + (f" (least {least:,g})" if least is not None else "")
    print(f"{MARK}{work:44} | {today:9,.4g} {unit:12} | {aim:22} | {met}", flush=True)


def judged(today: float, goal: float, least: float | None, *, more: bool) -> str:
    """Whether a goal is met, or what is the least."""
    sign = -1 if more else 1
    if sign * today <= sign * goal:
        return "met"
    return "least met" if least is not None and sign * today <= sign * least else "not met"


def tell_machine(today: float, then: float) -> None:
    """Print how fast this machine is: milliseconds of the parts of a mail here, and where the goals were set."""
    print(
        f"{MARK}{MACHINE:44} | {today:9,.4g} {'ms':12} | {then:g} where goals were set",
        flush=True,
    )


def compared(lines: Sequence[str]) -> Iterator[str]:
    """The lines of the table; times also with what they come to at the speed of the machine of the goals, and whether
    the goal would be met there."""
    slower = 1.0
    for line in lines:
        what, _, rest = line.rstrip().partition("|")
        number, _, unit = rest.partition("|")[0].strip().partition(" ")
        if what.strip() == MACHINE:
            slower = float(number) / float(rest.split("|")[1].split()[0])
            yield f"{line.rstrip()}: {slower:.2f} x as slow"
        elif unit.strip() in _TIMES or unit.strip().endswith("a s"):
            more = unit.strip().endswith("a s")
            then = float(number.replace(",", "")) * (slower if more else 1 / slower)
            goal, *least = (float(one.replace(",", "")) for one in _NUMBER.findall(rest.split("|")[1]))
            met = judged(then, goal, least[0] if least else None, more=more)
            yield f"{line.rstrip():102} | {then:,.4g} at the speed of then: {met}"
        else:
            yield line.rstrip()


def found(run: Sequence[str]) -> Iterator[str]:
    """Run a benchmark, show what it prints, and return its goals."""
    with subprocess.Popen([sys.executable, "-m", *run], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(MARK):
                yield line.removeprefix(MARK)
            print(line, end="", flush=True)
    if process.returncode:
        yield f"{' '.join(run):44} | failed\n"


def main() -> int:
    """Run them all, and print the table."""
    lines: list[str] = []
    for run in RUNS:
        print(f"\n== python -m {' '.join(run)}", flush=True)
        lines += found(run)
    print("\n== All goals\n" + "\n".join(compared(lines)))
    return any("failed" in line for line in lines)


if __name__ == "__main__":
    sys.exit(main())
