"""Several servers on one PostgreSQL, each a process with all parts or some, that are killed (SIGKILL) in mid-work.

    python -m tests.cli.machines --mails 300 --games 10 --rounds 5

Senders post mails by SMTP, each again and again until a server has said 250, to whichever of them answers; meanwhile
the deadlines of all games pass, round after round, and each server is killed once: most are started again, one whose
parts another has is not. Everything is sent to a real SMTP server. Afterwards every mail must have had exactly one
answer, every phase been adjudicated once, and each report been sent; twice, with the same Message-ID, only where a
server was killed while it sent.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import signal
import smtplib
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path

from sqlalchemy import select, text

from gm.cli.service import service_of
from gm.operation import Part
from gm.play import calendar
from gm.settings import load
from gm.store import inbox, outbox
from gm.store.game_rows import GameRow
from gm.store.inbox import InboxState
from gm.store.outbox import OutboxState
from gm.variants.standard import POWERS
from tests.cli.server import Running, new_mail, player, read
from tests.databases import fresh_postgresql, running_postgresql
from tests.mail.transport.dovecot import free_port, wait_for_port
from tests.mail.transport.mailserver import MailServer
from tests.processes import Process, streams_to
from tests.timing import HANGING

SENDERS = 3
KILLED_AFTER = (2.0, 4.0)
"""So many seconds after the one before each server is killed; mails are posted for longer than that lasts."""
AHEAD = timedelta(seconds=3)
"""Each deadline is set for so much later: one that has passed would be a phase that is closed early."""
CONNECTIONS = 8
"""The most mails that a server sends at once."""

SHARED = (
    ("intake,delivery", True),
    ("deadlines,reports", True),
    ("deadlines,reports,delivery", False),
)
"""The parts of each server, and whether it is started again after it was killed."""
WHOLE = ((",".join(Part), True), (",".join(Part), False))

TEXTS = (
    "STATUS",
    "PRESS TO GM\nHow late is it?\nENDPRESS",
    "HELP ORDERS",
    "WHOAMI",
)


class Machine:
    """One server in a process of its own; `port` is where it takes mail, None if it takes none."""

    def __init__(self, home: Path, number: int, only: str, port: int, environment: dict[str, str]) -> None:
        self.port = port if Part.INTAKE in only.split(",") else None
        self._log = home / f"machine {number}.log"
        self._command = ("gm", "serve", "--home", str(home), "--only", only)
        self._environment = environment | ({"GM_LISTEN_PORT": str(self.port)} if self.port else {})

    def start(self) -> None:
        """Start it; returns when it runs."""
        begun = self.log().count("gm is running")
        with self._log.open("ab") as log:
            self._process = Process(*self._command, environment=self._environment, streams=streams_to(log))
        if self.port is not None:
            wait_for_port(self.port, self._process)
        wait_for(lambda: self.log().count("gm is running") > begun, self.log)

    def kill(self) -> None:
        """kill -9."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def log(self) -> str:
        return self._log.read_text(errors="replace") if self._log.exists() else ""


def wait_for(condition: Callable[[], bool], log: Callable[[], str], seconds: float = HANGING) -> None:
    """Wait until the condition holds; fails with the log."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, log()[-5000:]
        time.sleep(0.05)


@dataclass
class Outcome:
    """What happened."""

    posted: int = 0
    tries: int = 0
    kills: int = 0
    phases: int = 0
    reports: int = 0
    copies: int = 0
    latest: float = 0.0
    """How long after its deadline a phase was adjudicated at the most, in seconds."""
    slowest: float = 0.0
    """How long after that its last report was sent at the most, in seconds."""
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.posted} mails ({self.tries} tries), {self.phases} deadlines, {self.kills} servers killed,"
            f" {self.seconds:.0f} s: {self.reports} reports, {self.copies} mails sent twice with the same Message-ID;"
            f" a phase was adjudicated {self.latest:.1f} s after its deadline at the latest, its reports were sent"
            f" {self.slowest:.1f} s after that; {len(self.faults)} faults"
            + "".join(f"\n  {one}" for one in self.faults)
        )


class Fleet:
    """Servers with these parts (as in SHARED) at the database `url`, and what passes through them. They look for work
    that nobody told them of every `poll` seconds.
    """

    def __init__(
        self, home: Path, url: str, parts: Sequence[tuple[str, bool]], seed: int = 1, *, poll: int = 60
    ) -> None:
        self._home, self._chance, self._provider = home, random.Random(seed), MailServer()
        environment = {"GM_DATABASE_URL": url, "GM_CLOCK_CATCH_UP": "adjudicate", "GM_LISTEN_RETRY_SECONDS": "0"}
        environment["GM_CLOCK_POLL_SECONDS"] = str(poll)
        self._pause = 0.0
        self._first = Running(home, **environment)
        away = {"GM_SERVER_LIMITS": "0", "GM_SEND_KIND": "smtp", "GM_SEND_PORT": str(self._provider.port)}
        whole = {**os.environ, **environment, **away, "GM_SEND_CONNECTIONS": str(CONNECTIONS)}
        # The first goes on in the place of the one that starts the games: deadlines wait for whoever took mail.
        ports = [self._first.port, *(free_port() for _ in parts[1:])]
        each = zip(range(len(parts)), parts, ports, strict=True)
        self._machines = [Machine(home, number, only, port, whole) for number, (only, _), port in each]
        self._again = [again for _, again in parts]
        self._service = service_of(load(home, environment))
        self._waiting: queue.Queue[tuple[str, str, str]] = queue.Queue()
        self._posted: dict[str, str] = {}
        self._lock = threading.Lock()
        self.outcome = Outcome()

    def run(self, mails: int, games: int, rounds: int, *, kills: bool = True) -> Outcome:
        """Start the games, then let mails and deadlines pass, and kill each server once."""
        began = time.monotonic()
        with self._first as server:
            seats = {f"g{number}": server.started(f"g{number}") for number in range(games)}
        if kills:
            self._pause = SENDERS * sum(KILLED_AFTER) * len(self._machines) / mails
        senders = [threading.Thread(target=self._send, daemon=True) for _ in range(SENDERS)]
        with self._provider:
            try:
                for machine in self._machines:
                    machine.start()
                for _ in range(mails):
                    game, power = self._chance.choice(list(seats)), self._chance.choice(POWERS)
                    self._waiting.put((player(power), seats[game][power], self._chance.choice(TEXTS)))
                for sender in senders:
                    sender.start()
                killer = threading.Thread(target=self._kill_each if kills else lambda: None, daemon=True)
                killer.start()
                for number in range(rounds):
                    self._deadlines(number)
                for thread in (killer, *senders):
                    thread.join()
                wait_for(self._is_settled, self._logs)
            finally:
                for machine in self._machines:
                    machine.kill()
        self.outcome.seconds = time.monotonic() - began
        self._check(games, rounds)
        self._service.database.dispose()
        return self.outcome

    def _logs(self) -> str:
        return "\n".join(machine.log()[-3000:] for machine in self._machines)

    # ---- what passes

    def _send(self) -> None:
        """Post mails until there are none, each until a server has taken it."""
        ports = [machine.port for machine in self._machines if machine.port is not None]
        while True:
            try:
                sender, seat, words = self._waiting.get_nowait()
            except queue.Empty:
                return
            mail = new_mail(sender, seat, words)
            with self._lock:
                self._posted[str(mail["Message-ID"])] = sender
            for tried in range(10_000):
                self.outcome.tries += 1
                try:
                    with smtplib.SMTP("127.0.0.1", ports[tried % len(ports)], timeout=HANGING) as smtp:
                        smtp.send_message(mail, sender, [parseaddr(seat)[1]])
                    break
                except (smtplib.SMTPException, OSError):
                    time.sleep(0.1)
            time.sleep(self._pause)

    def _deadlines(self, number: int) -> None:
        """Let the deadlines of all games pass together, and wait until all are adjudicated."""
        with self._service.reading() as tx:
            games = [tx.game(game_id) for game_id in tx.session.scalars(select(GameRow.id))]
        for game in games:
            with self._service.transaction() as tx:
                calendar.set_deadline(tx, tx.game(game.id, lock=True), tx.now + AHEAD)
        wait_for(lambda: self._closed() >= (number + 1) * len(games), self._logs)

    def _closed(self) -> int:
        with self._service.database.reading() as session:
            return session.scalar(text("SELECT count(*) FROM phase WHERE adjudicated_at IS NOT NULL")) or 0

    def _kill_each(self) -> None:
        for machine, again in zip(self._machines, self._again, strict=True):
            time.sleep(self._chance.uniform(*KILLED_AFTER))
            machine.kill()
            self.outcome.kills += 1
            if again:
                time.sleep(self._chance.uniform(0, 1.0))
                machine.start()

    def _is_settled(self) -> bool:
        """Whether nothing is left to be done."""
        with self._service.database.reading() as session:
            arrived, sent = inbox.counts(session), outbox.counts(session)
            owed = session.scalar(text("SELECT count(*) FROM report_queue WHERE done_at IS NULL"))
        return not (owed or arrived[InboxState.NEW] or arrived[InboxState.UNCHECKED] or sent[OutboxState.QUEUED])

    # ---- what came of it

    def _check(self, games: int, rounds: int) -> None:
        faults, outcome = self.outcome.faults, self.outcome
        outcome.posted = len(self._posted)
        taken = [read(one.raw) for one in self._provider.taken]
        answers: dict[str, set[str]] = {}
        for mail in taken:
            answers.setdefault(str(mail["In-Reply-To"]), set()).add(str(mail["Message-ID"]))
        for posted, sender in self._posted.items():
            if (found := len(answers.get(posted, ()))) != 1:
                faults.append(f"the mail {posted} of {sender} has {found} answers")
        times = Counter((str(mail["Message-ID"]), str(mail["To"])) for mail in taken)
        outcome.copies = sum(number - 1 for number in times.values())
        if outcome.copies > outcome.kills * CONNECTIONS:
            faults.append(f"{outcome.copies} copies cannot come of {outcome.kills} kills")
        with self._service.database.reading() as session:
            aside = session.scalar(text("SELECT count(*) FROM inbox WHERE state = 'aside'"))
            closed = session.execute(
                text("SELECT game_id, count(*) FROM phase WHERE adjudicated_at IS NOT NULL GROUP BY 1")
            )
            phases = {game_id: number for game_id, number in closed}  # noqa: C416
            told = session.scalar(text("SELECT count(*) FROM log WHERE kind = 'adjudicate'"))
            owed = session.scalar(text("SELECT count(*) FROM report_queue WHERE kind = 'report'"))
            sent = session.execute(text(_REPORTS)).all()
            outcome.latest = float(session.scalar(text(_LATEST)) or 0)
            outcome.slowest = float(session.scalar(text(_SLOWEST)) or 0)
        outcome.phases, outcome.reports = sum(phases.values()), len(sent)
        if aside:
            faults.append(f"{aside} mails are set aside")
        if list(phases.values()) != [rounds] * games or told != rounds * games:
            faults.append(f"{rounds} deadlines of {games} games: {phases}, {told} adjudications")
        if owed != rounds * games * (len(POWERS) + 1) or len(sent) != owed:
            faults.append(f"{owed} reports are owed, {len(sent)} are in the outbox")
        delivered = {message_id for message_id, _ in times}
        lost = [purpose for purpose, message_id in sent if message_id not in delivered]
        if lost:
            faults.append(f"never sent: {lost}")


_REPORTS = "SELECT purpose, message_id FROM outbox WHERE purpose LIKE 'report:%' AND sent_at IS NOT NULL"
_LATEST = (
    "SELECT extract(epoch FROM max(phase.adjudicated_at - deadline.due_at)) FROM phase"
    " JOIN deadline ON deadline.phase_id = phase.id AND deadline.kind = 'adjudicate' AND deadline.done_at IS NOT NULL"
)
_SLOWEST = (
    "SELECT extract(epoch FROM max(outbox.sent_at - phase.adjudicated_at)) FROM outbox"
    " JOIN phase ON outbox.purpose LIKE 'report:%' AND phase.id = CAST(split_part(outbox.purpose, ':', 2) AS int)"
)


def main() -> int:
    """Both fleets; 1 when there is a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=300)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    faults = 0
    with running_postgresql() as server:
        for parts in (SHARED, WHOLE):
            with tempfile.TemporaryDirectory() as folder:
                fleet = Fleet(Path(folder) / "home", fresh_postgresql(server, "template1"), parts, given.seed)
                outcome = fleet.run(given.mails, given.games, given.rounds)
            print(" + ".join(only for only, _ in parts), f"\n  {outcome}", flush=True)
            faults += len(outcome.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
