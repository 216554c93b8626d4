"""The second layer of this game: which units and centres the Alien controls, stored in `Position.extra`.

    {"alien": {"units": ["con"], "dislodged": [], "centers": ["smy"], "hosts": ["Turkey"], "since": "S1901M"}}

The position itself is the public layer. A unit is identified by the province it is in, a dislodged one by the province
it was dislodged from. Whatever is not listed truly belongs to its nationality: a host's units have its nationality, and
a host gets a centre only by one of these, so a centre is truly controlled by the Alien or by its public owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from gm.board import Power, Province, standard_board
from gm.errors import NotUnderstood
from gm.judge.outcomes import Resolution, Result
from gm.orders import Move, Retreat
from gm.orders.possible import ByIdentity
from gm.position import Dislodged, PhaseKind, Position, Season, Unit, texts_in
from gm.variants.game_file import packaged
from gm.variants.standard import POWERS, seating

FILE = packaged("among-us")
"""The game as data."""

SAYS = FILE.says()

ADJECTIVES = FILE.adjectives

(ALIEN,) = seating(FILE).secret
"""The eighth player's seat. No unit and no centre is ever publicly the Alien's."""

(NEUTRALS,) = (side.power for side in FILE.sides if side.seat == "nobody")
"""The nationality of units without one, and the public owner of the centres they take."""

HAS_BEGUN_AGAIN = "the Alien has begun again"
"""The event of a Spring in which the Alien has adopted a unit after losing all (AU-11)."""

_KEY = "alien"


def province_of(unit: Unit) -> Province:
    """The province of the unit."""
    return standard_board().province(unit.at)


@dataclass(frozen=True, slots=True)
class Layer:
    """What the Alien controls; `hosts`: the countries whose units were adopted, in that order (AU-11).

    `since` is the code of the phase of the last adoption, "" before any. `revealed` are those of its
    units that everybody knows to be the Alien's (AU-13), `revealed_dislodged` such as must retreat: they are followed
    from place to place as anybody can follow them.
    """

    units: frozenset[Province] = frozenset()
    dislodged: frozenset[Province] = frozenset()
    centers: frozenset[Province] = frozenset()
    hosts: tuple[Power, ...] = ()
    since: str = ""
    revealed: frozenset[Province] = frozenset()
    revealed_dislodged: frozenset[Province] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "revealed", self.revealed & self.units)
        object.__setattr__(self, "revealed_dislodged", self.revealed_dislodged & self.dislodged)

    @staticmethod
    def of(position: Position) -> Layer:
        """The layer of a position, cached; empty if the position has none. Raises NotUnderstood for a malformed one."""
        return _layer(ByIdentity(position))

    @staticmethod
    def is_known(position: Position) -> bool:
        """Whether the position has a layer; what a host may see of it does not."""
        return _KEY in position.extra

    @property
    def extra(self) -> dict[str, Any]:
        """The layer in the form of `Position.extra`."""
        kept = {name: sorted(getattr(self, name)) for name in ("units", "dislodged", "centers")}
        since = {"since": self.since} if self.since else {}
        known = {name: sorted(getattr(self, name)) for name in _KNOWN if getattr(self, name)}
        return {_KEY: {**kept, "hosts": list(self.hosts), **since, **known}}

    def has(self, unit: Unit) -> bool:
        """Whether the Alien controls this unit on the board."""
        return province_of(unit) in self.units

    def after(self, resolution: Resolution) -> Layer:
        """The layer after units have moved, retreated, or been dislodged."""
        driven_out = {province_of(d.unit) for d in resolution.dislodged}
        came_to = {}
        for outcome in resolution.outcomes:
            order = outcome.order
            if outcome.result is Result.SUCCEEDS and isinstance(order, Move | Retreat):
                came_to[(isinstance(order, Retreat), province_of(order.unit))] = standard_board().province(order.to)

        def followed(standing: frozenset[Province], lost: frozenset[Province]) -> tuple[frozenset[Province], ...]:
            stood = {came_to.get((False, here), here) for here in standing - driven_out}
            fled = {came_to[True, here] for here in lost if (True, here) in came_to}
            return frozenset(stood | fled), standing & driven_out

        units, dislodged = followed(self.units, self.dislodged)
        revealed, gone = followed(self.revealed, self.revealed_dislodged)
        return replace(self, units=units, dislodged=dislodged, revealed=revealed, revealed_dislodged=gone)


_KNOWN = ("revealed", "revealed_dislodged")


@lru_cache(maxsize=16)
def _layer(of: ByIdentity[Position]) -> Layer:
    kept = of.value.extra.get(_KEY, {})
    if not isinstance(kept, Mapping):
        raise SAYS.refusal("state", NotUnderstood, kept=repr(kept))
    provinces = {
        name: frozenset(map(Province, texts_in(kept, name, standard_board().provinces.__contains__)))
        for name in ("units", "dislodged", "centers", *_KNOWN)
    }
    hosts = texts_in(kept, "hosts", {*POWERS, NEUTRALS}.__contains__)
    return Layer(**provinces, hosts=tuple(map(Power, hosts)), since=str(kept.get("since", "")))


def with_revealed(position: Position, unit: Unit) -> Position:
    """The position in which everybody knows the unit to be the Alien's."""
    layer = Layer.of(position)
    return replace(position, extra=replace(layer, revealed=layer.revealed | {province_of(unit)}).extra)


def concealed(position: Position) -> Position:
    """The position as if nothing had been revealed."""
    if not Layer.is_known(position):
        return position
    layer = replace(Layer.of(position), revealed=frozenset(), revealed_dislodged=frozenset())
    return replace(position, extra=layer.extra)


def revealed_units(position: Position) -> tuple[Unit, ...]:
    """The units that everybody knows to be the Alien's, those that must retreat among them."""
    layer = Layer.of(position)
    lost = (d.unit for d in position.dislodged if province_of(d.unit) in layer.revealed_dislodged)
    return (*(unit for unit in position.units if province_of(unit) in layer.revealed), *lost)


def seen_without(position: Position) -> Position:
    """The position with the public layer only."""
    return replace(position, extra={})


def units_controlled(position: Position) -> tuple[Unit, ...]:
    """The Alien's units on the board."""
    layer = Layer.of(position)
    return tuple(unit for unit in position.units if layer.has(unit))


def dislodged_controlled(position: Position) -> tuple[Dislodged, ...]:
    """The Alien's units that must retreat."""
    layer = Layer.of(position)
    return tuple(d for d in position.dislodged if province_of(d.unit) in layer.dislodged)


def units_to_order(position: Position) -> tuple[Unit, ...]:
    """The Alien's units that can be ordered in this phase: those that must retreat, or those on the board."""
    layer = Layer.of(position)
    mine = layer.dislodged if position.phase.kind is PhaseKind.RETREAT else layer.units
    return tuple(unit for unit in position.to_order if province_of(unit) in mine)


def own_units(position: Position, power: Power) -> tuple[Unit, ...]:
    """The units on the board that are truly the power's."""
    layer = Layer.of(position)
    return tuple(unit for unit in position.units_of(power) if not layer.has(unit))


def own_centers(position: Position, power: Power) -> tuple[Province, ...]:
    """The centres that are truly the power's."""
    layer = Layer.of(position)
    return tuple(center for center in position.centers_of(power) if center not in layer.centers)


def surplus(position: Position, power: Power) -> int:
    """The true count of Winter (AU-8): centres minus units, of a host or of the Alien."""
    if power == ALIEN:
        return len(Layer.of(position).centers) - len(units_controlled(position))
    return len(own_centers(position, power)) - len(own_units(position, power))


def is_taken_over(position: Position, power: Power) -> bool:
    """Whether everything of the power's nationality has gone to the Alien, and some of it still exists (AU-10)."""
    layer = Layer.of(position)
    lost = [d for d in position.dislodged_of(power) if province_of(d.unit) not in layer.dislodged]
    bears = position.units_of(power) or position.dislodged_of(power) or position.centers_of(power)
    return bool(bears) and not (own_units(position, power) or own_centers(position, power) or lost)


# Adoption


def adoptable_now(position: Position) -> tuple[Unit, ...]:
    """The units that the Alien can adopt before the orders of this phase are closed (AU-1, AU-11): those on a centre,
    of countries that have not been hosts.
    """
    phase = position.phase
    if not owns_nothing(position) or (phase.season, phase.kind) != (Season.SPRING, PhaseKind.MOVEMENT):
        return ()
    hosts, board = Layer.of(position).hosts, standard_board()
    return tuple(unit for unit in position.units if unit.power not in hosts and board.is_center(province_of(unit)))


def owns_nothing(position: Position) -> bool:
    """Whether the Alien has neither a unit nor a centre."""
    layer = Layer.of(position)
    return not layer.units and not layer.centers and not layer.dislodged


def adopted(position: Position, unit: Unit) -> Position:
    """The position in which the unit and its centre are the Alien's, with the phase in which it was adopted."""
    here = frozenset((province_of(unit),))
    hosts = (*Layer.of(position).hosts, unit.power)
    layer = Layer(units=here, centers=here, hosts=hosts, since=position.phase.code)
    return replace(position, extra=layer.extra)


def reopened(position: Position) -> Position:
    """The position before the orders of its phase were closed: an adoption of this phase is undone."""
    layer = Layer.of(position)
    if not layer.hosts or layer.since != position.phase.code:
        return position
    return replace(position, extra=Layer(hosts=layer.hosts[:-1]).extra)


def nationality(site: Province) -> Power:
    """The nationality of a unit that the Alien builds there (AU-7)."""
    return standard_board().home(site) or NEUTRALS


def countries_with(position: Position) -> tuple[Power, ...]:
    """The countries in which the Alien controls a unit or a centre."""
    layer = Layer.of(position)
    colours: Iterable[Power] = {unit.power for unit in units_controlled(position)}
    owners = {owner for center, owner in position.centers.items() if center in layer.centers}
    return tuple(power for power in POWERS if power in {*colours, *owners})
