"""What a transmitter can be ordered to do in Spring and Fall: send, receive, move, hold, and bring in a new one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gm.board import FiniteBoard, Location
from gm.orders import Hold, Move, Order, Retreat, Support, legality
from gm.orders.possible import fleets_at_sea, may_be_convoyed
from gm.position import Position, Unit
from gm.variants.the_aliens import supply, winter
from gm.variants.the_aliens.language import Receiving, Sending
from gm.variants.the_aliens.orders import Bring, Receive, Send
from gm.variants.the_aliens.state import SAYS, TRANSMITTER, State, home_of, is_home, province_of


def order_of_transmitter(
    board: FiniteBoard, position: Position, state: State, piece: Unit, order: Any, *, relays: bool
) -> Order:
    """The transmitter's order. `relays`: units may step to it and go on (AL-14). Raises IllegalOrder, Ambiguous."""
    _check_passenger(board, position, piece, order, relays=relays)
    match order:
        case Send():
            return _send(board, state, piece, order.to)
        case Receive():
            return _receive(board, position, state, piece, order.origin)
        case Retreat():  # T GRE R KIE
            return _receive(board, position, state, piece, order.to)
        case Bring():
            return _bring(board, position, state, piece, order)
        case Support():  # T KIE S GRE, T KIE S A KIE-GRE: a transmitter supports nothing
            return _send(board, state, piece, order.supported.at if order.to is None else order.to)
        case Move():
            return _transmitter_moves(board, position, piece, order)
        case Hold():
            return Hold(piece)
    raise SAYS.refusal("no more than that", piece=piece)


def _check_passenger(board: FiniteBoard, position: Position, piece: Unit, order: Any, *, relays: bool) -> None:
    """Raises IllegalOrder if the unit that the line names besides the transmitter cannot be the one that it handles."""
    match order:
        case Sending():
            passenger, start, end = order.sent, piece.at, None
        case Receiving():
            passenger, start, end = order.sent, order.origin, order.to
        case Support():
            sent = order.supported
            passenger, start, end = replace(sent, at=piece.at if order.to is None else sent.at), piece.at, None
        case Bring() if order.arriving.kind is not TRANSMITTER:
            passenger, start, end = order.arriving, order.arriving.at, None
        case _:
            return
    if end is not None and board.province(end) != province_of(piece):
        raise SAYS.refusal("comes here", piece=piece, end=end)
    if is_home(passenger.at):
        if passenger.power not in (None, piece.power):
            raise SAYS.refusal("own reserves", piece=piece, other=passenger.power)
        return
    if board.province(passenger.at) != board.province(start) and not relays:
        raise SAYS.refusal("what is there", piece=piece, sends=start == piece.at, start=start, other=passenger.at)
    names_unit = passenger.kind not in (None, TRANSMITTER) or passenger.power is not None
    if names_unit and any(board.province(unit.at) == board.province(passenger.at) for unit in position.units):
        legality.any_unit(board, position.units, passenger)


def _send(board: FiniteBoard, state: State, piece: Unit, to: Location) -> Send[Unit]:
    target = board.province(to)
    if target == province_of(piece) or not state.transmitters_in(target):
        raise SAYS.refusal("no receiver", piece=piece, to=to)
    return Send(piece, Location(target))


def _receive(board: FiniteBoard, position: Position, state: State, piece: Unit, origin: Location) -> Receive[Unit]:
    if is_home(origin):
        if supply.units_to_come(position, piece.power) <= 0:
            raise SAYS.refusal("none to receive", piece=piece)
        return Receive(piece, home_of(piece.power))
    source = board.province(origin)
    if source == province_of(piece) or not state.transmitters_in(source):
        raise SAYS.refusal("no sender", piece=piece, origin=origin)
    return Receive(piece, Location(source))


def _bring(board: FiniteBoard, position: Position, state: State, piece: Unit, order: Any) -> Order:
    kind, at = order.arriving.kind, order.arriving.at
    winter.refuse_sent_transmitter(board, piece, order)
    if kind is not TRANSMITTER and (is_home(at) or board.province(at) != province_of(piece)):
        return _receive(board, position, state, piece, at)
    if kind is not TRANSMITTER:
        raise SAYS.refusal("ordered too", kind=kind, at=piece.at)
    if supply.transmitters_to_come(position, piece.power) <= 0:
        raise SAYS.refusal("no more transmitters", piece=piece)
    return Bring(piece, Unit(piece.power, TRANSMITTER, piece.at))


def _transmitter_moves(board: FiniteBoard, position: Position, piece: Unit, order: Any) -> Move[Unit]:
    target = board.province(order.to)
    here, to = province_of(piece), Location(target)
    if target == here:
        raise SAYS.refusal("there already", piece=piece)
    if not board.may_stand(TRANSMITTER, to):
        raise SAYS.refusal("as an army", piece=piece, to=to)
    seas, near = fleets_at_sea(board, position.units), board.neighbours(TRANSMITTER, piece.at)
    if to not in near and not may_be_convoyed(board, seas, here, target):
        raise SAYS.refusal("too far", piece=piece, to=to, near=near)
    for stop in order.route:
        if stop not in seas:
            raise SAYS.refusal("no fleet there", piece=piece, stop=stop)
    return Move(piece, to, order.via_convoy, order.route)
