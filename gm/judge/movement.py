"""The movement phase: from orders to what became of them.

The steps, each in its own module: orders are compiled (`compiled`), convoys arranged (`convoys`), decisions made from
what is certain (`decisions`), circles and paradoxes broken (`circles`), and outcomes stated with their facts
(`findings`). Cost grows with the orders given, never with the board.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.board import Board
from gm.judge.convoys import arrange_convoys, match_convoys, meet_head_to_head
from gm.judge.cycles import break_circles
from gm.judge.decisions import Decisions
from gm.judge.outcome import Resolution
from gm.judge.outcomes import Findings
from gm.judge.phase import Compiled, give_orders, match_supports, place_units, set_moves
from gm.judge.rulebook import Rulebook
from gm.orders import Order
from gm.position import Unit


def resolve_movement(board: Board, rulebook: Rulebook, units: Sequence[Unit], orders: Sequence[Order]) -> Resolution:
    """Adjudicate a movement phase. Units without an order hold; orders that cannot succeed count as none (ST-8)."""
    phase = Compiled(board, rulebook, units, orders)
    place_units(phase)
    give_orders(phase, orders)
    set_moves(phase)
    match_supports(phase)
    match_convoys(phase)
    arrange_convoys(phase)
    meet_head_to_head(phase)
    decisions = Decisions(phase)
    paradoxes: frozenset[int] = frozenset()
    while not decisions.decide():
        paradoxes |= break_circles(decisions)
    findings = Findings(decisions, paradoxes)
    return Resolution(
        outcomes=(*findings.of_orders(orders), *findings.of_units_without_order()),
        units=findings.units_after(),
        dislodged=findings.dislodged(),
        contested=findings.contested(),
    )
