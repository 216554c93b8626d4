"""A scene as pixels, and the templates of maps: SVG documents are drawn by resvg, with the font in this package.

A map is drawn in layers. Signs are drawn once, kept, and pasted where they belong; lines are drawn anew. A sign is kept
by what it shows and by how it lies on the pixels, to a quarter of one. Each is drawn by the macro of its kind in
`templates/maps/signs.svg.j2`, of which the SVG of a map consists too. The ground is the areas of provinces and the
borders between them: all maps of one width share a picture of numbers, one for each area, and one of the borders, with
the strength of their lines; both together, with a palette, are a map's ground, to which it has only to add what is
painted or striped.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from html import escape
from io import BytesIO
from itertools import pairwise
from math import ceil, floor, hypot
from typing import Any, NamedTuple

import resvg
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from PIL import Image, ImageChops, ImageColor
from resvg import usvg

from gm import folder
from gm.board.geography import Point
from gm.maps import glyphs
from gm.maps.arrows import along, length
from gm.maps.figures import Words
from gm.maps.glyphs import (
    BORDERS,
    INK,
    NAME,
    PAPER,
    SEA,
    Box,
    Curve,
    Head,
    Label,
    Livery,
    Ray,
    Size,
    Stroke,
    around,
    blend,
    label_size,
)
from gm.maps.layout import line, paper
from gm.maps.legend import Entry, Legend
from gm.maps.letters import FONTS, across
from gm.maps.scene import Area, Scene

_AS_IT_IS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
_FACES = ("SourceSansPro-Semibold.ttf", "SourceSansPro-SemiboldIt.ttf", "SourceSansPro-Bold.ttf")


def pixels(document: str) -> Image.Image:
    """An SVG document in its own size, RGBA. Raises RuntimeError when resvg panics: the panic itself is a
    BaseException, which would look like the end of the process.
    """
    try:
        drawn = resvg.render(usvg.Tree.from_str(document, _options()), _AS_IT_IS)
        picture = Image.open(BytesIO(drawn), formats=("PNG",))
        picture.load()
        return picture
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as panic:
        raise RuntimeError("the picture cannot be drawn") from panic


def _options() -> usvg.Options:
    """The options of resvg: it uses the font in this package and none of the machine's. Each thread has its own."""
    found: usvg.Options | None = getattr(_of_thread, "options", None)
    if found is None:
        found = _of_thread.options = usvg.Options.default()
        found.font_family = "Source Sans Pro"
        for face in _FACES:
            found.load_font_file(str(FONTS / face))
    return found


_of_thread = threading.local()


def piece(drawing: str, reach: Box, share: float) -> Image.Image:
    """What a drawing shows within these bounds (`document`)."""
    return pixels(document(drawing, reach, share))


def document(drawing: str, reach: Box, share: float) -> str:
    """A drawing, in units of the sheet, as a document with these bounds, which are widened to whole pixels; `share`:
    pixels to a unit.
    """
    left, top = corner(reach, share)
    width, height = ceil(reach.right * share) - left, ceil(reach.bottom * share) - top
    frame = " ".join(f"{length / share:.5f}" for length in (left, top, width, height))
    letters = f"{signs().font()}><defs>{signs().style()}</defs" if "<text" in drawing else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{frame}" width="{width}" height="{height}" {letters}>'
        f"{drawing}</svg>"
    )


def corner(reach: Box, share: float) -> tuple[int, int]:
    """The upper left pixel of a piece."""
    return floor(reach.left * share), floor(reach.top * share)


@cache
def signs() -> Any:
    """The macros that draw signs, by their kinds."""
    return templates().get_template("maps/signs.svg.j2").module


@cache
def templates() -> Environment:
    """The templates in `templates/maps/`, with what they all know."""
    made = Environment(
        loader=FileSystemLoader(folder("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {"path": line, "trail": trail, "arrow": arrow, "wedge": wedge, "sign": sign, "across": across}
    made.globals |= {"paper": paper(), "colours": glyphs, "army": glyphs.ARMY.path}
    return made


def arrow(head: Head) -> str:
    """The SVG path of an arrowhead."""
    x, y = head.tip.x - head.tail.x, head.tip.y - head.tail.y
    return _closed(
        [
            head.tip,
            Point(head.tail.x - y * 0.55, head.tail.y + x * 0.55),
            Point(head.tail.x + y * 0.55, head.tail.y - x * 0.55),
        ]
    )


def trail(stroke: Stroke) -> str:
    """The SVG path of an order's line: ways by sea are waves, leaps zigzag."""
    if stroke.kind not in _SWINGS:
        return line(stroke.curve)
    return line(_swinging(stroke.curve, *_SWINGS[stroke.kind]))


_SWINGS = {
    "wave": (5.0, (0.0, 2.3, 3.2, 2.3, 0.0, -2.3, -3.2, -2.3), 2.5),
    "leap": (5.0, (0.0, 4.2, 0.0, -4.2), 4.0),
}
"""How far a line goes straight at its ends, how far beside its way each of its points is, again and again, and how far
the points are apart.
"""


def _swinging(curve: Curve, straight: float, swings: Sequence[float], step: float) -> list[Point]:
    """The points of a curve, moved to its sides in turn."""
    far = length(curve)
    count = max(1, int((far - 2 * straight) / step / len(swings))) * len(swings)
    points = [along(curve, straight + (far - 2 * straight) * number / count) for number in range(count + 1)]
    found = [curve[0], points[0]]
    for number, (a, b, c) in enumerate(zip(points, points[1:], points[2:], strict=False), 1):
        x, y, beside = c.x - a.x, c.y - a.y, swings[number % len(swings)]
        longest = max(hypot(x, y), 0.1)
        found.append(Point(b.x - y / longest * beside, b.y + x / longest * beside))
    return [*found, points[-1], curve[-1]]


def wedge(ray: Ray) -> str:
    """The SVG path of a ray, which becomes wider in its direction."""
    x, y = ray.ground.x - ray.beyond.x, ray.ground.y - ray.beyond.y
    far = max((x * x + y * y) ** 0.5, 0.1)
    across = Point(-y / far, x / far)
    above, below = (17.0, 5.0) if ray.up else (5.0, 19.0)
    corners = [(ray.beyond, above), (ray.ground, below), (ray.ground, -below), (ray.beyond, -above)]
    return _closed([Point(p.x + across.x * w, p.y + across.y * w) for p, w in corners])


def sign(drawing: str, livery: Livery | None) -> str:
    """The SVG of a sign (`gm.views`) in the colours of its power; in neutral colours without a livery."""
    strong, letters = (livery.strong, livery.ink) if livery is not None else ("#fff", glyphs.INK)
    edge, tag = (strong, escape(livery.tag)) if livery is not None else (glyphs.INK, "")
    return drawing.format(strong=strong, edge=edge, letters=letters, tag=tag, ink=glyphs.INK)


def _closed(points: Iterable[Point]) -> str:
    return line(points) + "z"


# in layers


_INDICES = 256
"""The most colours that a palette has."""


def ground(areas: Sequence[Area], share: float, below: int = 0) -> Image.Image:
    """The sheet with these areas in their colours, and this number of rows of paper below it; `share`: pixels to a unit
    of the sheet.
    """
    numbers, codes = _provinces(share)
    fills = {codes[area.path]: SEA if area.defs else area.fill for area in areas}
    colours = sorted({SEA, *fills.values()})
    levels = _INDICES // len(colours)
    lines, blends = _borders(share, (levels - 1) // len(BORDERS))
    ranks = [colours.index(fills.get(number, SEA)) * levels for number in range(_INDICES)]
    coloured = ImageChops.add_modulo(numbers.point(ranks), lines)
    shades = [blend(line, colour, part) for colour in colours for line, part in _padded(blends, levels)]
    width, height = coloured.size
    coloured = coloured.crop((0, 0, width, height + below))
    coloured.putpalette([channel for shade in shades for channel in _rgb(shade)])
    whole = coloured.convert("RGB")
    whole.paste(PAPER, (0, height, width, height + below))
    for area in areas:
        if area.defs or area.hatch:
            box, drawn = _decorated(area, share)
            whole.paste(drawn, box[:2], drawn)
    return whole


_rgb = lru_cache(maxsize=4096)(ImageColor.getrgb)


def _padded(blends: Sequence[tuple[str, float]], levels: int) -> list[tuple[str, float]]:
    return [*blends, *[(SEA, 0.0)] * (levels - len(blends))]


@cache
def _provinces(share: float) -> tuple[Image.Image, dict[str, int]]:
    """For each pixel the number of its area, 0 for the sea; and the numbers by the areas' paths."""
    codes = {path: number for number, path in enumerate(paper().shapes.values(), 1)}
    fills = [f'<path d="{path}" fill="rgb({code},0,0)" fill-rule="evenodd"/>' for path, code in codes.items()]
    crisp = f'<g shape-rendering="crispEdges"><rect width="100%" height="100%"/>{"".join(fills)}</g>'
    return piece(crisp, _sheet(), share).getchannel("R"), codes


_CHANNELS = ("#f00", "#0f0", "#00f")
"""The colours in which borders of each kind are drawn together, and can be told apart: a drawing for all of them."""


@cache
def _strengths(share: float) -> tuple[Image.Image, ...]:
    """For each kind of border how strong its line is in each pixel."""
    apart = "".join(map(signs().borders_apart, BORDERS, _CHANNELS))
    return piece(f'<rect width="100%" height="100%"/>{apart}', _sheet(), share).split()


@cache
def _borders(share: float, steps: int) -> tuple[Image.Image, list[tuple[str, float]]]:
    """For each pixel the number of what the borders blend there with the area's colour: nothing, which is 0, or a
    line's colour, in this number of strengths; where lines meet, the strongest.
    """
    strengths = _strengths(share)
    numbers = strongest = Image.new("L", _provinces(share)[0].size)
    for strength, first in zip(strengths, range(0, len(BORDERS) * steps, steps), strict=False):
        stronger = ImageChops.subtract(strength, strongest).point(lambda more: 255 if more else 0)
        levels = [round(value * steps / 255) for value in range(_INDICES)]
        numbers = Image.composite(strength.point([first * bool(level) + level for level in levels]), numbers, stronger)
        strongest = ImageChops.lighter(strongest, strength)
    return numbers, [(SEA, 0.0), *((line, step / steps) for line in BORDERS.values() for step in range(1, steps + 1))]


@lru_cache(maxsize=128)
def _decorated(area: Area, share: float) -> tuple[tuple[int, int, int, int], Image.Image]:
    """What an area has besides a colour, paint or stripes, with the borders upon it; and where that is."""
    drawing = f"<defs>{area.defs}</defs>{signs().painted(area)}" if area.defs else ""
    if area.hatch:
        drawing += f"<defs>{signs().hatching(area.hatch)}</defs>{signs().hatched(area)}"
    numbers, codes = _provinces(share)
    inside = numbers.point([255 * (number == codes[area.path]) for number in range(_INDICES)])
    box = inside.getbbox() or (0, 0, 1, 1)
    left, top, right, bottom = box
    drawn = piece(drawing, Box(*(at / share for at in (left + 0.5, top + 0.5, right - 0.5, bottom - 0.5))), share)
    drawn.alpha_composite(_lines(share).crop(box))
    drawn.putalpha(ImageChops.multiply(drawn.getchannel("A"), inside.crop(box)))
    return box, drawn


@cache
def _lines(share: float) -> Image.Image:
    """The borders alone."""
    numbers, blends = _borders(share, (_INDICES - 1) // len(BORDERS))
    lines = numbers.copy()
    lines.putpalette([channel for line, _ in blends for channel in _rgb(line)])
    lines = lines.convert("RGBA")
    lines.putalpha(numbers.point([round(255 * part) for _, part in _padded(blends, _INDICES)]))
    return lines


def _sheet() -> Box:
    return Box(0, 0, paper().width, paper().height)


_PHASES = 4
"""In how many ways a sign can lie on the pixels, in each direction."""
_REACH = Size(84, 64)
"""What any sign covers at most, around its middle, but for long names."""
_SMALL = Size(26, 26)
"""What the least signs do."""
_EDGES = 10.0
"""How much wider a name is with the edges of its letters."""


class Sprite(NamedTuple):
    """A picture, transparent where nothing is drawn, and its upper left corner."""

    left: int
    top: int
    picture: Image.Image


def painted(scene: Scene, width: int) -> Image.Image:
    """The scene, this number of pixels wide."""
    share = width / scene.width
    below = round((scene.height + scene.legend.height) * share) - _provinces(share)[0].height
    whole = ground(scene.areas, share, below)
    for kind, sign in scene.layers:
        paste(whole, _line(kind, sign, share) if hasattr(sign, "reach") else _sign(kind, sign, share))
    explain(whole, scene.legend, scene.height, share)
    return whole


def paste(whole: Image.Image, sprite: Sprite, right: int = 0, down: int = 0) -> None:
    """Lay a sprite on a picture, moved by so many pixels: what Pillow's `paste` does, less the look at both pictures,
    which takes longer than most sprites.
    """
    picture, left, top = sprite.picture, sprite.left + right, sprite.top + down
    mask = (picture.im,) if picture.mode == "RGBA" else ()
    whole.im.paste(picture.im, (left, top, left + picture.width, top + picture.height), *mask)


# signs


@lru_cache(maxsize=512)
def _line(kind: str, sign: Any, share: float) -> Sprite:
    """Lines are many, and few are alike but in the first years."""
    return Sprite(*corner(sign.reach, share), piece(getattr(signs(), kind)(sign), sign.reach, share))


def _sign(kind: str, sign: Any, share: float) -> Sprite:
    """A sign around its middle."""
    left, top, middle = placed(sign.middle, share)
    return _moved(_kept(kind, replace(sign, middle=middle), share), left, top)


@lru_cache(maxsize=4096)
def _kept(kind: str, sign: Any, share: float) -> Sprite:
    reach = _SMALL if kind in ("center", "dot", "trace", "cross") else _REACH
    if isinstance(sign, Label):
        reach = Size(label_size(sign.text, sign.height).width + _EDGES, reach.height)
    return sprite(getattr(signs(), kind)(sign), around(sign.middle, reach), share)


def placed(point: Point, share: float) -> tuple[int, int, Point]:
    """The pixel of a point, and where on it the point lies."""
    x, y = round(point.x * share * _PHASES), round(point.y * share * _PHASES)
    phase = Point(x % _PHASES / _PHASES / share, y % _PHASES / _PHASES / share)
    return x // _PHASES, y // _PHASES, phase


def _moved(sprite: Sprite, right: int, down: int) -> Sprite:
    return sprite._replace(left=sprite.left + right, top=sprite.top + down)


def sprite(drawing: str, reach: Box, share: float) -> Sprite:
    """What a drawing shows within these bounds, without empty edges."""
    whole, (left, top) = piece(drawing, reach, share), corner(reach, share)
    box = whole.getbbox() or (0, 0, 1, 1)
    whole = whole.crop(box)
    return Sprite(left + box[0], top + box[1], whole)


# texts


def letters(words: Words, edge: str, share: float) -> Iterator[tuple[int, int, Image.Image]]:
    """What each letter covers, with its edge if there is one, and the upper left pixel of that."""
    widths = [_step(*pair, words.height, words.weight) for pair in pairwise((*words.text, ""))]
    x = words.middle.x - sum(widths) * {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
    edged = edge != "none"
    for letter, width in zip(words.text, widths, strict=True):
        left, top, at = placed(Point(x, words.middle.y), share)
        if letter != " ":
            found = _letter(letter, words.height, words.weight, edged, at, share)
            yield left + found.left, top + found.top, found.picture
        x += width


@lru_cache(maxsize=4096)
def _step(letter: str, following: str, height: float, weight: int) -> float:
    """How far behind a letter the following one is."""
    return across(letter + following, height, weight) - across(following, height, weight)


@lru_cache(maxsize=8192)
def _letter(letter: str, height: float, weight: int, edged: bool, at: Point, share: float) -> Sprite:
    words = Words(at, letter, height, "#ffffff", "start", "#ffffff" if edged else "none", weight)
    found = sprite(signs().words(words), words.covered, share)
    return found._replace(picture=found.picture.getchannel("A"))


# the legend


def explain(whole: Image.Image, legend: Legend, down: float, share: float) -> None:
    """Write the legend on paper that begins so far down; `share`: pixels to a unit of both."""
    above = floor(down * share + _NOTHING)
    paste(whole, _ruled(whole.width / share, down - above / share, share), 0, above)
    _write(whole, Words(Point(12, 38 + down), legend.title, 34.0, INK, "start", weight=700), share)
    for entry in legend.entries:
        left, top, phase = placed(Point(entry.x, entry.y + down), share)
        text = entry.text if entry.beyond else ""  # shields stand behind it
        paste(whole, _sample(replace(entry, x=phase.x, y=phase.y, text=text), share), left, top)
        _write(whole, Words(Point(entry.x + 42, entry.y + down + 9), entry.text, NAME, INK, "start"), share)


def _write(whole: Image.Image, words: Words, share: float) -> None:
    for left, top, letter in letters(words, "none", share):
        whole.paste(words.fill, (left, top), letter)


_NOTHING = 1e-6
"""Less than any part of a pixel."""


@lru_cache(maxsize=16)
def _ruled(width: float, down: float, share: float) -> Sprite:
    return sprite(f'<g transform="translate(0 {down})">{signs().rule(width)}</g>', Box(0, -2, width, 4), share)


@lru_cache(maxsize=512)
def _sample(entry: Entry, share: float) -> Sprite:
    """The sign of an entry."""
    reach = Box(-10, -20, 60 + 20 * (len(entry.text) + entry.beyond), 20)
    return sprite(signs().sample(entry), reach, share)
