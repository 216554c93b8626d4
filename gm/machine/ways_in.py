"""Ways in, by which mail comes to the servers, and until when they are drained.

Each way in (the mailbox, the listener) says until when all mail received is in the inbox. Every server stores this for
its own ways, so that any of them may process a deadline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy.orm import Session

from gm.server import Server
from gm.store import ways
from gm.store.database import leaves_no_work
from gm.store.rows import EPOCH

RENEWED = timedelta(seconds=30)
"""How often each server stores until when its ways are drained."""


class WayIn(Protocol):
    """A transport by which mail comes in."""

    @property
    def name(self) -> str:
        """Its unique name."""

    @property
    def shared(self) -> bool:
        """Whether several servers may take mail from the same place."""

    def begin(self, drained: datetime | None, now: datetime) -> None:
        """Called when it opens, or continues after a gap. `drained`: until when it was drained before, None if it was
        never open.
        """

    def drained(self, now: datetime) -> datetime | None:
        """Until when all mail received on this way is in the inbox; None if that is not known yet."""


class WaysIn:
    """The ways in of this server, as a step that renews their rows; `look` makes them check for mail at once."""

    def __init__(self, server: Server, own: Sequence[WayIn] = (), look: Callable[[], object] = lambda: None) -> None:
        self._server = server
        self._own = [*own]
        self._names: list[str] = []
        self.begun: datetime | None = None
        """Since when this server has been looking for mail, without a gap."""
        self._renewed: datetime | None = None
        self._drained = EPOCH
        self.last = ""
        """The way that was least drained when they were last queried."""
        self.look = look

    def add(self, way: WayIn) -> None:
        """One more way, which is opened by the next step."""
        self._own.append(way)

    def step(self, now: datetime) -> datetime | None:
        """Renew the rows from time to time."""
        if not self._own:
            return None
        late = self._renewed is None or not self._renewed <= now < self._renewed + RENEWED
        if late or len(self._names) < len(self._own):
            self._drained = self._found_out(now)
        return (self._renewed or now) + RENEWED

    def drained(self, now: datetime, due: datetime) -> datetime:
        """Until when all ways of all servers are drained, at most `now`; queried for a deadline at `due`."""
        if not due <= self._drained <= now:  # it is later than now if the clock was put back
            self._drained = self._found_out(now, due)
        return self._drained

    def _found_out(self, now: datetime, due: datetime | None = None) -> datetime:
        if self.begun is None or self._renewed is None or abs(now - self._renewed) > ways.WAY_LEASE:
            self.begun = now  # the first call, or this process was suspended, or the clock was put back
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
            elsewhere = ways.renew_ways(session, zip(self._names, drained, strict=True), now)
            least = self._least(session, now)
            if due is None or least < due:  # otherwise others may have waited for that
                leaves_no_work(session)
            if any(name in elsewhere for way, name in zip(self._own, self._names, strict=True) if not way.shared):
                self._names = []  # another server took this one for dead, so that it begins again
            return least

    def _least(self, session: Session, now: datetime) -> datetime:
        least = ways.least_drained(session, now)
        self.last = least.name if least is not None else ""
        return min(least.drained_until, now) if least is not None else now

    def given_up(self, now: datetime) -> datetime | None:
        """Deadlines up to this time do not wait any longer: this server has tried for the whole bound."""
        return now - ways.BOUND if self.begun is not None and now - self.begun >= ways.BOUND else None
