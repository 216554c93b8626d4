"""Orders and texts that a mail may be meant to give or send: offered to its sender, each to be sent with one tap."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain, islice, pairwise, permutations, takewhile
from typing import NamedTuple

from gm.commands.context import Context, Meant
from gm.errors import GmError, NotUnderstood
from gm.games.snapshot import Game, Seat
from gm.inbound.facts import names_known, names_of_games
from gm.inbound.ordering import MOST_MEANT, Ordering, Reading, ordering_at, orderings_of
from gm.inbound.plain_answers import amended, declines, left_open, proposed_to
from gm.inbound.speech import LONGEST_OFFER, asks, is_for_them_alone, named_in, speech
from gm.inbound.telling import what_to_write
from gm.mail.message.addresses import hidden
from gm.mail.message.voices import heads_orders
from gm.orders.notation import short
from gm.parsing.game_names import is_otherwise, mention, without_game
from gm.parsing.lexicon import shorten
from gm.parsing.meant import keeps_orders, orders_by
from gm.parsing.meant_words import Way, says
from gm.parsing.message import Complaint, OrderLine, Talk
from gm.parsing.not_orders import CONDITIONS
from gm.parsing.questions import asks as is_question
from gm.parsing.questions import clauses, requests, sentences
from gm.parsing.sayings import powers_in
from gm.parsing.thoughts import without_purpose
from gm.play.questions import HOPES
from gm.position import PhaseKind
from gm.reading.line import Line, Lines, Origin, Reason, asks_anything, for_reasons, said_so, settled
from gm.reports import listed

IF_MEANT = "order this, if it is what you mean"


class Beside(NamedTuple):
    """What stands beside orders."""

    wishes: tuple[str, ...] = ()
    """The commands that are wished, each as a line."""
    left: tuple[str, ...] = ()
    """The words of which nothing was made."""

    def label(self, without: Iterable[str] = ()) -> str:
        """What an offer of the orders does, and what it leaves out."""
        left = [*dict.fromkeys((*without, *self.left))]
        return f"{IF_MEANT}; that leaves out {listed(left)}" if left else IF_MEANT


BesideOrders = Callable[[Context, Ordering, Sequence[str]], Beside]
"""What finds what stands in sentences beside the orders that they give."""


def offer_ended(ctx: Context, lines: Lines) -> None:
    """Offer to send a text that lacks its end, to those named in it, and to order what stands at its end: not one that
    is long, or has orders elsewhere in it.
    """
    for line in for_reasons(lines, Reason.NOT_UNDERSTOOD):
        error = line.error
        whole = error.mended if isinstance(error, NotUnderstood) else ""
        head, *body, end = whole.split("\n") if whole else ("", "")
        at_end = list(takewhile(lambda one: not one.strip() or _in_notation(ctx, [one.strip()]), reversed(body)))
        text = body[: len(body) - len(at_end)]
        says_it = bool(text or not body or head.partition(":")[2].strip())
        if whole and says_it and len(whole) <= LONGEST_OFFER and not any(asks(ctx, one) for one in text):
            sent = hidden("\n".join((_below_its_game(ctx, head), *text, end)), *ctx.tx.identity.addresses)
            to = [*named_in(ctx.game, ctx.seat, head)] if ctx.game is not None and ctx.seat is not None else []
            alone = not to or is_for_them_alone(ctx, to, "\n".join(text))
            ctx.offer(sent, f"send it, with {end} below the text", Meant.MAYBE if alone else Meant.NO)
        if ordered := _in_notation(ctx, [one.strip() for one in reversed(at_end) if one.strip()]):
            ctx.offer(ordered, IF_MEANT, Meant.MAYBE)


def _in_notation(ctx: Context, lines: Sequence[str]) -> str:
    """Lines that give orders: each as it is, or what it would order."""
    ordering = ordering_at(ctx.game, ctx.seat)
    found = ((line,) if asks(ctx, line) else _surely_ordered(ordering, line) for line in lines)
    return "\n".join(chain.from_iterable(found))


def _surely_ordered(ordering: Ordering | None, line: str) -> Way:
    """What a line would order, if nothing of it is lost, and it speaks to nobody."""
    if ordering is None or not ordering.gives(line):
        return ()
    return next((one.ways[0] for one in ordering.readings([line]) if _is_whole(one) and not one.aside), ())


def _below_its_game(ctx: Context, head: str) -> str:
    """What heads a text, at the server's address below the game that it names: `PRESS TO France in spring: ...`."""
    to, colon, words = head.partition(":")
    named = {*map(str.lower, re.findall(r"[\w-]+", to))}.intersection(names_of_games(ctx)() if ctx.seat is None else ())
    name = next(iter(named)) if len(named) == 1 else ""
    return f"GAME {name}\n{without_game(to, name)}{colon}{words}" if name else head


def offer_at_seats(ctx: Context, lines: Lines) -> tuple[Lines, Lines]:
    """Offer orders in a mail to the server's own address to each of the few games that their sender plays; and what
    sentences order there, or at a seat for another game, to the games that they name: what names none is for the game
    of the seat. Returns the lines, without what is offered so, and those of which all is.
    """
    given = tuple(line for line in for_reasons(lines, Reason.NOT_DONE) if _is_order(line)) if ctx.seat is None else ()
    parts = [*islice(_parts_for_games(ctx, lines), MOST_MEANT)]
    if not given and {one.game for one in parts} <= {"", ctx.game_name.lower()}:
        return lines, ()
    texts = "\n".join(text.strip() for line in given for text in line.texts)
    seats = [*orderings_of(ctx)]
    fit = [one for one in seats if one[1] is not None and _can_order(one[1], given)]
    ordered = dict[str, Way]()
    whole = list[_Part]()
    for game, ordering in fit or seats:
        said = [(one, without_game(one.text, game.name).strip(" ,;")) for one in parts if one.game == game.name.lower()]
        own = [(one, _surely_ordered(ordering, text)) for one, text in said]
        whole += [one for one, way in own if way] + [one for one, text in said if keeps_orders(text)]
        ordered[game.name] = tuple(dict.fromkeys(chain.from_iterable(way for _, way in own)))
    if not texts and not any(way for name, way in ordered.items() if name != ctx.game_name):
        return lines, ()
    for name, way in ordered.items():
        if texts or way:
            whole_way = f"GAME {name}\n{hidden(texts or _NEXT.join(way), *ctx.tx.identity.addresses)}"
            ctx.offer(whole_way, f"do this for {name}", Meant.MAYBE if texts else Meant.SURELY)
    left = lines if texts else tuple(_without_parts(line, parts, whole) for line in lines)
    return left, tuple(new for new, line in zip(left, lines, strict=True) if new.fate != line.fate)


_NEXT = "\n"


class _Part(NamedTuple):
    """A part of a mail's talk that is for one game."""

    line: Line
    game: str
    """The name of the game, "" if it is not said."""
    text: str


def _parts_for_games(ctx: Context, lines: Lines) -> Iterator[_Part]:
    """The sentences of a mail's talk, or their parts, by the game that they name; at a seat those before the first name
    in a line are for the seat's, and a name that is a season or a place there counts only beside another.
    """
    here, known = ctx.game_name.lower(), [*names_known(ctx)]
    talk = [line for line in for_reasons(lines, *_OF_TALK) if line.origin is Origin.OWN]
    text = "\n".join(line.text for line in talk)
    said = [name for name in known if mention(name).search(text)]
    names = said if len(said) > 1 or ctx.seat is None else [one for one in said if not is_otherwise(one, ctx.lexicon)]
    for line in talk:
        game = here
        for one in sentences(line.text):
            for part in _by_games(one, names, here):
                game = next((name for name in names if mention(name).search(part)), game)
                yield _Part(line, game, part)


def _without_parts(line: Line, parts: Sequence[_Part], whole: Sequence[_Part]) -> Line:
    """A line without its parts that are offered as a `whole`; one of only such as asked about."""
    own = [one for one in parts if one.line is line]
    rest = [one.text for one in own if one not in whole]
    if len(rest) == len(own):
        return line
    return said_so(line, ". ".join(rest)) if rest else settled(line, Reason.OFFERED)


def _by_games(text: str, names: Collection[str], here: str) -> list[str]:
    """A sentence for several games as one for each: `in spring Brest to the Channel, and in duel my army to Rome`. What
    stands before the first name is for the game `here`, if there is one.
    """
    named = {name for name in names if mention(name).search(text)}
    found: list[str] = []
    for clause in clauses(text) if len({*named, *filter(None, (here,))}) > 1 else [text]:
        if found and not any(mention(name).search(clause) for name in named):
            found[-1] += f", {clause}"
        else:
            found.append(clause)
    return found


def _can_order(ordering: Ordering, given: Lines) -> bool:
    """Whether any of these lines is an order for a seat now."""
    texts = [text for line in given for text in line.texts][:MOST_MEANT]
    return any(reading.ways for reading in ordering.readings(texts))


_OF_TALK = (Reason.PLAIN, Reason.PASSED, Reason.MENTIONS, Reason.NOT_UNDERSTOOD)


def offer_meant(
    ctx: Context, lines: Lines, beside_orders: BesideOrders, offered_apart: Lines = ()
) -> tuple[tuple[str, ...], Lines]:
    """Offer the orders, each whole and legal for a unit of the sender's, that are in lines which were not acted on:
    those of all sentences together, for each unit the last ones, and what else a sentence may mean by itself. Returns
    what the receipt says of a sentence of which they are only a part, and of a retreat that cannot be; and the lines,
    none of which was passed over that is an order.
    """
    named, heading = None, ""
    every, lines = lines, tuple(line for line in lines if line not in offered_apart)
    if ctx.game is not None and ctx.seat is not None and ctx.seat.moderates:
        lines = tuple(line for line in lines if not line.is_for(Reason.OFFERED))  # it is no order that was wished
        named, heading = _of_the_named(ctx.game, lines)
    ordering = ordering_at(ctx.game, ctx.seat, named)
    if ordering is None:
        return (), every
    ordering, taken = _answering(ctx, ordering)
    said = _said_in(ctx, lines, ordering)
    if all(_only_heads(one, ordering) for one in said):
        return (), every
    ahead, said = ([], said) if heading else _without_ahead(ctx, ordering, said)
    said = said if heading else _without_branches(ctx, ordering, said)
    done = _done_in(lines, said, ordering)
    found = _read(ordering, done, said, _ordered_below(lines, ordering))
    found = found._replace(ways=tuple(ordering.with_others(taken, way, found.not_at) for way in found.ways))
    if taken and found.ways:
        ctx.withdraw("\n".join(taken))
    ways, partly = dict.fromkeys(found.ways, ""), found.partly
    refused: GmError | None = None
    told = done or ways or any(one.orders for one in partly) or asks_anything(lines) or ctx.answer.offers
    if said and not told and _must_retreat(ordering):
        ways = dict.fromkeys(ordering.possible, IF_MEANT)
        refused = next(filter(None, map(ordering.no_retreat, said)), None)
    beside = beside_orders(ctx, ordering, said) if ways or partly else Beside()
    partly = [one for one in partly if one.orders or not found.ways]  # what is whole says what is ordered
    of_parts, near = _of_parts(ctx, ordering, lines, partly, None if ways else beside)
    only = len(near) == 1 and not ways
    near = {ordering.with_others(taken if only else (), way): label for way, label in near.items()}
    each = {frozenset(way.split("\n")): way for way in reversed((*ways, *near))}  # in whatever order they stand
    offered = {way: {**near, **ways}[way] for way in reversed(each.values())}
    wishes = "".join(f"\n{one}" for one in beside.wishes)
    for one in beside.wishes:
        ctx.withdraw(one)
    changed = {way: "\n".join(ordering.as_whole_list(tuple(way.split("\n")), " ".join(said))) for way in offered}
    already = list[str]()
    for way, label in ((changed[one], label) for one, label in offered.items() if changed[one]):
        if ordering.in_force().issuperset(way.split("\n")):
            already.append(f"Ordered already, and so it stays: {listed(way.splitlines())}.")
        else:
            lost = ordering.dropped_by(way.split("\n"))
            label = f"order this, in place of {listed(lost)}" if lost else label or beside.label(found.aside)
            ctx.offer(f"{heading}{way}{wishes if way not in near else ''}", label, Meant.MAYBE)
    takes_away = any(says(one, what) for one in said for what in _AWAY)
    stays = bool(already) and not (partly or ctx.open_offers or takes_away)
    rest = _saying_no_more(every, said, ordering) if ctx.open_offers else None
    whole = (*found.whole, *((text, Reason.MENTIONS) for text in ahead))
    every = _with_whole(every, whole, stays=stays, rest=rest)
    if stays:
        ctx.say(already[0])
    notes = [f"{refused.problem} {refused.remedy}".strip()] if refused is not None else []
    notes += filter(None, map(ordering.country_in, () if offered or done else said))
    asked = " ".join(str(line.error) for line in for_reasons(every, Reason.NOT_UNDERSTOOD) if line.error is not None)
    unsaid = [one for one in found.slips if f"({one.partition(' as ')[2]})" not in asked]  # `Did you mean Ruh (Ruhr)?`
    read = (f"Read {listed(unsaid)}.",) if unsaid and offered else ()
    return (*read, *of_parts, *notes), every


def _must_retreat(ordering: Ordering) -> bool:
    """Whether units must retreat that have no order."""
    return ordering.kind is PhaseKind.RETREAT and len(ordering.in_force()) < len(ordering.mine.units)


def _saying_no_more(lines: Lines, said: Sequence[str], ordering: Ordering) -> Iterator[str]:
    """The sentences beside orders that order nothing: of the other units, of few words, and hopes."""
    short = (one for one in said if says(one, "rest") or len(one.split()) <= _FEW_WORDS)
    yield from (one for one in short if not ordering.names_place(one))
    yield from (one for line in lines if line.is_talk for one in sentences(line.text) if HOPES.fullmatch(one))


_FEW_WORDS = 3
"""So few words beside an order say no more: `sorry, wrong move!`."""


def _answering(ctx: Context, ordering: Ordering) -> tuple[Ordering, Sequence[str]]:
    """What a seat has to order, with what was proposed to the writer, if the mail answers that; and what of it this
    takes.
    """
    if ctx.mail is None:
        return ordering, ()
    message = ctx.mail.message
    ways = proposed_to(ctx, message) if ordering.has_lists else ()
    proposed = tuple(line for way in ways for line in way.split("\n"))
    cited = tuple(amended(ctx, message))
    units = {ordering.unit_of(order) for order in ordering.in_force()}
    left = () if cited or ordering.kind is not PhaseKind.MOVEMENT else left_open(ctx, message)
    taken = cited or tuple(order for order in left if ordering.unit_of(order) not in units)
    return replace(ordering, proposed=proposed, declined=declines(ctx, message), taken=taken), taken


_AWAY = ("cancel", "disband")
"""What is said of orders that are to be deleted: `delete my order for Vienna`."""


def _as_order(line: Line, reason: Reason) -> Line:
    leads = reason in (Reason.GREETING, Reason.ANSWERED) and line.is_for(Reason.MENTIONS)
    return settled(line, reason) if leads or line.is_for(Reason.PASSED) else line


def _with_whole(lines: Lines, whole: Sequence[tuple[str, Reason]], *, stays: bool, rest: Iterable[str] | None) -> Lines:
    """The lines, those settled that are whole in the orders; `stays`: these are in force. `rest`: the sentences beside
    them that order nothing, where anything is offered.
    """
    for text, reason in whole:
        so = Reason.ANSWERED if stays else reason
        lines = tuple(_as_order(line, so) if text in line.text else line for line in lines)
    if rest is None or stays:
        return lines
    texts, others = {text.strip() for text, _ in whole}, {*rest}
    return tuple(_as_offered(line, texts, others) for line in lines)


def _as_offered(line: Line, whole: AbstractSet[str], rest: AbstractSet[str]) -> Line:
    """The line; one in prose of which each sentence is whole in what is offered, or of the `rest`, as asked about:
    nothing else is to be said of it.
    """
    meaning = line.meaning
    prose = meaning.prose if isinstance(meaning, Complaint) else isinstance(meaning, Talk)
    if not (prose and line.is_for(Reason.MENTIONS, Reason.NOT_UNDERSTOOD)):
        return line
    said = {*sentences(line.text)}
    given = {one for one in said if any(without_purpose(one) in text for text in whole)}
    return settled(line, Reason.OFFERED) if given and said - given <= rest else line


def _said_in(ctx: Context, lines: Lines, ordering: Ordering) -> list[str]:
    """The texts of lines that were not acted on, and that may order."""
    sentences = (without_purpose(found.before) for text, found in speech(ctx, lines) if not _only_asks(text, ordering))
    said = [*islice(sentences, MOST_MEANT)]
    return (
        said
        + [line.text for line in for_reasons(lines, Reason.ILLEGAL, Reason.NOT_DONE) if _is_order(line)][:MOST_MEANT]
    )


def _only_heads(text: str, ordering: Ordering) -> bool:
    """Whether a line is the heading of orders, and none itself: `here are my orders:`."""
    return heads_orders(text) and not (ordering.names_place(text) or orders_by(text, ordering.lexicon))


def _done_in(lines: Lines, said: Sequence[str], ordering: Ordering) -> list[str]:
    """The orders that were acted on; of `rest hold` alone those that are in force: it is for the units without one."""
    done = [line.text for line in for_reasons(lines, Reason.DONE) if _is_order(line)][:MOST_MEANT]
    rest = len(said) == 1 and not done and says(said[0], "rest") and not ordering.names_place(said[0])
    return sorted(ordering.in_force()) if rest else done


def _ordered_below(lines: Lines, ordering: Ordering) -> dict[str, set[str]]:
    """By the text of each line the units with orders that were acted on below it: these replace what it says."""
    done = [line for line in for_reasons(lines, Reason.DONE) if _is_order(line)][:MOST_MEANT]
    orders = [next(ordering.readings([line.text])).ways for line in done]
    units = [
        (line.number, ordering.unit_of(order))
        for line, ways in zip(done, orders, strict=True)
        for way in ways
        for order in way
    ]
    return {line.text: {unit for number, unit in units if number > line.number} for line in lines if units}


class _Read(NamedTuple):
    """What sentences mean beside orders that were done."""

    ways: tuple[str, ...]
    """The ways of ordering."""
    partly: list[_Partly]
    """Those that mean more."""
    whole: list[tuple[str, Reason]]
    """Those of which all is in the orders, or in those below it, to which it only leads, with the reason."""
    slips: Mapping[str, None]
    """How misspelt names were read."""
    aside: Mapping[str, None]
    """What they say that no order can have."""
    not_at: Collection[str]
    """The places of which they say that nothing is to be built there."""


def _read(ordering: Ordering, done: Sequence[str], said: Sequence[str], below: Mapping[str, Collection[str]]) -> _Read:
    """What sentences mean beside these orders. `below`: by the text of a line the units that are ordered below it."""
    slips, aside = dict[str, None](), dict[str, None]()
    first, others, back = dict[str, list[str]](), list[str](), dict[str, None]()
    partly, whole, not_at = list[_Partly](), list[tuple[str, Reason]](), set[str]()
    for text, found in zip(said, islice(ordering.readings([*done, *said]), len(done), None), strict=True):
        likeliest, *rest = found.ways or ((),)
        slips |= dict.fromkeys(found.slips if likeliest else ())
        for order in found.back:
            first.pop(ordering.unit_of(order), None)
        back |= dict.fromkeys(ordering.taken_back(found.back))
        not_at |= {*found.back} if ordering.due else set()
        if found.unused:
            partly.append(_Partly(text.strip(), likeliest, found.unused, tuple(rest), found.aside))
            continue
        aside |= dict.fromkeys(found.aside if likeliest else ())
        given = dict[str, list[str]]()
        for order in likeliest:
            given.setdefault(ordering.unit_of(order), []).append(order)
        left = {unit: orders for unit, orders in given.items() if unit not in _under(text, below)}
        whole += [(text, Reason.MENTIONS if left else Reason.GREETING)] if likeliest and found.named else []
        first |= left
        others += ["\n".join(way) for way in rest]
    joined = [*chain.from_iterable(first.values())]
    ways = filter(None, ("\n".join((*back, *(joined[-ordering.due :] if ordering.due else joined))), *others))
    return _Read(tuple(dict.fromkeys(ways)), partly, whole, slips, aside, not_at)


def _under(text: str, below: Mapping[str, Collection[str]]) -> Collection[str]:
    """The units that are ordered below the line of a sentence."""
    return next((units for line, units in below.items() if text in line), ())


def _of_parts(
    ctx: Context, ordering: Ordering, lines: Lines, partly: Sequence[_Partly], beside: Beside | None
) -> tuple[tuple[str, ...], dict[str, str]]:
    """What is said of sentences of which orders use only a part, and the orders that they may mean, each with its
    label. `beside`: what stands beside them, if nothing else is offered.
    """
    unexplained = " ".join(line.text for line in for_reasons(lines, *_UNEXPLAINED))
    like_orders = " ".join(line.text for line in for_reasons(lines, Reason.MENTIONS, Reason.NOT_UNDERSTOOD))
    explained = {line.text.strip() for line in for_reasons(lines, Reason.ILLEGAL, Reason.NOT_DONE)}
    said, ways = dict[str, None](), dict[str, str]()
    for one in partly:
        near = ordering.not_denied(one.text) if one.text in like_orders and not one.orders else ()
        told = near or (one.orders and one.text in unexplained)
        if beside is not None and not told and not (one.text in like_orders and _is_impossible(ordering, one)):
            continue
        if one.text in explained and not (near or one.orders):
            continue
        said[_said_partly(ctx, one, near)] = None
        left = (*one.unused, *one.aside, *((*beside.wishes, *beside.left) if beside is not None else ()))
        without = f"order this, without {listed([*dict.fromkeys(left)])}"
        ways |= dict.fromkeys(("\n".join(way) for way in (one.orders, *one.others) if way), without)
        ways |= dict.fromkeys(("\n".join(way) for way in near), Beside(left=tuple(one.aside)).label())
    return tuple(said), ways


def _is_impossible(ordering: Ordering, found: _Partly) -> bool:
    """Whether what a sentence may mean cannot be ordered."""
    return any(map(ordering.fault_of, _tried(ordering, found)))


class _Partly(NamedTuple):
    """A sentence of which orders use only a part."""

    text: str
    orders: Way
    unused: Sequence[str]
    others: tuple[Way, ...] = ()
    """Other ways of ordering that it may mean."""
    aside: tuple[str, ...] = ()
    """What it says that no order can have."""


def _without_ahead(ctx: Context, ordering: Ordering, said: Sequence[str]) -> tuple[list[str], list[str]]:
    """Offer what sentences may order in later phases, for each phase together. Returns those, and the others with what
    a sentence says of the present behind that.
    """
    found, ahead, others = dict[str, dict[str, None]](), list[str](), list[str]()
    asides = dict[str, dict[str, None]]()
    for text in said:
        code, builds = ordering.builds_ahead(text)
        if builds:
            found.setdefault(code, {}).update(dict.fromkeys(builds))
            ahead.append(text)
            continue
        now, text = _before_later(ordering, text)
        others += [now] if now else []
        code, reading, tail = _ordered_later(ordering, text)
        if reading is None:
            others.append(text)
            continue
        found.setdefault(code, {}).update(dict.fromkeys(reading.ways[0]))
        asides.setdefault(code, {}).update(dict.fromkeys(reading.aside))
        ahead += [text] if not tail else []
        others += tail
    for code, orders in found.items():
        left = f"; that leaves out {listed([*asides[code]])}" if asides.get(code) else ""
        does = _IF_DUE if code not in asides else ""
        ctx.offer("\n".join((f"PHASE {code}", *orders, "ENDPHASE")), f"order this for {code}{does}{left}", Meant.MAYBE)
    return ahead, others


_IF_DUE = ", as far as you may build then"


def _ordered_later(ordering: Ordering, text: str) -> tuple[str, Reading | None, list[str]]:
    """The later phase of which a sentence speaks, what it orders there, and what it says of the present behind that;
    nothing if not all of it is understood.
    """
    for head, *tail in (_NOW.split(text, maxsplit=1), [text]):
        later = ordering.ahead(head)
        reading = next(later.readings([head])) if later is not None else None
        if later is not None and reading is not None and _is_whole(reading):
            return later.phase.code, reading, tail
    return "", None, []


def _before_later(ordering: Ordering, text: str) -> tuple[str, str]:
    """What a sentence says before the clause in which it speaks of a later phase, if it orders something there and
    behind that, and the rest: `Bur-Bel, then everyone holds next turn`.
    """
    parts = clauses(text)[:MOST_MEANT]
    at = next((n for n, one in enumerate(parts) if ordering.ahead(one) is not None), 0)
    then = text.find(parts[at]) if at else 0
    gives = [any(_is_whole(one) for one in ordering.readings([part])) for part in (text[:then], text[then:]) if then]
    return (text[:then].rstrip(" ,;"), text[then:]) if gives and all(gives) else ("", text)


def _without_branches(ctx: Context, ordering: Ordering, said: Sequence[str]) -> list[str]:
    """Offer what sentences order that begin with a condition, in any case: for each case by itself. Returns the
    others.
    """
    others = []
    for text in said:
        _, *cases = _CASES.split(text, maxsplit=_MOST_CASES) if _is_conditional(text) else [text]
        plain = [case for case in cases if not _is_conditional(case)]
        found = [reading.ways[0] for case in plain for reading in ordering.readings([case]) if _is_whole(reading)]
        for way in found:
            ctx.offer("\n".join(way), "order this in any case", Meant.MAYBE)
        others += [] if found else [text]
    return others


_MOST_CASES = 4


def _is_conditional(text: str) -> bool:
    """Whether it begins with a condition."""
    first, *_ = text.split(maxsplit=1) or [""]
    return first.lower() in CONDITIONS


def _is_whole(reading: Reading) -> bool:
    return bool(reading.ways) and reading.named and not reading.unused


_CASES = re.compile(
    r"[ ,;]{1,3}(?:then|otherwise|or else|else|if not|dann|sonst|ansonsten|alors|sinon)\b[ ,:]{0,3}", re.I
)
_NOW = re.compile(
    r"[ ,;]{0,3}(?:\b(?:but|aber|mais)[ ]{1,3})?\b(?:for now|right now|for the (?:moment|time being)|jetzt|einstweilen"
    r"|erst ?mal|vorerst|pour l['’]instant|pour le moment|maintenant)\b[ ,:]{0,3}",
    re.IGNORECASE,
)


def _only_asks(text: str, ordering: Ordering) -> bool:
    """Whether a sentence wants to know something, or says what may come: it gives no orders then, whatever it names."""
    if is_question(text) or _MUSES.search(text) is not None or HOPES.fullmatch(text.strip()) is not None:
        return True
    if not text.rstrip().endswith("?") or _HEDGES.search(text) is not None or requests(text):
        return False
    before = islice(clauses(text)[:-1], MOST_MEANT)
    return not (ordering.notes(text) or any(map(ordering.gives, before)))


_MUSES = re.compile(
    r"\b(?:might|may) (?:still|yet|later|change|switch)\b|\bmight\b[^.;]{1,60}\bif\b"
    r"|\b(?:thinking of|still thinking|still on my mind|tempted to|vielleicht (?:noch|später)|könnte noch)\b",
    re.IGNORECASE,
)
"""What says what may come, and orders nothing: `I might still switch Bur to Bel if Gus writes`."""
_HEDGES = re.compile(
    r"\b(?:i (?:guess|think|suppose)|maybe|perhaps|probably|or so|vielleicht|wohl|glaube ich|denke ich|peut-[eê]tre"
    r"|je (?:crois|pense))\b",
    re.IGNORECASE,
)
"""What makes an order less sure, and no question, whatever its sign."""


_UNEXPLAINED = (Reason.PLAIN, Reason.PASSED, Reason.MENTIONS, Reason.OFFERED, Reason.NOT_UNDERSTOOD)


def _said_partly(ctx: Context, found: _Partly, near: Sequence[Way]) -> str:
    """What is said of a sentence of which orders use only a part, or none: then those are offered that are `near`."""
    said = f"In {shorten(found.text)!r}"
    if found.orders:
        out = f"{said} {listed(found.orders)} may be meant; that leaves out {listed((*found.unused, *found.aside))}."
        return " ".join((out, *dict.fromkeys(_why_not(ctx, found))))
    if faults := [*dict.fromkeys(_why_not(ctx, found))]:
        return " ".join((f"{said} nothing can be ordered.", *faults[:1]))
    if near:
        return f"{said} it is not certain what is to be ordered. If one of the lines below is, send that."
    return f"{said} nothing was made of {listed(found.unused)}. {what_to_write(ctx)}"


def _why_not(ctx: Context, found: _Partly) -> Iterator[str]:
    """Why what is left out cannot be ordered: a build there, or that a unit goes to the place named behind its own, or
    to one instead of another, or supports one of the moves; or an order in notation of which nothing else was made.
    """
    ordering = ordering_at(ctx.game, ctx.seat)
    if ordering is None:
        return
    tried = _tried(ordering, found)
    if not found.orders:
        yield from map(str, ordering.faults_among(found.text))
    yield from (str(fault) for fault in map(ordering.fault_of, tried) if fault is not None)


def _tried(ordering: Ordering, found: _Partly) -> Iterator[str]:
    """The orders that a text may mean with what is left out."""
    if ordering.due is not None:
        yield from (f"BUILD A {place}" for place in found.unused)
    own = {short(at): f"{kind} {short(at)}" for kind, at in ordering.mine.units}
    places = [one for one in found.unused if ordering.names_place(one)]
    sign = "R" if ordering.kind is PhaseKind.RETREAT else "-"
    yield from (f"{own[one]} {sign} {to}" for one, to in pairwise(places) if one in own)
    if ordering.kind is not PhaseKind.MOVEMENT:
        return
    for one, to in permutations(_others_in(ordering, found.text), 2):
        yield from (f"{order.removesuffix(one)}{to}" for order in ordering.in_force() if order.endswith(f"-{one}"))
    if any(says(one, "support") for one in found.unused):
        named = [*ordering.places_in(found.text), *places]
        behind = next((to for one, to in pairwise(named) if one in places), "")
        said_with = next((part for part in clauses(found.text) if says(part, "support")), "")
        beside = {*ordering.places_in(said_with)}
        moves = [one for one in found.orders if ordering.unit_of(one).rpartition(" ")[2] in beside]
        moves = moves or [one for one in found.orders if ordering.unit_of(one).endswith(f" {behind}")]
        moves = moves or ([" - ".join(places[1:3])] if len(places) > _TWO else [*found.orders[:1]])
        yield from (
            f"{own[one]} S {move}" for one in places if one in own for move in moves if not move.startswith(one)
        )


def _others_in(ordering: Ordering, text: str) -> list[str]:
    """The places that a text names, if these are two in which the seat has no unit."""
    places = [*dict.fromkeys(ordering.places_in(text))]
    own = {short(at) for _, at in ordering.mine.units}
    return places if len(places) == _TWO and own.isdisjoint(places) else []


_TWO = 2


def _is_order(line: Line) -> bool:
    return line.origin is Origin.OWN and isinstance(line.meaning, OrderLine)


def _of_the_named(game: Game, lines: Lines) -> tuple[Seat | None, str]:
    """To a gamemaster, the seat whose orders these lines tell, of the only power that they name; and the heading."""
    texts = [line.text for line in lines if line.origin is Origin.OWN]
    powers = {power for text in texts for power in powers_in(text, game.lexicon)}
    power = powers.pop() if len(powers) == 1 else None
    return (game.seat_of(power), f"ORDERS FOR {power}\n") if power is not None else (None, "")
