"""What the receipt says of a mail's lines: by their fates, one group for each reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, islice, takewhile
from types import MappingProxyType

from gm.commands.context import Context
from gm.commands.press import refusal
from gm.errors import GmError, NotUnderstood
from gm.games.snapshot import Game, Seat
from gm.mail.message.addresses import hidden
from gm.mail.message.attribution import subject_apart
from gm.mail.message.incoming import Message
from gm.orders.notation import short, write
from gm.parsing.addressed import Addressed, addressed
from gm.parsing.grammar import line_expected
from gm.parsing.lexicon import Lexicon, shorten
from gm.parsing.meant import Mine, meant, retreats
from gm.parsing.message import CommandLine, Complaint, OrderLine, Talk
from gm.parsing.orders import Attributed, read_among, read_orders
from gm.parsing.questions import sentences as sentences_of
from gm.parsing.several_lines import nobody, recipients_named
from gm.position import PhaseKind
from gm.reading.line import Line, Lines, Origin, Reason, asks_anything, for_reasons
from gm.reports.answers import RefusedLine, TalkLine
from gm.server.facts import items_in, listed, provinces_of
from gm.server.plain_answers import answers_nothing

_MOST_REFUSED = 60
"""The most lines that are quoted as refused for one reason."""
_TALK_SHOWN = 100
_MEANT_SHOWN = 10
_MOST_NAMED = 3
_LONGEST_ADDRESS = 100

# ---- lines, as they are listed


_SHOWN_BACK = (Reason.QUOTED, Reason.QUOTED_PROSE, Reason.DOUBTFUL)
_REFUSED = (Reason.NOT_UNDERSTOOD, Reason.NOT_DONE, Reason.NO_ANSWER, Reason.TOO_LATE, Reason.BELOW_UNDONE)


def refused_lines(lines: Lines) -> list[RefusedLine]:
    """The entries for the lines that were refused, and those below them; of many that were refused for one reason the
    last says how many more there are.
    """
    found = list[RefusedLine]()
    for error, alike in groupby(for_reasons(lines, *_REFUSED), _why):
        entries = [entry for line in alike for entry in _entries(line, error)]
        more = len(entries) - _MOST_REFUSED
        found += entries[:_MOST_REFUSED]
        found += [replace(entries[-1], text=f"and {more} more lines")] if more > 0 else []
    beyond = {_why(line): line for line in reversed(for_reasons(lines, Reason.BEYOND))}  # each limit is told of once
    found += (next(_entries(line, error)) for error, line in beyond.items())
    return found


def _why(line: Line) -> GmError:
    error = line.fate.error if line.fate is not None else None
    if error is None:
        raise LookupError(f"line {line.number} is refused without a reason")
    return error


def _entries(line: Line, error: GmError) -> Iterator[RefusedLine]:
    column = error.column if isinstance(error, NotUnderstood) else None
    first = RefusedLine(line.number, line.text, error.problem, error.remedy, column)
    yield first
    yield from (replace(first, number=number, text=text, column=None) for number, text in line.written[1:])


def talk_lines(ctx: Context, lines: Lines) -> tuple[TalkLine, ...]:
    """The lines that may be orders and are none, each with the reason, as many as a reply has room for, and how many
    more there are.
    """
    found, plain = for_reasons(lines, Reason.MENTIONS), f"This was not read as an order. {what_to_write(ctx)}"
    shown = tuple(TalkLine(one.number, shorten(one.text), _reason(one) or plain) for one in found[:_TALK_SHOWN])
    rest = found[_TALK_SHOWN:]
    if not rest:
        return shown
    return (*shown, TalkLine(rest[0].number, f"... and so it is with {len(rest)} lines from here on"))


def _reason(line: Line) -> str:
    return line.meaning.reason if isinstance(line.meaning, Talk) else ""


def what_to_write(ctx: Context) -> str:
    """What a line of orders is at this seat in this phase."""
    game = ctx.game
    if game is None or not game.running or game.phase is None:
        return "HELP shows what you can write."
    return f"Write {line_expected(game.lexicon_of(ctx.seat), game.phase.position.phase.kind)}; HELP ORDERS shows more."


def meant_lines(lines: Lines, *origins: Origin) -> tuple[str, ...]:
    """The lines of this origin that look like orders or commands and are not ours, in case they were meant."""
    mine = [line for line in lines if line.origin in origins]
    found = [shorten(text) for line in for_reasons(mine, *_SHOWN_BACK) for text in line.texts]
    more = len(found) - _MEANT_SHOWN
    return (*found[:_MEANT_SHOWN], *([f"and {more} more"] if more > 0 else ()))


def lines_in_doubt(ctx: Context, lines: Lines) -> str:
    """The orders and commands among the lines that may be the sender's or another's, to be sent with one tap."""
    found = (line for line in for_reasons(lines, Reason.DOUBTFUL) if isinstance(line.meaning, OrderLine | CommandLine))
    return hidden("\n".join(text.strip() for line in found for text in line.texts), *ctx.tx.identity.addresses)


def unfilled_line(lines: Lines) -> str:
    """The first line of a form that is all that the mail has; "" if it has more."""
    found = for_reasons(lines, Reason.UNFILLED)
    return found[0].text.strip() if found and not asks_anything(lines) else ""


# ---- sentences


def _press(_ctx: Context, _message: Message, texts: Sequence[str]) -> str:
    these = "This line is quoted" if len(texts) == 1 else "These lines are quoted"
    how = "If you mean it yourself, send it in a new mail that is not a reply."
    return f"{these} from press that you were sent, so nothing was done: {listed(texts)}. {how}"


def _within(_ctx: Context, _message: Message, texts: Sequence[str]) -> str:
    these, was = ("This line is", "was") if len(texts) == 1 else ("These lines are", "were")
    where = f"{these} between quoted lines of a mail of ours, and {was} not acted on"
    return f"{where}: {listed(texts)}. If you mean it, send it above the quotation."


def _apart(_ctx: Context, message: Message, texts: Sequence[str]) -> str:
    return f"The {message.apart_in} of your mail says something else, which was not acted on: {listed(texts)}."


def _below_end(_ctx: Context, _message: Message, texts: Sequence[str]) -> str:
    return f"Below END nothing is acted on. Send it again without END if you mean it: {listed(texts)}."


_SAID: Mapping[Reason, Callable[[Context, Message, Sequence[str]], str]] = MappingProxyType(
    {Reason.PRESS: _press, Reason.WITHIN: _within, Reason.APART: _apart, Reason.BELOW_END: _below_end}
)
"""The sentence for all lines that have their fates for this reason."""


def sentences(ctx: Context, message: Message, lines: Lines, writers: Sequence[str]) -> tuple[str, ...]:
    """What the receipt says of lines that it does not list; and of words that went to nobody, though press may be
    meant. `writers` are those of the press that the mail answers.
    """
    said = []
    for reason, words in _SAID.items():
        if found := for_reasons(lines, reason):
            said.append(words(ctx, message, [text for line in found for text in line.texts]))
    said += _of_other_games(ctx, for_reasons(lines, Reason.OTHER_GAME))
    idle = not asks_anything(lines)
    said += (_not_sent(ctx, writers, message.text) if idle else ()) or _to_nobody(ctx, lines)
    return tuple(said) or (answers_nothing(ctx, message) if idle else ())


def _of_other_games(ctx: Context, lines: Lines) -> tuple[str, ...]:
    """What is said of lines for games that the mail does not go to."""
    if not lines or ctx.game is None:
        return ()
    names = list(dict.fromkeys(line.game for line in lines))
    below = ", ".join(f"GAME {name}" for name in names[:_MOST_NAMED])
    what = f"What is below {below}{' and others' if len(names) > _MOST_NAMED else ''} was not acted on"
    texts = [text.strip() for line in lines if not line.is_heading for text in line.texts]
    what += f": {listed(texts)}" if texts else ""
    there = f"your seat in {names[0]}" if len(names) == 1 else "your seats there"
    return (f"{what}. This address is your seat in {ctx.game.name}. Write to {there} instead.",)


def _not_sent(ctx: Context, writers: Sequence[str], text: str) -> tuple[str, ...]:
    """What is said when a mail answers press, and asks for nothing."""
    own = [line.strip() for line in text.split("\n") if line.strip()]
    if not writers or not own:
        return ()
    to = ", ".join(writers)
    how = _refusal(ctx, to) or f"To answer the press, write PRESS TO {to}, below it your text, and below that ENDPRESS."
    return (f"You answered press, but your words were sent to nobody: {listed(own)}. {how}",)


_GREETED = "dear|hello|hi|hey|lieber?|liebes|hallo|cher|chère|bonjour|salut|to|an|à"
_TO_SOMEBODY = re.compile(
    rf"\W{{0,3}}(?:(?:{_GREETED}|for)\s+(?P<to>[^:,.!]{{1,60}})[:,.!]"
    r"|@\s?(?P<at>[^\W\d_]{2,20})|(?P<bare>[^\W\d_]{2,20}):(?=\s*\S+\s+\S)"
    r"|(?P<all>(?:(?:grey|gray|white|anonymous|postal)\s+)*broadcast)\s(?!to\s)"
    r"|(?:tell|press|message|msg)\s+(?!(?:to|for)\s)(?P<tell>[^\W\d_]{2,20})|(?:(?:a|my)\s+)?(?:message|msg|note|letter)\s+(?:to|for)\s+(?P<note>[^:,]{1,60}))"
    r"\W{0,3}\S",
    re.IGNORECASE,
)


_HEADED = re.compile(
    rf"\W{{0,3}}(?:(?:{_GREETED})\s++)(?P<name>[^:,!]{{1,60}})[:,!.]*+\s*+",
    re.IGNORECASE,
)
"""A line of its own that says to whom what is below it speaks."""


def speaks_to(ctx: Context, line: str) -> str:
    """The powers to whom a line of the sender's speaks, as PRESS TO names them; "" if to none."""
    if ctx.game is None or ctx.seat is None:
        return ""
    lexicon, own = ctx.game.lexicon_of(ctx.seat), str(ctx.seat.power)
    headed = _HEADED.fullmatch(line[:_LONGEST_ADDRESS].strip())
    to = (_powers_in(headed["name"], lexicon) if headed else "") or _addressee(line, lexicon)
    return to if to != own else ""


_TO_A_NAME = re.compile(r"\W{0,3}(?:[Tt]o|TO|An|À|A)\s+(?P<name>[A-Z][^\W\d_]{1,30}):")


def to_nobody_here(ctx: Context, line: str) -> NotUnderstood | None:
    """The error about whom a line of the sender's is for, `To Borg:`, if nobody in the game has that name."""
    found = _TO_A_NAME.match(line)
    lexicon = ctx.game.lexicon_of(ctx.seat) if ctx.game is not None and ctx.seat is not None else None
    if found is None or lexicon is None or recipients_named(found["name"].lower(), lexicon):
        return None
    return None if found["name"].lower() in lexicon.places else nobody(found["name"], found.start("name") + 1, lexicon)


def _to_nobody(ctx: Context, lines: Lines) -> tuple[str, ...]:
    """What is said of lines that speak to a player, but are not between PRESS TO and ENDPRESS; the letter is offered
    as press, to be sent with one tap.
    """
    talk = [line for line in for_reasons(lines, Reason.PLAIN, Reason.MENTIONS) if _may_speak(line)]
    if told := _told(ctx, lines):
        return told
    found = {line.text: to for line in talk if (to := speaks_to(ctx, line.text))}
    if not found:
        astray = filter(None, (to_nobody_here(ctx, line.text) for line in talk))
        return tuple(f"{error.problem} {error.remedy}" for error in islice(astray, 1))
    first, to = next(iter(found.items()))
    refused = _refusal(ctx, to)
    if refused is not None:
        return (f"Sent to nobody, since it is not press: {listed(tuple(found))}. {refused}",)
    if len(found) == 1 and (line := first.strip()).lower().startswith("broadcast "):
        ctx.offer(f"{line} ENDPRESS", "send it to all")
    elif len(found) == 1:
        _offer_letter(ctx, to, [line.text for line in talk if line.number >= _number_of(talk, first)], lines)
    how = f"To send a message, write PRESS TO {to}, below it your text, and below that ENDPRESS."
    return (f"Sent to nobody, since it is not press: {listed(tuple(found))}. {how}",)


def told_to(ctx: Context, text: str) -> Addressed:
    """The powers whom a sentence asks to be told something, and what; no powers if it asks for no such thing."""
    if ctx.game is None or ctx.seat is None:
        return Addressed((), "", text)
    found = addressed(text, ctx.game.lexicon_of(ctx.seat))
    return Addressed((), "", text) if str(ctx.seat.power) in found.to else found


def _told(ctx: Context, lines: Lines) -> tuple[str, ...]:
    """What is said of sentences that ask for somebody to be told something: each is offered as press."""
    said = []
    for line in for_reasons(lines, Reason.PLAIN, Reason.PASSED, Reason.MENTIONS, Reason.NOT_UNDERSTOOD):
        for text in sentences_of(line.text) if _may_be_meant(line) else ():
            found = told_to(ctx, text)
            if not found.to:
                continue
            to, body = ", ".join(found.to), found.text
            if (refused := _refusal(ctx, to)) is not None:
                said.append(f"Sent to nobody, since it is not press: {shorten(text)!r}. {refused}")
                continue
            ordered = any(isinstance(one, OrderLine | CommandLine) for one in items_in(ctx, [body]))
            body = "" if ordered else hidden(body, *ctx.tx.identity.addresses)[:_LONGEST_OFFER]
            ctx.offer(f"PRESS TO {to}\n{body or 'your text'}\nENDPRESS", f"send this to {to}")
            how = f"To send a message, write PRESS TO {to}, below it your text, and below that ENDPRESS."
            said.append(f"Sent to nobody, since it is not press: {shorten(text)!r}. {how}")
    return tuple(said[:_MOST_NAMED])


def _refusal(ctx: Context, to: str) -> GmError | None:
    """Why press of the mail's sender to these powers would be refused; None if it would be sent."""
    return refusal(ctx.game, ctx.seat, to.split(", ")) if ctx.game is not None and ctx.seat is not None else None


def _number_of(lines: Sequence[Line], text: str) -> int:
    return next(line.number for line in lines if line.text == text)


def _offer_letter(ctx: Context, to: str, text: Sequence[str], lines: Lines) -> None:
    """Offer to send a letter, unless there are orders or commands in its mail, which may be no one else's business."""
    body = hidden("\n".join(line.rstrip() for line in text), *ctx.tx.identity.addresses)
    if not asks_anything(lines) and len(body) <= _LONGEST_OFFER:
        ctx.offer(f"PRESS TO {to}\n{body}\nENDPRESS", f"send this to {to}")


def _may_speak(line: Line) -> bool:
    return isinstance(line.meaning, Talk) and not line.meaning.blank


def _addressee(line: str, lexicon: Lexicon) -> str:
    """The powers to whom a line speaks, as PRESS TO names them; "" if to none."""
    found = _TO_SOMEBODY.match(line[:_LONGEST_ADDRESS])
    named = next(filter(None, found.groups()), "") if found else ""
    if found and found["all"]:
        return "ALL"
    return _powers_in(named, lexicon)


def _powers_in(named: str, lexicon: Lexicon) -> str:
    """The powers that these words name, if all of them do."""
    words = [word for word in re.split(r"[\s,&/]+|\band\b", named) if word]
    powers = list(filter(None, (lexicon.power(word) for word in words)))
    if len(powers) < len(words) and len(words) > 1 and lexicon.power(named):
        return str(lexicon.power(named))
    return ", ".join(map(str, powers)) if len(powers) == len(words) else ""


_LONGEST_OFFER = 800


def offer_ended(ctx: Context, lines: Lines) -> None:
    """Offer to send a text that lacks its end, to those named in it, and to order what stands at its end: not one that
    is long, or has orders elsewhere in it.
    """
    for line in for_reasons(lines, Reason.NOT_UNDERSTOOD):
        error = _why(line)
        whole = error.mended if isinstance(error, NotUnderstood) else ""
        head, *body, end = whole.split("\n") if whole else ("", "")
        at_end = list(takewhile(lambda one: not one.strip() or _asks(ctx, one, empty=True), reversed(body)))
        text = body[: len(body) - len(at_end)]
        if text and not any(_asks(ctx, one, empty=True) for one in text) and len(whole) <= _LONGEST_OFFER:
            sent = hidden("\n".join((head, *text, end)), *ctx.tx.identity.addresses)
            ctx.offer(sent, f"send it, with {end} below the text")
        if ordered := "\n".join(one.strip() for one in reversed(at_end) if one.strip()):
            ctx.offer(ordered, "order this, if it is what you mean")


_MOST_MEANT = 10
"""The most sentences that are looked at."""


def offer_meant(ctx: Context, lines: Lines) -> None:
    """Offer the orders, each whole and legal for a unit of the sender's, that are in lines which were not acted on:
    those of each sentence together, and what else it may mean by itself.
    """
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None or not game.running or game.phase is None or seat.power not in game.duties:
        return
    open_lines = for_reasons(lines, Reason.NOT_UNDERSTOOD, Reason.MENTIONS, Reason.PASSED, Reason.PLAIN, Reason.OFFERED)
    said = [text for line in open_lines if _may_be_meant(line) for text in sentences_of(line.text)][:_MOST_MEANT]
    first, others = dict[str, None](), dict[str, None]()
    for text in said:
        if not speaks_to(ctx, before := told_to(ctx, text).before):
            likeliest, *rest = _orders_in(game, seat, before) or ((),)
            first |= dict.fromkeys(likeliest)
            others |= dict.fromkeys("\n".join(way) for way in rest)
    if said and not first and game.phase.position.phase.kind is PhaseKind.RETREAT:
        others |= dict.fromkeys("\n".join(way) for way in retreats(_mine(game, seat)))
    for way in filter(None, dict.fromkeys(("\n".join(first), *others))):
        ctx.offer(way, "order this, if it is what you mean")


def _may_be_meant(line: Line) -> bool:
    """Whether it is the sender's own, and neither a part of a form nor a command."""
    meaning = line.meaning
    aside = isinstance(meaning, Talk) and meaning.blank
    return line.origin is Origin.OWN and not aside and (not isinstance(meaning, Complaint) or meaning.of_order)


def _orders_in(game: Game, seat: Seat, text: str) -> tuple[tuple[str, ...], ...]:
    """The ways of ordering that a sentence may mean: as it is without all words that no order has, or by its parts."""
    if game.phase is None:
        return ()
    lexicon, kind, own = game.lexicon_of(seat), game.phase.position.phase.kind, provinces_of(game, seat)
    mine = _mine(game, seat)

    def among(part: str) -> tuple[str, ...]:
        return _written(game, seat, read_among(part, lexicon, kind, own))

    whole = among(text)
    ways = meant(text, lexicon, kind, mine)
    if whole and len(whole) >= len(ways[0] if ways else ()):
        return (whole,)
    parts = _PIECE.split(text)[:_MOST_MEANT] if kind is PhaseKind.MOVEMENT else []
    units = tuple(f"{unit} {short(at)}" for unit, at in mine.units)
    declared = [one for part in parts for one in among(part) if not one.startswith(units)]
    if ways or declared:
        first, *others = ways or ((),)
        return (*dict.fromkeys(((*dict.fromkeys(declared), *first), *others)),)
    verb, _, _ = text.partition(" ")  # it may stand before the first only
    either = [one if number == 0 else f"{verb} {one}" for number, one in enumerate(_OR.split(text))]
    return tuple(filter(None, map(among, either if len(either) > 1 else ())))


_PIECE = re.compile(r"[,.;:!?]\s*|\s(?:and|und|et)\s")
_OR = re.compile(r"\s(?:or|oder|ou)\s", re.IGNORECASE)


def _written(game: Game, seat: Seat, given: Sequence[Attributed]) -> tuple[str, ...]:
    """These orders as they are written, if each of them is allowed; otherwise none."""
    if game.phase is not None and seat.power is not None:
        with suppress(GmError):
            return tuple(write(game.variant.order_of(game.phase.position, seat.power, *one)) for one in given)
    return ()


def _mine(game: Game, seat: Seat) -> Mine:
    """What the seat has to order."""
    phase, power = game.phase, seat.power
    if phase is None or power is None:
        raise LookupError(f"{seat.id} has nothing to order")
    lexicon, kind = game.lexicon_of(seat), phase.position.phase.kind

    def proper(order: str) -> str:
        reading = read_orders(order, lexicon, kind)
        whole = len(reading.orders) == 1 and not reading.faults
        return " ".join(_written(game, seat, reading.orders)) if whole else ""

    units = game.duties[power].units if kind is PhaseKind.RETREAT else phase.position.units_of(power)
    return Mine(tuple((unit.kind, unit.at) for unit in units), phase.board, proper)


# ---- the subject


_SUBJECT_WORDS = 12


def _asks(ctx: Context, line: str, *, empty: bool) -> bool:
    """Whether a line has an order or, if there is nothing else in its mail, a command."""
    items = items_in(ctx, [line])
    return any(isinstance(item, OrderLine) or (isinstance(item, CommandLine) and empty) for item in items)


def in_subject(ctx: Context, message: Message) -> tuple[str, ...]:
    """What the reply to a mail that asks for nothing says about orders in its subject, or a command there if the mail
    is empty. That of an answer is not acted on: programs repeat it in every mail of a conversation, for months.
    """
    subject = subject_apart(message.subject)[1].strip()
    empty = not message.text.strip()
    words = subject.split(maxsplit=_SUBJECT_WORDS) if empty else []
    tails = [subject, *(" ".join(words[number:]) for number in range(1, len(words)))]
    line = next((tail for tail in tails if _asks(ctx, tail, empty=empty and tail == subject)), None)
    if line is None:
        return ()
    why = "A subject is not read, since it is repeated in replies."
    shown = shorten(hidden(line, *ctx.tx.identity.addresses))
    return (f"{why} Write this in the body of the mail, one line for each: {shown}",)
