"""What a power is shown (FW-2 to FW-4, FW-8): the part of a position and of a turn that is in its sight.

A result is told in words that depend on the order, its result and what was in sight. The facts of the judge, which
name strengths and units, are left out. When the game is over everybody is shown everything (FW-6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from gm.board import FiniteBoard, Location, Power, Province
from gm.judge.outcomes import NOTHING_TO_ADD, Facts, Outcome, Result
from gm.orders import Build, Convoy, Declaration, Disband, Move, Order, Retreat, Support, power_of, unit_of
from gm.orders.notation import Partly, Pen
from gm.position import Position, Unit
from gm.turn import ELIMINATED, SeasonCount, Turn, elimination, ends_game
from gm.variants import Variant
from gm.variants.fog.orders import UNSEEN, partner_of, truly
from gm.variants.fog.sight import Sight, seen_within, sight_of
from gm.variants.game_file import packaged
from gm.variants.standard import words_of
from gm.views import MASTER, Mark, View

FILE = packaged("fog")
SAYS = FILE.says()

NO_SUCH_ORDER, TOLD = "no such order was seen", "as far as it was seen"
"""The reasons of results: of an order that would help one that was not seen, and of all others."""

Seer = Callable[[Variant, Position, Turn | None, Power | None], View]


def view(whole: Seer, game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """What the seat may see; `whole` shows all of it, as to the gamemaster and, when the game is over, to everybody
    (FW-6, FW-7).
    """
    shown = whole(game, position, turn, seat)
    if seat == MASTER or ends_game(turn):
        return shown
    board = game.board(position)
    sight = sight_of(board, position, seat)
    if turn is not None:
        sight |= sight_of(board, turn.before, seat)
    unseen = frozenset(board.provinces) - sight
    own = {power: need for power, need in shown.needs.items() if power == seat}
    return replace(
        shown,
        position=seen_within(board, position, sight, seat),
        needs=own,
        duties={power: duty for power, duty in shown.duties.items() if power == seat},
        turn=_seen_turn(board, turn, sight, seat) if turn is not None else None,
        marks=tuple(Mark(FILE.signs["unseen"], province) for province in sorted(unseen)),
        unseen=unseen,
    )


def _seen_turn(board: FiniteBoard, turn: Turn, sight: Sight, seat: Power | None) -> Turn:
    """The turn as far as it was in sight, before it or after it (FW-3)."""
    outcomes = tuple(sorted(_seen_outcomes(board, turn, sight, seat), key=partial(_place, seat)))
    orders: dict[Power, list[Order]] = {}
    for outcome in outcomes:
        power = power_of(outcome.order)
        if power is not None and power != seat:
            orders.setdefault(power, []).append(outcome.order)
    own = {power: given for power, given in turn.orders.items() if power == seat}
    return Turn(
        before=seen_within(board, turn.before, sight, seat),
        orders={**{power: tuple(given) for power, given in orders.items()}, **own},
        outcomes=outcomes,
        after=seen_within(board, turn.after, sight, seat),
        destroyed=seen_within(board, replace(turn.before, dislodged=turn.destroyed), sight, seat).dislodged,
        count=_seen_count(turn.count, sight) if turn.count is not None else None,
        silent=tuple(power for power in turn.silent if power == seat),
        victory=turn.victory,
        events=(
            *(event for event in turn.events if event.kind != ELIMINATED),
            *elimination(power for power in turn.eliminated if power == seat),
        ),
    )


def _seen_count(count: SeasonCount, sight: Sight) -> SeasonCount:
    """The centres in sight that changed hands."""

    def within(changes: Mapping[Power, tuple[Province, ...]]) -> dict[Power, tuple[Province, ...]]:
        found = {power: tuple(filter(sight.__contains__, own)) for power, own in sorted(changes.items())}
        return {power: own for power, own in found.items() if own}

    return SeasonCount(within(count.gained), within(count.lost))


# Orders and results


@dataclass(frozen=True)
class Left(Partly):
    """The order of a unit in sight to go where it was not seen."""

    brief, full = "{unit}-(out of sight)", "{unit} -> (out of sight)"

    unit: Unit


@dataclass(frozen=True)
class Came(Partly):
    """The move of a unit that came into sight; `unit` is where it came to."""

    unit: Unit

    def spell(self, pen: Pen) -> str:
        kind, to = pen.verb(str(self.unit.kind), self.unit.kind.word.capitalize()), pen.verb("-", " -> ")
        return f"{kind} (out of sight){to}{pen.place(self.unit.at)}"


def _place(seat: Power | None, outcome: Outcome) -> tuple[str, str]:
    """Where an order is told: the seat's own as they were given, those of others by their units, not as they were
    written.
    """
    power, unit = power_of(outcome.order), unit_of(outcome.order)
    return ("", "") if power == seat else (str(power), str(unit))


def _seen_outcomes(board: FiniteBoard, turn: Turn, sight: Sight, seat: Power | None) -> Iterator[Outcome]:
    seen_moves = {
        (start, goal)
        for one in turn.outcomes
        if isinstance(one.order, Move)
        for start, goal in [(board.province(one.order.unit.at), board.province(one.order.to))]
        if start in sight or (one.succeeded and goal in sight)
    }
    staying = {board.province(unit.at) for unit in turn.before.units} & sight
    for outcome in turn.outcomes:
        order, own = outcome.order, power_of(outcome.order) == seat
        seen_order = order if own else _seen_order(board, turn.before, outcome, sight)
        if seen_order is None:
            continue
        partner = partner_of(board, order)
        known = partner is None or partner in seen_moves or (partner[1] is None and partner[0] in staying)
        yield _told(board, outcome, seen_order, known=known, own=own)


def _seen_order(board: FiniteBoard, before: Position, outcome: Outcome, sight: Sight) -> Order | None:
    """An order of another power as far as it was in sight: of a unit that began or ended the season there (FW-2)."""
    order = outcome.order
    if isinstance(order, Declaration):
        return None
    begins = board.province(order.unit.at) in sight
    match order:
        case Build() if not outcome.succeeded:
            return None  # no unit began or ended there
        case Move() | Retreat():
            ends = board.province(order.to) in sight
            if begins and not ends:
                return cast(Order, Left(order.unit))
            if not begins:
                arrived = replace(order.unit, at=order.to)
                return cast(Order, Came(arrived)) if ends and outcome.succeeded else None
            return replace(order, via_convoy=False, route=()) if isinstance(order, Move) else order
        case Support():
            return replace(order, supported=_named(board, before, order.supported, sight)) if begins else None
        case Convoy():
            return replace(order, convoyed=_named(board, before, order.convoyed, sight)) if begins else None
    return order if begins else None


def _named(board: FiniteBoard, before: Position, unit: Unit, sight: Sight) -> Unit:
    """A unit that is named in another's order: of which power it is, is not seen of one out of sight."""
    if board.province(unit.at) in sight:
        return truly(board, before, unit)
    return replace(unit, power=UNSEEN)


_NO_CONVOY = (Result.NO_CONVOY, Result.DISRUPTED, Result.ILLEGAL)
"""A move by sea that failed for want of a convoy: whether there were fleets may be out of sight."""


def _told(board: FiniteBoard, outcome: Outcome, shown: Order, *, known: bool, own: bool) -> Outcome:
    """The outcome of an order as it is shown, without facts. `known`: the order that it would help was seen, if it is
    to help one. `own`: of others it is not told whether they gave an order (FW-4).
    """
    order, result, by = outcome.order, outcome.result, outcome.dislodged_by
    why = TOLD
    if not known:
        why, result = NO_SUCH_ORDER, Result.VOID
    elif isinstance(order, Move) and result in _NO_CONVOY:
        result = Result.NO_CONVOY
    elif isinstance(order, Retreat) and not outcome.succeeded:
        result = Result.DISBANDED
    elif isinstance(order, Disband) and not own:
        result = Result.SUCCEEDS
    if by is not None:
        assert not isinstance(order, Declaration)
        by = replace(by, at=Location(board.province(order.unit.at)))  # where it is now, not where it came from (FW-8)
    plain = result is Result.SUCCEEDS and by is None
    return Outcome(shown, result, by, NOTHING_TO_ADD if plain else Facts(why))


# Words


def _reason(outcome: Outcome) -> str:
    """The result in words that name no strength, unit or origin (FW-8)."""
    if isinstance(outcome.order, Disband):
        return SAYS.note("disband", unit=outcome.order.unit)
    said = SAYS.note(NO_SUCH_ORDER if outcome.facts.why == NO_SUCH_ORDER else outcome.result, order=outcome.order)
    return said if outcome.dislodged_by is None else SAYS.note("and dislodged", said=said)


WORDS = words_of(SAYS, reasons={TOLD: _reason, NO_SUCH_ORDER: _reason})
