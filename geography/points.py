"""Where signs are in each province: units on land and off each coast, dislodged units, label and centre."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from geography.sheet import NOBODY, Town
from gm.board import FiniteBoard, Location, Province, Terrain, UnitKind
from gm.maps.glyphs import MARGIN, Size

CELL = 1.0
"""The side of a cell of the raster, in units of the sheet."""

OUTSIDE = 200.0
"""The depth of a point outside its province, where no unit shall stand."""

Array = np.ndarray[Any, Any]
Spot = tuple[float, float]


@dataclass(frozen=True)
class Sizes:
    """How much room signs need."""

    unit: Size
    center: Size
    mark: Size
    label: Callable[[str], Size]


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

    def __init__(self, shape: BaseGeometry, limits: tuple[float, float]) -> None:
        self.shape = shape
        self.limits = width, height = limits
        xs, ys = np.arange(0, width, CELL) + CELL / 2, np.arange(0, height, CELL) + CELL / 2
        inside = np.zeros((len(ys), len(xs)))
        left, top, right, bottom = shape.bounds
        across, down = (xs > left) & (xs < right), (ys > top) & (ys < bottom)
        shapely.prepare(shape)
        inside[np.ix_(down, across)] = shapely.contains_xy(shape, *np.meshgrid(xs[across], ys[down]))
        self._sums = np.pad(inside.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        self.grid = _grid(shape.buffer(44), limits)
        self.far = _grid(shape.buffer(130), limits)[::3]
        """Where signs stand that find no place near."""
        self.depth = _depth(shape, self.grid)
        self.middle: Spot = shapely.maximum_inscribed_circle(shape, tolerance=1).coords[0]

    def away(self, spot: Spot) -> Array:
        """How far each point of the grid is from a spot."""
        return np.hypot(self.grid[:, 0] - spot[0], self.grid[:, 1] - spot[1])

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
    towns: Sequence[Town],
    limits: tuple[float, float],
    sizes: Sizes,
) -> dict[str, Spots]:
    """Units and centres are on the part of a province that contains its first place. First every province gets a place
    for its unit, centre and name, then for what is there sometimes. Provinces without room are left out.
    """
    chief = {town.province: town.at for town in reversed(towns) if town.province != NOBODY}
    main = {
        code: min(shapely.get_parts(shapes[code]), key=lambda part: part.distance(at)) for code, at in chief.items()
    }
    order = sorted(map(Province, chief), key=lambda code: _roominess(main[code]))
    rooms = {code: Room(main[code], limits) for code in order}
    taken: list[Box] = []
    found: dict[str, Spots] = {}
    for code in order:
        spots = _usual(board, code, rooms[code], taken, sizes)
        if spots is not None:
            found[code] = spots
    for code, spots in list(found.items()):
        if not _sometimes(
            board, Province(code), dict(shapes) | {code: main[code]}, rooms[Province(code)], spots, taken, sizes
        ):
            del found[code]
    return found


def _roominess(shape: BaseGeometry) -> float:
    return float(shapely.maximum_inscribed_circle(shape, tolerance=1).length)


def _usual(board: FiniteBoard, code: Province, room: Room, taken: list[Box], sizes: Sizes) -> Spots | None:
    """The places of unit, centre and name; None if there are none."""
    signs = [("center", sizes.center)] if code in board.centers else []
    signs = [*signs, ("label", sizes.label(code))]
    away = room.away(room.middle)
    best: tuple[float, Spots, list[Box]] | None = None
    for cost, unit in _ranked(room, sizes.unit, taken, np.minimum(room.depth, 20) * -0.02 + 0.004 * away)[:25]:
        spots, boxes, total = Spots(unit=unit), [Box(*unit, sizes.unit)], cost * 2.5
        for name, size in signs:
            extra = 0.012 * np.maximum(room.away(unit) - 24, 0) - 0.01 * np.clip(room.depth, 0, 18)
            ranked = _ranked(room, size, [*taken, *boxes], extra, 3.0 if name == "center" else 40.0)
            if not ranked:
                break
            total += ranked[0][0]
            boxes.append(Box(*ranked[0][1], size))
            setattr(spots, name, ranked[0][1])
        else:
            if best is None or total < best[0]:
                best = total, spots, boxes
    if best is None:
        return None
    taken += best[2]
    return best[1]


def _sometimes(
    board: FiniteBoard,
    code: Province,
    shapes: Mapping[str, BaseGeometry],
    room: Room,
    spots: Spots,
    taken: list[Box],
    sizes: Sizes,
) -> bool:
    """Places for fleets on each of two coasts, dislodged units and marks. Returns whether there are any."""

    far = np.hypot(room.far[:, 0] - spots.unit[0], room.far[:, 1] - spots.unit[1])

    def placed(size: Size, extra: Array) -> Spot | None:
        ranked = _ranked(room, size, taken, extra, 0.5) or _ranked(room, size, taken, 0.015 * far, 0.5, room.far)
        if not ranked:
            return None
        taken.append(Box(*ranked[0][1], size))
        return ranked[0][1]

    coasts = board.coasts(code) if code in board.provinces else ()
    for coast in coasts if len(coasts) > 1 else ():
        ashore = shapely.distance(_seaside(board, coast, shapes), shapely.points(room.grid))
        if (at := placed(sizes.unit, 0.02 * np.abs(ashore - 8))) is None:
            return False
        spots.coasts[coast] = at
    for name, spot in [(str(code), spots.unit), *spots.coasts.items()]:
        if (at := placed(sizes.unit, 0.015 * np.maximum(room.away(spot) - 20, 0))) is None:
            return False
        spots.dislodged[name] = at
    at = placed(sizes.mark, 0.015 * np.maximum(room.away(spots.unit) - 24, 0))
    spots.mark = at or spots.mark
    return at is not None


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
    size: Size,
    taken: Iterable[Box],
    extra: Array,
    outside: float = 3.0,
    among: Array | None = None,
) -> list[tuple[float, Spot]]:
    """The free points of the grid for a box, cheapest first: what lies outside its province costs, and `extra` too."""
    grid, limits = room.grid if among is None else among, room.limits
    free = np.ones(len(grid), dtype=bool)
    reach = np.array([size.width, size.height])
    (left, top), (right, low) = grid.min(axis=0) - reach, grid.max(axis=0) + reach
    for box in taken:
        if not (left < box.x + box.size.width and box.x - box.size.width < right):
            continue
        if not (top < box.y + box.size.height and box.y - box.size.height < low):
            continue
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
    step = 2.0 if shape.area < 20000 else 4.0
    xs, ys = np.meshgrid(
        np.arange(max(0, left), min(limits[0], right), step), np.arange(max(0, top), min(limits[1], bottom), step)
    )
    points = np.column_stack([xs.ravel(), ys.ravel()])
    return points[shapely.contains_xy(shape, points[:, 0], points[:, 1])]


def _depth(shape: BaseGeometry, grid: Array) -> Array:
    """How deep within the province each point lies."""
    inside = shapely.contains_xy(shape, grid[:, 0], grid[:, 1])
    deep = np.full(len(grid), -OUTSIDE)
    deep[inside] = shapely.distance(shape.boundary.simplify(1.0), shapely.points(grid[inside]))
    return deep
