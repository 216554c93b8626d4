"""What is done about orders that are missing at a deadline: grace, waiting, random orders, turnout, lost seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from gm.board import Power
from gm.chance import Chance
from gm.games import report_inputs
from gm.games.snapshot import Game, Person, Seat, holders
from gm.games.transaction import Transaction
from gm.orders import Build, Order
from gm.orders.possible import legal_builds
from gm.play import calendar, seats
from gm.position import PhaseKind, Position
from gm.reports import counted, listed
from gm.reports.reader import Answers
from gm.store import agenda, game_rows, people, records
from gm.variants import Variant

WAIT = timedelta(hours=24)
"""How long a phase waits each time orders are missing, in games that wait."""

MISSES = 2
"""Missing this many phases in a row costs a player their seat, in games with civil disorder."""


def give_grace(tx: Transaction, game: Game, until: datetime) -> Game:
    """Open the grace period: notify players whose orders are late, and the others that the game waits for them."""
    late, knowing, whose = game.late, _who_may_know(game), listed(seat.label for seat in game.missing)
    game = calendar.set_deadline(tx, game, until)
    tx.owe(game, late, f"late:{until:%s}")
    told = (knowing, f"orders of {whose}"), (game.all_but(*late, *knowing), _what_is_missing(game))
    for readers, missing in told:
        said = (f"The deadline of {game.code} has passed, and {missing} are late. The game waits for them.",)
        tx.tell(game, readers, "orders are late", said, f"grace:{game.present.id}")
    return game


def _who_may_know(game: Game) -> list[Seat]:
    """Who runs the game and may know whose orders are missing."""
    return [one for one in game.masters if all(game.knows_duties(one, seat) for seat in game.missing)]


def _what_is_missing(game: Game) -> str:
    """What everybody is told of missing orders."""
    return "orders" if game.variant.veiled else f"orders of {counted(len(game.missing), 'power')}"


def wait_on(tx: Transaction, game: Game) -> Game:
    """In a game that waits: add a day, and notify the late players, the gamemaster, and the others."""
    missing, late, phase, lacking = game.missing, game.late, game.present, _what_is_missing(game)
    game = calendar.put_off(tx, game, WAIT)
    due = game.due_at or tx.now
    tx.owe(game, late, f"waits:{due:%s}")
    said, answers = _how_to_go_on(game, missing)
    purpose = f"waiting:{phase.id}:{due:%s}"
    knowing = _who_may_know(game)
    tx.tell(game, knowing, "the game waits", said, purpose, answers=answers)
    words = (f"The deadline of {phase.code} has passed, and {lacking} are missing. The game waits for them.",)
    tx.tell(game, game.all_but(*late, *knowing), "the game waits", words, purpose)
    return game


def _how_to_go_on(game: Game, missing: Sequence[Seat]) -> tuple[tuple[str, ...], Answers]:
    """What a gamemaster who may know it is told of the seats that are waited for, and can answer. Where all are waited
    for, to empty a seat ends nothing (`Game.expected`).
    """
    code, ready = game.code, [seat.label for seat in missing if seat.power not in game.duties]
    orders = [seat.label for seat in missing if seat.power in game.duties]
    waits = [f"{code} waits for the orders of {listed(orders)}."] if orders else []
    waits += [f"{code} waits for READY of {listed(ready)}, who have nothing to order."] if ready else []
    replace_one = "To replace a player, write REPLACE power WITH address; to go on without"
    if game.waits_for_all:
        return (*waits, f"{replace_one} them, PROCESS {code}."), ((f"PROCESS {code}", "go on without them"),)
    return (*waits, f"{replace_one} one, DUMMY power."), seats.dummies(game, missing)


def note_turnout(tx: Transaction, game: Game) -> None:
    """Record for each player with something to order whether their orders were on time, late or missing. Who is away,
    and for whom only the gamemaster has ordered, is excused. A phase that is played again counts once, as it was played
    last.
    """
    phase = game.present
    due = holders(_counted(game))
    late, covered = _late(tx, game), _covered(tx, game)
    away = _away(tx, game) if any(not game.is_in(seat) for seat, _ in due) else set()

    def how(seat: Seat, person: Person) -> str:
        if seat.id in covered:
            return "excused"
        if game.is_in(seat) or _owes_nothing(game, seat):
            return "late" if seat.id in late else "on time"
        return "excused" if person.id in away else "missed"

    came = {seat.id: how(seat, person) for seat, person in due}
    held = {seat.id: person.id for seat, person in due}
    people.forget_turnout(tx.session, game.id, phase.code, but=phase.id)
    people.note_turnout(tx.session, phase.id, held, came, tx.now)


def _counted(game: Game) -> tuple[Seat, ...]:
    """The seats for which turnout is recorded in this phase: those that must order, and those that did.

    Where it is secret who really has something to order, all seats are recorded in movement phases, those without
    anything to order as on time, and in other phases none.
    """
    if not game.hides_duties:
        due = (seat for seat in game.held if seat.power in game.duties)
        return tuple(seat for seat in due if _must_order(game, seat) or game.has_ordered(seat))
    moving = game.present.position.phase.kind is PhaseKind.MOVEMENT
    return tuple(seat for seat, _ in holders(game.voters)) if moving else ()


def _must_order(game: Game, seat: Seat) -> bool:
    """Whether sending nothing counts as a miss."""
    if game.position is None or seat.power is None:
        return False
    return game.duties[seat.power].compels(len(game.position.units_of(seat.power)))


def _owes_nothing(game: Game, seat: Seat) -> bool:
    """Whether sending nothing is no miss."""
    return game.reviews(seat) or seat.power not in game.duties


def _late(tx: Transaction, game: Game) -> set[int]:
    """The seats whose first orders arrived after the deadline, also if they were accepted once the phase was over."""
    phase = game.present
    found = _accepted_late(tx, game)
    if phase.passed_at is None:
        return found
    first = game_rows.first_received(tx.session, phase.id, used_or_not=game.waits_for_all)
    return found | {seat_id for seat_id, received_at in first.items() if received_at > phase.passed_at}


def _accepted_late(tx: Transaction, game: Game) -> set[int]:
    """The seats that had sent nothing before the deadline when their late orders were accepted. A mail may have come in
    time, and been late only on its way.
    """
    row = game_rows.phase_by_id(tx.session, game.present.id) if game.is_corrected else None
    accepted = records.late_accepted(tx.session, game.present.id) if row is not None else {}
    if row is None or not accepted:
        return set()
    first, _ = report_inputs.first_played(tx.session, game, row)
    until = agenda.announced(tx.session, first.id) or first.adjudicated_at
    wrote = game_rows.first_received(tx.session, row.id, used_or_not=True)
    return {
        seat_id for seat_id, came in accepted.items() if until is not None and until < came <= wrote.get(seat_id, came)
    }


def _covered(tx: Transaction, game: Game) -> set[int]:
    """The seats for which a gamemaster has ordered in this phase (ORDERS FOR), and its player has not."""
    phase_id = game.phase_id or 0
    given = game_rows.sets_of_masters(tx.session, phase_id)
    sets = {seat_id: game_rows.order_set_history(tx.session, phase_id, seat_id) for seat_id in given}
    return {seat_id for seat_id, numbers in given.items() if {one.number for one in sets[seat_id]} <= numbers}


def _away(tx: Transaction, game: Game) -> set[int]:
    """The players who have announced an absence for now; their missing orders are excused."""
    absences = people.absences_of(tx.session, game.people, tx.now)
    return {absence.account_id for absence in absences if absence.begins <= tx.now}


def excuse(tx: Transaction, game: Game) -> None:
    """Excuse missing orders when the gamemaster closes the phase before its deadline."""
    if game.in_grace:
        return
    held = {seat.id: person.id for seat, person in holders(game.missing)}
    people.note_turnout(tx.session, game.present.id, held, dict.fromkeys(held, "excused"), tx.now)


def follow_up(tx: Transaction, game: Game, closed: int) -> Game:
    """In games with civil disorder, vacate the seats of players who missed too many phases in a row."""
    if game.options.nmr != "disorder" or not game.running:
        return game
    missed = people.missed_in_a_row(tx.session, [seat.id for seat in game.held], MISSES)
    for seat, person in holders(game.held):
        if (seat.id, person.id) not in missed:
            continue
        words = f"You have missed {counted(MISSES, 'phase')} in a row, which costs you your seat as {seat.power}."
        seats.tell_of_loss(tx, game, seat, words, f"lost:{closed}:{seat.id}")
        game = seats.vacate(tx, game, seat)
        happened = f"has missed {counted(MISSES, 'phase')} in a row"
        said = (f"{seat.power} {happened}. The seat is now vacant.",)
        purpose, answers = f"vacant:{closed}:{seat.id}", seats.dummies(game, [seat])
        tx.tell(game, game.masters, "a seat is vacant", said, purpose, answers=answers)
        seats.announce_vacancy(tx, game, seat, happened, f"left:{closed}:{seat.id}")
    return game


def give_random_orders(tx: Transaction, game: Game) -> tuple[Game, tuple[Power, ...]]:
    """Random orders for those who sent none, stored as order sets like any others; and the powers that got them."""
    position, sets, ordered = game.position, {}, []
    for seat in game.missing:
        if seat.dummy_since or game.has_ordered(seat):  # it is missing only because its player has left in this phase
            continue
        if position is not None and seat.power is not None and seat.power in game.duties:
            drawn = random_orders(game.variant, position, seat.power, game.chance)
            if drawn:
                ordered.append(seat.power)
                sets[seat.id] = replace(game.next_set(seat, tuple(drawn), tx.now, None), complete=True, sent=False)
    return tx.put_orders(game, sets), tuple(ordered)


def random_orders(game: Variant, position: Position, power: Power, chance: Chance) -> list[Order]:
    """One order for each unit that is legal as far as its power sees; as many builds and removals as are due."""
    position = game.seen(game, position, power)
    board, duty, code = game.board(position), game.duties(position)[power], position.phase.code
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return [
            chance.choose(found, "missing", code, unit)
            for unit in duty.units
            if (found := game.legal_orders(board, position, unit, duty.need))
        ]
    need = duty.need
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
