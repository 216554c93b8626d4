"""Orders and units written out in full, as the established judges do: `Army Bohemia -> Silesia`.

Receipts and forms use the short notation (`gm.orders.notation`), which is what players type; results use full names,
so that you need not look up a code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gm.board import FiniteBoard, Location, Power, Terrain
from gm.orders import Build, Convoy, Declaration, Disband, Move, Order, Retreat, Support
from gm.orders.notation import Spelt
from gm.position import PhaseKind, Unit


def by_unit(units: Sequence[Unit]) -> Callable[[Order], int]:
    """A key that sorts orders as their units stand in the list; orders for none of these stay last, as they came."""
    places = {unit: place for place, unit in enumerate(units)}
    return lambda order: len(places) if isinstance(order, Declaration) else places.get(order.unit, len(places))


@dataclass(frozen=True, slots=True)
class Longhand:
    """Writes for one board and one kind of phase; `adjectives` are the powers' (`Austrian`)."""

    board: FiniteBoard
    adjectives: Mapping[Power, str]
    phase: PhaseKind

    def place(self, at: Location) -> str:
        """`St Petersburg (south coast)`."""
        return self.board.full_name(at)

    def placed(self, at: Location) -> str:
        """A place behind a preposition: `Vienna`, `the North Sea`."""
        at_sea = self.board.terrain(self.board.province(at)) is Terrain.SEA
        return f"the {self.place(at)}" if at_sea else self.place(at)

    def unit(self, unit: Unit) -> str:
        """`Fleet St Petersburg (south coast)`."""
        return f"{unit.kind.word.capitalize()} {self.place(unit.at)}"

    def adjective(self, power: Power) -> str:
        """`Austrian`, or `Austria's`."""
        return self.adjectives.get(power) or f"{power}'s"

    def foreign(self, unit: Unit, reader: Power) -> str:
        """A unit with its nationality where that is not the reader's: `Austrian Army Vienna`."""
        return self.unit(unit) if unit.power == reader else f"{self.adjective(unit.power)} {self.unit(unit)}"

    def verb(self, brief: str, full: str) -> str:  # noqa: ARG002 (the pen of gm.orders.notation writes `brief`)
        """The word for what is done, in full."""
        return full

    def order(self, order: Order) -> str:
        """`Army Vienna SUPPORT Russian Army Warsaw -> Galicia`."""
        match order:
            case Spelt():
                return order.spell(self)
            case Declaration():  # the one that is no variant's own
                return "Build waived"
            case Build():
                return f"Build {self.unit(order.unit)}"
            case Disband() if self.phase is PhaseKind.ADJUSTMENT:
                return f"Remove {self.unit(order.unit)}"
        return f"{self.unit(order.unit)} {self._done(order)}"

    def _done(self, order: Order) -> str:
        """What an order has its unit do."""
        match order:
            case Disband():
                return "DISBAND"
            case Move():
                said = " via convoy" if order.via_convoy and not order.route else ""
                return " ".join(f"-> {self.place(at)}" for at in (*order.route, order.to)) + said
            case Support():
                target = f" -> {self.place(order.to)}" if order.to is not None else ""
                return f"SUPPORT {self.foreign(order.supported, order.unit.power)}{target}"
            case Convoy():
                return f"CONVOY {self.foreign(order.convoyed, order.unit.power)} -> {self.place(order.to)}"
            case Retreat():
                return f"-> {self.place(order.to)}"
        return "HOLD"
