"""What is open to the units of Quantum Space: 3001: orders of note, hints for the form, cautions for the receipt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.board import FiniteBoard, Power, UnitKind
from gm.board.quantum import QuantumBoard
from gm.orders import Convoy, Disband, Order, Support, possible
from gm.orders.needs import NOTHING, Need
from gm.orders.notation import short, write, write_unit
from gm.position import PhaseKind, Position, Unit
from gm.variants.quantum_space.army_fleets import Embark, Land, landing_places, may_embark, orbit_above, unit_at
from gm.variants.quantum_space.planets import ARMY_FLEET, board_of


def legal_orders(board: FiniteBoard, position: Position, unit: Unit, need: Need = NOTHING) -> tuple[Order, ...]:
    """Every order of note the unit can be given, each once, in a fixed order; builds excepted."""
    space = board_of(position)
    if position.phase.kind is PhaseKind.ADJUSTMENT and unit.kind is ARMY_FLEET:
        return (Disband(Unit(unit.power, UnitKind.ARMY, unit.at)),) if need.count < 0 else ()
    found = possible.legal_orders(board, position, unit, need)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return found
    return (*found, *_own_orders(space, position, unit))


def _own_orders(board: QuantumBoard, position: Position, unit: Unit) -> Iterator[Order]:
    if unit.kind is UnitKind.ARMY:
        fleet = unit_at(board, position, orbit_above(unit.at))
        if fleet is not None and may_embark(Embark(unit, fleet)):
            yield Embark(unit, fleet)
    reached = set(board.neighbours(unit.kind, unit.at))
    for ship in position.units:
        if ship.kind is ARMY_FLEET and ship != unit:
            army = Unit(ship.power, UnitKind.ARMY, ship.at)
            for to in landing_places(ship.at):
                if to in reached and to != unit.at:
                    yield Support(unit, army, to)


def landings(board: QuantumBoard, ship: Unit) -> tuple[Order, ...]:
    """The landings open to the army aboard, wherever its fleet is ordered to."""
    army = Unit(ship.power, UnitKind.ARMY, ship.at)
    places = [to for stand in (ship.at, *board.neighbours(ship.kind, ship.at)) for to in landing_places(stand)]
    return tuple(Land(army, to) for to in dict.fromkeys(places))


def hints(position: Position, power: Power) -> tuple[str, ...]:
    """For the form: what the power's units could do that is no order of the standard game."""
    board = board_of(position)
    said = []
    for unit in position.units_of(power):
        fleet = unit_at(board, position, orbit_above(unit.at)) if unit.kind is UnitKind.ARMY else None
        if fleet is not None and may_embark(Embark(unit, fleet)):
            said.append(f"{write_unit(unit)} BOARDS {write_unit(fleet)}")
        elif unit.kind is ARMY_FLEET and (places := landing_places(unit.at)):
            said.append(f"A {short(unit.at)} LANDS {short(places[0])}")
    return (f"Also: {', '.join(said[:3])}.",) if said else ()


def cautions(position: Position, power: Power, given: Sequence[Order]) -> tuple[str, ...]:
    """Landings for which nobody is aboard, and convoys by a fleet that is boarded: they can only fail."""
    del power
    boarded = {order.fleet for order in given if isinstance(order, Embark)}
    ships = {unit.at for unit in position.units if unit.kind is ARMY_FLEET} | {unit.at for unit in boarded}
    said = []
    for order in given:
        if isinstance(order, Land) and order.unit.at not in ships:
            fleet = f"F {short(order.unit.at)}"
            said.append(f"{write(order)} needs an army aboard: order one to board, A ... BOARDS {fleet}.")
        if isinstance(order, Convoy) and order.unit in boarded:
            said.append(f"{write_unit(order.unit)} cannot convoy when an army has boarded it (QS-13b).")
    return tuple(said)
