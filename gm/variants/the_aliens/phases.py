"""Spring and Fall (AL-5 to AL-12, AL-14), retreats, and the season's end; and where each kind of phase is adjudicated.

In Spring and Fall units move first, including those that go by transmitter; then transmitters are settled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gm.board import UnitKind
from gm.chance import Chance
from gm.judge import Rulebook
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.judge.retreats import resolve_retreats
from gm.orders import Convoy, Hold, Move, Order
from gm.orders.possible import fleets_at_sea, may_be_convoyed
from gm.position import PhaseKind, Position, Season, Unit
from gm.turn import CENTERS, Victory, elimination
from gm.variants import SeasonEnd, Variant
from gm.variants.standard import count_centers
from gm.variants.the_aliens.landing import Descent, resolve_landing
from gm.variants.the_aliens.orders import Arrive, Relay, Transmit
from gm.variants.the_aliens.state import LANDING, TRANSMITTER, AlienBoard, State, Supply, alien_board, is_home
from gm.variants.the_aliens.transmitters import (
    LATER_ORDER,
    NO_AGREEMENT,
    NOT_SENT,
    Equipment,
    agree,
    counted_orders,
    destroyer,
    destructions,
)
from gm.variants.the_aliens.winter import resolve_winter

# Spring and Fall


@dataclass(frozen=True, slots=True)
class Rules:
    """The points of adjudication on which editions of the rules differ: what each race may have (AL-4), how ships
    without a choice land (AL-2), as which kind of move an arrival is judged (AL-5), and what is reported about
    transmitters.
    """

    supply: Supply
    descend: Descent
    arrival: type[Arrive[Unit]]
    in_vain: bool = True
    """Whether a transmitter has also failed if the unit that it handled did not succeed."""


def resolve_season(rules: Rules, rulebook: Rulebook, position: Position, orders: Sequence[Order]) -> Resolution:
    """Adjudicate a movement phase."""
    board = alien_board()
    season = JudgedSeason(rules, board, position, orders)
    given = [season.judged(place) for place in season.of_units]
    judged = resolve_movement(board, rulebook, season.units(), [order for order in given if order is not None])
    found = iter(judged.outcomes)
    outcomes = {
        place: season.told(place, next(found)) if order is not None else season.refused(place)
        for place, order in zip(season.of_units, given, strict=True)
    }
    others = tuple(found)
    units = tuple(unit for unit in judged.units if not is_home(unit.at))
    fates = [*outcomes.values(), *others]
    equipment = Equipment(rules.supply, position, units, fates, season.agreement, orders)
    pieces = [place for place in range(len(orders)) if place not in outcomes]
    failed = {place for place in season.agreement.handled if rules.in_vain and not outcomes[place].succeeded}
    outcomes |= dict(equipment.resolve(pieces, season.replaced, failed))
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


class JudgedSeason:
    """The orders of a movement phase in the form the judge needs, and its outcomes for the original orders."""

    def __init__(self, rules: Rules, board: AlienBoard, position: Position, orders: Sequence[Order]) -> None:
        self._arrival = rules.arrival
        self._board = board
        self._position = position
        self._orders: Sequence[Any] = orders
        pieces = (*position.units, *State.of(position).transmitters)
        counted, self.replaced = counted_orders(orders, pieces)
        self.agreement = agree(rules.supply, board, position, orders, counted)
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
        """The order in the form the judge needs; None for an arrival without a receiver."""
        order = self._orders[place]
        if isinstance(order, Arrive):
            return self._arrival(order.unit, order.to) if place in self.agreement.arrivals else None
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
        """The outcome for the player's order, from the judge's."""
        order = self._orders[place]
        if isinstance(outcome.order, Transmit) or outcome.order is order or outcome.facts.why is Why.REPLACED:
            return outcome if isinstance(outcome.order, Transmit) else outcome._replace(order=order)
        if _carries_transmitter(order) or isinstance(order, Arrive) or outcome.result is Result.ILLEGAL:
            return outcome._replace(order=order)
        fault = {"fault": self.agreement.reasons.get(place, NO_AGREEMENT)}
        return outcome._replace(order=order, result=Result.VOID, facts=outcome.facts._replace(why=NOT_SENT, own=fault))

    def refused(self, place: int) -> Outcome:
        """The outcome of an arrival that does not take place."""
        order = self._orders[place]
        fault = {"fault": self.agreement.reasons.get(place, LATER_ORDER)}
        return Outcome(order, Result.VOID, None, Facts(NOT_SENT, own=fault))


def _is_for_transmitter(order: Any) -> bool:
    unit: Unit | None = getattr(order, "unit", None)
    return unit is not None and unit.kind is TRANSMITTER


def _carries_transmitter(order: Any) -> bool:
    return isinstance(order, Convoy) and order.convoyed.kind is TRANSMITTER


# Every phase


def resolve(rules: Rules, game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The adjudicated phase."""
    if position.phase.kind is LANDING:
        return resolve_landing(position, orders, chance, rules.descend)
    match position.phase.kind:
        case PhaseKind.ADJUSTMENT:
            return resolve_winter(rules.supply, alien_board(), position, orders)
        case PhaseKind.RETREAT:
            return _resolve_retreats(position, orders)
    return resolve_season(rules, game.rulebook, position, orders)


def _resolve_retreats(position: Position, orders: Sequence[Order]) -> Resolution:
    """Adjudicate retreats; then units destroy other races' transmitters in their spaces (AL-9)."""
    board, state = alien_board(), State.of(position)
    resolution = resolve_retreats(board, position, orders)
    holder = {board.province(unit.at): unit for unit in resolution.units}
    ends = [(piece, destroyer(board, holder, state.spared, piece)) for piece in state.transmitters]
    left = state.with_transmitters(piece for piece, by in ends if by is None)
    events = destructions((piece, by) for piece, by in ends if by is not None)
    return resolution._replace(extra=left.to_json(), events=events)


def end_of_season(game: Variant, position: Position, chance: Chance) -> SeasonEnd:
    """After Fall armies and fleets take the centres they are in; a race with neither unit nor centre is eliminated."""
    del game, chance
    if position.phase.season is not Season.FALL:
        return SeasonEnd(position)
    end, state = count_centers(alien_board(), position), State.of(position)
    after = replace(end.position, extra=replace(state, waiting=None).to_json())
    out = tuple(
        race
        for race in state.races
        if not (after.units_of(race) or after.centers_of(race))
        and (position.centers_of(race) or state.transmitters_of(race))
    )
    return replace(end, position=after, events=elimination(out))


def victory(position: Position) -> Victory | None:
    """Nineteen centres after a Fall (AL-15)."""
    for race in State.of(position).races:
        owned = len(position.centers_of(race))
        if owned >= CENTERS_TO_WIN:
            return Victory((race,), CENTERS, {"owned": owned})
    return None


CENTERS_TO_WIN = 19
