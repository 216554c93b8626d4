"""Whether all mail that was received before a deadline has been acted on: what deadlines wait for.

Each way in (the mailbox, the listener) says until when it is drained: whatever was received by then lies in the inbox.
Every server notes this of its own ways, so that any of them may meet a deadline. The wait is bounded: a deadline before
which a way cannot be drained within `BOUND` is extended, and everybody told (`gm.server.deadlines.give_up`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy.orm import Session

from gm.server import Server
from gm.store import ways

log = logging.getLogger(__name__)

RENEWED = timedelta(seconds=30)
"""How often each server says until when its ways are drained."""

BOUND = timedelta(minutes=75)
"""How long a deadline waits at most. Postfix tries again after up to 4,000 s, and looks at its queue every 300 s."""


class WayIn(Protocol):
    """A transport by which mail comes in."""

    @property
    def name(self) -> str:
        """What tells it from all others."""

    @property
    def shared(self) -> bool:
        """Whether several servers may take mail from the same place."""

    def begin(self, drained: datetime | None, now: datetime) -> None:
        """It opens, or goes on after a gap. `drained`: until when it was drained before, None if it never was open."""

    def drained(self, now: datetime) -> datetime | None:
        """Until when all mail that was received on this way is in the inbox; None when that is not known yet."""


class WaysIn:
    """The ways in of this server, a step that renews their rows; `look` makes them look for mail at once."""

    def __init__(self, server: Server, own: Sequence[WayIn] = (), look: Callable[[], object] = lambda: None) -> None:
        self._server = server
        self._own = own
        self._names: list[str] = []
        self._begun: datetime | None = None
        self._renewed: datetime | None = None
        self._drained = ways.NEVER
        self.last = ""
        """The way that was drained least far when it was asked last."""
        self.look = look

    def step(self, now: datetime) -> datetime | None:
        """Renew the rows, now and then."""
        if not self._own:
            return None
        if self._renewed is None or now - self._renewed >= RENEWED:
            self._drained = self._found_out(now)
        return (self._renewed or now) + RENEWED

    def drained(self, now: datetime, due: datetime) -> datetime:
        """Until when all ways of all servers are drained, `now` at the latest; asked for something that is `due`."""
        if due > self._drained:
            self._drained = self._found_out(now)
        return self._drained

    def _found_out(self, now: datetime) -> datetime:
        if self._begun is None or self._renewed is None or now - self._renewed > ways.LEASE:
            self._begun = now  # the first time, or this process was asleep
            self._names = []
        self._renewed = now
        if not self._own:
            with self._server.database.reading() as session:
                return self._least(session, now)
        with self._server.database.transaction() as session:
            for way in self._own[len(self._names) :]:
                name, before = ways.open_way(session, way.name, now, shared=way.shared)
                way.begin(before, now)
                self._names.append(name)
            drained = [way.drained(now) for way in self._own]
            ways.renew(session, zip(self._names, drained, strict=True), now)
            return self._least(session, now)

    def _least(self, session: Session, now: datetime) -> datetime:
        least = ways.least_drained(session, now)
        self.last = least.name if least is not None else ""
        return min(least.drained_until, now) if least is not None else now

    def given_up(self, now: datetime) -> datetime | None:
        """What was due by then does not wait any longer: this server has tried for as long as there is any hope."""
        return now - BOUND if self._begun is not None and now - self._begun >= BOUND else None
