"""How many connections the sender opens, against a server that takes only so many."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gm.errors import DeliveryDeferred, DeliveryRefused, WayOutFailed
from gm.mail.transport import caps
from gm.mail.transport.smtp_out import Sender, Timeouts
from gm.settings import SendSettings
from gm.store.mail_servers import Cap, Kind
from tests.mail.transport.mailserver import MailServer
from tests.tables import rows
from tests.timing import HANGING

MAIL = b"Subject: report\r\n\r\nA PAR-BUR\r\n"
GM, ANN = "gm+bounce.1@example.org", "ann@example.com"


def settings(port: int) -> SendSettings:
    return SendSettings(Path("/nonexistent"), kind="smtp", port=port)


class Capped:
    """A server that takes `most` connections at once, and says `words` to this command of the others, or at once; or
    that takes so many `mails` a connection, and says `words` to this command of the next ones.
    """

    def __init__(
        self, most: int, command: str = "", words: str = "421 4.7.0 Too many connections", *, mails: int = 0
    ) -> None:
        self._command, self._words = command.encode(), f"{words}\r\n".encode()
        self._mails = mails
        self.said: list[bytes] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.most, self._open, self._counted = most, 0, threading.Lock()
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
            with self._counted:
                found, self._open = self._open, self._open + 1
            if found >= self.most:
                self._open_less()
                self.turned_away += 1
                if self._command:
                    said.write(b"220 capped\r\n")
                while self._command and not said.readline().lower().startswith(self._command):
                    said.write(b"250 OK\r\n")
                said.write(self._words)
                return
            last = b""
            try:
                said.write(b"220 capped\r\n")
                last = self._talk(said)
            finally:
                self._open_less()
            said.write(last)  # who hears it finds one connection less

    def _open_less(self) -> None:
        with self._counted:
            self._open -= 1

    def _talk(self, said: Any) -> bytes:
        """Until the client has gone, or the last words to it."""
        taken = 0
        while (line := said.readline()) and not line.lower().startswith(b"quit"):
            self.said.append(line.lower())
            beyond = self._open > self.most or 0 < self._mails <= taken
            if beyond and line.lower().startswith(self._command):
                self.turned_away += 1
                if self._words.startswith(b"421"):
                    return self._words
                said.write(self._words)
                continue
            if line.startswith(b"data"):
                said.write(b"354 go on\r\n")
                while said.readline() != b".\r\n":
                    pass
                time.sleep(0.02)
                self.taken.append(line)
                taken += 1
            said.write(b"250 OK\r\n")
        return b""

    def close(self) -> None:
        self._listening.close()


CAPS = rows("""
    1 |      | 421 4.7.0 Too many connections
    3 |      | 421 4.7.0 Too many connections
    3 |      | 421 4.3.2 All server ports are busy
    3 |      | 450 come back
    2 | ehlo | 421 4.3.2 Connection limit exceeded
    2 | mail | 421 4.7.28 mail.example.org closes the connection
    2 | mail | 451 4.7.1 come back
    3 | mail | 452 4.3.2 too many connections
    2 | ehlo | 450 too many connections
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
    assert 1 <= len(told) <= server.turned_away
    assert words.split()[-1] in told[-1]
    assert not [one for one in told if "takes 0" in one]
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


@pytest.mark.parametrize(("reply", "asked"), [("400 later", 1), ("499 later", 1), ("500 no", 2), ("554 5.7.1 no", 2)])
def test_only_what_refuses_for_now_is_left_alone(reply: str, asked: int) -> None:
    server = Capped(0, words=reply)
    sender = Sender(settings(server.port), timeouts=Timeouts(HANGING))
    for _ in range(2):
        with pytest.raises(WayOutFailed):
            sender.deliver(MAIL, GM, ANN)
    assert server.turned_away == asked
    server.close()


def test_a_server_that_refuses_all_connections_at_once_has_no_cap(caplog: pytest.LogCaptureFixture) -> None:
    """Each that has begun is refused; who waits for a turn then does not ask."""
    server = Capped(0, "mail", "451 4.3.0 try again")
    sender = Sender(settings(server.port), timeouts=Timeouts(HANGING))

    def refused(number: int) -> str:
        with pytest.raises(WayOutFailed) as found:
            sender.deliver(MAIL, GM, f"player{number}@example.com")
        return str(found.value)

    with ThreadPoolExecutor(4) as threads:
        said = list(threads.map(refused, range(12)))
    assert server.turned_away <= 4
    assert sum("has just deferred all mail" in one for one in said) >= 8
    assert not [record for record in caplog.records if "at once" in record.getMessage()]
    server.close()


LIMITS = rows("""
    5 | mail | 451 4.7.1 too many messages in this session
    5 | mail | 452 4.3.2 try later
    1 | mail | 450 try later
    5 | rcpt | 452 4.5.3 too many recipients
    5 | rcpt | 450 4.7.1 try again
    5 | rcpt | 421 4.7.0 too many messages
    5 | mail | 421 4.7.0 too many messages in this connection
    5 | data | 452 4.3.1 no more
    5 | mail | 550 5.7.0 no more in this session
    5 | rcpt | 550 5.7.1 too many messages in this session
    5 | data | 554 5.7.0 too many messages in this session
""")
"""How many mails it takes by a connection, to which command of the next one it says so, and how."""


@pytest.mark.parametrize(("mails", "command", "words"), LIMITS)
def test_a_cap_on_mails_a_connection_is_learned_and_stops_nothing(
    mails: str, command: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    server, noted = Capped(2, command, words, mails=int(mails)), list[Cap]()
    sender = Sender(settings(server.port), timeouts=Timeouts(HANGING), note=noted.append)
    for number in range(30):
        sender.deliver(MAIL, GM, f"player{number}@example.com")
    assert len(server.taken) == 30
    assert server.turned_away == 1, "then it is known"
    assert [(cap.kind, cap.most, cap.words) for cap in noted] == [(Kind.MAILS, int(mails), words)]
    assert [record.getMessage() for record in caplog.records if "mails a connection" in record.getMessage()] == [
        f"127.0.0.1 port {server.port} takes {mails} mails a connection, for now: {words}"
    ]
    sender.close()
    server.close()


def test_a_cap_is_lifted_after_its_time(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    server, noted = Capped(2, "mail", "452 enough", mails=3), list[Cap]()
    sender = Sender(settings(server.port), timeouts=Timeouts(HANGING), note=noted.append)
    for number in range(8):
        sender.deliver(MAIL, GM, f"player{number}@example.com")
    monkeypatch.setattr(caps, "LEARNED_SECONDS", 0.0)
    for number in range(8):
        sender.deliver(MAIL, GM, f"player{number}@example.com")
    monkeypatch.undo()
    later = time.monotonic() + caps.LEARNED_SECONDS
    monkeypatch.setattr(caps, "time", SimpleNamespace(monotonic=lambda: later))
    sender.deliver(MAIL, GM, ANN)
    assert [cap.most for cap in noted] == [3, 0]
    assert "the cap of 3 mails a connection is lifted" in caplog.text
    assert len(server.taken) == 17
    sender.close()
    server.close()


def test_what_a_fresh_connection_refuses_too_is_of_the_recipient_or_of_all() -> None:
    """Each is asked of one fresh connection, and no cap is learned."""
    noted = list[Cap]()
    with MailServer() as server:
        sender = Sender(settings(server.port), timeouts=Timeouts(HANGING), note=noted.append)
        sender.deliver(MAIL, GM, ANN)
        server.answers["RCPT"] = "450 4.2.0 greylisted"
        for _ in range(3):
            with pytest.raises(DeliveryDeferred, match="greylisted") as found:
                sender.deliver(MAIL, GM, "ben@example.com")
            assert not isinstance(found.value, WayOutFailed)
        assert server.connections == 2
        server.answers.clear()
        sender.deliver(MAIL, GM, ANN)
        server.answers["MAIL"] = "451 4.3.0 busy"
        with pytest.raises(WayOutFailed, match="busy"):
            sender.deliver(MAIL, GM, ANN)
        with pytest.raises(WayOutFailed, match="has just deferred all mail"):
            sender.deliver(MAIL, GM, ANN)
        assert server.connections == 3
        assert noted == []
        sender.close()


def test_idle_connections_are_closed_when_one_more_is_refused() -> None:
    """Else they take the places of those that are needed, and all mail seems to be refused."""
    server = Capped(3, "mail", "421 4.7.0 too many connections")
    sender = Sender(settings(server.port), timeouts=Timeouts(HANGING))
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda number: sender.deliver(MAIL, GM, f"player{number}@example.com"), range(9)))
    server.most = 1
    for _ in range(3):
        sender.deliver(MAIL, GM, ANN)
    assert len(server.taken) == 12
    sender.close()
    server.close()


def test_a_limit_is_no_reason_to_ask_again_for_an_unknown_recipient() -> None:
    with MailServer() as server:
        sender = Sender(settings(server.port), timeouts=Timeouts(HANGING))
        sender.deliver(MAIL, GM, ANN)
        server.answers["RCPT"] = "550 5.1.1 user unknown"
        with pytest.raises(DeliveryRefused, match="user unknown"):
            sender.deliver(MAIL, GM, "ben@example.com")
        assert server.connections == 1
        sender.close()


@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize("length", [8_190, 9_000, 200_000])
def test_a_long_reply_is_one(command: str, length: int) -> None:
    """That of a mail that was taken must not have it sent again."""
    with MailServer() as server:
        server.answers[command] = f"250 2.0.0 {'x' * length}"
        sender = Sender(settings(server.port), timeouts=Timeouts(HANGING))
        for _ in range(2):
            assert sender.deliver(MAIL, GM, ANN).startswith("250 ")
        assert (server.connections, len(server.taken)) == (1, 2)
        sender.close()


def test_what_notes_a_cap_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    """The mail was taken, and must not be sent again for that."""

    def fail(_: Cap) -> None:
        raise OSError("no room")

    server = Capped(2, "mail", "452 enough", mails=1)
    sender = Sender(settings(server.port), timeouts=Timeouts(HANGING), note=fail)
    for _ in range(3):
        sender.deliver(MAIL, GM, ANN)
    assert len(server.taken) == 3
    assert "no room" in caplog.text
    sender.close()
    server.close()
