"""The talk of a mail, parted into the lines that may ask something: without headings, salutations, wraps and names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from gm import patterns as re
from gm.commands.context import Context
from gm.commands.help import plays_nothing
from gm.inbound.facts import game_named, has_deeds
from gm.inbound.ordering import ordering_at
from gm.inbound.speech import speaks, spoken_to
from gm.inbound.wishes.asked import (
    GREETS,
    MOST_ASKED,
    SAID_BY_ORDERS,
    SEVERAL,
    asked_surely,
    gives_orders,
    is_a_word,
    is_one_question,
    own_wishes,
    question_in,
    sentences_here,
    without_hallo,
)
from gm.inbound.wishes.guesses import (
    guess,
    message_in,
    message_marked,
    powers_named,
    says_to_others,
    with_words,
)
from gm.inbound.wishes.masters_wishes import TAKES_WORDS
from gm.mail.message.voices import heads_orders
from gm.parsing.game_names import (
    plain,
    without_added,
    without_game,
)
from gm.parsing.likely_commands import time_in
from gm.parsing.message import CommandLine, Talk
from gm.parsing.own_sentences import goes_on
from gm.parsing.questions import (
    Wanted,
    asks_beside,
    clauses,
    is_asking,
    is_reason,
    is_told,
    requests,
    sentences,
    wonders,
)
from gm.parsing.sayings import LIKELY, SURE
from gm.reading.line import Line, Lines, Origin, Reason, asks_anything, for_reasons, line_of, said_so, settled

MOST_LINES = 40
"""So many lines of a mail's talk are looked at for questions: who asks, does so early."""
LEAST_ASKED = 2
"""So many words ask something by themselves: `How?` is about what stands before it."""
_MOST_CLAUSES = 80
"""So many clauses of it: each is guessed at."""


def unwrapped(ctx: Context, lines: Lines) -> Lines:
    """The lines, a sentence that a mail program broke in one again; the line with its end is settled."""
    found: list[Line] = []
    for line in lines:
        above = next((one for one in reversed(found) if not one.is_for(Reason.GREETING)), None)
        if above is not None and _goes_on_in(ctx, above, line):
            found[found.index(above)] = said_so(above, f"{above.text.rstrip()} {line.text.strip()}")
            line = settled(line, Reason.GREETING)
        found.append(line)
    return tuple(found)


def _goes_on_in(ctx: Context, above: Line, below: Line) -> bool:
    """Whether a line is the rest of the one above, which is as long as programs make lines."""
    talk = all(is_open_talk(ctx, one) and isinstance(one.meaning, Talk) for one in (above, below))
    long = len(above.text) >= _WRAPPED and (above.text.rstrip()[-1:].isalnum() or above.text.rstrip().endswith(","))
    return talk and long and below.text.lstrip()[:1].islower() and not _is_item(below)


_WRAPPED = 55
"""So long is a line that a mail program has broken."""


def without_headings(ctx: Context, lines: Lines) -> Lines:
    """The lines, a sentence with a colon above a command settled as its heading: `before that I want to ask all:`."""
    found: list[Line] = []
    below = None
    for line in reversed(lines):
        found += reversed([*_without_heading(ctx, line, below)])
        below = below if line.is_for(Reason.GREETING) else line
    return tuple(reversed(found))


def _without_heading(ctx: Context, line: Line, below: Line | None) -> Iterator[Line]:
    heads = below is not None and isinstance(below.meaning, CommandLine)
    if not (line.is_talk and is_open_talk(ctx, line)):
        yield line
        return
    *before, last = sentences(line.text) or [""]
    text = line.text
    if heads and line.is_for(Reason.PLAIN) and last.endswith(":") and not wonders(last):
        text = " ".join(before)
        yield replace(settled(line, Reason.GREETING), text=last)
    if text:
        yield said_so(line, text)


def unsigned(ctx: Context, lines: Lines) -> Lines:
    """The lines, the salutation at the head of a mail with more settled as a greeting, `Hallo,`, and so are the name at
    its end, and the words that take leave above it: `Bis bald`.
    """
    own = [at for at, line in enumerate(lines) if line.origin is Origin.OWN and line.text.strip()]
    if len(own) < SEVERAL:
        return lines
    ends = own[:1] if _salutes(ctx, lines[own[0]]) else []
    if _signs(ctx, lines[own[-1]]):
        ends += own[-2:] if len(own) > SEVERAL and _takes_leave(ctx, lines[own[-2]]) else own[-1:]
    return tuple(settled(line, Reason.GREETING) if at in ends else line for at, line in enumerate(lines))


def _salutes(ctx: Context, line: Line) -> bool:
    """Whether a line above others is a few words with a comma behind them, or is one word: `Hallo,`, `Moin!`."""
    text = line.text.strip()
    few = len(text.split()) <= GREETS and (text.endswith(",") or text.rstrip("!").isalpha())
    return few and line.is_talk and is_open_talk(ctx, line) and not speaks(ctx, text)


def _takes_leave(ctx: Context, line: Line) -> bool:
    """Whether a line above a name is short, and asks nothing and surely wants no one thing, in whatever language."""
    few = len(line.text.split()) <= GREETS and "?" not in line.text
    return few and is_open_talk(ctx, line) and len(guess(ctx, line.text).within(LIKELY)) > 1


def _signs(ctx: Context, line: Line) -> bool:
    """Whether a line of talk may be no more than a name: the sender's, or else a few words with capitals or behind a
    dash, and no example of anything, nor a place.
    """
    words = _NAME.findall(line.text)
    dashed = _DASHED.match(line.text) is not None and not _names_place(ctx, line.text)
    line = settled(line, Reason.PLAIN) if dashed and line.is_for(Reason.MENTIONS) else line
    named = 0 < len(words) <= _NAMES and (dashed or all(map(str.istitle, words))) and "?" not in line.text
    named = named and line.is_for(Reason.PLAIN) and is_open_talk(ctx, line)
    return named and (_is_name(ctx, line.text) or not guess(ctx, line.text).is_example)


_NAMES = 3
_DASHED = re.compile(r"\s*[-~\u2013\u2014]")


def first_of_talk(ctx: Context, lines: Lines) -> tuple[Lines, Lines]:
    """The lines of which the talk is looked at for questions, and those below them; from one with too many clauses."""
    talk, seen = 0, 0
    for at, line in enumerate(lines):
        if is_open_talk(ctx, line):
            talk, seen = talk + 1, seen + len(clauses(line.text))
            if talk > MOST_LINES or seen > _MOST_CLAUSES:
                return lines[:at], lines[at:]
    return lines, ()


def with_talk_passed(ctx: Context, lines: Lines) -> Lines:
    """The lines, whose talk is passed over as a whole, without a look at what it may ask."""
    return tuple(settled(line, Reason.PASSED) if is_open_talk(ctx, line) else line for line in lines)


def with_lists(ctx: Context, lines: Lines) -> Lines:
    """The lines; what heads a list, or a text for others, with what stands in it, if it surely wants something:
    `invite these:`, `put this above the next report:`. The lines below it are settled as parts of it.
    """
    found: list[Line] = []
    for at, line in enumerate(lines):
        own, about_them = without_added(line.text.rstrip())
        heads = is_open_talk(ctx, line) and own.endswith(":")
        words = [*takewhile(partial(_may_be_words, ctx), lines[at + 1 :])] if heads and ctx.runs_games else []
        below = [*takewhile(lambda one: is_open_talk(ctx, one) and _is_item(one), words)]
        text = "\n".join(plain(one.text).rstrip() for one in words).strip()
        told_below = text and (message_in(ctx, f"{own}\n{text}")[1] or _heads_words(ctx, own))
        below = words if told_below else below
        heads = heads and bool(below)
        if heads and ctx.runs_games and isinstance(line.meaning, Talk) and (told_below or _wants_surely(ctx, own)):
            items = "\n".join((own, *(plain(one.text).strip() for one in below)))
            text = with_words(about_them(own.rstrip(" :")), text) if told_below else about_them(items)
            parts = (settled(one, Reason.OFFERED) for one in below)
            rest = lines[at + 1 + len(below) :]
            return (*found, said_so(line, text), *parts, *rest)
        found.append(line)
    return tuple(found)


def _wants_surely(ctx: Context, text: str) -> bool:
    return question_in(ctx, text) is not None


def _heads_words(ctx: Context, text: str) -> bool:
    """Whether what a line surely wants takes the words that stand below it."""
    return any(one.want in TAKES_WORDS for one in asked_surely(ctx, [text.rstrip(" :")]))


def _may_be_words(ctx: Context, line: Line) -> bool:
    return line.origin is Origin.OWN and (is_open_talk(ctx, line) or not line.text.strip())


def _is_item(line: Line) -> bool:
    """Whether it is a line of a list: marked as one, or with an address."""
    return "@" in line.text or _MARKED.match(line.text) is not None


_MARKED = re.compile(r"\s*(?:[-*+\u2022\u2013]|\d{1,2}[.)])\s+\S")


def parts_of_talk(ctx: Context, line: Line) -> Lines:
    """The line; or each of its sentences as one, if one surely asks for something and another does not, or one asks
    and another may order: no question swallows what stands beside it, and none is swallowed.
    """
    talk = line.meaning
    if not isinstance(talk, Talk) or not is_open_talk(ctx, line):
        return (line,)
    texts = [part for text in without_hallo(ctx, sentences_here(ctx, line.text)) for part in _orders_apart(ctx, text)]
    if len(texts) < SEVERAL or len(texts) > MOST_ASKED or is_one_question(ctx, texts):
        return (line,)
    spoken = [spoken_to(ctx, text) for text in (line.text, *texts)]
    if any(one.heads or one.error for one in spoken):
        return (line,)
    sure = [not one.to and bool(asked_surely(ctx, [text])) for one, text in zip(spoken[1:], texts, strict=True)]
    asking = [text for text in texts if wonders(text)]
    asked = any(len(text.split()) >= LEAST_ASKED for text in asking)
    orders = any(text not in asking and (_names_place(ctx, text) or gives_orders(ctx, text)) for text in texts)
    one_wish = ctx.runs_games and not asking and any(map(goes_on, texts[1:]))
    if (_alike(sure) or one_wish) and not (orders and asked):
        return (line,)
    parts = (replace(talk, text=text, mentions_board=_mentions(ctx, talk, text)) for text in texts)
    return tuple(replace(line, text=part.text, meaning=part, fate=line_of(part).fate) for part in parts)


def _orders_apart(ctx: Context, text: str) -> Iterator[str]:
    """The parts of a player's sentence in which clauses order and others surely want something else; or the sentence:
    `Mos to War, can both move at once?`
    """
    parts = own_wishes(text) if not ctx.runs_games and ordering_at(ctx.game, ctx.seat) is not None else []
    asked = [len(parts) > 1 and _asks_apart(ctx, part) for part in parts]
    orders = any(asked) and any(not one and gives_orders(ctx, part) for one, part in zip(asked, parts, strict=True))
    begin = end = 0
    for n, part in enumerate(parts if orders else []):
        at = max(text.find(part, end), end)
        if n and asked[n] != asked[n - 1]:
            yield text[begin:at].rstrip(" ,;-")
            begin = at
        end = at + len(part)
    yield text[begin:]


def _asks_apart(ctx: Context, part: str) -> bool:
    """Whether a clause asks, or surely wants something that orders do not say, and gives none."""
    wants = asks_beside(part) or any(
        one.want not in (*SAID_BY_ORDERS, Wanted.CLEAR) for one in asked_surely(ctx, [part])
    )
    return wants and not (gives_orders(ctx, part) and not part.rstrip().endswith("?"))


def _mentions(ctx: Context, talk: Talk, text: str) -> bool:
    """Whether a sentence of talk that may be an order is what may be one."""
    return talk.mentions_board and (ordering_at(ctx.game, ctx.seat) is None or _names_place(ctx, text))


def _names_place(ctx: Context, text: str) -> bool:
    ordering = ordering_at(ctx.game, ctx.seat)
    return ordering is not None and ordering.names_place(text)


def _alike(each: Sequence[bool]) -> bool:
    return all(each) or not any(each)


def greeting_settled(ctx: Context, line: Line) -> Line:
    """The line; a greeting, or the sender's name below it, settled as such: it is looked at no more."""
    if not line.is_for(Reason.PLAIN) or not is_open_talk(ctx, line):
        return line
    greets = _is_name(ctx, line.text) or _only_greets(ctx, line.text)
    return settled(line, Reason.GREETING) if greets else line


def _is_name(ctx: Context, text: str) -> bool:
    """Whether these are words of the sender's name as their mail has it."""
    words = _NAME.findall(text.casefold())
    name = ctx.mail.message.sender_name if ctx.mail is not None else ""
    return bool(words) and frozenset(words).issubset(_NAME.findall(name.casefold()))


_NAME = re.compile(r"\w+")


def only_chats(ctx: Context, lines: Lines) -> bool:
    """Whether a mail to a seat has nothing but thanks, greetings and names."""
    own = [line for line in lines if line.origin is Origin.OWN and line.text.strip()]
    talk = bool(own) and ctx.seat is not None and all(line.is_for(Reason.PLAIN, Reason.GREETING) for line in own)
    return talk and all(line.is_for(Reason.GREETING) or _only_greets(ctx, line.text) for line in own)


def asks_here(ctx: Context, lines: Lines) -> bool:
    """Whether a mail that is handed on to the games that it names asks for anything at the address to which it came."""
    rest = [line for line in lines if not line.is_heading and not line.is_for(Reason.ELSEWHERE)]
    talk = [line.meaning for line in rest if line.origin is Origin.OWN and isinstance(line.meaning, Talk)]
    headed = ctx.seat is not None and any(line.is_heading and not line.is_for(Reason.ELSEWHERE) for line in lines)
    asked = ctx.runs_games and any(is_asking(one.text) for one in talk)
    if has_deeds(ctx, for_reasons(lines, Reason.ELSEWHERE)) and not headed:
        talk = [one for one in talk if requests(one.text) and not one.text.rstrip().endswith(":")]  # `please begin:`
    named = (ctx.by_name and not only_chats(ctx, tuple(rest))) or any(game_named(ctx, one) for one in talk)
    return bool(talk and named) or asked or asks_anything(rest)


def _only_greets(ctx: Context, text: str) -> bool:
    found = guess(ctx, text)
    thanks = found.known and found.within(SURE) == ("CHAT",) and not speaks(ctx, text)
    return thanks and not (ctx.runs_games and says_to_others(text))


def is_open_talk(ctx: Context, line: Line) -> bool:
    return (line.is_talk and line.is_for(Reason.PLAIN, Reason.MENTIONS)) or is_a_word(ctx, line)


def passed_over(ctx: Context, line: Line, *, idle: bool) -> Line:
    """The line; talk at a seat that is about the game, or is all that the mail has, as passed over, so that its sender
    is told.
    """
    if not is_for_nobody(ctx, line, idle=idle):
        return line
    alone = idle and len(line.text.split()) > 1 and guess(ctx, line.text).within(SURE) != ("CHAT",)
    return settled(line, Reason.PASSED) if alone or any(map(partial(is_about, ctx), sentences(line.text))) else line


def said_beside(line: Line) -> Line:
    """The line; a sentence beside what is offered to a gamemaster as passed over, so that it is named: it may be meant
    for others.
    """
    says = isinstance(line.meaning, Talk) and len(line.text.split()) > GREETS and line.is_for(Reason.PLAIN)
    return settled(line, Reason.PASSED) if says else line


def may_want(ctx: Context, text: str) -> bool:
    """Whether a sentence that was passed over may want more: it asks for something, or names an address, a time or a
    power, and does not only say why.
    """
    text = without_game(text, ctx.game_name)
    if is_reason(text) or is_told(text):
        return False
    named = ctx.game is not None and any(powers_named(ctx.game, ctx.seat, text))
    told = message_marked(text) or says_to_others(text)
    return told or requests(text) or "@" in text or bool(time_in(text)) or named


def is_for_nobody(ctx: Context, line: Line, *, idle: bool) -> bool:
    """Whether a line is talk at a seat without an addressee (of other talk the receipt says that it was not sent)."""
    text = line.text.rstrip()
    called = text.endswith("!") and len(text.split()) <= GREETS
    heads = not idle and not wonders(text) and (text.endswith(":") or called or heads_orders(text))
    asks = line.is_for(Reason.MENTIONS) and text.endswith("?")  # that it names places is no answer to it
    if plays_nothing(ctx) or heads or not is_open_talk(ctx, line) or not (asks or line.is_for(Reason.PLAIN)):
        return False
    return not speaks(ctx, line.text)


def is_about(ctx: Context, sentence: str) -> bool:
    """Whether a sentence asks something, or is likelier to want anything than to be a greeting."""
    found = guess(ctx, sentence)
    return sentence.rstrip().endswith("?") or (found.known and found.kinds[0] != "CHAT")
