"""`gm serve`: the server, in one process that runs until it is told to stop."""

from __future__ import annotations

import argparse
import logging
import signal
import threading
from collections.abc import Sequence
from contextlib import ExitStack

from gm.cli import add_home
from gm.cli.instance_lock import Presence
from gm.cli.logs import set_up
from gm.cli.metrics_page import MetricsPage
from gm.games.identity import ServerIdentity
from gm.mail.transport.conversation import Stamp
from gm.mail.transport.imap import ImapPoller
from gm.mail.transport.listener import Listener
from gm.mail.transport.sender import Sender
from gm.mail.transport.signing import Signer
from gm.mail.transport.verifying import Verifier
from gm.server import Server
from gm.server.catching_up import catch_up
from gm.server.intake import accept
from gm.server.recipients import knows
from gm.server.steps import Delivery, MailFirst, Scheduler, desk
from gm.settings import Settings, load
from gm.store.database import Database
from gm.store.inbox import ArrivedMail

log = logging.getLogger("gm.serve")


class RunningServer:
    """A running server: transports, service and scheduler put together. `port` is the listener's, once started."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._database = Database(settings.database.url)
        self.service = Server(self._database, ServerIdentity(settings.server, settings.key, settings.trust))
        host = settings.server.address.partition("@")[2]
        self._sender = Sender(settings.send, hostname=host, signer=_signer(settings))
        self._stopping = threading.Event()
        self._running = ExitStack()
        self._scheduler = self._scheduled()
        self._listener = (
            Listener(settings.listen, self._accept, self._knows, hostname=host, stamp=self._stamp())
            if settings.listen is not None
            else None
        )
        self._metrics = MetricsPage(settings.metrics, self.service) if settings.metrics is not None else None

    @property
    def port(self) -> int | None:
        """The port that is listened on."""
        return self._listener.port if self._listener is not None else None

    def start(self) -> None:
        """Bring the database up to date, make good what was missed, and begin. Raises ConfigurationError."""
        self._database.migrate()
        self._running.callback(Presence(self._database).close)
        catch_up(self.service, self._settings.clock)
        self._running.callback(self._database.dispose)
        self._running.callback(self._sender.close)
        self._scheduler.start()
        self._running.callback(self._scheduler.stop)
        if self._listener is not None:
            self._running.enter_context(self._listener)
        if self._metrics is not None:
            self._running.enter_context(self._metrics)
        self._running.callback(self._stopping.set)

    def _stamp(self) -> Stamp | None:
        """What the listener writes on mail that it takes by SMTP: who stands in front of LMTP has done it already."""
        listen, verify = self._settings.listen, self._settings.trust.verify
        if listen is None or listen.protocol != "smtp" or verify == "none":
            return None
        return Verifier(self.service.identity.authserv_id, everybody=verify == "all").stamp

    def stop(self) -> None:
        """Take no more mail, finish the present work, close everything."""
        self._running.close()

    def _accept(self, mail: ArrivedMail) -> bool:
        new = accept(self.service, mail)
        self._scheduler.wake()
        return new

    def _knows(self, recipient: str) -> bool:
        return knows(self.service, recipient)

    def _scheduled(self) -> Scheduler:
        """A thread for what changes games, one that sends, so that a slow mail server holds up nobody's orders, and one
        that watches the mailbox."""
        settings = self._settings
        scheduler = Scheduler(self.service.now, poll_seconds=settings.clock.poll_seconds)
        mail_first = MailFirst()
        if settings.imap is not None:
            poller = ImapPoller(settings.imap, self._accept, self._stopping)
            mail_first = MailFirst(poller.caught_up.is_set)
            self._running.callback(poller.close)
            scheduler.add("imap", poller, watch=poller.watch)
        courier = scheduler.add("courier", Delivery(self.service, self._sender))
        scheduler.add("desk", *desk(self.service, mail_first), between=courier.wake)
        return scheduler


def _signer(settings: Settings) -> Signer | None:
    send = settings.send
    if send.dkim_selector is None or send.dkim_key is None:
        return None
    return Signer(settings.server.address.rpartition("@")[2], send.dkim_selector, send.dkim_key)


def main(argv: Sequence[str]) -> int:
    """Run the server until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(prog="gm serve", description="Run the server until it is told to stop.")
    add_home(parser)
    parser.add_argument("--verbose", action="store_true", help="log every piece of work")
    given = parser.parse_args(argv)
    set_up(verbose=given.verbose)
    server = RunningServer(load(given.home))
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    server.start()
    log.info("gm is running for %s", given.home)
    told.wait()
    log.info("stopping")
    server.stop()
    return 0
