"""The legend below a map: its phase, the powers' colours, and the meaning of the lines in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gm.maps.arrows import Drawing
from gm.maps.glyphs import Livery, MarkSign, State, UnitSign
from gm.maps.layout import Ground
from gm.position import Position

TEXT = 19.0
ROW = 30.0
EDGE = 12.0
_LETTER = 0.54
"""The mean width of a letter, as a share of the size of the type."""

_MEANINGS = {
    "move": "moves",
    "wave": "by sea",
    "support": "supports",
    "ring": "convoys",
    "cross": "fails",
    "dislodged": "dislodged",
    "new": "built",
    "gone": "gone",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign and its meaning. `sign` names the sample, `sample` is that of a mark as SVG; `beyond` is how many units a
    power has beyond the sheet.
    """

    x: float
    y: float
    sign: str
    text: str
    livery: Livery | None = None
    beyond: int = 0
    sample: str = ""


@dataclass(frozen=True, slots=True)
class Legend:
    """Entries in rows; positions count from the legend's own upper left corner."""

    title: str
    height: float
    entries: tuple[Entry, ...]


def legend(
    ground: Ground, drawing: Drawing, units: Iterable[UnitSign], marks: Iterable[MarkSign], width: float
) -> Legend:
    """The legend of a map of that width."""
    title = _title(ground)
    cursor_x, cursor_y = EDGE + len(title) * 26 * 0.5 + 24, ROW * 0.75
    entries: list[Entry] = []
    for sign, text, sample in _key(ground, drawing, units, marks):
        room = 40 + len(text) * TEXT * _LETTER + 16
        if cursor_x + room > width - EDGE:
            cursor_x, cursor_y = EDGE, cursor_y + ROW
        entries.append(Entry(cursor_x, cursor_y, sign, text, sample=sample))
        cursor_x += room
    powers = list(_powers(ground))
    widest = max((44 + len(text) * TEXT * _LETTER + 20 * beyond + 8 for _, text, beyond in powers), default=1)
    columns = max(1, min(len(powers), int((width - 2 * EDGE) // widest)))
    pitch = (width - 2 * EDGE) / columns
    cursor_y += ROW * 1.15
    for number, (livery, text, beyond) in enumerate(powers):
        row, column = divmod(number, columns)
        entries.append(Entry(EDGE + column * pitch, cursor_y + row * ROW, "power", text, livery, beyond))
    rows = -(-len(powers) // columns)
    return Legend(title, cursor_y + max(0, rows - 1) * ROW + ROW * 0.65, tuple(entries))


def _title(ground: Ground) -> str:
    turn = ground.view.turn
    phase = turn.before.phase if turn is not None else ground.view.position.phase
    name = f"{phase.season.capitalize()} {phase.year}"
    return f"{name}: {phase.kind.heading}" if turn is not None else name


def _powers(ground: Ground) -> Iterator[tuple[Livery, str, int]]:
    """Those that have anything left, with their centres and what they have beyond the sheet."""
    position = ground.view.position
    for power, livery in ground.liveries.items():
        beyond = sum(unit.power == power and not ground.shown(unit.at) for unit in position.units)
        if _alive(position, power) or not position.centers:
            yield livery, f"{power} {len(position.centers_of(power))}", beyond


def _alive(position: Position, power: str) -> bool:
    owned = power in position.centers.values()
    units = (*position.units, *(driven.unit for driven in position.dislodged))
    return owned or any(unit.power == power for unit in units)


def _key(
    ground: Ground, drawing: Drawing, units: Iterable[UnitSign], marks: Iterable[MarkSign]
) -> Iterator[tuple[str, str, str]]:
    """What occurs: the name of its sample, its meaning, and the sample itself where that is a mark's."""
    kinds = {stroke.kind for stroke in drawing.strokes}
    states = {unit.state for unit in units}
    occurring = {
        "move": not kinds.isdisjoint({"move", "wave"}),
        "unarmed": "unarmed" in kinds,
        "wave": "wave" in kinds,
        "support": "support" in kinds,
        "ring": bool(drawing.rings),
        "cross": bool(drawing.crosses),
        "leap": "leap" in kinds,
        "arrival": any(not ray.up for ray in drawing.rays),
        "departure": any(ray.up for ray in drawing.rays),
        "dislodged": State.DISLODGED in states,
        "new": State.NEW in states,
        "gone": State.GONE in states,
    }
    art = ground.view.art
    own = {"leap": art.leap, "arrival": art.arrival, "departure": art.departure, "unarmed": art.unarmed}
    meanings = {**_MEANINGS, **own}
    yield from ((sign, meanings[sign], "") for sign, occurs in occurring.items() if occurs)
    yield from (("mark", emblem.meaning, emblem.sample) for emblem in dict.fromkeys(mark.emblem for mark in marks))
