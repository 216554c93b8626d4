"""What a power may know in fog, found anew from the text of the rulings; pairs of worlds that differ in nothing of it.

Nothing here uses `gm.variants.fog`: `known` is a table of facts, made with a border table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from gm.advance import advance
from gm.board import Location, Power, Province, UnitKind, standard_board
from gm.chance import Chance
from gm.errors import IllegalOrder
from gm.judge.outcomes import Outcome, Result
from gm.orders import Build, Convoy, Declaration, Disband, Move, Order, Retreat, Support, UnitName, power_of
from gm.orders.notation import write
from gm.position import Phase, PhaseKind, Position, Season, Unit
from gm.turn import Turn
from gm.variants import all_variants
from tests.variants.random_play import random_orders

FOG = all_variants()["fog"]
BOARD = standard_board()
CHANCE = Chance(bytes(32), "twins")


@cache
def near(province: Province) -> frozenset[Province]:
    """The province and those that an army or a fleet could step to from it (FW-1)."""
    places = [at for at in BOARD.aliases.values() if BOARD.province(at) == province]
    places += [*BOARD.coasts(province), Location(province)]
    kinds = (UnitKind.ARMY, UnitKind.FLEET)
    every = [Location(one) for one in BOARD.provinces] + [at for one in BOARD.provinces for at in BOARD.coasts(one)]
    reached = {BOARD.province(to) for to in every for at in places for kind in kinds if BOARD.may_step(kind, at, to)}
    return frozenset({province, *reached})


def in_sight(position: Position, power: Power) -> frozenset[Province]:
    units = [*position.units, *(one.unit for one in position.dislodged)]
    own = [BOARD.province(unit.at) for unit in units if unit.power == power]
    own += [province for province, owner in position.centers.items() if owner == power]
    return frozenset().union(*map(near, own))


def known(turn: Turn, power: Power) -> dict[str, Any]:
    """Everything that FW-2 to FW-4 let the power know of a turn."""
    before, after = turn.before, turn.after
    sight = in_sight(before, power) | in_sight(after, power)
    shown: dict[str, Any] = {"now": before.phase.code, "next": after.phase.code, "won": turn.victory}
    for name, position in (("before", before), ("after", after)):
        shown[name] = {
            "sight": sorted(in_sight(position, power)),
            "units": sorted(str(unit) for unit in position.units if BOARD.province(unit.at) in sight),
            "driven": sorted(str(d.unit) for d in position.dislodged if BOARD.province(d.unit.at) in sight),
            "from": sorted(
                (str(d.unit), d.origin if d.origin in sight else "", d.convoyed or d.origin not in sight)
                for d in position.dislodged
                if BOARD.province(d.unit.at) in sight
            ),
            "owners": sorted((p, owner) for p, owner in position.centers.items() if p in sight),
        }
    shown["destroyed"] = sorted(str(d.unit) for d in turn.destroyed if BOARD.province(d.unit.at) in sight)
    shown["orders"] = sorted(filter(None, (_of(one, turn, power, sight) for one in turn.outcomes)))
    shown["own"] = [write(order) for order in turn.orders.get(power, ())]
    shown["silent"] = power in turn.silent
    return shown


def _of(outcome: Outcome, turn: Turn, power: Power, sight: frozenset[Province]) -> str:
    """An order and its result, as far as they are in sight."""
    order, own = outcome.order, power_of(outcome.order) == power
    if isinstance(order, Declaration):
        return f"{power} {write(order)} {outcome.result}" if own else ""
    if isinstance(order, Build) and not outcome.succeeded and not own:
        return ""
    starts = BOARD.province(order.unit.at) in sight
    goal = BOARD.province(order.to) if isinstance(order, Move | Retreat) else None
    driven = " driven out" if outcome.dislodged_by is not None else ""
    if not own and goal is not None and (goal not in sight or not starts):
        if starts:
            return f"{order.unit} leaves {_result(outcome, own)}{driven}"
        arrives = outcome.succeeded and goal in sight
        return f"{order.unit.power} {order.unit.kind} comes to {order.to}" if arrives else ""  # type: ignore[union-attr]
    if not (own or starts):
        return ""
    told = _result(outcome, own)
    if isinstance(order, Support | Convoy) and not _saw_partner(order, turn, sight):
        told = "?"
    words = write(order)
    if isinstance(order, Move) and not own:
        words = write(Move(order.unit, order.to))
    return f"{order.unit.power} {words} {told}{driven}"


def _result(outcome: Outcome, own: bool) -> str:
    """The result as it is seen: why a move by sea or a retreat failed is not, nor whether others gave an order."""
    if isinstance(outcome.order, Move) and outcome.result in (Result.NO_CONVOY, Result.DISRUPTED, Result.ILLEGAL):
        return "no convoy"
    if isinstance(outcome.order, Retreat) and not outcome.succeeded:
        return "failed"
    if isinstance(outcome.order, Disband) and not own:
        return "gone"
    return str(outcome.result)


def _saw_partner(order: Support[Unit] | Convoy[Unit], turn: Turn, sight: frozenset[Province]) -> bool:
    """Whether the order that this one helps was seen: a hold in sight, or a move of which an end was in sight."""
    helped = BOARD.province((order.supported if isinstance(order, Support) else order.convoyed).at)
    if order.to is None:
        return helped in sight
    for one in turn.outcomes:
        move = one.order
        if isinstance(move, Move) and BOARD.province(move.unit.at) == helped:
            goal = BOARD.province(move.to)
            if goal == BOARD.province(order.to):
                return helped in sight or (one.succeeded and goal in sight)
    return False


# Pairs of worlds


@dataclass(frozen=True)
class Twins:
    """Two turns of which one power may know the same."""

    power: Power
    one: Turn
    other: Turn


PHASES = (
    Phase(1903, Season.SPRING, PhaseKind.MOVEMENT),
    Phase(1903, Season.FALL, PhaseKind.MOVEMENT),
    Phase(1903, Season.WINTER, PhaseKind.ADJUSTMENT),
)


def pairs(seed: int, number: int) -> Iterator[Twins]:
    """So many pairs, of movements, retreats and winters."""
    dice, found = Random(seed), 0
    while found < number:
        position = _random_position(dice)
        first = advance(FOG, position, _given(position, dice), CHANCE)
        for power in dice.sample(FOG.seating.powers, 3):
            second = _changed(first, power, dice)
            if known(first, power) == known(second, power):
                found += 1
                yield Twins(power, first, second)
            if found == number:
                return


def _random_position(dice: Random) -> Position:
    """Units and owners anywhere; a third of the movements goes on to its retreats."""
    powers = FOG.seating.powers
    places = dice.sample(BOARD.provinces, dice.randint(10, 34))
    units = [_random_unit(dice, province, dice.choice(powers)) for province in places]
    owned = dice.sample(BOARD.centers, dice.randint(14, 34))
    phase = dice.choice(PHASES)
    position = Position(phase, tuple(units), {province: dice.choice(powers) for province in owned})
    if phase.kind is PhaseKind.MOVEMENT and dice.random() < 0.4:
        for _ in range(20):
            turn = advance(FOG, position, _given(position, dice), CHANCE)
            if turn.after.phase.kind is PhaseKind.RETREAT:
                return turn.after
    return position


def _random_unit(dice: Random, province: Province, power: Power) -> Unit:
    places = [(UnitKind.FLEET, at) for at in BOARD.coasts(province)]
    if BOARD.may_stand(UnitKind.ARMY, Location(province)):
        places.append((UnitKind.ARMY, Location(province)))
    return Unit(power, *dice.choice(places))


def _given(position: Position, dice: Random) -> dict[Power, tuple[Order, ...]]:
    """Random orders as their powers write them: some of them for what they do not see, there or not."""
    return {
        power: tuple(_as_written(position, power, order, dice) for order in own)
        for power, own in random_orders(FOG, position, dice).items()
    }


def _as_written(position: Position, power: Power, order: Order, dice: Random) -> Order:
    if not isinstance(order, Support | Convoy):
        return order
    helped = order.supported if isinstance(order, Support) else order.convoyed
    name, unit = UnitName(helped.at), UnitName(order.unit.at)
    if isinstance(order, Support) and order.to is not None and dice.random() < 0.3:
        at = dice.choice((Location(dice.choice(BOARD.provinces)), dice.choice(position.units).at))
        name = UnitName(at, dice.choice((None, UnitKind.ARMY, UnitKind.FLEET)))
    try:
        if isinstance(order, Convoy):
            return FOG.order_of(position, power, None, Convoy(unit, name, order.to))
        return FOG.order_of(position, power, None, Support(unit, name, order.to))
    except IllegalOrder:
        return order


def _changed(turn: Turn, power: Power, dice: Random) -> Turn:
    """Another world: what is out of the power's sight before the phase is other, and is ordered otherwise."""
    before, sight = turn.before, in_sight(turn.before, power)
    units, gone = list[Unit](), set[Unit]()
    for unit in before.units:
        hidden = BOARD.province(unit.at) not in sight
        if hidden and dice.random() < 0.3:
            gone.add(unit)
            if dice.random() < 0.6:
                units.append(_random_unit(dice, BOARD.province(unit.at), dice.choice(_others(power))))
        else:
            units.append(unit)
    taken = {BOARD.province(unit.at) for unit in units}
    for province in dice.sample(BOARD.provinces, 6):
        if province not in sight and province not in taken and dice.random() < 0.3:
            units.append(_random_unit(dice, province, dice.choice(_others(power))))
    centers = {p: owner for p, owner in before.centers.items() if p in sight or dice.random() < 0.7}
    for province in dice.sample(BOARD.centers, 6):
        if province not in sight:
            centers[province] = dice.choice(_others(power))
    dislodged = tuple(d for d in before.dislodged if BOARD.province(d.unit.at) in sight or dice.random() < 0.6)
    seen_standoffs = before.extra.get("standoffs", {}).get(power, ())
    contested = frozenset(p for p in before.contested if p in seen_standoffs or dice.random() < 0.5)
    kept = before.phase.kind is PhaseKind.RETREAT
    other = replace(
        before,
        units=before.units if kept else tuple(units),
        centers=centers,
        dislodged=dislodged,
        contested=contested,
    )
    fresh, given = _given(other, dice), dict[Power, tuple[Order, ...]]()
    for one in FOG.seating.powers:
        given[one] = tuple(_kept(turn.orders.get(one, ()), fresh.get(one, ()), other, sight, dice))
    given[power] = turn.orders.get(power, ())
    listed = dice.sample(list(given), len(given))
    return advance(FOG, other, {one: given[one] for one in listed if given[one] or one in turn.orders}, CHANCE)


def _kept(
    old: tuple[Order, ...], fresh: tuple[Order, ...], position: Position, sight: frozenset[Province], dice: Random
) -> Iterator[Order]:
    """The orders of units in sight as they were, those of others anew or as they were; in any order."""
    there = {*position.units, *(d.unit for d in position.dislodged)}

    def seen(order: Order) -> bool:
        return not isinstance(order, Declaration) and BOARD.province(order.unit.at) in sight

    anew = dice.random() < 0.7
    orders = [order for order in old if seen(order)]
    orders += [order for order in (fresh if anew else old) if not seen(order)]
    orders = [one for one in orders if isinstance(one, Declaration | Build) or one.unit in there]
    yield from (_about_what_is_there(position, one) for one in dice.sample(orders, len(orders)))


def _about_what_is_there(position: Position, order: Order) -> Order:
    """The same order as written: of the unit that is there in this world, if there is one."""
    if not isinstance(order, Support | Convoy):
        return order
    helped = order.supported if isinstance(order, Support) else order.convoyed
    there = [unit for unit in position.units if BOARD.province(unit.at) == BOARD.province(helped.at)]
    if helped in there or not there or helped.power not in FOG.seating.powers:
        return order
    return replace(order, supported=there[0]) if isinstance(order, Support) else replace(order, convoyed=there[0])


def _others(power: Power) -> list[Power]:
    return [one for one in FOG.seating.powers if one != power]
