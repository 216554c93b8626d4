"""Error messages for lines that no rule accepts: what was found, what was expected, and the nearest match."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from gm.errors import NotUnderstood
from gm.parsing.folding import Script, shorten
from gm.parsing.lexicon import FIRST_FAULT, Lexicon, Scan
from gm.position import PhaseKind

_WORDS = ("hold", "supports", "convoys", "retreats", "disband", "build", "remove", "waive", "via convoy", "moves to")
_PHRASE = re.compile(r"[^\W_]+(?:[. ']+[^\W_]+){0,3}")
_TRAIL = " ,;.!"


@dataclass(frozen=True, slots=True)
class Source:
    """A line being read: as written and folded, where its content starts in the folded text, and the content's scan."""

    script: Script
    start: int
    scan: Scan
    lexicon: Lexicon
    phase: PhaseKind

    def folded(self, at: int) -> int:
        """The index in the folded text of an index in the form."""
        return self.start + self.scan.index(at)

    def quote(self, begin: int, end: int) -> str:
        """What was written between two indexes in the form, quoted."""
        return repr(self.script.words(self.folded(begin), self.folded(end)))

    @property
    def line(self) -> str:
        """The line, shortened, quoted."""
        return repr(shorten(self.script.written.strip()))


def unexpected(stop: UnexpectedInput, source: Source, begin: int, end: int) -> NotUnderstood:
    """The complaint about a piece of a line, from `begin` to `end` of its form, that the parser stopped in."""
    form = source.scan.form
    at = begin + stopped_at(stop, end - begin)
    begins = not form[begin:at].strip(_TRAIL)
    expected = source.phase.order if begins else _expected(_allowed(stop), source.phase)
    expected = expected.format_map(source.lexicon.example._asdict())
    if not form[at:end].strip(_TRAIL):
        return _early(source, begin, end, expected)
    start = source.folded(at)
    column = source.script.column(start)
    name = ord(form[at]) - FIRST_FAULT
    if 0 <= name < len(source.scan.names) and isinstance(fault := source.scan.names[name], NotUnderstood):
        return NotUnderstood(f"{source.quote(at, at + 1)}: {fault.problem}", fault.remedy, column=column)
    found, near = _nearest(source, start, source.folded(end), _allowed(stop))
    remedy = f"Did you mean {near}?" if near else f"Expected {expected}."
    word = source.script.words(start, start + len(found))
    return NotUnderstood(f"{word!r} in {source.line} was not understood.", remedy, column=column)


def unordered(source: Source) -> NotUnderstood:
    """The complaint about a unit without an order."""
    return _early(source, 0, len(source.scan.form), source.phase.deed)


def doubtful(source: Source) -> NotUnderstood:
    """The complaint about two names that are an order or the end of a sentence."""
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
    """The index in a text of this length where the parser stopped."""
    if isinstance(stop, UnexpectedToken) and stop.token.type == "$END":
        return length
    return min(stop.pos_in_stream if stop.pos_in_stream is not None else length, length)


def _expected(allowed: Collection[str], phase: PhaseKind) -> str:
    if "_SUPPORT" in allowed:
        return phase.deed
    if "PLACE" in allowed and "$END" not in allowed:
        return "a place, such as {brief} or {name}" if "KIND" not in allowed else "a unit, such as A {place}"
    return "the end of the order, or a comma and the next one"


def _nearest(source: Source, start: int, end: int, allowed: Collection[str]) -> tuple[str, str]:
    """The word or words, in the folded text from `start`, that stopped the parser, and what was probably meant."""
    rest = source.script.folded[start : min(end, start + 100)]
    found = _PHRASE.match(rest)
    if found is None:
        return rest[:1], ""
    phrase = re.split(r"([. ']+)", found.group())
    if re.match(r"[ ]*:", rest[found.end() :]) and (power := source.lexicon.nearest_power(found.group())):
        return found.group(), power
    if close := get_close_matches(phrase[0], _WORDS if "_SUPPORT" in allowed or "_BUILD" in allowed else (), 1, 0.7):
        return phrase[0], close[0].upper()
    for length in range(len(phrase), 0, -2) if "PLACE" in allowed else ():
        words = "".join(phrase[:length])
        near = (
            "" if any(word in source.lexicon.places for word in words.split()) else source.lexicon.nearest_place(words)
        )
        if near:
            return words, near
    return phrase[0], ""
