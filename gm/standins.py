"""Stand-in players: plain heuristics over the legal orders of any game, for practice and for powers without a player.

A stand-in's orders are a function of the game's seed, the phase, the power and what this power may see: equal views
give equal orders, whatever is secret. It wants centres that it does not own, the nearer the better; it supports what
would otherwise bounce, keeps its centres, and orders nothing that the game would warn of.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nlargest

from gm.board import FiniteBoard, Location, Power, Province, Travel, UnitKind
from gm.chance import Chance
from gm.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive, unit_of
from gm.orders.notation import write
from gm.orders.possible import ByIdentity, Duty, legal_builds, reaches, routes
from gm.position import Unit
from gm.variants import Variant
from gm.views import View

CENTER, OWN_CENTER, DEFENCE, TAKING = 1.0, 0.1, 0.35, 1.2
"""What it is worth to be in another's centre, or in an own one; and more, if the unit is there already, for an own one
that an enemy can reach, and for another's that it is about to take."""

DEED = 0.2
"""What an order that is more than a hold is worth to a unit that stays."""

FADING, FAR, SEVERAL = 0.25, 4, 5
"""How much less a centre is worth with each step to it, the number of steps after which it is not seen, and the number
of centres that a place is judged by."""

WHIM = 0.6
"""How much stand-ins differ in what they think of the same order."""

CHANCES = (1.0, 0.6, 0.2)
"""How likely an attack is thought to succeed: stronger than what can be against it, as strong, or weaker."""


def orders_of(game: Variant, seen: View, chance: Chance) -> tuple[Order, ...]:
    """What a stand-in orders in the phase of this view, which is that of its seat; nothing if it has nothing to order.

    The orders are legal, and no orders are missing.
    """
    duty = seen.duties.get(seen.seat) if seen.seat is not None else None
    if seen.seat is None or duty is None:
        return ()
    mind = _Mind(game, seen, seen.seat, duty, chance)
    orders = [*_Campaign(mind).orders(), *mind.builds_and_removals()]
    orders += mind.declared(orders)
    if not duty.met_by(orders):
        orders += [Waive(seen.seat)] * max(1, duty.unnamed(orders))
    return tuple(orders)


@lru_cache(maxsize=1 << 12)
def _around(kept: ByIdentity[FiniteBoard], kind: UnitKind, at: Location) -> Sequence[tuple[Province, int]]:
    """The centres within reach, each with the number of steps to it: the same for all who look at the board."""
    board, kind = kept.value, UnitKind.ARMY if kind.travel is Travel.OWN else kind
    found = {board.province(at): 0}
    edge = [at]
    for steps in range(1, FAR + 1):
        edge = [to for here in edge for to in board.neighbours(kind, here) if board.province(to) not in found]
        edge = list(dict.fromkeys(edge))
        found |= {board.province(to): steps for to in edge}
    return [(province, steps) for province, steps in found.items() if board.is_center(province)]


@dataclass(frozen=True, eq=False)
class _Mind:
    """A stand-in in one phase: what it sees, and what places are worth to it."""

    game: Variant
    seen: View
    power: Power
    duty: Duty
    chance: Chance
    _worth: dict[tuple[UnitKind, Location], float] = dataclasses.field(default_factory=dict)

    # ---- what places are worth

    def attraction(self, kind: UnitKind, at: Location) -> float:
        """What it is worth to a unit of this kind to be here: the centres here and within reach of it."""
        if (kind, at) not in self._worth:
            near = _around(ByIdentity(self.seen.board), kind, at)
            seen = (self.wanted(center) * FADING**steps for center, steps in near)
            self._worth[kind, at] = sum(nlargest(SEVERAL, seen))
        return self._worth[kind, at]

    def wanted(self, province: Province) -> float:
        """What the province itself is worth."""
        if not self.seen.board.is_center(province):
            return 0.0
        return OWN_CENTER if self.seen.position.centers.get(province) == self.power else CENTER

    @cached_property
    def _foes(self) -> tuple[Unit, ...]:
        others = (unit for unit in self.seen.position.units if unit.power != self.power)
        return tuple(unit for unit in others if unit not in self.commands)

    def opposition(self, province: Province) -> int:
        """How strong others could be against a unit that goes to the province: who is there, and another that can."""
        board = self.seen.board
        there = [foe for foe in self._foes if board.province(foe.at) == province]
        return len(there) + any(foe.kind.fights and reaches(board, foe, province) for foe in self._foes)

    def is_taken(self, province: Province) -> bool:
        """Whether another power's unit is there."""
        return any(self.seen.board.province(foe.at) == province for foe in self._foes)

    def whim(self, order: Order) -> float:
        """A number around 1, without which all would think alike; far from it where all can go everywhere."""
        drawn = self.chance.below(101, "standin", self.seen.position.phase.code, self.power, write(order))
        anywhere = isinstance(order, Move) and not order.crosses_border
        return 1 + (drawn - 50) / 100 * (2.0 if anywhere else WHIM)

    # ---- what can be ordered

    def legal(self, unit: Unit) -> tuple[Order, ...]:
        """The orders that the unit can be given."""
        return self.game.legal_orders(self.seen.board, self.seen.position, unit, self.duty.need)

    @cached_property
    def _offered(self) -> tuple[tuple[Order, ...], ...]:
        return self.game.offered(self.game, self.seen.position, self.power)

    @cached_property
    def commands(self) -> Mapping[Unit, tuple[Order, ...]]:
        """The units that can be ordered, each with its orders."""
        found = {unit: self.legal(unit) for unit in self.duty.units}
        for group in self._offered:
            unit = _only_unit(group)
            if unit is not None:
                found[unit] = (*found.get(unit, ()), *group)
        return found

    # ---- builds, removals and declarations

    def builds_and_removals(self) -> list[Order]:
        """As many as are due; if their number is secret, one build for each site, the best first."""
        need = self.duty.need
        if need.count < 0:
            return self._removals(-need.count)
        count = need.count or (len(need.sites) if self.duty.offer else 0)
        builds = legal_builds(self.seen.board, self.power, dataclasses.replace(need, count=count))
        by_site: dict[Province, Order] = {}
        for build in self._best(order for order in builds if isinstance(order, Build)):
            by_site.setdefault(self.seen.board.province(build.unit.at), build)  # type: ignore[union-attr]
        return list(by_site.values())[:count]

    def _removals(self, count: int) -> list[Order]:
        """The units that are worth least where they are."""
        pieces = (piece for piece in dict.fromkeys(self.game.pieces(self.seen.position)) if piece.power == self.power)
        units = dict.fromkeys((*self.seen.position.units_of(self.power), *pieces))
        leaving = [order for unit in units for order in self.legal(unit) if isinstance(order, Disband)]
        return self._best(leaving)[::-1][:count]

    def _best(self, orders: Iterable[Order]) -> list[Order]:
        """The orders, those first whose units will be where they are worth most."""
        ranked = {order: self._value(order) * self.whim(order) for order in orders}
        return sorted(ranked, key=lambda order: -ranked[order])

    def _value(self, order: Order) -> float:
        unit, place = unit_of(order), aim(self.seen, order)
        if unit is None or place is None:
            return 1.0
        return self.attraction(unit.kind, place)

    def declared(self, given: Sequence[Order]) -> list[Order]:
        """The best of each group of orders that are not for one unit, unless the game would warn of it."""
        found: list[Order] = []
        for group in self._offered:
            if _only_unit(group) is None:
                found += [order for order in self._best(group) if self.is_wise(order, (*given, *found))][:1]
        return found

    def is_wise(self, order: Order, others: Sequence[Order]) -> bool:
        """Whether the game has no more warnings with this order than without it."""
        position, cautions = self.seen.position, self.game.cautions
        before = cautions(position, self.power, others)
        return set(cautions(position, self.power, (*others, order))) <= set(before)


def aim(seen: View, order: Order) -> Location | None:
    """The place that an order is about: where its unit goes, what it does there, or where the unit is; None for a
    declaration that names no place.
    """
    for field in reversed(dataclasses.fields(order)):
        held = getattr(order, field.name)
        first = held[0] if isinstance(held, tuple) and held else held
        if field.name != "power" and isinstance(first, str) and seen.board.exists(Location(first)):
            return Location(first)
    unit = unit_of(order)
    return unit.at if unit is not None and seen.board.exists(unit.at) else None


def _only_unit(orders: Iterable[Order]) -> Unit | None:
    """The unit that all these orders are for; None if there is no such unit."""
    units = set(map(unit_of, orders))
    return units.pop() if len(units) == 1 else None


class _Campaign:
    """The orders of all units of a phase, given one after another, the most promising first."""

    def __init__(self, mind: _Mind) -> None:
        self._mind = mind
        self._board = mind.seen.board
        self._legal = mind.commands
        self._left = [*mind.duty.units, *(unit for unit in mind.commands if unit not in mind.duty.units)]
        self._supports: dict[tuple[Unit, Province | None], list[Support[Unit]]] = {}
        for orders in self._legal.values():
            for order in orders:
                if isinstance(order, Support):
                    self._supports.setdefault(self._backed(order.supported, order.to), []).append(order)
        self._given: list[Order] = []
        self._goals: Counter[Province] = Counter()

    def orders(self) -> list[Order]:
        """An order for every unit that must have one, and for others if there is a good one."""
        ranked = self._ranked()
        while self._left and ranked:
            chosen = next((order for order in ranked if self._is_open(order)), None)
            if chosen is None:
                break
            self._give(chosen)
            ranked = [order for order in ranked if unit_of(order) in self._left]
        for unit in [unit for unit in self._left if unit in self._mind.duty.units]:
            self._put(self._at_rest(unit))
        return self._given

    def _ranked(self) -> list[Order]:
        """What each unit could do by itself, the most promising first."""
        values: dict[Order, float] = {
            order: self._promise(order) * self._mind.whim(order)
            for orders in self._legal.values()
            for order in orders
            if isinstance(order, Hold | Move | Retreat)
        }
        return sorted(values, key=lambda order: -values[order])

    def _promise(self, order: Order) -> float:
        unit, place = unit_of(order), aim(self._mind.seen, order)
        if unit is None or place is None:
            return 0.0
        worth = self._mind.attraction(unit.kind, self._end(order) or place)
        if isinstance(order, Retreat):
            return worth
        if isinstance(order, Hold):
            deed = type(order) is not Hold
            return worth + self._post(unit) + deed * DEED * (1 + self._mind.wanted(self._board.province(place)))
        if not unit.kind.fights:
            return 0.0
        against, able = self._mind.opposition(self._board.province(place)), 1 + len(self._helpers(order))
        return worth * CHANCES[1 + (against > able) - (against < able)]

    def _post(self, unit: Unit) -> float:
        """What is lost if the unit leaves: an own centre that others can reach, or another's that it is taking."""
        if not self._board.exists(unit.at):
            return 0.0
        province = self._board.province(unit.at)
        if self._mind.wanted(province) == CENTER:
            return TAKING
        return DEFENCE * (self._mind.wanted(province) > 0 and self._mind.opposition(province) > 0)

    def _end(self, order: Order) -> Location | None:
        """Where the unit will be if its order succeeds; None if that is not on the board."""
        unit = unit_of(order)
        if isinstance(order, Hold | Support | Convoy) and unit is not None and self._board.exists(unit.at):
            return unit.at
        return aim(self._mind.seen, order)

    def _helpers(self, order: Order) -> list[Support[Unit]]:
        """The orders of units without an order that would support this one."""
        unit = unit_of(order)
        if unit is None:
            return []
        found = self._supports.get(self._backed(unit, order.to if isinstance(order, Move) else None), ())
        return [help_ for help_ in found if help_.unit in self._left]

    def _backed(self, unit: Unit, to: Location | None) -> tuple[Unit, Province | None]:
        """What a support is for, whatever coast it names."""
        return unit, self._board.province(to) if to is not None else None

    # ---- which orders can be given now

    def _is_open(self, order: Order) -> bool:
        """Whether the order fits those that are given: no unit is in another's way, and no attack is hopeless."""
        unit, place = unit_of(order), self._end(order)
        if unit not in self._left or place is None or not self._mind.is_wise(order, self._given):
            return False
        if place == unit.at:
            return True
        province = self._board.province(place)
        if self._goals[province] >= self._board.capacity(province):
            return False
        return not isinstance(order, Move) or self._is_clear(order, province)

    def _is_clear(self, order: Move[Unit], province: Province) -> bool:
        """Whether no own unit is in the way, others there can be beaten, and an army finds a fleet if it needs one."""
        if self._board.capacity(province) == 1 and any(self._board.province(u.at) == province for u in self._left):
            return False
        if self._mind.is_taken(province) and not self._helpers(order):
            return False
        return not self._is_far(order) or bool(self._carriers(order))

    def _is_far(self, order: Order) -> bool:
        """Whether the order is a move that needs a convoy."""
        if not isinstance(order, Move) or not order.crosses_border:
            return False
        return not self._board.may_step(order.unit.kind, order.unit.at, order.to)

    def _carriers(self, order: Order) -> list[Convoy[Unit]]:
        """An own fleet's order that is enough to carry the army, if there is one."""
        return [
            convoy
            for fleet in self._left
            for convoy in self._legal[fleet]
            if isinstance(convoy, Convoy) and isinstance(order, Move)
            if (convoy.convoyed, convoy.to) == (order.unit, order.to) and self._carries(fleet, order)
            if self._mind.is_wise(convoy, (*self._given, order))
        ][:1]

    def _carries(self, fleet: Unit, order: Move[Unit]) -> bool:
        origin, target = self._board.province(order.unit.at), self._board.province(order.to)
        return any(len(route) == 1 for route in routes(self._board, (fleet.at,), origin, target))

    # ---- giving them

    def _give(self, order: Order) -> None:
        """Give the order, with convoy and support as far as it needs them."""
        carriers, end = self._carriers(order) if self._is_far(order) else [], self._end(order)
        self._put(order)
        for carrier in carriers:
            self._put(carrier)
        if end is None or isinstance(order, Retreat) or not self._mind.wanted(self._board.province(end)):
            return
        lacking = self._mind.opposition(self._board.province(end)) - isinstance(order, Hold)
        for help_ in self._helpers(order):
            if lacking > 0 and help_.unit in self._left and self._mind.is_wise(help_, self._given):
                self._put(help_)
                lacking -= 1

    def _put(self, order: Order) -> None:
        unit, end = unit_of(order), self._end(order)
        assert unit is not None
        self._given.append(order)
        self._left.remove(unit)
        if end is not None:
            self._goals[self._board.province(end)] += 1

    def _at_rest(self, unit: Unit) -> Order:
        """The order of a unit that has nothing better to do."""
        holds = [order for order in self._legal[unit] if isinstance(order, Hold | Disband)]
        return holds[0] if holds else Hold(unit)
