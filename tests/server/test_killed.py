"""SIGKILL after every single commit between an accepted mail and the last report, and before every mail that is
composed: nothing is lost or doubled.

A prepared server gets the mail that completes a phase. A forked process works on it and kills itself after its first,
second, third ... commit; then another process continues from the rows. The tests try every commit.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import event

from gm.games import composing
from gm.machine.steps import Delivery, desk, drain
from gm.mail.message.compose import Composed, Outgoing, compose_apart
from gm.mail.transport.maildir_out import MaildirTransport
from gm.variants.standard import POWERS
from tests.server.world import OPENINGS, World, player

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which six powers have ordered, and the mail of the seventh is accepted but not processed."""
    folder = tmp_path_factory.mktemp("prepared")
    world = World(folder)
    seats = world.started()
    for power in POWERS[:-1]:
        world.send(player(power), seats[power], OPENINGS[power])
    assert world.arrive(player("Turkey"), seats["Turkey"], OPENINGS["Turkey"])
    world.database.dispose()
    return folder


def work_until_killed(folder: Path, step: str, number: int) -> bool:
    """Run a step in a process of its own that dies at this step. Returns whether it died before it was done."""
    child = os.fork()
    if child == 0:
        _work_and_die(folder, step, number)
    status = os.waitpid(child, 0)[1]
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _work_and_die(folder: Path, step: str, number: int) -> None:
    world, done = World(folder), Counter[str]()

    def note(what: str) -> None:
        done[what] += 1
        if done[step] == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def compose(mail: Outgoing) -> Composed:
        note("mail")
        return compose_apart(mail)

    pytest.MonkeyPatch().setattr(composing, "compose_apart", compose)
    event.listen(world.database.engine, "commit", lambda _: note("commit"))
    deliver_all(world, folder)
    os._exit(0)


def deliver_all(world: World, folder: Path) -> None:
    """Process everything, with mail delivered into Maildirs."""
    drain((*desk(world.service), Delivery(world.service, MaildirTransport(folder / "mail"))), lambda: world.time)


def delivered(folder: Path) -> Counter[tuple[str, str]]:
    """How often each mail (recipient, subject without its moment) was delivered, a Message-ID counted once."""
    seen = {
        (path.parent.parent.name, *_headers(path.read_text(errors="replace"), "Message-ID", "Subject"))
        for path in (folder / "mail").glob("*/new/*")
    }
    return Counter((recipient, re.split(" by |, due ", subject)[0]) for recipient, _, subject in seen)


def _headers(text: str, *names: str) -> list[str]:
    lines = text.replace("\n ", " ").splitlines()
    return [next(line.partition(": ")[2] for line in lines if line.startswith(f"{name}: ")) for name in names]


@pytest.mark.parametrize(("step", "least"), [("commit", 15), ("mail", 9)])
def test_whichever_step_is_the_last_everything_happens_once(
    prepared: Path, tmp_path: Path, step: str, least: int
) -> None:
    expected: Counter[tuple[str, str]] | None = None
    steps = 0
    died = True
    while died:
        folder = tmp_path / f"after-{steps}"
        shutil.copytree(prepared, folder)
        died = work_until_killed(folder, step, steps) if steps else False
        world = World(folder)
        world.pass_time_quietly(minutes=6)  # the dead process's leases end
        deliver_all(world, folder)
        world.database.dispose()
        assert world.phase() == "F1901M"
        assert {mail.state.value for mail in world.inbox()} == {"done"}
        mails = delivered(folder)
        expected = mails if expected is None else expected
        assert mails == expected, f"killed at {step} {steps}"
        assert set(mails.values()) == {1}
        shutil.rmtree(folder)
        steps += 1
        died = died or steps == 1
    assert steps > least, f"the way has more {step}s than {steps}"
    assert len(expected or ()) == 9, "a receipt and eight reports"
