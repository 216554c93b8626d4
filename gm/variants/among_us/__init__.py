"""There Are Aliens Among Us: an eighth player secretly controls units and centres of the seven powers (AU-1 to AU-13).

What differs from the standard game: `state` (who truly controls what), `orders` (adoption, what the Alien may order),
`phases` (whose orders stand, orders drawn for the silent, builds, the end of a season), `view` (views, the Alien's
review, the true history), `words`. Here: set-up and the value itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import Power
from gm.board.table import standard_board
from gm.chance import Chance
from gm.errors import IllegalOrder
from gm.judge.rulebook import RULEBOOK_1971, Rulebook
from gm.orders import UnitName
from gm.orders.legality import any_unit
from gm.orders.notation import write_unit
from gm.position import Position
from gm.variants.among_us.orders import LANGUAGE, merge, needs, understand
from gm.variants.among_us.phases import close, end_of_season, fill, resolve, victory
from gm.variants.among_us.state import ALIEN, NEUTRALS, Layer, must_adopt
from gm.variants.among_us.view import chronicle, duty, reviewed, view
from gm.variants.among_us.words import WORDS
from gm.variants.base import Review, Seating, Variant
from gm.variants.standard import ADJECTIVES, POWERS, STANDARD
from gm.variants.standard import opening as standard_opening

RULEBOOK: Rulebook = replace(RULEBOOK_1971, name="1971 (without IX.3)", self_dislodgement=True)


def opening(powers: Sequence[Power], chance: Chance | None = None) -> Position:
    """Spring 1901, with nothing adopted yet."""
    return replace(standard_opening(powers, chance), extra=Layer().extra)


def _powers(_: Position) -> tuple[Power, ...]:
    return (*POWERS, NEUTRALS, ALIEN)


def reveal(position: Position, name: UnitName) -> str:
    """What everybody is told when the Alien shows a unit (AU-13). Raises IllegalOrder for any other."""
    unit = any_unit(standard_board(), position.units, name)
    if not Layer.of(position).has(unit):
        raise IllegalOrder(f"{write_unit(unit)} is not yours to reveal.", "Name a unit that you control.")
    return f"The Alien reveals control of {ADJECTIVES.get(unit.power, 'Neutral')} {write_unit(unit)}."


AMONG_US: Variant = replace(
    STANDARD,
    name="among-us",
    title="There Are Aliens Among Us",
    rulebook=RULEBOOK,
    seating=Seating(fewest=8, most=8, powers=(*POWERS, ALIEN), secret=frozenset((ALIEN,))),
    adjectives={**ADJECTIVES, NEUTRALS: "Neutral"},
    words=WORDS,
    language=LANGUAGE,
    opening=opening,
    powers=_powers,
    needs=needs,
    duty=duty,
    understand=understand,
    merge=merge,
    fill=fill,
    resolve=resolve,
    end_of_season=end_of_season,
    victory=victory,
    view=view,
    review=Review(seat=ALIEN, close=close, shows=reviewed, awaited=must_adopt, reveal=reveal),
    chronicle=chronicle,
)
