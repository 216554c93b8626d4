"""One folder on an IMAP server, over one connection: what lies in it, its bytes, and where it goes when it is done.

Every method raises OSError or IMAPClientError (imaplib's `error`) when the connection fails; such a connection is not
used again.
"""

from __future__ import annotations

import contextlib
import logging
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from gm.settings import ImapSettings

# At level DEBUG the library writes whole messages to its log.
logging.getLogger("imapclient").setLevel(logging.INFO)

CONNECT_SECONDS = 30.0
READ_SECONDS = 60.0

RENEW_SECONDS = 540.0
"""IDLE lasts no longer: servers and address translators forget connections that are silent for longer."""

_WAKE_SECONDS = 0.25
"""How often a wait for mail looks whether it is to stop."""

_EARLY = 8
"""So many empty answers before their time, one after another, come from a connection that is dead. (A few come from a
living one: TLS has records of its own.)"""

_CHUNK = 100


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message that lies in the folder: `size` in octets, `arrived` (aware) when the server received it."""

    uid: int
    size: int
    arrived: datetime


class ImapFolder:
    """The folder `settings.folder`, opened for reading and moving. The folder for done mail is made when missing."""

    def __init__(
        self, settings: ImapSettings, *, tls: ssl.SSLContext | None = None, read_seconds: float = READ_SECONDS
    ) -> None:
        self._done = settings.done_folder
        self._client = _connect(settings, tls, read_seconds)
        try:
            self._client.normalise_times = False  # aware times, not those of the machine's zone
            if settings.oauth2 is not None:
                self._client.oauth2_login(settings.user, settings.oauth2.read())
            else:
                self._client.login(settings.user, settings.password)
            if not self._client.folder_exists(self._done):
                self._client.create_folder(self._done)
            selected = self._client.select_folder(settings.folder)
            if b"READ-ONLY" in selected:
                raise IMAPClientError(f"the folder {settings.folder!r} can only be read, and mail must be moved out")
            self.uidvalidity = int(selected[b"UIDVALIDITY"])
        except BaseException:
            self.close()
            raise

    def waiting(self) -> Iterator[Waiting]:
        """What lies in the folder and is not marked as deleted, oldest first."""
        self._client.noop()  # Dovecot looks for new files at NOOP, and at a mere search only every five seconds
        self._client._imap.response("EXISTS")  # what it has said until now, the search will show
        uids = sorted(self._client.search("UNDELETED"))
        for start in range(0, len(uids), _CHUNK):
            found = self._client.fetch(uids[start : start + _CHUNK], ["RFC822.SIZE", "INTERNALDATE"])
            for uid, facts in sorted(found.items()):
                if b"RFC822.SIZE" in facts:
                    yield Waiting(uid, facts[b"RFC822.SIZE"], facts[b"INTERNALDATE"])

    def has_news(self) -> bool:
        """Whether the server has told of arrivals since `waiting` searched. IDLE would not tell of them again."""
        said: Sequence[object] = self._client._imap.response("EXISTS")[1]
        return said != [None]

    def fetch(self, uid: int, most: int | None = None) -> bytes | None:
        """The message, or its first `most` octets; None when it is there no longer. It is not marked as read."""
        part = "" if most is None else f"<0.{most}>"
        facts: dict[bytes, Any] = self._client.fetch([uid], [f"BODY.PEEK[]{part}"]).get(uid, {})
        body = facts.get(b"BODY[]", facts.get(b"BODY[]<0>"))
        return body if isinstance(body, bytes) else None

    def put_away(self, uid: int) -> None:
        """Move a message to the folder for done mail.

        By MOVE (RFC 6851), else by COPY and UID EXPUNGE (RFC 4315), else by COPY and the mark \\Deleted, since a plain
        EXPUNGE would also take what others have marked.
        """
        if self._client.has_capability("MOVE"):
            self._client.move([uid], self._done)
            return
        self._client.copy([uid], self._done)
        self._client.add_flags([uid], [b"\\Seen", b"\\Deleted"], silent=True)
        if self._client.has_capability("UIDPLUS"):
            self._client.uid_expunge([uid])

    def watch(self, seconds: float, stop: threading.Event) -> None:
        """Wait until mail arrives, `seconds` are over or `stop` is set; without IDLE (RFC 2177) for `seconds`."""
        if not self._client.has_capability("IDLE"):
            stop.wait(seconds)
            return
        end = time.monotonic() + min(seconds, RENEW_SECONDS)
        self._client.idle()
        early = 0
        while not stop.is_set() and (left := end - time.monotonic()) > 0:
            asked, span = time.monotonic(), min(left, _WAKE_SECONDS)
            said = self._client.idle_check(timeout=span)
            if any(b"BYE" in line[:1] for line in said):
                raise IMAPClientAbortError("the server said good-bye")
            if any(b"EXISTS" in line for line in said):
                break
            early = early + 1 if not said and time.monotonic() - asked < span / 2 else 0
            if early >= _EARLY:
                raise IMAPClientAbortError("the server is gone without a good-bye")
        if not stop.is_set():
            self._client.idle_done()

    def close(self) -> None:
        """Drop the connection, at once."""
        _drop(self._client)

    def __enter__(self) -> ImapFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _connect(settings: ImapSettings, tls: ssl.SSLContext | None, read_seconds: float) -> IMAPClient:
    """A connection, not logged in; certificates are verified by the default context."""
    context = tls or ssl.create_default_context()
    client = IMAPClient(
        settings.host,
        settings.port,
        ssl=settings.tls == "implicit",
        ssl_context=context if settings.tls == "implicit" else None,
        timeout=SocketTimeout(CONNECT_SECONDS, read_seconds),
    )
    if settings.tls == "starttls":
        try:
            client.starttls(context)
        except BaseException:
            _drop(client)
            raise
    return client


def _drop(client: IMAPClient) -> None:
    with contextlib.suppress(OSError):  # it is gone already
        client.shutdown()
