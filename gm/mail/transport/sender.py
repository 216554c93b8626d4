"""Sending one mail to one recipient, by the transport that the settings name.

Place: the service's outbox loop is handed a Sender and calls `deliver` for each row that is due. What was tried and
when it is tried again is the outbox's matter; here a mail is delivered, put off (DeliveryDeferred) or refused
(DeliveryRefused).
"""

from __future__ import annotations

import ssl
from typing import Protocol

from gm.errors import DeliveryDeferred, DeliveryRefused
from gm.mail.transport.maildir import MaildirTransport
from gm.mail.transport.signing import Signer
from gm.mail.transport.smtp import TAKING_TIMEOUT, TIMEOUT, SmtpTransport
from gm.settings import SendSettings

__all__ = ["DeliveryDeferred", "DeliveryRefused", "Sender", "Transport"]


class Transport(Protocol):
    """A way out. `deliver` returns when the mail is in other hands; it may be called by several threads."""

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None: ...

    def close(self) -> None: ...


class Sender:
    """Delivers mail as `settings` say.

    `hostname` is our name at EHLO; the server has `timeout` seconds for each answer, `taking_timeout` for the last.
    With a `signer` each mail is signed as it leaves.
    """

    def __init__(
        self,
        settings: SendSettings,
        *,
        hostname: str | None = None,
        tls: ssl.SSLContext | None = None,
        timeout: float = TIMEOUT,
        taking_timeout: float = TAKING_TIMEOUT,
        signer: Signer | None = None,
    ) -> None:
        self._signer = signer
        self._transport: Transport = (
            MaildirTransport(settings.maildir)
            if settings.kind == "maildir"
            else SmtpTransport(settings, hostname=hostname, tls=tls, timeout=timeout, taking_timeout=taking_timeout)
        )

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        """Deliver `raw` to `recipient`; the null return path is "".

        Raises DeliveryDeferred (try again later) or DeliveryRefused (never), both with words for the operator.
        """
        if not recipient.isprintable() or " " in recipient or "@" not in recipient:
            raise DeliveryRefused(f"{recipient!r} is no mail address.")
        signed = self._signer.sign(raw) if self._signer is not None else raw
        self._transport.deliver(signed, envelope_from, recipient)

    def close(self) -> None:
        """Close what is kept open; the next `deliver` opens it again."""
        self._transport.close()
