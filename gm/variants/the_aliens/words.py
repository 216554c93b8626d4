"""How this game tells of landings, transmitters and arrivals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gm.board import Location
from gm.judge.outcomes import Outcome
from gm.orders.notation import short, write, write_unit
from gm.position import Unit, parse_unit
from gm.turn import Event
from gm.variants.standard import STANDARD
from gm.variants.the_aliens import landing, transmitters, winter
from gm.variants.the_aliens.orders import Bring, Land
from gm.variants.the_aliens.state import HOME, KINDS
from gm.views import View

Facts = Mapping[str, Any]


def _unit(text: str) -> Unit:
    return parse_unit(text, KINDS)


def _whose(text: str) -> str:
    """`Alpha A Spa`."""
    unit = _unit(text)
    return f"{unit.power} {write_unit(unit)}"


def _place(code: str) -> str:
    return short(Location(code))


# Landing


def _landed(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Land)
    facts = outcome.facts.own
    tale = f"{write_unit(outcome.order.unit)} lands in {_place(facts['at'])}{' by lot' if facts['by_lot'] else ''}"
    bumps = "; ".join(map(_bump, facts["bumps"]))
    return f"{tale}; bumped from {bumps}" if bumps else tale


def _bump(bump: Facts) -> str:
    others = (f"{_whose(ship)} {'at' if down else 'for'} {_place(place)}" for ship, place, down in bump["by"])
    return f"{_place(bump['from'])} ({', '.join(others)})"


def _drawn(event: Event, _: View) -> str:
    facts = event.facts
    began = "came to the end of its list" if facts["listed"] else "had no list"
    return f"{_whose(facts['ship'])} {began}; drawn by lot: {', '.join(map(_place, facts['places']))}."


# Going by transmitter

_NOT_SENT = {
    transmitters.NO_AGREEMENT: "the transmitters did not agree",
    transmitters.NONE_IN_RESERVE: "no unit is left in reserve",
    transmitters.NOT_RECEIVED: f"no transmitter of its own there was ordered to receive from {HOME.capitalize()}",
    transmitters.LATER_ORDER: "it was replaced by a later order",
}


def _not_sent(outcome: Outcome) -> str:
    return f"{write(outcome.order)} is void: {_NOT_SENT[outcome.facts.own['fault']]}"


# Transmitters

_FAULTS: Mapping[str, Callable[[Facts], str]] = {
    transmitters.CONVOY_LOST: lambda _: "its convoy was lost",
    transmitters.NO_FLEET: lambda _: "no fleet was ordered to carry it",
    transmitters.OCCUPIED: lambda facts: f"{_whose(facts['by'])} is there",
    transmitters.CROSSED: lambda _: "another race's unit came the opposite way",
    transmitters.RECEIVER_DESTROYED: lambda _: "the one that was to receive it is destroyed",
    transmitters.NO_MORE: lambda _: "no more are allowed",
}


def _not_moved(outcome: Outcome) -> str:
    return _with_its_end(outcome, f"{write(outcome.order)} fails: {_fault(outcome)}")


def _no_new(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Bring)
    return _with_its_end(outcome, f"No transmitter arrives in {short(outcome.order.unit.at)}: {_fault(outcome)}")


def _unanswered(outcome: Outcome) -> str:
    return _with_its_end(outcome, f"{write(outcome.order)} is void: nobody else agreed to it")


def _in_vain(outcome: Outcome) -> str:
    return _with_its_end(outcome, f"{write(outcome.order)} is in vain: the unit did not get through")


def _fault(outcome: Outcome) -> str:
    facts = outcome.facts.own
    return _FAULTS[facts["fault"]](facts)


def _with_its_end(outcome: Outcome, said: str) -> str:
    return f"{said}; {_end(outcome)}" if "destroyer" in outcome.facts.own else said


def _end(outcome: Outcome) -> str:
    facts = outcome.facts.own
    return f"{write_unit(_unit(facts['destroyed']))} is destroyed by {_whose(facts['destroyer'])}"


def _destroyed(event: Event, _: View) -> str:
    piece, count = _unit(event.facts["transmitter"]), event.facts["count"]
    lost = f"{count} {write_unit(piece)} were" if count > 1 else f"{write_unit(piece)} was"
    return f"{piece.power}'s {lost} destroyed by {_whose(event.facts['by'])}."


# Arrivals in Winter


def _not_arrived(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Bring)
    return f"{write_unit(outcome.order.arriving)} does not arrive: {_obstacle(outcome.order, outcome.facts.own)}"


def _obstacle(order: Bring[Unit], facts: Facts) -> str:
    match facts["fault"]:
        case winter.NOT_FREE:
            return f"no {write_unit(order.unit)} is free to receive it"
        case winter.NO_MORE:
            return "no more transmitters are allowed"
        case winter.OCCUPIED:
            return f"{_whose(facts['by'])} stands there"
        case winter.CONTESTED:
            return f"{' and '.join(facts['by'])} ordered an arrival there too"
        case winter.SECOND:
            return "another unit arrives there"
    return "no unit is left in reserve"


WORDS = replace(
    STANDARD.words,
    reasons={
        landing.LANDED: _landed,
        transmitters.NOT_SENT: _not_sent,
        transmitters.NOT_MOVED: _not_moved,
        transmitters.NO_NEW: _no_new,
        transmitters.UNANSWERED: _unanswered,
        transmitters.IN_VAIN: _in_vain,
        transmitters.DESTROYED: _end,
        winter.NOT_ARRIVED: _not_arrived,
    },
    events={landing.DRAWN: _drawn, transmitters.DESTROYED: _destroyed},
)
