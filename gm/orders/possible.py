"""What a power must order in a phase, what a unit can be ordered to do, and where a dislodged unit may retreat.

Used for receipts, order forms and the judge. The unit index and convoy routes come first: what could be reached by sea
with any power's fleets, or with those that were ordered to convoy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from itertools import chain
from typing import Generic, TypeVar

from gm.board import Board, Location, Power, Province, Travel, UnitKind
from gm.orders import Build, Convoy, Declaration, Disband, Hold, Move, Order, Retreat, Support, Waive
from gm.orders.notation import short
from gm.position import Dislodged, PhaseKind, Position, Unit, Units

# what must be ordered


@dataclass(frozen=True, slots=True)
class Need:
    """`count` > 0: the number of builds allowed, of `kinds`, in `sites`; < 0: the number of units to remove; 0: nothing
    to do.

    `count` is already limited by the sites: it is 1 for a power that may build three units but has one vacant home
    centre; `beyond` are the others, for which there is no site. `pieces`: those of the removals that are of no unit, by
    their kinds. `wishes`: how many builds are due is secret, and `count` is how many can be named, in order of
    preference.
    """

    count: int = 0
    sites: frozenset[Province] = frozenset()
    kinds: tuple[UnitKind, ...] = (UnitKind.ARMY, UnitKind.FLEET)
    pieces: tuple[UnitKind, ...] = ()
    wishes: bool = False
    beyond: int = 0

    @property
    def what(self) -> str:
        """What one of them is: a build or a removal."""
        return "build" if self.count > 0 else "removal"

    @classmethod
    def of(cls, surplus: int, sites: frozenset[Province]) -> Need:
        """What is due with so many centres more than units: builds in these sites, or removals if it is negative."""
        if surplus <= 0:
            return cls(surplus)
        count = min(surplus, len(sites))
        return cls(count, sites, beyond=surplus - count)


NOTHING = Need()


@dataclass(frozen=True, slots=True)
class Duty:
    """The units that need an order each, or the builds and removals to be ordered.

    `offer`: more may be ordered, or nothing (WAIVE); any answer completes the orders. `things` is what reports call
    these, if they are not orders, retreats, builds or removals. `removable`: what can be removed if removals are due,
    equal units as often as they exist.
    """

    units: tuple[Unit, ...] = ()
    need: Need = NOTHING
    offer: bool = False
    things: str = ""
    removable: tuple[Unit, ...] = ()

    @classmethod
    def of(cls, units: tuple[Unit, ...]) -> Duty | None:
        """That of ordering these units; None without any."""
        return cls(units) if units else None

    @property
    def binding(self) -> bool:
        """Whether units, builds or removals are due."""
        return bool(self.units or self.need.count)

    def compels(self, standing: int) -> bool:
        """Whether a power with so many units on the board must send something: units need orders, or removals must be
        chosen. Builds are optional, and a removal of everything leaves no choice.
        """
        return bool(self.units) or -standing < self.need.count < 0

    def unordered(self, orders: Iterable[Order]) -> tuple[Unit, ...]:
        """The units without an order among these."""
        ordered = Counter(order.unit for order in orders if not isinstance(order, Declaration))
        left = []
        for unit in self.units:
            if ordered[unit]:
                ordered[unit] -= 1
            else:
                left.append(unit)
        return tuple(left)

    def unnamed(self, orders: Iterable[Order]) -> int:
        """How many builds (or waives) or removals are still missing."""
        wanted = (Build, Waive) if self.need.count > 0 else (Disband,)
        return max(0, abs(self.need.count) - sum(isinstance(order, wanted) for order in orders))

    def met_by(self, orders: Iterable[Order]) -> bool:
        """Whether nothing is missing."""
        given = tuple(orders)
        return not self.unordered(given) and not self.unnamed(given) and (self.binding or bool(given))


# what may be ordered


def steps_into(board: Board, unit: Unit, province: Province) -> tuple[Location, ...]:
    """The locations in the province to which the unit can step: for a fleet, one for each coast that it reaches."""
    return _steps_into(board, unit.kind, unit.at, province)


def reaches(board: Board, unit: Unit, province: Province) -> bool:
    """Whether the unit could step into the province, on any coast: required for support there. No province borders
    itself.
    """
    return bool(_steps_into(board, unit.kind, unit.at, province))


@lru_cache(maxsize=1 << 12)
def _steps_into(board: Board, kind: UnitKind, origin: Location, province: Province) -> tuple[Location, ...]:
    """The same, found once: it is asked for each support when it is read, and again when it is adjudicated."""
    places = board.coasts(province) if kind.travel is Travel.SEA else (Location(province),)
    return tuple(at for at in places if board.may_step(kind, origin, at))


def legal_orders(board: Board, position: Position, unit: Unit, need: Need = NOTHING) -> tuple[Order, ...]:
    """Every order that the unit can be given in this phase, each once, in a fixed order.

    In an adjustment phase: its removal, if its power must remove units. See `legal_builds` for builds.
    """
    match position.phase.kind:
        case PhaseKind.RETREAT:
            return tuple(_retreats(board, position, unit))
        case PhaseKind.ADJUSTMENT:
            return (Disband(unit),) if need.count < 0 else ()
        case _:
            return tuple(_movements(board, position, unit))


def with_convoys(board: Board, position: Position, unit: Unit, orders: Sequence[Order]) -> Iterator[Order]:
    """These orders, and those of them that are moves over land which a convoy could make, too, as moves by convoy: an
    army goes over land unless its player writes `via convoy` (DATC 4.A.3).
    """
    yield from orders
    if unit.kind.travel is not Travel.LAND or not (seas := fleets_at_sea(board, position.units)):
        return
    for order in orders:
        if type(order) is Move and board.may_step(unit.kind, unit.at, order.to):
            ends = board.province(unit.at), board.province(order.to)
            if may_be_convoyed(board, seas, *ends):
                yield Move(unit, order.to, via_convoy=True)


def legal_builds(board: Board, power: Power, need: Need) -> tuple[Order, ...]:
    """Every build that the power may order, and WAIVE; nothing when it may not build."""
    if need.count <= 0:
        return ()
    units = (
        Unit(power, kind, at)
        for kind in need.kinds
        for site in sorted(need.sites)
        for at in (board.coasts(site) if kind.travel is Travel.SEA else (Location(site),))
    )
    return (*map(Build, units), Waive(power))


def build_sites(board: Board, need: Need) -> list[str]:
    """The units that can be built, as they are written: `A Par`, `F Stp/nc`."""
    return [
        f"{kind} {short(at)}"
        for province in sorted(need.sites)
        for kind in need.kinds
        for at in (board.coasts(province) if kind.travel is Travel.SEA else (Location(province),))
        if board.may_stand(kind, at)
    ]


def _retreats(board: Board, position: Position, unit: Unit) -> Iterator[Order]:
    for dislodged in position.dislodged:
        if dislodged.unit == unit:
            yield from (Retreat(unit, at) for at in retreat_options(board, position, dislodged))
            yield Disband(unit)
            return


def _movements(board: Board, position: Position, unit: Unit) -> Iterator[Order]:
    seas = fleets_at_sea(board, position.units)
    yield Hold(unit)
    yield from (Move(unit, to) for to in destinations(board, seas, unit))
    yield from _supports(board, position, seas, unit)
    yield from convoys(board, position, position.units, unit)


def destinations(board: Board, seas: tuple[Location, ...], unit: Unit) -> list[Location]:
    """Where the unit could move, over land or by a convoy of the fleets at `seas`."""
    return [to for to, _ in _destinations(ByIdentity(board), seas, unit.kind, unit.at)]


@lru_cache(maxsize=1 << 12)
def _destinations(
    kept: ByIdentity[Board], seas: tuple[Location, ...], kind: UnitKind, at: Location
) -> Sequence[tuple[Location, Province]]:
    """The same, each with its province: found once for the unit itself and for all that could support it, as the next
    two are for all fleets.
    """
    board = kept.value
    steps = list(board.neighbours(kind, at))
    if kind.travel is Travel.LAND and seas:
        steps += [to for to in _shores(kept, seas, kind, at)[1] if to not in steps]
    return [(to, board.province(to)) for to in steps]


@lru_cache(maxsize=1 << 12)
def _shores(
    kept: ByIdentity[Board], seas: tuple[Location, ...], kind: UnitKind, at: Location
) -> tuple[Sequence[Location], Sequence[Location]]:
    """The fleets at `seas` that could take part in a convoy of the army, and where they could bring it."""
    board = kept.value
    origin = board.province(at)
    reached = [sea for sea in seas if _steps_into(board, UnitKind.FLEET, sea, origin)]
    for sea in reached:
        reached += [to for to in seas if to not in reached and board.may_step(UnitKind.FLEET, sea, to)]
    coasts = {board.province(at) for sea in reached for at in board.neighbours(UnitKind.FLEET, sea)}
    return reached, sorted(Location(p) for p in coasts if p != origin and board.may_stand(kind, Location(p)))


@lru_cache(maxsize=1 << 12)
def _helpful(
    kept: ByIdentity[Board], seas: tuple[Location, ...], origin: Province, target: Province
) -> frozenset[Location]:
    """The fleets that are part of some route."""
    return frozenset(chain.from_iterable(routes(kept.value, seas, origin, target)))


def _supports(board: Board, position: Position, seas: tuple[Location, ...], unit: Unit) -> Iterator[Order]:
    here, kept = board.province(unit.at), ByIdentity(board)
    into = {board.province(at) for at in board.neighbours(unit.kind, unit.at)}
    for other in position.units:
        if other == unit:
            continue
        if board.province(other.at) in into:
            yield Support(unit, other)
        for to, province in _destinations(kept, seas, other.kind, other.at):
            if province in into and province != here:
                yield Support(unit, other, to)


def convoys(board: Board, position: Position, carried: Iterable[Unit], unit: Unit) -> Iterator[Convoy[Unit]]:
    """The convoys of these that the unit could be part of."""
    kept, seas = ByIdentity(board), fleets_at_sea(board, position.units)
    for army in carried if unit.at in seas else ():
        if army.kind.travel is not Travel.LAND:
            continue
        reached, shores = _shores(kept, seas, army.kind, army.at)
        if unit.at in reached:
            origin = board.province(army.at)
            for to in shores:
                if unit.at in _helpful(kept, seas, origin, board.province(to)):
                    yield Convoy(unit, army, to)


# Retreats


class Barred(StrEnum):
    """Why a unit may not retreat to a place."""

    NOT_ADJACENT = "not adjacent"
    NO_REFUGE = "no refuge"
    """Adjacent, but not one of the places to which the game lets its units retreat."""
    OCCUPIED = "occupied"
    FULL = "full"
    """A space for several units that is full."""
    ATTACKER = "the attacker came from there"
    CONTESTED = "contested"


def retreat_options(board: Board, position: Position, dislodged: Dislodged) -> tuple[Location, ...]:
    """Where the unit may retreat: over a border, to a vacant province in which no units bounced (DATC 6.H.6), but not
    to its attacker's origin, unless the attacker came by convoy (4.A.5).
    """
    unit = dislodged.unit
    refuges = board.refuges(unit.power, unit.kind, unit.at)
    return tuple(at for at in refuges if _bar(board, position, dislodged, board.province(at)) is None)


def more_refuges(board: Board, position: Position, dislodged: Dislodged) -> str:
    """In words, where else the unit may retreat on a board without end, whose `retreat_options` are some of them; ""
    where these are all.
    """
    unit = dislodged.unit
    if not (more := board.more(unit.kind, unit.at)):
        return ""
    shut = (dislodged.origin, *sorted(position.contested))
    places = [Location(province) for province in dict.fromkeys(shut)]
    closed = [at for at in places if barred(board, position, dislodged, at) in (Barred.ATTACKER, Barred.CONTESTED)]
    return f"{more} that is vacant" + (f" (not {', '.join(map(short, closed))})" if closed else "")


def may_retreat(board: Board, position: Position, dislodged: Dislodged, to: Location) -> bool:
    """Whether the unit may retreat there. Does not list the options, because on an infinite board they have no end."""
    return board.exists(to) and barred(board, position, dislodged, to) is None


def barred(board: Board, position: Position, dislodged: Dislodged, to: Location) -> Barred | None:
    """Why the unit may not retreat to the place; None when it may."""
    unit = dislodged.unit
    if not board.is_refuge(unit.power, unit.kind, unit.at, to):
        return Barred.NO_REFUGE if board.may_step(unit.kind, unit.at, to) else Barred.NOT_ADJACENT
    return _bar(board, position, dislodged, board.province(to))


def _bar(board: Board, position: Position, dislodged: Dislodged, province: Province) -> Barred | None:
    """Why a refuge is not available now."""
    if len(units_by_province(board, position.units).get(province, ())) >= board.capacity(province):
        return Barred.OCCUPIED if board.capacity(province) == 1 else Barred.FULL
    if province == dislodged.origin and not dislodged.convoyed:
        return Barred.ATTACKER
    return Barred.CONTESTED if province in position.contested else None


# convoy routes


T = TypeVar("T")

Route = tuple[Location, ...]


def routes(board: Board, seas: Iterable[Location], origin: Province, target: Province) -> Iterator[Route]:
    """The routes over `seas` (spaces with fleets), none with a fleet that it does not need (DATC 6.G.19).

    Only the first space of a route borders `origin`, only the last borders `target`, and no two spaces border each
    other except neighbours in the chain: whichever fleets are dislodged, a convoy succeeds if and only if one of these
    routes is undisturbed.
    """
    if origin == target:
        return
    fleets, borders = tuple(seas), partial(_steps_into, board, UnitKind.FLEET)
    last = {sea for sea in fleets if borders(sea, target)}
    if not last:
        return
    first = [sea for sea in fleets if borders(sea, origin)]
    between = [sea for sea in fleets if sea not in first]
    for sea in first:
        yield from _lengthened(board, (sea,), between, last)


def _lengthened(board: Board, chain: Route, between: list[Location], last: set[Location]) -> Iterator[Route]:
    if chain[-1] in last:
        yield chain
        return
    onward = [sea for sea in between if board.may_step(UnitKind.FLEET, chain[-1], sea)]
    beyond = [sea for sea in between if sea not in onward and sea != chain[-1]]
    for sea in onward:
        yield from _lengthened(board, (*chain, sea), beyond, last)


@lru_cache(maxsize=1 << 12)
def may_be_convoyed(board: Board, seas: tuple[Location, ...], origin: Province, target: Province) -> bool:
    """Whether fleets at `seas` could convoy an army from one province to the other, if all were ordered to."""
    if origin == target:
        return False
    carriers, borders = board.carriers(seas, origin, target), partial(_steps_into, board, UnitKind.FLEET)
    reached = [sea for sea in carriers if borders(sea, origin)]
    for sea in reached:
        if borders(sea, target):
            return True
        reached += [to for to in carriers if to not in reached and board.may_step(UnitKind.FLEET, sea, to)]
    return False


def may_help(board: Board, seas: Sequence[Location], fleet: Location, origin: Province, target: Province) -> bool:
    """Whether the fleet is part of some route over `seas` between the provinces."""
    carriers = dict.fromkeys((*board.carriers(seas, origin, target), fleet))
    return any(fleet in route for route in routes(board, carriers, origin, target))


# the unit index


class ByIdentity(Generic[T]):
    """A wrapper that is equal only to itself, so that it can be looked up without comparing its content."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def units_by_province(board: Board, units: Iterable[Unit]) -> Mapping[Province, Sequence[Unit]]:
    """The units in each province that has any, in the order given. Those of a position are sorted out once."""
    if not isinstance(units, Units):
        return _sorted_out(board, units)
    found = units.by_province.get(board)
    if found is None:
        found = units.by_province[board] = _sorted_out(board, units)
    return found


def fleets_at_sea(board: Board, units: Iterable[Unit]) -> tuple[Location, ...]:
    """The locations of fleets that could convoy, in alphabetical order."""
    return _at_sea(board, ByIdentity(units)) if isinstance(units, tuple) else _find_at_sea(board, units)


@lru_cache(maxsize=8)
def _at_sea(board: Board, units: ByIdentity[tuple[Unit, ...]]) -> tuple[Location, ...]:
    return _find_at_sea(board, units.value)


def _sorted_out(board: Board, units: Iterable[Unit]) -> Mapping[Province, Sequence[Unit]]:
    found: dict[Province, list[Unit]] = {}
    for unit in units:
        found.setdefault(board.province(unit.at), []).append(unit)
    return found


def _find_at_sea(board: Board, units: Iterable[Unit]) -> tuple[Location, ...]:
    return tuple(sorted(unit.at for unit in units if unit.kind.convoys and board.can_convoy(unit.at)))
