"""The Aliens: ships land, armies and matter transmitters come down, and Europe is the prize (rulings AL-1 to AL-15).

What differs from the standard game: `state` (the board, what the position keeps, allowances), `orders` and
`understanding` (what is ordered, what it means), `phases` (landing, seasons), `transmitters`, `winter`, `view`,
`words`. Here: seats, set-up and the value itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gm.board import FiniteBoard, Power
from gm.chance import Chance
from gm.errors import NotUnderstood
from gm.position import Phase, Position, Season
from gm.variants.base import Choice, Seating, Variant
from gm.variants.standard import STANDARD
from gm.variants.the_aliens.orders import LANGUAGE, duty, legal_orders, merge, needs, pieces
from gm.variants.the_aliens.phases import end_of_season, resolve, victory
from gm.variants.the_aliens.state import (
    LANDING,
    LANDING_YEAR,
    State,
    alien_board,
    power_code,
)
from gm.variants.the_aliens.understanding import understand
from gm.variants.the_aliens.view import cautions, view
from gm.variants.the_aliens.words import WORDS

MOST_RACES = 12
"""So many ships always find room to land: no dozen of provinces lies next to all the others."""

LONGEST_NAME = 20


# Set-up


def name_race(text: str, taken: Sequence[Power]) -> Power:
    """The name of a race as its player chose it. Raises NotUnderstood."""
    name = " ".join(text.split())
    code = power_code(name)
    if not 2 <= len(name) <= LONGEST_NAME or not code.isascii() or not code[:1].isalpha() or "." in name:
        raise NotUnderstood(
            f"'{text}' cannot be the name of a race.", f"Use 2 to {LONGEST_NAME} letters, digits and blanks."
        )
    if code in {power_code(other) for other in taken}:
        raise NotUnderstood(f"There is a race {name} already.", "Choose another name.")
    if name.casefold() in alien_board().aliases or code in _RESERVED:
        raise NotUnderstood(f"'{name}' means something else in this game.", "Choose another name.")
    return Power(name[0].upper() + name[1:])


_RESERVED = frozenset(("all", "gm", "master", "home", "ship", "army", "fleet", "transmitter", "neutral", "public"))


def opening(powers: Sequence[Power], chance: Chance | None = None) -> Position:
    """Winter 2050: every ship is aloft, nobody owns anything (AL-1)."""
    del chance
    return Position(
        phase=Phase(LANDING_YEAR, Season.WINTER, LANDING),
        units=(),
        centers={},
        extra=State(tuple(powers)).to_json(),
    )


def _powers(position: Position) -> tuple[Power, ...]:
    return State.of(position).races


def _board(_: Position) -> FiniteBoard:
    return alien_board()


RELAY: Mapping[str, Callable[[Variant], Variant]] = {
    "no": lambda game: game,
    "yes": lambda game: replace(game, understand=partial(understand, relay=True)),
}

THE_ALIENS = replace(
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
    needs=needs,
    duty=duty,
    understand=understand,
    merge=merge,
    legal_orders=legal_orders,
    resolve=resolve,
    end_of_season=end_of_season,
    victory=victory,
    view=view,
    pieces=pieces,
    cautions=cautions,
    choices=(Choice("relay", "whether a unit may step to a transmitter and go on by it", RELAY),),
)
