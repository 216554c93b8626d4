"""A picture as a file: SVG, and PNG of 256 colours, which it needs no more of: a third of the size.

The colours of a map follow from those of its powers, so all maps of a game have one palette, which Pillow remembers the
nearest colours of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import product

from PIL import Image, ImageColor

from gm.maps.figures import WIDTH
from gm.maps.flat import flat, shades
from gm.maps.glyphs import ALARM, BORDERS, GAIN, INK, LAND, NOT_PLAYED, PAPER, SEA, SEA_INK, Livery, blend
from gm.maps.render import painted, pixels, templates
from gm.maps.scene import Scene, drawable, scene
from gm.views import Picture, View


@dataclass(frozen=True)
class Figure:
    """The map of a view as a file."""

    picture: Picture

    @property
    def title(self) -> str:
        """The title: `Fall 1901: moves`."""
        return self.picture.title

    @property
    def svg(self) -> str:
        """The map as an SVG document, which can be enlarged without loss."""
        return svg(self.picture)

    @property
    def png(self) -> bytes:
        """The map as a PNG picture at the size used in reports."""
        return _drawn(self.picture)

    @property
    def light(self) -> bool:
        """Whether the picture is on light paper, so that dark readers need another."""
        return sum(ImageColor.getrgb(self.picture.paper)[:3]) > 3 * 128

    @property
    def dark(self) -> bytes:
        """The same picture for dark readers."""
        return _darkened(self.png) if self.light else self.png


def figure(view: View) -> Figure | None:
    """The map of a view; None if its board has no map, or if nothing of it is seen."""
    if view.blank:
        return None
    if view.art.picture is not None:
        return Figure(view.art.picture(view))
    return Figure(scene(view)) if drawable(view) else None


def svg(picture: Picture, width: float | None = None) -> str:
    """The picture as an SVG document, `width` pixels wide; None for its own size."""
    share = 1.0 if width is None else width / picture.width
    return templates().get_template(f"maps/{picture.template}.svg.j2").render(picture=picture, share=share)


@lru_cache(maxsize=16)
def _drawn(picture: Picture) -> bytes:
    """PNG pictures by what they show, so that seats share one exactly when they see the same."""
    if not isinstance(picture, Scene):
        return _written(in_few_colours(flat(picture, WIDTH), shades(picture)))
    own = any(area.defs for area in picture.areas)  # paint has colours of its own
    return _written(in_few_colours(painted(picture, WIDTH), () if own else _of_maps(picture.liveries)))


def png(document: str) -> bytes:
    """An SVG document as a PNG picture of 256 colours, in the document's own size."""
    return _written(in_few_colours(pixels(document).convert("RGB")))


def _written(whole: Image.Image) -> bytes:
    file = BytesIO()
    whole.save(file, "PNG", compress_level=1, compress_type=Image.RLE)
    return file.getvalue()


@lru_cache(maxsize=16)
def _darkened(png: bytes) -> bytes:
    """The picture with each colour of its palette as light as it was dark, in the same hue. Mails of dark readers do
    the same by `filter: invert(.9) hue-rotate(180deg)` where that is understood.
    """
    with Image.open(BytesIO(png)) as whole:
        palette = iter(whole.getpalette() or ())
        whole.putpalette(
            [channel for colour in zip(palette, palette, palette, strict=True) for channel in _turned(colour)]
        )
        return _written(whole)


_TURNED = ((-0.574, 1.430, 0.144), (0.426, 0.430, 0.144), (0.426, 1.430, -0.856))
"""`hue-rotate(180deg)` (W3C Filter Effects 1, 9.6): it undoes for the hue what inverting does to it."""


def _turned(colour: tuple[int, int, int]) -> Iterator[int]:
    inverted = [229.5 - 0.8 * channel for channel in colour]
    for row in _TURNED:
        mixed = sum(share * channel for share, channel in zip(row, inverted, strict=True))
        yield min(255, max(0, round(mixed)))


# colours


_MOST = 256
_WHITE = "#ffffff"
_GREY = "#555555"


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
def _of_maps(liveries: tuple[Livery, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_colours(liveries)))[:_MOST]


@lru_cache(maxsize=32)
def _palette(colours: tuple[str, ...]) -> Image.Image:
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in colours for channel in ImageColor.getrgb(colour)])
    return palette


def _colours(liveries: Iterable[Livery]) -> Iterator[str]:
    """The colours of maps, the most important first: whole ones, then those of the edges between them."""
    strong = [livery.strong for livery in liveries]
    land = [LAND, NOT_PLAYED, *(livery.tint for livery in liveries)]
    grounds = [SEA, *land]
    yield from (_WHITE, INK, PAPER, ALARM, GAIN, _GREY, *BORDERS.values(), *strong, *grounds)
    yield from (livery.fine for livery in liveries)
    yield from (livery.ink for livery in liveries)
    yield from _blends(strong, [_WHITE], (0.25, 0.5, 0.75))
    yield from _blends([INK], [_WHITE], (0.15, 0.3, 0.45, 0.6, 0.75, 0.88))
    yield from _blends([BORDERS["land"], BORDERS["shore"]], land, (0.33, 0.66))
    yield from _blends([BORDERS["sea"], BORDERS["shore"], SEA_INK], [SEA], (0.25, 0.5, 0.75))
    yield from _blends([INK], strong, (0.33, 0.66))
    yield from _blends([_WHITE], grounds, (0.4, 0.8))
    yield from _blends([ALARM, GAIN], [_WHITE], (0.25, 0.5, 0.75))
    yield from _blends([INK], grounds, (0.3, 0.65))
    yield from _blends(strong, grounds, (0.5,))


def _blends(colours: Iterable[str], grounds: Iterable[str], shares: Iterable[float]) -> Iterator[str]:
    return (blend(colour, ground, share) for colour, ground, share in product(colours, grounds, shares))
