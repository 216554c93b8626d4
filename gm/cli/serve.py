"""`gm serve`: the server, which runs until it is stopped; its other processes, its lock and its log."""

from __future__ import annotations

import argparse
import gc
import logging
import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING

from gm.cli import home_parser
from gm.cli.supervision import Supervisor
from gm.games.identity import ServerIdentity
from gm.games.report_inputs import reader_of
from gm.mail.message.addresses import TOKEN_LENGTH
from gm.mail.message.incoming import read_message
from gm.mail.transport.dmarc import Signer, Verifier, is_loopback
from gm.mail.transport.listener import Listener
from gm.mail.transport.smtp_out import Sender
from gm.reports.answers import Receipt
from gm.reports.render import render
from gm.server import Server, utc_now
from gm.server.acting import read
from gm.server.deadlines import catch_up
from gm.server.identification import is_for_us, knows
from gm.server.intake import accept, first_of_mailbox
from gm.server.metrics import MetricsPage
from gm.server.steps import (
    HANGING_SECONDS,
    STOP_SECONDS,
    Checks,
    Crew,
    Delivery,
    Scheduler,
    Tidying,
    Worker,
    desk,
    helping,
)
from gm.server.ways_in import WayIn, WaysIn
from gm.settings import ImapSettings, Settings, load
from gm.store import game_rows
from gm.store.database import Database, Presence
from gm.store.inbox import ArrivedMail
from gm.store.outbox import Pace

if TYPE_CHECKING:
    from gm.mail.transport.imap import ImapPoller

log = logging.getLogger("gm.serve")

CHECKERS = 4
"""The most senders that are authenticated at the same time: each check may wait for slow name servers."""


class RunningServer:
    """A running server: transports, steps and scheduler put together. `port` is the listener's, once started."""

    def __init__(self, settings: Settings, now: Callable[[], datetime] = utc_now) -> None:
        self._settings = settings
        self.service = _service(settings, now)
        self._database = self.service.database
        host = settings.server.address.partition("@")[2]
        self._sender = Sender(settings.send, hostname=host, signer=_signer(settings))
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
            if settings.listen is not None
            else None
        )
        self._checkers, self._couriers = Crew(), Crew()
        self._helpers = Helpers(settings, settings.server.processes - 1, self._couriers.call)
        self._scheduler = self._scheduled()
        self._metrics = MetricsPage(settings.metrics, self.service) if settings.metrics is not None else None

    @property
    def port(self) -> int | None:
        """The port of the listener."""
        return self._listener.port if self._listener is not None else None

    def start(self) -> None:
        """Migrate the database, catch up on missed deadlines, and start. Raises ConfigurationError."""
        self._database.migrate()
        self._running.callback(Presence(self._database).close)
        catch_up(self.service, self._settings.clock, alone=self._settings.is_alone)
        self._running.callback(self._database.dispose)
        self._running.callback(self._sender.close)
        self._scheduler.start()
        self._running.callback(self._scheduler.stop)
        self._running.enter_context(self._helpers)
        if self._listener is not None:
            self._running.enter_context(self._listener)
        if self._metrics is not None:
            self._running.enter_context(self._metrics)
        self._running.callback(self._stopping.set)

    def hanging(self, seconds: float = HANGING_SECONDS) -> list[str]:
        """The names of the parts that have died, or that have been at one piece of work for longer than this."""
        listener = ["listener"] if self._listener is not None and self._listener.hangs(seconds) else []
        return listener + self._scheduler.hanging(seconds)

    def _is_checked(self, peer: str) -> bool:
        """Whether we authenticate senders of mail from this machine; with LMTP the server in front of us has
        done it.
        """
        listen, verify = self._settings.listen, self._settings.trust.verify
        smtp = listen is not None and listen.protocol == "smtp"
        return smtp and (verify == "all" or (verify == "remote" and not is_loopback(peer)))

    def stop(self) -> None:
        """Stop receiving, finish the work in progress, and close everything."""
        self._running.close()

    def _accept(self, mail: ArrivedMail) -> bool:
        new = accept(self.service, mail)
        self._scheduler.wake()
        if mail.peer is not None:
            self._checkers.call()
        return new

    def _knows(self, recipient: str) -> bool:
        return knows(self.service, recipient)

    def _pollers(self, imap: ImapSettings) -> list[ImapPoller]:
        """What watches the mailbox: its folder, and the one for spam."""
        from gm.mail.transport.imap import ImapPoller  # not loaded by servers without one

        service, since = self.service, partial(first_of_mailbox, self.service)
        relays = self._settings.trust.relays
        pollers = [ImapPoller(imap, self._accept, self._stopping, now=service.now, since=since, relays=relays)]
        if imap.spam_folder is not None:
            spam = replace(imap, folder=imap.spam_folder)
            wanted = partial(is_for_us, service)
            pollers.append(
                ImapPoller(
                    spam, self._accept, self._stopping, now=service.now, since=since, wanted=wanted, relays=relays
                )
            )
        return pollers

    def _scheduled(self) -> Scheduler:
        """One thread for the steps that change games, several for sending (a slow mail server must not delay orders),
        and one for each folder of the mailbox that is watched.
        """
        settings = self._settings
        scheduler = Scheduler(self.service.now, poll_seconds=settings.clock.poll_seconds)
        own: list[WayIn] = [self._listener] if self._listener is not None else []
        ways = WaysIn(self.service, own)
        if settings.imap is not None:
            pollers = self._pollers(settings.imap)
            own.append(pollers[0])  # no deadline waits for what was taken for spam
            for number, poller in enumerate(pollers):
                self._running.callback(poller.close)
                watching = scheduler.add(f"imap {number}", poller, watch=poller.watch)
                if number == 0:
                    ways.look = partial(_look, poller, watching)
        longer = timedelta(hours=settings.clock.extend_hours)
        couriers, send = self._couriers, settings.send
        delivery = Delivery(self.service, self._sender, self.service.pace, couriers.call)
        couriers.hire(scheduler, "courier", send.connections, delivery)
        steps = desk(self.service, ways, longer, self._helpers.wake if self._helpers.number else None)
        working = scheduler.add("desk", Preparation(self.service), *steps, between=couriers.call)
        self.service.arrivals.idle, self.service.departures.idle = lambda: int(working.waiting), couriers.idle
        trust = settings.trust
        verifier = Verifier(self.service.identity.authserv_id, frozenset(trust.authserv_ids))
        checks = Checks(self.service, verifier if trust.verify != "none" else None, self._checkers.call)
        self._checkers.hire(scheduler, "checker", CHECKERS, checks, between=working.wake)
        if settings.gallery is not None:
            from gm.gallery import Gallery  # not loaded by servers without one

            scheduler.add("gallery", Gallery(self.service, settings.gallery), hears=False)
        scheduler.add("tidying", Tidying(self.service, settings.server.keep_days), hears=False)
        return scheduler


def _service(settings: Settings, now: Callable[[], datetime] = utc_now) -> Server:
    identity = ServerIdentity(settings.server, settings.key, settings.trust)
    pace = Pace(settings.send.per_domain, settings.send.per_hour, settings.send.per_day)
    return Server(Database(settings.database.url), identity, now, pace=pace)


class Helpers:
    """Other processes that write all reports, and adjudicate while none is owed: a context manager. `call` is called
    here after each piece of work. A helper leases what it works on like a server of its own, so nothing is done twice,
    and what a dead one leaves is done by the others. A new one takes its place.
    """

    def __init__(self, settings: Settings, number: int, call: Callable[[], object]) -> None:
        self.number = number
        self._settings, self._call = settings, call
        self._enough = threading.Event()
        self._running: dict[str, tuple[SpawnProcess, Connection]] = {}

    def __enter__(self) -> Helpers:
        for name in (f"helper {one}" for one in range(self.number)):
            self._start(name)
            threading.Thread(target=self._look_after, args=(name,), name=name, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        self._send(_ENOUGH)
        end = time.monotonic() + STOP_SECONDS
        for process, _pipe in self._running.values():
            process.join(max(end - time.monotonic(), 0.0))
            process.kill()
            process.join()

    def wake(self) -> None:
        """There is work."""
        self._send(_WORK)

    def _send(self, what: bytes) -> None:
        for _, pipe in tuple(self._running.values()):
            with suppress(OSError):  # it has died
                pipe.send_bytes(what)

    def _start(self, name: str) -> None:
        apart = multiprocessing.get_context("spawn")  # a copy of this process would have its threads' locks
        ours, theirs = apart.Pipe()
        process = apart.Process(target=_helps, args=(self._settings, theirs), name=name, daemon=True)
        process.start()
        theirs.close()
        self._running[name] = process, ours

    def _look_after(self, name: str) -> None:
        while not self._enough.is_set():
            with suppress(EOFError, OSError):
                while self._running[name][1].recv_bytes() != _ENOUGH:
                    self._call()
                return
            log.error("%s has died: another takes its place", name)
            if not self._enough.wait(_PAUSE):
                self._start(name)


_PAUSE = 1.0
"""How long to wait before a helper is replaced, in seconds, in case that each one dies at once."""
_HELPERS_WAIT = 5
"""How much less of a processor helpers get than the process that takes mail, whose senders wait for its replies."""
_WORK, _DONE, _ENOUGH = b"work", b"done", b"enough"


def _helps(settings: Settings, pipe: Connection) -> None:
    """Work as a helper until the server says that it is enough, or has died."""
    for number in (signal.SIGTERM, signal.SIGINT):  # they go to all processes of a service: the server says when to end
        signal.signal(number, signal.SIG_IGN)
    with suppress(OSError):  # where that is forbidden, helpers get as much as the others
        os.nice(_HELPERS_WAIT)
    gc.freeze()  # what was imported stays
    set_up(verbose=False)
    service, longer = _service(settings), timedelta(hours=settings.clock.extend_hours)
    scheduler = Scheduler(service.now, poll_seconds=settings.clock.poll_seconds)
    scheduler.add("desk", *helping(service, longer), between=partial(pipe.send_bytes, _DONE))
    scheduler.start()
    with suppress(EOFError, OSError):
        while pipe.recv_bytes() != _ENOUGH:
            scheduler.wake()
    scheduler.stop()
    with suppress(OSError):
        pipe.send_bytes(_ENOUGH)


class Preparation:
    """Builds what the first mails need before it takes a lock: the grammars of the games that are played, the
    templates, and the patterns of subjects. Otherwise the first mail would do so in its transaction, and whoever
    delivers mail would wait meanwhile.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._prepared = False

    def step(self, now: datetime) -> datetime | None:  # noqa: ARG002
        if not self._prepared:
            self._prepared = True
            with self._server.reading() as tx:
                games = [tx.game(game_id) for game_id in game_rows.one_of_each(tx.session)]
            for game in (game for game in games if game.playable):
                read("A Player\nSTATUS\nA PAR-BUR\n", game)
            render(Receipt(reader_of(self._server.identity, None)))
            read_message(b"Subject: STATUS\r\n\r\nSTATUS\r\n", envelope_from=None, recipients=())
        return None


def _look(poller: ImapPoller, watching: Worker) -> None:
    """Look for mail at once, unless the connection is only being made."""
    if poller.is_connected:
        watching.wake()


def _signer(settings: Settings) -> Signer | None:
    send = settings.send
    if send.dkim_selector is None or send.dkim_key is None:
        return None
    return Signer(settings.server.address.rpartition("@")[2], send.dkim_selector, send.dkim_key)


def parser() -> argparse.ArgumentParser:
    """The command line of `gm serve`."""
    parser = home_parser("serve", "Run the server until it is stopped.")
    parser.add_argument("--verbose", action="store_true", help="log every piece of work")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the server until SIGTERM or SIGINT."""
    given = parser().parse_args(argv)
    set_up(verbose=given.verbose)
    server = RunningServer(load(given.home))
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    supervisor = Supervisor()
    server.start()
    log.info("gm is running for %s", given.home)
    supervisor.tell("READY=1")
    while not told.wait(supervisor.interval):
        supervisor.watch(server.hanging)
    log.info("stopping")
    supervisor.tell("STOPPING=1")
    server.stop()
    return 0


# the log


_TOKEN = re.compile(rf"(\+[a-z0-9._-]{{1,60}}\.)[a-z2-7]{{{TOKEN_LENGTH}}}(?=@|%40|\b)", re.IGNORECASE)
_PLAIN = re.compile(r"[^\s\"=\\]+")
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class KeyValue(logging.Formatter):
    """`time=2026-11-20T09:00:00.123Z level=info at=gm.serve event="gm is running"`, and each extra after it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, followed by the traceback if there is one, each line with a bar in front."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        pairs: dict[str, object] = {
            "time": moment.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "at": record.name,
            "event": record.getMessage(),
        }
        pairs |= {key: value for key, value in vars(record).items() if key not in _USUAL}
        lines = [" ".join(f"{key}={_value(value)}" for key, value in pairs.items())]
        if record.exc_info:
            lines += [f"  | {line}" for line in self.formatException(record.exc_info).splitlines()]
        return hide_tokens("\n".join(lines))


def hide_tokens(words: str) -> str:
    """The text without the secret part of the addresses of seats, questions and return paths."""
    return _TOKEN.sub(r"\1[hidden]", words)


def _value(value: object) -> str:
    words = str(value)
    if _PLAIN.fullmatch(words):
        return words
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def set_up(*, verbose: bool) -> None:
    """Log to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(KeyValue())
    logging.basicConfig(level=logging.DEBUG if verbose else logging.INFO, handlers=[handler])
    for talkative in ("apscheduler", "asyncio"):
        logging.getLogger(talkative).setLevel(logging.WARNING)
