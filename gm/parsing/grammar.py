"""The parser of orders: built with Lark from the files in `grammars/` for each set of dialects; what its rules make;
and the messages when a line does not match.

A rule makes a *recipe*: a function from the names in a line to a statement. The parser sees only a line's form, in
which names are numbers, so that the recipe of `A PAR-BUR` also serves for `A MUN-BER`, and a form is parsed only once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from gm import folder
from gm.board import Location, Power, UnitKind
from gm.errors import NotUnderstood
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
from gm.parsing.headings import ABBREVIATED
from gm.parsing.lexicon import FIRST_FAULT, FIRST_PLACE, FIRST_POWER, Lexicon, Scan, Script, kind_pattern, shorten
from gm.parsing.not_orders import CONDITIONS, UNCONDITIONAL
from gm.parsing.sayings import knows
from gm.position import PhaseKind

REMEMBERED_LENGTH = 120
"""The longest form that is cached; longer ones rarely occur twice."""


@dataclass(frozen=True, slots=True)
class Heading:
    """`France:`; the rest of the line is that power's."""

    power: Power


@dataclass(frozen=True, slots=True)
class Bare:
    """A unit without a word for what it does: valid only in a list such as `BUILD A PAR, F BRE`."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Loose:
    """A move without a dash or a unit's letter: `par bur`."""

    move: Move[UnitName]


Statement = WrittenOrder | Heading | Bare | Loose
Recipe = Callable[[Sequence[Any]], list[Statement]]


_ALONE = re.compile(
    r"[ ]*+(?P<power>[\uf000-\uf8ff][ ]*+:?[ ]*+)?(?P<place>[\ue000-\uefff])[ ]*+:?[ ]*+",
)


def alone(scan: Scan, language: Language) -> tuple[Power | None, WrittenOrder] | None:
    """What a place orders that is all that a line has, and for whom; None for any other line."""
    found = _ALONE.fullmatch(scan.form)
    if found is None:
        return None
    at = Location(str(scan.names[ord(found["place"]) - FIRST_PLACE]))
    power = Power(str(scan.names[ord(found["power"][0]) - FIRST_POWER])) if found["power"] else None
    return next(((power, d.alone[at]()) for d in language.dialects if at in d.alone), None)


def recipe(form: str, language: Language) -> Recipe:
    """The recipe of a line's form; a short form is parsed once and cached, also if it has none: greetings and names
    below mails are the same in each. Raises lark.UnexpectedInput.
    """
    if len(form) > REMEMBERED_LENGTH:
        return _parse(form, language)
    found = _tried(form, language)
    if isinstance(found, UnexpectedInput):
        raise found.with_traceback(None)
    return found


def _parse(form: str, language: Language) -> Recipe:
    made: Recipe = order_parser(language.kinds.units, language.dialects).parse(form)  # type: ignore[assignment]
    return made


_remembered = lru_cache(maxsize=4096)(_parse)


@lru_cache(maxsize=512)  # what stopped the parser takes 5 kB
def _tried(form: str, language: Language) -> Recipe | UnexpectedInput:
    try:
        return _remembered(form, language)
    except UnexpectedInput as stop:
        return stop.with_traceback(None)


@cache
def order_parser(units: tuple[UnitKind, ...], dialects: tuple[Dialect, ...] = ()) -> Lark:
    """The parser for the forms of lines in a game with these kinds of unit."""
    files = ("words", "orders", *(dialect.grammar for dialect in dialects))
    kind = f"KIND.9: /(?:{kind_pattern(units)})\\b\\.?(?!\\/)/"
    remark = rf"_REMARK: /(?!{own_brackets(dialects)})\([^()]*\)/"
    text = "\n".join((*map(grammar_text, files), kind, remark))
    made = callbacks(units, dialects)
    return Lark(text, parser="lalr", lexer="contextual", maybe_placeholders=True, transformer=made)


@cache
def own_brackets(dialects: tuple[Dialect, ...]) -> str:
    """A pattern for letters in brackets that have a meaning in a variant, so that they are not a remark: `(S)`."""
    letters = "|".join(letter for dialect in dialects for letter in dialect.brackets)
    return rf"\([ ]*(?:\w[ ]*\/[ ]*)?(?:{letters or '(?!)'})[ ]*\)"


@cache
def verbs(dialects: tuple[Dialect, ...]) -> tuple[str, ...]:
    """Patterns for the words with which a variant's own orders begin, or which follow their unit."""
    found: list[str] = []
    for dialect in dialects:
        text = grammar_text(dialect.grammar)
        named = re.findall(r"(?:\bsubject|^\w+:)[ ]+(_\w+)", text, re.MULTILINE)
        patterns = (re.search(rf"^{terminal}\.\d+:\s*/(.*)/", text, re.MULTILINE) for terminal in dict.fromkeys(named))
        found += [pattern[1] for pattern in patterns if pattern is not None]
    return tuple(found)


@lru_cache(maxsize=4096)
def is_order_word(text: str, language: Language) -> bool:
    """Whether a text (folded) has a meaning in a game's orders: as one of their words, or as a season or a phase."""
    kinds = language.kinds
    seasons = [name for word in kinds.seasons_by_word for name in (word, word[:ABBREVIATED])]
    if text in (*seasons, *kinds.phases_by_word) or re.fullmatch(kind_pattern(kinds.units), text):
        return True
    said = (text, f"{text} to")  # `goes` is a word only before that
    return any(re.fullmatch(pattern, each) for pattern in _terminals(language.dialects) for each in said)


@cache
def _terminals(dialects: tuple[Dialect, ...]) -> tuple[str, ...]:
    """The patterns of the words in the standard orders and in a variant's own."""
    files = ("words", *(dialect.grammar for dialect in dialects))
    lines = [line for name in files for line in re.findall(r"^_?[A-Z_]+\.\d+:(.*)", grammar_text(name), re.MULTILINE)]
    return tuple(pattern for line in lines for pattern in re.findall(r"(?<!\\)/((?:[^/\\]|\\.)++)/", line))


@cache
def grammar_text(name: str) -> str:
    """The text of one grammar file."""
    return (folder("grammars") / f"{name}.lark").read_text(encoding="utf-8")


def callbacks(units: tuple[UnitKind, ...], dialects: tuple[Dialect, ...]) -> Any:
    """The object whose attributes Lark calls, one for each rule and terminal with a meaning."""
    kinds = {_bare_name(name): kind for kind in units for name in kind.names}
    made: dict[str, Any] = {name: staticmethod(_recipe(make)) for name, make in _MAKERS.items()}
    for dialect in dialects:
        made |= {name: staticmethod(_recipe(make)) for name, make in dialect.makers.items()}
    made["PLACE"] = staticmethod(lambda token: itemgetter(ord(token) - FIRST_PLACE))
    made["POWER"] = staticmethod(lambda token: itemgetter(ord(token) - FIRST_POWER))
    made["KIND"] = staticmethod(lambda token: kinds[_bare_name(token)])
    return type("Callbacks", (), made)()


def _recipe(make: Callable[..., Any]) -> Callable[[list[Any]], Callable[[Sequence[Any]], Any]]:
    """Turn a function that makes a value from its parts into one that makes a recipe: once the names are known, it
    makes the parts and then the whole.
    """

    def rule(parts: list[Any]) -> Callable[[Sequence[Any]], Any]:
        return lambda names: make(*[part(names) if callable(part) else part for part in parts])

    return rule


def _bare_name(text: str) -> str:
    return text.replace(" ", "").removesuffix(".")


def _statements(*statements: Statement) -> list[Statement]:
    return list(statements)


def _unit(power: Power | None, kind: UnitKind | None, at: Location) -> UnitName:
    return UnitName(at, kind, power)


@lru_cache(maxsize=1024)
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


def _support_with(supported: UnitName, *way: Any) -> Support[UnitName]:
    """`support Burgundy with Gascony`, `support Burgundy to Paris with Gascony`."""
    *stops, unit = way
    return Support(unit, supported, _target(tuple(stops))) if stops else Support(unit, supported)


def _attack_with(to: Location, unit: UnitName) -> Move[UnitName]:
    return Move(unit, to)


def _convoy(unit: UnitName, convoyed: UnitName, *way: Any) -> Convoy[UnitName]:
    return Convoy(unit, convoyed, _target(way))


def _target(way: tuple[Any, ...]) -> Location:
    """The last stop of `- NTH - NWY`; a tuple among the stops is the mention of the convoy."""
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
    "led_hold": Hold,
    "led_move": _move,
    "led_attack": _attack_with,
    "led_support_hold": _support_with,
    "led_support_move": _support_with,
    "waive": Waive,
}


# what was expected


_WORDS = ("hold", "supports", "convoys", "retreats", "disband", "build", "remove", "waive", "via convoy", "moves to")
_NO_NAMES = frozenset(
    ("the", "a", "an", "my", "our", "your", "all", "every", "any", "some", "and", "via", "by", "over")
)
_NO_NAMES |= {"move", "go", "army", "armies", "fleet", "fleets", "unit", "units"}
"""Words that are no misspelling of a place or a verb."""
_VERBS = frozenset(("move", "go", "hold", "support", "convoy", "retreat", "order", "send"))
"""Words with which orders begin in other games."""
_LEFT_OUT = {"the": "Leave it out.", "?": "If you mean the order, leave it out."}
_LEFT_OUT |= dict.fromkeys(CONDITIONS, UNCONDITIONAL)
_LEFT_OUT |= dict.fromkeys(("/", "or", "oder", "ou"), "A unit has one order: write the place that you mean.")
_COMMON = 8
"""A word of so many examples is no misspelt place, however alike it is: `not`, `back`."""
_END = "the end of the order, or a comma and the next one"
_PHRASE = re.compile(r"[^\W_]+(?:[. ']+[^\W_]+){0,3}")
_TRAIL = " ,;.!"


@dataclass(frozen=True, slots=True)
class Source:
    """A line that is being parsed: as written and folded, the index in the folded text where its content starts, and
    the content's scan.
    """

    script: Script
    start: int
    scan: Scan
    lexicon: Lexicon
    phase: PhaseKind

    def folded(self, at: int) -> int:
        """The index in the folded text that corresponds to an index in the form."""
        return self.start + self.scan.index(at)

    def quote(self, begin: int, end: int) -> str:
        """The text as written between two indexes in the form, in quotation marks."""
        return repr(self.script.words(self.folded(begin), self.folded(end)))

    @property
    def line(self) -> str:
        """The line, shortened, in quotation marks."""
        return repr(shorten(self.script.written.strip()))


def unexpected(stop: UnexpectedInput, source: Source, begin: int, end: int) -> NotUnderstood:
    """The error message about a piece of a line, from `begin` to `end` of its form, in which the parser stopped."""
    form = source.scan.form
    at = begin + stopped_at(stop, end - begin)
    begins = not form[begin:at].strip(_TRAIL)
    expected = _example(
        _wanted(source.lexicon, source.phase)[1] if begins else _expected(_allowed(stop), source), source.lexicon
    )
    if not form[at:end].strip(_TRAIL):
        return _early(source, begin, end, expected)
    start = source.folded(at)
    column = source.script.column(start)
    name = ord(form[at]) - FIRST_FAULT
    if 0 <= name < len(source.scan.names) and isinstance(fault := source.scan.names[name], NotUnderstood):
        return NotUnderstood(f"{source.quote(at, at + 1)}: {fault.problem}", fault.remedy, column=column)
    found, near = _nearest(source, start, source.folded(end), _allowed(stop))
    if (power := source.lexicon.power(found)) is not None and near:
        near, expected = "", f"a province: {power} is a power"
    if begins and found in _VERBS:
        expected = expected.replace("such as", "that begins with its unit, such as", 1)
    what = (
        f"Expected {expected}." if found == "?" and expected != _END else _LEFT_OUT.get(found, f"Expected {expected}.")
    )
    remedy = f"Did you mean {near}?" if near else what
    word = source.script.words(start, start + len(found))
    return NotUnderstood(f"{word!r} in {source.line} was not understood.", remedy, column=column)


def line_expected(lexicon: Lexicon, phase: PhaseKind) -> str:
    """What a line of orders is in this phase: `an order such as A Mun-Bur`."""
    return _example(_wanted(lexicon, phase)[1], lexicon)


def unordered(source: Source) -> NotUnderstood:
    """The error message about a unit without an order."""
    return _early(source, 0, len(source.scan.form), _example(_wanted(source.lexicon, source.phase)[0], source.lexicon))


def doubtful(source: Source) -> NotUnderstood:
    """The error message about two names that are either an order or the end of a sentence."""
    column = source.script.column(source.start)
    return NotUnderstood(
        f"{source.line} may or may not be an order.", "Write a move with a dash: PAR-BUR.", column=column
    )


def _early(source: Source, begin: int, end: int, expected: str) -> NotUnderstood:
    end = begin + len(source.scan.form[begin:end].rstrip(_TRAIL))
    column = source.script.column(source.folded(end))
    return NotUnderstood(f"{source.quote(begin, end)} ends too early.", f"Expected {expected}.", column=column)


def _allowed(stop: UnexpectedInput) -> Collection[str]:
    if isinstance(stop, UnexpectedCharacters):
        return stop.allowed or ()
    return (stop.accepts or stop.expected) if isinstance(stop, UnexpectedToken) else ()


def stopped_at(stop: UnexpectedInput, length: int) -> int:
    """The index at which the parser stopped in a text of this length."""
    if isinstance(stop, UnexpectedToken) and stop.token.type == "$END":
        return length
    return min(stop.pos_in_stream if stop.pos_in_stream is not None else length, length)


def _wanted(lexicon: Lexicon, phase: PhaseKind) -> tuple[str, str]:
    """What is expected in this phase after a unit, and in a line without an order."""
    own = (dialect.expected.get(phase) for dialect in lexicon.language.dialects)
    return next(filter(None, own), (phase.deed, phase.order))


def _example(expected: str, lexicon: Lexicon) -> str:
    return expected.format_map(lexicon.example._asdict())


def _expected(allowed: Collection[str], source: Source) -> str:
    if "_CONVOY" in allowed:
        return _wanted(source.lexicon, source.phase)[0]
    if "PLACE" in allowed and "$END" not in allowed:
        return "a place, such as {brief} or {name}" if "KIND" not in allowed else "a unit, such as A {place}"
    return _END


def _nearest(source: Source, start: int, end: int, allowed: Collection[str]) -> tuple[str, str]:
    """The word or words, from `start` of the folded text, that stopped the parser, and what was probably meant."""
    rest = source.script.folded[start : min(end, start + 100)]
    found = _PHRASE.match(rest)
    if found is None:
        return rest[:1], ""
    phrase = re.split(r"([. ']+)", found.group())
    if re.match(r"[ ]*:", rest[found.end() :]) and (power := source.lexicon.nearest_power(found.group())):
        return found.group(), power
    counts = phrase[0].isdigit() and not _NO_NAMES.isdisjoint(phrase[2:3])  # `2 armies`
    if phrase[0] in _NO_NAMES or phrase[0] in _WORDS or counts:
        return phrase[0], ""
    if close := get_close_matches(phrase[0], _WORDS if "_SUPPORT" in allowed or "_BUILD" in allowed else (), 1, 0.7):
        return phrase[0], close[0].upper()
    for length in range(len(phrase), 0, -2) if "PLACE" in allowed else ():
        words = "".join(phrase[:length])
        parts = words.split()
        common = all(knows(part, _COMMON) for part in parts)
        ordinary = common or (all(map(knows, parts)) and not source.lexicon.resembles_place(words))
        named = any(part in source.lexicon.places for part in parts)
        near = "" if ordinary or named else source.lexicon.nearest_place(words)
        if near:
            return words, near
    return phrase[0], ""
