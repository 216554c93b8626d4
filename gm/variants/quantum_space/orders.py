"""What players of both games may write, and what is understood by it (QS-4, QS-7); refusals name the rule."""

from __future__ import annotations

from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.board.quantum import ORBIT, QuantumBoard, is_orbit, is_quantum, is_surface
from gm.errors import IllegalOrder
from gm.orders import Convoy, Move, Order, UnitName, WrittenOrder, legality
from gm.orders.language import Language
from gm.orders.needs import NOTHING, Need
from gm.orders.notation import short, write_unit
from gm.orders.routes import fleets_at_sea, may_be_convoyed
from gm.position import PhaseKind, Position, Unit
from gm.variants.quantum_space.names import computed_names
from gm.variants.quantum_space.planets import board_of, planets_of
from gm.variants.standard import nations


def spellings(position: Position) -> dict[str, Power]:
    """The planets' codes as names of their powers, and other words for nations of the world."""
    planets = planets_of(position)
    return {**nations(planets.codes), **planets.powers}


LANGUAGE = Language(computed=computed_names, spellings=spellings)


def understand(
    board: FiniteBoard, position: Position, power: Power, written: WrittenOrder, need: Need = NOTHING
) -> Order:
    """The order as the power means it in this position. Raises IllegalOrder, Ambiguous."""
    if position.phase.kind is PhaseKind.MOVEMENT and isinstance(written, Move | Convoy):
        unit = legality.own_unit(board, position.units, power, written.unit)
        if isinstance(written, Convoy):
            check_convoy(unit)
        else:
            check_move(board_of(position), position, unit, written)
    return legality.understand(board, position, power, written, need)


def check_convoy(unit: Unit) -> None:
    """Fleets convoy in orbit and in quantum space (QS-7). Raises IllegalOrder."""
    if unit.kind is UnitKind.FLEET and is_surface(unit.at):
        raise IllegalOrder(
            f"{write_unit(unit)} cannot convoy: on the surface fleets are in port (QS-7).",
            f"Order {write_unit(unit)}-{_orbit_above(unit.at)}; in orbit it can convoy next season.",
        )


def check_move(board: QuantumBoard, position: Position, unit: Unit, written: Move[UnitName]) -> None:
    """Say which rule a move breaks that could never succeed. Raises IllegalOrder."""
    to = written.to
    if to == unit.at or board.may_step(unit.kind, unit.at, to):
        return
    if unit.kind is UnitKind.ARMY:
        _check_army(board, position, unit, to)
    else:
        _check_fleet(unit, to)


def _check_fleet(unit: Unit, to: Location) -> None:
    name, goal = write_unit(unit), short(to)
    if is_surface(unit.at):
        orbit = _orbit_above(unit.at)
        if is_surface(to):
            reason = "fleets do not move from one surface space to another (QS-7)"
        else:
            reason = "from the surface a fleet goes to its planet's orbit only (QS-4)"
        onward = f", and F {orbit}-{goal} next season" if to[:-1] == unit.at[:-1] or is_quantum(to) else ""
        raise IllegalOrder(f"{name} cannot go to {goal}: {reason}.", f"Write {name}-{orbit} now{onward}.")
    if is_orbit(unit.at) and is_orbit(to):
        raise IllegalOrder(
            f"{name} cannot go to {goal}: orbits do not border one another (QS-4).",
            f"Go by quantum space: {name}-Q1 now, and F Q1-{goal} next season; any other number will do.",
        )
    if is_surface(to):
        orbit = _orbit_above(to)
        where = f"Write {name}-{orbit} now." if is_quantum(unit.at) else f"Go to {orbit} by quantum space first."
        raise IllegalOrder(f"{name} cannot go to {goal}: it is reached from {orbit} only (QS-4).", where)


def _check_army(board: QuantumBoard, position: Position, unit: Unit, to: Location) -> None:
    name, goal = write_unit(unit), short(to)
    if not is_surface(to):
        raise IllegalOrder(
            f"{name} cannot go to {goal}: armies live on the surface of planets (QS-7).",
            legality.may_go_to(board, unit),
        )
    seas = fleets_at_sea(board, position.units)
    if not may_be_convoyed(board, seas, board.province(unit.at), board.province(to)):
        orbits = f"{_orbit_above(unit.at)}, a quantum space and {_orbit_above(to)}"
        needed = f"a fleet in {_orbit_above(to)}" if unit.at[:-1] == to[:-1] else f"fleets in {orbits}"
        raise IllegalOrder(
            f"{name} cannot get to {goal}: it does not border {short(unit.at)}, and a convoy needs {needed} (QS-7).",
            legality.may_go_to(board, unit),
        )


def _orbit_above(at: str) -> str:
    """The orbit of a surface space's planet, as it is written."""
    return short(Location(at[:-1] + ORBIT))
