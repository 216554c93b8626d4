"""What sentences are likeliest to want: those that are examples, and those of a writer who has seen none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.parsing.questions import Wanted
from gm.parsing.sayings import SURE, likely
from tests.parsing.names import LEXICON

_UNSEEN = Path(__file__).with_name("unseen_sayings.txt")
"""Sentences by somebody who knew the kinds only, with the kinds that may be meant. None of them becomes an example."""
_ELSEWHERE = {"ORDER", "PRESS", "GM", "CHAT", "LATE"}
"""Kinds that are no question or wish of `Wanted`."""


def test_sentences_that_nobody_had_seen() -> None:
    rows = [line.split("\t", 1) for line in _UNSEEN.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 300
    first = sum(likely(text, LEXICON).kinds[0] in kinds.split("|") for kinds, text in rows)
    among = sum(not set(kinds.split("|")).isdisjoint(likely(text, LEXICON).kinds[:3]) for kinds, text in rows)
    assert first >= 245
    assert among >= 279


def test_what_is_sure_is_right() -> None:
    """Of sentences that nobody had seen."""
    rows = [line.split("\t", 1) for line in _UNSEEN.read_text(encoding="utf-8").splitlines()]
    near = ((likely(text, LEXICON).within(SURE), kinds) for kinds, text in rows)
    sure = [(first, kinds) for (first, *others), kinds in near if not others]
    right = sum(kind in kinds.split("|") for kind, kinds in sure)
    assert len(sure) >= 212
    assert right / len(sure) >= 0.95


def test_every_kind_is_a_wish_or_goes_elsewhere() -> None:
    kinds = {*likely("anything", LEXICON).kinds, *likely("anything", LEXICON, moderates=True).kinds}
    assert kinds - _ELSEWHERE <= set(Wanted.__members__)


def test_a_gamemasters_wish_is_not_a_players() -> None:
    assert likely("please extend the deadline by two days", LEXICON).kinds[0] == "EXTEND"
    assert likely("please extend the deadline by two days", LEXICON, moderates=True).kinds[0] == "GM_EXTEND"
    assert "EXTEND" not in likely("anything", LEXICON, moderates=True).kinds
    assert "GM_EXTEND" not in likely("anything", LEXICON).kinds


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Is Germany a real person", "PLAYERS"),
        ("please undo the last turn, I made a mistake", "GM"),
        ("can my brother play Turkey?", "JOIN"),
        ("is my fleet in London safe", "NEAR"),
        ("recieved my moves??", "MY_ORDERS"),
        ("Könnten wir das Spiel kurz anhalten", "PAUSE"),
        ("When is the deadline? " + "We hold. " * 4000, "DEADLINE"),
    ],
)
def test_the_likeliest(text: str, kind: str) -> None:
    """Of a long text only its beginning is looked at."""
    assert kind in likely(text, LEXICON).kinds[:3]


def test_a_name_counts_as_what_it_names() -> None:
    """Whatever it is called, and `den` is no Denmark."""
    assert likely("Will you support me into Belgium?", LEXICON) == likely("Will you support me into Serbia?", LEXICON)
    assert likely("ich will den Zug", LEXICON) != likely("ich will DEN Zug", LEXICON)


def test_an_example_is_sure_whatever_its_signs() -> None:
    found = likely("  Bitte  ABBESTELLEN!", LEXICON)
    assert (found.within(SURE), found.known) == (("NO_MAIL",), True)


def test_of_words_that_no_example_has_nothing_is_known() -> None:
    found = likely("Xqz vwk", None)
    assert (found.within(SURE), found.known) == (found.kinds, False)


def test_a_vote_that_is_asked_about_is_no_vote() -> None:
    for text in ("is there a vote on", "who proposed a draw", "did you count my vote"):
        assert likely(text, LEXICON).within(SURE) == ("VOTES",)
