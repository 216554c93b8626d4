"""What each race may have on the board, and so what it may bring and what it must give up (AL-4, AL-13).

What editions of the rules say otherwise are fields of `Supply`; everything else asks its methods.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gm.board import FiniteBoard, Power, UnitKind
from gm.judge.adjustments import distance
from gm.position import Phase, Position, Season, Unit
from gm.variants.the_aliens.state import (
    FIRST_YEAR,
    State,
    province_of,
    ships_each,
    starting_units,
    units_on_board,
)

BONUS: Mapping[int, int] = MappingProxyType({2052: 2, 2053: 1})
"""Units that the home worlds supply beyond the centres owned, by game year."""

MOST_TRANSMITTERS = 4


def supply_year(phase: Phase) -> int:
    """The game year whose allowance holds in the phase: in Winter the next one's (AL-4)."""
    return phase.year + 1 if phase.season is Season.WINTER else phase.year


def kinds_to_come(position: Position) -> tuple[UnitKind, ...]:
    """Which kinds of unit may arrive: in the first year armies, of which the landing forces consist."""
    return (UnitKind.ARMY,) if supply_year(position.phase) <= FIRST_YEAR else (UnitKind.ARMY, UnitKind.FLEET)


@dataclass(frozen=True, slots=True)
class Leaving:
    """Units that are short of supply: `bound` go for certain, and `rest` of those in `choice`, which are as near."""

    bound: tuple[Unit, ...] = ()
    choice: tuple[Unit, ...] = ()
    rest: int = 0

    @property
    def all(self) -> tuple[Unit, ...]:
        """Every unit that may be removed, the nearest first."""
        return (*self.bound, *self.choice)


@dataclass(frozen=True, slots=True)
class Supply:
    """The allowances of one edition of the rules.

    `in_first_year(position, power)`: how many units and how many transmitters the race may have in 2051.
    `transmitters_for(units)`: how many transmitters go with an allowance of so many units, before the limit of four.
    """

    in_first_year: Callable[[Position, Power], tuple[int, int]]
    transmitters_for: Callable[[int], int]

    def units_allowed(self, position: Position, power: Power) -> int:
        """How many armies and fleets the race may have now."""
        year = supply_year(position.phase)
        if year <= FIRST_YEAR:
            return self.in_first_year(position, power)[0]
        return len(position.centers_of(power)) + BONUS.get(year, 0)

    def transmitters_allowed(self, position: Position, power: Power) -> int:
        """How many transmitters the race may have now; none without a centre, whatever the bonus."""
        if supply_year(position.phase) <= FIRST_YEAR:
            return self.in_first_year(position, power)[1]
        if not position.centers_of(power):
            return 0
        return min(MOST_TRANSMITTERS, self.transmitters_for(self.units_allowed(position, power)))

    def units_to_come(self, position: Position, power: Power) -> int:
        """How many units the race has in reserve; negative: so many it has too many."""
        return self.units_allowed(position, power) - units_on_board(position, power)

    def transmitters_to_come(self, position: Position, power: Power) -> int:
        """How many transmitters the race may still bring; negative: so many it has too many."""
        return self.transmitters_allowed(position, power) - len(State.of(position).transmitters_of(power))

    # What must leave

    def leaving(self, board: FiniteBoard, position: Position, power: Power) -> Leaving:
        """The units nearest to any of the race's own transmitters.

        Distances are counted over spaces of any kind, with the transmitters as they stand before removals.
        """
        surplus = -self.units_to_come(position, power)
        if surplus <= 0:
            return Leaving()
        goals = {province_of(piece) for piece in State.of(position).transmitters_of(power)}
        far = {
            unit: distance(board, unit, True, lambda province: province in goals) for unit in position.units_of(power)
        }
        ranked = sorted(far, key=lambda unit: (far[unit], board.full_name(unit.at)))
        if surplus >= len(ranked):
            return Leaving(tuple(ranked))
        limit = far[ranked[surplus - 1]]
        bound = tuple(unit for unit in ranked if far[unit] < limit)
        return Leaving(bound, tuple(unit for unit in ranked if far[unit] == limit), surplus - len(bound))

    def surplus_transmitters(self, position: Position, power: Power) -> int:
        """How many transmitters the race has too many."""
        return max(0, -self.transmitters_to_come(position, power))

    def removals_due(self, position: Position, power: Power) -> int:
        """How many units and transmitters the race has to give up."""
        return max(0, -self.units_to_come(position, power)) + self.surplus_transmitters(position, power)


def _what_landed(position: Position, power: Power) -> tuple[int, int]:
    """What was lost could be replaced."""
    del power
    races = len(State.of(position).races)
    return starting_units(races), ships_each(races)


def _what_is_left(position: Position, power: Power) -> tuple[int, int]:
    """What is lost is not replaced: nothing comes but the army in reserve, as long as it waits."""
    state, there = State.of(position), units_on_board(position, power)
    reserve = starting_units(len(state.races)) - ships_each(len(state.races))
    waits = there <= ships_each(len(state.races)) if state.waiting is None else power in state.waiting
    return there + (reserve if waits else 0), len(state.transmitters_of(power))


FIRST_EDITION = Supply(in_first_year=_what_landed, transmitters_for=lambda units: 1 + units // 3)

SUPPLY = Supply(in_first_year=_what_is_left, transmitters_for=lambda units: 1 + (units - 1) // 3)
"""By AL-4: one transmitter, and one more for each three units beyond the first."""
