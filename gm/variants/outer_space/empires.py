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
from itertools import combinations, product
from string import ascii_lowercase
from types import MappingProxyType

from gm.board import Power, Province
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
    """Each empire of the game, those that are out too, with its code; by name."""
    empires = position.extra.get("empires", ())
    codes = empires if isinstance(empires, Mapping) else assign_codes(empires)
    return {Power(name): codes[name] for name in sorted(codes)}


def empires_of(position: Position) -> tuple[Power, ...]:
    """Every empire of the game, those that are out too, by name."""
    return tuple(codes_of(position))


def colonies_of(position: Position) -> Mapping[Province, Power]:
    """Each province that is a colony, with its empire."""
    listed = position.extra.get("colonies", {})
    return MappingProxyType({Province(code): Power(name) for name, codes in listed.items() for code in codes})


def eliminated(position: Position) -> frozenset[Power]:
    """The empires that are out of the game."""
    return frozenset(map(Power, position.extra.get("eliminated", ())))


def colonies_by_empire(colonies: Mapping[Province, Power]) -> dict[str, list[str]]:
    """Colonies as `Position.extra` keeps them."""
    listed: dict[str, list[str]] = {}
    for province, power in sorted(colonies.items(), key=lambda entry: (entry[1], entry[0])):
        listed.setdefault(power, []).append(province)
    return listed
