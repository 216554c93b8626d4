"""Adjudication of a phase: movement (with army/fleets in `decks`), retreats, Winter; and victory (QS-8, QS-10,
QS-11).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gm.board import Board, Power, UnitKind
from gm.chance import Chance
from gm.judge import Rulebook
from gm.judge.outcomes import Facts, Outcome, Resolution, Result
from gm.judge.retreats_and_adjustments import RemovalOrder, resolve_adjustments
from gm.orders import Disband, Order
from gm.orders.possible import Need
from gm.position import PhaseKind, Position, Season, Unit
from gm.turn import Victory
from gm.variants import Variant
from gm.variants.quantum_space.decks import ARMY_FIRST, DECK, DeckBoard, Decks, aboard, deck
from gm.variants.quantum_space.space import QuantumBoard, distance
from gm.variants.quantum_space.state import ARMY_FLEET, FILE_3001, board_of, planets_of, powers_of
from gm.variants.standard import STANDARD, leading, more_than_half

ENOUGH_CENTERS = "enough centers"
"""The kind of victory of 3001: `centers`, as a number and the total."""


# Movement


def resolve_3001(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The adjudicated phase, including army/fleets."""
    board = board_of(position)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return Decks(board, position.units, orders).resolve(game.rulebook)
        case PhaseKind.ADJUSTMENT:
            return resolve_winter(board, game.rulebook, position, orders, game.all_needs(position), removals)
    return STANDARD.resolve(game, position, orders, chance)


# Winter


def removals(board: Board, _rulebook: Rulebook, position: Position, power: Power) -> list[Unit]:
    """The power's units, farthest from its home centres first; then fleets before armies, then by name (QS-11)."""
    code = planets_of(position).codes[power]

    def precedence(unit: Unit) -> tuple[int, bool, str]:
        return -distance(code, unit), unit.kind is UnitKind.ARMY, board.full_name(unit.at)

    return sorted(position.units_of(power), key=precedence)


def resolve_winter(
    board: QuantumBoard,
    rulebook: Rulebook,
    position: Position,
    orders: Sequence[Order],
    needs: Mapping[Power, Need],
    removals: RemovalOrder,
) -> Resolution:
    """Adjudicate Winter: an army/fleet is two units, of which the army may be removed alone, the fleet only
    after it.
    """
    ships = {unit for unit in position.units if unit.kind is ARMY_FLEET}
    apart = [part for unit in position.units for part in (_parts(unit) if unit in ships else (unit,))]
    named = {aboard(army): army for army, _ in map(_parts, ships)}
    fleets = {fleet: army for army, fleet in map(_parts, ships)}
    seen: set[Unit] = set()
    stranding: set[int] = set()
    meant: list[Order] = []
    for place, order in enumerate(orders):
        if isinstance(order, Disband):
            order = replace(order, unit=named.get(order.unit, order.unit))
            seen.add(order.unit)
            if order.unit in fleets and fleets[order.unit] not in seen:
                stranding.add(place)
        meant.append(order)
    judged = [place for place in range(len(orders)) if place not in stranding]
    found = resolve_adjustments(
        DeckBoard(board),
        rulebook,
        replace(position, units=tuple(apart)),
        [meant[place] for place in judged],
        needs,
        lambda *asked: _armies_first(removals(*asked), fleets),
    )
    outcome_at = {place: one._replace(order=orders[place]) for place, one in zip(judged, found.outcomes, strict=False)}
    outcome_at |= {place: Outcome(orders[place], Result.ILLEGAL, None, Facts(ARMY_FIRST)) for place in stranding}
    others = found.outcomes[len(judged) :]
    shown = (Disband(aboard(one.order.unit)) if isinstance(one.order, Disband) else one.order for one in others)
    removed = (one._replace(order=order) for one, order in zip(others, shown, strict=True))
    outcomes = (*(outcome_at[place] for place in range(len(orders))), *removed)
    return found._replace(outcomes=outcomes, units=_together(found.units))


def _parts(ship: Unit) -> tuple[Unit, Unit]:
    """The army on deck and the fleet that an army/fleet is made of."""
    return deck(replace(ship, kind=UnitKind.ARMY)), replace(ship, kind=UnitKind.FLEET)


def _armies_first(units: Sequence[Unit], fleets: Mapping[Unit, Unit]) -> list[Unit]:
    """The units in order, except that the army of an army/fleet is removed before its fleet."""
    aboard = set(fleets.values())
    pairs = ((fleets[unit], unit) if unit in fleets else (unit,) for unit in units if unit not in aboard)
    return [unit for pair in pairs for unit in pair if unit in units]


def _together(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """The units, with each army on deck and its fleet as one unit again."""
    crews = {aboard(unit).at for unit in units if unit.at.endswith(DECK)}
    ashore = (unit for unit in units if not unit.at.endswith(DECK))
    return tuple(replace(unit, kind=ARMY_FLEET) if unit.at in crews else unit for unit in ashore)


# Victory


def victory_1975(position: Position) -> Victory | None:
    """More than half of all units and more than half of all centres, after any season, Winter's builds too (QS-10)."""
    return more_than_half(position, len(position.centers))


def victory_3001(position: Position) -> Victory | None:
    """More than half of all centres, or 17 when there are more than eight planets, after Fall (QS-10).

    If two powers have so many, the one with more wins; if they have equally many, the game goes on.
    """
    if position.phase.season is not Season.FALL:
        return None
    owned = {power: len(position.centers_of(power)) for power in powers_of(position)}
    found = leading(owned, min(FILE_3001.win, len(position.centers) // 2 + 1))
    return found and Victory(found.winners, ENOUGH_CENTERS, {"centers": [found.facts["owned"], len(position.centers)]})
