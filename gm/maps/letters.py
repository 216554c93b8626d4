"""The font of the maps: how wide and how high what is written in it is."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

FONTS = Path(__file__).with_name("fonts")
CAPITAL = 0.68
"""How far capitals and tall letters rise above the line, as a share of the font's height."""
TAIL = 0.2
"""How far some letters reach below it."""
_TAILED = frozenset("gjpqyQ")
_FINE = 1000
"""Pillow measures in whole steps; of these there are so many to a text's height."""


@lru_cache(maxsize=4096)
def across(text: str, height: float, weight: int) -> float:
    """The width of a text of this height."""
    return float(_face(weight).getlength(text)) * height / _FINE


def tail(text: str) -> float:
    """How far the text reaches below its line, as a share of the font's height."""
    return TAIL if not _TAILED.isdisjoint(text) else 0.0


@cache
def _face(weight: int) -> ImageFont.FreeTypeFont:
    name = "SourceSansPro-Bold.ttf" if weight >= 700 else "SourceSansPro-Semibold.ttf"
    return ImageFont.truetype(FONTS / name, _FINE)
