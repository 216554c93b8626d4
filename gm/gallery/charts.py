"""Centres over the years as lines, ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gm.board import Power
from gm.maps.glyphs import Livery, liveries
from gm.reports.results import Years

MOST = 12
"""The most powers in a chart: those with the most centres at any time."""

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 720.0, 40.0, 150.0, 16.0, 34.0
_LABEL = 19.0
"""The height of a name beside the end of its line."""


@dataclass(frozen=True, slots=True)
class Line:
    """The centres of a power: an SVG path, and its name beside the end of it; `end` is where the path ends.

    Equal lines lie side by side.
    """

    power: Power
    livery: Livery
    path: str
    end: tuple[float, float]
    label: tuple[float, float]
    last: int


@dataclass(frozen=True, slots=True)
class Chart:
    """The lines, and the numbers along the edges as (place, text). `summary` says in words what the chart shows."""

    width: float
    height: float
    lines: tuple[Line, ...]
    years: tuple[tuple[float, str], ...]
    levels: tuple[tuple[float, str], ...]
    summary: str
    left: float = _LEFT
    right: float = _WIDTH - _RIGHT


def chart_of(history: Years, powers: Sequence[Power]) -> Chart:
    """The chart of at least two years."""
    best = {power: max(counts.get(power, 0) for _, counts in history) for power in powers}
    shown = [power for power in powers if power in sorted(powers, key=lambda one: -best[one])[:MOST]]
    height = max(300.0, _LABEL * len(shown) + _TOP + _BOTTOM)
    most = max(3, *(best[power] for power in shown)) if shown else 3
    colours = liveries(tuple(powers))

    def across(number: int) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * number / (len(history) - 1), 1)

    def down(centers: int, beside: float = 0) -> float:
        return round(height - _BOTTOM - (height - _BOTTOM - _TOP) * centers / most + beside, 1)

    last = history[-1][1]
    labels = _apart({power: down(last.get(power, 0)) for power in shown}, height)
    beside = {power: 2.0 * (place - (len(shown) - 1) / 2) for place, power in enumerate(shown)}

    def drawn(power: Power) -> Line:
        ends = [(across(n), down(counts.get(power, 0), beside[power])) for n, (_, counts) in enumerate(history)]
        path = "M" + "L".join(f"{x} {y}" for x, y in ends)
        label = (_WIDTH - _RIGHT + 14, labels[power])
        return Line(power, colours[power], path, ends[-1], label, last.get(power, 0))

    lines = tuple(map(drawn, shown))
    every = -(-len(history) // 12)
    step = -(-most // 6)
    ranked = sorted(shown, key=lambda power: -last.get(power, 0))
    told = ", ".join(f"{power} {last.get(power, 0)}" for power in ranked)
    return Chart(
        width=_WIDTH,
        height=height,
        lines=lines,
        years=tuple((across(n), str(year)) for n, (year, _) in enumerate(history) if n % every == 0),
        levels=tuple((down(level), str(level)) for level in range(0, most + 1, step)),
        summary=f"Supply centres from {history[0][0]} to {history[-1][0]}. At the end: {told}.",
    )


def _apart(wanted: dict[Power, float], height: float) -> dict[Power, float]:
    """Places for the names near those wanted, so that no two overlap and all are within the chart."""
    found: dict[Power, float] = {}
    above = -_LABEL
    for power, at in sorted(wanted.items(), key=lambda one: one[1]):
        found[power] = above = max(at, above + _LABEL)
    below = height - 8
    for power in reversed(found):
        found[power] = below = min(found[power], below)
        below -= _LABEL
    return {power: round(at, 1) for power, at in found.items()}
