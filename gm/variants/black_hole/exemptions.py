"""Home centres that no black hole takes: named or drawn, announced, moved, lapsed (BH-3, BH-4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gm.board import Power, Province
from gm.board.standard import TableBoard
from gm.chance import Chance
from gm.judge.outcomes import Facts, Outcome, Result, Why
from gm.orders import Order
from gm.position import Position, Unit
from gm.turn import Event
from gm.variants.black_hole.board import homes
from gm.variants.black_hole.orders import Announce, Exempt, Keep, may_move
from gm.variants.black_hole.state import FIRST, Announcement, State, board_of, is_first, season_code, state_of
from gm.variants.standard import POWERS

ANNOUNCED, EXEMPTED, NOT_OPEN = "announced", "exempted", "not open to exemption"
"""The reasons of declarations: everybody is told; the centre is exempt from now on; it cannot be exempted now."""

ANNOUNCEMENT = "announcement"
"""The event that `power` has it announced that its exempt home centre is `center`."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What declarations brought: the state after them, the outcome of each by its place, and what was announced."""

    state: State
    outcomes: Mapping[int, Outcome]
    events: tuple[Event, ...]


def declare(position: Position, orders: Sequence[Order], chance: Chance) -> Declared:
    """Act on this game's declarations among the orders; all others are the judge's and are passed over."""
    board, state = board_of(position), state_of(position)
    outcomes = dict(_judged(board, position, orders))
    chosen = {
        order.power: board.province(order.center)
        for place, order in enumerate(orders)
        if isinstance(order, Exempt) and order.power is not None and outcomes[place].succeeded
    }
    if is_first(position):
        state = replace(state, exempt=_named_or_drawn(board, chosen, chance))
    else:
        state = _moved(state, chosen)
    asked = [order.power for order in orders if isinstance(order, Announce) and order.power in state.exemptions]
    state, events = _announce(state, [power for power in POWERS if power in asked], season_code(position))
    return Declared(state, outcomes, events)


# Naming and moving


def _named_or_drawn(board: TableBoard, named: Mapping[Power, Province], chance: Chance) -> dict[Power, Province]:
    """Every power's exemption: the centre that it named with its first orders, else one drawn."""
    return {
        power: named[power] if power in named else chance.choose(homes(board, power), FIRST, "exempt", power)
        for power in POWERS
    }


def _moved(state: State, chosen: Mapping[Power, Province]) -> State:
    """The state after these powers have moved their exemptions, which each can do once."""
    return replace(
        state,
        exempt=None if state.exempt is None else {**state.exempt, **chosen},
        movable={power: target for power, target in state.movable.items() if power not in chosen},
        moved=state.moved | set(chosen),
    )


def open_to_move(board: TableBoard, position: Position, state: State, gone: Province) -> State:
    """Who may move his exemption, as `gone` becomes a black hole (BH-3). `board` and `position` are those before it.

    Another power owns the exempt centre, its power owns only two more of its home centres, and `gone` is one of them.
    """
    movable = dict(state.movable)
    for power, exempt in state.exemptions.items():
        others = [p for p in homes(board, power) if p != exempt and position.centers.get(p) == power]
        lost = position.centers.get(exempt, power) != power
        if lost and len(others) == 2 and gone in others and power not in state.moved:
            (movable[power],) = (p for p in others if p != gone)
    return replace(state, movable=movable)


def still_open(state: State, position: Position) -> State:
    """The right to move an exemption goes with the centre it could be moved to."""
    kept = {power: target for power, target in state.movable.items() if position.centers.get(target) == power}
    return replace(state, movable=kept)


def fallen(state: State, position: Position) -> tuple[Power, ...]:
    """Powers with an exemption that have neither a unit nor a centre any more."""
    alive = {*position.centers.values(), *(unit.power for unit in position.units)}
    return tuple(power for power in POWERS if power in state.exemptions and power not in alive)


# Telling


def _announce(state: State, powers: Iterable[Power], season: str) -> tuple[State, tuple[Event, ...]]:
    told = {power: Announcement(state.exemptions[power], season) for power in powers}
    events = tuple(Event(ANNOUNCEMENT, {"power": power, "center": told[power].center}) for power in told)
    return replace(state, announced={**state.announced, **told}), events


# Outcomes


def _judged(board: TableBoard, position: Position, orders: Sequence[Order]) -> Iterator[tuple[int, Outcome]]:
    last = {order.power: place for place, order in enumerate(orders) if isinstance(order, Exempt)}
    for place, order in enumerate(orders):
        if isinstance(order, Announce):
            yield place, Outcome(order, Result.SUCCEEDS, None, Facts(ANNOUNCED))
        elif isinstance(order, Exempt):
            yield place, _choice(board, position, order, last[order.power] == place)
        elif isinstance(order, Keep):
            yield place, Outcome(order, Result.SUCCEEDS)


def _choice(board: TableBoard, position: Position, order: Exempt[Unit], last: bool) -> Outcome:
    if not _is_open(board, position, order.power, board.province(order.center)):
        return Outcome(order, Result.ILLEGAL, None, Facts(NOT_OPEN))
    if not last:
        return Outcome(order, Result.VOID, None, Facts(Why.REPLACED))
    return Outcome(order, Result.SUCCEEDS, None, Facts(EXEMPTED))


def _is_open(board: TableBoard, position: Position, power: Power | None, center: Province) -> bool:
    if power is None:
        return False
    if is_first(position):
        return center in homes(board, power)
    return may_move(position, power) and state_of(position).movable[power] == center
