"""Orders as understood: what standard orders mean to transmitters, reserves and ships, and which can never succeed.

What agreement between players could make succeed is accepted (AL-10). Everything else is left to the standard rules.
"""

from __future__ import annotations

from typing import Any

from gm.board import Board, FiniteBoard, Location, Power, Province, UnitKind
from gm.errors import Ambiguous, IllegalOrder
from gm.orders import Convoy, Declaration, Move, Order, Retreat, Support, UnitName, WrittenOrder, legality
from gm.orders.notation import write_unit
from gm.orders.possible import Need, fleets_at_sea, may_help, reaches
from gm.position import PhaseKind, Position, Unit
from gm.variants.the_aliens import supply, winter
from gm.variants.the_aliens.orders import Arrive, Bring, Land, Receive, Relay, Send
from gm.variants.the_aliens.passing import order_of_transmitter
from gm.variants.the_aliens.phases import understand_list
from gm.variants.the_aliens.state import LANDING, SAYS, TRANSMITTER, State, coast_for_fleet, home_of, is_home


def understand(
    board: FiniteBoard, position: Position, power: Power, written: WrittenOrder, need: Need, *, relays: bool = False
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
        raise SAYS.refusal("landed already")
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
            raise SAYS.refusal("holds none of yours", at=order.unit.at, yours=_yours(state, power))
        case Convoy() if _means_transmitter(board, position, state, order.convoyed):
            return _convoy(board, position, state, power, order)
        case Support() if order.supported.kind is TRANSMITTER:
            raise SAYS.refusal("no support of a transmitter")
        case Support() if is_home(order.supported.at):
            return _support_of_arrival(board, position, state, power, order)
        case Move(route=(stop,)) if not board.can_convoy(stop):  # not over the sea: by a transmitter
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
    return origin != target and all(map(state.transmitters_in, (origin, target)))


def _landing_place(board: Board, unit: Unit, to: Location) -> Location:
    """The exact place where a unit leaves a transmitter: a fleet on a coast, which it must name if there are two."""
    target = board.province(to)
    if unit.kind is not UnitKind.FLEET:
        return Location(target)
    return coast_for_fleet(board, to, f"{write_unit(unit)}-")


def _relay(board: FiniteBoard, position: Position, state: State, power: Power, order: Any, relays: bool) -> Relay[Unit]:
    unit = legality.own_unit(board, position.units, power, order.unit)
    stop, target = board.province(order.route[0]), board.province(order.to)
    facts: dict[str, Any] = {"unit": unit, "stop": stop, "to": order.to}
    if not relays:
        raise SAYS.refusal("no relays", **facts)
    if not reaches(board, unit, stop):
        raise SAYS.refusal("no border", **facts)
    if not may_transmit(state, stop, target) or target == board.province(unit.at):
        raise SAYS.refusal("nothing sends it on", **facts)
    if any(board.province(unit.at) == stop for unit in position.units):
        raise SAYS.refusal("stop occupied", **facts)
    return Relay(unit, _landing_place(board, unit, order.to), route=(Location(stop),))


def _convoy(board: FiniteBoard, position: Position, state: State, power: Power, order: Any) -> Convoy[Unit]:
    """A fleet convoys a transmitter like an army (AL-8)."""
    fleet = legality.own_unit(board, position.units, power, order.unit)
    piece = _any_transmitter(board, state, order.convoyed)
    here, target = board.province(piece.at), board.province(order.to)
    seas, to = fleets_at_sea(board, position.units), Location(target)
    if fleet.at not in seas:
        raise SAYS.refusal("not at sea", unit=fleet)
    if not board.may_stand(UnitKind.ARMY, to) or not may_help(board, seas, fleet.at, here, target):
        raise SAYS.refusal("no help", unit=fleet, piece=piece, to=to)
    return Convoy(fleet, piece, to)


# Reserves


def _arrival(board: FiniteBoard, position: Position, state: State, power: Power, order: Any) -> Arrive[Unit]:
    """`A HOME-SPA`: to a transmitter of the race's own (AL-5)."""
    if not isinstance(order, Move):
        raise SAYS.refusal("at home")
    if order.unit.kind is TRANSMITTER:
        raise SAYS.refusal("received alone", to=order.to)
    target = board.province(order.to)
    if supply.units_to_come(position, power) <= 0:
        raise SAYS.refusal("none can come", to=order.to)
    if not state.transmitters_in(target, power):
        raise SAYS.refusal("none of yours", at=target, yours=_yours(state, power))
    unit = Unit(power, _arriving_kind(position, order.unit.kind), home_of(power))
    to = coast_for_fleet(board, order.to, "F Home-") if unit.kind is UnitKind.FLEET else Location(target)
    return Arrive(unit, to)


def _arriving_kind(position: Position, kind: UnitKind | None) -> UnitKind:
    kinds = supply.kinds_to_come(position)
    if kind is None and len(kinds) > 1:
        raise SAYS.refusal("what arrives", Ambiguous)
    if kind is not None and kind not in kinds:
        raise SAYS.refusal("armies first", kind=kind.word)
    return kind or kinds[0]


def _support_of_arrival(
    board: FiniteBoard, position: Position, state: State, power: Power, order: Any
) -> Support[Unit]:
    unit = legality.own_unit(board, position.units, power, order.unit)
    owner = order.supported.power or power
    if order.to is None:
        raise SAYS.refusal("supported at home", unit=unit)
    target = board.province(order.to)
    if not reaches(board, unit, target):
        raise SAYS.refusal("out of reach", unit=unit, to=target)
    if not state.transmitters_in(target, owner):
        raise SAYS.refusal("none of theirs", owner=owner, at=target)
    kind = order.supported.kind or UnitKind.ARMY
    to = order.to if kind is UnitKind.FLEET else Location(target)
    return Support(unit, Unit(owner, kind, home_of(owner)), to)


# Retreats


def _in_retreat(board: FiniteBoard, position: Position, power: Power, order: Any, need: Need) -> Order:
    if isinstance(order, Land | Send | Bring) or order.unit.kind is TRANSMITTER:
        raise SAYS.refusal("only retreats")
    if isinstance(order, Receive):  # A PAR (R) GAS
        order = Retreat(order.unit, order.origin)
    if is_home(order.unit.at):
        raise SAYS.refusal("no arrival")
    return legality.understand(board, position, power, order, need)


# Names


def _own_transmitter(board: FiniteBoard, position: Position, state: State, power: Power, name: UnitName) -> Unit | None:
    """The race's own transmitter that is named; None for a unit. Raises IllegalOrder for one it does not have."""
    there = board.province(name.at)
    found = state.transmitters_in(there, power)
    if name.kind is TRANSMITTER:
        if not found or name.power not in (None, power):
            raise SAYS.refusal("none of yours", at=there, yours=_yours(state, power))
        return found[0]
    unit_there = any(board.province(unit.at) == there and unit.power == power for unit in position.units)
    return found[0] if found and name.kind is None and not unit_there else None


def _any_transmitter(board: FiniteBoard, state: State, name: UnitName) -> Unit:
    there = board.province(name.at)
    found = state.transmitters_in(there, name.power)
    if not found:
        raise SAYS.refusal("no such transmitter", at=there)
    if len({piece.power for piece in found}) > 1:
        raise SAYS.refusal("whose transmitter", Ambiguous, at=there, pieces=sorted(set(found), key=str))
    return found[0]


def _means_transmitter(board: FiniteBoard, position: Position, state: State, name: UnitName) -> bool:
    """Whether a transmitter is named, or nothing else at that place could be meant."""
    if name.kind is not None:
        return name.kind is TRANSMITTER
    there = board.province(name.at)
    return bool(state.transmitters_in(there)) and all(board.province(unit.at) != there for unit in position.units)


def _yours(state: State, power: Power) -> str:
    pieces = dict.fromkeys(state.transmitters_of(power))
    return SAYS.note("yours" if pieces else "none yours", pieces=pieces)
