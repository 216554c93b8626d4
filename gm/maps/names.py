"""The sheet with the full name of every province that has room for it, in place of codes, units and orders.

A name has the size of codes, so that it can be read on a phone. It is broken between its words, stands where most of it
lies in its own province, and covers no other name. Where there is no such place, the code stands; the legend has what
the map does not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

from gm.board import Location, Province, Terrain
from gm.board.geography import Geography, Point, standard_geography
from gm.maps.glyphs import NAME, PIXELS, Box, Label
from gm.maps.layout import Clearance, frame
from gm.maps.legend import with_texts
from gm.maps.render import below, province_at
from gm.maps.scene import Scene, scene
from gm.views import View

_LINE = NAME * 0.86
_STEP = 12
"""How far apart the places are that are tried for a name."""
_WRONG = {("land", "sea"): 0.2, ("sea", "land"): 0.5}
"""How much it counts where a name of land lies on sea, and the other way; elsewhere outside its province it is 1."""
_FAR = 0.15
"""How much of a name may lie outside its province, so counted."""
_BROKEN = 0.01
"""What a further line costs."""


class _Place(NamedTuple):
    province: Province
    name: str
    tone: str

    @property
    def code(self) -> str:
        return self.province.capitalize()

    @property
    def begins(self) -> bool:
        return self.name.lower().startswith(self.province)

    def label(self, sheet: Geography) -> Label:
        return Label(self.code, sheet.spots[self.province].label, self.tone)


def names(view: View) -> Scene:
    """The map of names for a view's board, with the owners of centres. Raises ValueError if there is no map."""
    bare = replace(view, turn=None, position=replace(view.position, units=(), dislodged=()), marks=())
    drawn, board = scene(bare), view.board
    places = tuple(
        _Place(code, board.full_name(Location(code)), "sea" if board.terrain(code) is Terrain.SEA else "land")
        for code in board.provinces
        if code in standard_geography().spots
    )
    found = _standing(places, tuple(center.box for center in drawn.centers))
    unsaid = [f"{one.code} = {one.name}" for one in places if not _says(found[one], one)]
    return replace(
        drawn,
        labels=tuple(label for labels in found.values() for label in labels),
        legend=with_texts(drawn.legend, "Names and codes", unsaid, drawn.width),
    )


def _says(labels: Sequence[Label], place: _Place) -> bool:
    """Whether the labels are the name, and it begins with the code."""
    return [label.text for label in labels] in list(broken(place.name)) and place.begins


@lru_cache(maxsize=8)
def _standing(places: tuple[_Place, ...], centers: tuple[Box, ...]) -> Mapping[_Place, Sequence[Label]]:
    """The labels of each place: those with the least room first."""
    sheet = standard_geography()
    clearance = Clearance((*centers, *(one.label(sheet).box for one in places)), frame())
    tones: dict[str, str] = {place.province: place.tone for place in places}
    found = dict[_Place, Sequence[Label]]()
    for place in sorted(places, key=partial(_room, sheet)):
        code = place.label(sheet)
        clearance.free(code.box)
        found[place] = _best(_free_ways(place, sheet, clearance), partial(_cost, place, tones)) or [code]
        for label in found[place]:
            clearance.take(label.box)
    return found


def _best(ways: Iterator[Sequence[Label]], cost: Callable[[Sequence[Label]], float]) -> Sequence[Label]:
    """The first of the ways that cost least, if that is not too much; when one costs nothing, no other is looked at."""
    best, least = list[Label](), _FAR
    for way in ways:
        if _lines(way) < least and (found := cost(way)) < least:
            best, least = [*way], found
        if not least:
            break
    return best


def _lines(labels: Sequence[Label]) -> float:
    """What the lines cost beyond the first."""
    return _BROKEN * (len(labels) - 1)


def _room(sheet: Geography, place: _Place) -> float:
    """How large the outline of a province is."""
    left, top, right, low = _outline(sheet, place.province)
    return (right - left) * (low - top)


def _outline(sheet: Geography, province: Province) -> Box:
    points = [point for ring in sheet.rings(province) for point in ring]
    across, down = [point.x for point in points], [point.y for point in points]
    return Box(min(across), min(down), max(across), max(down))


def _free_ways(place: _Place, sheet: Geography, clearance: Clearance) -> Iterator[Sequence[Label]]:
    """Where the name covers nothing, its middle in the province."""
    left, top, right, low = map(int, _outline(sheet, place.province))
    ways = list(broken(place.name))
    for x, y in product(range(left, right, _STEP), range(top, low, _STEP)):
        if province_at(Point(x, y), PIXELS / sheet.width) == place.province:
            for lines in ways:
                labels = _stacked(lines, Point(x, y), place.tone)
                if not any(clearance.hits(label.box) for label in labels):
                    yield labels


def _cost(place: _Place, tones: Mapping[str, str], labels: Sequence[Label]) -> float:
    """How much of the labels lies outside the province, and what their lines cost."""
    wrong = size = 0.0
    for label in labels:
        for province, count in below(label.box, PIXELS / frame().right).items():
            size += count
            if province != place.province:
                wrong += count * _WRONG.get((place.tone, tones.get(province, "land")), 1.0)
    return wrong / size + _lines(labels)


def broken(name: str) -> Iterator[Sequence[str]]:
    """The ways to break a name between its words."""
    words = name.replace("-", "-|").replace(" ", " |").split("|")
    for breaks in product(("", "|"), repeat=len(words) - 1):
        yield [line.strip() for line in "".join(map("".join, zip(words, (*breaks, ""), strict=True))).split("|")]


def _stacked(lines: Sequence[str], middle: Point, tone: str) -> Sequence[Label]:
    top = middle.y - _LINE * (len(lines) - 1) / 2
    return [Label(text, Point(middle.x, top + _LINE * row), tone) for row, text in enumerate(lines)]
