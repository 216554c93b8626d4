"""The movement phase: from orders to what became of them.

The steps, each in its own module: orders are compiled (`compiled`), convoys arranged (`convoys`), decisions made from
what is certain (`decisions`), circles and paradoxes broken (`circles`), and outcomes stated with their facts
(`findings`). Cost grows with the orders given, never with the board.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.board import Board
from gm.judge.circles import break_circle
from gm.judge.compiled import NOBODY, Compiled, match_supports, read_orders, set_moves
from gm.judge.convoys import arrange_convoys
from gm.judge.decisions import Decisions
from gm.judge.findings import Findings
from gm.judge.outcome import Resolution
from gm.judge.rulebook import Rulebook
from gm.orders import Order
from gm.position import Unit


def resolve_movement(board: Board, rulebook: Rulebook, units: Sequence[Unit], orders: Sequence[Order]) -> Resolution:
    """Adjudicate a movement phase. Units without an order hold; orders that cannot succeed count as none (ST-8)."""
    phase = Compiled(board, rulebook, units)
    bearers = [NOBODY] * len(orders)
    read_orders(phase, orders, bearers)
    set_moves(phase)
    match_supports(phase)
    arrange_convoys(phase)
    decisions = Decisions(phase)
    paradoxes: frozenset[int] = frozenset()
    while not decisions.decide():
        paradoxes |= break_circle(decisions)
    findings = Findings(decisions, paradoxes)
    given = [
        findings.rejected(order, phase.rejected[place], bearers[place])
        if place in phase.rejected
        else findings.outcome(bearers[place])
        for place, order in enumerate(orders)
    ]
    without = [findings.outcome(unit) for unit, order in enumerate(phase.orders) if order is None]
    return Resolution(
        outcomes=(*given, *without),
        units=findings.units_after(),
        dislodged=findings.dislodged(),
        contested=findings.contested(),
    )
