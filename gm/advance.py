"""From a position and its orders to the next position: one phase is adjudicated, and the rules between phases are
applied.

Phases without anything to order are skipped. Time and chance are arguments; the same position, orders and
seed always give the same turn.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from gm.board import Power
from gm.chance import Chance
from gm.judge.outcomes import Resolution
from gm.orders import Order
from gm.orders.notation import PRIVATE
from gm.orders.possible import retreat_options
from gm.position import Dislodged, Phase, PhaseKind, Position
from gm.turn import ELIMINATED, Event, Turn, Victory, eliminated, elimination
from gm.variants import OrderSets, SeasonEnd, Variant


def advance(game: Variant, before: Position, orders: Mapping[Power, Sequence[Order]], chance: Chance) -> Turn:
    """Adjudicate the phase of `before`. A power that is not in `orders` sent none; its units hold or are disbanded, and
    it builds nothing.
    """
    given = game.given(before, orders)
    closed, resolution = resolve(game, before, given, chance)
    return conclude(game, closed, given, resolution, chance)


def resolve(game: Variant, before: Position, given: OrderSets, chance: Chance) -> tuple[Position, Resolution]:
    """The position after the orders were closed, and the resolution of these orders and of those that the
    server adds.
    """
    if game.review is not None:
        before = game.review.close(game, before, given, chance)
    filled = game.fill(game, before, given, chance)
    return before, game.resolve(game, before, [order for power in filled for order in filled[power]], chance)


def conclude(
    game: Variant, before: Position, given: Mapping[Power, tuple[Order, ...]], resolution: Resolution, chance: Chance
) -> Turn:
    """What follows from the resolution of the phase: retreats, or the end of the season and the next phase.

    `given` are the orders that were sent; a power that is not in it is silent.
    """
    extra = before.extra if resolution.extra is None else resolution.extra
    resolved = Position(
        before.phase, resolution.units, before.centers, resolution.dislodged, resolution.contested, extra
    )
    retreating, destroyed = _split_by_escape(game, resolved)
    victory: Victory | None = None
    if retreating:
        phase = Phase(before.phase.year, before.phase.season, PhaseKind.RETREAT)
        end = SeasonEnd(replace(resolved, phase=phase, dislodged=retreating))
    else:
        quiet = Position(before.phase, resolved.units, before.centers, extra=extra)
        end, victory = _end_season(game, quiet, chance)
    if game.seating.late is not None and victory is None:
        after, arrivals = game.seating.late.arrive(end.position)
        end = replace(end, position=after, events=(*end.events, *arrivals))
    return Turn(
        before=before,
        orders=given,
        outcomes=resolution.outcomes,
        after=end.position,
        destroyed=destroyed,
        count=end.count,
        silent=_silent(game, before, given),
        victory=victory,
        events=_with_eliminations(game, before, end.position, (*resolution.events, *end.events)),
    )


def _silent(game: Variant, before: Position, given: Container[Power]) -> tuple[Power, ...]:
    """The powers that had something to order and sent nothing."""
    missing = [power for power in game.powers(before) if power not in given]
    duties = [(power, game.duties(before).get(power)) for power in missing]
    return tuple(power for power, duty in duties if duty and duty.binding)


def _with_eliminations(
    game: Variant, before: Position, after: Position, events: tuple[Event, ...]
) -> tuple[Event, ...]:
    """The events, with one for all powers that had something before the phase and have nothing after it, whether they
    lost it by a season's end, a retreat or a removal. A power that had nothing before was reported earlier.
    """
    had, have = _in_play(game, before), _in_play(game, after)
    reported = eliminated(events)
    out = dict.fromkeys((*(power for power in reported if power in had), *sorted(had - have)))
    if tuple(out) == reported:
        return events
    return (*(event for event in events if event.kind != ELIMINATED), *elimination(out))


def _in_play(game: Variant, position: Position) -> set[Power]:
    """The players' powers that have a unit or a centre on the board, or another piece that stays until Winter."""
    pieces = game.pieces(position) if position.phase.kind is not PhaseKind.ADJUSTMENT else ()
    found = {*map(_power, position.every_unit), *position.centers.values()}
    found.update([piece.power for piece in pieces if piece.power not in found and PRIVATE not in piece.at])
    return found.intersection(game.seating.powers) if game.seating.powers else found


_power = attrgetter("power")


def _split_by_escape(game: Variant, position: Position) -> tuple[tuple[Dislodged, ...], tuple[Dislodged, ...]]:
    """The dislodged units that can retreat, as far as their powers see, and those that are destroyed because they
    cannot.
    """
    board = game.board(position)
    options = [
        (d, bool(retreat_options(board, game.seen(game, position, d.unit.power), d))) for d in position.dislodged
    ]
    return tuple(d for d, able in options if able), tuple(d for d, able in options if not able)


def _end_season(game: Variant, resolved: Position, chance: Chance) -> tuple[SeasonEnd, Victory | None]:
    """End the season if it ends with this phase, and go on to the first phase in which a power has something to
    order.
    """
    end = SeasonEnd(resolved)
    later = game.after_season(resolved.phase)
    if resolved.phase.kind is not PhaseKind.ADJUSTMENT:
        end = game.end_of_season(game, resolved, chance)
    victory = game.victory(end.position)
    if victory is not None:
        return replace(end, position=replace(end.position, phase=later[0])), victory
    for phase in later:
        opened = replace(end.position, phase=phase)
        if phase.kind is PhaseKind.MOVEMENT or any(game.duty(game, opened, power) for power in game.powers(opened)):
            return replace(end, position=opened), None
    raise ValueError(f"nothing follows {resolved.phase}")
