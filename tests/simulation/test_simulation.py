"""A short part of the simulation; `make simulate` is the full one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.simulation.schedule import Event, made_from, play, shortened, twins

STEPS = 60


@pytest.mark.parametrize("seed", [4, 7])
def test_no_promise_is_broken(seed: int) -> None:
    outcome = play(seed, made_from(seed, STEPS))
    assert outcome.broken == "", f"python -m tests.simulation --seed {seed} --steps {STEPS} --trace"
    assert outcome.counts["mails to the server"]
    assert outcome.counts["deadlines"]
    assert outcome.counts["verified"]


def test_nor_on_the_other_database(new_url: Callable[[bool], str], database_kind: str) -> None:
    outcome = play(11, made_from(11, STEPS // 2), new_url(True))
    assert outcome.broken == "", database_kind


def test_a_seed_replays_exactly() -> None:
    one, other = (play(5, made_from(5, 12), keep=True, games=1) for _ in range(2))
    assert one.sent == other.sent
    assert one.counts == other.counts


def test_nobodys_mail_depends_on_what_somebody_else_has_ordered() -> None:
    assert twins(2, made_from(2, 40, faults=False, pause=300), games=1) == ""


def test_a_list_that_fails_is_cut_down_to_what_matters() -> None:
    events = [Event(10, "says", number) for number in range(40)]

    def fails(left: Sequence[Event]) -> bool:
        return {7, 31} <= {event.number for event in left}

    found = shortened(fails, events)
    assert [event.number for event in found] == [7, 31]
    assert sum(event.after for event in found) == 320
