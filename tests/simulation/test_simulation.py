"""A short part of the simulation; `make simulate` is the full one."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from gm.board import FiniteBoard, Power, Province
from gm.mail.transport.imap import ImapPoller
from gm.position import Position
from tests.simulation import faults
from tests.simulation.__main__ import arguments, job_of
from tests.simulation.faults import Points
from tests.simulation.leaks import LEAKS
from tests.simulation.promises import Promise
from tests.simulation.runs import Job, Summary
from tests.simulation.sabotage import FAULTS, fault
from tests.simulation.schedule import Event, Outcome, made_from, play, shortened
from tests.simulation.twins import events_of_twins, twins
from tests.simulation.ways import Ways

pytestmark = pytest.mark.long(seconds=70)

STEPS = 12
SHORT = timedelta(hours=30)
"""As long as time passes after the last event where it does not matter that everything comes to rest in six days."""


@pytest.mark.parametrize("job", [Job(21, STEPS, busy=True), Job(9, STEPS)], ids=lambda job: job.test)
def test_no_promise_is_broken(job: Job) -> None:
    """A seed that has failed is one more `Job`, as the simulation prints it."""
    outcome = job.play()
    assert outcome.broken == "", job.command
    assert outcome.counts["mails to the server"]
    assert outcome.counts["deadlines"]
    assert outcome.counts["verified"]


def test_a_seed_replays_exactly_and_can_be_traced() -> None:
    told: list[str] = []
    aims = "gm.machine.reports.write_next+2 after", "gm.machine.delivery.send_due+4 before"
    one = play(5, made_from(5, 5), keep=True, games=1, aims=aims, at_rest=SHORT)
    other = play(5, made_from(5, 5), keep=True, games=1, aims=aims, at_rest=SHORT, said=told.append, bodies="[opening:")
    assert one.sent == other.sent
    assert (one.counts, one.digest) == (other.counts, other.digest)
    for what in (" by mailbox: ", "[report:", "orders 1 of ", " adjudicate g0: "):
        assert any(what in line for line in told), what
    whole = [told[place + 1] for place, line in enumerate(told) if " [opening:" in line]
    assert whole
    assert all("\nMIME-Version: 1.0\n" in one for one in whole), "on demand mails are told whole"


def test_everybody_is_sent_the_same_on_both_databases(postgresql_server: str, migrated_postgresql: str) -> None:
    """Also when rows come in another order, or a transaction is rolled back; and no promise is broken on either."""
    job = Job(5, STEPS, "both", f"{postgresql_server} {migrated_postgresql}", games=1)
    outcome = job.play(at_rest=SHORT)
    assert outcome.broken == ""
    assert outcome.counts["crash"]
    assert outcome.counts["deadlines"]
    assert outcome.sent


@pytest.mark.parametrize("seed", [2, 5, 26])
def test_nobodys_mail_depends_on_what_somebody_else_has_ordered_or_is_called(seed: int) -> None:
    """Of seeds 5 and 26 the game is in fog, where the reports that follow are compared, too."""
    assert twins(seed, events_of_twins(seed, 3)).broken == ""


def test_a_fog_with_a_hole_is_found() -> None:
    def all_of_it(board: FiniteBoard, _: Position, power: Power | None) -> frozenset[Province]:
        return frozenset(board.provinces) if power else frozenset()

    with patch("gm.variants.fog.view.sight_of", all_of_it):
        assert "depends on a secret" in twins(12, events_of_twins(12, 0)).broken


HIDDEN = [Event(400, "hidden", 4)]
"""Seed 4 has a seat that is secret, and grey press."""


def test_nobodys_mail_and_no_page_depends_on_what_is_hidden() -> None:
    assert twins(4, HIDDEN).broken == ""


def test_each_leak_of_what_is_hidden_is_found() -> None:
    with ExitStack() as stack:
        for name in LEAKS:
            stack.enter_context(fault(name))
        told = twins(4, HIDDEN).told_apart
    assert [name for name, (_, words) in LEAKS.items() if not any(words in line for line in told)] == []


@pytest.mark.parametrize(
    ("name", "seed", "found"), [("byte of orders", 2, "depends on a secret"), ("names shown", 5, "which is hidden")]
)
def test_a_leak_is_found(name: str, seed: int, found: str) -> None:
    with fault(name):
        assert found in twins(seed, events_of_twins(seed, 3)).broken


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_put_in_by_hand_replaces_something(name: str) -> None:
    owner, what, instead = FAULTS[name]()
    assert getattr(owner, what) is not instead


def test_crashes_are_aimed_where_there_were_fewest() -> None:
    points = Points(passed=Counter(often=9, rarely=9), crashed=Counter(often=2))
    points.set(1)
    assert [points.dies(place) for place in ("often", "rarely", "rarely")] == [False, True, False]
    points.aims = ("often", "before")
    points.set(1)
    assert [points.dies(place) for place in ("often", "before", "often", "before")] == [True, True, False, False]
    points.set(1)
    assert [points.dies(place) for place in ("often", "before")] == [False, True], "at each three times"


def test_what_failed_is_printed_as_one_command_that_replays_it(capsys: pytest.CaptureFixture[str]) -> None:
    job = Job(2, pair=True, only="0", fault="byte of orders")
    failed = job.play()
    told: list[str] = []
    again = job.play(said=told.append)
    assert failed.failure == again.failure == "receipt:# to # depends on a secret:"
    assert any(" secret " in line for line in told), "twins are traced"
    job.explain(failed)
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("BROKEN: seed 2, twin worlds: before any event: receipt:")
    assert any(line.startswith("    Message-ID: <") for line in said[1:4])
    assert said[-1].endswith(" --seed 2 --database sqlite --twins --only 0 --fault 'byte of orders' --trace")


def test_what_is_printed_plays_the_same_events() -> None:
    job = Job(3, 40, only="3,17", often="press", aims=("somewhere before",), busy=True, games=1)
    given = arguments().parse_args(shlex.split(job.command)[3:])
    assert job_of(given, "") == job
    assert [event.place for event in job.events] == [3, 17]
    assert sum(event.after for event in job.events) == sum(event.after for event in replace(job, only="").events[:18])
    assert eval(job.test) == job


def test_no_event_at_all_is_a_list_that_replays(capsys: pytest.CaptureFixture[str]) -> None:
    job = Job(3, 2, games=0, fault="seed told")
    with patch.object(Job, "play", lambda *_: Outcome(3, broken="always")):
        job.explain(Outcome(3, broken="always"), 1)
    said = capsys.readouterr().out
    assert " --only none --fault 'seed told' --trace" in said
    assert "2 shorter lists of 2 events were tried: done" in said
    assert replace(job, only="none").events == []


def test_the_summary_says_what_was_never_checked() -> None:
    summary = Summary()
    summary.add(play(9, made_from(9, 4), games=1, at_rest=timedelta(hours=6)))
    summary.add(Outcome(9, of_twins=True))
    lines = str(summary).splitlines()
    assert "      NEVER  twin worlds differ for nobody else" in lines
    assert any(line.strip()[0].isdigit() and line.endswith(f"  {Promise.ONE_EFFECT}") for line in lines)
    assert lines[-1].startswith("1 seeds and 1 pairs of twin worlds, ")


def test_every_promise_is_checked_somewhere() -> None:
    sources = "".join(path.read_text() for path in Path(__file__).parent.glob("*.py") if path.stem != "promises")
    assert [one.name for one in Promise if f"Promise.{one.name}" not in sources] == []


def test_failures_that_begin_alike_are_told_apart() -> None:
    events = made_from(5, 4)
    with fault("phase twice"):
        one = play(5, events, games=1)
    with fault("lost commit"):
        other = play(5, events, games=1)
    assert one.failure
    assert other.failure
    assert re.search(r"phase \d+ \([SFW]\d{4}\w of g\d\)", one.broken), "rows are named"
    assert one.failure != other.failure


def test_a_crash_while_starting_is_traced() -> None:
    told: list[str] = []
    play(1, [], ways=Ways(dies=True), games=0, said=told.append, at_rest=timedelta(hours=1))
    assert any(line.startswith("crash at start: ") for line in told), told[:20]


def test_a_list_that_fails_is_cut_down_to_what_matters() -> None:
    events = [Event(10, "says", number, number) for number in range(40)]

    def fails(left: Sequence[Event]) -> bool:
        return {7, 31} <= {event.number for event in left}

    told: list[str] = []
    found = shortened(fails, events, said=told.append)
    assert [event.place for event in found] == [7, 31]
    assert sum(event.after for event in found) == 320
    assert told[-1].endswith(" of 40 events were tried: done")
    assert shortened(fails, events, 0, told.append) == events
    assert told[-1] == "    0 shorter lists of 40 events were tried: after 0 s time was up (--shrink MINUTES)"


def test_a_step_that_never_ends_is_broken() -> None:
    def look(poller: ImapPoller) -> float:
        while True:
            list(poller._folder.waiting()) if poller._folder is not None else None

    with (
        patch.object(ImapPoller, "_collect", lambda poller, _: look(poller)),
        patch.object(faults, "MOST_COMMANDS", 9_999),
    ):
        outcome = play(1, [], ways=Ways(listens=False, polls=True), games=1)
    assert outcome.broken.startswith("a step never ends: 9,999 commands in one event, at last IMAP ")
