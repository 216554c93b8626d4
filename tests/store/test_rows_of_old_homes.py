"""What a mail, a deadline, reports and sending read does not grow with a home's games, nor with their age: the steps of
SQLite's virtual machine, by statement, in a new home and in an old one with many games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event

from bench.deadlines import IDENTITY
from bench.homes import Clock, home, send_orders
from bench.people import written
from gm.inbound.acceptance import accept
from gm.inbound.intake import receive_next
from gm.machine.deadlines import close_next
from gm.machine.reports import write_next
from gm.machine.steps import Delivery, desk, drain
from gm.play import calendar
from gm.server import Server
from gm.store.database import Database
from gm.store.inbox import ArrivedMail

pytestmark = pytest.mark.long

NEW, OLD = (2, 2), (100, 20)
"""Games, and the phases that each was played for."""
BOUND = 1.5
FEW = 200
"""Steps that a statement may always have more: an index is deeper, a game has more phases to be listed."""
OF_ITS_OWN_AGE = "FROM deadline \nWHERE deadline.game_id = ? AND deadline.kind IN (?, ?)"
"""What counts the deadlines that a game has had, for the file that players have in their calendars: once a deadline."""


class Steps:
    """The steps of each statement."""

    def __init__(self, database: Database) -> None:
        self.of: Counter[str] = Counter()
        self._now = ""
        event.listen(database.engine, "begin", lambda connection: self._watch(connection.connection.dbapi_connection))
        event.listen(database.engine, "before_cursor_execute", self._begins)

    def _watch(self, connection: object) -> None:
        connection.set_progress_handler(self._step, 1)  # type: ignore[attr-defined]

    def _begins(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        self._now = statement

    def _step(self) -> int:
        self.of[self._now] += 1
        return 0


class Taken:
    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> str:
        return "250 OK"


@contextmanager
def working(folder: Path, games: int, phases: int) -> Iterator[Counter[str]]:
    """The steps of a mail of each kind, of a deadline, of its reports, and of sending all of it."""
    made = home(folder, games, phases)
    clock, one = Clock(made.now), made.writer
    with Database(f"sqlite:///{folder / 'gm.sqlite3'}") as database:
        server = Server(database, IDENTITY, clock)
        steps = Steps(database)
        for kind in ("short", "quoted", "HTML"):
            raw = written(kind, one.sender, one.seat, one.orders, one.report, clock())
            accept(server, ArrivedMail("smtp", raw, clock(), (one.seat,), one.sender))
            assert receive_next(server)
        for other in made.others:
            send_orders(server, other)
        with server.transaction() as tx:
            game = tx.game_named("bench0", lock=True)
            assert game is not None
            calendar.set_deadline(tx, game, clock())
        clock.now += timedelta(seconds=1)
        while close_next(server):
            pass
        assert write_next(server)
        drain((*desk(server), Delivery(server, Taken())), clock)
        yield steps.of


def test_no_statement_visits_more_rows_in_an_old_home_with_many_games(tmp_path: Path) -> None:
    found = []
    for name, (games, phases) in {"new": NEW, "old": OLD}.items():
        folder = tmp_path / name
        folder.mkdir()
        with working(folder, games, phases) as steps:
            found.append(Counter(steps))
    new, old = found
    grown = {one: (new[one], many) for one, many in old.items() if many > BOUND * new[one] + FEW}
    assert [one for one in grown if not one.endswith(OF_ITS_OWN_AGE)] == []
