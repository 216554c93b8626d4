"""One line of orders: text to orders as written.

A line may contain several orders, in any form of `grammars/orders.lark`, and may name powers (`England: F nth-nwy`). If
the line as a whole is not understood it is split at its commas, full stops and semicolons, and each piece is parsed on
its own, so that one misspelt order does not affect the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from itertools import takewhile, zip_longest
from typing import Any

from lark import UnexpectedInput

from gm import patterns as re
from gm.board import Location, Power, Province, Terrain, Travel, UnitKind
from gm.cut import cut
from gm.errors import NotUnderstood
from gm.orders import Build, Convoy, Dialect, Disband, Hold, Move, Retreat, Support, UnitName, Waive, WrittenOrder
from gm.orders.notation import PRIVATE, short
from gm.parsing import grammar, not_orders
from gm.parsing.beginnings import respelt
from gm.parsing.grammar import Bare, Heading, Loose, Source, Statement, recipe
from gm.parsing.lexicon import Lexicon, Scan, fold, kind_pattern, shorten
from gm.parsing.small_talk import is_meant, is_unfilled, lead, without_bullet
from gm.position import PhaseKind

_SEPARATOR = re.compile(
    r"\([^()]*\)|(?P<separator>(?:[,;.!&|*_]|(?!/[ ]*[\ue000-\uefff][ ]*(?:[,;.!&|/]|$))(?:(?<!\ba)/|/(?!f\b)))+"
    r"|\b(?:and|then|und|dann|et|puis)\b"
    r"|(?<= )\d{1,2}[.)](?= ))"
)
_WORD = re.compile(r"[^\W\d_]+")

Attributed = tuple[Power | None, WrittenOrder]


@dataclass(frozen=True, slots=True)
class Fault:
    """A piece of a line that is not an order: its form, and the reason (computed only when asked for: never for small
    talk).

    `meant`: it was meant as an order, whatever its shape. `open`: what is below the line may mend it.
    """

    form: str
    complain: Callable[[], NotUnderstood]
    meant: bool
    open: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a line: orders in the order written, each with the power it was given for, and pieces that are not
    orders.

    `heading` is the power named last; a line `France:` applies to the lines below it. `told_twice`: it is one order in
    short and in full; `loose`: one of the orders is two places, which may be the end of a sentence.
    """

    orders: tuple[Attributed, ...]
    faults: tuple[Fault, ...]
    heading: Power | None = None
    told_twice: bool = False
    loose: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether it is orders, and nothing else."""
        return bool(self.orders) and not self.faults


def parse_orders(line: str, lexicon: Lexicon, phase_kind: PhaseKind) -> list[Attributed]:
    """The orders in a line. Raises NotUnderstood with the column of the first piece that is not an order."""
    reading = read_orders(line, lexicon, phase_kind)
    if reading.faults:
        raise reading.faults[0].complain()
    if not reading.orders:
        raise NotUnderstood(f"{shorten(line.strip())!r} contains no order.", "Write one, such as A PAR-BUR.", column=1)
    return list(reading.orders)


def one_order(words: str, lexicon: Lexicon, phase_kind: PhaseKind) -> WrittenOrder | None:
    """The order that words are, letters in ASCII with single signs between them, which do not name who gives it; None
    for anything else, and for what is an order only in some lines.
    """
    scan = _scan(words.lower(), lexicon)
    try:
        statements = recipe(scan.form, lexicon.language)(scan.names)
    except UnexpectedInput:
        return None
    if len(statements) != 1 or isinstance(statements[0], (Heading, Bare, Loose)):
        return None
    order = _order(statements[0], None, phase_kind)
    return order if _owner(order) is None else None


def read_orders(line: str, lexicon: Lexicon, phase_kind: PhaseKind, *, slips: bool = True) -> Reading:
    """Everything in a line. Never raises.

    A line that is not understood is, with `slips`, read once more without what may stand around an order, and with
    arrows for what an office program makes of them: letters with an accent, in any font but Wingdings (`BREàMAO`), or
    quotation marks.
    """
    reading = _read(line, lexicon, phase_kind)
    if reading.is_whole or not slips:
        return reading
    own = rf"[ ]*(?:[-=*+~>][ ]*)*{grammar.own_brackets(lexicon.language.dialects)}"  # a verb, and no bullet: `(S)`
    bracket = re.match(own, fold(line).folded)
    bare = line if bracket else without_bullet(line).strip(_QUOTES)
    ways: tuple[str, ...] = (bare, _ARROWS.sub("->", line), _ARROWS.sub("->", bare), _without_blank(line, lexicon))
    ways += (_STP.sub("", line),) if _MOVES.search(line) else ()
    ways += (_KIND_BEHIND.sub(r"\g<kind> \g<place>", bare),)
    for plain in dict.fromkeys(ways):
        if plain not in ("", line) and (again := _read(plain, lexicon, phase_kind)).is_whole:
            return again
    return _completed(line, lexicon, phase_kind) or reading if any(one.meant for one in reading.faults) else reading


_KIND_BEHIND = re.compile(
    r"\A(?![^\W\d_]\b|fleet\b|army\b)(?P<place>[^\W\d_][^\d;,:()>\n-]{1,24}?)[ ]+"
    r"(?P<kind>fleet|army|flotte|armee|arm[ée]e)\b",
    re.IGNORECASE,
)
"""A unit whose kind stands behind its place, `Sevastopol fleet to the Black Sea`."""


def _without_blank(line: str, lexicon: Lexicon) -> str:
    """A line without the dashes of an order form before words for what a unit does."""
    words = partial(grammar.is_order_word, language=lexicon.language)
    return _BLANK.sub(lambda found: " " if words(found["word"].lower()) else found[0], line, count=_FEW_BLANKS)


_FEW_BLANKS = 4
"""So many dashes of a line are looked at; a form has one in each."""


def is_nothing_else(text: str, lexicon: Lexicon) -> bool:
    """Whether a text is orders from its first word to its last."""
    form, language = _form(text, lexicon), lexicon.language
    if not _begins(form, lexicon):
        return False
    with suppress(UnexpectedInput):
        return bool(recipe(form, language))
    return False


def _completed(line: str, lexicon: Lexicon, phase_kind: PhaseKind) -> Reading | None:
    """The line with the names of places completed of which it has the beginnings, if that can be only one order."""
    ways = (_read(way, lexicon, phase_kind) for way in respelt(line, lexicon, known=False))
    found = {way.orders: way for way in ways if way.is_whole}
    return next(iter(found.values())) if len(found) == 1 else None


_BLANK = re.compile(r"(?<=\w)[ ]*-+[ ]*(?=(?P<word>[hsc]|[a-z]{2,20})\b)", re.IGNORECASE)
"""The dash of an order form, `A Par-`, before what is no place: `A Par- H`."""
_STP = re.compile(r"(?<=\w)[ ]{1,3}stp\W*$")
"""Behind a move, where no place can stand, `s'il te plaît` in short."""
_MOVES = re.compile(r"(?<![-=>])[-=>]++[ ]*+[^\W\d_]{3,30}(?:/[nsew]c)?[ ]{1,3}stp\W*$")
_REMARK = re.compile(r"\(|#|//|%")
_CONDITION = re.compile(
    rf"\b(?:(?<!tell me )(?<!me know )(?<!wonder )(?:{'|'.join(not_orders.CONDITIONS)})"
    r"(?! (?:i (?:may|can|could|understood|understand|read|remember|see|got)|possible|moglich|all (?:else )?fails"
    r"|you (?:please|like|would|will|can|could|do ?n.?t mind|need|read|see|get)"
    r"|(?:it|that|this)(?:.? ?s| is| was) (?:not )?(?:allowed|legal|permitted|possible|ok|okay|fine|all ?right|right"
    r"|wrong|too|no|clear|unclear|correct|enough|silly|stupid|rude)"
    r"|(?:es|das|dies) (?:erlaubt|moglich|recht|richtig|falsch)"
    r"|ich (?:darf|richtig|mich|das|es|sie))\b)"
    r"|(?<!who )(?<!what )(?<!one )(?<!body )(?<!thing )(?P<else>otherwise|else|sonst(?! noch)|sinon))\b"
)
"""It makes an order depend on something: `F Lon-Nth (if France agrees)`."""


def depends(text: str, lexicon: Lexicon, phase: PhaseKind) -> bool:
    """Whether a word of the text that is no name makes what it says depend on something: in a list, what comes next is
    no condition.
    """
    listed = any(one.listing is not None and one.listing.phase is phase for one in lexicon.language.dialects)
    return not listed and _CONDITION.search(lexicon.scan(fold(text).folded).form) is not None


def parted(text: str, lexicon: Lexicon) -> tuple[str, str]:
    """A text without its first condition and what stands behind it, and these; of one in brackets what is in them."""
    script = fold(text)
    scan = lexicon.scan(script.folded)
    found = next((one for one in _CONDITION.finditer(scan.form) if not one["else"]), None)
    if found is None:
        return text, ""
    at = script.column(scan.index(found.start())) - 1
    opens, closes = text.rfind("(", 0, at), text.find(")", at)
    if opens >= 0 and closes >= 0 and ")" not in text[opens:at]:
        return text[:opens].rstrip() + text[closes + 1 :], text[opens + 1 : closes]
    return text[:at], text[at:].strip(" ,;.")


_QUOTES = " \t'`´‘’‚‛"
_ARROWS = re.compile(r"(?<![ \t\xa0])[ \t\xa0]*+[àèÀÈ»›][ \t\xa0]*+")


def _read(line: str, lexicon: Lexicon, phase_kind: PhaseKind) -> Reading:
    if cut(line).rest:  # several lines that were joined, or one that is in no mail
        return Reading((), (Fault("", partial(not_orders.too_long, line), True),))
    script = fold(line)
    start = lead(script)
    scan = _scan(script.folded[start:], lexicon)
    source = Source(script, start, scan, lexicon, phase_kind)
    if (alone := grammar.alone(scan, lexicon.language)) is not None:
        return Reading((alone,), ())
    try:
        statements: Sequence[Statement | Fault] = recipe(scan.form, lexicon.language)(scan.names)
    except UnexpectedInput as stop:
        statements = (_list_fault(stop, source),) if _is_list(source) else tuple(_piecemeal(source))
    if _is_unit_twice(statements) and not _SEPARATOR.search(scan.form):
        return Reading((), ())
    alike = _told_twice(source, statements)
    reading = _attribute(source, statements if alike is None else statements[:1])
    return replace(reading, told_twice=True) if alike else reading


def _told_twice(source: Source, statements: Sequence[Statement | Fault]) -> bool | None:
    """Whether a line is one order in short and, beside it, in full, as receipts print it: `A Par-Bur  Army Paris ->
    Burgundy`. False if these two differ: the first was changed, or the line was broken. None for any other line.
    """
    if len(statements) != 2 or any(isinstance(one, Fault | Heading | Bare | Loose) for one in statements):
        return None
    first, second = (_order(one, None, source.phase) for one in statements)
    form, text = source.scan.form, source.script.folded
    if not _same_unit(getattr(first, "unit", None), getattr(second, "unit", None)):
        return None
    for gap in _BETWEEN_COLUMNS.finditer(form):
        if _is_one(form[: gap.start()].strip(), source) and _is_one(form[gap.end() :].strip(), source):
            short, full = text[source.start : source.folded(gap.start())], text[source.folded(gap.end()) :]
            alike = _nameless(first) == _nameless(second) and short.strip() != full.strip()
            columns = not isinstance(second, Build | Disband | Waive) and _WRITTEN_OUT.match(full)
            return alike if alike or columns else None
    return None


def _is_unit_twice(statements: Sequence[Statement | Fault]) -> bool:
    """Whether a line is a unit in short and in full, as receipts print one without an order: `A Par  Army Paris`."""
    units = [one.unit for one in statements if isinstance(one, Bare)]
    return len(units) == len(statements) == 2 and _same_unit(*units)


_BETWEEN_COLUMNS = re.compile(r"(?<![\s,;.!&|*_/])(?<!\band)(?<!\bthen)[ ]+(?![\s,;.!&|*_/]|(?:and|then)\b)")
"""What may lie between an order in short and the same in full, in a form; orders that are joined are two."""

_WRITTEN_OUT = re.compile(r"(?:[a-z]+ )?[a-z]{4}")
"""The beginning of an order in full: a word of a unit, or one that goes before it."""


def _same_unit(one: UnitName | None, other: UnitName | None) -> bool:
    """Whether two orders are for the same unit, or both for none."""
    return one == other if one is None or other is None else (one.at, one.kind) == (other.at, other.kind)


def _is_one(form: str, source: Source) -> bool:
    """Whether a part of a line is one order, and nothing else."""
    with suppress(UnexpectedInput):
        return len(recipe(form, source.lexicon.language)(source.scan.names)) == 1
    return False


def _nameless(statement: Any) -> Any:
    """An order without the powers of its units, which the full form names where the short one does not."""
    parts = {field.name: getattr(statement, field.name) for field in fields(statement)}
    return replace(
        statement, **{n: replace(unit, power=None) for n, unit in parts.items() if isinstance(unit, UnitName)}
    )


_PLUS = re.compile(r"(?<=[ ,;])\+")
_MINUS = re.compile(r"(?:^|(?<=[ ,;]))-(?=[^\W\d_])")


def read_by_pieces(text: str, lexicon: Lexicon, phase: PhaseKind, own: Collection[Province]) -> Reading | None:
    """What a line orders whose meaning depends on where its writer has pieces: `own` are their provinces."""
    by_phase = {
        PhaseKind.ADJUSTMENT: _read_bare_builds,
        PhaseKind.MOVEMENT: _read_all_hold,
        PhaseKind.RETREAT: _read_only_retreat,
    }
    return by_phase[phase](text, lexicon, own) if phase in by_phase else None


def _read_bare_builds(text: str, lexicon: Lexicon, own: Collection[Province]) -> Reading | None:
    """Units alone, or with a plus sign, that the writer does not have, as builds; with a minus sign, and which the
    writer has, as removals; None for any other text.
    """
    if _MINUS.match(text):
        reading = _read(f"REMOVE {_MINUS.sub(' ', text)}", lexicon, PhaseKind.ADJUSTMENT)
        return reading if reading.is_whole else None
    reading = _read(f"BUILD {_PLUS.sub(',', text.strip().lstrip('+ '))}", lexicon, PhaseKind.ADJUSTMENT)
    units = [order.unit for _, order in reading.orders if isinstance(order, Build)]
    whole = reading.is_whole and len(units) == len(reading.orders)
    new = all(unit.kind and lexicon.board.province(unit.at) not in own for unit in units)
    return reading if whole and new and own else None


_UNITS = "units?|pieces|einheiten|unites|armies and fleets|fleets and armies"
_EVERYONE = (
    r"(?:(?:all|every(?:thing|one|body)|alles?|tout|tous|toutes)\b(?![ ](?:else|other|andere|autre))"
    rf"(?:[ ]++(?:of|my|our|the|meine|les|mes|{_UNITS})\b)*+"
    rf"|(?:my|our|meine|unsere|mes|nos)[ ]++(?:{_UNITS})\b)"
)
_ALL_DO = re.compile(
    rf"(?:(?:please|bitte),?[ ]++)?(?:{_EVERYONE}:?[ ]++(?P<does>[a-z].*)|(?P<do>[a-z]++)[ ]++{_EVERYONE}[ .!]*+)"
)


def _read_all_hold(text: str, lexicon: Lexicon, own: Collection[Province]) -> Reading | None:
    """`All hold`, `hold all my units`, as an order for each piece; None for any other text."""
    found = _ALL_DO.fullmatch(fold(text.strip()).folded)
    if found is None:
        return None
    does = found["does"] or found["do"]
    places = dict.fromkeys(short(Location(one.partition(PRIVATE)[0])) for one in sorted(own))
    read = [_read(f"{place} {does}", lexicon, PhaseKind.MOVEMENT) for place in places]
    orders = [order for one in read if one.is_whole for order in one.orders]
    held = len(orders) == len(places) and all(isinstance(order, Hold) for _, order in orders)
    return Reading(tuple(orders), ()) if orders and held else None


_SHORTEST = 3
"""Fewer letters alone, as `D`, may be a name below a mail."""


def _read_only_retreat(text: str, lexicon: Lexicon, own: Collection[Province]) -> Reading | None:
    """`Retreat to Paris`, `disband`, from who has only one unit to order; None for any other text."""
    kinds = {"unit", *(name for kind in lexicon.language.kinds.units for name in (*kind.names, kind.word))}
    said = _IN_ORDERS.sub(lambda found: " " if found[0] in kinds else found[0], fold(text).folded).strip()
    if len(own) != 1 or len(said) < _SHORTEST:
        return None
    at = Location(next(iter(own)).partition(PRIVATE)[0])
    reading = _read(f"{short(at)} {said}", lexicon, PhaseKind.RETREAT)
    whole = len(reading.orders) == 1 and not reading.faults and not reading.loose
    return reading if whole and isinstance(reading.orders[0][1], Retreat | Disband) else None


def helped(unit: str, verb: str, move: Move[UnitName], lexicon: Lexicon) -> WrittenOrder | None:
    """The support or convoy of a move by the unit of this name, if the unit can give it; None otherwise: an army that
    can go by land needs no convoy.
    """
    order = f"{unit} {verb[0].upper()} {move.unit.kind or ''} {short(move.unit.at)} - {short(move.to)}"
    reading = _read(order, lexicon, PhaseKind.MOVEMENT)
    found = reading.orders[0][1] if len(reading.orders) == 1 and not reading.faults else None
    board = lexicon.board
    kinds = [kind for kind in lexicon.language.kinds.units if kind.travel is Travel.LAND]
    if isinstance(found, Convoy):
        carried = move.unit.kind in (None, *kinds) and board.terrain(board.province(move.to)) is not Terrain.SEA
        return found if carried and not any(board.may_step(kind, move.unit.at, move.to) for kind in kinds) else None
    if isinstance(found, Support) and found.unit.at != move.unit.at:
        near = (kind for kind in lexicon.language.kinds.units if found.unit.kind in (None, kind))
        return found if any(board.may_step(kind, found.unit.at, move.to) for kind in near) else None
    return None


_TO_DO = re.compile(r"\bto[ ]++(?=[^\W\d_]{4})")
_IN_ORDERS = re.compile(r"[^\W\d_]++(?:'[^\W\d_]++)?")


def read_among(text: str, lexicon: Lexicon, phase: PhaseKind, own: Collection[Province]) -> tuple[Attributed, ...]:
    """The orders that a line has if all words are left out that no order has: they may be meant, and may not."""
    script = fold(text.partition("(")[0])
    scan = lexicon.scan(script.folded)
    said = partial(_order_word, lexicon)
    kept = [
        piece if number % 2 else _TO_DO.sub("", _IN_ORDERS.sub(said, piece)) for number, piece in enumerate(scan.pieces)
    ]
    plain = "".join(kept).replace("?", " ")
    reading = _read(plain.strip(), lexicon, phase)
    reading = reading if reading.orders else read_by_pieces(plain, lexicon, phase, own) or reading
    return reading.orders if not reading.faults else ()


def _order_word(lexicon: Lexicon, found: re.Match[str]) -> str:
    return found[0] if grammar.is_order_word(found[0], lexicon.language) else " "


_SEPARATED = r"(?:[ ,;.>-]|\b(?:and|then|or)\b|;[ ]*\d{1,2}[ ]*:)*"
_PLACES = rf"[\ue000-\uefff]{_SEPARATED}"
_NUMBERED = re.compile(r"[ ]*+(?:(?:\(|#|no\b\.?)[ ]*+)?(?P<number>\d{1,2})(?:[ ]*+[.):=-]+>?|(?=[ ]))")


def read_list(
    lines: Sequence[str], lexicon: Lexicon, phase: PhaseKind, own: Collection[Province] = ()
) -> tuple[str, int]:
    """The list of places that begins on the first line and continues on those below it, as one line of orders, and the
    number of its lines; only the first line if the phase has no such lists, or none begins here.

    The number of a line (`2: Kie, Ber`) says whose list it begins. It counts the places if the writer, whose pieces are
    `own`, has only one, or below a head without places (`2. Ber`).
    """
    listing = next((d.listing for d in lexicon.language.dialects if d.listing and d.listing.phase is phase), None)
    if listing is None:
        return lines[0], 1
    number, matter = _item(lines[0])
    found = re.fullmatch(rf"(?P<head>{listing.head})?[ ]*+(?P<places>(?:{_PLACES})*)", _form(matter, lexicon))
    if found is None or not (found["head"] or found["places"]):
        return lines[0], 1
    below = [_item(line) for line in takewhile(lambda line: _is_places(line, lexicon), lines[1:])]
    begun = lines[0] if found["head"] else f"{listing.word} {matter}"
    under_one = found["head"] and re.search(r"\d", found["head"]) and not found["places"]
    if len(own) != 1 and not (under_one and _are_counted(below, lexicon)):
        below = list(takewhile(lambda item: not item[0], below))
        begun = f"{listing.word} {number}: {matter}" if number and not found["head"] else begun
    if not (below or found["places"]):
        return lines[0], 1
    joint = ", " if found["places"] else " "
    return joint.join((begun.rstrip(", "), ", ".join(text for _, text in below))).rstrip(", "), 1 + len(below)


def _item(line: str) -> tuple[str, str]:
    """The number that a line begins with ("" for none), and the rest of it without its number or bullet."""
    script = fold(line)
    found = _NUMBERED.match(script.folded)
    begin = found.end() if found else lead(script)
    return (str(int(found["number"])) if found else "", line[script.column(begin) - 1 :])


def _form(text: str, lexicon: Lexicon) -> str:
    return lexicon.scan(fold(text).folded).form.strip()


def _is_places(line: str, lexicon: Lexicon) -> bool:
    return re.fullmatch(rf"(?:{_PLACES})+", _form(_item(line)[1], lexicon)) is not None


def _are_counted(items: Sequence[tuple[str, str]], lexicon: Lexicon) -> bool:
    """Whether the items are places numbered from 1, one each: the numbers are those of the places."""
    single = all(len(lexicon.scan(fold(text).folded).names) == 1 for _, text in items)
    return single and [number for number, _ in items] == [str(n + 1) for n in range(len(items))]


def _scan(text: str, lexicon: Lexicon) -> Scan:
    """The names in a text. Brackets around a unit's place, `A(Con)-Bul`, are removed; others are comments. So is the
    full stop of an abbreviation within an order: `A Con. - Bul.`
    """
    for pattern in filter(None, (dialect.slashed for dialect in lexicon.language.dialects)):
        text = re.sub(pattern, lambda found: _without(found, "slash"), text)
    scan = lexicon.scan(text)
    if "(" not in text and "." not in text:
        return scan
    gone = {scan.index(found.end() - 1) for found in _ABBREVIATION.finditer(scan.form)}
    for found in _bracketed(lexicon.language.kinds.units, lexicon.language.dialects).finditer(scan.form):
        gone |= {scan.index(at) for at in (found.start() + found.group().index("("), found.end() - 1)}
    plain = "".join(" " if at in gone else sign for at, sign in enumerate(text)) if gone else text
    return lexicon.scan(plain) if plain != text else scan


def _without(found: re.Match[str], group: str) -> str:
    """What was found with a blank for the group, so that columns do not change."""
    begin, end = (at - found.start() for at in found.span(group))
    return found[0][:begin] + " " * (end - begin) + found[0][end:]


_ABBREVIATION = re.compile(
    r"[\ue000-\uefff]\.(?=[ ]*(?:\)|(?:[-=>]+|to\b)[ ]*[\ue000-\uefff]"
    r"|(?:s|sup\w*|h|holds?|c|conv\w*|r|ret\w*|d|disb\w*|std|via)\b))"
)
"""A place with a full stop, in a form, where the order goes on."""


@cache
def _bracketed(units: tuple[UnitKind, ...], dialects: tuple[Dialect, ...]) -> re.Pattern[str]:
    """A pattern for a unit with its place in brackets, in a form; directly after the unit's letter anything in brackets
    is a place, save what a variant writes so: `T(S) KIE-GRE`.
    """
    place = r"[\ue000-\uefff\U000f0000-\U000f1fff]"
    return re.compile(
        rf"\b(?:{kind_pattern(units)})(?:[ ]*\([ ]*{place}[ ]*\)|(?!{grammar.own_brackets(dialects)})\([^()]*\))"
    )


def _is_list(source: Source) -> bool:
    """Whether the line is a list of the variant's own, whose parts have no meaning on their own."""
    return any(d.whole and re.match(d.whole, source.scan.form) for d in source.lexicon.language.dialects)


def _list_fault(stop: UnexpectedInput, source: Source) -> Fault:
    form = source.scan.form
    meant = not is_unfilled(form, source.lexicon.language)
    return Fault(form, partial(grammar.unexpected, stop, source, 0, len(form)), meant, open=True)


def _whole_fault(source: Source, complaint: Callable[[Source], NotUnderstood]) -> Fault:
    form = source.scan.form
    return Fault(form, partial(complaint, source), is_meant(source, 0, len(form)), open=True)


def _piecemeal(source: Source) -> Iterator[Statement | Fault]:
    """The statements in each piece of a line; a Fault for a piece without any."""
    for begin, end in _pieces(source.scan.form):
        form = source.scan.form[begin:end]
        try:
            yield from recipe(form, source.lexicon.language)(source.scan.names)
        except UnexpectedInput as stop:
            complain = partial(grammar.unexpected, stop, source, begin, end)
            yield Fault(form, complain, is_meant(source, begin, end), open=_is_open(stop, source, begin, end))


def _is_open(stop: UnexpectedInput, source: Source, begin: int, end: int) -> bool:
    """Whether the parser stopped at the end of a line, in what begins a name or an order, or before a bracket that is
    not closed: no words below mend what it stopped at before.
    """
    lexicon, rest = source.lexicon, source.scan.form[begin + grammar.stopped_at(stop, end - begin) :]
    rest = _OPEN_BRACKET.sub("", rest).strip(" .,;!")
    return len(rest.split()) <= _LAST and (_begins(rest, lexicon) or lexicon.begins_name(rest))


def _begins(form: str, lexicon: Lexicon) -> bool:
    """Whether a form begins with a name, a sign or a word of orders, or is empty."""
    first = _WORD.match(form)
    return first is None or grammar.is_order_word(first[0], lexicon.language)


_OPEN_BRACKET = re.compile(r"\([^()]*$")


_LAST = 3  # words; `an army in the`


def _pieces(form: str) -> Iterator[tuple[int, int]]:
    """The pieces of a line's form between separators, as pairs of indexes; names contain no separators in a form."""
    begin = 0
    for found in _SEPARATOR.finditer(form):
        if found.group("separator"):
            if form[begin : found.start()].strip():
                yield begin, found.start()
            begin = found.end()
    if form[begin:].strip():
        yield begin, len(form)


def _attribute(source: Source, statements: Sequence[Statement | Fault]) -> Reading:
    """Assign each order its power, and its meaning in this phase."""
    orders: list[Attributed] = []
    faults: list[Fault] = []
    of_line: list[Callable[[Source], NotUnderstood]] = []
    heading: Power | None = None
    listed: Callable[[UnitName], WrittenOrder] | None = None
    loose = any(isinstance(statement, Loose) for statement in statements)
    clear = not loose or _is_terse(source.script.folded)
    for statement, following in zip_longest(statements, statements[1:]):
        match statement:
            case Fault():
                faults.append(statement)
            case Heading():
                heading = statement.power
            case Bare() if _is_label(statement, following):
                heading = statement.unit.power or heading
            case Bare() if listed is None:
                of_line.append(grammar.unordered)
            case Loose() if not clear:
                of_line.append(grammar.doubtful)
            case _:
                order = _order(statement, listed, source.phase)
                listed = type(order) if isinstance(order, Build | Disband) else None
                orders.append((heading or _owner(order), order))
    remark = _REMARK.search(source.script.folded) if orders else None
    if remark and _CONDITION.search(source.script.folded, remark.end()):
        return Reading((), (Fault("", partial(not_orders.conditional, source.script.written), True),))
    faults += (_whole_fault(source, complaint) for complaint in dict.fromkeys(of_line))  # one each, however often
    if (times := _TIMES.search(source.script.folded)) and len(orders) == 1:
        orders *= min(int(times[1]), _MOST_EQUAL)
    return Reading(tuple(orders), tuple(faults), heading, loose=loose)


_TIMES, _MOST_EQUAL = re.compile(r"\((\d{1,2}) times\)"), 20
"""What reports print of several equal units, `A Orb-Par (2 times)`, and the most orders that a line stands for."""


def _is_label(named: Bare, following: Statement | Fault | None) -> bool:
    """Whether a unit is named once more before its order, as in `Turkish A Smy  A Smy-Con`."""
    unit = getattr(following, "unit", None)
    return not isinstance(following, Bare) and unit is not None and _same_unit(named.unit, unit)


def _order(statement: Any, listed: Callable[[UnitName], WrittenOrder] | None, phase: PhaseKind) -> WrittenOrder:
    """The order that a statement means in this phase: a plain move of a dislodged unit is a retreat."""
    if isinstance(statement, Bare) and listed is not None:
        return listed(statement.unit)
    order: WrittenOrder = statement.move if isinstance(statement, Loose) else statement
    if phase is PhaseKind.RETREAT and type(order) is Move and not order.via_convoy:
        return Retreat(order.unit, order.to)
    return order


def _owner(order: WrittenOrder) -> Power | None:
    """The power named before the unit, which gives the order: `England F nth-nwy`."""
    unit = getattr(order, "unit", None)
    return unit.power if unit is not None else None


def _is_terse(text: str) -> bool:
    """Whether every word is an abbreviation: `par bur` is an order, `Paris Burgundy` may be the end of a sentence."""
    return all(len(word) <= 4 for word in _WORD.findall(text))
