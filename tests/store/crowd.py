"""A server with many games: for each a deadline, a report, and a mail in and out."""

from __future__ import annotations

from sqlalchemy import insert, update
from sqlalchemy.orm import Session

from gm.store import inbox, outbox
from gm.store.agenda import DeadlineKind, DeadlineRow, ReportQueueRow
from gm.store.game_rows import GameRow, PhaseRow
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow, OutboxState
from gm.store.rows import Base
from tests.store.setting import MINUTE, NOW, arrived, lay_table


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
