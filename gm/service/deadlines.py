"""One deadline: the game is claimed, its phase adjudicated and closed, the next one opened, the reports noted as owed.

All in one short transaction, so that a phase is adjudicated exactly once whoever else tries at the same moment.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from gm.advance import advance
from gm.board import Board
from gm.judge.explain import sentence
from gm.judge.outcome import Outcome
from gm.office.calendar import open_phase, set_deadline
from gm.office.table import Table, orders_by_power
from gm.orders import Declaration
from gm.orders.notation import code, write
from gm.position import Position, position_to_json
from gm.service import Service
from gm.service.answering import report_trouble
from gm.store import deadlines, games, owed, records
from gm.store.tables import Deadline, DeadlineKind, GameState, PhaseRow
from gm.turn import Turn, Victory

log = logging.getLogger(__name__)

TRY_AGAIN_AFTER = timedelta(minutes=15)


def close_next(service: Service) -> bool:
    """Work off what is due of one game. Returns whether anything was."""
    now = service.now()
    game_id = None
    try:
        with service.database.transaction() as session:
            found = deadlines.claim_due_game(session, now)
            if found is None:
                return False
            game, due = found
            game_id = game.id
            for deadline in due:
                _meet(Table(session, game), deadline, now)
                deadlines.finish(session, deadline, now)
    except Exception:  # one game's failure must not stop the others
        if game_id is None:
            raise
        log.exception("the deadline of game %d failed", game_id)
        _put_off(service, game_id, traceback.format_exc())
    return True


def _meet(table: Table, deadline: Deadline, now: datetime) -> None:
    phase = table.phase
    if phase is None or deadline.phase_id != phase.id:
        return
    if deadline.kind is DeadlineKind.REMINDER:
        remind(table, phase, now)
    else:
        adjudicate(table, phase, now)


def remind(table: Table, phase: PhaseRow, now: datetime) -> None:
    """Those whose orders are missing or incomplete are owed a reminder."""
    complete = {seat_id for seat_id, given in table.order_sets().items() if given.complete}
    late = [seat.id for seat in table.players if seat.power in table.duties and seat.id not in complete]
    owed.owe(table.session, phase.id, late, "reminder", now)


def adjudicate(table: Table, phase: PhaseRow, now: datetime) -> None:
    """Close the phase with the orders in force and open the next, or end the game."""
    position = table.position
    if position is None:
        raise ValueError(f"{phase.code} of {table.game.name} has no position")
    turn = advance(table.variant, position, orders_by_power(table, phase), table.chance)
    games.close_phase(table.session, phase, result_of(turn, table.variant.board(position)), now)
    owed.owe(table.session, phase.id, [seat.id for seat in table.seats], "report", now)
    if turn.victory is not None:
        _end(table, turn.after, turn.victory, now)
    else:
        open_phase(table, turn.after, now)
    detail: Mapping[str, Any] = {"phase": phase.code, "next": turn.after.phase.code, "silent": list(turn.silent)}
    records.record(table.session, "adjudicate", now, game_id=table.game.id, detail=detail)
    log.info("%s: %s adjudicated, next %s", table.game.name, phase.code, turn.after.phase.code)


def _end(table: Table, after: Position, victory: Victory, now: datetime) -> None:
    """The last position is kept as a phase that nobody orders for."""
    games.open_phase(table.session, table.game, code=after.phase.code, position=position_to_json(after), now=now)
    won = {"winners": list(victory.winners), "reason": victory.reason}
    games.end_game(table.session, table.game, GameState.FINISHED, won)


def result_of(turn: Turn, board: Board) -> dict[str, Any]:
    """What is kept of a turn beside the next position: each order's outcome with its reason, and what was counted."""
    return {
        "results": [_outcome(outcome, board) for outcome in turn.outcomes],
        "destroyed": [str(one.unit) for one in turn.destroyed],
        "gained": {power: list(provinces) for power, provinces in turn.count.gained.items()} if turn.count else {},
        "eliminated": list(turn.count.eliminated) if turn.count else [],
        "silent": list(turn.silent),
    }


def _outcome(outcome: Outcome, board: Board) -> dict[str, str]:
    order = outcome.order
    power = order.power if isinstance(order, Declaration) else order.unit.power
    return {
        "order": f"{power}: {write(order, code)}",
        "outcome": outcome.result.value,
        "reason": sentence(outcome, board),
    }


def _put_off(service: Service, game_id: int, trace: str) -> None:
    """The phase stays open and its deadline is tried again later; operator and gamemaster are told, once a phase."""
    now = service.now()
    with service.database.transaction() as session:
        table = Table(session, games.lock_game(session, game_id))
        if table.phase is None:
            return
        set_deadline(table, table.phase, now + TRY_AGAIN_AFTER, now)
        problem = (
            f"{table.phase.code} of {table.game.name} could not be adjudicated; it is tried again every 15 minutes."
        )
        report_trouble(
            session, service.office, problem, trace, purpose=f"trouble:phase:{table.phase.id}", now=now, table=table
        )
