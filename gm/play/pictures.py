"""Files of mails: the map of a view, within their HTML or attached; and the whole text that a mail has an excerpt of.

When a map cannot be drawn the failure is logged, and the mail is sent without it.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from gm.board import Power
from gm.games.snapshot import Game, Person
from gm.mail.message.compose import Attachment
from gm.maps.names import names
from gm.maps.picture import Cut, Figure, figure, png, size_of, svg
from gm.maps.scene import Scene, drawable, theatre
from gm.reports.game_mails import Map
from gm.reports.render import SharedPart, whole_text
from gm.views import View

log = logging.getLogger(__name__)

_WIDEST = 640  # pixels at which a map is shown: the text's width in our mails


@dataclass(frozen=True)
class InlineMap:
    """The map of a view within the HTML of mails, drawn when it is first needed. `host` is the server's; `kind`:
    which map, one of `KINDS`; `power`: whose theatre, a part of the map `whole`.
    """

    view: View
    host: str
    dark: bool = False
    kind: str = "map"
    power: Power | None = None
    whole: InlineMap | None = None

    @cached_property
    def figure(self) -> Figure | Cut | None:
        """The map; None when there is none."""
        return _figure(self)

    @cached_property
    def within(self) -> tuple[Map | None, tuple[Attachment, ...]]:
        """The map's place in the HTML, and the picture; neither when there is no map.

        The picture's id is made from its content, so that it reveals no more than the picture.
        """
        drawn = self.figure
        if drawn is None:
            return None, ()
        picture = drawn.dark if self.dark else drawn.png
        cid = f"{self.kind}.{hashlib.sha256(picture).hexdigest()[:24]}@{self.host}"
        inline = Attachment(f"{self.kind}.png", "image/png", picture, content_id=f"<{cid}>")
        light = drawn.light and not self.dark
        width = min(_WIDEST, size_of(picture)[0])
        return Map(cid=cid, alt=f"Map of the board. {drawn.title}.", light=light, width=width), (inline,)


@dataclass(frozen=True)
class WholeText:
    """The text of all that a mail has an excerpt of, as a file; written when the first mail wants it."""

    part: SharedPart
    name: str

    @cached_property
    def file(self) -> Attachment:
        """The file that comes along."""
        return Attachment(self.name, "text/plain", whole_text(self.part).encode(), (("charset", "utf-8"),))


def inline_map(view: View, person: Person | None, host: str, kind: str = "map") -> InlineMap:
    """A map of a view for this person's mails: one of `KINDS`."""
    return InlineMap(view.pictured, host, reads_dark(person), kind)


def _theatre(asked: InlineMap) -> Cut | None:
    whole, power = asked.whole.figure if asked.whole is not None else None, asked.power
    if power is None or not isinstance(whole, Figure) or not isinstance(whole.picture, Scene):
        return None
    found = theatre(asked.view, power, whole.picture)
    return Cut(found) if found is not None else None


KINDS: Mapping[str, Callable[[InlineMap], Figure | Cut | None]] = {
    "map": lambda asked: figure(asked.view),
    "names": lambda asked: Figure(names(asked.view)) if drawable(asked.view) else None,
    "theatre": _theatre,
}
"""The maps in mails: the whole board; with the full names of places instead of units; where a power's units are, at
twice the scale. Each is None where the board, or the position, has none.
"""


def reads_dark(person: Person | None) -> bool:
    """Whether this person wants dark maps."""
    return person is not None and person.maps == "dark"


def wants_map(person: Person | None) -> bool:
    """Whether this person wants maps in their mails."""
    return person is not None and person.html and person.maps != "none"


def map_files(game: Game, phase: str, view: View, *, dark: bool = False) -> tuple[Attachment, ...]:
    """The map of a view as SVG, which can be enlarged, and as PNG, light or dark; none if the board has no map."""
    drawn = InlineMap(view, "").figure
    if not isinstance(drawn, Figure):
        return ()
    name = f"{game.name}-{phase}"
    return (
        Attachment(f"{name}.svg", "image/svg+xml", drawn.svg(dark=dark).encode()),
        Attachment(f"{name}.png", "image/png", drawn.dark if dark else drawn.png),
    )


def files_of_names(view: View, *, dark: bool = False) -> tuple[Attachment, ...]:
    """The map with the full names of a view's board, to be enlarged, light or dark; none if the board has no map."""
    try:
        drawn = svg(names(view), NAMES_WIDE, dark=dark)
    except ValueError:
        return ()
    return (
        Attachment("names.svg", "image/svg+xml", drawn.encode()),
        Attachment("names.png", "image/png", png(drawn)),
    )


NAMES_WIDE = 1600
"""The width of the map of names, in pixels."""


def _figure(asked: InlineMap) -> Figure | Cut | None:
    try:
        return KINDS[asked.kind](asked)
    except Exception:
        log.exception("a map of %s cannot be drawn", asked.view.position.phase.code)
        return None
