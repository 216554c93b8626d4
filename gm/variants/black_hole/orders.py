"""The orders of this game besides the standard ones, how they are understood, and how later ones are merged.

    EXEMPT PAR          the home centre that no black hole takes, with the first orders; later, if BH-3 lets it move
    ANNOUNCE EXEMPT     the gamemaster tells everybody which one it is (BH-4)
    ANNOUNCE NOTHING    takes that back, until the deadline

All are declarations: they order no unit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gm.board import FiniteBoard, Location, Power, Province, TableBoard
from gm.errors import IllegalOrder
from gm.orders import (
    Declaration,
    Dialect,
    Language,
    Order,
    Retreat,
    U,
    UnitName,
    Waive,
    WrittenOrder,
    legality,
    order_sets,
)
from gm.orders.notation import Pen, Spelt, short
from gm.orders.possible import NOTHING, Need
from gm.position import PhaseKind, Position, Unit
from gm.variants import Variant
from gm.variants.black_hole.state import State, board_of, homes, is_first, season_name, spoken, state_of
from gm.variants.standard import spellings

# The orders


@dataclass(frozen=True)
class Exempt(Spelt, Declaration[U]):
    """The power's home centre that no black hole takes."""

    center: Location = field(kw_only=True)

    def spell(self, pen: Pen) -> str:
        return f"{pen.verb('Exempt', 'EXEMPT')} {pen.place(self.center)}"


@dataclass(frozen=True)
class Keep(Spelt, Declaration[U]):
    """The exemption is not moved: WAIVE, when it could be moved."""

    def spell(self, pen: Pen) -> str:
        return pen.verb("Waive", "WAIVE (the exemption stays where it is)")


@dataclass(frozen=True)
class Announce(Spelt, Declaration[U]):
    """Everybody is told which of the power's home centres is exempt."""

    def spell(self, pen: Pen) -> str:
        return pen.verb("Announce exempt", "ANNOUNCE the exempt home centre")


@dataclass(frozen=True)
class Conceal(Spelt, Declaration[U]):
    """ANNOUNCE EXEMPT is taken back: nobody is told."""

    def spell(self, pen: Pen) -> str:
        return pen.verb("Announce nothing", "ANNOUNCE nothing (the exempt home centre stays secret)")


@dataclass(frozen=True)
class Drift(Retreat[U]):
    """A retreat without an order, in the direction that the rules prescribe (BH-5); never sent or stored."""


def _taken_out(center: Location, _out: Power) -> Exempt[UnitName]:
    return _exempt(center)


def _exempt(center: Location) -> Exempt[UnitName]:
    return Exempt(center=center)


def _announce() -> Announce[UnitName]:
    return Announce()


def _conceal() -> Conceal[UnitName]:
    return Conceal()


LANGUAGE = Language(
    dialects=(
        Dialect(
            "black_hole",
            {"exempt": _exempt, "taken_out": _taken_out, "announce": _announce, "conceal": _conceal},
            whole=r"[ ]*(?:exempt|immun|(?:\w+ ){0,2}announc\w+ (?:my |the )?(?:exempt|immun))",
            blank=r"exempt",
        ),
    ),
    spellings=spellings,
    orders=(Exempt, Keep, Announce, Conceal, Drift),
)

OWN = (Exempt, Keep, Announce, Conceal)


# Understanding


def understand(
    board: FiniteBoard, position: Position, power: Power, written: WrittenOrder, need: Need = NOTHING
) -> Order:
    """The order as the power means it in this position. Raises IllegalOrder, Ambiguous."""
    here, state = board_of(position), state_of(position)
    for at in _places(written):
        if here.province(at) in state.holes:
            raise _vanished(here, state, here.province(at))
    match written:
        case Exempt():
            return _exempting(here, position, state, power, written)
        case Announce():
            return Announce(power)
        case Conceal():
            return Conceal(power)
        case Waive() if may_move(position, power):
            return Keep(power)
    return legality.understand(board, position, power, written, need)


def may_move(position: Position, power: Power) -> bool:
    """Whether the power may move its exemption now."""
    return position.phase.kind is PhaseKind.MOVEMENT and power in state_of(position).movable


def offered(game: Variant, position: Position, power: Power) -> tuple[tuple[Order, ...], ...]:
    """The exempt home centre: any with the first orders, and later the last one left, when it may move."""
    del game
    board, movable = board_of(position), state_of(position).movable
    centers = homes(board, power) if is_first(position) else [movable[power]] if may_move(position, power) else []
    return (tuple(Exempt(power, center=Location(center)) for center in centers),) if centers else ()


def _places(written: WrittenOrder) -> Iterator[Location]:
    """Every place that an order names."""
    for part in dataclasses.fields(written):
        held = getattr(written, part.name)
        if part.name == "power":
            continue
        for one in held if isinstance(held, tuple) else (held,):
            if isinstance(one, UnitName):
                yield one.at
            elif isinstance(one, str):
                yield Location(one)


def _vanished(board: TableBoard, state: State, province: Province) -> IllegalOrder:
    since = state.holes[province]
    place = spoken(board, province)
    return IllegalOrder(
        f"{place[:1].upper()}{place[1:]} is a black hole"
        + (f" since {season_name(since)}" if since else "")
        + ": nothing can enter it, pass through it or support into it (BH-1)."
    )


def _exempting(
    board: TableBoard, position: Position, state: State, power: Power, written: Exempt[UnitName]
) -> Exempt[Unit]:
    center = board.province(written.center)
    if is_first(position):
        own_homes = homes(board, power)
        if center in own_homes:
            return Exempt(power, center=Location(center))
        raise IllegalOrder(
            f"{board.full_name(Location(center))} is not a home centre of {power}.",
            f"Write EXEMPT {_either([short(Location(p)) for p in own_homes])}.",
        )
    own = state.exemptions.get(power)
    is_now = f"Your exempt home centre is {board.full_name(Location(own))}. " if own is not None else ""
    if not may_move(position, power):
        raise IllegalOrder(
            f"{is_now}It was settled with the first orders and cannot be changed now (BH-3).",
            "It can be moved once: when another power owns it, you have only two other home centres, and one of these "
            "becomes a black hole.",
        )
    target = state.movable[power]
    if center != target:
        raise IllegalOrder(
            f"{is_now}It can be moved to your last other home centre only (BH-3).",
            f"Write EXEMPT {short(Location(target))}.",
        )
    return Exempt(power, center=Location(center))


def _either(places: Sequence[str]) -> str:
    return " or EXEMPT ".join(filter(None, (", EXEMPT ".join(places[:-1]), places[-1] if places else "")))


# Joining


def merge(position: Position, earlier: Sequence[Order], later: Sequence[Order]) -> tuple[Order, ...]:
    """The last choice of an exemption counts, and the last order on announcing it; everything else as in the standard
    game (ST-7).
    """
    every = [order for order in (*earlier, *later) if isinstance(order, OWN)]
    choices = [order for order in every if isinstance(order, Exempt | Keep)][-1:]
    announced = [order for order in every if isinstance(order, Announce | Conceal)][-1:]
    old, new = ([order for order in orders if not isinstance(order, OWN)] for orders in (earlier, later))
    return (*order_sets.merge(position.phase.kind, old, new, position.units), *choices, *announced)
