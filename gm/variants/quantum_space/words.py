"""How these games tell of army/fleets, of planets that come into the game, and of how they are won."""

from __future__ import annotations

from dataclasses import replace

from gm.judge.outcomes import Outcome
from gm.orders import Declaration
from gm.orders.notation import write, write_unit
from gm.turn import Event, Victory
from gm.variants.quantum_space import decks
from gm.variants.quantum_space.army_fleets import Embark
from gm.variants.quantum_space.phases import ENOUGH_CENTERS, MORE_THAN_HALF
from gm.variants.quantum_space.state import ARRIVED
from gm.variants.standard import STANDARD
from gm.views import View

# Reasons

_FAULTS = {
    decks.NO_SUCH_UNIT: "there is no such unit",
    decks.NOT_BELOW: "an army boards a fleet of its own power in the orbit above it",
    decks.CARRIES_ALREADY: "that fleet carries an army already",
    decks.NONE_ABOARD: "no army is aboard a fleet there",
    decks.TOO_FAR: "the place is not adjacent to where the fleet is or is ordered to be",
}


def _no_boarding(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Embark)
    name = f"{write_unit(outcome.order.unit)} BOARDS {write_unit(outcome.order.fleet)}"
    return f"{name} is not possible: {_fault(outcome)}"


def _no_landing(outcome: Outcome) -> str:
    return f"{_unit(outcome)} LANDS is not possible: {_fault(outcome)} (QS-13c)"


def _fault(outcome: Outcome) -> str:
    return _FAULTS[outcome.facts.own["fault"]]


def _carries_army(outcome: Outcome) -> str:
    return f"{_unit(outcome)} has an army aboard and may not convoy (QS-13b)"


def _unit(outcome: Outcome) -> str:
    assert not isinstance(outcome.order, Declaration)
    return write_unit(outcome.order.unit)


def _ashore(outcome: Outcome) -> str:
    return f"{write(outcome.order)}: the army is ashore"


def _own_landing(outcome: Outcome) -> str:
    return f"{_unit(outcome)} may not support the landing of the army that it carries: the two are one unit (QS-13f)"


def _army_first(outcome: Outcome) -> str:
    return f"{write(outcome.order)} is not possible: the army aboard must be removed first"


# Events and victories


def _arrived(event: Event, _: View) -> str:
    power, code = event.facts["power"], event.facts["code"]
    return (
        f"The planet {power} ({code.upper()}) comes into the game, with armies on {power} 1 and 3 and fleets on "
        f"{power} 6 and in {power} Orbit (QS-12)."
    )


def _more_than_half(victory: Victory) -> str:
    (centers, of_centers), (units, of_units) = victory.facts["centers"], victory.facts["units"]
    return f"{victory.winners[0]} owns {centers} of {of_centers} supply centres and has {units} of {of_units} units."


def _enough_centers(victory: Victory) -> str:
    centers, of_centers = victory.facts["centers"]
    return f"{victory.winners[0]} owns {centers} of {of_centers} supply centres."


WORDS = replace(
    STANDARD.words,
    reasons={
        decks.NO_BOARDING: _no_boarding,
        decks.NO_LANDING: _no_landing,
        decks.CARRIES_ARMY: _carries_army,
        decks.ASHORE: _ashore,
        decks.ARMY_FIRST: _army_first,
        decks.OWN_LANDING: _own_landing,
    },
    events={ARRIVED: _arrived},
    victories={**STANDARD.words.victories, MORE_THAN_HALF: _more_than_half, ENOUGH_CENTERS: _enough_centers},
)
