"""What a supervisor such as systemd is told of a running server: that it is ready, that its threads work and that it
stops.

The protocol is a datagram at a time to a socket that the environment names (sd_notify(3)); the packages that wrap it
for Python have not been maintained for years, and those of systemd itself need a compiler and its headers.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping, Sequence

log = logging.getLogger(__name__)

_MICROSECONDS = 1_000_000
_PATIENT_SECONDS = 1.0
"""How long a supervisor that does not listen is waited for: the system keeps ten lines or so for it."""


class Supervisor:
    """The supervisor that started this process; without one nothing is told to anybody."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._place = environment.get("NOTIFY_SOCKET", "")
        watched = environment.get("WATCHDOG_USEC", "")
        ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.interval = int(watched) / _MICROSECONDS / 2 if ours and watched.isdigit() and int(watched) else None
        """Every so many seconds it wants to hear that we work, twice as often as it must; None: never."""
        self._hung: Sequence[str] = ()

    def tell(self, words: str) -> None:
        """Send a line such as READY=1. Whoever does not listen misses it: mail matters more."""
        if not self._place:
            return
        # An address that begins with @ is in the abstract name space.
        address = "\0" + self._place[1:] if self._place.startswith("@") else self._place
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as there:
                there.settimeout(_PATIENT_SECONDS)
                there.connect(address)
                there.send(words.encode())
        except OSError as error:
            log.warning("the supervisor cannot be told %s: %s", words, error)

    def watch(self, hanging: Callable[[], Sequence[str]]) -> None:
        """Say that the server works, unless threads of it hang: then it will be killed and started again."""
        hung = hanging()
        if not hung:
            self.tell("WATCHDOG=1")
        elif hung != self._hung:
            log.error("%s: hanging, so the supervisor is told nothing more", ", ".join(hung))
            self.tell(f"STATUS=hanging: {', '.join(hung)}")
        self._hung = hung
