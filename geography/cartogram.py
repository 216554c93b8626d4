"""The sheet stretched where the board is crowded: a cartogram that is smooth and tears nothing.

Every province has the area that it shall have on the drawn map (`lands.toml`, room). Where there shall be more than
there is, the sheet is taken for dense, and lets it flow apart until it is equally dense everywhere (M. T. Gastner,
V. Seguy and P. More, Fast flow-based algorithm for creating density-equalizing map projections, PNAS 115, 2018). What
is beside each other stays beside each other; only the drawing is stretched, never a bearing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

Array = np.ndarray[Any, Any]

CELL = 4.0
"""The side of a cell of the raster, in units of the sheet."""
SMOOTH = 20.0
"""How far densities are blurred, in units of the sheet: what is narrower is stretched as its surroundings are."""
STEPS = 60
"""Of the flow of a round."""
SEGMENT = 4.0
"""The longest piece of a line that stays straight."""


def stretched(shapes: Mapping[str, BaseGeometry], wanted: Mapping[str, float], rounds: int) -> list[Array]:
    """The displacements of the raster's corners, one raster a round, each for the sheet as the one before leaves it.

    `wanted`: areas in square units of the sheet.
    """
    left, top, right, bottom = shapely.union_all(list(shapes.values())).bounds
    columns, rows = round((right - left) / CELL), round((bottom - top) / CELL)
    flows = []
    left_by = {code: shapely.segmentize(shape, SEGMENT) for code, shape in shapes.items()}
    for _ in range(rounds):
        flow = _flow(_density(left_by, wanted, columns, rows))
        flows.append(flow)
        left_by = {code: _carried(shape, [flow]) for code, shape in left_by.items()}
    return flows


def moved(shape: BaseGeometry, flows: list[Array]) -> BaseGeometry:
    """A shape as the flows leave it."""
    return _carried(shapely.segmentize(shape, SEGMENT), flows)


def _carried(shape: BaseGeometry, flows: list[Array]) -> BaseGeometry:
    def move(points: Array) -> Array:
        for flow in flows:
            points = points + _between(flow, points)
        return points

    return shapely.transform(shape, move)


def _density(shapes: Mapping[str, BaseGeometry], wanted: Mapping[str, float], columns: int, rows: int) -> Array:
    """For each cell how much of the sheet shall be there, 1 in the mean."""
    xs, ys = np.meshgrid(np.arange(columns) * CELL + CELL / 2, np.arange(rows) * CELL + CELL / 2)
    found = np.ones((rows, columns))
    for code, shape in shapes.items():
        shapely.prepare(shape)
        found[shapely.contains_xy(shape, xs, ys)] = wanted[code] / shape.area
    waves = _waves(found) * np.exp(-_square(rows, columns) * SMOOTH**2 / 2)
    smooth = np.maximum(_unwaved(waves), 0.05)
    return smooth / smooth.mean()


def _flow(density: Array) -> Array:
    """Where each corner of the raster goes until the density is 1 everywhere."""
    rows, columns = density.shape
    square = _square(rows, columns)
    square[0, 0] = 1
    waves = _waves(density - 1) / square
    waves[0, 0] = 0
    potential = _unwaved(waves)
    # the flux through the sheet, at the middles of cells; it does not change while the density does
    flux = -np.stack(np.gradient(np.pad(potential, 1, mode="edge"), CELL)[::-1], axis=-1)[1:-1, 1:-1]
    xs, ys = np.meshgrid(np.arange(columns + 1) * CELL, np.arange(rows + 1) * CELL)
    start = np.stack([xs, ys], axis=-1).reshape(-1, 2)
    limit = np.array([columns * CELL, rows * CELL])
    points = start.copy()

    def speed(at: Array, time: float) -> Array:
        return _bilinear(flux, at) / ((1 - time) * _bilinear(density[..., None], at) + time)

    for step in range(STEPS):
        half = points + speed(points, step / STEPS) / STEPS / 2
        points = points + speed(half, (step + 0.5) / STEPS) / STEPS
        points = np.clip(points, 0, limit)
        points[start[:, 0] == 0, 0] = 0
        points[start[:, 1] == 0, 1] = 0
        points[start[:, 0] == limit[0], 0] = limit[0]
        points[start[:, 1] == limit[1], 1] = limit[1]
    return (points - start).reshape(rows + 1, columns + 1, 2)


def _bilinear(middles: Array, points: Array) -> Array:
    """A field known at the middles of cells, at any points."""
    return _between(middles, points - CELL / 2)


def _between(corners: Array, points: Array) -> Array:
    """A field known at the corners of cells, at any points."""
    rows, columns = corners.shape[:2]
    x = np.clip(points[:, 0] / CELL, 0, columns - 1)
    y = np.clip(points[:, 1] / CELL, 0, rows - 1)
    left = np.minimum(x.astype(int), columns - 2)
    above = np.minimum(y.astype(int), rows - 2)
    right, below = (x - left)[:, None], (y - above)[:, None]
    top = corners[above, left] * (1 - right) + corners[above, left + 1] * right
    low = corners[above + 1, left] * (1 - right) + corners[above + 1, left + 1] * right
    return top * (1 - below) + low * below


def _square(rows: int, columns: int) -> Array:
    """The squares of the wave numbers of the cosine waves that a sheet with closed edges has."""
    down = np.pi * np.arange(rows) / (rows * CELL)
    across = np.pi * np.arange(columns) / (columns * CELL)
    return down[:, None] ** 2 + across[None, :] ** 2


def _waves(field: Array) -> Array:
    """The strengths of these waves (DCT-II)."""
    return _each_way(field, _cosine)


def _unwaved(waves: Array) -> Array:
    """The field that has these waves: the inverse."""
    return _each_way(waves, _inverse)


def _each_way(field: Array, transform: Any) -> Array:
    return transform(transform(field).T).T


def _cosine(field: Array) -> Array:
    count = field.shape[1]
    mirrored = np.concatenate([field, field[:, ::-1]], axis=1)
    turn = np.exp(-0.5j * np.pi * np.arange(count) / count)
    return np.real(np.fft.fft(mirrored, axis=1)[:, :count] * turn) / 2


def _inverse(waves: Array) -> Array:
    count = waves.shape[1]
    turn = np.exp(0.5j * np.pi * np.arange(count) / count)
    whole = np.concatenate([waves * turn, np.zeros((len(waves), count))], axis=1)
    whole[:, 0] /= 2
    return np.real(np.fft.ifft(whole, axis=1)[:, :count]) * 4
