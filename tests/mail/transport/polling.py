"""A poller at work: its steps run in a thread, as `gm serve` runs them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from gm.machine.steps import Scheduler
from gm.mail.transport import Accept, utc_now
from gm.mail.transport.imap import ImapPoller
from gm.settings import ImapSettings
from tests.timing import HANGING


def mail(subject: str, body: str = "A PAR-BUR\r\n") -> bytes:
    """A mail that brings orders."""
    return f"Subject: {subject}\r\nMessage-ID: <{subject}@example.org>\r\n\r\n{body}".encode()


class Polling:
    """Polls while it is entered; it must end at once."""

    def __init__(self, settings: ImapSettings, accept: Accept, **more: Any) -> None:
        self._stop = threading.Event()
        self.poller = ImapPoller(settings, accept, self._stop, **more)
        self._scheduler = Scheduler(utc_now)
        self._worker = self._scheduler.add("imap", self.poller, watch=self.poller.watch)

    def __enter__(self) -> ImapPoller:
        self._scheduler.start()
        return self.poller

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End; may be called twice."""
        self._stop.set()
        ending = threading.Thread(target=self._scheduler.stop)
        ending.start()
        ending.join(HANGING)
        assert not self._worker.is_alive()
        self.poller.close()


Poll = Callable[..., Polling]
