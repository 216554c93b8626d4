"""What a transmitter can be ordered to do in Spring and Fall: send, receive, move, hold, and bring in a new one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gm.board import FiniteBoard, Location
from gm.errors import IllegalOrder
from gm.orders import Hold, Move, Order, Retreat, Support, legality
from gm.orders.notation import short, write_unit
from gm.orders.possible import fleets_at_sea, may_be_convoyed
from gm.position import Position, Unit
from gm.variants.the_aliens import supply, winter
from gm.variants.the_aliens.language import Receiving, Sending
from gm.variants.the_aliens.orders import Bring, Receive, Send
from gm.variants.the_aliens.state import TRANSMITTER, State, home_of, is_home, province_of


def order_of_transmitter(
    board: FiniteBoard, position: Position, state: State, piece: Unit, order: Any, *, relays: bool
) -> Order:
    """The transmitter's order. `relays`: units may step to it and go on (AL-14). Raises IllegalOrder, Ambiguous."""
    name = write_unit(piece)
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
    raise IllegalOrder(f"{name} can move, hold, send and receive, no more.", f"To keep it there write {name} H.")


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
    name, here = write_unit(piece), province_of(piece)
    if end is not None and board.province(end) != here:
        raise IllegalOrder(f"{name} receives what comes to {short(piece.at)}, and nothing that goes to {short(end)}.")
    if is_home(passenger.at):
        if passenger.power not in (None, piece.power):
            raise IllegalOrder(f"{name} brings in {piece.power}'s reserves only, none of {passenger.power}'s.")
        return
    if board.province(passenger.at) != board.province(start) and not relays:
        raise IllegalOrder(f"{name} {'sends' if start == piece.at else 'receives'} what is in {short(start)}, "
                           f"and nothing from {short(passenger.at)}.")  # fmt: skip
    names_unit = passenger.kind not in (None, TRANSMITTER) or passenger.power is not None
    if names_unit and any(board.province(unit.at) == board.province(passenger.at) for unit in position.units):
        legality.any_unit(board, position.units, passenger)


def _send(board: FiniteBoard, state: State, piece: Unit, to: Location) -> Send[Unit]:
    target = board.province(to)
    if target == province_of(piece) or not state.holds_transmitter(target):
        raise IllegalOrder(f"{write_unit(piece)} cannot send to {short(to)}: no other transmitter is there.")
    return Send(piece, Location(target))


def _receive(board: FiniteBoard, position: Position, state: State, piece: Unit, origin: Location) -> Receive[Unit]:
    if is_home(origin):
        if supply.units_to_come(position, piece.power) <= 0:
            raise IllegalOrder("You have no unit in reserve.", f"To keep it there write {write_unit(piece)} H.")
        return Receive(piece, home_of(piece.power))
    source = board.province(origin)
    if source == province_of(piece) or not state.holds_transmitter(source):
        raise IllegalOrder(f"{write_unit(piece)} cannot receive from {short(origin)}: no other transmitter is there.")
    return Receive(piece, Location(source))


def _bring(board: FiniteBoard, position: Position, state: State, piece: Unit, order: Any) -> Order:
    kind, at = order.arriving.kind, order.arriving.at
    winter.refuse_sent_transmitter(board, piece, order)
    if kind is not TRANSMITTER and (is_home(at) or board.province(at) != province_of(piece)):
        return _receive(board, position, state, piece, at)
    if kind is not TRANSMITTER:
        place = short(Location(piece.at))
        raise IllegalOrder(
            "In Spring and Fall the unit that arrives is ordered too.",
            f"Write {kind} HOME-{place} and T {place} (R) HOME.",
        )
    if supply.transmitters_to_come(position, piece.power) <= 0:
        raise IllegalOrder(
            "You have as many transmitters as you may.", f"To keep it there write {write_unit(piece)} H."
        )
    return Bring(piece, Unit(piece.power, TRANSMITTER, piece.at))


def _transmitter_moves(board: FiniteBoard, position: Position, piece: Unit, order: Any) -> Move[Unit]:
    name, target = write_unit(piece), board.province(order.to)
    if target == province_of(piece):
        raise IllegalOrder(f"{name} is in {short(Location(target))} already.", f"To keep it there write {name} H.")
    to = Location(target)
    if not board.may_stand(TRANSMITTER, to):
        raise IllegalOrder(f"{name} cannot go to {short(to)}: it moves as an army does.")
    seas = fleets_at_sea(board, position.units)
    if not board.may_step(TRANSMITTER, piece.at, to) and not may_be_convoyed(
        board, seas, board.province(piece.at), target
    ):
        choices = ", ".join(map(short, board.neighbours(TRANSMITTER, piece.at)))
        raise IllegalOrder(f"{name} cannot get to {short(to)}.", f"It can go to {choices}.")
    for stop in order.route:
        if stop not in seas:
            raise IllegalOrder(
                f"{name} cannot go over {short(stop)}: no fleet is there to convoy it, "
                "and transmitters are not transmitted."
            )
    return Move(piece, to, order.via_convoy, order.route)
