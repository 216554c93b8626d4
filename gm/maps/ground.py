"""The ground of a map as pixels: the areas of provinces and the borders between them.

All maps of one width share a picture of numbers, one for each area, and one of the borders, with the strength of their
lines; both together, with a palette, are a map's ground, to which it has only to add what is painted or striped.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from PIL import Image, ImageChops, ImageColor

from gm.maps.glyphs import BORDERS, SEA, Box, blend
from gm.maps.layout import paper
from gm.maps.render import piece, signs
from gm.maps.scene import Area

_INDICES = 256
"""The most colours that a palette has."""


def ground(areas: Sequence[Area], share: float) -> Image.Image:
    """The sheet with these areas in their colours; `share`: pixels to a unit of the sheet."""
    numbers, codes = _provinces(share)
    fills = {codes[area.path]: SEA if area.defs else area.fill for area in areas}
    colours = sorted({SEA, *fills.values()})
    levels = _INDICES // len(colours)
    lines, blends = _borders(share, (levels - 1) // len(BORDERS))
    ranks = [colours.index(fills.get(number, SEA)) * levels for number in range(_INDICES)]
    coloured = ImageChops.add(numbers.point(ranks), lines)
    shades = [blend(line, colour, part) for colour in colours for line, part in _padded(blends, levels)]
    coloured.putpalette([channel for shade in shades for channel in ImageColor.getrgb(shade)])
    whole = coloured.convert("RGB")
    for area in areas:
        if area.defs or area.hatch:
            box, drawn = _decorated(area, share)
            whole.paste(drawn, box, drawn)
    return whole


def _padded(blends: Sequence[tuple[str, float]], levels: int) -> list[tuple[str, float]]:
    return [*blends, *[(SEA, 0.0)] * (levels - len(blends))]


@cache
def _provinces(share: float) -> tuple[Image.Image, dict[str, int]]:
    """For each pixel the number of its area, 0 for the sea; and the numbers by the areas' paths."""
    codes = {path: number for number, path in enumerate(paper().shapes.values(), 1)}
    fills = [f'<path d="{path}" fill="rgb({code},0,0)" fill-rule="evenodd"/>' for path, code in codes.items()]
    crisp = f'<g shape-rendering="crispEdges"><rect width="100%" height="100%"/>{"".join(fills)}</g>'
    return piece(crisp, _sheet(), share).getchannel("R"), codes


@cache
def _borders(share: float, steps: int) -> tuple[Image.Image, list[tuple[str, float]]]:
    """For each pixel the number of what the borders blend there with the area's colour: nothing, which is 0, or a
    line's colour, in this number of strengths; where lines meet, the strongest.
    """
    numbers = strongest = Image.new("L", _provinces(share)[0].size)
    for kind, first in zip(BORDERS, range(0, _INDICES, steps), strict=False):
        strength = piece(signs().borders(kind), _sheet(), share).getchannel("A")
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
    drawing += "".join(signs().borders(kind) for kind in BORDERS)
    whole, (numbers, codes) = piece(drawing, _sheet(), share), _provinces(share)
    inside = numbers.point([255 * (number == codes[area.path]) for number in range(_INDICES)])
    whole.putalpha(ImageChops.multiply(whole.getchannel("A"), inside))
    box = whole.getbbox() or (0, 0, 1, 1)
    return box, whole.crop(box)


def _sheet() -> Box:
    return Box(0, 0, paper().width, paper().height)
