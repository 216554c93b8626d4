"""A map drawn in layers looks like its SVG, whatever is on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from bench.games import played_games
from bench.maps import GOAL_BYTES
from gm.advance import advance
from gm.board import Location, Power
from gm.board.geography import standard_geography
from gm.maps import render, strands
from gm.maps.arrows import length
from gm.maps.glyphs import PIXELS, liveries
from gm.maps.picture import CLOSER, Cut, figure, svg
from gm.maps.render import painted, part, pixels
from gm.maps.scene import Scene, drawable, scene, theatre
from gm.turn import Turn
from gm.variants import Variant, all_variants
from gm.variants.standard import POWERS, STANDARD
from gm.views import MASTER, View
from tests.maps import views
from tests.maps.test_games import played
from tests.maps.test_scenes import VIEWS
from tests.variants.written import WRITTEN

BLOCK = 12
"""Pixels; the least sign covers most of a block."""
UNLIKE = 36
"""How much the mean of a block, of 255, may differ: edges lie otherwise on the pixels by an eighth of one."""


def unlike(one: Image.Image, other: Image.Image) -> tuple[float, float]:
    """How much two pictures differ in the mean, and in the block that differs most."""
    assert one.size == other.size
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
    most = max(high for _, high in ImageStat.Stat(difference.reduce(BLOCK)).extrema)
    return sum(ImageStat.Stat(difference).mean) / 3, most


layers = lru_cache(maxsize=32)(painted)
"""A scene painted, once for the two tests that look at the same one."""


def drawn_whole(drawn: Scene, width: int = PIXELS) -> Image.Image:
    """The scene's SVG, drawn as one document."""
    return pixels(svg(drawn, width))


def random_scenes() -> Iterator[Scene]:
    for phase in islice(played_games(1901), 8, 40, 6):
        yield scene(views.seen(advance(STANDARD, phase.position, phase.orders, views.CHANCE)))


@pytest.mark.parametrize("name", VIEWS)
def test_layers_look_like_the_whole(name: str) -> None:
    drawn = scene(VIEWS[name]())
    mean, most = unlike(layers(drawn, PIXELS), drawn_whole(drawn))
    assert mean < 2.4
    assert most < UNLIKE


def test_layers_look_like_the_whole_in_games_of_random_orders() -> None:
    for drawn in random_scenes():
        mean, most = unlike(painted(drawn, PIXELS), drawn_whole(drawn))
        assert mean < 2.4
        assert most < UNLIKE, drawn.title


@pytest.mark.parametrize("name", WRITTEN)
def test_layers_look_like_the_whole_in_every_game(name: str) -> None:
    for turn in islice(played(all_variants()[name]), 0, None, 2):
        view = turn_seen(all_variants()[name], turn)
        if drawable(view):
            drawn = scene(view)
            mean, most = unlike(painted(drawn, PIXELS), drawn_whole(drawn))
            assert mean < 2.4
            assert most < UNLIKE


def turn_seen(game: Variant, turn: Turn) -> View:
    return game.view(game, turn.after, turn, MASTER)


def test_a_sign_that_is_missing_is_noticed() -> None:
    drawn = scene(views.seen(views.fall()))
    whole, lines = drawn_whole(drawn), drawn.drawing.strokes
    longest = max(lines, key=lambda line: length(line.curve))
    for less in (
        replace(drawn, units=drawn.units[1:]),
        replace(drawn, centers=drawn.centers[1:]),
        replace(drawn, labels=drawn.labels[1:]),
        replace(drawn, drawing=replace(drawn.drawing, strokes=tuple(line for line in lines if line is not longest))),
        replace(drawn, drawing=replace(drawn.drawing, crosses=drawn.drawing.crosses[1:])),
        replace(drawn, legend=replace(drawn.legend, entries=drawn.legend.entries[1:])),
    ):
        assert unlike(painted(less, PIXELS), whole)[1] > UNLIKE


def test_each_province_may_have_a_colour_of_its_own() -> None:
    drawn = scene(views.opening())
    colours = (f"#{red:02x}{green:02x}c0" for red in range(90, 250, 16) for green in range(90, 250, 16))
    motley = replace(drawn, areas=tuple(replace(a, fill=c) for a, c in zip(drawn.areas, colours, strict=False)))
    assert len({area.fill for area in motley.areas}) == len(drawn.areas)
    mean, most = unlike(painted(motley, PIXELS), drawn_whole(motley))
    assert mean < 2.5
    assert most < UNLIKE


def test_the_colours_of_a_map_are_exact_in_256_colours() -> None:
    found = figure(views.opening())
    assert found is not None
    tint = {power: livery.tint for power, livery in liveries(POWERS).items()}
    with Image.open(BytesIO(found.png)) as image:
        assert image.mode == "P"
        spot = standard_geography().dislodged_at(Location("mos"))
        share = image.width / standard_geography().width
        seen = image.convert("RGB").getpixel((int(spot.x * share), int(spot.y * share)))
    assert seen == tuple(bytes.fromhex(tint[POWERS[5]][1:]))


@pytest.mark.parametrize("name", VIEWS)
def test_256_colours_are_enough(name: str) -> None:
    view = VIEWS[name]()
    found = figure(view)
    assert found is not None
    mean, most = unlike(Image.open(BytesIO(found.png)), layers(scene(view), PIXELS))
    assert mean < 1.5
    assert most < 20


def test_theatres_share_the_lines_that_they_have_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is drawn once, and laid on as it would be whole."""
    done: list[tuple[Any, ...]] = []

    def noted(*line: Any) -> Image.Image:
        done.append(line)
        return strands.mask(*line)

    monkeypatch.setattr(render, "mask", noted)
    view = views.seen(views.fall())
    found = [theatre(view, power, scene(view)) for power in POWERS]
    render._covers.cache_clear()
    together = [part(one.shown, CLOSER * PIXELS, one.window, 0).tobytes() for one in found if one is not None]
    assert len(together) > 2
    assert len(done) == len(set(done))
    monkeypatch.setattr(render, "_STRIP", 10_000)
    apart = []
    for one in filter(None, found):
        render._covers.cache_clear()
        apart.append(part(one.shown, CLOSER * PIXELS, one.window, 0).tobytes())
    assert apart == together
    assert len(done) > 2 * len(set(done)), "there are lines in common"


@pytest.mark.parametrize("power", ["Austria", "Germany", "Turkey"])
@pytest.mark.parametrize("dark", [False, True])
def test_a_theatre_is_the_same_map_with_pixels_for_a_phone(power: str, dark: bool) -> None:
    """Without names that its edge would cut, with a legend below; two pixels for each point of the phone's screen."""
    view = views.seen(views.fall())
    drawn = theatre(view, Power(power), scene(view))
    assert drawn is not None
    file = Cut(drawn).dark if dark else Cut(drawn).png
    assert len(file) <= GOAL_BYTES
    shown, wide = Image.open(BytesIO(file)).convert("RGB"), CLOSER * PIXELS
    assert shown.width >= 2 * 390
    whole = pixels(svg(drawn.shown, wide, dark=True)).convert("RGB") if dark else painted(drawn.shown, wide)
    left, top, right, low = (round(edge * wide / drawn.whole.width) for edge in drawn.window)
    low -= 3  # the legend's upper edge
    mean, most = unlike(shown.crop((0, 0, right - left, low - top)), whole.crop((left, top, right, low)))
    assert mean < 1.5
    assert most < UNLIKE
    assert shown.height > low - top
    legend = shown.crop((0, low - top, shown.width, shown.height))
    assert len(legend.getcolors(256) or []) > 20, "there is something to read"
