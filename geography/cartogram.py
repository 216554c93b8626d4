"""A smooth distortion of the sheet that gives each province as much room as asked for: a diffusion cartogram.

Each province begins with the density "room asked for, divided by its area". The density spreads like heat until it is
the same everywhere, and every point is carried along with it (Gastner and Newman, PNAS 101, 2004). The flow has no
sources or jumps, so neighbours stay neighbours and the edge of the sheet maps onto itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

Array = np.ndarray[Any, Any]

_CELLS = 120
"""Cells of the raster across the sheet."""
_BLUR = 0.9
"""How far the first density is smoothed, in cells: sharp steps would fold."""
_STEPS = 70
"""Steps of the diffusion; each lasts longer than the one before, as the flow slows down."""


@dataclass(frozen=True)
class Warp:
    """Where each corner of a raster goes; what lies between moves with it."""

    width: float
    height: float
    corners: Array
    """(rows + 1, columns + 1, 2): the new place of each corner, x and y."""

    def __call__(self, points: Array) -> Array:
        """The points (n, 2) in their new places."""
        rows, columns = self.corners.shape[0] - 1, self.corners.shape[1] - 1
        return _between(self.corners, points[:, 0] * columns / self.width, points[:, 1] * rows / self.height)

    def then(self, other: Warp) -> Warp:
        """This warp, and another one after it."""
        moved = other(self.corners.reshape(-1, 2)).reshape(self.corners.shape)
        return Warp(self.width, self.height, moved)


def identity(width: float, height: float) -> Warp:
    """Everything stays where it is."""
    rows = round(_CELLS * height / width)
    xs, ys = np.meshgrid(np.linspace(0, width, _CELLS + 1), np.linspace(0, height, rows + 1))
    return Warp(width, height, np.stack([xs, ys], axis=2))


def warp(shapes: Mapping[str, BaseGeometry], room: Mapping[str, float], width: float, height: float) -> Warp:
    """A warp after which the area of each shape is about in proportion to the room asked for. The shapes cover the
    sheet.
    """
    rows = round(_CELLS * height / width)
    xs, ys = np.meshgrid((np.arange(_CELLS) + 0.5) * width / _CELLS, (np.arange(rows) + 0.5) * height / rows)
    whole = sum(room.values())
    density = np.ones((rows, _CELLS))
    for code, shape in shapes.items():
        shapely.prepare(shape)
        density[shapely.contains_xy(shape, xs, ys)] = room[code] / whole / (shape.area / (width * height))
    corners = _carried(density)
    scaled = corners * np.array([width / _CELLS, height / rows])
    return Warp(width, height, scaled)


def _carried(density: Array) -> Array:
    """Where the corners of the cells go while the density spreads, in cells."""
    rows, columns = density.shape
    down, across = _cosines(rows), _cosines(columns)
    waves_down, waves_across = np.pi * np.arange(rows) / rows, np.pi * np.arange(columns) / columns
    decay = waves_down[:, None] ** 2 + waves_across[None, :] ** 2
    strength = down @ density @ across.T * np.exp(-decay * _BLUR**2 / 2)
    back_down, back_across = _waves(rows, waves_down), _waves(columns, waves_across)
    xs, ys = np.meshgrid(np.arange(columns + 1.0), np.arange(rows + 1.0))
    at = np.stack([xs, ys], axis=2).reshape(-1, 2)
    times = np.concatenate([[0.0], np.geomspace(0.02, 0.35 * max(rows, columns) ** 2, _STEPS)])
    for begin, end in pairwise(times):
        flow = _flow(strength * np.exp(-decay * (begin + end) / 2), waves_down, waves_across, back_down, back_across)
        half = at + _between(flow, at[:, 0], at[:, 1]) * (end - begin) / 2
        at = at + _between(flow, half[:, 0], half[:, 1]) * (end - begin)
        at = np.clip(at, 0, [columns, rows])
    return at.reshape(rows + 1, columns + 1, 2)


def _cosines(size: int) -> Array:
    """The matrix of the discrete cosine transform (DCT-II), scaled so that `_waves` undoes it."""
    wave, cell = np.meshgrid(np.arange(size), np.arange(size) + 0.5, indexing="ij")
    scale = np.where(np.arange(size) == 0, 1.0, 2.0)[:, None] / size
    return np.asarray(scale * np.cos(np.pi * wave * cell / size))


def _waves(size: int, waves: Array) -> tuple[Array, Array]:
    """Cosine and sine of every wave at every corner."""
    corners = np.arange(size + 1.0)
    return np.cos(np.outer(corners, waves)), np.sin(np.outer(corners, waves))


def _flow(
    strength: Array, waves_down: Array, waves_across: Array, down: tuple[Array, Array], across: tuple[Array, Array]
) -> Array:
    """The velocity at every corner: from dense to thin."""
    density = down[0] @ strength @ across[0].T
    right = down[0] @ (strength * waves_across[None, :]) @ across[1].T
    below = down[1] @ (strength * waves_down[:, None]) @ across[0].T
    return np.stack([right, below], axis=2) / np.maximum(density, 1e-3)[:, :, None]


def _between(field: Array, xs: Array, ys: Array) -> Array:
    """The values of a field of corners at these points, in cells (bilinear)."""
    rows, columns = field.shape[0] - 1, field.shape[1] - 1
    left = np.clip(np.floor(xs).astype(int), 0, columns - 1)
    top = np.clip(np.floor(ys).astype(int), 0, rows - 1)
    right, below = (xs - left)[:, None], (ys - top)[:, None]
    upper = field[top, left] * (1 - right) + field[top, left + 1] * right
    lower = field[top + 1, left] * (1 - right) + field[top + 1, left + 1] * right
    return np.asarray(upper * (1 - below) + lower * below)
