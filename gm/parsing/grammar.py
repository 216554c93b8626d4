"""The parser of orders: Lark's, built from the files in `grammars/` for each set of dialects, and what its rules make.

A rule makes a *recipe*: a function from the names of a line to a statement. The parser sees only a line's form, in
which names are numbers; so the recipe of `A PAR-BUR` serves `A MUN-BER` too, and a form met before is not parsed again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any

from lark import Lark, Token

from gm.board import Location, Power, UnitKind
from gm.files import folder
from gm.orders import (
    Build,
    Convoy,
    Dialect,
    Disband,
    Hold,
    Language,
    Move,
    Retreat,
    Support,
    UnitName,
    Waive,
    WrittenOrder,
)
from gm.parsing.lexicon import FIRST_PLACE, FIRST_POWER, kind_pattern

REMEMBERED_LENGTH = 120
"""Longer forms are not worth remembering: they hardly come twice."""


@dataclass(frozen=True, slots=True)
class Heading:
    """`France:`; what follows on the line is that power's."""

    power: Power


@dataclass(frozen=True, slots=True)
class Bare:
    """A unit and no word of what it is to do: right only in a list such as `BUILD A PAR, F BRE`."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Loose:
    """A move without a dash or a unit's letter, `par bur`."""

    move: Move[UnitName]


Statement = WrittenOrder | Heading | Bare | Loose
Recipe = Callable[[Sequence[Any]], list[Statement]]


def recipe(form: str, language: Language) -> Recipe:
    """The recipe of a line's form; a short form is parsed once and remembered. Raises lark.UnexpectedInput."""
    return (_remembered if len(form) <= REMEMBERED_LENGTH else _parse)(form, language)


def _parse(form: str, language: Language) -> Recipe:
    made: Recipe = order_parser(language.kinds.units, language.dialects).parse(form)  # type: ignore[assignment]
    return made


_remembered = lru_cache(maxsize=4096)(_parse)


@cache
def order_parser(units: tuple[UnitKind, ...], dialects: tuple[Dialect, ...] = ()) -> Lark:
    """The parser of a line's form in a game with these kinds of unit."""
    files = ("words", "orders", *(dialect.grammar for dialect in dialects))
    kind = f"KIND.9: /(?:{kind_pattern(units)})\\b\\.?(?!\\/)/"
    text = "\n".join((*map(grammar_text, files), kind))
    made = callbacks(units, dialects)
    return Lark(text, parser="lalr", lexer="contextual", maybe_placeholders=True, transformer=made)


@cache
def verbs(dialects: tuple[Dialect, ...]) -> tuple[str, ...]:
    """Patterns for the words of a game's own that its orders begin with, or have behind their unit."""
    found: list[str] = []
    for dialect in dialects:
        text = grammar_text(dialect.grammar)
        named = re.findall(r"(?:\bsubject|^\w+:)[ ]+(_\w+)", text, re.MULTILINE)
        patterns = (re.search(rf"^{terminal}\.\d+:\s*/(.*)/", text, re.MULTILINE) for terminal in dict.fromkeys(named))
        found += [pattern[1] for pattern in patterns if pattern is not None]
    return tuple(found)


@cache
def grammar_text(name: str) -> str:
    """The text of one grammar file."""
    return (folder("grammars") / f"{name}.lark").read_text(encoding="utf-8")


def callbacks(units: tuple[UnitKind, ...], dialects: tuple[Dialect, ...]) -> Any:
    """The object whose attributes Lark calls, one for each rule and terminal that carries meaning."""
    kinds = {_bare_name(name): kind for kind in units for name in kind.names}
    made: dict[str, Any] = {name: staticmethod(_recipe(make)) for name, make in _MAKERS.items()}
    for dialect in dialects:
        made |= {name: staticmethod(_recipe(make)) for name, make in dialect.makers.items()}
    made["PLACE"] = staticmethod(lambda token: itemgetter(ord(token) - FIRST_PLACE))
    made["POWER"] = staticmethod(lambda token: itemgetter(ord(token) - FIRST_POWER))
    made["KIND"] = staticmethod(lambda token: kinds[_bare_name(token)])
    return type("Callbacks", (), made)()


def _recipe(make: Callable[..., Any]) -> Callable[[list[Any]], Callable[[Sequence[Any]], Any]]:
    """From a maker of values, a maker of recipes: it waits for the names, then makes the parts and the whole."""

    def rule(parts: list[Any]) -> Callable[[Sequence[Any]], Any]:
        return lambda names: make(*[part(names) if callable(part) else part for part in parts])

    return rule


def _bare_name(text: str) -> str:
    return text.replace(" ", "").removesuffix(".")


def _statements(*statements: Statement) -> list[Statement]:
    return list(statements)


def _unit(power: Power | None, kind: UnitKind | None, at: Location) -> UnitName:
    return UnitName(at, kind, power)


def _kind_unit(kind: UnitKind, at: Location) -> UnitName:
    return UnitName(at, kind)


def _move(unit: UnitName, *way: Any) -> Move[UnitName]:
    *stops, via = way
    *route, to = stops
    fleets = (*route, *(via or ()))
    return Move(unit, to, via is not None or bool(fleets), fleets)


def _bare_move(unit: UnitName, to: Location) -> Move[UnitName] | Loose:
    move = Move(unit, to)
    return move if unit.kind or unit.power else Loose(move)


def _by_convoy(_words: Token) -> tuple[Location, ...]:
    return ()


def _by_fleets(*fleets: Location) -> tuple[Location, ...]:
    return fleets


def _support_move(unit: UnitName, supported: UnitName, *way: Any) -> Support[UnitName]:
    return Support(unit, supported, _target(way))


def _convoy(unit: UnitName, convoyed: UnitName, *way: Any) -> Convoy[UnitName]:
    return Convoy(unit, convoyed, _target(way))


def _target(way: tuple[Any, ...]) -> Location:
    """The last stop of `- NTH - NWY`; a tuple among the stops is what was said of the convoy."""
    stop: Location = [at for at in way if not isinstance(at, tuple)][-1]
    return stop


_MAKERS: dict[str, Callable[..., Any]] = {
    "start": _statements,
    "heading": Heading,
    "unit": _unit,
    "kind_unit": _kind_unit,
    "bare": Bare,
    "hold": Hold,
    "move": _move,
    "bare_move": _bare_move,
    "by_convoy": _by_convoy,
    "by_fleets": _by_fleets,
    "support_hold": Support,
    "support_move": _support_move,
    "convoy": _convoy,
    "retreat": Retreat,
    "disband": Disband,
    "build": Build,
    "led_retreat": Retreat,
    "led_disband": Disband,
    "led_build": Build,
    "waive": Waive,
}
