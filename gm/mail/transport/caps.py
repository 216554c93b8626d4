"""What a mail server takes from us at most, learned from what it refuses and takes instead: connections at once, and
mails a connection (which is also its cap on recipients, since a mail of ours has one).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gm.errors import log_failure
from gm.store.mail_servers import Cap, Kind

log = logging.getLogger(__name__)

LEARNED_SECONDS = 600.0
"""For how long a cap is kept to; then more is tried again."""

_ANY = 1_000_000


@dataclass(slots=True)
class _Learned:
    """A cap until a time.monotonic(); `shown` once a mail was taken while it was kept to."""

    most: int
    words: str
    until: float
    shown: bool = False


class Caps:
    """The caps of `server`. Gives turns to the threads that send, as many at once as it takes connections. Each cap is
    passed to `note` when it is shown, and when it is lifted.
    """

    def __init__(self, server: str, note: Callable[[Cap], None] = lambda _: None) -> None:
        self._server = server
        self._note = note
        self._changed = threading.Condition()
        self._taken = 0
        self._learned: dict[Kind, _Learned] = {}

    @contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        """Wait for a turn, at most so long; who got none in that time goes ahead, and may be refused."""
        self._lift_old()
        with self._changed:
            self._changed.wait_for(lambda: self._taken < self.most(Kind.CONNECTIONS), seconds)
            self._taken += 1
        try:
            yield
        finally:
            with self._changed:
                self._taken -= 1
                self._changed.notify()

    def most(self, kind: Kind) -> int:
        """How many it takes, as far as is known."""
        cap = self._learned.get(kind)
        return cap.most if cap is not None and time.monotonic() < cap.until else _ANY

    def one_connection_too_many(self, words: str) -> bool:
        """Note that the server refused the connection of one of the turns. Returns whether another turn has one; else
        this is no cap, and it takes nothing now.
        """
        with self._changed:
            others = self._taken - 1
            if others:
                self._learn(Kind.CONNECTIONS, others, words)
        if not others:
            self._lift(Kind.CONNECTIONS)
        return others > 0

    def one_mail_too_many(self, taken: int, words: str) -> None:
        """Note that the server refused a mail by a connection that had brought so many, and not by a fresh one."""
        with self._changed:
            self._learn(Kind.MAILS, taken, words)

    def took(self) -> None:
        """Note that the server took a mail: what is refused to others meanwhile is too much, and not all."""
        with self._changed:
            new = [(kind, cap) for kind, cap in self._learned.items() if not cap.shown]
            for _, cap in new:
                cap.shown = True
        for kind, cap in new:
            log.warning("%s takes %d %s, for now: %s", self._server, cap.most, kind.words, cap.words)
            self._tell(Cap(self._server, kind, cap.most, cap.words, LEARNED_SECONDS))

    def _learn(self, kind: Kind, most: int, words: str) -> None:
        self._learned[kind] = _Learned(min(self.most(kind), most), words, time.monotonic() + LEARNED_SECONDS)

    def _lift_old(self) -> None:
        for kind, cap in tuple(self._learned.items()):
            if time.monotonic() >= cap.until:
                self._lift(kind)

    def _lift(self, kind: Kind) -> None:
        with self._changed:
            cap = self._learned.pop(kind, None)
            self._changed.notify_all()
        if cap is not None and cap.shown:
            log.warning("%s: the cap of %d %s is lifted", self._server, cap.most, kind.words)
            self._tell(Cap(self._server, kind))

    def _tell(self, cap: Cap) -> None:
        """A mail that was taken must not seem to have failed because this does."""
        try:
            self._note(cap)
        except Exception as error:
            log_failure(log, error, "what the mail server takes at most could not be noted")
