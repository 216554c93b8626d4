"""Where signs are in each province: units on land and off each coast, dislodged units, label and centre."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from geography.sheet import NOBODY, Town
from gm.board import FiniteBoard, Location, Province, Terrain, UnitKind
from gm.maps.glyphs import CENTER, MARGIN, MARK, UNIT, Size, label_size

CELL = 2.0
"""The side of a cell of the raster, in units of the sheet."""

OUTSIDE = 200.0
"""The depth of a point outside its province, where no unit shall stand."""

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
    board: FiniteBoard, shapes: Mapping[str, BaseGeometry], towns: Sequence[Town], limits: tuple[float, float]
) -> dict[str, Spots]:
    """Units and centres are on the part of a province that contains its first place."""
    taken: list[Box] = []
    found: dict[str, Spots] = {}
    chief = {town.province: town.at for town in reversed(towns) if town.province != NOBODY}
    main = {
        code: min(shapely.get_parts(shapes[code]), key=lambda part: part.distance(at)) for code, at in chief.items()
    }
    for code in sorted(map(Province, chief), key=lambda code: _roominess(main[code])):
        found[code] = _place(board, code, dict(shapes) | {code: main[code]}, limits, taken)
    return found


def _roominess(shape: BaseGeometry) -> float:
    return float(shapely.maximum_inscribed_circle(shape, tolerance=1).length)


def _place(
    board: FiniteBoard,
    code: Province,
    shapes: Mapping[str, BaseGeometry],
    limits: tuple[float, float],
    taken: list[Box],
) -> Spots:
    shape = shapes[code]
    room = Room(shape, *limits)
    grid = _grid(shape.buffer(16), limits)
    best: tuple[float, Spots, list[Box]] | None = None
    middle = shapely.maximum_inscribed_circle(shape, tolerance=1).coords[0]
    away = np.hypot(grid[:, 0] - middle[0], grid[:, 1] - middle[1])
    units = _ranked(room, grid, UNIT, taken, limits, _depth(shape, grid, 30) * -0.02 + 0.004 * away)
    for cost, at in units[:25]:
        tried = _around(board, code, shapes, room, grid, at, taken, limits)
        if tried is not None and (best is None or cost * 2.5 + tried[0] < best[0]):
            best = (cost * 2.5 + tried[0], tried[1], tried[2])
    if best is None:
        raise SystemExit(f"no room for the signs of {code}")
    taken += best[2]
    return best[1]


def _around(
    board: FiniteBoard,
    code: Province,
    shapes: Mapping[str, BaseGeometry],
    room: Room,
    grid: Array,
    unit: Spot,
    taken: Sequence[Box],
    limits: tuple[float, float],
) -> tuple[float, Spots, list[Box]] | None:
    """Everything else about a unit's spot: what it costs and the boxes it takes."""
    spots, boxes, total = Spots(unit=unit), [Box(*unit, UNIT)], 0.0
    signs = ([("center", CENTER)] if code in board.centers else []) + [("label", label_size(code))]
    for name, size in signs:
        away = np.hypot(grid[:, 0] - unit[0], grid[:, 1] - unit[1])
        outside = 1.2 if name == "label" else 3.0
        extra = (0.012 if name == "label" else 0.03) * np.maximum(away - 24, 0)
        if name == "center":
            extra -= 0.02 * _depth(shapes[code], grid, 6)
        else:
            extra -= 0.01 * np.maximum(_depth(shapes[code], grid, 18), 0)
        ranked = _ranked(room, grid, size, [*taken, *boxes], limits, extra, outside)
        if not ranked:
            return None
        cost, at = ranked[0]
        total += cost
        boxes.append(Box(*at, size))
        setattr(spots, name, at)
    coasts = board.coasts(code) if code in board.provinces else ()
    for coast in coasts if len(coasts) > 1 else ():
        ashore = _seaside(board, coast, shapes)
        away = shapely.distance(ashore, shapely.points(grid))
        ranked = _ranked(room, grid, UNIT, [*taken, *boxes], limits, 0.02 * np.abs(away - 8), 0.5)
        if not ranked:
            return None
        total += ranked[0][0]
        spots.coasts[coast] = ranked[0][1]
        boxes.append(Box(*ranked[0][1], UNIT))
    for at_code, spot in [(str(code), unit), *spots.coasts.items()]:
        away = np.hypot(grid[:, 0] - spot[0], grid[:, 1] - spot[1])
        ranked = _ranked(room, grid, UNIT, [*taken, *boxes], limits, 0.015 * np.maximum(away - 20, 0), 0.5)
        if not ranked:
            return None
        total += 0.5 * ranked[0][0]
        spots.dislodged[at_code] = ranked[0][1]
        boxes.append(Box(*ranked[0][1], UNIT))
    away = np.hypot(grid[:, 0] - unit[0], grid[:, 1] - unit[1])
    ranked = _ranked(room, grid, MARK, [*taken, *boxes], limits, 0.015 * np.maximum(away - 24, 0), 0.5)
    if not ranked:
        return None
    spots.mark = ranked[0][1]
    boxes.append(Box(*spots.mark, MARK))
    return total + 0.4 * ranked[0][0], spots, boxes


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
    limits: tuple[float, float],
    extra: Array,
    outside: float = 3.0,
) -> list[tuple[float, Spot]]:
    """The free points of the grid for a box, cheapest first: what lies outside its province costs, and `extra` too."""
    free = np.ones(len(grid), dtype=bool)
    for box in taken:
        free &= (np.abs(grid[:, 0] - box.x) >= (size.width + box.size.width) / 2 + MARGIN) | (
            np.abs(grid[:, 1] - box.y) >= (size.height + box.size.height) / 2 + MARGIN
        )
    edge = 2.0
    free &= (grid[:, 0] > size.width / 2 + edge) & (grid[:, 0] < limits[0] - size.width / 2 - edge)
    free &= (grid[:, 1] > size.height / 2 + edge) & (grid[:, 1] < limits[1] - size.height / 2 - edge)
    cost = outside * (1 - room.share(grid, Size(size.width + 2, size.height + 2))) + extra
    order = np.argsort(cost, kind="stable")
    return [(float(cost[i]), (round(float(grid[i, 0]), 1), round(float(grid[i, 1]), 1))) for i in order if free[i]][:60]


def _grid(shape: BaseGeometry, limits: tuple[float, float]) -> Array:
    left, top, right, bottom = shape.bounds
    step = 1.5 if shape.area < 12000 else 4.0
    xs, ys = np.meshgrid(
        np.arange(max(0, left), min(limits[0], right), step), np.arange(max(0, top), min(limits[1], bottom), step)
    )
    points = np.column_stack([xs.ravel(), ys.ravel()])
    return points[shapely.contains_xy(shape, points[:, 0], points[:, 1])]


def _depth(shape: BaseGeometry, grid: Array, most: float) -> Array:
    """How deep within the province each point lies; more than `most` is no better."""
    inside = shapely.contains_xy(shape, grid[:, 0], grid[:, 1])
    return np.where(inside, np.minimum(shapely.distance(shape.boundary, shapely.points(grid)), most), -OUTSIDE)
