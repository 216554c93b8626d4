"""The sheet that maps are drawn on: `python -m geography.drawing`.

Distorts the true outlines (`gm/board/geography.json`) so that the signs of each province have room, and writes
`gm/maps/sheet.json`. Needs the optional extra `geography`, and no network.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from geography.cartogram import Warp, identity, warp
from geography.mosaic import FINENESS, exact, topology
from geography.points import Sizes, Spots, place_signs
from geography.sheet import NOBODY, Town, towns
from geography.topojson import text
from gm.board import standard_board
from gm.board.geography import LAKE, Mosaic, standard_geography
from gm.maps.glyphs import CENTER, MARGIN, MARK, UNIT, Size, label_size

TARGET = Path(__file__).parent.parent / "gm" / "maps" / "sheet.json"
SIZE = (660.0, 660.0)
"""The sheet, in units in which a unit on the map is 29 wide."""
EVENNESS = 0.58
"""How much of the differences between the areas of provinces is given up: 0 nothing, 1 everything."""
EMPTY = 0.45
"""The share of its area that land keeps on which nobody plays."""
TOLERANCE = 5.0
"""How much of a line's detail is given up (see `mosaic.TOLERANCE`)."""
LEAST = 0.8
"""The least room of a province, as a share of the mean."""
_ROUNDS = 6
_MORE = 1.4
"""How much more room a province is given in the next round, times the share of its signs that lies outside."""

SIZES = Sizes(UNIT, CENTER, MARK, lambda code: label_size(code.capitalize()))


def main() -> None:
    """From the true outlines to the finished file."""
    true = standard_geography()
    shapes = {code: _shape(true, code) for code in true.polygons}
    room = {code: _room(code, shape.area, true) for code, shape in shapes.items()}
    whole = identity(true.width, true.height)
    for number in range(_ROUNDS):
        for _ in range(2 if number == 0 else 1):
            whole = whole.then(warp(_moved(shapes, whole), room, true.width, true.height))
        drawn = _scaled(_moved(shapes, whole), true)
        spots = place_signs(standard_board(), drawn, _towns(whole, true), SIZE, SIZES)
        lacking = {code: _lacking(code, spots.get(code), drawn[code]) for code in shapes if code not in (NOBODY, LAKE)}
        crowded = {code: share for code, share in lacking.items() if share}
        print(f"round {number + 1}: no room for {' '.join(crowded) or 'nobody: all fit'}", flush=True)
        settle(spots, drawn)
        TARGET.write_text(text(topology(exact(drawn, 0)), spots, SIZE), encoding="utf-8")
        if not crowded:
            break
        room |= {code: room[code] * (1 + _MORE * share) for code, share in crowded.items()}
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")


def _shape(sheet: Mosaic, code: str) -> BaseGeometry:
    polygons = sheet.polygons[code]
    rings = [[[point for n in ring for point in sheet.arc(n)[:-1]] for ring in polygon] for polygon in polygons]
    return shapely.union_all([Polygon(shell, holes) for shell, *holes in rings])


def _room(code: str, area: float, sheet: Mosaic) -> float:
    """The room that a province asks for: its area, nearer to that of all others."""
    if code in (NOBODY, LAKE):
        return area * EMPTY
    mean = sheet.width * sheet.height / len(standard_board().provinces)
    return max(LEAST * mean, float(mean**EVENNESS * area ** (1 - EVENNESS)))


def _moved(shapes: dict[str, BaseGeometry], whole: Warp) -> dict[str, BaseGeometry]:
    return {code: shapely.transform(shape, whole) for code, shape in shapes.items()}


def _scaled(shapes: dict[str, BaseGeometry], true: Mosaic) -> dict[str, BaseGeometry]:
    """The shapes on the sheet that is drawn."""
    scale = np.array([SIZE[0] / true.width, SIZE[1] / true.height])
    scaled = [shapely.transform(shape, lambda points: points * scale) for shape in shapes.values()]
    simple = shapely.coverage_simplify(scaled, TOLERANCE / FINENESS, simplify_boundary=False)
    return dict(zip(shapes, simple, strict=True))


def _towns(whole: Warp, true: Mosaic) -> list[Town]:
    """The places of provinces, moved with them."""
    scale = np.array([SIZE[0] / true.width, SIZE[1] / true.height])
    return [replace(town, at=shapely.transform(town.at, lambda at: whole(at) * scale)) for town in towns()]


def _lacking(code: str, spots: Spots | None, shape: BaseGeometry) -> float:
    """The share of its name that is outside its province, or of its unit, if that is more than a fifth; a third for a
    province whose signs have no places.
    """
    if spots is None:
        return 0.33
    name, unit = _box(spots.label, SIZES.label(code)), _box(spots.unit, UNIT)
    outside = max(0.0, name.difference(shape.buffer(_TOUCH)).area / name.area - 0.01)
    beside = unit.difference(shape).area / unit.area
    return float(max(outside + 0.08 * (outside > 0), beside - 0.2, 0))


_TOUCH = 0.6
"""How far a name's box may reach beyond its province: its letters do not fill it."""


def settle(spots: dict[str, Spots], shapes: dict[str, BaseGeometry]) -> None:
    """Move each name that reaches beyond its province, by as little as possible, to where it does so least."""
    steps = sorted(product(np.arange(-9, 9.1, 0.5), repeat=2), key=lambda step: np.hypot(*step))
    for code, own in spots.items():
        size = SIZES.label(code)
        ink = Size(size.width, size.height - 2)
        taken = shapely.union_all([box.buffer(MARGIN) for other in spots for box in _boxes(other, spots[other], code)])

        def outside(at: tuple[float, float], code: str = code, ink: Size = ink) -> float:
            name = _box(at, ink)
            return float(name.difference(shapes[code]).area)

        if outside(own.label) == 0:
            continue
        places = [(own.label[0] + dx, own.label[1] + dy) for dx, dy in steps]
        free = [at for at in places if not taken.intersects(_box(at, size))]
        own.label = min(free or [own.label], key=lambda at: round(outside(at), 1))


def _boxes(code: str, spots: Spots, but_for: str) -> list[BaseGeometry]:
    """The boxes of all signs of a province, less its name if it is this one."""
    units = [spots.unit, *spots.coasts.values(), *spots.dislodged.values()]
    found = [_box(at, UNIT) for at in units]
    found += [_box(spots.center, CENTER)] if spots.center is not None else []
    found += [_box(spots.label, SIZES.label(code))] if code != but_for else []
    return [*found, _box(spots.mark, MARK)]


def _box(middle: tuple[float, float], size: Size) -> BaseGeometry:
    (x, y), (width, height) = middle, size
    return shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


if __name__ == "__main__":
    main()
