"""Whose words the lines of a mail are: the sender's own, of press that they were sent, or of mails of ours.

Mail programs wrap lines after quoting them, and the text after a line break loses its quote mark: a part of somebody's
press then looks like the sender's own order. So a line that occurs in press which the mail answers is a quotation,
however it is wrapped.

We recognize our own mails by their lines, because we know what we sent. The order form in them is meant to be edited
and sent back, and any order may be copied from them: only lines that are together with sentences of ours are a
quotation. Changes within a quotation, marked or not, are never acted on, and always reported.

Of what else others wrote no list of the ways to introduce it is whole. All below words that may be another's, or tell
who wrote what follows, is shown back, to be sent by YES or with one tap. And of two blocks of orders, parted by an
empty line or by other words, that order one unit differently, one may be another's, whatever shows which: nothing is
done with either until the sender has sent theirs, unless the words between say that they have changed their mind.
Doubt goes upwards as well: the moment of a chat may close what is above it as well as head what is below, and so do
words that say who is behind it (`gm.mail.message.credited`). Only what says that it is the sender's, by a heading of
their own, counts above these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any, TypeAlias

from gm.mail.message.attribution import LABELLED
from gm.mail.message.attribution_parts import COLONS
from gm.mail.message.credited import credits_another
from gm.mail.message.incoming import Message
from gm.mail.message.marks import is_open
from gm.mail.message.mending import OURS_BELOW
from gm.mail.message.voices import (
    announces_anothers,
    changes_mind,
    closes_anothers,
    denies,
    heads_anothers,
    heads_orders,
    is_a_day,
    is_anothers,
    is_heading,
    may_be_anothers,
    names_of,
    names_somebody,
    shows_header,
    signs_anothers,
    tells_who_and_when,
    words_in,
)
from gm.orders import Build, Declaration
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, ParsedMessage, PressBlock, Talk
from gm.parsing.sayings import greets, greets_surely, knows
from gm.parsing.signing import signature_begins, without_signature
from gm.reading.forms import ItemsIn, filled_in
from gm.reading.line import Line, Lines, Origin, Reason, line_of, said_so, settle, settled, settled_text
from gm.reading.ours import Ours, is_sentence, words_of

_COLON = re.compile(f"[{''.join(COLONS)}]")
_FIGURE = re.compile(r"\d")
_RULE = re.compile(r"([-_=*~])\1{19,}")
"""Above what a list adds to its mails."""
_NOT_OURS = "\0"  # no words of a line
_UNMARKED = re.compile(r"[\w\s.:;()/*+>-]*+")
"""A line without any mark of quotation."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a mail may quote: the words of `press` that its sender was sent, each with a blank on both sides, and our
    mails, with the `forms` in those to the seat about the phase being played. `writers` are the powers, as PRESS TO
    names them, of the press that it answers. `name` is the sender's in the mail, `names` are others of theirs, and
    `units` are the provinces of their units in `game`, a name in lower case. `items_in` says what lines are that are
    not acted on; each is parsed once. `beneath` are those of its lines that are the first below quoted ones, each after
    these (`Message`).
    `power` is the sender's.
    `is_word` says of a word that it is one of the game's, or of what people write to it, and no name of a person.
    `dealt_since`: all press that it answers was written before the powers were dealt. `of_page`: its text was read from
    HTML. `alike`: the places in which the sender has several units, which have an order each. `quoted`: its
    quoted lines. `proposed`: the newest mail of ours that it cites proposes something.
    """

    press: tuple[str, ...] = ()
    ours: Ours = field(default_factory=lambda: Ours(tuple))
    forms: Ours = field(default_factory=lambda: Ours(tuple))
    writers: tuple[str, ...] = ()
    name: str = ""
    names: str = ""
    game: str = ""
    units: frozenset[str] = frozenset()
    items_in: ItemsIn = lambda _: ()
    is_word: Callable[[str], bool] = knows
    beneath: tuple[tuple[str, str], ...] = ()
    power: str = ""
    dealt_since: bool = False
    of_page: bool = False
    alike: frozenset[str] = frozenset()
    quoted: tuple[str, ...] = ()
    proposed: bool = False

    @property
    def known_as(self) -> str:
        """The sender's name in the mail, and others of theirs."""
        return f"{self.name} {self.own_names}"

    @property
    def own_names(self) -> str:
        """The sender's other names, and those of their power in any language."""
        return f"{self.names} {self.power} {names_of(self.power)}"

    def has_press(self, text: str) -> bool:
        """Whether these words occur in that press."""
        words = words_of(text)
        return bool(words) and any(f" {words} " in press for press in self.press)


NOTHING = Sources()
"""For a mail that is acted on as a whole, whatever it quotes."""


def own_lines(parsed: ParsedMessage, sources: Sources) -> Lines:
    """The lines of a mail's own text, those of press and of mails of ours among them settled, and of those below END
    what may be meant.
    """
    lines = [_of_press(line_of(item), sources) for item in _with_headings(parsed.items)]
    rest = [at for at, line in enumerate(lines) if line.origin is not Origin.PRESS]
    start, end, ours = _span([lines[at] for at in rest], sources.ours)
    span = [_within(lines[at], ours) for at in rest[start:end]]
    new = [at for at, line in enumerate(span) if line.origin is Origin.WITHIN]
    filled = filled_in([line.text for line in span], new, sources.forms, sources.items_in) if new else ()
    for number, at in enumerate(rest[start:end]):
        lines[at] = lines[at] if number in filled else span[number]
    lines = _unsigned(_in_doubt(lines, sources, parsed.empty), sources)
    below = [text for text in sources.ours.edited(parsed.below) if not sources.has_press(text)] if parsed.below else ()
    return (*lines, *(_ended(item) for item in (sources.items_in(below) if below else ())))


def _unsigned(lines: Sequence[Line], sources: Sources) -> list[Line]:
    """The lines, those of the sender's own talk settled with which they sign at its end, and what stands above them
    without such words behind its last sentence.
    """
    names, also = f"{sources.name} {sources.names}", f"{sources.power} {names_of(sources.power)}"
    begins = signature_begins([line.text for line in lines], names, also)
    while begins < len(lines) and not all(line.is_talk for line in lines[begins:]):
        begins += 1
    signed = [settled(line, Reason.GREETING) if line.text.strip() else line for line in lines[begins:]]
    above = list(lines[:begins])
    if above and above[-1].is_talk:
        above[-1] = said_so(above[-1], without_signature(above[-1].text))
    return [*above, *signed]


def _with_headings(items: Sequence[Item]) -> Iterator[Item]:
    """The items; what heads orders of the sender's own as a heading, though it looks like a misspelt command or a wish:
    `Ordens:`, `Final orders`.
    """
    for item, below in pairwise((*items, None)):
        if item is not None and isinstance(below, OrderLine) and _is_heading(item):
            yield Talk(item.line, item.text, False, blank=True)
        elif item is not None:
            yield item


def _is_heading(item: Item) -> bool:
    if isinstance(item, Complaint) and not item.of_order:
        return item.text.rstrip().endswith(COLONS) and (heads_orders(item.text) or denies(item.text))
    return isinstance(item, Talk) and not item.blank and is_heading(item.text)


def _in_doubt(lines: Sequence[Line], sources: Sources, empty: Collection[int]) -> list[Line]:
    """The lines; those that may be of a quotation which nothing else shows, settled: all below words that may be
    another's, and two blocks that contradict each other. These words ask for nothing themselves. What is below the
    heading of a game is looked at by itself; `empty` are the numbers of the empty lines.
    """
    found = list[Line]()
    for _, section in groupby(lines, _Headings()):
        within = list(section)
        units = sources.units if _game_of(within[0], sources.game) == sources.game else frozenset()
        at = min(
            _where_another_speaks(within, sources, units),
            _where_anothers_is_closed(within, sources, empty) if units else len(within),
        )
        upper, lower = _contradicting(within[:at], sources, empty)
        found += within[:upper]
        found += _doubted(within[upper:lower], Reason.UPPER_BLOCK, sources)
        found += _doubted(within[lower:at], Reason.LOWER_BLOCK, sources)
        found += _doubted(within[at:], Reason.DOUBTFUL if lower == at else Reason.LOWER_BLOCK, sources)
    return found


def _doubted(lines: Sequence[Line], reason: Reason, sources: Sources) -> Lines:
    """The lines; those that could be acted on settled for this reason, and the words at their beginning, too, and what
    heads or closes words of others: it asks for nothing.
    """
    rest = [replace(line, origin=Origin.DOUBTFUL) if line.fate is None else line for line in lines]
    rest[:1] = [replace(line, origin=Origin.DOUBTFUL) if line.is_for(Reason.PLAIN) else line for line in rest[:1]]
    of_others = (_is_talk(line) and _is_of_others(line.text, sources) for line in rest)
    doubtful = (
        settled(replace(line, origin=Origin.DOUBTFUL), Reason.PLAIN) if other else line
        for line, other in zip(rest, of_others, strict=True)
    )
    return settle(doubtful, bool, reason)


def _is_of_others(text: str, sources: Sources) -> bool:
    """Whether a line of talk heads or closes words of others, or heads orders that may be others'."""
    if (
        heads_orders(text)
        or is_anothers(text, sources.name, sources.own_names, sources.is_word)
        or _names_or_heads(text, sources)
    ):
        return True
    return credits_another(text, sources.known_as, sources.is_word, greets_surely)


def _game_of(heading: Line, game: str) -> str:
    """The game of what is below a line: the one that it names, if it is a heading."""
    if isinstance(heading.meaning, CommandLine) and heading.is_heading:
        return str(heading.meaning.args["game"]).lower()
    return game


class _Headings:
    """Counts the headings of games up to a line."""

    def __init__(self) -> None:
        self._above = 0

    def __call__(self, line: Line) -> int:
        self._above += line.is_heading
        return self._above


def _contradicting(lines: Sequence[Line], sources: Sources, empty: Collection[int]) -> tuple[int, int]:
    """Where the upper and the lower of two blocks of orders begin, in which one unit is ordered differently, the lower
    with the words above it; the end, twice, if there are none. Words that say that their writer has changed their mind
    part nothing. A page may show any line apart from that above it, by ways of which there are many.
    """
    given, blocks, words = dict[object, tuple[object, int]](), [0], [0]
    below_quoted = frozenset(first for _, first in sources.beneath)
    for at, line in enumerate(lines):
        talk = _is_any_talk(line)
        if (talk and changes_mind(line.text)) or _clears(line):
            given.clear()
        elif sources.of_page or talk or line.number - 1 in empty or line.text.strip() in below_quoted:
            parted = talk and at and isinstance(lines[at - 1].meaning, Talk)
            words.append(words[-1] if parted else at)
            blocks.append(at + talk)
        for unit, phase, order in _orders(line):
            if unit in sources.alike:
                continue
            said = type(order), {**vars(order), "unit": None}  # however the unit is named
            before, above = given.get((phase, unit), (said, len(blocks)))
            if before != said and above < len(blocks):
                return blocks[above - 1], words[-1]
            given[phase, unit] = said, len(blocks)
    return len(lines), len(lines)


def _clears(line: Line) -> bool:
    """Whether a line takes back the orders above it."""
    return isinstance(line.meaning, CommandLine) and line.meaning.name == "clear"


def _where_another_speaks(lines: Sequence[Line], sources: Sources, units: Collection[str]) -> int:
    """The place of a player's words with orders below them that are another's, or announce such, or are headed by
    another's name below other words, or may be another's if something is asked for above them, or below which an order
    is for a unit that the player has not; of an order within a quotation that goes on below it; of what a quoted name
    is above; the end if there are none. If none of their `units` are known, there are no players. Words beyond so many
    as nobody reads are not looked at, and may be anybody's.
    """
    looked = 0
    asked, words, found, above = False, len(lines), len(lines), tuple[str, ...]()
    headed = frozenset(_headed_by_quoted(sources)) if units else frozenset[str]()
    for at, line in enumerate(lines if units else ()):
        if line.origin is not Origin.OWN:
            continue
        talk = _is_any_talk(line) and not changes_mind(line.text)
        looked += talk
        above = (*above[-2:], line.text) if talk and line.text.strip() else ()
        if talk:
            words = at if asked else words
        else:
            asked = asked or line.fate is None
        if found == len(lines) and (
            looked > _MOST_WORDS
            or line.text.strip() in headed
            or (_may_be_said(line, lines[at + 1 : at + 2], above, sources, asked) if talk else _is_said(line, sources))
        ):
            found = at
        for unit, phase, order in _orders(line):
            foreign = phase is None and not isinstance(order, Build) and unit not in units
            if found <= at or (foreign and words < at):
                return min(found, words)
    return len(lines)


_MOST_WORDS = 500
"""So many parts of a mail that are words, and not orders, are looked at."""


def _may_be_said(line: Line, below: Sequence[Line], above: Sequence[str], sources: Sources, asked: bool) -> bool:
    """Whether talk may be another's or announce such: by itself, by what is `below` or by the words `above`, of which
    it is the last, or since something is `asked` for above it.
    """
    place = isinstance(line.meaning, Talk) and line.meaning.mentions_board
    return (
        (asked and may_be_anothers(line.text, sources.name, place=place))
        or announces_anothers(line.text)
        or (_is_said(line, sources) if place else _names_or_heads(line.text, sources))
        or (is_a_day(line.text) and _tells(" ".join(above[-2:]), sources))
        or shows_header(above, sources.known_as, sources.is_word)
        or (denies(line.text) and any(map(_orders_anything, below)))
        or is_anothers(line.text, sources.name, sources.own_names, sources.is_word)
    )


def _where_anothers_is_closed(lines: Sequence[Line], sources: Sources, empty: Collection[int]) -> int:
    """Where the orders begin that do not say that they are the sender's, and below which is the moment of a chat, or
    words that credit somebody else; the end if there are none. Directly below a block such words are of that block
    alone; by an empty line apart from it, of all above that is not marked.
    """
    upper, block, marked = len(lines), len(lines), False
    nearest, around = _words_below_orders(lines, sources, empty), _Around(lines, sources, empty)
    for at, line in enumerate(lines):
        if _orders_anything(line):
            begins = not at or not _orders_anything(lines[at - 1]) or line.number - 1 in empty
            marked = (marked and not (begins and at and _orders_anything(lines[at - 1]))) or _says_whose(line)
            block = (len(lines) if marked else at) if begins else block
            upper = min(upper, block)
        elif upper < at and _closes(around, at):
            return upper
        elif block < at and at in nearest and _credits(around, at):
            return upper if nearest[at] else block
        else:
            marked = _is_any_talk(line) and heads_orders(line.text)
    return len(lines)


def _closes(around: _Around, at: int) -> bool:
    """Whether a line is the moment of a chat, and stands directly below what somebody wrote, or by itself. One with a
    name, and orders below it, heads these.
    """
    sources, line = around.sources, around.lines[at]
    apart = line.number - 1 in around.empty
    closes = _is_any_talk(line) and (line.number + 1 in around.empty if apart else around.orders[at - 1])
    nameless = apart or around.leads[at]
    return closes and closes_anothers(line.text, sources.known_as, sources.is_word, apart=nameless)


class _Around:
    """What stands around the lines of a mail that may credit somebody, found once for all of them."""

    def __init__(self, lines: Sequence[Line], sources: Sources, empty: Collection[int]) -> None:
        self.lines, self.sources, self.empty = lines, sources, empty

    @cached_property
    def orders(self) -> Sequence[bool]:
        """Whether each line orders anything."""
        return [*map(_orders_anything, self.lines)]

    @cached_property
    def last_order(self) -> int:
        """The place of the last line that orders anything, -1 if none does."""
        return max((at for at, one in enumerate(self.orders) if one), default=-1)

    @cached_property
    def joined(self) -> Sequence[bool]:
        """Whether each line stands directly below the one before it."""
        return [False, *(two.number == one.number + 1 for one, two in pairwise(self.lines))]

    @cached_property
    def leads(self) -> Sequence[bool]:
        """Whether each line leads to orders without an empty line between."""
        found = [False]
        for orders, joined in zip(reversed(self.orders), reversed(self.joined), strict=True):
            found.append(joined and (orders or found[-1]))
        return found[-2::-1]

    @cached_property
    def several(self) -> bool:
        """Whether there are several blocks of orders."""
        ends = (not (joined and orders) for joined, orders in zip(self.joined[1:], self.orders[1:], strict=True))
        return sum(one and end for one, end in zip(self.orders, (*ends, True), strict=True)) > 1

    @cached_property
    def of_header(self) -> frozenset[int]:
        """The places of lines of talk of which several stand together, apart from what is above and below them, and
        none ends as a sentence does.
        """
        found: list[list[int]] = []
        for at, line in enumerate(self.lines):
            if not _is_any_talk(line):
                continue
            if found and found[-1][-1] == at - 1 and self.joined[at]:
                found[-1].append(at)
            else:
                found.append([at])
        return frozenset(at for run in found if len(run) > 1 and self._is_header(run) for at in run)

    def _is_header(self, run: Sequence[int]) -> bool:
        apart = self.lines[run[0]].number - 1 in self.empty and self.lines[run[-1]].number + 1 in self.empty
        return apart and not any(_ENDS_SENTENCE.search(self.lines[at].text) for at in run)

    @cached_property
    def quotes_others(self) -> bool:
        """Whether the mail quotes what is not ours."""
        return bool(self.sources.ours.not_ours(self.sources.quoted))


def _credits(around: _Around, at: int) -> bool:
    """Whether a line says that somebody else is behind the orders above it, and is no heading of what is below it. A
    name alone is a signature of another's only where there are several blocks.
    """
    line, sources = around.lines[at], around.sources
    slip = isinstance(line.meaning, Complaint) and not line.meaning.of_order  # of a command
    if slip or line.text.rstrip().endswith(COLONS) or _heads_what_is_below(around, at):
        return False
    if around.several and signs_anothers(line.text, sources.known_as, sources.is_word):
        return True
    return credits_another(line.text, sources.known_as, sources.is_word, greets_surely)


def _heads_what_is_below(around: _Around, at: int) -> bool:
    """Whether a line leads to orders without an empty line between; or is like one above a quotation or in a header,
    apart from what is above it, with such or quoted lines below it; a name alone heads none of ours.
    """
    lines, sources, line = around.lines, around.sources, around.lines[at]
    if around.leads[at]:
        return True
    labelled = LABELLED.fullmatch(line.text.strip()) is not None
    beside = (*lines[at - 1 : at], *lines[at + 1 : at + 2])
    if labelled and any(LABELLED.fullmatch(one.text.strip()) for one in beside):
        return True
    ordered_below = at < around.last_order
    if ordered_below and at in around.of_header:
        return True
    if line.number - 1 not in around.empty:
        return False
    if ordered_below or around.quotes_others:
        return is_anothers(line.text, "", "", sources.is_word) or _names_or_heads(line.text, sources)
    return (at + 1 < len(lines) or bool(sources.quoted)) and is_anothers(line.text, "", "", sources.is_word)


_ENDS_SENTENCE = re.compile(r"[.!?\u3002\uff01\uff1f\u2026]\W*$")


def _words_below_orders(lines: Sequence[Line], sources: Sources, empty: Collection[int]) -> dict[int, bool]:
    """The places of the first words below each block of orders, and whether an empty line is between. They go on
    below a greeting, and end with an empty line or the sender's own name.
    """
    found, near, said, apart = dict[int, bool](), False, False, False
    for at, line in enumerate(lines):
        if _orders_anything(line):
            near, said = True, False
            continue
        gap = line.number - 1 in empty
        apart = gap if at and _orders_anything(lines[at - 1]) else apart
        near = near and not (gap and said)
        found |= {at: apart} if near and _is_any_talk(line) else {}
        said = said or not greets(line.text)
        near = near and not (_is_own_name(line.text, sources) or _RULE.fullmatch(line.text.strip()))
    return found


def _is_own_name(text: str, sources: Sources) -> bool:
    """Whether a line begins with a name of the sender's, as a signature does."""
    words = text.split()
    return bool(words) and not words_in(words[0]).isdisjoint(words_in(sources.known_as))


def _orders_anything(line: Line) -> bool:
    return next(_orders(line), None) is not None


def _says_whose(line: Line) -> bool:
    """Whether a line of orders says for which phase or power they are."""
    meaning = line.meaning
    return isinstance(meaning, OrderLine) and (meaning.phase is not None or any(power for power, _ in meaning.orders))


def _headed_by_quoted(sources: Sources) -> Iterator[str]:
    """The first lines below quoted ones that are nothing but another's name, or end with such and a colon."""
    for quoted, first in sources.beneath:
        last = quoted.rpartition("\n")[2]
        one = f"{quoted}:" if len(quoted.split()) == 1 else quoted
        names = any(_heads(text, sources) for text in (one, *([last] if last.endswith(COLONS) else ())))
        if names and sources.ours.not_ours(quoted.split("\n")) and not sources.has_press(quoted):
            yield first


def _heads(text: str, sources: Sources) -> bool:
    return heads_anothers(text, sources.known_as, sources.is_word)


def _names_or_heads(text: str, sources: Sources) -> bool:
    """Whether a line heads another's words, or has somebody's name as a title has."""
    if _heads(text, sources):
        return True
    return names_somebody(text, sources.known_as, sources.is_word) and not greets(text)


def _tells(text: str, sources: Sources, *, orders: bool = False) -> bool:
    return tells_who_and_when(text, sources.known_as, sources.is_word, orders=orders)


def _is_said(line: Line, sources: Sources) -> bool:
    """Whether a line that orders something opens a quotation that goes on below it, or begins with who says so."""
    if not _UNMARKED.fullmatch(line.text) and is_open(line.text):
        return True
    head, *order = _COLON.split(line.text, maxsplit=1)
    if order and _heads(f"{head}:", sources):
        talk = isinstance(line.meaning, Talk)
        return not talk or any(isinstance(item, OrderLine) for item in sources.items_in(order))
    return _FIGURE.search(line.text) is not None and _tells(line.text, sources, orders=True)


def _is_talk(line: Line) -> bool:
    """Whether a line of the sender's is in words that are neither order nor command."""
    match line.meaning:
        case Talk(blank=False) | Complaint(of_order=False):
            return line.origin is Origin.OWN
    return False


def _is_any_talk(line: Line) -> bool:
    """Whether a line is talk, or of the sender's in words that are neither order nor command."""
    return isinstance(line.meaning, Talk) or _is_talk(line)


def _orders(line: Line) -> Iterator[tuple[str, object, Any]]:
    """The orders to units in an open line, each with the province of its unit, and the phase that it is for."""
    if line.fate is None and isinstance(line.meaning, OrderLine):
        for _, order in line.meaning.orders:
            if not isinstance(order, Declaration):
                yield order.unit.at.partition("/")[0], line.meaning.phase, order


def _ended(item: Item) -> Line:
    talk = isinstance(item, Talk)
    return settled(_elsewhere(item, Origin.BELOW_END), Reason.ENDED_TALK if talk else Reason.BELOW_END)


def _of_press(line: Line, sources: Sources) -> Line:
    """The line, settled if it is of press; headings are kept, for what is below them would be for another game."""
    match line.meaning:
        case PressBlock(body=body):
            written = f"{line.text}\n{body}"
        case CommandLine() | OrderLine() | Complaint() if not line.is_heading:
            written = "\n".join(line.texts)
        case _:
            return line
    if not (sources.press and sources.has_press(written)):
        return line
    return settled(replace(line, origin=Origin.PRESS), Reason.PRESS)


def _within(line: Line, ours: frozenset[str]) -> Line:
    """A line where a mail of ours stands: of ours or, if it asks for something that this has not, shown back."""
    if isinstance(line.meaning, Talk) or all(words_of(text) in ours for text in line.texts):
        return settled(replace(line, origin=Origin.OURS), Reason.OURS)
    return settled(replace(line, origin=Origin.WITHIN), Reason.WITHIN)


def _span(lines: Sequence[Line], ours: Ours) -> tuple[int, int, frozenset[str]]:
    """Where mails of ours are among the sender's lines, and their lines. Nothing is compared when there is nothing that
    could be acted on.
    """
    pieces = {line.number for line in lines if not isinstance(line.meaning, Talk)}
    sentences = [at for at, line in enumerate(lines) if _is_sentence(line) and line.number not in pieces]
    if not sentences or not any(line.asks for line in lines):
        return 0, 0, frozenset()
    words = [_NOT_OURS if isinstance(line.meaning, PressBlock) else words_of(line.text) for line in lines]
    start, end, known = ours.pasted(words, sentences)
    if start == end:
        return start, end, known
    above, below = lines[:start][::-1], lines[end:]  # an older mail of ours may differ in all but a sentence
    return start - _printed(above), end + _printed(below), known


def _is_sentence(line: Line) -> bool:
    """Whether it is talk too long to be written by chance, nor copy with the order form (as comments may be)."""
    if not isinstance(line.meaning, Talk) or line.meaning.blank or line.text.lstrip().startswith("#"):
        return False
    return is_sentence(line.text)


def _printed(lines: Sequence[Line]) -> int:
    """How many of these lines are orders as our mails print them, with the words between."""
    found = 0
    for number, line in enumerate(lines, 1):
        if isinstance(line.meaning, OrderLine) and line.meaning.printed:
            found = number
        elif not isinstance(line.meaning, Talk):
            break
    return found


# ---- lines that are not among the sender's own


def other_lines(message: Message, sources: Sources, ends: EndsText) -> Lines:
    """What else in a mail may be meant, and is not acted on."""
    lost = (settled_text(text, Origin.LOST, Reason.LOST) for text in message.left_out)
    files = (settled_text(name, Origin.ATTACHED, Reason.ATTACHED) for name in message.unread)
    apart = _asking(message.apart, (OrderLine, CommandLine, PressBlock), sources.items_in)
    return (
        *lost,
        *files,
        *(settled(_elsewhere(item, Origin.APART), Reason.APART) for item in apart),
        *_quoted_lines(message, sources, ends),
    )


EndsText: TypeAlias = Callable[[Sequence[str]], bool]
"""Whether one of these lines may end a text, such as press."""


def _asking(lines: Sequence[str], kinds: tuple[type, ...], items_in: ItemsIn) -> Sequence[Item]:
    return [item for item in items_in(lines) if isinstance(item, kinds)] if lines else ()


def _elsewhere(item: Item, origin: Origin) -> Line:
    return Line(0, item.text, origin, replace(item, line=0))


def _quoted_lines(message: Message, sources: Sources, ends: EndsText) -> Lines:
    """The quoted lines: of ours, or another's words, shown back where they look like orders or commands; and press
    among them that has such. Orders below a sentence of ours that the mail of ours has not may be filled in by the
    sender.
    """
    quoted, doubtful = message.quoted, {*message.doubtful}
    if not quoted:
        return ()
    new = [*sources.ours.not_ours(quoted)]
    texts = [quoted[at] for at in new]
    found: dict[int, Line] = dict(enumerate(settled_text(text, Origin.OURS, Reason.OURS) for text in quoted))
    found |= {at: settled_text(quoted[at], Origin.QUOTED, Reason.QUOTED_TALK) for at in new}
    known = (at for at, text in enumerate(quoted) if at not in new and is_sentence(text) and not OURS_BELOW.match(text))
    below = next(known, len(quoted))
    for item in _asking(texts, (OrderLine, CommandLine, Complaint), sources.items_in):
        changed = isinstance(item, OrderLine) and new[item.line - 1] > below and not sources.has_press(item.text)
        found[new[item.line - 1]] = _quoted(item, {item.text.strip()} if changed else doubtful)
    lines = tuple(found.values())
    if not new or not ends(quoted):
        return lines
    others = [line for line in quoted if not sources.has_press(line)]
    press = (item for item in sources.items_in(others) if isinstance(item, PressBlock) and _holds_any(item, texts))
    return (*(_quoted(item, doubtful) for item in press), *lines)


def _quoted(item: Item, doubtful: Collection[str]) -> Line:
    """What is among other words in a quotation or a signature is talk: a player may sign all mails so."""
    prose = isinstance(item, Complaint) and item.prose
    may_be_own = item.text.strip() in doubtful
    whole = Reason.DOUBTFUL if may_be_own else Reason.QUOTED
    line = _elsewhere(item, Origin.DOUBTFUL if may_be_own else Origin.QUOTED)
    return settled(line, Reason.QUOTED_PROSE if prose else whole)


def _holds_any(press: PressBlock, lines: Sequence[str]) -> bool:
    """Whether one of these lines is of the press."""
    return not {press.text.strip(), *(line.strip() for line in press.body.split("\n"))}.isdisjoint(lines)
