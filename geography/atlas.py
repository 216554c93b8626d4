"""The countries of Natural Earth (public domain), read from the TopoJSON of npm's `world-atlas` package."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import shapely
from shapely import Polygon, box, make_valid
from shapely.geometry.base import BaseGeometry

PACKAGE = "world-atlas@2.0.2"
ARCHIVE = "world-atlas-2.0.2.tgz"
SHA256 = "032e7765f2ce00edaeafec23ff22bc3b77e42987c257da944cc585b452c05b97"
MEMBER = "package/countries-10m.json"

WINDOW = box(-70, 12, 110, 84)
"""Degrees of longitude and latitude: all that a map of Europe can show, and some more."""


def countries(cache: Path) -> dict[str, BaseGeometry]:
    """Outlines by country's name in degrees (x longitude, y latitude), within the window; fetched once into `cache`."""
    with tarfile.open(_archive(cache)) as archive:
        member = archive.extractfile(MEMBER)
        assert member is not None
        topology = json.load(member)
    arcs = _arcs(topology)
    found: dict[str, BaseGeometry] = {}
    for shape in topology["objects"]["countries"]["geometries"]:
        outline = shapely.union_all([_polygon(rings, arcs) for rings in _parts(shape)]).intersection(WINDOW)
        if not outline.is_empty:
            name = shape["properties"]["name"]
            found[name] = found[name].union(outline) if name in found else outline
    return found


def _archive(cache: Path) -> Path:
    path = cache / ARCHIVE
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=cache, check=True, stdout=subprocess.DEVNULL)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != SHA256:
        raise SystemExit(f"{path} is not the {PACKAGE} these outlines were made from: its SHA-256 is {digest}")
    return path


def _arcs(topology: dict[str, Any]) -> list[list[tuple[float, float]]]:
    """The shared lines of the file: quantised steps, added up and put back into degrees."""
    (east, north), (west, south) = topology["transform"]["scale"], topology["transform"]["translate"]
    lines = []
    for steps in topology["arcs"]:
        x = y = 0
        line = []
        for dx, dy in steps:
            x, y = x + dx, y + dy
            line.append((x * east + west, y * north + south))
        lines.append(line)
    return lines


def _parts(shape: dict[str, Any]) -> Iterator[list[list[int]]]:
    if shape["type"] == "Polygon":
        yield shape["arcs"]
    elif shape["type"] == "MultiPolygon":
        yield from shape["arcs"]


def _polygon(rings: list[list[int]], arcs: list[list[tuple[float, float]]]) -> BaseGeometry:
    """A polygon with its holes; rings too small for the file's precision have fallen in and are left out."""
    shell, *holes = (_unwrapped([point for index in ring for point in _directed(arcs, index)]) for ring in rings)
    return make_valid(Polygon(shell, [hole for hole in holes if len(hole) > 2])) if len(shell) > 2 else Polygon()


def _unwrapped(ring: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """A ring that crosses the antimeridian, with longitudes that go on beyond 180 and a middle that does not."""
    whole = []
    turns = 0
    for index, (x, y) in enumerate(ring):
        if index and abs(x - ring[index - 1][0]) > 180:
            turns += 360 if x < 0 else -360
        whole.append((x + turns, y))
    excess = 360 * round(median(x for x, _ in whole) / 360)
    return [(x - excess, y) for x, y in whole]


def _directed(arcs: list[list[tuple[float, float]]], index: int) -> list[tuple[float, float]]:
    """An arc without its last point, which begins the next one; ~index means backwards."""
    return arcs[index][:-1] if index >= 0 else arcs[~index][:0:-1]
