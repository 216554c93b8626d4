"""Reports that are owed: written from the stored phase outside any lock, then queued one recipient a transaction."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from gm.errors import Temporary
from gm.games.pictures import map_within
from gm.games.played import chronicle, history, turn_of
from gm.games.press_rules import deferred_press
from gm.games.report_inputs import (
    closes_at,
    game_facts,
    held_orders,
    is_early,
    reader_of,
    view_after,
    view_of,
)
from gm.games.seats import terms
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.mail.message.compose import Attachment
from gm.orders.notation import write
from gm.reports.context import Map, Opening, PhaseReport, Reader, Reminder, Review
from gm.reports.render import Rendered, render
from gm.server import Server
from gm.server.answering import report_trouble
from gm.store import agenda, game_rows
from gm.store.agenda import ReportQueueRow
from gm.store.game_rows import GameState, PhaseRow
from gm.views import View

log = logging.getLogger(__name__)

TRY_AGAIN_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Desk:
    """What a report is written from."""

    tx: Transaction
    game: Game
    phase: PhaseRow
    seat: Seat

    def reader(self) -> Reader:
        """Who the report is for."""
        return reader_of(self.tx.identity, self.seat.person, self.game, self.seat)

    def picture(self, view: View) -> tuple[Map | None, tuple[Attachment, ...]]:
        """The map of a view, for readers who want maps."""
        return map_within(self.tx.identity, self.seat.person, view)


@dataclass(frozen=True, slots=True)
class Written:
    """A mail, and the inline pictures of its HTML."""

    rendered: Rendered
    pictures: tuple[Attachment, ...] = ()


def write_next(server: Server) -> bool:
    """Write and queue the report that is owed longest. Returns whether one was owed."""
    with server.database.transaction() as session:
        row = agenda.next_report(session, server.now())
    if row is None:
        return False
    try:
        with server.reading() as tx:
            desk = _desk(tx, row)
            # None when there is no recipient any more.
            written = _WRITERS[row.kind.partition(":")[0]](desk) if desk.seat.person is not None else None
    except Temporary:
        raise
    except Exception:  # one report that cannot be written must not hold up the others
        log.exception("the owed report %d cannot be written", row.id)
        _put_off(server, row, traceback.format_exc())
        return True
    with server.transaction() as tx:
        if agenda.settle_report(tx.session, row.id, tx.now) and written is not None:
            game = tx.game(desk.game.id)
            purpose = f"{row.kind}:{row.phase_id}:{row.seat_id}"
            tx.to_seat(game, game.seat(row.seat_id), written.rendered, purpose, written.pictures)
    return True


def _put_off(server: Server, row: ReportQueueRow, trace: str) -> None:
    """The report stays owed and is tried again later; the operator is told once."""
    with server.transaction() as tx:
        agenda.put_off_report(tx.session, row.id, tx.now, TRY_AGAIN_AFTER)
        problem = f"A report ({row.kind}, phase {row.phase_id}, seat {row.seat_id}) could not be rendered."
        report_trouble(tx, problem, trace, f"trouble:report:{row.id}")


def _desk(tx: Transaction, row: ReportQueueRow) -> Desk:
    phase = game_rows.phase_by_id(tx.session, row.phase_id)
    if phase is None:
        raise LookupError(f"the owed report {row.id} has lost its phase")
    game = tx.game(phase.game_id)
    return Desk(tx, game, phase, game.seat(row.seat_id))


def _opening(desk: Desk) -> Written | None:
    game, view = desk.game, view_of(desk.game, desk.seat)
    picture, pictures = desk.picture(view)
    opening = Opening(
        game=game_facts(game, desk.seat),
        reader=desk.reader(),
        view=view,
        deadline=closes_at(game, desk.seat),
        early=is_early(game),
        terms=terms(game),
        commitment=game.chance.commitment,
        map=picture,
    )
    return Written(render("player/opening", opening), pictures)


def _report(desk: Desk) -> Written | None:
    game, seat, session = desk.game, desk.seat, desk.tx.session
    view = view_after(game, seat, turn_of(session, game, desk.phase))
    picture, pictures = desk.picture(view)
    finished = game.state is GameState.FINISHED
    report = PhaseReport(
        game=game_facts(game, seat),
        reader=desk.reader(),
        view=view,
        deadline=closes_at(game, seat),
        early=is_early(game),
        notices=_sent_ahead(game, seat),
        history=history(session, game) if finished else (),
        seed=game.seed if finished else "",
        chronicle=chronicle(session, game) if finished else (),
        letters=deferred_press(desk.tx, game, desk.phase.id, seat),
        map=picture,
    )
    return Written(render("player/report", report), pictures)


def _review(desk: Desk) -> Written | None:
    """The closed orders, for the seat that may change them; None when its time is over."""
    game, seat, review, due = desk.game, desk.seat, desk.game.variant.review, desk.game.due_at
    if review is None or game.phase is None or due is None or game.phase.id != desk.phase.id or not game.in_review:
        return None
    shown = review.shows(game.variant, game.phase.position, game.orders_by_power, game.chance)
    context = Review(game_facts(game, seat), desk.reader(), view_of(game, seat), shown, due)
    return Written(render("player/review", context))


def _sent_ahead(game: Game, seat: Seat) -> tuple[str, ...]:
    """A sentence on the reader's stored orders that are in force for the phase that has begun."""
    given = game.orders.get(seat.id) if game.running else None
    if given is None or game.phase is None or given.number > 1 or given.mail_id is not None:
        return ()
    said = ", ".join(write(order) for order in given.orders)
    return (f"Your stored orders for {game.phase.code} are in force: {said}. You can still change them.",)


def _reminder(desk: Desk) -> Written | None:
    game, seat, due = desk.game, desk.seat, desk.game.due_at
    current = game.phase is not None and game.phase.id == desk.phase.id
    if not current or due is None or seat.power not in game.duties or game.has_ordered(seat, incomplete_too=False):
        return None
    reminder = Reminder(game_facts(game), desk.reader(), held_orders(game, seat), due, desk.tx.now)
    return Written(render("player/reminder", reminder))


_WRITERS: dict[str, Callable[[Desk], Written | None]] = {
    "opening": _opening,
    "welcome": _opening,
    "report": _report,
    "reminder": _reminder,
    "review": _review,
}
"""Each kind of report that can be owed, and who writes it."""
