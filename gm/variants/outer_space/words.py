"""How this game tells of colonies, and of those that came to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gm.board import Location
from gm.judge.outcomes import Outcome
from gm.orders.notation import write
from gm.turn import Event, Victory
from gm.variants.outer_space.phases import COLONIZED, DISSOLVED, NOBODY_LEFT, NOT_COLONIZED, PENDING
from gm.variants.standard import STANDARD
from gm.views import View

# Reasons


def _succeeds(outcome: Outcome) -> str:
    return f"{write(outcome.order)} succeeds"


def _pending(outcome: Outcome) -> str:
    return f"{write(outcome.order)} is judged after the retreats"


def _fails(outcome: Outcome) -> str:
    return f"{write(outcome.order)} fails: {_in_the_way(outcome.facts.own)}"


def _in_the_way(facts: Mapping[str, Any]) -> str:
    if "occupant" in facts:
        return f"{facts['occupant']} stands there"
    return f"{' and '.join(facts['rivals'])} tried for it too"


# Events


def _colonized(event: Event, view: View) -> str:
    empire = event.facts["empire"]
    places = (
        view.board.full_name(Location(province)) + _since(owner, empire) for province, owner in event.facts["provinces"]
    )
    return f"{empire} colonizes {', '.join(places)}."


def _since(owner: str | None, empire: str) -> str:
    """Whose colony the province was, if it was one."""
    if owner is None:
        return ""
    return " (its colony already)" if owner == empire else f" (until now {owner}'s)"


def _not_colonized(event: Event, view: View) -> str:
    place = view.board.full_name(Location(event.facts["province"]))
    return f"{event.facts['empire']} does not colonize {place}: {_in_the_way(event.facts)}."


def _dissolved(_: Event, __: View) -> str:
    return "Who has no centre after Fall is out: the units are disbanded, the colonies neutral again (OS-14)."


def _nobody_left(_: Victory) -> str:
    return "Every empire is eliminated, and Earth is left to itself."


WORDS = replace(
    STANDARD.words,
    reasons={COLONIZED: _succeeds, NOT_COLONIZED: _fails, PENDING: _pending},
    events={COLONIZED: _colonized, NOT_COLONIZED: _not_colonized, DISSOLVED: _dissolved},
    victories={**STANDARD.words.victories, NOBODY_LEFT: _nobody_left},
)
