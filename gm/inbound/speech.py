"""What a mail's lines say to other players outside of press: nothing of it is sent, and it is offered as press."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise

from gm.commands.context import Context, Meant
from gm.commands.press import refusal
from gm.errors import GmError
from gm.games.snapshot import Game, Seat, addresses_of, holders
from gm.inbound.facts import items_in, listed
from gm.inbound.ordering import ordering_at
from gm.mail.message.addresses import hidden
from gm.parsing.addressed import Addressed, addressed, calls_another, points_at_words
from gm.parsing.game_names import without_game
from gm.parsing.lexicon import fold, shorten
from gm.parsing.limiting import withdraws
from gm.parsing.message import CommandLine, Complaint, OrderLine, PressBlock, Talk
from gm.parsing.questions import Wanted, clauses, sentences
from gm.parsing.sayings import MASTERS, SURE, knows, likely, powers_in
from gm.parsing.several_lines import ALL, GM, ends_text, named_beside_powers
from gm.play.admission import knows_the_invited
from gm.reading.line import Line, Lines, Origin, Reason, asks_anything, for_reasons

_MOST_NAMED = 3
_PRESS = frozenset((Wanted.GM_PRESS.name, Wanted.GM_BROADCAST.name))
LONGEST_OFFER = 800
"""Longer texts are not offered."""


def spoken_to(ctx: Context, text: str) -> Addressed:
    """The other players whom a line or a sentence speaks to; none if it speaks to none."""
    if ctx.game is None or ctx.seat is None:
        return Addressed((), "", text)
    game, seat = ctx.game, ctx.seat
    return ctx.looks.once(game, (_SPOKEN, text, seat.id), 0, lambda: _spoken_to(ctx, game, seat, text))


_SPOKEN, _PEOPLE = object(), object()


def _spoken_to(ctx: Context, game: Game, seat: Seat, text: str) -> Addressed:
    if ctx.runs_games and seat.moderates:
        text = without_game(text, game.name)
    people = ctx.looks.once(game, _PEOPLE, 0, lambda: people_in(game))
    found = addressed(_FROM_WHOM.sub(r"\1", text), game.lexicon_of(seat), people)
    if str(seat.power) in found.to or (seat.moderates and found.to and _is_wish(ctx, text)):
        return Addressed((), "", text)
    return found


_FROM_WHOM = re.compile(r"\A(\W*to [^,:\n]{2,40}),? from [^\W\d_]{2,20}(?=:)", re.IGNORECASE)
"""Who writes, in the heading of a letter: `To all the others, from France:`"""


def people_in(game: Game, reader: Seat | None = None) -> Mapping[str, str]:
    """The power of each player, and GM for who runs it, by their names in small letters, whole and in parts: where
    names are public, or the reader may know all, and without those that several have. For one who may, also by the
    words of their addresses, `dora@example.net`, but for names of powers.
    """
    knows_all = reader is not None and _knows_all(game, reader)
    if game.names_hidden and not knows_all:
        return {}
    held = [(str(seat.power), seat.name) for seat in game.held if seat.power and not game.is_secret(seat)]
    held += [(GM, person.name) for _, person in holders(game.masters) if not game.plays_openly(person)]
    named = [(part, power) for power, name in held for whole in [fold(name).folded] for part in {whole, *whole.split()}]
    if reader is not None and knows_all:
        lexicon = game.lexicon_of(reader)
        boxes = [
            (str(seat.power), box)
            for seat in game.held
            if seat.power and not game.is_secret(seat)
            for box in _boxes(seat)
        ]
        named += [(part, power) for power, box in boxes for part in box if lexicon.power(part) is None]
    often = Counter(part for part, _ in {*named})
    return {part: power for part, power in named if often[part] == 1 and len(part) >= _SHORTEST_NAME}


def _boxes(seat: Seat) -> list[list[str]]:
    """The words of a player's addresses before their signs, `dora` and `lee` of `dora.lee+gm@example.net`."""
    boxes = (email.partition("@")[0].partition("+")[0] for email in addresses_of(seat.person))
    return [_NO_LETTERS.split(fold(box).folded) for box in boxes]


_NO_LETTERS = re.compile(r"[\W\d_]+")
_SHORTEST_NAME = 3


def _knows_all(game: Game, reader: Seat) -> bool:
    return reader.moderates and not game.plays(reader.person) and knows_the_invited(game, reader)


def with_powers(game: Game, reader: Seat, text: str) -> str:
    """A gamemaster's text with the powers in place of their players' names, as far as its writer may know them; a word
    that may be meant as another stays.
    """
    people = people_in(game, reader)

    def power_of(found: re.Match[str]) -> str:
        power = people.get(fold(found[0]).folded, GM) if not knows(found[0], _COMMON) else GM
        return found[0] if power == GM else power

    return _TWICE.sub(r"\1", _WORD.sub(power_of, text))


_COMMON = 3
"""A word of fewer examples may be a name, too."""
_WORD = re.compile(r"(?<![\w@.+-])[^\W\d_]{3,}(?![\w@+])")
_TWICE = re.compile(r"\b(\w+) \1\b")


def named_in(game: Game, seat: Seat, text: str) -> Iterator[str]:
    """The powers, and GM, that a text names, also by their players."""
    people = people_in(game)
    words = re.findall(r"[^\W\d_]{2,}", text)
    runs = (" ".join(words[at : at + size]) for at in range(len(words)) for size in (3, 2, 1))
    for run in runs:
        power = next(powers_in(run, game.lexicon_of(seat)), None) if " " not in run else None
        known = named_beside_powers(fold(run).folded) if run.lower() != "master" else None
        if found := power or known or people.get(fold(run).folded):
            yield found


def _is_wish(ctx: Context, text: str) -> bool:
    """Whether a gamemaster's sentence about players surely wants something of the program: `remind France`."""
    near = likely(text, ctx.lexicon, moderates=True).within(SURE)
    return ":" not in text and all(kind.startswith(MASTERS) and kind not in _PRESS for kind in near)


def speech(ctx: Context, lines: Lines) -> Iterator[tuple[str, Addressed]]:
    """The sentences of the sender's own that nothing was made of, and to whom each speaks, as of `_speech`; a letter
    that is all in quotes without these. A sentence that is words in quotes and what leads to them is the letter to whom
    the one before it speaks, or the mail is about: `Can I write to Italy alone? Please send: "Shall we talk?"`
    """
    held: list[tuple[str, Addressed]] = []
    for text, found in _speech(ctx, lines):
        quoted = _ALL_QUOTED.fullmatch(found.text.strip()) if found.heads else None
        words = _LED_TO.fullmatch(text.strip()) if not found.to else None
        if quoted is not None:
            found = found._replace(text=quoted["words"].strip())
        elif words is not None and (to := next((one.to for _, one in held if one.to), ()) or _only_named(ctx)):
            found = Addressed(to, words["words"].strip(), "", f"PRESS TO {', '.join(to)}\n")
            held.clear()
        yield from held
        held = [(text, found)]
    yield from held


def _only_named(ctx: Context) -> tuple[str, ...]:
    """The only one whom a mail names, everybody aside; () if there is none, or there are several."""
    if ctx.game is None or ctx.seat is None or ctx.mail is None:
        return ()
    named = {*named_in(ctx.game, ctx.seat, ctx.mail.message.text)} - {ALL}
    return tuple(named) if len(named) == 1 else ()


_ALL_QUOTED = re.compile(r"[\"“„«»](?P<words>[^\"“”„«»]+)[\"”“«»]")
_LED_TO = re.compile(rf"[^\"“”„«»:?!.]{{3,60}}:[ ]?{_ALL_QUOTED.pattern}[.!]?")


def _speech(ctx: Context, lines: Lines) -> Iterator[tuple[str, Addressed]]:
    """The sentences of the sender's own that nothing was made of, and to whom each speaks. What is below the first line
    of a letter belongs to it, up to a line that speaks to somebody, or says that the letter ends; in a mail that asks
    for something, up to a gap.
    """
    takes, letter, below = not asks_anything(lines), None, 0
    above: list[str] = []
    heading = {*_headings(lines)}
    open_ones = [line for line in for_reasons(lines, *_OPEN) if _may_be_meant(line) and line.number not in heading]
    last = open_ones[-1].number if open_ones else 0
    parts = ((line, part) for line in islice(open_ones, MOST_HEARD) for part in _by_readers(ctx, line.text))
    for line, said in parts:
        whole = spoken_to(ctx, said)
        if letter and ends_text(said):
            yield letter
            letter = None
            continue
        if letter and (not (takes or line.number == below) or speaks(ctx, said) or _OWN_ORDERS.match(said)):
            yield letter
            letter = None
        below = line.number + len(line.texts)
        if whole.heads:
            letter = (said, whole)
        elif letter:
            letter = (letter[0], letter[1]._replace(text=f"{letter[1].text}\n{said.rstrip()}".lstrip()))
        else:
            for text in sentences(said):
                found = spoken_to(ctx, text)
                leads = found.heads or (text.strip() == said.strip() and _THIS.search(text) is not None)
                if leads and found.to and not found.text and line.number < last:
                    letter = (text, found._replace(heads=True))  # of what stands below, never above it
                    continue
                if points_at_words(text, found) and above:
                    found = found._replace(text="\n".join(above))
                above = [] if found.to else [*above, text]
                yield text, found
    if letter:
        yield letter


def _by_readers(ctx: Context, text: str) -> Iterator[str]:
    """The parts of a line that speak each to somebody else, so that no words for one are in a letter to another: `Tell
    France: ... And tell Germany that ...`
    """
    first, begin, at = spoken_to(ctx, text), 0, 0
    for clause in clauses(text)[:_MOST_READERS]:
        at = max(text.find(clause, at), at)
        found = spoken_to(ctx, text[at:]) if at > begin else first
        others = not set(found.to) <= set(first.to)
        if others and _JOINS.fullmatch(found.before) and found.heads <= first.heads:
            yield text[begin:at].strip()
            first, begin = found, at
    yield text[begin:]


_JOINS = re.compile(r"(?:and|und|et|y|en|e)?", re.IGNORECASE)
_MOST_READERS = 20


def heads_letter(ctx: Context, text: str) -> bool:
    """Whether a sentence of a text only heads a letter that stands below it: `This is for France. For nobody else.`"""
    return any(one.heads and not one.text for one in map(partial(spoken_to, ctx), sentences(text)))


_THIS = re.compile(r"\b(?:this|the following|diese[sn]?|folgendes?|das (?:hier|folgende)|ceci|ce qui suit)\b", re.I)
"""What points at words that stand below."""
_OWN_ORDERS = re.compile(
    r"\W*(?:(?:and|now|here are|und|nun|et|voici) )?(?:my|our|meine|unsere|mes|nos) (?:own )?"
    r"(?:moves|orders|befehle|züge|ordres|coups)\b[^:,.;]{0,20}(?:[:,]| (?:are|sind|sont)\b)",
    re.IGNORECASE,
)
"""The beginning of a line that gives orders below a letter: `And my moves are:`."""


def _headings(lines: Lines) -> Iterator[int]:
    """The numbers of the lines that end with a colon right above a command or a text of the writer's, and head it."""
    own = [line for line in lines if line.origin is Origin.OWN and line.text.strip()]
    for line, after in pairwise(own):
        if line.text.rstrip().endswith(":") and isinstance(after.meaning, CommandLine | PressBlock):
            yield line.number


MOST_HEARD = 100
"""In so many lines of a mail it is looked for what they may mean: for one that takes as long as reading many orders."""
_OPEN = (Reason.PLAIN, Reason.PASSED, Reason.MENTIONS, Reason.NOT_UNDERSTOOD, Reason.OFFERED)


def _may_be_meant(line: Line) -> bool:
    """Whether it is the sender's own, and neither a part of a form nor a command."""
    meaning = line.meaning
    aside = isinstance(meaning, Talk) and meaning.blank
    return line.origin is Origin.OWN and not aside and (not isinstance(meaning, Complaint) or meaning.of_order)


def speaks(ctx: Context, line: str) -> bool:
    """Whether a line, or a sentence of it, speaks to somebody else than the program."""
    found = (spoken_to(ctx, text) for text in dict.fromkeys((line, *sentences(line))))
    return any(one.to or one.error for one in found)


def sent_to_nobody(ctx: Context, lines: Lines) -> tuple[str, ...]:
    """What is said of words to a player that are not between PRESS TO and ENDPRESS: they are offered as press, to be
    sent with one tap.
    """
    spoken = ((text, found) for text, found in speech(ctx, lines) if found.to or found.error)
    open_ones = ((text, found) for text, found in spoken if not _is_offered(ctx, found.text))
    return tuple(_not_sent(ctx, text, found) for text, found in islice(open_ones, _MOST_NAMED))


def _is_offered(ctx: Context, words: str) -> bool:
    """Whether these words for others stand in a line that a gamemaster is offered, perhaps without what leads to them,
    `why: half of us are travelling`, or what is wanted beside: `and send me the log`.
    """
    said = words.rpartition(": ")[2].strip()
    bodies = ("\n".join(one.line.split("\n")[1:-1]) for one in ctx.answer.offers)
    return ctx.at_chair and bool(said) and any(body and (said in body or body in said) for body in bodies)


def _not_sent(ctx: Context, text: str, found: Addressed) -> str:
    if found.error is not None:
        return f"{found.error.problem} {found.error.remedy}"
    to = ", ".join(found.to)
    refused = offer_press(ctx, to, found.text, found.opening, letter=found.heads or _TELLS.match(text) is not None)
    how = refused or f"To send a message, write PRESS TO {to}, below it your text, and below that ENDPRESS."
    return f"Sent to nobody, since it is not press: {shorten(text.strip())!r}. {how}"


_TELLS = re.compile(
    r"\W*(?:(?:please|and|also|then|bitte)\b\W*|(?:can|could|would|will) you (?:please )?)*"
    r"(?:tell|inform|let|ask|sag\w*|dis|dites)\b[^:;.!?]{1,60}?\b(?:that|know|whether|if|dass?|que)\b",
    re.IGNORECASE,
)
"""Words that say that others are to be told something: what follows is no order."""


def asks(ctx: Context, text: str, *, commands: bool = True) -> bool:
    """Whether a text has an order, or a command if these count."""
    kinds = OrderLine | CommandLine if commands else OrderLine
    return any(isinstance(item, kinds) for item in items_in(ctx, text.split("\n")))


def _gives_orders(ctx: Context, text: str, *, letter: bool = False) -> bool:
    """Whether a text has an order or a command, or may give an order: in a `letter`, only one in notation."""
    ordering = ordering_at(ctx.game, ctx.seat)
    return asks(ctx, text) or (ordering is not None and (ordering.notes(text) or (not letter and ordering.gives(text))))


def offer_press(
    ctx: Context, to: str, text: str, opening: str = "", *, letter: bool = False, proposed: bool = True
) -> GmError | None:
    """Offer to send a text, or to a player a form for one if it is long, or has orders or commands, which may be
    theirs alone: in a `letter`, only such as are in notation. What is not `proposed` is for a tap alone. Returns why
    press to these powers would be refused.
    """
    if ctx.game is None or ctx.seat is None:
        return None
    if (refused := refusal(ctx.game, ctx.seat, to.split(", "))) is not None:
        return refused
    short = len(text) <= LONGEST_OFFER and not _gives_orders(ctx, text, letter=letter)
    if to == GM and not short:
        return None  # what it is about is not known, so its text is not either
    sent = hidden(text, *ctx.tx.identity.addresses) if short else ""
    opening = opening or f"PRESS TO {to}\n"
    whom = "the gamemaster" if to == GM else to
    alone = is_for_them_alone(ctx, to.split(", "), sent)
    meant = Meant.MAYBE if sent and proposed and alone else Meant.NO
    ctx.offer(f"{opening}{sent or 'your text'}{opening[-1]}ENDPRESS", f"send this to {whom}", meant)
    return None


def is_for_them_alone(ctx: Context, to: Sequence[str], text: str) -> bool:
    """Whether a text speaks to nobody but these readers, and its mail takes nothing back."""
    if ctx.game is None or ctx.seat is None:
        return True
    lexicon = ctx.game.lexicon_of(ctx.seat)
    readers = [*map(str, lexicon.powers)] if ALL in to else to
    whole = ctx.mail.message.text[:LONGEST_OFFER] if ctx.mail is not None else text
    return not (withdraws(whole) or calls_another(text, readers, lexicon, people_in(ctx.game)))


def answered_to_nobody(ctx: Context, writers: Sequence[str], text: str) -> tuple[str, ...]:
    """What is said when a mail answers press of these writers, and asks for nothing."""
    own = [line.strip() for line in text.split("\n") if line.strip()]
    if not writers or not own or ctx.game is None or ctx.seat is None:
        return ()
    to = ", ".join(writers)
    refused = refusal(ctx.game, ctx.seat, writers)
    how = refused or f"To answer the press, write PRESS TO {to}, below it your text, and below that ENDPRESS."
    return (f"You answered press, but your words were sent to nobody: {listed(own)}. {how}",)
