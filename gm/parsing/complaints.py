"""What is said of a line that no rule accepts: what was found, what was expected, and the nearest thing that would do."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from gm.errors import NotUnderstood
from gm.parsing.lexicon import Lexicon
from gm.parsing.script import Script, shorten
from gm.position import PhaseKind

_WORDS = ("hold", "supports", "convoys", "retreats", "disband", "build", "remove", "waive", "via convoy", "moves to")
_PHRASE = re.compile(r"[^\W_]+(?:[. ']+[^\W_]+){0,3}")
_DOINGS = {
    PhaseKind.MOVEMENT: "what the unit is to do: '-' and a place, H, S or C",
    PhaseKind.RETREAT: "what the unit is to do: R and a place, or D",
    PhaseKind.ADJUSTMENT: "BUILD or REMOVE",
}


def unexpected(
    fault: UnexpectedInput, script: Script, start: int, end: int, lexicon: Lexicon, phase: PhaseKind
) -> NotUnderstood:
    """The complaint about a piece of a line, from `start` to `end` of the folded text, that the parser stopped in."""
    allowed: Collection[str] = ()
    if isinstance(fault, UnexpectedCharacters):
        allowed = fault.allowed or ()
    elif isinstance(fault, UnexpectedToken):
        allowed = fault.accepts or fault.expected
    at = start + _index(fault, end - start)
    expected = _expected(allowed, phase)
    if not script.folded[at:end].strip(" ,;.!"):
        tail = script.words(start, end)
        return NotUnderstood(f"{tail!r} ends too early.", f"Expected {expected}.", column=script.column(at))
    word, near = _nearest(script.folded[at:end], allowed, lexicon)
    found = script.words(at, at + max(len(word), 1))
    remedy = f"Did you mean {near}?" if near else f"Expected {expected}."
    whole = shorten(script.written.strip())
    return NotUnderstood(f"{found!r} in {whole!r} was not understood.", remedy, column=script.column(at))


def unordered(script: Script, start: int, end: int, phase: PhaseKind) -> NotUnderstood:
    """The complaint about a unit without an order."""
    at = start + len(script.folded[start:end].rstrip(" ,;.!"))
    tail = script.words(start, end)
    return NotUnderstood(f"{tail!r} ends too early.", f"Expected {_DOINGS[phase]}.", column=script.column(at))


def _index(fault: UnexpectedInput, length: int) -> int:
    if isinstance(fault, UnexpectedToken) and fault.token.type == "$END":
        return length
    return min(fault.pos_in_stream if fault.pos_in_stream is not None else length, length)


def _expected(allowed: Collection[str], phase: PhaseKind) -> str:
    if "_SUPPORT" in allowed:
        return _DOINGS[phase]
    if "_BUILD" in allowed:
        return "an order such as A PAR-BUR" if phase is PhaseKind.MOVEMENT else f"a unit and {_DOINGS[phase]}"
    if "PLACE" in allowed and "$END" not in allowed:
        return "a place, such as Par or Paris" if "KIND" not in allowed else "a unit, such as A PAR"
    return "the end of the order, or a comma and the next one"


def _nearest(rest: str, allowed: Collection[str], lexicon: Lexicon) -> tuple[str, str]:
    """The word or words that stopped the parser, and what was probably meant."""
    found = _PHRASE.match(rest)
    if found is None:
        return rest[:1], ""
    phrase = re.split(r"([. ']+)", found.group())
    if re.match(r"[ ]*:", rest[found.end() :]) and (power := lexicon.nearest_power(found.group())):
        return found.group(), power
    for length in range(len(phrase), 0, -2):
        words = "".join(phrase[:length])
        if "PLACE" in allowed and (near := lexicon.nearest_place(words)):
            return words, near
    if "PLACE" not in allowed or "KIND" in allowed:
        close = get_close_matches(phrase[0], _WORDS, n=1, cutoff=0.7)
        if close:
            return phrase[0], close[0].upper()
    return phrase[0], ""
