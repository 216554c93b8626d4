"""Quantum Space (1975) and Quantum Space: 3001 (1989): planets, and quantum space without end between them.

What differs from the standard game: `gm.board.quantum` (the board), `planets` (names, codes, what the position keeps),
`names` (how places are written), `orders` (what is understood and refused), `army_fleets` and `decks` (the army/fleets
of 3001), `open_orders` (what is open to units), `words` (what is told of all this). Here:
set-up, builds, removals, victory, newcomers, views; both games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gm.board import Board, FiniteBoard, Location, Power, Province, UnitKind
from gm.board.quantum import CENTERS, ORBIT, is_orbit, is_quantum, space
from gm.chance import Chance
from gm.judge.adjustments import resolve_adjustments
from gm.judge.outcomes import Resolution
from gm.judge.retreats import resolve_retreats
from gm.judge.rulebook import RULEBOOK_1971, Rulebook
from gm.orders import Order
from gm.orders.needs import NOTHING, Need
from gm.orders.routes import units_by_province
from gm.position import STANDARD_KINDS, Phase, PhaseKind, Position, Season, Unit
from gm.turn import Event, Turn, Victory
from gm.variants import Choice, LateEntry, Seating, Variant
from gm.variants.quantum_space import army_fleets, decks, open_orders
from gm.variants.quantum_space import orders as plain
from gm.variants.quantum_space.art import ART
from gm.variants.quantum_space.planets import (
    MOST_DIGITS,
    add_planet,
    assign_codes,
    board_of,
    name_planet,
    planets_of,
    powers_of,
)
from gm.variants.quantum_space.words import ARRIVED, ENOUGH_CENTERS, MORE_THAN_HALF, WORDS
from gm.variants.standard import STANDARD
from gm.views import Section, View

SETUP_1975 = (("1", "A"), ("3", "A"), ("6", "F"), ("8", "F"))
SETUP_3001 = (("1", "A"), ("3", "A"), ("6", "F"), (ORBIT, "F"))
"""What stands on a planet at the beginning, and where (QS-3)."""

WINTER_2500 = Phase(2500, Season.WINTER, PhaseKind.ADJUSTMENT)
SPRING_3001 = Phase(3001, Season.SPRING, PhaseKind.MOVEMENT)
"""The first phases (QS-9). In the Winter nothing is ordered; the powers talk."""

FEW_PLANETS = 8
CENTERS_TO_WIN = 17
"""What wins among more than so many planets in 3001 (QS-10)."""

# Set-up


def opening(
    powers: Sequence[Power],
    chance: Chance | None = None,
    *,
    phase: Phase,
    setup: Sequence[tuple[str, str]],
    digits: int,
) -> Position:
    """Every planet with its four units, and its four centres (QS-2, QS-3)."""
    del chance
    codes = assign_codes(powers)
    return Position(
        phase,
        tuple(unit for power, code in codes.items() for unit in _garrison(power, code, setup)),
        {center: power for power, code in codes.items() for center in _centers(code)},
        extra={"planets": dict(codes), "digits": digits},
    )


def _garrison(power: Power, code: str, setup: Sequence[tuple[str, str]]) -> list[Unit]:
    return [Unit(power, STANDARD_KINDS.unit(kind), Location(space(code, number))) for number, kind in setup]


def _centers(code: str) -> list[Province]:
    return [space(code, number) for number in CENTERS]


# Newcomers (QS-12)


def enlist(position: Position, power: Power) -> Position:
    """The planet comes into the game when this phase is adjudicated. Raises NotUnderstood for a name that cannot be."""
    joining = dict(position.extra.get("joining", {}))
    codes = add_planet({**planets_of(position).codes, **joining}, power)
    return replace(position, extra={**position.extra, "joining": {**joining, power: codes[power]}})


def enlisted(position: Position) -> tuple[Power, ...]:
    """The planets that come into the game when this phase is adjudicated."""
    return tuple(map(Power, sorted(position.extra.get("joining", {}))))


def arrive(position: Position) -> tuple[Position, tuple[Event, ...]]:
    """Those who joined, each with a standard planet; nobody can be there, for its spaces are on the board only now."""
    joining = {Power(name): code for name, code in sorted(position.extra.get("joining", {}).items())}
    if not joining:
        return position, ()
    extra = {key: value for key, value in position.extra.items() if key != "joining"}
    extra["planets"] = {**planets_of(position).codes, **joining}
    units = [unit for power, code in joining.items() for unit in _garrison(power, code, SETUP_3001)]
    centers = {center: power for power, code in joining.items() for center in _centers(code)}
    arrived = replace(position, units=(*position.units, *units), centers={**position.centers, **centers}, extra=extra)
    return arrived, tuple(Event(ARRIVED, {"power": power, "code": code}) for power, code in joining.items())


# Winter


def needs(board: FiniteBoard, position: Position, power: Power) -> Need:
    """Centres less units, an army/fleet being two: builds in vacant own home centres, or removals (QS-8)."""
    surplus = len(position.centers_of(power)) - sum(unit.kind.pieces for unit in position.units_of(power))
    if surplus < 0:
        return Need(surplus)
    standing = units_by_province(board, position.units)
    homes = _centers(planets_of(position).codes[power])
    sites = frozenset(home for home in homes if position.centers.get(home) == power and home not in standing)
    count = min(surplus, len(sites))
    return Need(count, sites) if count else NOTHING


def removals(board: Board, rulebook: Rulebook, position: Position, power: Power) -> list[Unit]:
    """The power's units, the farthest from its home centres first; then fleets before armies, then by name (QS-11)."""
    del rulebook
    code = planets_of(position).codes[power]

    def precedence(unit: Unit) -> tuple[int, bool, str]:
        return -distance(code, unit), unit.kind is UnitKind.ARMY, board.full_name(unit.at)

    return sorted(position.units_of(power), key=precedence)


def distance(code: str, unit: Unit) -> int:
    """Steps from a unit to the nearest centre of the planet with that code, over surface and space alike for armies.

    Surface to orbit is one, orbit to any quantum space one, and quantum space to any orbit one (QS-4, QS-11).
    """
    at = unit.at.partition(".")[0]
    if is_quantum(at):
        return 2
    at_home = at[:-1] == code
    if is_orbit(at):
        return 1 if at_home else 3
    if not at_home:
        return 4
    if at[-1] in CENTERS:
        return 0
    return 1 if unit.kind is UnitKind.ARMY else 2


# Adjudication


def resolve_3001(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The phase adjudicated, army/fleets and all."""
    board = board_of(position)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return decks.resolve(board, game.rulebook, position, orders)
        case PhaseKind.ADJUSTMENT:
            return decks.resolve_winter(board, game.rulebook, position, orders, _needs(game, position), removals)
    return resolve(game, position, orders, chance)


def resolve(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The phase adjudicated; in Winter distances are those of QS-11."""
    board = board_of(position)
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return resolve_adjustments(board, game.rulebook, position, orders, _needs(game, position), removals)
    if position.phase.kind is PhaseKind.RETREAT:
        return resolve_retreats(board, position, orders)
    return STANDARD.resolve(game, position, orders, chance)


def _needs(game: Variant, position: Position) -> Mapping[Power, Need]:
    board = board_of(position)
    return {power: game.needs(board, position, power) for power in game.powers(position)}


def victory_1975(position: Position) -> Victory | None:
    """More than half of all units and more than half of all centres, after Fall (QS-10)."""
    if position.phase.season is not Season.FALL:
        return None
    for power in powers_of(position):
        units, centers = len(position.units_of(power)), len(position.centers_of(power))
        if 2 * units > len(position.units) and 2 * centers > len(position.centers):
            shares = {"centers": [centers, len(position.centers)], "units": [units, len(position.units)]}
            return Victory((power,), MORE_THAN_HALF, shares)
    return None


def victory_3001(position: Position) -> Victory | None:
    """More than half of all centres, or 17 when there are more than eight planets, after Fall (QS-10).

    Where two have so many, the one with more wins; equals play on.
    """
    if position.phase.season is not Season.FALL:
        return None
    powers = powers_of(position)
    owned = {power: len(position.centers_of(power)) for power in powers}
    most = max(owned.values(), default=0)
    leaders = [power for power in powers if owned[power] == most]
    enough = 2 * most > len(position.centers) or (len(powers) > FEW_PLANETS and most >= CENTERS_TO_WIN)
    if not enough or len(leaders) > 1:
        return None
    return Victory((leaders[0],), ENOUGH_CENTERS, {"centers": [most, len(position.centers)]})


# Sight


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """Nothing is hidden. Planets are listed with their codes, where they are not too many."""
    seen = STANDARD.view(game, position, turn, seat)
    return replace(seen, sections=_sections(position), hints=_hints(position), art=ART)


def _sections(position: Position) -> tuple[Section, ...]:
    codes = planets_of(position).codes
    listed = ", ".join(f"{power} ({code.upper()})" for power, code in codes.items())
    return (Section("Planets", ((f"{len(codes)}", listed),)),)


def _hints(position: Position) -> tuple[str, ...]:
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    return (f"Quantum spaces are Q1 to Q{'9' * int(position.extra.get('digits', MOST_DIGITS))}.",)


def view_3001(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """As in 1975, with hints for those who can board a fleet or land."""
    seen = view(game, position, turn, seat)
    if position.phase.kind is not PhaseKind.MOVEMENT or seat is None:
        return seen
    return replace(seen, hints=(*seen.hints, *open_orders.hints(position, seat)))


# The games


def _with_digits(most: int, opened: Callable[..., Position]) -> Mapping[str, Callable[[Variant], Variant]]:
    """The numbers of digits that a gamemaster may allow, the most first (QS-5)."""
    return {str(digits): partial(_limited, opening=partial(opened, digits=digits)) for digits in range(most, 0, -1)}


def _limited(game: Variant, opening: Callable[..., Position]) -> Variant:
    return replace(game, opening=opening)


_OPENING_1975 = partial(opening, phase=WINTER_2500, setup=SETUP_1975)
_OPENING_3001 = partial(opening, phase=SPRING_3001, setup=SETUP_3001)
_DIGITS = "how many digits the numbers of quantum spaces may have"

QUANTUM_SPACE = replace(
    STANDARD,
    name="quantum-space",
    title="Quantum Space",
    rulebook=RULEBOOK_1971,
    seating=Seating(fewest=2, most=None, name=name_planet),
    adjectives={},
    words=WORDS,
    language=plain.LANGUAGE,
    opening=partial(_OPENING_1975, digits=19),
    powers=powers_of,
    board=board_of,
    needs=needs,
    understand=plain.understand,
    resolve=resolve,
    victory=victory_1975,
    view=view,
    choices=(Choice("digits", _DIGITS, _with_digits(19, _OPENING_1975)),),
)

QUANTUM_SPACE_3001 = replace(
    QUANTUM_SPACE,
    name="quantum-space-3001",
    title="Quantum Space: 3001",
    seating=Seating(fewest=2, most=None, name=name_planet, late=LateEntry(enlist, enlisted, arrive)),
    language=army_fleets.LANGUAGE,
    opening=partial(_OPENING_3001, digits=10),
    understand=army_fleets.understand,
    legal_orders=open_orders.legal_orders,
    resolve=resolve_3001,
    victory=victory_3001,
    view=view_3001,
    cautions=open_orders.cautions,
    choices=(Choice("digits", _DIGITS, _with_digits(10, _OPENING_3001)),),
)
