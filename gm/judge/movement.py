"""The movement phase: from orders to their outcomes.

The steps, by module: `phase` matches orders with units; `decisions` arranges convoys and decides what follows from
bounds; `cycles` resolves cycles and paradoxes. This module calls them, and states the outcomes with their facts. The
cost grows with the number of orders, not with the size of the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from gm.board import Board, Province
from gm.judge import Rulebook
from gm.judge.cycles import break_cycles
from gm.judge.decisions import Decisions, arrange_convoys, match_convoys, meet_head_to_head
from gm.judge.outcomes import BECAUSE, NOTHING_TO_ADD, Facts, Loss, Opponent, Outcome, Resolution, Result, Why
from gm.judge.phase import (
    BY_CONVOY,
    BY_LAND,
    CONVOY,
    MOVE,
    NO_UNIT,
    SUPPORT,
    Compiled,
    all_fleets,
    give_orders,
    match_supports,
    place_units,
    set_moves,
)
from gm.orders import Hold, Move, Order
from gm.position import Dislodged, Unit


def resolve_movement(board: Board, rulebook: Rulebook, units: Sequence[Unit], orders: Sequence[Order]) -> Resolution:
    """Adjudicate a movement phase. Units without an order hold; orders that cannot succeed are treated as missing
    (ST-8).
    """
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
        paradoxes |= break_cycles(decisions)
    outcomes = Outcomes(decisions, paradoxes)
    return Resolution(
        outcomes=(*outcomes.of_orders(orders), *outcomes.of_units_without_order()),
        units=outcomes.units_after(),
        dislodged=outcomes.dislodged(),
        contested=outcomes.contested(),
    )


_outcome = partial(tuple.__new__, Outcome)
"""An outcome with less work than Outcome itself."""


class Outcomes:
    """The outcome of every order of a decided phase. `paradoxes` are the units that do not move because of a
    paradox.
    """

    def __init__(self, decided: Decisions, paradoxes: frozenset[int]) -> None:
        self.decided = decided
        self.phase = decided.phase
        self.paradoxes = paradoxes
        moves = decided.moves
        self.dislodgers = {
            defender: unit
            for unit, defender in enumerate(self.phase.defender)
            if defender != NO_UNIT and moves[unit] and not moves[defender]
        }
        """For each dislodged unit, the unit that dislodged it."""

    # Outcomes

    def of_orders(self, orders: Sequence[Order]) -> Iterator[Outcome]:
        """One outcome for each order, in the order given."""
        phase = self.phase
        for place, order in enumerate(orders):
            unit = phase.bearers[place]
            if place not in phase.rejected:
                yield self.of_unit(unit, order)
                continue
            why = phase.rejected[place]
            result = Result.VOID if why is Why.REPLACED else Result.ILLEGAL
            yield self.with_dislodgement(unit, order, result, BECAUSE[why])

    def of_units_without_order(self) -> Iterator[Outcome]:
        """One outcome for each unit that was given no order, possible or not."""
        ordered = set(self.phase.bearers)
        for unit, order in enumerate(self.phase.orders):
            if order is None and unit not in ordered:
                yield self.of_unit(unit, Hold(self.phase.units[unit]))

    def of_unit(self, unit: int, order: Order) -> Outcome:
        """The outcome of the order in force for the unit."""
        action = self.phase.action[unit]
        if action == MOVE:
            result, facts = self.of_move(unit)
        elif action == SUPPORT:
            result, facts = self.of_support(unit)
        elif action == CONVOY:
            result, facts = self.of_convoy(unit)
        else:
            result, facts = (Result.DISLODGED if unit in self.dislodgers else Result.SUCCEEDS), NOTHING_TO_ADD
        return self.with_dislodgement(unit, order, result, facts)

    def with_dislodgement(self, unit: int, order: Order, result: Result, facts: Facts) -> Outcome:
        """The outcome, with the dislodgement of the unit if there was one."""
        if unit not in self.dislodgers:
            return _outcome((order, result, None, facts))
        lost = self.loss_of(unit)
        return Outcome(order, result, lost.by, facts._replace(dislodged=lost))

    def loss_of(self, unit: int) -> Loss:
        """Which unit dislodged this one, and with what strengths."""
        units, attacker = self.phase.units, self.dislodgers[unit]
        attack, resistance = self.decided.attack_strength(attacker), self.decided.resistance(attacker)
        return Loss(units[unit], units[attacker], attack[0], resistance[0])

    # Moves

    def of_move(self, unit: int) -> tuple[Result, Facts]:
        """A move: it succeeded, it bounced, or its convoy was missing or disrupted."""
        phase, decided = self.phase, self.decided
        if phase.way[unit] == BY_CONVOY and not decided.carried[unit]:
            return self.of_failed_convoy(unit)
        convoyed = self.is_convoyed(unit)
        against = self.opposition(unit)
        if decided.moves[unit]:
            if not against and not convoyed:
                return Result.SUCCEEDS, NOTHING_TO_ADD
            strength = decided.attack_strength(unit)[0]
            return Result.SUCCEEDS, Facts(strength=strength, against=against, convoyed=convoyed)
        if phase.target[unit] in phase.entering:
            return Result.BOUNCES, BECAUSE[Why.NO_ROOM]
        return Result.BOUNCES, self.facts_of_bounce(unit, against, convoyed)

    def facts_of_bounce(self, unit: int, against: tuple[Opponent, ...], convoyed: bool) -> Facts:
        """The units that the move bounced against, and the supports that did not count because they would have
        dislodged a unit of the supporter's power.
        """
        phase, decided = self.phase, self.decided
        strength, supported = decided.attack_strength(unit)[0], decided.supported(unit)[0]
        if unit in phase.vacant_only and decided.defender_stays(unit):
            return Facts(Why.NOT_VACANT, supported, against, by=phase.units[phase.defender[unit]])
        if unit in self.paradoxes and self.phase.way[unit] != BY_CONVOY:
            return Facts(Why.UNDECIDED, supported, against)
        if strength == supported or supported <= max(opponent.strength for opponent in against):
            head_to_head = bool(decided.is_head_to_head(unit))
            return Facts(Why.HEAD_TO_HEAD if head_to_head else Why.PLAIN, supported, against, convoyed=convoyed)
        victim = phase.units[phase.defender[unit]].power
        if victim == phase.units[unit].power:
            return Facts(Why.OWN_UNIT, supported, against, convoyed=convoyed)
        backers = [phase.units[backer] for backer in phase.backers[unit] if decided.given[backer]]
        uncounted = tuple(backer for backer in backers if backer.power == victim)
        return Facts(Why.OWN_SUPPORT, strength, against, convoyed=convoyed, uncounted=uncounted)

    def is_convoyed(self, unit: int) -> bool:
        """Whether the move goes by convoy."""
        return self.phase.way[unit] != BY_LAND and bool(self.decided.carried[unit])

    def opposition(self, unit: int) -> tuple[Opponent, ...]:
        """The units that opposed a move with any strength, strongest first."""
        phase, decided = self.phase, self.decided
        defender, target = phase.defender[unit], phase.target[unit]
        assert target is not None
        against = []
        resistance = decided.resistance(unit)[0] if defender != NO_UNIT else 0
        if resistance:
            against.append(Opponent(phase.units[defender], resistance))
        for rival in phase.arrivals.get(target, ()):
            strength = decided.prevent_strength(rival)[0] if rival != unit else 0
            if strength:
                against.append(Opponent(phase.units[rival], strength))
        if len(against) > 1:
            against.sort(key=lambda opponent: -opponent.strength)
        return tuple(against)

    def of_failed_convoy(self, army: int) -> tuple[Result, Facts]:
        """The reason: no fleets, a gap in their chain, dislodged fleets, or a paradox."""
        fleets = all_fleets(self.phase.routes[army])
        if not fleets:
            return Result.NO_CONVOY, Facts(Why.GAP if self.phase.convoyers.get(army) else Why.NO_CONVOY)
        lost = tuple(self.loss_of(fleet) for fleet in fleets if fleet in self.dislodgers)
        return Result.DISRUPTED, Facts(Why.PARADOX if army in self.paradoxes else Why.FLEETS_LOST, lost=lost)

    # Supports and convoys

    def of_support(self, unit: int) -> tuple[Result, Facts]:
        """A support: given, cut, or void."""
        phase, decided = self.phase, self.decided
        if unit in phase.void:
            return Result.VOID, BECAUSE[phase.void[unit]]
        if decided.given[unit]:
            return Result.SUCCEEDS, NOTHING_TO_ADD
        attackers = [each for each in phase.arrivals[phase.at[unit]] if decided.cuts(each, unit)]
        by = self.dislodgers.get(unit, NO_UNIT)
        why = Why.DRIVEN_OUT
        if by not in attackers:
            why, by = Why.ATTACKED, attackers[0]
        return Result.CUT, Facts(why, by=phase.units[by])

    def of_convoy(self, fleet: int) -> tuple[Result, Facts]:
        """A convoy order: the fleet was dislodged, carried no army, or did what was ordered."""
        if fleet in self.dislodgers:
            return Result.DISRUPTED, NOTHING_TO_ADD
        if fleet in self.phase.void:
            return Result.VOID, BECAUSE[self.phase.void[fleet]]
        return Result.SUCCEEDS, NOTHING_TO_ADD

    # The board afterwards

    def units_after(self) -> tuple[Unit, ...]:
        """The units on the board, without the dislodged ones."""
        moves, orders, dislodgers = self.decided.moves, self.phase.orders, self.dislodgers
        after = []
        for unit, value in enumerate(self.phase.units):
            order = orders[unit]
            if moves[unit] and isinstance(order, Move):
                after.append(Unit(value.power, value.kind, order.to))
            elif unit not in dislodgers:
                after.append(value)
        return tuple(after)

    def dislodged(self) -> tuple[Dislodged, ...]:
        """The units that must retreat, and where their attackers came from (DATC 4.A.5)."""
        phase = self.phase
        return tuple(
            Dislodged(phase.units[unit], phase.at[attacker], self.leaves_origin_free(attacker))
            for unit, attacker in sorted(self.dislodgers.items())
        )

    def leaves_origin_free(self, attacker: int) -> bool:
        """Whether a unit that the attacker dislodged may retreat to the attacker's origin, because the attacker came by
        convoy or crossed no border.
        """
        order = self.phase.orders[attacker]
        return self.is_convoyed(attacker) or (isinstance(order, Move) and not order.crosses_border)

    def contested(self) -> frozenset[Province]:
        """Vacant provinces in which units bounced."""
        moves = self.decided.moves
        return frozenset(
            target
            for target, arrivals in self.phase.arrivals.items()
            if not any(moves[unit] for unit in arrivals)
            and self.is_vacant(target)
            and any(self.decided.prevent_strength(unit)[0] for unit in arrivals)
        )

    def is_vacant(self, province: Province) -> bool:
        """Whether the province had no unit, or its unit has left."""
        unit = self.phase.by_province.get(province, NO_UNIT)
        return unit == NO_UNIT or bool(self.decided.moves[unit])
