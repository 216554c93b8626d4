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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gm.commands.context import Context
from gm.commands.press import deferred_press, is_for
from gm.games.snapshot import Game, Person, Seat
from gm.mail.message.addresses import hidden
from gm.mail.message.attribution import SUBJECT_MARKS, WROTE
from gm.mail.message.incoming import Message
from gm.parsing.lexicon import Lexicon, shorten
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, ParsedMessage, PressBlock, Talk, parse_message
from gm.server.our_mails import Ours, words_of
from gm.server.sections import Headings, lines_of, listed
from gm.store import records, sent
from gm.store.records import PressRow

_NEWEST = 20
"""How many of a game's newest press messages are considered when a mail does not say what it answers."""
_MAILS = 4
"""The number of our mails that are compared with an incoming one: of those that it cites, and of the newest."""
_PHASES = 3
"""On how many of a game's last phases the reports are compared, too."""
_TELL_OF_A_PHASE = ("opening", "welcome", "report")
_SENTENCE = 4  # words; a shorter line may be anybody's
_NOT_OURS = "\0"  # no words of a line
_MEANT_SHOWN = 10
_READ_AT_ONCE = 12  # lines
_LONGEST_ADDRESS = 100


@dataclass
class Quotations:
    """What a mail quotes; `found` are its lines that occurred among the sender's own."""

    press: Sequence[str] = ()
    ours: Ours = field(default_factory=lambda: Ours(tuple))
    found: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """Orders and commands between lines of ours that we did not write."""
    below: Sequence[str] = ()
    """The lines below END."""
    writers: Sequence[str] = ()
    """The powers, as PRESS TO names them, of the press that the mail answers."""
    headings: Headings | None = None
    """Which of the lines are for other games."""

    def without(self, parsed: ParsedMessage) -> ParsedMessage:
        """What the sender wrote, without lines of others."""
        self.found.clear()
        self.changed.clear()
        self.below = parsed.below
        items = [item for item in parsed.items if not (self.press and self._is_quoted(item))]
        start, end, ours = self._span(items)
        for item in items[start:end]:
            if not isinstance(item, Talk):
                self.changed += (text for text in _texts(item) if words_of(text) not in ours)
        return self.here(ParsedMessage((*items[:start], *items[end:])))

    def clear(self) -> None:
        """Forget what was found, since nothing in the mail is acted on but the whole, as press."""
        self.press, self.writers, self.headings, self.below = (), (), None, ()
        self.found.clear()
        self.changed.clear()

    def here(self, parsed: ParsedMessage) -> ParsedMessage:
        """The lines that are not for another game."""
        return self.headings.without(parsed) if self.headings is not None else parsed

    def _span(self, items: Sequence[Item]) -> tuple[int, int, frozenset[str]]:
        """Where mails of ours are among the sender's lines, and their lines. Nothing is compared when there is nothing
        that could be acted on.
        """
        talk = ((at, item) for at, item in enumerate(items) if isinstance(item, Talk) and not item.blank)
        sentences = [at for at, item in talk if _is_sentence(item.text)]
        if not sentences or all(isinstance(item, Talk) for item in items):
            return 0, 0, frozenset()
        words = [_NOT_OURS if isinstance(item, PressBlock) else words_of(item.text) for item in items]
        start, end, ours = self.ours.pasted(words, sentences)
        if start == end:
            return start, end, ours
        above, below = items[:start][::-1], items[end:]  # an older mail of ours may differ in all but a sentence
        return start - _printed(above), end + _printed(below), ours

    def meant(self, ctx: Context, message: Message) -> tuple[str, ...]:
        """The quoted lines that look like orders or commands and are not ours, in case they were meant."""
        found = [shorten(text) for item in self._meant(ctx, message) for text in _texts(item)]
        more = len(found) - _MEANT_SHOWN
        return (*found[:_MEANT_SHOWN], *([f"and {more} more"] if more > 0 else ()))

    def _meant(self, ctx: Context, message: Message) -> Sequence[Item]:
        if not _asks_anything(ctx, message.quoted):
            return ()
        new = self.ours.edited(message.quoted)
        edited = [item for item in items_in(ctx, new) if isinstance(item, OrderLine | CommandLine | Complaint)]
        if not new or not ctx.commands.reader.texts.end_in(message.quoted):
            return edited
        items = items_in(ctx, tuple(line for line in message.quoted if not self._is_press(line)))
        press = [item for item in items if isinstance(item, PressBlock) and _holds_any(item, new)]
        return (*press, *edited)

    def below_end(self, ctx: Context) -> tuple[str, ...]:
        """What is below END, and looks like orders, commands or press of the sender's own."""
        own = [line for line in self.ours.edited(self.below) if not self._is_press(line)] if self.below else ()
        return tuple(text for item in items_in(ctx, own) if not isinstance(item, Talk) for text in _texts(item))

    def unread(self, ctx: Context, message: Message) -> tuple[str, ...]:
        """What in a mail may be an order and is not acted on: all that its receipt lists so, besides its own lines.
        What is among other words in a quotation, or in a signature, is none: a player may sign all mails so.
        """
        astray = self.headings.unread if self.headings is not None else ()
        elsewhere = (*message.left_out, *message.unread, *_apart(ctx, message), *self.below_end(ctx))
        meant = (item for item in self._meant(ctx, message) if not _is_prose(item))
        shown = (shorten(text) for item in meant for text in _texts(item))
        return (*self.found, *self.changed, *astray, *elsewhere, *shown)

    def not_sent(self, text: str) -> tuple[str, ...]:
        """What the reply says when a mail answers press, and asks for nothing: its words went to nobody."""
        own = [line.strip() for line in text.split("\n") if line.strip()]
        if not self.writers or not own:
            return ()
        to = ", ".join(self.writers)
        how = f"To answer the press, write PRESS TO {to}, below it your text, and below that ENDPRESS."
        return (f"You answered press, but your words were sent to nobody: {listed(own)}. {how}",)

    def _is_press(self, text: str) -> bool:
        words = words_of(text)
        return bool(words) and any(f" {words} " in press for press in self.press)

    @property
    def said(self) -> tuple[str, ...]:
        """What the reply says about these lines."""
        how = " If you mean it yourself, send it in a new mail that is not a reply."
        said = []
        if self.found:
            these = "This line is quoted" if len(self.found) == 1 else "These lines are quoted"
            told = "from press that you were sent, so nothing was done"
            said.append(f"{these} {told}: {listed(self.found)}.{how}")
        if self.changed:
            these = "This line is" if len(self.changed) == 1 else "These lines are"
            told = "between quoted lines of a mail of ours, and was not acted on"
            if len(self.changed) > 1:
                told = told.replace("was not", "were not")
            said.append(f"{these} {told}: {listed(self.changed)}. If you mean it, send it above the quotation.")
        return (*said, *(self.headings.said if self.headings is not None else ()))

    @property
    def for_others_only(self) -> bool:
        """Whether the mail goes to seats in other games too, and has lines for these alone."""
        return self.headings is not None and self.headings.only_elsewhere and not (self.found or self.changed)

    def _is_quoted(self, item: Item) -> bool:
        match item:
            case PressBlock():
                written = f"{item.text}\n{item.body}"
            case CommandLine(name="game"):
                return False  # without it, what is below would be for another game
            case CommandLine() | OrderLine() | Complaint():
                written = "\n".join(_texts(item))
            case _:
                return False
        quoted = self._is_press(written)
        if quoted:
            self.found += _texts(item)
        return quoted


def _printed(items: Sequence[Item]) -> int:
    """How many of these items are orders as our mails print them, with the words between."""
    found = 0
    for number, item in enumerate(items, 1):
        if isinstance(item, OrderLine) and item.printed:
            found = number
        elif not isinstance(item, Talk):
            break
    return found


def _texts(item: Item) -> tuple[str, ...]:
    """The line of an item, and those of the orders below it if it is a command."""
    return tuple(text for _, text in lines_of(item))


def _is_prose(item: Item) -> bool:
    return isinstance(item, Complaint) and item.prose


def _is_sentence(line: str) -> bool:
    """Whether the line is one that nobody would write by chance, nor copy with the order form (as comments may be)."""
    return words_of(line).count(" ") >= _SENTENCE - 1 and not line.lstrip().startswith("#")


def answered_by(ctx: Context, message: Message) -> Quotations:
    """What a mail quotes: the press to its seat that it answers, and our mails to its `_readers`: those that it cites,
    and the newest.
    """
    session, game, seat = ctx.tx.session, ctx.game, ctx.seat
    cited = message.cited(*ctx.tx.identity.hosts)
    readers = _readers(ctx)
    mine = [address for person in readers for address in person.addresses] or [ctx.sender]
    ours = Ours(lambda: (*sent.may_be_quoted(session, mine, cited, _MAILS * max(len(readers), 1)), *_reports(ctx)))
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
    elif message.quoted or message.doubtful or _answers(message):
        rows = records.newest_words(session, game.id, _NEWEST)
        texts = [row.body for row in rows if row.from_seat_id != seat.id and (row.to is None or is_for(row.to, seat))]
    else:
        texts = []
    if texts or cited or message.quoted:
        texts.append(game.comment or "")  # it is in many of our mails
    writers = tuple(_writer(game, row) for row in letters)
    press_words = tuple(f" {words_of(text)} " for text in texts)
    return Quotations(press_words, ours, writers=writers, headings=Headings(ctx, message))


def _answers(message: Message) -> bool:
    """Whether a mail that cites none may answer one, by its subject (`Re: ...`) or a line that says who wrote."""
    marks = SUBJECT_MARKS.match(message.subject)
    if marks is not None and ":" in marks[0]:
        return True
    return any(line.rstrip().endswith(":") and WROTE.search(line[:300]) for line in message.text.split("\n"))


def _readers(ctx: Context) -> list[Person]:
    """Whose mails of ours a mail may quote: its sender's and, if that is a gamemaster, those of all in the game."""
    seats = ctx.game.seats if ctx.game is not None and ctx.seat is not None and ctx.seat in ctx.game.masters else ()
    people = (ctx.person, *(seat.person for seat in seats))
    return list({person.id: person for person in people if person is not None}.values())


def _reports(ctx: Context) -> Sequence[bytes]:
    """The mails that told the seat of the last phases: they are answered for days, beside any number of receipts."""
    if ctx.game is None or ctx.seat is None:
        return ()
    return sent.reports_to(ctx.tx.session, ctx.game.id, ctx.seat.id, _TELL_OF_A_PHASE, _PHASES)


def _numbered(purposes: Iterable[str], kind: str) -> list[int]:
    """The numbers in the purposes of this kind."""
    parts = (purpose.split(":") for purpose in purposes)
    return [int(one[1]) for one in parts if one[0] == kind and len(one) > 1 and one[1].isdecimal()]


def _writer(game: Game, row: PressRow) -> str:
    """Whom a mail answers that cites this press: of anonymous press nobody is named."""
    return "ALL" if "grey" in row.manners else str(game.seat(row.from_seat_id).power or "GM")


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
    lexicon, now = (game.lexicon_of(ctx.seat), game.written_for) if game is not None else (None, None)
    return parse_message("\n".join(lines), lexicon, now, ctx.commands.reader).items


def said_elsewhere(ctx: Context, message: Message, quoted: Quotations) -> tuple[str, ...]:
    """What the reply says about orders, commands and press that only the part of a mail has that was not used, or that
    are below END.
    """
    said, apart, below = [], _apart(ctx, message), quoted.below_end(ctx)
    if apart:
        part = f"The {message.apart_in} of your mail"
        said.append(f"{part} says something else, which was not acted on: {listed(apart)}.")
    if below:
        said.append(f"Below END nothing is acted on. Send it again without END if you mean it: {listed(below)}.")
    return tuple(said)


def _apart(ctx: Context, message: Message) -> list[str]:
    items = items_in(ctx, message.apart)
    return [text for item in items if isinstance(item, OrderLine | CommandLine | PressBlock) for text in _texts(item)]


_TO_SOMEBODY = re.compile(
    r"\W{0,3}(?:(?:to|for)\s+(?P<to>[^:,]{1,60})[:,]|@\s?(?P<at>[^\W\d_]{2,20})|(?P<bare>[^\W\d_]{2,20}):(?=\s*\S+\s+\S)"
    r"|(?P<all>(?:(?:grey|gray|white|anonymous|postal)\s+)*broadcast)\s(?!to\s)"
    r"|(?:tell|press|message|msg)\s+(?!(?:to|for)\s)(?P<tell>[^\W\d_]{2,20})|(?:(?:a|my)\s+)?(?:message|msg|note|letter)\s+(?:to|for)\s+(?P<note>[^:,]{1,60}))"
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
    if len(found) == 1 and (line := next(iter(found)).strip()).lower().startswith("broadcast "):
        ctx.offer(f"{line} ENDPRESS", "send it to all")
    how = (
        f"To send a message, write PRESS TO {next(iter(found.values()))}, below it your text, and below that ENDPRESS."
    )
    return (f"Sent to nobody, since it is not press: {listed(tuple(found))}. {how}",)


_LONGEST_OFFER = 800


def offer_ended(ctx: Context, parsed: ParsedMessage) -> None:
    """Offer to send a text that lacks its end, to those named in it: not one that is long, or has orders in it."""
    for item in parsed.items:
        whole = item.error.mended if isinstance(item, Complaint) else ""
        _, *body, end = whole.split("\n") if whole else ("", "")
        orders = any(isinstance(one, OrderLine | CommandLine) for one in items_in(ctx, body))
        if body and not orders and len(whole) <= _LONGEST_OFFER:
            ctx.offer(hidden(whole, *ctx.tx.identity.addresses), f"send it, with {end} below the text")


def _addressee(line: str, lexicon: Lexicon) -> str:
    """The powers to whom a line speaks, as PRESS TO names them; "" if to none."""
    found = _TO_SOMEBODY.match(line[:_LONGEST_ADDRESS])
    named = next(filter(None, found.groups()), "") if found else ""
    if found and found["all"]:
        return "ALL"
    words = [word for word in re.split(r"[\s,&/]+|\band\b", named) if word]
    powers = list(filter(None, (lexicon.power(word) for word in words)))
    if len(powers) < len(words) and len(words) > 1 and lexicon.power(named):
        return str(lexicon.power(named))
    return ", ".join(map(str, powers)) if len(powers) == len(words) else ""


def _asks_anything(ctx: Context, lines: Sequence[str]) -> bool:
    """Whether there is more than talk in these lines. They are read in parts: reports begin with orders."""
    parts = (lines[start : start + _READ_AT_ONCE] for start in range(0, len(lines), _READ_AT_ONCE))
    return any(not isinstance(item, Talk) for part in parts for item in items_in(ctx, part))


def _holds_any(press: PressBlock, lines: Sequence[str]) -> bool:
    """Whether one of these lines is of the press."""
    return not {press.text.strip(), *(line.strip() for line in press.body.split("\n"))}.isdisjoint(lines)


_SUBJECT_WORDS = 12


def _asks(ctx: Context, line: str, *, empty: bool) -> bool:
    """Whether a line has an order or, if there is nothing else in its mail, a command."""
    items = items_in(ctx, [line])
    return any(isinstance(item, OrderLine) or (isinstance(item, CommandLine) and empty) for item in items)


def in_subject(ctx: Context, message: Message) -> tuple[str, ...]:
    """What the reply to a mail that asks for nothing says about orders in its subject, or a command there if the mail
    is empty. A subject is not acted on: programs repeat it in every mail of a conversation, for months.
    """
    marks = SUBJECT_MARKS.match(message.subject)
    subject = message.subject[marks.end() if marks else 0 :].strip()
    empty = not message.text.strip()
    words = subject.split(maxsplit=_SUBJECT_WORDS) if empty else []
    tails = [subject, *(" ".join(words[number:]) for number in range(1, len(words)))]
    line = next((tail for tail in tails if _asks(ctx, tail, empty=empty and tail == subject)), None)
    if line is None:
        return ()
    why = "A subject is not read, since it is repeated in replies."
    shown = shorten(hidden(line, *ctx.tx.identity.addresses))
    return (f"{why} Write this in the body of the mail, one line for each: {shown}",)
