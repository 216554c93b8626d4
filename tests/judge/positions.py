"""Small random positions, crowded around a few seas so that convoys, cycles and paradoxes are frequent."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from gm.board import Board, Location, Power, Province, UnitKind
from gm.orders import Convoy, Hold, Move, Order, Support
from gm.orders.possible import destinations, fleets_at_sea, reaches
from gm.position import Unit

POWERS = tuple(map(Power, ("Austria", "England", "France")))

THEATRES = tuple(
    tuple(map(Province, text.split()))
    for text in (
        "lon wal yor bre pic bel hol eng nth iri",
        "nwy swe den ska nth bal bot fin kie edi",
        "tun nap rom apu gre tys ion adr alb aeg",
        "con bul smy ank bla aeg rum sev arm gre",
        "mar spa gas por lyo wes mao naf bre pie",
        "edi cly lvp nwg nao nth yor iri nwy eng",
    )
)
"""Provinces that lie close together."""


def random_situation(rng: random.Random, board: Board, count: int) -> tuple[list[Unit], list[Order]]:
    """Units of three powers in one theatre, and an order for each."""
    theatre = rng.choice(THEATRES)
    units: dict[Province, Unit] = {}
    orders: dict[Unit, Order] = {}
    for _ in range(rng.choice((0, 1, 1, 2))):
        _plot(rng, board, theatre, units, orders)
    for province in rng.sample(theatre, len(theatre)):
        if len(units) < count and province not in units:
            units[province] = _unit(rng, board, province)
    placed = sorted(units.values(), key=str)
    rng.shuffle(placed)
    return placed, random_orders(rng, board, placed, orders)


def _plot(
    rng: random.Random,
    board: Board,
    theatre: Sequence[Province],
    units: dict[Province, Unit],
    orders: dict[Unit, Order],
) -> None:
    """A convoy to where somebody supports an attack on the convoying fleet, or supports that fleet."""
    sea = rng.choice([p for p in theatre if not board.may_stand(UnitKind.ARMY, Location(p))])
    near = [p for p in theatre if board.may_step(UnitKind.FLEET, Location(sea), Location(p)) and p != sea]
    shores = [p for p in near if board.may_stand(UnitKind.ARMY, Location(p)) and p not in units]
    if len(shores) < 2 or sea in units:
        return
    origin, goal = rng.sample(shores, 2)
    attacked_from = rng.choice([p for p in near if p not in (origin, goal)] or [goal])
    if attacked_from in (goal, *units):
        return
    convoyer, enemy, third = rng.sample(POWERS, 3)
    army = Unit(convoyer, UnitKind.ARMY, Location(origin))
    fleet = Unit(rng.choice((convoyer, convoyer, third)), UnitKind.FLEET, Location(sea))
    supporter = Unit(rng.choice((enemy, enemy, third)), UnitKind.FLEET, Location(goal))
    attacker = Unit(enemy, UnitKind.FLEET, Location(attacked_from))
    units |= {origin: army, sea: fleet, goal: supporter, attacked_from: attacker}
    supported = Support(supporter, attacker, fleet.at) if rng.random() < 0.6 else Support(supporter, fleet)
    for order in (Move(army, Location(goal)), Convoy(fleet, army, Location(goal)), supported, Move(attacker, fleet.at)):
        orders[order.unit] = order


def _unit(rng: random.Random, board: Board, province: Province) -> Unit:
    at = Location(province)
    if not board.may_stand(UnitKind.ARMY, at) or (board.coasts(province) and rng.random() < 0.4):
        return Unit(rng.choice(POWERS), UnitKind.FLEET, rng.choice(board.coasts(province)))
    return Unit(rng.choice(POWERS), UnitKind.ARMY, at)


def random_orders(rng: random.Random, board: Board, units: Sequence[Unit], given: Mapping[Unit, Order]) -> list[Order]:
    """One possible order for each unit without one, such that units get in each other's way.

    Armies mostly move to occupied provinces, by sea if they can; fleets at sea mostly convoy them; the others attack
    the convoying fleets, or support whatever they can.
    """
    orders = dict(given)
    for unit in units:
        if unit not in orders and unit.kind is UnitKind.ARMY and rng.random() < 0.8:
            orders[unit] = _move(rng, board, unit, units)
    for unit in units:
        convoys = _convoys(board, unit, orders.values())
        if unit not in orders and convoys and rng.random() < 0.75:
            orders[unit] = rng.choice(convoys)
    for unit in units:
        if unit not in orders and rng.random() < 0.45:
            orders[unit] = _move(rng, board, unit, units)
    for unit in units:
        if unit not in orders:
            choices = _supports(rng, board, unit, units, orders.values())
            orders[unit] = rng.choice(choices) if choices else Hold(unit)
    return [orders[unit] for unit in units]


def _move(rng: random.Random, board: Board, unit: Unit, units: Sequence[Unit]) -> Move[Unit]:
    goals = destinations(board, fleets_at_sea(board, units), unit)
    by_sea = [to for to in goals if not board.may_step(unit.kind, unit.at, to)]
    goals = by_sea if by_sea and rng.random() < 0.6 else goals
    taken = {board.province(other.at) for other in units}
    crowded = [to for to in goals if board.province(to) in taken]
    to = rng.choice(crowded if crowded and rng.random() < 0.8 else goals)
    return Move(unit, to, via_convoy=unit.kind is UnitKind.ARMY and rng.random() < 0.25)


def _convoys(board: Board, unit: Unit, orders: Iterable[Order]) -> list[Order]:
    if unit.kind is not UnitKind.FLEET or not board.can_convoy(unit.at):
        return []
    moves = (order for order in orders if isinstance(order, Move) and order.unit.kind is UnitKind.ARMY)
    return [Convoy(unit, move.unit, move.to) for move in moves]


def _supports(
    rng: random.Random, board: Board, unit: Unit, units: Sequence[Unit], orders: Iterable[Order]
) -> list[Order]:
    """Supports that fit; those of attacks on convoying fleets and of the fleets themselves twice as likely."""
    given = list(orders)
    here, convoying = board.province(unit.at), {order.unit for order in given if isinstance(order, Convoy)}
    at_stake = {board.province(fleet.at) for fleet in convoying}
    choices: list[Order] = []
    for order in given:
        if isinstance(order, Move):
            goal = board.province(order.to)
            if goal != here and order.unit != unit and reaches(board, unit, goal):
                to = order.to if rng.random() < 0.7 else Location(goal)
                choices += [Support(unit, order.unit, to)] * (3 if goal in at_stake else 1)
    moving = {order.unit for order in given if isinstance(order, Move)}
    for other in units:
        if other != unit and other not in moving and reaches(board, unit, board.province(other.at)):
            choices += [Support(unit, other)] * (2 if other in convoying else 1)
    return choices
