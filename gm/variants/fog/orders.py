"""Orders about what is out of sight: accepted by form alone (FW-5), and matched with what is there when the phase is
adjudicated.
"""

from __future__ import annotations

from dataclasses import replace

from gm.board import FiniteBoard, Location, Power, Province, Terrain, UnitKind
from gm.errors import IllegalOrder
from gm.orders import Convoy, Declaration, Order, Support, UnitName, WrittenOrder, legality
from gm.orders.notation import short, write_unit
from gm.orders.possible import NOTHING, Need, reaches, units_by_province
from gm.position import PhaseKind, Position, Unit
from gm.variants.fog.sight import Sight, sight_of

UNSEEN = Power("Unseen")
"""In orders, in place of the power of a unit that is out of the sight of whoever orders or reads."""


def understand(
    board: FiniteBoard, position: Position, power: Power, written: WrittenOrder, need: Need = NOTHING
) -> Order:
    """The order as the power means it, who sees `position`; the same whatever is out of its sight.

    Raises IllegalOrder, Ambiguous.
    """
    sight = sight_of(board, position, power)
    if position.phase.kind is not PhaseKind.MOVEMENT or isinstance(written, Declaration):
        return legality.understand(board, position, power, written, need)
    unit = _own(board, position, sight, power, written.unit)
    match written:
        case Support(supported=other, to=to) if to is not None and board.province(other.at) not in sight:
            return _support(board, unit, _unseen(board, other), to, other)
        case Convoy(convoyed=other) if board.province(other.at) not in sight:
            if other.kind not in (None, UnitKind.ARMY):
                raise IllegalOrder(f"{write_unit(unit)} cannot convoy {other.kind}: only armies are convoyed.")
            army = Unit(other.power or UNSEEN, UnitKind.ARMY, Location(board.province(other.at)))
            supposed = _supposed(board, position, sight, army)
            return legality.understand(board, supposed, power, written, need)
    return legality.understand(board, _supposed(board, position, sight), power, written, need)


def _own(board: FiniteBoard, position: Position, sight: Sight, power: Power, name: UnitName) -> Unit:
    """The power's own unit that is ordered; its own are always in sight. Raises IllegalOrder."""
    there = board.province(name.at)
    if there in sight:
        return legality.own_unit(board, position.units, power, name)
    mine = ", ".join(map(write_unit, position.units_of(power)))
    raise IllegalOrder(f"You have no unit in {short(Location(there))}.", f"{power} has {mine}." if mine else "")


def _unseen(board: FiniteBoard, name: UnitName) -> Unit:
    """A unit that may be there, as it is named; without its kind an army, at sea a fleet."""
    province = board.province(name.at)
    usual = UnitKind.FLEET if board.terrain(province) is Terrain.SEA else UnitKind.ARMY
    kind = name.kind or usual
    return Unit(name.power or UNSEEN, kind, name.at if kind is UnitKind.FLEET else Location(province))


def _support(board: FiniteBoard, unit: Unit, other: Unit, to: Location, name: UnitName) -> Support[Unit]:
    """Support for a move from out of sight. Only what the own unit can reach is asked."""
    target = board.province(to)
    if target == board.province(other.at):
        raise IllegalOrder(f"{write_unit(other)} cannot be supported to move to where it is.")
    if not reaches(board, unit, target):
        raise IllegalOrder(
            f"{write_unit(unit)} cannot support into {short(Location(target))}: it could not move there.",
            legality.may_go_to(board, unit),
        )
    return Support(unit, other, to if name.kind is UnitKind.FLEET else Location(target))


def _supposed(board: FiniteBoard, position: Position, sight: Sight, *others: Unit) -> Position:
    """The position with a fleet in every sea that is out of sight, which could convoy, and with these units."""
    unseen = (Location(province) for province in board.provinces if province not in sight)
    fleets = (Unit(UNSEEN, UnitKind.FLEET, at) for at in unseen if board.can_convoy(at))
    return replace(position, units=(*position.units, *fleets, *others))


# In the adjudication


def meant(board: FiniteBoard, position: Position, order: Order) -> Order:
    """The order with the unit that is truly there in place of one that was only supposed; of another power than the
    one that was named, there is none.
    """
    match order:
        case Support():
            return replace(order, supported=truly(board, position, order.supported))
        case Convoy():
            return replace(order, convoyed=truly(board, position, order.convoyed))
    return order


def truly(board: FiniteBoard, position: Position, supposed: Unit) -> Unit:
    """The unit that is there in this position; the supposed one if there is none, or one of another power."""
    there = units_by_province(board, position.units).get(board.province(supposed.at), ())
    return next((unit for unit in there if supposed.power in (UNSEEN, unit.power)), supposed)


def partner_of(board: FiniteBoard, order: Order) -> tuple[Province, Province | None] | None:
    """Where the unit is that an order helps, and where it helps it to go (None: to hold); None for other orders."""
    match order:
        case Support():
            return board.province(order.supported.at), board.province(order.to) if order.to is not None else None
        case Convoy():
            return board.province(order.convoyed.at), board.province(order.to)
    return None
