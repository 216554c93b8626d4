"""Orders as JSON values, for the store: read back years later without any grammar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Location, Power
from gm.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from gm.position import parse_unit


def order_to_json(order: Order) -> dict[str, Any]:
    """The JSON value of an order as understood; places and units in canonical codes."""
    value: dict[str, Any] = {"order": type(order).__name__.lower()}
    if isinstance(order, Waive):
        return value | {"power": order.power}
    value["unit"] = str(order.unit)
    match order:
        case Move():
            value |= {"to": order.to, "via_convoy": order.via_convoy, "route": list(order.route)}
        case Support():
            value |= {"supported": str(order.supported), "to": order.to}
        case Convoy():
            value |= {"convoyed": str(order.convoyed), "to": order.to}
        case Retreat():
            value["to"] = order.to
    return value


def order_from_json(value: Mapping[str, Any]) -> Order:
    """The inverse of `order_to_json`. Raises KeyError or ValueError for anything else."""
    name = value["order"]
    if name == "waive":
        return Waive(Power(value["power"]) if value["power"] is not None else None)
    unit = parse_unit(value["unit"])
    match name:
        case "hold":
            return Hold(unit)
        case "disband":
            return Disband(unit)
        case "build":
            return Build(unit)
        case "retreat":
            return Retreat(unit, Location(value["to"]))
        case "move":
            return Move(unit, Location(value["to"]), bool(value["via_convoy"]), tuple(map(Location, value["route"])))
        case "support":
            to = None if value["to"] is None else Location(value["to"])
            return Support(unit, parse_unit(value["supported"]), to)
        case "convoy":
            return Convoy(unit, parse_unit(value["convoyed"]), Location(value["to"]))
    raise ValueError(f"{name!r} is not an order")
