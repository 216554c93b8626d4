"""Maps in mails: the picture within a report, and the files that are sent on request.

When a picture cannot be drawn the failure is logged, and the mail goes without it.
"""

from __future__ import annotations

import hashlib
import logging

from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game, Person
from gm.mail.message.compose import Attachment
from gm.maps.picture import Figure, figure
from gm.reports.context import Map
from gm.views import View

log = logging.getLogger(__name__)


def map_within(
    identity: ServerIdentity, person: Person | None, view: View
) -> tuple[Map | None, tuple[Attachment, ...]]:
    """Where the map of a view stands in a mail's HTML, and the picture itself; neither for those who want none.

    The picture's identifier is made from its content, so that it tells no more than the picture.
    """
    if person is None or not person.html or person.maps == "none":
        return None, ()
    drawn = _figure(view)
    if drawn is None:
        return None, ()
    picture = drawn.png
    cid = f"map.{hashlib.sha256(picture).hexdigest()[:24]}@{identity.host}"
    inline = Attachment("map.png", "image/png", picture, content_id=f"<{cid}>")
    return Map(cid=cid, alt=f"Map of the board. {drawn.title}."), (inline,)


def map_files(game: Game, phase: str, view: View) -> tuple[Attachment, ...]:
    """The map of a view as SVG, to look at in any size, and as PNG; none where the board has no map."""
    drawn = _figure(view)
    if drawn is None:
        return ()
    name = f"{game.name}-{phase}"
    return (
        Attachment(f"{name}.svg", "image/svg+xml", drawn.svg.encode()),
        Attachment(f"{name}.png", "image/png", drawn.png),
    )


def _figure(view: View) -> Figure | None:
    try:
        return figure(view)
    except Exception:
        log.exception("a map of %s cannot be drawn", view.position.phase.code)
        return None
