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
from gm.orders.notation import Spelt, short
from gm.orders.possible import NOTHING, Need
from gm.position import PhaseKind, Position, Unit
from gm.variants import Variant
from gm.variants.black_hole.state import SAYS, State, board_of, homes, is_first, since, spoken, state_of
from gm.variants.standard import spellings

# The orders


@dataclass(frozen=True)
class Exempt(Spelt, Declaration[U]):
    """The power's home centre that no black hole takes."""

    brief, full = "Exempt {center}", "EXEMPT {center}"

    center: Location = field(kw_only=True)


@dataclass(frozen=True)
class Keep(Spelt, Declaration[U]):
    """The exemption is not moved: WAIVE, when it could be moved."""

    brief, full = "Waive", "WAIVE (the exemption stays where it is)"


@dataclass(frozen=True)
class Announce(Spelt, Declaration[U]):
    """Everybody is told which of the power's home centres is exempt."""

    brief, full = "Announce exempt", "ANNOUNCE the exempt home centre"


@dataclass(frozen=True)
class Conceal(Spelt, Declaration[U]):
    """ANNOUNCE EXEMPT is taken back: there is no announcement."""

    brief, full = "Announce nothing", "ANNOUNCE nothing (the exempt home centre stays secret)"


@dataclass(frozen=True)
class Drift(Retreat[U]):
    """A retreat without an order, in the direction that the rules prescribe (BH-5); never sent or stored."""


LANGUAGE = Language(
    dialects=(
        Dialect(
            "black_hole",
            {
                "exempt": lambda center: Exempt(center=center),
                "taken_out": lambda center, _: Exempt(center=center),
                "announce": Announce,
                "conceal": Conceal,
            },
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
    for gone in filter(state.holes.__contains__, map(here.province, _places(written))):
        raise SAYS.refusal("vanished", place=spoken(here, gone, first=True), since=since(state.holes[gone]))
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


def open_to_exemption(position: Position, power: Power) -> tuple[Province, ...]:
    """The home centres of which one can be exempted now: all with the first orders, and later the last one left, when
    the exemption may move.
    """
    if is_first(position):
        return homes(board_of(position), power)
    return (state_of(position).movable[power],) if may_move(position, power) else ()


def offered(_: Variant, position: Position, power: Power) -> tuple[tuple[Order, ...], ...]:
    """The exempt home centre."""
    centers = open_to_exemption(position, power)
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


def _exempting(
    board: TableBoard, position: Position, state: State, power: Power, written: Exempt[UnitName]
) -> Exempt[Unit]:
    center, possible = board.province(written.center), open_to_exemption(position, power)
    if center in possible:
        return Exempt(power, center=Location(center))
    if is_first(position):
        choices = [f"EXEMPT {short(Location(home))}" for home in possible]
        raise SAYS.refusal("no home", center=center, power=power, choices=choices)
    own = state.exemptions.get(power)
    is_now = SAYS.note("is now", center=own) if own is not None else ""
    raise SAYS.refusal("last other home" if possible else "settled", now=is_now, center=possible)


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
