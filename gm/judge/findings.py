"""From decisions to outcomes: for each order its result with the facts that explain it.

Place: last step of `gm.judge.movement`.
"""

from __future__ import annotations

from gm.board import Province
from gm.judge.compiled import BY_CONVOY, BY_EITHER, CONVOY, MOVE, NOBODY, SUPPORT
from gm.judge.decisions import Decisions
from gm.judge.outcome import NOTHING_TO_ADD, Facts, LostFleet, Opponent, Outcome, Result, Why
from gm.orders import Hold, Order
from gm.position import Dislodged, Unit


class Findings:
    """What became of every unit of a decided phase. `paradoxes` are the armies held to fail by Szykman's rule."""

    def __init__(self, decided: Decisions, paradoxes: frozenset[int]) -> None:
        self.decided = decided
        self.phase = decided.phase
        self.paradoxes = paradoxes
        self.dislodgers = {
            phase_defender: unit
            for unit, phase_defender in enumerate(self.phase.defender)
            if phase_defender != NOBODY and decided.moves[unit] and not decided.moves[phase_defender]
        }
        """For each dislodged unit, by whom."""

    def outcome(self, unit: int) -> Outcome:
        """What became of the order that counts for the unit, or of its holding when none does."""
        phase = self.phase
        order = phase.orders[unit] or Hold(phase.units[unit])
        action = phase.action[unit]
        if action == MOVE:
            result, facts = self.of_move(unit)
        elif action == SUPPORT:
            result, facts = self.of_support(unit)
        elif action == CONVOY:
            result, facts = self.of_convoy(unit)
        else:
            result, facts = (Result.DISLODGED if unit in self.dislodgers else Result.SUCCEEDS), NOTHING_TO_ADD
        if unit not in self.dislodgers:
            return Outcome(order, result, None, facts)
        lost = self.loss_of(unit)
        return Outcome(order, result, lost.by, facts._replace(dislodged=lost))

    def rejected(self, order: Order, why: Why, unit: int) -> Outcome:
        """An order that did not count."""
        result = Result.VOID if why is Why.REPLACED else Result.ILLEGAL
        facts = Facts(why)
        if unit in self.dislodgers:
            lost = self.loss_of(unit)
            return Outcome(order, result, lost.by, facts._replace(dislodged=lost))
        return Outcome(order, result, None, facts)

    def loss_of(self, unit: int) -> LostFleet:
        """By whom the unit was dislodged, and with what strengths."""
        units, attacker = self.phase.units, self.dislodgers[unit]
        attack = self.decided.attack_strength(attacker)[0]
        return LostFleet(units[unit], units[attacker], attack, self.decided.resistance(attacker)[0])

    def of_move(self, unit: int) -> tuple[Result, Facts]:
        """A move: it went, it bounced, or its convoy was missing or lost."""
        phase, decided = self.phase, self.decided
        convoyed = self.is_convoyed(unit)
        if decided.moves[unit]:
            against = self.opposition(unit)
            if not against and not convoyed:
                return Result.SUCCEEDS, NOTHING_TO_ADD
            return Result.SUCCEEDS, Facts(Why.PLAIN, decided.attack_strength(unit)[0], against, convoyed=convoyed)
        if phase.way[unit] == BY_CONVOY and not decided.carried[unit]:
            return self.of_failed_convoy(unit)
        against = self.opposition(unit)
        why = Why.PLAIN
        meets = phase.defender[unit]
        if meets != NOBODY and decided.head_to_head(unit):
            why = Why.HEAD_TO_HEAD
        if meets != NOBODY and decided.attack_strength(unit)[0] < decided.supported(unit)[0]:
            why = Why.OWN_UNIT
        strength = decided.attack_strength(unit)[0]
        return Result.BOUNCES, Facts(why, strength, against, convoyed=convoyed)

    def is_convoyed(self, unit: int) -> bool:
        """Whether the move went by convoy, or was to."""
        way = self.phase.way[unit]
        return way == BY_CONVOY or (way == BY_EITHER and bool(self.decided.carried[unit]))

    def opposition(self, unit: int) -> tuple[Opponent, ...]:
        """Who stood against a move with any strength, strongest first."""
        phase, decided = self.phase, self.decided
        against = []
        resistance = decided.resistance(unit)[0]
        if resistance:
            against.append(Opponent(phase.units[phase.defender[unit]], resistance))
        target = phase.target[unit]
        assert target is not None
        for rival in phase.arrivals[target]:
            strength = decided.prevent_strength(rival)[0] if rival != unit else 0
            if strength:
                against.append(Opponent(phase.units[rival], strength))
        against.sort(key=lambda opponent: -opponent.strength)
        return tuple(against)

    def of_failed_convoy(self, army: int) -> tuple[Result, Facts]:
        """No fleets, lost fleets, or a paradox."""
        routes = self.phase.routes[army]
        if not routes:
            return Result.NO_CONVOY, Facts(Why.NOBODY_CONVOYS, convoyed=True)
        fleets = dict.fromkeys(fleet for route in routes for fleet in route)
        lost = tuple(self.loss_of(fleet) for fleet in fleets if fleet in self.dislodgers)
        why = Why.PARADOX if army in self.paradoxes else Why.FLEETS_LOST
        return Result.DISRUPTED, Facts(why, lost=lost, convoyed=True)

    def of_support(self, unit: int) -> tuple[Result, Facts]:
        """A support: given, cut, or for nothing."""
        phase, decided = self.phase, self.decided
        if unit in phase.void:
            return Result.VOID, Facts(phase.void[unit])
        if decided.given[unit]:
            return Result.SUCCEEDS, NOTHING_TO_ADD
        arrivals = phase.arrivals[phase.at[unit]]
        attackers = [a for a in arrivals if (a, unit) not in phase.immune and decided.cuts(a, unit)]
        driven_out = unit in self.dislodgers and self.dislodgers[unit] in attackers
        why, by = (Why.DRIVEN_OUT, self.dislodgers[unit]) if driven_out else (Why.ATTACKED, attackers[0])
        return Result.CUT, Facts(why, by=phase.units[by])

    def of_convoy(self, fleet: int) -> tuple[Result, Facts]:
        """A convoy order: the fleet stayed and carried, was dislodged, or had nothing to carry."""
        if fleet in self.dislodgers:
            return Result.DISRUPTED, NOTHING_TO_ADD
        if fleet in self.phase.void:
            return Result.VOID, Facts(self.phase.void[fleet])
        return Result.SUCCEEDS, NOTHING_TO_ADD

    def units_after(self) -> tuple[Unit, ...]:
        """The units on the board, the dislodged ones taken off."""
        moves = self.decided.moves
        return tuple(
            self._moved(unit, value) if moves[unit] else value
            for unit, value in enumerate(self.phase.units)
            if unit not in self.dislodgers
        )

    def _moved(self, unit: int, value: Unit) -> Unit:
        return Unit(value.power, value.kind, self.phase.orders[unit].to)  # type: ignore[union-attr,arg-type]

    def dislodged(self) -> tuple[Dislodged, ...]:
        """The units that must retreat, and whence their attackers came (DATC 4.A.5)."""
        phase = self.phase
        return tuple(
            Dislodged(phase.units[unit], phase.at[attacker], self.leaves_origin_free(attacker))
            for unit, attacker in sorted(self.dislodgers.items())
        )

    def leaves_origin_free(self, attacker: int) -> bool:
        """Whether what the attacker dislodged may retreat to where it came from: it crossed no border."""
        return self.is_convoyed(attacker) or not self.phase.orders[attacker].crosses_border  # type: ignore[union-attr]

    def contested(self) -> frozenset[Province]:
        """Vacant provinces where units bounced."""
        phase, moves = self.phase, self.decided.moves
        return frozenset(
            target
            for target, arrivals in phase.arrivals.items()
            if not any(moves[unit] for unit in arrivals)
            and self._is_vacated(target)
            and any(self.decided.prevent_strength(unit)[0] for unit in arrivals)
        )

    def _is_vacated(self, province: Province) -> bool:
        unit = self.phase.by_province.get(province, NOBODY)
        return unit == NOBODY or bool(self.decided.moves[unit])
