"""A world with real mail: in through the listener by SMTP, out by SMTP to the players' own mail server."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gm.inbound.acceptance import accept
from gm.machine.delivery import Delivers
from gm.mail.transport.listener import Listener
from gm.mail.transport.smtp_out import Sender
from gm.settings import ListenSettings, SendSettings
from gm.store.inbox import ArrivedMail
from tests.server.world import World
from tests.timing import HANGING

_ANY_PORT = ListenSettings(protocol="smtp", host="127.0.0.1", port=0)


@dataclass
class SmtpWorld(World):
    """The clock is still set by the test; a mail's time of receipt is the clock's."""

    received: int = 0
    delivered: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.listener = Listener(_ANY_PORT, self._accept, lambda _: True, now=lambda: self.time)
        self.players = Listener(_ANY_PORT, self._take_home, lambda _: True, now=lambda: self.time)

    def _accept(self, mail: ArrivedMail) -> bool:
        self.received += 1
        return accept(self.service, mail)

    def _take_home(self, mail: ArrivedMail) -> bool:
        self.delivered += 1
        for recipient in mail.recipients:
            self.deliver(mail.raw, mail.envelope_from or "", recipient)
        return True

    def arrive(self, sender: str, to: str, text: str, **more: object) -> bool:
        raw = self.mail(sender, to, text, **more)  # type: ignore[arg-type]
        with smtplib.SMTP("127.0.0.1", self.listener.port, timeout=HANGING) as connection:
            connection.sendmail(sender, [to], raw)
        return True

    def work(self, sender: Delivers | None = None) -> datetime | None:
        return super().work(sender or self.sender)

    def open(self) -> None:
        """Listen on both sides."""
        self.listener.start()
        self.players.start()
        out = SendSettings(maildir=self.path / "mail", kind="smtp", host="127.0.0.1", port=self.players.port)
        self.sender = Sender(out, hostname="example.org")

    def close(self) -> None:
        """Close the connections."""
        self.sender.close()
        self.listener.stop()
        self.players.stop()
        self.database.dispose()


@contextmanager
def smtp_world(path: Path) -> Iterator[SmtpWorld]:
    """A world that is open while it is used."""
    world = SmtpWorld(path)
    world.open()
    try:
        yield world
    finally:
        world.close()
