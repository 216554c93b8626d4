"""A short part of the simulation; `make simulate` is the full one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from tests.simulation.faults import Points
from tests.simulation.runs import Job, chosen
from tests.simulation.sabotage import FAULTS, fault
from tests.simulation.schedule import Event, made_from, play, shortened
from tests.simulation.twins import events_of_twins, twins
from tests.simulation.ways import Ways

STEPS = 60


@pytest.mark.parametrize(("seed", "steps", "busy", "only"), [(4, STEPS, True, ""), (7, STEPS, False, "")])
def test_no_promise_is_broken(seed: int, steps: int, busy: bool, only: str) -> None:
    """A seed that has failed is one more line, as the simulation prints it."""
    outcome = play(seed, chosen(made_from(seed, steps, busy=busy), only))
    assert outcome.broken == "", (
        f"python -m tests.simulation --seed {seed} --steps {steps}{' --busy' * busy} --only {only!r} --trace"
    )
    assert outcome.counts["mails to the server"]
    assert outcome.counts["deadlines"]
    assert outcome.counts["verified"]


def test_nor_on_the_other_database(new_url: Callable[[bool], str], database_kind: str) -> None:
    outcome = play(11, made_from(11, STEPS // 2), new_url(True), games=1)
    assert outcome.broken == "", database_kind


@pytest.mark.parametrize("seed", [0, 1])
def test_a_server_is_upgraded_with_mail_in_flight(new_url: Callable[[bool], str], seed: int) -> None:
    outcome = play(seed, made_from(seed, 6), new_url(False), ways=Ways(older=True, protocol="lmtp"), games=0)
    assert outcome.broken == ""
    assert outcome.counts["deadlines"] > 4
    assert outcome.counts["verified"]


def test_a_seed_replays_exactly_and_can_be_traced() -> None:
    told: list[str] = []
    aims = "gm.server.reports.write_next+2 after", "gm.server.delivery.send_due+4 before"
    one = play(5, made_from(5, 12), keep=True, games=1, aims=aims)
    other = play(5, made_from(5, 12), keep=True, games=1, aims=aims, said=told.append)
    assert one.sent == other.sent
    assert (one.counts, one.digest) == (other.counts, other.digest)
    for what in (" by mailbox: ", "[report:", "orders 1 of ", "    adjudicate g0: "):
        assert any(what in line for line in told), what


def test_everybody_is_sent_the_same_on_both_databases(postgresql_server: str, migrated_postgresql: str) -> None:
    """Also when rows come in another order, or a transaction is rolled back."""
    job = Job(5, 20, "both", f"{postgresql_server} {migrated_postgresql}", games=1)
    outcome = job.play()
    assert outcome.broken == ""
    assert outcome.counts["crash"]
    assert outcome.sent


@pytest.mark.parametrize("seed", [2, 5])
def test_nobodys_mail_depends_on_what_somebody_else_has_ordered_or_is_called(seed: int) -> None:
    assert twins(seed, events_of_twins(seed, 3)).broken == ""


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
    with fault("byte of orders"):
        failed = Job(2, pair=True).play()
        Job(2, aims=("somewhere",)).explain(failed, shrink=False)
        told: list[str] = []
        again = Job(2, pair=True).play(chosen(Job(2, pair=True).events, "0"), said=told.append)
    assert failed.failure == again.failure == "receipt:# to # depends on a secret:"
    assert any(" secret " in line for line in told), "twins are traced"
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "python -m tests.simulation --seed 2 --database sqlite --twins --trace"


def test_failures_that_begin_alike_are_told_apart() -> None:
    events = made_from(5, 4)
    with fault("forgotten orders"):
        one = play(5, events, games=1)
    with fault("lost commit"):
        other = play(5, events, games=1)
    assert one.failure
    assert other.failure
    assert one.failure != other.failure


def test_a_crash_while_starting_is_traced() -> None:
    told: list[str] = []
    play(1, [], ways=Ways(older=True), games=0, said=told.append, at_rest=timedelta(hours=1))
    assert any(line.startswith("crash at start: ") for line in told), told[:20]


def test_a_list_that_fails_is_cut_down_to_what_matters() -> None:
    events = [Event(10, "says", number, number) for number in range(40)]

    def fails(left: Sequence[Event]) -> bool:
        return {7, 31} <= {event.number for event in left}

    found = shortened(fails, events)
    assert [event.place for event in found] == [7, 31]
    assert sum(event.after for event in found) == 320
