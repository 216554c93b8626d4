"""Sending one mail to one recipient, by the transport that the settings name: a mail server, or Maildirs.

When a mail is tried again is the outbox's matter; here it is delivered, deferred (DeliveryDeferred) or refused
(DeliveryRefused).

Maildirs, one for each recipient, are for the demonstration, for tests, and for trying out a server. Any mail client
reads them (`mutt -f mail/ann@example.org`). A mail is in `new/` when its bytes are on the disk.
"""

from __future__ import annotations

import hashlib
import mailbox
import ssl
import threading
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from gm.errors import DeliveryDeferred, DeliveryRefused
from gm.mail.message.addresses import parse_address
from gm.mail.transport.signing import Signer
from gm.mail.transport.smtp_client import USUAL, SmtpTransport, Timeouts
from gm.settings import SendSettings

__all__ = ["DeliveryDeferred", "DeliveryRefused", "Sender", "Transport"]

_LONGEST = 200
"""Of a folder's name, in bytes; file systems allow 255."""


class Transport(Protocol):
    """A way to deliver mail. `deliver` returns when the mail was accepted; it may be called by several threads."""

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None: ...

    def close(self) -> None: ...


class Sender:
    """Delivers mail as `settings` say.

    `hostname` is our name at EHLO. With a `signer` each mail is signed before it is sent.
    """

    def __init__(
        self,
        settings: SendSettings,
        *,
        hostname: str | None = None,
        tls: ssl.SSLContext | None = None,
        timeouts: Timeouts = USUAL,
        signer: Signer | None = None,
    ) -> None:
        self._signer = signer
        self._transport: Transport = (
            MaildirTransport(settings.maildir)
            if settings.kind == "maildir"
            else SmtpTransport(settings, hostname=hostname, tls=tls, timeouts=timeouts)
        )

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        """Deliver `raw` to `recipient`; the null return path is "".

        Raises DeliveryDeferred (retry later) or DeliveryRefused (final), both with an explanation for the operator.
        """
        if parse_address(recipient) is None:
            raise DeliveryRefused(f"{recipient!r} is not a mail address.")
        signed = self._signer.sign(raw) if self._signer is not None else raw
        self._transport.deliver(signed, envelope_from, recipient)

    def close(self) -> None:
        """Close open connections; the next `deliver` opens a new one."""
        self._transport.close()


def maildir_of(root: Path, address: str) -> Path:
    """The Maildir of `address` below `root`. Addresses that differ only in case share one.

    Every character that could leave the folder or be misread is written as %XX, and so is a leading dot.
    """
    name = quote(address.strip().lower(), safe="@+=_-.")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) > _LONGEST:
        name = f"{name[: _LONGEST - 33]}~{hashlib.sha256(name.encode()).hexdigest()[:32]}"
    return root / (name or "%00")


class MaildirTransport:
    """Delivers below `root`, which is created if necessary. May be used by several threads."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        """Write one mail, with the envelope as header fields (RFC 5321 4.4). Raises DeliveryDeferred."""
        envelope = f"Return-Path: <{envelope_from}>\r\nDelivered-To: {recipient}\r\n".encode()
        try:
            with self._lock:
                maildir = maildir_of(self._root, recipient)
                for part in ("tmp", "new", "cur"):  # mailbox creates none if the folder exists, even an incomplete one
                    (maildir / part).mkdir(parents=True, exist_ok=True)
                mailbox.Maildir(maildir).add(envelope + raw)
        except (OSError, mailbox.Error) as error:
            raise DeliveryDeferred(f"the Maildir of {recipient!r} cannot be written: {error}") from error

    def close(self) -> None:
        """There is nothing to close."""
