"""The font of maps, which is in this package: how wide a text is."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

FONTS = Path(__file__).with_name("fonts")
FACES = ("SourceSansPro-Semibold.ttf", "SourceSansPro-SemiboldIt.ttf", "SourceSansPro-Bold.ttf")


@lru_cache(maxsize=4096)
def across(text: str, height: float, weight: int) -> float:
    """The width of a text of this height, in the font of this package."""
    return float(_face(weight).getlength(text)) * height / _FINE


_FINE = 1000
"""Pillow measures in whole steps; of these there are so many to a text's height."""


@cache
def _face(weight: int) -> ImageFont.FreeTypeFont:
    name = "SourceSansPro-Bold.ttf" if weight >= 700 else "SourceSansPro-Semibold.ttf"
    return ImageFont.truetype(FONTS / name, _FINE)
