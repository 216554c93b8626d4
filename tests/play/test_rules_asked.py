"""A question with a word of its game's rules finds the rulings that it is about, whatever its other words are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gm.parsing.questions import only_asks
from gm.parsing.sayings import SURE, Likely, likely
from gm.play.briefs import rulings_of
from gm.play.rules_asked import rulings_asked, rulings_surely_asked
from gm.variants import Variant, all_variants
from tests.parsing.names import LEXICON

ASKED = [
    ("the-aliens", "what happens if my transmitter is captured", "AL-8"),
    ("the-aliens", "can I move my transmitter twice", "AL-7"),
    ("the-aliens", "who on earth are these aliens", "AL-15"),
    ("quantum-space", "which spaces touch each other on a planet", "QS-1"),
    ("quantum-space", "can fleets convoy from orbit", "QS-7"),
    ("quantum-space-3001", "how high may Q numbers be", "QS-4"),
    ("outer-space", "can I beam into a colony of another empire", "OS-7"),
    ("outer-space", "how many armies fit in the spaceship?", "OS-1"),
    ("black-hole", "kann ich Einheiten aus dem Loch retten?", "BH-1"),
    ("black-hole", "what is a safe city", "BH-3"),
    ("among-us", "how does the alien win", "AU-12"),
    ("fog", "was sehe ich im Nebel", "FW-1"),
]


@pytest.mark.parametrize(("variant", "text", "ruling"), ASKED, ids=[text for _, text, _ in ASKED])
def test_a_question_is_about_the_rulings_whose_rarest_words_it_has(variant: str, text: str, ruling: str) -> None:
    found = rulings_asked(text, all_variants()[variant])
    assert ruling in found
    assert len(found) <= 2
    assert set(found) <= rulings_of(all_variants()[variant])


@pytest.mark.parametrize(
    "text", ["who plays France", "when is the deadline", "", "how do I support a move", "x" * 5000]
)
def test_a_question_with_the_usual_words_only_is_about_no_ruling(text: str) -> None:
    assert rulings_asked(text, all_variants()["the-aliens"]) == ()


def test_a_word_that_is_set_apart_does_not_make_it_one() -> None:
    variant = all_variants()["quantum-space"]
    assert rulings_asked("who is in orbit", variant)
    assert rulings_asked("who is in orbit", variant, "Orbit") == ()


def test_a_ruling_that_has_few_of_a_questions_own_words_is_not_shown() -> None:
    variants = all_variants()
    assert rulings_surely_asked("Könnte jemand anders Krell übernehmen?", variants["the-aliens"]) == ()
    assert rulings_surely_asked("Am I told when somebody attacks me from where I cannot see?", variants["fog"]) == ()


# ---- by a writer who has not seen the examples


_UNSEEN = Path(__file__).with_name("unseen_rules.txt")
"""Game, rulings that may be meant, and question. None of them becomes an example."""


def _likely(game: str, text: str) -> Likely:
    return likely(text, LEXICON, rulings=rulings_of(all_variants()[game]))


def _by_words(game: str, text: str, find: Callable[[str, Variant], tuple[str, ...]]) -> tuple[str, ...]:
    """What is found for a question that is not far surer about one thing."""
    far_surer = len(_likely(game, text).within(2 * SURE)) == 1
    return find(text, all_variants()[game]) if only_asks(text) and not far_surer else ()


def _found(game: str, text: str) -> tuple[str, ...]:
    """The kinds that a question at a seat may be about."""
    return _by_words(game, text, rulings_asked) or _likely(game, text).kinds


def _rows() -> list[tuple[str, set[str], str]]:
    rows = (line.split("\t") for line in _UNSEEN.read_text(encoding="utf-8").splitlines())
    return [(game, set(rulings.split("|")), text) for game, rulings, text in rows]


def test_questions_about_rules_that_nobody_had_seen() -> None:
    rows = _rows()
    assert len(rows) == 120
    first = sum(_found(game, text)[0] in rulings for game, rulings, text in rows)
    among = sum(not rulings.isdisjoint(_found(game, text)[:2]) for game, rulings, text in rows)
    assert first >= 28
    assert among >= 30


def test_of_those_that_are_shown_few_are_wrong() -> None:
    found = [(rulings, _by_words(game, text, rulings_surely_asked)) for game, rulings, text in _rows()]
    shown = [(rulings, by_words) for rulings, by_words in found if by_words]
    wrong = [by_words for rulings, by_words in shown if rulings.isdisjoint(by_words)]
    assert len(shown) - len(wrong) >= 11
    assert len(wrong) <= 2, wrong
