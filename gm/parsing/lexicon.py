"""The names of one board and its powers, in every spelling: what the grammars read as PLACE and POWER.

A variant whose names cannot be listed (`Q31415`) hands in patterns besides; one with orders of its own hands in a
`Dialect`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from gm.board import FiniteBoard, Location, Power
from gm.errors import NotUnderstood
from gm.parsing.script import fold_name

COASTS = {"n": "north coast", "s": "south coast", "e": "east coast", "w": "west coast"}
_SPELT = r"(?:c|\.c\.?|(?:orth|outh|ast|est)(?:ern)?[ ]+coast)"
COAST_PATTERN = (
    rf"(?:/[ ]*[nsew]{_SPELT}?|\.[nsew]c|-?[ ]*\([ ]*[nsew]{_SPELT}?[ ]*\)|[ ]*[ -][nsew]{_SPELT})(?![a-z0-9])"
)
"""What may follow a province's name to say its coast: `/sc`, `(sc)`, ` sc`, `(south coast)`, ` south coast`, `-sc`."""

_COAST = re.compile(COAST_PATTERN + "$")

ADJECTIVES = {
    "Austria": ("austrian", "austro-hungarian", "austria-hungary", "austrians", "aus", "aut"),
    "England": ("english", "britain", "great britain", "british", "eng", "gb"),
    "France": ("french", "fra", "fre"),
    "Germany": ("german", "germans", "ger"),
    "Italy": ("italian", "italians", "ita"),
    "Russia": ("russian", "russians", "rus"),
    "Turkey": ("turkish", "turks", "ottoman", "tur"),
}
"""Other words for countries of the world; used for those that are powers of the game."""


@dataclass(frozen=True)
class Dialect:
    """What a variant adds to the language of orders.

    `grammar` is the name of a file in `grammars/` that extends the rules of `orders.lark`; `makers` turns each of its
    rules' parts into an order, by the rule's name.
    """

    grammar: str
    makers: Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class ComputedNames:
    """Places that a pattern names: `Q[1-9][0-9]*`. `location` answers None for a name that is not on the board."""

    pattern: str
    location: Callable[[str], Location | None]


class Lexicon:
    """Spellings to locations and powers. Compared by identity; build one for a game and keep it (`lexicon_of` does)."""

    def __init__(
        self,
        board: FiniteBoard,
        powers: Iterable[Power],
        *,
        spellings: Mapping[str, Power] = MappingProxyType({}),
        computed: tuple[ComputedNames, ...] = (),
        dialects: tuple[Dialect, ...] = (),
    ) -> None:
        self.board = board
        self.powers = tuple(powers)
        self.computed = computed
        self.dialects = dialects
        self.places: Mapping[str, Location] = {fold_name(name): at for name, at in board.aliases.items()}
        self.power_names: Mapping[str, Power] = _power_names(self.powers, spellings)
        self._place = lru_cache(maxsize=4096)(self._find_place)

    def place(self, text: str) -> Location:
        """The location that folded text names, its coast included. Raises NotUnderstood (DATC 6.B.14 for coasts)."""
        return self._place(text)

    def power(self, text: str) -> Power | None:
        """The power that a word names, in any case and as an adjective too; None if none."""
        return self.power_names.get(fold_name(text))

    def nearest_place(self, text: str) -> str:
        """`Par (Paris)` for `pars`; empty when nothing is near."""
        near = get_close_matches(fold_name(text), self.places, n=1, cutoff=0.6)
        return self.describe(self.places[near[0]]) if near else ""

    def nearest_power(self, text: str) -> Power | None:
        """The power whose name is nearest, if any is near."""
        near = get_close_matches(fold_name(text), self.power_names, n=1, cutoff=0.6)
        return self.power_names[near[0]] if near else None

    def describe(self, at: Location) -> str:
        """A location for a complaint: `Stp/sc (St Petersburg (south coast))`."""
        name = self.board.full_name(at)
        return f"{at.capitalize()} ({name})" if name.lower() != at else name

    def _find_place(self, text: str) -> Location:
        name = fold_name(text)
        coast = None if name in self.places else _COAST.search(name)
        if coast is not None:
            name = name[: coast.start()].rstrip()
        at = self._named(name)
        if at is None:
            near = self.nearest_place(name)
            raise NotUnderstood(f"{text!r} is not a place on the board.", f"Did you mean {near}?" if near else "")
        if coast is None:
            return at
        return self._coast(at, coast.group().lstrip("/.-( ")[0])

    def _named(self, name: str) -> Location | None:
        if name in self.places:
            return self.places[name]
        for names in self.computed:
            if re.fullmatch(names.pattern, name):
                return names.location(name)
        return None

    def _coast(self, at: Location, letter: str) -> Location:
        located = Location(f"{at}/{letter}c")
        if self.board.exists(located):
            return located
        fleets = [coast for coast in self.board.coasts(self.board.province(at)) if "/" in coast]
        remedy = f"Write {' or '.join(map(str.capitalize, fleets))}." if fleets else f"Write {at.capitalize()} alone."
        raise NotUnderstood(f"{self.board.full_name(at)} has no {COASTS[letter]}.", remedy)


def _power_names(powers: tuple[Power, ...], spellings: Mapping[str, Power]) -> dict[str, Power]:
    names = {fold_name(power): power for power in powers}
    names |= {fold_name(spelling): power for spelling, power in spellings.items()}
    for power in powers:
        for word in ADJECTIVES.get(power, ()):
            names.setdefault(word, power)
    return names


@lru_cache(maxsize=256)
def lexicon_of(board: FiniteBoard, powers: tuple[Power, ...]) -> Lexicon:
    """The lexicon of a board and its powers, built once."""
    return Lexicon(board, powers)
