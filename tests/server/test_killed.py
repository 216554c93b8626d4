"""SIGKILL after every single commit on the way from an accepted mail to the last report: nothing is lost or doubled.

A prepared server gets the mail that completes a phase. A forked process works on it and kills itself after its first,
second, third ... commit; then another takes over where the rows say. The tests try every commit there is.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import event

from gm.mail.transport.smtp_out import MaildirTransport
from gm.server.steps import Delivery, desk, drain
from gm.variants.standard import POWERS
from tests.server.test_deadlines import OPENINGS
from tests.server.world import World, player


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which six powers have ordered and the mail of the seventh is accepted, and no more."""
    folder = tmp_path_factory.mktemp("prepared")
    world = World(folder)
    seats = world.started()
    for power in POWERS[:-1]:
        world.send(player(power), seats[power], OPENINGS[power])
    assert world.arrive(player("Turkey"), seats["Turkey"], OPENINGS["Turkey"])
    world.database.dispose()
    return folder


def work_until_killed(folder: Path, commits: int) -> bool:
    """Work in a process of its own that dies after so many commits. Returns whether it died before it was done."""
    child = os.fork()
    if child == 0:
        _work_and_die(folder, commits)
    status = os.waitpid(child, 0)[1]
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _work_and_die(folder: Path, commits: int) -> None:
    world, done = World(folder, migrate=False), Counter[str]()

    def committed(_: object) -> None:
        done["commits"] += 1
        if done["commits"] == commits:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(world.database.engine, "commit", committed)
    deliver_all(world, folder)
    os._exit(0)


def deliver_all(world: World, folder: Path) -> None:
    """All work there is, with mail going into Maildirs."""
    drain((*desk(world.service), Delivery(world.service, MaildirTransport(folder / "mail"))), lambda: world.time)


def delivered(folder: Path) -> Counter[tuple[str, str]]:
    """How often each mail (recipient, subject without its moment) was delivered, a Message-ID counted once."""
    seen = {
        (path.parent.parent.name, *_headers(path.read_text(errors="replace"), "Message-ID", "Subject"))
        for path in (folder / "mail").glob("*/new/*")
    }
    return Counter((recipient, subject.partition(" by ")[0]) for recipient, _, subject in seen)


def _headers(text: str, *names: str) -> list[str]:
    lines = text.replace("\n ", " ").splitlines()
    return [next(line.partition(": ")[2] for line in lines if line.startswith(f"{name}: ")) for name in names]


def test_whichever_commit_is_the_last_everything_happens_once(prepared: Path, tmp_path: Path) -> None:
    expected: Counter[tuple[str, str]] | None = None
    commits = 0
    died = True
    while died:
        folder = tmp_path / f"after-{commits}"
        shutil.copytree(prepared, folder)
        died = work_until_killed(folder, commits) if commits else False
        world = World(folder, migrate=False)
        world.pass_time_quietly(minutes=6)  # the dead process's holds end
        deliver_all(world, folder)
        world.database.dispose()
        assert world.phase() == "F1901M"
        assert {mail.state.value for mail in world.inbox()} == {"done"}
        mails = delivered(folder)
        expected = mails if expected is None else expected
        assert mails == expected, f"killed after commit {commits}"
        assert set(mails.values()) == {1}
        shutil.rmtree(folder)
        commits += 1
        died = died or commits == 1
    assert commits > 30, "the way has more commits than that"
    assert len(expected or ()) == 9, "a receipt and eight reports"
