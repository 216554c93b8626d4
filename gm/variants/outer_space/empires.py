"""The empires of a game: how they are named at JOIN, their three-letter codes, and what the position keeps of them.

What the position keeps besides units and centres stands in `Position.extra`:

    {"empires": {"Krell": "kre"}, "colonies": {"Krell": ["bur", "par"]}, "eliminated": ["Zorg"], "attempts": [...]}

`empires` may be a plain list of names where a person writes it. `attempts` is there only between a movement phase and
the end of its season (see `colonies.py`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

from gm.board import Power, Province, Terrain
from gm.board.standard import standard_board
from gm.errors import NotUnderstood
from gm.position import Position

LONGEST_NAME = 24

_NAME = re.compile(r"[^\W\d_](?:[\w']|[ -](?=\w))*")
_RESERVED: frozenset[str] = frozenset(
    (
        *("all", "gm", "master", "press", "neutral", "nobody", "unowned", "orb", "orbit"),
        *("army", "armies", "fleet", "hold", "move", "support", "convoy", "retreat", "disband", "build", "waive"),
        *("remove", "col", "colonize", "colonise", "brainwash", "assimilate", "via", "and", "then", "please"),
    )
)
"""Words that mean something else in orders, press and reports."""


def name_empire(text: str, taken: Sequence[Power]) -> Power:
    """The name of an empire as it is to be written (OS-1). Raises NotUnderstood for one that cannot be."""
    name = re.sub(r"^the (?=\S)", "", " ".join(text.strip(" \"'.,!").split()), flags=re.IGNORECASE)
    folded = fold(name)
    if not 3 <= len(name) <= LONGEST_NAME or not _NAME.fullmatch(name):
        raise NotUnderstood(
            f"'{text}' cannot be the name of an empire.",
            f"It has 3 to {LONGEST_NAME} letters, digits, blanks, hyphens and apostrophes, and begins with a letter.",
        )
    if folded in _RESERVED:
        raise NotUnderstood(f"'{text}' means something else in orders and mails.", "Choose another name.")
    if folded in standard_board().aliases:
        raise NotUnderstood(f"'{text}' is a place on the board.", "Choose another name for your empire.")
    if folded in map(fold, taken):
        raise NotUnderstood(f"There is an empire '{text}' already.", "Choose another name.")
    return Power(name.title() if name.islower() else name)


def fold(name: str) -> str:
    """A name in lower case, without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", name).lower() if not unicodedata.combining(c))


def assign_codes(empires: Iterable[str]) -> dict[Power, str]:
    """A code of three letters for each empire, all different: its first letters if they are free (OS-1).

    No code is that of a place, another empire's name, or a word of orders.
    """
    names = [Power(name) for name in empires]
    used = {*standard_board().aliases, *_RESERVED, *map(fold, names)}
    codes: dict[Power, str] = {}
    for name in names:
        codes[name] = next(code for code in _candidates(name) if code not in used or code == fold(name))
        used.add(codes[name])
    return codes


def _candidates(name: Power) -> Iterator[str]:
    letters = "".join(c for c in fold(name) if c in ascii_lowercase)
    if len(letters) >= 3:
        yield letters[:3]
        yield from (letters[0] + a + b for a, b in combinations(letters[1:], 2))
    yield from (letters[:1] + a + b for a, b in product(ascii_lowercase, repeat=2) if letters)
    yield from map("".join, product(ascii_lowercase, repeat=3))


# What the position keeps


def codes_of(position: Position) -> Mapping[Power, str]:
    """Each empire of the game, those that are out too, with its code; by name. Raises NotUnderstood."""
    empires = position.extra.get("empires")
    if isinstance(empires, list) and _are_texts(empires):
        empires = assign_codes(empires)
    if not isinstance(empires, Mapping) or not _are_texts(empires.values()):
        raise _malformed("empires", empires)
    if len(set(empires.values())) < len(empires):
        raise NotUnderstood("In 'empires' two empires have the same code.", "Give the names alone, as a list.")
    return {Power(name): empires[name] for name in sorted(empires)}


def empires_of(position: Position) -> tuple[Power, ...]:
    """Every empire of the game, those that are out too, by name."""
    return tuple(codes_of(position))


def colonies_of(position: Position) -> Mapping[Province, Power]:
    """Each province that is a colony, with its empire. Raises NotUnderstood."""
    listed = position.extra.get("colonies", {})
    if not isinstance(listed, Mapping) or not all(isinstance(c, list) and _are_texts(c) for c in listed.values()):
        raise _malformed("colonies", listed)
    colonies = {Province(code): Power(name) for name, codes in listed.items() for code in codes}
    if not colonies.keys() <= _land() or sum(map(len, listed.values())) > len(colonies):
        raise NotUnderstood("In 'colonies' each code is that of a land province and stands once.", _STATE)
    return MappingProxyType(colonies)


def eliminated(position: Position) -> frozenset[Power]:
    """The empires that are out of the game. Raises NotUnderstood."""
    out = position.extra.get("eliminated", [])
    if not isinstance(out, list) or not _are_texts(out):
        raise _malformed("eliminated", out)
    return frozenset(map(Power, out))


def attempts_of(position: Position) -> Sequence[Mapping[str, Any]]:
    """The attempts to colonize that the end of the season will judge. Raises NotUnderstood."""
    noted = position.extra.get("attempts", [])
    keys = {"empire", "province", "rivals"}
    if not isinstance(noted, list) or not all(isinstance(each, Mapping) and keys <= each.keys() for each in noted):
        raise _malformed("attempts", noted)
    return noted


_STATE = 'Write a state such as {"empires": ["Krell", "Zorg"], "colonies": {"Krell": ["bur", "par"]}}.'


def _malformed(key: str, value: object) -> NotUnderstood:
    return NotUnderstood(f"'{key}' in the state is {value!r}.", _STATE)


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


@cache
def _land() -> frozenset[Province]:
    """The provinces that can be colonies."""
    board = standard_board()
    return frozenset(province for province in board.provinces if board.terrain(province) is not Terrain.SEA)


def colonies_by_empire(colonies: Mapping[Province, Power]) -> dict[str, list[str]]:
    """Colonies as `Position.extra` keeps them."""
    listed: dict[str, list[str]] = {}
    for province, power in sorted(colonies.items(), key=lambda entry: (entry[1], entry[0])):
        listed.setdefault(power, []).append(province)
    return listed
