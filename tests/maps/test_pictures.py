"""The pictures: SVG that every program can read, and small PNG with everything in the scene."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from xml.etree import ElementTree

import pytest
from PIL import Image

from gm.board import Location, Power
from gm.board.geography import standard_geography
from gm.maps import glyphs, picture
from gm.maps.glyphs import PIXELS, liveries, tags
from gm.maps.picture import DARK, LIGHT, Scheme, figure, in_few_colours, png, svg
from gm.maps.scene import scene
from gm.variants import all_variants
from gm.variants.standard import POWERS
from tests.maps import views
from tests.maps.test_games import CHANCE, NAMES
from tests.maps.test_scenes import VIEWS
from tests.variants.written import WRITTEN

LARGEST = 300_000
"""Bytes of a picture in a report."""


@pytest.mark.parametrize("name", VIEWS)
def test_every_kind_of_map_is_drawn_and_small(name: str) -> None:
    drawn = scene(VIEWS[name]())
    root = ElementTree.fromstring(svg(drawn))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    file = png(svg(drawn, PIXELS))
    assert len(file) < LARGEST
    with Image.open(BytesIO(file)) as image:
        assert image.format == "PNG"
        assert image.width == PIXELS
        assert image.height == pytest.approx(PIXELS * (drawn.height + drawn.legend.height) / drawn.width, abs=1)


@pytest.mark.parametrize("colours", [(), ("#ffffff",), ("#ffffff", "#1a2731", "#b3001b")])
def test_what_is_written_as_png_is_read_as_it_was(colours: tuple[str, ...]) -> None:
    drawn = in_few_colours(Image.effect_mandelbrot((101, 67), (-3.0, -2.5, 2.0, 2.5), 100).convert("RGB"), colours)
    with Image.open(BytesIO(picture._written(drawn))) as image:
        assert image.format == "PNG"
        assert image.convert("RGB").tobytes() == drawn.convert("RGB").tobytes()


@pytest.mark.parametrize("width", [400, 2000])
def test_pictures_come_in_the_width_that_is_asked_for(width: int) -> None:
    with Image.open(BytesIO(png(svg(scene(views.opening()), width)))) as image:
        assert image.width == width


def test_the_picture_has_the_colours_of_the_owners() -> None:
    """A pixel of Moscow has Russia's tint, one of Spain the neutral colour, one of the North Sea the sea's."""

    sheet = standard_geography()
    tint = liveries(POWERS)[Power("Russia")].tint
    with Image.open(BytesIO(png(svg(scene(views.opening()))))) as image:
        full = image.convert("RGB")
        for code, colour in (("mos", tint), ("spa", glyphs.LAND), ("nth", glyphs.SEA)):
            spot = sheet.dislodged_at(Location(code))
            found = full.getpixel((int(spot.x), int(spot.y)))
            expected = tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
            assert isinstance(found, tuple)
            assert all(abs(a - b) <= 8 for a, b in zip(found, expected, strict=True)), code


def test_letters_are_drawn_whatever_fonts_the_machine_has() -> None:
    """Without its names the picture differs: the font in the package was found."""
    drawn = scene(views.opening())
    assert png(svg(drawn)) != png(svg(replace(drawn, labels=())))


def test_who_sees_the_same_gets_the_same_picture_drawn_once() -> None:
    one, other = figure(views.seen(views.fall())), figure(views.seen(views.fall()))
    assert one is not None
    assert other is not None
    assert one.png is other.png
    assert one.title == "Fall 1903: moves"


@pytest.mark.parametrize("name", WRITTEN)
def test_pictures_of_every_game_are_known_again(name: str) -> None:
    """Equal ones have one hash, so that each is drawn once."""
    game = all_variants()[name]
    position = game.opening(game.seating.powers or NAMES, CHANCE)
    one, other = (figure(game.view(game, position, None, None)) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)


def test_pictures_are_drawn_in_several_threads_at_once() -> None:
    document = svg(scene(views.opening()))
    with ThreadPoolExecutor(3) as pool:
        drawn = [*pool.map(png, [document] * 3), png(document)]
    assert len({_pixels(one) for one in drawn}) == 1


def _pixels(file: bytes) -> bytes:
    """What a picture shows; the library that packs it does not always pack the same in as few bytes."""
    return Image.open(BytesIO(file)).convert("RGB").tobytes()


def test_what_cannot_be_drawn_is_an_ordinary_failure() -> None:
    with pytest.raises(RuntimeError, match="cannot be drawn"):
        png("<svg")


def test_a_name_cannot_break_out_of_the_picture() -> None:
    view = views.claims(2)
    evil = Power('<script>alert(1)</script> & "Co"')
    units = tuple(replace(unit, power=evil) for unit in view.position.units)
    drawn = scene(replace(view, powers=(evil,), position=replace(view.position, units=units), turn=None, marks=()))
    text = svg(drawn)
    assert "<script" not in text
    root = ElementTree.fromstring(text)
    assert any(evil in (node.text or "") for node in root.iter("{http://www.w3.org/2000/svg}text"))


def test_the_svg_refers_to_nothing_outside() -> None:
    text = svg(scene(views.seen(views.fall())))
    assert "href" not in text
    assert text.count("http") == text.count("http://www.w3.org/2000/svg")


# Colours

PROTANOPE = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTERANOPE = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
TRITANOPE = ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))
EVERYBODY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
"""How linear red, green and blue are seen (Machado, Oliveira and Fernandes 2009, severity 1)."""


def lab(colour: str, sight: tuple[tuple[float, float, float], ...]) -> tuple[float, float, float]:
    """A colour as an eye sees it, in CIE L*a*b* (D65)."""
    values = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    red, green, blue = (max(0.0, sum(w * v for w, v in zip(row, linear, strict=True))) for row in sight)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("sight", [EVERYBODY, PROTANOPE, DEUTERANOPE, TRITANOPE])
def test_sixteen_powers_are_told_apart_by_people_who_see_few_colours(
    sight: tuple[tuple[float, float, float], ...], scheme: Scheme
) -> None:
    """A difference of 10 in L*a*b* is visible at a glance; one below 2.3 is not visible at all."""
    known = liveries([Power(f"P{number}") for number in range(16)]).values()
    for one, other in combinations(known, 2):
        a, b = lab(scheme.strong(one), sight), lab(scheme.strong(other), sight)
        assert sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5 > 10, (one, other)


@pytest.mark.parametrize(
    ("powers", "codes", "expected"),
    [
        (POWERS, {}, ["Aus", "E", "Fra", "G", "I", "R", "T"]),
        (("Krell", "Zorg"), {"Krell": "kre"}, ["K", "Z"]),
        (("Krell", "Kzin"), {}, ["Kre", "Kzi"]),
        (("Krell", "Kreol"), {"Krell": "kre", "Kreol": "kro"}, ["Kre", "Kro"]),
        (("Kremlin", "Kremer"), {}, ["Kre", "Krm"]),
        (("Ox", "Owl"), {}, ["Ox", "Owl"]),
        (("O'Neill", "The Orb"), {}, ["O", "T"]),
    ],
)
def test_letters_distinguish_all_powers(powers: tuple[str, ...], codes: dict[str, str], expected: list[str]) -> None:
    named = {Power(power): code for power, code in codes.items()}
    assert list(tags([Power(power) for power in powers], named).values()) == expected


def test_a_centre_has_one_letter_of_its_power_unless_others_have_it() -> None:
    letters = {power: livery.letter for power, livery in liveries(POWERS).items()}
    assert letters == {power: power[:1] for power in POWERS}
    several = liveries([Power("Austria"), Power("Arabia"), Power("France")])
    assert [livery.letter for livery in several.values()] == ["", "", "F"]


def test_dark_maps_keep_the_powers_in_their_order_from_dark_to_light() -> None:
    """For all that can be told apart by their lightness; see below for how much that is."""
    for one, other in combinations(liveries(POWERS).values(), 2):
        light, dark = (
            lab(scheme.strong(one), EVERYBODY)[0] - lab(scheme.strong(other), EVERYBODY)[0] for scheme in (LIGHT, DARK)
        )
        assert abs(light) < 2.3 or light * dark > 0, (one, other)


def test_a_dark_map_is_dark_and_has_the_colours_of_the_powers() -> None:
    found = figure(views.opening())
    assert found is not None
    with Image.open(BytesIO(found.dark)) as image:
        full, share = image.convert("RGB"), image.width / standard_geography().width
    livery = liveries(POWERS)[Power("Russia")]
    for code, colour in (("mos", DARK.tint(livery)), ("spa", DARK.land), ("nth", DARK.sea)):
        spot = standard_geography().dislodged_at(Location(code))
        pixel = full.getpixel((int(spot.x * share), int(spot.y * share)))
        assert isinstance(pixel, tuple)
        assert all(abs(a - b) <= 8 for a, b in zip(pixel, bytes.fromhex(colour[1:]), strict=True)), code
