"""The IMAP poller: takes mail from a folder into the inbox, by IDLE where the server offers it.

Each message is read without marking it, accepted (which commits it), and only then moved to the folder for processed
mail. If the poller is killed in between, it meets the message again, accept recognizes the duplicate by its key
(account, folder, UIDVALIDITY, UID) or its content, and it is moved. A changed UIDVALIDITY only changes the keys.

`ImapFolder` is the dialogue with the server, `ImapPoller` decides what is taken when; it is a step, which
`gm.cli.working`
runs in a thread.

Long because the dialogue and what is taken when share the same connection and its failures.
"""

from __future__ import annotations

import contextlib
import logging
import random
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from gm.errors import ConfigurationError, log_failure
from gm.mail.message.trace import THIS_MACHINE, Relays
from gm.mail.transport import SETTLING, Accept, trust_it, utc_now
from gm.mail.transport.tokens import access_token
from gm.settings import ImapSettings
from gm.store.inbox import SPAM, ArrivedMail, ImapKey

log = logging.getLogger(__name__)

# At level DEBUG the library logs whole messages.
logging.getLogger("imapclient").setLevel(logging.INFO)

CONNECT_SECONDS = 30.0
READ_SECONDS = 60.0

RENEW_SECONDS = 540.0
"""The longest IDLE: servers and address translators drop connections that are silent for longer."""

_WAKE_SECONDS = 0.25
"""How often a wait for mail checks whether to end."""

_EARLY = 8
"""This many empty answers in a row before their time mean that the connection is dead. (A few are normal: TLS has
records of its own.)"""

_CHUNK = 100

_HEAD = 20_000  # octets of a message that show whom it is for

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
LOGIN_PAUSE = 60.0
"""Seconds before a refused log-in is retried; servers lock out those who retry faster."""

SETTLING_SECONDS = 1.0
SETTLING_POLLS = 2
"""After connecting and after every arrival the folder is polled twice more, a second apart, before the long wait.
Dovecot takes a Maildir for unchanged if a mail arrived at the very moment of a scan, does not report it in IDLE, and
finds it at a command two seconds later."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message in the folder: `size` in bytes, `arrived` (aware) when the server received it."""

    uid: int
    size: int
    arrived: datetime


class ImapFolder:
    """The folder `settings.folder`, opened for reading and moving. The folder for processed mail is created if missing.

    Every method raises OSError or IMAPClientError (imaplib's `error`) when the connection fails; that connection is not
    used again.
    """

    def __init__(
        self, settings: ImapSettings, *, tls: ssl.SSLContext | None = None, read_seconds: float = READ_SECONDS
    ) -> None:
        self._done = settings.done_folder
        self.copied: set[int] = set()
        """The UIDs of messages that lie in the folder for processed mail, too, and are not marked as deleted here."""
        self._client = _connect(settings, tls, read_seconds)
        try:
            self._client.normalise_times = False  # aware times, not in the machine's zone
            if settings.oauth2 is not None:
                self._client.oauth2_login(settings.user, access_token(settings.oauth2))
            else:
                self._client.login(settings.user, settings.password)
            if not self._client.folder_exists(self._done):
                self._client.create_folder(self._done)
            selected = self._client.select_folder(settings.folder)
            if b"READ-ONLY" in selected:
                raise IMAPClientError(f"the folder {settings.folder!r} is read-only, and mail must be moved out of it")
            self.uidvalidity = int(selected[b"UIDVALIDITY"])
            self.uidnext = int(selected.get(b"UIDNEXT", 1))
        except BaseException:
            self.close()
            raise

    def waiting(self, first: int = 1) -> Iterator[Waiting]:
        """The messages in the folder from this UID on that are not marked as deleted, oldest first."""
        self._client.noop()  # Dovecot looks for new files at NOOP, but at SEARCH only every five seconds
        self._client._imap.response("EXISTS")  # announcements so far: the search will show these
        found_uids = self._client.search(["UNDELETED", "UID", f"{first}:*"])
        uids = sorted(uid for uid in found_uids if uid >= first)  # n:* always has the last message
        for start in range(0, len(uids), _CHUNK):
            found = self._client.fetch(uids[start : start + _CHUNK], ["RFC822.SIZE", "INTERNALDATE"])
            for uid, facts in sorted(found.items()):
                if b"RFC822.SIZE" in facts:
                    yield Waiting(uid, facts[b"RFC822.SIZE"], facts[b"INTERNALDATE"])

    def first_since(self, moment: datetime) -> int:
        """The first UID of the messages at the end of the folder that came since then; UIDNEXT if there are none."""
        first, uids = self.uidnext, sorted(self._client.search(["ALL"]), reverse=True)
        for start in range(0, len(uids), _CHUNK):
            found = self._client.fetch(uids[start : start + _CHUNK], ["INTERNALDATE"])
            for uid, facts in sorted(found.items(), reverse=True):
                if facts[b"INTERNALDATE"] < moment.replace(microsecond=0):
                    return first
                first = uid
        return first

    def has_news(self) -> bool:
        """Whether the server has announced arrivals since `waiting` searched. IDLE would not announce them again."""
        said: Sequence[object] = self._client._imap.response("EXISTS")[1]
        return said != [None]

    def fetch(self, uid: int, most: int | None = None) -> bytes | None:
        """The message, or its first `most` bytes; None if it is gone. It is not marked as read."""
        part = "" if most is None else f"<0.{most}>"
        facts: dict[bytes, Any] = self._client.fetch([uid], [f"BODY.PEEK[]{part}"]).get(uid, {})
        body = facts.get(b"BODY[]", facts.get(b"BODY[]<0>"))
        return body if isinstance(body, bytes) else None

    def put_away(self, uid: int) -> None:
        """Move a message to the folder for processed mail, which is made again if somebody renamed or deleted it."""
        try:
            self._move(uid)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            wanted = "TRYCREATE" in str(error).upper()  # RFC 3501, 7.1; some do not say so, and some list what is gone
            if not wanted and self._client.folder_exists(self._done):
                raise
            self._client.create_folder(self._done)
            self._move(uid)

    def _move(self, uid: int) -> None:
        """By MOVE (RFC 6851), else by COPY and UID EXPUNGE (RFC 4315), else by COPY and the mark \\Deleted, since a
        plain EXPUNGE would also remove what others have marked. What was copied and could not be marked is not copied
        again.
        """
        if self._client.has_capability("MOVE"):
            self._client.move([uid], self._done)
            return
        if uid not in self.copied:
            self._client.copy([uid], self._done)
            self.copied.add(uid)
        self._client.add_flags([uid], [b"\\Seen", b"\\Deleted"], silent=True)
        self.copied.discard(uid)
        if self._client.has_capability("UIDPLUS"):
            self._client.uid_expunge([uid])

    def watch(self, woken: threading.Event, stop: threading.Event) -> None:
        """Wait until mail arrives, IDLE is to be renewed or `woken` is set; without IDLE (RFC 2177) until it is set.

        With `stop` set the connection is not used any more.
        """
        if not self._client.has_capability("IDLE"):
            woken.wait()
            return
        end = time.monotonic() + RENEW_SECONDS
        self._client.idle()
        early = 0
        while not woken.is_set() and (left := end - time.monotonic()) > 0:
            asked, span = time.monotonic(), min(left, _WAKE_SECONDS)
            said = self._client.idle_check(timeout=span)
            if any(b"BYE" in line[:1] for line in said):
                raise IMAPClientAbortError("the server closed the connection")
            if any(b"EXISTS" in line for line in said):
                break
            early = early + 1 if not said and time.monotonic() - asked < span / 2 else 0
            if early >= _EARLY:
                raise IMAPClientAbortError("the server is gone")
        if not stop.is_set():
            self._client.idle_done()

    def close(self) -> None:
        """Drop the connection, at once."""
        _drop(self._client)

    def __enter__(self) -> ImapFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _connect(settings: ImapSettings, tls: ssl.SSLContext | None, read_seconds: float) -> IMAPClient:
    """A connection, not logged in; certificates are verified by the default context."""
    context = tls if settings.tls == "none" else tls or ssl.create_default_context()
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


class Pauses:
    """Exponential back-off with jitter."""

    def __init__(self) -> None:
        self._span = FIRST_PAUSE

    def after_success(self) -> None:
        self._span = FIRST_PAUSE

    def after_failure(self, least: float = 0.0) -> float:
        """Seconds to wait now; the next wait is twice as long."""
        span, self._span = self._span, min(2 * self._span, LONGEST_PAUSE)
        return max(least, random.uniform(span / 2, span))  # noqa: S311  no secret


Since = Callable[[str, str, int, int], int]
"""Given account, folder, UIDVALIDITY and the first UID since this server was set up: the first one that came when a
server was there to read it."""


class Copies(Protocol):
    """Keeps which mails were copied to the folder for processed mail, and could not be marked as deleted where they
    lie.
    """

    def of(self, account: str, folder: str, uidvalidity: int) -> set[int]:
        """The UIDs of those in a folder."""
        ...

    def note(self, key: ImapKey, *, copied: bool) -> None:
        """Note that a mail is one of them, or is no more."""
        ...


class CopiesInMemory:
    """For as long as the poller lives."""

    def __init__(self) -> None:
        self._keys: set[ImapKey] = set()

    def of(self, account: str, folder: str, uidvalidity: int) -> set[int]:
        """See `Copies`."""
        return {key.uid for key in self._keys if key == ImapKey(account, folder, uidvalidity, key.uid)}

    def note(self, key: ImapKey, *, copied: bool) -> None:
        """See `Copies`."""
        (self._keys.add if copied else self._keys.discard)(key)


_ADDED = 65_536
"""How many bytes mail servers may add to a mail: a copy of one that came by SMTP must not look like another mail."""


class ImapPoller:
    """Takes the mail from one folder, at each step what lies there; `stop` ends a step under way.

    `accept` commits a mail and returns, or raises; then the mail stays in the folder and is retried after a pause. Of a
    message larger than `max_size` bytes, and what mail servers may have added, no more is accepted: so it is recognized
    as too large and its sender notified, and the rest is never fetched. The time of receipt is the mail server's, so
    mail that arrived while we were down counts from its arrival.

    Mail that `since` says is older than the server stays where it is. So does all mail of which `wanted` does not
    approve, given its first bytes: a spam folder holds little that is for us.
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
        since: Since | None = None,
        began: datetime | None = None,
        wanted: Callable[[bytes], bool] | None = None,
        relays: Relays = THIS_MACHINE,
        copies: Copies | None = None,
    ) -> None:
        self._copies = CopiesInMemory() if copies is None else copies
        self._relays = relays
        self._drained: datetime | None = None
        self._left_out = False
        """Whether a mail in the folder could not be stored at the last look."""
        self._settings = settings
        self._accept = accept
        self._stop = stop
        self._max_size = max_size
        self._tls = tls
        self._now = now
        self._began: datetime | None = began or now()
        """When this server was set up, or started; None once it is known which message was the first since then."""
        self._read_seconds = read_seconds
        self._account = f"{settings.user}@{settings.host}"
        self._since = since
        self._wanted = wanted
        self._first = 1
        self._unwanted: set[ImapKey] = set()
        self._accepted: set[ImapKey] = set()
        """Accepted, but not yet moved out of the folder."""
        self._troubles: Counter[int] = Counter()
        """By UID, how often the connection failed over a message: such messages are taken last."""
        self._folder: ImapFolder | None = None
        self._pauses = Pauses()
        self._quiet = 0
        """How many steps in a row, over this connection, found no mail."""
        self._left_lying = False
        """Whether a mail in the folder could not be stored or moved, and must be retried."""
        self.trouble = ""
        """Why mail in the folder is not taken, for the operator, or not moved away; "" if it is."""
        self.taken = True
        """Whether mail is taken in spite of the trouble."""

    def step(self, now: datetime) -> datetime:
        """Accept everything in the folder, over the open connection or a new one. Returns when to look again.

        Raises nothing: a connection that fails is dropped; the next step, after a pause, makes another.
        """
        least = 0.0
        try:
            return now + timedelta(seconds=self._look())
        except LoginError as error:
            self._say(f"The log-in was refused ({error}); correct user and password in [imap].")
            log.error("%s: %s", self._account, self.trouble)
            least = LOGIN_PAUSE
        except ConfigurationError as error:
            self._say(str(error))
            log.error("%s: %s", self._account, error)
            least = LOGIN_PAUSE
        except (IMAPClientError, OSError) as error:
            self._say(f"The connection failed ({error}). {trust_it(error)}".rstrip())
            log.warning("%s: the connection failed (%s)", self._account, error)
        except Exception as error:
            self._say(f"An unexpected error: {error!r}; see the log.")
            log.exception("%s: unexpected error", self._account)
        self.close()
        return now + timedelta(seconds=self._pauses.after_failure(least))

    # ---- a way in (`gm.machine.ways_in`)

    shared = True

    @property
    def name(self) -> str:
        """What tells this way in from all others."""
        return f"imap {self._account}/{self._settings.folder}"

    def begin(self, drained: datetime | None, now: datetime) -> None:  # noqa: ARG002
        """Begin to count. `drained` is until when the folder was read before, by whomever."""
        self._drained = max(filter(None, (drained, self._drained)), default=None)

    def drained(self, now: datetime) -> datetime | None:  # noqa: ARG002
        """Until when all mail that came into the folder is in the inbox."""
        return self._drained

    @property
    def is_connected(self) -> bool:
        """Whether a look into the folder costs no log-in."""
        return self._folder is not None

    def watch(self, woken: threading.Event) -> None:
        """Wait between two steps until mail arrives or `woken` is set. Without IDLE, and while a mail waits to be
        retried, only until `woken` is set."""
        if self._folder is None or self._left_lying:
            woken.wait()
            return
        try:
            self._folder.watch(woken, self._stop)
        except (IMAPClientError, OSError) as error:
            log.warning("%s: the connection failed (%s)", self._account, error)
            self.close()
            woken.wait(self._pauses.after_failure())

    def close(self) -> None:
        """Drop the connection; the next step makes another."""
        if self._folder is not None:
            self._folder.close()
            self._folder = None

    def _look(self) -> float:
        """Accept what lies in the folder. Returns the seconds until the next look."""
        if self._folder is None:
            self._folder = ImapFolder(self._settings, tls=self._tls, read_seconds=self._read_seconds)
            log.info("%s: connected", self._account)
            self._quiet = 0
            place = self._account, self._settings.folder
            self._folder.copied = self._copies.of(*place, self._folder.uidvalidity)
            if self._since is not None:
                came = self._folder.first_since(self._began) if self._began is not None else self._folder.uidnext
                self._first, self._began = self._since(*place, self._folder.uidvalidity, came), None
        begun, self._left_out = self._now(), False
        met, complete = self._collect(self._folder)
        if not self._left_out and not self._stop.is_set():
            self._drained = begun - SETTLING
        self._left_lying = not complete
        if not complete:
            return self._pauses.after_failure()
        self._say("", taken=True)
        self._pauses.after_success()
        self._quiet = 0 if met else self._quiet + 1
        longest = self._settings.poll_seconds
        return longest if self._quiet > SETTLING_POLLS else min(SETTLING_SECONDS, longest)

    def _say(self, trouble: str, *, taken: bool = False) -> None:
        self.trouble, self.taken = trouble, taken

    def _collect(self, folder: ImapFolder) -> tuple[int, bool]:
        """Accept everything in the folder: the number of messages, and False if one must be retried."""
        met: set[int] = set()
        complete = True
        while True:
            fresh = [waiting for waiting in folder.waiting(self._first) if waiting.uid not in met]
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
        """Accept one message and move it away; False if it is still there."""
        key = ImapKey(self._account, self._settings.folder, folder.uidvalidity, waiting.uid)
        if key in self._unwanted:
            return True
        if self._wanted is not None and not self._wanted(folder.fetch(waiting.uid, _HEAD) or b""):
            self._unwanted.add(key)
            return True
        if key not in self._accepted:
            most = self._max_size + _ADDED
            raw = folder.fetch(waiting.uid, most if waiting.size > most else None)
            if raw is None:
                return True  # another client moved it
            try:
                arrived = min(waiting.arrived.astimezone(UTC), self._now())
                received = self._relays.received(raw, arrived)
                source = "imap" if self._wanted is None else SPAM
                self._accept(ArrivedMail(source, raw, received, arrived_at=arrived, imap=key))
            except Exception as error:
                self._left_out = True
                self._say(f"Message {waiting.uid} could not be stored; see the log.")
                log_failure(log, error, "%s: message %d could not be stored", self._account, waiting.uid)
                return False
            self._accepted.add(key)
        try:
            self._put_away(folder, key)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            done = self._settings.done_folder
            words = f"Message {waiting.uid} was accepted, but cannot be moved to the folder {done!r} ({error})."
            self._say(words, taken=not self._left_out)
            log.error("%s: %s", self._account, self.trouble)
            return False
        self._accepted.discard(key)
        return True

    def _put_away(self, folder: ImapFolder, key: ImapKey) -> None:
        """Move a message that was accepted; what fails between the copy and the mark is kept for the next try."""
        before = key.uid in folder.copied
        try:
            folder.put_away(key.uid)
        finally:
            if (copied := key.uid in folder.copied) is not before:
                self._copies.note(key, copied=copied)
