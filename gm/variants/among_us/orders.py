"""The orders of this game: adoption besides those of the standard game, and what the Alien may order (AU-1, AU-4,
AU-7).

A host's lines are understood as in the standard game and only from the public layer, so that no reply can reveal who
truly controls a unit or a centre.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gm.board import FiniteBoard, Power
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
from gm.orders.notation import Spelt
from gm.orders.possible import NOTHING, Need, legal_builds
from gm.position import PhaseKind, Position, Unit
from gm.variants import Variant
from gm.variants.among_us.state import (
    ALIEN,
    FILE,
    SAYS,
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

    brief, full = "Adopt {unit}", "ADOPT {unit}"


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
    board: FiniteBoard, position: Position, power: Power, written: WrittenOrder, need: Need = NOTHING
) -> Order:
    """The order as the power means it. Raises IllegalOrder, Ambiguous."""
    if power != ALIEN:
        if isinstance(written, Adopt):
            raise SAYS.refusal("only the Alien")
        return legality.understand(board, position, power, written, need)
    if isinstance(written, Adopt):
        return _adoption(board, position, written)
    if isinstance(written, Declaration):
        return legality.understand(board, position, ALIEN, written, need)
    if isinstance(written, Build):
        return _build(board, position, written, need)
    host = _controlled(board, position, written.unit).power
    if isinstance(written, Disband) and position.phase.kind is PhaseKind.ADJUSTMENT and need.count >= 0:
        raise SAYS.refusal("none to remove")
    return legality.understand(board, position, host, written, need)


def _controlled(board: FiniteBoard, position: Position, name: UnitName) -> Unit:
    """The unit that the Alien names. Raises IllegalOrder for one that the Alien does not control."""
    mine = units_to_order(position)
    there = board.province(name.at)
    if any(board.province(unit.at) == there for unit in mine):
        return legality.any_unit(board, mine, name)
    if adoptable_now(position):
        raise SAYS.refusal("not before")
    if owns_nothing(position):
        raise SAYS.refusal("control nothing")
    retreating = position.phase.kind is PhaseKind.RETREAT
    taken = any(board.province(unit.at) == there for unit in position.to_order)
    kind = "not yours" if taken else "not dislodged" if retreating else "no unit"
    raise SAYS.refusal(kind, at=there, yours=SAYS.note("you control" if mine else "you have none", units=mine))


def _adoption(board: FiniteBoard, position: Position, written: Adopt[UnitName]) -> Adopt[Unit]:
    """The adoption that is meant. Raises IllegalOrder."""
    if not owns_nothing(position):
        raise SAYS.refusal("adopted already")
    choices = adoptable_now(position)
    if not choices:
        raise SAYS.refusal("not in this phase")
    unit = legality.any_unit(board, position.units, written.unit)
    if unit in choices:
        return Adopt(unit)
    kind = "host before" if board.is_center(province_of(unit)) else "not on a centre"
    raise SAYS.refusal(kind, unit=unit, choices=choices)


def _build(board: FiniteBoard, position: Position, written: Build[UnitName], need: Need) -> Order:
    site = board.province(written.unit.at)
    if need.count > 0 and board.is_center(site) and site not in need.sites:
        kind = "no room" if site in Layer.of(position).centers else "not controlled"
        raise SAYS.refusal(kind, site=site, sites=sorted(need.sites))
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
