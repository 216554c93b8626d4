"""Draws the outlines of the standard board: `python -m geography [cache folder]`.

Reads the tables beside it and Natural Earth's countries, writes `gm/board/geography.json`. Needs the optional
extra `geography` and, the first time, npm to fetch the atlas. The same tables give the same file.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import shapely

from geography.atlas import countries
from geography.mosaic import FINENESS, Topology, exact, topology
from geography.partition import divide
from geography.points import Spots, place_signs
from geography.sheet import frame, onto_sheet, projection, settings, towns
from gm.board import Terrain, standard_board

TARGET = Path(__file__).parent.parent / "gm" / "board" / "geography.json"


def main() -> None:
    """From atlas and tables to the finished file."""
    cache = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("build")
    board = standard_board()
    globe = {name: shapely.make_valid(onto_sheet(shape)) for name, shape in countries(cache).items()}
    seas = frozenset(str(p) for p in board.provinces if board.terrain(p) is Terrain.SEA)
    shapes = exact(divide(globe, towns(), seas))
    drawn = topology(shapes)
    sheet = {code: shapely.transform(shape, lambda points: points / FINENESS) for code, shape in shapes.items()}
    spots = place_signs(board, sheet, towns(), _size())
    TARGET.write_text(_text(drawn, spots), encoding="utf-8")
    points = sum(len(arc) for arc in drawn.arcs)
    print(f"{TARGET.name}: {len(drawn.arcs)} arcs, {points} points, {TARGET.stat().st_size:,} bytes")


def _size() -> tuple[float, float]:
    _, _, right, bottom = frame().bounds
    return right, bottom


def _text(drawn: Topology, spots: dict[str, Spots]) -> str:
    """TopoJSON, one arc or shape a line; positions in tenths of a unit of the sheet, arcs as steps."""
    flat = projection()
    head = {
        "type": "Topology",
        "projection": {
            "middle": settings()["sheet"]["middle"],
            "spread": flat.spread,
            "scale": flat.scale,
            "origin": [flat.origin.x, flat.origin.y],
        },
        "size": _size(),
        "transform": {"scale": [1 / FINENESS, 1 / FINENESS], "translate": [0, 0]},
    }
    arcs = [_steps(arc) for arc in drawn.arcs]
    shapes = [
        {"type": "MultiPolygon", "id": code, "properties": _properties(spots.get(code)), "arcs": polygons}
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


def _properties(spots: Spots | None) -> dict[str, Any]:
    if spots is None:
        return {}
    found: dict[str, Any] = {"unit": spots.unit, "label": spots.label}
    if spots.center is not None:
        found["center"] = spots.center
    if spots.coasts:
        found["coasts"] = spots.coasts
    return found | {"dislodged": spots.dislodged, "mark": spots.mark}


if __name__ == "__main__":
    main()
