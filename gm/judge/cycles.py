"""What the bounds of strengths leave open: circular movement, and convoy paradoxes by the rulebook (DATC 4.A.2, 5.C to
5.E).

Open decisions depend on each other in cycles. The innermost cycles are resolved first: they depend on no open decision
outside themselves, and so not on each other. Decisions that depend on them are made afterwards.

- Without a convoy it is circular movement. The consistent resolution with most moves is taken (DATC 6.C.1).
- With a convoy, movement is resolved for every combination of the convoys' results; a combination is consistent if
  resolving it gives the same results. If exactly one is consistent, it is the answer. If none or several are, it is a
  paradox, and Szykman's rule decides it: the armies that cause it do not move. Only the *core* counts, the convoys that
  affect each other; others that merely depend on them are not affected (6.F.15).

`gm.judge.movement` calls this module when `gm.judge.decisions` can decide no more. That is rare, so the code is written
to be plain, not fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from enum import IntEnum
from itertools import product
from typing import TypeVar

from gm.judge.decisions import Decision, Decisions
from gm.judge.phase import BY_LAND, MOVE, NO_UNIT, all_fleets

T = TypeVar("T")


class Kind(IntEnum):
    """What an open decision is about."""

    MOVES = 0
    GIVEN = 1
    CARRIED = 2


Node = tuple[Kind, int]
"""An open decision: its kind, and the number of its unit."""

Turnout = tuple[bool, ...]
"""Whether each of several convoys succeeds."""


def break_cycles(decisions: Decisions) -> frozenset[int]:
    """Resolve the innermost cycles. Returns the units that cause a paradox and therefore do not move."""
    needs = {node: tuple(_depends_on(decisions, node)) for node in _open_nodes(decisions)}
    paradoxes: set[int] = set()
    for cycle in innermost_cycles(needs):
        paradoxes |= _break_cycle(decisions, cycle)
    close(decisions)
    return frozenset(paradoxes)


def _break_cycle(decisions: Decisions, cycle: tuple[Node, ...]) -> frozenset[int]:
    armies = [unit for kind, unit in cycle if kind is Kind.CARRIED]
    if not armies:
        return resolve_circular_movement(decisions, cycle)
    return resolve_convoys(decisions, cycle, armies)


# Circular movement


def resolve_circular_movement(decisions: Decisions, cycle: Iterable[Node]) -> frozenset[int]:
    """Take the consistent resolution with most moves. Returns the units that are kept from moving because no
    resolution, or no single best one, exists.

    This happens only where a power may dislodge its own units: two attacks each drive out a unit of their own power
    that supports, or hinders, the other attack. Then the moves in question fail.
    """
    nodes = tuple(cycle)
    moves = [node for node in nodes if node[0] is Kind.MOVES]
    resolutions = list(consistent_resolutions(decisions, nodes))
    count = [sum(found[node] for node in moves) for found in resolutions]
    best = [found for found, number in zip(resolutions, count, strict=True) if number == max(count)]
    if len(best) == 1:
        assign(decisions, best[0])
        return frozenset()
    disputed = [node for node in moves if not best or not all(found[node] for found in best)]
    assign(decisions, dict.fromkeys(disputed, False))
    return frozenset(unit for _, unit in disputed)


def consistent_resolutions(decisions: Decisions, nodes: tuple[Node, ...]) -> Iterator[dict[Node, bool]]:
    """Every way to decide the nodes in which each decision follows from the others."""
    lists = (decisions.moves, decisions.given, decisions.carried)
    rules = (decisions.move_succeeds, decisions.support_is_given, decisions.convoy_holds)

    def search(chosen: int) -> Iterator[dict[Node, bool]]:
        for kind, unit in nodes[:chosen]:
            if rules[kind](unit) is (not lists[kind][unit]):
                return
        if chosen == len(nodes):
            yield {(kind, unit): bool(lists[kind][unit]) for kind, unit in nodes}
            return
        kind, unit = nodes[chosen]
        followed = rules[kind](unit)
        for value in (True, False) if followed is None else (followed,):
            lists[kind][unit] = value
            yield from search(chosen + 1)
            lists[kind][unit] = None

    return search(0)


# Convoys


def resolve_convoys(decisions: Decisions, cycle: Iterable[Node], armies: list[int]) -> frozenset[int]:
    """Decide the convoys at the core of the cycle. Returns the armies whose convoys fail because of a paradox."""
    nodes = tuple(cycle)
    follows = {
        turnout: _result_of(decisions, nodes, armies, turnout) for turnout in product((True, False), repeat=len(armies))
    }
    places = range(len(armies))
    core = innermost({place: tuple(p for p in places if _affects(follows, p, place)) for place in places})
    consistent = {
        tuple(turnout[place] for place in core)
        for turnout, result in follows.items()
        if all(turnout[place] == result[place] for place in core)
    }
    held = [{found[number] for found in consistent} for number in range(len(core))]
    assign(decisions, {(Kind.CARRIED, armies[place]): held[n] == {True} for n, place in enumerate(core)})
    return frozenset(armies[place] for n, place in enumerate(core) if len(held[n]) != 1)


def _result_of(decisions: Decisions, nodes: tuple[Node, ...], armies: list[int], turnout: Turnout) -> Turnout:
    """Whether each convoy succeeds when movement is resolved on the assumption `turnout`."""
    trial = copy(decisions)
    trial.moves, trial.given, trial.carried = decisions.moves[:], decisions.given[:], decisions.carried[:]
    trial.open_moves = [unit for kind, unit in nodes if kind is Kind.MOVES]
    trial.open_supports = [unit for kind, unit in nodes if kind is Kind.GIVEN]
    trial.open_convoys = []
    for army, holds in zip(armies, turnout, strict=True):
        trial.carried[army] = holds
    while not trial.decide():
        break_cycles(trial)
    return tuple(bool(trial.convoy_holds(army)) for army in armies)


def _affects(follows: Mapping[Turnout, Turnout], cause: int, effect: int) -> bool:
    """Whether a change in the result of convoy `cause` can change that of convoy `effect`."""
    for turnout, result in follows.items():
        other = (*turnout[:cause], not turnout[cause], *turnout[cause + 1 :])
        if result[effect] != follows[other][effect]:
            return True
    return False


# Dependence


def innermost_cycles(needs: Mapping[T, Sequence[T]]) -> list[tuple[T, ...]]:
    """Every cycle that depends on nothing outside itself, its nodes in the order given.

    These are the strongly connected components without an outgoing edge, found in one pass with Tarjan's algorithm: a
    phase may have hundreds of them.
    """
    places = {node: place for place, node in enumerate(needs)}
    entered: dict[T, int] = {}
    lowest: dict[T, int] = {}
    closed: set[T] = set()
    path: list[T] = []
    found: list[tuple[T, ...]] = []
    for start in needs:
        walk = [] if start in entered else [start]
        while walk:
            node = walk[-1]
            if node not in entered:
                entered[node] = len(entered)
                path.append(node)
            ahead = next((to for to in needs[node] if to not in entered), None)
            if ahead is not None:
                walk.append(ahead)
                continue
            walk.pop()
            below = (lowest.get(to, entered[to]) for to in needs[node] if to not in closed)
            lowest[node] = min((entered[node], *below))
            if lowest[node] == entered[node]:
                cycle = [path.pop()]
                while cycle[-1] != node:
                    cycle.append(path.pop())
                if closed.isdisjoint(to for one in cycle for to in needs[one]):
                    found.append(tuple(sorted(cycle, key=places.__getitem__)))
                closed.update(cycle)
    return found


def innermost(needs: Mapping[T, Iterable[T]]) -> tuple[T, ...]:
    """The nodes of a cycle on which something depends, and which depends on nothing outside itself.

    It is the smallest of the sets of everything that a node depends on, directly or indirectly.
    """
    return min((_reached(node, needs) for node in needs), key=len)


def _reached(start: T, needs: Mapping[T, Iterable[T]]) -> tuple[T, ...]:
    found = dict.fromkeys((start,))
    waiting = [start]
    while waiting:
        for node in needs[waiting.pop()]:
            if node not in found:
                found[node] = None
                waiting.append(node)
    return tuple(node for node in needs if node in found)


def _open_nodes(decisions: Decisions) -> list[Node]:
    return [
        *((Kind.MOVES, unit) for unit in decisions.open_moves),
        *((Kind.GIVEN, unit) for unit in decisions.open_supports),
        *((Kind.CARRIED, unit) for unit in decisions.open_convoys),
    ]


def _depends_on(decisions: Decisions, node: Node) -> Iterator[Node]:
    """The open decisions that may affect this one."""
    phase = decisions.phase
    kind, unit = node
    if kind is Kind.MOVES:
        yield from _move_depends_on(decisions, unit)
    elif kind is Kind.GIVEN:
        for attacker in phase.arrivals[phase.at[unit]]:
            yield from _move(decisions, attacker)
            yield from _convoy(decisions, attacker)
    else:
        for fleet in all_fleets(phase.routes[unit]):
            for attacker in phase.arrivals.get(phase.at[fleet], ()):
                yield from _move(decisions, attacker)


def _move_depends_on(decisions: Decisions, unit: int) -> Iterator[Node]:
    phase = decisions.phase
    target = phase.target[unit]
    assert target is not None
    if target in phase.entering:
        for other in phase.shared.get(target, ()):
            yield from _move(decisions, other)
        return
    for rival in phase.arrivals[target]:
        yield from _strength_of(decisions, rival)
        if rival != unit and phase.opponent[rival] != NO_UNIT:
            yield from _move(decisions, phase.opponent[rival])
    if phase.defender[unit] != NO_UNIT:
        yield from _move(decisions, phase.defender[unit])
        yield from _strength_of(decisions, phase.defender[unit])


def _strength_of(decisions: Decisions, unit: int) -> Iterator[Node]:
    phase = decisions.phase
    yield from ((Kind.GIVEN, backer) for backer in phase.backers[unit] if decisions.given[backer] is None)
    yield from _convoy(decisions, unit)
    if phase.opponent[unit] != NO_UNIT:
        yield from _convoy(decisions, phase.opponent[unit])


def _convoy(decisions: Decisions, unit: int) -> Iterator[Node]:
    if decisions.phase.way[unit] != BY_LAND and decisions.carried[unit] is None:
        yield Kind.CARRIED, unit


def _move(decisions: Decisions, unit: int) -> Iterator[Node]:
    if decisions.phase.action[unit] == MOVE and decisions.moves[unit] is None:
        yield Kind.MOVES, unit


def assign(decisions: Decisions, values: Mapping[Node, bool]) -> None:
    """Set these decisions to these values."""
    lists: tuple[list[Decision], ...] = (decisions.moves, decisions.given, decisions.carried)
    for (kind, unit), value in values.items():
        lists[kind][unit] = value


def close(decisions: Decisions) -> None:
    """Remove what is decided from the lists of open decisions."""
    decisions.open_moves = [unit for unit in decisions.open_moves if decisions.moves[unit] is None]
    decisions.open_supports = [unit for unit in decisions.open_supports if decisions.given[unit] is None]
    decisions.open_convoys = [unit for unit in decisions.open_convoys if decisions.carried[unit] is None]
