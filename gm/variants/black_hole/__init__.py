"""Black Hole Diplomacy I: after each Spring and Fall a random province vanishes (BH-1 to BH-7).

What differs from the standard game: `state` (Europe with holes, and what the position stores), `orders` (EXEMPT,
ANNOUNCE EXEMPT), `phases` (adjudication, exemptions, retreats by bearings, the end of a season), `view` (with the
words). This module has the set-up, the duties and the value itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from gm.board import Power
from gm.chance import Chance
from gm.orders.possible import Duty
from gm.position import Position
from gm.variants import Variant
from gm.variants.black_hole.orders import LANGUAGE, may_move, merge, understand
from gm.variants.black_hole.phases import end_of_season, fill, fill_at_once, resolve, victory
from gm.variants.black_hole.state import State, board_of
from gm.variants.black_hole.view import WORDS, cautions, chronicle, view
from gm.variants.standard import POWERS, STANDARD

# Set-up and duties


def opening(powers: Sequence[Power] = POWERS, chance: Chance | None = None) -> Position:
    """Spring 1901, with all provinces."""
    return State().within(STANDARD.opening(powers, chance or Chance(bytes(32))))


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """As in the standard game; a power without units may still move its exemption, if it is allowed to."""
    found = STANDARD.duty(game, position, power)
    if found is None and may_move(position, power):
        return Duty(offer=True, things="exemption")
    return found


FIRST_EDITION = replace(
    STANDARD,
    name="black-hole",
    title="Black Hole Diplomacy I",
    words=WORDS,
    language=LANGUAGE,
    opening=opening,
    board=board_of,
    duty=duty,
    understand=understand,
    merge=merge,
    fill=fill_at_once,
    resolve=resolve,
    end_of_season=end_of_season,
    victory=victory,
    view=partial(view, in_turn=False),
    cautions=cautions,
    chronicle=chronicle,
)

BLACK_HOLE = replace(FIRST_EDITION, edition=2, fill=fill, view=view)
"""Units that nobody ordered retreat after those that were ordered, and one after another (BH-5)."""
