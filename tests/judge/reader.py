"""Orders from canonical notation, so that the judge's tests need no grammar: `Germany A mun S A ber-sil`.

Only what the tables of this folder use is read: canonical codes, one order a text, the power first. Nothing is checked
against any position.
"""

from __future__ import annotations

import re

from gm.board import Location, Power
from gm.orders import Build, Convoy, Declaration, Disband, Hold, Move, Retreat, Support, UnitName, Waive, WrittenOrder
from gm.position import STANDARD_KINDS, Unit

_PLACE = r"[a-z]{3}(?:/[a-z]{2})?"
_UNIT = rf"(?:([AF]) )?({_PLACE})"
_FORMS = (
    ("build", re.compile(rf"build {_UNIT}")),
    ("remove", re.compile(rf"remove {_UNIT}")),
    ("hold", re.compile(rf"{_UNIT} H")),
    ("disband", re.compile(rf"{_UNIT} disband")),
    ("retreat", re.compile(rf"{_UNIT} R ({_PLACE})")),
    ("support", re.compile(rf"{_UNIT} S {_UNIT}(?:-({_PLACE}))?")),
    ("convoy", re.compile(rf"{_UNIT} C {_UNIT}-({_PLACE})")),
    ("move", re.compile(rf"{_UNIT}((?:-{_PLACE})*)-({_PLACE})( via convoy)?")),
)


def _name(kind: str | None, at: str, power: Power | None = None) -> UnitName:
    return UnitName(Location(at), STANDARD_KINDS.unit(kind) if kind else None, power)


def written(text: str) -> tuple[Power, WrittenOrder]:
    """Read `England F nth C A lon-nwy` as a power and its order as written."""
    name, _, order = text.strip().partition(" ")
    power = Power(name.removesuffix(":"))
    return power, _order(" ".join(order.split()))


def unit_of(text: str) -> Unit | None:
    """The unit that gives the order, as the text names it; None if the text is incomplete."""
    power, order = written(text)
    if isinstance(order, Declaration) or order.unit.kind is None:
        return None
    return Unit(power, order.unit.kind, order.unit.at)


def _order(text: str) -> WrittenOrder:
    if text == "waive":
        return Waive()
    for form, pattern in _FORMS:
        found = pattern.fullmatch(text) or pattern.fullmatch(text.replace("Build", "build").replace("Remove", "remove"))
        if found is not None:
            return _made(form, found.groups())
    raise ValueError(f"{text!r} is no order in canonical notation")


def _made(form: str, parts: tuple[str | None, ...]) -> WrittenOrder:
    unit = _name(parts[0], parts[1] or "")
    if form == "build":
        return Build(unit)
    if form in ("remove", "disband"):
        return Disband(unit)
    if form == "hold":
        return Hold(unit)
    if form == "retreat":
        return Retreat(unit, Location(parts[2] or ""))
    if form == "support":
        return Support(unit, _name(parts[2], parts[3] or ""), Location(parts[4]) if parts[4] else None)
    if form == "convoy":
        return Convoy(unit, _name(parts[2], parts[3] or ""), Location(parts[4] or ""))
    route = tuple(Location(at) for at in (parts[2] or "").split("-") if at)
    return Move(unit, Location(parts[3] or ""), bool(route or parts[4]), route)
