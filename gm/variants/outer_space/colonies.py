"""Colonization: attempts noted when units move, judged when the season ends (OS-8 to OS-10); and what is eliminated.

Between the two stands, in `Position.extra`:

    "attempts": [{"empire": "Krell", "province": "bur", "rivals": ["Zorg"]}, ...]

`rivals` are the other empires that attempted to colonize the province or ordered a legal move or beam into it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gm.board import FiniteBoard, Location, Power, Province
from gm.chance import Chance
from gm.judge.outcome import Outcome, Result, Why
from gm.orders import Move
from gm.position import Position, Season
from gm.turn import SeasonCount
from gm.variants import SeasonEnd, Variant
from gm.variants.outer_space.empires import colonies_by_empire, colonies_of, eliminated, empires_of
from gm.variants.outer_space.orders import Colonize, goal
from gm.variants.standard import count_centers


def attempts(board: FiniteBoard, outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """The attempts to colonize among the orders of a movement phase, each with its rivals."""
    tried: dict[Province, set[Power]] = {}
    entered: dict[Province, set[Power]] = {}
    for outcome in outcomes:
        order = outcome.order
        if outcome.result is Result.ILLEGAL or outcome.facts.why is Why.REPLACED:
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
    standing = {board.province(unit.at): unit.power for unit in position.units}
    before = colonies_of(position)
    colonies = dict(before)
    founded: dict[Power, list[str]] = {}
    news = []
    for attempt in position.extra.get("attempts", ()):
        empire, province = Power(attempt["empire"]), Province(attempt["province"])
        place = board.full_name(Location(province))
        failure = _failure(standing.get(province), empire, attempt["rivals"])
        if failure:
            news.append(f"{empire} does not colonize {place}: {failure}.")
            continue
        colonies[province] = empire
        founded.setdefault(empire, []).append(place + _since(before.get(province), empire))
    news += [f"{empire} colonizes {', '.join(places)}." for empire, places in founded.items()]
    extra = {key: value for key, value in position.extra.items() if key != "attempts"}
    extra["colonies"] = colonies_by_empire(colonies)
    return replace(position, extra=extra), tuple(sorted(news))


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
