"""What one mail of orders costs, from its bytes to the delivered receipt: `python -m bench.mails`.

A whole server runs in this process, with its listener, its threads and a SQLite file: a player sends five orders to the
seat's address, waits for the receipt, and sends the next. The player and the mail server that takes the receipts are in
another process. The floor is the same conversation with the parts alone: aiosmtpd takes the mail with one full commit,
it is parsed, its lines are read by Lark, a mail of text and HTML is built, stored, and sent by smtplib over an open
connection. Processor time of this process. The two take turns, so that a machine whose speed changes is the same for
both, and the ratio of the two is what counts.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from lark import Lark

from bench.deadlines import listening, statements
from bench.games import PlayedPhase, played_games
from bench.goals import at_least_one, tell, tell_machine
from bench.reports import begin
from gm.board import Power
from gm.cli.serve import RunningServer
from gm.mail.transport.smtp_out import Sender
from gm.orders.notation import write
from gm.position import PhaseKind
from gm.server.delivery import send_due
from gm.server.intake import accept, receive_next
from gm.settings import DatabaseSettings, ListenSettings, SendSettings, ServerSettings, Settings
from gm.store.database import Database
from gm.store.inbox import ArrivedMail

HOST = "127.0.0.1"
ORDERS = 5
MAILS = 60
GOAL, LEAST = 2.5, 3.5
GOAL_STATEMENTS, LEAST_STATEMENTS, GOAL_COMMITS = 10, 14, 3
PARTS_THEN = 2.1
"""Milliseconds of the parts on the machine for which the goals in seconds were set."""


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


@contextmanager
def controller(handler: object) -> Iterator[int]:
    """A mail server on a free port of the loopback interface, which is given."""
    with closing(socket.create_server((HOST, 0))) as free:
        port: int = free.getsockname()[1]
    running = Controller(handler, hostname=HOST, port=port)
    running.start()
    try:
        yield port
    finally:
        running.stop()


_NUMBERS = count(1)


def written(sender: str, address: str, orders: Sequence[str], number: int) -> bytes:
    """A mail of five orders; the order of the lines differs from one to the next."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"A Player <{sender}>", address, "Re: bench: your orders"
    mail["Date"], mail["Message-ID"] = format_datetime(datetime.now(UTC)), f"<{next(_NUMBERS)}@bench.example>"
    lines = islice(cycle(orders), number % ORDERS, number % ORDERS + ORDERS)
    mail.set_content("Dear gamemaster,\n\n{}\n\n-- \nA Player\n".format("\n".join(lines)))
    return mail.as_bytes().replace(b"\n", b"\r\n")


@dataclass(frozen=True)
class Player:
    """A power with five units or more in a phase of moves, and orders for five of them."""

    phase: PlayedPhase
    power: Power
    orders: tuple[str, ...]

    @property
    def sender(self) -> str:
        """Their address."""
        return f"{self.power}@bench.example".lower()

    def mails(self, address: str) -> tuple[bytes, ...]:
        """The mails of one round."""
        return tuple(written(self.sender, address, self.orders, number) for number in range(MAILS))


def of_five() -> Player:
    """The first such player."""
    for phase in played_games(7):
        if phase.position.phase.kind is PhaseKind.MOVEMENT:
            for power, orders in phase.orders.items():
                if len(orders) >= ORDERS:
                    return Player(phase, power, tuple(map(write, orders[:ORDERS])))
    raise AssertionError("games without end have no such phase")


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


@contextmanager
def served(pipe: Any, sink: int) -> Iterator[Callable[[], Cost]]:
    """A round with the whole server, whenever it is called: what a mail costs."""
    one = of_five()
    with tempfile.TemporaryDirectory() as folder:
        server = RunningServer(settings(Path(folder), sink))
        database = server.service.database
        database.migrate()
        seat = begin(server.service, one.phase)[one.power]
        server.start()
        try:
            yield lambda: _asked(pipe, Work(one.sender, seat, server.port or 0, one.mails(seat)), database)
        finally:
            server.stop()


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
        written = str(mail.get_payload()).partition("\r\n-- ")[0].splitlines()
        lines = [line for line in written if line[:2] in ("A ", "F ")]
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
def floor(pipe: Any, sink: int) -> Iterator[Callable[[], Cost]]:
    """A round with the parts alone, whenever it is called: what a mail costs."""
    one, seat = of_five(), "gm@bench.example"
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Parts(Path(folder), sink)) as parts,
        controller(parts) as port,
    ):
        yield lambda: _asked(pipe, Work(one.sender, seat, port, one.mails(seat)))


def profile(sink: int) -> pstats.Stats:
    """Where the time of a mail goes: the same steps, called one after the other."""
    one, seen = of_five(), cProfile.Profile()
    with tempfile.TemporaryDirectory() as folder:
        given = settings(Path(folder), sink)
        server = RunningServer(given).service
        server.database.migrate()
        seat = begin(server, one.phase)[one.power]
        with closing(Sender(given.send, hostname="bench.example")) as way_out:
            for number, raw in enumerate(one.mails(seat)):
                if number == 5:
                    seen.enable()
                accept(server, ArrivedMail("smtp", raw, server.now(), (seat,), one.sender))
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
    parser.add_argument("--profile", action="store_true", help="say where the time of a mail goes")
    options = parser.parse_args(argv)
    logging.getLogger().setLevel(logging.WARNING)
    process, ours = beside(player)
    sink = ours.recv()
    if options.profile:
        profile(sink).sort_stats("cumulative").print_stats(70)
    with floor(ours, sink) as of_parts, served(ours, sink) as of_server:
        rounds = [(of_parts(), of_server()) for _ in range(options.rounds + 1)][1:]
    ours.send(None)
    process.join()
    rounds.sort(key=lambda pair: pair[1].seconds / pair[0].seconds)
    parts, whole = rounds[len(rounds) // 2]
    ratio = whole.seconds / parts.seconds
    print(f"{'a mail of orders':>17}{'ms':>8}{'statements':>12}{'commits':>9}")
    print(f"{'the parts':>17}{parts.seconds * 1e3:8.2f}{'':>12}{2:>9}")
    print(f"{'the server':>17}{whole.seconds * 1e3:8.2f}{whole.statements:12.1f}{whole.commits:9.1f}")
    tell_machine(parts.seconds * 1e3, PARTS_THEN)
    tell("a mail of orders, beside its parts", ratio, GOAL, "x", least=LEAST)
    tell("statements of a mail", whole.statements, GOAL_STATEMENTS, "", least=LEAST_STATEMENTS)
    tell("commits of a mail", whole.commits, GOAL_COMMITS, "")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
