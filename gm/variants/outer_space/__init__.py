"""...It Came from Outer Space!: empires beam their armies from orbit upon an empty Europe (OS-1 to OS-15).

What differs from the standard game: `empires` (names, codes, what the position keeps), `orbits` (the board), `orders`
(beaming, colonizing), `colonies` (the end of a season), `words` (what is told of colonies). Here: set-up,
builds, removals, victory, views.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import Board, FiniteBoard, Location, Power, UnitKind
from gm.chance import Chance
from gm.judge.adjustments import removal_order, resolve_adjustments
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Resolution
from gm.judge.retreats import resolve_retreats
from gm.judge.rulebook import Rulebook
from gm.orders import Hold, Move, Order
from gm.orders.needs import NOTHING, Need
from gm.orders.notation import short, write_unit
from gm.position import Phase, PhaseKind, Position, Season, Unit
from gm.turn import Turn, Victory
from gm.variants import Seating, Variant
from gm.variants.outer_space.art import ART, COLONY
from gm.variants.outer_space.colonies import end_of_season, note_attempts
from gm.variants.outer_space.empires import assign_codes, codes_of, colonies_of, eliminated, empires_of, name_empire
from gm.variants.outer_space.orbits import ROOM, OrbitBoard, board_of, in_orbit, orbit
from gm.variants.outer_space.orders import LANGUAGE, Beam, Colonize, goal, legal_orders, understand
from gm.variants.outer_space.words import NOBODY_LEFT, WORDS
from gm.variants.standard import STANDARD
from gm.variants.standard import victory as standard_victory
from gm.views import Mark, Section, View

# Set-up


def opening(powers: Sequence[Power], chance: Chance | None = None) -> Position:
    """Spring 1901: three armies on board of every spacecraft, and nobody on the ground."""
    del chance
    codes = assign_codes(powers)
    armies = [Unit(power, UnitKind.ARMY, orbit(code)) for power, code in codes.items() for _ in range(ROOM)]
    return Position(
        phase=Phase(1901, Season.SPRING, PhaseKind.MOVEMENT),
        units=tuple(armies),
        centers={},
        extra={"empires": dict(codes), "colonies": {}, "eliminated": []},
    )


# Orders and adjudication


def needs(board: FiniteBoard, position: Position, power: Power) -> Need:
    """Centres less units, those in orbit too: builds in vacant centres owned and colonized (OS-12), or removals."""
    owned = position.centers_of(power)
    surplus = len(owned) - len(position.units_of(power))
    if surplus < 0:
        return Need(surplus)
    occupied = {board.province(unit.at) for unit in position.units}
    colonies = colonies_of(position)
    sites = frozenset(p for p in owned if colonies.get(p) == power and p not in occupied)
    count = min(surplus, len(sites))
    return Need(count, sites) if count else NOTHING


def removals(board: Board, rulebook: Rulebook, position: Position, power: Power) -> list[Unit]:
    """Units on the ground before those in orbit; farthest first from the own centres that are colonies (OS-13)."""
    colonies = colonies_of(position)
    goals = {p for p in position.centers_of(power) if colonies.get(p) == power}
    return sorted(removal_order(board, rulebook, position, power, goals), key=in_orbit)


def resolve(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The phase adjudicated; of a movement phase the attempts to colonize are noted for the end of the season."""
    del chance
    board = board_of(position)
    match position.phase.kind:
        case PhaseKind.RETREAT:
            return resolve_retreats(board, position, orders)
        case PhaseKind.ADJUSTMENT:
            every = {power: game.needs(board, position, power) for power in game.powers(position)}
            return resolve_adjustments(board, game.rulebook, position, orders, every, removals)
    found = resolve_movement(board, game.rulebook, position.units, [_possible(board, order) for order in orders])
    return note_attempts(board, position, found)


def _possible(board: OrbitBoard, order: Order) -> Order:
    """The order, but a beam that is jammed or goes nowhere as a plain move, which the judge sets aside (OS-7), and an
    attempt to colonize what is out of reach as no attempt (OS-8).
    """
    if isinstance(order, Beam) and not board.may_beam(order.unit, order.to):
        return Move(order.unit, order.to)
    if isinstance(order, Colonize) and goal(board, order) not in board.colonizable(order.unit):
        return Hold(order.unit)
    return order


def victory(position: Position) -> Victory | None:
    """Eighteen centres (OS-15). Where all are eliminated nobody has won."""
    if position.units == () and eliminated(position) == set(empires_of(position)):
        return Victory((), NOBODY_LEFT)
    return standard_victory(position)


# Sight


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """Nothing is hidden: colonies and armies in orbit are known to all."""
    seen = STANDARD.view(game, position, turn, seat)
    colonies = colonies_of(position)
    return replace(
        seen,
        sections=_sections(game.board(position), position),
        hints=_hints(board_of(position), position, seat),
        marks=tuple(Mark(COLONY, province, power) for province, power in sorted(colonies.items())),
        site="colonized centre",
        art=ART,
    )


def _sections(board: FiniteBoard, position: Position) -> tuple[Section, ...]:
    colonies: dict[Power, list[str]] = {}
    for province, power in sorted(colonies_of(position).items()):
        colonies.setdefault(power, []).append(board.full_name(Location(province)))
    rows = tuple((power, ", ".join(sorted(colonies[power]))) for power in sorted(colonies))
    return (
        Section("Colonies", rows or (("Nobody has a colony.",),)),
        Section("Spacecraft in orbit", tuple(_spacecraft(position))),
    )


def _spacecraft(position: Position) -> list[tuple[str, ...]]:
    """The spacecraft by the number of armies on board, with the empires' codes."""
    codes, out = codes_of(position), eliminated(position)
    crews = {power: sum(map(in_orbit, position.units_of(power))) for power in codes if power not in out}
    rows: list[tuple[str, ...]] = []
    for number in range(ROOM, -1, -1):
        names = [f"{power} ({codes[power].upper()})" for power, crew in crews.items() if crew == number]
        if names:
            word = "Empty" if not number else f"{number} {'army' if number == 1 else 'armies'}"
            rows.append((word, ", ".join(names)))
    return rows


def _hints(board: OrbitBoard, position: Position, seat: Power | None) -> tuple[str, ...]:
    """What may be written beside moves, with a unit of the seat's own as the example."""
    if seat is None or position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    units = position.units_of(seat)
    hints = ["From orbit: A Orb- and a land province; or A Orb H."] if any(map(in_orbit, units)) else []
    ground = next((unit for unit in units if board.colonizable(unit)), None)
    if ground is not None:
        name, example = write_unit(ground), short(Location(board.colonizable(ground)[-1]))
        hints.append(f"To colonize: {name} COL (where it is), {name} COL {example}.")
    army = next((unit for unit in units if unit.kind is UnitKind.ARMY and not in_orbit(unit)), None)
    return (*hints, f"To beam up: {write_unit(army)}-Orb.") if army is not None else tuple(hints)


OUTER_SPACE = replace(
    STANDARD,
    name="outer-space",
    title="...It Came from Outer Space!",
    seating=Seating(fewest=2, most=None, name=name_empire),
    adjectives={},
    words=WORDS,
    language=LANGUAGE,
    opening=opening,
    powers=empires_of,
    board=board_of,
    needs=needs,
    understand=understand,
    legal_orders=legal_orders,
    resolve=resolve,
    end_of_season=end_of_season,
    victory=victory,
    view=view,
)
