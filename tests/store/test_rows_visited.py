"""What the server's loop reads does not grow with what is settled, nor with what else waits: the steps of SQLite's
virtual machine are counted, since a plan may use an index and still visit every row of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event, insert, update
from sqlalchemy.orm import Session

from gm.store import agenda, inbox, outbox
from gm.store.agenda import DeadlineKind, DeadlineRow, ReportQueueRow
from gm.store.database import Database
from gm.store.game_rows import GameRow, PhaseRow
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow, OutboxState
from gm.store.rows import Base
from tests.store.setting import MINUTE, NOW, arrived, lay_table

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


def fill(session: Session, many: int, *, settled: bool, unread: bool) -> None:
    """So many games, and for each a deadline that has passed, a report, and a mail in and out, all `settled` or not;
    the mails in may be `unread`.
    """
    table = lay_table(session)
    keys = range(1000, 1000 + many)
    copy(session, GameRow, table.game.id, [{"id": key, "name": f"game{key}"} for key in keys])
    copy(session, PhaseRow, table.phase.id, [{"id": key, "game_id": key} for key in keys])
    now = NOW - MINUTE
    done = now if settled else None
    session.execute(
        insert(DeadlineRow),
        [
            {"game_id": key, "phase_id": key, "kind": DeadlineKind.ADJUDICATE, "due_at": now, "done_at": done}
            for key in keys
        ],
    )
    session.execute(
        insert(ReportQueueRow),
        [
            {"phase_id": key, "seat_id": table.france.id, "kind": "result", "created_at": now, "done_at": done}
            for key in keys
        ],
    )
    for key in keys:
        inbox.accept(session, arrived(key, sender=f"s{key}@example.org"), f"gm+game{key}.abc@example.org")
    mails = [outbox.Queued(f"report:{key}", f"p{key}@example.org", "", f"<{key}@gm>", b"x") for key in keys]
    outbox.queue_all(session, mails, now)
    if settled:
        session.execute(update(OutboxRow).values(state=OutboxState.SENT, sent_at=now))
    state = InboxState.NEW if unread else InboxState.DONE
    session.execute(update(InboxRow).values(state=state, received_at=now - MINUTE))


def copy(session: Session, table: type[Base], key: int, rows: list[dict[str, object]]) -> None:
    row = session.get_one(table, key)
    values = {column.name: getattr(row, column.name) for column in table.__table__.columns}
    session.execute(insert(table), [{**values, **one} for one in rows])


LOOKS: dict[str, Callable[[Session], object]] = {
    "the next work": agenda.next_work,
    "a due game": lambda session: agenda.claim_due_game(session, NOW),
    "a waiting mail": lambda session: inbox.next_new(session, NOW),
    "reports": lambda session: agenda.next_reports(session, NOW),
    "mails to be sent": lambda session: outbox.claim_due(session, NOW),
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
