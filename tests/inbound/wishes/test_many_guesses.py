"""How much of a mail is looked at for what it may ask: a mail costs what its first lines do, however many follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import ModuleType

import pytest

from gm.inbound import facts
from gm.inbound.wishes import guesses, lines
from gm.parsing.days import days_away
from tests.server.world import BASE, World

MASTER = "master@example.org"
GUESSES, LINES = 500, 100
"""So many guesses are made at what a mail may want, and so many lines of it, at most: they take two milliseconds and
ten.
"""


def counted(monkeypatch: pytest.MonkeyPatch, name: str, of: ModuleType) -> Counter[str]:
    """How often a function of a module is called from now on."""
    calls, before = Counter[str](), getattr(of, name)

    def count(*given: object, **named: object) -> object:
        calls[name] += 1
        return before(*given, **named)

    monkeypatch.setattr(of, name, count)
    return calls


SENTENCES: dict[str, Callable[[int], str]] = {
    "sentences": lambda number: f"so what about {number} now?",
    "clauses": lambda number: f"I would like number {number}, and",
    "words": lambda number: f"{'me' * 12}{number} ",
}


@pytest.mark.parametrize("kind", SENTENCES)
@pytest.mark.parametrize("many", [1, 30])
def test_a_mail_of_many_sentences_is_not_guessed_at_for_each(
    world: World, monkeypatch: pytest.MonkeyPatch, kind: str, many: int
) -> None:
    seats = world.started()
    said = [" ".join(SENTENCES[kind](100 * line + number) for number in range(50)) for line in range(many)]
    for sender, to in ((MASTER, seats["GM"]), ("eve@evil.example", BASE)):
        guessed, made = counted(monkeypatch, "likely", guesses), counted(monkeypatch, "line_of", lines)
        world.send(sender, to, "\n".join(said))
        assert guessed["likely"] <= GUESSES
        assert made["line_of"] <= LINES
        monkeypatch.undo()


def test_lines_that_may_be_anything_are_offered_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that resemble each wish a little are no wish; no line is made for each of these wishes."""
    seats = world.started()
    made = counted(monkeypatch, "line_of", lines)
    world.send(MASTER, seats["GM"], "\n".join("ME" * 10 + chr(97 + number) for number in range(20)))
    assert made["line_of"] <= LINES


def test_a_mail_about_many_games_is_looked_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whom a mail is about is found once; and a line of very many clauses is not parted by its games."""
    seats = world.started()
    whole, parts = counted(monkeypatch, "_other_than_writer", guesses), counted(monkeypatch, "but_for_games", facts)
    text = "\n".join(", ".join(f"spring stays put {line}{number}" for number in range(60)) for line in range(20))
    world.send(MASTER, seats["GM"], text)
    assert whole["_other_than_writer"] <= len(seats)
    assert parts["but_for_games"] <= 2 * LINES


def test_what_days_a_mail_names_is_looked_for_once_however_many_sentences_it_has(world: World) -> None:
    world.started()
    days_away.cache_clear()
    world.send("eve@evil.example", BASE, "\n".join(["and then everyone holds next turn, could it be faster?"] * 300))
    assert 0 < days_away.cache_info().misses <= LINES
