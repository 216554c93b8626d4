"""Which rulings of a game are asked about, by a writer who has not seen the examples."""

from __future__ import annotations

from pathlib import Path

from gm.games.briefs import rulings_of
from gm.games.rules_asked import rulings_asked
from gm.parsing.questions import only_asks
from gm.parsing.sayings import SURE, likely
from gm.variants import all_variants
from tests.parsing.names import LEXICON

_UNSEEN = Path(__file__).with_name("unseen_rules.txt")
"""Game, rulings that may be meant, and question. None of them becomes an example."""


def _found(game: str, text: str) -> tuple[str, ...]:
    """The kinds that a question at a seat may be about."""
    variant = all_variants()[game]
    found = likely(text, LEXICON, rulings=rulings_of(variant))
    far_surer = len(found.within(2 * SURE)) == 1
    return (only_asks(text) and not far_surer and rulings_asked(text, variant)) or found.kinds


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
