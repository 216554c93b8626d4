"""...It Came from Outer Space!: empires beam their armies from orbit upon an empty Europe (OS-1 to OS-15).

What differs from the standard game: `state` (names and codes of empires, the board with its orbits, what the position
keeps), `orders` (beaming, colonizing), `phases` (adjudication, the end of a season, builds and removals), `view`,
`words`. Here: set-up and the value itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import Power, UnitKind
from gm.chance import Chance
from gm.position import Phase, PhaseKind, Position, Season, Unit
from gm.variants.base import Seating
from gm.variants.outer_space.orders import LANGUAGE, legal_orders, understand
from gm.variants.outer_space.phases import end_of_season, needs, resolve, victory
from gm.variants.outer_space.state import (
    ROOM,
    assign_codes,
    board_of,
    empires_of,
    name_empire,
    orbit,
)
from gm.variants.outer_space.view import view
from gm.variants.outer_space.words import WORDS
from gm.variants.standard import STANDARD

# Set-up


def opening(powers: Sequence[Power], chance: Chance | None = None) -> Position:
    """Spring 1901: three armies on board of every spacecraft, and nobody on the ground."""
    del chance
    codes = assign_codes(powers)
    armies = [Unit(power, UnitKind.ARMY, orbit(code)) for power, code in codes.items() for _ in range(ROOM)]
    return Position(
        phase=Phase(1901, Season.SPRING, PhaseKind.MOVEMENT),
        units=tuple(armies),
        centers={},
        extra={"empires": dict(codes), "colonies": {}, "eliminated": []},
    )


OUTER_SPACE = replace(
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
