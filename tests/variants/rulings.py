"""Which test shows which ruling: `python -m tests.variants.rulings` prints the table.

A test names its rulings by the mark `@pytest.mark.ruling("OS-5")`, a case of `tests/rules/seeds` in its title.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

RULINGS = {"BH": 7, "OS": 17, "AL": 15, "QS": 13, "AU": 17, "ST": 14, "SB": 3, "FW": 8}
"""The number of rulings of each game, by the letters of their numbers; ST: of the standard one, SB: of files,
FW: of fog.
"""


class _Collected:
    """A pytest plug-in that records the rulings of the tests it sees."""

    def __init__(self) -> None:
        self.tests: dict[str, list[str]] = defaultdict(list)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for mark in item.iter_markers("ruling"):
                for ruling in mark.args:
                    self.tests[ruling].append(item.nodeid)


def tests_by_ruling() -> dict[str, list[str]]:
    """The tests of each ruling."""
    collected = _Collected()
    here = Path(__file__).parents[1]
    status = pytest.main(["--collect-only", "-qq", "--no-header", "--no-summary", str(here)], plugins=[collected])
    if status != pytest.ExitCode.OK:
        raise SystemExit(status)
    return collected.tests


def expected() -> list[str]:
    """Every ruling."""
    return [f"{letters}-{number}" for letters, count in RULINGS.items() for number in range(1, count + 1)]


def table(tests: dict[str, list[str]]) -> str:
    """A line for each ruling and test; a ruling without a test says so. Cases of other names are counted."""
    lines = []
    for ruling in expected():
        shown = Counter(_shown(test, ruling) for test in tests.get(ruling, ())) or Counter(["NO TEST"])
        for place, (test, count) in enumerate(shown.items()):
            cases = f" ({count} cases)" if count > 1 else ""
            lines.append(f"{ruling if place == 0 else '':<6}  {test}{cases}")
    return "\n".join(lines)


def _shown(test: str, ruling: str) -> str:
    """A test's name, with its case where that names the ruling."""
    name, _, case = test.removeprefix("tests/").partition("[")
    return f"{name}[{case}" if case.startswith(f"{ruling} ") else name


def main() -> int:
    """Print the table; the exit status is 1 if a ruling has no test."""
    with redirect_stdout(StringIO()):
        tests = tests_by_ruling()
    print(table(tests))
    return int(any(ruling not in tests for ruling in expected()))


if __name__ == "__main__":
    raise SystemExit(main())
