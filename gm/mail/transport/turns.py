"""How many connections a mail server takes from us at once: learned from what it refuses."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LEARNED_SECONDS = 600.0
"""For how long a cap is kept to; then more connections are tried again."""

_ANY = 1_000_000


class Turns:
    """Gives turns to the threads that send, as many at once as the server takes connections."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = 0
        self._most = _ANY
        self._until = 0.0

    @contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        """Wait for a turn, at most so long; who got none in that time goes ahead, and may be refused."""
        with self._changed:
            self._changed.wait_for(lambda: self._taken < self._now(), seconds)
            self._taken += 1
        try:
            yield
        finally:
            with self._changed:
                self._taken -= 1
                self._changed.notify()

    def one_too_many(self) -> int:
        """Note that the server refused the connection of one of the turns. Returns how many it takes at once; 0 if no
        other turn has one, so that this is no cap.
        """
        with self._changed:
            if self._taken <= 1:
                return 0
            self._most = min(self._now(), self._taken - 1)
            self._until = time.monotonic() + LEARNED_SECONDS
            return self._most

    def _now(self) -> int:
        return self._most if time.monotonic() < self._until else _ANY
