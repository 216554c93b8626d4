"""Delivery into Maildirs of this machine, one for each recipient: for trying out, and for tests."""

from __future__ import annotations

import hashlib
import mailbox
import threading
from pathlib import Path
from urllib.parse import quote

from gm.errors import DeliveryDeferred

_LONGEST = 200
"""The longest name of a folder, in bytes; file systems allow 255."""


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

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> str:
        """Write one mail with its envelope (RFC 5321 4.4); the name of its file. Raises DeliveryDeferred."""
        envelope = f"Return-Path: <{envelope_from}>\r\nDelivered-To: {recipient}\r\n".encode()
        try:
            with self._lock:
                maildir = maildir_of(self._root, recipient)
                for part in ("tmp", "new", "cur"):  # mailbox creates none if the folder exists, even an incomplete one
                    (maildir / part).mkdir(parents=True, exist_ok=True)
                return mailbox.Maildir(maildir).add(envelope + raw)
        except (OSError, mailbox.Error) as error:
            raise DeliveryDeferred(f"the Maildir of {recipient!r} cannot be written: {error}") from error

    def close(self) -> None:
        """There is nothing to close."""
