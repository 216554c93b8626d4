"""What one mail of orders costs, as people send them: `python -m bench.mails [--games 300] [--phases 40]`.

Whole servers run in this process, each with its listener, its threads and a SQLite file: a player answers the report of
the phase with five orders (`bench.people.KINDS`), waits for the receipt, and sends the next. One home is new, one old.
The player and the mail server that takes the receipts are in another process. The floor is the same conversation with
the parts alone: aiosmtpd takes the mail with one full commit, it is parsed and its text decoded, its lines are read by
Lark, a mail of text and HTML is built, stored, and sent by smtplib over an open connection. Processor time of this
process. All take turns, so that a machine whose speed changes is the same for all, and the ratios are what counts.
"""

from __future__ import annotations

import argparse
import cProfile
import email
import logging
import multiprocessing
import pstats
import smtplib
import socket
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from statistics import median
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from lark import Lark

from bench.deadlines import listening, statements
from bench.goals import at_least_one, tell
from bench.homes import Clock, Home, home
from bench.people import KINDS, written
from gm.cli.serve import RunningServer
from gm.inbound.acceptance import accept
from gm.inbound.intake import receive_next
from gm.machine.delivery import send_due
from gm.mail.transport.smtp_out import Sender
from gm.settings import DatabaseSettings, ListenSettings, SendSettings, ServerSettings, Settings
from gm.store.database import Database
from gm.store.inbox import ArrivedMail

HOST = "127.0.0.1"
MAILS = 20
GOAL_MIXED, GOAL_SHORT, GOAL_QUOTING, GOAL_OLD = 4, 3, 1.3, 1.1
GOAL_STATEMENTS, GOAL_COMMITS = 12, 3


@dataclass(frozen=True)
class Work:
    """What the player sends, and to whom."""

    sender: str
    address: str
    port: int
    raws: tuple[bytes, ...]


class Taken:
    """The mail server that takes the receipts."""

    def __init__(self) -> None:
        self.ready = threading.Semaphore(0)

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
        self.ready.release()
        return "250 OK"


def player(pipe: Any) -> None:
    """The other process: says where receipts go, then does each piece of work and says that it is done."""
    taken = Taken()
    with controller(taken) as port:
        pipe.send(port)
        while (work := pipe.recv()) is not None:
            taken.ready = threading.Semaphore(0)  # receipts of mails that others sent do not count
            with smtplib.SMTP(HOST, work.port) as smtp:
                for raw in work.raws:
                    smtp.sendmail(work.sender, [work.address], raw)
                    if not taken.ready.acquire(timeout=60):
                        raise TimeoutError("no receipt came")
            pipe.send(None)


def free_port() -> int:
    """A port of the loopback interface that nobody uses."""
    with closing(socket.create_server((HOST, 0))) as free:
        return int(free.getsockname()[1])


@contextmanager
def controller(handler: object) -> Iterator[int]:
    """A mail server on a free port of the loopback interface, which is given."""
    port = free_port()
    running = Controller(handler, hostname=HOST, port=port)
    running.start()
    try:
        yield port
    finally:
        running.stop()


def settings(folder: Path, sink: int) -> Settings:
    """A server of its own in this folder, which delivers to this port."""
    return Settings(
        home=folder,
        server=ServerSettings(address="gm@bench.example", limits=1000),
        key=b"k" * 32,
        database=DatabaseSettings(f"sqlite:///{folder / 'gm.sqlite3'}"),
        send=SendSettings(maildir=folder, kind="smtp", host=HOST, port=sink),
        listen=ListenSettings(port=0),
    )


@dataclass(frozen=True)
class Cost:
    """Of one mail: processor seconds, and how many statements and commits."""

    seconds: float
    statements: float = 0.0
    commits: float = 0.0


Round = Callable[[str], "Cost"]
"""A round of mails of one kind (`bench.people.KINDS`): what one of them costs."""


@contextmanager
def served(pipe: Any, sink: int, home: Home) -> Iterator[Round]:
    """A round with the whole server of a home, whenever it is called."""
    clock, one = Clock(home.now).go(), home.writer
    server = RunningServer(settings(home.folder, sink), now=clock)
    server.start()
    try:
        yield lambda kind: _asked(
            pipe, Work(one.sender, one.seat, server.port or 0, _mails(kind, home, clock)), server.service.database
        )
    finally:
        server.stop()


def _mails(kind: str, home: Home, clock: Clock) -> tuple[bytes, ...]:
    """The mails of one round."""
    one = home.writer
    return tuple(written(kind, one.sender, one.seat, one.orders, one.report, clock()) for _ in range(MAILS))


def _asked(pipe: Any, work: Work, database: Database | None = None) -> Cost:
    """What this process spends until the player has all receipts."""
    if database is None:
        begun = time.process_time()
        pipe.send(work)
        pipe.recv()
        return Cost((time.process_time() - begun) / len(work.raws))
    with statements(database) as seen, commits(database) as ended:
        cost = _asked(pipe, work)
    return Cost(cost.seconds, _of_each(seen, len(work.raws)), len(ended) / len(work.raws))


def _of_each(seen: Sequence[str], mails: int) -> float:
    """The statements of a mail: those that were executed for nearly each. The clock has others, such as the look for
    what is due, once a second.
    """
    return sum(round(number / mails) for number in Counter(seen).values())


@contextmanager
def commits(database: Database) -> Iterator[list[object]]:
    """One entry for each transaction that is committed meanwhile; those that only read are rolled back."""
    seen: list[object] = []

    def ends(connection: object) -> None:
        seen.append(connection)

    with listening(database, "commit", ends):
        yield seen


GRAMMAR = r"""
    order: unit "-" PLACE WORD* | unit "H" | unit "S" unit ["-" PLACE] | unit "C" unit "-" PLACE
    unit: KIND PLACE
    KIND: "A" | "F"
    PLACE: /[A-Z][A-Za-z]+(\/[a-z]{2})?/
    WORD: /[a-z]+/
    %ignore " "
"""


class Parts:
    """The floor: what a mail costs if its parts do their work and nothing else."""

    def __init__(self, folder: Path, sink: int) -> None:
        self._database = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode = WAL", "synchronous = FULL"):
            self._database.execute(f"PRAGMA {pragma}")
        self._database.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")
        self._parser = Lark(GRAMMAR, parser="lalr", start="order")
        self._smtp = smtplib.SMTP(HOST, sink)

    def close(self) -> None:
        """Close both connections."""
        self._smtp.close()
        self._database.close()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        raw = envelope.original_content or b""
        self._store(raw)
        mail = email.message_from_bytes(raw)
        part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        said = bytes(part.get_payload(decode=True) or b"").decode().splitlines()
        lines = [line for line in said if line[:2] in ("A ", "F ")]
        trees = [self._parser.parse(line) for line in lines]
        text = "\n".join(["Your orders:", *lines])
        receipt = EmailMessage()
        receipt["From"], receipt["To"], receipt["Subject"] = envelope.rcpt_tos[0], mail["From"], mail["Subject"]
        receipt["Message-ID"], receipt["In-Reply-To"] = f"<re.{mail['Message-ID'][1:]}", mail["Message-ID"]
        receipt.set_content(f"{text}\n{len(trees)} orders were understood.\n")
        receipt.add_alternative(f"<p>{text}</p>", subtype="html")
        answer = receipt.as_bytes()
        self._store(answer)
        self._smtp.sendmail(envelope.rcpt_tos[0], [envelope.mail_from or ""], answer)
        return "250 OK"

    def _store(self, raw: bytes) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        self._database.execute("INSERT INTO mail (raw) VALUES (?)", (raw,))
        self._database.execute("COMMIT")


@contextmanager
def floor(pipe: Any, sink: int, home: Home) -> Iterator[Round]:
    """A round with the parts alone, whenever it is called."""
    clock, one = Clock(home.now).go(), home.writer
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Parts(Path(folder), sink)) as parts,
        controller(parts) as port,
    ):
        yield lambda kind: _asked(pipe, Work(one.sender, one.seat, port, _mails(kind, home, clock)))


def profile(sink: int, home: Home, kind: str) -> pstats.Stats:
    """Where the time of a mail goes: the same steps, called one after the other."""
    clock, one, seen = Clock(home.now).go(), home.writer, cProfile.Profile()
    given = settings(home.folder, sink)
    server = RunningServer(given, now=clock).service
    with closing(Sender(given.send, hostname="bench.example")) as way_out:
        for number, raw in enumerate(_mails(kind, home, clock) * 3):
            if number == 5:
                seen.enable()
            raw = raw.replace(b"@bench.example>\r\nIn-Reply", b".%d@bench.example>\r\nIn-Reply" % number)
            accept(server, ArrivedMail("smtp", raw, server.now(), (one.seat,), one.sender))
            receive_next(server)
            send_due(server, way_out)
    seen.disable()
    server.database.dispose()
    return pstats.Stats(seen)


def beside(target: Callable[[Any], None]) -> tuple[Any, Any]:
    """A process that runs the function, beside the measured one, and our end of a pipe to it."""
    start = multiprocessing.get_context("spawn")
    ours, theirs = start.Pipe()
    process = start.Process(target=target, args=(theirs,), daemon=True)
    process.start()
    return process, ours


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.mails", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=at_least_one, default=9, help="the middle one of so many rounds (%(default)s)")
    parser.add_argument("--games", type=at_least_one, default=300, help="of the old home (%(default)s)")
    parser.add_argument("--phases", type=at_least_one, default=40, help="of the old home (%(default)s)")
    parser.add_argument("--profile", choices=KINDS, help="say where the time of a mail of this kind goes")
    options = parser.parse_args(argv)
    logging.getLogger().setLevel(logging.WARNING)
    process, ours = beside(player)
    sink = ours.recv()
    with tempfile.TemporaryDirectory() as new, tempfile.TemporaryDirectory() as old:
        young = home(Path(new))
        if options.profile:
            profile(sink, young, options.profile).sort_stats("cumulative").print_stats(90)
            return 0
        aged = home(Path(old), options.games, options.phases)
        with floor(ours, sink, young) as parts, served(ours, sink, young) as fresh, served(ours, sink, aged) as ancient:
            rounds = [
                {kind: Turn(parts(kind), fresh(kind), ancient(kind)) for kind in KINDS}
                for _ in range(options.rounds + 1)
            ][1:]
    ours.send(None)
    process.join()
    _goals(rounds, f"{options.games} games x {options.phases} phases")
    return 0


@dataclass(frozen=True)
class Turn:
    """What a mail of one kind cost in one round: the parts, a new home, an old one."""

    parts: Cost
    new: Cost
    old: Cost


def _goals(rounds: Sequence[Mapping[str, Turn]], old: str) -> None:
    print(f"{'a mail of orders':>17}{'parts ms':>10}{'new ms':>8}{'old ms':>8}", end="")
    print(f"{'statements':>12}{'commits':>9}{'ratio':>7}")
    for kind in KINDS:
        turns = [one[kind] for one in rounds]
        ms = [median(cost.seconds for cost in costs) * 1e3 for costs in zip(*map(_costs, turns), strict=True)]
        ratio, last = median(one.new.seconds / one.parts.seconds for one in turns), turns[-1].new
        print(f"{kind:>17}{ms[0]:10.2f}{ms[1]:8.2f}{ms[2]:8.2f}{last.statements:12.1f}{last.commits:9.1f}{ratio:7.2f}")
    short = median(one["short"].new.seconds / one["short"].parts.seconds for one in rounds)
    quoting = median(one["quoted"].new.seconds / one["short"].new.seconds for one in rounds)
    mixed = median(_mixed(one, "new") / _mixed(one, "parts") for one in rounds)
    aged = median(_mixed(one, "old") / _mixed(one, "new") for one in rounds)
    every = [one.new for one in rounds[-1].values()]
    tell("a mail of orders, mixed, beside its parts", mixed, GOAL_MIXED, "x")
    tell("  short", short, GOAL_SHORT, "x")
    tell("  that quotes the report, beside a short one", quoting, GOAL_QUOTING, "x")
    tell("  its statements", max(one.statements for one in every), GOAL_STATEMENTS, "")
    tell("  its commits", max(one.commits for one in every), GOAL_COMMITS, "")
    tell(f"  in a home of {old}, beside a new one", aged, GOAL_OLD, "x")


def _costs(turn: Turn) -> tuple[Cost, Cost, Cost]:
    return turn.parts, turn.new, turn.old


def _mixed(turns: Mapping[str, Turn], which: str) -> float:
    """Seconds of a mail, as many of each kind."""
    costs: list[Cost] = [getattr(one, which) for one in turns.values()]
    return sum(cost.seconds for cost in costs) / len(costs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
