"""One SMTP or LMTP connection: our replies, and the limits that end a connection.

aiosmtpd implements the protocol. Here are the replies that are ours: recipients accepted or refused, the mail stored
before 250 is sent, a failure of ours as 451 and never as 5xx (RFC 5321 4.2.1), LMTP's reply for each recipient (RFC
2033 4.2), and what ends a connection that floods or idles.

End of data is CR LF "." CR LF and nothing else (RFC 5321 2.3.8 and 4.1.1.4): a lone dot between other line ends is used
to smuggle a second mail past a careless server, and is refused. After CR LF the dot is taken off as a doubled one
(4.5.2) before the mail is seen here; so a line that begins with a bare line end is refused, too.
"""

# ruff: noqa: N802  aiosmtpd wants methods named for the commands

from __future__ import annotations

import asyncio
import logging
import re
import ssl
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from datetime import datetime
from typing import Any, TypeVar

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from gm.errors import log_failure
from gm.mail.message.trace import THIS_MACHINE, Relays, network_of, site_of
from gm.mail.transport import Accept
from gm.server.metrics import count
from gm.store.inbox import ArrivedMail

log = logging.getLogger(__name__)

# aiosmtpd writes every command to its log, and the recipients in them are the secret addresses of seats.
logging.getLogger("mail.log").setLevel(logging.ERROR)

MAX_RECIPIENTS = 100
"""The most recipients of one mail; the least that RFC 5321 4.5.3.1.8 allows."""

MAX_KNOWN = 4096
"""The most recipients that are remembered as known."""

MAX_REFUSALS = 20
"""The number of unknown recipients after which a connection is closed, against guessing of addresses."""

MAX_ERRORS = 100
"""The number of commands that are refused for good after which a connection is closed: each costs time to parse."""

LEAVE_SECONDS = 3.0
"""How long a peer has to take the last answer of a connection that is closed."""

MAX_FLOOD = 64 * 1024 * 1024
"""Bytes above the size limit that are read and discarded, so that a mail that is too large can be refused with 552."""

MAX_LINES = 50_000
"""Lines of one mail, and one more for each 20 bytes of the size limit: each is read by itself, however short it is."""

_END = b"\r\n"
"""What ends a line, and nothing else does (RFC 5321 2.3.8)."""
_A_LINE = 96
"""Bytes that a line takes beside its own."""
_STEP = 1024 * 1024

MAX_LINE = 64 * 1024
"""The longest line, in bytes. RFC 5322 allows 998, but mail programs write longer lines."""

_CALLS = {"MAIL": 5000, "RCPT": 50_000, "DATA": 5000, "RSET": 5000, "NOOP": 1000, "*": 50}

_SMUGGLED = re.compile(rb"(?:(?<!\r)\n|\r(?!\n))\.[\r\n]|(?:\A|\r\n)\.?+(?:\n|\r(?!\n))")
"""A lone dot between two line ends, one of which is not CR LF; at the beginning of a line a dot is gone."""

_T = TypeVar("_T")

Checks = Callable[[str], bool]
"""Whether the sender of a mail from the machine with this IP address is authenticated after the mail is stored."""


class Handler:
    """The replies to the commands of all connections.

    `accept` and `knows` may wait for the disk: they run on `threads`, never on the event loop.
    """

    def __init__(
        self,
        accept: Accept,
        knows: Callable[[str], bool],
        threads: Executor,
        now: Callable[[], datetime],
        source: str,
        checks: Checks,
        relays: Relays = THIS_MACHINE,
    ) -> None:
        self._checks = checks
        self._relays = relays
        self._under_way: list[datetime] = []
        """When each of the mails came that are being stored."""
        self.turned_away: datetime | None = None
        """When a mail was last deferred because of a failure of ours: its sender will try again."""
        self._accept = accept
        self._knows = knows
        self._known: dict[str, None] = {}
        """The addresses that were found lately, which are not looked up again: none that was ours becomes another's."""
        self._threads = threads
        self._now = now
        self._source = source

    def taken(self, now: datetime) -> datetime:
        """Until when everything is stored that was sent here."""
        return min([now, *self._under_way])

    def _aside(self, call: Callable[..., _T], argument: object) -> Awaitable[_T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, call, argument)

    async def handle_EHLO(
        self, _server: Conversation, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        kept = [line for line in responses if not line.startswith(("250-AUTH", "250 HELP"))]
        return [*kept, "250 PIPELINING"]

    async def handle_RCPT(
        self, server: Conversation, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return "452 4.5.3 Too many recipients; send to the others in another mail"
        try:
            known = address in self._known or await self._aside(self._knows, address)
        except Exception as error:
            self.turned_away = self._now()
            log_failure(log, error, "a recipient could not be looked up")
            return "451 4.3.0 The address cannot be looked up now; try again later"
        if not known:
            server.refusals += 1
            domain = str(envelope.mail_from or "").rpartition("@")[2]
            log.info("a recipient is unknown", extra={"domain": domain, "peer": server.peer})
            if server.refusals > MAX_REFUSALS:
                return "421 4.7.0 Too many unknown recipients"
            return (
                "550 5.1.1 There is no such address here. If it was a seat's, it has been replaced: answer the newest"
                " mail of your game, or write to the server's own address"
            )
        self._known[address] = None
        if len(self._known) > MAX_KNOWN:
            del self._known[next(iter(self._known))]
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Conversation, session: Session, envelope: Envelope) -> str:
        raw = envelope.original_content
        if raw is None or _SMUGGLED.search(raw):
            log.warning("a mail with a lone dot between bare line ends was refused from %s", session.peer)
            return "554 5.5.2 A lone dot between bare line ends; lines end in CR LF"
        server.busy = True
        self._under_way.append(came := self._now())
        try:
            peer = str(session.peer[0]) if session.peer else ""
            mail = ArrivedMail(
                source=self._source,
                envelope_from="" if envelope.mail_from == "<>" else envelope.mail_from,
                recipients=tuple(envelope.rcpt_tos),
                raw=raw,
                received_at=self._relays.received(raw, came, peer),
                arrived_at=came,
                peer=peer if self._checks(peer) else None,
                helo=str(session.host_name or ""),
            )
            await self._aside(self._accept, mail)
        except Exception as error:
            self.turned_away = self._now()
            log_failure(log, error, "a mail of %d bytes could not be stored", len(raw))
            return "451 4.3.0 The mail could not be stored; send it again later"
        finally:
            self._under_way.remove(came)
        log.info("a mail of %d bytes was accepted from %s", len(raw), session.peer)
        return "250 2.0.0 Accepted"

    async def handle_exception(self, error: Exception) -> str:
        log.error("an unexpected error on a connection", exc_info=error)
        return "451 4.3.0 Something went wrong here; try again later"


class FairReader(asyncio.StreamReader):
    """A reader that lets others have their turn before each line, once it has had `TURN` seconds of the event loop for
    its lines and what is done with them. asyncio's own goes on for as long as lines are in memory, so that a few
    machines that send empty lines, or commands that are slow to parse, would let all others wait.
    """

    TURN = 0.002
    _since = 0.0

    async def readuntil(self, separator: Any = b"\n") -> bytes:
        if time.monotonic() - self._since > self.TURN:
            await asyncio.sleep(0)
            self._since = time.monotonic()
        return await super().readuntil(separator)


class Conversation(SMTP):
    """One SMTP connection. `opened` is called when it begins, and `closed` when it ends."""

    line_length_limit = MAX_LINE

    def __init__(
        self,
        handler: Handler,
        *,
        hostname: str,
        max_size: int,
        idle_seconds: float,
        tls: ssl.SSLContext | None,
        opened: Callable[[Conversation], None],
        closed: Callable[[Conversation], None],
        grown: Callable[[Conversation], None],
    ) -> None:
        super().__init__(
            handler,
            data_size_limit=max_size,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="gm",
            tls_context=tls,
            timeout=idle_seconds,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            command_call_limit=_CALLS,
            loop=asyncio.get_running_loop(),
        )
        asyncio.StreamReaderProtocol.__init__(
            self,
            FairReader(limit=self.line_length_limit, loop=self.loop),
            client_connected_cb=self._cb_client_connected,
            loop=self.loop,
        )
        self._is_lost = False
        self.busy = False
        """Whether a mail is being stored: then the connection is not closed at once when the server stops."""
        self.refusals = self._errors = 0
        self.last_answered = 0.0
        """When a command was last complete, or the connection was made: octets that trickle in are no conversation."""
        self.peer = self.network = self.site = ""
        """The address of the machine at the other end, and what one customer of a provider has (RFC 6177): that address
        of IPv4, or a /64 of IPv6; and what a large one has, a /24 or a /48."""
        self._on_open = opened
        self._on_close = closed
        self._on_growth = grown
        self._unread = self._lines = self._unended = 0
        self._return = b""

    @property
    def held(self) -> int:
        """The bytes of memory that what came since the last answer takes: each line has an object of its own. Lines of
        more than a mail may have are discarded, but for the one that has no end yet, which is CR LF.
        """
        ended = self._unread - self._unended
        discarded = ended > (self.data_size_limit or 0)
        return self._unended + (0 if discarded else ended + _A_LINE * self._lines)

    def hang_up(self, why: str) -> None:
        """Send 421 with this enhanced code and reason, and close."""
        transport = self.transport
        if isinstance(transport, asyncio.WriteTransport) and not transport.is_closing():
            if not transport.get_write_buffer_size():  # who reads no answers does not read this one
                transport.write(f"421 {why}\r\n".encode())
            self._leave(transport)

    def _leave(self, transport: asyncio.WriteTransport) -> None:
        """Close the connection, and drop it when what was written is not taken soon: a peer that does not read would
        keep its place, and what it has sent.
        """
        unread = transport.get_write_buffer_size()
        transport.close()
        self.loop.call_later(LEAVE_SECONDS if not unread else 0, self._drop, transport)

    def _drop(self, transport: asyncio.WriteTransport) -> None:
        """End the connection, also one that is closed while TLS is agreed on: asyncio does not tell that it is lost."""
        for one in (transport, self._original_transport):
            if isinstance(one, asyncio.WriteTransport):
                one.abort()
        self.loop.call_soon(self.connection_lost, None)

    # ---- called by asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.last_answered = self.loop.time()
        self.peer = str((transport.get_extra_info("peername") or ("",))[0])
        self.network, self.site = network_of(self.peer), site_of(self.peer)
        super().connection_made(transport)
        self._on_open(self)

    def connection_lost(self, error: Exception | None) -> None:
        if self._is_lost:
            return
        self._is_lost = True
        self._on_close(self)
        super().connection_lost(error)
        # What it has read is free at once, and not when cycles are collected.
        self._tls_protocol = self._original_transport = None
        if self._handler_coroutine is not None:
            self._handler_coroutine.add_done_callback(self._forget)

    def _forget(self, _: object) -> None:
        self._handler_coroutine = None

    def data_received(self, data: bytes) -> None:
        before = self.held
        self._unread += len(data)
        self._lines += data.count(b"\n")
        joined = self._return + data  # a line's end may come in two parts
        end = joined.rfind(_END)
        self._unended = self._unended + len(data) if end < 0 else len(joined) - end - len(_END)
        self._return = data[-1:] if data.endswith(b"\r") else b""
        if self.held // _STEP > before // _STEP:
            self._on_growth(self)
        size = self.data_size_limit or 0
        if self._unread > size + MAX_FLOOD or self._lines > MAX_LINES + size // 20:
            self.hang_up("4.3.2 Too much was sent")
            return
        super().data_received(data)

    # ---- called by aiosmtpd

    def _timeout_cb(self) -> None:
        if isinstance(self.transport, asyncio.WriteTransport):
            self._leave(self.transport)

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        try:
            address, rest = super()._getaddr(arg)
        except Exception:  # the standard library's parser raises many errors; what it cannot parse is no address
            return None, None
        if address is not None and not address.isprintable():
            return None, None
        return address, rest

    async def push(self, status: Any) -> None:
        reply = status.encode("utf-8", "replace") if isinstance(status, str) else bytes(status)
        self._unread = self._lines = self._unended = 0
        self.last_answered = self.loop.time()
        if reply[:1] in (b"4", b"5"):
            code, _, more = reply.decode("ascii", "replace").partition(" ")
            enhanced = more.partition(" ")[0]
            count("gm_refused_total", code=f"{code} {enhanced}" if enhanced[:2] in ("4.", "5.") else code)
        self._errors += reply[:1] == b"5"
        await super().push(reply)
        if reply.startswith(b"421") and isinstance(self.transport, asyncio.WriteTransport):
            self._leave(self.transport)
        elif self._errors > MAX_ERRORS:
            self.hang_up("4.7.0 Too many errors")

    async def smtp_STARTTLS(self, arg: str) -> None:
        if self._tls_protocol is not None:  # aiosmtpd would begin TLS within TLS, with buffers for each (RFC 3207 4.2)
            await self.push("503 5.5.1 TLS is active already")
        else:
            await super().smtp_STARTTLS(arg)

    async def smtp_DATA(self, arg: str) -> None:
        try:
            await super().smtp_DATA(arg)
        finally:
            self.busy = False


class LmtpConversation(Conversation, LMTP):
    """One LMTP connection: after the data, one reply for each recipient (RFC 2033 4.2)."""

    _owed = 0

    async def push(self, status: Any) -> None:
        times, self._owed = max(self._owed, 1), 0
        for _ in range(times):
            await super().push(status)
        if str(status).startswith("354") and self.envelope is not None:
            self._owed = len(self.envelope.rcpt_tos)
