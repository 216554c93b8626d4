"""What bounds leave open: circular movement, and convoy paradoxes by the rulebook (DATC 4.A.2, 5.C to 5.E).

Open decisions depend on one another in a circle. Only the innermost circle is taken up at a time (the *core*: it
depends on nothing open outside itself), so that a paradox does not spread to convoys that merely look on (DATC
6.F.15). All its consistent resolutions are found:

- they agree on the convoys: it is circular movement, and of its resolutions that with most moves is taken (6.C.1);
- there is none, or they differ in a convoy: a paradox. Szykman's rule: the armies in question do not move.

Place: called by `gm.judge.movement` when `gm.judge.decisions` cannot go on; rare, and written for plainness.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from gm.judge.compiled import BY_CONVOY, BY_EITHER, MOVE, NOBODY
from gm.judge.decisions import Decision, Decisions


class Kind(IntEnum):
    """What an open decision is about."""

    MOVES = 0
    GIVEN = 1
    CARRIED = 2


Node = tuple[Kind, int]
"""An open decision: its kind and its unit."""

Assignment = dict[Node, bool]


def break_circle(decisions: Decisions) -> frozenset[int]:
    """Decide the innermost circle. Returns the armies whose convoys were held to fail as a paradox."""
    core = innermost_circle(decisions)
    resolutions = list(consistent_resolutions(decisions, core))
    convoys = [node for node in core if node[0] is Kind.CARRIED]
    disputed = [node for node in convoys if len({found[node] for found in resolutions}) != 1]
    if disputed:
        _assign(decisions, dict.fromkeys(disputed, False))
        return frozenset(army for _, army in disputed)
    if resolutions:
        _assign(decisions, max(resolutions, key=_moves))
    else:  # no convoy and no consistent resolution: cannot be with standard moves; nobody moves
        _assign(decisions, {node: False for node in core if node[0] is Kind.MOVES})
    return frozenset()


def _moves(resolution: Assignment) -> int:
    return sum(decided for (kind, _), decided in resolution.items() if kind is Kind.MOVES)


def innermost_circle(decisions: Decisions) -> tuple[Node, ...]:
    """The open decisions that depend on each other and on nothing else that is open."""
    nodes = [(Kind.MOVES, unit) for unit in decisions.open_moves]
    nodes += [(Kind.GIVEN, unit) for unit in decisions.open_supports]
    nodes += [(Kind.CARRIED, unit) for unit in decisions.open_convoys]
    needs = {node: tuple(_depends_on(decisions, node)) for node in nodes}
    return min((_reached(node, needs) for node in nodes), key=len)


def _reached(start: Node, needs: dict[Node, tuple[Node, ...]]) -> tuple[Node, ...]:
    """All that the decision depends on, itself first. The smallest such set is a circle with nothing below it."""
    found = {start: None}
    waiting = [start]
    while waiting:
        for node in needs[waiting.pop()]:
            if node not in found:
                found[node] = None
                waiting.append(node)
    return tuple(sorted(found))


def _depends_on(decisions: Decisions, node: Node) -> Iterator[Node]:
    """The open decisions that may sway this one."""
    phase = decisions.phase
    kind, unit = node
    if kind is Kind.MOVES:
        target = phase.target[unit]
        assert target is not None
        yield from _strength_of(decisions, unit)
        for rival in phase.arrivals[target]:
            yield from _strength_of(decisions, rival)
            if rival != unit and phase.opponent[rival] >= 0:
                yield from _move(decisions, phase.opponent[rival])
        defender = phase.defender[unit]
        if defender != NOBODY:
            yield from _move(decisions, defender)
            yield from _strength_of(decisions, defender)
    elif kind is Kind.GIVEN:
        for attacker in phase.arrivals[phase.at[unit]]:
            yield from _move(decisions, attacker)
            yield from _convoy(decisions, attacker)
    else:
        for fleet in {fleet for route in phase.routes[unit] for fleet in route}:
            for attacker in phase.arrivals.get(phase.at[fleet], ()):
                yield from _move(decisions, attacker)


def _strength_of(decisions: Decisions, unit: int) -> Iterator[Node]:
    phase = decisions.phase
    yield from ((Kind.GIVEN, backer) for backer in phase.backers[unit] if decisions.given[backer] is None)
    yield from _convoy(decisions, unit)
    if phase.opponent[unit] >= 0:
        yield from _convoy(decisions, phase.opponent[unit])


def _convoy(decisions: Decisions, unit: int) -> Iterator[Node]:
    if decisions.phase.way[unit] in (BY_CONVOY, BY_EITHER) and decisions.carried[unit] is None:
        yield Kind.CARRIED, unit


def _move(decisions: Decisions, unit: int) -> Iterator[Node]:
    if decisions.phase.action[unit] == MOVE and decisions.moves[unit] is None:
        yield Kind.MOVES, unit


def consistent_resolutions(decisions: Decisions, core: tuple[Node, ...]) -> Iterator[Assignment]:
    """Every way to decide the core in which each decision follows from the others."""
    rules = (decisions.move_succeeds, decisions.support_is_given, decisions.convoy_is_open)
    lists = (decisions.moves, decisions.given, decisions.carried)

    def search(chosen: int) -> Iterator[Assignment]:
        for node in core[:chosen]:
            kind, unit = node
            followed = rules[kind](unit)
            if followed is not None and followed != lists[kind][unit]:
                return
        if chosen == len(core):
            yield {node: bool(lists[node[0]][node[1]]) for node in core}
            return
        kind, unit = core[chosen]
        forced = rules[kind](unit)
        for value in (True, False) if forced is None else (forced,):
            lists[kind][unit] = value
            yield from search(chosen + 1)
            lists[kind][unit] = None

    yield from search(0)


def _assign(decisions: Decisions, assignment: Assignment) -> None:
    lists: tuple[list[Decision], ...] = (decisions.moves, decisions.given, decisions.carried)
    for (kind, unit), value in assignment.items():
        lists[kind][unit] = value
    decisions.open_moves = [unit for unit in decisions.open_moves if decisions.moves[unit] is None]
    decisions.open_supports = [unit for unit in decisions.open_supports if decisions.given[unit] is None]
    decisions.open_convoys = [unit for unit in decisions.open_convoys if decisions.carried[unit] is None]
