"""A flat picture as pixels: figures and words upon paper of one colour (`gm.maps.figures`).

A figure is drawn in black and in white, once for all powers: in any other strong colour each pixel is between the two.
Words are put together from letters, which are drawn once, so that a new name or number costs no new drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, islice, product

from PIL import Image, ImageColor

from gm.board.geography import Point
from gm.maps.figures import STRONG, Figure, Form, Shape, Words
from gm.maps.glyphs import Box, blend, corner
from gm.maps.render import letters, paste, placed, signs, sprite
from gm.maps.stock import Sprite
from gm.views import Picture

_BLACK, _WHITE = "#000000", "#ffffff"


def flat(picture: Picture, width: int) -> Image.Image:
    """The picture, this number of pixels wide."""
    share = width / picture.width
    whole = Image.new("RGB", (round(picture.width * share), round(picture.height * share)), picture.paper)
    for _, sign in picture.layers:
        left, top, middle = placed(sign.middle, share)
        if isinstance(sign, Figure):
            found = _figure(sign.form, middle, share)
        else:
            found = _written(replace(sign, middle=middle), share)
        paste(whole, found, left, top)
    return whole


def shades(picture: Picture) -> tuple[str, ...]:
    """The colours of a picture: whole ones, then those of the edges between them."""
    forms = dict.fromkeys(sign.form if isinstance(sign, Figure) else sign.colours for _, sign in picture.layers)
    groups = dict.fromkeys(chain.from_iterable(_touching(form) for form in forms))
    whole = dict.fromkeys((picture.paper, *chain.from_iterable(groups)))
    pairs = chain((pair for group in groups for pair in combinations(group, 2)), product(whole, [picture.paper]))
    return tuple(islice(dict.fromkeys(chain(whole, (blend(*pair, 0.5) for pair in pairs))), 256))


@lru_cache(maxsize=4096)
def _touching(form: Form | tuple[str, ...]) -> Sequence[tuple[str, ...]]:
    """The groups of colours that lie beside each other."""
    if not isinstance(form, Form):
        return [form]
    shown = [colour for shape in form.shapes for colour in (shape.fill, shape.stroke) if colour != "none"]
    shown += [words.fill for words in form.words]
    group = tuple(dict.fromkeys(form.strong if colour == STRONG else colour for colour in shown))
    return [group, *chain.from_iterable(_touching(part.form) for part in form.parts)]


@lru_cache(maxsize=4096)
def _figure(form: Form, middle: Point, share: float) -> Sprite:
    """A figure in its colour, with what is upon it."""
    left, top, picture = drawn = _coloured(form, middle, share)
    if form.upon:
        picture = Image.new("RGB", picture.size, form.upon)
        paste(picture, drawn, -left, -top)
    elif form.words or form.parts:
        picture = picture.copy()
    for part in form.parts:
        x, y, at = placed(_sum(part.middle, middle), share)
        paste(picture, _figure(part.form, at, share), x - left, y - top)
    for words in form.words:
        for x, y, letter in letters(replace(words, middle=_sum(words.middle, middle)), "none", share):
            picture.paste(words.fill, (x - left, y - top), letter)
    return Sprite(left, top, picture)


def _sum(one: Point, other: Point) -> Point:
    return Point(one.x + other.x, one.y + other.y)


def _coloured(form: Form, middle: Point, share: float) -> Sprite:
    """The shapes of a form in its strong colour."""
    if form.strong == "none":
        return _drawn(form.shapes, form.bounds, _BLACK, middle, share)
    black, white = (_drawn(form.shapes, form.bounds, colour, middle, share) for colour in (_BLACK, _WHITE))
    return black._replace(picture=_between(black.picture, white.picture, form.strong))


@lru_cache(maxsize=4096)
def _drawn(shapes: tuple[Shape, ...], bounds: Box, strong: str, middle: Point, share: float) -> Sprite:
    (left, top, right, low), (x, y) = bounds, middle
    drawing = signs().figure(Figure(middle, Form(shapes, bounds, strong)))
    return sprite(drawing, Box(x + left, y + top, x + right, y + low), share)


def _between(black: Image.Image, white: Image.Image, colour: str) -> Image.Image:
    """What would have been drawn in this colour instead of in black or white."""
    pairs = zip(black.split(), white.split(), ImageColor.getrgb(colour), strict=False)
    shades = [Image.blend(dark, light, share / 255) for dark, light, share in pairs]
    return Image.merge("RGBA", [*shades, black.getchannel("A")])


@lru_cache(maxsize=4096)
def _written(words: Words, share: float) -> Sprite:
    """A text in its place, with the edge around its letters."""
    left, top = corner(words.covered, share)
    right, low = corner(Box(words.covered.right, words.covered.bottom, 0, 0), share)
    solid = Image.new("L", (right - left + 1, low - top + 1))
    for x, y, letter in letters(words, words.edge, share):
        solid.paste(255, (x - left, y - top), letter)
    picture = Image.new("RGB", solid.size, words.fill if words.edge == "none" else words.edge)
    if words.edge != "none":
        for x, y, letter in letters(words, "none", share):
            picture.paste(words.fill, (x - left, y - top), letter)
    picture.putalpha(solid)
    box = picture.getbbox() or (0, 0, 1, 1)
    return Sprite(left + box[0], top + box[1], picture.crop(box))
