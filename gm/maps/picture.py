"""Rendering a scene: as SVG by a template, and as PNG by resvg with the font in this package."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from io import BytesIO
from pathlib import Path

import resvg
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from PIL import Image
from resvg import usvg

from gm import folder
from gm.board.geography import Point
from gm.maps import glyphs
from gm.maps.glyphs import ARMY, Head, Livery, Ray
from gm.maps.layout import line, paper
from gm.maps.scene import drawable, scene
from gm.views import Picture, View

WIDTH = 1080
"""The width of the picture in a report, in pixels: three for each point of a phone's screen, 160 per inch on paper."""

_AS_IT_IS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
_FONTS = Path(__file__).with_name("fonts")
_FACES = ("SourceSansPro-Semibold.ttf", "SourceSansPro-SemiboldIt.ttf", "SourceSansPro-Bold.ttf")


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
        return _drawn(svg(self.picture, WIDTH))


def figure(view: View) -> Figure | None:
    """The map of a view; None if its board has no map."""
    if view.art.picture is not None:
        return Figure(view.art.picture(view))
    return Figure(scene(view)) if drawable(view) else None


def svg(picture: Picture, width: float | None = None) -> str:
    """The picture as an SVG document, `width` pixels wide; None for its own size."""
    share = 1.0 if width is None else width / picture.width
    known = {"picture": picture, "paper": paper(), "colours": glyphs, "army": ARMY.path, "share": share}
    return _template(picture.template).render(known)


@lru_cache(maxsize=16)
def _drawn(document: str) -> bytes:
    """PNG pictures by their SVG text, so that seats share one exactly when they see the same."""
    return png(document)


def png(document: str) -> bytes:
    """An SVG document as a PNG picture of 256 colours, in the document's own size."""
    full = Image.open(BytesIO(_rendered(document))).convert("RGB")
    file = BytesIO()
    full.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG", compress_level=6)
    return file.getvalue()


def _rendered(document: str) -> bytes:
    """Render with resvg. Raises RuntimeError when resvg panics: the panic itself is a BaseException, which would look
    like the end of the process.
    """
    try:
        return resvg.render(usvg.Tree.from_str(document, _options()), _AS_IT_IS)
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


@cache
def _template(name: str) -> Template:
    made = Environment(
        loader=FileSystemLoader(folder("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {"path": line, "arrow": arrow, "wedge": wedge, "sign": sign}
    return made.get_template(f"maps/{name}.svg.j2")


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
