"""The board: Europe as in the standard game, and above it each empire's spacecraft, a space of its own in orbit.

An orbit borders nothing. Its code is `orb.kre`, with the empire's own code; players write `ORB` or `ORBIT`, which
stands for the orbit of whoever's unit it is (`ORB`, a name that no unit ever stands at).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from gm.board import Location, Power, Province, Terrain, UnitKind
from gm.board.standard import standard_board
from gm.orders.notation import PRIVATE
from gm.position import Position, Unit
from gm.variants.outer_space.empires import codes_of, colonies_of

ROOM = 3
"""How many armies a spacecraft holds."""

ORB = Location("orb")
"""The orbit of the empire that is spoken of."""


def orbit(code: str) -> Location:
    """The orbit of the empire with that code."""
    return Location(f"{ORB}{PRIVATE}{code}")


def in_orbit(unit: Unit) -> bool:
    """Whether the unit is on board a spacecraft."""
    return PRIVATE in unit.at


class OrbitBoard:
    """Europe and the spacecraft, with the colonies as they stand: they say where a unit may take refuge."""

    def __init__(self, codes: Mapping[Power, str], colonies: Mapping[Province, Power]) -> None:
        self.name = "outer-space"
        self._earth = earth = standard_board()
        self.orbits: Mapping[Power, Location] = {power: orbit(code) for power, code in codes.items()}
        self.colonies = colonies
        spaces = {at: Province(at) for at in (ORB, *self.orbits.values())}
        self._orbits: frozenset[str] = frozenset(spaces)
        self.provinces = (*earth.provinces, *map(Province, self.orbits.values()))
        self.centers = earth.centers
        self._province = {at: p for p in earth.provinces for at in (Location(p), *earth.coasts(p))} | spaces
        own = {"orb": ORB, "orbit": ORB}
        self.aliases: Mapping[str, Location] = MappingProxyType(
            {**earth.aliases, **own, **{str(at): at for at in self.orbits.values()}}
        )

    def province(self, at: Location) -> Province:
        return self._province[at]

    def exists(self, at: Location) -> bool:
        return at in self._province

    def terrain(self, province: Province) -> Terrain:
        return Terrain.INLAND if province in self._orbits else self._earth.terrain(province)

    def may_stand(self, kind: UnitKind, at: Location) -> bool:
        if at in self._orbits:
            return kind is UnitKind.ARMY and at != ORB
        return self._earth.may_stand(kind, at)

    def may_step(self, kind: UnitKind, origin: Location, target: Location) -> bool:
        return self._earth.may_step(kind, origin, target)

    def neighbours(self, kind: UnitKind, at: Location) -> tuple[Location, ...]:
        return self._earth.neighbours(kind, at)

    def refuges(self, power: Power, kind: UnitKind, at: Location) -> tuple[Location, ...]:
        """Adjacent colonies of the empire; for armies its orbit, for fleets the sea (OS-11)."""
        found = [to for to in self.neighbours(kind, at) if self._takes_in(power, self._province[to])]
        if kind is UnitKind.ARMY and power in self.orbits:
            found.append(self.orbits[power])
        return tuple(sorted(found))

    def is_refuge(self, power: Power, kind: UnitKind, at: Location, to: Location) -> bool:
        return to in self.refuges(power, kind, at)

    def more(self, kind: UnitKind, at: Location) -> str:
        return self._earth.more(kind, at)

    def carriers(self, fleets: Sequence[Location], origin: Province, target: Province) -> Sequence[Location]:
        return self._earth.carriers(fleets, origin, target)

    def _takes_in(self, power: Power, province: Province) -> bool:
        return self.colonies.get(province) == power or self._earth.terrain(province) is Terrain.SEA

    def coasts(self, province: Province) -> tuple[Location, ...]:
        return () if province in self._orbits else self._earth.coasts(province)

    def capacity(self, province: Province) -> int:
        return ROOM if province in self._orbits else 1

    def can_convoy(self, at: Location) -> bool:
        return at not in self._orbits and self._earth.can_convoy(at)

    def is_center(self, province: Province) -> bool:
        return self._earth.is_center(province)

    def home(self, province: Province) -> Power | None:  # noqa: ARG002 (nobody is at home on this planet)
        return None

    def full_name(self, at: Location) -> str:
        return "Orbit" if at in self._orbits else self._earth.full_name(at)

    # What only this game asks

    def is_land(self, province: Province) -> bool:
        """Whether the province is on the ground and not at sea."""
        return province not in self._orbits and self._earth.terrain(province) is not Terrain.SEA

    def jammed(self, power: Power, province: Province) -> Power | None:
        """Whose colony keeps the empire from beaming into the province (OS-7); None if nobody's."""
        owner = self.colonies.get(province)
        return owner if owner != power else None

    def may_beam(self, unit: Unit, to: Location) -> bool:
        """Whether the army could be beamed there: down to land that nobody else has colonized, or up to its own orbit.

        Whether there is room is seen when all have moved (OS-3, OS-5, OS-7).
        """
        if unit.kind is not UnitKind.ARMY:
            return False
        if in_orbit(unit):
            province = self._province[to]
            return self.is_land(province) and self.jammed(unit.power, province) is None
        return to == self.orbits.get(unit.power)

    def colonizable(self, unit: Unit) -> tuple[Province, ...]:
        """The land a unit may be ordered to colonize: where it is, and where it could move over one border (OS-8)."""
        if in_orbit(unit):
            return ()
        near = (self._province[at] for at in self.neighbours(unit.kind, unit.at))
        return tuple(p for p in dict.fromkeys((self._province[unit.at], *near)) if self.is_land(p))


def board_of(position: Position) -> OrbitBoard:
    """The board of a position."""
    return _board(tuple(codes_of(position).items()), frozenset(colonies_of(position).items()))


@lru_cache(maxsize=64)
def _board(codes: tuple[tuple[Power, str], ...], colonies: frozenset[tuple[Province, Power]]) -> OrbitBoard:
    return OrbitBoard(dict(codes), dict(colonies))
