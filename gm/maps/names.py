"""The sheet with the full name of every province, in place of codes, units and orders.

A name is broken between its words, and stands where it covers least; a code that is not how the name begins is below
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import dist

from gm.board import FiniteBoard, Location, Province, Terrain
from gm.board.geography import Geography, Point, Spots, standard_geography
from gm.maps.glyphs import Box, Label
from gm.maps.layout import Clearance, Ground, near
from gm.maps.scene import Scene, scene
from gm.views import View

HEIGHT = 20.0
"""The height of letters: sixty names have room, and can be read at the size of a page, or enlarged."""
_LINE = HEIGHT * 0.98
_WIDEST = 12
"""The most letters of a line, if the name can be broken."""


def names(view: View) -> Scene:
    """The map of names for a view's board, with the owners of centres. Raises ValueError if there is no map."""
    bare = replace(view, turn=None, position=replace(view.position, units=(), dislodged=()), marks=())
    drawn = scene(bare)
    return replace(
        drawn,
        labels=tuple(_labels(drawn, view)),
        legend=replace(drawn.legend, title="Names and codes"),
    )


def written(board: FiniteBoard, province: Province) -> tuple[str, ...]:
    """The lines of a name: `North`, `Sea`, `(Nth)`."""
    name, code = board.full_name(Location(province)), province.capitalize()
    lines: list[str] = []
    for word in name.replace("-", "- ").split():
        joined = f"{lines[-1]}{'' if lines[-1].endswith('-') else ' '}{word}" if lines else ""
        if lines and len(joined) <= _WIDEST:
            lines[-1] = joined
        else:
            lines.append(word)
    return (*lines, *([] if name.lower().startswith(code.lower()) else [f"({code})"]))


def _labels(drawn: Scene, view: View) -> Iterator[Label]:
    """The names, those with the least room first."""
    sheet, board = standard_geography(), view.board
    ground, frame = Ground(view, sheet, {}), Box(0, 0, drawn.width, drawn.height)
    clearance = Clearance([center.box for center in drawn.centers], frame)
    there = [province for province in board.provinces if province in sheet.spots]
    for province in sorted(there, key=partial(_room, sheet)):
        tone = "sea" if board.terrain(province) is Terrain.SEA else "land"
        lines, free = written(board, province), partial(_cost, ground, clearance, province)
        labels = _best((_stacked(lines, point, tone) for point in _places(sheet.spots[province])), free)
        clearance.take(_box(labels))
        yield from labels


def _places(spots: Spots) -> list[Point]:
    """Where a name can stand: between the places of code and unit, or somewhere near them; the nearest first."""
    between = Point((spots.label.x + spots.unit.x) / 2, (spots.label.y + spots.unit.y) / 2)
    around = (between, spots.label, spots.unit)
    return sorted((*around, *(point for one in around for point in near(one))), key=partial(dist, between))


_Cost = tuple[int, bool]


def _best(ways: Iterable[list[Label]], cost: Callable[[list[Label]], _Cost]) -> list[Label]:
    """The first of the ways that cost least; the others are not tried when one costs nothing."""
    best, least = list[Label](), None
    for labels in ways:
        found = cost(labels)
        if least is None or found < least:
            best, least = labels, found
        if found == (0, False):
            break
    return best


def _cost(ground: Ground, clearance: Clearance, province: Province, labels: Sequence[Label]) -> _Cost:
    """How bad this place is: what it covers, and whether its middle is elsewhere."""
    box = _box(labels)
    middle = Point((box.left + box.right) / 2, (box.top + box.bottom) / 2)
    return clearance.hits(box), not ground.within([province], middle)


def _room(sheet: Geography, province: Province) -> float:
    """How large the outline of a province is."""
    points = [point for ring in sheet.rings(province) for point in ring]
    across, down = [point.x for point in points], [point.y for point in points]
    return (max(across) - min(across)) * (max(down) - min(down))


def _stacked(lines: Sequence[str], middle: Point, tone: str) -> list[Label]:
    top = middle.y - _LINE * (len(lines) - 1) / 2
    return [Label(text, Point(middle.x, top + _LINE * row), tone, HEIGHT) for row, text in enumerate(lines)]


def _box(labels: Iterable[Label]) -> Box:
    boxes = [label.box for label in labels]
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )
