"""The Aliens: ships land, armies and matter transmitters come down, and Europe is the prize (rulings AL-1 to AL-15).

This file has what is not a matter of one phase: seats, calendar, ownership, victory, and the value of the game. The
phases: `landing`, `season` (with `agreement` and `equipment`), `winter` (with `removals`). Orders: `orders`,
`legality`, `possible`. What is told of all this: `words`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gm.board import FiniteBoard, Power, UnitKind
from gm.chance import Chance
from gm.errors import NotUnderstood
from gm.judge.outcomes import Resolution
from gm.judge.retreats import resolve_retreats
from gm.orders import Order, merging
from gm.orders.needs import NOTHING, Duty, Need
from gm.position import Phase, PhaseKind, Position, Season, Unit
from gm.turn import CENTERS, Victory, elimination
from gm.variants import Choice, SeasonEnd, Seating, Variant
from gm.variants.standard import STANDARD, count_centers
from gm.variants.the_aliens.board import alien_board, home_of, power_code
from gm.variants.the_aliens.equipment import destroyer, destructions
from gm.variants.the_aliens.landing import resolve_landing
from gm.variants.the_aliens.legality import understand
from gm.variants.the_aliens.orders import LANGUAGE
from gm.variants.the_aliens.possible import legal_orders
from gm.variants.the_aliens.removals import removals_due
from gm.variants.the_aliens.season import resolve_season
from gm.variants.the_aliens.sight import cautions, is_free, view
from gm.variants.the_aliens.state import LANDING, LANDING_YEAR, State, ships_of, transmitters_to_come, units_to_come
from gm.variants.the_aliens.winter import resolve_winter
from gm.variants.the_aliens.words import WORDS

CENTERS_TO_WIN = 19
MOST_RACES = 12
"""So many ships always find room to land: no dozen of provinces lies next to all the others."""

LONGEST_NAME = 20


# Set-up


def name_race(text: str, taken: Sequence[Power]) -> Power:
    """The name of a race as its player chose it. Raises NotUnderstood."""
    name = " ".join(text.split())
    code = power_code(name)
    if not 2 <= len(name) <= LONGEST_NAME or not code.isascii() or not code[:1].isalpha() or "." in name:
        raise NotUnderstood(
            f"'{text}' cannot be the name of a race.", f"Use 2 to {LONGEST_NAME} letters, digits and blanks."
        )
    if code in {power_code(other) for other in taken}:
        raise NotUnderstood(f"There is a race {name} already.", "Choose another name.")
    if name.casefold() in alien_board().aliases or code in _RESERVED:
        raise NotUnderstood(f"'{name}' means something else in this game.", "Choose another name.")
    return Power(name[0].upper() + name[1:])


_RESERVED = frozenset(("all", "gm", "master", "home", "ship", "army", "fleet", "transmitter", "neutral", "public"))


def opening(powers: Sequence[Power], chance: Chance | None = None) -> Position:
    """Winter 2050: every ship is aloft, nobody owns anything (AL-1)."""
    del chance
    return Position(
        phase=Phase(LANDING_YEAR, Season.WINTER, LANDING),
        units=(),
        centers={},
        extra=State(tuple(powers)).to_json(),
    )


def _powers(position: Position) -> tuple[Power, ...]:
    return State.of(position).races


def _board(_: Position) -> FiniteBoard:
    return alien_board()


# Orders


def needs(board: FiniteBoard, position: Position, power: Power) -> Need:
    """Removals, of units and transmitters together. Arrivals are an offer, never a need."""
    del board
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return NOTHING
    due = removals_due(position, power)
    return Need(-due) if due else NOTHING


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """Lists for ships; an order for each unit and transmitter; removals; arrivals that are open."""
    state = State.of(position)
    if position.phase.kind is LANDING:
        return Duty(ships_of(state, power), things="landing lists")
    match position.phase.kind:
        case PhaseKind.RETREAT:
            return STANDARD.duty(game, position, power)
        case PhaseKind.ADJUSTMENT:
            need, offer = game.needs(game.board(position), position, power), _may_receive(position, state, power)
            things = "removals and arrivals" if need.count and offer else "arrivals" if offer else "removals"
            return Duty(need=need, offer=offer, things=things) if need.count or offer else None
    units = (*position.units_of(power), *state.transmitters_of(power))
    return Duty(units) if units else None


def _may_receive(position: Position, state: State, power: Power) -> bool:
    pieces = state.transmitters_of(power)
    units = units_to_come(position, power) > 0 and any(is_free(position, piece.at) for piece in pieces)
    return bool(pieces) and (units or transmitters_to_come(position, power) > 0)


def pieces(position: Position) -> tuple[Unit, ...]:
    """Units, transmitters and reserves: all that can be ordered."""
    state = State.of(position)
    reserves = (
        Unit(race, kind, home_of(race))
        for race in state.races
        for kind in (UnitKind.ARMY, UnitKind.FLEET)
        for _ in range(units_to_come(position, race))
    )
    return (*position.units, *(d.unit for d in position.dislodged), *state.transmitters, *reserves)


def merge(position: Position, earlier: Sequence[Order], later: Sequence[Order]) -> tuple[Order, ...]:
    """By piece; Winter's orders as a whole (ST-7)."""
    return merging.merge(position.phase.kind, earlier, later, pieces(position))


# Adjudication


def resolve(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The phase adjudicated."""
    board = alien_board()
    if position.phase.kind is LANDING:
        return resolve_landing(position, orders, chance)
    match position.phase.kind:
        case PhaseKind.ADJUSTMENT:
            return resolve_winter(board, position, orders)
        case PhaseKind.RETREAT:
            return _resolve_retreats(position, orders)
    return resolve_season(board, game.rulebook, position, orders)


def _resolve_retreats(position: Position, orders: Sequence[Order]) -> Resolution:
    """Retreats; then what stands in a space with another race's transmitter destroys it (AL-9)."""
    board, state = alien_board(), State.of(position)
    resolution = resolve_retreats(board, position, orders)
    holder = {board.province(unit.at): unit for unit in resolution.units}
    ends = [(piece, destroyer(board, holder, state.spared, piece)) for piece in state.transmitters]
    left = state.with_transmitters(piece for piece, by in ends if by is None)
    events = destructions((piece, by) for piece, by in ends if by is not None)
    return resolution._replace(extra=left.to_json(), events=events)


def end_of_season(game: Variant, position: Position, chance: Chance) -> SeasonEnd:
    """After Fall armies and fleets take the centres they stand in; a race with neither unit nor centre is out."""
    del game, chance
    if position.phase.season is not Season.FALL:
        return SeasonEnd(position)
    end = count_centers(alien_board(), position)
    after = end.position
    out = tuple(
        race
        for race in State.of(position).races
        if not (after.units_of(race) or after.centers_of(race))
        and (position.centers_of(race) or State.of(position).transmitters_of(race))
    )
    return replace(end, events=elimination(out))


def victory(position: Position) -> Victory | None:
    """Nineteen centres after a Fall (AL-15)."""
    for race in State.of(position).races:
        owned = len(position.centers_of(race))
        if owned >= CENTERS_TO_WIN:
            return Victory((race,), CENTERS, {"owned": owned})
    return None


RELAY: Mapping[str, Callable[[Variant], Variant]] = {
    "no": lambda game: game,
    "yes": lambda game: replace(game, understand=partial(understand, relay=True)),
}

THE_ALIENS = replace(
    STANDARD,
    name="the-aliens",
    title="The Aliens",
    seating=Seating(fewest=2, most=MOST_RACES, name=name_race),
    adjectives={},
    words=WORDS,
    language=LANGUAGE,
    opening=opening,
    powers=_powers,
    board=_board,
    needs=needs,
    duty=duty,
    understand=understand,
    merge=merge,
    legal_orders=legal_orders,
    resolve=resolve,
    end_of_season=end_of_season,
    victory=victory,
    view=view,
    pieces=pieces,
    cautions=cautions,
    choices=(Choice("relay", "whether a unit may step to a transmitter and go on by it", RELAY),),
)
