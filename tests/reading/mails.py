"""What becomes of every line of all mails that tests send, and of those of simulated months; too much to be kept, so
that digests are, and the rows are written into a folder to be read.

    GM_ROWS=FOLDER pytest -n 2 tests/server tests/commands      writes the rows, a file for each test
    python -m tests.reading.mails simulate FOLDER               the same for the simulation, a file for each seed
    python -m tests.reading.mails keep FOLDER                   keeps the digests of what is in the folder
    python -m tests.reading.mails check FOLDER                  compares what is in the folder with them

Only what is in the folder is kept or compared, so that some of the tests can be run.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gm.inbound.explain import Explained
from tests.reading.recorder import FOLDER, digest, recording, written
from tests.server import kept
from tests.simulation.runs import Job

DIGESTS = FOLDER / "digests.txt"
SEEDS, STEPS = range(1, 9), 60
_LENGTH = 8
_ROWS = os.environ.get("GM_ROWS", "")


def pytest_configure(config: pytest.Config) -> None:
    """Record only when asked to."""
    if _ROWS:
        config.pluginmanager.register(_Plugin(Path(_ROWS)))


class _Plugin:
    """Writes the rows of each test's mails."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """What a test begins with, and others copy from it, is not recorded."""
        with recording(unless=kept.is_playing) as found:
            result = yield
        write(self._folder, item.nodeid, found)
        return result


def write(folder: Path, name: str, found: Sequence[Explained]) -> None:
    """Write the rows of some mails."""
    if found:
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(f"== {number}\n{written(one)}" for number, one in enumerate(found, 1))
        path = folder / f"{re.sub(r'[^A-Za-z0-9_.-]+', '_', name)[:150]}.{digest(name, 6)}.txt"
        path.write_text(f"{name}\n{text}", encoding="utf-8")


def digests_in(folder: Path) -> dict[str, str]:
    """For each name the digests of its mails."""
    found = {}
    for path in sorted(folder.glob("*.txt")):
        name, _, text = path.read_text(encoding="utf-8").partition("\n")
        mails = re.split(r"^== \d+\n", text, flags=re.MULTILINE)[1:]
        found[name] = " ".join(digest(mail, _LENGTH) for mail in mails)
    return found


def kept_digests() -> dict[str, str]:
    """The digests that are kept."""
    if not DIGESTS.exists():
        return {}
    lines = DIGESTS.read_text(encoding="utf-8").splitlines()
    return {name: found for found, _, name in (line.partition("  ") for line in lines)}


def simulate(folder: Path) -> None:
    """Play the seeds."""
    logging.disable(logging.CRITICAL)
    for seed in SEEDS:
        with recording() as found:
            Job(seed, STEPS).play()
        write(folder, f"simulation {seed} {STEPS}", found)
        sys.stdout.write(f"seed {seed}: {len(found)} mails\n")


def differences(folder: Path) -> Iterator[str]:
    """Which mails differ from what is kept."""
    before = kept_digests()
    for name, now in digests_in(folder).items():
        old, new = before.get(name, "").split(), now.split()
        wrong = [at + 1 for at in range(max(len(old), len(new))) if old[at : at + 1] != new[at : at + 1]]
        if wrong:
            yield f"{name}: mails {', '.join(map(str, wrong))}"


def main(what: str, folder: Path) -> int:
    """Do what the command line says."""
    if what == "simulate":
        simulate(folder)
    elif what == "keep":
        found = kept_digests() | digests_in(folder)
        DIGESTS.write_text("".join(f"{found[name]}  {name}\n" for name in sorted(found)), encoding="utf-8")
    else:
        wrong = [*differences(folder)]
        sys.stdout.write("".join(f"{line}\n" for line in wrong) + f"{len(wrong)} differ\n")
        return int(bool(wrong))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
