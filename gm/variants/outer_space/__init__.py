"""...It Came from Outer Space!: empires beam their armies from orbit to an empty Europe (OS-1 to OS-16).

What differs from the standard game: `state` (names and codes of empires, the board with its orbits, set-up, what the
position stores), `orders` (beaming, colonizing), `phases` (adjudication, the end of a season, builds and removals),
`view` (with the words). This module has the value itself.
"""

from __future__ import annotations

from dataclasses import replace

from gm.variants import Seating
from gm.variants.outer_space.orders import LANGUAGE, legal_orders, merge, understand
from gm.variants.outer_space.phases import end_of_season, needs, resolve, victory
from gm.variants.outer_space.state import (
    board_of,
    empires_of,
    name_empire,
    opening,
)
from gm.variants.outer_space.view import WORDS, view
from gm.variants.standard import STANDARD

FIRST_EDITION = replace(
    STANDARD,
    name="outer-space",
    title="...It Came from Outer Space!",
    seating=Seating(fewest=2, most=None, name=name_empire),
    adjectives={},
    words=WORDS,
    language=LANGUAGE,
    opening=opening,
    powers=empires_of,
    board=board_of,
    needs=needs,
    understand=understand,
    legal_orders=legal_orders,
    resolve=resolve,
    end_of_season=end_of_season,
    victory=victory,
    view=view,
)

OUTER_SPACE = replace(FIRST_EDITION, edition=2, merge=merge)
"""A mail with lines for the orbit replaces all earlier ones (OS-16)."""
