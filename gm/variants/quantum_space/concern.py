"""Which planets concern a reader, if there are very many: those that a seat's units and orders have to do with; for the
public, those with most activity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from gm.board import Power
from gm.judge.outcomes import Outcome
from gm.orders import Convoy, Declaration, Move, Retreat, Support
from gm.orders.possible import ByIdentity
from gm.position import Position
from gm.turn import Turn
from gm.variants.quantum_space.space import QuantumBoard, is_quantum
from gm.views import View

SHOWN = 8
"""The most planets on a chart."""
CONCERN = 20
"""The weight of one thing that concerns the reader; more than all that only goes on elsewhere."""


def near(view: View, board: QuantumBoard) -> tuple[Power, ...]:
    """The planets that are drawn, in the order of the game."""
    if len(view.powers) <= SHOWN:
        return view.powers
    weight = weights(view, board)
    ranked = sorted(view.powers, key=lambda power: -weight[power])[:SHOWN]
    return tuple(power for power in view.powers if power in ranked)


def weights(view: View, board: QuantumBoard) -> Counter[Power]:
    """How much each planet concerns the seat, from `CONCERN` up; for the public, how much activity there is.

    A planet concerns itself, those with units or centres there, and those met by its orders.
    """
    every, of = _activity(ByIdentity(view.position), ByIdentity(view.turn), ByIdentity(board))
    weight = Counter(every)
    if view.seat is None or view.seat not in board.planets.codes:
        weight.update({power: (CONCERN - 1) * len(parties) for power, parties in of.items()})
        return weight
    weight[view.seat] += 1000
    for parties in of.get(view.seat, ()):
        weight.update(dict.fromkeys(parties, CONCERN - 1))
    return weight


@lru_cache(maxsize=4)
def _activity(
    position: ByIdentity[Position], turn: ByIdentity[Turn | None], board: ByIdentity[QuantumBoard]
) -> tuple[Counter[Power], Mapping[Power, Sequence[set[Power]]]]:
    """How often each planet has to do with something, and the meetings of several planets by each of them: found once
    for all readers.
    """
    every: Counter[Power] = Counter()
    of: dict[Power, list[set[Power]]] = {}
    for parties in _meetings(position.value, turn.value, board.value):
        every.update(parties)
        if len(parties) > 1:
            for power in parties:
                of.setdefault(power, []).append(parties)
    return every, of


def _meetings(position: Position, turn: Turn | None, board: QuantumBoard) -> Iterator[set[Power]]:
    """Planets that have to do with each other: at a planet of one of them, and by an order and what it met."""
    home = board.planets.powers
    for unit in (*position.units, *(d.unit for d in position.dislodged)):
        if not is_quantum(unit.at):
            yield {unit.power, home[unit.at[:-1]]}
    for center, owner in position.centers.items():
        yield {owner, home[center[:-1]]}
    if turn is None:
        return
    standing = {unit.at: unit.power for unit in turn.before.units}
    for outcome in turn.outcomes:
        order = outcome.order
        if not isinstance(order, Declaration):
            to = order.to if isinstance(order, Move | Retreat | Support | Convoy) else None
            met = {standing.get(to), None if is_quantum(to) else home.get(to[:-1])} if to is not None else set()
            yield {order.unit.power, *(power for power in met if power is not None), *_others(outcome)}


def _others(outcome: Outcome) -> Iterator[Power]:
    """The powers of the units that an order names, and of those that it met."""
    order, facts = outcome.order, outcome.facts
    if isinstance(order, Support | Convoy):
        yield order.supported.power if isinstance(order, Support) else order.convoyed.power
    yield from (opponent.unit.power for opponent in facts.against)
    yield from (unit.power for unit in (facts.by, outcome.dislodged_by) if unit is not None)
