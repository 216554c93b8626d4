"""Deadlines: adjudicate and close a phase, open the next one, and queue the reports.

This is one short transaction that claims the game first, so that a phase is adjudicated exactly once even if several
processes try at the same time.

A deadline waits until all mail that was received before it has been processed (`gm.machine.ways_in`). The wait is
bounded: if a way in cannot be drained within `ways.BOUND` after a deadline, the deadline is extended and everybody
is notified (`give_up`).
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from gm.advance import advance
from gm.board import Power
from gm.errors import Temporary
from gm.games.snapshot import Deadline, Game, PhasePlayed, holders
from gm.games.transaction import Transaction
from gm.inbound.acting import carry_out, carry_out_next
from gm.inbound.answering import report_trouble
from gm.machine import withholding
from gm.play import (
    calendar,
    deputies,
    extensions,
    missing_orders,
    practice,
    private_games,
    roll_call,
    sandbox,
    standby,
    standins,
)
from gm.position import Position
from gm.server import Server
from gm.settings import ClockSettings
from gm.store import agenda, game_rows
from gm.store.agenda import DeadlineKind, DeadlineRow
from gm.store.database import Unusable
from gm.store.game_rows import GameState
from gm.turn import Victory, turn_to_json

log = logging.getLogger(__name__)

TRY_AGAIN_AFTER = timedelta(minutes=15)

ON_TIME = timedelta(minutes=2)
"""A deadline processed within this time counts as on time."""


def close_next(server: Server, drained: datetime | None = None, given_up: datetime | None = None) -> bool:
    """Process the deadlines that are due in one game. Returns whether there were any.

    Deadlines later than `drained` (until when all mail has arrived) wait, and so do those before which a mail to the
    game arrived that is not processed yet; but those up to `given_up` do not wait for such mail any longer.
    """
    game_id = None
    try:
        with server.transaction() as tx:
            found = agenda.claim_due_game(tx.session, drained or tx.now, given_up)
            if found is None:
                return False
            game_id, due = found
            game = tx.game(game_id, lock=True)
            for deadline in due:
                game = _work_off(tx, game, deadline)
    except (Temporary, Unusable):
        raise
    except Exception:  # one game's failure must not stop the others
        if game_id is None:
            raise
        log.exception("the deadline of game %d failed", game_id)
        _put_off(server, game_id, traceback.format_exc())
    return True


def _work_off(tx: Transaction, game: Game, deadline: DeadlineRow) -> Game:
    """Process a deadline, unless an earlier one has moved it."""
    phase, at = game.phase, Deadline(deadline.due_at, deadline.kind, deadline.unmoved_at)
    moved = deadline.kind in calendar.CLOSING and phase is not None and phase.id == deadline.phase_id
    if moved and game.deadline != at:
        agenda.cancel_deadline(tx.session, deadline.id)
        return game
    closes = moved and deadline.kind is DeadlineKind.ADJUDICATE
    if closes and (later := _open_again(tx, game, deadline) or _extended(tx, game)) is not None:
        return later
    game = _process(tx, game, deadline)
    agenda.finish(tx.session, deadline.id, tx.now)
    return calendar.pass_by(tx, game, deadline.phase_id, at)


def _process(tx: Transaction, game: Game, deadline: DeadlineRow) -> Game:
    phase = game.phase
    if deadline.kind is DeadlineKind.STANDBY:
        standby.no_answer(tx, game)
    elif deadline.kind is DeadlineKind.DEPUTY:
        return deputies.follow_up(tx, game, deadline.due_at)
    elif deadline.kind is DeadlineKind.ACTION:
        return carry_out(tx, game)
    elif phase is None or deadline.phase_id != phase.id:
        return game
    elif deadline.kind is DeadlineKind.MUSTER:
        return roll_call.close(tx, game, deadline.id)
    elif deadline.kind is DeadlineKind.REMINDER:
        remind(tx, game, phase, deadline)
    elif game.in_review:
        return _adjudicated(tx, game, phase)
    elif game.variant.review is not None:
        return close_orders(tx, game, phase, deadline.due_at)
    elif not waits(tx, game := standins.give_orders(tx, game), phase):
        return (
            withholding.withhold(tx, tx.newest(game)) if game.options.release == "gm" else _adjudicated(tx, game, phase)
        )
    return tx.newest(game)


def _adjudicated(tx: Transaction, game: Game, phase: PhasePlayed) -> Game:
    game = missing_orders.follow_up(tx, adjudicate(tx, tx.newest(game), phase), phase.id)
    return carry_out_next(tx, game, phase)  # what is for the phase that begins is in its first report


def _open_again(tx: Transaction, game: Game, deadline: DeadlineRow) -> Game | None:
    """The game with the deadline that was announced, or none as before, if the phase was to end early because all
    orders were in, and a mail that had come by then has taken some back since, or says WAIT; else None.
    """
    phase = game.phase
    if phase is None or deadline.announced or game.all_orders_are_in or _is_forced(tx, game, phase):
        return None
    due = agenda.announced(tx.session, phase.id)
    if (due is None and game.options.timed) or (due is not None and due <= tx.now):
        return None
    game = calendar.set_deadline(tx, game, due) if due is not None else calendar.cancel_deadline(tx, game)
    words = (
        f"All orders for {phase.code} were in, but a mail that had come before the last of them takes orders back, or"
        " says WAIT. So the phase is not adjudicated early.",
    )
    tx.tell(game, game.seats, f"{phase.code} is still open", words, f"open:{deadline.id}")
    return game


def _extended(tx: Transaction, game: Game) -> Game | None:
    """The game with a later deadline, if orders are missing whose players have an extension; else None."""
    if not game.options.extensions or game.in_grace or _is_forced(tx, game, game.present):
        return None
    return extensions.use_of_missing(tx, game)


def close_orders(tx: Transaction, game: Game, phase: PhasePlayed, due: datetime) -> Game:
    """Close the orders for all but the seat that may change them, and send that seat's player what they may see of
    them.

    The phase is adjudicated when the game's window after the deadline is over, whatever that seat does. If the server
    was down at the deadline, the window begins now.
    """
    game = calendar.closed(tx, game, phase)
    begun = due if tx.now - due <= ON_TIME else tx.now
    game = calendar.set_deadline(tx, game, begun + game.options.window)
    tx.owe(game, [seat for seat in game.players if game.reviews(seat)], "review")
    tx.note("close", game, phase=phase.code)
    log.info("%s: the orders for %s are closed", game.name, phase.code)
    return game


def remind(tx: Transaction, game: Game, phase: PhasePlayed, reminder: DeadlineRow) -> None:
    """Queue reminders for players with missing or incomplete orders, or READY, who want one at this time; where
    orders are closed and the results wait, remind the gamemaster.
    """
    due, rule = game.due_at, game.options.clock
    if due is None:
        if game.running and game.withheld:
            withholding.remind(tx, game, phase)
        return
    lead = due - reminder.due_at
    late = [seat for seat, person in holders(game.unfinished) if lead in calendar.leads_of(rule, person)]
    tx.owe(game, late, f"reminder:{due:%s}:{reminder.due_at:%s}")


def waits(tx: Transaction, game: Game, phase: PhasePlayed) -> bool:
    """Whether the phase waits for missing orders: in the grace period, or by the game's rule until they are in."""
    grace = game.options.clock.grace
    if not game.missing or _is_forced(tx, game, phase):
        return False
    if grace is not None and not game.in_grace and game.late:
        missing_orders.give_grace(tx, game, tx.now + grace)
        return True
    if game.options.nmr == "wait":
        missing_orders.wait_on(tx, game)
        return True
    return False


def _is_forced(tx: Transaction, game: Game, phase: PhasePlayed) -> bool:
    """Whether a gamemaster has closed the phase (PROCESS, ACCEPT LATE), so that it does not wait for orders."""
    return game.options.sandbox or game_rows.is_forced(tx.session, phase.id)


def adjudicate(tx: Transaction, game: Game, phase: PhasePlayed) -> Game:
    """Close the phase with the orders in force and open the next, or end the game."""
    if game.options.sandbox and sandbox.is_given_up(tx, game):
        return private_games.end(tx, game, "Nobody said READY for a week, so the sandbox has ended.")
    if game.options.practice and practice.is_given_up(game):
        why = "You sent no orders for a week, so the practice game has ended." if game.held else ""
        return private_games.end(tx, game, why)
    if not game.options.private:
        missing_orders.note_turnout(tx, game)
    by_lot: tuple[Power, ...] = ()
    if game.options.nmr == "random" and game.variant.review is None:
        game, by_lot = missing_orders.give_random_orders(tx, game)
    turn = advance(game.variant, phase.position, game.orders_by_power, game.chance)
    result = turn_to_json(turn, game.variant.rules)
    game_rows.close_phase(tx.session, phase.id, result, tx.now, seed_number=len(game.told_seeds))
    tx.owe(game, game.seats, "report")
    game = _end(tx, game, turn.after, turn.victory) if turn.victory else calendar.open_phase(tx, game, turn.after)
    detail: dict[str, Any] = {"phase": phase.code, "next": turn.after.phase.code, "silent": list(turn.silent)}
    if by_lot:
        detail |= {"number": phase.number, "by_lot": list(by_lot)}
    if phase.correction is not None and game.due_at is not None:
        detail["due"] = game.due_at.isoformat()
    tx.note("adjudicate", game, **detail)
    log.info("%s: %s adjudicated, next %s", game.name, phase.code, turn.after.phase.code)
    if game.running:
        standby.ask_for_all(tx, game)
    if game.options.practice and practice.is_lost(game):
        return private_games.end(tx, game, "Your power is eliminated, so the practice game is over.")
    return game


def _end(tx: Transaction, game: Game, after: Position, victory: Victory) -> Game:
    """Store the final position as a phase without orders."""
    game = calendar.enter(tx, game, after, follows=game.present.number)
    return tx.fold(game, state=GameState.FINISHED, victory=victory)


def _put_off(server: Server, game_id: int, trace: str) -> None:
    """Keep the phase open, retry its deadline later, and notify operator and gamemaster once for each phase."""
    with server.transaction() as tx:
        game = tx.game(game_id, lock=True)
        phase = game.phase
        if phase is None:
            return
        game = calendar.set_deadline(tx, game, tx.now + TRY_AGAIN_AFTER)
        problem = f"{phase.code} of {game.name} could not be adjudicated; the server retries every 15 minutes."
        report_trouble(tx, problem, trace, f"trouble:phase:{phase.id}", game)


# catching up


NOTICED = timedelta(minutes=2)
"""A deadline missed by less than this is simply processed, without an extension."""


def catch_up(server: Server, clock: ClockSettings, *, alone: bool = False) -> int:
    """Call this once at the start, before any deadline is processed. Returns the number of extended games.

    With `extend` every phase whose deadline was missed gets a new one, counted from now; with `adjudicate` nothing is
    done here, and the phases are adjudicated with the orders that arrived in time. If there is no mail server in front
    of this one (`alone`), it is not known what was sent in time, and deadlines are extended in any case.
    """
    if clock.catch_up == "adjudicate" and not alone:
        return 0
    return _extend(server, lambda now: now - NOTICED, timedelta(hours=clock.extend_hours), "The server was down at")


def tell_who_waits(server: Server, since: datetime, until: datetime, *, begun: datetime, way: str) -> None:
    """Notify the operator and the gamemasters of deadlines between these times that wait for mail from before them.

    This server has been there since `begun`, and `way` is the way in that is waited for.
    """
    with server.transaction() as tx:
        for deadline in agenda.deadlines_due(tx.session, until):
            if deadline.due_at <= since or deadline.kind not in calendar.CLOSING:
                continue
            game = tx.game(deadline.game_id, lock=True)
            if game.due_at != deadline.due_at:
                continue
            away = begun > deadline.due_at
            why = "The server was down at" if away else "Mail could not be fetched in time for"
            problem = (
                f"{why} the deadline of {game.code} in {game.name}. It waits until all mail that came before it"
                " has been read; orders in that mail count."
            )
            report_trouble(tx, problem, f"It waits for {way or 'the inbox'}.", f"waits:{deadline.id}", game)
            log.warning("%s: the deadline of %s waits for mail", game.name, game.code, extra={"way": way})


def give_up(server: Server, until: datetime, longer: timedelta, way: str) -> bool:
    """Extend the deadlines up to then: mail from before them may still be on this way in, or in the inbox. Returns
    whether there were any.
    """
    return _extend(server, lambda _: until, longer, "Mail could not be fetched in time for", undrained=way) > 0


def _extend(
    server: Server, until: Callable[[datetime], datetime], longer: timedelta, why: str, undrained: str = ""
) -> int:
    """Extend the deadlines that are overdue since then, all by the same time. Returns their number."""
    with server.transaction() as tx:
        overdue = [
            deadline
            for deadline in agenda.deadlines_due(tx.session, until(tx.now))
            if deadline.kind in (DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW)
        ]
        return sum(_give_more_time(tx, deadline, longer, why, undrained) for deadline in overdue)


def _give_more_time(tx: Transaction, deadline: DeadlineRow, longer: timedelta, why: str, undrained: str) -> bool:
    """Extend a deadline if its game still has it, and waits for orders: not once the gamemaster has let the results go.
    Returns whether it did.
    """
    game = tx.game(deadline.game_id, lock=True)
    if deadline.phase_id != game.phase_id or game.due_at != deadline.due_at or game.withheld:
        return False
    game = calendar.set_deadline(tx, game, game.options.clock.next_allowed(tx.now + longer))
    code = game.code
    words = (f"{why} the deadline of {code}, so it was extended. Orders already sent stay in force.",)
    tx.tell(game, game.seats, "more time after an outage", words, f"outage:{deadline.id}")
    tx.note("outage", game, missed=deadline.due_at.isoformat(), why=why, undrained=undrained)
    log.warning("%s: the deadline of %s was extended", game.name, code, extra={"why": why, "undrained": undrained})
    return True
