"""The phases of a game and their deadlines: set when a phase opens, moved by command or when every order is in;
and what is done about orders that are missing at a deadline: grace, waiting, random orders, lost seats, and the end of
an abandoned game.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from gm.board import Power
from gm.chance import Chance
from gm.clock import ClockRule, parse_duration
from gm.errors import NotUnderstood
from gm.games import ballots, loading, preorders, report_inputs, seats, standins
from gm.games.snapshot import Deadline, Game, Person, PhasePlayed, Seat
from gm.games.transaction import Transaction
from gm.orders import Build, Order
from gm.orders.possible import NOTHING, legal_builds
from gm.position import PhaseKind, Position, position_to_json
from gm.reports import counted, listed
from gm.store import agenda, game_rows, people
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import GameState, PhaseRow
from gm.turn import Victory
from gm.variants import Variant

CLOSING = (DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW)
"""The deadlines of a phase; it has one of them at a time."""


def open_phase(tx: Transaction, game: Game, position: Position) -> Game:
    """Open a phase: its row, its deadline and reminders; cancel all that was said of WAIT and READY, and put stored
    orders for it in force.
    """
    before = game.phase
    game = enter(tx, game, position, follows=before.number if before is not None else 0)
    if before is not None and game.options.standing_ballots:
        ballots.carry(tx, game, before.id)
    return close_early(tx, preorders.put_in_force(tx, standins.give_orders(tx, begin(tx, game))))


def enter(tx: Transaction, game: Game, position: Position, follows: int) -> Game:
    """Put the game into this position, in a new phase that follows number `follows` (0 for the first)."""
    phase_id, number = game_rows.add_phase(
        tx.session,
        game_id=game.id,
        code=position.phase.code,
        position=position_to_json(position),
        follows=follows,
        now=tx.now,
    )
    phase = PhasePlayed(phase_id, number, position, tx.now, game.variant)
    return tx.fold(game, phase=phase, orders={}, deadline=None)


def play_again(tx: Transaction, game: Game, phase: PhaseRow, mail_id: int | None) -> Game:
    """Play a phase again, as a new row, with everybody's last orders for it; the phases played since then are kept.

    If the game was over, its seed is public, so a new one is used from now on.
    """
    if game.over:
        told = (*game.told_seeds, game.seed)
        game = tx.fold(game, seed=tx.identity.new_seed(game.name, len(told)), told_seeds=told)
    paused = game.paused
    game = tx.fold(cancel_deadline(tx, game), state=GameState.RUNNING, victory=None)
    given = report_inputs.sets_in_force(tx.session, game, phase)
    position, review = report_inputs.position_of(game, phase), game.variant.review
    game = enter(tx, game, position if review is None else review.reopen(position), phase.follows)
    again = {
        seat_id: replace(orders, number=1, received_at=tx.now, mail_id=mail_id) for seat_id, orders in given.items()
    }
    game = begin(tx, tx.put_orders(game, again))
    return pause(tx, game) if paused else game


def return_to(tx: Transaction, game: Game, phase_id: int) -> Game:
    """Return the game to a phase that it had left before its adjudication."""
    paused, game = game.paused, cancel_deadline(tx, game)
    game = tx.fold(game, **loading.in_phase(tx.session, game, phase_id))
    game = set_deadline(tx, game, due_for(tx, game))
    return pause(tx, game) if paused else game


def begin(tx: Transaction, game: Game) -> Game:
    """Set the deadline of the present phase, counted from now, and cancel all that was said of WAIT and READY."""
    game = forget_wait(tx, game)
    return set_deadline(tx, game, due_for(tx, game))


def forget_wait(tx: Transaction, game: Game) -> Game:
    """Cancel all that was said of WAIT and READY."""
    waits = ((seat, report_inputs.is_draft(game, seat)) for seat in game.players)
    return tx.fold_seats(game, *(replace(seat, wait=wait) for seat, wait in waits if seat.wait != wait))


def due_for(tx: Transaction, game: Game) -> datetime:
    """When the phase is due if it begins now, postponed by absences of those who must order."""
    rule, phase = game.options.clock, game.phase
    if phase is None:
        raise ValueError(f"{game.name} is in no phase")
    if phase.number == 1:
        due = rule.next_allowed(tx.now + game.options.first)
    else:
        due = rule.due(phase.position.phase.kind, tx.now)
    return rule.after_absences(due, absences(tx, game))


def absences(tx: Transaction, game: Game) -> list[tuple[datetime, datetime]]:
    """The absences of players who still have orders to give in this phase."""
    if game.in_review:
        return []
    if game.variant.review is not None:  # must not reveal who really has orders to give, or a secret seat's absence
        wanted = [seat for seat in game.voters if not game.reviews(seat)]
    else:
        wanted = [seat for seat in game.held if seat.power in game.duties]
    missing = [seat for seat in wanted if not game.has_ordered(seat, incomplete_too=False)]
    ids = [seat.person.id for seat in missing if seat.person is not None]
    away = people.absences_of(tx.session, ids, tx.now) if ids else []
    return [(absence.begins, absence.ends) for absence in away]


def set_deadline(tx: Transaction, game: Game, due: datetime) -> Game:
    """Set the phase's deadline, replacing any other, with its reminders. A paused game is resumed.

    Once orders are closed for review, it is the time of adjudication, and there are no reminders.
    """
    game = cancel_deadline(tx, game)
    if game.phase is None:
        return game
    kind = DeadlineKind.REVIEW if game.in_review else DeadlineKind.ADJUDICATE
    moments = [(kind, due)]
    if not game.in_review:
        rule = game.options.clock
        leads = {lead for person in game.people.values() if (lead := lead_of(rule, person)) is not None}
        moments += [(DeadlineKind.REMINDER, due - lead) for lead in sorted(leads, reverse=True) if due - lead > tx.now]
    agenda.add_deadlines(tx.session, game.id, game.phase.id, moments, tx.now)
    return tx.fold(game, deadline=Deadline(due, kind), paused_at=None, left=None)


def pass_by(tx: Transaction, game: Game, phase_id: int, deadline: Deadline) -> Game:
    """Mark the deadline of this phase as done."""
    phase = game.phase
    if phase is None or phase.id != phase_id or phase.passed_at or deadline.kind is not DeadlineKind.ADJUDICATE:
        return game
    return tx.fold(game, phase=replace(phase, passed_at=deadline.due_at))


def cancel_deadline(tx: Transaction, game: Game) -> Game:
    """Cancel the phase's deadline and its reminders."""
    if game.phase is None or game.deadline is None:
        return game
    agenda.cancel(tx.session, game.phase.id, (*CLOSING, DeadlineKind.REMINDER))
    return tx.fold(game, deadline=None)


def lead_of(rule: ClockRule, person: Person) -> timedelta | None:
    """How long before a deadline to remind this person, by their preference or the game's rule; None: never."""
    if person.remind is None:
        return rule.reminder
    try:
        return parse_duration(person.remind)
    except NotUnderstood:
        return None


def pause(tx: Transaction, game: Game) -> Game:
    """Pause the game: cancel the deadline, and keep the time that was left."""
    if game.deadline is None:
        return game
    left = max(0, int((game.deadline.due_at - tx.now).total_seconds()))
    return tx.fold(cancel_deadline(tx, game), left=left, paused_at=tx.now)


_TO_ANSWER = timedelta(hours=1)
"""After a long pause, players have at least this long to answer."""


def resume(tx: Transaction, game: Game) -> Game:
    """Resume the game with the time that was left, at the game's own times of day. A pause of less than an hour moves
    the deadline by as long as it lasted, and leaves at least as much time.
    """
    paused = tx.now - (game.paused_at or tx.now)
    due = tx.now + max(timedelta(seconds=game.left or 0), min(paused, _TO_ANSWER))
    return set_deadline(tx, game, due if paused < _TO_ANSWER else game.options.clock.next_allowed(due))


def close_early(tx: Transaction, game: Game) -> Game:
    """Set the deadline to now if every order is in and the game allows it (the game's `due` is then `now`).

    If a seat may change orders this is never done: it would reveal what that seat has done. (In practice, to nobody.)
    """
    if not game.running or game.paused or not game.all_orders_are_in:
        return game
    if report_inputs.early_by(game) == "no" and not game.in_grace:
        return game
    return close_now(tx, game)


def close_now(tx: Transaction, game: Game) -> Game:
    """Bring the deadline forward to now. One that has passed, and waits for mail that came before it, stays."""
    return set_deadline(tx, game, min(tx.now, game.due_at or tx.now))


# orders missing at the deadline


WAIT = timedelta(hours=24)
"""How long a phase waits each time orders are missing, in games that wait."""

MISSES = 2
"""Missing this many phases in a row costs a player their seat, in games with civil disorder."""


def give_grace(tx: Transaction, game: Game, until: datetime) -> Game:
    """Open the grace period: notify players whose orders are late, and the others that the game waits for them."""
    if game.phase is None:
        return game
    late = [seat for seat in game.missing if seat.person is not None]
    phase, missing = game.phase, counted(len(game.missing), "power")
    game = set_deadline(tx, game, until)
    words = (
        f"The deadline of {phase.code} has passed without your orders. Late orders are accepted until the time below;"
        " after that the game's rule for missing orders applies.",
    )
    tx.tell(game, late, "your orders are late", words, f"late:{phase.id}")
    said = (f"The deadline of {phase.code} has passed, and orders of {missing} are late. The game waits for them.",)
    tx.tell(game, game.all_but(*late), "orders are late", said, f"grace:{phase.id}")
    return game


def wait_on(tx: Transaction, game: Game) -> Game:
    """In a game that waits: add a day, and notify the late players and the gamemaster."""
    if game.phase is None:
        return game
    missing, phase = game.missing, game.phase
    due = game.options.clock.next_allowed(tx.now + WAIT)
    game = set_deadline(tx, game, due)
    late = [seat for seat in missing if seat.person is not None]
    words = (f"{phase.code} waits for your orders.",)
    tx.tell(game, late, "the game waits for your orders", words, f"waits:{phase.id}:{due:%s}")
    said = (
        f"{phase.code} waits for the orders of {listed(seat.power or '' for seat in missing)}.",
        "To replace a player, write REPLACE power WITH address; to go on without one, DUMMY power.",
    )
    tx.tell(game, game.masters, "the game waits", said, f"waiting:{phase.id}:{due:%s}")
    return game


def note_turnout(tx: Transaction, game: Game) -> None:
    """Record for each player with something to order whether their orders were on time, late or missing."""
    if game.phase is None:
        return
    due = [(seat, seat.person) for seat in _counted(game) if seat.person is not None]
    late = _late(tx, game)
    away = _away(tx, game) if any(not game.has_ordered(seat) for seat, _ in due) else set()
    came = {
        seat.id: ("late" if seat.id in late else "on time")
        if game.has_ordered(seat) or _owes_nothing(game, seat)
        else "excused"
        if person.id in away
        else "missed"
        for seat, person in due
    }
    holders = {seat.id: person.id for seat, person in due}
    people.note_turnout(tx.session, game.phase.id, holders, came, tx.now)


def _counted(game: Game) -> tuple[Seat, ...]:
    """The seats for which turnout is recorded in this phase: those that must order, and those that did.

    In a game with a seat that reviews the others' orders, it is secret who really has something to order: in movement
    phases all seats are recorded, those without anything to order as on time, and in other phases none.
    """
    if game.variant.review is None:
        due = (seat for seat in game.held if seat.power in game.duties)
        return tuple(seat for seat in due if _must_order(game, seat) or game.has_ordered(seat))
    moving = game.phase is not None and game.phase.position.phase.kind is PhaseKind.MOVEMENT
    return tuple(seat for seat in game.voters if seat.person is not None) if moving else ()


def _must_order(game: Game, seat: Seat) -> bool:
    """Whether sending nothing counts as a miss."""
    if game.position is None or seat.power is None:
        return False
    return game.duties[seat.power].compels(len(game.position.units_of(seat.power)))


def _owes_nothing(game: Game, seat: Seat) -> bool:
    return game.reviews(seat) or seat.power not in game.duties


def _late(tx: Transaction, game: Game) -> set[int]:
    """The seats whose first orders arrived after the deadline."""
    phase = game.phase
    if phase is None or phase.passed_at is None:
        return set()
    first = game_rows.first_received(tx.session, phase.id)
    return {seat_id for seat_id, received_at in first.items() if received_at > phase.passed_at}


def _away(tx: Transaction, game: Game) -> set[int]:
    """The players who have announced an absence for now; their missing orders are excused."""
    absences = people.absences_of(tx.session, game.people, tx.now)
    return {absence.account_id for absence in absences if absence.begins <= tx.now}


def excuse(tx: Transaction, game: Game) -> None:
    """Excuse missing orders when the gamemaster closes the phase before its deadline."""
    if game.phase is None or game.in_grace:
        return
    holders = {seat.id: seat.person.id for seat in game.missing if seat.person is not None}
    people.note_turnout(tx.session, game.phase.id, holders, dict.fromkeys(holders, "excused"), tx.now)


def follow_up(tx: Transaction, game: Game, closed: int) -> Game:
    """In games with civil disorder, vacate the seats of players who missed too many phases in a row."""
    if game.options.nmr != "disorder" or not game.running:
        return game
    missed = people.missed_in_a_row(tx.session, [seat.id for seat in game.held], MISSES)
    for seat in game.held:
        if seat.person is None or (seat.id, seat.person.id) not in missed:
            continue
        words = (
            f"You have missed {counted(MISSES, 'phase')} in a row, which costs you your seat as {seat.power}.",
            f"If it is still vacant you can return: TAKEOVER {game.name} AS {seat.power}",
        )
        tx.tell(game, [seat], "you have lost your seat", words, f"lost:{closed}:{seat.id}")
        game = seats.vacate(tx, game, seat)
        said = (f"{seat.power} has missed {counted(MISSES, 'phase')} in a row. The seat is now vacant.",)
        tx.tell(game, game.masters, "a seat is vacant", said, f"vacant:{closed}:{seat.id}")
    return game


def give_random_orders(tx: Transaction, game: Game) -> tuple[Game, tuple[Power, ...]]:
    """Random orders for those who sent none, stored as order sets like any others; and the powers that got them."""
    position, sets, ordered = game.position, {}, []
    for seat in game.missing:
        if position is not None and seat.power is not None:
            drawn = random_orders(game.variant, position, seat.power, game.chance)
            if drawn:
                ordered.append(seat.power)
                sets[seat.id] = replace(game.next_set(seat, tuple(drawn), tx.now, None), complete=True)
    return tx.put_orders(game, sets), tuple(ordered)


def random_orders(game: Variant, position: Position, power: Power, chance: Chance) -> list[Order]:
    """One legal order for each unit; as many builds and removals as are due."""
    board, duty, code = game.board(position), game.duties(position)[power], position.phase.code
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return [
            chance.choose(found, "missing", code, unit)
            for unit in duty.units
            if (found := game.legal_orders(board, position, unit, duty.need))
        ]
    need = duty.need or NOTHING
    if need.count < 0:
        removed = chance.shuffled(position.units_of(power), "missing", code, power)[: -need.count]
        return [order for unit in removed for order in game.legal_orders(board, position, unit, need)]
    builds: list[Order] = []
    for number in range(need.count):
        taken = {board.province(order.unit.at) for order in builds if isinstance(order, Build)}
        sites = [
            order
            for order in legal_builds(board, power, need)
            if isinstance(order, Build) and board.province(order.unit.at) not in taken
        ]
        builds += [chance.choose(sites, "missing", code, power, number)] if sites else []
    return builds


# the end


def end_game(tx: Transaction, game: Game, state: GameState, victory: Victory, purpose: str) -> Game:
    """End the game, and send the result and the secrets to everybody in it."""
    game = cancel_deadline(tx, game)
    winners = victory.winners
    game = tx.fold(game, state=state, victory=victory, paused_at=None, left=None)
    if len(winners) == 1:
        result = f"{winners[0]} has won."
    elif winners:
        result = f"The game is drawn between {listed(winners)}."
    else:
        result = f"The game {game.name} has ended without a result."
    since, when = (" since the rollback", "then") if game.told_seeds else ("", "in the first mail")
    words = (
        f"{result} {game.variant.words.victory(victory)}",
        f"SUMMARY {game.name} shows the game year by year and all diaries; HISTORY {game.name} ALL shows every phase.",
        f"All random draws{since} came from this seed; its SHA-256 was published {when}: {game.seed}",
        "Thank you for playing.",
    )
    tx.tell(game, game.seats, "the game is over", words, purpose, report_inputs.chronicle(tx.session, game))
    return game
