"""Orders drawn by lot for a power that sends nothing at all (AU-5).

Units are taken in random order, and each is given one of its possible orders. A support or convoy of an own unit fixes
what that unit does, if it has no order yet, and must fit what it does, if it has one: nothing drawn contradicts itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.board import FiniteBoard, Power
from gm.chance import Chance
from gm.orders import Build, Convoy, Hold, Move, Order, Retreat, Support
from gm.orders.needs import Need
from gm.orders.possible import legal_builds, legal_orders
from gm.position import PhaseKind, Position, Unit


class Lots:
    """The draws of one power in one phase."""

    def __init__(self, board: FiniteBoard, position: Position, power: Power, chance: Chance) -> None:
        self._board = board
        self._position = position
        self._power = power
        self._chance = chance
        self._purpose = (position.phase.code, "orders", power)

    def draw(self, need: Need) -> tuple[Order, ...]:
        """Orders for every unit of the power, or for each that must retreat, or builds in order of preference."""
        match self._position.phase.kind:
            case PhaseKind.RETREAT:
                return self._retreats([d.unit for d in self._position.dislodged_of(self._power)])
            case PhaseKind.ADJUSTMENT:
                return self._builds(need)
            case _:
                return self._movements(self._position.units_of(self._power))

    def _movements(self, units: Sequence[Unit]) -> tuple[Order, ...]:
        drawn: dict[Unit, Order] = {}
        for unit in self._chance.shuffled(units, *self._purpose):
            if unit in drawn:
                continue
            fitting = [o for o in legal_orders(self._board, self._position, unit) if self._fits(o, drawn)]
            order = self._chance.choose(fitting, *self._purpose, unit)
            drawn[unit] = order
            helped = self._helped(order)
            if helped is not None and helped not in drawn:
                drawn[helped] = self._choose_fitting(order, helped)
        return tuple(drawn[unit] for unit in units)

    def _helped(self, order: Order) -> Unit | None:
        """The own unit that an order supports or convoys."""
        helped = (
            order.supported if isinstance(order, Support) else order.convoyed if isinstance(order, Convoy) else None
        )
        return helped if helped is not None and helped.power == self._power else None

    def _fits(self, order: Order, drawn: dict[Unit, Order]) -> bool:
        """Whether an order agrees with what has been drawn for the unit it supports or convoys."""
        helped = self._helped(order)
        return helped is None or helped not in drawn or self._agree(order, drawn[helped])

    def _agree(self, help_given: Order, done: Order) -> bool:
        assert isinstance(help_given, Support | Convoy)
        if help_given.to is None:
            return not isinstance(done, Move)
        province = self._board.province
        return isinstance(done, Move) and province(done.to) == province(help_given.to)

    def _choose_fitting(self, help_given: Order, helped: Unit) -> Order:
        """What the helped unit must do: hold, or make the move; to which coast of several is drawn."""
        assert isinstance(help_given, Support | Convoy)
        if help_given.to is None:
            return Hold(helped)
        every = legal_orders(self._board, self._position, helped)
        moves = [order for order in every if isinstance(order, Move) and self._agree(help_given, order)]
        return self._chance.choose(moves, *self._purpose, helped)

    def _retreats(self, units: Sequence[Unit]) -> tuple[Order, ...]:
        """No two to one province, for they would destroy each other."""
        drawn: dict[Unit, Order] = {}
        taken = set()
        for unit in self._chance.shuffled(units, *self._purpose):
            ways = legal_orders(self._board, self._position, unit)
            open_ways = [o for o in ways if not (isinstance(o, Retreat) and self._board.province(o.to) in taken)]
            order = self._chance.choose(open_ways, *self._purpose, unit)
            if isinstance(order, Retreat):
                taken.add(self._board.province(order.to))
            drawn[unit] = order
        return tuple(drawn[unit] for unit in units)

    def _builds(self, need: Need) -> tuple[Order, ...]:
        """A build for every site, in random order; which of them are made is the true count's matter.

        Removals are not drawn: those nobody names follow the rules (ST-6).
        """
        drawn: list[Order] = []
        left = [order for order in legal_builds(self._board, self._power, need) if isinstance(order, Build)]
        while left:
            order = self._chance.choose(left, *self._purpose, len(drawn))
            drawn.append(order)
            site = self._board.province(order.unit.at)
            left = [other for other in left if self._board.province(other.unit.at) != site]
        return tuple(drawn)
