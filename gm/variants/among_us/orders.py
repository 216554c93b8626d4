"""The orders of this game: adoption besides those of the standard game, and what the Alien may order (AU-1, AU-4,
AU-7).

A host's lines are understood as in the standard game and only from the public layer, so that no reply can reveal who
truly controls a unit or a centre.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gm.board import FiniteBoard, Location, Power
from gm.errors import IllegalOrder
from gm.orders import (
    Build,
    Declaration,
    Dialect,
    Disband,
    Hold,
    Language,
    Order,
    U,
    UnitName,
    Waive,
    WrittenOrder,
    legality,
    order_sets,
    unit_of,
)
from gm.orders.notation import Pen, Spelt, short, write_unit
from gm.orders.possible import NOTHING, Need, legal_builds
from gm.position import PhaseKind, Position, Unit
from gm.variants import Variant
from gm.variants.among_us.state import (
    ALIEN,
    FILE,
    Layer,
    adoptable_now,
    nationality,
    owns_nothing,
    province_of,
    surplus,
    units_to_order,
)


@dataclass(frozen=True)
class Adopt(Spelt, Hold[U]):
    """The Alien takes control of a unit and of the centre it is on: `ADOPT A SMY`."""

    def spell(self, pen: Pen) -> str:
        return f"{pen.verb('Adopt', 'ADOPT')} {pen.unit(self.unit)}"


LANGUAGE = Language(dialects=(Dialect("among_us", {"adopt": Adopt}),), spellings=lambda _: FILE.words, orders=(Adopt,))


# Needs


def needs(board: FiniteBoard, position: Position, power: Power) -> Need:
    """What a power may name in Winter.

    A host that truly has too many units names removals; any other may name builds in every vacant home centre that is
    publicly its own, because only the Alien knows its true number of centres.
    """
    short_of = surplus(position, power)
    if short_of < 0:
        return Need(short_of)
    layer = Layer.of(position)
    occupied = {board.province(unit.at) for unit in position.units}
    if power == ALIEN:
        return Need.of(short_of, layer.centers - occupied)
    homes = frozenset(c for c in position.centers_of(power) if board.home(c) == power and c not in occupied)
    return Need(len(homes), homes, wishes=True) if homes else NOTHING


def offered(game: Variant, position: Position, power: Power) -> tuple[tuple[Order, ...], ...]:
    """For the Alien: an adoption, or what each unit and each vacant centre under its control can do."""
    if power != ALIEN:
        return ()
    if choices := adoptable_now(position):
        return (tuple(map(Adopt, choices)),)
    board = game.board(position)
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        need = needs(board, position, ALIEN)
        sites = sorted(need.sites)[: max(0, need.count)]
        return tuple(legal_builds(board, nationality(s), replace(need, sites=frozenset((s,))))[:-1] for s in sites)
    return tuple(game.legal_orders(board, position, unit, NOTHING) for unit in units_to_order(position))


# Understanding


def understand(
    board: FiniteBoard,
    position: Position,
    power: Power,
    written: WrittenOrder,
    need: Need = NOTHING,
) -> Order:
    """The order as the power means it. Raises IllegalOrder, Ambiguous."""
    if power != ALIEN:
        if isinstance(written, Adopt):
            raise IllegalOrder("Only the Alien adopts units.")
        return legality.understand(board, position, power, written, need)
    if isinstance(written, Adopt):
        return _adoption(board, position, written)
    if isinstance(written, Declaration):
        return legality.understand(board, position, ALIEN, written, need)
    if isinstance(written, Build):
        return _build(board, position, written, need)
    host = _controlled(board, position, written.unit).power
    if isinstance(written, Disband) and position.phase.kind is PhaseKind.ADJUSTMENT and need.count >= 0:
        raise IllegalOrder("You have no unit to remove.", "You have as many centres as units, or more.")
    return legality.understand(board, position, host, written, need)


def _controlled(board: FiniteBoard, position: Position, name: UnitName) -> Unit:
    """The unit that the Alien names. Raises IllegalOrder for one that the Alien does not control."""
    mine = units_to_order(position)
    there = board.province(name.at)
    if any(board.province(unit.at) == there for unit in mine):
        return legality.any_unit(board, mine, name)
    if adoptable_now(position):
        raise IllegalOrder("No unit is yours before the players' orders are closed.", _FROM_THEN_ON)
    if owns_nothing(position):
        raise IllegalOrder("You control nothing now.", _WHEN)
    place, yours = short(Location(there)), ", ".join(write_unit(unit) for unit in mine)
    retreating = position.phase.kind is PhaseKind.RETREAT
    nobodys = "No unit was dislodged from" if retreating else "There is no unit in"
    taken = any(board.province(unit.at) == there for unit in position.to_order)
    problem = f"The unit in {place} is not yours." if taken else f"{nobodys} {place}."
    raise IllegalOrder(problem, f"You control {yours}." if yours else "You have none now.")


_FROM_THEN_ON = (
    "The unit that you name with ADOPT is yours from then on: you are sent its orders of this phase, and can change"
    " them."
)
_WHEN = "You may adopt a unit before the orders of a Spring are closed: ADOPT and a unit on a supply centre."


def _adoption(board: FiniteBoard, position: Position, written: Adopt[UnitName]) -> Adopt[Unit]:
    """The adoption that is meant. Raises IllegalOrder."""
    if not owns_nothing(position):
        raise IllegalOrder("You have adopted a unit already.", "Order what you control.")
    choices = adoptable_now(position)
    if not choices:
        raise IllegalOrder("Nothing can be adopted in this phase.", _WHEN)
    unit = legality.any_unit(board, position.units, written.unit)
    if unit in choices:
        return Adopt(unit)
    open_to_you = f"You can adopt {', '.join(map(write_unit, choices))}."
    if not board.is_center(province_of(unit)):
        raise IllegalOrder(f"{write_unit(unit)} is not on a supply centre.", open_to_you)
    raise IllegalOrder(f"{unit.power} has been your host before.", open_to_you)


def _build(board: FiniteBoard, position: Position, written: Build[UnitName], need: Need) -> Order:
    site = board.province(written.unit.at)
    if need.count > 0 and board.is_center(site) and site not in need.sites:
        place = board.full_name(Location(site))
        mine = site in Layer.of(position).centers
        open_to_the_alien = ", ".join(short(Location(s)) for s in sorted(need.sites))
        raise IllegalOrder(
            f"You cannot build in {place}: {'there is a unit in it' if mine else 'you do not control it'}.",
            f"You can build in: {open_to_the_alien}.",
        )
    return legality.understand(board, position, nationality(site), written, need)


# Later orders


def merge(position: Position, earlier: Sequence[Order], later: Sequence[Order]) -> tuple[Order, ...]:
    """Later orders replace earlier ones by unit; builds and removals as a whole (ST-7). Of two adoptions the later
    counts; an adoption is not an order of its unit. What the Alien ordered and does not control, since the phase is
    played again, is dropped by a new adoption.
    """
    adoptions = [order for order in (*earlier, *later) if isinstance(order, Adopt)]
    old, new = ([order for order in given if not isinstance(order, Adopt)] for given in (earlier, later))
    if any(isinstance(order, Adopt) for order in later):
        layer = Layer.of(position)
        old = [order for order in old if (unit := unit_of(order)) is not None and layer.has(unit)]
    return (*adoptions[-1:], *order_sets.merge(position.phase.kind, old, new, position.units))


def by_unit(orders: Iterable[Order]) -> dict[Unit, Order]:
    """The orders of a movement or retreat phase by unit; of several for one unit, the last."""
    return {order.unit: order for order in orders if not isinstance(order, Declaration | Adopt)}


def waives(orders: Iterable[Any]) -> int:
    """The number of builds that are waived."""
    return sum(isinstance(order, Waive) for order in orders)
