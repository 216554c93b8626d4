"""How this game tells everybody of the Alien."""

from __future__ import annotations

from dataclasses import replace

from gm.position import parse_unit
from gm.turn import Event, Victory
from gm.variants.among_us.phases import ALIENS_COUNT, BEGINS_AGAIN, NATIONALITY
from gm.variants.standard import STANDARD
from gm.views import View


def _count(event: Event, _: View) -> str:
    number = event.facts["centers"]
    return f"The Alien owns {number} supply {'centre' if number == 1 else 'centres'}."


def _begins_again(event: Event, _: View) -> str:
    units = map(parse_unit, event.facts["units"])
    names = ", ".join(f"{unit.power} {unit.kind} {unit.at.capitalize()}" for unit in units)
    gone = f" The Alien's units are removed: {names}." if names else ""
    return (
        f"The Alien owns no supply centre any more.{gone} The Alien begins again in another country before next Spring."
    )


def _nationality(victory: Victory) -> str:
    facts = victory.facts
    return f"The Alien has {facts['units']} units, among them all {facts['of_power']} of {facts['power']}."


WORDS = replace(
    STANDARD.words,
    events={ALIENS_COUNT: _count, BEGINS_AGAIN: _begins_again},
    victories={**STANDARD.words.victories, NATIONALITY: _nationality},
)
