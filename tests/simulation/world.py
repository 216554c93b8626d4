"""The world of one run: its clock, its server or two, everybody's mail, and what is to happen later.

Nothing here looks into the server but `known`, the sentences that a person could read in a mail, and the rows to which
a mail belongs, which the invariants need.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.parser import BytesHeaderParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar
from unittest.mock import patch

from sqlalchemy import text

from gm.games import loading
from gm.games.loading import Snapshots
from gm.games.snapshot import Game
from gm.mail.transport import imap, smtp_out
from gm.store import game_rows
from gm.store.database import Database
from tests.simulation.faults import Broken, Crash, Points
from tests.simulation.looking import Looking
from tests.simulation.machine import STAND_INS, Machine, SimVerifier
from tests.simulation.network import SPAM, Front, Mailbox, SimImap, SimSmtp, Transit
from tests.simulation.promises import Promise, check
from tests.simulation.ways import BASE, Ways, settings_of

FULL = "@void.sim"
"""The end of addresses for which no relay ever takes a mail."""
_MOST_TURNS = 30_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Got:
    """A mail of the server's that somebody has received. `phase`: the id of the phase that it names as the one played,
    for the seat with the id `seat`; `purpose` is the server's own name for it.
    """

    message_id: str
    reply_to: str
    subject: str
    answers: str
    recipient: str
    return_path: str
    purpose: str
    seat: int | None
    phase: int | None
    at: datetime
    told: tuple[tuple[int, int], ...] = ()
    """The seats that it tells of a phase, and the phases; a digest tells several."""


@dataclass
class World:
    """One run."""

    home: Path
    url: str
    seed: int
    start: datetime
    ways: Ways = field(default_factory=Ways)
    said: Callable[[str], object] = lambda _: None
    traced: bool = False
    """Whether anybody listens to what is said."""
    bodies: str = ""
    """A mail is told whole if this is on the line that tells of it; "" for none."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        random.seed(self.seed)
        self.now = self.start
        self.skew = timedelta()
        self.skewed_until = self.start
        """When the server's clock was last wrong."""
        self.points = Points()
        self.counts: Counter[str] = Counter()
        self.digest = hashlib.sha256()
        """Of all mails that the server has sent."""
        self.mails: dict[str, list[Got]] = {}
        self.questions: list[Got] = []
        self.observers: list[Callable[[Got, bytes], object]] = []
        self.told: Callable[[], object] = lambda: None
        """Tells what is new."""
        self.relays: dict[str, tuple[str, datetime]] = {}
        self.mailbox = Mailbox(can=self.ways.can)
        self.front = Front(self)
        self.disturbances = 0
        self.last_crash = self.last_end = self.start - timedelta(days=1)
        """When a server died last, by its own clock, and when one stopped or died."""
        self.unsettled: list[tuple[str, str]] = []
        self.settled: set[tuple[str, str]] = set()
        self.arrived: set[tuple[str, str]] = set()
        self.returned: Counter[str] = Counter()
        """How many bounces of each mail there were, for each of which it may be sent once more."""
        self._agenda: list[tuple[datetime, int, Callable[[], object]]] = []
        self._order = itertools.count()
        self._numbers = itertools.count(1)
        self._current: Machine | None = None
        self.database = Database(self.url)
        self._looking = Looking(self.url)
        self._snapshots = Snapshots()
        drift = self.ways.drift
        clocks = [(self.server_clock, timedelta()), (lambda: self.server_clock() + drift, drift)]
        configured = [settings_of(self.ways, self.home, self.url, self.seed, one) for one in range(self.ways.machines)]
        self.machines = [
            Machine(one, clock, self.points, alone=self.ways.machines == 1, ahead=ahead)
            for one, (clock, ahead) in zip(configured, clocks, strict=False)
        ]

    # ---- time

    def server_clock(self) -> datetime:
        """What the server's clock says."""
        return self.now + self.skew

    def later(self, wait: timedelta, call: Callable[[], object]) -> None:
        """Have something happen later."""
        heapq.heappush(self._agenda, (self.now + wait, next(self._order), call))

    def until(self, moment: datetime, look: Callable[[], object] = lambda: None) -> None:
        """Let time pass, and everything happen that is due by then; `look` after each."""
        while (due := self._next()) <= moment:
            self._pass_to(max(due, self.now))
            while self._agenda and self._agenda[0][0] <= self.now:
                heapq.heappop(self._agenda)[2]()
            self.settle()
            look()
        self._pass_to(moment)

    def _next(self) -> datetime:
        times = [
            machine.due(self.now + self.skew + machine.ahead) - self.skew - machine.ahead
            for machine in self.machines
            if machine.up
        ]
        times += [self._agenda[0][0]] if self._agenda else []
        return min(times, default=datetime.max.replace(tzinfo=UTC))

    def _pass_to(self, moment: datetime) -> None:
        self.now = max(moment, self.now)
        if self.skew:
            self.skewed_until = self.now
        for machine in self.machines:
            if machine.up:
                machine.sleep(self.server_clock() + machine.ahead)
                machine.call(self.server_clock() + machine.ahead)

    def settle(self) -> None:
        """Let the servers work until they have nothing to do. Raises Broken when they never rest."""
        for _ in range(_MOST_TURNS):
            busy = [machine for machine in self.machines if machine.up]
            if not sum(self._turn(machine) for machine in busy):
                return
        raise Broken(f"the server is still busy after {_MOST_TURNS} pieces of work")

    def _turn(self, machine: Machine) -> bool:
        before = self.disturbances, machine.full_hits
        did = self.alive(machine, lambda: machine.turn(self.chance))
        if (self.disturbances, machine.full_hits) == before:
            self.settled.update(self.unsettled)
        self.unsettled.clear()
        return bool(did)

    # ---- the servers' life

    def alive(self, machine: Machine, call: Callable[[], T]) -> T | None:
        """Do something in a server's process; None if the process died of it."""
        outer, self._current = self._current, machine
        try:
            return call()
        except Crash as crash:
            self.said(f"crash: {crash}")
            self.crash(machine)
            return None
        finally:
            self._current = outer

    def asks(self, command: str) -> None:
        """A server gives a command to a mail server."""
        self.points.asks(command)

    def passes(self, place: str) -> None:
        """The process that works now passes a place where it can die."""
        if self._current is not None:
            self._current.passes(place)

    def crash(self, machine: Machine, away: timedelta | None = None) -> None:
        """Kill a server; it is started again after a while."""
        machine.die()
        self.count("crash")
        self._died()
        rest = self.chance.choice((timedelta(seconds=5), timedelta(minutes=2), timedelta(minutes=40)))
        self.later(rest if away is None else away, lambda: self.boot(machine))

    def _died(self) -> None:
        self.disturbed()
        self.last_crash, self.last_end = self.server_clock(), self.now

    def stop(self, machine: Machine, away: timedelta) -> None:
        """Stop a server in good order; it is started again after a while."""
        machine.stop()
        self.last_end = self.now
        self.later(away, lambda: self.boot(machine))

    def disturbed(self) -> None:
        """Something happened that may make the server send a mail twice."""
        self.disturbances += 1

    def boot(self, machine: Machine) -> None:
        """Start a server, unless it runs."""
        if machine.up:
            return
        self._current = machine
        came_up = machine.boot()
        self._current = None
        if not came_up:
            self.count("crash at start")
            self.said(f"crash at start: {machine.died_of}")
            self._died()
            self.later(timedelta(minutes=1), lambda: self.boot(machine))

    def count(self, what: str) -> None:
        """Count something for the summary."""
        self.counts[what] += 1

    def checks(self, promise: Promise, number: int = 1) -> None:
        """A promise is looked at on so many things."""
        check(self.counts, promise, number)

    # ---- mail

    def number(self) -> int:
        """A new number."""
        return next(self._numbers)

    def send(self, raw: bytes, sender: str, recipient: str, way: str = "front", peer: str = "127.0.0.1") -> None:
        """Post a mail to the server: through the mail server in front, into the mailbox, or directly from `peer`."""
        self.count("mails to the server")
        if self.traced:
            head = BytesHeaderParser().parsebytes(raw, headersonly=True)
            self._tell(f"{sender} -> {recipient} by {way}: {head['Subject']} {head['Message-ID']}", raw)
        if way in ("mailbox", "spam folder") and self.ways.polls:
            returned = f"Return-Path: <{sender}>\r\nDelivered-To: {BASE}\r\n".encode()
            self.mailbox.drop(returned + raw, self.now, "INBOX" if way == "mailbox" else SPAM)
            for machine in self.machines:
                if machine.up and self.chance.random() < 0.9:
                    machine.new_mail()
            return
        self.front.take(Transit(raw, sender, recipient, self.now, peer))

    def _tell(self, words: str, raw: bytes) -> None:
        """Tell of a mail, and when that is."""
        self.said(f"    {self.now:%d %H:%M:%S} {words}")
        if self.bodies and self.bodies in words:
            self.said(f"{'-' * 72}\n{raw.decode(errors='replace')}\n{'-' * 72}".replace("\r\n", "\n"))

    def relay_mode(self, recipient: str) -> str:
        """How the relay behaves to mail for this address now; to some it is always full."""
        if recipient.endswith(FULL):
            return "full"
        for name in (recipient.rpartition("@")[2], recipient, "*"):
            mode, until = self.relays.get(name, ("", self.now))
            if until > self.now and (mode != "down" or name == "*"):
                return mode
        return ""

    def delivered(self, raw: bytes, sender: str, recipient: str) -> None:
        """A mail of the server's has arrived."""
        head = BytesHeaderParser().parsebytes(raw, headersonly=True)
        message_id = str(head["Message-ID"])
        key = (message_id, recipient)
        self.checks(Promise.DELIVERED_ONCE)
        if key in self.settled and self.returned[message_id]:
            self.returned[message_id] -= 1
            self.settled.discard(key)
        elif key in self.settled:
            raise Broken(
                f"{message_id} to {recipient} ({head['Subject']}) was delivered twice, and nothing died between"
            )
        self.unsettled.append(key)
        self.arrived.add(key)
        row = self.outbox_row(message_id)
        named = ("Reply-To", "Subject", "In-Reply-To")
        reply_to, subject, answers = (" ".join(str(head[name] or "").split()) for name in named)
        about = recipient, sender, row.purpose, row.seat_id, row.phase_id, self.now, self._told(row, message_id)
        got = Got(message_id, reply_to, subject, answers, *about)
        self.count("mails from the server")
        self.digest.update(f"{sender} {recipient} ".encode() + raw)
        self._tell(f"-> {recipient}: {subject} [{row.purpose}] {message_id}", raw)
        box = self.mails.setdefault(recipient, [])
        box.append(got)
        del box[:-40]
        if "+confirm." in got.reply_to:
            self.questions = [*self.questions[-30:], got]
        for observer in self.observers:
            observer(got, raw)

    def _told(self, row: Any, message_id: str) -> tuple[tuple[int, int], ...]:
        if not row.purpose.startswith("digest:"):
            return ((row.seat_id, row.phase_id),) if row.seat_id is not None and row.phase_id is not None else ()
        gathered = "SELECT DISTINCT seat_id, phase_id FROM outbox WHERE message_id = :id AND state = 'gathered'"
        return tuple(sorted(tuple(one) for one in self.rows(f"{gathered} AND phase_id IS NOT NULL", id=message_id)))

    def outbox_row(self, message_id: str) -> Any:
        """What the server knows of a mail that it has sent."""
        wanted = "SELECT purpose, seat_id, phase_id FROM outbox WHERE message_id = :id ORDER BY id DESC LIMIT 1"
        return self.rows(wanted, id=message_id)[0]

    # ---- looking

    def rows(self, statement: str, **values: object) -> list[Any]:
        """The rows that a statement selects."""
        return self._looking.rows(statement, values)

    def game(self, name: str) -> Game:
        """A game as it is."""
        with self.database.reading() as session:
            heads = session.execute(loading.BY_NAME, {"name": name}).all()
            games = loading.assemble(session, heads, self._snapshots)
            self._snapshots.keep(games)
        if not games:
            raise Broken(f"the mail that makes the game {name} had no effect")
        return games[0]

    def spare(self) -> None:
        """Everybody who is known now wants mail without maps, and most want none with files either: they take most of
        the time of a report."""
        with self.database.transaction() as session:
            session.execute(text("UPDATE account SET maps = 'none', html = :no"), {"no": False})
            session.execute(text("UPDATE account SET json = 'none' WHERE id % 3 <> 0"))

    # ---- beginning and end

    @contextmanager
    def open(self) -> Iterator[World]:
        """The world while it lasts: names in gm that reach out of the process are replaced."""
        SimImap.world = SimSmtp.world = self
        SimVerifier.reset()
        versions = random.Random(self.seed)
        with ExitStack() as stack:
            stack.callback(self._close)
            for replaced in STAND_INS:
                stack.enter_context(patch.object(*replaced))
            stack.enter_context(patch.object(imap, "IMAPClient", SimImap))
            stack.enter_context(patch.object(smtp_out, "_Plain", SimSmtp))
            monotonic = SimpleNamespace(monotonic=lambda: (self.now - self.start).total_seconds())
            stack.enter_context(patch.object(smtp_out, "time", monotonic))
            stack.enter_context(patch.object(game_rows, "secrets", SimpleNamespace(randbits=versions.getrandbits)))
            yield self

    def begin(self) -> None:
        """Start the servers."""
        if self.ways.dies:
            self.points.set(self.chance.randrange(16))
        for machine in self.machines:
            self.boot(machine)
        self.settle()

    def _close(self) -> None:
        for machine in self.machines:
            if machine.up:
                machine.die()
        self.database.dispose()
        self._looking.connection.close()
        shutil.rmtree(self.home / "mail", ignore_errors=True)
