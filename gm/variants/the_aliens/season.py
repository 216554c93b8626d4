"""Spring and Fall: the units, those that go by transmitter too; then the transmitters (AL-5 to AL-12, AL-14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gm.board import UnitKind
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.judge.rulebook import Rulebook
from gm.orders import Convoy, Hold, Move, Order
from gm.orders.routes import fleets_at_sea, may_be_convoyed
from gm.position import Position, Unit
from gm.variants.the_aliens.agreement import LATER_ORDER, NO_AGREEMENT, NOT_SENT, agree, counted_orders
from gm.variants.the_aliens.board import TRANSMITTER, AlienBoard, is_home
from gm.variants.the_aliens.equipment import Equipment
from gm.variants.the_aliens.orders import Arrive, Relay, Transmit
from gm.variants.the_aliens.state import State


def resolve_season(board: AlienBoard, rulebook: Rulebook, position: Position, orders: Sequence[Order]) -> Resolution:
    """Adjudicate a movement phase."""
    season = Season(board, position, orders)
    given = [season.judged(place) for place in season.of_units]
    judged = resolve_movement(board, rulebook, season.units(), [order for order in given if order is not None])
    fates = iter(judged.outcomes)
    outcomes = {
        place: season.told(place, next(fates)) if order is not None else season.refused(place)
        for place, order in zip(season.of_units, given, strict=True)
    }
    others = tuple(fates)
    units = tuple(unit for unit in judged.units if not is_home(unit.at))
    equipment = Equipment(board, position, units, [*outcomes.values(), *others], season.agreement, orders)
    pieces = [place for place in range(len(orders)) if place not in outcomes]
    outcomes |= dict(equipment.resolve(pieces, season.replaced))
    for place in season.convoys_of_transmitters:
        outcomes[place] = equipment.of_convoy(orders[place], outcomes[place])
    return Resolution(
        outcomes=(
            *(outcomes[place] for place in range(len(orders))),
            *others,
            *equipment.unordered(),
        ),
        units=units,
        dislodged=judged.dislodged,
        contested=judged.contested,
        extra=equipment.state_after().to_json(),
        events=equipment.events(),
    )


class Season:
    """The orders of a movement phase as the judge is given them, and its outcomes for the orders as they were given."""

    def __init__(self, board: AlienBoard, position: Position, orders: Sequence[Order]) -> None:
        self._board = board
        self._position = position
        self._orders: Sequence[Any] = orders
        pieces = (*position.units, *State.of(position).transmitters)
        counted, self.replaced = counted_orders(orders, pieces)
        self.agreement = agree(board, position, orders, counted)
        self.of_units = [place for place, order in enumerate(orders) if not _is_for_transmitter(order)]
        self._seas = fleets_at_sea(board, position.units)

    @property
    def convoys_of_transmitters(self) -> list[int]:
        """Orders of fleets that carry a transmitter."""
        return [place for place in self.of_units if _carries_transmitter(self._orders[place])]

    def units(self) -> tuple[Unit, ...]:
        """The units on the board, and those of the reserve that come."""
        return (*self._position.units, *(self._orders[place].unit for place in sorted(self.agreement.arrivals)))

    def judged(self, place: int) -> Order | None:
        """The order as the judge is given it; None for an arrival that nobody receives."""
        order = self._orders[place]
        if isinstance(order, Arrive):
            return order if place in self.agreement.arrivals else None
        if place in self.agreement.moves:
            return Transmit(order.unit, order.to, route=order.route if isinstance(order, Relay) else ())
        if isinstance(order, Relay) or _carries_transmitter(order) or self._is_void(order):
            return Hold(order.unit)
        return order  # type: ignore[no-any-return]

    def _is_void(self, order: Any) -> bool:
        """Whether a move could only have gone by transmitter (AL-10)."""
        if type(order) is not Move:
            return False
        board, unit = self._board, order.unit
        if board.may_step(unit.kind, unit.at, order.to):
            return False
        here, target = board.province(unit.at), board.province(order.to)
        return unit.kind is not UnitKind.ARMY or not may_be_convoyed(board, self._seas, here, target)

    def told(self, place: int, outcome: Outcome) -> Outcome:
        """The judge's outcome for what the player ordered."""
        order = self._orders[place]
        if isinstance(outcome.order, Transmit) or outcome.order is order or outcome.facts.why is Why.REPLACED:
            return outcome if isinstance(outcome.order, Transmit) else outcome._replace(order=order)
        if _carries_transmitter(order):
            return outcome._replace(order=order)
        if outcome.result is Result.ILLEGAL:
            return outcome._replace(order=order)
        fault = {"fault": self.agreement.reasons.get(place, NO_AGREEMENT)}
        return outcome._replace(order=order, result=Result.VOID, facts=outcome.facts._replace(why=NOT_SENT, own=fault))

    def refused(self, place: int) -> Outcome:
        """The outcome of an arrival that does not come."""
        order = self._orders[place]
        fault = {"fault": self.agreement.reasons.get(place, LATER_ORDER)}
        return Outcome(order, Result.VOID, None, Facts(NOT_SENT, own=fault))


def _is_for_transmitter(order: Any) -> bool:
    unit: Unit | None = getattr(order, "unit", None)
    return unit is not None and unit.kind is TRANSMITTER


def _carries_transmitter(order: Any) -> bool:
    return isinstance(order, Convoy) and order.convoyed.kind is TRANSMITTER
