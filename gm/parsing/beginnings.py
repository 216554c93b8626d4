"""Places that are named by the beginning of their names: `Edin`, or `Nor` where only one such order can be given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.board import Location
from gm.orders.notation import short
from gm.parsing.lexicon import ORDER_WORDS, Lexicon, fold

_WORD = re.compile(r"[^\W\d_]{3,20}")
_MOST = 16
"""The most ways of writing a line that are tried."""
_LONGEST = 100


def respelt(line: str, lexicon: Lexicon, *, known: bool) -> Iterator[str]:
    """The line with one of its words, or two of them, as the code of each place whose name begins with it: words that
    name no place or, with `known`, those that name another one.
    """
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


def _is_beginning(word: str, lexicon: Lexicon, *, known: bool) -> bool:
    name = fold(word).folded
    if name in ORDER_WORDS or lexicon.power(name) is not None:
        return False
    if name in lexicon.places and short(lexicon.places[name]).lower() == name:
        return False  # a code is what it is
    return (name in lexicon.places) == known and bool(places_beginning(word, lexicon))


def places_beginning(word: str, lexicon: Lexicon) -> list[Location]:
    """The places of which one of the names begins with this word, each once."""
    name = fold(word).folded
    return list(dict.fromkeys(at for full, at in lexicon.places.items() if full.startswith(name)))
