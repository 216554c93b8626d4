"""A scene as pixels, in layers: signs are drawn once, kept, and pasted where they belong; lines are drawn anew.

A sign is kept by what it shows and by how it lies on the pixels, to a quarter of one. Each is drawn by the macro of its
kind in `templates/maps/signs.svg.j2`, of which the SVG of a map consists too.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from PIL import Image

from gm.board.geography import Point
from gm.maps.glyphs import PAPER, Box, Head, Ray, Size, Stroke, around
from gm.maps.ground import ground
from gm.maps.render import corner, piece, signs
from gm.maps.scene import Entry, Scene

_PHASES = 4
"""In how many ways a sign can lie on the pixels, in each direction."""
_REACH = Size(56, 48)
"""What any sign covers at most, around its middle."""


class Sprite(NamedTuple):
    """A picture with its upper left corner and its opacity."""

    left: int
    top: int
    colours: Image.Image
    opacity: Image.Image


def painted(scene: Scene, width: int) -> Image.Image:
    """The scene, this number of pixels wide."""
    share = width / scene.width
    whole = Image.new("RGB", (width, round((scene.height + scene.legend.height) * share)), PAPER)
    whole.paste(ground(scene.areas, share), (0, 0))
    for kind, sign in scene.layers:
        _paste(whole, _line(kind, sign, share) if isinstance(sign, Stroke | Head | Ray) else _sign(kind, sign, share))
    _paste(whole, _headline(scene, share))
    for entry in scene.legend.entries:
        _paste(whole, _entry(entry, scene.height, share))
    return whole


def _paste(whole: Image.Image, sprite: Sprite) -> None:
    whole.paste(sprite.colours, (sprite.left, sprite.top), sprite.opacity)


# signs


def _line(kind: str, sign: Stroke | Head | Ray, share: float) -> Sprite:
    return _sprite(getattr(signs(), kind)(sign), sign.reach, share)


def _sign(kind: str, sign: Any, share: float) -> Sprite:
    """A sign around its middle."""
    left, top, middle = _placed(sign.middle, share)
    return _moved(_kept(kind, replace(sign, middle=middle), share), left, top)


@lru_cache(maxsize=4096)
def _kept(kind: str, sign: Any, share: float) -> Sprite:
    return _sprite(getattr(signs(), kind)(sign), around(sign.middle, _REACH), share)


def _placed(point: Point, share: float) -> tuple[int, int, Point]:
    """The pixel of a point, and where on it the point lies."""
    x, y = round(point.x * share * _PHASES), round(point.y * share * _PHASES)
    phase = Point(x % _PHASES / _PHASES / share, y % _PHASES / _PHASES / share)
    return x // _PHASES, y // _PHASES, phase


def _moved(sprite: Sprite, right: int, down: int) -> Sprite:
    return sprite._replace(left=sprite.left + right, top=sprite.top + down)


def _sprite(drawing: str, reach: Box, share: float) -> Sprite:
    """What a drawing shows within these bounds, without empty edges."""
    whole, (left, top) = piece(drawing, reach, share), corner(reach, share)
    box = whole.getbbox() or (0, 0, 1, 1)
    whole = whole.crop(box)
    return Sprite(left + box[0], top + box[1], whole.convert("RGB"), whole.getchannel("A"))


# the legend


def _headline(scene: Scene, share: float) -> Sprite:
    """The title of the legend, and the line above it."""
    kept = _titled(scene.legend.title, scene.width, scene.height % (1 / share), share)
    return _moved(kept, 0, int(scene.height * share))


@lru_cache(maxsize=64)
def _titled(title: str, width: float, down: float, share: float) -> Sprite:
    drawing = f'<g transform="translate(0 {down})">{signs().rule(width)}{signs().title(title)}</g>'
    return _sprite(drawing, Box(0, -2, width, 50), share)


def _entry(entry: Entry, height: float, share: float) -> Sprite:
    left, top, phase = _placed(Point(entry.x, entry.y + height), share)
    return _moved(_explained(replace(entry, x=phase.x, y=phase.y), share), left, top)


@lru_cache(maxsize=512)
def _explained(entry: Entry, share: float) -> Sprite:
    reach = Box(-10, -20, 60 + 20 * (len(entry.text) + entry.beyond), 20)
    return _sprite(signs().entry(entry), reach, share)
