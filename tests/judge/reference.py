"""A second adjudicator, written from the rules alone, to compare the judge with.

It uses no bounds, no order of decision and no short cuts: every set of moves is tried, and kept if each move in it
succeeds and each move not in it fails when all the others are as tried. Its time grows with 2 to the number of moves,
so it is for small positions.

Convoys: for each combination of the convoys' results, movement is resolved as if it were true; a combination is
consistent if that gives the same results. Convoys that affect each other and do not have exactly one consistent
combination are a paradox, and those on which the consistent combinations disagree (all, if there is none) fail:
Szykman's rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from gm.board import Board, Location, Province, UnitKind
from gm.judge import AdjacentRule, ParadoxRule, RouteRule, Rulebook
from gm.orders import Convoy, Move, Order, Support
from gm.position import Unit

Moved = frozenset[Unit]
"""The units whose moves are assumed to succeed."""

Holding = Mapping[Unit, bool]
"""For each army that moves or may move by sea, whether its convoy is assumed to succeed."""


class Undetermined(Exception):
    """The rules give no resolution or several; this happens only where a power may dislodge its own units."""


@dataclass
class Answer:
    """The reference's result: who moved, whose support counted, and which armies a paradox stopped."""

    moved: Moved
    supports: frozenset[Unit]
    paradoxes: frozenset[Unit]
    walkers: frozenset[Unit]
    """Armies that walk when their convoy is lost (1971)."""


class Reference:
    """A movement phase by brute force. `orders` are possible ones, one a unit at most."""

    def __init__(self, board: Board, rulebook: Rulebook, units: Sequence[Unit], orders: Iterable[Order]) -> None:
        self.board, self.rulebook, self.units = board, rulebook, units
        self.at = {board.province(unit.at): unit for unit in units}
        given = [order for order in orders if isinstance(order, (Move, Support, Convoy))]
        self.moves = {order.unit: order for order in given if isinstance(order, Move)}
        self.supports = {order.unit: order for order in given if isinstance(order, Support)}
        self.fleets = {unit: self._convoyers(unit, given) for unit in self.moves}
        self.routes = {unit: self._chains(self.fleets[unit], self.place(unit), self.goal(unit)) for unit in self.moves}
        self.by_sea = {unit for unit in self.moves if not self._walks(unit) or self._sails(unit)}
        self.either = {unit for unit in self.moves if unit not in self.by_sea and self._sails_if_it_can(unit)}
        self.convoyed = sorted(self.by_sea | self.either, key=str)

    def place(self, unit: Unit) -> Province:
        return self.board.province(unit.at)

    def goal(self, unit: Unit) -> Province:
        return self.board.province(self.moves[unit].to)

    # Who goes how

    def _walks(self, unit: Unit) -> bool:
        return self.board.may_step(unit.kind, unit.at, self.moves[unit].to)

    def _ashore(self, fleet: Unit, province: Province) -> bool:
        return any(self.board.may_step(UnitKind.FLEET, fleet.at, at) for at in self.board.coasts(province))

    def _links(self, fleets: Iterable[Unit], origin: Province, goal: Province) -> bool:
        """Whether the fleets connect the two provinces."""
        left = set(fleets)
        reached = {fleet for fleet in left if self._ashore(fleet, origin)}
        while True:
            more = {f for f in left - reached if any(self.board.may_step(UnitKind.FLEET, r.at, f.at) for r in reached)}
            if not more:
                return any(self._ashore(fleet, goal) for fleet in reached)
            reached |= more

    def _chains(self, fleets: Sequence[Unit], origin: Province, goal: Province) -> list[frozenset[Unit]]:
        """The minimal sets of fleets that connect the provinces."""
        found: list[frozenset[Unit]] = []
        for size in range(1, len(fleets) + 1):
            for chosen in map(frozenset, combinations(fleets, size)):
                if not any(smaller <= chosen for smaller in found) and self._links(chosen, origin, goal):
                    found.append(chosen)
        return found

    def _at_sea(self) -> list[Unit]:
        return [unit for unit in self.units if unit.kind is UnitKind.FLEET and self.board.can_convoy(unit.at)]

    def _convoyers(self, army: Unit, given: Iterable[Order]) -> list[Unit]:
        """The fleets ordered to convoy the army as it moves."""
        goal = self.goal(army)
        convoys = [order for order in given if isinstance(order, Convoy) and order.convoyed == army]
        return [order.unit for order in convoys if self.board.province(order.to) == goal]

    def _sails(self, army: Unit) -> bool:
        """An army that could walk but certainly goes by sea."""
        if self.rulebook.adjacent is not AdjacentRule.INTENT or army.kind is not UnitKind.ARMY:
            return False
        possible = self._chains(self._at_sea(), self.place(army), self.goal(army))
        own = {fleet for fleet in self.fleets[army] if fleet.power == army.power}
        meant = (self.moves[army].via_convoy and possible) or any(own & chain for chain in possible)
        return bool(meant) and (bool(self.routes[army]) or not self.rulebook.land_fallback)

    def _sails_if_it_can(self, army: Unit) -> bool:
        """1971: the unit in the target comes the opposite way, and there is a convoy."""
        other = self.at.get(self.goal(army))
        opposite = other in self.moves and self.goal(other) == self.place(army)
        return self.rulebook.adjacent is AdjacentRule.OPPOSITE and opposite and bool(self.routes[army])

    # One set of moves

    def arrives(self, unit: Unit, holding: Holding) -> bool:
        return unit not in self.by_sea or holding[unit]

    def over_the_border(self, unit: Unit, holding: Holding) -> bool:
        return unit not in self.by_sea and not (unit in self.either and holding[unit])

    def head_to_head(self, unit: Unit, other: Unit | None, holding: Holding) -> bool:
        if other is None or unit not in self.moves or other not in self.moves:
            return False
        swap = self.goal(other) == self.place(unit) and self.goal(unit) == self.place(other)
        return swap and self.over_the_border(unit, holding) and self.over_the_border(other, holding)

    def matches(self, support: Support[Unit]) -> bool:
        supported = support.supported
        if supported not in self.units:
            return False
        if supported not in self.moves:
            return support.to is None
        to = self.moves[supported].to
        return support.to is not None and support.to in (to, Location(self.board.province(to)))

    def shielded(self, support: Support[Unit], attacker: Unit) -> bool:
        """1971: an attack by convoy on support to an attack on one of the convoy's own fleets."""
        if self.rulebook.paradox is not ParadoxRule.ATTACK_ON_CONVOY or support.to is None:
            return False
        fleets = {self.place(fleet) for route in self.routes[attacker] for fleet in route}
        return attacker in self.by_sea and self.board.province(support.to) in fleets

    def counts(self, support: Support[Unit], moved: Moved, holding: Holding) -> bool:
        if not self.matches(support):
            return False
        for attacker in self.moves:
            if self.goal(attacker) != self.place(support.unit) or self.shielded(support, attacker):
                continue
            if attacker in moved:
                return False
            aimed_at = support.to is not None and self.board.province(support.to) == self.place(attacker)
            if attacker.power != support.unit.power and not aimed_at and self.arrives(attacker, holding):
                return False
        return True

    def backing(self, unit: Unit, moved: Moved, holding: Holding, victim: Unit | None = None) -> int:
        supports = [s for s in self.supports.values() if s.supported == unit and self.counts(s, moved, holding)]
        return 1 + sum(victim is None or support.unit.power != victim.power for support in supports)

    def succeeds(self, unit: Unit, moved: Moved, holding: Holding) -> bool:
        if not self.arrives(unit, holding):
            return False
        there = self.at.get(self.goal(unit))
        duel = self.head_to_head(unit, there, holding)
        stays = there is not None and (there not in moved or duel)
        attack, defence = self.backing(unit, moved, holding), 0
        if there is not None and stays:
            if not self.rulebook.self_dislodgement:
                attack = 0 if there.power == unit.power else self.backing(unit, moved, holding, there)
            moves_elsewhere = there in self.moves and not duel
            defence = 1 if moves_elsewhere else self.backing(there, moved, holding)
        for rival in self.moves:
            if rival != unit and self.goal(rival) == self.goal(unit) and self.arrives(rival, holding):
                foe = self.at.get(self.goal(rival))
                beaten = foe in moved and self.head_to_head(rival, foe, holding)
                defence = max(defence, 0 if beaten else self.backing(rival, moved, holding))
        return attack > defence

    # All sets of moves

    def movement(self, holding: Holding) -> Moved:
        """The consistent set of moves for these results of the convoys.

        Of several, the one in which every ring moves that moves in any: circular movement succeeds (DATC 6.C.1). Raises
        Undetermined if that does not leave one.
        """
        sets = (frozenset(moved) for n in range(len(self.moves) + 1) for moved in combinations(self.moves, n))
        found = [s for s in sets if all(self.succeeds(unit, s, holding) == (unit in s) for unit in self.moves)]
        if not found:
            raise Undetermined
        rings = frozenset[Unit]().union(*map(self.on_rings, found))
        best = [moved for moved in found if self.on_rings(moved) == rings]
        if len(best) != 1:
            raise Undetermined
        return best[0]

    def on_rings(self, moved: Moved) -> Moved:
        """The units of the set that move in a ring, each to where the next was."""
        following = {unit: self.at.get(self.goal(unit)) for unit in moved}
        return frozenset(unit for unit in moved if self._returns(unit, following))

    def _returns(self, unit: Unit, following: Mapping[Unit, Unit | None]) -> bool:
        at = following[unit]
        for _ in following:
            if at is None or at == unit:
                return at == unit
            at = following.get(at)
        return False

    def holds(self, army: Unit, moved: Moved) -> bool:
        goals = {self.goal(unit) for unit in moved}
        intact = [not any(self.place(fleet) in goals for fleet in route) for route in self.routes[army]]
        return any(intact) if self.rulebook.routes is RouteRule.ANY else bool(intact) and all(intact)

    def resolve(self) -> Answer:
        """The phase resolved."""
        ways = [dict(zip(self.convoyed, way, strict=True)) for way in product((True, False), repeat=len(self.convoyed))]
        results = [(way, self.movement(way)) for way in ways]
        follows = [(way, {army: self.holds(army, moved) for army in self.convoyed}) for way, moved in results]
        settled: dict[Unit, bool] = {}
        paradoxes: set[Unit] = set()
        while len(settled) < len(self.convoyed):
            left = [(w, r) for w, r in follows if all(w[army] == value for army, value in settled.items())]
            core = self._core([army for army in self.convoyed if army not in settled], left)
            good = [w for w, r in left if all(w[army] == r[army] for army in core)]
            for army in core:
                values = {way[army] for way in good}
                settled[army] = values == {True}
                if len(values) != 1:
                    paradoxes.add(army)
        moved = self.movement(settled)
        counted = frozenset(u for u, support in self.supports.items() if self.counts(support, moved, settled))
        return Answer(moved, counted, frozenset(paradoxes), frozenset(self.either))

    def _core(self, armies: list[Unit], follows: list[tuple[dict[Unit, bool], dict[Unit, bool]]]) -> set[Unit]:
        """The smallest set of convoys that is not affected by anything outside it."""
        for size in range(1, len(armies) + 1):
            for chosen in combinations(armies, size):
                outside = [army for army in armies if army not in chosen]
                if not any(self._affects(follows, one, other) for one in outside for other in chosen):
                    return set(chosen)
        raise AssertionError("all of them together are such a set")

    def _affects(self, follows: list[tuple[dict[Unit, bool], dict[Unit, bool]]], cause: Unit, effect: Unit) -> bool:
        by_rest: dict[tuple[tuple[str, bool], ...], set[bool]] = {}
        for way, result in follows:
            rest = tuple((str(army), value) for army, value in way.items() if army != cause)
            by_rest.setdefault(rest, set()).add(result[effect])
        return any(len(found) > 1 for found in by_rest.values())
