"""Places that are named by the beginning of their names: `Edin`, or `Nor` where only one such order can be given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gm.board import Location
from gm.orders.notation import short
from gm.parsing.lexicon import ORDER_WORDS, Lexicon, fold

_WORD = re.compile(r"[^\W\d_]{3,20}")
_PART = re.compile(r"[^\W\d_]{2,20}")
_BETWEEN = re.compile(r"[ .-]{1,3}")
_MOST = 16
"""The most ways of writing a line that are tried."""
_LONGEST = 100


def respelt(line: str, lexicon: Lexicon, *, known: bool) -> Iterator[str]:
    """The line with one of its words, or two of them, as the code of each place whose name begins with it: words that
    name no place or, with `known`, those that name another one.
    """
    if not known and (whole := _with_short_pairs(line, lexicon)) != line:
        line = whole
        yield line
    words = [found for found in _WORD.finditer(line[:_LONGEST]) if _is_beginning(found[0], lexicon, known=known)]
    ways = [""]
    at = 0
    for found in words:
        codes = [short(place) for place in places_beginning(found[0], lexicon)]
        kept = line[at : found.start()]
        written = [found[0]] if known else []
        ways = [f"{way}{kept}{code}" for way in ways for code in (*codes, *written)][:_MOST]
        at = found.end()
    if words:
        yield from (way + line[at:] for way in ways if way + line[at:] != line)


def _with_short_pairs(line: str, lexicon: Lexicon) -> str:
    """The line with the code of each place of which two words are the beginnings of its name's, `Mid Atl`, and of no
    other's.
    """
    parts, kept = list[str](), 0
    for one, two in pairwise(_PART.finditer(line[:_LONGEST])):
        if one.start() < kept or not _BETWEEN.fullmatch(line, one.end(), two.start()):
            continue
        begins = [fold(word[0]).folded for word in (one, two)]
        if len(found := {at for full, at in lexicon.beginning(begins[0]) if _begins(full, begins)}) == 1:
            parts += [line[kept : one.start()], short(found.pop())]
            kept = two.end()
    return "".join((*parts, line[kept:]))


def _begins(name: str, beginnings: Sequence[str]) -> bool:
    words = re.findall(r"[^\W\d_]+", name)
    return len(words) >= len(beginnings) and all(map(str.startswith, words, beginnings))


def _is_beginning(word: str, lexicon: Lexicon, *, known: bool) -> bool:
    name = fold(word).folded
    if name in ORDER_WORDS or lexicon.power(name) is not None:
        return False
    if name in lexicon.places and short(lexicon.places[name]).lower() == name:
        return False  # a code is what it is
    return (name in lexicon.places) == known and bool(places_beginning(word, lexicon))


def places_beginning(word: str, lexicon: Lexicon) -> list[Location]:
    """The places of which one of the names begins with this word, each once."""
    return list(dict.fromkeys(at for _, at in lexicon.beginning(fold(word).folded)))
