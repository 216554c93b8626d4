"""The Aliens: ships land in Europe with armies and matter transmitters, and the races fight for it (rulings AL-1 to
AL-15).

What differs from the standard game: `state` (the board, what the position stores, allowances), `orders` and
`understanding` (what can be ordered, and what it means), `landing`, `phases` (seasons), `transmitters`, `winter`,
`cautions`, `view` (with the words). This module has the seats, the set-up and the values of both editions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gm.board import FiniteBoard, Power
from gm.chance import Chance
from gm.errors import NotUnderstood
from gm.position import Phase, Position, Season
from gm.variants import Choice, Seating, Variant
from gm.variants.standard import STANDARD
from gm.variants.the_aliens import state
from gm.variants.the_aliens.cautions import cautions
from gm.variants.the_aliens.landing import descend, descend_by_lot
from gm.variants.the_aliens.orders import LANGUAGE, Arrive, ForcedArrival, duty, legal_orders, merge, needs, pieces
from gm.variants.the_aliens.phases import Rules, end_of_season, resolve, victory
from gm.variants.the_aliens.state import (
    LANDING,
    LANDING_YEAR,
    State,
    alien_board,
    power_code,
    ships_each,
    starting_units,
)
from gm.variants.the_aliens.understanding import Relaying, anywhere, understand, where_vacant
from gm.variants.the_aliens.view import WORDS, view

MOST_RACES = 12
"""The number of ships that always find room to land: no twelve provinces border all the others."""

LONGEST_NAME = 20


# Set-up


def name_race(text: str, taken: Sequence[Power]) -> Power:
    """The name of a race as its player wrote it. Raises NotUnderstood for a name that is not allowed."""
    name = " ".join(text.split())
    code = power_code(name)
    if not 2 <= len(name) <= LONGEST_NAME or not code.isascii() or not name[0].isalpha() or "." in name:
        raise NotUnderstood(
            f"'{text}' cannot be the name of a race.", f"Use 2 to {LONGEST_NAME} letters, digits and blanks."
        )
    if code in {power_code(other) for other in taken}:
        raise NotUnderstood(f"There is a race {name} already.", "Choose another name.")
    if name.casefold() in alien_board().aliases or code in _RESERVED:
        raise NotUnderstood(f"'{name}' means something else in this game.", "Choose another name.")
    return Power(name[0].upper() + name[1:])


_RESERVED = frozenset(("all", "gm", "master", "home", "ship", "army", "fleet", "transmitter", "neutral", "public"))


def opening(powers: Sequence[Power], chance: Chance | None = None, *, noted: bool = True) -> Position:
    """Winter 2050: every ship is aloft, and all centres are neutral (AL-1).

    `noted`: the position says which races' army in reserve has not come, so that losses in 2051 are not replaced
    (AL-4).
    """
    del chance
    waiting = frozenset(powers) if noted and starting_units(len(powers)) > ships_each(len(powers)) else None
    return Position(
        phase=Phase(LANDING_YEAR, Season.WINTER, LANDING),
        units=(),
        centers={},
        extra=State(tuple(powers), waiting=waiting).to_json(),
    )


def _powers(position: Position) -> tuple[Power, ...]:
    return State.of(position).races


def _board(_: Position) -> FiniteBoard:
    return alien_board()


def _edition(number: int, rules: Rules, relaying: Relaying) -> Variant:
    """The game by an edition of its rules."""
    supply = rules.supply
    ways: Mapping[str, Callable[[Variant], Variant]] = {
        "no": lambda game: game,
        "yes": lambda game: replace(game, understand=partial(understand, supply, relay=relaying)),
    }
    return replace(
        _COMMON,
        edition=number,
        needs=partial(needs, supply),
        duty=partial(duty, supply),
        understand=partial(understand, supply),
        merge=partial(merge, supply),
        legal_orders=partial(legal_orders, supply),
        resolve=partial(resolve, rules),
        view=partial(view, supply),
        pieces=partial(pieces, supply),
        cautions=partial(cautions, supply),
        choices=(Choice("relay", "whether a unit may step to a transmitter and go on by it", ways),),
    )


_COMMON = replace(
    STANDARD,
    name="the-aliens",
    title="The Aliens",
    seating=Seating(fewest=2, most=MOST_RACES, name=name_race),
    adjectives={},
    words=WORDS,
    language=LANGUAGE,
    opening=opening,
    powers=_powers,
    board=_board,
    end_of_season=end_of_season,
    victory=victory,
)

FIRST_EDITION = replace(
    _edition(1, Rules(state.FIRST_EDITION, descend_by_lot, ForcedArrival, in_vain=False), anywhere),
    opening=partial(opening, noted=False),
)

THE_ALIENS = _edition(2, Rules(state.SUPPLY, descend, Arrive), where_vacant)
"""Ships without a choice wait, losses of 2051 are not replaced, arrivals dislodge nothing, relays need a vacant
space.
"""
