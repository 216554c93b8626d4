"""Quotations in a mail: other people's press and announcements, and lines of our own mails.

Mail clients wrap lines after quoting them, and the text after a line break loses its quote mark: a part of somebody's
press then looks like the sender's own order. So a line that occurs in press which the mail answers is a quotation,
however it is wrapped.

We recognize our own mails by their lines, because we know what we sent. The order form in them is meant to be edited
and sent back, and any order may be copied from them: only lines that are together with sentences of ours are a
quotation. Changes within a quotation, marked or not, are never acted on, and always reported. Neither is the subject.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gm.commands.context import Context
from gm.commands.press import deferred_press, is_for
from gm.games.snapshot import Game, Seat
from gm.mail.message.addresses import hidden
from gm.mail.message.attribution import SUBJECT_MARKS
from gm.mail.message.bodies import all_lines
from gm.mail.message.incoming import Message
from gm.parsing.lexicon import Lexicon, shorten
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, ParsedMessage, PressBlock, Talk, parse_message
from gm.store import records, sent
from gm.store.records import PressRow

_LINK = re.compile(r"<?\b(?:https?|mailto|ftp):\S*", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_REMARK = re.compile(r"\A\s*(#)")
_NEWEST = 20
"""How many of a game's newest press messages are considered when a mail does not say what it answers."""
_MAILS = 4
"""The number of our mails that are compared with an incoming one: of those that it cites, and of the newest."""
_SENTENCE = 4  # words; a shorter line may be anybody's
_WRAPPED = 50  # characters; a line of ours may come back in pieces that are as long
_SHOWN = 5
_LONGEST_ADDRESS = 100
_QUOTED_ABOVE = "send them again without the quote marks"
"""The end, as words, of the sentence in a receipt above the quoted lines that may have been meant."""
_NUMBER_ABOVE = re.compile(r"line \d+")


class Ours:
    """The lines of those of our mails that a mail may quote; read when they are first needed."""

    def __init__(self, fetch: Callable[[], Sequence[bytes]]) -> None:
        self._fetch = fetch

    @cached_property
    def _mails(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(map(_words, all_lines(raw))) for raw in self._fetch())

    @cached_property
    def _written(self) -> tuple[str, ...]:
        return tuple(line for mail in self._mails for line in mail)

    @cached_property
    def _lines(self) -> frozenset[str]:
        return frozenset(self._written)

    @cached_property
    def _said_back(self) -> frozenset[str]:
        return frozenset(mail[at] for mail in self._mails for at in _said_back(mail))

    @cached_property
    def _of_ours(self) -> frozenset[str]:
        return frozenset(line for mail in self._mails for line in _left(mail, _said_back(mail)))

    @cached_property
    def _text(self) -> str:
        return f" {' '.join(self._written)} "

    def has_line(self, line: str) -> bool:
        """Whether a line of ours has exactly these words."""
        return _words(line) in self._lines

    def edited(self, quoted: Sequence[str]) -> tuple[str, ...]:
        """The quoted lines that we did not write. Lines of theirs that a receipt of ours says were not acted on are
        ours only in that place: they may be sent again, quoted as before.
        """
        words = tuple(map(_words, quoted))
        there = frozenset(_said_back(words, self._said_back))
        new = (at for at, line in enumerate(words) if at not in there and line not in self._of_ours)
        return tuple(quoted[at] for at in new if len(quoted[at]) <= _WRAPPED or not self.has_words(quoted[at]))

    def has_words(self, line: str) -> bool:
        """Whether one of our mails contains these words, however its lines were wrapped."""
        return f" {_words(line)} " in self._text


@dataclass
class Quotations:
    """What a mail quotes; `found` are its lines that occurred among the sender's own."""

    press: Sequence[str] = ()
    ours: Ours = field(default_factory=lambda: Ours(tuple))
    found: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """Orders and commands between lines of ours that we did not write."""
    writers: Sequence[str] = ()
    """The powers, as PRESS TO names them, of the press that the mail answers."""

    def without(self, parsed: ParsedMessage) -> ParsedMessage:
        """What the sender wrote, without lines of others."""
        self.found.clear()
        self.changed.clear()
        items = [item for item in parsed.items if not (self.press and self._is_quoted(item))]
        start, end = self._span(items)
        for item in items[start:end]:
            if not isinstance(item, Talk) and not self.ours.has_line(item.text):
                self.changed.append(item.text)
        return ParsedMessage((*items[:start], *items[end:]))

    def _span(self, items: Sequence[Item]) -> tuple[int, int]:
        """Where a mail of ours is among the sender's lines: from its first sentence to its last, with adjacent lines of
        ours. Nothing is compared when there is nothing that could be acted on.
        """
        talk = ((at, item) for at, item in enumerate(items) if isinstance(item, Talk) and not item.blank)
        sentences = [at for at, item in talk if _is_sentence(item.text)]
        if not sentences or all(isinstance(item, Talk) for item in items):
            return 0, 0
        quoted = [at for at in sentences if self.ours.has_words(items[at].text)]
        if not quoted:
            return 0, 0
        start, end = quoted[0], quoted[-1] + 1
        while start > 0 and self._is_ours(items[start - 1]):
            start -= 1
        while end < len(items) and self._is_ours(items[end]):
            end += 1
        return start, end

    def _is_ours(self, item: Item) -> bool:
        return not isinstance(item, PressBlock) and self.ours.has_line(item.text)

    def edited(self, quoted: Sequence[str]) -> tuple[str, ...]:
        """The quoted lines of a mail that we did not write: they may have been changed on purpose."""
        return self.ours.edited(quoted)

    def not_press(self, quoted: Sequence[str]) -> tuple[str, ...]:
        """The quoted lines of a mail that are not of other people's press."""
        return tuple(line for line in quoted if not self._is_press(line))

    def not_sent(self, text: str) -> tuple[str, ...]:
        """What the reply says when a mail answers press, and asks for nothing: its words went to nobody."""
        own = [line.strip() for line in text.split("\n") if line.strip()]
        if not self.writers or not own:
            return ()
        to = ", ".join(self.writers)
        how = f"To answer the press, write PRESS TO {to}, below it your text, and below that ENDPRESS."
        return (f"You answered press, but your words were sent to nobody: {_listed(own)}. {how}",)

    def _is_press(self, text: str) -> bool:
        words = _words(text)
        return bool(words) and any(f" {words} " in press for press in self.press)

    @property
    def said(self) -> tuple[str, ...]:
        """What the reply says about these lines."""
        how = " If you mean it yourself, send it in a new mail that is not a reply."
        said = []
        if self.found:
            these = "This line is quoted" if len(self.found) == 1 else "These lines are quoted"
            told = "from press that you were sent, so nothing was done"
            said.append(f"{these} {told}: {_listed(self.found)}.{how}")
        if self.changed:
            these = "This line is" if len(self.changed) == 1 else "These lines are"
            told = "between quoted lines of a mail of ours, and was not acted on"
            if len(self.changed) > 1:
                told = told.replace("was not", "were not")
            said.append(f"{these} {told}: {_listed(self.changed)}. If you mean it, send it above the quotation.")
        return tuple(said)

    def _is_quoted(self, item: Item) -> bool:
        match item:
            case PressBlock():
                written = f"{item.text}\n{item.body}"
            case CommandLine():
                written = "\n".join((item.text, *(text for _, text in item.below)))
            case OrderLine() | Complaint():
                written = item.text
            case _:
                return False
        quoted = self._is_press(written)
        if quoted:
            self.found.append(item.text)
        return quoted


def _listed(lines: Sequence[str]) -> str:
    shown = "; ".join(repr(shorten(line.strip())) for line in lines[:_SHOWN])
    return f"{shown} and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else shown


def _is_sentence(line: str) -> bool:
    """Whether the line is one that nobody would write by chance, nor copy with the order form (as comments may be)."""
    return _words(line).count(" ") >= _SENTENCE - 1 and not line.lstrip().startswith("#")


def _words(text: str) -> str:
    """The words of a text, which clients do not change when they wrap and quote it; without links, because some clients
    add these. The sign of a remark (`# A Par-Bur`, an order that was replaced) is kept: without it, it is an order.
    """
    plain = unicodedata.normalize("NFKC", _LINK.sub(" ", text))
    return " ".join([*_REMARK.findall(plain), *_WORD.findall(plain.casefold())])


def _said_back(lines: Sequence[str], known: Collection[str] | None = None) -> Iterator[int]:
    """Where a mail of ours has lines of its recipient's mail that were not acted on, given its lines as words: below
    the number of a line, and below the sentence on quoted lines, up to an empty line or, in a mail that has lost these,
    to one that is not `known`.
    """
    listed, begun, above = 0, False, ""
    for at, line in enumerate(lines):
        if listed and line and (known is None or line in known):
            yield at
            listed, begun = listed - 1, True
            continue
        if line or begun:
            listed = 0
        if f"{above} {line}".endswith(_QUOTED_ABOVE):
            listed, begun = len(lines), False
        elif _NUMBER_ABOVE.fullmatch(line):
            listed, begun = 1, False
        above = line or above


def _left(lines: Sequence[str], without: Iterable[int]) -> Iterator[str]:
    """The lines at other places than these."""
    gone = frozenset(without)
    return (line for at, line in enumerate(lines) if at not in gone)


def answered_by(ctx: Context, message: Message) -> Quotations:
    """What a mail quotes: the press to its seat that it answers, and our mails to its sender: those that it cites, and
    the newest.
    """
    session, game, seat = ctx.tx.session, ctx.game, ctx.seat
    cited = message.cited(ctx.tx.identity.host)
    mine = ctx.person.addresses if ctx.person is not None else (ctx.sender,)
    ours = Ours(lambda: sent.may_be_quoted(session, mine, cited, _MAILS))
    if game is None or seat is None:
        return Quotations(ours=ours)
    purposes = tuple(sent.purposes_of(session, cited)) if cited else ()
    press = _numbered(purposes, "press")
    letters = records.press_with_ids(session, game.id, press) if press else ()
    if cited:
        texts = [row.body for row in letters if row.from_seat_id != seat.id]
        texts += _deferred(ctx, game, seat, _numbered(purposes, "report"))
        if any(purpose.startswith("official:") for purpose in purposes):
            texts += (row.body for row in records.newest_words(session, game.id, _NEWEST) if row.to is None)
    elif message.quoted or message.doubtful:
        rows = records.newest_words(session, game.id, _NEWEST)
        texts = [row.body for row in rows if row.from_seat_id != seat.id and (row.to is None or is_for(row.to, seat))]
    else:
        texts = []
    if texts or cited or message.quoted:
        texts.append(game.comment or "")  # it is in many of our mails
    writers = tuple(_writer(game, row) for row in letters)
    return Quotations(tuple(f" {_words(text)} " for text in texts), ours, writers=writers)


def _numbered(purposes: Iterable[str], kind: str) -> list[int]:
    """The numbers in the purposes of this kind."""
    parts = (purpose.split(":") for purpose in purposes)
    return [int(one[1]) for one in parts if one[0] == kind and len(one) > 1 and one[1].isdecimal()]


def _writer(game: Game, row: PressRow) -> str:
    """Whom a mail answers that cites this press: of anonymous press nobody is named."""
    return "ALL" if "grey" in (row.manner or "").split() else str(game.seat(row.from_seat_id).power or "GM")


def _deferred(ctx: Context, game: Game, seat: Seat, phases: Iterable[int]) -> Iterable[str]:
    """The press that these phases' reports brought to the seat."""
    for phase_id in phases:
        written = records.press_of(ctx.tx.session, game.id, phase_id)
        yield from (text for _, text in deferred_press(written, game, seat))


def items_in(ctx: Context, lines: Sequence[str]) -> Sequence[Item]:
    """What lines that are not acted on are to this game."""
    if not lines:
        return ()
    game = ctx.game
    lexicon = game.lexicon_of(ctx.seat) if game is not None else None
    now = game.position.phase if game is not None and game.position is not None else None
    return parse_message("\n".join(lines), lexicon, now, ctx.commands.reader).items


def said_elsewhere(ctx: Context, message: Message) -> tuple[str, ...]:
    """What the reply says about orders, commands and press that only the part of a mail has that was not used."""
    lines = [
        item.text for item in items_in(ctx, message.apart) if isinstance(item, OrderLine | CommandLine | PressBlock)
    ]
    if not lines:
        return ()
    return (f"The {message.apart_in} of your mail says something else, which was not acted on: {_listed(lines)}.",)


_TO_SOMEBODY = re.compile(
    r"\W{0,3}(?:(?:to|for)\s+(?P<to>[^:,]{1,60})[:,]|@\s?(?P<at>[^\W\d_]{2,20})|(?P<bare>[^\W\d_]{2,20}):(?=\s*\S+\s+\S)"
    r"|tell\s+(?P<tell>[^\W\d_]{2,20})|(?:(?:a|my)\s+)?(?:message|msg|note|letter)\s+(?:to|for)\s+(?P<note>[^:,]{1,60}))"
    r"\W{0,3}\S",
    re.IGNORECASE,
)


def to_nobody(ctx: Context, parsed: ParsedMessage) -> tuple[str, ...]:
    """What the reply says about lines that speak to a player, but are not between PRESS TO and ENDPRESS."""
    if ctx.game is None or ctx.seat is None:
        return ()
    lexicon = ctx.game.lexicon_of(ctx.seat)
    talk = [item.text for item in parsed.items if isinstance(item, Talk) and not item.blank]
    found = {line: to for line in talk if (to := _addressee(line, lexicon))}
    if not found:
        return ()
    how = (
        f"To send a message, write PRESS TO {next(iter(found.values()))}, below it your text, and below that ENDPRESS."
    )
    return (f"Sent to nobody, since it is not press: {_listed(tuple(found))}. {how}",)


def _addressee(line: str, lexicon: Lexicon) -> str:
    """The powers to whom a line speaks, as PRESS TO names them; "" if to none."""
    found = _TO_SOMEBODY.match(line[:_LONGEST_ADDRESS])
    named = next(filter(None, found.groups()), "") if found else ""
    words = [word for word in re.split(r"[\s,&/]+|\band\b", named) if word]
    powers = list(filter(None, (lexicon.power(word) for word in words)))
    if len(powers) < len(words) and len(words) > 1 and lexicon.power(named):
        return str(lexicon.power(named))
    return ", ".join(map(str, powers)) if len(powers) == len(words) else ""


def holds_any(press: PressBlock, lines: Sequence[str]) -> bool:
    """Whether one of these lines is of the press."""
    return not {press.text.strip(), *(line.strip() for line in press.body.split("\n"))}.isdisjoint(lines)


def in_subject(ctx: Context, message: Message) -> tuple[str, ...]:
    """What the reply to a mail that asks for nothing says about orders in its subject, or a command there if the mail
    is empty. A subject is not acted on: programs repeat it in every mail of a conversation, for months.
    """
    marks = SUBJECT_MARKS.match(message.subject)
    line = message.subject[marks.end() if marks else 0 :].strip()
    empty = not message.text.strip()
    if not any(
        isinstance(item, OrderLine) or (isinstance(item, CommandLine) and empty) for item in items_in(ctx, [line])
    ):
        return ()
    why = "A subject is not read, since it is repeated in replies."
    shown = shorten(hidden(line, ctx.tx.identity.address))
    return (f"{why} Write this in the body of the mail, one line for each: {shown}",)
