"""Adjudication of a phase; attempts to colonize, recorded when units move and decided at the season's end (OS-8 to
OS-10); Winter.

Between a movement phase and the end of its season `Position.extra` contains:

    "attempts": [{"empire": "Krell", "province": "bur", "rivals": ["Zorg"]}, ...]

`rivals` are the other empires that attempted to colonize the province or ordered a legal move or beam into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gm.board import Board, FiniteBoard, Location, Power, Province
from gm.chance import Chance
from gm.judge import Rulebook
from gm.judge.outcomes import NO_FACTS, Outcome, Resolution, Result, Why
from gm.judge.retreats_and_adjustments import removal_order
from gm.orders import Hold, Move, Order
from gm.orders.possible import Need, retreat_options
from gm.position import PhaseKind, Position, Season, Unit
from gm.turn import Event, SeasonCount, Victory
from gm.variants import SeasonEnd, Variant, standard
from gm.variants.outer_space.orders import Beam, Colonize, goal
from gm.variants.outer_space.state import (
    FILE,
    OrbitBoard,
    attempts_of,
    board_of,
    colonies_by_empire,
    colonies_of,
    eliminated,
    empires_of,
    in_orbit,
)
from gm.variants.standard import count_centers

COLONIZED, NOT_COLONIZED, PENDING = "colonized", "not colonized", "judged after the retreats"
"""The reasons of orders to colonize. The first two are also kinds of events: `empire` has colonized `provinces`, each
with the former owner of the colony; or it has not colonized `province`, because of the `occupant` or the `rivals`.
"""

ALL_GONE = "nobody left"
"""The end of a game in which every empire is eliminated."""


DISSOLVED = "dissolved"
"""The event that the `units` of an `empire` without a centre are taken off the board, and its `colonies` neutral again.
Those that it founded in this very Fall are marked in the event of that (`neutral`).
"""


def needs(board: FiniteBoard, position: Position, power: Power) -> Need:
    """Centres minus units, including those in orbit: builds in vacant own centres that are colonies (OS-12), or
    removals.
    """
    colonies = colonies_of(position)
    return standard.needs_at(board, position, power, lambda province: colonies.get(province) == power)


def removals(board: Board, rulebook: Rulebook, position: Position, power: Power) -> list[Unit]:
    """Units on the ground before those in orbit; farthest first from the own centres that are colonies (OS-13)."""
    colonies = colonies_of(position)
    goals = {p for p in position.centers_of(power) if colonies.get(p) == power}
    return sorted(removal_order(board, rulebook, position, power, goals), key=in_orbit)


def resolve(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The adjudicated phase; attempts to colonize in a movement phase are recorded for the end of the season."""
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return standard.STANDARD.resolve(game, position, orders, chance)
    board = board_of(position)
    possible = [_possible(board, order) for order in orders]
    return note_attempts(board, position, standard.STANDARD.resolve(game, position, possible, chance))


def _possible(board: OrbitBoard, order: Order) -> Order:
    """The order; but a beam that is jammed or leads nowhere becomes a plain move, which the judge rejects (OS-7), and
    an attempt to colonize a province out of reach becomes no attempt (OS-8).
    """
    if isinstance(order, Beam) and not board.may_beam(order.unit, order.to):
        return Move(order.unit, order.to)
    if isinstance(order, Colonize) and goal(board, order) not in board.colonizable(order.unit):
        return Hold(order.unit)
    return order


# Colonizing


def note_attempts(board: FiniteBoard, position: Position, found: Resolution) -> Resolution:
    """The resolution of a movement phase with its attempts to colonize recorded, and decided as far as nobody
    retreats.
    """
    tried = attempts(board, found.outcomes)
    if not tried:
        return found
    resolved = replace(position, units=found.units, dislodged=found.dislodged, contested=found.contested)
    pending = any(retreat_options(board, resolved, dislodged) for dislodged in found.dislodged)
    failures = {} if pending else {(a["empire"], a["province"]): why for a, why in _judged(board, resolved, tried)}

    def worded(outcome: Outcome) -> Outcome:
        order = outcome.order
        if not isinstance(order, Colonize) or not _counts(outcome):
            return outcome
        failure = failures.get((order.unit.power, goal(board, order)), NO_FACTS)
        result, why = (Result.VOID, NOT_COLONIZED) if failure else (Result.SUCCEEDS, COLONIZED)
        if pending:
            why = PENDING
        elif not failure and outcome.dislodged_by is None:
            return outcome._replace(result=result)  # success needs no explanation
        return outcome._replace(result=result, facts=outcome.facts._replace(why=why, own=failure))

    outcomes = tuple(map(worded, found.outcomes))
    return found._replace(outcomes=outcomes, extra={**position.extra, "attempts": tried})


def attempts(board: FiniteBoard, outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """The attempts to colonize among the orders of a movement phase, each with its rivals."""
    tried: dict[Province, set[Power]] = {}
    entered: dict[Province, set[Power]] = {}
    for outcome in outcomes:
        order = outcome.order
        if not _counts(outcome):
            continue
        if isinstance(order, Colonize):
            tried.setdefault(goal(board, order), set()).add(order.unit.power)
        elif isinstance(order, Move):
            entered.setdefault(board.province(order.to), set()).add(order.unit.power)
    return [
        {"empire": empire, "province": province, "rivals": sorted((empires | entered.get(province, set())) - {empire})}
        for province, empires in sorted(tried.items())
        for empire in sorted(empires)
    ]


def _counts(outcome: Outcome) -> bool:
    """Whether the order was legal and in force."""
    return outcome.result is not Result.ILLEGAL and outcome.facts.why is not Why.REPLACED


def end_of_season(game: Variant, position: Position, _chance: Chance) -> SeasonEnd:
    """Colonies are founded; after Fall centres are counted, and empires without one are eliminated."""
    board = game.board(position)
    position, events = found_colonies(board, position)
    if position.phase.season is not Season.FALL:
        return SeasonEnd(position, events=events)
    end = _eliminate(count_centers(board, position))
    out = eliminated(end.position)
    vain = {"neutral": True}  # of an empire that is out in the same Fall (OS-14)
    founded = (
        replace(one, facts={**one.facts, **vain}) if one.kind == COLONIZED and one.facts["empire"] in out else one
        for one in events
    )
    return replace(end, events=(*founded, *end.events))


def found_colonies(board: FiniteBoard, position: Position) -> tuple[Position, tuple[Event, ...]]:
    """The position after its attempts are decided: an empire founds a colony where its unit is at the end of the
    season, or in a vacant province without rivals (OS-9). The new colony replaces an older one (OS-10).
    """
    before = colonies_of(position)
    colonies = dict(before)
    founded: dict[Power, list[list[str | None]]] = {}
    events: dict[tuple[Power, str], Event] = {}
    for attempt, failure in _judged(board, position, attempts_of(position)):
        empire, province = Power(attempt["empire"]), Province(attempt["province"])
        if not failure:
            colonies[province] = empire
            founded.setdefault(empire, []).append([province, before.get(province)])
        elif position.phase.kind is PhaseKind.RETREAT:  # otherwise the order's own outcome contains it
            place = board.full_name(Location(province))
            events[empire, place] = Event(NOT_COLONIZED, {"empire": empire, "province": province, **failure})
    events |= {(empire, ""): Event(COLONIZED, {"empire": empire, "provinces": own}) for empire, own in founded.items()}
    extra = {key: value for key, value in position.extra.items() if key != "attempts"}
    extra["colonies"] = colonies_by_empire(colonies)
    return replace(position, extra=extra), tuple(events[key] for key in sorted(events))


def _judged(
    board: FiniteBoard, position: Position, tried: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Each attempt with the facts because of which it fails in the present position; without facts if it succeeds."""
    standing = {board.province(unit.at): unit.power for unit in position.units}
    for attempt in tried:
        occupant, rivals = standing.get(Province(attempt["province"])), attempt["rivals"]
        if occupant is not None:
            yield attempt, {"occupant": occupant} if occupant != attempt["empire"] else NO_FACTS
        else:
            yield attempt, {"rivals": list(rivals)} if rivals else NO_FACTS


def _eliminate(end: SeasonEnd) -> SeasonEnd:
    """Eliminate empires without a centre, with their units and colonies (OS-14)."""
    position, owners = end.position, set(end.position.centers.values())
    colonies = {p: empire for p, empire in colonies_of(position).items() if empire in owners}
    extra = {
        **position.extra,
        "colonies": colonies_by_empire(colonies),
        "eliminated": sorted(eliminated(position) | set(empires_of(position)) - owners),
    }
    units = tuple(unit for unit in position.units if unit.power in owners)
    gone: dict[Power, list[str]] = {}
    for unit in position.units:
        if unit.power not in owners:
            gone.setdefault(unit.power, []).append(str(unit))
    before = colonies_by_empire(colonies_of(position))
    taken_off = tuple(
        Event(DISSOLVED, {"empire": empire, "units": lost, "colonies": before.get(empire, [])})
        for empire, lost in sorted(gone.items())
    )
    after = replace(position, units=units, extra=extra)
    return SeasonEnd(after, end.count or SeasonCount(), taken_off)


# Victory


def victory(position: Position) -> Victory | None:
    """Eighteen centres (OS-15). If all are eliminated there is no winner."""
    if position.units == () and eliminated(position) == set(empires_of(position)):
        return Victory((), ALL_GONE)
    return standard.victory(position, win=FILE.win)
