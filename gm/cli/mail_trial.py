"""A mail to the server itself: sent as the server sends, to an address like that of a seat, and awaited where the
server takes its mail. `gm check --mail` and `gm init` try it.
"""

from __future__ import annotations

import imaplib
import queue
import secrets
import time
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import localtime, make_msgid

from gm.errors import ConfigurationError, DeliveryDeferred, DeliveryRefused
from gm.mail.message.mime import Headers
from gm.mail.message.trace import RESULTS, read_results
from gm.mail.transport.imap import ImapFolder
from gm.mail.transport.listener import Listener
from gm.mail.transport.smtp_out import SmtpTransport
from gm.server.condition import Finding
from gm.settings import ImapSettings, ListenSettings, Settings
from gm.store.copying import is_there
from gm.store.database import Database
from gm.store.inbox import ArrivedMail
from gm.store.presence import is_served

WAIT_SECONDS = 90.0
"""How long a mail may take from us to us."""

_LOOK_SECONDS = 1.0
_HEAD = 20_000


def mail_trial(settings: Settings, seconds: float = WAIT_SECONDS) -> Iterator[Finding]:
    """Send the mail and wait for it; what came is not answered."""
    with Database(settings.database.url) as database:
        if is_there(database) and is_served(database):
            yield Finding("a mail", "The server is running, and would take the mail.", "Stop it, and try again.")
            return
    try:
        came = _by_mailbox(settings, settings.imap, seconds) if settings.imap else _by_listener(settings, seconds)
    except (DeliveryDeferred, DeliveryRefused, ConfigurationError) as error:
        yield Finding("a mail", error.problem, error.remedy or "Correct [send], or start the server in it.")
    except (OSError, imaplib.IMAP4.error) as error:
        yield Finding("a mail", f"The mailbox cannot be read ({error}).", "Correct [imap].")
    else:
        to = _address(settings, "...")
        if came is not None:
            yield Finding("a mail", f"sent to {to}, and it arrived")
            yield from _who_checks(settings, came)
        else:
            words = f"It was accepted for {to}, but did not arrive within {seconds:.0f} seconds."
            yield Finding("a mail", words, _advice(settings))


def _who_checks(settings: Settings, came: bytes) -> Iterator[Finding]:
    """The server in front that has noted in the mail what it found out about its sender, if the settings name none."""
    trust = settings.trust
    name = read_results(Headers.of(came).first(RESULTS))[0]
    if name and settings.imap is not None and trust.level != "open" and not trust.authserv_ids:
        words = f"{name} has checked who sent that mail, and the settings do not say that it is believed."
        remedy = f'If that is your provider\'s server, write authserv_ids = ["{name}"] in [trust].'
        yield Finding("trust", words, remedy, urgent=False)


def _advice(settings: Settings) -> str:
    if settings.imap is None:
        return "See the log of the mail server in front: it must deliver to [listen]."
    plus = (
        "; if you+test@... does not arrive there either, set plus_addressing = false" * settings.server.plus_addressing
    )
    return f"Look for it in the mailbox and its spam folder{plus}."


def _address(settings: Settings, mark: str) -> str:
    """An address like that of a seat."""
    own = settings.server.address
    return own.replace("@", f"+check.{mark}@") if settings.server.plus_addressing else own


def _send(settings: Settings, mark: str) -> None:
    """Send the mail; to a server that keeps its answers in Maildirs it goes as players' mail does."""
    own, to, send = settings.server.address, _address(settings, mark), settings.send
    if send.kind == "maildir" and settings.listen is not None:
        send = replace(
            send, kind="smtp", host=settings.listen.host or "127.0.0.1", port=settings.listen.port, tls="none"
        )
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = own, to, f"gm check {mark}"
    message["Date"], message["Message-ID"] = localtime(), make_msgid(domain=own.partition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("A trial of the way out and the way in.\n")
    transport = SmtpTransport(send, hostname=own.partition("@")[2])
    try:
        transport.deliver(message.as_bytes(), own, to)
    finally:
        transport.close()


def _by_listener(settings: Settings, seconds: float) -> bytes | None:
    """The mail, if it came."""
    listen = settings.listen or ListenSettings()
    mark, arrived = secrets.token_hex(6), queue.Queue[ArrivedMail]()
    to = _address(settings, mark)
    with Listener(listen, accept=arrived.put, knows=lambda address: address.lower() == to):
        _send(settings, mark)
        try:
            return arrived.get(timeout=seconds).raw
        except queue.Empty:
            return None


def _by_mailbox(settings: Settings, imap: ImapSettings, seconds: float) -> bytes | None:
    """The beginning of the mail, if it came."""
    mark = secrets.token_hex(6)
    with ImapFolder(imap) as folder:
        first = folder.uidnext
        _send(settings, mark)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for waiting in tuple(folder.waiting(first)):
                if mark.encode() in (came := folder.fetch(waiting.uid, _HEAD) or b""):
                    folder.put_away(waiting.uid)
                    return came
            time.sleep(_LOOK_SECONDS)
    return None
