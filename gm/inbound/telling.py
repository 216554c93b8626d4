"""What the receipt says of a mail's lines: by their fates, one group for each reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType

from gm.commands.context import Context, Meant
from gm.errors import GmError, NotUnderstood
from gm.games.snapshot import Person
from gm.inbound.facts import listed
from gm.inbound.plain_answers import answers_nothing
from gm.inbound.speech import answered_to_nobody, asks, sent_to_nobody
from gm.mail.message.addresses import hidden
from gm.mail.message.attribution import subject_apart
from gm.mail.message.incoming import Message
from gm.mail.message.voices import heads_orders, words_in
from gm.parsing.grammar import line_expected
from gm.parsing.lexicon import fold, shorten
from gm.parsing.message import CommandLine, OrderLine, Talk
from gm.parsing.not_orders import UNCONDITIONAL
from gm.parsing.orders import depends
from gm.parsing.questions import asks as is_question
from gm.parsing.questions import sentences as sentences_of
from gm.parsing.questions import wonders
from gm.reading.line import Line, Lines, Origin, Reason, asks_anything, for_reasons, has_unread
from gm.reports.answers import RefusedLine, TalkLine

_MOST_REFUSED = 60
"""The most lines that are quoted as refused for one reason."""
_TALK_SHOWN = 100
_MEANT_SHOWN = 10
_MOST_NAMED = 3

# ---- lines, as they are listed


_SHOWN_BACK = (Reason.QUOTED, Reason.QUOTED_PROSE, Reason.DOUBTFUL)
_REFUSED = (
    Reason.NOT_UNDERSTOOD, Reason.NOT_DONE, Reason.NO_ANSWER, Reason.TOO_LATE, Reason.BELOW_UNDONE, Reason.TAKEN_BACK
)  # fmt: skip


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
    error = line.error
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
    more there are: no questions.
    """
    mentions = for_reasons(lines, Reason.MENTIONS)
    found = [line for line in mentions if not (is_question(line.text) or stands_in(line, ctx.proposes))]
    shown = tuple(TalkLine(one.number, shorten(one.text), _reason(ctx, one)) for one in found[:_TALK_SHOWN])
    rest = found[_TALK_SHOWN:]
    if not rest:
        return shown
    return (*shown, TalkLine(rest[0].number, f"... and so it is with {len(rest)} lines from here on"))


def stands_in(line: Line, ways: Iterable[str]) -> bool:
    """Whether a line stands in what is offered, below the first line of a way: as words for others, or as a reason; or
    at its end, `REGISTER Nora Whitfield`.
    """
    said, bare = line.text.strip(), line.text.strip(" .!")
    return any(f"\n{said}\n" in f"{way}\n" or (bare and way.endswith(f" {bare}")) for way in ways)


def _reason(ctx: Context, line: Line) -> str:
    """Why a line is no order, and what to write."""
    if isinstance(line.meaning, Talk) and line.meaning.reason:
        return line.meaning.reason
    if ctx.game is not None and ctx.game.phase is not None:
        kind, lexicon = ctx.game.phase.position.phase.kind, ctx.game.lexicon_of(ctx.seat)
        parts = sentences_of(line.text)
        if any(depends(one, lexicon, kind) and lexicon.place_names_in(fold(one).folded) for one in parts):
            return f"It depends on a condition. {UNCONDITIONAL}"
    return f"This was not read as an order. {what_to_write(ctx)}"


def what_to_write(ctx: Context) -> str:
    """What a line of orders is at this seat in this phase; at a gamemaster's, where commands are listed."""
    game = ctx.game
    if ctx.at_chair:
        return "HELP GM shows what you can write."
    if game is None or not game.running:
        return "HELP shows what you can write."
    expected = line_expected(game.lexicon_of(ctx.seat), game.present.position.phase.kind)
    return f"Write {expected}; HELP ORDERS shows more."


def meant_lines(lines: Lines, *origins: Origin) -> tuple[str, ...]:
    """The lines of this origin that look like orders or commands and are not ours, in case they were meant."""
    mine = [line for line in lines if line.origin in origins]
    found = [shorten(text) for line in for_reasons(mine, *_SHOWN_BACK) for text in line.texts]
    more = len(found) - _MEANT_SHOWN
    return (*found[:_MEANT_SHOWN], *([f"and {more} more"] if more > 0 else ()))


_NAME_ALONE = re.compile(r"[^\w]{0,3}+((?:[^\W\d_][\w.'’-]{0,30}+ ?+){1,4}+)[^\w]?")


def signed_with(lines: Lines, person: Person) -> str:
    """The name below all lines of a mail that is none of the person's, "" if none stands there."""
    last = next((line for line in reversed(lines) if line.text.strip()), None)
    found = _NAME_ALONE.fullmatch(last.text.strip()) if last is not None and isinstance(last.meaning, Talk) else None
    name = found[1].strip() if found is not None else ""
    known = words_in(f"{person.name} {person.signature}")
    return name if words_in(name).isdisjoint(known) and all(map(str.istitle, name.split())) else ""


def lines_in_doubt(ctx: Context, lines: Lines) -> str:
    """The orders and commands among the lines that may be the sender's or another's, to be sent by YES or one tap; ""
    if they are of several heads, of which each is sent by itself.
    """
    blocks = _headed_in_doubt(lines)
    return _offered(ctx, blocks[0][1]) if len(blocks) == 1 else ""


def _headed_in_doubt(lines: Lines) -> Sequence[tuple[str, Lines]]:
    """The orders and commands that may be the sender's or another's, by the words that part them: those above one's own
    orders, words of others, and any that have an empty line beside them.
    """
    head, words, parted, above, found = "", "", False, 0, list[tuple[str, Lines]]()
    for line in lines if for_reasons(lines, Reason.DOUBTFUL) else ():
        apart, above = line.number - above > 1, line.number
        if line.is_for(Reason.DOUBTFUL) and isinstance(line.meaning, OrderLine | CommandLine):
            head = words if words and (parted or apart) else head
            found += [] if found and found[-1][0] == head else [(head, ())]
            found[-1] = (head, (*found[-1][1], line))
            words, parted = "", False
        elif isinstance(line.meaning, Talk):
            parts = line.origin is Origin.DOUBTFUL or heads_orders(line.text)
            words = line.text.strip() if parts or not words else words
            parted = parted or parts or apart
    return found


def _offered(ctx: Context, lines: Lines) -> str:
    """What these lines say, to be sent."""
    texts = (text.strip() for line in lines for text in line.texts)
    return hidden("\n".join(texts), *ctx.tx.identity.addresses)


def _below(ctx: Context, head: str) -> str:
    return f"what is below {hidden(shorten(head), *ctx.tx.identity.addresses)!r} is" if head else "the first block is"


def ask_which_block(ctx: Context, lines: Lines) -> str:
    """Offer each of two blocks of a mail that order one unit differently, or those in doubt of several heads. Returns
    the sentence that asks which of them is the sender's, "" if there are none.
    """
    differing = [for_reasons(lines, reason) for reason in (Reason.UPPER_BLOCK, Reason.LOWER_BLOCK)]
    if all(differing):
        blocks, how = [("the upper block is", differing[0]), ("the lower block is", differing[1])], "that differ"
    else:
        blocks, how = [(_below(ctx, head), block) for head, block in _headed_in_doubt(lines)], "below different words"
    if len(blocks) < 2:
        return ""
    counted, each = ("two", "either") if len(blocks) == 2 else ("several", "any")
    if not (all(differing) or any(isinstance(line.meaning, Talk) and heads_orders(line.text) for line in lines)):
        blocks.append(("all of it is", tuple(line for _, block in blocks for line in block)))
    for which, block in blocks:
        ctx.offer(_offered(ctx, block), f"{which} mine: do this", Meant.MAYBE)
    return (
        f"Your mail has {counted} blocks of orders {how}, and one may be somebody else's, so nothing was done"
        f" with {each}. Which of them is yours? Send that one."
    )


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
    """What the receipt says of lines that it does not list; and of words that were not sent, though press may be
    meant. `writers` are those of the press that the mail answers.
    """
    said = []
    for reason, words in _SAID.items():
        if found := for_reasons(lines, reason):
            said.append(words(ctx, message, [text for line in found for text in line.texts]))
    said += _of_other_games(ctx, for_reasons(lines, Reason.OTHER_GAME))
    idle = not asks_anything(lines)
    answered = answered_to_nobody(ctx, writers, message.text) if idle else ()
    said += answered or (sent_to_nobody(ctx, lines) if has_unread(lines) and ctx.guesses else ())
    read = any(wonders(line.text) for line in for_reasons(lines, Reason.ANSWERED, Reason.OFFERED))
    return tuple(said) or (answers_nothing(ctx, message, read=read) if idle else ())


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


# ---- the subject


_SUBJECT_WORDS = 12


def in_subject(ctx: Context, message: Message) -> tuple[str, ...]:
    """What the reply to a mail that asks for nothing says about orders in its subject, or a command there if the mail
    is empty. That of an answer is not acted on: programs repeat it in every mail of a conversation, for months.
    """
    subject = subject_apart(message.subject)[1].strip()
    empty = not message.text.strip()
    words = subject.split(maxsplit=_SUBJECT_WORDS) if empty else []
    tails = [subject, *(" ".join(words[number:]) for number in range(1, len(words)))]
    line = next((tail for tail in tails if asks(ctx, tail, commands=empty and tail == subject)), None)
    if line is None:
        return ()
    why = "A subject is not read, since it is repeated in replies."
    shown = shorten(hidden(line, *ctx.tx.identity.addresses))
    return (f"{why} Write this in the body of the mail, one line for each: {shown}",)
