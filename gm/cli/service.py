"""What a server works with, made from its settings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from gm.games.identity import ServerIdentity
from gm.server import Server, utc_now
from gm.server.condition import stamp
from gm.settings import Settings
from gm.store.database import Database
from gm.store.outbox import Pace


def service_of(settings: Settings, now: Callable[[], datetime] = utc_now) -> Server:
    """What the steps of a server with these settings work with."""
    identity = ServerIdentity(
        settings.server, settings.key, settings.trust, settings.order_page, settings.one_click, settings.among_friends
    )
    pace = Pace(settings.send.per_domain, settings.send.per_hour, settings.send.per_day)
    files = {file: stamp(file) for file in settings.secret_files[:2]}
    return Server(Database(settings.database.url), identity, now, pace=pace, home=settings.home, files=files)
