"""Convoys: which fleets carry which army, over which routes, and who goes by sea that could walk.

Place: after the orders are compiled, before anything is decided. Whether a convoy holds is decided in
`gm.judge.decisions`.
"""

from __future__ import annotations

from gm.board import Travel
from gm.judge.outcomes import Why
from gm.judge.phase import BY_CONVOY, BY_EITHER, BY_LAND, NOBODY, SUPPORT, Compiled, all_fleets
from gm.judge.rulebook import AdjacentRule, ParadoxRule, RouteRule
from gm.orders import Move
from gm.orders.routes import may_be_convoyed, may_help, routes
from gm.position import Unit


def match_convoys(phase: Compiled) -> None:
    """Give every convoy order to the army that moves as it says; else it is void."""
    province = phase.board.province
    for unit, order in phase.convoying:
        army = phase.by_province.get(province(order.convoyed.at), NOBODY)
        if army == NOBODY or phase.units[army] != order.convoyed or order.convoyed.kind.travel is not Travel.LAND:
            phase.void[unit] = Why.NO_SUCH_UNIT
        elif phase.target[army] != province(order.to):
            phase.void[unit] = Why.ORDERED_OTHERWISE
        else:
            phase.convoyers.setdefault(army, []).append(unit)


def arrange_convoys(phase: Compiled) -> None:
    """Find the routes, and settle who goes by land and who by sea."""
    for army, order in phase.moving:
        if order.unit.kind.travel is not Travel.LAND or not order.crosses_border:
            continue
        if phase.way[army] == BY_LAND and not order.via_convoy and army not in phase.convoyers:
            continue
        phase.routes[army] = ordered_routes(phase, army, order)
        if phase.way[army] == BY_LAND:
            phase.way[army] = way_to_adjacent(phase, army, order)
        note_needless_fleets(phase, army)
        if phase.rulebook.paradox is ParadoxRule.ATTACK_ON_CONVOY:
            note_immune_support(phase, army)


def ordered_routes(phase: Compiled, army: int, order: Move[Unit]) -> list[tuple[int, ...]]:
    """The army's routes over fleets ordered to convoy it.

    A route that the army's order spells out is the only one where the loss of any route is fatal (1971); elsewhere it
    shows the intent and no more.
    """
    fleets = {phase.units[fleet].at: fleet for fleet in phase.convoyers.get(army, ())}
    if phase.rulebook.routes is RouteRule.EVERY and order.route:
        return [tuple(fleets[at] for at in order.route)] if all(at in fleets for at in order.route) else []
    found = routes(phase.board, fleets, phase.at[army], phase.board.province(order.to))
    return [tuple(fleets[at] for at in route) for route in found]


def way_to_adjacent(phase: Compiled, army: int, order: Move[Unit]) -> int:
    """How an army goes to a province it borders (DATC 4.A.3)."""
    if phase.rulebook.adjacent is AdjacentRule.OPPOSITE:
        meets = phase.defender[army]
        opposite = meets != NOBODY and phase.target[meets] == phase.at[army]
        return BY_EITHER if opposite and phase.routes[army] else BY_LAND
    if not intends_convoy(phase, army, order):
        return BY_LAND
    return BY_LAND if phase.rulebook.land_fallback and not phase.routes[army] else BY_CONVOY


def intends_convoy(phase: Compiled, army: int, order: Move[Unit]) -> bool:
    """Whether its power showed that the army should go by sea. Impossible orders show nothing (DATC 6.G.7, 6.G.19)."""
    board, units, origin = phase.board, phase.units, phase.at[army]
    target = board.province(order.to)
    if order.via_convoy and may_be_convoyed(board, phase.seas, origin, target):
        return True
    own = [units[fleet].at for fleet in phase.convoyers.get(army, ()) if units[fleet].power == order.unit.power]
    return any(may_help(board, phase.seas, at, origin, target) for at in own)


def note_needless_fleets(phase: Compiled, army: int) -> None:
    """The orders of fleets that carry nobody are void: the army walks, or no route needs them."""
    carrying = all_fleets(phase.routes[army]) if phase.way[army] != BY_LAND else ()
    for fleet in phase.convoyers.get(army, ()):
        if fleet not in carrying:
            phase.void[fleet] = Why.NEEDLESS


def note_immune_support(phase: Compiled, army: int) -> None:
    """1971: the army does not cut support to an attack on one of the fleets that convoy it (DATC 4.A.2).

    This goes before the rule that dislodgement cuts: the support counts even if the army drives its unit out (6.F.17).
    """
    supporter = phase.defender[army]
    if phase.way[army] != BY_CONVOY or supporter == NOBODY or phase.action[supporter] != SUPPORT:
        return
    attacked = phase.toward[supporter]
    if any(phase.at[fleet] == attacked for fleet in all_fleets(phase.routes[army])):
        phase.immune.add((army, supporter))


def meet_head_to_head(phase: Compiled) -> None:
    """Two units that move to each other's provinces over the border between them meet head to head."""
    over_land = {unit for unit, order in phase.moving if phase.way[unit] != BY_CONVOY and order.crosses_border}
    for unit in over_land:
        meets = phase.defender[unit]
        if meets in over_land and phase.defender[meets] == unit:
            phase.opponent[unit] = meets
