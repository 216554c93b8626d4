"""The SMTP or LMTP listener: an event loop in a thread of its own. `conversation` handles each connection."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta

from gm.errors import ConfigurationError
from gm.mail.message.trace import THIS_MACHINE, Relays
from gm.mail.transport import SETTLING, Accept, utc_now
from gm.mail.transport.conversation import Checks, Conversation, Handler, LmtpConversation
from gm.settings import ListenSettings

log = logging.getLogger(__name__)

MAX_CONNECTIONS = 200
MAX_HELD = 256 * 1024 * 1024
"""The memory, in bytes, for mails that are being received, on all connections together."""
IDLE_SECONDS = 300.0
"""RFC 5321 4.5.3.2.7. Counted from the last complete command: a trickle of bytes does not extend it."""
_FIRST_RETRY = timedelta(minutes=10)
STOP_SECONDS = 10.0
"""How long the server waits for mail that is being stored when it stops."""


class Listener:
    """Accepts mail by SMTP or LMTP at `settings.host` and `settings.port` (0: any free port, see `port`).

    `accept` commits a mail to the inbox; the reply is 250 after it returned, and 451 if it raised anything. `knows`
    tells whether an address is ours; all other recipients are refused with 550, so nothing is relayed. Both are called
    from several threads at once. With `tls`, or a certificate in the settings, STARTTLS is offered; `checks` says from
    which machines the sender of a mail is to be checked. `hostname` is the name in the greeting.
    """

    def __init__(
        self,
        settings: ListenSettings,
        accept: Accept,
        knows: Callable[[str], bool],
        *,
        hostname: str = "localhost",
        tls: ssl.SSLContext | None = None,
        checks: Checks = lambda _: False,
        relays: Relays = THIS_MACHINE,
        now: Callable[[], datetime] = utc_now,
        max_connections: int = MAX_CONNECTIONS,
        max_held: int = MAX_HELD,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.settings = settings
        self.port = settings.port
        """The port in use; known after `start`."""
        self._hostname = hostname
        self._tls = tls or tls_of(settings)
        self._max_connections, self._max_held = max_connections, max_held
        self._relays = relays
        self._idle_seconds = idle_seconds
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="accept")
        self._handler = Handler(accept, knows, self._threads, now, settings.protocol, checks, relays)
        self._drained: datetime | None = None
        self._shut: datetime | None = None
        """Since when a mail server in front may hold mail for us; `_open_since` is when we took mail again."""
        self._open_since: datetime | None = None
        self._open: set[Conversation] = set()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._asked: float | None = None
        """When the event loop was asked for a sign of life that it has not given, by time.monotonic()."""

    def start(self) -> None:
        """Listen. Returns when connections are accepted; raises ConfigurationError if the address cannot be used."""
        started: Future[int] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(started)), name="listener", daemon=True)
        self._thread.start()
        try:
            self.port = started.result()
        except OSError as error:
            self._thread.join()
            raise ConfigurationError(
                f"{self.settings.host} port {self.settings.port} cannot be used ({error.strerror or error}).",
                "Stop the program that uses it, or change [listen]; ports below 1024 need a privilege.",
            ) from error
        log.info("listening for %s on %s port %d", self.settings.protocol, self.settings.host, self.port)

    def stop(self) -> None:
        """Accept no more mail, finish what is being stored, close the connections. May be called twice."""
        if self._thread is None or self._loop is None or self._stopping is None:
            return
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()
        self._thread = None
        self._threads.shutdown(wait=False, cancel_futures=True)

    def hangs(self, seconds: float) -> bool:
        """Whether its event loop has ended, or has not answered for longer than this since it was asked, which is done
        each time."""
        if self._thread is None or self._loop is None or not self._thread.is_alive():
            return True
        if self._asked is None:
            self._asked = time.monotonic()
            self._loop.call_soon_threadsafe(self._answer)
        asked = self._asked
        return asked is not None and time.monotonic() - asked > seconds

    def _answer(self) -> None:
        self._asked = None

    # ---- a way in (`gm.machine.ways_in`)

    shared = False

    @property
    def name(self) -> str:
        """What tells this way in from all others."""
        return f"{self.settings.protocol} {self.settings.host}:{self.settings.port}"

    def begin(self, drained: datetime | None, now: datetime) -> None:
        """Begin to count. `drained` is until when all mail was taken when the listener was open before."""
        self._shut, self._open_since, self._drained = drained, now, drained

    def drained(self, now: datetime) -> datetime | None:
        """Until when all mail that was received is in the inbox.

        What could not be handed over, since we were away or had a failure, a mail server in front has kept, and tries
        again when it has waited for as long as it has waited in vain, ten minutes at least (Postfix).
        """
        retry = timedelta(seconds=self.settings.retry_seconds)
        if not retry:
            return self._handler.taken(now)
        failed = self._handler.turned_away
        if failed is not None and (self._open_since is None or failed > self._open_since):
            self._shut, self._open_since = self._shut or self._drained or failed, failed
        if self._shut is not None and self._open_since is not None:
            if now < self._open_since + min(_FIRST_RETRY + self._open_since - self._shut, retry):
                return self._shut
            self._shut = None
        self._drained = self._handler.taken(now) - SETTLING
        return self._drained

    def __enter__(self) -> Listener:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # ---- on the event loop

    async def _serve(self, started: Future[int]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        try:
            server = await self._loop.create_server(
                self._converse, self.settings.host or None, self.settings.port, backlog=socket.SOMAXCONN
            )
        except Exception as error:  # raised in the thread that called start
            started.set_exception(error)
            return
        started.set_result(server.sockets[0].getsockname()[1])
        await self._stopping.wait()
        server.close()
        await self._close_all()

    def _converse(self) -> Conversation:
        kind = LmtpConversation if self.settings.protocol == "lmtp" else Conversation
        return kind(
            self._handler,
            hostname=self._hostname,
            max_size=self.settings.max_size,
            idle_seconds=self._idle_seconds,
            tls=self._tls,
            opened=self._opened,
            closed=self._open.discard,
            grown=self._grown,
        )

    def _opened(self, conversation: Conversation) -> None:
        """Refuse a connection beyond its peer's share. When too many are open in all, the site that has most, and of
        it the peer, gives up the one whose last command is oldest: neither idle connections nor one customer of a
        provider, with however many networks, keep anybody out.
        """
        self._open.add(conversation)
        of_site = Counter(one.site for one in self._open)
        of_peer = Counter(one.network for one in self._open)
        if of_peer[conversation.network] > self.settings.per_peer and not self._relays.hold(conversation.peer):
            self._close(conversation, "4.7.0 Too many connections from your address; close some, or try again later")
        elif len(self._open) > self._max_connections:
            idle = [one for one in self._open if not one.busy and one is not conversation]
            silent = min(idle, key=lambda one: self._rank(one, of_site, of_peer), default=conversation)
            self._close(silent, "4.3.2 Too many connections; try again later")

    def _grown(self, _: Conversation) -> None:
        """Close a connection when all together hold too much that is not yet stored: of the site that holds most the
        one that does.
        """
        if sum(one.held for one in self._open) > self._max_held:
            of_site = Counter[str]()
            for one in self._open:
                of_site[one.site] += one.held
            most = max(self._open, key=lambda one: (of_site[one.site], one.held))
            self._close(most, "4.3.2 Too much mail at once; try again later")

    @staticmethod
    def _rank(one: Conversation, of_site: Counter[str], of_peer: Counter[str]) -> tuple[int, int, float]:
        return -of_site[one.site], -of_peer[one.network], one.last_answered

    def _close(self, conversation: Conversation, why: str) -> None:
        conversation.hang_up(why)
        self._open.discard(conversation)

    async def _close_all(self) -> None:
        """Close all connections; those on which mail is being stored are closed after the reply."""
        end = asyncio.get_running_loop().time() + STOP_SECONDS
        while self._open:
            late = asyncio.get_running_loop().time() >= end
            for conversation in list(self._open):
                if late or not conversation.busy:
                    self._close(conversation, "4.3.2 The server is stopping; try again later")
            await asyncio.sleep(0.01)


def tls_of(settings: ListenSettings) -> ssl.SSLContext | None:
    """A TLS context with the operator's certificate. Raises ConfigurationError if it cannot be used."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    named = f"The certificate {str(settings.tls_certificate)!r} with the key {str(settings.tls_key)!r} cannot be used"
    try:
        context.load_cert_chain(settings.tls_certificate, settings.tls_key, password=_no_password)
    except PermissionError as error:
        raise ConfigurationError(
            f"{named}: gm's user may not read them.",
            "Copy them into its folder, again after each renewal: as root, `install -o gm -m 0600 FILE /var/lib/gm/`,"
            " and name the copies under [listen].",
        ) from error
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{named} ({error}).",
            "Expected tls_certificate and tls_key in [listen] as PEM files that belong together: the key without a"
            " password, and of a chain the server's own certificate first.",
        ) from error
    return context


def _no_password() -> str:
    """OpenSSL would ask whoever sits at the terminal."""
    raise ValueError("the key has a password")
