"""A picture as a file: SVG, and PNG of 256 colours, which it needs no more of: a third of the size.

The colours of a map follow from those of its powers, so all maps of a game have one palette, which Pillow remembers the
nearest colours of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from struct import pack
from typing import ClassVar
from zlib import crc32

from isal.isal_zlib import compress
from PIL import Image, ImageColor

from gm.maps.figures import WIDTH
from gm.maps.flat import flat, shades
from gm.maps.glyphs import (
    ALARM,
    BORDERS,
    GAIN,
    INK,
    LAND,
    NOT_PLAYED,
    PAPER,
    PIXELS,
    SEA,
    SEA_INK,
    TINT,
    Box,
    Livery,
    blend,
    contrast,
)
from gm.maps.render import document, explain, painted, part, pixels, signs, templates
from gm.maps.scene import Scene, Theatre, drawable, scene
from gm.views import Picture, View


@dataclass(frozen=True)
class Figure:
    """The map of a view as a file."""

    picture: Picture

    @property
    def title(self) -> str:
        """The title: `Fall 1901: moves`."""
        return self.picture.title

    def svg(self, *, dark: bool = False) -> str:
        """The map as an SVG document, which can be enlarged without loss."""
        return svg(self.picture, dark=dark)

    @property
    def png(self) -> bytes:
        """The map as a PNG picture at the size used in reports."""
        return _file(self.picture)

    @property
    def light(self) -> bool:
        """Whether the picture is on light paper, so that dark readers need another."""
        return sum(ImageColor.getrgb(self.picture.paper)[:3]) > 3 * 128

    @property
    def dark(self) -> bytes:
        """The same picture for dark readers."""
        return _file(self.picture, dark=self.light)


@dataclass(frozen=True)
class Cut:
    """A theatre as a file, drawn with twice as many pixels to a unit as the whole map."""

    theatre: Theatre
    light: ClassVar[bool] = True

    @property
    def title(self) -> str:
        """The title: `Austria, Fall 1901`."""
        return self.theatre.legend.title

    @property
    def png(self) -> bytes:
        """The theatre as a PNG picture."""
        return _cut_file(self.theatre)

    @property
    def dark(self) -> bytes:
        """The same for dark readers."""
        return _cut_file(self.theatre, dark=True)


def figure(view: View) -> Figure | None:
    """The map of a view; None if its board has no map, or if nothing of it is seen."""
    if view.blank:
        return None
    if view.art.picture is not None:
        return Figure(view.art.picture(view))
    return Figure(scene(view)) if drawable(view) else None


def svg(picture: Picture, width: float | None = None, *, dark: bool = False, window: Box | None = None) -> str:
    """The picture as an SVG document, `width` pixels wide; None for its own size. `dark`: for dark readers, where
    its paper is light. `window`: the part of a map that is shown.
    """
    share = 1.0 if width is None else width / picture.width
    known = {"picture": picture, "share": share, "window": window}
    drawing = templates().get_template(f"maps/{picture.template}.svg.j2").render(known)
    return _darkened(drawing, picture) if dark and isinstance(picture, Scene) else drawing


def png(drawing: str) -> bytes:
    """An SVG document as a PNG picture of 256 colours, in the document's own size."""
    return _written(in_few_colours(_pixels(drawing)))


@lru_cache(maxsize=16)
def _file(picture: Picture, *, dark: bool = False) -> bytes:
    """PNG pictures by what they show, so that seats share one exactly when they see the same."""
    return _written(_drawn(picture, dark))


@lru_cache(maxsize=16)
def _cut_file(theatre: Theatre, *, dark: bool = False) -> bytes:
    return _written(_cut(theatre, dark))


@lru_cache(maxsize=16)
def _drawn(picture: Picture, dark: bool) -> Image.Image:
    """The picture in 256 colours."""
    if not isinstance(picture, Scene):
        return in_few_colours(flat(picture, WIDTH), shades(picture))
    if dark:
        return in_few_colours(_pixels(svg(picture, PIXELS, dark=True)), _colours(picture, DARK))
    return in_few_colours(painted(picture, PIXELS), _colours(picture, LIGHT))


def _pixels(drawing: str) -> Image.Image:
    return pixels(drawing).convert("RGB")


def _colours(picture: Scene, scheme: Scheme) -> tuple[str, ...]:
    if any(area.defs for area in picture.areas):  # paint has colours of its own
        return ()
    paints = [scheme.paint(colour) for colour in _paints(picture)]
    edges = (
        *_blends([scheme.ink, scheme.paper], paints, (0.3, 0.65)),
        *_blends(scheme.borders.values(), paints, (0.5,)),
    )
    return (*paints, *edges, *_of_maps(scheme, picture.liveries))[:_MOST]


def _paints(picture: Scene) -> tuple[str, ...]:
    """The colours that a game paints areas with, which the schemes do not know."""
    usual = {LIGHT.sea, LIGHT.land, LIGHT.not_played, *(livery.tint for livery in picture.liveries)}
    fills = dict.fromkeys(area.fill for area in picture.areas if not area.defs)
    return tuple(fill for fill in fills if fill not in usual)


CLOSER = 2
"""How many pixels a theatre has for each of the whole map."""
_LEGEND = CLOSER * PIXELS / 1792
"""Pixels to a unit of a theatre's legend: its letters are five eighths as high as those of the map above."""


def _cut(theatre: Theatre, dark: bool) -> Image.Image:
    """The part of the map, without names that its edge would cut, with the legend below."""
    wide = CLOSER * PIXELS
    share = wide / theatre.whole.width
    left, top, right, low = (round(edge * share) for edge in theatre.window)
    size = right - left, round(theatre.legend.height * _LEGEND)
    if dark:
        window = Box(left / share, top / share, right / share, low / share)
        above = _pixels(svg(theatre.shown, wide, dark=True, window=window))
        key = Box(0, 0, size[0] / _LEGEND, size[1] / _LEGEND)
        drawing = document(signs().legend(theatre.legend, key.right), key, _LEGEND)
        both = above.crop((0, 0, size[0], low - top + size[1]))
        both.paste(_pixels(_darkened(drawing, theatre.whole)), (0, low - top))
    else:
        both = part(theatre.shown, wide, theatre.window, size[1])
        explain(both, theatre.legend, (low - top) / _LEGEND, _LEGEND)
    return in_few_colours(both, _colours(theatre.whole, DARK if dark else LIGHT))


def size_of(file: bytes) -> tuple[int, int]:
    """The width and height of a PNG picture, the first fields of its first chunk."""
    return int.from_bytes(file[16:20]), int.from_bytes(file[20:24])


def _written(whole: Image.Image) -> bytes:
    """The picture as PNG, without filters. Pillow would take three times as long, and write more."""
    rows = Image.new("P", (whole.width + 1, whole.height))  # each begins with the number of its filter
    rows.paste(whole, (1, 0))
    head, palette = pack(">IIBBBBB", *whole.size, 8, 3, 0, 0, 0), bytes(whole.getpalette() or ())
    chunks = (b"IHDR" + head, b"PLTE" + palette, b"IDAT" + compress(rows.tobytes(), 1), b"IEND")
    return _PNG + b"".join(pack(">I", len(chunk) - 4) + chunk + pack(">I", crc32(chunk)) for chunk in chunks)


_PNG = b"\x89PNG\r\n\x1a\n"


def _darkened(drawing: str, picture: Scene) -> str:
    """The drawing with each colour as the dark scheme has it. The colours of powers stay in their order from dark to
    light; paint of several colours stays as it is.
    """
    known = _SHORT | {paint: DARK.paint(paint) for paint in _paints(picture)}
    liveries = picture.liveries
    for light, dark in zip(_shades(LIGHT, liveries), _shades(DARK, liveries), strict=True):
        known.setdefault(light, dark)
    return _HEX.sub(lambda found: known.get(found[0], found[0]), drawing)


_HEX = re.compile(r"#[0-9a-f]{6}\b|#[0-9a-f]{3}\b")
_SHORT = {"#555": "#b5b5b5", "#777": "#9a9a9a", "#a39b86": "#5d574c"}
"""The greys of samples in the legend, and of stripes on what is not played, on dark ground."""


# colours


_MOST = 256
_WHITE = "#ffffff"


@dataclass(frozen=True, eq=False)
class Scheme:
    """The colours of a map but for those of its powers, which are mixed with white: `whitened` is its share, as far as
    the letters upon them remain readable.
    """

    sea: str
    land: str
    not_played: str
    paper: str
    ink: str
    sea_ink: str
    grey: str
    alarm: str
    gain: str
    borders: Mapping[str, str]
    whitened: float

    def strong(self, livery: Livery) -> str:
        """The colour of a power."""
        return _whitened(livery.strong, livery.ink, self.whitened)

    def tint(self, livery: Livery) -> str:
        """The colour of a power's land."""
        return blend(self.strong(livery), self.land, TINT)

    def paint(self, colour: str) -> str:
        """A colour that a game paints areas with."""
        return colour if self is LIGHT else blend(colour, self.paper, 0.45)

    def fine(self, livery: Livery) -> str:
        """The colour of what is thin, which shows on any ground of the scheme."""
        return livery.fine if self is LIGHT else self.strong(livery)


_READABLE = 4.5
"""The contrast of letters with their ground (WCAG 2.2, 1.4.3)."""


@lru_cache(maxsize=4096)
def _whitened(strong: str, ink: str, most: float) -> str:
    """A colour with so much white, or less if letters of the colour `ink` would be hard to read on it."""
    ways = (blend(_WHITE, strong, most * tenths / 10) for tenths in range(10, 0, -1))
    return next((way for way in ways if contrast(ink, way) >= _READABLE), strong)


LIGHT = Scheme(SEA, LAND, NOT_PLAYED, PAPER, INK, SEA_INK, "#555555", ALARM, GAIN, BORDERS, 0.0)
DARK = Scheme(
    sea="#1a2731",
    land="#2e2c27",
    not_played="#22211e",
    paper="#16181b",
    ink="#efeadd",
    sea_ink="#93b8d2",
    grey="#b5b5b5",
    alarm="#ff6072",
    gain="#3fae72",
    borders={"sea": "#46657a", "land": "#94866f", "shore": "#7b95a8"},
    whitened=0.2,
)


def in_few_colours(whole: Image.Image, colours: tuple[str, ...] = ()) -> Image.Image:
    """The picture in these colours; without any, in colours of its own, chosen by each third pixel of each third
    row.
    """
    if colours:
        palette = _palette(colours)
    else:
        some = whole.resize((whole.width // 3, whole.height // 3), Image.Resampling.NEAREST)
        palette = some.quantize(_MOST, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return whole.quantize(palette=palette, dither=Image.Dither.NONE)


@lru_cache(maxsize=32)
def _of_maps(scheme: Scheme, liveries: tuple[Livery, ...]) -> tuple[str, ...]:
    """The colours of maps with these powers: whole ones, then those of edges between them."""
    return tuple(islice(dict.fromkeys(_shades(scheme, liveries)), _MOST))


def _shades(scheme: Scheme, liveries: tuple[Livery, ...]) -> list[str]:
    """Those colours in a scheme, in the same order in each."""
    strong = [scheme.strong(livery) for livery in liveries]
    land = [scheme.land, scheme.not_played, *map(scheme.tint, liveries)]
    grounds = [scheme.sea, *land]
    borders = scheme.borders
    return [
        *(_WHITE, scheme.ink, scheme.paper, scheme.alarm, scheme.gain, scheme.grey, scheme.sea_ink),
        *borders.values(),
        *(*strong, *grounds),
        *map(scheme.fine, liveries),
        *(livery.ink for livery in liveries),
        *_blends(strong, [_WHITE], (0.25, 0.5, 0.75)),
        *_blends([scheme.ink], [scheme.paper], (0.15, 0.3, 0.45, 0.6, 0.75, 0.88)),
        *_blends([borders["land"], borders["shore"]], land, (0.33, 0.66)),
        *_blends([borders["sea"], borders["shore"], scheme.sea_ink], [scheme.sea], (0.25, 0.5, 0.75)),
        *_blends([scheme.ink], strong, (0.33, 0.66)),
        *_blends([scheme.paper], grounds, (0.4, 0.8)),
        *_blends([_WHITE], land, (0.4, 0.8)),
        *_blends([scheme.alarm, scheme.gain], [_WHITE], (0.25, 0.5, 0.75)),
        *_blends([scheme.ink], grounds, (0.3, 0.65)),
        *_blends(strong, grounds, (0.5,)),
    ]


@lru_cache(maxsize=32)
def _palette(colours: tuple[str, ...]) -> Image.Image:
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in colours for channel in ImageColor.getrgb(colour)])
    return palette


def _blends(colours: Iterable[str], grounds: Iterable[str], shares: Iterable[float]) -> Iterator[str]:
    return (blend(colour, ground, share) for colour, ground, share in product(colours, grounds, shares))
