"""The orders that only this game has, its dialect, who must order what, and what each piece can be ordered to do.

SHIP 1: PAR, BRE, SPA     where a ship may come down, in the order of wishes
T KIE (S) GRE             the transmitter sends the unit in its space to the one in Greece
T GRE (R) KIE             it receives what is sent from Kiel; (R) HOME: a unit of the reserve
T SPA (R) F SPA(sc)       in Winter: a unit arrives; in any season: T SPA (R) T, a new transmitter
A HOME-SPA                a unit of the reserve arrives, in Spring and Fall
A MUN-KIE-GRE             with the option `relay`: to a transmitter and on by it

In what can be ordered it is not asked whether others agree: a unit beside a transmitter can be ordered to any other
one, and its neighbours can support it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic

from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.orders import Disband, Hold, Move, Order, Support, U, Waive, order_sets, possible
from gm.orders.notation import Pen, Spelt, Wishes
from gm.orders.possible import NOTHING, Duty, Need, fleets_at_sea, may_be_convoyed
from gm.position import PhaseKind, Position, Unit
from gm.variants import Variant
from gm.variants.standard import STANDARD
from gm.variants.the_aliens import supply
from gm.variants.the_aliens.state import (
    LANDING,
    SHIP,
    TRANSMITTER,
    State,
    alien_board,
    home_of,
    is_home,
    province_of,
    ships_of,
)


@dataclass(frozen=True)
class Land(Wishes, Hold[U], Generic[U]):
    """A ship's landing places, favourite first."""

    brief = full = "{unit}: {sites}"

    sites: tuple[Location, ...]


@dataclass(frozen=True)
class Send(Spelt, Hold[U], Generic[U]):
    """The transmitter sends the unit in its space to `to`."""

    effect = "it sends what was to go"
    brief, full = "{unit} (S) {to}", "{unit} SENDS TO {to}"

    to: Location


@dataclass(frozen=True)
class Receive(Spelt, Hold[U], Generic[U]):
    """The transmitter receives the unit sent from `origin`."""

    effect = "it receives what was to come"
    brief, full = "{unit} (R) {origin}", "{unit} RECEIVES FROM {origin}"

    origin: Location


@dataclass(frozen=True)
class Bring(Spelt, Hold[U], Generic[U]):
    """The transmitter brings in a unit from home (in Winter) or a new transmitter (in any season)."""

    effect = "it arrives"

    arriving: U

    def spell(self, pen: Pen) -> str:
        new = pen.verb("T", "a new Transmitter") if self.arriving.kind is TRANSMITTER else pen.unit(self.arriving)
        return f"{pen.unit(self.unit)} {pen.verb('(R)', 'RECEIVES')} {new}"


@dataclass(frozen=True)
class Reserve(Spelt, Waive[U], Generic[U]):
    """WAIVE in Winter: nothing more arrives; the rest stays in reserve."""

    effect = "the rest stays in reserve"
    brief, full = "Waive", "Nothing more arrives"


@dataclass(frozen=True)
class Arrive(Move[U], Generic[U]):
    """A unit of the reserve arrives in a vacant space with a transmitter of its own race (AL-5)."""

    crosses_border = False
    only_if_vacant = True


@dataclass(frozen=True)
class Relay(Move[U], Generic[U]):
    """A move to the adjacent transmitter in `route`, and on from there (AL-14)."""

    crosses_border = False


@dataclass(frozen=True)
class Transmit(Spelt, Move[U], Generic[U]):
    """A move on which the unit and both transmitters agree: the form for the judge and for outcomes (AL-10). It meets
    no unit head to head, and its origin stays open to retreats (AL-12).
    """

    crosses_border = False

    def spell(self, pen: Pen) -> str:
        stops = "".join(f"{pen.verb('-', ' -> ')}{pen.place(at)}" for at in (*self.route, self.to))
        return f"{pen.unit(self.unit)}{stops} (by transmitter)"


# What can be ordered


def legal_orders(
    board: FiniteBoard, position: Position, unit: Unit, need: Need, *, relays: bool = False
) -> tuple[Order, ...]:
    """Every order that can be given to the piece in this phase; for a ship, every list of one place. `relays`: whether
    AL-14 applies.
    """
    if unit.kind is SHIP:
        return tuple(Land(unit, (Location(place),)) for place in alien_board().lands)
    state = State.of(position)
    match position.phase.kind:
        case PhaseKind.ADJUSTMENT:
            return tuple(_in_winter(board, position, unit))
        case PhaseKind.RETREAT:
            return () if unit.kind is TRANSMITTER else possible.legal_orders(board, position, unit, need)
    if is_home(unit.at):
        return tuple(_by_transmitter(board, position, unit, relays=relays))
    if unit.kind is TRANSMITTER:
        return tuple(_of_transmitter(board, position, state, unit))
    plain = possible.legal_orders(board, position, unit, need)
    supports = _supports(board, position, unit, relays=relays)
    alone = [piece for piece in state.transmitters if len(set(state.transmitters_in(province_of(piece)))) == 1]
    convoys = possible.convoys(board, position, alone, unit)  # of two races' in one space it would not be clear whose
    by_transmitter = _by_transmitter(board, position, unit, relays=relays)
    return tuple(dict.fromkeys((*plain, *by_transmitter, *supports, *convoys)))


def _by_transmitter(
    board: FiniteBoard, position: Position, unit: Unit, *, relays: bool
) -> Iterator[Arrive[Unit] | Move[Unit]]:
    """Where transmitters could bring the unit, if others agree."""
    state = State.of(position)
    if is_home(unit.at):
        targets = dict.fromkeys(piece.at for piece in state.transmitters_of(unit.power))
        yield from (Arrive(unit, at) for target in targets for at in _exits(board, unit, target))
        return
    here = Location(board.province(unit.at))
    if state.transmitters_in(board.province(unit.at)):
        targets = dict.fromkeys(piece.at for piece in state.transmitters if piece.at != here)
        yield from (Move(unit, at) for target in targets for at in _exits(board, unit, target))
    if relays:
        yield from _relays(board, position, state, unit)


def _supports(board: FiniteBoard, position: Position, unit: Unit, *, relays: bool) -> Iterator[Order]:
    """Of what transmitters could bring into a space that the unit borders (AL-10)."""
    here = board.province(unit.at)
    into = {board.province(at) for at in board.neighbours(unit.kind, unit.at)} - {here}
    for other in (*position.units, *_reserves(position)):
        for order in _by_transmitter(board, position, other, relays=relays) if other != unit else ():
            if board.province(order.to) in into:
                yield Support(unit, other, order.to)


def _relays(board: FiniteBoard, position: Position, state: State, unit: Unit) -> Iterator[Relay[Unit]]:
    """Over a space with a transmitter and no unit (AL-14)."""
    here, occupied = board.province(unit.at), {board.province(other.at) for other in position.units}
    places = dict.fromkeys(board.province(piece.at) for piece in state.transmitters)
    stops = [stop for stop in places if stop not in occupied and possible.reaches(board, unit, stop)]
    for stop, target in product(stops, places):
        if target not in (here, stop):
            yield from (Relay(unit, at, route=(Location(stop),)) for at in _exits(board, unit, Location(target)))


def _exits(board: FiniteBoard, unit: Unit, target: Location) -> tuple[Location, ...]:
    """The exact places where the unit can leave a transmitter."""
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
    if supply.units_to_come(position, piece.power) > 0:
        yield Receive(piece, home_of(piece.power))
    if supply.transmitters_to_come(position, piece.power) > 0:
        yield Bring(piece, piece)


def _in_winter(board: FiniteBoard, position: Position, unit: Unit) -> Iterator[Order]:
    """Removals, and for a transmitter arrivals."""
    if unit.kind is not TRANSMITTER:
        if unit in supply.leaving(board, position, unit.power).all:
            yield Disband(unit)
        return
    power: Power = unit.power
    if supply.surplus_transmitters(position, power):
        yield Disband(unit)
    if supply.transmitters_to_come(position, power) > 0 and supply.may_be_vacant(position, unit.at, power):
        yield Bring(unit, unit)
    if supply.units_to_come(position, power) > 0 and supply.may_be_vacant(position, unit.at):
        for kind in supply.kinds_to_come(position):
            exits = board.coasts(board.province(unit.at)) if kind is UnitKind.FLEET else (unit.at,)
            yield from (Bring(unit, Unit(power, kind, at)) for at in exits)


# Who must order what


def needs(_board: FiniteBoard, position: Position, power: Power) -> Need:
    """Removals, of units and transmitters together. Arrivals are an offer, never a need: all are `beyond` it."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return NOTHING
    units, pieces = supply.units_to_come(position, power), supply.transmitters_to_come(position, power)
    beyond = max(0, units) + max(0, pieces)
    return Need(min(0, units) + min(0, pieces), pieces=(TRANSMITTER,) * max(0, -pieces), beyond=beyond)


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """Lists for ships; an order for each unit and transmitter; removals; possible arrivals."""
    state = State.of(position)
    if position.phase.kind is LANDING:
        return Duty(ships_of(state, power), things="landing lists")
    match position.phase.kind:
        case PhaseKind.RETREAT:
            return STANDARD.duty(game, position, power)
        case PhaseKind.ADJUSTMENT:
            need = game.needs(game.board(position), position, power)
            offer = _may_receive(position, state, power)
            things = "removals and arrivals" if need.count and offer else "arrivals" if offer else "removals"
            return Duty(need=need, offer=offer, things=things) if need.count or offer else None
    units = (*position.units_of(power), *state.transmitters_of(power))
    return Duty.of(units)


def offered(game: Variant, position: Position, power: Power) -> tuple[tuple[Order, ...], ...]:
    """In Winter: what each transmitter may bring in."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return ()
    board, pieces_there = game.board(position), State.of(position).transmitters_of(power)
    return tuple(legal_orders(board, position, piece, NOTHING) for piece in pieces_there)


def _may_receive(position: Position, state: State, power: Power) -> bool:
    pieces = state.transmitters_of(power)
    if supply.surplus_transmitters(position, power) == len(pieces):
        return False  # removals come before arrivals (AL-5)
    free = supply.may_be_vacant
    units = supply.units_to_come(position, power) > 0 and any(free(position, piece.at) for piece in pieces)
    new = supply.transmitters_to_come(position, power) > 0 and any(free(position, p.at, power) for p in pieces)
    return units or new


def pieces(position: Position) -> tuple[Unit, ...]:
    """Units, transmitters and reserves: everything that can be ordered."""
    return (*position.every_unit, *State.of(position).transmitters, *_reserves(position))


def _reserves(position: Position) -> Iterator[Unit]:
    for race in State.of(position).races:
        for kind in supply.kinds_to_come(position):
            yield from [Unit(race, kind, home_of(race))] * supply.units_to_come(position, race)


def merge(position: Position, earlier: Sequence[Order], later: Sequence[Order]) -> tuple[Order, ...]:
    """By piece; Winter's orders as a whole (ST-7). A mail that orders reserves replaces all earlier lines for these."""
    kept = order_sets.unless_ordered_anew(earlier, later, lambda unit: is_home(unit.at))
    return order_sets.merge(position.phase.kind, kept, later, pieces(position))
