"""The results of a turn by power: order lines with marks and reasons, dislodgements, centres, units, victory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gm.board import Power
from gm.judge.outcomes import Outcome, Why
from gm.orders import Hold, power_of
from gm.orders.notation import write_unit
from gm.position import Dislodged, PhaseKind, Unit
from gm.reports.explain import mark, sentence
from gm.reports.form import more_refuges, retreat_places, unit_names
from gm.reports.longhand import Longhand, by_unit
from gm.reports.words import listed
from gm.turn import ELIMINATED, Turn
from gm.views import View, Words

MANY_POWERS = 12
"""With up to so many powers, readers find their own at a glance."""


@dataclass(frozen=True, slots=True)
class ResultLine:
    """An order in full words, the judges' mark (`bounce`; "" where all went well) and the reason as a sentence.

    `reason` is "" where the line says it all: an order that succeeded with nobody against it.
    """

    order: str
    mark: str
    reason: str


@dataclass(frozen=True, slots=True)
class PowerResults:
    """All orders of a power."""

    power: Power
    lines: tuple[ResultLine, ...]


def results(view: View, turn: Turn, words: Longhand) -> tuple[PowerResults, ...]:
    """The orders by power, in the game's order of powers and the position's of units; powers without any left out.

    Among many powers the reader's own comes first. Equal lines of a power are written once, with their number.
    """
    by_power: dict[Power, list[ResultLine]] = {power: [] for power in _own_first(view)}
    place = by_unit(_ordered_units(turn))
    for outcome in sorted(turn.outcomes, key=lambda outcome: place(outcome.order)):
        power = _power_of(outcome)
        reason = " ".join(filter(None, [_omission(outcome, power, turn), _reason(outcome, view)]))
        by_power[power].append(ResultLine(words.order(outcome.order), mark(outcome), reason))
    if turn.before.phase.kind is PhaseKind.MOVEMENT:
        by_power = {power: list(_once(lines)) for power, lines in by_power.items()}
    return tuple(PowerResults(power, tuple(lines)) for power, lines in by_power.items() if lines)


def _own_first(view: View) -> tuple[Power, ...]:
    powers, own = view.powers, view.seat
    if len(powers) <= MANY_POWERS or own not in powers:
        return powers
    return (own, *(power for power in powers if power != own))


def _once(lines: list[ResultLine]) -> Iterator[ResultLine]:
    """The lines, each once and with how often it came."""
    for line, count in Counter(lines).items():
        yield line if count == 1 else replace(line, order=f"{line.order} ({count} times)")


def _ordered_units(turn: Turn) -> tuple[Unit, ...]:
    match turn.before.phase.kind:
        case PhaseKind.RETREAT:
            return tuple(d.unit for d in turn.before.dislodged)
        case PhaseKind.ADJUSTMENT:
            return ()
        case _:
            return turn.before.units


def _omission(outcome: Outcome, power: Power, turn: Turn) -> str:
    """That a unit got no order, if its power sent others; civil disorder has a sentence of its own."""
    order = outcome.order
    if not isinstance(order, Hold) or power in turn.silent:
        return ""
    return "" if order in turn.orders.get(power, ()) else "It was given no order."


def _reason(outcome: Outcome, view: View) -> str:
    facts = outcome.facts
    contested = facts.against or facts.by or facts.lost or facts.dislodged or outcome.dislodged_by
    given = facts.why is not Why.UNORDERED or isinstance(outcome.order, Hold)
    if outcome.succeeded and given and not (contested or facts.convoyed or facts.are_of_variant):
        return ""
    return sentence(outcome, view.board, view.words)


def _power_of(outcome: Outcome) -> Power:
    power = power_of(outcome.order)
    if power is None:
        raise ValueError("a waived build among the outcomes names no power")
    return power


def silence(view: View, turn: Turn) -> str:
    """A sentence on the powers in civil disorder, or ""."""
    if not turn.silent:
        return ""
    kind = turn.before.phase.kind
    fate = view.fates[kind].sentence if kind in view.fates else _FATES.get(kind, "the units held")
    return f"Civil disorder: {listed(turn.silent)} sent no orders, so {fate}."


_FATES = {
    PhaseKind.RETREAT: "the dislodged units disbanded",
    PhaseKind.ADJUSTMENT: "builds were waived and removals made by the rules",
}


def dislodgements(view: View, turn: Turn, words: Longhand) -> tuple[str, ...]:
    """A sentence for each unit dislodged in this turn: where it can retreat to, or that it was destroyed."""
    alive = [
        (d, [*(words.place(at) for at in retreat_places(view, d)), *filter(None, [more_refuges(view, d)])])
        for d in turn.after.dislodged
    ]
    return tuple(
        f"{_placed(d, words)} can retreat to {listed(places, 'or')}."
        if places
        else f"{_placed(d, words)} cannot retreat anywhere and must disband."
        for d, places in alive
    ) + tuple(f"{_placed(d, words)} had nowhere to retreat and was destroyed." for d in turn.destroyed)


def _placed(dislodged: Dislodged, words: Longhand) -> str:
    """`The Austrian Army in Vienna`; where powers have no adjectives `Krell's Army in Vienna`."""
    unit = dislodged.unit
    article = "The " if unit.power in words.adjectives else ""
    return f"{article}{words.adjective(unit.power)} {unit.kind.word.capitalize()} in {words.placed(unit.at)}"


def unit_lines(view: View) -> tuple[tuple[Power, str], ...]:
    """Each power's units in short notation; dislodged ones say so."""
    position = view.position
    every = {
        power: unit_names(position.units_of(power))
        + [f"{write_unit(d.unit)} (dislodged)" for d in position.dislodged_of(power)]
        for power in view.powers
    }
    return tuple((power, ", ".join(units)) for power, units in every.items() if units)


def events(view: View, turn: Turn) -> tuple[str, ...]:
    """A sentence for each event beside the orders, except eliminations, which are listed with the centres."""
    return tuple(view.words.event(event, view) for event in turn.events if event.kind != ELIMINATED)


def victory(turn: Turn, words: Words) -> str:
    """A sentence on how the game ended, or ""."""
    if turn.victory is None:
        return ""
    winners, reason = turn.victory.winners, words.victory(turn.victory)
    end = f"{winners[0]} has won" if len(winners) == 1 else f"The game is drawn between {listed(winners)}"
    return f"{end}: {reason}" if winners else reason
