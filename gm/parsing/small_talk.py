"""What in a mail is not an order: bullets, small talk, empty forms, and lines that only begin like orders.

Small talk causes no error message. A line that begins like an order and is not one is never ignored: it is reported as
an error if it can be nothing else, and otherwise quoted.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from functools import cache

from gm.board import Location, Province, UnitKind
from gm.orders import PLAIN, Dialect, Language
from gm.orders.notation import PRIVATE
from gm.parsing.grammar import Source, own_brackets, verbs
from gm.parsing.lexicon import FIRST_PLACE, LONGEST_CODE, Lexicon, Script, fold, kind_pattern
from gm.position import Kinds, PhaseKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words("""
    i i'm i'll i've i'd me my mine myself we we're we'll us our you you're you'll your yours he him his she her
    it it's its they them their this that that's these those who whom whose which what when where why how there
    here is isn't are aren't was wasn't were be been being am has have haven't had having do don't does doesn't
    did didn't will won't would wouldn't can can't cannot could couldn't shall should may might must let let's
    the an not no if unless because but or nor so than though tho although while until before after against about
    into onto within without for from of on off over under up out down
""")
"""English words that connect sentences; no order or command contains them."""

PROSE = FUNCTION_WORDS | _words("""
    in at by as with never yes ok okay just only also too very much many more most some any all each every both
    either neither none still yet already soon now today tomorrow maybe perhaps sure well good great nice bad
    sorry dear hi hello hey thank thanks cheers regards best done doing know think want need see go gone come
    coming get got give take make made say said says tell told ask asked please attacking agree agreed deal hope
    believe guess suppose seems looks
""")
"""Those and other words that people use around orders. Names of places are matched before these are looked up."""

_EVERYDAY = frozenset(("black", "north", "english", "irish", "port", "war", "wars"))
_PARTS = (
    r"(?P<P>[\ue000-\uefff\U000f0000-\U000f1fff])|(?P<N>[\uf000-\uf8ff])"
    r"|\b(?:(?P<K>{kinds})|(?P<S>h|holds?|s|sup|supp|supports?|c|convoys?|r|ret|retreats?|stands?|std|moves?|m)"
    r"|(?P<L>d|disbands?|b|builds?|removes?|waives?))\b"
    r"|(?P<D>[-=]+>?|\bto\b)|(?P<C>:)|(?P<W>[a-z]+(?:'[a-z]+)*|[^\W\d_]+)"
)


_TAKES_BACK = (
    "sorry|oops|correction|corrections|corrected|change|changes|changed|update|updated|amendment|revised"
    "|korrektur|korrigiert|berichtigung|anderung|aenderung|geandert|geaendert|entschuldigung"
    "|rectification|rectificatif|modification|pardon|correccion|correzione|correctie"
)
"""What heads orders that replace others: `correction: Mar-Spa`."""
_LEAD = re.compile(
    r"[ ]*(?:(?:[-*+_]+|\(?\d{1,2}[.):]+|#\d{1,2}:?)[ ]*)?"
    rf"(?:(?:(?:my|your) )?(?:orders?(?: in force)?|{_TAKES_BACK})[ ]*:[ ]*)?"
)
_ITEM = r"(?:(?:no|nr|order)\b\.?[ ]*)?[(\[#]?\d{1,2}(?:\.?[a-z])?[ ]*[].):/-]+|[(\[]?(?:[ivx]{1,5}|[a-z])[].)]+"
_BULLET = re.compile(rf"[ ]*+(?:[-=]*>[ ]*|(?:[-*+~]|[o§øuvq]|{_ITEM})[ ]+){{1,2}}(?=[^ ])")
"""What makes a line an item of a list: arrows, signs, letters that were signs in another font (Word's `o`, and `§`,
`ø`, `ü`, `v`, `q` of Wingdings), and numbers and letters with a sign behind them.
"""


def lead(script: Script) -> int:
    """Where the line's content begins, after a bullet, a number, or `Orders:`."""
    found = _LEAD.match(script.folded)
    return found.end() if found else 0


def takes_back(line: str) -> bool:
    """Whether a line begins with a word that heads orders which replace others, `Korrektur: ...`."""
    return _CORRECTS.match(fold(line).folded) is not None


_CORRECTS = re.compile(rf"[ ]*+(?:{_TAKES_BACK})[ ]*+:")


def without_bullet(line: str) -> str:
    """A line without what may make it an item of a list. An order can begin so as well (`A. Par-Bur`, `F) Bre-Mao`):
    ask only for a line that is none.
    """
    script = fold(line)
    found = _BULLET.match(script.folded)
    return line[script.column(found.end()) - 1 :] if found else line


def is_remark(line: str) -> bool:
    """Whether the line is put out of force as programs' lines are; it may have been meant. What begins with # is a
    remark in our own mails, which may be copied.
    """
    return line.lstrip().startswith(("//", "%"))


def is_meant(source: Source, begin: int, end: int) -> bool:
    """Whether a piece of a line that was not understood, from `begin` to `end` of its form, was meant as an order."""
    form, language = source.scan.form[begin:end], source.lexicon.language
    if is_unfilled(form, language):
        return False
    if re.match(rf"[ ]*{own_brackets(language.dialects)}", form):
        return True
    return looks_like_order(form, source.phase, language) or _names_a_unit(source, begin, end)


def _names_a_unit(source: Source, begin: int, end: int) -> bool:
    """Whether a piece begins with a unit and can be nothing else: `F Nth`, `A MAR`, `A(Con)`, `F Nort Sea -`."""
    form = source.scan.form[begin:end]
    found = _beginning(source.lexicon.language.kinds.units).match(form)
    if found is None:
        return False
    rest, kind = form[found.end() :], found["kind"]
    if found["place"] is None:
        names = [name.strip() for name in re.split(r"[-=>]+", rest)]
        if len(names) < 2 or any(not re.fullmatch(r"[^\W\d_]++(?:[ .]*+[^\W_]++){0,2}", name) for name in names):
            return False
        known = [name for place in source.lexicon.places for name in (place, *place.split())]
        if kind != "a" or all(len(name) == LONGEST_CODE for name in names):
            return True  # `A PRA-BRU`: two codes, both misspelt
        return all(name[-1].isdecimal() or get_close_matches(name, known, 1, 0.7) for name in names)
    if len(kind) == 1 and kind != "a":
        return True
    at = begin + found.start("place")
    written = source.script.written[source.script.column(source.folded(at)) - 1 :]
    code = re.match(r"[^\W\d_]+", written)
    brief = code is not None and len(code.group()) <= LONGEST_CODE and not code.group().islower()
    return brief or PROSE.isdisjoint(_shape(rest, source.lexicon.language)[1])


@cache
def _beginning(units: tuple[UnitKind, ...]) -> re.Pattern[str]:
    """The beginning of a piece that names a unit: its kind, and perhaps its place."""
    return re.compile(
        rf"[ ]*+(?:[\uf000-\uf8ff][ :]*+)?\b(?P<kind>{kind_pattern(units)})\b"
        r"(?:\.?[ ]*+(?:\([ ]*+)?(?P<place>[\ue000-\uefff\U000f0000-\U000f1fff])|(?=[ ]+[^\W\d_]))"
    )


def begins_like_order(text: str, lexicon: Lexicon, own: Collection[Province]) -> bool:
    """Whether a line, or what follows its bullet, begins with a unit, with a place where the writer has a unit, or with
    a verb of this variant.
    """
    return any(_begins(line, lexicon, own) for line in dict.fromkeys((text, without_bullet(text))))


def _begins(text: str, lexicon: Lexicon, own: Collection[Province]) -> bool:
    scan = lexicon.scan(fold(text).folded)
    unit, place, verb = _beginnings(lexicon.language.kinds.units, lexicon.language.dialects)
    if unit.match(scan.form):
        return True
    if found := place.match(scan.form):
        at = scan.names[ord(found[1]) - FIRST_PLACE]
        codes = {*own, *(province.partition(PRIVATE)[0] for province in own)}
        return isinstance(at, str) and lexicon.board.province(Location(at)) in codes
    if verb.match(scan.form):
        return True
    alone = scan.form.strip(" *+-")
    return any(pattern.fullmatch(alone) for pattern in _terse_orders(lexicon.language.kinds))


@cache
def _beginnings(
    units: tuple[UnitKind, ...], dialects: tuple[Dialect, ...]
) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """The beginnings of a line: a unit with more of an order, a place, and a verb of the variant."""
    begin = r"[ *+-]*+(?:[\uf000-\uf8ff][ :]*+)?"
    letter = rf"\b(?:{kind_pattern(units)})\b(?:[ .(-]*[\ue000-\uefff\U000f0000-\U000f1fff]"
    verb = "|".join(verbs(dialects)) or "(?!)"
    named = "|".join(kind.word for kind in units)
    word = rf"(?:(?:the|my|our)[ ]+)?(?:{named})\b(?:[ ]++[a-z']++){{0,2}}[ ]*+\(?(?:[\ue000-\uefff]|(?<= )(?:{verb}))"
    return (
        re.compile(rf"{begin}{letter}|[ ]+(?:[^\W\d_]++[-. ]*+){{1,3}}\d++[ ]*+(?:[-=>]|to\b))"),
        re.compile(rf"{begin}([\ue000-\uefff])"),
        re.compile(f"{begin}(?:{verb}|{word})"),
    )


@cache
def _terse_orders(kinds: Kinds) -> tuple[re.Pattern[str], ...]:
    """Lines that are nothing but a part of an order (`-> Nth`, `F ? - Nth`, `F LonNth`), a verb and what it is for
    (`Support A Kie`, `retreat: Gas`), an order for all (`All units hold`), or say that there is none (`No retreat`).
    """
    names = {name for kind in kinds.units for name in (*kind.names, kind.word) if name.isalpha()}
    letters = kind_pattern(kinds.units)
    unit = rf"(?:{'|'.join(sorted(names, key=len, reverse=True))})(?:'?s)?\b|armies\b|units?\b|reserves?\b"
    phases = "|".join(f"{word}|{word.removesuffix('ing')}s?" for word in kinds.phases_by_word if len(word) > 1)
    place = r"[\ue000-\uefff\U000f0000-\U000f1fff]"
    among = rf"{unit}|(?:{_AMONG})\b|[ .,:;!()\d-]"
    said, named = rf"(?:{place}|{among})*+", rf"(?=(?:{among})*+{place})"
    hold = r"(?:h|holds?|holding|stands?|standing|std|stays?|move|go|do)\b"
    rest = rf"(?:[ ]+(?:home|put|still|there|here|nothing|in place|in position|{place}))?[ .!]*"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"(?:{_VERBS}|{phases})\b{named}{said}",
            rf"(?:{_ORDINAL})[ ]+(?:{unit}){named}{said}",
            r"(?:holds?|supports?|convoys?|retreats?|disbands?)[ .!]*",
            rf"(?:(?:{unit}|(?:{_EVERY})\b|\*)[ :]*+)++{hold}{rest}",
            rf"(?:(?:{letters})[ .]+[^ ]{{1,20}}[ ]*)?(?:[-=]*>|[-=]+)[ ]*{place}[ .,;!]*",
            rf"(?!a\b)(?:{letters})[ ]+[^\W\d_]+[ .!]*",
            rf"no[ ]+(?:orders?|retreats?|builds?|moves?|removals?|changes?)(?:[ ]+(?:for|from|in|of)\b{said})?[ .!]*",
        )
    )


_VERBS = (
    "holds?|supports?|sup|s|convoys?|c|retreats?|ret|r|otb|moves?|builds?|b|disbands?|d|removes?|sends?|attacks?|go"
)
_AMONG = "in|at|to|by|from|on|and|then|the|my|via|into|of"
_EVERY = "all|every|everything|everyone|everybody|each|the|my|our|other|others|rest|remaining"
_ORDINAL = "first|second|third|fourth|last|other|1st|2nd|3rd|4th"


def looks_like_order(form: str, phase: PhaseKind, language: Language = PLAIN) -> bool:
    """Whether a piece of a line that was not understood was meant as an order: it has the shape of one, and no words of
    a sentence.
    """
    shape, words = _shape(form, language)
    shape = re.sub(r"^(?:[NW]:|N-)+", "", shape)
    if any(word in PROSE for word in words):
        return re.match(r"N?K?P(?:-P|s|SK?P)", shape) is not None and re.search(r"P[-sl]|-P", shape) is not None
    if len(words) > 2 or len(words) > shape.count("P") + shape.count("K"):
        return False
    if shape.startswith(("L", "l")):
        return "P" in shape or (phase is not PhaseKind.MOVEMENT and "K" in shape)
    return re.match(r"N?K(?:P|W{1,3}[-sSlL])|N?P[-sSlL]|W{1,3}-P", shape) is not None


_POWER = re.compile(r"[ ]*+[\uf000-\uf8ff][ ]*+:")
"""The power that gives an order, at the beginning of a form."""


def is_unfilled(form: str, language: Language = PLAIN) -> bool:
    """Whether a piece is a line of our form that was not filled in: `A Par-`, `BUILD`, or a line of the variant's own
    form; in a sandbox it names its power, `Krell: A Orb-`.
    """
    if named := _POWER.match(form):
        form = form[named.end() :]
    own = any(dialect.blank and re.fullmatch(dialect.blank, form.strip()) for dialect in language.dialects)
    plain = re.sub(r"[\ue000-\uf8ff\U000f0000-\U000f1fff]", "x", form)
    if own or re.search(r"\d|[^\w\s=>.:/()-]", plain):
        return own  # `A Par - ??` was filled
    return re.fullmatch(r"K?P-|L", _shape(form, language)[0]) is not None and "disband" not in form


def mentions_place(text: str, lexicon: Lexicon) -> bool:
    """Whether a line names a place of the board, in full or in capitals, or contains a move or a support.

    Everyday words are not counted.
    """
    script = fold(text)
    scan = lexicon.scan(script.folded)
    if re.search("P-P|KPs|KPSK?P", _shape(scan.form, lexicon.language)[0]):
        return True
    if _names_unit_among(script, scan.form, lexicon):
        return True
    start = 0
    for number, piece in enumerate(scan.pieces):
        named = number % 2 == 1 and lexicon.power(piece) is None and piece not in _EVERYDAY
        if named and (len(piece) > 4 or script.words(start, start + len(piece)).isupper()):
            return True
        start += len(piece)
    return False


def _names_unit_among(script: Script, form: str, lexicon: Lexicon) -> bool:
    """Whether a unit is named among other words, its letter in capitals: `please hold A Mar`."""
    kinds = kind_pattern(lexicon.language.kinds.units)
    found = re.search(rf"(?<![^\W_])(?:{kinds})[ ]+[\ue000-\uefff]", form)
    return found is not None and re.search(rf"(?<![^\W_])(?i:{kinds})[ ]+[A-Z]", script.written) is not None


def almost_names_a_unit(line: str, lexicon: Lexicon) -> bool:
    """Whether a line begins with a unit's kind and a word that resembles a place's name: `A Marsella a Piamonte`. It
    takes a search through all names.
    """
    kinds = kind_pattern(lexicon.language.kinds.units)
    found = re.match(rf"\W*(?i:{kinds})[. ][ ]*(?P<name>[^\W\d_]{{4,20}})\b", line)
    if found is None or found["name"].islower():
        return False
    return lexicon.resembles_place(fold(found["name"]).folded)


@cache
def _parts(units: tuple[UnitKind, ...]) -> re.Pattern[str]:
    return re.compile(_PARTS.replace("{kinds}", kind_pattern(units)))


def _shape(form: str, language: Language) -> tuple[str, list[str]]:
    """One letter for each part of a form, and the words that are none of these.

    K unit's letter, P place, N power, W word, - dash; s and S what a unit does (a letter, a word), l and L what begins
    an order (a letter, a word).
    """
    shape: list[str] = []
    words: list[str] = []
    for found in _parts(language.kinds.units).finditer(form):
        group, part = found.lastgroup or "", found.group()
        if group == "W":
            words.append(part)
        shape.append({"D": "-", "C": ":"}.get(group) or (group.lower() if group in "SL" and len(part) == 1 else group))
    return "".join(shape), words
