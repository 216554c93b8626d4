"""What the tests of the transports share: an inbox in a real database, and the servers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from gm.errors import Temporary
from gm.mail.transport import Accept
from gm.mail.transport.listener import Listener
from gm.settings import ImapSettings, ListenSettings
from gm.store import inbox
from gm.store.database import Database
from gm.store.inbox import InboxRow
from gm.store.rows import Base
from tests.mail.transport.dovecot import Dovecot
from tests.mail.transport.polling import Poll, Polling
from tests.timing import HANGING


class Inbox:
    """The inbox table, with a note of the outcome of each mail that was delivered to it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._changed = threading.Condition()
        self.results: list[str] = []
        self.broken = False

    def accept(self, mail: inbox.ArrivedMail) -> None:
        if self.broken:
            raise Temporary("The disk is full: /dev/secret.")
        with self.database.transaction() as session:
            kept = inbox.accept(session, mail)
        with self._changed:
            self.results.append("stored" if kept else "duplicate")
            self._changed.notify_all()

    def mails(self) -> list[InboxRow]:
        with self.database.transaction() as session:
            return list(session.scalars(select(InboxRow).order_by(InboxRow.id)))

    def subjects(self) -> list[str]:
        return [mail.raw.partition(b"\n")[0].decode().strip().removeprefix("Subject: ") for mail in self.mails()]

    def wait_for(self, handed_over: int, seconds: float = HANGING) -> None:
        """Wait until this number of mails has been delivered."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.results) >= handed_over, seconds), self.results


def eventually(condition: Callable[[], bool], seconds: float = HANGING) -> bool:
    """Whether the condition comes true in that time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def mail_inbox(tmp_path: Path) -> Iterator[Inbox]:
    (tmp_path / "gm.sqlite3").touch()
    database = Database(f"sqlite:///{tmp_path / 'gm.sqlite3'}")
    Base.metadata.create_all(database.engine)
    yield Inbox(database)
    database.dispose()


def knows(address: str) -> bool:
    """The addresses of the server of these tests: gm, and gm with anything after a plus."""
    return address.partition("@")[0].partition("+")[0] in ("gm", "gä")


Listen = Callable[..., Listener]


@pytest.fixture
def listen(mail_inbox: Inbox) -> Iterator[Listen]:
    """Starts listeners on free ports; they are stopped at the end."""
    started: list[Listener] = []

    def start(protocol: str = "smtp", *, max_size: int = 100_000, **more: object) -> Listener:
        settings = ListenSettings(protocol=protocol, port=0, max_size=max_size)  # type: ignore[arg-type]
        listener = Listener(settings, mail_inbox.accept, knows, hostname="gm.example.org", **more)  # type: ignore[arg-type]
        listener.start()
        started.append(listener)
        return listener

    yield start
    for listener in started:
        listener.stop()


@pytest.fixture
def poll(mail_inbox: Inbox) -> Iterator[Poll]:
    """Starts pollers, each in a thread; they must stop at once at the end."""
    started: list[Polling] = []

    def start(settings: ImapSettings, accept: Accept = mail_inbox.accept, **more: object) -> Polling:
        started.append(Polling(settings, accept, **more))
        started[-1].__enter__()
        return started[-1]

    yield start
    for polling in started:
        polling.stop()


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as server:
        yield server
