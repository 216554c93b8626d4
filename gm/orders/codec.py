"""Orders as JSON values, for the store: read back years later without any grammar.

An order is written field by field: units as `France A par`, places as codes; a field at its default is left out. A
variant's own order types are written the same way; to read them back its language is handed in.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

from gm.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, U, Waive
from gm.orders.language import PLAIN, Language
from gm.position import Kinds, Unit, parse_unit

STANDARD: tuple[type, ...] = (Hold, Move, Support, Convoy, Retreat, Disband, Build, Waive)


def order_to_json(order: Order) -> dict[str, Any]:
    """The JSON value of an order as understood; places and units in canonical codes."""
    value: dict[str, Any] = {"order": _name(type(order))}
    for field in dataclasses.fields(order):
        held = getattr(order, field.name)
        if held == field.default:
            continue
        if isinstance(held, Unit):
            held = str(held)
        elif isinstance(held, tuple):
            held = list(held)
        value[field.name] = held
    return value


def order_from_json(value: Mapping[str, Any], language: Language = PLAIN) -> Order:
    """The inverse of `order_to_json`; `language` is that of the game.

    Raises KeyError or ValueError for anything else.
    """
    kind = _kinds(language.orders).get(value["order"])
    if kind is None:
        raise ValueError(f"{value['order']!r} is not an order of this game")
    given = (field for field in _fields(kind) if field[2] or field[0] in value)
    order: Order = kind(**{name: _read(value[name], unit, language.kinds) for name, unit, _ in given})
    return order


def _name(kind: type) -> str:
    return kind.__name__.lower()


@cache
def _kinds(own: tuple[type, ...]) -> Mapping[str, type]:
    """The order types of a game by the name under which they are stored."""
    return {_name(kind): kind for kind in (*own, *STANDARD)}


@cache
def _fields(kind: type) -> tuple[tuple[str, bool, bool], ...]:
    """The fields of an order type, each with whether it holds a unit, and whether it must be there."""
    hints = typing.get_type_hints(kind)
    return tuple(
        (field.name, hints[field.name] in (U, Unit), field.default is dataclasses.MISSING)
        for field in dataclasses.fields(kind)
    )


def _read(value: Any, unit: bool, kinds: Kinds) -> Any:
    if unit:
        return parse_unit(value, kinds)
    return tuple(value) if isinstance(value, list) else value
