"""Orders drawn for a power that sends nothing at all (AU-5; seed 4(a): "rationalized").

Units are taken in random order, and each is given one of the orders that are still possible for it, all equally likely.
An order is possible if there is a way to give it: a way says what it fixes for own units without an order, so that no
drawn order makes another of the set impossible. A support or convoy of an own unit must match that unit's order or
fixes it; a move that needs a convoy fixes own fleets that carry it, and so does what helps another power's army that
only own fleets can carry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gm.board import FiniteBoard, Location, Power, Province
from gm.chance import Chance
from gm.orders import Build, Convoy, Hold, Move, Order, Retreat, Support
from gm.orders.possible import Need, fleets_at_sea, legal_builds, legal_orders, routes, steps_into
from gm.position import PhaseKind, Position, Unit

Drawn = Mapping[Unit, Order]
"""The orders so far, by unit."""


@dataclass(frozen=True, slots=True)
class Lots:
    """The draws for one power in one phase."""

    board: FiniteBoard
    position: Position
    power: Power
    chance: Chance

    @property
    def _purpose(self) -> tuple[str, str, Power]:
        return self.position.phase.code, "orders", self.power

    def draw(self, need: Need) -> tuple[Order, ...]:
        """Orders for every unit of the power, or for each that must retreat, or builds in order of preference."""
        match self.position.phase.kind:
            case PhaseKind.RETREAT:
                return self._retreats([d.unit for d in self.position.dislodged_of(self.power)])
            case PhaseKind.ADJUSTMENT:
                return self._builds(need)
            case _:
                return self._movements(self.position.units_of(self.power))

    def _movements(self, units: Sequence[Unit]) -> tuple[Order, ...]:
        drawn: Drawn = {}
        for unit in self.chance.shuffled(units, *self._purpose):
            if unit not in drawn:
                drawn = self._given_one(unit, drawn)
        return tuple(drawn[unit] for unit in units)

    def _given_one(self, unit: Unit, drawn: Drawn) -> Drawn:
        """The orders with one more for this unit, drawn from those that are possible, and what it fixes."""
        every = {order: tuple(self.ways(order, drawn)) for order in legal_orders(self.board, self.position, unit)}
        possible = [order for order, ways in every.items() if ways]
        order = self.chance.choose(possible, *self._purpose, unit)
        return self.chance.choose(every[order], *self._purpose, unit, "way")

    def ways(self, order: Order, drawn: Drawn) -> Iterator[Drawn]:
        """The ways in which the order can be given beside those that are drawn; none if it contradicts them."""
        match order:
            case Support(unit=unit, supported=helped) | Convoy(unit=unit, convoyed=helped):
                yield from self._ways_to_help(order, helped, {**drawn, unit: order})
            case Move(unit=unit) if not self.board.may_step(unit.kind, unit.at, order.to):
                moving, target = {**drawn, unit: order}, self.board.province(order.to)
                for route in self._routes(unit, target, moving, others=False):
                    yield moving | {carrier.unit: carrier for carrier in self._carriers(route, unit, target)}
            case Hold(unit=unit) | Move(unit=unit):
                yield {**drawn, unit: order}

    def _ways_to_help(self, given: Support[Unit] | Convoy[Unit], helped: Unit, drawn: Drawn) -> Iterator[Drawn]:
        if helped.power != self.power:
            yield from self._ways_to_help_others(given, helped, drawn)
        elif helped in drawn:
            yield from [drawn] if self._agree(given, drawn[helped]) else []
        elif given.to is None:
            yield {**drawn, helped: Hold(helped)}
        else:
            for order in legal_orders(self.board, self.position, helped):
                if self._agree(given, order):
                    yield from self.ways(order, drawn)

    def _ways_to_help_others(self, given: Support[Unit] | Convoy[Unit], helped: Unit, drawn: Drawn) -> Iterator[Drawn]:
        """What another power orders is not known. Where the move goes by sea, own fleets without which it cannot are
        fixed; none where those of others are enough.
        """
        target = self.board.province(given.to) if given.to is not None else None
        convoying = isinstance(given, Convoy)
        if target is None or (not convoying and steps_into(self.board, helped, target)):
            yield drawn
            return
        found = list(self._routes(helped, target, drawn, others=True))
        if convoying:
            found = [route for route in found if given.unit.at in route]
        fixed = {self._carriers(route, helped, target) for route in found}
        enough = any(all(drawn.get(order.unit) == order for order in orders) for orders in fixed)
        for orders in [()] if enough else sorted(fixed, key=str):
            yield {**drawn, **{order.unit: order for order in orders}}

    def _agree(self, given: Support[Unit] | Convoy[Unit], done: Order) -> bool:
        if given.to is None:
            return not isinstance(done, Move)
        # A coast that is named must be that of the move (ST, DATC 6.B.10).
        return isinstance(done, Move) and given.to in (done.to, Location(self.board.province(done.to)))

    def _routes(self, army: Unit, target: Province, drawn: Drawn, *, others: bool) -> Iterator[Sequence[Location]]:
        """The routes of an army by own fleets that may still carry it, and by those of `others`."""
        free = []
        for at in fleets_at_sea(self.board, self.position.units):
            carrier = self._own(at, army, target)
            if others if carrier is None else drawn.get(carrier.unit, carrier) == carrier:
                free.append(at)
        yield from routes(self.board, free, self.board.province(army.at), target)

    def _carriers(self, route: Sequence[Location], army: Unit, target: Province) -> tuple[Convoy[Unit], ...]:
        """The orders with which own fleets carry the army on this route, in one order whichever way it leads."""
        found = (self._own(at, army, target) for at in route)
        return tuple(sorted(filter(None, found), key=str))

    def _own(self, at: Location, army: Unit, target: Province) -> Convoy[Unit] | None:
        """The order with which an own fleet there carries the army; None if there is none."""
        fleets = (unit for unit in self.position.units_of(self.power) if unit.at == at)
        return next((Convoy(fleet, army, Location(target)) for fleet in fleets), None)

    def _retreats(self, units: Sequence[Unit]) -> tuple[Order, ...]:
        """Retreats, no two of them to one province, because both units would be disbanded."""
        drawn: dict[Unit, Order] = {}
        taken = set()
        for unit in self.chance.shuffled(units, *self._purpose):
            ways = legal_orders(self.board, self.position, unit)
            open_ways = [o for o in ways if not (isinstance(o, Retreat) and self.board.province(o.to) in taken)]
            order = self.chance.choose(open_ways, *self._purpose, unit)
            if isinstance(order, Retreat):
                taken.add(self.board.province(order.to))
            drawn[unit] = order
        return tuple(drawn[unit] for unit in units)

    def _builds(self, need: Need) -> tuple[Order, ...]:
        """A build for every site, in random order; the true count decides which of them are made.

        Removals are not drawn: those that are not ordered follow the rules (ST-6).
        """
        drawn: list[Order] = []
        left = [order for order in legal_builds(self.board, self.power, need) if isinstance(order, Build)]
        while left:
            order = self.chance.choose(left, *self._purpose, len(drawn))
            drawn.append(order)
            site = self.board.province(order.unit.at)
            left = [other for other in left if self.board.province(other.unit.at) != site]
        return tuple(drawn)
