"""The goals of the benchmarks: each tells what it found. `python -m bench.goals` runs all of them, each in a process of
its own, and prints the table.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from statistics import median

MARK = "goal | "
MACHINE = "this machine: a fixed loop"
LOOP, LOOP_THEN = 100_000, 5.8
"""The turns of a loop that takes the same work everywhere, and its milliseconds on the machine of the goals."""
_NUMBER = re.compile(r"\d[\d,.]*")
_TIMES = ("ms", "s", "s by clock", "s of a core")
RUNS: tuple[tuple[str, ...], ...] = (
    ("bench.mails",),
    ("bench.crowds",),
    ("bench.maps",),
    ("bench.storm",),
    ("bench.servers", "--games", "80"),
    ("bench.starts",),
    ("bench.stream",),
    ("bench",),
    ("bench.reports",),
    ("bench.due", "--games", "250,500,1000"),
    ("bench.quantum",),
    ("bench.deadlines",),
    ("bench.old",),
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


def fixed_loop() -> float:
    """Milliseconds of processor time of the fixed loop, the best of some."""
    times = []
    for _ in range(7):
        begun, total = time.process_time(), 0
        for number in range(LOOP):
            total += number * number % 7
        times.append(time.process_time() - begun)
    return min(times) * 1e3


def compared(lines: Sequence[str], loop: float) -> Iterator[str]:
    """The lines of the table; times also with what they come to at the speed of the machine of the goals, and whether
    the goal would be met there. `loop`: the milliseconds of the fixed loop here."""
    slower = loop / LOOP_THEN
    yield f"{MACHINE:44} | {loop:9,.4g} ms, {LOOP_THEN} where goals were set: {slower:.2f} x as slow"
    for line in lines:
        _, _, rest = line.rstrip().partition("|")
        number, _, unit = rest.partition("|")[0].strip().partition(" ")
        if unit.strip() in _TIMES or unit.strip().endswith("a s"):
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
    loops = [fixed_loop()]
    for run in RUNS:
        print(f"\n== python -m {' '.join(run)}", flush=True)
        lines += found(run)
        loops.append(fixed_loop())
    print("\n== All goals\n" + "\n".join(compared(lines, median(loops))))
    return any("failed" in line for line in lines)


if __name__ == "__main__":
    sys.exit(main())
