"""What each race may have (AL-4), what it has in reserve, and what must leave (AL-13)."""

from __future__ import annotations

from dataclasses import dataclass

from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.judge.retreats_and_adjustments import distance
from gm.position import Phase, Position, Season, Unit
from gm.variants.the_aliens.state import (
    FILE,
    FIRST_YEAR,
    State,
    alien_board,
    province_of,
    ships_each,
    starting_units,
    units_on_board,
)

BONUS = {year: FILE.numbers[f"bonus_{year}"] for year in (FIRST_YEAR + 1, FIRST_YEAR + 2)}
"""Units that the home worlds supply in addition to the number of centres, by game year."""

MOST_TRANSMITTERS = FILE.numbers["transmitters"]


def supply_year(phase: Phase) -> int:
    """The game year whose allowance applies in the phase: in Winter the next one's (AL-4)."""
    return phase.year + 1 if phase.season is Season.WINTER else phase.year


def kinds_to_come(position: Position) -> tuple[UnitKind, ...]:
    """The kinds of unit that may arrive: in the first year only armies."""
    return (UnitKind.ARMY,) if supply_year(position.phase) <= FIRST_YEAR else (UnitKind.ARMY, UnitKind.FLEET)


@dataclass(frozen=True, slots=True)
class Leaving:
    """Units that exceed the supply: `bound` are removed in any case, and `rest` (a number) of those in `choice`, which
    are equally near.
    """

    bound: tuple[Unit, ...] = ()
    choice: tuple[Unit, ...] = ()
    rest: int = 0

    @property
    def all(self) -> tuple[Unit, ...]:
        """Every unit that may be removed, the nearest first."""
        return (*self.bound, *self.choice)


def units_allowed(position: Position, power: Power) -> int:
    """The number of armies and fleets that the race may have now."""
    year = supply_year(position.phase)
    if year <= FIRST_YEAR:
        return _in_first_year(position, power)[0]
    return len(position.centers_of(power)) + BONUS.get(year, 0)


def transmitters_allowed(position: Position, power: Power) -> int:
    """The number of transmitters that the race may have now: one, and one more for every three units beyond the first,
    up to four; none without a centre, whatever the bonus.
    """
    if supply_year(position.phase) <= FIRST_YEAR:
        return _in_first_year(position, power)[1]
    if not position.centers_of(power):
        return 0
    return min(MOST_TRANSMITTERS, 1 + (units_allowed(position, power) - 1) // 3)


def units_to_come(position: Position, power: Power) -> int:
    """The number of units that the race has in reserve; if negative, its surplus."""
    return units_allowed(position, power) - units_on_board(position, power)


def transmitters_to_come(position: Position, power: Power) -> int:
    """The number of transmitters that may still arrive; if negative, the surplus."""
    return transmitters_allowed(position, power) - len(State.of(position).transmitters_of(power))


# What must leave


def leaving(board: FiniteBoard, position: Position, power: Power) -> Leaving:
    """The units nearest to any of the race's own transmitters.

    Distances are counted over spaces of any kind, with the transmitters where they are before removals.
    """
    surplus = -units_to_come(position, power)
    if surplus <= 0:
        return Leaving()
    goals = {province_of(piece) for piece in State.of(position).transmitters_of(power)}
    far = {unit: distance(board, unit, True, lambda province: province in goals) for unit in position.units_of(power)}
    ranked = sorted(far, key=lambda unit: (far[unit], board.full_name(unit.at)))
    if surplus >= len(ranked):
        return Leaving(tuple(ranked))
    limit = far[ranked[surplus - 1]]
    bound = tuple(unit for unit in ranked if far[unit] < limit)
    return Leaving(bound, tuple(unit for unit in ranked if far[unit] == limit), surplus - len(bound))


def may_be_vacant(position: Position, at: Location, beside: Power | None = None) -> bool:
    """Whether something may arrive in Winter in the space of a transmitter: no unit is there but such as may be
    removed before, and units of `beside`.
    """
    board = alien_board()
    there = (unit for unit in position.units if board.province(unit.at) == board.province(at))
    return all(u.power == beside or u in leaving(board, position, u.power).all for u in there)


def surplus_transmitters(position: Position, power: Power) -> int:
    """The number of the race's surplus transmitters."""
    return max(0, -transmitters_to_come(position, power))


def _in_first_year(position: Position, power: Power) -> tuple[int, int]:
    """The number of units and of transmitters that the race may have in 2051. Losses are not replaced: only the army in
    reserve may arrive, until it has come.
    """
    state, there = State.of(position), units_on_board(position, power)
    reserve = starting_units(len(state.races)) - ships_each(len(state.races))
    waits = there <= ships_each(len(state.races)) if state.waiting is None else power in state.waiting
    return there + (reserve if waits else 0), len(state.transmitters_of(power))
