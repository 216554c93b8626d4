"""A server as an operator runs it: `gm init`, then `gm serve` in a process of its own, and mail to and from it."""

from __future__ import annotations

import email
import email.policy
import os
import signal
import smtplib
import time
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cache
from pathlib import Path

from gm.cli import main
from gm.mail.transport.maildir_out import maildir_of
from gm.variants.standard import POWERS
from tests.mail.transport.dovecot import free_port, wait_for_port
from tests.processes import Process, streams_to
from tests.server.world import reply_to
from tests.timing import HANGING

BASE = "gm@localhost"
MASTER = "master@example.org"


class Running:
    """A server in `home`, started on entering. It listens on `port` and puts its answers into Maildirs."""

    @classmethod
    def at(cls, home: Path) -> Running:
        """The server that `gm init` has made there, which listens nowhere; entering returns at once."""
        server = cls.__new__(cls)
        server.home, server.port, server._environment = home, 0, dict(os.environ)
        return server

    def __init__(self, home: Path, **environment: str) -> None:
        self.home = home
        self.port = free_port()
        self._environment = {"GM_SERVER_LIMITS": "0", **os.environ, **environment}
        assert main(["init", "--home", str(home), "--port", str(self.port)]) == 0

    def __enter__(self) -> Running:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start it, or start it again; returns when it takes mail."""
        with (self.home / "serve.log").open("ab") as log:
            self.process = Process(
                *("gm", "serve", "--home", str(self.home)), environment=self._environment, streams=streams_to(log)
            )
        if not self.port:
            return
        try:
            wait_for_port(self.port, self.process)
        except AssertionError as error:
            raise AssertionError(f"{error}:\n{self.log()}") from None

    def change(self, **environment: str) -> None:
        """Kill it, and start it again with these settings."""
        self.kill()
        self._environment |= environment
        self.start()

    def kill(self) -> None:
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Ask it to stop; its exit status."""
        self.process.terminate()
        return self.process.wait(HANGING)

    def log(self) -> str:
        return (self.home / "serve.log").read_text(errors="replace")

    # ---- mail

    def send(self, sender: str, to: str, text: str) -> str:
        """Send a mail by SMTP; its Message-ID. Returns when the server has said 250."""
        message = new_mail(sender, to, text)
        with smtplib.SMTP("127.0.0.1", self.port, timeout=HANGING) as smtp:
            smtp.send_message(message, sender, [parseaddr(to)[1]])
        return str(message["Message-ID"])

    def mails(self, address: str) -> list[EmailMessage]:
        """What lies in somebody's mailbox, oldest first."""
        folder = maildir_of(self.home / "mail", address) / "new"
        paths = sorted(folder.glob("*"), key=lambda path: path.stat().st_mtime_ns)
        return [_kept(path) for path in paths]

    def answers(self, address: str, message_id: str) -> list[EmailMessage]:
        """What somebody was answered to one mail."""
        return [mail for mail in self.mails(address) if mail["In-Reply-To"] == message_id]

    def ask(self, sender: str, to: str, text: str) -> EmailMessage:
        """Send a mail and wait for the answer."""
        message_id = self.send(sender, to, text)
        self.wait_for(lambda: bool(self.answers(sender, message_id)))
        return self.answers(sender, message_id)[0]

    def wait_for(self, condition: Callable[[], bool], seconds: float = HANGING) -> None:
        """Wait until the condition holds; fails with the server's log."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.log()
            time.sleep(0.03)

    def started(self, name: str = "spring") -> dict[str, str]:
        """A running game: the seat addresses of the powers, and of the gamemaster as `GM`."""
        seats = {"GM": reply_to(self.ask(MASTER, BASE, f"REGISTER Max Master\nCREATE {name} early=orders"))}
        asked = {power: self.send(player(power), BASE, f"JOIN {name} AS {power}") for power in POWERS}
        self.wait_for(lambda: all(self.answers(player(power), asked[power]) for power in POWERS))
        self.ask(MASTER, seats["GM"], f"START {name}")
        for power in POWERS:
            self.wait_for(lambda power=power: "+" in reply_to(self.mails(player(power))[-1]))  # type: ignore[misc]
            seats[power] = reply_to(self.mails(player(power))[-1])
        return seats


def new_mail(sender: str, to: str, text: str) -> EmailMessage:
    """A plain mail."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, "orders"
    message["Message-ID"] = f"<{time.time_ns()}@{sender.partition('@')[2]}>"
    message.set_content(text)
    return message


@cache
def _kept(path: Path) -> EmailMessage:
    """A mail in a Maildir, in which no file is changed."""
    return read(path.read_bytes())


def read(raw: bytes) -> EmailMessage:
    """A mail as a mail program sees it."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def player(power: str) -> str:
    """The address of the player of a power in these tests."""
    return f"{power.lower()}@example.org"


def text_of(message: EmailMessage) -> str:
    """The words of the plain part."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())
