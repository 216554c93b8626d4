"""A mosaic of shapes made exact: on a grid, without gaps or slivers, simplified along common borders, cut into arcs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

FINENESS = 10
"""Steps of the grid in one unit of the sheet."""

SLIVER = 60
"""Faces below this area (in grid steps squared) that touch a province are given to it."""

TOLERANCE = 13.0
"""How much of a line's detail is given up: the root of the area (in grid steps squared) a bend must enclose to stay."""

COARSER = 21.0
"""The same where the sheet is stretched, and lines with it."""

Vertex = tuple[int, int]
Arc = tuple[Vertex, ...]


@dataclass(frozen=True)
class Topology:
    """Arcs, each stored once, and each shape's polygons as rings of arc numbers (~n: arc n backwards)."""

    arcs: tuple[Arc, ...]
    shapes: Mapping[str, tuple[tuple[tuple[int, ...], ...], ...]]


def exact(shapes: Mapping[str, BaseGeometry], tolerance: float = TOLERANCE) -> dict[str, BaseGeometry]:
    """The same mosaic in grid steps, simplified, with every common border the same line on both sides."""
    whole = joined(shapes)
    simple = shapely.coverage_simplify(list(whole.values()), tolerance, simplify_boundary=False)
    return dict(zip(whole, simple, strict=True))


def joined(shapes: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """The same mosaic in grid steps, with every common border the same line on both sides."""
    scaled = {code: shapely.transform(shape, lambda points: points * FINENESS) for code, shape in shapes.items()}
    lines = shapely.union_all([shape.boundary for shape in scaled.values()], grid_size=1)
    faces = list(shapely.polygonize([lines]).geoms)
    owners = [_owner(face, scaled) for face in faces]
    _give_away_slivers(faces, owners)
    codes = sorted({owner for owner in owners if owner is not None})
    return {
        code: shapely.coverage_union_all([f for f, owner in zip(faces, owners, strict=True) if owner == code])
        for code in codes
    }


def _owner(face: Polygon, shapes: Mapping[str, BaseGeometry]) -> str | None:
    inside = face.representative_point()
    return next((code for code, shape in shapes.items() if shape.contains(inside)), None)


def _give_away_slivers(faces: list[Polygon], owners: list[str | None]) -> None:
    """Gaps and crumbs go to the neighbour with the longest common border; small islands sink into their sea."""
    tree = shapely.STRtree(faces)
    for index in sorted(range(len(faces)), key=lambda index: faces[index].area):
        if owners[index] is not None and faces[index].area >= SLIVER:
            continue
        border: dict[str, float] = defaultdict(float)
        for other in tree.query(faces[index], predicate="touches"):
            owner = owners[other]
            if owner is not None and other != index:
                border[owner] += shapely.intersection(faces[index].boundary, faces[other].boundary).length
        if border and max(border.values()) > 0:
            owners[index] = max(border, key=lambda owner: border[owner])


def topology(shapes: Mapping[str, BaseGeometry]) -> Topology:
    """Cut a mosaic where more than two of its lines meet."""
    polygons = {code: [_rings(part) for part in _parts(shape)] for code, shape in shapes.items()}
    near: dict[Vertex, set[Vertex]] = defaultdict(set)
    for parts in polygons.values():
        for ring in (ring for rings in parts for ring in rings):
            for before, here, after in zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True):
                near[here] |= {before, after}
    junctions = {vertex for vertex, others in near.items() if len(others) > 2}
    arcs: dict[Arc, int] = {}
    found = {
        code: tuple(tuple(_numbered(ring, junctions, arcs) for ring in rings) for rings in parts)
        for code, parts in polygons.items()
    }
    return Topology(tuple(arcs), found)


def _parts(shape: BaseGeometry) -> list[Polygon]:
    return sorted((part for part in shapely.get_parts(shape)), key=lambda part: -part.area)


def _rings(polygon: Polygon) -> list[list[Vertex]]:
    """The outline clockwise as seen on the sheet (y down), the holes the other way; no point repeated."""
    turned = shapely.orient_polygons(polygon)
    return [[(round(x), round(y)) for x, y in ring.coords[:-1]] for ring in (turned.exterior, *turned.interiors)]


def _numbered(ring: list[Vertex], junctions: set[Vertex], arcs: dict[Arc, int]) -> tuple[int, ...]:
    starts = [index for index, vertex in enumerate(ring) if vertex in junctions]
    if not starts:
        starts = [ring.index(min(ring))]
    whole = ring[starts[0] :] + ring[: starts[0] + 1]
    cuts = [index for index, vertex in enumerate(whole) if vertex in junctions or index in (0, len(whole) - 1)]
    numbers = []
    for start, end in pairwise(cuts):
        arc = tuple(whole[start : end + 1])
        if arc[::-1] in arcs:
            numbers.append(~arcs[arc[::-1]])
        else:
            numbers.append(arcs.setdefault(arc, len(arcs)))
    return tuple(numbers)
