"""Formatting orders: one notation for receipts, reports, explanations and `gm adjudicate`.

The order grammar parses its output back to an equal order (for the same power).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Protocol

from gm.board import Location, Power
from gm.orders import Build, Convoy, Declaration, Disband, Hold, Move, Order, Retreat, Support, UnitName, power_of
from gm.position import Unit

PlaceWriter = Callable[[Location], str]

PRIVATE = "."
"""Separates the code of a private space from the code of its owner: `orb.kre`."""


def code(at: Location) -> str:
    """The canonical code, as used by interfaces: `stp/sc`."""
    return at


@lru_cache(maxsize=1 << 14)
def short(at: Location) -> str:
    """The code as players write it: `Stp/sc`, `AO`; a private space without its owner: `Orb`."""
    head = at.partition(PRIVATE)[0]
    return head.upper() if len(head) < 3 else head.capitalize()


def write_unit(unit: Unit, place: PlaceWriter = short) -> str:
    """A unit without its power: `F Stp/sc`."""
    return f"{unit.kind} {place(unit.at)}"


def name_unit(unit: Unit, place: PlaceWriter = short, reader: Power | None = None) -> str:
    """A unit without ambiguity: `A Mun`; in a space that is private to a power other than `reader`, with its power:
    `Krell A Orb`.
    """
    written = write_unit(unit, place)
    return f"{unit.power} {written}" if PRIVATE in unit.at and unit.power != reader else written


class Pen(Protocol):
    """Writes a variant's own orders: in the short notation or in full words."""

    def unit(self, unit: Unit | UnitName) -> str:
        """A unit, without its power. It must be one, not only its name: an order is written once it is understood."""

    def place(self, at: Location) -> str:
        """A place."""

    def verb(self, brief: str, full: str) -> str:
        """The verb of the order, in its short or its full form: `S`, `SUPPORT`."""


class Spelt:
    """A mixin for an order type of a variant that is not written like the type it derives from.

    `brief` and `full` are the order in both notations, with its parts in braces: `{unit} (S) {to}`. `effect` explains
    such an order when it succeeded and the judge has nothing to add.
    """

    effect: ClassVar[str] = "the unit stays"
    brief: ClassVar[str]
    full: ClassVar[str]

    def spell(self, pen: Pen) -> str:
        """Write the order, without its power, with `pen`."""
        return _PART.sub(lambda part: _spelt(getattr(self, part[1]), pen), pen.verb(self.brief, self.full))


_PART = re.compile(r"\{(\w+)\}")


def written_between(spelling: str) -> tuple[str, ...]:
    """The words before, between and behind the parts of an order: `{unit} SENDS TO {to}` has `SENDS TO` between."""
    return tuple(map(str.strip, _PART.split(spelling)[::2]))


def _spelt(part: Any, pen: Pen) -> str:
    if isinstance(part, tuple):
        return ", ".join(map(pen.place, part))
    return pen.place(Location(part)) if isinstance(part, str) else pen.unit(part)


class Wishes(Spelt):
    """A mixin for orders that name several places, the favourite first. What can be ordered has one with each place."""


class Partly(Spelt):
    """A mixin for orders of which the reader saw only a part."""


@dataclass(frozen=True, slots=True)
class Shorthand:
    """The pen for the short notation."""

    place_writer: PlaceWriter = short

    def unit(self, unit: Unit | UnitName) -> str:
        assert isinstance(unit, Unit)
        return write_unit(unit, self.place_writer)

    def place(self, at: Location) -> str:
        return self.place_writer(at)

    def verb(self, brief: str, full: str) -> str:  # noqa: ARG002
        return brief


def attributed(order: Order) -> str:
    """An order with its power, in codes, as used by interfaces and archives: `England: F nth-nwy`."""
    return f"{power_of(order)}: {write(order, code)}"


def write(order: Order, place: PlaceWriter = short) -> str:
    """An order without its power: `A Mun S A Ber-Sil`."""
    if isinstance(order, Spelt):
        return order.spell(Shorthand(place))
    match order:  # the commonest first
        case Move():
            stops = "-".join(map(place, (*order.route, order.to)))
            said = " via convoy" if order.via_convoy and not order.route else ""
            return f"{write_unit(order.unit, place)}-{stops}{said}"
        case Support():
            target = f"-{place(order.to)}" if order.to is not None else ""
            return f"{write_unit(order.unit, place)} S {name_unit(order.supported, place, order.unit.power)}{target}"
        case Hold():
            return f"{write_unit(order.unit, place)} H"
        case Convoy():
            return f"{write_unit(order.unit, place)} C {write_unit(order.convoyed, place)}-{place(order.to)}"
        case Retreat():
            return f"{write_unit(order.unit, place)} R {place(order.to)}"
        case Disband():
            return f"{write_unit(order.unit, place)} disband"
        case Build():
            return f"Build {write_unit(order.unit, place)}"
        case Declaration():  # a declaration that is not a variant's own
            return "Waive"
