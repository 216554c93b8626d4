"""Many games due at once: `python -m bench.due [--games 250,500,1000] [--processes 3]`.

A whole server runs in this process, with its listener, its threads and helpers. All its games have orders from
everybody for the same moment: how long until every game is adjudicated and all its reports, with maps, are in the
outbox? Meanwhile somebody else, in another process, which also takes what the server sends, writes a mail about five
times a second: how soon does the server reply to each command of SMTP, and how soon is the receipt there?
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import smtplib
import socketserver
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from bench.games import PlayedPhase, played_games
from bench.goals import at_least_one, numbers, tell
from bench.mails import HOST, beside, settings
from bench.quantum import exponent
from bench.reports import begin
from gm.cli.serve import RunningServer
from gm.play import calendar
from gm.position import PhaseKind
from gm.server import Server
from gm.store import agenda
from gm.store.database import Database

GAMES = (50, 100, 200)
GOAL_SECONDS, LEAST_SECONDS, GOAL_GAMES = 60, 90, 1000
GOAL_REPLY, GOAL_RECEIPT, GOAL_EXPONENT = 0.050, 1.0, 1.05
PROBE = "probe@bench.example"


class Sink(socketserver.StreamRequestHandler):
    """Takes all mail with as little work as can be, since the server has the same processors; and notes when something
    came for the probe.
    """

    came = threading.Semaphore(0)

    def handle(self) -> None:
        """One connection; the next command comes after the reply to the last one."""
        self.wfile.write(b"220 sink\r\n")
        recipient = b""
        while command := self._until(b"\r\n"):
            if command.upper().startswith(b"RCPT"):
                recipient = command
            if command.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                self._until(b"\r\n.\r\n")
                if PROBE.encode() in recipient:
                    self.came.release()
            self.wfile.write(b"250 OK\r\n")

    def _until(self, end: bytes) -> bytes:
        """What came last until this came; b"" when the connection has ended."""
        last = b""
        while not last.endswith(end):
            if not (came := self.request.recv(1 << 18)):
                return b""
            last = (last + came)[-1000:]
        return last


def probe(pipe: Any) -> None:
    """The other process: for each port of a server, writes mails until told to stop; says how long each reply and
    each receipt took.
    """
    with socketserver.ThreadingTCPServer((HOST, 0), Sink) as sink:
        sink.daemon_threads = True
        threading.Thread(target=sink.serve_forever, daemon=True).start()
        pipe.send(sink.server_address[1])
        while (server := pipe.recv()) is not None:
            replies: list[float] = []
            receipts: list[float] = []
            with smtplib.SMTP(HOST, server) as smtp:
                smtp.ehlo()
                while not pipe.poll(0.2):
                    receipts.append(_asks(smtp, replies))
            pipe.recv()
            pipe.send((replies, receipts))
        sink.shutdown()


def _asks(smtp: smtplib.SMTP, replies: list[float]) -> float:
    header = f"From: {PROBE}\r\nTo: gm@bench.example\r\nMessage-ID: <{time.time_ns()}@bench.example>\r\n"
    raw = f"{header}\r\nHELP\r\n".encode()
    begun = time.monotonic()
    for command in (partial(smtp.mail, PROBE), partial(smtp.rcpt, "gm@bench.example"), partial(smtp.data, raw)):
        asked = time.monotonic()
        command()
        replies.append(time.monotonic() - asked)
    if not Sink.came.acquire(timeout=120):
        raise TimeoutError("no receipt came")
    return time.monotonic() - begun


@dataclass(frozen=True)
class Cost:
    """Of a number of games: seconds by the clock and of all processes, and how long replies and receipts took."""

    seconds: float
    work: float
    replies: Sequence[float]
    receipts: Sequence[float]


def prepared(server: Server, games: int, name: str = "bench", seed: int = 7) -> None:
    """Games in the middle of play, with all orders in; their names begin with this one."""
    phases = (phase for phase in played_games(seed) if phase.position.phase.kind is PhaseKind.MOVEMENT)
    for number, phase in enumerate(islice(phases, games)):
        begin(server, phase, f"{name}{number}")
        with server.transaction() as tx:
            game = tx.game_named(f"{name}{number}", lock=True)
            if game is not None:
                tx.put_orders(game, {s.id: _set(tx, game, s, phase) for s in game.players if s.power is not None})


def _set(tx: Any, game: Any, seat: Any, phase: PlayedPhase) -> Any:
    return game.next_set(seat, tuple(phase.orders[seat.power]), tx.now, None)


def fall_due(server: Server, within: timedelta, name: str = "bench") -> datetime:
    """Let all games whose names begin so be due at once, so long from now; returns when."""
    due = server.now() + within
    with server.transaction() as tx:
        for game in tx.games_in():
            if game.name.startswith(name):
                calendar.set_deadline(tx, tx.game(game.id, lock=True), due)
    return due


def cost(pipe: Any, sink: int, games: int, processes: int) -> Cost:
    """Let so many games be due at once."""
    with tempfile.TemporaryDirectory() as folder:
        ours = settings(Path(folder), sink)
        ours = replace(ours, server=replace(ours.server, processes=processes))
        running = RunningServer(ours)
        database = running.service.database
        database.migrate()
        prepared(running.service, games)
        due = fall_due(running.service, timedelta(seconds=4))
        running.start()
        try:
            return _measured(pipe, running.port or 0, database, due)
        finally:
            running.stop()


def _work() -> float:
    """Processor seconds of this process and of its helpers until now: their start (1.7 s each) is over when games are
    due.
    """
    helpers = [one.pid for one in multiprocessing.active_children() if one.name.startswith("helper")]
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in helpers]
    return time.process_time() + sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


def _measured(pipe: Any, port: int, database: Database, due: datetime) -> Cost:
    time.sleep(max(0.0, (due - datetime.now(due.tzinfo)).total_seconds()))
    begun, work = time.monotonic(), _work()
    pipe.send(port)
    while at_work(database, due):
        time.sleep(0.2)
    seconds, work = time.monotonic() - begun, _work() - work
    pipe.send("enough")
    return Cost(seconds, work, *pipe.recv())


def at_work(database: Database, due: datetime) -> bool:
    """Whether a game that is due, or a report, is still to be worked on."""
    with database.reading() as session:
        work = agenda.next_work(session)
    return work.report is not None or (work.deadline is not None and work.deadline <= due)


def late(times: Sequence[float]) -> float:
    """What 95 of 100 stay within."""
    return sorted(times)[int(len(times) * 0.95)] if times else 0.0


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.due", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--games", type=numbers, default=",".join(map(str, GAMES)), help="numbers of games (%(default)s)"
    )
    parser.add_argument("--processes", type=at_least_one, default=3, help="of the server (%(default)s, for two cores)")
    given = parser.parse_args(argv)
    sizes: list[int] = given.games
    logging.getLogger().setLevel(logging.WARNING)
    process, ours = beside(probe)
    sink = ours.recv()
    print(f"{'processes':>10}{'games':>8}{'seconds':>9}{'work':>8}{'ms each':>9}{'replies ms':>12}{'receipts s':>12}")
    _goals([_row(ours, sink, games, given.processes) for games in sizes], sizes, given.processes)
    ours.send(None)
    process.join()
    return 0


def _goals(costs: Sequence[Cost], sizes: Sequence[int], processes: int) -> None:
    last, most = costs[-1], sizes[-1]
    goal, least = (seconds * most / GOAL_GAMES for seconds in (GOAL_SECONDS, LEAST_SECONDS))
    tell(f"{most} games due at once, {processes} processes", last.seconds, goal, "s by clock", least=least)
    tell("SMTP replies meanwhile, 95 of 100", late(last.replies) * 1e3, GOAL_REPLY * 1e3, "ms")
    tell("receipts meanwhile, 95 of 100", late(last.receipts), GOAL_RECEIPT, "s")
    if len(sizes) > 1:
        tell("exponent of their number", exponent(sizes, [one.seconds for one in costs]), GOAL_EXPONENT, "")


def _row(ours: Any, sink: int, games: int, processes: int) -> Cost:
    """Measure, and print what the number of games costs."""
    one = cost(ours, sink, games, processes)
    each, reply, receipt = one.seconds / games * 1e3, late(one.replies) * 1e3, late(one.receipts)
    print(f"{processes:>10}{games:>8}{one.seconds:9.1f}{one.work:8.1f}{each:9.1f}{reply:12.1f}{receipt:12.2f}")
    return one


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
