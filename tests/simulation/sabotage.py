"""Faults put into gm by hand, to see that the simulation finds them: `python -m tests.simulation --fault NAME`.

Each is a change that a careless edit could make. `FAULTS` has them by name, as the names in gm that they replace.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import gm.advance
from gm.clock import ClockRule
from gm.commands import orders, press
from gm.commands.context import Mail
from gm.games import composing, limits, report_inputs
from gm.games.snapshot import Game
from gm.games.transaction import Transaction
from gm.inbound import intake, seat_state, which_phase
from gm.machine import deadlines, delivery, reports, steps
from gm.play import ballots, calendar, missing_orders, seats
from gm.store import agenda, game_rows, inbox, outbox
from gm.variants import Variant
from tests.simulation import faults, machine
from tests.simulation.damage import MORE, Change
from tests.simulation.leaks import LEAKS


def _lost_commit() -> Change:
    really, numbers = faults.watch_commits, itertools.count(1)

    def watched(database: Any, *how: Any) -> None:
        really(database, *how)
        commit = database.engine.dialect.do_commit

        def lossy(connection: Any) -> None:
            if next(numbers) % 50 == 0:
                connection.rollback()
            commit(connection)

        database.engine.dialect.do_commit = lossy

    return machine, "watch_commits", watched


def _long_lease() -> Change:
    return inbox, "LEASE", timedelta(minutes=40)


def _doubled_report() -> Change:
    really = reports._queue

    def queue(server: Any, then: Any, mails: Any) -> None:
        really(server, then, mails)
        with server.transaction() as tx:
            for mail in (mail for _, mail in mails.values() if mail is not None):
                kind, _, about = mail.purpose.partition(":")
                again = mail.raw.replace(mail.message_id.encode(), mail.message_id.replace("<", "<2").encode())
                other = {"purpose": f"{kind}:2:{about}", "message_id": mail.message_id.replace("<", "<2")}
                tx.queue(replace(mail, raw=again, **other))

    return reports, "_queue", queue


def _other_reader() -> Change:
    really = reports._write

    def write(desk: Any, row: Any) -> Any:
        others = [seat.id for seat in desk.game.players]
        like = {name: getattr(row, name) for name in ("id", "kind", "phase_id")}
        return really(desk, cast(Any, SimpleNamespace(**like, seat_id=others[row.id % len(others)])))

    return reports, "_write", write


def _wrong_phase() -> Change:
    return intake, "lines_by_phase", lambda _ctx, _row, game, read: which_phase.ByPhase(read(game))


def _leak(of: Callable[[Game], object]) -> Change:
    really = Transaction.queue

    def queue(tx: Transaction, mail: outbox.Queued, **charged: bool) -> None:
        known = str([of(game) for game in tx.held()])
        really(tx, replace(mail, raw=mail.raw + bytes([97 + zlib.crc32(known.encode()) % 26])), **charged)

    return Transaction, "queue", queue


def _byte_of_orders() -> Change:
    return _leak(lambda game: sorted((seat, repr(given.orders)) for seat, given in game.orders.items()))


def _byte_of_a_name() -> Change:
    return _leak(lambda game: [seat.person.name for seat in game.players if seat.person is not None])


def _names_shown() -> Change:
    return Game, "names_hidden", property(lambda _: False)


def _acted_on_twice() -> Change:
    really = inbox.take_copies
    return inbox, "take_copies", lambda *mail: None if really(*mail) is None else ()


def _early_deadline() -> Change:
    really = deadlines.close_next
    return steps, "close_next", lambda server, _drained=None, _given_up=None: really(server, None, server.now())


def _not_marked_sent() -> Change:
    really, numbers = outbox.mark_sent, itertools.count(1)

    def mark(session: Any, mail_id: int, *more: Any) -> Any:
        return outbox.Sent(None) if next(numbers) % 40 == 0 else really(session, mail_id, *more)

    return delivery, "outbox", SimpleNamespace(**vars(outbox) | {"mark_sent": mark})


def _not_merged() -> Change:
    return Variant, "merge", lambda _variant, _position, _before, fresh: tuple(fresh)


def _hour_of_winter() -> Change:
    really = ClockRule.next_allowed

    def next_allowed(rule: ClockRule, earliest: datetime) -> datetime:
        found = really(rule, earliest)
        return found + (found.astimezone(rule.zone).dst() or timedelta())

    return ClockRule, "next_allowed", next_allowed


def _forgotten_orders() -> Change:
    really, numbers = Transaction.put_orders, itertools.count(1)
    return Transaction, "put_orders", lambda tx, game, sets: really(tx, game, sets if next(numbers) % 10 else {})


def _other_orders() -> Change:
    really, numbers = gm.advance.advance, itertools.count(1)

    def advance(game: Any, before: Any, orders: Any, chance: Any) -> Any:
        given = dict.fromkeys(orders, ()) if next(numbers) % 5 == 0 else orders
        return really(game, before, given, chance)

    return deadlines, "advance", advance


def _no_limit() -> Change:
    return limits.Allowance, "_budgets", lambda *_: ()


def _phase_twice() -> Change:
    really = game_rows.close_phase

    def close(session: Any, phase_id: int, result: Any, now: Any, **more: Any) -> None:
        really(session, phase_id, result, now, **more)
        earlier = session.get(game_rows.PhaseRow, phase_id - 1)
        if earlier is not None and earlier.adjudicated_at is not None:
            earlier.adjudicated_at = now + timedelta(seconds=1)

    return deadlines, "game_rows", SimpleNamespace(**vars(game_rows) | {"close_phase": close})


def _lost_report() -> Change:
    really = agenda.next_reports

    def next_reports(session: Any, now: Any, most: int = 1) -> Any:
        return really(session, now, most)[1:]

    return agenda, "next_reports", next_reports


# what stands


def _overtakes() -> Change:
    return Mail, "overtaken", None


def _half_rolled_back() -> Change:
    really = report_inputs.sets_in_force

    def sets(session: Any, game: Game, phase: Any) -> Any:
        return {seat: replace(given, orders=given.orders[:-1]) for seat, given in really(session, game, phase).items()}

    return calendar, "report_inputs", SimpleNamespace(**vars(report_inputs) | {"sets_in_force": sets})


def _rolled_forward_with_others() -> Change:
    really = calendar.return_to

    def return_to(tx: Transaction, game: Game, phase: Any) -> Game:
        back = really(tx, game, phase)
        return tx.put_orders(back, {seat.id: back.next_set(seat, (), tx.now, None) for seat in back.held})

    return calendar, "return_to", return_to


def _not_cleared() -> Change:
    return orders, "_remaining", lambda _ctx, game, _phase, seat: game.orders_of(seat)


def _incomplete_is_complete() -> Change:
    really = Game.next_set

    def next_set(game: Game, *of: Any) -> Any:
        given = really(game, *of)
        return replace(given, complete=bool(given.orders))

    return Game, "next_set", next_set


# when it ends


def _wait_is_nothing() -> Change:
    def all_in(game: Game) -> bool:
        due = [seat for seat in game.held if seat.power in game.duties]
        return bool(due) and all(game.has_ordered(seat, incomplete_too=game.in_grace) for seat in due)

    return Game, "all_orders_are_in", property(all_in)


def _always_early() -> Change:
    return calendar, "report_inputs", SimpleNamespace(**vars(report_inputs) | {"early_by": lambda _: "orders"})


def _no_grace() -> Change:
    return deadlines, "waits", lambda *_: False


def _long_grace() -> Change:
    really = missing_orders.give_grace
    return missing_orders, "give_grace", lambda tx, game, until: really(tx, game, until + timedelta(hours=1))


def _one_vote() -> Change:
    def agreed(tx: Transaction, game: Game) -> Any:
        return ballots.survivors(game) if set(ballots.votes(tx, game, ballots.DRAW).values()) == {ballots.ALL} else ()

    return ballots, "agreed_draw", agreed


def _conceded_by_most() -> Change:
    def agreed(tx: Transaction, game: Game) -> Any:
        given = [vote for vote in ballots.votes(tx, game, ballots.CONCEDE).values() if vote != ballots.NO]
        return given[0] if len(given) > len(game.voters) // 2 else None

    return ballots, "agreed_concession", agreed


# who holds a seat


def _same_address() -> Change:
    return seats, "void", lambda _tx, seat: seat


def _believed_at_a_seat() -> Change:
    return intake, "is_believed", lambda *_: True


def _report_to_former() -> Change:
    really, first = composing.composed_for, dict[int, Any]()

    def composed_for(identity: Any, now: datetime, game: Game, seat: Any, *more: Any) -> Any:
        return really(identity, now, game, replace(seat, person=first.setdefault(seat.id, seat.person)), *more)

    return reports, "composed_for", composed_for


def _newcomer_named() -> Change:
    def announce(tx: Transaction, game: Game, seat: Any, purpose: str) -> None:
        tx.tell(game, game.all_but(seat), "a new player", (f"{seat.person.name} now plays {seat.power}.",), purpose)

    return seats, "announce", announce


def _deadline_untold() -> Change:
    really = Transaction.tell

    def tell(tx: Transaction, game: Game, told: Any, title: str, *more: Any, **how: Any) -> None:
        really(tx, game, list(told)[:-1] if title == "new deadline" else told, title, *more, **how)

    return Transaction, "tell", tell


def _given_up_early() -> Change:
    return outbox, "GIVE_UP_AFTER", timedelta(hours=20)


def _never_given_up() -> Change:
    return outbox, "GIVE_UP_AFTER", timedelta(days=50)


def _mute_is_nothing() -> Change:
    return press, "does_not_want", lambda *_: False


def _seed_told() -> Change:
    return reports, "_sealed", lambda game: game.seed


def _order_left_out() -> Change:
    really = report_inputs.standing_orders

    def standing(*about: Any) -> Any:
        found = really(*about)
        return replace(found, orders=found.orders[:-1])

    return seat_state, "standing_orders", standing


def _robots_answered() -> Change:
    return intake, "robot_by", lambda *_: None


FAULTS: dict[str, Callable[[], Change]] = {
    "lost commit": _lost_commit,
    "long lease": _long_lease,
    "doubled report": _doubled_report,
    "lost report": _lost_report,
    "report to another seat": _other_reader,
    "wrong phase": _wrong_phase,
    "byte of orders": _byte_of_orders,
    "byte of a name": _byte_of_a_name,
    "names shown": _names_shown,
    "acted on twice": _acted_on_twice,
    "early deadline": _early_deadline,
    "not marked as sent": _not_marked_sent,
    "forgotten orders": _forgotten_orders,
    "other orders adjudicated": _other_orders,
    "no limit": _no_limit,
    "phase twice": _phase_twice,
    "orders not merged": _not_merged,
    "the hour of winter": _hour_of_winter,
    "overtaken mail counts": _overtakes,
    "half rolled back": _half_rolled_back,
    "rolled forward with other orders": _rolled_forward_with_others,
    "not cleared": _not_cleared,
    "incomplete is complete": _incomplete_is_complete,
    "wait is nothing": _wait_is_nothing,
    "always early": _always_early,
    "no grace": _no_grace,
    "long grace": _long_grace,
    "one vote is enough": _one_vote,
    "conceded by most": _conceded_by_most,
    "same address": _same_address,
    "believed at a seat": _believed_at_a_seat,
    "report to a former player": _report_to_former,
    "newcomer named": _newcomer_named,
    "deadline untold": _deadline_untold,
    "given up early": _given_up_early,
    "never given up": _never_given_up,
    "mute is nothing": _mute_is_nothing,
    "seed told": _seed_told,
    "order left out of the receipt": _order_left_out,
    "robots answered": _robots_answered,
    **{name: leak for name, (leak, _) in LEAKS.items()},
    **MORE,
}


@contextmanager
def fault(name: str) -> Iterator[None]:
    """Put a fault in, for a time; none for ""."""
    with ExitStack() as stack:
        if name:
            owner, what, instead = FAULTS[name]()
            stack.enter_context(patch.object(owner, what, instead))
        yield
