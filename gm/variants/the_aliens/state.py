"""What a position of this game holds beside units and centres, and what each race may have (AL-1, AL-4).

The state in JSON: `races`, in the order of their seats; `transmitters`, as `Alpha T spa`; `spared`, the provinces in
which a unit stands that came by transmitter and so has not yet destroyed the transmitters of others there (AL-9).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from gm.board import Location, Power, Province, UnitKind
from gm.errors import NotUnderstood
from gm.position import STANDARD_KINDS, Kinds, Phase, PhaseKind, Position, Season, Unit, parse_unit
from gm.variants.the_aliens.board import SHIP, TRANSMITTER, alien_board

LANDING = PhaseKind("landing", prompt=":", deed="where it lands", order="a list such as SHIP 1: {place}, {other}")
"""Before the first season: each ship is given the places where it may come down."""

KINDS = Kinds(units=(*STANDARD_KINDS.units, TRANSMITTER, SHIP), phases=(*STANDARD_KINDS.phases, LANDING))

LANDING_YEAR = 2050
FIRST_YEAR = 2051
BONUS: Mapping[int, int] = MappingProxyType({2052: 2, 2053: 1})
"""Units that the home worlds supply beyond the centres owned, by game year."""
MOST_TRANSMITTERS = 4


@dataclass(frozen=True, slots=True)
class State:
    """The races, their transmitters, and the provinces where transmitters are spared this season."""

    races: tuple[Power, ...]
    transmitters: tuple[Unit, ...] = ()
    spared: frozenset[Province] = frozenset()

    @classmethod
    def of(cls, position: Position) -> State:
        """Read from a position. Raises NotUnderstood for one that is not of this game."""
        extra = position.extra
        races = extra.get("races")
        if not isinstance(races, list | tuple) or not races or not all(isinstance(race, str) for race in races):
            raise NotUnderstood(f"'races' in the state is {races!r}.", 'Write {"races": ["Alpha", "Beta"]}.')
        powers = tuple(map(Power, races))
        pieces = tuple(_transmitter(powers, text) for text in extra.get("transmitters", ()))
        return cls(powers, pieces, frozenset(map(Province, extra.get("spared", ()))))

    def to_json(self) -> Mapping[str, Any]:
        """The canonical value: equal states give equal values."""
        return {
            "races": list(self.races),
            "transmitters": [str(piece) for piece in in_order(self.transmitters)],
            "spared": sorted(self.spared),
        }

    def with_transmitters(self, pieces: Iterable[Unit]) -> State:
        """The same with these transmitters."""
        return replace(self, transmitters=in_order(pieces))

    def transmitters_of(self, power: Power) -> tuple[Unit, ...]:
        """The race's transmitters; equal ones share a space."""
        return tuple(piece for piece in self.transmitters if piece.power == power)

    def holds_transmitter(self, province: Province) -> bool:
        """Whether any race has a transmitter there."""
        return any(province_of(piece) == province for piece in self.transmitters)


def in_order(pieces: Iterable[Unit]) -> tuple[Unit, ...]:
    """Pieces by race and place."""
    return tuple(sorted(pieces, key=lambda piece: (piece.power, piece.at, piece.kind)))


def _transmitter(powers: tuple[Power, ...], text: Any) -> Unit:
    try:
        piece = parse_unit(str(text), KINDS)
    except ValueError as error:
        raise NotUnderstood(f"In 'transmitters': {error}.") from None
    if piece.kind is not TRANSMITTER or piece.power not in powers:
        raise NotUnderstood(f"In 'transmitters': {text!r} is no transmitter of a race.", "Write 'Alpha T spa'.")
    if not alien_board().may_stand(piece.kind, piece.at):
        raise NotUnderstood(f"In 'transmitters': {text!r} is not on land.", "Write 'Alpha T spa'.")
    return piece


def province_of(piece: Unit) -> Province:
    """The province a transmitter is in: it stands at no coast."""
    return Province(piece.at)


# Allowances


def ships_each(races: int) -> int:
    """How many ships a race has, by the number of races (AL-1)."""
    return 3 if races == 2 else 2 if races <= 5 else 1


def starting_units(races: int) -> int:
    """How many armies a race begins with: one a ship, and one in reserve where it has one ship only."""
    return max(2, ships_each(races))


def ships_of(state: State, power: Power) -> tuple[Unit, ...]:
    """The ships of a race while they are aloft."""
    return tuple(Unit(power, SHIP, Location(str(n + 1))) for n in range(ships_each(len(state.races))))


def supply_year(phase: Phase) -> int:
    """The game year whose allowance holds in the phase: in Winter the next one's (AL-4)."""
    return phase.year + 1 if phase.season is Season.WINTER else phase.year


def units_allowed(position: Position, power: Power) -> int:
    """How many armies and fleets the race may have now."""
    year = supply_year(position.phase)
    if year <= FIRST_YEAR:
        return starting_units(len(State.of(position).races))
    return len(position.centers_of(power)) + BONUS.get(year, 0)


def transmitters_allowed(position: Position, power: Power) -> int:
    """How many transmitters the race may have now; in the first year as many as it landed with."""
    year = supply_year(position.phase)
    if year <= FIRST_YEAR:
        return ships_each(len(State.of(position).races))
    centers = len(position.centers_of(power))
    return min(MOST_TRANSMITTERS, 1 + (centers + BONUS.get(year, 0)) // 3) if centers else 0


def units_on_board(position: Position, power: Power) -> int:
    """The race's armies and fleets, dislodged ones among them."""
    return len(position.units_of(power)) + len(position.dislodged_of(power))


def units_to_come(position: Position, power: Power) -> int:
    """How many units the race has in reserve; negative: so many it has too many."""
    return units_allowed(position, power) - units_on_board(position, power)


def transmitters_to_come(position: Position, power: Power) -> int:
    """How many transmitters the race may still bring; negative: so many it has too many."""
    return transmitters_allowed(position, power) - len(State.of(position).transmitters_of(power))


def kinds_to_come(position: Position) -> tuple[UnitKind, ...]:
    """Which kinds of unit may arrive: in the first year armies, of which the landing forces consist."""
    return (UnitKind.ARMY,) if supply_year(position.phase) <= FIRST_YEAR else (UnitKind.ARMY, UnitKind.FLEET)
