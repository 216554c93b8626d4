"""A map as a file: its title, its SVG, and its PNG, which is drawn once for all who see the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gm.board.quantum import QuantumBoard
from gm.maps.chart import Chart, chart
from gm.maps.picture import WIDTH, chart_svg, png, svg
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


@dataclass(frozen=True)
class StarChart:
    """The chart of a view whose board is one of planets."""

    chart: Chart

    @property
    def title(self) -> str:
        """What it shows: `Fall 3001: orders and positions`."""
        return self.chart.title

    @property
    def svg(self) -> str:
        """The chart as a document that can be enlarged without end."""
        return chart_svg(self.chart)

    @property
    def png(self) -> bytes:
        """The chart as a picture at the size of a report."""
        return _drawn(chart_svg(self.chart, WIDTH))


def figure(view: View) -> Figure | StarChart | None:
    """The map of a view; None where its board has none."""
    if isinstance(view.board, QuantumBoard):
        return StarChart(chart(view))
    return Figure(scene(view)) if drawable(view) else None


@lru_cache(maxsize=16)
def _drawn(document: str) -> bytes:
    """Pictures by what they show, so that seats share one exactly when they see the same."""
    return png(document)
