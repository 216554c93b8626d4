"""A scene as pixels, and the templates of maps: SVG documents are drawn by resvg, with the font in this package.

A map is drawn in layers. Signs are drawn once, kept, and pasted where they belong; lines are drawn anew
(`gm.maps.strands`). A sign is kept
by what it shows and by how it lies on the pixels, to a quarter of one. Each is drawn by the macro of its kind in
`templates/maps/signs.svg.j2`, of which the SVG of a map consists too. The ground is the areas of provinces and the
borders between them: all maps of one width share a picture of numbers, one for each area, and one of the borders, with
the strength of their lines; both together, with a palette, are a map's ground, to which it has only to add what is
painted or striped.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from html import escape
from io import BytesIO
from itertools import pairwise
from math import ceil, floor
from typing import Any

import resvg
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from PIL import Image, ImageChops, ImageColor
from resvg import usvg

from gm import folder
from gm.board.geography import Point, standard_geography
from gm.maps import glyphs
from gm.maps.figures import Words
from gm.maps.glyphs import BORDERS, INK, NAME, PAPER, SEA, Box, Label, Livery, Size, around, blend, corner, label_size
from gm.maps.layout import frame, line, paper
from gm.maps.legend import Entry, Legend
from gm.maps.letters import FONTS, across
from gm.maps.scene import Area, Scene
from gm.maps.stock import Sprite, kept
from gm.maps.strands import mask, strands

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
    made.filters |= {"path": line, "strands": strands, "sign": sign, "across": across}
    made.globals |= {"paper": paper(), "colours": glyphs, "army": glyphs.ARMY.path}
    return made


def sign(drawing: str, livery: Livery | None) -> str:
    """The SVG of a sign (`gm.views`) in the colours of its power; in neutral colours without a livery."""
    strong, letters = (livery.strong, livery.ink) if livery is not None else ("#fff", glyphs.INK)
    edge, tag = (strong, escape(livery.tag)) if livery is not None else (glyphs.INK, "")
    return drawing.format(strong=strong, edge=edge, letters=letters, tag=tag, ink=glyphs.INK)


# in layers


_INDICES = 256
"""The most colours that a palette has."""


def ground(areas: tuple[Area, ...], share: float, edges: tuple[int, int, int, int]) -> Image.Image:
    """The sheet with these areas in their colours, within these pixels; `share`: pixels to a unit of the sheet."""
    numbers = _areas(share).picture.crop(edges)
    codes = _codes()
    fills = {codes[area.province]: SEA if area.defs else area.fill for area in areas}
    colours = tuple(sorted({SEA, *fills.values()}))
    levels = _INDICES // len(colours)
    steps = (levels - 1) // len(BORDERS)
    ranks = [colours.index(fills.get(number, SEA)) * levels for number in range(_INDICES)]
    coloured = ImageChops.add_modulo(numbers.point(ranks), _coarser(share, steps).crop(edges))
    coloured.putpalette(_shades(colours, levels, steps))
    whole = coloured.convert("RGB")
    for area in areas:
        if area.defs or area.hatch:
            paste(whole, _decorated(area, share), -edges[0], -edges[1])
    return whole


@lru_cache(maxsize=64)
def _shades(colours: tuple[str, ...], levels: int, steps: int) -> bytes:
    """The palette of a ground: for each colour so many levels, borders of each kind upon it in so many steps."""
    shades = (blend(line, colour, part) for colour in colours for line, part in _padded(_blends(steps), levels))
    return bytes(channel for shade in shades for channel in _rgb(shade))


_rgb = lru_cache(maxsize=4096)(ImageColor.getrgb)


def _padded(blends: Sequence[tuple[str, float]], levels: int) -> list[tuple[str, float]]:
    return [*blends, *[(SEA, 0.0)] * (levels - len(blends))]


@kept
def _areas(share: float) -> Sprite:
    """For each pixel of the sheet the number of its area: 0 for the sea, then as in `_codes`."""
    fills = [
        f'<path d="{paper().shapes[province]}" fill="rgb({code},0,0)" fill-rule="evenodd"/>'
        for province, code in _codes().items()
    ]
    crisp = f'<g shape-rendering="crispEdges">{_BLACK}{"".join(fills)}</g>'
    return Sprite(0, 0, piece(crisp, frame(), share).getchannel("R"))


@kept
def _borders(share: float) -> Sprite:
    """For each pixel the number of what the borders blend there with the area's colour: 0 for nothing, then each kind
    in `_FINEST` strengths; where lines meet, the strongest.
    """
    apart = piece(_BLACK + "".join(map(signs().borders_apart, BORDERS, _CHANNELS)), frame(), share)
    lines = strongest = Image.new("L", apart.size)
    for kind, strength in enumerate(apart.split()[: len(BORDERS)]):
        stronger = ImageChops.subtract(strength, strongest).point([0] + [255] * 255)
        numbered = strength.point([_in_steps(kind, value / 255, _FINEST) for value in range(_INDICES)])
        lines = Image.composite(numbered, lines, stronger)
        strongest = ImageChops.lighter(strongest, strength)
    return Sprite(0, 0, lines)


_BLACK = '<rect width="100%" height="100%"/>'
_CHANNELS = ("#f00", "#0f0", "#00f")
"""The colours in which borders of each kind are drawn together, and can be told apart: a drawing for all of them."""
_FINEST = (_INDICES - 1) // len(BORDERS)
"""In how many strengths a line is known."""


def _in_steps(kind: int, part: float, steps: int) -> int:
    """The number of a kind of border with this part of its strength, in so many steps."""
    level = round(part * steps)
    return (kind * steps + level) * bool(level)


@cache
def _codes() -> dict[str, int]:
    """The number of each area, by its province."""
    return {province: number for number, province in enumerate(standard_geography().polygons, 1)}


def province_at(point: Point, share: float) -> str:
    """The province at a point of the sheet; "" for none. `share`: pixels to a unit of the sheet."""
    number = _areas(share).picture.getpixel((int(point.x * share), int(point.y * share)))
    return _provinces()[int(number)]  # type: ignore[arg-type]


def below(box: Box, share: float) -> Mapping[str, int]:
    """How many pixels of each province are within these bounds; `share`: pixels to a unit of the sheet."""
    left, top, right, low = (round(edge * share) for edge in box)
    counts = _areas(share).picture.crop((left, top, right, low)).histogram()
    return {province: counts[number] for number, province in enumerate(_provinces()) if counts[number]}


@cache
def _provinces() -> Sequence[str]:
    """The province of each number."""
    return ("", *_codes())


@lru_cache(maxsize=4)
def _coarser(share: float, steps: int) -> Image.Image:
    """The borders of the sheet in so many strengths."""
    return _borders(share).picture.point(_fewer(steps))


def _fewer(steps: int) -> list[int]:
    """The numbers of borders in so many steps, for those in the finest."""
    return [0, *(_in_steps((n - 1) // _FINEST, ((n - 1) % _FINEST + 1) / _FINEST, steps) for n in range(1, _INDICES))]


def _blends(steps: int) -> list[tuple[str, float]]:
    """What the numbers of borders in so many steps stand for."""
    return [(SEA, 0.0), *((line, step / steps) for line in BORDERS.values() for step in range(1, steps + 1))]


@kept
def _decorated(area: Area, share: float) -> Sprite:
    """What an area has besides a colour, paint or stripes, with the borders upon it; and where that is."""
    drawing = f"<defs>{area.defs}</defs>{signs().painted(area)}" if area.defs else ""
    if area.hatch:
        drawing += f"<defs>{signs().hatching(area.hatch)}</defs>{signs().hatched(area)}"
    numbers, codes = _areas(share).picture, _codes()
    inside = numbers.point([255 * (number == codes[area.province]) for number in range(_INDICES)])
    box = inside.getbbox() or (0, 0, 1, 1)
    left, top, right, bottom = box
    drawn = piece(drawing, Box(*(at / share for at in (left + 0.5, top + 0.5, right - 0.5, bottom - 0.5))), share)
    drawn.alpha_composite(_lines(share).crop(box))
    drawn.putalpha(ImageChops.multiply(drawn.getchannel("A"), inside.crop(box)))
    return Sprite(left, top, drawn)


@cache
def _lines(share: float) -> Image.Image:
    """The borders alone."""
    numbers, blends = _borders(share).picture, _blends(_FINEST)
    lines = numbers.copy()
    lines.putpalette([channel for line, _ in blends for channel in _rgb(line)])
    lines = lines.convert("RGBA")
    lines.putalpha(numbers.point([round(255 * part) for _, part in _padded(blends, _INDICES)]))
    return lines


_PHASES = 4
"""In how many ways a sign can lie on the pixels, in each direction; where they are finer than a unit, in one."""
_REACH = Size(84, 64)
"""What any sign covers at most, around its middle, but for long names."""
_EDGES = 10.0
"""How much wider a name is with the edges of its letters."""


def painted(scene: Scene, width: int) -> Image.Image:
    """The scene, this number of pixels wide."""
    share = width / scene.width
    high, above = round((scene.height + scene.legend.height) * share), _areas(share).picture.height
    whole = ground(scene.areas, share, (0, 0, width, high))
    whole.paste(PAPER, (0, above, width, high))
    for kind, sign in scene.layers:
        _lay(whole, kind, sign, share)
    explain(whole, scene.legend, scene.height, share)
    return whole


def part(scene: Scene, width: int, window: Box, below: int) -> Image.Image:
    """What a window shows of the scene, which as a whole is this number of pixels wide, and so many rows of paper below
    it.
    """
    share = width / scene.width
    left, top, right, low = (round(edge * share) for edge in window)
    shown = ground(scene.areas, share, (left, top, right, low + below))
    for kind, sign in scene.layers:
        if window.overlaps(_reach(sign)):
            _lay(shown, kind, sign, share, -left, -top)
    shown.paste(PAPER, (0, low - top, right - left, low - top + below))
    return shown


def _reach(sign: Any) -> Box:
    return sign.reach if hasattr(sign, "reach") else around(sign.middle, _REACH)


def _lay(whole: Image.Image, kind: str, sign: Any, share: float, right: int = 0, down: int = 0) -> None:
    """Lay a sign on a picture, moved by so many pixels."""
    if kind == "line":
        _draw(whole, sign, share, right, down)
    else:
        paste(whole, _sign(kind, sign, share), right, down)


def _draw(whole: Image.Image, sign: Any, share: float, right: int, down: int) -> None:
    for colour, (left, top, width, height), covered in _covers(sign, share):
        left, top = left + right, top + down
        whole.im.paste(colour, (left, top, left + width, top + height), covered)


@lru_cache(maxsize=256)
def _covers(sign: Any, share: float) -> Sequence[tuple[tuple[int, ...], tuple[int, int, int, int], Any]]:
    """What a line covers, in strips without empty edges, and in which colour. Lines are many, and few are alike but in
    the first years; but the theatres of a phase have many in common.
    """
    left, top = corner(sign.reach, share)
    found = []
    for strand in strands(sign):
        whole = mask(strand, sign.reach, share).im
        width, height = whole.size
        for high in range(0, height, _STRIP):
            strip = whole.crop((0, high, width, min(high + _STRIP, height)))
            if (box := strip.getbbox()) is not None:
                place = left + box[0], top + high + box[1], box[2] - box[0], box[3] - box[1]
                found.append((_rgb(strand.colour), place, strip.crop(box)))
    return found


_STRIP = 24
"""Pixels: to lay a slanting line in strips takes a third of the time, as most of its rectangle is empty."""


def paste(whole: Image.Image, sprite: Sprite, right: int = 0, down: int = 0) -> None:
    """Lay a sprite on a picture, moved by so many pixels: what Pillow's `paste` does, less the look at both pictures,
    which takes longer than most sprites.
    """
    picture, left, top = sprite.picture, sprite.left + right, sprite.top + down
    mask = (picture.im,) if picture.mode == "RGBA" else ()
    whole.im.paste(picture.im, (left, top, left + picture.width, top + picture.height), *mask)


# signs


@lru_cache(maxsize=8192)
def _sign(kind: str, sign: Any, share: float) -> Sprite:
    """A sign around its middle."""
    left, top, middle = placed(sign.middle, share)
    here = replace(sign, middle=middle)
    found = _name(here, share) if getattr(here, "ground", "") else _kept(kind, here, share)
    return found._replace(left=found.left + left, top=found.top + top)


@lru_cache(maxsize=4096)
def _name(label: Label, share: float) -> Sprite:
    """A label on its ground: its letters and their edge are known for all grounds."""
    edge, letters = (_kept("label", replace(label, ground=one), share) for one in ("#fff", "none"))
    picture = Image.new("RGB", edge.picture.size, label.ground)
    picture.putalpha(edge.picture.getchannel("A"))
    picture.alpha_composite(letters.picture, (letters.left - edge.left, letters.top - edge.top))
    return edge._replace(picture=picture)


@kept
def _kept(kind: str, sign: Any, share: float) -> Sprite:
    reach = _REACH
    if isinstance(sign, Label):
        reach = Size(label_size(sign.text).width + _EDGES, reach.height)
    return sprite(getattr(signs(), kind)(sign), around(sign.middle, reach), share)


def placed(point: Point, share: float) -> tuple[int, int, Point]:
    """The pixel of a point, and where on it the point lies."""
    ways = _PHASES if share < 1 else 1
    x, y = round(point.x * share * ways), round(point.y * share * ways)
    return x // ways, y // ways, Point(x % ways / ways / share, y % ways / ways / share)


def sprite(drawing: str, reach: Box, share: float) -> Sprite:
    """What a drawing shows within these bounds, without empty edges."""
    whole, (left, top) = piece(drawing, reach, share), corner(reach, share)
    box = whole.getbbox() or (0, 0, 1, 1)
    whole = whole.crop(box)
    return Sprite(left + box[0], top + box[1], whole)


# texts


def letters(words: Words, edge: str, share: float) -> Iterator[tuple[int, int, Image.Image]]:
    """What each letter covers, with its edge if there is one, and the upper left pixel of that. It covers the same,
    whatever the colour of its edge.
    """
    covered = edge if edge == "none" else "#fff"
    widths = [_step(*pair, words.height, words.weight) for pair in pairwise((*words.text, ""))]
    x = words.middle.x - sum(widths) * {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
    for letter, width in zip(words.text, widths, strict=True):
        left, top, at = placed(Point(x, words.middle.y), share)
        if letter != " ":
            found = _letter(letter, words.height, words.weight, covered, at, share)
            yield left + found.left, top + found.top, found.picture
        x += width


@lru_cache(maxsize=4096)
def _step(letter: str, following: str, height: float, weight: int) -> float:
    """How far behind a letter the following one is."""
    return across(letter + following, height, weight) - across(following, height, weight)


@kept
def _letter(letter: str, height: float, weight: int, edge: str, at: Point, share: float) -> Sprite:
    words = Words(at, letter, height, "#ffffff", "start", edge, weight)
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
        paste(whole, _sample(replace(entry, x=phase.x, y=phase.y, text=""), share), left, top)
        _write(whole, Words(Point(entry.x + 42, entry.y + down + 9), entry.text, NAME, INK, "start"), share)


def _write(whole: Image.Image, words: Words, share: float) -> None:
    """Write a text word by word: most of these are on other maps, too."""
    x, y = words.middle
    for word in words.text.split():
        left, top, at = placed(Point(x, y), share)
        found = _word(word, words.height, words.weight, at, share)
        whole.paste(words.fill, (left + found.left, top + found.top), found.picture)
        x += across(f"{word} ", words.height, words.weight)


@lru_cache(maxsize=4096)
def _word(word: str, height: float, weight: int, at: Point, share: float) -> Sprite:
    """What a word covers."""
    found = list(letters(Words(at, word, height, "#ffffff", "start", "none", weight), "none", share))
    left, top = min(x for x, _, _ in found), min(y for _, y, _ in found)
    size = max(x + one.width for x, _, one in found) - left, max(y + one.height for _, y, one in found) - top
    covered = Image.new("L", size)
    for x, y, letter in found:
        covered.paste(255, (x - left, y - top), letter)
    return Sprite(left, top, covered)


_NOTHING = 1e-6
"""Less than any part of a pixel."""


@kept
def _ruled(width: float, down: float, share: float) -> Sprite:
    return sprite(f'<g transform="translate(0 {down})">{signs().rule(width)}</g>', Box(0, -2, width, 4), share)


@kept
def _sample(entry: Entry, share: float) -> Sprite:
    """The sign of an entry."""
    reach = Box(-10, -20, 60 + entry.behind + 20 * entry.beyond, 20)
    return sprite(signs().sample(entry), reach, share)
