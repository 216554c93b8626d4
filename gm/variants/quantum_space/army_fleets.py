"""Army/fleets of Quantum Space: 3001: an army boards a fleet, the two move as one, and the army lands (QS-13).

    A O1 BOARDS F OO     before movement; from then on they are A/F OO
    A/F OO-Q5            one fleet of strength 1, which may not convoy
    A OO LANDS O3        also `A OO-O3`; with the fleet ordered elsewhere, from where that is
    A O4 S A OO-O3       support for a landing

Where an army/fleet is, or could be when an army has boarded, `A` names the army aboard, and `F` and `A/F` the two
together. Below: the orders that are listed for them, hints for the form, cautions for the receipt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic

from gm.board import FiniteBoard, Location, Power, Province, UnitKind
from gm.orders import (
    Convoy,
    Dialect,
    Disband,
    Hold,
    Language,
    Move,
    Order,
    Support,
    U,
    UnitName,
    WrittenOrder,
    legality,
    possible,
)
from gm.orders.notation import Spelt, name_unit
from gm.orders.possible import NOTHING, Need, reaches, units_by_province
from gm.position import STANDARD_KINDS, Kinds, PhaseKind, Position, Unit
from gm.variants import Variant
from gm.variants.quantum_space import orders
from gm.variants.quantum_space.orders import computed_names
from gm.variants.quantum_space.space import BORDERS, QuantumBoard, is_orbit, is_surface, orbit_above
from gm.variants.quantum_space.state import ARMY_FLEET, SAYS, board_of

# The orders


@dataclass(frozen=True)
class Embark(Spelt, Hold[U], Generic[U]):
    """An army boards a fleet of its own power in the orbit above it: `A O1 BOARDS F OO`."""

    fleet: U

    effect = "the army is aboard before anybody moves"
    brief = full = "{unit} BOARDS {fleet}"


@dataclass(frozen=True)
class Land(Spelt, Move[U], Generic[U]):
    """The army aboard leaves its fleet for the surface: `A OO LANDS O3`. `unit` is the army, where its fleet is."""

    crosses_border = False
    brief, full = "{unit} LANDS {to}", "{unit} LANDS ON {to}"


DIALECT = Dialect(
    "quantum_space",
    {
        "embark": Embark,
        "land": lambda unit, to: Land(replace(unit, kind=unit.kind or UnitKind.ARMY), to),
        "support_landing": lambda unit, army, to: Support(unit, replace(army, kind=UnitKind.ARMY), to),
    },
)

LANGUAGE = Language(
    kinds=Kinds(units=(*STANDARD_KINDS.units, ARMY_FLEET)),
    dialects=(DIALECT,),
    computed=computed_names,
    spellings=orders.spellings,
    orders=(Embark, Land),
)


# What can be boarded, and where one lands


def may_embark(order: Embark[Unit]) -> bool:
    """Whether the army is on the surface under its power's fleet."""
    army, fleet = order.unit, order.fleet
    return (
        (army.kind, fleet.kind, army.power) == (UnitKind.ARMY, UnitKind.FLEET, fleet.power)
        and is_surface(army.at)
        and fleet.at == orbit_above(army.at)
    )


def landing_places(at: Location) -> tuple[Location, ...]:
    """The surface spaces adjacent to the fleet's location; none from quantum space."""
    if is_orbit(at):
        return tuple(Location(at[:-1] + number) for number in BORDERS)
    return tuple(Location(at[:-1] + number) for number in BORDERS[at[-1]]) if is_surface(at) else ()


def fleet_reaches(board: QuantumBoard, at: Location, to: Location) -> Location | None:
    """Where the fleet at `at` could be ordered to be so that an army aboard could land at `to`; None for nowhere."""
    near = (at, *([orbit_above(to)] if is_surface(to) else []), *landing_places(to))
    stands = (place for place in near if place == at or board.may_step(ARMY_FLEET, at, place))
    return next((place for place in stands if to in landing_places(place)), None)


# Understanding


def understand(
    board: FiniteBoard, position: Position, power: Power, written: WrittenOrder, need: Need = NOTHING
) -> Order:
    """The order as the power means it in this position. Raises IllegalOrder, Ambiguous."""
    order = orders.in_own_orbit(position, power, written)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _in_movement(board_of(position), position, power, order)
        case PhaseKind.ADJUSTMENT if isinstance(order, Disband):
            return _removal(board_of(position), position, power, order, need)
    return orders.understand(board, position, power, _with_pairs(board_of(position), position, order), need)


def _in_movement(board: QuantumBoard, position: Position, power: Power, written: WrittenOrder) -> Order:
    match written:
        case Embark():
            return _embarking(board, position, power, written)
        case Land() | Move() if ship := _ship_of(board, position, written.unit, power):
            return _landing(board, ship, written)
        case Land() if ship := _ship(board, position, written.unit.at):
            kind = "the army lands" if is_surface(written.to) else "both go there"
            raise SAYS.refusal(kind, named=written.unit.kind, at=ship.at, to=written.to)
        case Land():
            raise SAYS.refusal("none aboard", at=written.unit.at)
        case Support() if written.to is not None and (ship := _ship_of(board, position, written.supported)):
            return _supporting_a_landing(board, position, power, ship, written)
    meant = _with_pairs(board, position, written)
    if isinstance(meant, Convoy | Move):
        _check_carried(board, position, power, meant)
    return orders.understand(board, position, power, meant)


def unit_at(board: QuantumBoard, position: Position, at: Location) -> Unit | None:
    """The unit in a space, or in a retreat phase the unit dislodged from it."""
    if position.phase.kind is PhaseKind.RETREAT:
        return next((d.unit for d in position.dislodged if d.unit.at == at), None)
    return next(iter(units_by_province(board, position.units).get(board.province(at), ())), None)


def could_be_boarded(board: QuantumBoard, position: Position, fleet: Unit) -> bool:
    """Whether an army of its power is below the fleet, which carries none yet."""
    if fleet.kind is not UnitKind.FLEET or not is_orbit(fleet.at):
        return False
    below = (unit_at(board, position, at) for at in landing_places(fleet.at))
    return any(unit is not None and (unit.kind, unit.power) == (UnitKind.ARMY, fleet.power) for unit in below)


def _ship(board: QuantumBoard, position: Position, at: Location) -> Unit | None:
    """The army/fleet in a space, or the fleet that could be one when all have boarded."""
    unit = unit_at(board, position, at)
    if unit is None:
        return None
    return unit if unit.kind is ARMY_FLEET or could_be_boarded(board, position, unit) else None


def _ship_of(board: QuantumBoard, position: Position, name: UnitName, owner: Power | None = None) -> Unit | None:
    """The ship whose army is named, of its owner: one that is written for an army where a ship is."""
    ship = _ship(board, position, name.at) if name.kind is UnitKind.ARMY else None
    return ship if ship is not None and (owner or name.power) in (None, ship.power) else None


def _embarking(board: QuantumBoard, position: Position, power: Power, written: Embark[UnitName]) -> Embark[Unit]:
    army = legality.own_unit(board, position.units, power, written.unit)
    fleet = legality.own_unit(board, position.units, power, replace(written.fleet, kind=None))
    if army.kind is not UnitKind.ARMY:
        raise SAYS.refusal("armies board", unit=army)
    order = Embark(army, fleet)
    if fleet.kind is ARMY_FLEET or not may_embark(order):
        raise SAYS.refusal("carries one" if fleet.kind is ARMY_FLEET else "below its own fleet", unit=army, fleet=fleet)
    return order


def _landing(board: QuantumBoard, ship: Unit, written: Move[UnitName]) -> Land[Unit]:
    army, to = Unit(ship.power, UnitKind.ARMY, ship.at), written.to
    if not is_surface(to):
        raise SAYS.refusal("by itself", unit=army, to=to)
    if fleet_reaches(board, ship.at, to) is None:
        raise SAYS.refusal("too far to land", unit=army, to=to)
    return Land(army, to)


def _supporting_a_landing(
    board: QuantumBoard, position: Position, power: Power, ship: Unit, written: Support[UnitName]
) -> Support[Unit]:
    unit = legality.own_unit(board, position.units, power, _pair(board, position, written.unit))
    army, to = Unit(ship.power, UnitKind.ARMY, ship.at), written.to
    assert to is not None
    if unit == ship:
        raise SAYS.refusal("one unit", unit=unit)
    if not reaches(board, unit, Province(to)):
        raise SAYS.refusal("out of reach", unit=unit, to=to, ways=legality.may_go_to(board, unit))
    if fleet_reaches(board, ship.at, to) is None:
        raise SAYS.refusal("it cannot land", unit=unit, other=name_unit(army, reader=power), to=to)
    return Support(unit, army, to)


def _check_carried(
    board: QuantumBoard, position: Position, power: Power, written: Convoy[UnitName] | Move[UnitName]
) -> None:
    """Refuse a convoy by a fleet with an army aboard; say of an army that is sent into orbit how it gets there."""
    unit = legality.own_unit(board, position.units, power, written.unit)
    if isinstance(written, Convoy):
        if unit.kind is ARMY_FLEET:
            raise SAYS.refusal("army aboard", unit=unit)
        return
    fleet = unit_at(board, position, written.to) if is_orbit(written.to) else None
    if unit.kind is UnitKind.ARMY and fleet is not None and may_embark(Embark(unit, fleet)):
        raise SAYS.refusal("to go aboard", unit=unit, to=written.to, fleet=fleet)


def _removal(board: QuantumBoard, position: Position, power: Power, written: Disband[UnitName], need: Need) -> Order:
    """Of an army/fleet the army may be removed alone, the fleet only after it."""
    ship = unit_at(board, position, written.unit.at)
    if ship is None or ship.kind is not ARMY_FLEET or ship.power != power or need.count >= 0:
        return orders.understand(board, position, power, written, need)
    if written.unit.kind not in (UnitKind.ARMY, UnitKind.FLEET):
        raise SAYS.refusal("two units", ship=ship)
    if written.unit.kind is UnitKind.FLEET and need.count == -1:
        raise SAYS.refusal("the army first", at=ship.at)
    return Disband(Unit(power, written.unit.kind, ship.at))


def _with_pairs(board: QuantumBoard, position: Position, written: WrittenOrder) -> WrittenOrder:
    """The order with every fleet or army/fleet under its present kind."""
    changes: dict[str, Any] = {
        name: _pair(board, position, named)
        for name in ("unit", "supported")
        if isinstance(named := getattr(written, name, None), UnitName)
    }
    return replace(written, **changes) if changes else written


def _pair(board: QuantumBoard, position: Position, name: UnitName) -> UnitName:
    """`F OO` for an army/fleet, `A/F OO` for a fleet that an army can board, or `A OO` for what is aboard."""
    unit = unit_at(board, position, name.at)
    if unit is None or name.kind in (None, unit.kind):
        return name
    if unit.kind is ARMY_FLEET or (name.kind is ARMY_FLEET and could_be_boarded(board, position, unit)):
        return replace(name, kind=unit.kind)
    return name


# What can be ordered


def legal_orders(board: FiniteBoard, position: Position, unit: Unit, need: Need = NOTHING) -> tuple[Order, ...]:
    """Every order worth listing that can be given to the unit, each once, in a fixed order; except builds."""
    space = board_of(position)
    if position.phase.kind is PhaseKind.ADJUSTMENT and unit.kind is ARMY_FLEET:
        parts = (UnitKind.ARMY, UnitKind.FLEET)[: max(0, -need.count)]  # the fleet only after its army
        return tuple(Disband(Unit(unit.power, kind, unit.at)) for kind in parts)
    found = possible.legal_orders(board, position, unit, need)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return found
    return (*found, *_own_orders(space, position, unit))


def offered(game: Variant, position: Position, power: Power) -> tuple[tuple[Order, ...], ...]:
    """Besides those of 1975, the landing of each army that is aboard."""
    ships = [unit for unit in position.units_of(power) if unit.kind is ARMY_FLEET]
    armies = (Unit(power, UnitKind.ARMY, ship.at) for ship in ships if landing_places(ship.at))
    landings = (tuple(Land(army, to) for to in landing_places(army.at)) for army in armies)
    return (*orders.offered(game, position, power), *landings) if position.phase.kind is PhaseKind.MOVEMENT else ()


def _own_orders(board: QuantumBoard, position: Position, unit: Unit) -> Iterator[Order]:
    if unit.kind is UnitKind.ARMY:
        fleet = unit_at(board, position, orbit_above(unit.at))
        if fleet is not None and may_embark(Embark(unit, fleet)):
            yield Embark(unit, fleet)
    reached = set(board.neighbours(unit.kind, unit.at))
    for ship in position.units:
        if ship.kind is ARMY_FLEET and ship != unit:
            army = Unit(ship.power, UnitKind.ARMY, ship.at)
            for to in landing_places(ship.at):
                if to in reached and to != unit.at:
                    yield Support(unit, army, to)
