"""The files of sheets: TopoJSON, one arc or shape a line; arcs as steps in tenths of a unit of the sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from geography.mosaic import FINENESS, Topology
from geography.points import Spots


def text(drawn: Topology, spots: Mapping[str, Spots], size: tuple[float, float], **told: Any) -> str:
    """The file of a sheet; `told`: what else its head says."""
    head = {
        "type": "Topology",
        **told,
        "size": size,
        "transform": {"scale": [1 / FINENESS, 1 / FINENESS], "translate": [0, 0]},
    }
    arcs = [_steps(arc) for arc in drawn.arcs]
    shapes = [
        {"type": "MultiPolygon", "id": code, **_properties(spots.get(code)), "arcs": polygons}
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
    return {"properties": found | {"dislodged": spots.dislodged, "mark": spots.mark}}
