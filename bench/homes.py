"""Homes of servers: one game that was played for some phases, with a mail of orders from each player and with reports,
and its rows copied until there are so many games.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, Table, select, text

from bench.deadlines import BEGIN, IDENTITY
from bench.games import PlayedPhase, played_games
from bench.people import Report
from bench.reports import begin
from gm.board import Power
from gm.inbound.acceptance import accept
from gm.inbound.intake import receive_next
from gm.machine.deadlines import close_next
from gm.machine.reports import write_next
from gm.orders import Hold
from gm.orders.notation import write
from gm.play import calendar
from gm.position import PhaseKind
from gm.server import Server
from gm.store.database import Database
from gm.store.inbox import ArrivedMail
from gm.store.outbox import OutboxRow
from gm.store.rows import Base

ORDERS = 5

_NAMES = frozenset({"name", "email", "token_hash", "message_id", "purpose"})
"""The columns whose values are unique."""
_KEYS = frozenset({("outbox", "seat_id"), ("outbox", "phase_id")})
"""The columns that have keys of other tables without being foreign keys."""
_SHARED = frozenset({"file", "mail_file", "spending", "way_in", "block"})
"""The tables that are not copied."""
_APART = 1_000_000
"""What lies between the keys of two copies."""


class Clock:
    """The time of the server: a day before the deadline, or after it. Once it `goes` it goes on as other clocks do."""

    def __init__(self, now: datetime = BEGIN) -> None:
        self.now = now
        self._begun: float | None = None

    def go(self) -> Clock:
        """Go on from here."""
        self._begun = time.monotonic()
        return self

    def __call__(self) -> datetime:
        gone = 0.0 if self._begun is None else time.monotonic() - self._begun
        return self.now + timedelta(seconds=gone)


@dataclass(frozen=True)
class Writer:
    """A player: where their mails come from and go to, orders by which their units stay where they are, and the report
    that they answer.
    """

    sender: str
    seat: str
    orders: tuple[str, ...]
    report: Report | None = None


@dataclass(frozen=True)
class Home:
    """A folder with a database, a moment in the phase that is open, a player with five units, and the other players."""

    folder: Path
    now: datetime
    writer: Writer
    others: tuple[Writer, ...]


def of_five() -> tuple[PlayedPhase, Power]:
    """The first phase of moves in the middle of a game in which a power has five units, and that power."""
    for phase in islice(played_games(7), 8, None):
        if phase.position.phase.kind is PhaseKind.MOVEMENT:
            for power in phase.orders:
                if len(phase.position.units_of(power)) == ORDERS:
                    return phase, power
    raise AssertionError("games without end have no such phase")


def home(folder: Path, games: int = 1, phases: int = 1) -> Home:
    """A home with so many games that were played for so many phases; what was sent about the last one is there."""
    clock, (first, power) = Clock(), of_five()
    server = Server(Database(f"sqlite:///{folder / 'gm.sqlite3'}"), IDENTITY, clock)
    server.database.migrate()
    writers = {
        Power(name): Writer(f"{name}@bench0.example".lower(), seat, _holds(first, Power(name)))
        for name, seat in begin(server, first, "bench0").items()
    }
    for _ in range(phases):
        for writer in writers.values():
            send_orders(server, writer)
        clock.now += timedelta(days=1)
        with server.transaction() as tx:
            (game,) = tx.games_in()
            calendar.set_deadline(tx, tx.game(game.id, lock=True), clock.now)
        close_next(server)
        while write_next(server):
            pass
    clock.now += timedelta(days=1)
    writer = writers[power]
    with server.reading() as tx:
        (game,) = tx.games_in()
        if game.phase is None or game.phase.number <= phases:
            raise AssertionError(f"the game was not played for {phases} phases: it is in {game.phase}")
        told = select(OutboxRow.raw).where(OutboxRow.recipient == writer.sender, OutboxRow.purpose.like("report:%"))
        raw = tx.session.scalars(told.order_by(OutboxRow.id.desc())).first() or b""
    _multiply(server.database, games, clock.now - timedelta(days=2))
    server.database.dispose()
    others = tuple(one for one in writers.values() if one is not writer)
    return Home(folder, clock.now, Writer(writer.sender, writer.seat, writer.orders, Report.of(raw)), others)


def _holds(phase: PlayedPhase, power: Power) -> tuple[str, ...]:
    return tuple(write(Hold(unit)) for unit in phase.position.units_of(power))


def send_orders(server: Server, writer: Writer) -> None:
    """Have a player's orders received."""
    raw = (
        f"From: {writer.sender}\r\nTo: {writer.seat}\r\nMessage-ID: <{time.time_ns()}@bench.example>\r\n"
        "\r\n{}\r\n".format("\r\n".join(writer.orders))
    )
    accept(server, ArrivedMail("smtp", raw.encode(), server.now(), (writer.seat,), writer.sender))
    receive_next(server)


def _multiply(database: Database, games: int, thinned: datetime) -> None:
    """Copy everything in the database until there are so many games. All mail is sent; that from before is thinned."""
    with database.engine.begin() as connection:
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        connection.exec_driver_sql("UPDATE outbox SET state = 'sent', sent_at = created_at")
        old = f"{thinned:%Y-%m-%d %H:%M:%S}"
        connection.exec_driver_sql("UPDATE outbox SET raw = x'' WHERE created_at < ?", (old,))
        connection.exec_driver_sql("UPDATE inbox SET raw = x'' WHERE received_at < ?", (old,))
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
