"""Which rulings of a game a question is about, by the words of its rules.

A question with a word that the rules of its game have, and that hardly any sentence about other things has,
is about these rules, however it is put. Of the rulings those are meant whose sentences, and whose
examples of questions, share the rarest words with it (Okapi BM25).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from math import log
from typing import NamedTuple

from gm.parsing.sayings import RULING, examples_of_players, stems, usual_stems
from gm.play.briefs import paragraphs_of, rules_of
from gm.variants import Variant

_USUAL = 12
"""A word of so many examples of other things is no word of one game."""
_COMMON, _SEVERAL = 30, 2
"""A word of more such examples is no word of its own; and so many of its own words are as good as most of them."""
_DAMPING = 4
"""A word counts for half if it is in so many of these."""
_SATED, _OF_LENGTH = 1.2, 0.75
"""How soon more of the same word says no more, and how much a long text must have more of it (Okapi BM25)."""
_AS_GOOD = 0.75
"""What comes so near to the first may be meant as well."""
_MOST = 2
_CITED = re.compile(rf"\((?:{RULING.pattern}(?:, )?)+\)")
_EXAMPLE = "A TURN AS AN EXAMPLE"


class _Words(NamedTuple):
    """How often the sentences about each ruling, and the examples of questions about it, have a word; about how many
    rulings each word is; and how many words a ruling has on average.
    """

    said: Mapping[str, Mapping[str, int]]
    rulings: Mapping[str, int]
    average: float


def rulings_asked(text: str, variant: Variant, apart: str = "") -> tuple[str, ...]:
    """The rulings that a question is about that has a word which is this game's own, and none of those `apart`, the
    nearest first; () for one that has none.
    """
    words, usual = _words_of(rules_of(variant) or ""), usual_stems()
    own = (word for word in stems(text) if words.rulings[word] and usual[word] <= _USUAL)
    return () if set(stems(apart)).issuperset(own) else rulings_near(text, variant)


def rulings_surely_asked(text: str, variant: Variant, apart: str = "") -> tuple[str, ...]:
    """Those of `rulings_asked` that have most of the question's own words, or several of them."""
    words, usual = _words_of(rules_of(variant) or ""), usual_stems()
    said = {word for word in stems(text) if usual[word] <= _COMMON}
    least = min(len(said) / 2, _SEVERAL)
    found = rulings_asked(text, variant, apart)
    return tuple(one for one in found if len(said.intersection(words.said[one])) > least)


def rulings_near(text: str, variant: Variant, least: float = 0.0) -> tuple[str, ...]:
    """The rulings whose sentences share the rarest words with a question about the rules, the nearest first; those that
    are at least so near.
    """
    asked = [word for word in dict.fromkeys(stems(text)) if word not in _RULES]
    words, usual = _words_of(rules_of(variant) or ""), usual_stems()

    def nearness(said: Mapping[str, int]) -> float:
        length = _OF_LENGTH * sum(said.values()) / words.average + 1 - _OF_LENGTH
        return sum(
            log(1 + len(words.said) / words.rulings[word])
            / (1 + usual[word] / _DAMPING)
            * said[word]
            * (_SATED + 1)
            / (said[word] + _SATED * length)
            for word in asked
            if word in said
        )

    near = sorted(((nearness(said), ruling) for ruling, said in words.said.items()), reverse=True)[:_MOST]
    return tuple(ruling for found, ruling in near if found >= max(least, _AS_GOOD * near[0][0]))


_RULES = frozenset(stems("rules rule Regel Regeln règles"))
"""What is in every question about rules says nothing about which."""


@lru_cache(maxsize=16)
def _words_of(rules: str) -> _Words:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for paragraph in paragraphs_of(rules.partition(_EXAMPLE)[0]):
        for ruling, said in _sentences(" ".join(paragraph.split())):
            found[ruling].update({*stems(said)})
    for kind, lines in examples_of_players():
        for line in lines if kind in found else ():
            found[kind].update(stems(line))
    lengths = [said.total() for said in found.values()]
    return _Words(found, Counter(chain.from_iterable(found.values())), sum(lengths) / max(1, len(lengths)))


def _sentences(paragraph: str) -> Iterator[tuple[str, str]]:
    """The rulings that a paragraph cites, each with what stands before it; what stands behind the last is its, too."""
    at, cited = 0, list[str]()
    for mark in _CITED.finditer(paragraph):
        cited = RULING.findall(mark[0])
        yield from ((ruling, paragraph[at : mark.start()]) for ruling in cited)
        at = mark.end()
    yield from ((ruling, paragraph[at:]) for ruling in cited)
