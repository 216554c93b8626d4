"""Order values, by phase.

Each type is generic in how it names units: parsing yields orders *as written* (`UnitName`: kind, coast and power may be
left out), legality turns them into orders *as understood* (`Unit`). The judge meets the second only.

A variant's own order types derive from these and differ in their class properties, so that the judge needs no case for
them: a flight is a `Move` that crosses no border.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Generic, TypeAlias, TypeVar

from gm.board import Location, Power, UnitKind
from gm.position import Unit


@dataclass(frozen=True, slots=True)
class UnitName:
    """A unit as a player names it: `A Mun`, `mun`, `Russian F stp`."""

    at: Location
    kind: UnitKind | None = None
    power: Power | None = None


U = TypeVar("U", Unit, UnitName)


@dataclass(frozen=True)
class Hold(Generic[U]):
    """The unit stays: `A PAR H`."""

    unit: U


@dataclass(frozen=True)
class Move(Generic[U]):
    """The unit goes to `to`: `A PAR-BUR`.

    `via_convoy` is true when the player said so or spelled out the fleets' spaces, which are then in `route`.
    """

    unit: U
    to: Location
    via_convoy: bool = False
    route: tuple[Location, ...] = ()

    crosses_border: ClassVar[bool] = True
    """False for a move that meets nobody head to head and bars no retreat."""
    strength: ClassVar[int] = 1
    """What the unit itself brings to its attack; 0 attacks, cuts and bounces nothing."""
    only_if_vacant: ClassVar[bool] = False
    """True for a move that any unit that stays stops: it dislodges nobody and cuts no support. It bounces others."""


@dataclass(frozen=True)
class Support(Generic[U]):
    """Support to hold (`to` is None) or to move: `A MUN S A BER-SIL`. A `Move`'s coast may be left out of `to`."""

    unit: U
    supported: U
    to: Location | None = None


@dataclass(frozen=True)
class Convoy(Generic[U]):
    """A fleet carries an army over its sea space: `F NTH C A LON-NWY`."""

    unit: U
    convoyed: U
    to: Location


@dataclass(frozen=True)
class Retreat(Generic[U]):
    """A dislodged unit leaves: `A PAR R BUR`."""

    unit: U
    to: Location


@dataclass(frozen=True)
class Disband(Generic[U]):
    """A unit is taken off the board: a retreat given up (`A PAR DISBAND`) or a removal in Winter (`REMOVE A PAR`)."""

    unit: U


@dataclass(frozen=True)
class Build(Generic[U]):
    """A new unit in an own centre: `BUILD A PAR`, `BUILD F STP/NC`."""

    unit: U


@dataclass(frozen=True)
class Declaration(Generic[U]):
    """What a power says without ordering a unit."""

    power: Power | None = None


@dataclass(frozen=True)
class Waive(Declaration[U]):
    """One build is not taken up."""


Order: TypeAlias = (
    Hold[Unit]
    | Move[Unit]
    | Support[Unit]
    | Convoy[Unit]
    | Retreat[Unit]
    | Disband[Unit]
    | Build[Unit]
    | Declaration[Unit]
)
"""An order as understood."""

WrittenOrder: TypeAlias = (
    Hold[UnitName]
    | Move[UnitName]
    | Support[UnitName]
    | Convoy[UnitName]
    | Retreat[UnitName]
    | Disband[UnitName]
    | Build[UnitName]
    | Declaration[UnitName]
)
"""An order as a player wrote it: places are on the board, nothing else is checked."""


def unit_of(order: Order) -> Unit | None:
    """The unit that an order is for; None for a declaration."""
    return None if isinstance(order, Declaration) else order.unit


def power_of(order: Order) -> Power | None:
    """Whose order it is; None for a declaration that names no power."""
    return order.power if isinstance(order, Declaration) else order.unit.power
