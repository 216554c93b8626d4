"""One deadline: the game is claimed, its phase adjudicated and closed, the next one opened, the reports noted as owed.

All in one short transaction, so that a phase is adjudicated exactly once whoever else tries at the same moment.
"""

from __future__ import annotations

import logging
import traceback
from datetime import datetime, timedelta
from typing import Any

from gm.advance import advance
from gm.board import Power
from gm.games import missing_orders, seats
from gm.games.deadlines import lead_of, open_phase, set_deadline
from gm.games.snapshot import Table, orders_by_power
from gm.position import Position, position_to_json
from gm.server import Server
from gm.server.answering import report_trouble
from gm.server.scheduled import carry_out
from gm.store import agenda, game_rows, records
from gm.store.agenda import DeadlineKind, DeadlineRow
from gm.store.game_rows import GameState, PhaseRow, SeatRow
from gm.turn import Victory, turn_to_json, victory_to_json

log = logging.getLogger(__name__)

TRY_AGAIN_AFTER = timedelta(minutes=15)

ON_TIME = timedelta(minutes=2)
"""A deadline met so much later was met on time."""


def close_next(service: Server) -> bool:
    """Work off what is due of one game. Returns whether anything was."""
    now = service.now()
    game_id = None
    try:
        with service.database.transaction() as session:
            found = agenda.claim_due_game(session, now)
            if found is None:
                return False
            game, due = found
            game_id = game.id
            for deadline in due:
                _meet(service, Table(session, game), deadline, now)
                agenda.finish(session, deadline, now)
    except Exception:  # one game's failure must not stop the others
        if game_id is None:
            raise
        log.exception("the deadline of game %d failed", game_id)
        _put_off(service, game_id, traceback.format_exc())
    return True


def _meet(service: Server, table: Table, deadline: DeadlineRow, now: datetime) -> None:
    phase = table.phase
    if deadline.kind is DeadlineKind.STANDBY:
        seats.no_answer(table, service.office, now)
    elif deadline.kind is DeadlineKind.ACTION:
        carry_out(service.office, table, now)
    elif phase is None or deadline.phase_id != phase.id:
        return
    elif deadline.kind is DeadlineKind.REMINDER:
        remind(table, phase, deadline, now)
    elif table.variant.review is not None and not table.in_review:
        close_orders(table, phase, deadline.due_at, now)
    elif table.in_review or not waits(service, table, phase, now):
        adjudicate(table, phase, now)
        missing_orders.follow_up(service.office, table, phase, now)


def close_orders(table: Table, phase: PhaseRow, due: datetime, now: datetime) -> None:
    """Close the orders of all but the seat that may alter them, and send him what he may see of them.

    The phase is adjudicated when the game's window after the deadline is over, whatever he does; where the server was
    away at the deadline, the window begins now.
    """
    review, position = table.variant.review, table.position
    if review is None or position is None:
        raise ValueError(f"the orders of {table.game.name} are not reviewed")
    closed = review.close(table.variant, position, orders_by_power(table, phase), table.chance)
    phase.position, phase.closed_at = position_to_json(closed), now
    begun = due if now - due <= ON_TIME else now
    set_deadline(table, phase, begun + table.options.window, now)
    agenda.owe_reports(
        table.session, phase.id, [seat.id for seat in table.players if table.reviews(seat)], "review", now
    )
    records.note(table.session, "close", now, game_id=table.game.id, detail={"phase": phase.code})
    log.info("%s: the orders for %s are closed", table.game.name, phase.code)


def remind(table: Table, phase: PhaseRow, reminder: DeadlineRow, now: datetime) -> None:
    """Those whose orders are missing or incomplete, and who want to be reminded at this moment, are owed a reminder."""
    if table.deadline is None:
        return
    due = table.deadline.due_at
    late = [
        seat.id
        for seat in table.players
        if seat.power in table.duties
        and _is_awaited(table, seat)
        and not table.has_ordered(seat, incomplete_too=False)
        and (account := table.account_of(seat)) is not None
        and (lead := lead_of(table, account)) is not None
        and due - lead == reminder.due_at
    ]
    agenda.owe_reports(table.session, phase.id, late, f"reminder:{due:%s}", now)


def _is_awaited(table: Table, seat: SeatRow) -> bool:
    """Whether the seat must answer before the deadline: the one that may alter orders seldom must."""
    review, position = table.variant.review, table.position
    return review is None or position is None or not table.reviews(seat) or review.awaited(position)


def waits(service: Server, table: Table, phase: PhaseRow, now: datetime) -> bool:
    """Whether the phase waits for missing orders: in the time of grace, or by the game's rule until they are in."""
    missing, grace = table.missing, table.options.clock.grace
    if not missing or _is_forced(table, phase):
        return False
    if grace is not None and not table.in_grace and any(seat.account_id is not None for seat in missing):
        missing_orders.give_grace(service.office, table, phase, now + grace, now)
        return True
    if table.options.nmr == "wait":
        missing_orders.wait_on(service.office, table, phase, now)
        return True
    return False


def _is_forced(table: Table, phase: PhaseRow) -> bool:
    """Whether the gamemaster has said PROCESS: then nobody is waited for."""
    for event in records.log_of(table.session, table.game.id):
        if event.at < phase.opened_at:
            return False
        if event.kind == "process" and event.detail.get("phase_id") == phase.id:
            return True
    return False


def adjudicate(table: Table, phase: PhaseRow, now: datetime) -> None:
    """Close the phase with the orders in force and open the next, or end the game."""
    position = table.position
    if position is None:
        raise ValueError(f"{phase.code} of {table.game.name} has no position")
    missing_orders.note_turnout(table, phase, now)
    by_lot: tuple[Power, ...] = ()
    if table.options.nmr == "random" and table.variant.review is None:
        by_lot = missing_orders.order_by_lot(table, phase, now)
    turn = advance(table.variant, position, orders_by_power(table, phase), table.chance)
    game_rows.close_phase(table.session, phase, turn_to_json(turn, table.variant.rules), now)
    agenda.owe_reports(table.session, phase.id, [seat.id for seat in table.seats], "report", now)
    if turn.victory is not None:
        _end(table, turn.after, turn.victory, now)
    else:
        open_phase(table, turn.after, now)
    detail: dict[str, Any] = {"phase": phase.code, "next": turn.after.phase.code, "silent": list(turn.silent)}
    if by_lot:
        detail |= {"number": phase.number, "by_lot": list(by_lot)}
    records.note(table.session, "adjudicate", now, game_id=table.game.id, detail=detail)
    log.info("%s: %s adjudicated, next %s", table.game.name, phase.code, turn.after.phase.code)


def _end(table: Table, after: Position, victory: Victory, now: datetime) -> None:
    """The last position is kept as a phase that nobody orders for."""
    game_rows.open_phase(table.session, table.game, code=after.phase.code, position=position_to_json(after), now=now)
    game_rows.end_game(table.session, table.game, GameState.FINISHED, victory_to_json(victory))


def _put_off(service: Server, game_id: int, trace: str) -> None:
    """The phase stays open and its deadline is tried again later; operator and gamemaster are told, once a phase."""
    now = service.now()
    with service.database.transaction() as session:
        table = Table(session, game_rows.lock_game(session, game_id))
        if table.phase is None:
            return
        set_deadline(table, table.phase, now + TRY_AGAIN_AFTER, now)
        problem = (
            f"{table.phase.code} of {table.game.name} could not be adjudicated; it is tried again every 15 minutes."
        )
        report_trouble(
            session, service.office, problem, trace, purpose=f"trouble:phase:{table.phase.id}", now=now, table=table
        )
