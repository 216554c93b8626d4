"""What an old server costs: `python -m bench.old [--games 2000] [--phases 40]`.

One game is played for so many phases, with a mail of orders from each player and with reports, and its rows are copied
until there are so many games. Then: how long does a server take to start, in a process of its own, and what does a mail
of orders cost, beside a server of one such game?
"""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection, Table, text

from bench.deadlines import BEGIN, IDENTITY, statements
from bench.games import played_games
from bench.goals import at_least_one, tell
from bench.mails import HOST
from bench.reports import begin
from gm.cli import init
from gm.games import calendar
from gm.orders import Hold, Order
from gm.orders.notation import write
from gm.position import Position
from gm.server import Server
from gm.server.deadlines import close_next
from gm.server.intake import accept, receive_next
from gm.server.reports import write_next
from gm.store.database import Database
from gm.store.inbox import ArrivedMail
from gm.store.rows import Base

GOAL_START, GOAL_MAIL = 1.0, 1.1
BASE = "gm@bench.example"
MAILS = 40
STARTS = 5

START = """\
import sys, time
from pathlib import Path
from gm.cli import entry
entry("serve")
from gm.cli.serve import RunningServer
from gm.settings import load
server = RunningServer(load(Path(sys.argv[1])))
server.start()
print(time.monotonic(), flush=True)
server.stop()
"""
"""A server that says when it listens."""


_NAMES = frozenset({"name", "email", "token_hash", "message_id", "purpose"})
"""The columns whose values are unique."""
_KEYS = frozenset({("outbox", "seat_id"), ("outbox", "phase_id")})
"""The columns that have keys of other tables without being foreign keys."""
_SHARED = frozenset({"file", "mail_file", "spending", "way_in", "block"})
"""The tables that are not copied."""
_APART = 1_000_000
"""What lies between the keys of two copies."""


class Clock:
    """The time of the server: a day before the deadline, or after it."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> object:
        return self.now


@dataclass(frozen=True)
class Writer:
    """A player: where their mails come from and go to, and orders by which all units stay where they are."""

    sender: str
    seat: str
    orders: str


def one_game(folder: Path, phases: int) -> tuple[Server, list[Writer]]:
    """A server whose one game has been played for so many phases, and its players."""
    clock, first = Clock(), next(played_games(7))
    server = Server(Database(f"sqlite:///{folder / 'gm.sqlite3'}"), IDENTITY, clock)  # type: ignore[arg-type]
    server.database.migrate()
    writers = [
        Writer(f"{power}@bench0.example", seat, "\n".join(map(write, holds(first.position, power))))
        for power, seat in begin(server, first, "bench0").items()
    ]
    for _ in range(phases):
        for writer in writers:
            mail(server, writer, 1)
        clock.now += timedelta(days=1)
        with server.transaction() as tx:
            (game,) = tx.games_in()
            calendar.set_deadline(tx, tx.game(game.id, lock=True), clock.now)
        close_next(server)
        while write_next(server):
            pass
    with server.reading() as tx:
        (game,) = tx.games_in()
        if game.phase is None or game.phase.number <= phases:
            raise AssertionError(f"the game was not played for {phases} phases: it is in {game.phase}")
    return server, writers


def holds(position: Position, power: str) -> list[Order]:
    return [Hold(unit) for unit in position.units if unit.power == power]


def multiply(database: Database, games: int) -> None:
    """Copy everything in the database until there are so many games."""
    with database.engine.begin() as connection:
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        connection.exec_driver_sql("UPDATE outbox SET raw = x'', state = 'sent'")  # what was sent long ago is thinned
        for table in Base.metadata.sorted_tables:
            if table.name not in _SHARED and games > 1:
                _copy(connection, table, games)


def _copy(connection: Connection, table: Table, games: int) -> None:
    """Copy the rows of a table, each copy with keys, and with names, of its own."""
    copied = []
    for column in table.columns:
        if column.primary_key or column.foreign_keys or (table.name, column.name) in _KEYS:
            copied.append(f"{column.name} + n * {_APART}")
        elif column.name in _NAMES:
            copied.append(f"{column.name} || '-' || n")
        else:
            copied.append(column.name)
    names = ", ".join(column.name for column in table.columns)
    copies = f"WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < {games - 1})"
    whole = f"{copies} SELECT {', '.join(copied)} FROM {table.name}, copy"
    connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) {whole}")


def start(home: Path) -> float:
    """Seconds by the clock from the call of the interpreter until the server listens, the best of some."""
    times = []
    for _ in range(STARTS):
        begun = time.monotonic()
        said = subprocess.run([sys.executable, "-c", START, str(home)], check=True, capture_output=True, text=True)
        times.append(float(said.stdout) - begun)
    return min(times)


def mail(server: Server, writer: Writer, mails: int = MAILS) -> tuple[float, float]:
    """Processor milliseconds and statements of a mail of orders, stored and answered."""
    raws = [
        f"From: {writer.sender}\r\nTo: {writer.seat}\r\nMessage-ID: <{number}.{time.time_ns()}@bench.example>\r\n"
        f"\r\n{writer.orders}\r\n"
        for number in range(mails)
    ]
    with statements(server.database) as seen:
        begun = time.process_time()
        for raw in raws:
            accept(server, ArrivedMail("smtp", raw.encode(), server.now(), (writer.seat,), writer.sender))
            receive_next(server)
        spent = time.process_time() - begun
    return spent / mails * 1e3, len(seen) / mails


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.old", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=at_least_one, default=2000, help="how many (%(default)s)")
    parser.add_argument("--phases", type=at_least_one, default=40, help="how long they were played (%(default)s)")
    options = parser.parse_args(argv)
    print(f"{'games':>7}{'phases':>8}{'MB':>8}{'start s':>9}{'mail ms':>9}{'statements':>12}")
    costs: list[float] = []
    for games in (1, options.games):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            init.write(home, address=BASE, mode="alone", port=_free_port())
            server, writers = one_game(home, options.phases)
            multiply(server.database, games)
            spent, number = mail(server, writers[0])
            server.database.dispose()
            size = (home / "gm.sqlite3").stat().st_size / 1e6
            begun = start(home)
            costs.append(spent)
            print(f"{games:>7}{options.phases:>8}{size:8.0f}{begun:9.2f}{spent:9.2f}{number:12.1f}", flush=True)
    tell(f"start with {options.games:,} games x {options.phases} phases", begun, GOAL_START, "s by clock")
    tell("a mail to it, beside one to a new server", costs[1] / costs[0], GOAL_MAIL, "x")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
