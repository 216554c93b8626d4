"""Colours and letters of powers on a map.

The first seven colours are told apart by people who see few colours (after Okabe and Ito's set), differing in lightness
as well; whoever sees none reads the letters. Games with more powers go on round the circle of hues.
"""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType

from gm.board import Power

SEA = "#dbe7ee"
LAND = "#f5efdf"
NOT_PLAYED = "#e2ded3"
INK = "#22262b"
ALARM = "#b3001b"
GAIN = "#1b6e3c"

NO_CODES: Mapping[Power, str] = MappingProxyType({})

_FIRST = ("#d55e00", "#0064a8", "#5cb6e8", "#4b4b4b", "#009e73", "#b4659e", "#e8c81c", "#a59c84", "#6230b5")
_FEW = 2
_GOLDEN = 0.618034


@dataclass(frozen=True, slots=True)
class Livery:
    """How a power is shown: the colour of its units, the tint of its land, what is written on either, its letters."""

    strong: str
    tint: str
    ink: str
    tag: str


STRANGER = Livery("#a59c84", "#d1c9b5", "#111111", "")
"""Of units that belong to no power of the game."""


def liveries(powers: Sequence[Power], codes: Mapping[Power, str] = NO_CODES) -> dict[Power, Livery]:
    """One for each power of a game, in the order of the game. `codes` are those that players know."""
    marks = tags(powers, codes)
    return {
        power: Livery(strong, mixed(strong, LAND, 0.46), _ink(strong), marks[power])
        for power, strong in zip(powers, _colours(), strict=False)
    }


def _colours() -> Iterator[str]:
    yield from _FIRST
    for number in count():
        red, green, blue = colorsys.hls_to_rgb(number * _GOLDEN % 1, (0.34, 0.66, 0.5)[number % 3], 0.62)
        yield f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def tags(powers: Sequence[Power], codes: Mapping[Power, str] = NO_CODES) -> dict[Power, str]:
    """The initial of every power; of those that share one their codes, else first letters, as many as it takes.

    Where more than a few share theirs, no power has its initial alone.
    """
    names = {power: "".join(filter(str.isalnum, power.removeprefix("the "))) or power for power in powers}
    initials = Counter(name[:1].casefold() for name in names.values())
    shared = {power for power, name in names.items() if initials[name[:1].casefold()] > 1}
    if len(shared) > _FEW:
        shared = set(names)
    for length in (3, 4, 5):
        begun = {power: name[: length if power in shared else 1] for power, name in names.items()}
        found = {power: codes.get(power, begun[power]) if power in shared else begun[power] for power in powers}
        if len({tag.casefold() for tag in found.values()}) == len(found):
            return {power: tag.capitalize() for power, tag in found.items()}
    return {power: str(number) for number, power in enumerate(names, 1)}


def mixed(colour: str, ground: str, share: float) -> str:
    """A colour laid over a ground with an opacity of `share`."""
    both = zip(_channels(colour), _channels(ground), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in both)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _ink(ground: str) -> str:
    red, green, blue = _channels(ground)
    return "#ffffff" if 0.299 * red + 0.587 * green + 0.114 * blue < 140 else "#111111"
