"""Adjudication of a phase: exemptions (BH-3, BH-4), retreats by bearings (BH-5), holes, the count of centres (BH-1,
BH-2).

A unit without a retreat order looks from the centroid of the province that it left: first towards the neighbour across
the border due north, then towards the others counter-clockwise, as their borders are first seen. The geometry is the
board's own (BH-7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gm.board import Board, Location, Power, Province, TableBoard
from gm.board.geography import counter_clockwise, standard_geography
from gm.chance import Chance
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.orders import Declaration, Order, Retreat
from gm.orders.possible import retreat_options
from gm.position import Dislodged, PhaseKind, Position, Season, Unit
from gm.turn import Event, SeasonCount, Victory, eliminated, elimination
from gm.variants import OrderSets, SeasonEnd, Variant
from gm.variants.black_hole.orders import Announce, Conceal, Drift, Exempt, Keep, open_to_exemption
from gm.variants.black_hole.state import FIRST, Announcement, State, board_of, homes, is_first, season_code, state_of
from gm.variants.standard import POWERS, STANDARD, count_centers, more_than_half

BY_BEARINGS = "by bearings"
"""The reason of a retreat without an order."""


def ways_out(board: Board, position: Position, dislodged: Dislodged) -> list[Location]:
    """The legal retreats of the unit, in the order in which the rules try them."""
    options = retreat_options(board, position, dislodged)
    return in_sight(board, dislodged.unit.at, options) if options else []


def in_sight(board: Board, origin: Location, places: Sequence[Location]) -> list[Location]:
    """The places, counter-clockwise from due north as seen from the province of `origin`; of two coasts the one nearer
    to due north comes first.
    """
    sheet, here = standard_geography(), board.province(origin)
    middle, around = sheet.centroid(here), sheet.round_about(here)

    def turn(at: Location) -> tuple[int, float]:
        return around.index(board.province(at)), counter_clockwise(middle, sheet.coast(at))

    return sorted(places, key=turn)


# The phase


def fill(game: Variant, position: Position, orders: OrderSets, _chance: Chance) -> OrderSets:
    """Retreat dislodged units without an order by bearings (BH-5).

    Ordered retreats are settled first; a place where two of them collide stays closed. Then the others retreat one
    after another, in alphabetical order of the provinces they left, each to a province that is still empty.
    """
    if position.phase.kind is not PhaseKind.RETREAT:
        return orders
    board = game.board(position)
    given = {order.unit: order for own in orders.values() for order in own if not isinstance(order, Declaration)}
    taken = {board.province(order.to) for order in given.values() if isinstance(order, Retreat)}
    filled = dict(orders)
    for dislodged in sorted(position.dislodged, key=lambda one: board.full_name(one.unit.at)):
        unit = dislodged.unit
        free = [at for at in ways_out(board, position, dislodged) if board.province(at) not in taken]
        if free and unit not in given:
            filled[unit.power] = (*filled.get(unit.power, ()), Drift(unit, free[0]))
            taken.add(board.province(free[0]))
    return filled


def resolve(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The adjudicated phase, with the declarations: exemptions and announcements."""
    state, declared, events = declare(position, orders, chance)
    others = [order for place, order in enumerate(orders) if place not in declared]
    found = STANDARD.resolve(game, position, others, chance)
    left = iter(found.outcomes)
    outcomes = [declared[place] if place in declared else _explained(next(left)) for place in range(len(orders))]
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        out = fallen(state, replace(position, units=found.units))
        state = state.without(*out)
        events += elimination(out)
    extra = state.within(position).extra
    return found._replace(outcomes=(*outcomes, *left), extra=extra, events=events)


def _explained(outcome: Outcome) -> Outcome:
    """Mark a retreat by bearings as such."""
    if not isinstance(outcome.order, Drift) or not outcome.succeeded:
        return outcome
    return outcome._replace(facts=Facts(BY_BEARINGS))


# Exemptions


ANNOUNCED, EXEMPTED, NOT_OPEN = "announced", "exempted", "not open to exemption"
"""The reasons of declarations: announced to everybody; the centre is exempt from now on; it cannot be exempted now."""

ANNOUNCEMENT = "announcement"
"""The event that `power` announces its exempt home centre `center`."""


def declare(
    position: Position, orders: Sequence[Order], chance: Chance
) -> tuple[State, Mapping[int, Outcome], tuple[Event, ...]]:
    """The state after this game's declarations among the orders, the outcome of each by its index, and what was
    announced; all other orders are left to the judge.
    """
    board, state = board_of(position), state_of(position)
    outcomes = dict(_judged(board, position, orders))
    chosen = {
        order.power: board.province(order.center)
        for place, order in enumerate(orders)
        if isinstance(order, Exempt) and order.power is not None and outcomes[place].succeeded
    }
    if is_first(position):
        state = replace(state, exempt=_named_or_drawn(board, chosen, chance))
    else:  # moved, which each can do once
        exempt = None if state.exempt is None else {**state.exempt, **chosen}
        movable = {power: target for power, target in state.movable.items() if power not in chosen}
        state = replace(state, exempt=exempt, movable=movable, moved=state.moved | set(chosen))
    asked = [order.power for order in orders if isinstance(order, Announce) and order.power in state.exemptions]
    state, events = _announce(state, [power for power in POWERS if power in asked], season_code(position))
    return state, outcomes, events


# Naming and moving


def _named_or_drawn(board: TableBoard, named: Mapping[Power, Province], chance: Chance) -> dict[Power, Province]:
    """Every power's exemption: the centre named with its first orders, otherwise one drawn at random."""
    return {
        power: named[power] if power in named else chance.choose(homes(board, power), FIRST, "exempt", power)
        for power in POWERS
    }


def open_to_move(board: TableBoard, position: Position, state: State, gone: Province) -> State:
    """Who may move their exemption when `gone` becomes a black hole (BH-3). `board` and `position` are those before it.

    The conditions: another power owns the exempt centre, its power owns only two more of its home centres, and `gone`
    is one of these.
    """
    movable = dict(state.movable)
    for power, exempt in state.exemptions.items():
        others = [p for p in homes(board, power) if p != exempt and position.centers.get(p) == power]
        lost = position.centers.get(exempt, power) != power
        if lost and len(others) == 2 and gone in others and power not in state.moved:
            (movable[power],) = (p for p in others if p != gone)
    return replace(state, movable=movable)


def still_open(state: State, position: Position) -> State:
    """The right to move an exemption ends when the centre to which it could be moved vanishes."""
    kept = {power: target for power, target in state.movable.items() if position.centers.get(target) == power}
    return replace(state, movable=kept)


def fallen(state: State, position: Position) -> tuple[Power, ...]:
    """Powers with an exemption that have neither a unit nor a centre left."""
    alive = {*position.centers.values(), *(unit.power for unit in position.units)}
    return tuple(power for power in POWERS if power in state.exemptions and power not in alive)


# Telling


def _announce(state: State, powers: Iterable[Power], season: str) -> tuple[State, tuple[Event, ...]]:
    announced = {power: Announcement(state.exemptions[power], season) for power in powers}
    events = tuple(Event(ANNOUNCEMENT, {"power": power, "center": announced[power].center}) for power in announced)
    return replace(state, announced={**state.announced, **announced}), events


# Outcomes


def _judged(board: TableBoard, position: Position, orders: Sequence[Order]) -> Iterator[tuple[int, Outcome]]:
    last = {order.power: place for place, order in enumerate(orders) if isinstance(order, Exempt)}
    for place, order in enumerate(orders):
        if isinstance(order, Announce):
            yield place, Outcome(order, Result.SUCCEEDS, None, Facts(ANNOUNCED))
        elif isinstance(order, Exempt):
            yield place, _choice(board.province(order.center), position, order, last[order.power] == place)
        elif isinstance(order, Keep | Conceal):
            yield place, Outcome(order, Result.SUCCEEDS)


def _choice(center: Province, position: Position, order: Exempt[Unit], last: bool) -> Outcome:
    if order.power is None or center not in open_to_exemption(position, order.power):
        return Outcome(order, Result.ILLEGAL, None, Facts(NOT_OPEN))
    if not last:
        return Outcome(order, Result.VOID, None, Facts(Why.REPLACED))
    return Outcome(order, Result.SUCCEEDS, None, Facts(EXEMPTED))


HOLE = "hole"
"""The event that a `province`, drawn from `candidates` (a number), has vanished, with its `units` and the centre of its
`owner`.
"""

NO_HOLE = "no hole"
"""The event that no province has vanished, because all that are left are exempt."""

NOTHING_LEFT = "nothing left"
"""The end of a game in which nothing is left."""


def end_of_season(_game: Variant, position: Position, chance: Chance) -> SeasonEnd:
    """A hole appears; after Fall centres are counted; powers with nothing left are eliminated, and their exemptions
    lapse.
    """
    before = state_of(position)
    alive = before.without(*fallen(before, position))
    after, event = _remove_province(position, alive, chance)
    end = SeasonEnd(after)
    if position.phase.season is Season.FALL:
        end = count_centers(board_of(after), after)
    out = fallen(before, end.position)
    state = still_open(state_of(end.position), end.position).without(*out)
    fell = elimination(dict.fromkeys((*out, *eliminated(end.events))))
    return SeasonEnd(state.within(end.position), _counted(end.count, position, after, out), (event, *fell))


def _remove_province(position: Position, state: State, chance: Chance) -> tuple[Position, Event]:
    """The position without the province that is drawn from those that are left and not exempt, and the event."""
    board, season = board_of(position), season_code(position)
    exempt = set(state.exemptions.values())
    drawn_from = [province for province in board.provinces if province not in exempt]
    if not drawn_from:
        return state.within(position), Event(NO_HOLE)
    gone = chance.choose_but(board.provinces, exempt, season, "hole")
    after = replace(
        position,
        units=tuple(unit for unit in position.units if board.province(unit.at) != gone),
        centers={province: power for province, power in position.centers.items() if province != gone},
    )
    opened = open_to_move(board, position, state, gone)
    lost = [str(unit) for unit in position.units if board.province(unit.at) == gone]
    facts = {"province": gone, "candidates": len(drawn_from), "units": lost, "owner": position.centers.get(gone)}
    return replace(opened, holes={**state.holes, gone: season}).within(after), Event(HOLE, facts)


def _counted(
    count: SeasonCount | None, before: Position, after: Position, out: tuple[Power, ...]
) -> SeasonCount | None:
    """The count with the vanished centre among those lost; None if nothing changed and no power is `out`."""
    vanished = {power: province for province, power in before.centers.items() if province not in after.centers}
    if count is None and not vanished and not out:
        return None
    counted = count or SeasonCount()
    lost = {power: (province, *counted.lost.get(power, ())) for power, province in vanished.items()}
    return replace(counted, lost={**counted.lost, **lost})


def victory(position: Position) -> Victory | None:
    """More than half of the units on the board and of the remaining centres, after the hole of a Spring or Fall (BH-6).
    There is no winner when nothing is left.
    """
    if position.phase.season is Season.WINTER:
        return None
    if not position.units and not position.centers:
        return Victory((), NOTHING_LEFT)
    return more_than_half(position, len(board_of(position).centers))
