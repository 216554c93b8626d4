"""A game's past phases: their turns, the orders given for them, and the centres year by year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from gm.board import Power
from gm.games.loading import order_set
from gm.games.report_inputs import eyes
from gm.games.snapshot import Game, OrderSet, Seat
from gm.orders import Order
from gm.position import Position, Season, position_from_json
from gm.store import game_rows, order_rows
from gm.store.game_rows import PhaseRow
from gm.turn import Turn, turn_from_json
from gm.views import Section


def line_of(session: Session, game: Game) -> Sequence[PhaseRow]:
    """The phases played so far and the present one, without what was rolled back."""
    return game_rows.line_of(session, game.id, game.phase.id) if game.phase is not None else []


def adjudicated(session: Session, game: Game) -> list[PhaseRow]:
    """Those of them that were played to their end."""
    return [phase for phase in line_of(session, game) if phase.adjudicated_at is not None]


def position_of(game: Game, phase: PhaseRow) -> Position:
    """The position that a phase of this game began with."""
    return position_from_json(phase.position, game.variant.language.kinds)


def orders_by_power(session: Session, game: Game, phase: PhaseRow) -> dict[Power, tuple[Order, ...]]:
    """All orders in force for a phase of this game, past or present."""
    powers = {seat.id: seat.power for seat in game.players if seat.power is not None}
    sets = sets_in_force(session, game, phase)
    sent = {powers[seat_id]: given for seat_id, given in sets.items() if seat_id in powers}
    return {power: given.orders for power, given in sent.items() if given.orders or given.complete}


def sets_of(session: Session, game: Game, seat: Seat) -> list[OrderSet]:
    """Every set that the seat has sent for the present phase, first to last."""
    phase = game.phase
    rows = order_rows.order_set_history(session, phase.id, seat.id) if phase is not None else ()
    return [order_set(row, game.variant) for row in rows]


def sets_in_force(session: Session, game: Game, phase: PhaseRow) -> dict[int, OrderSet]:
    """The sets in force for a phase of this game, past or present, by seat id."""
    rows = order_rows.latest_order_sets(session, phase.id)
    return {seat_id: order_set(row, game.variant) for seat_id, row in rows.items()}


def turn_of(session: Session, game: Game, phase: PhaseRow) -> Turn:
    """The turn of an adjudicated phase, as it is stored."""
    if phase.result is None:
        raise ValueError(f"{phase.code} of {game.name} has not been adjudicated")
    orders, rules = orders_by_power(session, game, phase), game.variant
    turn = turn_from_json(phase.result, phase.position, orders, rules.language)
    return replace(turn, orders=rules.given(turn.before, turn.orders))


def chronicle(session: Session, game: Game) -> tuple[Section, ...]:
    """The game's secrets, published when it is over."""
    tell = game.variant.chronicle
    if tell is None:
        return ()
    return tell(game.variant, [turn_of(session, game, phase) for phase in adjudicated(session, game)])


def history(
    session: Session, game: Game, seat: Seat | None = None, *, open_book: bool = True
) -> tuple[tuple[int, dict[Power, int]], ...]:
    """Centres of each power at the end of each game year; the year before the first is the set-up.

    Without `open_book`, as far as the seat may see them.
    """
    power = eyes(game, seat)
    years: dict[int, dict[Power, int]] = {}
    for phase in line_of(session, game):
        position = position_of(game, phase)
        shown = position if open_book else game.variant.view(game.variant, position, None, power).position
        year = position.phase.year if position.phase.season is Season.WINTER else position.phase.year - 1
        years[year] = {p: len(shown.centers_of(p)) for p in game.variant.powers(position)}
    return tuple(sorted(years.items()))
