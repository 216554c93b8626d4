"""The orders of this game besides the standard ones: beaming and colonizing; how they are understood, and which are
legal.

A beam is a move that crosses no border, so that it cannot be in a head-to-head battle (OS-4); a unit that colonizes
holds (OS-8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from gm.board import FiniteBoard, Location, Power, Province, UnitKind
from gm.orders import (
    Build,
    Convoy,
    Declaration,
    Dialect,
    Hold,
    Language,
    Move,
    Order,
    Retreat,
    Support,
    U,
    UnitName,
    WrittenOrder,
    legality,
    possible,
    unit_of,
)
from gm.orders.notation import Pen, Spelt, name_unit, write, write_unit
from gm.orders.possible import NOTHING, Need, reaches
from gm.position import PhaseKind, Position, Unit
from gm.variants import Surplus
from gm.variants.outer_space.state import ORB, SAYS, OrbitBoard, board_of, codes_of, in_orbit
from gm.variants.standard import STANDARD, nations, with_own_place

# The orders


@dataclass(frozen=True)
class Beam(Move[U]):
    """An army moves from its spacecraft to the ground, or back: `A ORB-PAR`, `A PAR-ORB`."""

    crosses_border: ClassVar[bool] = False


@dataclass(frozen=True)
class Colonize(Spelt, Hold[U]):
    """The unit stays and colonizes `target`, or without a target the province it is in: `A PAR COL BUR`."""

    target: Location | None = None

    def spell(self, pen: Pen) -> str:
        where = f" {pen.place(self.target)}" if self.target is not None else ""
        return f"{pen.unit(self.unit)} {pen.verb('COL', 'COLONIZE')}{where}"


@dataclass(frozen=True)
class Anew(Spelt, Declaration[U]):
    """`ORBIT` alone on a line: the mail's lines for the orbit are its whole list (OS-16). Never stored."""

    brief, full = "ORBIT", "The whole list for the orbit"


WHOLE_LIST = Anew.brief


def goal(board: FiniteBoard, order: Colonize[Unit]) -> Province:
    """The province that the order colonizes."""
    return board.province(order.unit.at if order.target is None else order.target)


def _spellings(position: Position) -> dict[str, Power]:
    codes = codes_of(position)
    return {**nations(codes), **{code: power for power, code in codes.items()}}


DIALECT = Dialect(
    "outer_space",
    {
        "colonize": Colonize,
        "beam": Beam,
        "beam_up": lambda unit, to=None: Beam(unit, to or ORB),
        "led_beam": Beam,
        "led_beam_up": lambda unit: Beam(unit, ORB),
        "led_beam_down": lambda place: Beam(UnitName(ORB, UnitKind.ARMY), place.at),  # any one in orbit
        "landed": lambda kind, to: Beam(UnitName(ORB, kind or UnitKind.ARMY), to),
        "support_beam": Support,
        "support_post": lambda unit, supported, _: Support(unit, supported),  # where the colonizer stands (OS-17)
    },
    alone={ORB: Anew},
)

LANGUAGE = Language(dialects=(DIALECT,), spellings=_spellings, orders=(Beam, Colonize, Anew))


# Joining


def merge(position: Position, earlier: Sequence[Order], later: Sequence[Order]) -> tuple[Order, ...]:
    """Lines for the orbit below ORBIT replace all earlier ones; without it they join these while there is room, and
    replace them otherwise (OS-16). Everything else as in the standard game.
    """
    fresh = [order for order in later if not isinstance(order, Anew)]
    if len(fresh) < len(later) and any(map(_is_for_orbit, fresh)):
        earlier = [order for order in earlier if not _is_for_orbit(order)]
    return STANDARD.merge(position, earlier, fresh)


def surplus(position: Position, earlier: Sequence[Order], later: Sequence[Order]) -> Surplus | None:
    """The lines for the orbit that can neither join those in force nor be meant as the whole list (OS-16): armies there
    are alike, one line orders one (OS-2).
    """
    lines, held = (list(filter(_is_for_orbit, orders)) for orders in (later, earlier))
    heads = tuple(order for order in later if isinstance(order, Anew))
    if heads and not lines:
        problem, remedy = SAYS.texts("head alone")
        return Surplus(heads, problem, remedy)
    army = next(filter(None, map(unit_of, lines)), None)
    if heads or army is None:
        return None
    aboard = position.units.count(army)
    new, free = Counter(lines) - Counter(held), aboard - len(held)
    if len(lines) >= aboard or new.total() <= free:
        return None
    whole = (WHOLE_LIST, *map(write, held), *(f"{write_unit(army)}-" for _ in range(free)))
    problem, remedy = SAYS.texts("too many lines", free=free > 0)
    return Surplus(tuple(lines), problem, remedy, whole, (WHOLE_LIST, *map(write, lines)))


def _is_for_orbit(order: Order) -> bool:
    unit = unit_of(order)
    return unit is not None and in_orbit(unit)


# Understanding


def understand(
    board: FiniteBoard, position: Position, power: Power, written: WrittenOrder, need: Need = NOTHING
) -> Order:
    """The order as the empire means it in this position. Raises IllegalOrder, Ambiguous."""
    space = board_of(position)
    meant = _with_own_orbit(space, power, written)
    if isinstance(meant, Anew) and position.phase.kind is not PhaseKind.MOVEMENT:
        raise SAYS.refusal("head in vain")
    if position.phase.kind is PhaseKind.MOVEMENT:
        order = _of_this_game(space, position, power, meant)
        if order is not None:
            return order
    elif isinstance(meant, Beam):
        meant = (
            Retreat(meant.unit, meant.to) if position.phase.kind is PhaseKind.RETREAT else Move(meant.unit, meant.to)
        )
    if isinstance(meant, Build):
        site = space.province(meant.unit.at)
        if need.count > 0 and position.centers.get(site) == power and space.colonies.get(site) != power:  # OS-12
            raise SAYS.refusal("no colony", site=site, count=need.count, sites=sorted(need.sites))
    return legality.understand(board, position, power, meant, need)


def _with_own_orbit(board: OrbitBoard, power: Power, written: WrittenOrder) -> WrittenOrder:
    """The order with the full code for ORB: the orbit of the empire whose unit the line names."""
    other = getattr(written, "supported", None) or getattr(written, "convoyed", None)
    owner = other.power or power if other is not None else power
    return with_own_place(written, ORB, lambda part: board.orbits.get(power if part == "unit" else owner, ORB))


def _of_this_game(board: OrbitBoard, position: Position, power: Power, written: WrittenOrder) -> Order | None:
    """The order if it beams, colonizes or names an orbit; None if the standard rules suffice."""
    match written:
        case Anew():
            return Anew(power)
        case Support() | Convoy() | Move() | Hold():
            unit = legality.own_unit(board, position.units, power, written.unit)
        case _:
            return None
    match written:
        case Colonize():
            return _colonizing(board, unit, written)
        case Beam():
            return _beaming(board, unit, written)
        case Move() if in_orbit(unit) or board.capacity(board.province(written.to)) > 1:
            return _beaming(board, unit, written)
        case Support() if not in_orbit(unit):
            return _supporting_a_beam(board, position, unit, written)
        case Support() | Convoy() if in_orbit(unit):
            raise SAYS.refusal("holds or beams", unit=unit)
    return None


def _beaming(board: OrbitBoard, unit: Unit, written: Move[UnitName]) -> Beam[Unit]:
    to = Location(board.province(written.to))
    if unit.kind is not UnitKind.ARMY:
        raise SAYS.refusal("fleets stay", unit=unit, to=to)
    if written.via_convoy or written.route:
        raise SAYS.refusal("by convoy", unit=unit, to=to)
    if to == unit.at:
        raise SAYS.refusal("in orbit already", unit=unit)
    if board.may_beam(unit, to):
        return Beam(unit, to)
    way = SAYS.note("any land" if in_orbit(unit) else "write orb")
    raise SAYS.refusal("no beam", unit=unit, to=to, why=_why_no_beam(board, unit, to), way=way)


def _why_no_beam(board: OrbitBoard, unit: Unit, to: Location) -> str:
    province = board.province(to)
    if board.capacity(province) > 1:
        return SAYS.note("no spacecraft")
    if not in_orbit(unit):
        return SAYS.note("own spacecraft")
    return SAYS.note("jammed" if board.is_land(province) else "at sea", to=to, owner=board.jammed(unit.power, province))


def _colonizing(board: OrbitBoard, unit: Unit, written: Colonize[UnitName]) -> Colonize[Unit]:
    here = board.province(unit.at)
    target = here if written.target is None else board.province(written.target)
    if in_orbit(unit):
        raise SAYS.refusal("from orbit", unit=unit)
    places = board.colonizable(unit)
    if target in places:
        return Colonize(unit, Location(target) if target != here else None)
    why, way = "over a border" if board.is_land(target) else "only land", "within" if places else "no land"
    place = board.full_name(Location(target))
    raise SAYS.refusal(why, unit=unit, place=place, way=SAYS.note(way, places=places))


def _supporting_a_beam(
    board: OrbitBoard, position: Position, unit: Unit, written: Support[UnitName]
) -> Support[Unit] | None:
    """Support for an army that is beamed down (OS-6); None for every other support."""
    if written.to is None or not written.supported.at.startswith(ORB):
        return None
    to = Location(board.province(written.to))
    own_orbit = written.supported.power is None and written.supported.at == board.orbits.get(unit.power)
    if own_orbit and not any(map(in_orbit, position.units_of(unit.power))):
        raise SAYS.refusal("none in orbit", unit=unit, to=to)
    army = legality.any_unit(board, position.units, written.supported)
    if not reaches(board, unit, Province(to)):
        raise SAYS.refusal("no support", unit=unit, to=to)
    if not board.may_beam(army, to):
        other, why = name_unit(army, reader=unit.power), _why_no_beam(board, army, to)
        raise SAYS.refusal("no support of a beam", unit=unit, other=other, to=to, why=why)
    return Support(unit, army, to)


# What is open to a unit


def legal_orders(board: FiniteBoard, position: Position, unit: Unit, need: Need = NOTHING) -> tuple[Order, ...]:
    """Every order that can be given to the unit, each once, in a fixed order; except builds."""
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return possible.legal_orders(board, position, unit, need)
    return tuple(_movements(board_of(position), position, unit))


def _movements(board: OrbitBoard, position: Position, unit: Unit) -> Iterator[Order]:
    if in_orbit(unit):
        yield Hold(unit)
        yield from (Beam(unit, to) for to in _landings(board, unit))
        return
    yield from possible.legal_orders(board, position, unit)
    if unit.kind is UnitKind.ARMY:
        yield Beam(unit, board.orbits[unit.power])
    here = board.province(unit.at)
    for target in board.colonizable(unit):
        yield Colonize(unit, Location(target) if target != here else None)
    for army in dict.fromkeys(filter(in_orbit, position.units)):
        yield from (Support(unit, army, to) for to in _landings(board, army) if reaches(board, unit, Province(to)))


def _landings(board: OrbitBoard, army: Unit) -> list[Location]:
    """Where an army in orbit may be beamed."""
    return [Location(p) for p in board.provinces if board.may_beam(army, Location(p))]
