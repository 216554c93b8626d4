"""The landing: ships try their places round by round; those with no place left are placed at random (AL-1 to AL-3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gm.board import Board, Location, Power, Province, UnitKind
from gm.chance import Chance
from gm.errors import Ambiguous, IllegalOrder
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.orders import Order
from gm.orders.notation import short, write_unit
from gm.position import Position, Unit
from gm.turn import Event
from gm.variants.the_aliens.orders import NO_NUMBER, Land
from gm.variants.the_aliens.state import TRANSMITTER, AlienBoard, State, alien_board, is_home, ships_of

# What is understood


def understand_list(board: Board, state: State, power: Power, order: Any) -> Land[Unit]:
    """A ship's list: land provinces, no repeats. Raises IllegalOrder, Ambiguous."""
    ships = ships_of(state, power)
    if not isinstance(order, Land):
        raise IllegalOrder(
            "Before the first season there are only ships, and they land.",
            f"Give each its list: {write_unit(ships[0])}: and the places, the best first.",
        )
    number = "1" if order.unit.at == NO_NUMBER and len(ships) == 1 else order.unit.at
    if number == NO_NUMBER:
        raise Ambiguous(f"You have {len(ships)} ships; the line does not say which.", "Write SHIP 1: or SHIP 2: ...")
    ship = next((ship for ship in ships if ship.at == number), None)
    if ship is None:
        have = f"{len(ships)} ships" if len(ships) > 1 else "one ship"
        raise IllegalOrder(f"You have no SHIP {number}; you have {have}.")
    sites = tuple(Location(board.province(site)) for site in order.sites)
    for place, site in enumerate(sites):
        if is_home(site) or not board.may_stand(UnitKind.ARMY, site):
            raise IllegalOrder(f"{short(site)} is no land province.", "Ships land on land.")
        if site in sites[:place]:
            raise IllegalOrder(f"{short(site)} is in the list of SHIP {number} twice.", "Name each place once.")
    return Land(ship, sites)


# Adjudication


@dataclass
class Flight:
    """A ship that is landing."""

    ship: Unit
    wishes: tuple[Province, ...]
    tried: list[Province] = field(default_factory=list)
    bumps: list[dict[str, Any]] = field(default_factory=list)
    drawn: list[Province] = field(default_factory=list)
    site: Province | None = None


Descent = Callable[[AlienBoard, Sequence[Flight], Chance, str], None]
"""How ships land in one edition of the rules: gives each of the flights its place. The last argument is the phase's
code.
"""


def resolve_landing(position: Position, orders: Sequence[Order], chance: Chance, descend: Descent) -> Resolution:
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
        Outcome(Land(f.ship, tuple(map(Location, f.drawn))), Result.SUCCEEDS, None, _facts(f))
        for f in flights
        if f.ship not in lists
    ]
    places = [(flight.ship.power, Location(str(flight.site))) for flight in flights]
    landed = state.with_transmitters(Unit(race, TRANSMITTER, at) for race, at in places)
    return Resolution(
        outcomes=tuple(outcomes),
        units=tuple(Unit(race, UnitKind.ARMY, at) for race, at in places),
        extra=landed.to_json(),
        events=tuple(_drawn(flight) for flight in flights if flight.drawn),
    )


# Down


def descend(board: AlienBoard, flights: Sequence[Flight], chance: Chance, phase: str) -> None:
    """Only ordered choices compete. Ships without a choice, or with none left, wait until all others are down; then
    they land one after another, by race and ship, each in a province drawn from those where it still can (AL-2).
    """
    for number in range(max(len(flight.wishes) for flight in flights)):
        trying = [flight for flight in flights if flight.site is None and number < len(flight.wishes)]
        for flight in trying:
            flight.tried.append(flight.wishes[number])
        _settle(board, trying, flights)
    for flight in flights:
        if flight.site is None:
            flight.site = chance.choose(_free(board, flights), phase, "landing", flight.ship.power, flight.ship.at)
            flight.drawn.append(flight.site)


def descend_by_lot(board: AlienBoard, flights: Sequence[Flight], chance: Chance, phase: str) -> None:
    """As in the first edition: a ship with no choice left continued at once with places drawn at random, and could bump
    others.
    """
    number = 0
    while aloft := [flight for flight in flights if flight.site is None]:
        number += 1
        free = _free(board, flights)
        for flight in aloft:
            flight.tried.append(_next_place(flight, free, chance, phase, number))
        _settle(board, aloft, flights)


def _settle(board: AlienBoard, trying: Sequence[Flight], flights: Sequence[Flight]) -> None:
    """One round: of the flights that try a place, those that are not bumped land."""
    landed = [flight for flight in flights if flight.site is not None]
    bumped = []
    for flight in trying:
        here = flight.tried[-1]
        by = [other for other in trying if other is not flight and _close(board, here, other.tried[-1])]
        held = [other for other in landed if other.site is not None and _close(board, here, other.site)]
        if by or held:
            flight.bumps.append(_bump(here, by, held))
            bumped.append(flight)
    for flight in trying:
        if flight not in bumped:
            flight.site = flight.tried[-1]


def _next_place(flight: Flight, free: Sequence[Province], chance: Chance, phase: str, number: int) -> Province:
    """The next place on the list, or after its end one drawn from the land where the ship could still come down."""
    if number <= len(flight.wishes):
        return flight.wishes[number - 1]
    untried = [p for p in free if p not in flight.tried]
    place = chance.choose(untried or free, phase, "landing", flight.ship.power, flight.ship.at, number)
    flight.drawn.append(place)
    return place


def _free(board: AlienBoard, flights: Sequence[Flight]) -> list[Province]:
    """The land without a ship that has landed in or beside it."""
    sites = [flight.site for flight in flights if flight.site is not None]
    return [place for place in board.lands if not any(_close(board, place, site) for site in sites)]


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


def _bump(here: Province, by: Sequence[Flight], held: Sequence[Flight]) -> dict[str, Any]:
    others = [[str(other.ship), other.tried[-1], other.site is not None] for other in (*held, *by)]
    return {"from": here, "by": others}


def _facts(flight: Flight) -> Facts:
    return Facts(LANDED, own={"at": flight.site, "by_lot": bool(flight.drawn), "bumps": flight.bumps})


def _drawn(flight: Flight) -> Event:
    return Event(DRAWN, {"ship": str(flight.ship), "listed": bool(flight.wishes), "places": list(flight.drawn)})


def _of_order(down: dict[Unit, Flight], lists: dict[Unit, Land[Unit]], order: Any) -> Outcome:
    if not isinstance(order, Land) or order.unit not in down:
        return Outcome(order, Result.ILLEGAL, None, Facts(Why.WRONG_PHASE))
    if lists[order.unit] is not order:
        return Outcome(order, Result.VOID, None, Facts(Why.REPLACED))
    return Outcome(order, Result.SUCCEEDS, None, _facts(down[order.unit]))
