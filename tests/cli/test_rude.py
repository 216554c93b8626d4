"""Rude company at the listener of a whole server: whatever it does, everybody else is answered meanwhile."""

from __future__ import annotations

import contextlib
import random
import resource
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.server import BASE, Running, player, text_of

OPEN = 500


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    with Running(tmp_path / "server") as running:
        yield running
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connect(server: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 10)


def garbage(server: Running, chance: random.Random) -> None:
    """What a port scanner sends: another protocol's greeting, or noise."""
    greetings = (
        b"GET / HTTP/1.0\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\0" * 500,
        b"SSH-2.0-x\r\n",
    )
    with contextlib.suppress(OSError), connect(server) as peer:
        peer.sendall(chance.choice((*greetings, chance.randbytes(2000))))
        peer.settimeout(0.2)
        peer.recv(1000)


def early_hang_up(server: Running, chance: random.Random) -> None:
    """A dialogue that is broken off anywhere, sometimes with a reset."""
    lines = [b"EHLO x\r\n", b"MAIL FROM:<a@b.example>\r\n", f"RCPT TO:<{BASE}>\r\n".encode(), b"DATA\r\n", b"From: a"]
    with contextlib.suppress(OSError), connect(server) as peer:
        peer.settimeout(0.5)
        for line in lines[: chance.randrange(len(lines) + 1)]:
            peer.sendall(line)
            peer.recv(1000)
        if chance.random() < 0.5:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


@pytest.mark.long
def test_five_hundred_open_connections_garbage_trickles_and_hang_ups(server: Running) -> None:
    seat = server.started()["France"]
    over = threading.Event()

    def pester(seed: int) -> None:
        chance = random.Random(seed)
        while not over.is_set():
            chance.choice((garbage, early_hang_up))(server, chance)

    def trickle(peers: list[socket.socket]) -> None:
        while not over.wait(0.05):
            for peer in peers:
                with contextlib.suppress(OSError):
                    peer.sendall(b"x")

    with contextlib.ExitStack() as crowd:
        idlers = [crowd.enter_context(connect(server)) for _ in range(OPEN)]
        rude = [threading.Thread(target=pester, args=(seed,)) for seed in range(3)]
        rude.append(threading.Thread(target=trickle, args=(idlers[-50:],)))
        for thread in rude:
            thread.start()
        try:
            for number in range(5):
                receipt = server.ask(player("France"), seat, f"A PAR-BUR\nSTATUS\n{number}")
                assert "Army Paris -> Burgundy" in text_of(receipt)
        finally:
            over.set()
            for thread in rude:
                thread.join()
    assert server.process.poll() is None
    assert "level=error at=gm.mail.transport" not in server.log()
    assert server.stop() == 0
