"""Telling talk from orders that went wrong: the words that only sentences have."""

from __future__ import annotations

import re
from functools import lru_cache

from gm.parsing.grammar import names_pattern
from gm.parsing.lexicon import Lexicon
from gm.parsing.script import Script, fold

PROSE = frozenset(
    """
    i i'm i'll i've i'd me my mine myself we we're we'll us our you you're you'll your yours he him his she her it it's its they
    them their this that that's these those who whom whose which what when where why how there here
    is isn't are aren't was were be been being am has have haven't had having do don't does doesn't did didn't done doing
    will won't would wouldn't can can't cannot could couldn't shall should may might must let let's
    the an not no never yes ok okay if unless because but or nor so than though although while until before after again
    against about into onto with without within for from of on off over under up out down like just only also too very
    much many more most some any all each every both either neither none still yet already soon now today
    tomorrow maybe perhaps sure well good great nice bad sorry dear hi hello hey thank thanks cheers regards best
    know think want need see go going gone come coming get got give take make made say said says tell told ask asked
    please attack attacking agree agreed deal hope believe guess suppose seems looks
    """.split()
)
"""English words that no order and no command holds (names of places are matched before these are looked for)."""

_EVERYDAY = frozenset("black north english irish port war wars".split())
_DOING = "h|holds?|s|sup|supp|supports?|c|convoys?|r|ret|retreats?|stands?|std|moves?|m"
_LEADING = "d|disbands?|b|builds?|removes?|waives?"


def looks_like_order(script: Script, start: int, end: int, lexicon: Lexicon) -> bool:
    """Whether a piece of a line that is no order was meant as one: it has an order's shape, and no sentence's words."""
    shape, words = _shape(script.folded[start:end], lexicon)
    shape = re.sub(r"^(?:[NW]:)+", "", shape)
    formal = re.search(r"P[-sL]|[-]P", shape) is not None
    if any(word in PROSE for word in words):
        return re.match(r"N?K?P(?:-P|s|SK?P)", shape) is not None and formal
    if len(words) > 2 or len(words) > shape.count("P") + shape.count("K"):
        return False
    if shape.startswith(("L", "l")):
        return "K" in shape or "P" in shape
    return re.match(r"N?K(?:P|W[-sSlL])|N?P(?:[-sSlL])|W-P", shape) is not None


def mentions_place(text: str, lexicon: Lexicon) -> bool:
    """Whether a line names a place of the board, in full or in capitals; words of every day are not counted."""
    script = fold(text)
    for found in names_pattern(lexicon).finditer(script.folded):
        name = found.group()
        if name not in _EVERYDAY and (len(name) > 4 or script.words(found.start(), found.end()).isupper()):
            return True
    return False


def _shape(text: str, lexicon: Lexicon) -> tuple[str, list[str]]:
    """A letter for each part of a text, and the words that are nothing: K unit, P place, N power, W word, - dash,
    s S doing (one letter, a word), l L leading (one letter, a word)."""
    shape: list[str] = []
    words: list[str] = []
    for found in _parts(lexicon).finditer(text):
        group, part = found.lastgroup or "", found.group()
        if group in ("S", "L"):
            shape.append(group.lower() if len(part) == 1 else group)
        else:
            shape.append({"D": "-", "C": ":"}.get(group, group))
        if group == "W":
            words.append(part)
    return "".join(shape), words


@lru_cache(maxsize=256)
def _parts(lexicon: Lexicon) -> re.Pattern[str]:
    powers = "|".join(re.escape(name) for name in sorted(lexicon.power_names, key=len, reverse=True))
    return re.compile(
        rf"(?P<P>{names_pattern(lexicon).pattern})|(?P<N>\b(?:{powers})\b)|(?P<K>\b(?:army|fleet|[af])\b)"
        rf"|(?P<S>\b(?:{_DOING})\b)|(?P<L>\b(?:{_LEADING})\b)|(?P<D>[-=]+>?|\bto\b)|(?P<C>:)|(?P<W>[^\W\d_]+(?:'[^\W\d_]+)*)"
    )
