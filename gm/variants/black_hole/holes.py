"""The end of a season: a province becomes a black hole, then ownership is counted (BH-1, BH-2)."""

from __future__ import annotations

from dataclasses import replace

from gm.board import Power, Province
from gm.board.standard import TableBoard
from gm.chance import Chance
from gm.position import Position, Season
from gm.turn import Event, SeasonCount, Victory, eliminated, elimination
from gm.variants import SeasonEnd, Variant
from gm.variants.black_hole.exemptions import fallen, open_to_move, still_open
from gm.variants.black_hole.state import State, board_of, season_code, state_of
from gm.variants.standard import count_centers

HOLE = "hole"
"""A `province`, drawn from so many `candidates`, is gone, with its `units` and the centre of its `owner`: an event."""

NO_HOLE = "no hole"
"""No province is gone, for all that are left are exempt: an event."""

NOTHING_LEFT, MORE_THAN_HALF = "nothing left", "more than half"
"""The kinds of victory: there is nothing any more; or `units` and `centers`, each as so many of all."""


def end_of_season(game: Variant, position: Position, chance: Chance) -> SeasonEnd:
    """A hole appears; after Fall centres are counted; whoever has nothing left is out, and his exemption lapses."""
    del game
    before = state_of(position)
    alive = before.without(*fallen(before, position))
    after, event = _swallow(position, alive, chance)
    end = SeasonEnd(after)
    if position.phase.season is Season.FALL:
        end = count_centers(board_of(after), after)
    out = fallen(before, end.position)
    state = still_open(state_of(end.position), end.position).without(*out)
    fell = elimination(dict.fromkeys((*out, *eliminated(end.events))))
    return SeasonEnd(state.within(end.position), _counted(end.count, position, after, out), (event, *fell))


def candidates(board: TableBoard, state: State) -> list[Province]:
    """The provinces of which one is drawn: all that are left and not exempt, in alphabetical order of their codes."""
    exempt = set(state.exemptions.values())
    return [province for province in board.provinces if province not in exempt]


def _swallow(position: Position, state: State, chance: Chance) -> tuple[Position, Event]:
    """The position without the province that is drawn, and the event."""
    board, season = board_of(position), season_code(position)
    drawn_from = candidates(board, state)
    if not drawn_from:
        return state.within(position), Event(NO_HOLE)
    gone = chance.choose(drawn_from, season, "hole")
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
    """The count with the centre that vanished among those lost; None where nothing changed and nobody is `out`."""
    vanished = {power: province for province, power in before.centers.items() if province not in after.centers}
    if count is None and not vanished and not out:
        return None
    counted = count or SeasonCount()
    lost = {power: (province, *counted.lost.get(power, ())) for power, province in vanished.items()}
    return replace(counted, lost={**counted.lost, **lost})


def victory(position: Position) -> Victory | None:
    """More than half of the units on the board and of the centres still in being, after the hole of a Spring or Fall
    (BH-6). Nobody has won when all is gone.
    """
    if position.phase.season is Season.WINTER:
        return None
    if not position.units and not position.centers:
        return Victory((), NOTHING_LEFT)
    centers = board_of(position).centers
    for power in dict.fromkeys(position.centers.values()):
        units, owned = len(position.units_of(power)), len(position.centers_of(power))
        if 2 * units > len(position.units) and 2 * owned > len(centers):
            shares = {"units": [units, len(position.units)], "centers": [owned, len(centers)]}
            return Victory((power,), MORE_THAN_HALF, shares)
    return None
