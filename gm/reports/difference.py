"""What differs between two adjudications of one phase, in a line for each unit, as a corrected report says it."""

from __future__ import annotations

from collections.abc import Sequence

from gm.orders import unit_of
from gm.orders.notation import write
from gm.reports.explain import mark
from gm.turn import Turn
from gm.views import Words

_MOST = 30
"""The most lines; a report of very many powers has the rest in its results."""


def difference(before: Turn, after: Turn, words: Words) -> tuple[str, ...]:
    """A line for each unit whose order or its result is another than before: `Germany: A Mun-Tyr (bounce); before: A
    Mun H`. Of two turns as one reader sees them it tells only what that reader may know.
    """
    old, new = _told(before, words), _told(after, words)
    keys = dict.fromkeys((*new, *old))
    lines = [
        f"{power}: {new.get((power, thing), 'no order')}; before: {old.get((power, thing), 'no order')}"
        for power, thing in keys
        if new.get((power, thing)) != old.get((power, thing))
    ]
    more = len(lines) - _MOST
    return (*lines[:_MOST], *([f"and {more} more"] if more > 0 else ()))


def told_to(power: str | None, differs: Sequence[str]) -> tuple[str, ...]:
    """The sentences for the player of a power, theirs first; or for somebody who plays none."""
    if power is None:
        return (f"What differs: {'. '.join(differs) or 'nothing that you can see'}.",)
    own = [line for line in differs if line.startswith(f"{power}: ")]
    others = [line for line in differs if line not in own]
    return (
        f"What it means for you: {'. '.join(own) or 'nothing differs for your units'}.",
        f"What differs for others: {'. '.join(others) or 'nothing that you can see'}.",
    )


def _told(turn: Turn, words: Words) -> dict[tuple[str, object], str]:
    """Each order with its result, by its power and unit; by itself where it has none."""
    found: dict[tuple[str, object], str] = {}
    for outcome in turn.outcomes:
        unit, said = unit_of(outcome.order), mark(outcome, words)
        power = getattr(unit or outcome.order, "power", "")
        found[str(power), unit or outcome.order] = write(outcome.order) + (f" ({said})" if said else "")
    return found
