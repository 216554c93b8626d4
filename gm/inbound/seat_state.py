"""Where a seat stands, as the end of every reply to its holder: the orders in force and what they lack, or what comes
next; and what its holder can ask for with one tap.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from gm.commands.context import Context
from gm.commands.status import state_words
from gm.games.report_inputs import closes_at, early_by, game_facts, reader_of, standing_orders, view_of
from gm.games.snapshot import Game, Seat
from gm.play import calendar
from gm.reading.line import Lines
from gm.reports.answers import HelpListing
from gm.reports.reader import Answers, task
from gm.reports.standing_orders import StandingOrders
from gm.store.game_rows import SeatRole

_WITH_ORDERS = (SeatRole.PLAYER, SeatRole.DEPUTY)


def orders_of(ctx: Context, game: Game, seat: Seat) -> StandingOrders | None:
    """The seat's orders after the whole mail; None where it has none to give now."""
    if not game.running or seat.role not in _WITH_ORDERS or seat.power not in game.duties:
        return None
    orders, changed = standing_orders(ctx.tx.identity, game, seat, ctx.now), ctx.answer.changed
    ends = game.due_at is not None and game.due_at <= ctx.now and not (game.in_grace or game.in_review)
    return replace(orders, deadline=closes_at(game, seat), all_in=ends if changed is None else changed.all_in)


def sentences_of(ctx: Context, game: Game, seat: Seat) -> tuple[str, ...]:
    """What holds for a seat without orders: what comes next and when, or that the game has not begun or is over; but
    for what the answer says already.
    """
    said = "\n".join(ctx.answer.done)
    return tuple(one for one in _standing(ctx, game, seat) if one.removesuffix(".") not in said)


def _standing(ctx: Context, game: Game, seat: Seat) -> tuple[str, ...]:
    if not game.running:
        return (state_words(game),)
    if game.due_at is not None and game.due_at <= ctx.now:
        if any(game.code in one for one in ctx.answer.done):
            return ()  # what it says of a phase that ends now is all that there is to say
        if game.variant.review is not None and not game.in_review:
            return (f"The orders for {game.code} are closed now. {calendar.results_follow(game)}",)
        happens = "The orders for {} are closed now." if game.options.release == "gm" else "{} is adjudicated now."
        return (happens.format(game.code),)
    reader = reader_of(ctx.tx.identity, seat.person, game, seat, ctx.now)
    if game.in_review and not game.withheld and game.due_at is not None:
        return (f"The orders for {game.code} are closed. The results come {reader.until(game.due_at)}.",)
    facts = replace(game_facts(game), asks_all=game.asks_all and not game.is_in(seat))
    what = task(facts, reader, view_of(game, seat), closes_at(game, seat), early=early_by(game))
    due = f" {what.due}." if what.due else ""
    return tuple(filter(None, (f"{what.sentence}{due}", what.note)))


_PLAYER: Answers = (
    ("STATUS", "the players and the position"),
    ("MY ORDERS", "what you have sent"),
    ("MAP", "the map"),
    ("HELP ORDERS", "how orders are written"),
    ("HELP", "what else you can write"),
)
_OTHERS: Answers = (
    ("STATUS", "the players and the position"),
    ("MAP", "the map"),
    ("HELP", "what you can write"),
)
_OVER: Answers = (
    ("SUMMARY", "the game year by year"),
    ("STATUS", "the players and the position"),
    ("HELP", "what you can write"),
)
_FORMING: Answers = (("STATUS", "who has joined"), ("RULES", "the rules of this game"), ("HELP", "what you can write"))


def next_for(ctx: Context, game: Game, standing: StandingOrders | None, lines: Lines = ()) -> Answers:
    """What the holder of a seat can ask for at any time, without what the mail has asked for and what its answer offers
    already.
    """
    every = (_PLAYER if standing is not None else _OTHERS) if game.running else _OVER if game.over else _FORMING
    if any(isinstance(part, HelpListing) for part in ctx.answer.parts):
        return ()
    said = (one[0] for one in ctx.open_offers), (line.text.strip().upper() for line in lines)
    there = "".join(f"\0{words} " for words in chain(*said))
    return tuple(offer for offer in every if f"\0{offer[0]} " not in there)
