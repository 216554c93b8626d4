"""The decisions of a movement phase, after Kruijswijk: does a move succeed, is a support given, is a convoy open?

A decision is True, False, or None while it is open. Each is worked out from lower and upper bounds of the strengths it
compares (DATC chapter 5): what is certain already, and what is still possible. The names are the rulebook's and
DATC's: hold strength, attack strength, defend strength (of a head-to-head battle), prevent strength.

Place: middle of `gm.judge.movement`. What stays open here is a circle: `gm.judge.circles`.
"""

from __future__ import annotations

from collections.abc import Callable

from gm.board import Power
from gm.judge.compiled import BY_CONVOY, BY_EITHER, BY_LAND, MOVE, NOBODY, SUPPORT, Compiled
from gm.judge.rulebook import RouteRule
from gm.orders import Support
from gm.position import Unit

Bounds = tuple[int, int]
"""The least and the most that a strength can still be."""

Decision = bool | None


class Decisions:
    """What is decided about a compiled phase, and the rules that decide it."""

    __slots__ = ("carried", "given", "moves", "open_convoys", "open_moves", "open_supports", "phase")

    def __init__(self, phase: Compiled) -> None:
        self.phase = phase
        self.moves: list[Decision] = [None if action == MOVE else False for action in phase.action]
        """Whether each unit moves to where it was ordered."""
        self.given: list[Decision] = [None] * len(phase.units)
        """Whether each support is given (not cut)."""
        self.carried: list[Decision] = [None] * len(phase.units)
        """Whether the convoy of each army that goes, or may go, by sea is open."""
        self.open_moves = [unit for unit, action in enumerate(phase.action) if action == MOVE]
        self.open_supports = [unit for unit, action in enumerate(phase.action) if action == SUPPORT]
        self.open_convoys = [army for army in phase.routes if phase.way[army] != BY_LAND]

    def decide(self) -> bool:
        """Decide all that follows from what is decided. Returns whether nothing is left open."""
        count = len(self.open_convoys) + len(self.open_supports) + len(self.open_moves)
        while count:
            self.open_convoys = _settle(self.open_convoys, self.carried, self.convoy_is_open)
            self.open_supports = _settle(self.open_supports, self.given, self.support_is_given)
            self.open_moves = _settle(self.open_moves, self.moves, self.move_succeeds)
            before, count = count, len(self.open_convoys) + len(self.open_supports) + len(self.open_moves)
            if count == before:
                return False
        return True

    # Moves

    def move_succeeds(self, unit: int) -> Decision:
        """A move succeeds with more attack strength than whoever resists and whoever else moves there can bring."""
        phase = self.phase
        least_attack, most_attack = self.attack_strength(unit)
        least, most = self.resistance(unit)
        target = phase.target[unit]
        assert target is not None
        for rival in phase.arrivals[target]:
            if rival != unit:
                low, high = self.prevent_strength(rival)
                least = low if low > least else least
                most = high if high > most else most
        if least_attack > most:
            return True
        return False if most_attack <= least else None

    def attack_strength(self, unit: int) -> Bounds:
        """One and the supports, but none to dislodge a unit of the own power or of the supporter's (DATC 5.B.5)."""
        phase = self.phase
        if phase.way[unit] == BY_CONVOY and self.carried[unit] is False:
            return 0, 0
        meets = phase.defender[unit]
        stays = self.stays(meets, unit)
        if stays is False or phase.rulebook.self_dislodgement:
            low, high = self.supported(unit)
        else:
            victim = phase.units[meets].power
            low, high = self.supported(unit, victim) if victim != phase.units[unit].power else (0, 0)
            if stays is None:
                high = self.supported(unit)[1]
        if phase.way[unit] == BY_CONVOY and self.carried[unit] is None:
            low = 0
        return low, high

    def stays(self, unit: int, attacker: int) -> Decision:
        """Whether the unit is in the attacker's target to be dislodged: it does not leave, or comes head to head."""
        if unit < 0:
            return False
        leaves = self.moves[unit]
        if leaves is False:
            return True
        head_to_head = self.head_to_head(attacker)
        if head_to_head:
            return True
        return False if leaves and head_to_head is False else None

    def supported(self, unit: int, victim: Power | None = None) -> Bounds:
        """The unit's own strength and the supports given to it, but for those of the victim's power."""
        phase, given = self.phase, self.given
        low = high = phase.weight[unit]
        for backer in phase.backers[unit]:
            if victim is None or phase.units[backer].power != victim:
                decided = given[backer]
                if decided:
                    low += 1
                    high += 1
                elif decided is None:
                    high += 1
        return low, high

    def resistance(self, unit: int) -> Bounds:
        """What holds against a move in its target: the opponent's strength, head to head, or the hold strength."""
        phase = self.phase
        meets = phase.defender[unit]
        if meets < 0:
            return 0, 0
        if phase.opponent[unit] < 0:
            return self.hold_strength(meets)
        head_to_head = self.head_to_head(unit)
        if head_to_head:
            return self.supported(meets)
        low, high = self.hold_strength(meets)
        if head_to_head is None:
            least, most = self.supported(meets)
            low, high = min(low, least), max(high, most)
        return low, high

    def hold_strength(self, unit: int) -> Bounds:
        """One and the supports of a unit that does not move; one of a unit that fails to, none of one that leaves."""
        if self.phase.action[unit] != MOVE:
            return self.supported(unit)
        leaves = self.moves[unit]
        return (0 if leaves is not False else 1), (0 if leaves else 1)

    def prevent_strength(self, unit: int) -> Bounds:
        """One and the supports; none without convoy, none for the loser of a head-to-head battle (DATC 5.B.7)."""
        phase = self.phase
        low, high = self.supported(unit)
        if phase.way[unit] == BY_CONVOY:
            carried = self.carried[unit]
            return (low if carried else 0), (0 if carried is False else high)
        if phase.opponent[unit] >= 0:
            beaten, head_to_head = self.moves[phase.opponent[unit]], self.head_to_head(unit)
            if beaten and head_to_head:
                return 0, 0
            if beaten is not False and head_to_head is not False:
                low = 0
        return low, high

    def head_to_head(self, unit: int) -> Decision:
        """Whether the unit fights head to head with the one that moves the opposite way: neither goes by convoy."""
        phase = self.phase
        opponent = phase.opponent[unit]
        if opponent < 0:
            return False
        convoys = [self.carried[u] for u in (unit, opponent) if phase.way[u] == BY_EITHER]
        if True in convoys:
            return False
        return None if None in convoys else True

    # Supports

    def support_is_given(self, unit: int) -> Decision:
        """A support is given unless an attack cuts it or its unit is dislodged."""
        phase = self.phase
        decided: Decision = True
        for attacker in phase.arrivals.get(phase.at[unit], ()):
            if (attacker, unit) in phase.immune:
                continue
            cut = self.cuts(attacker, unit)
            if cut:
                return False
            if cut is None:
                decided = None
        return decided

    def cuts(self, attacker: int, supporter: int) -> Decision:
        """Whether a move to the supporter's province cuts the support.

        An attack by the own power, or from where the support is directed, cuts only if it dislodges (DATC 6.D.15,
        6.D.17); any other cuts if it gets there, over land or by an open convoy.
        """
        phase = self.phase
        if self.moves[attacker]:
            return True
        order = phase.orders[supporter]
        assert isinstance(order, Support)
        if phase.units[attacker].power == phase.units[supporter].power or self.is_attacked_by(order, attacker):
            return self.moves[attacker]
        return self.carried[attacker] if phase.way[attacker] == BY_CONVOY else True

    def is_attacked_by(self, order: Support[Unit], unit: int) -> bool:
        """Whether the support is directed against the unit: an attack on where it stands."""
        return order.to is not None and self.phase.board.province(order.to) == self.phase.at[unit]

    # Convoys

    def convoy_is_open(self, army: int) -> Decision:
        """Whether no fleet that the rulebook counts was dislodged: on one route at least, or on all (DATC 4.A.1)."""
        routes = self.phase.routes[army]
        safe = [self._all_safe(route) for route in routes]
        if self.phase.rulebook.routes is RouteRule.ANY:
            return True if True in safe else None if None in safe else False
        return False if not safe or False in safe else None if None in safe else True

    def _all_safe(self, fleets: tuple[int, ...]) -> Decision:
        decided: Decision = True
        for fleet in fleets:
            dislodged = self.is_dislodged(fleet)
            if dislodged:
                return False
            if dislodged is None:
                decided = None
        return decided

    def is_dislodged(self, unit: int) -> Decision:
        """Whether somebody moves in where the unit stays."""
        if self.moves[unit]:
            return False
        decided: Decision = False
        for attacker in self.phase.arrivals.get(self.phase.at[unit], ()):
            success = self.moves[attacker]
            if success:
                return self.moves[unit] is False or None
            if success is None:
                decided = None
        return decided

    def dislodger(self, unit: int) -> int:
        """Who dislodged the unit, when all is decided; else NOBODY."""
        if self.moves[unit]:
            return NOBODY
        arrivals = self.phase.arrivals.get(self.phase.at[unit], ())
        return next((attacker for attacker in arrivals if self.moves[attacker]), NOBODY)


def _settle(units: list[int], decisions: list[Decision], rule: Callable[[int], Decision]) -> list[int]:
    """Apply the rule to each open decision. Returns those that stay open."""
    still_open = []
    for unit in units:
        decided = rule(unit)
        if decided is None:
            still_open.append(unit)
        else:
            decisions[unit] = decided
    return still_open
