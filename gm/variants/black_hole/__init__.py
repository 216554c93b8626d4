"""Black Hole Diplomacy I: after each Spring and Fall a province drawn by lot ceases to exist (BH-1 to BH-7).

What differs from the standard game: `board` (Europe with holes), `state` (what the position keeps), `orders` (EXEMPT,
ANNOUNCE EXEMPT), `exemptions` (which home centres no hole takes), `bearings` (retreats that nobody ordered), `holes`
(the end of a season, victory), `sight` (views), `words` (what is told of all this). Here: set-up, duties, adjudication.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import Power
from gm.chance import Chance
from gm.judge.outcomes import Facts, Outcome, Resolution
from gm.orders import Declaration, Order
from gm.orders.needs import Duty
from gm.position import PhaseKind, Position
from gm.turn import elimination
from gm.variants import OrderSets, Variant
from gm.variants.black_hole.bearings import BY_BEARINGS, drift
from gm.variants.black_hole.exemptions import declare, fallen
from gm.variants.black_hole.holes import end_of_season, victory
from gm.variants.black_hole.orders import LANGUAGE, Drift, may_move, merge, understand
from gm.variants.black_hole.sight import cautions, view
from gm.variants.black_hole.state import State, board_of
from gm.variants.black_hole.words import WORDS
from gm.variants.standard import POWERS, STANDARD

# Set-up and duties


def opening(powers: Sequence[Power] = POWERS, chance: Chance | None = None) -> Position:
    """Spring 1901, with every province still there."""
    return State().within(STANDARD.opening(powers, chance or Chance(bytes(32))))


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """As in the standard game; who has no unit left may still move his exemption, where that is open to him."""
    found = STANDARD.duty(game, position, power)
    if found is None and may_move(position, power):
        return Duty(offer=True, things="exemption")
    return found


# Adjudication


def fill(game: Variant, position: Position, orders: OrderSets, chance: Chance) -> OrderSets:
    """A dislodged unit without an order is retreated by bearings (BH-5)."""
    del chance
    if position.phase.kind is not PhaseKind.RETREAT:
        return orders
    board = game.board(position)
    filled = dict(orders)
    for dislodged in position.dislodged:
        power = dislodged.unit.power
        own = filled.get(power, ())
        if not any(not isinstance(order, Declaration) and order.unit == dislodged.unit for order in own):
            retreat = drift(board, position, dislodged)
            filled[power] = own if retreat is None else (*own, retreat)
    return filled


def resolve(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The phase adjudicated, and what was declared: exemptions and announcements."""
    declared = declare(position, orders, chance)
    others = [order for place, order in enumerate(orders) if place not in declared.outcomes]
    found = STANDARD.resolve(game, position, others, chance)
    left = iter(found.outcomes)
    outcomes = [
        declared.outcomes[place] if place in declared.outcomes else _explained(next(left))
        for place in range(len(orders))
    ]
    state, events = declared.state, declared.events
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        out = fallen(state, replace(position, units=found.units))
        state = state.without(*out)
        events += elimination(out)
    extra = state.within(position).extra
    return found._replace(outcomes=(*outcomes, *left), extra=extra, events=events)


def _explained(outcome: Outcome) -> Outcome:
    """A retreat by bearings says that it is one."""
    if not isinstance(outcome.order, Drift) or not outcome.succeeded:
        return outcome
    return outcome._replace(facts=Facts(BY_BEARINGS))


BLACK_HOLE = replace(
    STANDARD,
    name="black-hole",
    title="Black Hole Diplomacy I",
    words=WORDS,
    language=LANGUAGE,
    opening=opening,
    board=board_of,
    duty=duty,
    understand=understand,
    merge=merge,
    fill=fill,
    resolve=resolve,
    end_of_season=end_of_season,
    victory=victory,
    view=view,
    cautions=cautions,
)
