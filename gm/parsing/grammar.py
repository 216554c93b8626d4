"""The Lark parser of orders, built from the files in `grammars/`: one for each set of dialects, for all games."""

from __future__ import annotations

from functools import cache, lru_cache

from lark import Lark

from gm.files import folder
from gm.orders.language import Dialect
from gm.parsing.order_builder import Recipe, callbacks

REMEMBERED_LENGTH = 120
"""Longer forms are not worth remembering: they hardly come twice."""


def recipe(form: str, dialects: tuple[Dialect, ...]) -> Recipe:
    """The recipe of a line's form; a short form is parsed once and remembered. Raises lark.UnexpectedInput."""
    return (_remembered if len(form) <= REMEMBERED_LENGTH else _parse)(form, dialects)


def _parse(form: str, dialects: tuple[Dialect, ...]) -> Recipe:
    made: Recipe = order_parser(dialects).parse(form)  # type: ignore[assignment]
    return made


_remembered = lru_cache(maxsize=4096)(_parse)


@cache
def order_parser(dialects: tuple[Dialect, ...] = ()) -> Lark:
    """The parser of a line's form."""
    files = ("words", "orders", *(dialect.grammar for dialect in dialects))
    text = "\n".join(map(grammar_text, files))
    return Lark(text, parser="lalr", lexer="contextual", maybe_placeholders=True, transformer=callbacks(dialects))


@cache
def grammar_text(name: str) -> str:
    """The text of one grammar file."""
    return (folder("grammars") / f"{name}.lark").read_text(encoding="utf-8")
