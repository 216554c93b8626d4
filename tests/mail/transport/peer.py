"""A peer that sends on a socket exactly what the test tells it to, polite or not."""

from __future__ import annotations

import re
import socket

from tests.timing import HANGING

_LAST_LINE = re.compile(rb"(?m)^\d{3} [^\n]*\n\Z")


class Peer:
    """A connection to a server that speaks in lines, from an address of this machine."""

    def __init__(self, port: int, *, seconds: float = HANGING, source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), seconds, source_address=(source, 0))
        self._heard = b""

    def send(self, octets: bytes) -> None:
        self.socket.sendall(octets)

    def hear(self) -> str:
        """One whole answer, of one line or several; "" when the server has hung up."""
        answer = b""
        while not _LAST_LINE.search(answer):
            while b"\n" not in self._heard:
                try:
                    octets = self.socket.recv(65536)
                except ConnectionResetError:
                    return ""
                if not octets:
                    return ""
                self._heard += octets
            line, _, self._heard = self._heard.partition(b"\n")
            answer += line + b"\n"
        return answer.decode().rstrip()

    def ask(self, line: str) -> str:
        """Say one line and hear the answer."""
        self.send(line.encode("utf-8", "surrogateescape") + b"\r\n")
        return self.hear()

    def greet(self, verb: str = "EHLO") -> str:
        """Hear the greeting and return the answer to EHLO (or LHLO)."""
        assert self.hear().startswith("220 ")
        return self.ask(f"{verb} peer.example.org")

    def begin(self, *recipients: str, sender: str = "ann@example.org") -> list[str]:
        """The answers to MAIL and to each RCPT."""
        return [self.ask(f"MAIL FROM:<{sender}>"), *(self.ask(f"RCPT TO:<{one}>") for one in recipients)]

    def post(self, octets: bytes) -> str:
        """Send a mail (its end included) after DATA and return the answer."""
        assert self.ask("DATA").startswith("354")
        self.send(octets)
        return self.hear()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()
