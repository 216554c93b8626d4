"""The landing (AL-1 to AL-3), Spring and Fall (AL-5 to AL-12, AL-14), retreats, and the season's end; and where each
kind of phase is adjudicated.

In Spring and Fall units move first, including those that go by transmitter; then transmitters are settled. Ships that
land try their places round by round; those with no place left are placed at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gm.board import Board, Location, Power, Province, UnitKind
from gm.chance import Chance
from gm.errors import Ambiguous
from gm.judge import Rulebook
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.judge.retreats_and_adjustments import resolve_retreats
from gm.orders import Convoy, Hold, Move, Order, unit_of
from gm.orders.possible import fleets_at_sea, may_be_convoyed
from gm.position import PhaseKind, Position, Season, Unit
from gm.turn import Event, elimination
from gm.variants import SeasonEnd, Variant
from gm.variants.standard import count_centers
from gm.variants.the_aliens.language import NO_NUMBER
from gm.variants.the_aliens.orders import Arrive, Land, Relay, Transmit
from gm.variants.the_aliens.state import LANDING, SAYS, TRANSMITTER, AlienBoard, State, alien_board, is_home, ships_of
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

# What is understood


def understand_list(board: Board, state: State, power: Power, order: Any) -> Land[Unit]:
    """A ship's list: land provinces, no repeats. Raises IllegalOrder, Ambiguous."""
    ships = ships_of(state, power)
    if not isinstance(order, Land):
        raise SAYS.refusal("only ships", ship=ships[0])
    number = "1" if order.unit.at == NO_NUMBER and len(ships) == 1 else order.unit.at
    if number == NO_NUMBER:
        raise SAYS.refusal("which ship", Ambiguous, number=len(ships))
    ship = next((ship for ship in ships if ship.at == number), None)
    if ship is None:
        raise SAYS.refusal("no ship", at=number, number=len(ships) if len(ships) > 1 else "one", several=len(ships) > 1)
    sites = tuple(Location(board.province(site)) for site in order.sites)
    for place, site in enumerate(sites):
        if is_home(site) or not board.may_stand(UnitKind.ARMY, site):
            raise SAYS.refusal("no land", site=site)
        if site in sites[:place]:
            raise SAYS.refusal("twice", site=site, ship=ship)
    return Land(ship, sites)


# Adjudication


@dataclass
class Flight:
    """A ship that is landing."""

    ship: Unit
    wishes: tuple[Province, ...]
    goal: Province = field(init=False)
    bumps: list[dict[str, Any]] = field(default_factory=list)
    by_lot: bool = False
    site: Province | None = None


def resolve_landing(position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """Land every ship. Each then puts one army and one transmitter ashore and is removed (AL-3)."""
    board, state = alien_board(), State.of(position)
    lists = {order.unit: order for order in orders if isinstance(order, Land)}
    flights = [
        Flight(ship, tuple(map(board.province, lists[ship].sites)) if ship in lists else ())
        for race in state.races
        for ship in ships_of(state, race)
    ]
    descend(board, flights, chance, position.phase.code)
    down = {flight.ship: flight for flight in flights}
    outcomes = [_of_order(down, lists, order) for order in orders]
    outcomes += [
        Outcome(Land(f.ship, (Location(str(f.site)),)), Result.SUCCEEDS, None, _facts(f))
        for f in flights
        if f.ship not in lists
    ]
    places = [(flight.ship.power, Location(str(flight.site))) for flight in flights]
    landed = state.with_transmitters(Unit(race, TRANSMITTER, at) for race, at in places)
    return Resolution(
        outcomes=tuple(outcomes),
        units=tuple(Unit(race, UnitKind.ARMY, at) for race, at in places),
        extra=landed.to_json(),
        events=tuple(
            Event(DRAWN, {"ship": str(one.ship), "listed": bool(one.wishes), "places": [one.site]})
            for one in flights
            if one.by_lot
        ),
    )


# Down


def descend(board: AlienBoard, flights: Sequence[Flight], chance: Chance, phase: str) -> None:
    """Only ordered choices compete. Ships without a choice, or with none left, wait until all others are down; then
    they land one after another, by race and ship, each in a province drawn from those where it still can (AL-2).
    """
    for number in range(max(len(flight.wishes) for flight in flights)):
        trying = [flight for flight in flights if flight.site is None and number < len(flight.wishes)]
        for flight in trying:
            flight.goal = flight.wishes[number]
        _settle(board, trying, flights)
    for flight in flights:
        if flight.site is None:
            taken = _taken(board, flights)
            flight.site = chance.choose_but(board.lands, taken, phase, "landing", flight.ship.power, flight.ship.at)
            flight.by_lot = True


def _settle(board: AlienBoard, trying: Sequence[Flight], flights: Sequence[Flight]) -> None:
    """One round: of the flights that try a place, those that are not bumped land."""
    landed = [flight for flight in flights if flight.site is not None]
    bumped = []
    for flight in trying:
        here = flight.goal
        by = [other for other in trying if other is not flight and _close(board, here, other.goal)]
        held = [other for other in landed if other.site is not None and _close(board, here, other.site)]
        if by or held:
            others = [[str(one.ship), one.goal, one.site is not None] for one in (*held, *by)]
            flight.bumps.append({"from": here, "by": others})
            bumped.append(flight)
    for flight in trying:
        if flight not in bumped:
            flight.site = flight.goal


def _taken(board: AlienBoard, flights: Sequence[Flight]) -> set[Province]:
    """The land in or beside which a ship has landed."""
    sites = [flight.site for flight in flights if flight.site is not None]
    return {place for place in board.lands if any(_close(board, place, site) for site in sites)}


def _close(board: Board, one: Province, other: Province) -> bool:
    """Whether two places are the same, or an army could move between them."""
    return one == other or board.may_step(UnitKind.ARMY, Location(one), Location(other))


# Facts

LANDED = "landed"
"""The reason of a ship's list: it landed `at` a place, `by_lot` or not, after its `bumps`: for each, the place and the
ships that bumped it, with the place of each and whether it was down already.
"""

DRAWN = "landing drawn"
"""The event that a `ship` whose list had come to its end (`listed`), or that had none, tried `places` drawn at
random.
"""


def _facts(flight: Flight) -> Facts:
    return Facts(LANDED, own={"at": flight.site, "by_lot": flight.by_lot, "bumps": flight.bumps})


def _of_order(down: dict[Unit, Flight], lists: dict[Unit, Land[Unit]], order: Any) -> Outcome:
    if not isinstance(order, Land) or order.unit not in down:
        return Outcome(order, Result.ILLEGAL, None, Facts(Why.WRONG_PHASE))
    if lists[order.unit] is not order:
        return Outcome(order, Result.VOID, None, Facts(Why.REPLACED))
    return Outcome(order, Result.SUCCEEDS, None, _facts(down[order.unit]))


# Spring and Fall


def resolve_season(rulebook: Rulebook, position: Position, orders: Sequence[Order]) -> Resolution:
    """Adjudicate a movement phase."""
    board = alien_board()
    season = JudgedSeason(board, position, orders)
    given = [season.judged(place) for place in season.of_units]
    judged = resolve_movement(board, rulebook, season.units(), [order for order in given if order is not None])
    found = iter(judged.outcomes)
    outcomes = {
        place: season.outcome_of(place, next(found)) if order is not None else season.refused(place)
        for place, order in zip(season.of_units, given, strict=True)
    }
    others = tuple(found)
    units = tuple(unit for unit in judged.units if not is_home(unit.at))
    fates = [*outcomes.values(), *others]
    equipment = Equipment(position, units, fates, judged.contested, season.agreement, orders)
    pieces = [place for place in range(len(orders)) if place not in outcomes]
    failed = {place for place in season.agreement.moves | season.agreement.arrivals if not outcomes[place].succeeded}
    outcomes |= dict(equipment.resolve(pieces, season.replaced, failed))
    for place in filter(lambda place: _carries_transmitter(orders[place]), season.of_units):
        outcomes[place] = equipment.of_convoy(orders[place], outcomes[place])
    return Resolution(
        outcomes=(*(outcomes[place] for place in range(len(orders))), *others, *equipment.unordered()),
        units=units,
        dislodged=judged.dislodged,
        contested=judged.contested,
        extra=equipment.state_after().to_json(),
        events=equipment.events(),
    )


class JudgedSeason:
    """The orders of a movement phase in the form the judge needs, and its outcomes for the original orders."""

    def __init__(self, board: AlienBoard, position: Position, orders: Sequence[Order]) -> None:
        self._board = board
        self._position = position
        self._orders: Sequence[Any] = orders
        pieces = (*position.units, *State.of(position).transmitters)
        counted, self.replaced = counted_orders(orders, pieces)
        self.agreement = agree(board, position, orders, counted)
        units = map(unit_of, orders)
        self.of_units = [place for place, unit in enumerate(units) if unit is None or unit.kind is not TRANSMITTER]
        self._seas = fleets_at_sea(board, position.units)

    def units(self) -> tuple[Unit, ...]:
        """The units on the board, and those of the reserve that come."""
        return (*self._position.units, *(self._orders[place].unit for place in sorted(self.agreement.arrivals)))

    def judged(self, place: int) -> Order | None:
        """The order in the form the judge needs; None for an arrival without a receiver."""
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

    def outcome_of(self, place: int, outcome: Outcome) -> Outcome:
        """The outcome for the player's order, from the judge's."""
        order = self._orders[place]
        if isinstance(outcome.order, Transmit) or outcome.order is order or outcome.facts.why is Why.REPLACED:
            return outcome if isinstance(outcome.order, Transmit) else outcome._replace(order=order)
        if _carries_transmitter(order) or isinstance(order, Arrive) or outcome.result is Result.ILLEGAL:
            return outcome._replace(order=order)
        lacking = self.agreement.lacking.get(place, [])
        fault = {"fault": self.agreement.reasons.get(place, NO_AGREEMENT), "lacking": lacking}
        return outcome._replace(order=order, result=Result.VOID, facts=outcome.facts._replace(why=NOT_SENT, own=fault))

    def refused(self, place: int) -> Outcome:
        """The outcome of an arrival that does not take place."""
        order = self._orders[place]
        fault = {"fault": self.agreement.reasons.get(place, LATER_ORDER)}
        return Outcome(order, Result.VOID, None, Facts(NOT_SENT, own=fault))


def _carries_transmitter(order: Any) -> bool:
    return isinstance(order, Convoy) and order.convoyed.kind is TRANSMITTER


# Every phase


def resolve(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The adjudicated phase."""
    if position.phase.kind is LANDING:
        return resolve_landing(position, orders, chance)
    match position.phase.kind:
        case PhaseKind.ADJUSTMENT:
            return resolve_winter(alien_board(), position, orders)
        case PhaseKind.RETREAT:
            return _resolve_retreats(position, orders)
    return resolve_season(game.rulebook, position, orders)


def _resolve_retreats(position: Position, orders: Sequence[Order]) -> Resolution:
    """Adjudicate retreats; then units destroy other races' transmitters in their spaces (AL-9)."""
    board, state = alien_board(), State.of(position)
    resolution = resolve_retreats(board, position, orders)
    holder = {board.province(unit.at): unit for unit in resolution.units}
    ends = [(piece, destroyer(board, holder, state.spared, piece)) for piece in state.transmitters]
    left = state.with_transmitters(piece for piece, by in ends if by is None)
    events = destructions((piece, by) for piece, by in ends if by is not None)
    return resolution._replace(extra=left.to_json(), events=events)


def end_of_season(_game: Variant, position: Position, _chance: Chance) -> SeasonEnd:
    """After Fall armies and fleets take the centres they are in; a race with neither unit nor centre is eliminated."""
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
