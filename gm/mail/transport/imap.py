"""The IMAP poller: takes mail out of a folder into the inbox, by IDLE where there is IDLE.

Each message is read without marking it, accepted (which commits it), and only then moved to the folder for done mail.
Killed between the two, the poller meets the message again, accept finds it to be a duplicate by its key (account,
folder, UIDVALIDITY, UID) or its content, and it is moved. A changed UIDVALIDITY makes other keys and no other effect.

Place: `gm.cli.serve` runs it in a thread. The dialogue with the server stands in `gm.mail.transport.folder`.
"""

from __future__ import annotations

import logging
import random
import ssl
import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from gm.errors import ConfigurationError
from gm.mail.transport.arrivals import Accept, utc_now
from gm.mail.transport.folder import READ_SECONDS, ImapFolder, Waiting
from gm.settings import ImapSettings
from gm.store.inbox import ArrivedMail, ImapKey

log = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
LOGIN_PAUSE = 60.0
"""Seconds before a refused log-in is tried again; who knocks faster is locked out."""

SETTLING_SECONDS = 1.0
SETTLING_POLLS = 2
"""After a connection and after every arrival the folder is looked into twice again, a second apart, before the long
wait. Dovecot takes a Maildir for unchanged when a mail arrived in the very moment of a scan, tells of it in no IDLE,
and sees it again at a command that comes two seconds later."""


class Pauses:
    """Growing pauses between attempts, with jitter so that many pollers do not knock at once."""

    def __init__(self) -> None:
        self._span = FIRST_PAUSE

    def after_success(self) -> None:
        self._span = FIRST_PAUSE

    def after_failure(self, least: float = 0.0) -> float:
        """Seconds to wait now; the next wait is twice as long."""
        span, self._span = self._span, min(2 * self._span, LONGEST_PAUSE)
        return max(least, random.uniform(span / 2, span))  # noqa: S311  no secret


class ImapPoller:
    """Takes in the mail of one folder until `stop` is set.

    `accept` commits a mail and returns, or raises; a mail it raised for stays and is tried again after a pause. Of a
    message above `max_size` octets the first `max_size + 1` are handed over: whoever reads it sees that it is too
    large and can tell its sender, and the rest is never fetched. The time of receipt is the mail server's, so mail
    that came while we were down counts from its arrival.
    """

    def __init__(
        self,
        settings: ImapSettings,
        accept: Accept,
        stop: threading.Event,
        *,
        max_size: int = 1_000_000,
        tls: ssl.SSLContext | None = None,
        now: Callable[[], datetime] = utc_now,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        self.caught_up = threading.Event()
        """Set once everything that lay in the folder at the start is in."""
        self._settings = settings
        self._accept = accept
        self._stop = stop
        self._max_size = max_size
        self._tls = tls
        self._now = now
        self._read_seconds = read_seconds
        self._account = f"{settings.user}@{settings.host}"
        self._accepted: set[ImapKey] = set()
        """Taken in, and not yet out of the folder."""
        self._troubles: Counter[int] = Counter()
        """By UID, how often the connection failed over a message: such a message waits until all others are in."""

    def run(self) -> None:
        """Poll until `stop` is set; connect again whenever the connection fails. Raises nothing."""
        pauses = Pauses()
        while not self._stop.is_set():
            least = 0.0
            try:
                self._serve(pauses)
            except LoginError as error:
                log.error("%s: the log-in was refused (%s); mend user and password in [imap]", self._account, error)
                least = LOGIN_PAUSE
            except ConfigurationError as error:
                log.error("%s: %s", self._account, error)
                least = LOGIN_PAUSE
            except (IMAPClientError, OSError) as error:
                log.warning("%s: the connection failed (%s)", self._account, error)
            except Exception:
                log.exception("%s: the poller met an error of ours", self._account)
            if not self._stop.is_set():
                self._stop.wait(pauses.after_failure(least))

    def _serve(self, pauses: Pauses) -> None:
        """One connection, until it fails or `stop` is set."""
        with ImapFolder(self._settings, tls=self._tls, read_seconds=self._read_seconds) as folder:
            log.info("%s: connected", self._account)
            quiet = 0
            while not self._stop.is_set():
                met, complete = self._collect(folder)
                if not complete:
                    self._stop.wait(pauses.after_failure())
                    continue
                self.caught_up.set()
                pauses.after_success()
                quiet = 0 if met else quiet + 1
                longest = self._settings.poll_seconds
                folder.watch(longest if quiet > SETTLING_POLLS else min(SETTLING_SECONDS, longest), self._stop)

    def _collect(self, folder: ImapFolder) -> tuple[int, bool]:
        """Take in everything that waits: how many messages were met, and False when one has to be tried again."""
        met: set[int] = set()
        complete = True
        while True:
            fresh = [waiting for waiting in folder.waiting() if waiting.uid not in met]
            if not fresh and not folder.has_news():
                return len(met), complete
            for waiting in sorted(fresh, key=lambda one: self._troubles[one.uid]):
                if self._stop.is_set():
                    return len(met), complete
                met.add(waiting.uid)
                self._troubles[waiting.uid] += 1
                complete = self._take(folder, waiting) and complete
                del self._troubles[waiting.uid]

    def _take(self, folder: ImapFolder, waiting: Waiting) -> bool:
        """Take in one message and move it away; False when it is still there."""
        key = ImapKey(self._account, self._settings.folder, folder.uidvalidity, waiting.uid)
        if key not in self._accepted:
            too_large = waiting.size > self._max_size
            raw = folder.fetch(waiting.uid, self._max_size + 1 if too_large else None)
            if raw is None:
                return True  # somebody else moved it
            try:
                arrived = min(waiting.arrived.astimezone(UTC), self._now())
                self._accept(ArrivedMail(source="imap", raw=raw, received_at=arrived, imap=key))
            except Exception:
                log.exception("%s: message %d could not be stored", self._account, waiting.uid)
                return False
            self._accepted.add(key)
        try:
            folder.put_away(waiting.uid)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            log.error(
                "%s: message %d was taken in and cannot be moved to %r (%s)",
                self._account, waiting.uid, self._settings.done_folder, error,
            )  # fmt: skip
            return False
        self._accepted.discard(key)
        return True
