"""A phase is adjudicated once, at its deadline; later queries are answered from the stored turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from gm import advance
from gm.reports import explain
from tests.server.world import BASE, World, player, reply_to

MASTER = "master@example.org"


@contextmanager
def adjudications(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The phases adjudicated meanwhile, wherever `advance` was called from."""
    codes: list[str] = []
    conclude = advance.conclude

    def counted(*arguments: Any) -> Any:
        codes.append(arguments[1].phase.code)
        return conclude(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(advance, "conclude", counted)
        yield codes


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    return world.started("spring", "variant=black-hole last=1901")


def text(world: World, sender: str, to: str, words: str) -> str:
    """The plain text of an answer."""
    part = world.send(sender, to, words).get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def test_a_deadline_adjudicates_once(world: World, seats: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """And writes a report to every seat."""
    before = sum(map(len, world.mailboxes.values()))
    with adjudications(monkeypatch) as codes:
        world.pass_time(days=8)
    assert codes == ["S1901M"]
    assert sum(map(len, world.mailboxes.values())) >= before + 8


@pytest.mark.parametrize("words", ["HISTORY", "HISTORY ALL", "WHY PAR", "SUMMARY", "STATUS", "MAP S1901M", "ORDERS"])
def test_what_was_played_is_read_and_not_adjudicated_again(
    world: World, seats: dict[str, str], monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    world.send(player("France"), seats["France"], "A PAR-BUR, EXEMPT MAR")
    world.pass_time(days=8)
    with adjudications(monkeypatch) as codes:
        world.send(player("France"), seats["France"], words)
    assert not codes


def test_a_finished_game_is_shown_without_adjudicating(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The true history of a secret seat is made from every turn of the game."""
    names = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
    created = world.send(MASTER, BASE, "CREATE hidden variant=among-us last=1901 window=1h")
    for name in (*names, "the Alien"):
        world.send(player(name.replace(" ", "")), BASE, f"JOIN hidden AS {name}")
    world.send(MASTER, reply_to(created), "START hidden")
    with adjudications(monkeypatch) as codes:
        for _ in range(12):
            world.pass_time(days=4)
    assert len(codes) == len(set(codes)) >= 2
    body = world.last(player("France")).get_body(("plain",))
    assert "What the Alien did" in str(body.get_content() if body is not None else "")


def test_trials_adjudicate(world: World, seats: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    with adjudications(monkeypatch) as codes:
        world.send(player("France"), seats["France"], "WHATIF\nFrance: A PAR-BUR")
        world.send(MASTER, seats["GM"], "PREVIEW")
    assert codes == ["S1901M", "S1901M"]


def test_a_new_wording_is_used_of_old_turns(
    world: World, seats: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    world.send(player("France"), seats["France"], "A PAR H")
    world.pass_time(days=8)
    assert "A Par holds" in text(world, player("France"), seats["France"], "WHY PAR")
    monkeypatch.setattr(explain, "_hold", lambda outcome, order: "the unit stays")
    assert "the unit stays" in text(world, player("France"), seats["France"], "WHY PAR")


def test_no_sentence_is_stored(world: World, seats: dict[str, str]) -> None:
    world.send(player("France"), seats["France"], "A PAR-BUR, A MAR S A PAR-BUR")
    world.send(player("Germany"), seats["Germany"], "A MUN-BUR")
    for _ in range(3):
        world.pass_time(days=8)
    with world.looking() as session:
        rows = session.connection().exec_driver_sql("select result from phase where result is not null").scalars()
        results = [json.loads(row) if isinstance(row, str) else row for row in rows]
        victory = session.connection().exec_driver_sql("select victory from game").scalar_one()
    assert len(results) >= 2
    for result in (*results, json.loads(victory)):
        assert not [word for word in strings(result) if word.count(" ") > 3 or word.endswith(".")]


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, held in value.items():
            yield from (key, *strings(held))
    elif isinstance(value, list):
        for held in value:
            yield from strings(held)
