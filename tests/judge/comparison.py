"""The judge and the reference adjudicator side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gm.board import Board
from gm.judge import Rulebook
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Outcome, Resolution, Why
from gm.orders import Declaration, Move, Order, Support
from gm.orders.notation import code, write
from gm.position import Unit
from tests.judge.reference import Answer, Reference, Undetermined


@dataclass
class Tally:
    """What has occurred so far."""

    seen: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return ", ".join(f"{number} {what}" for what, number in sorted(self.seen.items()))


def compare(board: Board, rulebook: Rulebook, units: Sequence[Unit], orders: Sequence[Order], tally: Tally) -> None:
    """Adjudicate with both and raise AssertionError, with the position, on any difference."""
    try:
        answer = Reference(board, rulebook, units, orders).resolve()
    except Undetermined:
        assert rulebook.self_dislodgement, "\n".join(map(_line, orders))
        tally.seen["left open by the rules"] += 1
        return
    judged = resolve_movement(board, rulebook, units, orders)
    difference = _difference(answer, judged)
    assert not difference, f"{rulebook}\n{difference}\n" + "\n".join(_line(order) for order in orders)
    tally.seen["positions"] += 1
    tally.seen["with a paradox"] += bool(answer.paradoxes)
    tally.seen["with an open convoy"] += any(o.succeeded and o.facts.convoyed for o in judged.outcomes)
    tally.seen["with a dislodgement"] += bool(judged.dislodged)
    tally.seen["with circular movement"] += _has_ring(board, answer, orders)


def _difference(answer: Answer, judged: Resolution) -> str:
    moves = [outcome for outcome in judged.outcomes if isinstance(outcome.order, Move)]
    supports = [outcome for outcome in judged.outcomes if isinstance(outcome.order, Support)]
    kept = [outcome for outcome in moves if outcome.facts.why is Why.PARADOX]
    walked = {army for army in answer.paradoxes if army in answer.walkers}
    compared = (
        ("moves", answer.moved, _units(outcome for outcome in moves if outcome.succeeded)),
        ("supports", answer.supports, _units(outcome for outcome in supports if outcome.succeeded)),
        ("paradoxes", answer.paradoxes - walked, _units(kept)),
    )
    return "\n".join(
        f"{what}: the reference has {sorted(map(str, expected))}, the judge {sorted(map(str, found))}"
        for what, expected, found in compared
        if expected != found
    )


def _units(outcomes: Iterable[Outcome]) -> frozenset[Unit]:
    return frozenset(outcome.order.unit for outcome in outcomes if not isinstance(outcome.order, Declaration))


def _line(order: Order) -> str:
    return write(order, code) if isinstance(order, Declaration) else f"{order.unit.power} {write(order, code)}"


def _has_ring(board: Board, answer: Answer, orders: Sequence[Order]) -> bool:
    """Whether three units or more moved in a ring."""
    went = [order for order in orders if isinstance(order, Move) and order.unit in answer.moved]
    steps = {board.province(order.unit.at): board.province(order.to) for order in went}
    for start in steps:
        at, length = steps[start], 1
        while at != start and at in steps and length <= len(steps):
            at, length = steps[at], length + 1
        if at == start and length >= 3:
            return True
    return False
