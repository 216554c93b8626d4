"""The picture itself: a scene drawn as SVG by a template, and as PNG by resvg with the letters that come along."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path

import resvg
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from PIL import Image
from resvg import usvg

from gm.board.geometry import Point
from gm.files import folder
from gm.maps import colours
from gm.maps.chart import Chart
from gm.maps.glyphs import Head, Ray
from gm.maps.outlines import line, paper
from gm.maps.scene import Scene

WIDTH = 1080
"""Pixels across of the picture in a report: three to each of a phone's points, 160 to an inch across a page."""

_AS_IT_IS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
_FONTS = Path(__file__).with_name("fonts")
_FACES = ("SourceSansPro-Semibold.ttf", "SourceSansPro-SemiboldIt.ttf", "SourceSansPro-Bold.ttf")


def svg(scene: Scene, width: float | None = None) -> str:
    """The scene as an SVG document, `width` pixels across; its own size without."""
    share = 1.0 if width is None else width / scene.width
    return _template("board").render({"scene": scene, "paper": paper(), "colours": colours, "share": share})


def chart_svg(chart: Chart, width: float | None = None) -> str:
    """A star chart as an SVG document, `width` pixels across; its own size without."""
    share = 1.0 if width is None else width / chart.width
    return _template("chart").render({"chart": chart, "share": share})


def png(document: str) -> bytes:
    """An SVG document as a PNG picture of 256 colours, in the document's own size."""
    full = Image.open(BytesIO(_rendered(document))).convert("RGB")
    file = BytesIO()
    full.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG", compress_level=6)
    return file.getvalue()


def _rendered(document: str) -> bytes:
    """What resvg makes of it. Raises RuntimeError when it panics, which would else pass for the end of the process."""
    try:
        return resvg.render(usvg.Tree.from_str(document, _options()), _AS_IT_IS)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as panic:
        raise RuntimeError("the picture cannot be drawn") from panic


def _options() -> usvg.Options:
    """How resvg draws: with the letters that come along, whatever fonts the machine has. Each thread has its own."""
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
    made.filters |= {"path": line, "arrow": arrow, "wedge": wedge}
    return made.get_template(f"maps/{name}.svg.j2")


def arrow(head: Head) -> str:
    """The path of an arrow's point."""
    x, y = head.tip.x - head.tail.x, head.tip.y - head.tail.y
    return _closed(
        [
            head.tip,
            Point(head.tail.x - y * 0.55, head.tail.y + x * 0.55),
            Point(head.tail.x + y * 0.55, head.tail.y - x * 0.55),
        ]
    )


def wedge(ray: Ray) -> str:
    """The path of a beam: a point at the craft, broad on the ground."""
    x, y = ray.ground.x - ray.craft.x, ray.ground.y - ray.craft.y
    far = max((x * x + y * y) ** 0.5, 0.1)
    across = Point(-y / far, x / far)
    corners = [(ray.craft, 4.0), (ray.ground, 15.0), (ray.ground, -15.0), (ray.craft, -4.0)]
    return _closed([Point(p.x + across.x * w, p.y + across.y * w) for p, w in corners])


def _closed(points: Iterable[Point]) -> str:
    return line(points) + "z"
