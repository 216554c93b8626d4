"""What the bounds leave open: circular movement, and convoy paradoxes by the rulebook (DATC 4.A.2, 5.C to 5.E).

Open decisions depend on one another in circles. The innermost circles are taken up first, those which depend on nothing
open outside themselves and so not on each other; what hangs on them is decided after them.

- No convoy in it: circular movement. Of its consistent resolutions that with most moves is taken (DATC 6.C.1).
- A convoy in it: movement is resolved for every way in which the convoys could turn out, and a way is consistent if
  they do turn out so. One consistent way: that is the answer. None or several: a paradox, decided by Szykman's rule:
  the armies that make it do not move. Only the *core* counts, the convoys that sway each other; others that look on
  are not touched (6.F.15).

Place: called by `gm.judge.movement` when `gm.judge.decisions` cannot go on; rare, and written for plainness.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from enum import IntEnum
from itertools import product
from typing import TypeVar

from gm.judge.decisions import Decision, Decisions
from gm.judge.phase import BY_LAND, MOVE, NOBODY, all_fleets

T = TypeVar("T")


class Kind(IntEnum):
    """What an open decision is about."""

    MOVES = 0
    GIVEN = 1
    CARRIED = 2


Node = tuple[Kind, int]
"""An open decision: what it is about, and its unit."""

Turnout = tuple[bool, ...]
"""Whether each of some convoys holds."""


def break_circles(decisions: Decisions) -> frozenset[int]:
    """Decide the innermost circles. Returns the units that make a paradox and do not move for it."""
    needs = {node: tuple(_depends_on(decisions, node)) for node in _open_nodes(decisions)}
    paradoxes: set[int] = set()
    for circle in innermost_circles(needs):
        paradoxes |= _break_circle(decisions, circle)
    close(decisions)
    return frozenset(paradoxes)


def _break_circle(decisions: Decisions, circle: tuple[Node, ...]) -> frozenset[int]:
    armies = [unit for kind, unit in circle if kind is Kind.CARRIED]
    if not armies:
        return resolve_circular_movement(decisions, circle)
    return resolve_convoys(decisions, circle, armies)


# Circular movement


def resolve_circular_movement(decisions: Decisions, circle: Iterable[Node]) -> frozenset[int]:
    """Take the consistent resolution with most moves. Returns the units held not to move, where that is not one.

    Only where a power may dislodge its own units can there be none or several: of two attacks each drives out a
    supporter of its own power, who helps the other attack or hinders it. Then the moves in question fail.
    """
    nodes = tuple(circle)
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


def resolve_convoys(decisions: Decisions, circle: Iterable[Node], armies: list[int]) -> frozenset[int]:
    """Decide the convoys at the core of the circle. Returns those that fail as a paradox."""
    nodes = tuple(circle)
    follows = {
        turnout: _result_of(decisions, nodes, armies, turnout) for turnout in product((True, False), repeat=len(armies))
    }
    places = range(len(armies))
    core = innermost({place: tuple(p for p in places if _sways(follows, p, place)) for place in places})
    consistent = {
        tuple(turnout[place] for place in core)
        for turnout, result in follows.items()
        if all(turnout[place] == result[place] for place in core)
    }
    held = [{found[number] for found in consistent} for number in range(len(core))]
    assign(decisions, {(Kind.CARRIED, armies[place]): held[n] == {True} for n, place in enumerate(core)})
    return frozenset(armies[place] for n, place in enumerate(core) if len(held[n]) != 1)


def _result_of(decisions: Decisions, nodes: tuple[Node, ...], armies: list[int], turnout: Turnout) -> Turnout:
    """How the convoys turn out when movement is resolved as if they turned out like this."""
    trial = copy(decisions)
    trial.moves, trial.given, trial.carried = decisions.moves[:], decisions.given[:], decisions.carried[:]
    trial.open_moves = [unit for kind, unit in nodes if kind is Kind.MOVES]
    trial.open_supports = [unit for kind, unit in nodes if kind is Kind.GIVEN]
    trial.open_convoys = []
    for army, holds in zip(armies, turnout, strict=True):
        trial.carried[army] = holds
    while not trial.decide():
        break_circles(trial)
    return tuple(bool(trial.convoy_holds(army)) for army in armies)


def _sways(follows: Mapping[Turnout, Turnout], cause: int, effect: int) -> bool:
    """Whether the one convoy's turning out otherwise can make the other turn out otherwise."""
    for turnout, result in follows.items():
        other = (*turnout[:cause], not turnout[cause], *turnout[cause + 1 :])
        if result[effect] != follows[other][effect]:
            return True
    return False


# Dependence


def innermost_circles(needs: Mapping[T, Sequence[T]]) -> list[tuple[T, ...]]:
    """Every circle that depends on nothing outside itself, its nodes in the order given.

    These are the strongly connected components from which no way leads out, found by Tarjan's one pass: a phase may
    have hundreds of them.
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
                circle = [path.pop()]
                while circle[-1] != node:
                    circle.append(path.pop())
                if closed.isdisjoint(to for one in circle for to in needs[one]):
                    found.append(tuple(sorted(circle, key=places.__getitem__)))
                closed.update(circle)
    return found


def innermost(needs: Mapping[T, Iterable[T]]) -> tuple[T, ...]:
    """The nodes of a circle on which something depends and which depends on nothing outside itself.

    Of all sets of what a node depends on, directly or not, the smallest is one.
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
    """The open decisions that may sway this one."""
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
        if rival != unit and phase.opponent[rival] != NOBODY:
            yield from _move(decisions, phase.opponent[rival])
    if phase.defender[unit] != NOBODY:
        yield from _move(decisions, phase.defender[unit])
        yield from _strength_of(decisions, phase.defender[unit])


def _strength_of(decisions: Decisions, unit: int) -> Iterator[Node]:
    phase = decisions.phase
    yield from ((Kind.GIVEN, backer) for backer in phase.backers[unit] if decisions.given[backer] is None)
    yield from _convoy(decisions, unit)
    if phase.opponent[unit] != NOBODY:
        yield from _convoy(decisions, phase.opponent[unit])


def _convoy(decisions: Decisions, unit: int) -> Iterator[Node]:
    if decisions.phase.way[unit] != BY_LAND and decisions.carried[unit] is None:
        yield Kind.CARRIED, unit


def _move(decisions: Decisions, unit: int) -> Iterator[Node]:
    if decisions.phase.action[unit] == MOVE and decisions.moves[unit] is None:
        yield Kind.MOVES, unit


def assign(decisions: Decisions, values: Mapping[Node, bool]) -> None:
    """Set the decisions so."""
    lists: tuple[list[Decision], ...] = (decisions.moves, decisions.given, decisions.carried)
    for (kind, unit), value in values.items():
        lists[kind][unit] = value


def close(decisions: Decisions) -> None:
    """Take what is decided off the lists of what is open."""
    decisions.open_moves = [unit for unit in decisions.open_moves if decisions.moves[unit] is None]
    decisions.open_supports = [unit for unit in decisions.open_supports if decisions.given[unit] is None]
    decisions.open_convoys = [unit for unit in decisions.open_convoys if decisions.carried[unit] is None]
