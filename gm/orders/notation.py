"""Orders written down again: one notation for receipts, reports, explanations and `gm adjudicate`.

What is written here is read back by the order grammar to an equal order (for the same power).
"""

from __future__ import annotations

from collections.abc import Callable

from gm.board import Location
from gm.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from gm.position import Unit

PlaceWriter = Callable[[Location], str]


def code(at: Location) -> str:
    """The canonical code, as the interfaces use it: `stp/sc`."""
    return at


def short(at: Location) -> str:
    """The code as players write it: `Stp/sc`."""
    return at.capitalize()


def write_unit(unit: Unit, place: PlaceWriter = short) -> str:
    """A unit without its power: `F Stp/sc`."""
    return f"{unit.kind} {place(unit.at)}"


def write(order: Order, place: PlaceWriter = short) -> str:
    """An order without its power: `A Mun S A Ber-Sil`."""
    match order:
        case Waive():
            return "Waive"
        case Build():
            return f"Build {write_unit(order.unit, place)}"
        case Disband():
            return f"{write_unit(order.unit, place)} disband"
        case Hold():
            return f"{write_unit(order.unit, place)} H"
        case Move():
            stops = "".join(f"-{place(at)}" for at in (*order.route, order.to))
            said = " via convoy" if order.via_convoy and not order.route else ""
            return f"{write_unit(order.unit, place)}{stops}{said}"
        case Support():
            target = f"-{place(order.to)}" if order.to is not None else ""
            return f"{write_unit(order.unit, place)} S {write_unit(order.supported, place)}{target}"
        case Convoy():
            return f"{write_unit(order.unit, place)} C {write_unit(order.convoyed, place)}-{place(order.to)}"
        case Retreat():
            return f"{write_unit(order.unit, place)} R {place(order.to)}"
