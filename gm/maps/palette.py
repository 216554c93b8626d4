"""Pictures in 256 colours, which a PNG needs no more of: a third of the size.

The colours of a map follow from those of its powers, so all maps of a game have one palette, which Pillow remembers the
nearest colours of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from PIL import Image, ImageColor

from gm.maps.glyphs import ALARM, BORDERS, GAIN, INK, LAND, NOT_PLAYED, PAPER, SEA, SEA_INK, Livery, blend

_MOST = 256
_WHITE = "#ffffff"
_GREY = "#555555"


def in_few_colours(whole: Image.Image, liveries: tuple[Livery, ...] = ()) -> Image.Image:
    """The picture with the palette of maps of these powers; without powers, with one of its own, chosen by each third
    pixel of each third row.
    """
    if liveries:
        palette = _of_maps(liveries)
    else:
        some = whole.resize((whole.width // 3, whole.height // 3), Image.Resampling.NEAREST)
        palette = some.quantize(_MOST, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return whole.quantize(palette=palette, dither=Image.Dither.NONE)


@lru_cache(maxsize=32)
def _of_maps(liveries: tuple[Livery, ...]) -> Image.Image:
    palette = Image.new("P", (1, 1))
    colours = list(dict.fromkeys(_colours(liveries)))[:_MOST]
    palette.putpalette([channel for colour in colours for channel in ImageColor.getrgb(colour)])
    return palette


def _colours(liveries: Iterable[Livery]) -> Iterator[str]:
    """The colours of maps, the most important first: whole ones, then those of the edges between them."""
    strong = [livery.strong for livery in liveries]
    land = [LAND, NOT_PLAYED, *(livery.tint for livery in liveries)]
    grounds = [SEA, *land]
    yield from (_WHITE, INK, PAPER, ALARM, GAIN, _GREY, *BORDERS.values(), *strong, *grounds)
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
