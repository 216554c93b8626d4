"""What `gm serve` does beside listening: the steps of a server, and the threads and helpers that run them."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from gm import patterns
from gm.cli.helpers import Helpers
from gm.games.report_inputs import reader_of
from gm.inbound.acceptance import first_of_mailbox, is_for_us
from gm.inbound.facts import read
from gm.inbound.one_click import page, unsubscribe
from gm.machine.deadlines import catch_up
from gm.machine.delivery import note_cap
from gm.machine.mailboxes import CopiedMails, Mailboxes
from gm.machine.steps import HANGING_SECONDS, Checks, Crew, Delivery, Scheduler, Tidying, Worker, desk
from gm.machine.ways_in import WaysIn
from gm.mail.message.incoming import read_message
from gm.mail.message.trace import Findings, HandedOver
from gm.mail.transport import Accept
from gm.mail.transport.smtp_out import Sender
from gm.operation import EVERY_PART, Part
from gm.parsing.sayings import likely
from gm.reports.answers import Receipt
from gm.reports.render import render
from gm.server import Server
from gm.server.metrics import MetricsPage
from gm.settings import CONFIGURATION, ImapSettings, Settings
from gm.store import game_rows
from gm.store.inbox import InboxRow
from gm.store.mail_files import FileRow, MailFileRow
from gm.store.outbox import OutboxRow

if TYPE_CHECKING:
    from gm.mail.transport.imap import ImapPoller
    from gm.mail.transport.listener import Listener
    from gm.mail.transport.signing import Signer

CHECKERS = 4
"""The most senders that are authenticated at the same time: each check may wait for slow name servers."""

_MAILS = frozenset(one.__tablename__ for one in (OutboxRow, MailFileRow, FileRow))


class Work:
    """The work of a server beside a `listener`: a context manager, which begins when it is entered, and finishes what
    is in progress at the end. `ways` are known already; mail from mailboxes goes to `accept`.
    """

    def __init__(
        self,
        server: Server,
        settings: Settings,
        parts: frozenset[Part],
        ways: WaysIn,
        listener: Listener | None,
        accept: Accept,
        signer: Signer | None,
    ) -> None:
        self._server, self._settings, self._parts = server, settings, parts
        self._ways, self._listener, self._accept = ways, listener, accept
        host = settings.server.address.partition("@")[2]
        self._sender = Sender(settings.send, hostname=host, signer=signer, note=partial(note_cap, server))
        self._stopping = threading.Event()
        self._running = ExitStack()
        self._checkers, self._couriers = Crew(), Crew()
        self._helpers = Helpers(settings, settings.server.processes - 1, self._couriers.call, parts)
        self.scheduler = self._scheduled()
        self._metrics = (
            MetricsPage(settings.metrics, server, self.hanging, partial(unsubscribe, server), partial(page, server))
            if settings.metrics
            else None
        )

    def __enter__(self) -> Work:
        """Catch up on missed deadlines, and begin. Raises ConfigurationError."""
        if Part.DEADLINES in self._parts:
            catch_up(self._server, self._settings.clock, alone=self._settings.is_alone)
        self._running.callback(self._sender.close)
        self.scheduler.start()
        self._running.callback(self.scheduler.stop)
        self._running.enter_context(self._helpers)
        if self._metrics is not None:
            self._running.enter_context(self._metrics)
        self._running.callback(self._stopping.set)
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def look_around(self, tables: Collection[str] | None) -> None:
        """Another server has written to these tables, or to any, and so may have left work."""
        self.scheduler.wake()
        self._helpers.wake()
        for table, crew in ((InboxRow.__tablename__, self._checkers), (OutboxRow.__tablename__, self._couriers)):
            if tables is None or table in tables:
                crew.call()

    def does_itself(self) -> frozenset[str]:
        """What other servers need not hear of: mails, while somebody here is idle who sends them."""
        return _MAILS if self._parts == EVERY_PART and self._couriers.idle() else frozenset()

    def take_up(self, *, checked: bool) -> None:
        """A mail has been accepted, whose sender is to be `checked` or not."""
        self.scheduler.wake()
        if checked:
            self._checkers.call()

    def hanging(self, seconds: float = HANGING_SECONDS) -> list[str]:
        """The names of the parts that have died, or that have been at one piece of work for longer than this."""
        listener = ["listener"] if self._listener is not None and self._listener.hangs(seconds) else []
        return listener + self.scheduler.hanging(seconds)

    def _pollers(self, imap: ImapSettings) -> list[ImapPoller]:
        """What watches the mailbox: its folder, and the one for spam."""
        from gm.mail.transport.imap import ImapPoller  # not loaded by servers without one

        service, since = self._server, partial(first_of_mailbox, self._server)
        relays = self._settings.trust.relays
        began = set_up_at(self._settings, service.now())
        poller = partial(ImapPoller, now=service.now, since=since, began=began, relays=relays)
        poller = partial(poller, copies=CopiedMails(self._server.database))
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
        scheduler = Scheduler(self._server.now, poll_seconds=settings.clock.poll_seconds)
        if settings.imap is not None and Part.INTAKE in self._parts:
            pollers = self._pollers(settings.imap)
            self._server.folders.extend(pollers)
            self._ways.add(pollers[0])  # no deadline waits for what was taken for spam
            for number, poller in enumerate(pollers):
                self._running.callback(poller.close)
                watching = scheduler.add(f"imap {number}", poller, watch=poller.watch)
                if number == 0:
                    self._ways.look = partial(_look, poller, watching)
        longer = timedelta(hours=settings.clock.extend_hours)
        couriers, send = self._couriers, settings.send
        if Part.DELIVERY in self._parts:
            delivery = Delivery(self._server, self._sender, self._server.pace, couriers.call)
            couriers.hire(scheduler, "courier", send.connections, delivery)
        writers = self._helpers.wake if self._helpers.number else None
        # The ways come before what takes its time, so that this server is known to listen before another one stops.
        ways_first, *steps = desk(self._server, self._ways, longer, writers, self._parts)
        working = scheduler.add(
            "desk",
            ways_first,
            Preparation(self._server, verifies=settings.trust.verify != "none" and Part.INTAKE in self._parts),
            *steps,
            Mailboxes(self._server, self._server.folders),
            between=couriers.call,
        )
        self._server.arrivals.idle, self._server.departures.idle = lambda: int(working.waiting), couriers.idle
        if Part.INTAKE in self._parts:
            self._check(scheduler, working.wake)
        if settings.gallery is not None and Part.REPORTS in self._parts:
            from gm.gallery import Gallery  # not loaded by servers without one

            scheduler.add("gallery", Gallery(self._server, settings.gallery), hears=False)
        if Part.DEADLINES in self._parts:
            scheduler.add("tidying", Tidying(self._server, settings.server.keep_days), hears=False)
        return scheduler

    def _check(self, scheduler: Scheduler, checked: Callable[[], object]) -> None:
        """Several threads that authenticate the senders of mail."""
        trust = self._settings.trust
        identity = self._server.identity
        verifier = _Verifier(identity.authserv_id, frozenset(trust.authserv_ids), identity.is_own)
        checks = Checks(self._server, verifier if trust.verify != "none" else None, self._checkers.call)
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
