"""What is drawn in pages: maps, and centres over the years as lines.

All maps share the ground and the borders of the sheet, each one file of the site. A page holds only what its phase
adds, so that it is a third as long as a whole map. The outlines of areas in the colours of their owners are drawn in
whole steps; the borders above them hide the difference.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from markupsafe import Markup

from gm.board import Power
from gm.board.geography import standard_geography
from gm.maps import glyphs
from gm.maps.arrows import Drawing
from gm.maps.glyphs import Livery
from gm.maps.layout import line, paper
from gm.maps.legend import Legend
from gm.maps.picture import figure, svg
from gm.maps.scene import Scene, ground_of
from gm.orders import Order
from gm.reports.render import environment
from gm.reports.results import Years
from gm.views import Picture, View

GROUND, BORDERS, ICON = "ground.svg", "borders.svg", "icon.svg"

_XML = 'xmlns="http://www.w3.org/2000/svg"'
_RED = 'fill="#a3001a"'
_STYLE = re.compile(r"<style>[^<]*</style>|<title>[^<]*</title>")
_STYLE_ATTRIBUTE = re.compile(r' style="([^"]*)"')
_DECLARATION = re.compile(r"(?<![a-z-])([a-z-]++):([^;]++);?")
_ROOT = re.compile(r"\A\s*+<svg(?:(?!viewBox=)[^>])*+viewBox=\"([^\">]*)\"[^>]*+>(.*)</svg>\s*\Z", re.DOTALL)


class Drawn(NamedTuple):
    """The map of a view as a part of a page; "" if its board has no map. `shown` are the orders that are on it."""

    svg: Markup
    shown: frozenset[Order] = frozenset()


def drawn(view: View, links: Mapping[Order, tuple[str, str]], base: str) -> Drawn:
    """The map of a view.

    `links`: for each order the link to its line, and its words. `base` is the way to the top of the site.
    """
    found = figure(view)
    if found is None:
        return Drawn(Markup(""))
    picture = found.picture
    document = _on_shared_paper(picture, base) if isinstance(picture, Scene) else svg(picture)
    frame = _ROOT.match(_STYLE.sub("", document))
    assert frame is not None
    targets = [(*links[order], route) for order, route in picture.routes.items() if order in links]
    body = Markup(_without_styles(frame[2]))  # noqa: S704 (our own picture, escaped by its template)
    known = {
        "title": picture.title,
        "box": frame[1],
        "body": body,
        "targets": targets,
        "paper": isinstance(picture, Scene),
    }
    document = Markup(environment().get_template("gallery/map.html.j2").render(known))  # noqa: S704 (escaped there)
    return Drawn(document, frozenset(picture.routes).intersection(links))


def _without_styles(document: str) -> str:
    """The same with attributes of SVG in place of styles, which the pages' policy forbids."""
    return _STYLE_ATTRIBUTE.sub(lambda found: _DECLARATION.sub(r' \1="\2"', found[1]), document)


def text_style() -> str:
    """The rules for texts in maps, as a style sheet."""
    found = re.search(r"<style>([^<]*)</style>", svg(_empty()))
    assert found is not None
    return found[1]


def without_legend() -> str:
    """A rule that leaves out the legends of maps on narrow screens, where they are too small; the powers are beside."""
    shape = f"aspect-ratio: {paper().width:g} / {paper().height:g};"
    return f"@media (max-width: 40rem) {{ .map:not(:has(#zoom:checked)) .of-paper {{ {shape} }} }}"


def shared_files() -> dict[str, str]:
    """The files that all maps of a site share, by name."""
    sheet = paper()
    size = f'viewBox="0 0 {sheet.width:g} {sheet.height:g}" width="{sheet.width:g}" height="{sheet.height:g}"'
    ground = "".join(_path(area.path, f'fill="{area.fill}" fill-rule="evenodd"') for area in ground_of().values())
    borders = "".join(
        _path(way, f'stroke="{glyphs.BORDERS[kind]}" stroke-width="1.1"') for kind, way in sheet.lines.items()
    )
    root = f"<svg {_XML} {size}>"
    sea = f'<rect width="{sheet.width:g}" height="{sheet.height:g}" fill="{glyphs.SEA}"/>'
    return {
        GROUND: f"{root}{sea}{ground}</svg>\n",
        BORDERS: f'{root}<g fill="none" stroke-linejoin="round">{borders}</g></svg>\n',
        ICON: f'<svg {_XML} viewBox="-14 -14 28 28">{_path(glyphs.ARMY.path, _RED)}</svg>\n',
    }


def _path(way: str, how: str) -> str:
    return f'<path d="{way}" {how}/>'


def _on_shared_paper(picture: Scene, base: str) -> str:
    """The document of a scene with the shared files in place of the outlines."""
    sheet, ground = paper(), ground_of()
    areas = tuple(area for area in picture.areas if area != ground.get(area.province))
    document = svg(replace(picture, areas=areas))
    for area in areas:
        document = document.replace(area.path, _coarse()[area.province])
    size = f'width="{sheet.width:g}" height="{sheet.height:g}"'
    document = re.sub(r"(<rect [^<>]*/>)", rf'\1<image href="{base}{GROUND}" {size}/>', document, count=1)
    sea, *others = sheet.lines.values()
    document = document.replace('<path d="' + sea, f'<image href="{base}{BORDERS}" {size}/><path d="')
    for way in others:
        document = document.replace(way, "")
    return document


@cache
def _coarse() -> Mapping[str, str]:
    """The outline of each province in whole steps."""
    sheet = standard_geography()
    return {code: "".join(f"{line(ring, 1)}z" for ring in sheet.rings(code)) for code in sheet.polygons}


@cache
def _empty() -> Picture:
    """A scene with nothing on it."""
    return Scene(0, 0, (), Drawing(), (), (), (), (), (), Legend("", 0, ()), (), "")


# charts


MOST = 12
"""The most powers in a chart: those with the most centres at any time."""

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 720.0, 40.0, 150.0, 16.0, 34.0
_LABEL = 19.0
"""The height of a name beside the end of its line."""


@dataclass(frozen=True, slots=True)
class Line:
    """The centres of a power: an SVG path, and its name beside the end of it; `end` is where the path ends.

    Lines lie side by side where they are equal, and nowhere else.
    """

    power: Power
    livery: Livery
    path: str
    end: tuple[float, float]
    label: tuple[float, float]
    last: int


@dataclass(frozen=True, slots=True)
class Chart:
    """The lines, and the numbers along the edges as (place, text). `summary` says in words what the chart shows."""

    width: float
    height: float
    lines: tuple[Line, ...]
    years: tuple[tuple[float, str], ...]
    levels: tuple[tuple[float, str], ...]
    summary: str
    left: float = _LEFT
    right: float = _WIDTH - _RIGHT

    @property
    def named(self) -> tuple[tuple[Power, Livery, int], ...]:
        """What is written beside the lines, for a list of the powers."""
        return tuple((line.power, line.livery, line.last) for line in self.lines)


_BESIDE = 2.0
"""How far equal lines are from each other."""


def chart_of(history: Years, colours: Mapping[Power, Livery]) -> Chart:
    """The chart of at least two years, of the powers with these colours."""
    best = {power: max(counts.get(power, 0) for _, counts in history) for power in colours}
    shown = [power for power in colours if power in sorted(colours, key=lambda one: -best[one])[:MOST]]
    height = max(300.0, _LABEL * len(shown) + _TOP + _BOTTOM)
    most = max(3, *(best[power] for power in shown)) if shown else 3

    def across(number: int) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * number / (len(history) - 1), 1)

    def down(centers: int, beside: float = 0) -> float:
        return round(height - _BOTTOM - (height - _BOTTOM - _TOP) * centers / most + beside, 1)

    last = history[-1][1]
    labels = _apart({power: down(last.get(power, 0)) for power in shown}, height - _BOTTOM + 5)
    beside = [_beside({power: counts.get(power, 0) for power in shown}) for _, counts in history]

    def drawn(power: Power) -> Line:
        ends = [(across(n), down(counts.get(power, 0), beside[n][power])) for n, (_, counts) in enumerate(history)]
        path = "M" + "L".join(f"{x} {y}" for x, y in ends)
        label = (_WIDTH - _RIGHT + 14, labels[power])
        return Line(power, colours[power], path, ends[-1], label, last.get(power, 0))

    lines = tuple(map(drawn, shown))
    every = -(-len(history) // 8)
    step = -(-most // 6)
    ranked = sorted(shown, key=lambda power: -last.get(power, 0))
    totals = ", ".join(f"{power} {last.get(power, 0)}" for power in ranked)
    return Chart(
        width=_WIDTH,
        height=height,
        lines=lines,
        years=tuple((across(n), str(history[n][0])) for n in range(len(history) - 1, -1, -every)),
        levels=tuple((down(level), str(level)) for level in range(0, most + 1, step)),
        summary=f"Supply centres from {history[0][0]} to {history[-1][0]}. At the end: {totals}.",
    )


def _beside(centers: Mapping[Power, int]) -> dict[Power, float]:
    """How far below its value each power's line is, in one year: not at all, except of those with equally many centres.
    Those with none are at the axis and above it.
    """
    equal = {count: [power for power in centers if centers[power] == count] for count in centers.values()}
    middle = {count: (len(powers) - 1) / (2 if count else 1) for count, powers in equal.items()}
    places = ((count, place, power) for count, powers in equal.items() for place, power in enumerate(powers))
    return {power: _BESIDE * (place - middle[count]) for count, place, power in places}


def _apart(wanted: dict[Power, float], lowest: float) -> dict[Power, float]:
    """Places for the names near those wanted, so that no two overlap and all are above the lowest place."""
    found: dict[Power, float] = {}
    above = -_LABEL
    for power, at in sorted(wanted.items(), key=lambda one: one[1]):
        found[power] = above = max(at, above + _LABEL)
    below = lowest
    for power in reversed(found):
        found[power] = below = min(found[power], below)
        below -= _LABEL
    return {power: round(at, 1) for power, at in found.items()}
