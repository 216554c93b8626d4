"""The page on which orders are tapped together, `order.html`: one file that stands alone and loads nothing.

It holds the board and its rules, which are the same for everybody; what a seat can order comes with the link in a
report (`gm.games.order_page`).
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from markupsafe import Markup

from gm import folder
from gm.board import Location, Province, Terrain, UnitKind, standard_board
from gm.board.geography import Point, standard_geography
from gm.games.order_page import COLOURS, EDITION
from gm.maps import glyphs
from gm.maps.layout import paper
from gm.maps.picture import DARK, LIGHT, Scheme
from gm.maps.scene import ground_of
from gm.reports.render import environment
from gm.store.rows import canonical_json
from gm.variants.game_file import packaged, packaged_names
from gm.views import Emblem

SCRIPTS = ("order_rules.js", "order.js")


@cache
def order_page() -> str:
    """The page as HTML."""
    texts, sheet, board = folder("templates") / "gallery", standard_geography(), standard_board()
    fills = {code: area.fill for code, area in ground_of().items()}
    kinds = {glyphs.LAND: "dry", glyphs.NOT_PLAYED: "idle"}
    script = "\n".join((texts / name).read_text(encoding="utf-8") for name in SCRIPTS)
    style = _schemes() + (texts / "order.css").read_text(encoding="utf-8")
    known = {
        "sheet": sheet,
        "areas": [(code, path) for code, path in paper().shapes.items()],
        "grounds": {code: kinds.get(fills.get(code, glyphs.SEA), "wet") for code in sheet.polygons},
        "lines": tuple(paper().lines.items()),
        "spots": sheet.spots,
        "labels": [
            glyphs.Label(code.capitalize(), spots.label, _tone(code))
            for code, spots in sheet.spots.items()
            if code in board.provinces
        ],
        "name": glyphs.NAME,
        "signs": [_drawing(emblem.sign) for emblem in _emblems()],
        "board": Markup(canonical_json(_board())),  # noqa: S704 (our own names)
        "script": Markup(script),  # noqa: S704 (our own)
        "style": Markup(style),  # noqa: S704 (our own)
        "hashes": {"script": _hash(script), "style": _hash(style)},
    }
    return environment().get_template("gallery/order.html.j2").render(known)


def _schemes() -> str:
    """The colours of maps, light and dark, as variables of the page's style."""
    return f":root {{ {_colours(LIGHT)} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {_colours(DARK)} }} }}\n"


def _colours(scheme: Scheme) -> str:
    known = {
        "sea": scheme.sea,
        "land": scheme.land,
        "idle": scheme.not_played,
        "paper": scheme.paper,
        "ink": scheme.ink,
        "sea-ink": scheme.sea_ink,
        "alarm": scheme.alarm,
        "whitened": f"{scheme.whitened:.0%}",
        **{f"border-{kind}": colour for kind, colour in scheme.borders.items()},
    }
    return " ".join(f"--map-{name}: {value};" for name, value in known.items())


@cache
def _known() -> tuple[Emblem, ...]:
    """The marks of all games, and what they paint."""
    return tuple(emblem for name in packaged_names() for emblem in packaged(name).signs.values())


@cache
def _emblems() -> tuple[Emblem, ...]:
    """The marks that have a sign."""
    return tuple(emblem for emblem in _known() if emblem.sign)


def _drawing(sign: str) -> Markup:
    """A sign whose colours are those of the power that the script gives it."""
    known = {name: f"var(--{name})" for name in ("strong", "edge", "letters", "ink")}
    return Markup(sign.format(**known, tag="", year=""))  # noqa: S704 (our own)


def _tone(code: str) -> str:
    return "sea" if standard_board().terrain(Province(code)) is Terrain.SEA else "land"


def _board() -> dict[str, object]:
    sheet, board = standard_geography(), standard_board()
    spots = {
        code: {
            "u": spots.unit,
            "c": {at: _pair(spot) for at, spot in spots.coasts.items()},
            "d": {at: _pair(spot) for at, spot in spots.dislodged.items()},
            "s": spots.center if code in board.centers else None,
            "m": spots.mark,
        }
        for code, spots in sheet.spots.items()
    }
    coasts = [coast for province in board.provinces for coast in board.coasts(province)]
    places = dict.fromkeys((*map(Location, board.provinces), *coasts))
    steps = {
        str(kind): {at: to for at in places if (to := tuple(board.neighbours(kind, at)))}
        for kind in (UnitKind.ARMY, UnitKind.FLEET)
    }
    return {
        "edition": EDITION,
        "width": sheet.width,
        "height": sheet.height,
        "names": {code: board.full_name(Location(code)) for code in sheet.spots if code in board.provinces},
        "spots": spots,
        "steps": steps,
        "seas": [at for at in places if board.can_convoy(at)],
        "colours": glyphs.palette(COLOURS),
        "signs": {emblem.meaning: number for number, emblem in enumerate(_emblems())},
        "paints": {one.meaning: one.ground.paint for one in _known() if one.ground.paint.startswith("#")},
        "army": glyphs.ARMY.path,
        "fleet": glyphs.FLEET.path,
    }


def _pair(point: Point) -> tuple[float, float]:
    return point.x, point.y


def _hash(text: str) -> str:
    """The hash by which a page's policy allows an inline script or style (CSP 3, 6.7.2)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
