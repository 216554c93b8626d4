"""Keeping the gallery up to date: a step that publishes the games that have changed, and the whole of it at once."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from gm.errors import Temporary
from gm.gallery.pages import SiteFacts
from gm.gallery.public import PublicGame
from gm.gallery.site import Site, opened
from gm.server import Server
from gm.store import game_rows

log = logging.getLogger(__name__)

SOON = timedelta(minutes=1)
"""How long a change waits at most. What changes more often is published once."""

_ANEW = timedelta(days=1)
"""After this time every game is looked at again, because people are not part of a game's version."""


def site_facts(server: Server) -> SiteFacts:
    """What pages tell of the server."""
    return SiteFacts(server.identity.settings.name, server.identity.address)


def publish_game(server: Server, site: Site, game_id: int) -> None:
    """Publish one game, as it is now."""
    with server.reading() as tx:
        site.publish(PublicGame(tx.session, tx.game(game_id), server.identity.address))


def publish_index(server: Server, site: Site) -> None:
    """Publish the page of all games."""
    with server.reading() as tx:
        site.publish_index([PublicGame(tx.session, game, server.identity.address) for game in tx.games_in()])


def versions(server: Server) -> dict[int, int]:
    """The version of every game, by id."""
    with server.database.reading() as session:
        return game_rows.versions(session)


@dataclass
class Gallery:
    """Publishes each game that has changed, one at a time, and then the page of all games."""

    server: Server
    folder: Path
    _seen: dict[int, int] = field(default_factory=dict)
    _anew: datetime | None = None
    _stale: bool = True
    """Whether the page of all games is to be written."""

    def step(self, now: datetime) -> datetime | None:
        if self._anew is None or now >= self._anew:
            self._seen, self._anew = {}, now + _ANEW
        present = versions(self.server)
        changed = next((one for one, version in present.items() if self._seen.get(one) != version), None)
        if changed is None and not self._stale:
            return now + SOON
        try:
            with opened(self.folder, site_facts(self.server)) as site:
                self._publish(site, changed)
        except Temporary as error:  # an operator publishes
            log.info("%s", error)
            return now + SOON
        if changed is None:
            self._stale = False
            return now + SOON
        self._seen[changed], self._stale = present[changed], True
        return now

    def _publish(self, site: Site, game_id: int | None) -> None:
        """Publish a game, or the page of all games. An error with one game must not stop the others."""
        try:
            if game_id is None:
                publish_index(self.server, site)
            else:
                publish_game(self.server, site, game_id)
        except Temporary:
            raise
        except Exception:
            log.exception("the gallery cannot show game %s", game_id)
