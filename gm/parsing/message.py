"""A whole mail: its lines as orders, commands, press, errors and small talk, in the order written.

Small talk is what people write around their orders; it is ignored without an error message. A line that looks like an
order or a command but is malformed is reported as an error, and does not affect the other lines.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from gm import patterns as re
from gm.board import Power, Province
from gm.cut import cut
from gm.errors import NotUnderstood
from gm.orders import Move
from gm.parsing import not_orders
from gm.parsing.command_lines import NO_COMMANDS, Call, CommandReader
from gm.parsing.command_syntax import SAYS_WHY, Orders, Syntax, single
from gm.parsing.game_names import Names, check_name, heading_in, no_names
from gm.parsing.headings import Section, sections
from gm.parsing.lexicon import Lexicon, in_latin
from gm.parsing.limiting import doubts
from gm.parsing.lists import names_in
from gm.parsing.orders import (
    Attributed,
    Fault,
    Reading,
    depends,
    helped,
    is_nothing_else,
    read_by_pieces,
    read_list,
    read_orders,
)
from gm.parsing.questions import OF_SOMETHING, asks, asks_beside, asks_what_if, sentences, without_telling_why, wonders
from gm.parsing.several_lines import MOST, QUOTED, Condition, FaultyBlock, check_astray, divides, options_in, unbroken
from gm.parsing.small_talk import (
    almost_names_a_unit,
    begins_like_order,
    is_remark,
    is_unfilled,
    mentions_place,
    without_bullet,
)
from gm.position import Phase, PhaseKind


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line of orders, or the part of a line under one heading; each order with the power that the line names, if any.

    `phase`: the phase that a heading in the mail says the orders are for; None without a heading. `matter` is the text
    of these orders only. `printed`: it is an order in short and in full, as our mails print them.
    """

    line: int
    text: str
    orders: tuple[Attributed, ...]
    phase: Phase | None = None
    matter: str = ""
    printed: bool = False


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A line that is a command. `below` are the lines of orders or options that belong to it, with their numbers;
    `phase` is as for an `OrderLine`.
    """

    line: int
    text: str
    name: str
    args: Mapping[str, Any]
    below: tuple[tuple[int, str], ...] = ()
    phase: Phase | None = None


@dataclass(frozen=True, slots=True)
class PressBlock:
    """Press to powers by name and `GM`, or to `ALL`; `body` is verbatim. `text` is the first line of the block.

    `kind` is the command that handles it: `press`, or another that takes a text; `manner` has words of `MANNERS`.
    """

    line: int
    text: str
    to: tuple[str, ...] | str
    body: str
    kind: str = "press"
    manner: frozenset[str] = frozenset()
    beyond: str = ""
    """What its heading says behind those whom it names."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A line that looked like an order, a command or press but was not understood. It is not acted on. `of_order`: it
    looked like an order; `prose`: it has one among other words.
    """

    line: int
    text: str
    error: NotUnderstood
    of_order: bool = False
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """Any other line. `mentions_board`: it names a place or begins like an order, so its writer may have meant it as
    one. `reason`: why a line that begins like an order is none; "" for every other line. `blank`: it is a line of our
    forms that was not filled in, or a heading.
    """

    line: int
    text: str
    mentions_board: bool
    reason: str = ""
    blank: bool = field(default=False, compare=False)
    unfilled: bool = field(default=False, compare=False)
    """It is a line of our forms that was not filled in."""


_HEADS = re.compile(r"(?<=[.;!?,])[ ]+(?:and )?(?:for |in )?(?P<name>[\w-]{1,40}+)[ ]?:(?=[ ])", re.IGNORECASE)
_BECAUSE = re.compile(rf"\s*+because\b[\s:,]*+(?:{OF_SOMETHING}[\s:,]*+)?(.*)", re.IGNORECASE)
"""The line that gives the reason for the command above it."""


_GOES_ON = re.compile(r"[,;.]\s(?:and|then|und|et)\s", re.IGNORECASE)
"""What may lead from a reason to what else is wanted."""


Below: TypeAlias = Sequence[tuple[int, str]]
"""The lines below a command, with their numbers; a reason that it shares with one below it has the number 0."""


def reason_apart(below: Below) -> tuple[str, list[tuple[int, str]]]:
    """The reason among the lines below a command of the gamemaster's, `BECAUSE it was lost`, or ""; and the others."""
    reasons = [" ".join(found[1].split()).rstrip(".! ") for _, text in below if (found := _BECAUSE.fullmatch(text))]
    return next(reversed(reasons), ""), [(number, text) for number, text in below if not _BECAUSE.fullmatch(text)]


def _reasons(below: Below) -> tuple[tuple[int, str], ...]:
    """The lines below a command that give its reason."""
    return tuple((number, text) for number, text in below if _BECAUSE.fullmatch(text))


Item: TypeAlias = OrderLine | CommandLine | PressBlock | Complaint | Talk


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """The content of a mail; `line` counts from 1. Empty lines are omitted, and `empty` are their numbers; `below` are
    the lines below END.
    """

    items: tuple[Item, ...]
    below: tuple[str, ...] = ()
    empty: frozenset[int] = frozenset()


def parse_message(
    text: str,
    lexicon: Lexicon | None,
    now: Phase | None,
    commands: CommandReader = NO_COMMANDS,
    own: Collection[Province] = (),
    games: Names = no_names,
    *,
    at_seat: bool = True,
) -> ParsedMessage:
    """Parse a mail received in the phase `now` from a person with pieces in the provinces `own`, who is in these
    `games`; `at_seat`: it was sent to a seat, where a season may head orders. Never raises.

    Without a lexicon and a phase (no game is known) orders are not parsed; without `commands`, only orders are.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    reader = _Reader(lines, lexicon, now, commands, own, games, at_seat=at_seat)
    reader.read()
    empty = frozenset(number for number, line in enumerate(lines, 1) if not line.strip())
    items = _with_shared_reasons(reader.items, commands.syntaxes)
    return ParsedMessage(items, tuple(filter(str.strip, reader.below)), empty)


def _with_shared_reasons(items: Sequence[Item], syntaxes: Mapping[str, Syntax]) -> tuple[Item, ...]:
    """The items, each command with the reason below the last one of those that stand directly below each other, if it
    has none of its own: as a line with the number 0. A reason in a command's line is for that command alone.
    """
    found, why, next_at = list[Item](), "", 0
    for item in reversed(items):
        syntax = syntaxes.get(item.name) if isinstance(item, CommandLine) else None
        if isinstance(item, CommandLine) and syntax is not None and syntax.says_why:
            own = _reasons(item.below)
            last = max((item.line, *(number for number, _ in item.below)))
            joined = syntax.below is not None or next_at == last + 1
            item = replace(item, below=(*item.below, (0, why))) if why and joined and not own else item
            private = isinstance(syntax.below, Orders)  # the reason for somebody's orders is for them
            shared = [text for number, text in own if number != item.line and not private]
            why, next_at = ("".join(shared[-1:]) if own else why if joined else ""), item.line
        elif isinstance(item, Talk) and _BECAUSE.fullmatch(item.text) and not why:
            why, next_at = item.text, item.line  # below a command that could not be read
        elif isinstance(item, Complaint) and why and next_at == item.line + 1:
            next_at = item.line
        elif not (found and found[-1].line == item.line):  # `spring: EXTEND 24h` has its heading on the line
            why = ""
        if found and isinstance(item, Talk) and item.text.lstrip().startswith(_LOUD_REASON):
            found[-1] = _with_reason_above(item, found[-1], syntaxes)
        found.append(item)
    return tuple(reversed(found))


_LOUD_REASON = "BECAUSE"


def _with_reason_above(talk: Talk, item: Item, syntaxes: Mapping[str, Syntax]) -> Item:
    """A command directly below a reason that is for none above it, with that, if it has none of its own."""
    if not isinstance(item, CommandLine) or not syntaxes[item.name].says_why or item.line != talk.line + 1:
        return item
    return item if _reasons(item.below) else replace(item, below=(*item.below, (0, talk.text)))


MAXIMAL_COMPLAINTS = 100
"""Parsing stops after this many errors: each one costs a search for the nearest name."""
_OBJECTLESS = re.compile(
    r"(?P<unit>\S.{0,60}?)[ ]+(?P<verb>[cs]|conv(?:oy)?s?|supp?(?:ort)?s?)(?:[ ]+(?:it|him|her|this|that|them))?",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"[;,.|]\s*([A-Z]+(?: [A-Z]+)?)[.!]?\s*$")
_ENDS_LOUDLY = re.compile(
    r"(?P<head>(?:(?!\b(?:if|unless|not|never|says?|said|writes?|written|means?|what|how|why|wenn|falls|nicht|kein\w*|si|ne)\b|n't)"
    r"[^?:])++):\s++(?P<line>(?-i:[A-Z]{3}).*)",
    re.IGNORECASE,
)
"""An item that ends with a command: what it is for, which is no condition and no question, and the command."""
_JOINT, _MOST_JOINTS = re.compile(r"[,;]\s*|(?<=[^\W\d_]{3})[.]\s+"), 10
_MOST_ASKING = 100  # lines with a question that are looked at for orders beside it
_MOST_BEFORE = 3  # the most words before an order that are not taken for a sentence of which it is a part


_ORDER = re.compile(r"[A-Z] [A-Z][\w/]+(?:(?: ?- ?| )[A-Z](?:[\w/]+)?){1,8}+ ?")
"""`A Par-Bur`, `F NTH C A Lon - Bel`, `A Mun H`: pieces, places and what they do, each with a capital."""
_ALL_GAMES = re.compile(r"\s*+all games[\w ,-]{0,200}+:\s*+(?=\S)", re.IGNORECASE)
"""What heads a command that is for all games, or all but some."""
_FOR_GAMES = re.compile(
    r"(?P<title>[^:]{3,40}?) (?:for|in|of) (?:the )?(?:games? )?(?P<names>[\w ,&-]{1,300}?) ?:? ?", re.IGNORECASE
)


class _Reader:
    """The state of the parser: the current line, and the power and the phase of the last headings."""

    def __init__(
        self,
        lines: list[str],
        lexicon: Lexicon | None,
        now: Phase | None,
        commands: CommandReader,
        own: Collection[Province],
        games: Names,
        *,
        at_seat: bool,
    ) -> None:
        self.items: list[Item] = []
        self.below: list[str] = []
        self._whole = lines  # as written: press is carried whole
        self._lines = [cut(line).text for line in lines]
        self._at = 0
        self._complaints = 0
        self._reasons = 0
        self._searches = 0
        self._heading: Power | None = None
        self._named: Phase | None = None
        self._named_above: Phase | None = None
        """The phase of the heading that stays valid after the next empty line."""
        self._condition = Condition(self._lines)
        self._block: list[tuple[int, str]] | None = None
        self._block_begins = 0
        self._divided = self._sentences = -1
        """The places of the last line that is read as several, and of the last one that is read by its sentences."""
        self._asking = 0
        self._lexicon = lexicon
        self._now = now
        self._commands = commands
        self._own = own
        self._games = games
        self._at_seat = at_seat
        self._slips = 0
        self._reading = cache(self._read_orders)  # a line is read repeatedly

    def read(self) -> None:
        self._read_lines()
        self._close_block()
        self.items[:] = map(self._with_object, self.items)

    def _with_object(self, item: Item) -> Item:
        """The item; a support or convoy without what it is for as that of the move in the mail that it fits, if it fits
        one only: `F Nth convoys it`.
        """
        found = _OBJECTLESS.fullmatch(item.text.strip(" .,;!")) if isinstance(item, Complaint) else None
        if found is None or self._lexicon is None or self._now is None or self._now.kind is not PhaseKind.MOVEMENT:
            return item
        moves = (one for line in self.items if isinstance(line, OrderLine) for _, one in line.orders)
        ways = (helped(found["unit"], found["verb"], move, self._lexicon) for move in moves if isinstance(move, Move))
        orders = [way for way in ways if way is not None]
        return OrderLine(item.line, item.text, ((None, orders[0]),), matter=item.text) if len(orders) == 1 else item

    def _read_lines(self) -> None:
        while self._at < len(self._lines):
            number, text = self._at + 1, self._lines[self._at]
            if self._complaints >= MAXIMAL_COMPLAINTS:
                self._complain(number, text, not_orders.hopeless(text, MAXIMAL_COMPLAINTS))
                return
            if not text.strip():
                self._heading = None
                self._named = self._named_above
                self._at += 1
                if self._block and self._ends_at_a_gap():
                    self._close_block()
            elif self._block is not None and self._commands.end_of_block.fullmatch(text):
                self._at += 1
                self._close_block()
            elif self._is_order(text):
                self._at += 1
                self._orders(number, text)
            elif not (self._games_of_text(number, text) or self._text_block() or self._game(number, text)) and not (
                self._several(number, text)
            ):
                self._at += 1
                if self._line(number, text):
                    self.below = self._whole[self._at :]
                    return

    def _is_order(self, text: str) -> bool:
        """Whether a line is an order as most are written, which has nothing of what may make another thing of it."""
        return _ORDER.fullmatch(text) is not None and self._orders_in(text).is_whole

    def _text_block(self) -> bool:
        """Parse a block of text, if one begins here. Text after its ENDPRESS is parsed as a separate line."""
        first, text = self._at, self._lines[self._at]
        block = self._commands.texts.read(self._whole, first, self._lexicon)
        if block is None:
            return False
        if text.rstrip().endswith(":") and self._begins_below(first):
            self.items.append(Talk(first + 1, text, mentions_board=False))
            self._at = first + 1
            return True
        self._at = block.last + 1
        if isinstance(block, FaultyBlock):
            self._complain(first + 1, "\n".join(self._whole[first : self._at]), block.error)
            return True
        self.items.append(PressBlock(first + 1, text, block.to, block.body, block.kind, block.manner, block.beyond))
        if block.rest.strip():
            self._at = block.last
            self._whole[self._at], self._lines[self._at] = block.rest, cut(block.rest).text
        return True

    def _begins_below(self, at: int) -> bool:
        """Whether the next line begins a text itself, so that this one only heads it: `House rules for all games:`."""
        below = next(filter(str.strip, self._lines[at + 1 :]), "")
        every = _ALL_GAMES.match(below)
        return self._commands.texts.begins(below[every.end() :] if every is not None else below)

    def _game(self, number: int, text: str) -> bool:
        """Parse the name of a game, if the line begins with one as a heading; the rest is the next line."""
        below = self._lines[number:]
        seat, season = self._at_seat, self._heads_seasons
        found = heading_in(text, below, self._games, self._commands, self._lexicon, at_seat=seat, season=season)
        if found is None:
            return False
        self._close_block()
        self.items.append(CommandLine(number, text[: found.end].strip(), "game", {"game": found.name}))
        rest = text[found.end :]
        self._go_on_with(rest and " " * found.end + rest)
        return True

    def _games_of_text(self, number: int, text: str) -> bool:
        """Parse the games on the line of a command that has a text or orders below it: `ALL GAMES: OFFICIAL`, `House
        rules for spring and mist:`; the command is the next line.
        """
        every, some = _ALL_GAMES.match(text), _FOR_GAMES.fullmatch(text)
        if every is not None and self._has_lines_below(text[every.end() :]):
            heading: Item = Talk(number, every[0].strip(), mentions_board=False)
            rest = text[every.end() :]
        elif some is not None and self._is_text_for(some["title"], names := names_in(some["names"].lower())):
            heading, rest = CommandLine(number, text, "game", {"game": ", ".join(names)}), some["title"]
        else:
            return False
        self._close_block()
        self.items.append(heading)
        self._go_on_with(rest)
        return True

    def _has_lines_below(self, text: str) -> bool:
        return self._commands.texts.begins(text) or self._commands.opens_orders(text)

    def _is_text_for(self, title: str, names: Sequence[str]) -> bool:
        """Whether a text begins, of which the end is in the mail, and these are names of games."""
        texts = self._commands.texts
        ours = bool(names) and {*names} <= {*self._games()}
        return ours and texts.begins(title) and texts.end_in(self._lines[self._at :])

    @cached_property
    def _heads_seasons(self) -> bool:
        """Whether `spring:` heads orders for the season: at a seat, in a mail that names no other game as a heading."""
        return self._at_seat and not any(
            heading_in(line, (), self._games, self._commands, self._lexicon) for line in self._lines if ":" in line
        )

    def _several(self, number: int, text: str) -> bool:
        """Parse a line that stands for several: the first of them, or each with a name of its list."""
        several = self._part(number, text) or self._each(number, text) or self._sentence(number, text)
        several = several or self._headed(number, text) or self._orders_behind(number, text)
        return several or self._command_first(number, text)

    def _go_on_with(self, rest: str) -> None:
        """Let the rest of a line that is parsed in parts be the next line."""
        self._whole[self._at] = self._lines[self._at] = rest

    def _orders_behind(self, number: int, text: str) -> bool:
        """Parse a command below which orders stand, and that has the first of them behind a colon, `ORDERS FOR Italy:
        A VEN-TYR`; these are the next line.
        """
        head, _, behind = text.partition(":")
        if not behind.strip() or not self._commands.opens_orders(head) or not self._is_command(head):
            return False
        self._go_on_with(behind.strip())
        self._line(number, head)
        return True

    def _headed(self, number: int, text: str) -> bool:
        """Parse what is before the name of another game that begins behind a sentence, `48h. duel: 24h`; the rest is
        the next line.
        """
        heads = (one for one in _HEADS.finditer(text) if one["name"].lower() in self._games())
        found = next((one for one in heads if text[one.start() - 1] != "," or self._heads(text, one)), None)
        if found is None or self._block is not None:
            return False
        self._go_on_with(text[found.start("name") :])
        self._line(number, text[: found.start()])
        return True

    def _heads(self, text: str, name: re.Match[str]) -> bool:
        """Whether the name of a game behind a comma heads what follows: another is headed before it, or a command ends
        there, and no list of games.
        """
        before = text[: name.start()].rstrip(", ")
        is_list = before[-1:].isalnum() and before.split()[-1].lower() in self._games()
        return ":" in before or (
            not is_list and self._commands.name_of(before) is not None and self._is_command(before)
        )

    def _command_first(self, number: int, text: str) -> bool:
        """Parse the first sentence of a line as a command, if it is one and all of the line is none; the rest is the
        next line.
        """
        if self._block is not None or self._commands.name_of(text) is None or text.isupper():
            return False
        first, *others = sentences(text)
        if not others or self._is_command(text) or not self._is_command(first.rstrip(".")):
            return False
        self._go_on_with(text.strip()[len(first) :].strip())
        self._line(number, first.rstrip("."))
        return True

    def _sentence(self, number: int, text: str) -> bool:
        """Parse the first part of a line in which a sentence orders and another asks; the rest is the next line. What
        is beside a question in its own sentence, `F Lon-Nth, who is winning?`, is offered.
        """
        if self._block is not None or text.lstrip().startswith(QUOTED):
            return False
        first, *others = sentences(text) or [text]
        if not others:
            return self._before_question(first)
        if self._sentences != self._at and not self._asks_beside((first, *others)):
            return False
        self._sentences = self._at
        self._go_on_with(text.strip()[len(first) :].strip())
        self._line(number, first)
        return True

    def _asks_beside(self, every: Sequence[str]) -> bool:
        """Whether some of these sentences have orders, and others are questions without any; and none a condition."""
        if not any(map(wonders, every)) or not self._may_ask():
            return False
        orders = [bool(self._ordered_in(one).orders) for one in every]
        others = [one for one, ordered in zip(every, orders, strict=True) if not ordered]
        if any(map(doubts, others)):
            return False
        told = " ".join(one for one in every if not (one in others and asks(one)))  # `what happens if we bounce?`
        return any(map(wonders, others)) and any(orders) and not self._depends(told)

    def _may_ask(self) -> bool:
        self._asking += 1
        return self._asking <= _MOST_ASKING

    def _before_question(self, sentence: str) -> bool:
        """Parse the orders before a question in their sentence; the question is the next line."""
        joint = self._joint_of_question(sentence)
        if joint is None:
            return False
        self._go_on_with(sentence[joint.end() :])
        ordered = sentence[: joint.start()]
        if "." in joint[0]:
            self._line(self._at + 1, ordered)
        else:
            self._complain(self._at + 1, ordered, not_orders.mixed(sentence), of_order=True, prose=True)
        return True

    def _joint_of_question(self, sentence: str) -> re.Match[str] | None:
        """What stands between the orders before a question and the question; None without any."""
        joints = [*_JOINT.finditer(sentence)][:_MOST_JOINTS]
        asking = [joint for joint in joints if asks_beside(sentence[joint.end() :])]
        if not asking or not self._may_ask() or self._depends(sentence):
            return None
        for joint in reversed(asking):
            before = self._ordered_in(sentence[: joint.start()])
            if before.is_whole and not (before.loose or self._ordered_in(sentence[joint.end() :]).orders):
                return joint
        return None

    @property
    def _phase(self) -> Phase:
        """The phase that the lines here are for: the one named above, or the present one, which must be known."""
        phase = self._named or self._now
        assert phase is not None
        return phase

    def _depends(self, text: str) -> bool:
        if self._lexicon is None or self._now is None:
            return False
        return depends(text, self._lexicon, self._phase.kind)

    @property
    def _tries_slips(self) -> bool:
        """Whether lines are still tried as they may be meant, each of which takes long: not if many had a slip."""
        return self._slips < MAXIMAL_COMPLAINTS

    def _read_orders(self, lexicon: Lexicon, kind: PhaseKind, text: str) -> Reading:
        """What a text orders; one with a slip is tried as it may be meant."""
        reading = read_orders(text, lexicon, kind, slips=self._tries_slips)
        self._slips += any(fault.meant for fault in reading.faults)
        return reading

    def _orders_in(self, text: str, phase: Phase | None = None) -> Reading:
        """What a text orders in a phase, or else in that which the lines here are for; nothing without a game."""
        if self._lexicon is None or self._now is None:
            return Reading((), ())
        return self._reading(self._lexicon, (phase or self._phase).kind, text)

    def _ordered_in(self, text: str, phase: Phase | None = None) -> Reading:
        """The same, also if it depends on where its sender has pieces."""
        reading = self._orders_in(text, phase)
        if reading.orders or self._lexicon is None or self._now is None:
            return reading
        return read_by_pieces(text, self._lexicon, (phase or self._phase).kind, self._own) or reading

    def _each(self, number: int, text: str) -> bool:
        """Parse a command that takes one power or game, and is written with a list of them: `EJECT Turkey, France`."""
        lines = self._commands.one_each(text, self._lexicon, self._games) if self._block is None else ()
        if not lines or not all(map(self._is_command, lines)):
            return False
        self._at += 1
        begin = len(self.items)
        for line in lines:
            self._line(number, line)
        first, *others = self.items[begin:]
        reasons = _reasons(first.below) if isinstance(first, CommandLine) else ()
        why = tuple((0, text) for _, text in reasons)  # the line below them is read with the first
        self.items[begin + 1 :] = [
            replace(one, below=(*one.below, *why)) if isinstance(one, CommandLine) else one for one in others
        ]
        return True

    def _part(self, number: int, text: str) -> bool:
        """Parse the first of several lines that are written as one, `CORRECT F1901M NOW / A PAR-BUR / BECAUSE it was
        lost`, as our mails print them; the rest is the next line.
        """
        first, slash, rest = text.partition(" / ")
        if not slash or not (self._divided == self._at or self._begins_several(text, first, rest)):
            return False
        self._divided = self._at
        self._go_on_with(rest)
        self._line(number, first)
        return True

    def _begins_several(self, text: str, first: str, rest: str) -> bool:
        """Whether a line that is no command has one at its beginning, and behind it another or what belongs to it."""
        name = self._commands.name_of(first)
        if name is None or self._is_command(text) or not self._is_command(first):
            return False
        syntax = self._commands.syntaxes[name]
        return not syntax.ends_mail and (isinstance(syntax.below, Orders) or self._commands.name_of(rest) is not None)

    def _is_command(self, text: str) -> bool:
        with suppress(NotUnderstood):
            return self._read(text) is not None
        return False

    def _line(self, number: int, text: str) -> bool:
        """Parse one line; true when it ends the mail."""
        if text.lstrip().startswith(QUOTED):
            self._talk(number, text)
            return False
        try:
            if cut(self._whole[number - 1]).rest:
                raise not_orders.too_long(text)
            line = self._command(number, text)
            if line is None and self._block is None:
                check_name(text, self._commands, self._lexicon)
                check_astray(text, self._commands.syntaxes, refused_above=self._refused_above(number))
        except NotUnderstood as error:
            name = self._commands.name_of(text)
            if self._commands.opens_orders(text) or (name is None and self._block is not None):
                self._close_block()  # whatever it was to be, the lines below it are not for what is above it
                self._block_begins, self._block = len(self.items), []
            elif name and self._ends_block(self._commands.syntaxes[name]):
                self._close_block()
            self._complain(number, text, error)
            return False
        if line is None:
            self._orders(number, text)
            return False
        syntax = self._commands.syntaxes[line.name]
        if isinstance(syntax.below, Orders):
            self._open_block(line)
            return False
        if self._ends_block(syntax):
            self._close_block()
        self.items.append(line)
        return syntax.ends_mail

    def _read(self, text: str) -> Call | None:
        return self._commands.read_for(text, self._lexicon, self._games)

    def _heads_orders(self, text: str, call: Call) -> bool:
        """Whether a question is a heading, `My orders F1901M` above an order; or a command is one in what is above."""
        if call.name in self._of_block.headings:
            return True
        below = next(filter(str.strip, self._lines[self._at :]), "")
        if not self._commands.syntaxes[call.name].asks or self._lexicon is None or self._now is None or not below:
            return False
        named = sections(text, self._lexicon, self._now)[-1]
        return named.alone and bool(self._orders_in(below, named.phase or self._now).orders)

    def _refused_above(self, number: int) -> bool:
        """Whether a line that is no order was refused directly above."""
        last = self.items[-1] if self.items else None
        return isinstance(last, Complaint) and not last.of_order and last.line == number - 1

    def _listed_command(self, text: str) -> Call | None:
        """The command that an item of a list is, if it is one without doubt, or with which it ends, in capitals: `- on
        Tuesday: SCHEDULE Tuesday 19:00: REMIND`.
        """
        if (plain := without_bullet(text)) == text:
            return None
        with suppress(NotUnderstood):
            if (call := self._commands.read(plain, self._lexicon)) is not None:
                return call
        said = _ENDS_LOUDLY.fullmatch(plain)
        with suppress(NotUnderstood):
            call = self._commands.read(said["line"], self._lexicon) if said is not None else None
            named = {word.lower() for word in re.findall(r"[\w-]+", said["head"])} if said is not None and call else ()
            game = next((name for name in self._games() if name in named), "") if named else ""
            return Call(call.name, MappingProxyType({**call.args, "game": game})) if call and game else call
        return None

    def _command(self, number: int, text: str) -> CommandLine | None:
        """The command that a line is, with the options or addresses below it; None if it is none, or heads orders."""
        if self._block is not None and divides(text):
            return None
        whole, (text, why) = text, self._with_reason(text)
        people = self._people_below(text)
        call = self._read(f"{text} {people}".strip() if people else text) or self._listed_command(text)
        call = None if call is not None and self._heads_orders(text, call) else call
        if (call := call or self._of_people(number, text)) is None:
            return None
        line = self._with_options(number, text, call)
        following = "".join(self._lines[self._at : self._at + 1])
        if people or (self._commands.syntaxes[line.name].says_why and _BECAUSE.fullmatch(following)):
            line, self._at = replace(line, below=((number + 1, following),)), self._at + 1
        return replace(line, text=whole, below=(*line.below, (number, why))) if why else line

    def _with_reason(self, text: str) -> tuple[str, str]:
        """A line without the reason behind its command, and this; "" if it has none, or goes on to another command."""
        name = self._commands.name_of(text)
        if name is None or not self._commands.syntaxes[name].says_why:
            return text, ""
        head, _, why = SAYS_WHY.sub("\n", text, count=1).partition("\n")
        orders = isinstance(self._commands.syntaxes[name].below, Orders) and ". " in why  # a sentence of these, perhaps
        goes_on = orders or any(map(self._commands.name_of, _GOES_ON.split(why)[1:]))
        return (text, "") if goes_on else (head, without_telling_why(why))

    def _people_below(self, text: str) -> str:
        """The addresses of the next line, for a command that is written above lines of them, `INVITE`; else ""."""
        below = self._lines[self._at] if self._at < len(self._lines) else ""
        if "@" not in below:
            return ""
        words = {syntax.people_below for syntax in self._commands.syntaxes.values()} - {""}
        return without_bullet(below).strip() if text.strip(" :*").upper() in words else ""

    def _of_people(self, number: int, text: str) -> Call | None:
        """The command that a line of addresses stands for, `ann@example.org AS France`, directly below one such."""
        above = self.items[-1] if self.items else None
        if "@" not in text or not isinstance(above, CommandLine):
            return None
        last = above.below[-1][0] if above.below else above.line
        word = self._commands.syntaxes[above.name].people_below
        if not word or last != number - 1:
            return None
        with suppress(NotUnderstood):
            return self._commands.read(f"{word} {without_bullet(text).strip()}", self._lexicon)
        return None

    def _open_block(self, header: CommandLine) -> None:
        """Let the lines of orders below belong to this command. PHASE NOW only ends the previous block."""
        self._close_block()
        if header.args.get("code") == "NOW":
            return
        self._block_begins, self._block = len(self.items), None if header.args.get("none") else []
        self.items.append(header)

    def _close_block(self) -> None:
        """Return to orders for the present phase."""
        if self._block is not None:
            header = self.items[self._block_begins]
            if isinstance(header, CommandLine):
                self.items[self._block_begins] = replace(header, below=tuple(self._block))
            elif isinstance(header, Complaint):
                error = NotUnderstood(header.error.problem, header.error.remedy)
                self.items += (Complaint(number, text, error, of_order=True) for number, text in self._block)
            self._block = None

    def _ends_block(self, syntax: Syntax) -> bool:
        """Whether a command ends the lines of orders above it."""
        return syntax.ends_orders or (self._block is not None and self._ends_at_a_gap())

    def _ends_at_a_gap(self) -> bool:
        return self._of_block.to_gap

    @property
    def _of_block(self) -> Orders:
        """How the lines of orders are written that belong to the command above."""
        header = self.items[self._block_begins] if self._block is not None else None
        below = self._commands.syntaxes[header.name].below if isinstance(header, CommandLine) else None
        return below if isinstance(below, Orders) else Orders()

    def _with_options(self, number: int, text: str, call: Call) -> CommandLine:
        """The command with the options below it, if it takes some."""
        line = CommandLine(number, text, call.name, call.args, phase=self._named)
        if not self._commands.syntaxes[call.name].takes_options:
            return line
        found, ended = options_in(self._lines[self._at :], self._commands.name_of)
        options = single((*call.args["options"].items(), *found))
        below = tuple(enumerate(self._lines[self._at : self._at + len(found)], self._at + 1))
        self._at += len(found) + ended
        return replace(line, args=MappingProxyType({**call.args, "options": options}), below=below)

    def _orders(self, number: int, text: str) -> None:
        """Parse a line that is not a command: orders, small talk, or both (see `tests/parsing/test_talk.py`)."""
        if self._lexicon is None or self._now is None:
            if self._block is not None:
                self._block.append((number, text))
            else:
                self._talk(number, text)
            return
        listed, taken = text, 1
        if self._block is None:
            listed, taken = read_list([text, *self._lines[self._at :]], self._lexicon, self._now.kind, self._own)
        if taken == 1 and listed == text and self._tries_slips:
            text, taken = unbroken([text, *self._lines[self._at : self._at + MOST]], self._orders_in)
            listed = text
        self._at += taken - 1
        if self._block is not None:
            self._block.append((number, text))
            return
        if (last := self._command_behind(text)) is not None:
            self._line(number, text[:last])
            self._line(number, text[last + 1 :])
            return
        for section in sections(self._respelt(listed), self._lexicon, self._now):
            self._section(number, text, section, self._lexicon, self._now)

    def _command_behind(self, text: str) -> int | None:
        """Where the sign stands that parts orders from the command in capitals behind them: `A PAR-BUR; READY`."""
        found = _BEHIND.search(text)
        if found is None or self._commands.name_of(found[1]) is None:
            return None
        return found.start() if self._orders_in(text[: found.start()]).is_whole else None

    def _respelt(self, text: str) -> str:
        """The text in Latin letters, if it has others and is an order only in one way of writing them so."""
        if not self._tries_slips or not (ways := in_latin(text)) or self._orders_in(text).orders:
            return text
        readings = {way: self._orders_in(way) for way in ways}
        orders = {way: reading.orders for way, reading in readings.items() if reading.is_whole}
        same = all(one == next(iter(orders.values())) for one in orders.values())
        return next(iter(orders)) if orders and same else text

    def _section(self, number: int, text: str, section: Section, lexicon: Lexicon, now: Phase) -> None:
        """Parse the part of a line under one heading."""
        if "?" in section.text and asks_what_if(section.text):
            self._talk(number, text)
            return
        phase = section.phase or self._named
        reading = self._ordered_in(section.text, phase)
        meant = _meant_in(reading, section.text)
        if section.alone:
            self._named = self._named_above = phase
        elif reading.orders or meant:
            self._named = phase
        covered = self._condition.covers(number, text, ordered=bool(reading.orders))
        if (reading.orders or meant) and (covered or depends(section.text, lexicon, (phase or now).kind)):
            self._complain(number, text, not_orders.conditional(text), of_order=True)
            return
        if reading.orders and len(meant) < len(reading.faults):
            self._complain(number, text, not_orders.mixed(text), of_order=True, prose=True)
            return
        if reading.orders:
            orders = tuple((power or section.power or self._heading, order) for power, order in reading.orders)
            self.items.append(OrderLine(number, text, orders, phase, section.text.strip(), reading.told_twice))
        said: set[str] = set()
        for error in (fault.complain() for fault in meant):
            if str(error) in said:
                self._complaints += 1  # it took as long as another
            else:
                self._complain(number, text, error, of_order=True)
                said.add(str(error))
        if not reading.orders and not meant:
            self._heading = section.power or (reading.heading if not reading.faults else None)
            filled = next((one for one in reading.faults if not is_unfilled(one.form, lexicon.language)), None)
            self._talk(number, text, filled, words=filled is not None, unfilled=bool(reading.faults) and not filled)

    def _complain(self, number: int, text: str, error: NotUnderstood, **kind: bool) -> None:
        self._complaints += 1
        self.items.append(Complaint(number, text, error, **kind))

    def _talk(
        self, number: int, text: str, fault: Fault | None = None, *, words: bool = True, unfilled: bool = False
    ) -> None:
        words = words or is_remark(text)
        lexicon, reason, unfilled = self._lexicon, "", unfilled and not words
        if lexicon is None or not words:
            self.items.append(Talk(number, text, False, blank=not words, unfilled=unfilled))
            return
        like_order = begins_like_order(text, lexicon, self._own)
        foreign = any(begins_like_order(way, lexicon, self._own) for way in in_latin(text))
        if (like_order or foreign) and self._reasons < MAXIMAL_COMPLAINTS:
            self._reasons += 1
            reason = str(
                not_orders.foreign(text) if foreign else fault.complain() if fault else not_orders.unlike(text)
            )
        mentions = like_order or foreign or self._mentions(text, lexicon)
        if mentions and not reason and self._ends_with_order(text, lexicon):
            self._reasons += 1
            reason = str(not_orders.mixed(text))
        self.items.append(Talk(number, text, mentions, reason))

    def _ends_with_order(self, text: str, lexicon: Lexicon) -> bool:
        """Whether a line is an order behind one or a few other words: `I order F Lon-Nth`."""
        words = text.split() if self._reasons < MAXIMAL_COMPLAINTS else []
        tails = (" ".join(words[number:]) for number in range(1, min(len(words), _MOST_BEFORE + 1)))
        found = (self._orders_in(tail) for tail in tails if is_nothing_else(tail, lexicon))
        return any(reading.is_whole and not reading.loose for reading in found)

    def _mentions(self, text: str, lexicon: Lexicon) -> bool:
        self._searches += not (named := mentions_place(text, lexicon))
        return named or (self._searches <= MAXIMAL_COMPLAINTS and almost_names_a_unit(text, lexicon))


def _meant_in(reading: Reading, text: str) -> list[Fault]:
    """What of a text are orders with a mistake: nothing of one that wonders."""
    wonders_only = not reading.orders and "?" in text and asks(text)
    return [] if wonders_only else [fault for fault in reading.faults if fault.meant]
