"""What a game's players may write beyond the standard orders: said by the variant, read by parsing and the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gm.board import FiniteBoard, Location, Power
from gm.position import STANDARD_KINDS, Kinds, Position


@dataclass(frozen=True, eq=False)
class Dialect:
    """What a variant adds to the language of orders.

    `grammar` is the name of a file in `grammars/` that extends the rules of `orders.lark`; `makers` turns each of its
    rules' parts into an order, by the rule's name. Compared by identity: make one for a variant, not one for a game.
    """

    grammar: str
    makers: Mapping[str, Callable[..., Any]]
    brackets: tuple[str, ...] = ()
    """Letters that mean something in brackets, which thus name no coast: `s` where `T KIE (S) GRE` is written."""
    whole: str = ""
    """A pattern for the beginning of (folded) lines that are one list: these are not taken apart at their commas."""
    blank: str = ""
    """A pattern for lines of this game's forms that were left as they came; names are single characters in it."""


@dataclass(frozen=True)
class ComputedNames:
    """Places that a pattern names: `q[1-9][0-9]*` (folded).

    `location` answers None for a name not on the board, or raises NotUnderstood to say why it is none. `stems` are
    words of which one stands before the pattern (any number of them). `where` is a pattern of no width that must
    hold in the line where the name begins, for names that are words of every day too.
    """

    pattern: str
    location: Callable[[str], Location | None]
    stems: tuple[str, ...] = ()
    where: str = ""


def _no_spellings(_: Position) -> Mapping[str, Power]:
    return {}


def _nothing_computed(_: FiniteBoard) -> tuple[ComputedNames, ...]:
    return ()


@dataclass(frozen=True, eq=False)
class Language:
    """A game's language. Compared by identity: make one for a variant.

    `kinds`: its kinds of unit, season and phase. `dialects`: its own grammar. `computed`: the places of a board that
    cannot be listed. `spellings`: other words for the powers of a position. `orders`: its own order types, so that the
    store can read them back.
    """

    kinds: Kinds = STANDARD_KINDS
    dialects: tuple[Dialect, ...] = ()
    computed: Callable[[FiniteBoard], tuple[ComputedNames, ...]] = _nothing_computed
    spellings: Callable[[Position], Mapping[str, Power]] = _no_spellings
    orders: tuple[type, ...] = ()


PLAIN = Language()
"""The orders of the standard game, for powers that are called by their names alone."""
