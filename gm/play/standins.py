"""Powers that stand-in players play in a game: their orders, stored like anybody's, and what one would order."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from gm import standins
from gm.games.report_inputs import view_of
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.options import STANDINS, GameOptions
from gm.orders import Order


def suggested(game: Game, seat: Seat) -> tuple[Order, ...]:
    """What a stand-in would order for the seat now, from what the seat may see; nothing if it has nothing to order."""
    return standins.orders_of(game.variant, view_of(game, seat), game.chance) if game.running else ()


def give_orders(tx: Transaction, game: Game) -> Game:
    """Put orders in force for those seats that stand-ins play and that have none, and for units without one beside what
    a player has left.
    """
    if not game.running or game.in_review:
        return game
    lacking = [seat for seat in game.standins if seat.power in game.duties and _lacks(game, seat)]
    sets = {seat.id: replace(game.next_set(seat, _with_left(game, seat), tx.now, None), sent=False) for seat in lacking}
    return tx.put_orders(game, sets)


def _lacks(game: Game, seat: Seat) -> bool:
    """Whether nothing is in force for the seat, or not all, and that is from a player."""
    given = game.set_of(seat)
    left = given is not None and given.mail_id is not None and not given.complete
    return left or not game.has_ordered(seat)


def _with_left(game: Game, seat: Seat) -> tuple[Order, ...]:
    """What a stand-in orders, beside what is in force for the seat."""
    given, own = game.set_of(seat), suggested(game, seat)
    return own if given is None else game.variant.merge(game.present.position, own, given.orders)


def withdraw_orders(tx: Transaction, game: Game, seat: Seat) -> Game:
    """The game without the orders of the stand-in that plays the seat, while they can still be replaced."""
    given = game.set_of(seat)
    if seat.id not in {one.id for one in game.standins} or given is None or given.mail_id is not None:
        return game
    if not game.running or game.in_review:
        return game
    return tx.put_orders(game, {seat.id: replace(game.next_set(seat, (), tx.now, None), complete=False, sent=False)})


def seat_standin(tx: Transaction, game: Game, seat: Seat) -> Game:
    """Let a stand-in play the vacant seat, from this phase on."""
    names = [one.label for one in (*game.standins, seat)]
    game = tx.fold_seats(game, replace(seat, dummy_since=None))
    options = game.options if game.options.stands_in(seat.label) else _naming(game, names)
    return give_orders(tx, tx.fold(game, options=options))


def unseat_standin(tx: Transaction, game: Game, seat: Seat, dummy_since: datetime | None) -> Game:
    """The game as if no stand-in had played the vacant seat, which was run without a player since `dummy_since`."""
    game = tx.fold_seats(withdraw_orders(tx, game, seat), replace(seat, dummy_since=dummy_since))
    return tx.fold(game, options=_naming(game, [one.label for one in game.standins if one.id != seat.id]))


def _naming(game: Game, powers: list[str]) -> GameOptions:
    return GameOptions({**game.options.texts, STANDINS: ",".join(powers).lower() or "no"})
