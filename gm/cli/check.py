"""`gm check`: checks the installation and reports problems.

It reads the settings, opens the database for reading, and logs in at the mail servers over real connections. It changes
nothing and sends nothing, so you can run it at any time, also while a server is running.
"""

from __future__ import annotations

import argparse
import imaplib
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gm.cli import load
from gm.cli.check_files import certificate, damage, files, gallery
from gm.cli.mail_trial import mail_trial
from gm.cli.serve import RunningServer
from gm.cli.service import service_of
from gm.errors import ConfigurationError, DeliveryDeferred, GmError
from gm.games.identity import ServerIdentity
from gm.inbound.acceptance import first_of_mailbox
from gm.mail.message.mime import Headers
from gm.mail.message.trace import RESULTS, read_results
from gm.mail.transport import trust_it
from gm.mail.transport.dmarc import LookupFailed, Signer, dns_records
from gm.mail.transport.imap import ImapFolder
from gm.mail.transport.smtp_out import KEPT_SECONDS, Busy, SmtpTransport, Timeouts
from gm.operation import Part
from gm.server import Server
from gm.server.condition import BACK, Asked, Finding, Of, inspected, last_line, mails
from gm.server.metrics import NAME
from gm.settings import CONFIGURATION, ImapSettings, Settings
from gm.store import inbox, mail_servers, outbox
from gm.store.database import Database
from gm.store.inbox import InboxState
from gm.store.mail_servers import Kind
from gm.store.presence import is_served, parts_run
from gm.variants import all_variants

GREETING_SECONDS = 5.0

TIMEOUT = 15.0
"""Seconds that a mail server may take to answer."""


def main(given: argparse.Namespace) -> int:
    """Print the findings; 1 when there is a problem."""
    return report(given.home, mail=given.mail)


TLS_VALUES = 'tls is "implicit" where TLS is spoken from the start, as at ports 993 and 465, "starttls" or "none".'


def report(home: Path, *, mail: bool) -> int:
    """Print the findings about the server in `home`; 1 when there is a problem."""
    problems = False
    for finding in findings(home, mail=mail):
        print(finding, flush=True)
        problems = problems or bool(finding.remedy and finding.urgent)
    return 1 if problems else 0


def findings(home: Path, *, mail: bool = False) -> Iterator[Finding]:
    """All findings about the server in `home`, in the order in which problems should be solved."""
    try:
        settings = load(home)
        RunningServer(settings).stop()  # all that a server makes of its settings before it starts
    except ConfigurationError as error:
        yield Finding("configuration", error.problem, error.remedy or "Correct it.")
        return
    own = ", ".join(game.name for game in all_variants().values() if game.stamp)
    games = f", with the games of its own: {own}" if own else ""
    yield Finding("configuration", f"{home / CONFIGURATION} is valid{games}")
    checks: tuple[tuple[str, Callable[[Settings], Iterator[Finding]]], ...] = (
        ("files", files),
        ("gallery", gallery),
        ("time", _time),
        ("database", _state),
        ("listener", _listener),
        ("certificate", certificate),
        ("imap", _imap),
        ("sending", _sending),
        ("signing", _signing),
        ("trust", _trust),
        ("draws", _draws),
    )
    for subject, check in (*checks, *([("a mail", mail_trial)] if mail else [])):
        try:
            yield from check(settings)
        except GmError as error:
            yield Finding(subject, error.problem, error.remedy or "Correct it and check again.")
        except Exception as error:  # a broken disk or a strange server must not hide the other findings
            yield Finding(subject, f"{type(error).__name__}: {error}.", "Correct it and check again.")


def _draws(settings: Settings) -> Iterator[Finding]:
    """Random draws must not be predictable."""
    if settings.server.rehearsal_seed:
        yield Finding(
            "draws",
            "[server] rehearsal_seed is set: whoever knows it can predict every random draw of new games.",
            "Remove it on a server that people play on.",
        )


def _time(settings: Settings) -> Iterator[Finding]:
    """The time zones must be installed, and the clock must be synchronized and not have gone back."""
    try:
        berlin = ZoneInfo("Europe/Berlin")
        if [datetime(2026, month, 1, tzinfo=berlin).utcoffset() for month in (1, 7)] != [
            timedelta(hours=1),
            timedelta(hours=2),
        ]:
            raise ZoneInfoNotFoundError("Europe/Berlin has an unexpected offset")
        yield Finding("time zones", f"available; players who set none get {settings.server.zone.key}")
    except (ZoneInfoNotFoundError, OSError) as error:
        yield Finding("time zones", f"The time zone data cannot be used ({error}).", "pip install --upgrade tzdata")

    now = datetime.now(UTC)
    newest = max(path.stat().st_mtime for path in settings.home.iterdir())
    if datetime.fromtimestamp(newest, UTC) > now + BACK:
        written = f"{datetime.fromtimestamp(newest, UTC):%Y-%m-%d %H:%M}"
        yield Finding("clock", f"It is {now:%Y-%m-%d %H:%M} UTC here, but a file is dated {written}.", "Set the clock.")
    elif _network_time() is False:
        yield Finding("clock", f"{now:%Y-%m-%d %H:%M} UTC, not synchronized.", "timedatectl set-ntp true", urgent=False)
    else:
        yield Finding("clock", f"{now:%Y-%m-%d %H:%M:%S} UTC")


def _network_time() -> bool | None:
    """Whether the system's clock is synchronized with network time; None if unknown."""
    try:
        answer = subprocess.run(
            ["timedatectl", "show", "--property=NTPSynchronized", "--value"],  # noqa: S607  wherever the system has it
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(answer)


def _state(settings: Settings) -> Iterator[Finding]:
    """What the server itself asks, at its start and while it runs; and whether the file is whole."""
    asked = service_of(settings).asked()
    with asked.database as database:
        found = [*inspected(asked)]
        yield from (finding for _, finding in found)
        if not any(finding.is_problem and one.of is Of.DATABASE for one, finding in found) and asked.is_usable():
            yield from damage(database)
            yield from _results(asked)


_LOOKED_AT = 20
_ABOVE = "above", "Set results_below = false in [trust]: then a mail for which it writes none cannot bring its own."
_BELOW = "below", "If it writes them into every mail set results_below = true in [trust]; until then they do not count."


def _results(asked: Asked) -> Iterator[Finding]:
    """Whether the mail server in front writes what it finds out about senders where the settings say."""
    trust = asked.identity.trust
    with asked.database.reading() as session:
        lately = inbox.in_states(session, *inbox.ANSWERED, InboxState.QUARANTINED, limit=_LOOKED_AT)
        headers = [Headers.of(mail.raw) for mail in lately if mail.peer is None]
    written = [one for one in headers if read_results(one.first(RESULTS))[0] in trust.authserv_ids]
    if {bool(trust.relays.results(one)) for one in written} == {trust.results_below}:
        where, remedy = _ABOVE if trust.results_below else _BELOW
        words = f"The mail server in front writes its results {where} its own Received."
        yield Finding("trust", words, remedy, urgent=False)


def _listener(settings: Settings) -> Iterator[Finding]:
    """The ports are free, or our own server uses them."""
    listen, metrics = settings.listen, settings.metrics
    if listen is None:
        yield Finding("listener", "not used")
    else:
        more = f"retry_seconds = {listen.retry_seconds}"
        yield _port(settings, "listen", listen.host, listen.port, listen.protocol.upper(), more)
    if metrics is not None and metrics.port:
        yield _port(settings, "metrics", metrics.host, metrics.port, "HTTP", "/metrics, /live, /ready")


def _port(settings: Settings, section: str, host: str, port: int, use: str, more: str) -> Finding:
    """Whether a server can use the port of a section."""
    place = f"{host} port {port}"
    try:
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, protocol) as test:
                if family == socket.AF_INET6:
                    test.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                test.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                test.bind(address)
                test.listen(1)
    except PermissionError:
        return Finding(
            "listener", f"{place} needs a privilege.", "Use a port above 1023, or grant CAP_NET_BIND_SERVICE."
        )
    except OSError as error:
        greets = _greets_as_gm(host, port, use)
        if greets and _is_served(settings):
            return Finding("listener", f"gm is running and answers at {place}; {more}")
        why = "another server of gm answers there" if greets else error.strerror
        remedy = f"Stop the program that uses it, or change [{section}]."
        return Finding("listener", f"{place} cannot be used ({why}).", remedy)
    return Finding("listener", f"{place} is free for {use}; {more}")


def _is_served(settings: Settings) -> bool:
    """Whether a server runs for this database, as far as that can be asked."""
    with Database(settings.database.url) as database:
        if database.is_sqlite:  # a server that runs has made the file of its lock
            return Path(f"{database.url.database}.lock").exists() and is_served(database)
        try:
            return Part.INTAKE in parts_run(database)
        except GmError:
            return True


def _greets_as_gm(host: str, port: int, use: str) -> bool:
    here = {"": "localhost", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    try:
        with socket.create_connection((here, port), timeout=GREETING_SECONDS) as connection:
            if use == "HTTP":
                connection.sendall(b"GET /live HTTP/1.0\r\n\r\n")
                return NAME in connection.recv(200)
            greeting = connection.recv(200)
            connection.sendall(b"QUIT\r\n")
    except OSError:
        return False
    return greeting.startswith(b"220 ") and b" gm" in greeting


def _imap(settings: Settings) -> Iterator[Finding]:
    """Log in and open the folder, as the server does."""
    imap = settings.imap
    if imap is None:
        yield Finding("imap", "not used")
        return
    place = f"{imap.host} port {imap.port}"
    try:
        with ImapFolder(imap, read_seconds=TIMEOUT) as folder:
            waiting = [one.uid for one in folder.waiting()]
            first = _first_uid(settings, imap, folder)
        if imap.spam_folder is not None:
            ImapFolder(replace(imap, folder=imap.spam_folder), read_seconds=TIMEOUT).close()
    except OSError as error:
        remedy = trust_it(error) or f"Correct host, port and tls in [imap]. {TLS_VALUES}"
        yield Finding("imap", f"{place} cannot be reached ({error}).", remedy)
    except imaplib.IMAP4.error as error:
        words = f"{place} refused user {imap.user!r} or folder {imap.folder!r} ({last_line(str(error))})."
        yield Finding("imap", words, "Correct user, password, folder and done_folder in [imap].")
    else:
        old = sum(1 for uid in waiting if uid < first)
        yield Finding("imap", f"logged in at {place} as {imap.user!r}; {mails(len(waiting))} in {imap.folder!r}")
        if old:
            words = f"{mails(old)} in {imap.folder!r} came before the server and will not be read."
            yield Finding("imap", words, "Nothing needs to be done if that is right.", urgent=False)


def _first_uid(settings: Settings, imap: ImapSettings, folder: ImapFolder) -> int:
    """The first UID that the server will read; before its first start, the next one."""
    place = (f"{imap.user}@{imap.host}", imap.folder, folder.uidvalidity, folder.uidnext)
    url = settings.database.url
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        return folder.uidnext
    with Database(url) as database:
        if not database.is_current():
            return folder.uidnext
        identity = ServerIdentity(settings.server, settings.key, settings.trust)
        return first_of_mailbox(Server(database, identity), *place, keep=False)


def _sending(settings: Settings) -> Iterator[Finding]:
    """Connect and log in, unless mail goes into Maildirs."""
    send = settings.send
    if send.kind == "maildir":
        yield Finding("sending", f"mail is delivered into {send.maildir} and does not leave this machine")
        return
    transport = SmtpTransport(send, timeouts=Timeouts(TIMEOUT, TIMEOUT))
    try:
        transport.log_in()
    except Busy as error:
        in_use = _in_use(settings)
        remedy = "" if in_use else "Ask your mail provider, if this lasts; another program may use the same account."
        yield Finding("sending", f"{in_use or error.problem}", remedy)
    except DeliveryDeferred as error:
        yield Finding(
            "sending",
            error.problem,
            error.remedy or f"Correct host, port and tls in [send], or start that server. {TLS_VALUES}",
        )
    else:
        as_whom = f"logged in as {send.user!r}" if send.user else "without logging in"
        yield Finding("sending", f"{send.host} port {send.port} accepts mail, {as_whom}")
        if settings.imap is not None and settings.server.plus_addressing:
            yield _plus_addressing(settings, transport)
    finally:
        transport.close()


def _in_use(settings: Settings) -> str:
    """Why a mail server that takes no connection is in order, "" if it is not: those that it takes are the running
    server's, which sends by them.
    """
    now, place = datetime.now(UTC), f"{settings.send.host} port {settings.send.port}"
    asked = service_of(settings).asked()
    with asked.database as database:
        if not asked.is_usable() or not _is_served(settings):
            return ""
        with database.reading() as session:
            most = [cap.most for cap in mail_servers.caps(session, now) if cap.kind == Kind.CONNECTIONS]
            sent = outbox.last_sent(session)
    if most:
        return f"{place} takes {most[0]} connections at once, and all are in use by the running server"
    lately = sent is not None and now - sent < timedelta(seconds=KEPT_SECONDS)
    return f"{place} takes no more connections than the running server has, which sends by them" if lately else ""


def _plus_addressing(settings: Settings, transport: SmtpTransport) -> Finding:
    """Whether mail to the addresses of seats arrives in the mailbox, as far as the provider says so at once."""
    own, how = settings.server.address, "set plus_addressing = false in [server]"
    longer = own.replace("@", "+check@")
    if not (refused := transport.refuses(own, longer)):
        return Finding("addresses", f"{longer} is accepted; if mail that you send there does not arrive, {how}")
    if transport.refuses(own, own):
        return Finding("addresses", f"{settings.send.host} does not say whether mail to {longer} arrives")
    return Finding("addresses", f"{settings.send.host} refuses {longer} ({refused}).", f"It is like a seat's: {how}.")


def _signing(settings: Settings) -> Iterator[Finding]:
    """The key must be valid, and the DNS record published with which others verify its signatures."""
    send = settings.send
    if send.dkim_selector is None or send.dkim_key is None:
        return
    signer = Signer(settings.server.address.rpartition("@")[2], send.dkim_selector, send.dkim_key)
    name, record = signer.record
    try:
        published = any("".join(one.split()) == "".join(record.split()) for one in dns_records(name, "TXT"))
    except LookupFailed as error:
        remedy = f"See to the machine's resolver. The TXT record {name} must be {record}"
        yield Finding("signing", f"The DNS does not answer ({error}).", remedy, urgent=False)
        return
    if published:
        yield Finding("signing", f"mail is signed, and {name} is published")
    else:
        yield Finding("signing", f"{name} is not published as a TXT record.", f"Publish the TXT record {record}")


def _trust(settings: Settings) -> Iterator[Finding]:
    """Whether senders are authenticated."""
    trust, listen = settings.trust, settings.listen
    checks = listen is not None and listen.protocol == "smtp" and trust.verify != "none"
    relays = f"relays = {', '.join(map(str, trust.relays.networks)) or 'none'}"
    if trust.authserv_ids or checks:
        yield Finding("trust", f"level {trust.level}; senders are checked; {relays}")
    elif trust.level == "open":
        yield Finding("trust", f"level open; senders are not checked; {relays}")
    else:
        beyond = "" if trust.verify == "none" else " but for its signatures"
        words = (
            f"Level {trust.level}, but no server checks who sent a mail{beyond}, so players are asked to confirm more"
            " often."
        )
        remedy = "Name the mail server in front of this one in [trust] authserv_ids."
        yield Finding("trust", words, remedy, urgent=False)
