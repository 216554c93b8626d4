"""`gm serve`: the server, or some of its parts, which run until they are stopped."""

from __future__ import annotations

import argparse
import importlib
import logging
import signal
import threading
from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from gm import patterns
from gm.cli import load
from gm.cli.helpers import Helpers
from gm.cli.logs import set_up
from gm.cli.service import service_of
from gm.cli.supervision import Supervisor
from gm.errors import ConfigurationError
from gm.games.report_inputs import reader_of
from gm.mail.message.incoming import read_message
from gm.mail.message.trace import Findings, HandedOver
from gm.mail.transport import is_loopback
from gm.mail.transport.listener import Listener
from gm.mail.transport.smtp_out import Sender
from gm.operation import EVERY_PART, Part
from gm.parsing.sayings import likely
from gm.reports.answers import Receipt
from gm.reports.render import render
from gm.server import Server, utc_now
from gm.server.acceptance import accept, first_of_mailbox
from gm.server.condition import Weight, claim, problem, rules_of_games
from gm.server.deadlines import catch_up
from gm.server.delivery import note_cap
from gm.server.destinations import is_for_us, knows
from gm.server.facts import read
from gm.server.mailboxes import CopiedMails, Mailboxes
from gm.server.metrics import MetricsPage
from gm.server.one_click import page, unsubscribe
from gm.server.proof import is_to_be_checked
from gm.server.steps import HANGING_SECONDS, Checks, Crew, Delivery, Scheduler, Tidying, Worker, desk
from gm.server.ways_in import WayIn, WaysIn
from gm.settings import CONFIGURATION, ImapSettings, Settings
from gm.store import game_rows
from gm.store.copying import is_there
from gm.store.database import Database
from gm.store.inbox import ArrivedMail, InboxRow
from gm.store.mail_files import FileRow, MailFileRow
from gm.store.outbox import OutboxRow
from gm.store.presence import Presence, is_served

if TYPE_CHECKING:
    from gm.mail.transport.imap import ImapPoller
    from gm.mail.transport.signing import Signer

log = logging.getLogger("gm.serve")

CHECKERS = 4
"""The most senders that are authenticated at the same time: each check may wait for slow name servers."""

_MAILS = frozenset(one.__tablename__ for one in (OutboxRow, MailFileRow, FileRow))


class RunningServer:
    """A running server: transports, steps and scheduler put together. `port` is the listener's, once started."""

    def __init__(
        self, settings: Settings, now: Callable[[], datetime] = utc_now, parts: frozenset[Part] = EVERY_PART
    ) -> None:
        self._settings, self._parts = settings, parts
        self.service = service_of(settings, now)
        self._database = self.service.database
        host = settings.server.address.partition("@")[2]
        note = partial(note_cap, self.service)
        self._sender = Sender(settings.send, hostname=host, signer=_signer(settings), note=note)
        self._stopping = threading.Event()
        self._running = ExitStack()
        self._listener = (
            Listener(
                settings.listen,
                self._accept,
                self._knows,
                hostname=host,
                checks=self._is_checked,
                relays=settings.trust.relays,
                now=now,
            )
            if settings.listen is not None and Part.INTAKE in parts
            else None
        )
        self._checkers, self._couriers = Crew(), Crew()
        self._helpers = Helpers(settings, settings.server.processes - 1, self._couriers.call, parts)
        self._scheduler = self._scheduled()
        self._metrics = (
            MetricsPage(
                settings.metrics,
                self.service,
                self.hanging,
                partial(unsubscribe, self.service),
                partial(page, self.service),
            )
            if settings.metrics
            else None
        )

    @property
    def port(self) -> int | None:
        """The port of the listener."""
        return self._listener.port if self._listener is not None else None

    def start(self) -> None:
        """Migrate the database, catch up on missed deadlines, and start. Raises ConfigurationError."""
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
        presence = Presence(self._database, self._parts)
        self._running.callback(presence.leave)
        if Part.DEADLINES in self._parts:
            catch_up(self.service, self._settings.clock, alone=self._settings.is_alone)
        self._running.callback(self._sender.close)
        self._scheduler.start()
        self._running.callback(self._scheduler.stop)
        self._running.enter_context(self._helpers)
        if self._listener is not None:
            self._running.enter_context(self._listener)
        if self._metrics is not None:
            self._running.enter_context(self._metrics)
        presence.watch(self._look_around)
        self._database.does_itself = self._sends_itself
        self._running.callback(self._stopping.set)

    def _look_around(self, tables: Collection[str] | None) -> None:
        """Another server has written to these tables, or to any, and so may have left work."""
        self._scheduler.wake()
        self._helpers.wake()
        for table, crew in ((InboxRow.__tablename__, self._checkers), (OutboxRow.__tablename__, self._couriers)):
            if tables is None or table in tables:
                crew.call()

    def _sends_itself(self) -> frozenset[str]:
        """What other servers need not hear of: mails, while somebody here is idle who sends them."""
        return _MAILS if self._parts == EVERY_PART and self._couriers.idle() else frozenset()

    def hanging(self, seconds: float = HANGING_SECONDS) -> list[str]:
        """The names of the parts that have died, or that have been at one piece of work for longer than this."""
        listener = ["listener"] if self._listener is not None and self._listener.hangs(seconds) else []
        return listener + self._scheduler.hanging(seconds)

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
        self._scheduler.wake()
        if is_to_be_checked(mail, self.service.identity):
            self._checkers.call()
        return new

    def _knows(self, recipient: str) -> bool:
        return knows(self.service, recipient)

    def _pollers(self, imap: ImapSettings) -> list[ImapPoller]:
        """What watches the mailbox: its folder, and the one for spam."""
        from gm.mail.transport.imap import ImapPoller  # not loaded by servers without one

        service, since = self.service, partial(first_of_mailbox, self.service)
        relays = self._settings.trust.relays
        began = set_up_at(self._settings, service.now())
        poller = partial(ImapPoller, now=service.now, since=since, began=began, relays=relays)
        poller = partial(poller, copies=CopiedMails(self._database))
        pollers = [poller(imap, self._accept, self._stopping)]
        if imap.spam_folder is not None:
            spam = replace(imap, folder=imap.spam_folder)
            wanted = partial(is_for_us, service)
            pollers.append(poller(spam, self._accept, self._stopping, wanted=wanted))
        return pollers

    def _scheduled(self) -> Scheduler:
        """One thread for the steps that change games, several for sending (a slow mail server must not delay orders),
        and one for each folder of the mailbox that is watched.
        """
        settings = self._settings
        scheduler = Scheduler(self.service.now, poll_seconds=settings.clock.poll_seconds)
        own: list[WayIn] = [self._listener] if self._listener is not None else []
        ways = WaysIn(self.service, own)
        if settings.imap is not None and Part.INTAKE in self._parts:
            pollers = self._pollers(settings.imap)
            self.service.folders.extend(pollers)
            own.append(pollers[0])  # no deadline waits for what was taken for spam
            for number, poller in enumerate(pollers):
                self._running.callback(poller.close)
                watching = scheduler.add(f"imap {number}", poller, watch=poller.watch)
                if number == 0:
                    ways.look = partial(_look, poller, watching)
        longer = timedelta(hours=settings.clock.extend_hours)
        couriers, send = self._couriers, settings.send
        if Part.DELIVERY in self._parts:
            delivery = Delivery(self.service, self._sender, self.service.pace, couriers.call)
            couriers.hire(scheduler, "courier", send.connections, delivery)
        writers = self._helpers.wake if self._helpers.number else None
        # The ways come before what takes its time, so that this server is known to listen before another one stops.
        ways_first, *steps = desk(self.service, ways, longer, writers, self._parts)
        working = scheduler.add(
            "desk",
            ways_first,
            Preparation(self.service, verifies=settings.trust.verify != "none" and Part.INTAKE in self._parts),
            *steps,
            Mailboxes(self.service, self.service.folders),
            between=couriers.call,
        )
        self.service.arrivals.idle, self.service.departures.idle = lambda: int(working.waiting), couriers.idle
        if Part.INTAKE in self._parts:
            self._check(scheduler, working.wake)
        if settings.gallery is not None and Part.REPORTS in self._parts:
            from gm.gallery import Gallery  # not loaded by servers without one

            scheduler.add("gallery", Gallery(self.service, settings.gallery), hears=False)
        if Part.DEADLINES in self._parts:
            scheduler.add("tidying", Tidying(self.service, settings.server.keep_days), hears=False)
        return scheduler

    def _check(self, scheduler: Scheduler, checked: Callable[[], object]) -> None:
        """Several threads that authenticate the senders of mail."""
        trust = self._settings.trust
        identity = self.service.identity
        verifier = _Verifier(identity.authserv_id, frozenset(trust.authserv_ids), identity.is_own)
        checks = Checks(self.service, verifier if trust.verify != "none" else None, self._checkers.call)
        self._checkers.hire(scheduler, "checker", CHECKERS, checks, between=checked)


@dataclass(frozen=True, slots=True)
class _Verifier:
    """Authenticates senders as `gm.mail.transport.dmarc` does. That, and the libraries below it, are loaded when the
    server listens already.
    """

    authserv_id: str
    sealers: frozenset[str]
    is_ours: Callable[[str], bool]

    def find(self, raw: bytes, came: HandedOver) -> Findings:
        """All results for one mail."""
        from gm.mail.transport.dmarc import Verifier

        return Verifier(self.authserv_id, self.sealers, is_ours=self.is_ours).find(raw, came)


class Preparation:
    """Builds what the first mails need before it takes a lock: patterns, the grammars of the games that are played, the
    examples of what people want, the templates, and what authenticates senders if it `verifies` them.
    Otherwise the first mail would do so in its transaction, and whoever delivers mail would wait meanwhile.
    """

    def __init__(self, server: Server, *, verifies: bool) -> None:
        self._server, self._verifies = server, verifies
        self._prepared = False

    def step(self, now: datetime) -> datetime | None:  # noqa: ARG002
        if not self._prepared:
            self._prepared = True
            patterns.compile_all()
            with self._server.reading() as tx:
                games = [tx.game(game_id) for game_id in game_rows.one_of_each(tx.session)]
            for game in (game for game in games if game.playable):
                read("A Player\nSTATUS\nA PAR-BUR\n", game)
            for moderates, to_players in ((False, False), (True, False), (False, True)):
                likely("", None, moderates=moderates, to_players=to_players)
            render(Receipt(reader_of(self._server.identity, None)))
            read_message(b"Subject: STATUS\r\n\r\nSTATUS\r\n", envelope_from=None, recipients=())
            if self._verifies:
                importlib.import_module("gm.mail.transport.dmarc")
        return None


def _look(poller: ImapPoller, watching: Worker) -> None:
    """Look for mail at once, unless the connection is only being made."""
    if poller.is_connected:
        watching.wake()


def _signer(settings: Settings) -> Signer | None:
    send = settings.send
    if send.dkim_selector is None or send.dkim_key is None:
        return None
    from gm.mail.transport.signing import Signer  # not loaded by servers that do not sign

    return Signer(settings.server.address.rpartition("@")[2], send.dkim_selector, send.dkim_key)


_BEFORE_THE_START = timedelta(days=1)


def set_up_at(settings: Settings, now: datetime) -> datetime:
    """Since when mail in a mailbox that was never read is for this server: since its settings were last written, not
    long ago. Mail that was there before is its owner's; who wrote while the server was set up waits for an answer.
    """
    try:
        written = datetime.fromtimestamp((settings.home / CONFIGURATION).stat().st_mtime, UTC)
    except OSError:
        return now
    return min(max(written, now - _BEFORE_THE_START), now)


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
