"""Land and water divided among the nearest places and joined by province."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import shapely
from shapely import GeometryCollection, LineString, MultiPoint, Polygon
from shapely.geometry.base import BaseGeometry

from geography.roughness import natural
from geography.sheet import NOBODY, Town, frame, onto_sheet, settings

LAKE = "~"
"""The code of water that is enclosed by land and belongs to no sea of the board."""


def divide(
    countries: Mapping[str, BaseGeometry], towns: Sequence[Town], seas: frozenset[str]
) -> dict[str, BaseGeometry]:
    """The sheet as a mosaic: for each province, for NOBODY and for LAKE, its shape."""
    shown = frame().buffer(40)
    countries = {name: shape for name, shape in countries.items() if shape.intersects(shown)}
    ashore = [town for town in towns if town.province not in seas]
    land = _land(_realms(countries), ashore)
    for province, bridge in _bridges():
        land = {code: shape.difference(bridge) for code, shape in land.items()}
        land[province] = land[province].union(bridge)
    solid = shapely.union_all(list(land.values()))
    water = _water(frame().difference(solid), [town for town in towns if town.province in seas])
    return {code: shape.intersection(frame()) for code, shape in (land | water).items()}


def _realms(countries: Mapping[str, BaseGeometry]) -> list[BaseGeometry]:
    """Land that is divided as one: a country, or several whose borders mean nothing."""
    joined = settings()["countries"]["joined"]
    realms = [shapely.union_all([countries[name] for name in names]) for names in joined]
    together = {name for names in joined for name in names}
    return realms + [shape for name, shape in countries.items() if name not in together]


def _land(realms: Sequence[BaseGeometry], towns: Sequence[Town]) -> dict[str, BaseGeometry]:
    """Each island, or mainland of a realm, divided among the places that lie on it."""
    smallest = settings()["countries"]["smallest_island"]
    farthest = settings()["countries"]["farthest_island"]
    parts = [(index, part) for index, shape in enumerate(realms) for part in _polygons(shape)]
    tree = shapely.STRtree([part for _, part in parts])
    lying: dict[int, list[Town]] = defaultdict(list)
    for town in towns:
        lying[int(tree.nearest(town.at))].append(town)
    found: dict[str, list[BaseGeometry]] = defaultdict(list)
    for number, (index, part) in enumerate(parts):
        if number in lying:
            for code, piece in _nearest(part, lying[number]).items():
                found[code].append(piece)
        elif part.area >= smallest:
            own = {other for other in lying if parts[other][0] == index and part.dwithin(parts[other][1], farthest)}
            near = [town for other in own for town in lying[other]]
            owner = min(near, key=lambda town: part.distance(town.at)).province if near else NOBODY
            found[owner].append(part)
    return {code: shapely.union_all(parts) for code, parts in found.items()}


def _water(water: BaseGeometry, towns: Sequence[Town]) -> dict[str, BaseGeometry]:
    found: dict[str, list[BaseGeometry]] = defaultdict(list)
    for part in _polygons(water):
        here = [town for town in towns if part.contains(town.at)]
        if here:
            for code, piece in _nearest(part, here if len(here) == 1 else towns, rough=0.25).items():
                found[code].append(piece)
        else:
            found[LAKE].append(part)
    return {code: shapely.union_all(parts) for code, parts in found.items()}


def _nearest(area: BaseGeometry, towns: Sequence[Town], rough: float = 1.0) -> dict[str, BaseGeometry]:
    """An area divided among the provinces of the nearest places; what is cut off goes to a neighbour."""
    if len({town.province for town in towns}) == 1:
        return {towns[0].province: area}
    cells = shapely.voronoi_polygons(MultiPoint([town.at for town in towns]), extend_to=frame().buffer(400))
    joined: dict[str, list[BaseGeometry]] = defaultdict(list)
    for cell in cells.geoms:
        owner = next(town for town in towns if cell.contains(town.at))
        joined[owner.province].append(cell)
    regions = natural({code: shapely.union_all(parts) for code, parts in joined.items()}, rough)
    return _healed({code: region.intersection(area) for code, region in regions.items()}, towns)


def _healed(shares: dict[str, BaseGeometry], towns: Sequence[Town]) -> dict[str, BaseGeometry]:
    """Pieces without a place of their own go to the neighbour with which they share the longest border."""
    kept: dict[str, list[BaseGeometry]] = defaultdict(list)
    loose: list[tuple[str, BaseGeometry]] = []
    for code, share in shares.items():
        own = [town.at for town in towns if town.province == code]
        pieces = sorted(_polygons(share), key=lambda piece: -piece.area)
        for index, piece in enumerate(pieces):
            if index == 0 or any(piece.dwithin(at, 0.5) for at in own):
                kept[code].append(piece)
            else:
                loose.append((code, piece))
    for code, piece in loose:
        border = {
            other: sum(part.boundary.intersection(piece.boundary.buffer(0.05)).length for part in parts)
            for other, parts in kept.items()
        }
        best = max(border, key=lambda other: border[other])
        kept[best if border[best] > 0 else code].append(piece)
    return {code: shapely.union_all(parts) for code, parts in kept.items()}


def _bridges() -> Iterable[tuple[str, BaseGeometry]]:
    for province, bridge in settings()["bridges"].items():
        lines = [LineString([(lon, lat) for lat, lon in line]) for line in bridge["lines"]]
        shapes = [onto_sheet(line).buffer(bridge["width"] / 2, cap_style="square") for line in lines]
        yield province, shapely.union_all(shapes)


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    return [part for part in shapely.get_parts(GeometryCollection([shape])) for part in _flat(part)]


def _flat(shape: BaseGeometry) -> list[Polygon]:
    if shape.geom_type == "Polygon":
        return [shape] if not shape.is_empty else []
    return [part for inner in getattr(shape, "geoms", ()) for part in _flat(inner)]
