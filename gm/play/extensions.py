"""Extensions that each player has in a game (`extensions=2`): each moves a deadline by a day, because its player asked
for it or has sent nothing when the deadline comes.

What was used is stored by player: a phase that is played again gives nothing back, and whoever takes over a
power has their own. The other players are not told who used one; the gamemaster finds it in LOG. Where it is hidden
who has something to order, silence uses none: it may be that of a player with nothing to order. Games in which one seat
reviews the others' orders have no extensions, since they would tell who has sent nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.play import calendar
from gm.store import agenda

LENGTH = timedelta(hours=24)


def left(tx: Transaction, game: Game, seat: Seat) -> int:
    """How many extensions the player of this seat still has."""
    if seat.person is None or not game.options.extensions:
        return 0
    return max(0, game.options.extensions - agenda.extensions_used(tx.session, seat.id, seat.person.id))


def left_for_silence(tx: Transaction, game: Game, seat: Seat) -> int:
    """How many of them are used, one by one, if the player of this seat sends nothing."""
    return 0 if game.in_grace or game.waits_for_all else left(tx, game, seat)


def use(tx: Transaction, game: Game, seats: Sequence[Seat], purpose: str) -> Game:
    """Use an extension of each of these seats, move the deadline by one day in all, and notify the other seats."""
    for seat in seats:
        agenda.use_extension(tx.session, seat.id, seat.occupant.id)
        tx.note("extension", game, seat, account=seat.occupant.id, phase=game.code)
    game = calendar.put_off(tx, game, LENGTH)
    words = ("A player has used an extension, so the deadline has moved. Orders already sent stay in force.",)
    tx.tell(game, game.all_but(*seats), "new deadline", words, purpose)
    return game


def use_of_missing(tx: Transaction, game: Game) -> Game | None:
    """The game with its deadline moved, if orders of players who still have an extension are missing; else None. They
    are sent a reminder that says so.
    """
    having = [seat for seat in game.missing if left_for_silence(tx, game, seat)]
    if not having:
        return None
    passed = f"{game.due_at:%s}"
    game = use(tx, game, having, f"extended:{game.present.id}:{passed}")
    tx.owe(game, having, f"extension:{passed}")
    return game
