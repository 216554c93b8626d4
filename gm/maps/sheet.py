"""The sheet on which maps are drawn: the standard board with room where the play is.

Each province is as large as its signs need, so that names and units can be read on a phone; the sheet is a smooth
distortion of the true one, made by `python -m geography.drawing`. Nothing is decided by it: centroids and bearings are
those of `gm.board.geography`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from gm.board import Location
from gm.board.geography import Mosaic, Point, mosaic


@dataclass(frozen=True, slots=True)
class Spots:
    """Where the signs of a province are; fleets on a divided coast by their location (`stp/sc`)."""

    unit: Point
    label: Point
    center: Point | None
    coasts: Mapping[str, Point]
    dislodged: Mapping[str, Point]
    mark: Point
    """For signs that only some games have."""


@dataclass(frozen=True, eq=False)
class Sheet(Mosaic):
    """A mosaic with the places of signs."""

    spots: Mapping[str, Spots]

    def unit_at(self, at: Location) -> Point:
        """The point of a unit at the location."""
        spots = self.spots[_head(at)]
        return spots.coasts.get(at, spots.unit)

    def dislodged_at(self, at: Location) -> Point:
        """The point of a unit that was dislodged from the location, beside the unit that dislodged it."""
        spots = self.spots[_head(at)]
        return spots.dislodged[at if at in spots.coasts else _head(at)]


def _head(at: str) -> str:
    return at.partition("/")[0]


@cache
def drawn_sheet() -> Sheet:
    """The sheet of the standard board as it is drawn."""
    topology = json.loads(resources.files(__package__).joinpath("sheet.json").read_text(encoding="utf-8"))
    shapes = topology["objects"]["board"]["geometries"]
    spots = {shape["id"]: _spots(shape["properties"]) for shape in shapes if "properties" in shape}
    return Sheet(**vars(mosaic(topology)), spots=spots)


def _spots(properties: Mapping[str, Any]) -> Spots:
    return Spots(
        unit=Point(*properties["unit"]),
        label=Point(*properties["label"]),
        center=Point(*properties["center"]) if "center" in properties else None,
        coasts={at: Point(*spot) for at, spot in properties.get("coasts", {}).items()},
        dislodged={at: Point(*spot) for at, spot in properties["dislodged"].items()},
        mark=Point(*properties["mark"]),
    )
