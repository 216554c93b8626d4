"""Where signs are in each province: units on land and off each coast, dislodged units, label and centre."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from gm.board import FiniteBoard, Location, Province, Terrain, UnitKind
from gm.maps.glyphs import CENTER, MARGIN, MARK, UNIT, Size, label_size

CELL = 1.0
"""The side of a cell of the raster, in units of the sheet."""

OUTSIDE = 200.0
"""The depth of a point outside its province, where no unit shall stand."""

WITHIN = 200.0
"""What it costs when all of a sign lies outside its province, so that it does only where there is no other way."""
APART = 8.0
TRIES = 60
"""How many places for a unit are tried, and how far they are apart."""
MOST = 2000
"""Places that are ranked."""

Array = np.ndarray[Any, Any]
Spot = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A sign's rectangle on the sheet."""

    x: float
    y: float
    size: Size

    def overlaps(self, other: Box) -> bool:
        return (
            abs(self.x - other.x) < (self.size.width + other.size.width) / 2 + MARGIN
            and abs(self.y - other.y) < (self.size.height + other.size.height) / 2 + MARGIN
        )


@dataclass
class Spots:
    """The signs of one province; coasts by their code (`stp/sc`). `mark` is for what only some games have."""

    unit: Spot = (0, 0)
    label: Spot = (0, 0)
    center: Spot | None = None
    coasts: dict[str, Spot] = field(default_factory=dict)
    dislodged: dict[str, Spot] = field(default_factory=dict)
    mark: Spot = (0, 0)


class Room:
    """One province's raster: for a box anywhere, the share of it that lies within."""

    def __init__(self, shape: BaseGeometry, width: float, height: float) -> None:
        self.shape = shape
        xs, ys = np.meshgrid(np.arange(0, width, CELL) + CELL / 2, np.arange(0, height, CELL) + CELL / 2)
        shapely.prepare(shape)
        inside = shapely.contains_xy(shape, xs, ys)
        self._sums = np.pad(inside.astype(float).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        self.limits = (width, height)

    def share(self, at: Array, size: Size) -> Array:
        """For each of the points (n, 2): how much of the box around it lies within, 0 to 1."""
        rows, columns = self._sums.shape[0] - 1, self._sums.shape[1] - 1
        left = np.clip(np.round((at[:, 0] - size.width / 2) / CELL).astype(int), 0, columns)
        right = np.clip(np.round((at[:, 0] + size.width / 2) / CELL).astype(int), 0, columns)
        top = np.clip(np.round((at[:, 1] - size.height / 2) / CELL).astype(int), 0, rows)
        bottom = np.clip(np.round((at[:, 1] + size.height / 2) / CELL).astype(int), 0, rows)
        found = self._sums[bottom, right] - self._sums[top, right] - self._sums[bottom, left] + self._sums[top, left]
        return found / (size.width * size.height / CELL**2)


def place_signs(
    board: FiniteBoard,
    shapes: Mapping[str, BaseGeometry],
    chief: Mapping[str, shapely.Point],
    limits: tuple[float, float],
) -> dict[str, Spots]:
    """Units, names, centres and fleets off divided coasts first, then dislodged units and marks, each in what is left:
    there are few of either, and a mark gives way to a dislodged unit when a map is drawn. What is within a province is
    on the part of it that contains its first place, `chief`.
    """
    taken: list[Box] = []
    found: dict[str, Spots] = {}
    main = {
        code: min(shapely.get_parts(shapes[code]), key=lambda part: part.distance(at)) for code, at in chief.items()
    }
    order = sorted(map(Province, chief), key=lambda code: _roominess(main[code]))
    rooms = {code: Room(main[code], *limits) for code in order}
    for code in order:
        found[code] = _place(board, code, dict(shapes) | {code: main[code]}, rooms[code], taken)
    around = {code: _grid(main[code].buffer(50), limits) for code in order}
    marked = [*taken]
    for code in order:
        spots = found[code]
        for at, spot in [(str(code), spots.unit), *spots.coasts.items()]:
            spots.dislodged[at] = _near(spot, UNIT, around[code], rooms[code], taken, 0.5)
        spots.mark = _near(spots.unit, MARK, around[code], rooms[code], marked, WITHIN)
    return found


def _roominess(shape: BaseGeometry) -> float:
    return float(shapely.maximum_inscribed_circle(shape, tolerance=1).length)


def _place(
    board: FiniteBoard, code: Province, shapes: Mapping[str, BaseGeometry], room: Room, taken: list[Box]
) -> Spots:
    """Unit, name, centre and fleets off divided coasts, within the province."""
    shape = shapes[code]
    grid = _grid(shape, room.limits)
    best: tuple[float, Spots, list[Box]] | None = None
    middle = shapely.maximum_inscribed_circle(shape, tolerance=1).coords[0]
    away = np.hypot(grid[:, 0] - middle[0], grid[:, 1] - middle[1])
    depth = _depth(shape, grid)
    units = _ranked(room, grid, UNIT, taken, np.minimum(depth, 34) * -0.02 + 0.004 * away, WITHIN, MOST)
    for cost, at in _apart(units):
        tried = _around(board, code, shapes, room, grid, depth, at, taken)
        if tried is not None and (best is None or cost * 1.5 + tried[0] < best[0]):
            best = (cost * 1.5 + tried[0], tried[1], tried[2])
    if best is None:
        raise SystemExit(f"no room for the signs of {code}")
    taken += best[2]
    return best[1]


def _apart(ranked: Sequence[tuple[float, Spot]]) -> list[tuple[float, Spot]]:
    """The best of these places, no two of them almost the same."""
    kept: list[tuple[float, Spot]] = []
    for cost, at in ranked:
        if all(abs(at[0] - x) + abs(at[1] - y) > APART for _, (x, y) in kept):
            kept.append((cost, at))
        if len(kept) == TRIES:
            break
    return kept


def _around(
    board: FiniteBoard,
    code: Province,
    shapes: Mapping[str, BaseGeometry],
    room: Room,
    grid: Array,
    depth: Array,
    unit: Spot,
    taken: Sequence[Box],
) -> tuple[float, Spots, list[Box]] | None:
    """What else is within the province, about the unit's spot: what it costs and the boxes it takes."""
    spots, boxes, total = Spots(unit=unit), [Box(*unit, UNIT)], 0.0
    beside, below = np.abs(grid[:, 0] - unit[0]), np.abs(grid[:, 1] - unit[1])
    away = np.hypot(beside, below)
    signs = [("label", label_size(code.capitalize()))] + ([("center", CENTER)] if code in board.centers else [])
    for name, size in signs:
        extra = 0.012 * np.maximum(away - 32, 0) + 0.002 * np.minimum(beside, below)
        extra -= 0.01 * np.clip(depth, 0, 20)
        ranked = _ranked(room, grid, size, [*taken, *boxes], extra, WITHIN)
        if not ranked:
            return None
        cost, at = ranked[0]
        total += cost
        boxes.append(Box(*at, size))
        setattr(spots, name, at)
    coasts = board.coasts(code) if code in board.provinces else ()
    for coast in coasts if len(coasts) > 1 else ():
        wide = _grid(shapes[code].buffer(20), room.limits)
        ashore = _seaside(board, coast, shapes)
        far = shapely.distance(ashore, shapely.points(wide))
        ranked = _ranked(room, wide, UNIT, [*taken, *boxes], 0.02 * np.abs(far - 8), 0.5)
        if not ranked:
            return None
        total += ranked[0][0]
        spots.coasts[coast] = ranked[0][1]
        boxes.append(Box(*ranked[0][1], UNIT))
    return total, spots, boxes


def _near(spot: Spot, size: Size, grid: Array, room: Room, taken: list[Box], outside: float) -> Spot:
    """A place beside a unit, within the province if there is room; what it costs to be `outside` says how far off."""
    away = np.hypot(grid[:, 0] - spot[0], grid[:, 1] - spot[1])
    ranked = _ranked(room, grid, size, taken, 0.015 * np.maximum(away - 36, 0), outside)
    if not ranked:
        raise SystemExit(f"no room for a sign beside {spot}")
    taken.append(Box(*ranked[0][1], size))
    return ranked[0][1]


def _seaside(board: FiniteBoard, coast: Location, shapes: Mapping[str, BaseGeometry]) -> BaseGeometry:
    """The shore of one coast of a divided province: the stretches that meet neighbours of this coast alone."""
    code = board.province(coast)
    near = {at: {board.province(to) for to in board.neighbours(UnitKind.FLEET, at)} for at in board.coasts(code)}
    others = {to for at, found in near.items() if at != coast for to in found}
    seas = [shapes[p] for found in near.values() for p in found if board.terrain(p) is Terrain.SEA]
    shore = shapes[code].boundary.intersection(shapely.union_all(seas).buffer(0.3))
    stretches = shapely.get_parts(shapely.line_merge(shore))
    own = shapely.union_all([shapes[p] for p in near[coast] - others])
    return shapely.union_all([stretch for stretch in stretches if stretch.dwithin(own, 1.0)])


def _ranked(
    room: Room,
    grid: Array,
    size: Size,
    taken: Iterable[Box],
    extra: Array,
    outside: float,
    most: int = 1,
) -> list[tuple[float, Spot]]:
    """The free points of the grid for a box, cheapest first: what lies outside its province costs, and `extra` too."""
    free = np.ones(len(grid), dtype=bool)
    for box in taken:
        free &= (np.abs(grid[:, 0] - box.x) >= (size.width + box.size.width) / 2 + MARGIN) | (
            np.abs(grid[:, 1] - box.y) >= (size.height + box.size.height) / 2 + MARGIN
        )
    edge, limits = 2.0, room.limits
    free &= (grid[:, 0] > size.width / 2 + edge) & (grid[:, 0] < limits[0] - size.width / 2 - edge)
    free &= (grid[:, 1] > size.height / 2 + edge) & (grid[:, 1] < limits[1] - size.height / 2 - edge)
    cost = outside * (1 - room.share(grid, Size(size.width + 4, size.height + 4))) + extra
    ranked = np.flatnonzero(free)[np.argsort(cost[free], kind="stable")][:most]
    return [(float(cost[i]), (round(float(grid[i, 0]), 1), round(float(grid[i, 1]), 1))) for i in ranked]


def _grid(shape: BaseGeometry, limits: tuple[float, float]) -> Array:
    left, top, right, bottom = shape.bounds
    step = 2.0 if shape.area < 16000 else 4.0
    xs, ys = np.meshgrid(
        np.arange(max(0, left), min(limits[0], right), step), np.arange(max(0, top), min(limits[1], bottom), step)
    )
    points = np.column_stack([xs.ravel(), ys.ravel()])
    return points[shapely.contains_xy(shape, points[:, 0], points[:, 1])]


def _depth(shape: BaseGeometry, grid: Array) -> Array:
    """How deep within the province each point lies."""
    inside = shapely.contains_xy(shape, grid[:, 0], grid[:, 1])
    return np.where(inside, shapely.distance(shape.boundary, shapely.points(grid)), -OUTSIDE)
