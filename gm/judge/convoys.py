"""Convoys: which fleets carry which army, over which routes, and who goes by sea that could walk.

Place: after the orders are compiled, before anything is decided. What becomes of a convoy is decided in
`gm.judge.decisions`.
"""

from __future__ import annotations

from gm.board import UnitKind
from gm.judge.compiled import BY_CONVOY, BY_EITHER, BY_LAND, CONVOY, MOVE, NOBODY, SUPPORT, Compiled
from gm.judge.outcome import Why
from gm.judge.rulebook import AdjacentRule, ParadoxRule, RouteRule
from gm.orders import Convoy, Move, Support
from gm.orders.routes import may_be_convoyed, may_help, routes


def arrange_convoys(phase: Compiled) -> None:
    """Match fleets with armies, find the routes, and settle who goes by land and who by sea."""
    match_convoys(phase)
    by_sea = [unit for unit, action in enumerate(phase.action) if action == MOVE and phase.way[unit] == BY_CONVOY]
    for army in sorted({*phase.convoyers, *by_sea, *_said_via_convoy(phase)}):
        phase.routes[army] = ordered_routes(phase, army)
        if phase.way[army] == BY_LAND:
            phase.way[army] = way_to_adjacent(phase, army)
        _note_needless_fleets(phase, army)
        if phase.rulebook.paradox is ParadoxRule.ATTACK_ON_CONVOY:
            _note_immune_support(phase, army)
    _set_head_to_head(phase)


def _said_via_convoy(phase: Compiled) -> list[int]:
    return [
        unit
        for unit, order in enumerate(phase.orders)
        if phase.action[unit] == MOVE and isinstance(order, Move) and order.via_convoy
        and order.unit.kind is UnitKind.ARMY and order.crosses_border
    ]  # fmt: skip


def match_convoys(phase: Compiled) -> None:
    """Give every convoy order to the army that moves as it says; else it is void."""
    province = phase.board.province
    for unit, action in enumerate(phase.action):
        if action != CONVOY:
            continue
        order = phase.orders[unit]
        assert isinstance(order, Convoy)
        army = phase.by_province.get(province(order.convoyed.at), NOBODY)
        if army < 0 or phase.units[army] != order.convoyed or order.convoyed.kind is not UnitKind.ARMY:
            phase.void[unit] = Why.NO_SUCH_UNIT
        elif phase.target[army] != province(order.to):
            phase.void[unit] = Why.ORDERED_OTHERWISE
        else:
            phase.convoyers.setdefault(army, []).append(unit)


def ordered_routes(phase: Compiled, army: int) -> list[tuple[int, ...]]:
    """The army's routes over fleets ordered to convoy it.

    A route it spelled out is the only one where one lost route is fatal (1971); elsewhere it shows intent and no more.
    """
    target, order = phase.target[army], phase.orders[army]
    assert target is not None
    assert isinstance(order, Move)
    fleets = {phase.units[fleet].at: fleet for fleet in phase.convoyers.get(army, ())}
    if phase.rulebook.routes is RouteRule.EVERY and order.route:
        named = order.route
        return [tuple(fleets[at] for at in named)] if all(at in fleets for at in named) else []
    return [tuple(fleets[at] for at in route) for route in routes(phase.board, fleets, phase.at[army], target)]


def way_to_adjacent(phase: Compiled, army: int) -> int:
    """How an army goes to a province it borders (DATC 4.A.3)."""
    if phase.rulebook.adjacent is AdjacentRule.OPPOSITE:
        meets = phase.defender[army]
        opposite = meets >= 0 and phase.target[meets] == phase.at[army]
        return BY_EITHER if opposite and phase.routes[army] else BY_LAND
    if not intends_convoy(phase, army):
        return BY_LAND
    return BY_LAND if phase.rulebook.land_fallback and not phase.routes[army] else BY_CONVOY


def intends_convoy(phase: Compiled, army: int) -> bool:
    """Whether its power showed that the army should go by sea. Impossible orders show nothing (DATC 6.G.7, 6.G.19)."""
    order, origin, target = phase.orders[army], phase.at[army], phase.target[army]
    assert target is not None
    assert isinstance(order, Move)
    if order.via_convoy and may_be_convoyed(phase.board, phase.units, origin, target):
        return True
    power = phase.units[army].power
    own = [phase.units[fleet].at for fleet in phase.convoyers.get(army, ()) if phase.units[fleet].power == power]
    return any(may_help(phase.board, phase.units, at, origin, target) for at in own)


def _note_needless_fleets(phase: Compiled, army: int) -> None:
    """The orders of fleets that carry nobody are void: the army walks, or no route needs them."""
    carrying = {fleet for route in phase.routes[army] for fleet in route} if phase.way[army] != BY_LAND else set()
    for fleet in phase.convoyers.get(army, ()):
        if fleet not in carrying:
            phase.void[fleet] = Why.NEEDLESS


def _note_immune_support(phase: Compiled, army: int) -> None:
    """1971: the army does not cut support to an attack on one of the fleets that convoy it (DATC 4.A.2)."""
    supporter = phase.defender[army]
    if phase.way[army] != BY_CONVOY or supporter < 0 or phase.action[supporter] != SUPPORT:
        return
    order = phase.orders[supporter]
    assert isinstance(order, Support)
    if order.to is None:
        return
    attacked = phase.board.province(order.to)
    if any(phase.at[fleet] == attacked for route in phase.routes[army] for fleet in route):
        phase.immune.add((army, supporter))


def _set_head_to_head(phase: Compiled) -> None:
    """Two units that move to each other's provinces over the border between them meet head to head."""
    for unit, meets in enumerate(phase.defender):
        if meets < 0 or phase.target[meets] != phase.at[unit]:
            continue
        if phase.way[unit] != BY_CONVOY and phase.way[meets] != BY_CONVOY:
            crossing = (phase.orders[unit], phase.orders[meets])
            if all(isinstance(order, Move) and order.crosses_border for order in crossing):
                phase.opponent[unit] = meets
