"""There Are Aliens Among Us: an eighth player secretly controls units and centres of the seven powers (AU-1 to AU-17).

What differs from the standard game: `state` (who truly controls what), `orders` (adoption, what the Alien may order),
`phases` (whose orders count, random orders, builds, the end of a season), `view` (views, the Alien's review, the true
history, words). This module has the set-up and the value itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import Power, standard_board
from gm.chance import Chance
from gm.judge import RULEBOOK_1971, Rulebook
from gm.orders import UnitName
from gm.orders.legality import any_unit
from gm.position import Position
from gm.variants import Limits, Review
from gm.variants.among_us import history, orders, phases, view
from gm.variants.among_us.state import ALIEN, FILE, SAYS, Layer, adoptable_now, concealed, reopened, with_revealed
from gm.variants.standard import begun, game_of

RULEBOOK: Rulebook = replace(RULEBOOK_1971, name="1971 (without IX.3)", self_dislodgement=True)


def opening(powers: Sequence[Power], chance: Chance | None = None) -> Position:
    """Spring 1901, before any adoption."""
    return replace(begun(FILE, powers, chance), extra=Layer().extra)


def reveal(position: Position, name: UnitName) -> tuple[str, Position]:
    """The sentence for everybody when the Alien reveals a unit, and the position in which that is known (AU-13). Raises
    IllegalOrder for any other unit.
    """
    unit = any_unit(standard_board(), position.units, name)
    if not Layer.of(position).has(unit):
        raise SAYS.refusal("not to reveal", unit=unit)
    return SAYS.note("reveals", unit=unit), with_revealed(position, unit)


_ALIENS_GOAL = (
    f"the Alien: {phases.UNITS_TO_WIN} units, at least {phases.OF_ONE_NATIONALITY} of them all those of one nationality"
)
AMONG_US = replace(
    game_of(FILE),
    rulebook=RULEBOOK,
    any_rulebook=False,
    words=view.WORDS,
    language=orders.LANGUAGE,
    opening=opening,
    needs=orders.needs,
    merge=orders.merge,
    fill=phases.fill,
    resolve=phases.resolve,
    end_of_season=phases.end_of_season,
    victory=phases.victory,
    limits=Limits(phases.victory_with, phases.survivors, _ALIENS_GOAL),
    goal=f"{FILE.win} supply centres that are truly one's own; {_ALIENS_GOAL}",
    chronicle=history.chronicle,
    truth=view.truth,
    duty=view.duty,
    understand=orders.understand,
    offered=orders.offered,
    view=view.view,
    review=Review(
        seat=ALIEN,
        close=phases.close,
        reopen=reopened,
        shows=view.reviewed,
        awaited=lambda position: bool(adoptable_now(position)),
        trial=lambda game: replace(game, review=None, fill=phases.fill_on_trial),  # nothing closed, and nothing drawn
        reveal=reveal,
        conceal=concealed,
        at_close=orders.Adopt,
    ),
)
