"""One machine keeps nobody else out, however many connections it opens and however busy they look."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from gm.mail.message.trace import Relays, network_of, site_of
from gm.mail.transport.conversation import MAX_ERRORS, Conversation, FairReader
from gm.mail.transport.listener import Listener
from gm.settings import ListenSettings
from gm.store.inbox import ArrivedMail
from tests.mail.transport.conftest import eventually, knows
from tests.mail.transport.peer import Peer

pytestmark = pytest.mark.long

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def connected(listener: Listener, address: str) -> Peer:
    """A connection from an address of this machine."""
    return Peer(listener.port, source=address)


@contextlib.contextmanager
def listening(relays: Relays, per_peer: int = 3, most: int = 200) -> Iterator[Listener]:
    settings = ListenSettings(port=0, per_peer=per_peer)
    with Listener(settings, lambda _: True, knows, relays=relays, max_connections=most) as listener:
        yield listener


def test_a_peer_beyond_its_share_is_refused_and_others_are_served() -> None:
    with listening(Relays(())) as listener, contextlib.ExitStack() as crowd:
        few = [crowd.enter_context(connected(listener, "127.0.0.2")) for _ in range(3)]
        assert all(peer.hear().startswith("220") for peer in few)
        refused = crowd.enter_context(connected(listener, "127.0.0.2")).hear()
        assert refused.startswith("421 4.7.0 Too many connections from your address")
        assert crowd.enter_context(connected(listener, "127.0.0.3")).hear().startswith("220")
        few[0].ask("QUIT")
        assert eventually(lambda: crowd.enter_context(connected(listener, "127.0.0.2")).hear().startswith("220"))


def test_our_own_relays_have_no_limit() -> None:
    with listening(Relays()) as listener, contextlib.ExitStack() as crowd:
        assert all(crowd.enter_context(Peer(listener.port)).hear().startswith("220") for _ in range(9))


def test_when_all_are_taken_the_peer_with_most_gives_one_up_though_it_is_not_silent() -> None:
    with listening(Relays(()), per_peer=8, most=9) as listener, contextlib.ExitStack() as crowd:
        idler = crowd.enter_context(connected(listener, "127.0.0.3"))
        assert idler.hear().startswith("220")
        tricklers = [crowd.enter_context(connected(listener, "127.0.0.2")) for _ in range(8)]
        assert all(peer.hear().startswith("220") and peer.ask("NOOP").startswith("250") for peer in tricklers)
        assert crowd.enter_context(connected(listener, "127.0.0.4")).hear().startswith("220")
        assert tricklers[0].hear().startswith("421 4.3.2 Too many connections")
        assert idler.ask("NOOP").startswith("250")


@pytest.mark.parametrize(
    "octets",
    [
        b"12345678\r\n" * 100_000,
        b"12345678\r\n" * 99_998 + b"y" * 60,
        b"x" * 12_000_000,
        (b"x" * 65_535 + b"\n") * 180,
        (b"x" * 65_535 + b"\r") * 180,
    ],
    ids=["short lines", "the last one without an end", "no end", "bare line feeds", "bare returns"],
)
def test_mails_that_never_end_hold_no_more_memory_than_all_may_together(octets: bytes) -> None:
    """Each line has an object of its own: short ones take many times what is sent; of what is too much, a line without
    an end is kept.
    """
    settings = ListenSettings(port=0, per_peer=9)
    begun = Listener(settings, lambda _: True, knows, relays=Relays(()), max_held=16 * 1024 * 1024)
    with begun as listener, contextlib.ExitStack() as crowd:
        small = crowd.enter_context(connected(listener, "127.0.1.3"))
        small.greet()
        floods = [crowd.enter_context(connected(listener, "127.0.0.2")) for _ in range(4)]
        for peer in floods:
            peer.greet()
            peer.begin("gm@example.org")
            assert peer.ask("DATA").startswith("354")
            with contextlib.suppress(ConnectionError):
                peer.send(octets)
        assert eventually(lambda: len(listener._open) < 1 + len(floods)), "some were closed"
        assert eventually(lambda: sum(one.held for one in listener._open) <= 16 * 1024 * 1024)
        assert small.begin("gm@example.org")[-1].startswith("250")
        assert small.post(b"Subject: orders\r\n\r\nA PAR-BUR\r\n.\r\n").startswith("250")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("64:ff9b::192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1%eth0", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("", ""),
    ],
)
def test_what_counts_as_one_peer(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("", ""),
    ],
)
def test_what_counts_as_one_site(address: str, site: str) -> None:
    assert site_of(address) == site


def test_of_too_many_those_of_the_largest_site_give_way_whatever_trickles_there() -> None:
    """By calling: 256 networks of one customer, each with a connection that has just sent an octet; and a slow peer."""
    listener = Listener(ListenSettings(port=0), lambda _: True, knows)
    crowd = [_Open(f"2001:db8:0:{number:x}::1", 9.0) for number in range(256)]
    slow = _Open("2001:db9::1", 1.0)
    for one in (slow, *crowd):
        listener._opened(one)  # type: ignore[arg-type]
    assert len(crowd) > listener._max_connections > sum(one.closed for one in crowd) > 0
    assert not slow.closed


@dataclass(eq=False)
class _Open:
    """A connection, as far as the listener chooses by it."""

    peer: str
    last_answered: float
    busy: bool = False
    closed: bool = False

    @property
    def network(self) -> str:
        return network_of(self.peer)

    @property
    def site(self) -> str:
        return site_of(self.peer)

    def hang_up(self, _: str) -> None:
        self.closed = True


def test_a_mail_says_when_its_last_octet_came() -> None:
    came: list[ArrivedMail] = []
    trace = b"Received: from x (x [198.51.100.7]) by mx.example.org;\r\n Fri, 20 Nov 2026 09:00:00 +0000\r\n"

    def accept(mail: ArrivedMail) -> bool:
        came.append(mail)
        return True

    with Listener(ListenSettings(port=0), accept, knows, now=lambda: NOW) as listener, Peer(listener.port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        assert peer.post(trace + b"Subject: x\r\n\r\nA PAR-BUR\r\n.\r\n").startswith("250")
    assert [(mail.arrived_at, mail.received_at.hour) for mail in came] == [(NOW, 9)]


def test_nobody_reads_for_long_while_others_wait() -> None:
    """However many lines of one connection are in memory, all others have their turn after a few of them."""

    async def turns() -> int:
        reader, taken = FairReader(), 0
        reader.feed_data(b"\r\n" * 50)
        reader.feed_eof()

        async def flood() -> None:
            with contextlib.suppress(asyncio.IncompleteReadError):
                while True:
                    await reader.readuntil(b"\r\n")
                    time.sleep(FairReader.TURN / 2)  # what is done with a line

        task = asyncio.create_task(flood())
        while not task.done():
            await asyncio.sleep(0)
            taken += 1
        return taken

    assert asyncio.run(turns()) >= 10


def test_a_peer_that_reads_no_answers_is_dropped_when_it_is_closed() -> None:
    """Its place, its descriptor and what it has sent would stay for as long as it likes."""
    with listening(Relays(())) as listener, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.settimeout(5)
        deaf.connect(("127.0.0.1", listener.port))
        with contextlib.suppress(TimeoutError):
            deaf.sendall(b"EHLO x\r\nMAIL FROM:<a@b.example>\r\n" + b"RCPT TO:<gm@example.org>\r\n" * 45_000)
        assert eventually(lambda: any(written(one) for one in listener._open))
        (one,) = listener._open
        loop = listener._loop
        assert loop is not None
        loop.call_soon_threadsafe(listener._close, one, "4.3.2 Too much")
        assert eventually(lambda: one.transport is None)


def written(one: Conversation) -> int:
    """The octets of answers that a peer has not taken."""
    return one.transport.get_write_buffer_size() if isinstance(one.transport, asyncio.WriteTransport) else 0


def test_a_connection_with_many_errors_is_closed() -> None:
    with listening(Relays(())) as listener, connected(listener, "127.0.0.2") as peer:
        peer.greet()
        answers = [peer.ask("MAIL FROM:<a@b.example>") for _ in range(MAX_ERRORS + 1)]
        assert answers[-1].startswith("503")
        assert peer.ask("MAIL FROM:<a@b.example>").startswith("503")
        assert peer.hear().startswith("421 4.7.0 Too many errors")
