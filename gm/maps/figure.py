"""A map as a file: its title, its SVG, and its PNG, which is drawn once for all who see the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gm.maps.picture import WIDTH, png, svg
from gm.maps.scene import Scene, drawable, scene
from gm.views import View


@dataclass(frozen=True)
class Figure:
    """The map of a view."""

    scene: Scene

    @property
    def title(self) -> str:
        """What it shows: `Fall 1901: moves`."""
        return self.scene.legend.title

    @property
    def svg(self) -> str:
        """The map as a document that can be enlarged without end."""
        return svg(self.scene)

    @property
    def png(self) -> bytes:
        """The map as a picture at the size of a report."""
        return _drawn(svg(self.scene, WIDTH))


def figure(view: View) -> Figure | None:
    """The map of a view; None where its board has none."""
    return Figure(scene(view)) if drawable(view) else None


@lru_cache(maxsize=16)
def _drawn(document: str) -> bytes:
    """Pictures by what they show, so that seats share one exactly when they see the same."""
    return png(document)
