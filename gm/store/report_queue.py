"""Reports owed: noted in the transaction that adjudicates, written and queued afterwards, one recipient at a time.

`next_owed` holds one for this process, and is committed; the report is then written outside any transaction; `settle`
marks it in the transaction that puts the mail into the outbox.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from gm.store.claims import add_once, claim, free, hold
from gm.store.tables import ReportQueueRow

HOLD = timedelta(minutes=2)
"""How long a report that is being written is left to its process."""


def owe(session: Session, phase_id: int, seat_ids: Iterable[int], kind: str, now: datetime) -> None:
    """Each of these seats is owed a report of this kind about the phase; once, however often it is said."""
    for seat_id in seat_ids:
        add_once(session, ReportQueueRow, phase_id=phase_id, seat_id=seat_id, kind=kind, created_at=now)


def next_owed(session: Session, now: datetime, length: timedelta = HOLD) -> ReportQueueRow | None:
    """The report that is owed longest and that nobody writes, held for `length`; commit before writing it."""
    waiting = _owed().where(free(ReportQueueRow, now)).order_by(ReportQueueRow.id)
    for report in claim(session, waiting):
        hold(report, now, length)
        session.flush()
        return report
    return None


def settle(session: Session, owed_id: int, now: datetime) -> bool:
    """The mail is put into the outbox in this transaction; False when another process has done it: put in nothing."""
    for report in claim(session, _owed().where(ReportQueueRow.id == owed_id), wait=True):
        report.done_at, report.held_until = now, None
        session.flush()
        return True
    return False


def put_off(session: Session, owed_id: int, now: datetime, pause: timedelta) -> None:
    """After a failure to write it: the report is taken up again after `pause`."""
    for report in claim(session, _owed().where(ReportQueueRow.id == owed_id), wait=True):
        hold(report, now, pause)
    session.flush()


def count_owed(session: Session) -> int:
    """How many reports are still to be written."""
    return session.scalar(select(func.count()).where(ReportQueueRow.done_at.is_(None))) or 0


def wakes_at(session: Session) -> datetime | None:
    """When a report is to be written: since it is owed, or when the hold on it ends."""
    return session.scalar(
        select(func.min(func.coalesce(ReportQueueRow.held_until, ReportQueueRow.created_at))).where(
            ReportQueueRow.done_at.is_(None)
        )
    )


def _owed() -> Select[ReportQueueRow]:
    return select(ReportQueueRow).where(ReportQueueRow.done_at.is_(None))
