"""Lark parsers, built from the files in `grammars/` and the names of a game, once for each lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from lark import Lark

from gm.files import folder
from gm.parsing.lexicon import COAST_PATTERN, Lexicon
from gm.parsing.making import Maker


@lru_cache(maxsize=256)
def order_parser(lexicon: Lexicon) -> Lark:
    """The parser of one line of folded text: orders in this game's names, as a list of `making.Statement`."""
    files = ("words", "orders", *(dialect.grammar for dialect in lexicon.dialects))
    text = "\n".join((*map(grammar_text, files), *_names(lexicon)))
    return Lark(text, parser="lalr", lexer="contextual", maybe_placeholders=True, transformer=Maker(lexicon))


@cache
def grammar_text(name: str) -> str:
    """The text of one grammar file."""
    return (folder("grammars") / f"{name}.lark").read_text(encoding="utf-8")


def separators(lexicon: Lexicon, text: str, start: int) -> Iterator[tuple[int, int]]:
    """The pieces of a line, as pairs of indexes: cut at separators that are not part of a name (`St. Petersburg`)."""
    begin = start
    for found in _separator(lexicon).finditer(text, start):
        if found.group("sep"):
            if text[begin : found.start()].strip():
                yield begin, found.start()
            begin = found.end()
    if text[begin:].strip():
        yield begin, len(text)


@lru_cache(maxsize=256)
def names_pattern(lexicon: Lexicon) -> re.Pattern[str]:
    """A place of the board by any of its names, with its coast, anywhere in folded text."""
    places = [*_longest_first(lexicon.places), *(names.pattern for names in lexicon.computed)]
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(places)})(?![a-z0-9])(?:{COAST_PATTERN})?")


@lru_cache(maxsize=256)
def _separator(lexicon: Lexicon) -> re.Pattern[str]:
    return re.compile(rf"{names_pattern(lexicon).pattern}|\([^()]*\)|(?P<sep>[,;.!&|/*]+|\band\b)")


def _names(lexicon: Lexicon) -> tuple[str, str]:
    """The terminals PLACE and POWER. A word that is both is a power before a colon or a unit's letter only."""
    places = [*_longest_first(lexicon.places), *(names.pattern for names in lexicon.computed)]
    only = [name for name in lexicon.power_names if name not in lexicon.places]
    both = [name for name in lexicon.power_names if name in lexicon.places]
    powers = _longest_first(only)
    powers += [rf"(?:{'|'.join(_longest_first(both))})(?=[ ]*:|[ ]+(?:army|fleet|[af])\b)"] if both else []
    return (
        _terminal("PLACE.3", rf"(?:{'|'.join(places)})(?![a-z0-9])(?:{COAST_PATTERN})?"),
        _terminal("POWER.6", rf"(?:{'|'.join(powers)})(?![a-z0-9])"),
    )


def _longest_first(names: Any) -> list[str]:
    return [re.escape(name).replace(r"\ ", "[ ]+") for name in sorted(names, key=lambda name: (-len(name), name))]


def _terminal(name: str, pattern: str) -> str:
    return f"{name}: /{pattern.replace('/', chr(92) + '/')}/"
