"""What can be read on a phone, measured in the pixels of the picture: names and units."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from io import BytesIO

import pytest
from PIL import Image

from gm.board import Power, Province
from gm.board.geography import Point, contains, standard_geography
from gm.games.order_page import COLOURS
from gm.maps.glyphs import ARMY, FLEET, NAME, PIXELS, Box, Label, MarkSign, State, UnitSign, corner, liveries
from gm.maps.names import names
from gm.maps.picture import DARK, LIGHT, Scheme, figure
from gm.maps.render import piece, signs
from gm.maps.scene import drawable, scene
from gm.variants import all_variants
from gm.variants.game_file import packaged
from gm.variants.standard import POWERS
from gm.views import Mark, UnitShape, View
from tests.maps import views
from tests.maps.test_games import played
from tests.maps.test_names import VIEWS as OPENINGS
from tests.maps.test_render import turn_seen
from tests.maps.test_scenes import contrast
from tests.variants.written import WRITTEN

MAP = standard_geography()
PHONE = 390
"""The width of a phone's screen, in its points."""
FINE = 3
"""How many pixels a point of the screen has here: as in the picture of a report, and more."""
SHARE = PHONE * FINE / MAP.width
DRAWN = 128
"""From this on, of 255, a pixel belongs to what is drawn."""


SHEET = Box(0, 0, MAP.width, MAP.height)


def ink(kind: str, sign: Label | UnitSign | MarkSign, within: Box = SHEET) -> Image.Image:
    """What a sign covers of a part of the sheet, without the edge of paper around it: white there, black elsewhere."""
    drawing = str(getattr(signs(), kind)(replace(sign, ground="") if isinstance(sign, Label) else sign))
    drawing = drawing.replace('class="name', 'style="stroke:none" class="name')
    drawing = re.sub(r'stroke="#(fff|15101f)" stroke-width="4"', "", drawing)
    whole = piece(drawing, within, SHARE).getchannel("A")
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


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_cross_of_a_unit_that_is_gone_covers_none_of_its_letters(shape: UnitShape) -> None:
    livery = replace(next(iter(liveries(POWERS).values())), tag="Wwm")
    drawing = str(signs().unit(UnitSign(shape, Point(60, 60), livery, State.GONE))).replace('opacity=".7"', "")
    whole, letters = (piece(one, Box(20, 20, 100, 100), SHARE) for one in (drawing, re.sub("<path.*?/>", "", drawing)))
    solid = [place for place, alpha in enumerate(letters.getchannel("A").tobytes()) if alpha == 255]
    pixels = whole.convert("RGB").tobytes()
    assert {pixels[3 * place : 3 * place + 3] for place in solid} == {bytes.fromhex(livery.ink[1:])}


def test_names_are_high_enough_for_a_phone() -> None:
    """11 pixels are the height of the font; its capitals have two thirds of that."""
    assert NAME * PHONE / MAP.width >= 11
    for label in labels():
        _, top, _, low = name(label).getbbox() or (0, 0, 0, 0)
        assert (low - top + 1) / FINE >= 11 * 0.64, label.text


def test_full_names_are_as_high() -> None:
    for label in names(views.opening()).labels:
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


MARKED = {
    f"{game}, {name}": replace(emblem, sign=emblem.sign.replace("{year}", "'02"))
    for game in ("among-us", "black-hole", "fog", "outer-space", "the-aliens")
    for name, emblem in packaged(game).signs.items()
    if emblem.sign
}


@pytest.mark.parametrize("name", MARKED)
def test_a_mark_is_in_its_province_and_covers_nothing(name: str) -> None:
    """At most a third of it is over the border, where it might be another's."""
    view, emblem = views.opening(), MARKED[name]
    for code in MAP.spots:
        drawn = scene(replace(view, marks=(Mark(emblem, Province(code), POWERS[0]),)))
        (mark,) = drawn.marks
        others = [sign.box for signs in (drawn.labels, drawn.units, drawn.centers) for sign in signs]
        assert not any(map(mark.box.overlaps, others)), code
        near = mark.box.wider(20)
        seen, (x0, y0) = ink("mark", mark, near), corner(near, SHARE)
        left, top, right, low = seen.getbbox() or (0, 0, 0, 0)
        assert right - left <= (emblem.width + 2) * SHARE, name
        assert low - top <= 22 * SHARE, name
        if "<text" in emblem.sign and "{tag}" not in emblem.sign:
            assert (low - top + 1) / FINE >= 11 * 0.64, name
        pixels = [(x, y) for x in range(left, right, 3) for y in range(top, low, 3) if seen.getpixel((x, y))]
        rings = MAP.rings(code)
        inside = sum(contains(rings, Point((x0 + x + 0.5) / SHARE, (y0 + y + 0.5) / SHARE)) for x, y in pixels)
        assert inside >= 2 / 3 * len(pixels), code


@cache
def crowded(game: str) -> View | None:
    """The fullest of a game's first phases, with its orders; None where the board is no map."""
    variant = all_variants()[game]
    turn = max(played(variant), key=lambda one: len(one.after.units) + len(one.outcomes))
    view = turn_seen(variant, turn)
    return view if drawable(view) else None


@pytest.mark.parametrize("game", WRITTEN)
def test_a_crowded_position_of_each_game_can_be_read_on_a_phone(game: str) -> None:
    """What lies upon what is in `test_hidden`. Star charts are measured in their own tests."""
    view = crowded(game)
    if view is None:
        return
    drawn = scene(view)
    assert drawn.units
    for unit in drawn.units:
        left, _, right, _ = ink("unit", unit, unit.box).getbbox() or (0, 0, 0, 0)
        assert (right - left) / FINE >= 14
    for label in drawn.labels:
        _, top, _, low = name(label).getbbox() or (0, 0, 0, 0)
        assert (low - top + 1) / FINE >= 11 * 0.64, label.text
    assert all(len(unit.livery.tag) <= 3 for unit in drawn.units)


@pytest.mark.parametrize("game", WRITTEN)
def test_the_dark_picture_is_as_large_and_has_everything_in_its_place(game: str) -> None:
    view = crowded(game)
    found = figure(view) if view is not None else None
    if view is None or found is None:
        return
    light, dark = (Image.open(BytesIO(one)).convert("RGB") for one in (found.png, found.dark))
    assert light.size == dark.size
    share = PIXELS / MAP.width
    for unit in scene(view).units:
        at = int(unit.middle.x * share - 12), int(unit.middle.y * share)  # beside its letters
        near = unit.livery.strong, DARK.strong(unit.livery)
        assert all(_alike(one.getpixel(at), colour) for one, colour in zip((light, dark), near, strict=True)), unit


def _alike(pixel: object, colour: str) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(a - b) <= 24 for a, b in zip(pixel, bytes.fromhex(colour[1:]), strict=True))


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_names_show_on_the_land_of_every_power(scheme: Scheme) -> None:
    """WCAG 1.4.3 asks for 3:1 of letters as large as these."""
    for ground in (scheme.land, *map(scheme.tint, liveries(POWERS).values())):
        assert contrast(scheme.ink, ground) >= 3


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_letters_on_units_stand_out(scheme: Scheme) -> None:
    """WCAG 1.4.3 asks for 4.5:1 of letters as small as these: for all powers that there can be."""
    for livery in liveries([Power(f"P{number}") for number in range(COLOURS)]).values():
        assert contrast(livery.ink, scheme.strong(livery)) >= 4.5, livery


def test_what_is_seen_and_what_is_not_differ_in_the_dark_and_names_show_on_both() -> None:
    game = all_variants()["fog"]
    turn = next(played(game))
    drawn = scene(game.view(game, turn.after, turn, POWERS[0]))
    (unseen,) = (
        {area.fill for area in drawn.areas} - {LIGHT.land, LIGHT.not_played} - {one.tint for one in drawn.liveries}
    )
    for scheme in (LIGHT, DARK):
        assert contrast(scheme.paint(unseen), scheme.land) >= 1.6
        assert contrast(scheme.paint(unseen), scheme.sea) >= 1.6
        assert contrast(scheme.paint(unseen), scheme.ink) >= 4.5
    styles = str(signs().style())
    assert set(re.findall(r"stroke:(#\w+)", styles)) <= {LIGHT.paper, LIGHT.sea, "#15101f"}, (
        "what the dark scheme knows"
    )
