"""Borders between nearest places made natural: corners rounded, then bent by a smooth field of chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge

OCTAVES = ((110.0, 4.0), (42.0, 1.7), (17.0, 0.8), (7.5, 0.32))
"""Wavelength and reach of each field, in units of the sheet."""

_WAVES = 7
Array = np.ndarray[Any, Any]


def natural(regions: Mapping[str, BaseGeometry], rough: float = 1.0) -> dict[str, BaseGeometry]:
    """The regions of a mosaic with their common borders rounded and roughened; they still touch exactly."""
    edges = shapely.node(shapely.union_all([region.boundary for region in regions.values()]))
    merged = linemerge(edges)
    arcs = [merged] if merged.geom_type == "LineString" else list(merged.geoms)
    lines = [LineString(bend(shapely.segmentize(_rounded(arc), 1.5), rough)) for arc in arcs]
    faces = shapely.polygonize([shapely.node(shapely.union_all(lines))]).geoms
    found: dict[str, list[Polygon]] = {code: [] for code in regions}
    for face in faces:
        owner = max(regions, key=lambda code: regions[code].intersection(face).area)
        found[owner].append(face)
    return {code: shapely.union_all(parts) for code, parts in found.items()}


def _rounded(arc: LineString) -> LineString:
    """Corners cut three times over (Chaikin); the ends stay."""
    points = np.array(arc.coords)
    closed = bool((points[0] == points[-1]).all())
    for _ in range(3):
        if len(points) < 3:
            break
        near = 0.75 * points[:-1] + 0.25 * points[1:]
        far = 0.25 * points[:-1] + 0.75 * points[1:]
        cut = np.stack([near, far], axis=1).reshape(-1, 2)
        points = np.vstack([cut, cut[:1]]) if closed else np.vstack([points[:1], cut[1:-1], points[-1:]])
    return LineString(points)


def bend(line: LineString, rough: float) -> Array:
    """The points of a line, moved by a field that moves neighbouring points alike."""
    points = np.array(line.coords)
    moved = points.copy()
    rng = np.random.default_rng(1901)
    for wavelength, reach in OCTAVES:
        for axis in (0, 1):
            turn = rng.uniform(0, 2 * np.pi, _WAVES)
            phase = rng.uniform(0, 2 * np.pi, _WAVES)
            length = wavelength * rng.uniform(0.75, 1.35, _WAVES)
            waves = 2 * np.pi * (points[:, :1] * np.cos(turn) + points[:, 1:] * np.sin(turn)) / length + phase
            moved[:, axis] += rough * reach * np.sin(waves).sum(axis=1) / np.sqrt(_WAVES)
    return moved
