"""A picture as a file: SVG, and PNG of 256 colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from PIL import Image

from gm.maps.layers import painted
from gm.maps.palette import in_few_colours
from gm.maps.render import pixels, templates
from gm.maps.scene import Scene, drawable, scene
from gm.views import Picture, View

WIDTH = 1080
"""The width of the picture in a report, in pixels: three for each point of a phone's screen, 160 per inch on paper."""


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


def figure(view: View) -> Figure | None:
    """The map of a view; None if its board has no map."""
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
        return png(svg(picture, WIDTH))
    own = any(area.defs for area in picture.areas)  # paint has colours of its own
    return _written(in_few_colours(painted(picture, WIDTH), () if own else picture.liveries))


def png(document: str) -> bytes:
    """An SVG document as a PNG picture of 256 colours, in the document's own size."""
    return _written(in_few_colours(pixels(document).convert("RGB")))


def _written(whole: Image.Image) -> bytes:
    file = BytesIO()
    whole.save(file, "PNG", compress_level=1, compress_type=Image.RLE)
    return file.getvalue()
