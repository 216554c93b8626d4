"""What a piece of this game can be ordered to do: for random play and for drawing orders.

Whether others agree is not asked: a unit beside a transmitter can be ordered to any other one.
"""

from __future__ import annotations

from collections.abc import Iterator

from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.orders import Disband, Hold, Move, Order, possible
from gm.orders.needs import Need
from gm.orders.routes import fleets_at_sea, may_be_convoyed
from gm.position import PhaseKind, Position, Unit
from gm.variants.the_aliens.board import SHIP, TRANSMITTER, alien_board, home_of, is_home
from gm.variants.the_aliens.orders import Arrive, Bring, Land, Receive, Send
from gm.variants.the_aliens.removals import leaving, surplus_transmitters
from gm.variants.the_aliens.state import State, kinds_to_come, province_of, transmitters_to_come, units_to_come


def legal_orders(board: FiniteBoard, position: Position, unit: Unit, need: Need) -> tuple[Order, ...]:
    """Every order the piece can be given in this phase; for a ship, every list of one place."""
    if unit.kind is SHIP:
        return tuple(Land(unit, (Location(place),)) for place in alien_board().lands)
    state = State.of(position)
    match position.phase.kind:
        case PhaseKind.ADJUSTMENT:
            return tuple(_in_winter(board, position, unit))
        case PhaseKind.RETREAT:
            return () if unit.kind is TRANSMITTER else possible.legal_orders(board, position, unit, need)
    if is_home(unit.at):
        targets = dict.fromkeys(piece.at for piece in state.transmitters_of(unit.power))
        return tuple(Arrive(unit, at) for target in targets for at in _exits(board, unit, target))
    if unit.kind is TRANSMITTER:
        return tuple(_of_transmitter(board, position, state, unit))
    plain = possible.legal_orders(board, position, unit, need)
    return (*plain, *_by_transmitter(board, state, unit, plain))


def _by_transmitter(board: FiniteBoard, state: State, unit: Unit, plain: tuple[Order, ...]) -> Iterator[Order]:
    here = Location(board.province(unit.at))
    if not state.holds_transmitter(board.province(unit.at)):
        return
    for target in dict.fromkeys(piece.at for piece in state.transmitters):
        if target != here:
            yield from (o for at in _exits(board, unit, target) if (o := Move(unit, at)) not in plain)


def _exits(board: FiniteBoard, unit: Unit, target: Location) -> tuple[Location, ...]:
    """Where exactly the unit can come out of a transmitter."""
    return board.coasts(board.province(target)) if unit.kind is UnitKind.FLEET else (target,)


def _of_transmitter(board: FiniteBoard, position: Position, state: State, piece: Unit) -> Iterator[Order]:
    yield Hold(piece)
    seas = fleets_at_sea(board, position.units)
    near = board.neighbours(piece.kind, piece.at)
    yield from (Move(piece, at) for at in near)
    for place in alien_board().lands if seas else ():
        to = Location(place)
        if to not in (piece.at, *near) and may_be_convoyed(board, seas, province_of(piece), place):
            yield Move(piece, to)
    for other in dict.fromkeys(p.at for p in state.transmitters if p.at != piece.at):
        yield Send(piece, other)
        yield Receive(piece, other)
    if units_to_come(position, piece.power) > 0:
        yield Receive(piece, home_of(piece.power))
    if transmitters_to_come(position, piece.power) > 0:
        yield Bring(piece, piece)


def _in_winter(board: FiniteBoard, position: Position, unit: Unit) -> Iterator[Order]:
    """Removals, and for a transmitter arrivals."""
    if unit.kind is not TRANSMITTER:
        if unit in leaving(board, position, unit.power).all:
            yield Disband(unit)
        return
    power: Power = unit.power
    if surplus_transmitters(position, power):
        yield Disband(unit)
    if transmitters_to_come(position, power) > 0:
        yield Bring(unit, unit)
    if units_to_come(position, power) > 0 and all(board.province(u.at) != province_of(unit) for u in position.units):
        for kind in kinds_to_come(position):
            exits = board.coasts(board.province(unit.at)) if kind is UnitKind.FLEET else (unit.at,)
            yield from (Bring(unit, Unit(power, kind, at)) for at in exits)
