"""A connection between a client and a server that can be cut, or stop transmitting without notice."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable


class Proxy:
    """Passes connections to a port of this machine on. `overhear` is called with what clients say, before it is."""

    def __init__(self, target: int, overhear: Callable[[bytes], None] = lambda _: None) -> None:
        self._target = target
        self._overhear = overhear
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self.connections = 0
        self._wires: list[Wire] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                client = self._server.accept()[0]
            except OSError:
                return
            self.connections += 1
            self._wires.append(Wire(client, socket.create_connection(("127.0.0.1", self._target)), self._overhear))

    def cut(self) -> None:
        """Close every connection on both sides; new ones are passed on."""
        for wire in [*self._wires]:
            wire.cut()

    def freeze(self) -> None:
        """Pass nothing on any more over the connections that exist, and close none of them."""
        for wire in self._wires:
            wire.frozen.set()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()
        self.cut()


class Wire:
    """One connection and its other half."""

    def __init__(self, client: socket.socket, server: socket.socket, overhear: Callable[[bytes], None]) -> None:
        self._ends = (client, server)
        self.frozen = threading.Event()
        for source, target, hear in ((client, server, overhear), (server, client, lambda _: None)):
            threading.Thread(target=self._pass_on, args=(source, target, hear), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, hear: Callable[[bytes], None]) -> None:
        with contextlib.suppress(OSError):
            while octets := source.recv(65536):
                if not self.frozen.is_set():
                    hear(octets)
                    target.sendall(octets)
            if not self.frozen.is_set():
                target.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
