"""The goals of the benchmarks: each tells what it found. `python -m bench.goals` runs all of them, each in a process of
its own, and prints the table.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence

MARK = "goal | "
MACHINE = "this machine: the parts of a mail"
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


def tell(work: str, today: float, goal: float, unit: str, *, least: float | None = None, more: bool = False) -> None:
    """Print what a piece of work costs beside its goal, and beside what is the least; `more`: more is better."""
    sign = -1 if more else 1
    met = "met" if sign * today <= sign * goal else "not met"
    if met != "met" and least is not None and sign * today <= sign * least:
        met = "least met"
    aim = f"{'>=' if more else '<='} {goal:,g}" + (f" (least {least:,g})" if least is not None else "")
    print(f"{MARK}{work:44} | {today:9,.4g} {unit:12} | {aim:22} | {met}", flush=True)


def tell_machine(today: float, then: float) -> None:
    """Print how fast this machine is: milliseconds of the parts of a mail here, and where the goals were set."""
    print(
        f"{MARK}{MACHINE:44} | {today:9,.4g} {'ms':12} | {then:g} where goals were set",
        flush=True,
    )


def compared(lines: Sequence[str]) -> Iterator[str]:
    """The lines of the table; times also with what they come to at the speed of the machine of the goals."""
    slower = 1.0
    for line in lines:
        what, _, rest = line.rstrip().partition("|")
        number, _, unit = rest.partition("|")[0].strip().partition(" ")
        if what.strip() == MACHINE:
            slower = float(number) / float(rest.split("|")[1].split()[0])
            yield f"{line.rstrip()}: {slower:.2f} x as slow"
        elif unit.strip() in _TIMES:
            yield f"{line.rstrip():102} | {float(number.replace(',', '')) / slower:,.4g} at the speed of then"
        elif unit.strip().endswith("a s"):
            yield f"{line.rstrip():102} | {float(number.replace(',', '')) * slower:,.4g} at the speed of then"
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
