"""In a finished picture, light or dark, nothing lies upon a letter, a unit or a sign: pixel by pixel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import pytest
from PIL import Image, ImageChops

from bench.quantum import adjudicate, lexicon, read
from bench.quantum import scene as quantum_scene
from gm.board.geography import Point, standard_geography
from gm.maps.figures import WIDTH, Figure, Words
from gm.maps.flat import _figure, _written, flat
from gm.maps.glyphs import PIXELS, Box, Label, State, around, corner
from gm.maps.legend import Legend
from gm.maps.picture import _LEGEND as LEGEND
from gm.maps.picture import CLOSER, _darkened, _pixels, svg
from gm.maps.render import _REACH, _lay, document, explain, ground, letters, painted, paste, piece, placed, signs
from gm.maps.scene import Scene, drawable, scene, theatre
from gm.variants import all_variants
from gm.variants.quantum_space.art import Chart, chart
from gm.variants.quantum_space.forms import ZERO
from gm.views import View
from tests.maps.test_games import played
from tests.maps.test_render import turn_seen
from tests.maps.test_scenes import VIEWS
from tests.variants.quantum.scenes import NEW
from tests.variants.quantum.test_chart import seen
from tests.variants.written import WRITTEN

SHARE = PIXELS / standard_geography().width
READ = frozenset({"label", "unit", "center", "mark", "badge", "standoff", "cross"})
"""Kinds of signs that must be seen whole. Lines, and what is drawn around units, lie below them."""
FAINT = 24
"""So much of 255 a pixel may differ."""
SOFT = 128
"""And where the edges of signs, which are as soft as a pixel, lie otherwise on the pixels."""
SPECK = 2
"""So many pixels hide nothing."""


def bare(kind: str, sign: Any) -> str:
    """A sign without the edge of paper around it, and as solid as the others, as a drawing."""
    alone = replace(sign, ground="none") if isinstance(sign, Label) else sign
    drawing = str(getattr(signs(), kind)(alone))
    return drawing.replace('stroke="#fff" stroke-width="4"', "").replace('opacity=".7"', "")


class Part(NamedTuple):
    """A sign, where it is in the picture, and which of the pixels there are its own and solid."""

    kind: str
    sign: Any
    box: tuple[int, int, int, int]
    own: Image.Image
    drawn: str

    def is_the_same(self, one: Image.Image, other: Image.Image, faint: int = FAINT) -> bool:
        """Whether two pictures of it differ in no more than a speck."""
        red, green, blue = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).split()
        apart = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        where = ImageChops.multiply(apart.point([255 * (value > faint) for value in range(256)]), self.own)
        return where.histogram()[255] <= SPECK


def near(sign: Any) -> Box:
    box = around(sign.middle, _REACH)
    return sign.box.wider(4) if isinstance(sign, Label) else box


@cache
def _solid(drawing: str, box: Box, least: int) -> Image.Image:
    return piece(drawing, box, SHARE).getchannel("A").point([255 * (value >= least) for value in range(256)])


def parts_of(drawn: Scene) -> Iterator[tuple[str, Any, Part | None]]:
    """All that is drawn upon the ground, from the lowest to the highest; with what must be seen whole of it."""
    layers: list[tuple[str, Any]] = [*drawn.layers, ("", None)]
    for (kind, sign), (after, following) in pairwise(layers):
        if kind not in READ:
            yield kind, sign, None
            continue
        drawing, box = bare(kind, sign), near(sign)
        own = _solid(drawing, box, 255)
        if {kind, after} == {"unit", "badge"} and following.middle == sign.middle:  # a part of the same sign
            own = ImageChops.subtract(own, _solid(str(getattr(signs(), after)(following)), box, 1))
        left, top = corner(box, SHARE)
        yield kind, sign, Part(kind, sign, (left, top, left + own.width, top + own.height), own, drawing)


def hidden(drawn: Scene) -> list[Part]:
    """What something that is drawn later lies upon."""
    whole, before = painted(drawn, PIXELS), list[tuple[Part, Image.Image]]()
    whole.paste(ground(drawn.areas, SHARE, (0, 0, PIXELS, round(drawn.height * SHARE))), (0, 0))
    for kind, sign, part in parts_of(drawn):
        _lay(whole, kind, sign, SHARE)
        if part is not None:
            before.append((part, whole.crop(part.box)))
    explain(whole, drawn.legend, drawn.height, SHARE)
    return [part for part, seen in before if not part.is_the_same(seen, whole.crop(part.box))]


def hidden_in_the_dark(drawn: Scene) -> list[Part]:
    """What does not look in the dark picture as it does alone; what is half transparent is left out."""
    whole = _pixels(svg(drawn, PIXELS, dark=True))
    return [
        part
        for _, _, part in parts_of(drawn)
        if part is not None and getattr(part.sign, "state", None) is not State.GONE
        if not part.is_the_same(dark(part, drawn), whole.crop(part.box), SOFT)
    ]


def dark(part: Part, drawn: Scene) -> Image.Image:
    """The sign alone."""
    return _pixels(_darkened(document(part.drawn, near(part.sign), SHARE), drawn))


def touching(legend: Legend, width: float, share: float) -> list[str]:
    """The entries of a key that have a pixel in common with others, or with the edge."""
    sheet = Box(0, 0, width, legend.height)
    drawings = [str(signs().title(legend.title)), *(str(signs().entry(one)) for one in legend.entries)]
    alone = [piece(drawing, sheet.wider(30), share).getchannel("A") for drawing in drawings]
    boxes = [one.point([255 * (value > FAINT) for value in range(256)]).getbbox() or (0, 0, 0, 0) for one in alone]
    left, top, right, low = (round(edge * share) for edge in (30, 30, 30 + width, 30 + legend.height))
    out = [box for box in boxes if box[0] < left or box[1] < top or box[2] > right + 1 or box[3] > low + 1]
    return [*map(str, out), *(str(pair) for pair in combinations(boxes, 2) if Box(*pair[0]).overlaps(Box(*pair[1])))]


@cache
def views_of(game: str) -> tuple[View, ...]:
    """The first phases of a game, with the orders of all."""
    variant = all_variants()[game]
    return tuple(view for turn in played(variant) if drawable(view := turn_seen(variant, turn)))


def crowded(game: str) -> Iterator[Scene]:
    """The fullest of them."""
    drawn = [scene(view) for view in views_of(game)]
    yield from sorted(drawn, key=lambda one: -len(list(one.layers)))[:1]


@pytest.mark.parametrize("game", WRITTEN)
def test_nothing_lies_upon_what_must_be_read_in_the_first_phases_of_each_game(game: str) -> None:
    for view in views_of(game):
        assert [(part.kind, part.sign) for part in hidden(scene(view))] == []


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_lies_upon_what_must_be_read(name: str) -> None:
    drawn = scene(VIEWS[name]())
    assert [(part.kind, part.sign) for part in hidden(drawn)] == []
    assert [(part.kind, part.sign) for part in hidden_in_the_dark(drawn)] == []


def charts_of(game: str) -> Iterator[Chart]:
    """The star charts of the first phases, with the orders of all."""
    variant = all_variants()[game]
    yield from (chart(turn_seen(variant, turn)) for turn in played(variant))


def words_in(sign: Figure | Words, at: Point = ZERO) -> Iterator[Words]:
    """What is written, also upon a figure or its parts."""
    middle = Point(at.x + sign.middle.x, at.y + sign.middle.y)
    if isinstance(sign, Words):
        yield replace(sign, middle=middle)
        return
    upon: tuple[Figure | Words, ...] = (*sign.form.parts, *sign.form.words)
    for inner in upon:
        yield from words_in(inner, middle)


def solid_on(drawn: Chart, sign: Figure | Words) -> Image.Image:
    """The pixels of a chart that are a sign's own and solid: of its letters; of a ring, a unit and a cross, all."""
    share, own = WIDTH / drawn.width, Image.new("L", (WIDTH, round(drawn.height * WIDTH / drawn.width)))
    if sign in (*drawn.rings, *drawn.pieces, *drawn.crosses):
        assert isinstance(sign, Figure)
        left, top, at = placed(sign.middle, share)
        shape = _figure(sign.form, at, share)
        own.paste(shape.picture.getchannel("A"), (left + shape.left, top + shape.top))
    for words in words_in(sign):
        for left, top, letter in letters(words, "none", share):
            own.paste(letter, (left, top), letter)
    return own.point([255 * (value == 255) for value in range(256)])


def hidden_on(drawn: Chart) -> list[Figure | Words]:
    """What something that is drawn later on a chart lies upon."""
    share, before = WIDTH / drawn.width, list[tuple[Figure | Words, Part]]()
    whole = Image.new("RGB", (WIDTH, round(drawn.height * share)), drawn.paper)
    for kind, sign in drawn.layers:
        left, top, at = placed(sign.middle, share)
        found = _figure(sign.form, at, share) if isinstance(sign, Figure) else _written(replace(sign, middle=at), share)
        paste(whole, found, left, top)
        own = solid_on(drawn, sign)
        if box := own.getbbox():
            before.append((sign, Part(kind, whole.crop(box), box, own.crop(box), "")))
    assert whole.tobytes() == flat(drawn, WIDTH).tobytes()
    return [sign for sign, part in before if not part.is_the_same(part.sign, whole.crop(part.box))]


@pytest.mark.parametrize("game", [name for name in WRITTEN if name.startswith("quantum")])
def test_nothing_lies_upon_what_must_be_read_on_star_charts(game: str) -> None:
    crosses = 0
    for drawn in charts_of(game):
        crosses += len(drawn.crosses)
        assert hidden_on(drawn) == []
    assert crosses > 20


@pytest.mark.parametrize("planets", [3, 7, 8, 40])
def test_nor_where_units_are_driven_out(planets: int) -> None:
    where = quantum_scene(NEW, planets, 3)
    drawn = chart(seen(adjudicate(where, read(where, lexicon(where)))))
    assert hidden_on(drawn) == []


@pytest.mark.parametrize("game", WRITTEN)
def test_nor_in_the_dark(game: str) -> None:
    for drawn in crowded(game):
        assert [(part.kind, part.sign) for part in hidden_in_the_dark(drawn)] == []


@pytest.mark.parametrize("game", WRITTEN)
def test_no_entry_of_a_key_touches_another(game: str) -> None:
    for view in views_of(game)[-1:]:
        whole = scene(view)
        assert touching(whole.legend, whole.width, SHARE) == []
        for power in view.powers[:3]:
            part = theatre(view, power, whole)
            if part is not None:
                assert (
                    touching(part.legend, (part.window.right - part.window.left) * CLOSER * SHARE / LEGEND, LEGEND)
                    == []
                )


def test_every_kind_of_sign_is_among_them() -> None:
    drawn = [scene(make()) for make in VIEWS.values()] + [scene(view) for game in WRITTEN for view in views_of(game)]
    assert {kind for one in drawn for kind, _ in one.layers} >= READ


@pytest.mark.parametrize("kind", ["labels", "units", "centers", "marks", "standoffs", "crosses"])
def test_one_that_is_moved_by_hand_is_found(kind: str) -> None:
    """Each upon a unit: it, or the unit, is hidden, light and dark."""
    whole = next(
        drawn
        for drawn in (scene(make()) for make in VIEWS.values())
        if getattr(drawn, kind, None) or getattr(drawn.drawing, kind, None)
    )
    holder: Any = whole if getattr(whole, kind, None) else whole.drawing
    first, *others = getattr(holder, kind)
    target = next(unit for unit in whole.units if unit.middle != first.middle and unit.state is State.STANDING)
    upon = replace(first, middle=Point(target.middle.x + 4, target.middle.y))
    moved: Any = replace(holder, **{kind: (upon, *others)})
    drawn = moved if holder is whole else replace(whole, drawing=moved)
    assert hidden(drawn)
    assert hidden_in_the_dark(drawn)


def test_an_entry_of_a_key_that_is_moved_by_hand_is_found() -> None:
    drawn = scene(VIEWS["fall"]())
    first, *others = drawn.legend.entries
    key = replace(drawn.legend, entries=(replace(first, x=others[0].x + 3, y=others[0].y), *others))
    assert touching(key, drawn.width, SHARE)
