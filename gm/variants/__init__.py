"""The games: what each has that differs from standard, and the register of all of them.

A variant is one file beside this one and one value. No other package names a variant; they ask `variant(name)` and use
the value's fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gm.board import FiniteBoard, Power
from gm.chance import Chance
from gm.judge.rulebook import Rulebook
from gm.orders.needs import Need
from gm.position import Phase, Position
from gm.turn import SeasonCount, Turn, Victory
from gm.views import View


@dataclass(frozen=True, slots=True)
class Variant:
    """A game's rules as a value; each function is a rule of that game.

    `opening`: the position of the first phase. `board`: the board of a position (a variant may make it from the
    position). `needs`: what a power must or may adjust. `end_of_season`: what happens after a season's retreats
    (ownership, elimination). `victory`: whether the game is won, asked after each season's end. `after_season`: the
    phases that may follow a season's end, in order; the first in which anybody has something to order is played.
    `view`: what a seat may see of a position and the turn that led to it.
    """

    name: str
    title: str
    powers: tuple[Power, ...]
    adjectives: Mapping[Power, str]
    rulebook: Rulebook
    opening: Callable[[], Position]
    board: Callable[[Position], FiniteBoard]
    needs: Callable[[FiniteBoard, Position, Power], Need]
    end_of_season: Callable[[FiniteBoard, Position, Chance], tuple[Position, SeasonCount | None]]
    victory: Callable[[Position], Victory | None]
    after_season: Callable[[Phase], tuple[Phase, ...]]
    view: Callable[[Variant, Position, Turn | None, Power | None], View]

    def with_rulebook(self, rulebook: Rulebook) -> Variant:
        """The same game played by another edition of the rules."""
        return replace(self, rulebook=rulebook)


def variant(name: str) -> Variant:
    """The variant of that name. Raises KeyError."""
    return all_variants()[name.casefold()]


def all_variants() -> dict[str, Variant]:
    """Every game this server can run, by name."""
    from gm.variants import standard

    return {game.name: game for game in (standard.STANDARD,)}
