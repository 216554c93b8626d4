"""The legend of a map: the signs that occur with their meanings, and the powers with their centres, ranked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gm.maps.arrows import Drawing
from gm.maps.glyphs import NAME, Livery, MarkSign, Standoff, State, UnitSign, shape_of
from gm.maps.layout import Ground
from gm.maps.letters import across
from gm.position import PhaseKind
from gm.turn import SeasonCount

TEXT = NAME
ROW = 38.0
EDGE = 12.0
SIGN = 42.0
"""From an entry's left edge to its text."""
_SHIELD = 20.0
"""The room of a unit beyond the sheet."""

_MEANINGS = {
    "move": "moves",
    "wave": "by sea",
    "support": "supports",
    "ring": "convoys",
    "cross": "fails",
    "hold": "holds",
    "standoff": "standoff",
    "dislodged": "dislodged",
    "new": "built",
    "gone": "gone",
}
_OF_ORDERS = {"cross": "look again", "gone": "removed"}
"""What signs mean before anything is adjudicated."""


SIGNS_IN_WORDS = (
    "On the map a shield is an army and a boat a fleet, in the colour of their power and with its letter. A small"
    " circle is a supply centre, and land has the colour of its owner. An arrow is a move, a dotted line a support, a"
    " ring a convoy and an octagon a hold; a cross is on what failed, and a star where units bounced. The legend below"
    " the map has those that are on it, and those that only this game has."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign and its meaning. `sign` names the sample, `sample` is the SVG if it is a mark's; `beyond` is the number of
    units that a power has beyond the sheet, the first of them `behind` units from the left edge.
    """

    x: float
    y: float
    sign: str
    text: str
    livery: Livery | None = None
    beyond: int = 0
    sample: str = ""
    behind: float = 0.0


@dataclass(frozen=True, slots=True)
class Legend:
    """The entries in rows; positions are relative to the legend's upper left corner."""

    title: str
    height: float
    entries: tuple[Entry, ...]


def legend(
    ground: Ground, drawing: Drawing, units: Sequence[UnitSign | Standoff], marks: Iterable[MarkSign], width: float
) -> Legend:
    """The legend of a map with this width."""
    title = _title(ground)
    cursor_x, cursor_y = EDGE + len(title) * 34 * 0.5 + 24, ROW * 0.75
    entries: list[Entry] = []
    for sign, text, sample in _key(ground, drawing, units, marks):
        room = _reach(text) + 14
        if cursor_x + room > width - EDGE:
            cursor_x, cursor_y = EDGE, cursor_y + ROW
        entries.append(Entry(cursor_x, cursor_y, sign, text, sample=sample))
        cursor_x += room
    powers = list(_powers(ground))
    below = _rows([_reach(text) + _SHIELD * beyond for _, text, beyond in powers], cursor_y + ROW * 1.15, width)
    for (livery, text, beyond), (x, y) in zip(powers, below, strict=True):
        behind = _reach(text) + 0.8 * _SHIELD if beyond else 0
        entries.append(Entry(x, y, "power", text, livery, beyond, behind=behind))
    lowest = below[-1][1] if below else cursor_y + ROW * 1.15
    return Legend(title, lowest + _LAST, tuple(entries))


def with_texts(key: Legend, title: str, texts: Sequence[str], width: float) -> Legend:
    """The legend of a map with this width under another title, with texts below that have no signs."""
    below = _rows([across(text, TEXT, 600) for text in texts], key.height - _LAST + ROW * 1.15, width)
    entries = (Entry(x - SIGN, y, "", text) for text, (x, y) in zip(texts, below, strict=True))
    return Legend(title, below[-1][1] + _LAST if below else key.height, (*key.entries, *entries))


_LAST = ROW * 0.65
"""From the middle of the last row to the lower edge."""


def _rows(lengths: Sequence[float], top: float, width: float) -> list[tuple[float, float]]:
    """Where entries of these lengths stand, in columns as wide as the longest; the first at the height `top`."""
    widest = max(lengths, default=1) + 14
    columns = max(1, min(len(lengths), int((width - 2 * EDGE) // widest)))
    pitch = (width - 2 * EDGE) / columns
    return [(EDGE + n % columns * pitch, top + n // columns * ROW) for n in range(len(lengths))]


def _reach(text: str) -> float:
    """From an entry's left edge to the end of its text."""
    return SIGN + across(text, TEXT, 600)


def _title(ground: Ground) -> str:
    turn = ground.view.turn
    phase = turn.before.phase if turn is not None else ground.view.position.phase
    name = f"{phase.season.capitalize()} {phase.year}"
    if ground.view.trial:
        return f"{name}: your orders"
    return f"{name}: {phase.kind.heading}" if turn is not None else name


def _powers(ground: Ground) -> Iterator[tuple[Livery, str, int]]:
    """The powers that have something, or had it before the turn that is shown, those with most centres first, with the
    number of their centres and of their units beyond the sheet.
    """
    position, turn = ground.view.position, ground.view.turn
    seen = (turn.before, position) if turn is not None else (position,)
    marked = {mark.power for mark in ground.view.marks}
    count = (turn and turn.count) or SeasonCount()
    owned = Counter(position.centers.values())
    for power, livery in sorted(ground.liveries.items(), key=lambda one: -owned[one[0]]):
        change = count.change(power)
        beyond = sum(unit.power == power and not ground.shown(unit.at) for unit in position.units)
        if power in marked or not position.centers or any(one.holds(power) for one in seen):
            number = f" {owned[power]}" + (f" ({change:+d})" if change else "")
            yield livery, power + number * (power in ground.view.counted), beyond


def _key(
    ground: Ground, drawing: Drawing, units: Sequence[UnitSign | Standoff], marks: Iterable[MarkSign]
) -> Iterator[tuple[str, str, str]]:
    """The kinds of units and the signs that occur: the name of the sample, its meaning, and the path if it is a unit's,
    the SVG if it is a mark's.
    """
    kinds = {stroke.kind for stroke in drawing.strokes}
    states = {unit.state for unit in units if isinstance(unit, UnitSign)}
    occurring = {
        "move": not kinds.isdisjoint({"move", "wave"}),
        "unarmed": "unarmed" in kinds,
        "wave": "wave" in kinds,
        "support": "support" in kinds,
        "ring": bool(drawing.rings),
        "cross": bool(drawing.crosses),
        "hold": bool(drawing.holds),
        "standoff": any(isinstance(unit, Standoff) for unit in units),
        "leap": "leap" in kinds,
        "arrival": any(not ray.up for ray in drawing.rays),
        "departure": any(ray.up for ray in drawing.rays),
        "dislodged": State.DISLODGED in states,
        "new": State.NEW in states,
        "gone": State.GONE in states,
        "aboard": any(not ground.shown(unit.at) for unit in ground.view.position.units),
    }
    art = ground.view.art
    kinds_of_units = sorted({unit.kind for unit in ground.view.position.units}, key=lambda kind: kind.word)
    yield from (("unit", kind.word.lower(), shape_of(kind, art).path) for kind in kinds_of_units)
    own = {"leap": art.leap, "unarmed": art.unarmed}
    beyond = {"arrival": art.arrival, "departure": art.departure, "aboard": art.aboard}
    turn = ground.view.turn
    kind = {"move": "retreats"} if turn is not None and turn.before.phase.kind is PhaseKind.RETREAT else {}
    meanings = {**_MEANINGS, **own, **beyond, **kind, **(_OF_ORDERS if ground.view.trial else {})}
    yield from ((sign, meanings[sign], "") for sign, occurs in occurring.items() if occurs)
    yield from (("deed", meaning, "") for meaning in dict.fromkeys(deed.meaning for deed in drawing.deeds))
    grounds = (mark.emblem for mark in ground.view.marks if not mark.emblem.sign and mark.emblem.meaning)
    emblems = dict.fromkeys((*(mark.emblem for mark in marks), *grounds))
    yield from (("mark", emblem.meaning, emblem.sample) for emblem in emblems)
