"""Orders and texts that a mail may be meant to give or send: offered to its sender, each to be sent with one tap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile

from gm.commands.context import Context, Meant
from gm.errors import GmError, NotUnderstood
from gm.games.snapshot import Game, Seat
from gm.mail.message.addresses import hidden
from gm.parsing.lexicon import shorten
from gm.parsing.meant import retreats, says
from gm.parsing.message import OrderLine
from gm.parsing.questions import asks as is_question
from gm.parsing.questions import clauses
from gm.parsing.sayings import powers_in
from gm.position import PhaseKind
from gm.reading.line import Line, Lines, Origin, Reason, for_reasons
from gm.reports import listed
from gm.server.ordering import MOST_MEANT, Ordering, ordering_at
from gm.server.speech import LONGEST_OFFER, asks, speech
from gm.server.telling import what_to_write
from gm.store.game_rows import GameState

_IF_MEANT = "order this, if it is what you mean"


def offer_ended(ctx: Context, lines: Lines) -> None:
    """Offer to send a text that lacks its end, to those named in it, and to order what stands at its end: not one that
    is long, or has orders elsewhere in it.
    """
    for line in for_reasons(lines, Reason.NOT_UNDERSTOOD):
        error = line.error
        whole = error.mended if isinstance(error, NotUnderstood) else ""
        head, *body, end = whole.split("\n") if whole else ("", "")
        at_end = list(takewhile(lambda one: not one.strip() or asks(ctx, one), reversed(body)))
        text = body[: len(body) - len(at_end)]
        if whole and (text or not body) and len(whole) <= LONGEST_OFFER and not any(asks(ctx, one) for one in text):
            sent = hidden("\n".join((head, *text, end)), *ctx.tx.identity.addresses)
            ctx.offer(sent, f"send it, with {end} below the text", Meant.MAYBE)
        if ordered := "\n".join(one.strip() for one in reversed(at_end) if one.strip()):
            ctx.offer(ordered, _IF_MEANT, Meant.MAYBE)


def offer_at_seats(ctx: Context, lines: Lines) -> None:
    """Offer orders in a mail to the server's own address to each of the few games that their sender plays."""
    given = [line for line in for_reasons(lines, Reason.NOT_DONE) if _is_order(line)]
    if not given or ctx.person is None or ctx.seat is not None:
        return
    games = [game for game in ctx.tx.games_of(ctx.person, GameState.RUNNING) if game.plays(ctx.person)]
    texts = "\n".join(text.strip() for line in given for text in line.texts)
    for game in games if len(games) <= _FEW_GAMES else ():
        whole = f"GAME {game.name}\n{hidden(texts, *ctx.tx.identity.addresses)}"
        ctx.offer(whole, f"do this for {game.name}", Meant.MAYBE)


_FEW_GAMES = 3


def offer_meant(ctx: Context, lines: Lines) -> tuple[str, ...]:
    """Offer the orders, each whole and legal for a unit of the sender's, that are in lines which were not acted on:
    those of all sentences together, for each unit the last ones, and what else a sentence may mean by itself. Returns
    what the receipt says of a retreat that cannot be.
    """
    named, heading = None, ""
    if ctx.game is not None and ctx.seat is not None and ctx.seat.moderates:
        lines = tuple(line for line in lines if not line.is_for(Reason.OFFERED))  # it is no order that was wished
        named, heading = _of_the_named(ctx.game, lines)
    ordering = ordering_at(ctx.game, ctx.seat, named)
    if ordering is None:
        return ()
    done = [line.text for line in for_reasons(lines, Reason.DONE) if _is_order(line)][:MOST_MEANT]
    told = ((text, found.before) for text, found in speech(ctx, lines) if not _only_asks(text, ordering))
    said = [before for _, before in islice(told, MOST_MEANT)]
    said += [line.text for line in for_reasons(lines, Reason.ILLEGAL, Reason.NOT_DONE) if _is_order(line)][:MOST_MEANT]
    in_force = ordering.in_force()
    if len(said) == 1 and not done and says(said[0], "rest") and not ordering.names_place(said[0]):
        done = sorted(in_force)  # `rest hold`: those without an order
    first, others = dict[str, list[str]](), dict[str, None]()
    readings = islice(ordering.readings([*done, *said]), len(done), None)
    partly = list[tuple[str, Sequence[str], Sequence[str]]]()
    for text, found in zip(said, readings, strict=True):
        likeliest, *rest = found.ways or ((),)
        if found.unused:
            partly.append((text, likeliest, found.unused))
            continue
        given = dict[str, list[str]]()
        for order in likeliest:
            given.setdefault(ordering.unit_of(order), []).append(order)
        first |= given
        others |= dict.fromkeys("\n".join(way) for way in rest)
    refused: GmError | None = None
    if said and not (first or done) and ordering.kind is PhaseKind.RETREAT:
        others |= dict.fromkeys("\n".join(way) for way in retreats(ordering.mine))
        refused = next(filter(None, map(ordering.no_retreat, said)), None)
    unexplained = [line.text for line in for_reasons(lines, *_UNEXPLAINED)]
    said_of = [
        _said_partly(ctx, *one)
        for one in partly
        if first or (one[1] and any(one[0].strip() in text for text in unexplained))
    ]
    final = dict.fromkeys(f"\n{one}" for text in said for one in _final_in(ctx, text))
    for way in filter(None, dict.fromkeys(("\n".join(chain.from_iterable(first.values())), *others))):
        if not in_force.issuperset(way.split("\n")):
            ctx.offer(f"{heading}{ordering.whole(way)}{''.join(final)}", _IF_MEANT, Meant.MAYBE)
    return (*dict.fromkeys(said_of), *([f"{refused.problem} {refused.remedy}".strip()] if refused is not None else ()))


def _final_in(ctx: Context, text: str) -> Iterator[str]:
    """The commands among the clauses of a text that are final: `Mar-Spa, Bre-Mao, ready`."""
    commands = map(ctx.commands.by_title.get, (clause.strip(".").upper() for clause in clauses(text)))
    yield from (one.title for one in commands if one is not None and one.policy.final)


def _only_asks(text: str, ordering: Ordering) -> bool:
    """Whether a sentence wants to know something: it gives no orders then, whatever it names."""
    return is_question(text) or (text.rstrip().endswith("?") and not ordering.notes(text))


_UNEXPLAINED = (Reason.PLAIN, Reason.PASSED, Reason.MENTIONS, Reason.OFFERED)


def _said_partly(ctx: Context, text: str, orders: Sequence[str], unused: Sequence[str]) -> str:
    """What is said of a sentence of which these orders use only a part."""
    meant = f"{listed(orders)} may be meant, but " if orders else ""
    lost = f"In {shorten(text.strip())!r} {meant}{listed(unused)} would be lost"
    return f"{lost}, so nothing of it is offered. {what_to_write(ctx)}"


def _is_order(line: Line) -> bool:
    return line.origin is Origin.OWN and isinstance(line.meaning, OrderLine)


def _of_the_named(game: Game, lines: Lines) -> tuple[Seat | None, str]:
    """To a gamemaster, the seat whose orders these lines tell, of the only power that they name; and the heading."""
    texts = [line.text for line in lines if line.origin is Origin.OWN]
    powers = {power for text in texts for power in powers_in(text, game.lexicon)}
    power = powers.pop() if len(powers) == 1 else None
    return (game.seat_of(power), f"ORDERS FOR {power}\n") if power is not None else (None, "")
