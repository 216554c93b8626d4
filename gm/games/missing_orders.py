"""Orders that are missing when the deadline comes: grace, waiting, lots, seats given up, and how often it happens."""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.board import Power
from gm.chance import Chance
from gm.games import ServerIdentity, seats
from gm.games.deadlines import set_deadline
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.orders import Build, Order
from gm.orders.codec import order_to_json
from gm.orders.needs import NOTHING
from gm.orders.possible import legal_builds
from gm.position import PhaseKind, Position
from gm.reports.words import counted, listed
from gm.store import agenda, order_rows, people
from gm.store.game_rows import PhaseRow
from gm.variants import Variant

WAIT = timedelta(hours=24)
"""How long a phase waits at a time for orders that are missing, in games that wait."""

MISSES = 2
"""Phases missed running by which a seat is lost, in games with civil disorder."""


def give_grace(office: ServerIdentity, table: Table, phase: PhaseRow, until: datetime, now: datetime) -> None:
    """The deadline has passed: those who are late are told so, the others that they are waited for."""
    late = [seat for seat in table.missing if seat.account_id is not None]
    set_deadline(table, phase, until, now)
    words = (
        f"The deadline of {phase.code} has passed without your orders. They still count if they come until the moment"
        " below; after that the game's rule for missing orders applies.",
    )
    tell(table, office, late, "your orders are late", words, purpose=f"late:{phase.id}", now=now)
    missing = counted(len(table.missing), "power")
    said = (f"The deadline of {phase.code} has passed, and the orders of {missing} are missing. They are waited for.",)
    others = [seat for seat in table.seats if seat not in late]
    tell(table, office, others, "orders are late", said, purpose=f"grace:{phase.id}", now=now)


def wait_on(office: ServerIdentity, table: Table, phase: PhaseRow, now: datetime) -> None:
    """In a game that waits: another day, and a word to those who are late and to the gamemaster."""
    missing = table.missing
    due = table.options.clock.next_allowed(now + WAIT)
    set_deadline(table, phase, due, now)
    names = listed(seat.power or "" for seat in missing)
    late = [seat for seat in missing if seat.account_id is not None]
    words = (f"{phase.code} waits for your orders.",)
    tell(table, office, late, "your orders are waited for", words, purpose=f"waits:{phase.id}:{due:%s}", now=now)
    said = (
        f"{phase.code} waits for the orders of {names}.",
        "REPLACE power WITH address gives a power to somebody else; DUMMY power lets the phase go on without it.",
    )
    tell(table, office, table.masters, "the game waits", said, purpose=f"waiting:{phase.id}:{due:%s}", now=now)


def note_turnout(table: Table, phase: PhaseRow, now: datetime) -> None:
    """Note of each player who had something to order whether his orders came on time, late or not at all."""
    first_due = agenda.passed(table.session, phase.id)
    for seat in table.held_by_people:
        if seat.power not in table.duties or seat.account_id is None:
            continue
        sets = [one for one in order_rows.order_set_history(table.session, phase.id, seat.id) if one.orders]
        came = "missed"
        if table.missing and _is_away(table, seat.account_id, now):
            came = "excused"
        if sets and table.has_ordered(seat):
            came = "late" if first_due is not None and sets[0].received_at > first_due else "on time"
        people.note_turnout(
            table.session, phase_id=phase.id, seat_id=seat.id, account_id=seat.account_id, came=came, now=now
        )


def _is_away(table: Table, account_id: int, now: datetime) -> bool:
    """Whether somebody has told that he is away now; what he misses is not held against him."""
    return any(absence.begins <= now for absence in people.absences_of(table.session, [account_id], now))


def excuse(table: Table, phase: PhaseRow, now: datetime) -> None:
    """The gamemaster closes the phase before its deadline: whose orders are missing has not missed it."""
    for seat in table.missing:
        if seat.account_id is not None and not table.in_grace:
            people.note_turnout(
                table.session, phase_id=phase.id, seat_id=seat.id, account_id=seat.account_id, came="excused", now=now
            )


def follow_up(office: ServerIdentity, table: Table, phase: PhaseRow, now: datetime) -> None:
    """After the phase: in games with civil disorder, who missed too often loses his seat to whoever stands by."""
    if table.options.nmr != "disorder" or not table.running:
        return
    for seat in table.held_by_people:
        if seat.account_id is None or people.missed_in_a_row(table.session, seat.id, seat.account_id) < MISSES:
            continue
        words = (
            f"You have missed {counted(MISSES, 'phase')} running, so {seat.power} is given to somebody else.",
            f"If nobody has taken it, TAKEOVER {table.game.name} AS {seat.power} brings you back.",
        )
        tell(table, office, [seat], "you have lost your seat", words, purpose=f"lost:{phase.id}:{seat.id}", now=now)
        seats.vacate(table, office, seat, now)
        said = (f"{seat.power} has missed {counted(MISSES, 'phase')} running, and the seat is vacant.",)
        tell(table, office, table.masters, "a seat is vacant", said, purpose=f"vacant:{phase.id}:{seat.id}", now=now)


def order_by_lot(table: Table, phase: PhaseRow, now: datetime) -> tuple[Power, ...]:
    """Orders drawn by lot for those who sent none, kept as sets like any other. Returns for whom."""
    position = table.position
    if position is None:
        return ()
    ordered = []
    for seat in table.missing:
        power = Power(seat.power or "")
        drawn = orders_by_lot(table.variant, position, power, table.chance)
        if drawn:
            ordered.append(power)
            order_rows.add_order_set(
                table.session, phase, seat.id, [order_to_json(order) for order in drawn], complete=True, now=now
            )
    return tuple(ordered)


def orders_by_lot(game: Variant, position: Position, power: Power, chance: Chance) -> list[Order]:
    """One legal order for each unit; builds and removals as many as are due."""
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
