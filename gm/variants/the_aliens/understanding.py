"""Orders as understood: what standard orders mean to transmitters, reserves and ships, and which can never succeed.

What agreement between players could make succeed is accepted (AL-10). Everything else is left to the standard rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gm.board import Board, FiniteBoard, Location, Power, Province, UnitKind
from gm.errors import Ambiguous, IllegalOrder
from gm.orders import (
    Convoy,
    Declaration,
    Move,
    Order,
    Retreat,
    Support,
    UnitName,
    WrittenOrder,
    legality,
)
from gm.orders.notation import short, write_unit
from gm.orders.possible import Need, fleets_at_sea, may_help, reaches
from gm.position import PhaseKind, Position, Unit
from gm.variants.the_aliens import supply, winter
from gm.variants.the_aliens.orders import Arrive, Bring, Land, Receive, Relay, Send
from gm.variants.the_aliens.passing import order_of_transmitter
from gm.variants.the_aliens.phases import understand_list
from gm.variants.the_aliens.state import (
    LANDING,
    TRANSMITTER,
    State,
    coast_for_fleet,
    home_of,
    is_home,
    province_of,
)


def understand(
    board: FiniteBoard,
    position: Position,
    power: Power,
    written: WrittenOrder,
    need: Need,
    *,
    relays: bool = False,
) -> Order:
    """The order as the race means it. `relays`: whether AL-14 applies. Raises IllegalOrder, Ambiguous."""
    state = State.of(position)
    order: Any = written
    if position.phase.kind is LANDING:
        return understand_list(board, state, power, order)
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return winter.understand(board, position, power, order)
    if isinstance(order, Declaration):
        return legality.understand(board, position, power, order, need)
    if position.phase.kind is PhaseKind.RETREAT:
        return _in_retreat(board, position, power, order, need)
    if isinstance(order, Land):
        raise IllegalOrder("Ships land before the first season only.", "Order your units and transmitters.")
    if is_home(order.unit.at):
        return _arrival(board, position, state, power, order)
    piece = _own_transmitter(board, position, state, power, order.unit)
    if piece is not None:
        return order_of_transmitter(board, position, state, piece, order, relays=relays)
    return _of_unit(board, position, state, power, order, relays)


# Units


def _of_unit(board: FiniteBoard, position: Position, state: State, power: Power, order: Any, relays: bool) -> Order:
    match order:
        case Send() | Receive() | Bring():
            raise IllegalOrder(
                f"{short(order.unit.at)} holds no transmitter of yours; only transmitters send and receive.",
                _yours(state, power),
            )
        case Convoy() if _means_transmitter(board, position, state, order.convoyed):
            return _convoy(board, position, state, power, order)
        case Support() if order.supported.kind is TRANSMITTER:
            raise IllegalOrder("A transmitter cannot be supported.", "Support a unit.")
        case Support() if is_home(order.supported.at):
            return _support_of_arrival(board, position, state, power, order)
        case Move() if order.route and _is_relay(board, order.route):
            return _relay(board, position, state, power, order, relays)
    try:
        return legality.understand(board, position, power, order)
    except IllegalOrder:
        by_transmitter = _by_transmitter(board, position, state, power, order, relays)
        if by_transmitter is None:
            raise
        return by_transmitter


def _by_transmitter(
    board: FiniteBoard, position: Position, state: State, power: Power, order: Any, relays: bool
) -> Order | None:
    """A move or a support that transmitters may make possible."""
    if isinstance(order, Move):
        unit = legality.own_unit(board, position.units, power, order.unit)
        if order.via_convoy or not may_transmit(state, board.province(unit.at), board.province(order.to)):
            return None
        return Move(unit, _landing_place(board, unit, order.to))
    if isinstance(order, Support) and order.to is not None:
        unit = legality.own_unit(board, position.units, power, order.unit)
        supported = legality.any_unit(board, position.units, order.supported)
        target, here = board.province(order.to), board.province(supported.at)
        senders = {here, *(map(board.province, board.neighbours(supported.kind, supported.at)) if relays else ())}
        may_support = target != here and reaches(board, unit, target)
        if unit != supported and may_support and any(may_transmit(state, sender, target) for sender in senders):
            at_coast = supported.kind is UnitKind.FLEET
            return Support(unit, supported, order.to if at_coast else Location(target))
    return None


def may_transmit(state: State, origin: Province, target: Province) -> bool:
    """Whether there are transmitters, of any race, in both provinces."""
    return origin != target and state.holds_transmitter(origin) and state.holds_transmitter(target)


def _landing_place(board: Board, unit: Unit, to: Location) -> Location:
    """The exact place where a unit leaves a transmitter: a fleet on a coast, which it must name if there are two."""
    target = board.province(to)
    if unit.kind is not UnitKind.FLEET:
        return Location(target)
    return coast_for_fleet(board, to, f"{write_unit(unit)}-")


def _is_relay(board: FiniteBoard, route: tuple[Location, ...]) -> bool:
    """Whether the stops are meant as transmitters: there is one stop, and it is not at sea."""
    return len(route) == 1 and not board.can_convoy(route[0])


def _relay(board: FiniteBoard, position: Position, state: State, power: Power, order: Any, relays: bool) -> Relay[Unit]:
    unit = legality.own_unit(board, position.units, power, order.unit)
    stop, target = board.province(order.route[0]), board.province(order.to)
    name = f"{write_unit(unit)}-{short(Location(stop))}-{short(order.to)}"
    if not relays:
        raise IllegalOrder(f"{name} would be a relay, which this game is played without.", "Move to one place.")
    if not reaches(board, unit, stop):
        raise IllegalOrder(f"{name}: {write_unit(unit)} does not border {short(Location(stop))}.")
    if not may_transmit(state, stop, target) or target == board.province(unit.at):
        raise IllegalOrder(f"{name}: there is no transmitter to send it on, or none to receive it.")
    if any(board.province(unit.at) == stop for unit in position.units):
        raise IllegalOrder(
            f"{name}: there is a unit in {short(Location(stop))}, so nothing is relayed there this season (AL-14)."
        )
    return Relay(unit, _landing_place(board, unit, order.to), route=(Location(stop),))


def _convoy(board: FiniteBoard, position: Position, state: State, power: Power, order: Any) -> Convoy[Unit]:
    """A fleet convoys a transmitter like an army (AL-8)."""
    fleet = legality.own_unit(board, position.units, power, order.unit)
    piece = _any_transmitter(board, state, order.convoyed)
    to = Location(board.province(order.to))
    seas = fleets_at_sea(board, position.units)
    if fleet.at not in seas:
        raise IllegalOrder(f"{write_unit(fleet)} cannot convoy: only fleets at sea do.")
    if not board.may_stand(UnitKind.ARMY, to) or not may_help(
        board, seas, fleet.at, board.province(piece.at), board.province(to)
    ):
        raise IllegalOrder(f"{write_unit(fleet)} cannot help to convoy {write_unit(piece)} to {short(to)}.")
    return Convoy(fleet, piece, to)


# Reserves


def _arrival(board: FiniteBoard, position: Position, state: State, power: Power, order: Any) -> Arrive[Unit]:
    """`A HOME-SPA`: to a transmitter of the race's own (AL-5)."""
    if not isinstance(order, Move):
        raise IllegalOrder(
            "Units at home need no order until they come.", "To bring one write A HOME-SPA, and T SPA (R) HOME."
        )
    if order.unit.kind is TRANSMITTER:
        raise IllegalOrder(
            "A new transmitter is ordered by the one that receives it alone.",
            f"Write T {short(order.to)} (R) T.",
        )
    target = board.province(order.to)
    if supply.units_to_come(position, power) <= 0:
        raise IllegalOrder(f"You have no unit in reserve, so none can come to {short(order.to)}.")
    _own_receiver(state, power, target)
    unit = Unit(power, _arriving_kind(position, order.unit.kind), home_of(power))
    to = coast_for_fleet(board, order.to, "F Home-") if unit.kind is UnitKind.FLEET else Location(target)
    return Arrive(unit, to)


def _arriving_kind(position: Position, kind: UnitKind | None) -> UnitKind:
    kinds = supply.kinds_to_come(position)
    if kind is None and len(kinds) > 1:
        raise Ambiguous("The order does not say what arrives.", "Write A HOME-... or F HOME-...")
    if kind is not None and kind not in kinds:
        raise IllegalOrder(f"No {kind.word} can come yet: the first reserves are armies.", "Write A HOME-...")
    return kind or kinds[0]


def _own_receiver(state: State, power: Power, target: Province) -> None:
    if not any(province_of(piece) == target for piece in state.transmitters_of(power)):
        raise IllegalOrder(f"You have no transmitter in {short(Location(target))}.", _yours(state, power))


def _support_of_arrival(
    board: FiniteBoard, position: Position, state: State, power: Power, order: Any
) -> Support[Unit]:
    unit = legality.own_unit(board, position.units, power, order.unit)
    owner = order.supported.power or power
    name = write_unit(unit)
    if order.to is None:
        raise IllegalOrder(
            f"{name} cannot support a unit at home.", f"Write {name} S A HOME- and the place it comes to."
        )
    target = board.province(order.to)
    if not reaches(board, unit, target):
        raise IllegalOrder(f"{name} cannot support into {short(Location(target))}: it could not move there.")
    if not any(province_of(piece) == target for piece in state.transmitters_of(owner)):
        raise IllegalOrder(
            f"{owner} has no transmitter in {short(Location(target))}, so no unit of it can arrive there."
        )
    kind = order.supported.kind or UnitKind.ARMY
    to = order.to if kind is UnitKind.FLEET else Location(target)
    return Support(unit, Unit(owner, kind, home_of(owner)), to)


# Retreats


def _in_retreat(board: FiniteBoard, position: Position, power: Power, order: Any, need: Need) -> Order:
    if isinstance(order, Land | Send | Bring) or order.unit.kind is TRANSMITTER:
        raise IllegalOrder(
            "Transmitters have no orders in a retreat phase; only dislodged units do, and none retreats by transmitter."
        )
    if isinstance(order, Receive):  # A PAR (R) GAS
        order = Retreat(order.unit, order.origin)
    if is_home(order.unit.at):
        raise IllegalOrder("No unit arrives in a retreat phase.")
    return legality.understand(board, position, power, order, need)


# Names


def _own_transmitter(board: FiniteBoard, position: Position, state: State, power: Power, name: UnitName) -> Unit | None:
    """The race's own transmitter that is named; None for a unit. Raises IllegalOrder for one it does not have."""
    there = board.province(name.at)
    found = [piece for piece in state.transmitters_of(power) if province_of(piece) == there]
    if name.kind is TRANSMITTER:
        if not found or name.power not in (None, power):
            raise IllegalOrder(f"You have no transmitter in {short(Location(there))}.", _yours(state, power))
        return found[0]
    unit_there = any(board.province(unit.at) == there and unit.power == power for unit in position.units)
    return found[0] if found and name.kind is None and not unit_there else None


def _any_transmitter(board: FiniteBoard, state: State, name: UnitName) -> Unit:
    there = board.province(name.at)
    found = [p for p in state.transmitters if province_of(p) == there and name.power in (None, p.power)]
    if not found:
        raise IllegalOrder(f"There is no such transmitter in {short(Location(there))}.")
    owners = {piece.power for piece in found}
    if len(owners) > 1:
        raise Ambiguous(
            f"Several races have a transmitter in {short(Location(there))}.",
            f"Name its race: {' or '.join(f'{owner} T {short(Location(there))}' for owner in sorted(owners))}.",
        )
    return found[0]


def _means_transmitter(board: FiniteBoard, position: Position, state: State, name: UnitName) -> bool:
    """Whether a transmitter is named, or nothing else at that place could be meant."""
    if name.kind is not None:
        return name.kind is TRANSMITTER
    there = board.province(name.at)
    return state.holds_transmitter(there) and all(board.province(unit.at) != there for unit in position.units)


def _yours(state: State, power: Power) -> str:
    return _list_of(state.transmitters_of(power)) or "You have no transmitter."


def _list_of(pieces: Iterable[Unit]) -> str:
    named = ", ".join(dict.fromkeys(map(write_unit, pieces)))
    return f"Yours: {named}." if named else ""
