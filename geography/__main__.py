"""Draws the outlines of the standard board: `python -m geography [cache folder]`.

Reads the tables beside it and Natural Earth's countries, writes `gm/board/geography.json`. Needs the optional
extra `geography` and, the first time, npm to fetch the atlas. The same tables give the same file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from geography.atlas import countries
from geography.cartogram import Array, moved, stretched
from geography.globe import TrueSheet
from geography.mosaic import COARSER, FINENESS, Topology, exact, joined, topology
from geography.partition import LAKE, divide
from geography.points import Spots, place_signs
from geography.sheet import NOBODY, frame, onto_sheet, projection, settings, towns
from gm.board import Terrain, standard_board
from gm.board.geography import Point

TARGET = Path(__file__).parent.parent / "gm" / "board" / "geography.json"


def main() -> None:
    """From atlas and tables to the finished file."""
    cache = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("build")
    board = standard_board()
    globe = {name: shapely.make_valid(onto_sheet(shape)) for name, shape in countries(cache).items()}
    seas = frozenset(str(p) for p in board.provinces if board.terrain(p) is Terrain.SEA)
    mosaic = divide(globe, towns(), seas)
    true = _true(topology(exact(mosaic)))
    flows = _flows(mosaic, seas)
    shapes = exact({code: moved(shape, flows) for code, shape in _in_units(joined(mosaic)).items()}, COARSER)
    drawn = topology(shapes)
    spots = place_signs(board, _in_units(shapes), _chief(flows), _size())
    TARGET.write_text(_text(drawn, spots, true), encoding="utf-8")
    points = sum(len(arc) for arc in drawn.arcs)
    print(f"{TARGET.name}: {len(drawn.arcs)} arcs, {points} points, {TARGET.stat().st_size:,} bytes")


def _true(drawn: Topology) -> TrueSheet:
    """The mosaic as the globe has it, on which bearings are taken."""
    arcs = [[Point(x / FINENESS, y / FINENESS) for x, y in arc] for arc in drawn.arcs]
    return TrueSheet(projection(), arcs, drawn.shapes)


def _in_units(shapes: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    return {code: shapely.transform(shape, lambda points: points / FINENESS) for code, shape in shapes.items()}


def _flows(mosaic: Mapping[str, BaseGeometry], seas: frozenset[str]) -> list[Array]:
    """How the sheet is stretched, so that every province has the room that the table gives it."""
    room = settings()["room"]
    least = dict.fromkeys(mosaic, room["land"]) | dict.fromkeys(seas, room["sea"]) | room["other"]
    wanted = {
        code: (least[code] + room["share"] * shape.area) * room["times"].get(code, 1) for code, shape in mosaic.items()
    }
    return stretched(mosaic, wanted, room["rounds"])


def _chief(flows: list[Array]) -> dict[str, shapely.Point]:
    """The first place of each province on the drawn sheet."""
    return {town.province: moved(town.at, flows) for town in reversed(towns()) if town.province != NOBODY}


def _size() -> tuple[float, float]:
    _, _, right, bottom = frame().bounds
    return right, bottom


def _text(drawn: Topology, spots: dict[str, Spots], true: TrueSheet) -> str:
    """TopoJSON, one arc or shape a line; positions in tenths of a unit of the sheet, arcs as steps."""
    head = {
        "type": "Topology",
        "size": _size(),
        "transform": {"scale": [1 / FINENESS, 1 / FINENESS], "translate": [0, 0]},
    }
    arcs = [_steps(arc) for arc in drawn.arcs]
    shapes = [
        {"type": "MultiPolygon", "id": code, "properties": _properties(code, spots.get(code), true), "arcs": polygons}
        for code, polygons in drawn.shapes.items()
    ]
    body = ",\n".join(f"{json.dumps(key)}: {_compact(value)}" for key, value in head.items())
    geometries = ",\n".join(map(_compact, shapes))
    return (
        f'{{\n{body},\n"arcs": [\n'
        + ",\n".join(map(_compact, arcs))
        + f'\n],\n"objects": {{"board": {{"type": "GeometryCollection", "geometries": [\n{geometries}\n]}}}}\n}}\n'
    )


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _steps(arc: tuple[tuple[int, int], ...]) -> list[list[int]]:
    steps = [list(arc[0])]
    steps += [[b[0] - a[0], b[1] - a[1]] for a, b in pairwise(arc)]
    return steps


def _properties(code: str, spots: Spots | None, true: TrueSheet) -> dict[str, Any]:
    if spots is None:
        return {}
    found: dict[str, Any] = {"unit": spots.unit, "label": spots.label}
    if spots.center is not None:
        found["center"] = spots.center
    if spots.coasts:
        found["coasts"] = spots.coasts
        found["ashore"] = {at: settings()["coasts"][at] for at in spots.coasts}
    around = (other for other in true.around(code) if other not in (NOBODY, LAKE))
    middle = [round(degrees, 6) for degrees in true.middle(code)]
    return found | {"dislodged": spots.dislodged, "mark": spots.mark, "middle": middle, "around": " ".join(around)}


if __name__ == "__main__":
    main()
