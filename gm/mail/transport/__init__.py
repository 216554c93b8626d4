"""The transports: how mail comes in (SMTP, LMTP, IMAP) and how it goes out (SMTP, Maildir).

A transport passes each mail it receives, as bytes with an envelope, to an `Accept` function that commits it to the
inbox; mail to be sent is passed to it as bytes. `listener` and `conversation` receive SMTP and LMTP, `imap` polls a
mailbox, `smtp_out` delivers by SMTP or into Maildirs; `dmarc` signs and authenticates (DKIM, SPF, ARC,
DMARC). The wall clock may be read here, for the time of receipt.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from gm.store.inbox import ArrivedMail

Accept: TypeAlias = "Callable[[ArrivedMail], object]"
"""Commits the mail to the inbox and returns, whether it was new or a duplicate: either way it may be acknowledged. It
raises if the mail could not be stored. Called from several threads at once."""

SETTLING = timedelta(seconds=3)
"""Mail that was received longer ago has come through the servers in front, and is seen by a look into a mailbox."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def is_loopback(peer: str) -> bool:
    """Whether a machine's address is this machine's, or there is none (a local socket)."""
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return True


def trust_it(error: BaseException) -> str:
    """What to do about a mail server whose certificate is not trusted; "" about any other error."""
    return _TRUST_IT if isinstance(error, ssl.SSLCertVerificationError) else ""


_TRUST_IT = (
    "Its certificate must be for the name that is its host in gm.toml. One that no known authority has signed is"
    " trusted when this machine does: as root, `cp ITS.pem /usr/local/share/ca-certificates/its.crt; "
    " update-ca-certificates`, or let SSL_CERT_FILE name it, in the environment of gm check and of gm serve."
)
