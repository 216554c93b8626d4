"""Signs that were drawn before: what most maps need, so that a new process draws its first map as quickly as others.

The files beside this one are made by `python -m geography.stock`; a test makes them again. What is not in stock is
drawn when it is needed, for maps of other widths everything.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, wraps
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, ParamSpec

from PIL import Image

FOLDER = Path(__file__).with_name("drawn")
PLACES, SIGNS = FOLDER / "signs.json", FOLDER / "signs.bin"
_MODES = {1: "L", 4: "RGBA"}
_Given = ParamSpec("_Given")


class Sprite(NamedTuple):
    """A picture, transparent where nothing is drawn, and its upper left corner."""

    left: int
    top: int
    picture: Image.Image


class Place(NamedTuple):
    """A sprite in the file of all: its upper left corner, its size, and the bytes that it has there: pixels, of
    one channel or of four, compressed by Deflate.
    """

    left: int
    top: int
    width: int
    height: int
    begin: int
    end: int


class Stock:
    """Sprites by their keys, each unpacked when it is needed."""

    def __init__(self, places: Mapping[str, Sequence[int]], packed: bytes) -> None:
        self.places, self.packed = places, packed

    def sprite(self, key: str, draw: Callable[[], Sprite]) -> Sprite:
        """The sprite that is known by this key; drawn if there is none."""
        if key not in self.places:
            return draw()
        place = Place(*self.places[key])
        pixels = zlib.decompress(self.packed[place.begin : place.end], -zlib.MAX_WBITS)
        size = place.width, place.height
        channels = len(pixels) // (place.width * place.height)
        return Sprite(place.left, place.top, Image.frombytes(_MODES[channels], size, pixels))


@cache
def stock() -> Stock:
    """What is in the package."""
    return Stock(json.loads(PLACES.read_text(encoding="utf-8")), SIGNS.read_bytes())


def kept(draw: Callable[_Given, Sprite]) -> Callable[_Given, Sprite]:
    """A function that draws a sprite, but for those in stock, and each only once."""

    @wraps(draw)
    def found(*given: _Given.args, **named: _Given.kwargs) -> Sprite:
        key = sha256(repr((draw.__name__, given)).encode()).hexdigest()[:12]
        return stock().sprite(key, lambda: draw(*given, **named))

    return lru_cache(maxsize=8192)(found)  # type: ignore[return-value]
