"""The paper a map is drawn on: outlines as SVG paths, the same for every position, made once.

Borders are drawn by arcs, so that each is drawn once: shores, borders on land, borders at sea.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from gm.board import Terrain
from gm.board.geography import LAKE, Geography, Point, standard_geography
from gm.board.table import standard_board


@dataclass(frozen=True, slots=True)
class Paper:
    """Paths of the sheet. `shapes`: each province that is land, and those who are not played."""

    width: float
    height: float
    shapes: Mapping[str, str]
    shores: str
    land_borders: str
    sea_borders: str


@cache
def paper() -> Paper:
    """The sheet of the standard board."""
    sheet = standard_geography()
    wet = {p for p in standard_board().provinces if standard_board().terrain(p) is Terrain.SEA} | {LAKE}
    land: list[tuple[Point, ...]] = []
    shores: list[tuple[Point, ...]] = []
    sea: list[tuple[Point, ...]] = []
    for number in range(len(sheet.arcs)):
        owners = sheet.owners(number)
        if len(owners) == 2:
            washed = sum(owner in wet for owner in owners)
            (land, shores, sea)[washed].append(sheet.arc(number))
    return Paper(
        width=sheet.width,
        height=sheet.height,
        shapes={code: _closed(sheet, code) for code in sheet.polygons},
        shores=_open(shores),
        land_borders=_open(land),
        sea_borders=_open(sea),
    )


def _closed(sheet: Geography, code: str) -> str:
    return "".join(f"{line(ring)}z" for ring in sheet.rings(code))


def _open(arcs: Iterable[tuple[Point, ...]]) -> str:
    return "".join(map(line, arcs))


def line(points: Iterable[Point]) -> str:
    """A path through points, in steps of a tenth of a unit."""
    steps = [(round(point.x * 10), round(point.y * 10)) for point in points]
    words = [f"M{steps[0][0] / 10:g} {steps[0][1] / 10:g}"]
    for (x, y), (to_x, to_y) in pairwise(steps):
        words.append(f"l{(to_x - x) / 10:g} {(to_y - y) / 10:g}")
    return "".join(words)
