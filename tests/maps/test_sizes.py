"""What can be read on a phone, measured in the pixels of the picture: names, units, and what covers what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from gm.board.geography import Point, contains, standard_geography
from gm.maps.glyphs import ARMY, FLEET, NAME, Box, Label, UnitSign, liveries
from gm.maps.render import piece, signs
from gm.maps.scene import Scene, scene
from gm.variants.standard import POWERS
from gm.views import UnitShape
from tests.maps import views
from tests.maps.test_names import VIEWS as OPENINGS
from tests.maps.test_scenes import VIEWS

MAP = standard_geography()
PHONE = 390
"""The width of a phone's screen, in its points."""
FINE = 3
"""How many pixels a point of the screen has here: as in the picture of a report, and more."""
SHARE = PHONE * FINE / MAP.width
DRAWN = 128
"""From this on, of 255, a pixel belongs to what is drawn."""


def ink(kind: str, sign: Label | UnitSign) -> Image.Image:
    """What a sign covers of the sheet, without the edge of paper around it: white there, black elsewhere."""
    drawing = str(getattr(signs(), kind)(replace(sign, ground="") if isinstance(sign, Label) else sign))
    for edge, bare in (('class="name', 'style="stroke:none" class="name'), ('stroke="#fff" stroke-width="4"', "")):
        drawing = drawing.replace(edge, bare)
    whole = piece(drawing, Box(0, 0, MAP.width, MAP.height), SHARE).getchannel("A")
    return whole.point([255 * (value >= DRAWN) for value in range(256)])


@cache
def name(label: Label) -> Image.Image:
    return ink("label", label)


def labels() -> tuple[Label, ...]:
    return scene(views.opening()).labels


SHAPES = {
    "army": ARMY,
    "fleet": FLEET,
    **{kind.word: shape for view in OPENINGS.values() for kind, shape in view.art.units.items()},
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_units_are_wide_enough_for_a_phone(shape: UnitShape) -> None:
    middle = MAP.spots["mos"].unit
    drawn = ink("unit", UnitSign(shape, middle, next(iter(liveries(POWERS).values()))))
    left, _, right, _ = drawn.getbbox() or (0, 0, 0, 0)
    assert (right - left) / FINE >= 14


def test_names_are_high_enough_for_a_phone() -> None:
    """11 pixels are the height of the font; its capitals have two thirds of that."""
    assert NAME * PHONE / MAP.width >= 11
    for label in labels():
        _, top, _, low = name(label).getbbox() or (0, 0, 0, 0)
        assert (low - top + 1) / FINE >= 11 * 0.64, label.text


def test_every_name_is_in_its_own_province() -> None:
    """Each pixel of it: no name is on another province, nor on what is not played."""
    astray = [label.text for label in labels() if not _within(label)]
    assert not astray


def _within(label: Label) -> bool:
    rings, drawn = MAP.rings(label.text.lower()), name(label)
    left, top, right, low = drawn.getbbox() or (0, 0, 0, 0)
    pixels = ((x, y) for x in range(left, right, 2) for y in range(top, low, 2) if drawn.getpixel((x, y)))
    return all(contains(rings, Point((x + 0.5) / SHARE, (y + 0.5) / SHARE)) for x, y in pixels)


def covered(drawn: Scene) -> Iterator[tuple[object, object]]:
    """Names, units and centres that have a pixel in common."""
    seen = [(label.text, name(label), label.box) for label in drawn.labels]
    seen += [(f"unit at {unit.middle}", ink("unit", unit), unit.box) for unit in drawn.units]
    for (one, pixels, box), (other, others, beside) in combinations(seen, 2):
        near = Box(box.left - 9, box.top - 9, box.right + 9, box.bottom + 9).overlaps(beside)
        if near and ImageChops.multiply(pixels, others).getbbox():
            yield one, other


@pytest.mark.parametrize("view", VIEWS)
def test_no_pixel_of_a_name_or_unit_is_covered(view: str) -> None:
    """With their flags and frames."""
    assert not list(covered(scene(VIEWS[view]())))
