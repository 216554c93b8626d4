"""What the server's loop reads does not grow with what is settled, nor with what else waits: the steps of SQLite's
virtual machine are counted, since a plan may use an index and still visit every row of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from gm.store import agenda, inbox, outbox
from gm.store.database import Database
from tests.store.crowd import fill
from tests.store.setting import NOW

pytestmark = pytest.mark.long

FEW, MANY = 100, 800
BOUND = 1.5
"""Of the steps at MANY and at FEW; an index that is eight times as large is not much deeper."""


class Steps:
    """Counts the steps of all statements of a database."""

    def __init__(self, database: Database) -> None:
        self.count = 0
        event.listen(database.engine, "begin", lambda connection: self._watch(connection.connection.dbapi_connection))

    def _watch(self, connection: object) -> None:
        connection.set_progress_handler(self._step, 1)  # type: ignore[attr-defined]

    def _step(self) -> int:
        self.count += 1
        return 0


LOOKS: dict[str, Callable[[Session], object]] = {
    "the next work": agenda.next_work,
    "a due game": lambda session: agenda.claim_due_game(session, NOW),
    "a waiting mail": lambda session: inbox.next_new(session, NOW),
    "reports": lambda session: agenda.next_reports(session, NOW),
    "mails to be sent": lambda session: outbox.claim_next(session, NOW),
}


def steps(path: Path, many: int, look: str, *, settled: bool, unread: bool = False) -> int:
    with Database(f"sqlite:///{path}/{many}.sqlite") as database:
        database.migrate()
        with database.transaction() as session:
            fill(session, many, settled=settled, unread=unread)
        counted = Steps(database)
        with database.transaction() as session:
            LOOKS[look](session)
        return counted.count


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("settled", [True, False])
def test_a_look_visits_no_more_rows_of_a_server_with_more_games(tmp_path: Path, look: str, *, settled: bool) -> None:
    few, many = (steps(tmp_path, size, look, settled=settled) for size in (FEW, MANY))
    assert many <= BOUND * few


def test_games_that_wait_for_mail_are_passed_over_one_by_one(tmp_path: Path) -> None:
    few, many = (steps(tmp_path, size, "a due game", settled=False, unread=True) for size in (FEW, MANY))
    assert few < many <= BOUND * few * MANY / FEW
