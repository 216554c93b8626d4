"""The decisions of a movement phase, after Kruijswijk: does a move succeed, is a support given, does a convoy succeed?

Convoys come first: which fleets carry which army, over which routes, and which armies go by sea although they could
walk.

A decision is True, False, or None while it is open. It follows from lower and upper bounds of the strengths that it
compares (DATC chapter 5): what is certain already, and what is still possible. The terms are those of the rulebook and
of DATC: hold strength, attack strength, defend strength (in a head-to-head battle), prevent strength.

This is the middle step of `gm.judge.movement`. Decisions that stay open here form a cycle: see `gm.judge.cycles`.
"""

from __future__ import annotations

from collections.abc import Callable

from gm.board import Power, Province, Travel
from gm.judge import AdjacentRule, ParadoxRule, RouteRule
from gm.judge.outcomes import Why
from gm.judge.phase import BY_CONVOY, BY_EITHER, BY_LAND, MOVE, NO_UNIT, SUPPORT, Compiled, all_fleets
from gm.orders import Move
from gm.orders.possible import may_be_convoyed, may_help, routes
from gm.position import Unit

Bounds = tuple[int, int]
"""The lowest and the highest value that a strength can still have."""

Decision = bool | None


class Decisions:
    """The decisions made so far about a phase, and the rules by which they are made."""

    __slots__ = ("carried", "given", "moves", "open_convoys", "open_moves", "open_supports", "phase")

    def __init__(self, phase: Compiled) -> None:
        self.phase = phase
        self.moves: list[Decision] = [None if action == MOVE else False for action in phase.action]
        """Whether a unit reaches the province it was ordered to move to."""
        self.given: list[Decision] = [None] * len(phase.units)
        """Whether a support is given (not cut)."""
        self.carried: list[Decision] = [None] * len(phase.units)
        """Whether the convoy of an army that moves, or may move, by sea succeeds."""
        self.open_moves = [unit for unit, _ in phase.moving]
        self.open_supports = list(phase.supporters)
        self.open_convoys = [army for army in phase.routes if phase.way[army] != BY_LAND]

    def decide(self) -> bool:
        """Decide everything that follows from what is decided. Returns whether nothing is left open."""
        count = len(self.open_convoys) + len(self.open_supports) + len(self.open_moves)
        while count:
            self.open_convoys = _settle(self.open_convoys, self.carried, self.convoy_holds)
            self.open_supports = _settle(self.open_supports, self.given, self.support_is_given)
            self.open_moves = _settle(self.open_moves, self.moves, self.move_succeeds)
            before, count = count, len(self.open_convoys) + len(self.open_supports) + len(self.open_moves)
            if count == before:
                return False
        return True

    # Moves

    def move_succeeds(self, unit: int) -> Decision:
        """A move succeeds if its attack strength is greater than the resistance in the target and than the prevent
        strength of every other move there."""
        phase = self.phase
        target = phase.target[unit]
        assert target is not None
        if target in phase.entering:
            return self.has_room(target)
        least_attack, most_attack = self.attack_strength(unit)
        least, most = self.resistance(unit)
        for rival in phase.arrivals[target]:
            if rival != unit:
                low, high = self.prevent_strength(rival)
                least = low if low > least else least
                most = high if high > most else most
        if least_attack > most:
            return True
        return False if most_attack <= least else None

    def has_room(self, space: Province) -> Decision:
        """Whether a space for several units has room for those that stay and all that arrive."""
        coming = len(self.phase.entering[space])
        inside = [self.moves[unit] for unit in self.phase.shared.get(space, ())]
        capacity = self.phase.board.capacity(space)
        if coming + len(inside) - inside.count(True) <= capacity:
            return True
        return False if coming + inside.count(False) > capacity else None

    def attack_strength(self, unit: int) -> Bounds:
        """One and the supports. Against a unit that stays, supports by that unit's own power do not count, the strength
        is 0 if it is of the mover's power (DATC 5.B.8), and 0 for a move that may only enter a vacant space."""
        phase = self.phase
        by_convoy = phase.way[unit] == BY_CONVOY
        if by_convoy and self.carried[unit] is False:
            return 0, 0
        stays = self.defender_stays(unit)
        if stays is not False and unit in phase.vacant_only:
            return 0, 0 if stays else self.supported(unit)[1]
        if stays is False or phase.rulebook.self_dislodgement:
            low, high = self.supported(unit)
        else:
            victim = phase.units[phase.defender[unit]].power
            low, high = self.supported(unit, victim) if victim != phase.units[unit].power else (0, 0)
            if stays is None:
                high = self.supported(unit)[1]
        return (0 if by_convoy and self.carried[unit] is None else low), high

    def defender_stays(self, unit: int) -> Decision:
        """Whether the move must dislodge a unit: one that does not leave, or an opponent in a head-to-head battle."""
        defender = self.phase.defender[unit]
        if defender == NO_UNIT:
            return False
        leaves = self.moves[defender]
        if leaves is False:
            return True
        head_to_head = self.is_head_to_head(unit)
        if head_to_head:
            return True
        return False if leaves and head_to_head is False else None

    def supported(self, unit: int, victim: Power | None = None) -> Bounds:
        """The unit's own strength and the supports given to it, except those of the victim's power.

        In a head-to-head battle, without a victim, this is the defend strength.
        """
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
        """What a move must overcome in its target: in a head-to-head battle the opponent's defend strength, otherwise
        the hold strength."""
        phase = self.phase
        defender = phase.defender[unit]
        if defender == NO_UNIT:
            return 0, 0
        if phase.opponent[unit] == NO_UNIT:
            return self.hold_strength(defender)
        head_to_head = self.is_head_to_head(unit)
        if head_to_head:
            return self.supported(defender)
        low, high = self.hold_strength(defender)
        if head_to_head is None:
            least, most = self.supported(defender)
            low, high = min(low, least), max(high, most)
        return low, high

    def hold_strength(self, unit: int) -> Bounds:
        """One and the supports for a unit that does not move; one for a unit whose move fails, none for a unit that
        leaves."""
        if self.phase.action[unit] != MOVE:
            return self.supported(unit)
        leaves = self.moves[unit]
        return (1 if leaves is False else 0), (0 if leaves else 1)

    def prevent_strength(self, unit: int) -> Bounds:
        """One and the supports; none if the convoy fails, none for the loser of a head-to-head battle (DATC 5.B.6)."""
        phase = self.phase
        low, high = self.supported(unit)
        if phase.way[unit] == BY_CONVOY:
            carried = self.carried[unit]
            return (low if carried else 0), (0 if carried is False else high)
        if phase.opponent[unit] != NO_UNIT:
            beaten, head_to_head = self.moves[phase.opponent[unit]], self.is_head_to_head(unit)
            if beaten and head_to_head:
                return 0, 0
            if beaten is not False and head_to_head is not False:
                low = 0
        return low, high

    def is_head_to_head(self, unit: int) -> Decision:
        """Whether the unit is in a head-to-head battle with one that moves the opposite way, neither of them by
        convoy."""
        phase = self.phase
        opponent = phase.opponent[unit]
        if opponent == NO_UNIT:
            return False
        if phase.way[unit] == phase.way[opponent] == BY_LAND:
            return True
        carried = [self.carried[each] for each in (unit, opponent) if phase.way[each] == BY_EITHER]
        if True in carried:
            return False
        return None if None in carried else True

    # Supports

    def support_is_given(self, unit: int) -> Decision:
        """A support is given unless an attack cuts it or its unit is dislodged."""
        phase = self.phase
        decided: Decision = True
        for attacker in phase.arrivals.get(phase.at[unit], ()):
            cut = self.cuts(attacker, unit)
            if cut:
                return False
            if cut is None:
                decided = None
        return decided

    def cuts(self, attacker: int, supporter: int) -> Decision:
        """Whether a move to the supporter's province cuts the support.

        An attack by the supporter's own power, or from the province against which the support is directed, cuts it only
        by dislodging the supporter (DATC 6.D.15, 6.D.17); any other attack cuts if it arrives, over land or by a convoy
        that succeeds.
        """
        phase = self.phase
        if (attacker, supporter) in phase.immune or phase.weight[attacker] == 0 or attacker in phase.vacant_only:
            return False
        success = self.moves[attacker]
        if success or phase.units[attacker].power == phase.units[supporter].power:
            return success
        if phase.toward[supporter] == phase.origin[attacker]:
            return success
        return self.carried[attacker] if phase.way[attacker] == BY_CONVOY else True

    # Convoys

    def convoy_holds(self, army: int) -> Decision:
        """Whether the routes that the rulebook requires have lost no fleet: at least one of them, or all (DATC
        4.A.1)."""
        intact = [self.all_safe(route) for route in self.phase.routes[army]]
        if self.phase.rulebook.routes is RouteRule.ANY:
            return True if True in intact else None if None in intact else False
        return False if not intact or False in intact else None if None in intact else True

    def all_safe(self, fleets: tuple[int, ...]) -> Decision:
        """Whether none of the fleets is dislodged: no move into their spaces succeeds while they stay."""
        phase, moves = self.phase, self.moves
        decided: Decision = True
        for fleet in fleets:
            for attacker in phase.arrivals.get(phase.at[fleet], ()):
                if moves[attacker]:
                    return False
                if moves[attacker] is None:
                    decided = None
        return decided


def _settle(units: list[int], decisions: list[Decision], rule: Callable[[int], Decision]) -> list[int]:
    """Apply the rule to each open decision. Returns the units whose decisions stay open."""
    still_open = []
    for unit in units:
        decided = rule(unit)
        if decided is None:
            still_open.append(unit)
        else:
            decisions[unit] = decided
    return still_open


# convoys


def match_convoys(phase: Compiled) -> None:
    """Match every convoy order with the army that moves as the order says; other convoy orders are void."""
    province = phase.board.province
    for unit, order in phase.convoying:
        army = phase.by_province.get(province(order.convoyed.at), NO_UNIT)
        if army == NO_UNIT or phase.units[army] != order.convoyed or order.convoyed.kind.travel is not Travel.LAND:
            phase.void[unit] = Why.NO_SUCH_UNIT
        elif phase.target[army] != province(order.to):
            phase.void[unit] = Why.ORDERED_OTHERWISE
        else:
            phase.convoyers.setdefault(army, []).append(unit)


def arrange_convoys(phase: Compiled) -> None:
    """Find the routes, and decide which armies go by land and which by sea."""
    for army, order in phase.moving:
        if order.unit.kind.travel is not Travel.LAND or not order.crosses_border:
            continue
        if phase.way[army] == BY_LAND and not order.via_convoy and army not in phase.convoyers:
            continue
        phase.routes[army] = ordered_routes(phase, army, order)
        if phase.way[army] == BY_LAND:
            phase.way[army] = way_to_adjacent(phase, army, order)
        note_needless_fleets(phase, army)
        if phase.rulebook.paradox is ParadoxRule.ATTACK_ON_CONVOY:
            note_immune_support(phase, army)


def ordered_routes(phase: Compiled, army: int, order: Move[Unit]) -> list[tuple[int, ...]]:
    """The army's routes over fleets that are ordered to convoy it.

    If the army's order names its route, only that route counts in an edition where the loss of any route is fatal
    (1971); in the others the route only shows the intent.
    """
    fleets = {phase.units[fleet].at: fleet for fleet in phase.convoyers.get(army, ())}
    if phase.rulebook.routes is RouteRule.EVERY and order.route:
        return [tuple(fleets[at] for at in order.route)] if all(at in fleets for at in order.route) else []
    found = routes(phase.board, fleets, phase.at[army], phase.board.province(order.to))
    return [tuple(fleets[at] for at in route) for route in found]


def way_to_adjacent(phase: Compiled, army: int, order: Move[Unit]) -> int:
    """How an army moves to an adjacent province: by land, by convoy, or by either (DATC 4.A.3)."""
    if phase.rulebook.adjacent is AdjacentRule.OPPOSITE:
        meets = phase.defender[army]
        opposite = meets != NO_UNIT and phase.target[meets] == phase.at[army]
        return BY_EITHER if opposite and phase.routes[army] else BY_LAND
    if not intends_convoy(phase, army, order):
        return BY_LAND
    return BY_LAND if phase.rulebook.land_fallback and not phase.routes[army] else BY_CONVOY


def intends_convoy(phase: Compiled, army: int, order: Move[Unit]) -> bool:
    """Whether its power showed the intent that the army go by sea. Impossible orders show no intent (DATC 6.G.7,
    6.G.19)."""
    board, units, origin = phase.board, phase.units, phase.at[army]
    target = board.province(order.to)
    if order.via_convoy and may_be_convoyed(board, phase.seas, origin, target):
        return True
    own = [units[fleet].at for fleet in phase.convoyers.get(army, ()) if units[fleet].power == order.unit.power]
    return any(may_help(board, phase.seas, at, origin, target) for at in own)


def note_needless_fleets(phase: Compiled, army: int) -> None:
    """Mark the orders of fleets that carry no army as void: the army walks, no route needs them, or there is none."""
    walks, carrying = phase.way[army] == BY_LAND, all_fleets(phase.routes[army])
    for fleet in phase.convoyers.get(army, ()):
        if walks or fleet not in carrying:
            phase.void[fleet] = Why.NEEDLESS if walks or carrying else Why.GAP


def note_immune_support(phase: Compiled, army: int) -> None:
    """1971: the army does not cut support for an attack on one of the fleets that convoy it (DATC 4.A.2).

    This takes precedence over the rule that dislodgement cuts: the support counts even if the army dislodges the
    supporter (6.F.17).
    """
    supporter = phase.defender[army]
    if phase.way[army] != BY_CONVOY or supporter == NO_UNIT or phase.action[supporter] != SUPPORT:
        return
    attacked = phase.toward[supporter]
    if any(phase.at[fleet] == attacked for fleet in all_fleets(phase.routes[army])):
        phase.immune.add((army, supporter))


def meet_head_to_head(phase: Compiled) -> None:
    """Two units that move to each other's provinces across their common border fight a head-to-head battle."""
    over_land = {unit for unit, order in phase.moving if phase.way[unit] != BY_CONVOY and order.crosses_border}
    for unit in over_land:
        meets = phase.defender[unit]
        if meets in over_land and phase.defender[meets] == unit:
            phase.opponent[unit] = meets
