"""`gm serve`: the server, or some of its parts, which run until they are stopped."""

from __future__ import annotations

import argparse
import logging
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from gm.cli import load, loading
from gm.cli.logs import set_up
from gm.cli.service import service_of
from gm.cli.supervision import Supervisor
from gm.errors import ConfigurationError
from gm.inbound.acceptance import accept, knows
from gm.inbound.proof import is_to_be_checked
from gm.machine.ways_in import WaysIn
from gm.mail.transport import is_loopback
from gm.mail.transport.listener import Listener
from gm.operation import EVERY_PART, Part
from gm.server import utc_now
from gm.server.condition import Weight, claim, problem, rules_of_games
from gm.settings import Settings
from gm.store.copying import is_there
from gm.store.database import Database
from gm.store.inbox import ArrivedMail
from gm.store.presence import Presence, is_served

if TYPE_CHECKING:
    from gm.cli.working import Work
    from gm.mail.transport.signing import Signer

log = logging.getLogger("gm.serve")


class RunningServer:
    """A running server: what listens, and the `Work` that begins then. `port` is the listener's, once started."""

    def __init__(
        self, settings: Settings, now: Callable[[], datetime] = utc_now, parts: frozenset[Part] = EVERY_PART
    ) -> None:
        self._settings, self._parts = settings, parts
        self.service = service_of(settings, now)
        self._database = self.service.database
        self._signer = _signer(settings)
        self._running = ExitStack()
        self._listener = (
            Listener(
                settings.listen,
                self._accept,
                partial(knows, self.service),
                hostname=settings.server.address.partition("@")[2],
                checks=self._is_checked,
                relays=settings.trust.relays,
                now=now,
            )
            if settings.listen is not None and Part.INTAKE in parts
            else None
        )
        self._ways = WaysIn(self.service, [self._listener] if self._listener is not None else [])
        self._work: Work | None = None

    @property
    def port(self) -> int | None:
        """The port of the listener."""
        return self._listener.port if self._listener is not None else None

    def start(self) -> None:
        """Listen, and begin to work. Raises ConfigurationError."""
        self.listen()
        self.work()

    def listen(self) -> None:
        """Migrate the database, and listen: mail that comes is stored. Raises ConfigurationError."""
        if self._database.is_sqlite and self._parts != EVERY_PART:
            raise ConfigurationError(
                "With a SQLite file one `gm serve` does everything: its transactions wait for one another anyway.",
                "Leave --only out, or move to PostgreSQL, where servers share the work: `gm move --to postgresql://...`.",
            )
        if (found := problem(self.service.asked(), Weight.START)) is not None:
            raise ConfigurationError(found.words, found.remedy)
        self._database.migrate()
        claim(self.service.asked())
        self._running.callback(self._database.dispose)
        self._presence = Presence(self._database, self._parts)
        self._running.callback(self._presence.leave)
        self._ways.step(self.service.now())  # before mail comes on the way for which deadlines wait
        if self._listener is not None:
            self._running.enter_context(self._listener)

    def work(self) -> None:
        """Begin to work. What only that needs is loaded now, so that mail servers need not wait for it. Raises
        ConfigurationError.
        """
        with loading():
            from gm.cli.working import Work
        ways = self._ways, self._listener, self._accept
        self._work = Work(self.service, self._settings, self._parts, *ways, self._signer)
        self._running.enter_context(self._work)
        if self._listener is not None:
            self._running.callback(self._listener.stop)
        self._presence.watch(self._work.look_around)
        self._database.does_itself = self._work.does_itself

    def hanging(self) -> list[str]:
        """The names of the parts that have died, or that have been at one piece of work for too long."""
        return self._work.hanging() if self._work is not None else []

    def _is_checked(self, peer: str) -> bool:
        """Whether no server of ours has authenticated the senders of mail from this machine; with LMTP one has."""
        listen, trust = self._settings.listen, self._settings.trust
        smtp = listen is not None and listen.protocol == "smtp"
        ours = trust.relays.hold(peer) or is_loopback(peer)
        return smtp and (trust.verify == "all" or not ours)

    def stop(self) -> None:
        """Stop receiving, finish the work in progress, and close everything."""
        self._running.close()

    def _accept(self, mail: ArrivedMail) -> bool:
        new = accept(self.service, mail)
        if self._work is not None:  # otherwise it looks for what has come when it begins
            self._work.take_up(checked=is_to_be_checked(mail, self.service.identity))
        return new


def _signer(settings: Settings) -> Signer | None:
    send = settings.send
    if send.dkim_selector is None or send.dkim_key is None:
        return None
    from gm.mail.transport.signing import Signer  # not loaded by servers that do not sign

    return Signer(settings.server.address.rpartition("@")[2], send.dkim_selector, send.dkim_key)


def _refuse_a_second(settings: Settings) -> None:
    """Raise ConfigurationError when there is a server at a SQLite file, before anything says that its port is taken."""
    with Database(settings.database.url) as database:
        if database.is_sqlite and is_there(database) and is_served(database):
            raise ConfigurationError(
                f"A server is running already for {settings.home}.",
                "`gm check` says how it is; stop it first (`systemctl stop gm`) to run this one.",
            )


def main(given: argparse.Namespace) -> int:
    """Run the server until SIGTERM or SIGINT."""
    settings = load(given.home)
    set_up(logging.DEBUG if given.verbose else logging.INFO, settings.server.log)
    parts = frozenset(given.only or EVERY_PART)
    _refuse_a_second(settings)
    log.info("gm is starting; the first start, and one after an upgrade, takes longer, since it makes the database")
    server = RunningServer(settings, parts=parts)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    supervisor = Supervisor()
    server.start()
    for finding in rules_of_games(server.service.asked()):
        if finding.is_problem:
            log.warning("%s %s", finding.words, finding.remedy)
    log.info("gm is running for %s", given.home, extra={"parts": ",".join(part for part in Part if part in parts)})
    supervisor.tell("READY=1")
    while not stop.wait(supervisor.interval):
        supervisor.watch(server.hanging)
    log.info("stopping")
    supervisor.tell("STOPPING=1")
    server.stop()
    return 0
