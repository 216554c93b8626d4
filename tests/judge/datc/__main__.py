"""Print how many cases pass, by section and rulebook: `python -m tests.judge.datc`. Exit status 1 if any fails."""

from __future__ import annotations

import sys

from gm.judge import RULEBOOKS
from tests.judge.datc.cases import SECTIONS, cases
from tests.judge.datc.judging import differences


def main() -> int:
    """Judge all cases and print the tally."""
    print("DATC    " + "".join(f"{name:>12}" for name in RULEBOOKS))
    failures: list[str] = []
    total = dict.fromkeys(RULEBOOKS, (0, 0))
    for section in SECTIONS:
        cells = []
        for name, rulebook in RULEBOOKS.items():
            judged = [(case, differences(case, rulebook)) for case in cases(section) if name in case.books]
            passed = sum(not found for _, found in judged)
            failures += [f"{case.number} by {name}: {line}" for case, found in judged for line in found]
            total[name] = (total[name][0] + passed, total[name][1] + len(judged))
            cells.append(f"{passed}/{len(judged)}")
        print(f"6.{section}     " + "".join(f"{cell:>12}" for cell in cells))
    print("all     " + "".join(f"{f'{passed}/{judged}':>12}" for passed, judged in total.values()))
    print(*failures, sep="\n", end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
