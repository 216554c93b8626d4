"""The outlines of the standard board, true to the globe: `python -m geography [cache folder]`.

Reads the tables beside it and Natural Earth's countries, writes `gm/board/geography.json`. Needs the optional
extra `geography` and, the first time, npm to fetch the atlas. The same tables give the same file.
The sheet that maps are drawn on is made of it by `python -m geography.drawing`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import shapely

from geography.atlas import countries
from geography.mosaic import exact, topology
from geography.partition import divide
from geography.sheet import frame, onto_sheet, projection, settings, towns
from geography.topojson import text
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
    TARGET.write_text(text(drawn, {}, _size(), projection=_projection(), coasts=settings()["coasts"]), encoding="utf-8")
    points = sum(len(arc) for arc in drawn.arcs)
    print(f"{TARGET.name}: {len(drawn.arcs)} arcs, {points} points, {TARGET.stat().st_size:,} bytes")


def _projection() -> dict[str, Any]:
    flat = projection()
    return {
        "middle": settings()["sheet"]["middle"],
        "spread": flat.spread,
        "scale": flat.scale,
        "origin": [flat.origin.x, flat.origin.y],
    }


def _size() -> tuple[float, float]:
    _, _, right, bottom = frame().bounds
    return right, bottom


if __name__ == "__main__":
    main()
