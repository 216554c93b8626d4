"""Reports that are owed: written from the stored phase outside any lock, then queued one recipient a transaction."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from gm.errors import Temporary
from gm.games import ServerIdentity
from gm.games.deferred_press import letters_for
from gm.games.pictures import map_within
from gm.games.post import post_to_seat
from gm.games.report_inputs import (
    chronicle,
    closes_at,
    due_at,
    game_facts,
    held_orders,
    history,
    is_early,
    reader_of,
    turn_of,
    view_after,
    view_of,
)
from gm.games.snapshot import Table, orders_by_power, orders_of
from gm.games.terms import terms
from gm.mail.message.compose import Attachment
from gm.orders.notation import write
from gm.reports.context import Opening, PhaseReport, Reminder, Review
from gm.reports.render import Rendered, render
from gm.server import Server
from gm.server.answering import report_trouble
from gm.store import agenda, game_rows
from gm.store.agenda import ReportQueueRow
from gm.store.game_rows import GameState, PhaseRow, SeatRow

log = logging.getLogger(__name__)

TRY_AGAIN_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Desk:
    """What a report is written from."""

    office: ServerIdentity
    table: Table
    phase: PhaseRow
    seat: SeatRow
    now: datetime


@dataclass(frozen=True, slots=True)
class Written:
    """A mail, and the pictures that stand within its HTML."""

    rendered: Rendered
    pictures: tuple[Attachment, ...] = ()


def write_next(service: Server) -> bool:
    """Write and queue the report that is owed longest. Returns whether one was owed."""
    now = service.now()
    with service.database.transaction() as session:
        row = agenda.next_report(session, now)
    if row is None:
        return False
    try:
        with service.database.reading() as session:
            written = _write(session, service.office, row, now)
    except Temporary:
        raise
    except Exception:  # one report that cannot be written must not hold up the others
        log.exception("the owed report %d cannot be written", row.id)
        _put_off(service, row, traceback.format_exc())
        return True
    with service.database.transaction() as session:
        if agenda.settle_report(session, row.id, now) and written is not None:
            desk = _desk(session, service.office, row, now)
            purpose = f"{row.kind}:{row.phase_id}:{row.seat_id}"
            post_to_seat(
                *(desk.table, service.office, desk.seat, written.rendered),
                purpose=purpose,
                now=now,
                pictures=written.pictures,
            )
    return True


def _put_off(service: Server, row: ReportQueueRow, trace: str) -> None:
    """The report stays owed and is tried again later; the operator is told once."""
    now = service.now()
    with service.database.transaction() as session:
        agenda.put_off_report(session, row.id, now, TRY_AGAIN_AFTER)
        problem = f"A report ({row.kind}, phase {row.phase_id}, seat {row.seat_id}) could not be written."
        report_trouble(session, service.office, problem, trace, purpose=f"trouble:report:{row.id}", now=now)


def _desk(session: Session, office: ServerIdentity, row: ReportQueueRow, now: datetime) -> Desk:
    phase, seat = game_rows.phase_by_id(session, row.phase_id), game_rows.seat_by_id(session, row.seat_id)
    game = game_rows.game_by_id(session, phase.game_id) if phase is not None else None
    if phase is None or seat is None or game is None:
        raise LookupError(f"the owed report {row.id} has lost its phase or seat")
    return Desk(office, Table(session, game), phase, seat, now)


def _write(session: Session, office: ServerIdentity, row: ReportQueueRow, now: datetime) -> Written | None:
    """The mail, or None when nobody is to be written to any more."""
    desk = _desk(session, office, row, now)
    if desk.seat.account_id is None:
        return None
    return _WRITERS[row.kind.partition(":")[0]](desk)


def _opening(desk: Desk) -> Written | None:
    table = desk.table
    account = table.account_of(desk.seat)
    view = view_of(table, desk.seat)
    picture, pictures = map_within(desk.office, account, view)
    opening = Opening(
        game=game_facts(table, desk.seat),
        reader=reader_of(desk.office, account, table.game, desk.seat),
        view=view,
        deadline=closes_at(table, desk.seat),
        early=is_early(table),
        terms=terms(table),
        commitment=table.chance.commitment,
        map=picture,
    )
    return Written(render("player/opening", opening), pictures)


def _report(desk: Desk) -> Written | None:
    table, seat = desk.table, desk.seat
    account, view = table.account_of(seat), view_after(table, seat, turn_of(table, desk.phase))
    picture, pictures = map_within(desk.office, account, view)
    finished = table.game.state is GameState.FINISHED
    report = PhaseReport(
        game=game_facts(table, desk.seat),
        reader=reader_of(desk.office, account, table.game, seat),
        view=view,
        deadline=closes_at(table, desk.seat),
        early=is_early(table),
        notices=_sent_ahead(table, seat),
        history=history(table) if finished else (),
        seed=table.game.seed if finished else "",
        chronicle=chronicle(table) if finished else (),
        letters=letters_for(table, desk.phase, seat),
        map=picture,
    )
    return Written(render("player/report", report), pictures)


def _review(desk: Desk) -> Written | None:
    """The orders that were closed, for the seat that may alter them; None when his time is over."""
    table, seat, review, due = desk.table, desk.seat, desk.table.variant.review, due_at(desk.table)
    current = table.phase is not None and table.phase.id == desk.phase.id
    if review is None or table.position is None or due is None or not current or not table.in_review:
        return None
    orders = orders_by_power(table, desk.phase)
    shown = review.shows(table.variant, table.position, orders, table.chance)
    reader = reader_of(desk.office, table.account_of(seat), table.game, seat)
    return Written(render("player/review", Review(game_facts(table, seat), reader, view_of(table, seat), shown, due)))


def _sent_ahead(table: Table, seat: SeatRow) -> tuple[str, ...]:
    """That orders which the reader sent ahead are in force for the phase that has begun."""
    given = table.order_sets().get(seat.id) if table.running else None
    if given is None or table.phase is None or given.number > 1 or given.inbox_id is not None:
        return ()
    said = ", ".join(write(order) for order in orders_of(table, given))
    return (f"In force for {table.phase.code} is what you sent ahead: {said}. Orders you send now replace it.",)


def _reminder(desk: Desk) -> Written | None:
    table, seat = desk.table, desk.seat
    due, given = due_at(table), table.order_sets().get(seat.id)
    if table.phase is None or table.phase.id != desk.phase.id or due is None or (given is not None and given.complete):
        return None
    reader = reader_of(desk.office, table.account_of(seat), table.game, seat)
    if reader.power not in table.duties:
        return None
    reminder = Reminder(game_facts(table), reader, held_orders(table, seat, given), due, desk.now)
    return Written(render("player/reminder", reminder))


_WRITERS: dict[str, Callable[[Desk], Written | None]] = {
    "opening": _opening,
    "welcome": _opening,
    "report": _report,
    "reminder": _reminder,
    "review": _review,
}
"""Each kind of report that can be owed, and who writes it."""
