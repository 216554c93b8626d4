"""Colonization: attempts noted when units move, judged when the season ends (OS-8 to OS-10); and what is eliminated.

Between the two stands, in `Position.extra`:

    "attempts": [{"empire": "Krell", "province": "bur", "rivals": ["Zorg"]}, ...]

`rivals` are the other empires that attempted to colonize the province or ordered a legal move or beam into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from gm.board import FiniteBoard, Location, Power, Province
from gm.chance import Chance
from gm.judge.outcome import Outcome, Resolution, Result, Why
from gm.orders import Move
from gm.orders.notation import write
from gm.orders.possible import retreat_options
from gm.position import PhaseKind, Position, Season
from gm.turn import SeasonCount
from gm.variants import SeasonEnd, Variant
from gm.variants.outer_space.empires import attempts_of, colonies_by_empire, colonies_of, eliminated, empires_of
from gm.variants.outer_space.orders import Colonize, goal
from gm.variants.standard import count_centers


def note_attempts(board: FiniteBoard, position: Position, found: Resolution) -> Resolution:
    """The resolution of a movement phase with its attempts to colonize noted, and judged as far as nobody retreats."""
    tried = attempts(board, found.outcomes)
    if not tried:
        return found
    resolved = replace(position, units=found.units, dislodged=found.dislodged, contested=found.contested)
    pending = any(retreat_options(board, resolved, dislodged) for dislodged in found.dislodged)
    failures = {} if pending else {(a["empire"], a["province"]): why for a, why in _judged(board, resolved, tried)}

    def told(outcome: Outcome) -> Outcome:
        order = outcome.order
        if not isinstance(order, Colonize) or not _counts(outcome):
            return outcome
        failure = failures.get((order.unit.power, goal(board, order)), "")
        result, words = (Result.VOID, f"fails: {failure}") if failure else (Result.SUCCEEDS, "succeeds")
        if pending:
            words = "is judged after the retreats"
        said = f"{write(order)} {words}" if failure or pending or outcome.dislodged_by else ""
        return outcome._replace(result=result, facts=outcome.facts._replace(said=said))

    outcomes = tuple(map(told, found.outcomes))
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
        {
            "empire": empire,
            "province": province,
            "rivals": sorted((empires | entered.get(province, set())) - {empire}),
        }
        for province, empires in sorted(tried.items())
        for empire in sorted(empires)
    ]


def _counts(outcome: Outcome) -> bool:
    """Whether the order was a legal one and in force."""
    return outcome.result is not Result.ILLEGAL and outcome.facts.why is not Why.REPLACED


def end_of_season(game: Variant, position: Position, chance: Chance) -> SeasonEnd:
    """Colonies are founded; after Fall centres are counted, and who has none is out."""
    del chance
    board = game.board(position)
    position, news = found_colonies(board, position)
    if position.phase.season is not Season.FALL:
        return SeasonEnd(position, news=news)
    end = count_centers(board, position)
    return replace(_eliminate(end), news=(*news, *_news_of_elimination(end)))


def found_colonies(board: FiniteBoard, position: Position) -> tuple[Position, tuple[str, ...]]:
    """The position with its attempts judged: an empire founds a colony where it stands at the end of the season, or in
    a vacant province in which nobody else showed an interest (OS-9). The new colony replaces an older one (OS-10).
    """
    before = colonies_of(position)
    colonies = dict(before)
    founded: dict[Power, list[str]] = {}
    news = []
    for attempt, failure in _judged(board, position, attempts_of(position)):
        empire, province = Power(attempt["empire"]), Province(attempt["province"])
        place = board.full_name(Location(province))
        if not failure:
            colonies[province] = empire
            founded.setdefault(empire, []).append(place + _since(before.get(province), empire))
        elif position.phase.kind is PhaseKind.RETREAT:  # otherwise it is told of the order itself
            news.append(f"{empire} does not colonize {place}: {failure}.")
    news += [f"{empire} colonizes {', '.join(places)}." for empire, places in founded.items()]
    extra = {key: value for key, value in position.extra.items() if key != "attempts"}
    extra["colonies"] = colonies_by_empire(colonies)
    return replace(position, extra=extra), tuple(sorted(news))


def _judged(
    board: FiniteBoard, position: Position, tried: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Each attempt with why it fails, as the units stand; "" where it succeeds."""
    standing = {board.province(unit.at): unit.power for unit in position.units}
    for attempt in tried:
        occupant = standing.get(Province(attempt["province"]))
        yield attempt, _failure(occupant, Power(attempt["empire"]), attempt["rivals"])


def _failure(occupant: Power | None, empire: Power, rivals: Iterable[str]) -> str:
    """Why an attempt fails; "" if it succeeds."""
    if occupant == empire:
        return ""
    if occupant is not None:
        return f"{occupant} stands there"
    names = list(rivals)
    if not names:
        return ""
    return f"{' and '.join(names)} tried for it too"


def _since(owner: Power | None, empire: Power) -> str:
    """Whose colony the province was, if it was one."""
    if owner is None:
        return ""
    return " (its colony already)" if owner == empire else f" (until now {owner}'s)"


def _eliminate(end: SeasonEnd) -> SeasonEnd:
    """Take those without a centre out of the game, with their units and colonies (OS-14)."""
    position, owners = end.position, set(end.position.centers.values())
    out = eliminated(position)
    fallen = tuple(empire for empire in empires_of(position) if empire not in owners and empire not in out)
    colonies = {p: empire for p, empire in colonies_of(position).items() if empire in owners}
    extra = {
        **position.extra,
        "colonies": colonies_by_empire(colonies),
        "eliminated": sorted({*out, *fallen}),
    }
    units = tuple(unit for unit in position.units if unit.power in owners)
    count = replace(end.count or SeasonCount(), eliminated=fallen)
    return replace(end, position=replace(position, units=units, extra=extra), count=count)


def _news_of_elimination(counted: SeasonEnd) -> tuple[str, ...]:
    """What the elimination takes off the board."""
    owners = set(counted.position.centers.values())
    if all(unit.power in owners for unit in counted.position.units):
        return ()
    return ("Who has no centre after Fall is out: the units are disbanded, the colonies neutral again (OS-14).",)
