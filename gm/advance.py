"""From a position and its orders to the next position: one phase adjudicated, and what the rules do after it.

Phases in which nobody has anything to order are passed over. Time and chance are handed in; the same position, orders
and seed give the same turn for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gm.board import Board, Power
from gm.chance import Chance
from gm.duties import duties
from gm.judge.adjustments import resolve_adjustments
from gm.judge.movement import resolve_movement
from gm.judge.outcome import Resolution
from gm.judge.retreats import resolve_retreats, retreat_options
from gm.orders import Order
from gm.position import Dislodged, Phase, PhaseKind, Position
from gm.turn import SeasonCount, Turn, Victory
from gm.variants import Variant


def advance(game: Variant, before: Position, orders: Mapping[Power, Sequence[Order]], chance: Chance) -> Turn:
    """Adjudicate the phase of `before`. A power missing from `orders` sent none; its units hold, disband or stay."""
    given = {power: tuple(orders[power]) for power in game.powers if orders.get(power)}
    resolution = resolve(game, before, [order for power in given for order in given[power]])
    return conclude(game, before, given, resolution, chance)


def conclude(
    game: Variant, before: Position, given: Mapping[Power, tuple[Order, ...]], resolution: Resolution, chance: Chance
) -> Turn:
    """What follows from the resolution of the phase: who must retreat, or the end of the season and the next phase."""
    board = game.board(before)
    resolved = replace(before, units=resolution.units, dislodged=resolution.dislodged, contested=resolution.contested)
    retreating, destroyed = _split_by_escape(board, resolved)
    if retreating:
        phase = Phase(before.phase.year, before.phase.season, PhaseKind.RETREAT)
        after, count, victory = replace(resolved, phase=phase, dislodged=retreating), None, None
    else:
        after, count, victory = _next_phase(game, replace(resolved, dislodged=(), contested=frozenset()), chance)
    return Turn(
        before=before,
        orders=given,
        outcomes=resolution.outcomes,
        after=after,
        destroyed=destroyed,
        count=count,
        silent=tuple(power for power in duties(game, before) if power not in given),
        victory=victory,
    )


def resolve(game: Variant, before: Position, orders: Sequence[Order]) -> Resolution:
    """The phase adjudicated, without what follows from it."""
    board = game.board(before)
    match before.phase.kind:
        case PhaseKind.RETREAT:
            return resolve_retreats(board, before, orders)
        case PhaseKind.ADJUSTMENT:
            needs = {power: game.needs(board, before, power) for power in game.powers}
            return resolve_adjustments(board, game.rulebook, before, orders, needs)
        case _:
            return resolve_movement(board, game.rulebook, before.units, orders)


def _split_by_escape(board: Board, position: Position) -> tuple[tuple[Dislodged, ...], tuple[Dislodged, ...]]:
    """The dislodged units that can retreat somewhere, and those that are destroyed because they cannot."""
    able = tuple(d for d in position.dislodged if retreat_options(board, position, d))
    return able, tuple(d for d in position.dislodged if d not in able)


def _next_phase(
    game: Variant, resolved: Position, chance: Chance
) -> tuple[Position, SeasonCount | None, Victory | None]:
    """End the season where it ends with this phase, and go on to the first phase in which somebody must order."""
    count = None
    if resolved.phase.kind is not PhaseKind.ADJUSTMENT:
        resolved, count = game.end_of_season(game.board(resolved), resolved, chance)
        victory = game.victory(resolved)
        if victory is not None:
            return replace(resolved, phase=game.after_season(resolved.phase)[0]), count, victory
    for phase in game.after_season(resolved.phase):
        resolved = replace(resolved, phase=phase)
        if phase.kind is PhaseKind.MOVEMENT or duties(game, resolved):
            break
    return resolved, count, None
