"""The pages of the gallery: their contexts, which read what everybody may know, and their rendering.

A page is a pure function of its context, so that a file is written only if what everybody may know has changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from importlib import resources
from itertools import groupby
from typing import ClassVar

from markupsafe import Markup

from gm import __version__, folder
from gm.board import Power
from gm.gallery import drawings
from gm.gallery.drawings import Chart, Drawn, chart_of
from gm.gallery.order_page import order_page
from gm.gallery.public import Letter, PlayedPhase, PublicGame, in_order
from gm.judge.outcomes import Outcome
from gm.mail.message.addresses import mailto
from gm.maps.glyphs import Livery
from gm.maps.legend import SIGNS_IN_WORDS
from gm.maps.scene import liveries_of
from gm.orders import Order, power_of
from gm.reports.bulletins import Bulletin
from gm.reports.explain import sentence
from gm.reports.render import environment, stamp
from gm.reports.results import ResultLine, named, result_lines, unit_lines, years
from gm.reports.standing_orders import Longhand
from gm.store.rows import canonical_json
from gm.views import View

PICTURE = "map.png"
"""The picture of a game's last map, which its page leads to and the page of all games shows."""
FEED_ENTRIES = 20
"""The most entries in a feed, newest first."""


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """The name of the server, and the address to which one writes."""

    name: str
    address: str

    @property
    def host(self) -> str:
        """The domain of the address."""
        return self.address.rpartition("@")[2]

    @property
    def help(self) -> str:
        """A link that opens a mail that asks for help."""
        return mailto(self.address, "HELP", "HELP\n")


class Page:
    """A page; its template reads it as `page`. `base` is the way from the page to the top of the site."""

    template: ClassVar[str]
    base: ClassVar[str] = "../../"

    def render(self) -> str:
        """The whole document."""
        template = environment().get_template(f"gallery/{self.template}.j2")
        return template.render(page=self).strip() + "\n"


# A turn


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order in a page: its anchor, its full words, and the reason of its result, which can be "".

    `explained` says all of it in one sentence or two, for the map.
    """

    anchor: str
    result: ResultLine
    explained: str

    @property
    def words(self) -> str:
        """The order, with an arrow as on the map."""
        return self.result.order.replace(" -> ", " → ")


@dataclass(frozen=True)
class TurnTold:
    """A turn and the position after it, in words and as a map. Of very many powers it tells of those with most
    activity.
    """

    whole: View
    game: PublicGame
    base: str
    page: str = ""
    """The page that has the orders, if that is another one."""

    @cached_property
    def view(self) -> View:
        """The part of the view that is told."""
        return self.whole.narrowed

    @cached_property
    def bulletin(self) -> Bulletin | None:
        """The report for everybody; None before the first turn."""
        return Bulletin(self.game.facts, self.view.common) if self.view.turn is not None else None

    @property
    def excerpt(self) -> str:
        """Which powers are told of, if not all."""
        if self.view is self.whole:
            return ""
        return f"This page tells of {len(self.view.powers)} of {len(self.whole.powers):,} powers, where most goes on."

    @cached_property
    def _lines(self) -> tuple[tuple[Outcome, OrderLine], ...]:
        turn = self.view.turn
        if turn is None:
            return ()
        words = Longhand(self.view.board, self.game.facts.adjectives, turn.before.phase.kind)
        return tuple(
            (outcome, OrderLine(f"o{number}", line, self._explained(outcome, line)))
            for number, (outcome, line) in enumerate(result_lines(self.view, turn, words), 1)
        )

    def _explained(self, outcome: Outcome, line: ResultLine) -> str:
        marked = f" ({line.mark})" if line.mark else ""
        reason = line.reason or sentence(outcome, self.view.board, self.view.words)
        return f"{power_of(outcome.order)}: {line.order}{marked}. {reason}".replace(" -> ", " → ")

    @property
    def powers(self) -> tuple[tuple[Power, Livery, int], ...]:
        """The powers that still have something, with their colours and their centres."""
        position = self.view.position
        colours = liveries_of(self.whole)
        owned = {power: len(position.centers_of(power)) for power in self.view.powers}
        return tuple((power, colours[power], owned[power]) for power in owned if position.holds(power))

    @property
    def signs(self) -> str:
        """What the signs on the map mean, where the screen is too narrow for its legend."""
        return SIGNS_IN_WORDS

    @cached_property
    def orders(self) -> tuple[tuple[Power, tuple[OrderLine, ...]], ...]:
        """The orders by power."""
        place = {power: number for number, power in enumerate(self.view.powers)}
        named = sorted(
            ((power_of(outcome.order) or Power(""), line) for outcome, line in self._lines),
            key=lambda one: place.get(one[0], len(place)),
        )
        return tuple((power, tuple(line for _, line in own)) for power, own in groupby(named, lambda one: one[0]))

    @property
    def happened(self) -> tuple[str, ...]:
        """A sentence for everything that happened beside the orders."""
        report = self.bulletin
        return (*report.dislodged, *report.changes, *report.events) if report is not None else ()

    @property
    def map(self) -> Markup:
        """The map, on which each order leads to its line."""
        return self._drawn.svg

    @property
    def caption(self) -> str:
        """What can be done with the map. Units beyond the sheet are not on it."""
        ordered = {outcome.order for outcome, _ in self._lines}
        if not self._drawn.shown:
            return "No order is on the map: they are below." if ordered else "The map of the board."
        rest = " Orders that are not on it are below." if ordered - self._drawn.shown else ""
        return f"Point at an order on the map, or tap it, to see what became of it.{rest}"

    @cached_property
    def _drawn(self) -> Drawn:
        links: dict[Order, tuple[str, str]] = {}
        for outcome, line in self._lines:
            links.setdefault(outcome.order, (f"{self.page}#{line.anchor}", line.explained))
        return drawings.drawn(self.whole, links, self.base)

    @cached_property
    def named(self) -> Mapping[Power, str]:
        """The powers' names, with their colours on the map."""
        return named(self.whole)

    @property
    def units(self) -> tuple[tuple[Power, str], ...]:
        """Each power's units."""
        return unit_lines(self.view)


@dataclass(frozen=True)
class _OfGame(Page):
    """A page about one game."""

    site: SiteFacts
    game: PublicGame


@dataclass(frozen=True)
class PhasePage(_OfGame):
    """A phase that was played. `before` and `after` are the codes of its neighbours, "" for none."""

    template: ClassVar[str] = "phase.html"

    phase: PlayedPhase
    before: PlayedPhase | None = None
    after: PlayedPhase | None = None

    @property
    def title(self) -> str:
        """`Fall 1901 movement`."""
        return self.phase.title

    @cached_property
    def turn(self) -> TurnTold:
        """The turn."""
        return TurnTold(self.phase.view, self.game, self.base)

    @property
    def letters(self) -> tuple[Letter, ...]:
        """Press to all in this phase."""
        return self.phase.letters

    @property
    def fingerprint(self) -> str:
        """A text that changes whenever the page does, made without making it and from nothing that is secret."""
        game, phase = self.game, self.phase
        letters, opened = list(map(list, phase.letters)), ["opened"] * game.opened
        known = [edition(), self.site.name, self.site.address, game.name, game.title, phase.row.number, stamp(phase.at)]
        beside = [other and other.code for other in (self.before, self.after)]
        return hashlib.sha256(canonical_json([*known, *beside, letters, *opened]).encode()).hexdigest()


# A game


@dataclass(frozen=True)
class GamePage(_OfGame):
    """A game: its state, the last map, standings, centres year by year, phases, terms; the seed when it is over."""

    template: ClassVar[str] = "game.html"

    @cached_property
    def turn(self) -> TurnTold | None:
        """The last turn, or the first position; None before the start."""
        page = f"{self.game.phases[-1].code}.html" if self.game.phases else ""
        return TurnTold(self.game.view, self.game, self.base, page) if self.game.view is not None else None

    @cached_property
    def chart(self) -> Chart | None:
        """The centres over the years; None as long as there is nothing to compare."""
        view = self.game.view
        if view is None or view.blank or len(self.game.years) < 2:
            return None
        return chart_of(self.game.years, liveries_of(view))

    @property
    def years(self) -> tuple[tuple[str, ...], ...]:
        """The same as a table: a head and a row for each power."""
        view = self.game.view
        return years(self.game.years, named(view)) if view is not None else ()

    @cached_property
    def named(self) -> Mapping[Power, str]:
        """The powers' names, with their colours on the map."""
        return named(self.game.view) if self.game.view is not None else {}

    @property
    def phases(self) -> tuple[tuple[str, tuple[PlayedPhase, ...]], ...]:
        """The phases played, by year, newest first."""
        by_year = groupby(self.game.phases, lambda phase: str(phase.row.position["year"]))
        return tuple((year, tuple(own)) for year, own in by_year)[::-1]


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a feed. `id` is the end of its id, `page` the page that it leads to."""

    id: str
    title: str
    at: datetime
    page: str
    text: str


def _entry(phase: PlayedPhase) -> Entry:
    title = f"{phase.title} ({phase.code})"
    return Entry(f"{phase.code}/{phase.row.number}", title, phase.at, f"{phase.code}.html", phase.text)


@dataclass(frozen=True)
class Feed(_OfGame):
    """The Atom feed of a game (RFC 4287); its ids are tag URIs (RFC 4151)."""

    template: ClassVar[str] = "feed.xml"

    @property
    def id(self) -> str:
        """The id of the feed, which those of its entries begin with."""
        return f"tag:{self.site.host},2026:{self.game.name}"

    @property
    def updated(self) -> datetime:
        """When the game ended, or the last phase was adjudicated; before that, when the first was opened."""
        if self.entries:
            return self.entries[0].at
        assert self.game.game.phase is not None
        return self.game.game.phase.opened_at

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """The newest phases, newest first, and before them the end of a game that ended between phases."""
        phases = [_entry(phase) for phase in self.game.phases[: -FEED_ENTRIES - 1 : -1]]
        return [*self._end, *phases][:FEED_ENTRIES]

    @property
    def _end(self) -> Sequence[Entry]:
        at = self.game.ended_at
        return [Entry(f"end/{stamp(at)}", "The game is over", at, "index.html", self.game.result)] if at else []


@dataclass(frozen=True)
class IndexPage(Page):
    """All games."""

    template: ClassVar[str] = "index.html"
    base: ClassVar[str] = ""

    site: SiteFacts
    games: tuple[PublicGame, ...]
    maps: Mapping[str, tuple[int, int]]
    """The sizes of the pictures of their last maps, in pixels, by their names; of those that have one."""
    picture: ClassVar[str] = PICTURE

    @property
    def groups(self) -> tuple[tuple[str, tuple[PublicGame, ...]], ...]:
        """The games that are forming, running and finished, with the headings."""
        headings = {"forming": "Games to join", "running": "Running games", "finished": "Finished games"}
        return tuple((heading, in_order(self.games, group)) for group, heading in headings.items())


# What all pages share


def shared_files() -> Mapping[str, bytes]:
    """The files beside the pages, by name: how they look and behave, what maps share, and the font of the maps."""
    texts = folder("templates") / "gallery"
    style = (texts / "gallery.css").read_text(encoding="utf-8")
    made = {
        "gallery.css": f"{style}\n.of-paper {{ {drawings.text_style()} }}\n{drawings.without_legend()}\n",
        "gallery.js": (texts / "gallery.js").read_text(encoding="utf-8"),
        "order.html": order_page(),
        **drawings.shared_files(),
    }
    fonts = resources.files("gm.maps") / "fonts"
    return {name: text.encode() for name, text in made.items()} | {
        file.name: file.read_bytes() for file in fonts.iterdir()
    }


def phase_list(phases: Sequence[PlayedPhase]) -> str:
    """The phases of a game, for the slider: codes and titles."""
    return f"window.phases={canonical_json([[phase.code, phase.title] for phase in phases])};\n"


@cache
def edition() -> str:
    """A text that changes with the program and its templates: pages made by another one are made again."""
    made = hashlib.sha256(__version__.encode())
    for path in sorted((folder("templates") / "gallery").iterdir()):
        made.update(path.read_bytes())
    return made.hexdigest()[:16]
