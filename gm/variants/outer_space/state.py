"""The empires of a game, what the position stores about them, and the board: Europe, and each empire's spacecraft above
it.

`Position.extra` contains, besides units and centres:

    {"empires": {"Krell": "kre"}, "colonies": {"Krell": ["bur", "par"]}, "eliminated": ["Zorg"], "attempts": [...]}

`empires` may be a plain list of names where a person writes it. `attempts` exists only between a movement phase and the
end of its season (see `phases`).

An orbit has no borders. Its code is `orb.kre`, with the empire's own code; players write `ORB` or `ORBIT` for the orbit
of the unit's empire (`ORB` itself is never the location of a unit).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, product
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

from gm.board import Location, Power, Province, TableBoard, Terrain, Travel, UnitKind, standard_board
from gm.chance import Chance
from gm.errors import GmError, NotUnderstood
from gm.maps.glyphs import of_three
from gm.orders.notation import PRIVATE
from gm.position import Position, Unit, texts_in
from gm.variants.game_file import fold, packaged

FILE = packaged("outer-space")
"""The game as data."""

SAYS = FILE.says()

_RESERVED = FILE.naming.words["names"]


def name_empire(text: str, taken: Sequence[Power]) -> Power:
    """The name of an empire in its final spelling (OS-1). Raises NotUnderstood for a name that is not allowed."""
    name = re.sub(r"^the (?=\S)", "", " ".join(text.strip(" \"'.,!").split()), flags=re.IGNORECASE)
    FILE.naming.checked(name, taken, code=fold, places=standard_board().aliases)
    return Power(name.title() if name.islower() else name)


def assign_codes(empires: Iterable[str]) -> dict[Power, str]:
    """A code of three letters for each empire, all different: its first letters if they are free (OS-1).

    No code is that of a place, another empire's name, or a word used in orders.
    """
    names = [Power(name) for name in empires]
    used = {*standard_board().aliases, *_RESERVED, *map(fold, names)}
    codes: dict[Power, str] = {}
    for name in names:
        codes[name] = next(code for code in _candidates(name) if code not in used or code == fold(name))
        used.add(codes[name])
    return codes


def _candidates(name: Power) -> Iterator[str]:
    letters = "".join(c for c in fold(name) if c in ascii_lowercase)
    if len(letters) >= 3:
        yield from of_three(letters)
    yield from (letters[:1] + a + b for a, b in product(ascii_lowercase, repeat=2) if letters)
    yield from map("".join, product(ascii_lowercase, repeat=3))


# What the position keeps


def codes_of(position: Position) -> Mapping[Power, str]:
    """Each empire of the game with its code, by name, including eliminated ones. Raises NotUnderstood."""
    empires = position.extra.get("empires")
    if isinstance(empires, list) and _are_texts(empires):
        empires = assign_codes(empires)
    if (
        not isinstance(empires, Mapping)
        or not all(empires)
        or not all(re.fullmatch("[a-z]+", str(code)) for code in empires.values())
    ):
        raise _malformed("empires", empires)
    if len(set(empires.values())) < len(empires):
        raise SAYS.refusal("one code", NotUnderstood)
    return {Power(name): empires[name] for name in sorted(empires)}


def empires_of(position: Position) -> tuple[Power, ...]:
    """Every empire of the game by name, including eliminated ones."""
    return tuple(codes_of(position))


def colonies_of(position: Position) -> Mapping[Province, Power]:
    """Each province that is a colony, with its empire. Raises NotUnderstood."""
    listed = position.extra.get("colonies", {})
    if not isinstance(listed, Mapping) or not all(isinstance(c, list) and _are_texts(c) for c in listed.values()):
        raise _malformed("colonies", listed)
    colonies = {Province(code): Power(name) for name, codes in listed.items() for code in codes}
    if not colonies.keys() <= _land() or sum(map(len, listed.values())) > len(colonies):
        raise SAYS.refusal("one colony", NotUnderstood)
    return MappingProxyType(colonies)


def eliminated(position: Position) -> frozenset[Power]:
    """The eliminated empires. Raises NotUnderstood."""
    return frozenset(map(Power, texts_in(position.extra, "eliminated", codes_of(position).__contains__)))


def attempts_of(position: Position) -> Sequence[Mapping[str, Any]]:
    """The attempts to colonize that are decided at the end of the season. Raises NotUnderstood."""
    noted, known = position.extra.get("attempts", []), codes_of(position)
    if not isinstance(noted, list) or not all(isinstance(each, Mapping) for each in noted):
        raise _malformed("attempts", noted)
    for each in noted:
        one = {key: [each.get(key)] for key in ("empire", "province")}
        texts_in(one, "empire", known.__contains__)
        texts_in(one, "province", _land().__contains__)
        texts_in(each, "rivals", known.__contains__)
    return noted


def _malformed(key: str, value: object) -> GmError:
    return SAYS.refusal("state", NotUnderstood, key=key, value=repr(value))


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


@cache
def _land() -> frozenset[Province]:
    """The provinces that can be colonies."""
    board = standard_board()
    return frozenset(province for province in board.provinces if board.terrain(province) is not Terrain.SEA)


def colonies_by_empire(colonies: Mapping[Province, Power]) -> dict[str, list[str]]:
    """Colonies in the form of `Position.extra`."""
    listed: dict[str, list[str]] = {}
    for province, power in sorted(colonies.items(), key=lambda entry: (entry[1], entry[0])):
        listed.setdefault(power, []).append(province)
    return listed


# The board


ROOM = FILE.numbers["room"]
"""How many armies a spacecraft holds."""

ORB = Location("orb")
"""The orbit of the empire that a line is about."""


def orbit(code: str) -> Location:
    """The orbit of the empire with this code."""
    return Location(f"{ORB}{PRIVATE}{code}")


def in_orbit(unit: Unit) -> bool:
    """Whether the unit is on board a spacecraft."""
    return PRIVATE in unit.at


class OrbitBoard(TableBoard):
    """Europe and the spacecraft, with the present colonies: they decide where a unit may retreat. There are no home
    centres.
    """

    def __init__(self, codes: Mapping[Power, str], colonies: Mapping[Province, Power]) -> None:
        vars(self).update(vars(standard_board()))
        self.name = "outer-space"
        self.orbits: Mapping[Power, Location] = {power: orbit(code) for power, code in codes.items()}
        self.colonies = colonies
        spaces = {at: Province(at) for at in (ORB, *self.orbits.values())}
        self.provinces = (*self.provinces, *map(Province, self.orbits.values()))
        self._orbits = frozenset(spaces.values())
        self._home = {}
        self._province = self._province | spaces
        self._terrain = self._terrain | dict.fromkeys(self._orbits, Terrain.INLAND)
        self._names = self._names | dict.fromkeys(self._orbits, "Orbit")
        self._coasts = self._coasts | dict.fromkeys(self._orbits, ())
        armies: dict[Location, dict[Location, None]] = {at: {} for at in self.orbits.values()}
        self._steps = {**self._steps, Travel.LAND: self._steps[Travel.LAND] | armies}
        self.aliases = {**self.aliases, "orb": ORB, "orbit": ORB, **{str(at): at for at in self.orbits.values()}}

    def refuges(self, power: Power, kind: UnitKind, at: Location) -> tuple[Location, ...]:
        """Adjacent colonies of the empire; for armies its orbit, for fleets the sea (OS-11)."""
        near = {to: self._province[to] for to in self.neighbours(kind, at)}
        found = [to for to, p in near.items() if self.colonies.get(p) == power or self._terrain[p] is Terrain.SEA]
        if kind is UnitKind.ARMY and power in self.orbits:
            found.append(self.orbits[power])
        return tuple(sorted(found))

    def capacity(self, province: Province) -> int:
        return ROOM if province in self._orbits else 1

    # What only this game asks

    def is_land(self, province: Province) -> bool:
        """Whether the province is on the ground and not at sea."""
        return province not in self._orbits and self._terrain[province] is not Terrain.SEA

    def jammed(self, power: Power, province: Province) -> Power | None:
        """The owner of the colony that prevents the empire from beaming into the province (OS-7); None if there is
        none.
        """
        owner = self.colonies.get(province)
        return owner if owner != power else None

    def may_beam(self, unit: Unit, to: Location) -> bool:
        """Whether the army could be beamed there: down to land that no other empire has colonized, or up to its own
        orbit.

        Whether there is room is decided when all have moved (OS-3, OS-5, OS-7).
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


# Set-up


def opening(powers: Sequence[Power], _chance: Chance | None = None) -> Position:
    """Spring 1901: three armies on board of every spacecraft, and none on the ground."""
    codes = assign_codes(powers)
    crews = (FILE.naming.units_of(power, {"orb": orbit(code)}.__getitem__) for power, code in codes.items())
    return Position(
        phase=FILE.begins,
        units=tuple(chain.from_iterable(crews)),
        centers={},
        extra={"empires": dict(codes), "colonies": {}, "eliminated": []},
    )
