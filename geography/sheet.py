"""The tables of this folder, and shapes of the globe put onto the sheet."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from geography.globe import Projection
from gm.board.geography import Place
from gm.board.geography import Point as SheetPoint

HERE = Path(__file__).parent
NOBODY = "-"
"""The code of land that is on the sheet but not on the board."""


@dataclass(frozen=True)
class Town:
    """A real place that speaks for its province."""

    province: str
    name: str
    at: Point


@cache
def settings() -> dict[str, Any]:
    """`lands.toml`."""
    return tomllib.loads((HERE / "lands.toml").read_text(encoding="utf-8"))


@cache
def projection() -> Projection:
    """From the globe to the sheet, whose upper left corner is (0, 0)."""
    sheet = settings()["sheet"]
    left, top, _, _ = sheet["frame"]
    return Projection(Place(*sheet["middle"]), sheet["spread"], sheet["scale"], SheetPoint(-left, -top))


@cache
def frame() -> Polygon:
    """The edge of the sheet."""
    left, top, right, bottom = settings()["sheet"]["frame"]
    return box(0, 0, right - left, bottom - top)


def onto_sheet(shape: BaseGeometry) -> BaseGeometry:
    """A shape in degrees (x longitude, y latitude) on the sheet."""

    def project(points: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.array([projection().sheet(Place(y, x)) for x, y in points])

    return shapely.transform(shape, project)


@cache
def towns() -> tuple[Town, ...]:
    """`places.csv`, projected."""
    with (HERE / "places.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Town(
                row["province"],
                row["place"],
                Point(projection().sheet(Place(float(row["lat"]), float(row["lon"])))),
            )
            for row in csv.DictReader(file)
        )
