"""Places as players write them, `A1`, `AO`, `Auerbach Orbit`, `Q31415` (QS-4 to QS-6), and what is wrong in others."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import partial

from gm.board import FiniteBoard, Location
from gm.board.quantum import ORBIT, QUANTUM, QuantumBoard
from gm.errors import NotUnderstood
from gm.orders.language import ComputedNames
from gm.variants.quantum_space.planets import fold

_WORDS = ("do", "go", "no", "so", "to")
"""Orbits that are words of every day: where nothing asks for a place they are not read as one."""

_WORD = rf"(?:{'|'.join(_WORDS)})(?![a-z0-9])"
_ASKED = r"(?<=[->])|(?<=[->] )|(?<=\b[afscr] )|(?<=\bfleet )|(?<=\bto )(?!..[ ]+(?:q[ ]?[0-9]|[a-z]+[ ]*(?:[1-8]|o)))"
_ORDERED = r"(?=..[ ]*[->=]+[ ]*(?:q[ ]?[0-9]|[a-z]+[ ]*[1-8]))|(?=..[ ]+[hsc]\b)"


def computed_names(board: FiniteBoard) -> tuple[ComputedNames, ...]:
    """The names of the board's places, as patterns."""
    assert isinstance(board, QuantumBoard)
    codes = tuple(board.planets.powers)
    names = {fold(power): code for power, code in board.planets.codes.items()}
    of_planet = partial(_of_planet, board, names)
    words = tuple(word for word in _WORDS if word[0] in board.planets.powers)
    every = [ComputedNames(r"q[ ]?[0-9]+", partial(_quantum, board))]
    if words:
        every.append(ComputedNames("|".join(words), Location, where=f"(?:{_ASKED}|{_ORDERED})"))
    if codes:
        every += [
            ComputedNames(r"(?:[ ]*[1-8]|[ ]+o(?:rbit)?)", of_planet, stems=tuple(names)),
            ComputedNames(r"(?:[ ]?[1-8]|[ ]?orbit|o)", of_planet, stems=codes, where=f"(?!{_WORD})"),
        ]
    unknown = r"[a-pr-z][a-z]*[ ]?[0-9]+|[a-pr-z][a-z]+[ ]orbit"
    return (*every, ComputedNames(unknown, partial(_unknown, names), where=f"(?:{_ASKED})"))


def _quantum(board: QuantumBoard, text: str) -> Location:
    """A quantum space; leading zeros fall away (QS-5)."""
    number = text.removeprefix(QUANTUM).strip().lstrip("0")
    if not number:
        raise NotUnderstood(f"There is no {text.upper()}.", "Quantum spaces are numbered from Q1 on (QS-5).")
    if len(number) > board.digits:
        raise NotUnderstood(
            f"{text.upper()[:30]} has {len(number)} digits.",
            f"The quantum spaces of this game have at most {board.digits} (QS-5).",
        )
    return Location(QUANTUM + number)


def _of_planet(board: QuantumBoard, names: dict[str, str], text: str) -> Location | None:
    """A surface space or an orbit, by the planet's name or code."""
    found = re.fullmatch(r"([a-z]+?)[ ]*(?:([1-8])|o(?:rbit)?)", text)
    if found is None:
        return None
    planet = names.get(found[1], found[1])
    return Location(planet + (found[2] or ORBIT)) if planet in board.planets.powers else None


def _unknown(names: dict[str, str], text: str) -> Location | None:
    """Say which planet there is not."""
    planet = re.match("[a-z]+", text)
    if planet is None:
        return None
    name = planet.group()
    if name in names or name in names.values():
        raise NotUnderstood(
            f"There is no {text.title()}.", "A planet has the spaces 1 to 8 and its orbit (QS-1, QS-4)."
        )
    near = get_close_matches(name, names, n=1, cutoff=0.6)
    remedy = f"Did you mean {near[0].title()}?" if near else "STATUS lists the planets."
    raise NotUnderstood(f"There is no planet '{name.title()}' in this game.", remedy)
