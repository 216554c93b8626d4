"""A board of planets, orbits and quantum spaces: computed from the names of its spaces, never listed.

A planet has eight surface spaces, the octants of a sphere: 1-2-3-4 ring the north, 5-6-7-8 the south, and 1-5, 2-6, 3-7
and 4-8 touch. Above them is one orbit, which borders all eight and every quantum space; quantum spaces border each
other and every orbit. Codes are the planet's own code with `1` to `8` or `o` (`a1`, `ao`), and `q` with a number
(`q31415`). No planet's code begins with `q`.

Where spaces must be listed (for forms, for retreats), only the *noted* spaces are: those with units and some vacant
ones. A board is made for a position and knows where units are. Convoys through orbits and quantum space are found here
too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from types import MappingProxyType

from gm.board import Location, Power, Province, Terrain, Travel, UnitKind
from gm.position import Unit
from gm.variants.game_file import packaged

BORDERS: Mapping[str, str] = MappingProxyType(
    {"1": "245", "2": "136", "3": "247", "4": "138", "5": "168", "6": "257", "7": "368", "8": "457"}
)
"""The octants that each octant borders."""
CENTERS = "".join(packaged("quantum-space").naming.homes)
"""The octants that are supply centres; no two of them touch."""
ORBIT = "o"
QUANTUM = "q"
NOTED = 12
"""The most spaces of a kind that are noted; the others are not listed."""
SPARE = 3
"""The number of vacant spaces of a kind that are offered for a retreat."""


class Planets:
    """The planets of a game: each power's code, and the home power of each code."""

    def __init__(self, codes: Mapping[Power, str]) -> None:
        self.codes = codes
        self.powers: Mapping[str, Power] = {code: power for power, code in codes.items()}

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Planets) and other.codes == self.codes)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(self.codes.items()))


def space(code: str, number: str) -> Province:
    """A surface space (`1` to `8`) or the orbit (`o`) of the planet with that code."""
    return Province(code + number)


def quantum(number: int) -> Location:
    """The quantum space of that number."""
    return Location(f"{QUANTUM}{number}")


def orbit_above(at: str) -> Location:
    """The orbit of the planet of a surface space."""
    return Location(at[:-1] + ORBIT)


OWN_ORBIT = Location("orbit")
"""The orbit of the planet of whoever writes it; never the location of a unit."""


def is_orbit(at: str) -> bool:
    """Whether a space is an orbit."""
    return at[:1] != QUANTUM and at[-1:] == ORBIT


def is_quantum(at: str) -> bool:
    """Whether a space is a quantum space."""
    return at[:1] == QUANTUM


def is_surface(at: str) -> bool:
    """Whether a space is on a planet."""
    return at[-1:] in BORDERS and at[:1] != QUANTUM


class QuantumBoard:
    """The planets and the quantum spaces with at most `digits` digits, as seen in a position.

    `taken` are the spaces to which no unit can retreat now. Boards of the same planets are equal, whatever units are on
    them: only the noted spaces differ.
    """

    def __init__(self, planets: Planets, digits: int, taken: Iterable[str] = ()) -> None:
        self.name = "quantum"
        self.planets = planets
        self.digits = digits
        self._codes = planets.powers
        self._taken = taken

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QuantumBoard) and (self.digits, self.planets) == (other.digits, other.planets)

    def __hash__(self) -> int:
        return hash((self.digits, self.planets))

    # ---- spaces

    def exists(self, at: Location) -> bool:
        if at[:1] == QUANTUM:
            number = at[1:]
            return number.isdecimal() and number.isascii() and number[0] != "0" and len(number) <= self.digits
        return at[:-1] in self._codes and (at[-1] in BORDERS or at[-1] == ORBIT)

    def province(self, at: Location) -> Province:
        if self.exists(at) or at == OWN_ORBIT:
            return Province(at)
        raise KeyError(at)

    def terrain(self, province: Province) -> Terrain:
        return Terrain.COAST if is_surface(province) else Terrain.SPACE

    def may_stand(self, kind: UnitKind, at: Location) -> bool:
        return self.exists(at) and (kind.travel is Travel.SEA or (kind is UnitKind.ARMY and is_surface(at)))

    def coasts(self, province: Province) -> tuple[Location, ...]:
        return (Location(province),)

    def capacity(self, province: Province) -> int:  # noqa: ARG002 (the same for every space)
        return 1

    def can_convoy(self, at: Location) -> bool:
        return not is_surface(at)

    def is_center(self, province: Province) -> bool:
        return is_surface(province) and province[-1] in CENTERS

    def home(self, province: Province) -> Power | None:
        return self._codes.get(province[:-1]) if self.is_center(province) else None

    def full_name(self, at: Location) -> str:
        if is_quantum(at):
            return at.upper()
        planet = self._codes[at[:-1]]
        return f"{planet} Orbit" if is_orbit(at) else f"{planet} {at[-1]}"

    # ---- borders

    def may_step(self, kind: UnitKind, origin: Location, target: Location) -> bool:
        if kind is UnitKind.ARMY:
            return is_surface(origin) and origin[:-1] == target[:-1] and target[-1] in BORDERS.get(origin[-1], "")
        if kind.travel is not Travel.SEA or origin == target or not self.exists(target):
            return False
        if is_surface(origin):
            return target == origin[:-1] + ORBIT
        if is_surface(target):
            return origin == target[:-1] + ORBIT
        return is_quantum(origin) or is_quantum(target)

    def neighbours(self, kind: UnitKind, at: Location) -> tuple[Location, ...]:
        """Of orbits and quantum spaces only the noted ones: those with units, and the first vacant ones."""
        return tuple(sorted(self._near(kind, at)))

    def _near(self, kind: UnitKind, at: Location) -> Iterator[Location]:
        if kind is UnitKind.ARMY:
            if is_surface(at):
                yield from (Location(at[:-1] + number) for number in BORDERS[at[-1]])
        elif kind.travel is not Travel.SEA:
            return
        elif is_surface(at):
            yield Location(at[:-1] + ORBIT)
        else:
            if is_orbit(at):
                yield from (Location(at[:-1] + number) for number in BORDERS)
            else:
                yield from islice(self._orbits(), NOTED)
            yield from (to for to in (*self.occupied_quantum, *self.spare_quantum) if to != at)

    def more(self, kind: UnitKind, at: Location) -> str:
        if kind.travel is not Travel.SEA or is_surface(at):
            return ""
        return "any other quantum space" if is_orbit(at) else "any other orbit or quantum space"

    def refuges(self, power: Power, kind: UnitKind, at: Location) -> tuple[Location, ...]:
        if kind is UnitKind.ARMY or is_surface(at):
            return self.neighbours(kind, at)
        if is_orbit(at):
            return tuple(sorted((*(Location(at[:-1] + number) for number in BORDERS), *self.spare_quantum)))
        home = [Location(self.planets.codes[power] + ORBIT)] if power in self.planets.codes else []
        return tuple(sorted({*home, *self.spare_orbits, *self.spare_quantum}))

    def is_refuge(self, power: Power, kind: UnitKind, at: Location, to: Location) -> bool:  # noqa: ARG002
        return self.may_step(kind, at, to)

    def carriers(self, fleets: Sequence[Location], origin: Province, target: Province) -> Sequence[Location]:
        """The orbits of the two planets, and one quantum space if the planets differ: all quantum spaces are
        interchangeable.
        """
        if not (is_surface(origin) and is_surface(target)):
            return ()
        orbits = sorted({Location(origin[:-1] + ORBIT), Location(target[:-1] + ORBIT)})
        found = [orbit for orbit in orbits if fleets[(place := bisect_left(fleets, orbit)) : place + 1] == (orbit,)]
        place = bisect_left(fleets, QUANTUM)
        if len(orbits) == 2 and place < len(fleets) and is_quantum(fleets[place]):
            found.append(fleets[place])
        return found

    # ---- what can be listed

    @cached_property
    def provinces(self) -> tuple[Province, ...]:
        """The spaces of the planets."""
        return tuple(space(code, number) for code in self._codes for number in (*BORDERS, ORBIT))

    @cached_property
    def centers(self) -> tuple[Province, ...]:
        """The centres of the planets."""
        return tuple(space(code, number) for code in self._codes for number in CENTERS)

    @cached_property
    def aliases(self) -> Mapping[str, Location]:
        """None: the spellings are computed too (see the game's language)."""
        return MappingProxyType({})

    def _orbits(self) -> Iterator[Location]:
        return (Location(code + ORBIT) for code in self._codes)

    @cached_property
    def _busy(self) -> frozenset[str]:
        return frozenset(self._taken)

    @cached_property
    def occupied_quantum(self) -> tuple[Location, ...]:
        """The noted quantum spaces that are occupied."""
        return tuple(sorted((Location(at) for at in self._busy if is_quantum(at)), key=lambda at: int(at[1:]))[:NOTED])

    @cached_property
    def spare_quantum(self) -> tuple[Location, ...]:
        """The first vacant quantum spaces, as many as are offered."""
        every = map(quantum, range(1, 10**self.digits))
        return tuple(islice((at for at in every if at not in self._busy), SPARE))

    @cached_property
    def spare_orbits(self) -> tuple[Location, ...]:
        """The first vacant orbits, as many as are offered."""
        return tuple(islice((at for at in self._orbits() if at not in self._busy), SPARE))


def distance(code: str, unit: Unit) -> int:
    """The number of steps from a unit to the nearest centre of the planet with this code, over surface and space alike
    for armies.

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
