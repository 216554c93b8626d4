"""Orders that were sent but not adjudicated, as a turn that a map can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.judge.outcomes import Outcome, Result
from gm.orders import Build, Disband, Order
from gm.orders.notation import write
from gm.orders.order_sets import warnings_on
from gm.turn import Turn
from gm.views import View


def view_of_orders(view: View, orders: Sequence[Order]) -> View:
    """What a map of these orders shows, before anything is adjudicated."""
    turn = drawn_up(view, orders)
    return replace(view, position=turn.after, turn=turn, trial=True)


def drawn_up(view: View, orders: Sequence[Order]) -> Turn:
    """The orders as if each succeeded, except those with a warning, with all units where they are; what is built is on
    the board, and what is removed is not.
    """
    before = view.position
    warned = [sentence.partition(":")[0] for sentence in warnings_on(view.board, before.units, orders)]
    outcomes = tuple(Outcome(one, Result.VOID if write(one) in warned else Result.SUCCEEDS) for one in orders)
    built = [one.unit for one in orders if isinstance(one, Build)]
    gone = [one.unit for one in orders if isinstance(one, Disband)]
    units = (*(unit for unit in before.units if unit not in gone), *built)
    return Turn(before, {}, outcomes, replace(before, units=units))
