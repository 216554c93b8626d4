"""How this game tells everybody of the Alien."""

from __future__ import annotations

from dataclasses import replace

from gm.position import parse_unit
from gm.turn import Event, Victory
from gm.variants.among_us.phases import ALIENS_COUNT, NATIONALITY
from gm.variants.among_us.state import BEGINS_AGAIN, HAS_BEGUN_AGAIN, OWNS_NOTHING
from gm.variants.standard import STANDARD
from gm.views import View


def _count(event: Event, _: View) -> str:
    number = event.facts["centers"]
    return f"The Alien owns {number} supply {'centre' if number == 1 else 'centres'}."


def _begins_again(event: Event, _: View) -> str:
    return f"{_lost(event)} The Alien begins again in another country before next Spring."


def _owns_nothing(event: Event, _: View) -> str:
    return f"{_lost(event)} In any Spring from now on the Alien may begin again, in another country."


def _lost(event: Event) -> str:
    units = map(parse_unit, event.facts["units"])
    names = ", ".join(f"{unit.power} {unit.kind} {unit.at.capitalize()}" for unit in units)
    gone = f" The Alien's units are removed: {names}." if names else ""
    return f"The Alien owns no supply centre any more.{gone}"


def _has_begun_again(_event: Event, _view: View) -> str:
    return "The Alien has begun again."


def _nationality(victory: Victory) -> str:
    facts = victory.facts
    return f"The Alien has {facts['units']} units, among them all {facts['of_power']} of {facts['power']}."


WORDS = replace(
    STANDARD.words,
    events={
        ALIENS_COUNT: _count,
        BEGINS_AGAIN: _begins_again,
        OWNS_NOTHING: _owns_nothing,
        HAS_BEGUN_AGAIN: _has_begun_again,
    },
    victories={**STANDARD.words.victories, NATIONALITY: _nationality},
)
