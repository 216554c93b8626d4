"""Sending: one mail is signed and sent by SMTP to one mail server, over connections that are kept open.

Failures are temporary (DeliveryDeferred) or final (DeliveryRefused). Only a reply about the recipient or the mail is
final; a failure of the connection, the log-in or our own address is for the operator to correct, and the mail waits.

What a temporary refusal is about follows from where it came, not from its code. By a connection that has taken mails it
may be of this connection: the mail is tried by a fresh one at once, and if that takes it, the cap is learned
(`gm.mail.transport.caps`). Else it is of all mail if it came before the recipient was named (of this connection, while
we have others), and of the recipient or the mail if it came later.

If the connection breaks between the last byte and the reply, what comes is no reply, or it is 421, with which a server
that shuts down closes the connection whatever it was doing (RFC 5321, 3.8), it cannot be known whether it accepted the
mail (RFC 1047): it is Unconfirmed, and sent again with the same Message-ID a few times only. Any other 4xx there says
that it did not, and that it will not deliver it (RFC 5321, 4.2.5): such a mail is tried until it is too old.
"""

from __future__ import annotations

import logging
import smtplib
import ssl
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeAlias

from gm.errors import ConfigurationError, DeliveryDeferred, DeliveryRefused, SenderRefused, Unconfirmed, WayOutFailed
from gm.mail.message.addresses import ascii_domain, parse_address
from gm.mail.message.bounce_report import Reason, refused
from gm.mail.transport import trust_it
from gm.mail.transport.caps import Caps
from gm.mail.transport.maildir_out import MaildirTransport
from gm.mail.transport.tokens import access_token
from gm.settings import SendSettings
from gm.store.mail_servers import Cap, Kind

if TYPE_CHECKING:
    from gm.mail.transport.signing import Signer

log = logging.getLogger(__name__)

KEPT_SECONDS = 240.0
"""A connection that was idle for longer is not reused: servers close it after five minutes (RFC 5321 4.5.3.2.7)."""

ROUTE_SECONDS = 45.0
"""For how long a server is left alone that takes no mail for now: less than the first pause of each mail."""

QUIT_SECONDS = 0.2
"""How long a server may take to answer QUIT."""

_OURS = frozenset({530, 534, 535, 538})
"""Replies about authentication (RFC 4954 6), never about the recipient."""

_SHUTS_DOWN = 421  # the reply of a server that closes the connection (RFC 5321, 3.8)
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds that a mail server may take: `reply` for a connection and each reply but the last, `taking` for the last.

    Giving up too early on the last reply sends the mail twice (RFC 5321 4.5.3.2.6).
    """

    reply: float = 60.0
    taking: float = 300.0


USUAL = Timeouts()


@dataclass(slots=True)
class _Connection:
    """`used_at`: time.monotonic(). One that was `kept` may have ended since; `refused`: a mail is still to be reset.
    `taken`: how many mails it has brought.
    """

    smtp: smtplib.SMTP
    used_at: float
    kept: bool = False
    refused: bool = False
    taken: int = 0

    def set_timeout(self, seconds: float) -> None:
        if self.smtp.sock is not None:
            self.smtp.sock.settimeout(seconds)

    def may_be_why(self, error: _Refusal | DeliveryDeferred) -> bool:
        """Whether a mail may have failed because of this connection, so that a fresh one may take it: it ended since
        its last mail, or has taken as many as it may.
        """
        if isinstance(error, _Refusal) and error.code != _SHUTS_DOWN:
            return self.taken > 0 and error.may_pass
        return self.kept


class _Refusal(Exception):
    """The server refused the MAIL, RCPT or DATA command (`verb`)."""

    def __init__(self, verb: str, code: int, text: bytes | str) -> None:
        self.verb = verb
        self.code = code
        super().__init__(_one_line(code, _bytes(text)))

    @property
    def is_of_all(self) -> bool:
        """Whether no mail is taken for now by this connection, whoever it is for."""
        return self.code < 500 and self.verb == "MAIL"

    @property
    def may_pass(self) -> bool:
        """Whether the same mail may be taken later, or otherwise: refused for now, before the recipient was named, or
        for a limit.
        """
        return self.code < 500 or self.verb == "MAIL" or refused(str(self)).reason is Reason.RATE

    def as_error(self, recipient: str) -> DeliveryDeferred | DeliveryRefused:
        """The error for this refusal. A refused MAIL command concerns us, unless the mail is too large, and all mail if
        it is refused for now; log-in failures always do.
        """
        if self.is_of_all:
            return Busy(f"{recipient!r} was deferred: {self}")
        if self.code < 500:
            return DeliveryDeferred(f"{recipient!r} was deferred: {self}")
        if self.code in _OURS or (self.verb == "MAIL" and self.code != 552):
            return SenderRefused(f"{recipient!r} was deferred: {self}")
        return DeliveryRefused(f"{recipient!r} was refused: {self}")


class Busy(WayOutFailed):
    """The server takes no mail for now, whoever it is for, or none by another connection of ours: it said so before it
    knew for whom it is.
    """


@dataclass
class SmtpTransport:
    """Sends to `settings.host`. May be used by several threads: each uses a connection of its own.

    `hostname` is our name at EHLO; `tls` is for `settings.tls` other than "none" (default: certificates are verified).
    `note` is told each cap that is learned or lifted.
    """

    settings: SendSettings
    _: KW_ONLY
    hostname: str | None = None
    tls: ssl.SSLContext | None = None
    timeouts: Timeouts = USUAL
    note: Callable[[Cap], None] = lambda _: None
    _kept: deque[_Connection] = field(default_factory=deque, init=False, repr=False)
    _left_alone_until: float = field(default=0.0, init=False, repr=False)
    _caps: Caps = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._caps = Caps(self._server, self.note)

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> str:
        """Send one mail to one recipient; `envelope_from` "" is the null return path. Returns the server's reply.

        Raises DeliveryDeferred (Unconfirmed, if it may have arrived) or DeliveryRefused with the server's reply. One
        that takes no mail from us for now (4xx up to MAIL) is asked once for all mail: WayOutFailed is raised for the
        next ones without asking it.
        """
        content = b"\r\n".join([*raw.splitlines(), b""])
        while True:
            with self._caps.turn(self.timeouts.taking):
                if time.monotonic() < self._left_alone_until:
                    raise WayOutFailed(f"{recipient!r} was not tried: {self._server} has just deferred all mail.")
                try:
                    reply = self._send(content, envelope_from, recipient)
                except Busy as error:
                    if self._close_idle():  # they take the places of others
                        continue
                    if not self._caps.one_connection_too_many(str(error)):
                        self._left_alone_until = time.monotonic() + ROUTE_SECONDS
                        raise
                else:
                    self._caps.took()
                    return reply

    def _send(self, content: bytes, envelope_from: str, recipient: str) -> str:
        try:
            connection = self._begun(content, envelope_from, recipient, self._offer)
            with self._in_use(connection):
                connection.smtp.send(_stuffed(content))
            with self._in_use(connection, "after the whole mail was sent", Unconfirmed):
                reply = _taken(connection.smtp)
        except _Refusal as refusal:
            raise refusal.as_error(recipient) from refusal
        connection.taken += 1
        self._keep(connection)
        return reply

    def _offer(self, connection: _Connection, content: bytes, envelope_from: str, recipient: str) -> None:
        """MAIL, RCPT and DATA; raises as `_address` does."""
        _address(connection, content, envelope_from, recipient)
        connection.set_timeout(self.timeouts.taking)
        code, text = connection.smtp.docmd("data")
        if code != 354:
            raise _Refusal("DATA", code, text)

    def log_in(self) -> None:
        """Connect and log in, to find wrong settings before there is mail to send. Raises DeliveryDeferred."""
        self._keep(self._ready())

    def refuses(self, sender: str, recipient: str) -> str:
        """The reply with which the server refuses a mail between these addresses, "" if it would accept it. Nothing is
        sent. Raises DeliveryDeferred when the server cannot be used.
        """
        try:
            self._begun(b"", sender, recipient, _address).smtp.close()
        except _Refusal as refusal:
            return str(refusal)
        return ""

    def close(self) -> None:
        """Close all connections."""
        self._close_idle()

    # ---- connections

    def _close_idle(self) -> bool:
        """Close idle connections. Returns whether there were any."""
        found = False
        while (connection := self._take()) is not None:
            _quit(connection)
            found = True
        return found

    @property
    def _server(self) -> str:
        return f"{self.settings.host} port {self.settings.port}"

    def _begun(self, content: bytes, envelope_from: str, recipient: str, begin: _Begin) -> _Connection:
        """A connection on which a mail is begun. Raises _Refusal or DeliveryDeferred."""
        connection = self._ready()
        try:
            with self._in_use(connection):
                begin(connection, content, envelope_from, recipient)
            return connection
        except (_Refusal, DeliveryDeferred) as error:
            if not connection.may_be_why(error):
                raise
            taken, why = connection.taken, error
        connection = self._opened()
        with self._in_use(connection):
            begin(connection, content, envelope_from, recipient)
        if taken and isinstance(why, _Refusal):
            self._caps.one_mail_too_many(taken, str(why))
        return connection

    @contextmanager
    def _in_use(
        self, connection: _Connection, when: str = "", kind: type[DeliveryDeferred] = DeliveryDeferred
    ) -> Iterator[None]:
        """Keeps a connection on which a mail is refused, unless that may be why, and closes one that breaks. Raises an
        error of this kind for it, which says when that was.
        """
        try:
            yield
        except _Refusal as refusal:
            connection.refused = True
            if refusal.code == _SHUTS_DOWN:
                connection.smtp.close()
            elif connection.may_be_why(refusal) or refusal.is_of_all:
                _quit(connection)
            else:
                self._keep(connection)
            raise
        except (OSError, smtplib.SMTPException) as error:
            connection.smtp.close()
            broke = f"The connection to {self._server} broke {when}".rstrip()
            raise kind(f"{broke} ({_words(error)}).") from error

    def _take(self) -> _Connection | None:
        try:
            return self._kept.pop()
        except IndexError:
            return None

    def _keep(self, connection: _Connection) -> None:
        connection.used_at, connection.kept = time.monotonic(), True
        connection.set_timeout(self.timeouts.reply)
        spent = connection.taken >= self._caps.most(Kind.MAILS)
        if len(self._kept) < self.settings.connections and not spent:
            self._kept.append(connection)
        else:
            _quit(connection)

    def _ready(self) -> _Connection:
        """A kept connection, which may have ended, or a new one. Raises DeliveryDeferred."""
        while (kept := self._take()) is not None:
            if _is_usable(kept):
                return kept
            kept.smtp.close()
        return self._opened()

    def _opened(self) -> _Connection:
        """A new connection. Raises DeliveryDeferred."""
        try:
            return _Connection(self._connect(), time.monotonic())
        except ConfigurationError as error:
            raise WayOutFailed(error.problem, error.remedy) from error
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            if isinstance(error, smtplib.SMTPResponseException) and 400 <= error.smtp_code < 500:
                raise Busy(f"{self._server} cannot be used ({_words(error)}).") from error
            if isinstance(error, smtplib.SMTPAuthenticationError):
                words = f"{self._server} refused the log-in ({_words(error)})."
                raise WayOutFailed(words, "Correct user and password in [send].") from error
            raise WayOutFailed(f"{self._server} cannot be used ({_words(error)}).", trust_it(error)) from error

    def _connect(self) -> smtplib.SMTP:
        settings = self.settings
        context = self.tls if settings.tls == "none" else self.tls or ssl.create_default_context()  # takes 15 ms
        kind = partial(_OverTls, context=context) if settings.tls == "implicit" else _Plain
        smtp = kind(settings.host, settings.port, self.hostname, timeout=self.timeouts.reply)
        smtp.command_encoding = "utf-8"
        try:
            _introduce(smtp)
            if settings.tls == "starttls":
                smtp.starttls(context=context)
                _introduce(smtp)
            if settings.user and settings.oauth2 is not None:
                _present_token(smtp, settings.user, access_token(settings.oauth2))
            elif settings.user and not smtp.has_extn("auth"):
                remedy = "If it takes mail without a log-in, take user and password out of [send]."
                raise WayOutFailed(f"{self._server} offers no log-in.", remedy)
            elif settings.user:
                smtp.login(settings.user, settings.password or "")
        except BaseException:
            smtp.close()
            raise
        return smtp


class _Replies:
    """The lines of a server's replies, of which long ones are cut: smtplib takes them for a broken connection."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines
        self.close = lines.close

    def readline(self, most: int) -> bytes:
        """The next line, with fewer than so many octets."""
        line = rest = self._lines.readline(most - 1)
        while rest and not rest.endswith(b"\n"):
            rest = self._lines.readline(most)
        return line


class _Plain(smtplib.SMTP):
    def getreply(self) -> tuple[int, bytes]:
        """A reply of any length: its first three octets say what was done with the mail (RFC 5321, 4.2.1)."""
        if self.file is None and self.sock is not None:
            self.file = _Replies(self.sock.makefile("rb"))
        return super().getreply()


class _OverTls(_Plain, smtplib.SMTP_SSL):
    pass


def _introduce(smtp: smtplib.SMTP) -> None:
    """EHLO, and HELO to a server that does not know it (RFC 5321, 3.2). Raises SMTPHeloError with the reply. (smtplib
    tries HELO after every reply, and a server that closes the connection for now has none for that.)
    """
    code, words = smtp.ehlo()
    if code >= 500:
        code, words = smtp.helo()
    if not _is_yes(code):
        raise smtplib.SMTPHeloError(code, words)


def _present_token(smtp: smtplib.SMTP, user: str, token: str) -> None:
    """Log in with an OAuth2 access token (XOAUTH2). Raises SMTPAuthenticationError."""
    words = f"user={user}\x01auth=Bearer {token}\x01\x01"

    def answer(challenge: bytes | None = None) -> str:
        return words if challenge is None else ""  # a challenge reports an error and expects an empty response

    smtp.auth("XOAUTH2", answer)


_Begin: TypeAlias = Callable[[_Connection, bytes, str, str], None]
"""The commands with which a mail, of this content, from and to these addresses, is begun."""


def _address(connection: _Connection, content: bytes, envelope_from: str, recipient: str) -> None:
    """MAIL and RCPT. Raises _Refusal, or OSError or SMTPException when the connection breaks."""
    smtp = connection.smtp
    envelope_from, recipient, options = _addressed(smtp, envelope_from, recipient)
    if smtp.has_extn("size"):
        options.append(f"SIZE={len(content)}")
    if smtp.has_extn("8bitmime") and not content.isascii():
        options.append("BODY=8BITMIME")
    code, text = smtp.docmd("MAIL", " ".join((f"FROM:<{envelope_from}>", *options)))
    if not _is_yes(code):
        raise _Refusal("MAIL", code, text)
    code, text = smtp.docmd("RCPT", f"TO:<{recipient}>")
    if not _is_yes(code):
        raise _Refusal("RCPT", code, text)


def _taken(smtp: smtplib.SMTP) -> str:
    """The reply to a mail that was sent whole; raises as `_address` does. Only three digits of which the first is 2, 4
    or 5 are one (RFC 5321, 4.2.1); anything else, and 421, says nothing about the mail.
    """
    code, text = smtp.getreply()
    if _is_yes(code):
        return _one_line(code, text)
    if 400 <= code < 600 and code != _SHUTS_DOWN:
        raise _Refusal("DATA", code, text)
    raise smtplib.SMTPResponseException(code, text)


def _is_yes(code: int) -> bool:
    """Whether a reply says that a command was done: its first digit does (RFC 5321, 4.2.1)."""
    return 200 <= code < 300


def _stuffed(content: bytes) -> bytes:
    """With another dot before each line that begins with one, and the dot that ends it (RFC 5321, 4.5.2). (What smtplib
    does to each line takes most of the time.)
    """
    return b"." * content.startswith(b".") + content.replace(b"\r\n.", b"\r\n..") + b".\r\n"


def _addressed(smtp: smtplib.SMTP, envelope_from: str, recipient: str) -> tuple[str, str, list[str]]:
    """The two addresses as this server accepts them, and the options of MAIL they need (RFC 6531 3.4)."""
    if envelope_from.isascii() and recipient.isascii():
        return envelope_from, recipient, []
    if smtp.has_extn("smtputf8"):
        return envelope_from, recipient, ["SMTPUTF8"]
    plain = [_with_ascii_domain(envelope_from), _with_ascii_domain(recipient)]
    if not all(address.isascii() for address in plain):
        raise _Refusal("RCPT", 553, f"5.6.7 our mail server does not offer SMTPUTF8, which {recipient!r} needs")
    return plain[0], plain[1], []


def _with_ascii_domain(address: str) -> str:
    local, at, domain = address.rpartition("@")
    return f"{local}{at}{ascii_domain(domain)}"


def _is_usable(kept: _Connection) -> bool:
    if time.monotonic() - kept.used_at > KEPT_SECONDS:
        return False
    try:
        kept.refused = kept.refused and kept.smtp.rset()[0] != 250
    except (OSError, smtplib.SMTPException):
        return False
    return not kept.refused


def _quit(connection: _Connection) -> None:
    try:
        connection.set_timeout(QUIT_SECONDS)
        connection.smtp.quit()
    except (OSError, smtplib.SMTPException):
        connection.smtp.close()


def _bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return _one_line(error.smtp_code, _bytes(error.smtp_error))
    return " ".join(str(error).split())[:_LONGEST_REASON] or type(error).__name__


def _one_line(code: int, text: bytes) -> str:
    return f"{code} {' '.join(text.decode('utf-8', 'replace').split())}"[:_LONGEST_REASON]


class Transport(Protocol):
    """A way to deliver mail. `deliver`, for several threads, returns what was said when the mail was accepted."""

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> str: ...

    def close(self) -> None: ...


class Sender:
    """Delivers mail as `settings` say.

    `hostname` is our name at EHLO. With a `signer` each mail is signed before it is sent.
    `note` is told each cap of the mail server that is learned or lifted.
    """

    def __init__(
        self,
        settings: SendSettings,
        *,
        hostname: str | None = None,
        tls: ssl.SSLContext | None = None,
        timeouts: Timeouts = USUAL,
        signer: Signer | None = None,
        note: Callable[[Cap], None] = lambda _: None,
    ) -> None:
        self._signer = signer
        self._transport: Transport = (
            MaildirTransport(settings.maildir)
            if settings.kind == "maildir"
            else SmtpTransport(settings, hostname=hostname, tls=tls, timeouts=timeouts, note=note)
        )

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> str:
        """Deliver `raw` to `recipient`; the null return path is "". Returns the reply of the mail server; raises
        DeliveryDeferred (retry later) or DeliveryRefused (final), both with an explanation for the operator.
        """
        if parse_address(recipient) is None:
            raise DeliveryRefused(f"{recipient!r} is not a mail address.")
        signed = self._signer.sign(raw) if self._signer is not None else raw
        return self._transport.deliver(signed, envelope_from, recipient)

    def close(self) -> None:
        """Close open connections; the next `deliver` opens a new one."""
        self._transport.close()
