"""What can be read on a phone, measured in pixels: how large names and units are, and that nothing covers a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from gm.board import Province, Terrain, standard_board
from gm.board.geography import contains
from gm.maps.figures import WIDTH
from gm.maps.glyphs import ARMY, FLEET, Box, Label, UnitSign, liveries
from gm.maps.layout import paper
from gm.maps.render import Sprite, _provinces, _sign, piece
from gm.maps.scene import Scene, scene
from gm.maps.sheet import drawn_sheet
from gm.variants import all_variants
from gm.variants.standard import POWERS
from gm.views import UnitShape
from tests.maps import views
from tests.maps.test_scenes import VIEWS

BOARD = standard_board()
SHEET = drawn_sheet()
PHONE = 366
"""Pixels: the width of a mail on a phone of 390."""
SHARE = WIDTH / paper().width


def on_phone(pixels: float) -> float:
    return pixels * PHONE / WIDTH


def ink(label: Label) -> Image.Image:
    """The pixels of a name in a report's picture, without the edge around its letters."""
    style = "italic" if label.tone == "sea" else "normal"
    x, y = label.middle.x, label.middle.y + label.height * 0.33
    bare = f'<text x="{x}" y="{y}" font-size="{label.height}" font-style="{style}" fill="#000">{label.text}</text>'
    strength = piece(bare, Box(0, 0, SHEET.width, SHEET.height), SHARE).getchannel("A")
    return strength.point(lambda value: 255 if value > 100 else 0)


def test_names_and_units_are_large_enough_on_a_phone() -> None:
    for label in scene(views.opening()).labels:
        assert on_phone(label.height * SHARE) >= 11
    livery = next(iter(liveries(POWERS).values()))
    for shape in (ARMY, FLEET, *(one for game in all_variants().values() for one in shapes_of(game.name))):
        sprite: Sprite = _sign("unit", UnitSign(shape, SHEET.spots["mun"].unit, livery), SHARE)
        assert on_phone(sprite.picture.width) >= 14, shape


def shapes_of(name: str) -> Iterator[UnitShape]:
    game = all_variants()[name]
    position = game.opening(game.seating.powers or POWERS[:3], views.CHANCE)
    yield from game.view(game, position, None, None).art.units.values()


@pytest.mark.parametrize("province", BOARD.provinces)
def test_a_name_is_in_its_province_and_on_no_other(province: Province) -> None:
    label = next(one for one in scene(views.opening()).labels if one.text.casefold() == province)
    numbers, codes = _provinces(SHARE)
    own = codes[paper().shapes[province]]
    covered = Image.composite(numbers, Image.new("L", numbers.size, own), ink(label))
    assert covered.getcolors() == [(covered.width * covered.height, own)]


@pytest.mark.parametrize("name", VIEWS)
def test_no_name_is_below_a_unit(name: str) -> None:
    drawn = scene(VIEWS[name]())
    assert not [(one, other) for one, other in _signs_on(drawn) if _overlap(one, other)]


def _signs_on(drawn: Scene) -> Iterator[tuple[Sprite, Sprite]]:
    units = [_sign("unit", sign, SHARE) for sign in drawn.units]
    names = [_sign("label", replace(sign), SHARE) for sign in drawn.labels]
    yield from combinations(units, 2)
    yield from ((unit, name) for unit in units for name in names)


def _overlap(one: Sprite, other: Sprite) -> bool:
    """Whether both have a pixel in the same place, of which less than half shows through."""
    pictures = []
    for sprite in (one, other):
        strong = sprite.picture.getchannel("A").point(lambda value: 255 if value > 230 else 0)
        whole = Image.new("L", (WIDTH, WIDTH + 200))
        whole.paste(strong, (sprite.left, sprite.top))
        pictures.append(whole)
    return ImageChops.multiply(*pictures).getbbox() is not None


@pytest.mark.parametrize("province", BOARD.provinces)
def test_signs_are_inside_their_province(province: Province) -> None:
    spots, rings = SHEET.spots[province], SHEET.rings(province)
    assert contains(rings, spots.unit)
    assert spots.center is None or contains(rings, spots.center)
    assert (spots.center is not None) is BOARD.is_center(province)
    assert set(spots.coasts) == (set(BOARD.coasts(province)) if len(BOARD.coasts(province)) > 1 else set())
    assert set(spots.dislodged) == {province, *spots.coasts}


def test_provinces_are_more_alike_than_on_the_globe() -> None:
    """Of land that is played, the least is at least a tenth as large as the largest."""
    land = [p for p in BOARD.provinces if BOARD.terrain(p) is not Terrain.SEA]
    numbers, codes = _provinces(SHARE)
    counts = {number: count for count, number in numbers.getcolors() or ()}
    areas = sorted(counts[codes[paper().shapes[province]]] for province in land)
    assert areas[0] * 12 > areas[-1]
