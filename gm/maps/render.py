"""The templates of maps, and SVG documents as pixels: by resvg, with the font in this package."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cache
from html import escape
from io import BytesIO
from math import ceil, floor
from pathlib import Path
from typing import Any

import resvg
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from PIL import Image
from resvg import usvg

from gm import folder
from gm.board.geography import Point
from gm.maps import glyphs
from gm.maps.glyphs import Box, Head, Livery, Ray
from gm.maps.layout import line, paper

_AS_IT_IS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
_FONTS = Path(__file__).with_name("fonts")
_FACES = ("SourceSansPro-Semibold.ttf", "SourceSansPro-SemiboldIt.ttf", "SourceSansPro-Bold.ttf")


def pixels(document: str) -> Image.Image:
    """An SVG document in its own size, RGBA. Raises RuntimeError when resvg panics: the panic itself is a
    BaseException, which would look like the end of the process.
    """
    try:
        return Image.open(BytesIO(resvg.render(usvg.Tree.from_str(document, _options()), _AS_IT_IS)))
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
            found.load_font_file(str(_FONTS / face))
    return found


_of_thread = threading.local()


def piece(drawing: str, reach: Box, share: float) -> Image.Image:
    """What a drawing, in units of the sheet, shows within these bounds, which are widened to whole pixels; `share`:
    pixels to a unit.
    """
    left, top = corner(reach, share)
    width, height = ceil(reach.right * share) - left, ceil(reach.bottom * share) - top
    frame = " ".join(f"{length / share:.5f}" for length in (left, top, width, height))
    letters = f"{signs().font()}><defs>{signs().style()}</defs" if "<text" in drawing else ""
    return pixels(
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
    made.filters |= {"path": line, "arrow": arrow, "wedge": wedge, "sign": sign}
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


def wedge(ray: Ray) -> str:
    """The SVG path of a ray, which becomes wider in its direction."""
    x, y = ray.ground.x - ray.beyond.x, ray.ground.y - ray.beyond.y
    far = max((x * x + y * y) ** 0.5, 0.1)
    across = Point(-y / far, x / far)
    above, below = (13.0, 4.0) if ray.up else (4.0, 15.0)
    corners = [(ray.beyond, above), (ray.ground, below), (ray.ground, -below), (ray.beyond, -above)]
    return _closed([Point(p.x + across.x * w, p.y + across.y * w) for p, w in corners])


def sign(drawing: str, livery: Livery | None) -> str:
    """The SVG of a sign (`gm.views`) in the colours of its power; in neutral colours without a livery."""
    strong, letters = (livery.strong, livery.ink) if livery is not None else ("#fff", glyphs.INK)
    edge, tag = (strong, escape(livery.tag)) if livery is not None else (glyphs.INK, "")
    return drawing.format(strong=strong, edge=edge, letters=letters, tag=tag, ink=glyphs.INK)


def _closed(points: Iterable[Point]) -> str:
    return line(points) + "z"
