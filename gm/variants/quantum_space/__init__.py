"""Quantum Space (1975) and Quantum Space: 3001 (1989): planets, and endless quantum space between them.

What differs from the standard game: `space` (the board), `state` (names and codes of planets, set-up, newcomers),
`orders` (how places are written, what is understood and refused), `army_fleets` and `decks` (those of 3001), `phases`
(adjudication, Winter, victory), `view` (with the words), `art` (the star chart). This module has the values of both
games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from gm.judge import RULEBOOK_1971
from gm.position import Phase, PhaseKind, Position, Season
from gm.variants import Choice, LateEntry, Seating, Variant
from gm.variants.quantum_space import army_fleets
from gm.variants.quantum_space import orders as plain
from gm.variants.quantum_space.army_fleets import legal_orders
from gm.variants.quantum_space.decks import Decks, FirstDecks
from gm.variants.quantum_space.phases import (
    needs,
    resolve,
    resolve_3001,
    victory_1975,
    victory_3001,
)
from gm.variants.quantum_space.state import (
    SETUP_1975,
    SETUP_3001,
    arrive,
    board_of,
    enlist,
    enlisted,
    name_planet,
    opening,
    powers_of,
    unlisted,
)
from gm.variants.quantum_space.view import WORDS, cautions, view, view_3001
from gm.variants.standard import STANDARD

WINTER_2500 = Phase(2500, Season.WINTER, PhaseKind.ADJUSTMENT)
SPRING_3001 = Phase(3001, Season.SPRING, PhaseKind.MOVEMENT)
"""The first phases (QS-9). In the Winter before them nothing is ordered; the powers negotiate."""


# The games


def _with_digits(most: int, opened: Callable[..., Position]) -> Mapping[str, Callable[[Variant], Variant]]:
    """The numbers of digits that a gamemaster may allow, highest first (QS-5)."""
    return {str(digits): partial(_limited, opening=partial(opened, digits=digits)) for digits in range(most, 0, -1)}


def _limited(game: Variant, opening: Callable[..., Position]) -> Variant:
    return replace(game, opening=opening)


_OPENING_1975 = partial(opening, phase=WINTER_2500, setup=SETUP_1975)
_OPENING_3001 = partial(opening, phase=SPRING_3001, setup=SETUP_3001)
_DIGITS = "how many digits the numbers of quantum spaces may have"

QUANTUM_SPACE = replace(
    STANDARD,
    name="quantum-space",
    title="Quantum Space",
    rulebook=RULEBOOK_1971,
    any_rulebook=False,
    seating=Seating(fewest=2, most=None, name=name_planet),
    adjectives={},
    words=WORDS,
    language=plain.LANGUAGE,
    opening=partial(_OPENING_1975, digits=19),
    powers=powers_of,
    board=board_of,
    needs=needs,
    understand=plain.understand,
    resolve=resolve,
    victory=victory_1975,
    view=view,
    choices=(Choice("digits", _DIGITS, _with_digits(19, _OPENING_1975)),),
)

QUANTUM_SPACE_3001 = replace(
    QUANTUM_SPACE,
    name="quantum-space-3001",
    edition=2,
    title="Quantum Space: 3001",
    rulebook=replace(RULEBOOK_1971, name="1976"),
    seating=Seating(fewest=2, most=None, name=name_planet, late=LateEntry(enlist, enlisted, unlisted, arrive)),
    language=army_fleets.LANGUAGE,
    opening=partial(_OPENING_3001, digits=10),
    understand=army_fleets.understand,
    legal_orders=legal_orders,
    resolve=partial(resolve_3001, Decks),
    victory=victory_3001,
    view=view_3001,
    cautions=cautions,
    choices=(Choice("digits", _DIGITS, _with_digits(10, _OPENING_3001)),),
)

QUANTUM_SPACE_3001_1 = replace(QUANTUM_SPACE_3001, edition=1, resolve=partial(resolve_3001, FirstDecks))
"""The first edition, before QS-13e and f."""
