"""Delivery into Maildirs, one for each recipient: for the demonstration, for tests, and for trying out a server.

Any mail client reads them (`mutt -f mail/ann@example.org`). A mail is in `new/` when its bytes are on the disk.
"""

from __future__ import annotations

import hashlib
import mailbox
import threading
from pathlib import Path
from urllib.parse import quote

from gm.errors import DeliveryDeferred

_LONGEST = 200
"""Of a folder's name, in octets; file systems allow 255."""


def maildir_of(root: Path, address: str) -> Path:
    """The Maildir of `address` below `root`. Addresses that differ only in case share one.

    Every character that could leave the folder or be misread is written as %XX, and so is a dot in front.
    """
    name = quote(address.strip().lower(), safe="@+=_-.")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) > _LONGEST:
        name = f"{name[: _LONGEST - 33]}~{hashlib.sha256(name.encode()).hexdigest()[:32]}"
    return root / (name or "%00")


class MaildirTransport:
    """Delivers below `root`, which is made when it is missing. May be used by several threads."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        """Write one mail, with the envelope above it as a mail server does (RFC 5321 4.4). Raises DeliveryDeferred."""
        envelope = f"Return-Path: <{envelope_from}>\r\nDelivered-To: {recipient}\r\n".encode()
        try:
            with self._lock:
                maildir = maildir_of(self._root, recipient)
                for part in ("tmp", "new", "cur"):  # mailbox makes none when the folder is there, be it half made
                    (maildir / part).mkdir(parents=True, exist_ok=True)
                mailbox.Maildir(maildir).add(envelope + raw)
        except (OSError, mailbox.Error) as error:
            raise DeliveryDeferred(f"the Maildir of {recipient!r} cannot be written: {error}") from error

    def close(self) -> None:
        """Nothing is kept open."""
