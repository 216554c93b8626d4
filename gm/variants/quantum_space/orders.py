"""What players of both games may write: places as `A1`, `AO`, `Auerbach Orbit`, `Q31415` (QS-4 to QS-6), and orders.

Error messages about a place or an order name the rule (QS-4, QS-7).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any

from gm.board import FiniteBoard, Location, Power, Travel, UnitKind
from gm.errors import NotUnderstood
from gm.orders import ComputedNames, Convoy, Language, Move, Order, WrittenOrder, legality
from gm.orders.possible import NOTHING, Need, fleets_at_sea, may_be_convoyed
from gm.position import PhaseKind, Position, Unit
from gm.variants import Variant
from gm.variants.game_file import fold
from gm.variants.quantum_space.space import (
    ORBIT,
    OWN_ORBIT,
    QUANTUM,
    SPARE,
    QuantumBoard,
    is_orbit,
    is_quantum,
    is_surface,
    orbit_above,
    quantum,
)
from gm.variants.quantum_space.state import SAYS, board_of, planets_of
from gm.variants.standard import nations, with_own_place

_WORDS = ("do", "go", "no", "so", "to")
"""Orbits whose codes are everyday words: they are read as places only where a place is expected."""

_WORD = rf"(?:{'|'.join(_WORDS)})(?![a-z0-9])"
_ASKED = (
    r"(?<=[->])|(?<=[->] )|(?<=\b[afscr] )|(?<=\bfleet )|(?<=\barmy )"
    r"|(?<=\bto )(?!..[ ]+(?:q[ ]?[0-9]|[a-z]+[ ]*(?:[1-8]|o)))"
)
_DASH = r"(?:-(?=(?:[1-8]|o(?:rbit)?)\b))?"
"""The hyphen of `Auerbach-1`, which is not that of a move."""
_OWN = r"(?:(?:the|my|our|own)[ ]{1,3}){0,2}orb(?:ite?)?|o(?![ '.-]{0,3}[a-z0-9])"
"""One's own orbit; `O` is the abbreviation of the rules, where it is not the code of a planet."""
_LED = r"(?<=\ben )|(?<=\bin )|(?<=\bfrom )|(?<=\binto )"
_OF_ORBIT = r"(?=orb(?:ite?)?[ ]*[->=]*[ ]*q[ ]?[0-9])"
"""What stands before one's own orbit, and behind it: `orb q42`."""
_ORDERED = r"(?=..[ ]*[->=]+[ ]*(?:q[ ]?[0-9]|[a-z]+[ ]*[1-8]))|(?=..[ ]+[hsc]\b)"


def computed_names(board: FiniteBoard) -> tuple[ComputedNames, ...]:
    """The names of the board's places, as patterns."""
    assert isinstance(board, QuantumBoard)
    codes = tuple(board.planets.powers)
    names = {fold(power): code for power, code in board.planets.codes.items()}
    of_planet = partial(_of_planet, board, names)
    words = tuple(word for word in _WORDS if word[0] in board.planets.powers)
    every = [ComputedNames(r"q(?:uantum(?:[ ]?space)?)?[ ]?[0-9]+", partial(_quantum, board))]
    every.append(ComputedNames(_OWN, lambda _: OWN_ORBIT, where=f"(?:{_ASKED}|{_LED}|{_OF_ORBIT})"))
    if words:
        every.append(ComputedNames("|".join(words), Location, where=f"(?:{_ASKED}|{_ORDERED})"))
    if codes:
        every += [
            ComputedNames(rf"(?:[ ]*{_DASH}[1-8]|(?:'s)?(?:[ ]+|-)o(?:rbit)?)", of_planet, stems=tuple(names)),
            ComputedNames(r"(?:[ ]?[1-8]|[ ]?orbit|o)", of_planet, stems=codes, where=f"(?!{_WORD})"),
            ComputedNames(r"(?:\.[ ]?|-)(?:[1-8]|orbit)", of_planet, stems=codes, where=f"(?:{_ASKED})"),
        ]
    brief = partial(_abbreviated, board, names)
    every.append(ComputedNames(rf"{_beginnings(names)}\.[ ]?(?:[1-8]|o(?:rbit)?)", brief))
    unknown = r"[a-pr-z][a-z]*[ ]?[0-9]+|[a-pr-z][a-z]+[ ]orbit"
    return (*every, ComputedNames(unknown, brief, where=f"(?:{_ASKED})"))


def _beginnings(names: Iterable[str]) -> str:
    """A pattern for two or more letters with which any of the names begins."""
    tree: dict[str, Any] = {}
    for name in names:
        branch = tree
        for letter in name:
            branch = branch.setdefault(letter, {})

    def ways(branch: dict[str, Any], depth: int) -> str:
        if not branch:
            return ""
        found = "|".join(re.escape(letter) + ways(rest, depth + 1) for letter, rest in sorted(branch.items()))
        return f"(?:{found})" + ("?" if depth >= _LEAST else "")

    return ways(tree, 0) or "(?!)"


_LEAST = 2
"""The least number of letters in an abbreviation."""


def _abbreviated(board: QuantumBoard, names: dict[str, str], text: str) -> Location | None:
    """A place by the beginning of its planet's name, if only one begins with it: `Andr. 3`."""
    found = re.fullmatch(r"([a-z' -]*[a-z])\.?[ ]*(?:([1-8])|orbit|(?<=[. ])o)", text)
    if found is not None and (planet := names.get(found[1], found[1])) in board.planets.powers:
        return Location(planet + (found[2] or ORBIT))
    fitting = [name for name in names if found is not None and name.startswith(found[1])]
    if found is None or not fitting or len(found[1]) < _LEAST:
        return _unknown(board, names, text)
    if len(fitting) > 1:
        several = [board.planets.powers[names[name]] for name in fitting[:4]]
        raise SAYS.refusal("several planets", NotUnderstood, name=found[1].title(), several=several)
    return Location(names[fitting[0]] + (found[2] or ORBIT))


def _quantum(board: QuantumBoard, text: str) -> Location:
    """A quantum space; leading zeros are ignored (QS-5)."""
    number = text.lstrip("abcdefghijklmnopqrstuvwxyz ").lstrip("0")
    if not number:
        raise SAYS.refusal("from 1 on", NotUnderstood, text=text.upper())
    if len(number) > board.digits:
        facts = {"text": text.upper()[:30], "has": len(number), "most": board.digits}
        raise SAYS.refusal("digits", NotUnderstood, **facts)
    return Location(QUANTUM + number)


def _of_planet(board: QuantumBoard, names: dict[str, str], text: str) -> Location | None:
    """A surface space or an orbit, by the planet's name or code."""
    found = re.fullmatch(r"([a-z' -]*[a-z])\.?(?:[ ]*+(?:-[ ]*+)?([1-8])|[ -]*o(?:rbit)?)", text)
    if found is None:
        return None
    name = found[1] if found[1] in names else found[1].removesuffix("'s")
    planet = names.get(name, name)
    return Location(planet + (found[2] or ORBIT)) if planet in board.planets.powers else None


def _unknown(board: QuantumBoard, names: dict[str, str], text: str) -> Location | None:
    """Raises an error that says that there is no such planet."""
    planet = re.match("[a-z]+", text)
    if planet is None:
        return None
    name = planet.group()
    if name in names or name in names.values():
        raise SAYS.refusal("no such space", NotUnderstood, text=text.title())
    near = [board.planets.powers[names[one]] for one in get_close_matches(name, names, n=1, cutoff=0.6)]
    raise SAYS.refusal("no planet but" if near else "no planet", NotUnderstood, name=name.title(), near=near)


# Orders


def spellings(position: Position) -> dict[str, Power]:
    """The planets' codes as names of their powers, and other words for nations of the world."""
    planets = planets_of(position)
    return {**nations(planets.codes), **planets.powers}


LANGUAGE = Language(computed=computed_names, spellings=spellings)


def in_own_orbit(position: Position, power: Power, written: WrittenOrder) -> WrittenOrder:
    """The order with `orbit` without a planet as that of the planet of whoever writes: `F K6 to orbit`."""
    own = Location(planets_of(position).codes[power] + ORBIT)
    return with_own_place(written, OWN_ORBIT, lambda _: own)


def understand(
    board: FiniteBoard, position: Position, power: Power, written: WrittenOrder, need: Need = NOTHING
) -> Order:
    """The order as the power means it in this position. Raises IllegalOrder, Ambiguous."""
    order = in_own_orbit(position, power, written)
    if position.phase.kind is PhaseKind.MOVEMENT and isinstance(order, Move | Convoy):
        unit = legality.own_unit(board, position.units, power, order.unit)
        if isinstance(order, Move):
            if unit.at != order.to and not board.may_step(unit.kind, unit.at, order.to):
                _check_far(board_of(position), position, unit, order.to)
        elif unit.kind is UnitKind.FLEET and is_surface(unit.at):
            raise SAYS.refusal("in port", unit=unit, orbit=orbit_above(unit.at))
    return legality.understand(board, position, power, order, need)


def offered(_game: Variant, position: Position, power: Power) -> tuple[tuple[Order, ...], ...]:
    """For each fleet in orbit quantum spaces beyond those that every list has, where fewer fleets meet: other ones for
    each planet.
    """
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    board = board_of(position)
    first = SPARE + 1 + SPARE * sorted(board.planets.codes).index(power)
    places = [at for at in map(quantum, range(first, first + SPARE)) if board.exists(at)]
    fleets = (u for u in position.units_of(power) if u.kind.travel is Travel.SEA and is_orbit(u.at))
    return tuple(tuple(Move(fleet, at) for at in places) for fleet in fleets if places)


def _check_far(board: QuantumBoard, position: Position, unit: Unit, to: Location) -> None:
    """Raises IllegalOrder for a move over no border that could never succeed, with the rule that it breaks."""
    facts: dict[str, Any] = {"unit": unit, "to": to, "orbit": orbit_above(to)}
    if unit.kind is UnitKind.ARMY:
        _check_army(board, position, facts)
    elif is_surface(unit.at):
        kind = "from port to port" if is_surface(to) else "to its orbit"
        facts["orbit"] = orbit_above(unit.at)
        onward = SAYS.note("onward", **facts) if to[:-1] == unit.at[:-1] or is_quantum(to) else ""
        raise SAYS.refusal(kind, onward=onward, **facts)
    elif is_orbit(unit.at) and is_orbit(to):
        raise SAYS.refusal("from orbit to orbit", **facts)
    elif is_surface(to):
        raise SAYS.refusal("from its orbit" if is_quantum(unit.at) else "by quantum space first", **facts)


def _check_army(board: QuantumBoard, position: Position, facts: Mapping[str, Any]) -> None:
    unit, to = facts["unit"], facts["to"]
    ways, seas = legality.may_go_to(board, unit), fleets_at_sea(board, position.units)
    if not is_surface(to):
        raise SAYS.refusal("on the surface", ways=ways, **facts)
    if not may_be_convoyed(board, seas, board.province(unit.at), board.province(to)):
        kind = "over one orbit" if unit.at[:-1] == to[:-1] else "over two orbits"
        raise SAYS.refusal(kind, above=orbit_above(unit.at), ways=ways, **facts)
