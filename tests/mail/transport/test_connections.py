"""How many connections the sender opens, against a server that takes only so many."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gm.errors import WayOutFailed
from gm.mail.transport.smtp_out import Sender, Timeouts
from gm.settings import SendSettings
from tests.tables import rows
from tests.timing import HANGING

MAIL = b"Subject: report\r\n\r\nA PAR-BUR\r\n"
GM, ANN = "gm+bounce.1@example.org", "ann@example.com"


def settings(port: int) -> SendSettings:
    return SendSettings(Path("/nonexistent"), kind="smtp", port=port)


class Capped:
    """A server that takes `most` connections at once, and says `words` to this command of the others, or at once."""

    def __init__(self, most: int, command: str = "", words: str = "421 4.7.0 Too many connections") -> None:
        self._command, self._words = command.encode(), f"{words}\r\n".encode()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._places = threading.Semaphore(most)
        self.taken: list[bytes] = []
        self.turned_away = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rwb", buffering=0) as said:
            if not self._places.acquire(blocking=False):
                self.turned_away += 1
                if self._command:
                    said.write(b"220 capped\r\n")
                while self._command and not said.readline().lower().startswith(self._command):
                    said.write(b"250 OK\r\n")
                said.write(self._words)
                return
            try:
                said.write(b"220 capped\r\n")
                self._talk(said)
            finally:
                self._places.release()

    def _talk(self, said: Any) -> None:
        while (line := said.readline()) and not line.startswith(b"QUIT"):
            if line.startswith(b"data"):
                said.write(b"354 go on\r\n")
                while said.readline() != b".\r\n":
                    pass
                time.sleep(0.02)
                self.taken.append(line)
            said.write(b"250 OK\r\n")

    def close(self) -> None:
        self._listening.close()


CAPS = rows("""
    1 |      | 421 4.7.0 Too many connections
    3 |      | 421 4.7.0 Too many connections
    3 |      | 421 4.3.2 All server ports are busy
    3 |      | 450 come back
    2 | ehlo | 421 4.3.2 Connection limit exceeded
    2 | mail | 421 4.7.28 mail.example.org closes the connection
""")
"""How many it takes, where it says so to others, and how."""


@pytest.mark.parametrize(("most", "command", "words"), CAPS)
def test_a_cap_on_connections_is_learned(most: str, command: str, words: str, caplog: pytest.LogCaptureFixture) -> None:
    server = Capped(int(most), command, words)
    sender = Sender(settings(server.port), timeouts=Timeouts(HANGING))
    with ThreadPoolExecutor(8) as threads:
        for _ in range(3):
            list(threads.map(lambda number: sender.deliver(MAIL, GM, f"player{number}@example.com"), range(24)))
    assert len(server.taken) == 72
    assert server.turned_away <= 8
    told = [record.getMessage() for record in caplog.records if "connections at once" in record.getMessage()]
    assert len(told) == server.turned_away
    assert words.split()[-1] in told[-1]
    sender.close()
    server.close()


@pytest.mark.parametrize("command", ["", "ehlo", "mail"])
def test_a_server_that_takes_no_connection_has_no_cap_and_is_asked_once_for_all(command: str) -> None:
    server = Capped(0, command)
    sender = Sender(settings(server.port), timeouts=Timeouts(HANGING))
    with pytest.raises(WayOutFailed, match="421"):
        sender.deliver(MAIL, GM, ANN)
    with pytest.raises(WayOutFailed, match="has just deferred all mail"):
        sender.deliver(MAIL, GM, "ben@example.com")
    assert server.turned_away == 1
    server.close()
