"""Draws the signs that are kept with the package: `python -m geography.stock`.

They are those that the powers of the standard game have, wherever they lie on the pixels; and what else the maps of a
game played by random orders need, and those of the opening, with the theatres of all powers.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, product
from typing import Any
from unittest.mock import patch

from bench.games import played_games
from gm.advance import advance
from gm.board.geography import Point, standard_geography
from gm.chance import Chance
from gm.maps import picture, render, stock
from gm.maps.glyphs import (
    ARMY,
    FLEET,
    PIXELS,
    Badge,
    CenterSign,
    Cross,
    Dot,
    Hold,
    Standoff,
    State,
    Trace,
    UnitSign,
    liveries,
)
from gm.maps.names import names
from gm.maps.scene import Scene, Theatre, scene, theatre
from gm.maps.stock import PLACES, SIGNS, Place, Sprite, Stock
from gm.variants.standard import POWERS, STANDARD

MAPS = 100
"""How many maps of the game are drawn: after so many phases few of their signs are new."""


class Recorded(Stock):
    """A stock that is empty, and remembers what is drawn for it."""

    def __init__(self) -> None:
        super().__init__({}, b"")
        self.drawn: dict[str, Sprite] = {}

    def sprite(self, key: str, draw: Callable[[], Sprite]) -> Sprite:
        """The sprite, drawn and remembered."""
        return self.drawn.setdefault(key, draw())


def scenes() -> Iterator[tuple[Scene, Sequence[Theatre]]]:
    """The maps whose signs are kept, with their theatres."""
    chance = Chance(b"the stock of signs")
    opening = STANDARD.view(STANDARD, STANDARD.opening(POWERS, chance), None, None)
    yield from ((one, ()) for one in (scene(opening), names(opening)))
    for phase in islice(played_games(1), MAPS):
        turn = advance(STANDARD, phase.position, phase.orders, chance)
        view = STANDARD.view(STANDARD, turn.after, turn, None)
        whole = scene(view)
        yield whole, [one for power in POWERS if (one := theatre(view, power, whole)) is not None]


@contextmanager
def recorded() -> Iterator[Recorded]:
    """Nothing is in stock meanwhile."""
    empty = Recorded()
    with patch.object(stock, "stock", lambda: empty):
        _forget()
        yield empty
    _forget()


def _forget() -> None:
    for known in (*vars(render).values(), *vars(picture).values()):
        if hasattr(known, "cache_clear"):
            known.cache_clear()


def signs() -> dict[str, Sprite]:
    """What is kept."""
    share = PIXELS / standard_geography().width
    with recorded() as found:
        for drawn, theatres in scenes():
            picture._drawn(drawn, dark=False)
            for part in theatres:
                picture._cut(part, dark=False)
        for x, y in product(range(render._PHASES), repeat=2):
            for kind, sign in _at(Point(x / render._PHASES / share, y / render._PHASES / share)):
                render._sign(kind, sign, share)
    return found.drawn


def _at(point: Point) -> Iterator[tuple[str, Any]]:
    """Signs of all powers at this point."""
    yield from (("cross", Cross(point)), ("standoff", Standoff(point)), ("center", CenterSign(point, None)))
    yield from (("badge", Badge(point, state)) for state in (State.DISLODGED, State.NEW))
    for livery in liveries(POWERS).values():
        yield from (("hold", Hold(point, livery)), ("trace", Trace(point, livery)), ("dot", Dot(point, livery)))
        yield "center", CenterSign(point, livery)
        yield from (("unit", UnitSign(shape, point, livery)) for shape in (ARMY, FLEET))


def packed(drawn: Mapping[str, Sprite]) -> tuple[dict[str, Place], bytes]:
    """The places of all sprites, and their pixels."""
    places, file = dict[str, Place](), bytearray()
    for key, (left, top, shown) in sorted(drawn.items()):
        packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS, memLevel=9)
        pixels = packer.compress(shown.tobytes()) + packer.flush()
        places[key] = Place(left, top, *shown.size, len(file), len(file) + len(pixels))
        file += pixels
    return places, bytes(file)


def main() -> None:
    """Write the files."""
    SIGNS.parent.mkdir(exist_ok=True)
    places, pixels = packed(signs())
    SIGNS.write_bytes(pixels)
    PLACES.write_text(json.dumps(places, separators=(",", ":")).replace('],"', '],\n"') + "\n", encoding="utf-8")
    print(
        f"{len(places)} signs:", *(f"{file.name} {file.stat().st_size / 1e3:.0f} kB" for file in SIGNS.parent.iterdir())
    )


if __name__ == "__main__":
    main()
