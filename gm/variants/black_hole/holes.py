"""The end of a season: a province becomes a black hole, then ownership is counted (BH-1, BH-2)."""

from __future__ import annotations

from dataclasses import replace

from gm.board import Power, Province
from gm.board.standard import TableBoard
from gm.chance import Chance
from gm.position import Position, Season
from gm.turn import SeasonCount, Victory
from gm.variants import SeasonEnd, Variant
from gm.variants.black_hole.board import spoken
from gm.variants.black_hole.exemptions import fallen, open_to_move, still_open
from gm.variants.black_hole.state import State, board_of, season_code, state_of
from gm.variants.standard import count_centers


def end_of_season(game: Variant, position: Position, chance: Chance) -> SeasonEnd:
    """A hole appears; after Fall centres are counted; whoever has nothing left is out, and his exemption lapses."""
    before = state_of(position)
    alive = before.without(*fallen(before, position))
    after, news = _swallow(game, position, alive, chance)
    end = SeasonEnd(after)
    if position.phase.season is Season.FALL:
        end = count_centers(board_of(after), after)
    out = fallen(before, end.position)
    state = still_open(state_of(end.position), end.position).without(*out)
    return SeasonEnd(state.within(end.position), _counted(end.count, position, after, out), news)


def candidates(board: TableBoard, state: State) -> list[Province]:
    """The provinces of which one is drawn: all that are left and not exempt, in alphabetical order of their codes."""
    exempt = set(state.exemptions.values())
    return [province for province in board.provinces if province not in exempt]


def _swallow(game: Variant, position: Position, state: State, chance: Chance) -> tuple[Position, tuple[str, ...]]:
    """The position without the province that is drawn, and what to tell of it."""
    board, season = board_of(position), season_code(position)
    drawn_from = candidates(board, state)
    if not drawn_from:
        return state.within(position), ("No black hole appears: every province that is left is exempt.",)
    gone = chance.choose(drawn_from, season, "hole")
    after = replace(
        position,
        units=tuple(unit for unit in position.units if board.province(unit.at) != gone),
        centers={province: power for province, power in position.centers.items() if province != gone},
    )
    opened = open_to_move(board, position, state, gone)
    told = _told(game, board, position, gone, len(drawn_from))
    return replace(opened, holes={**state.holes, gone: season}).within(after), (told,)


def _told(game: Variant, board: TableBoard, position: Position, gone: Province, number: int) -> str:
    """What vanished, and what was lost with it."""
    place = spoken(board, gone)
    lost = [
        f"the {_adjective(game, unit.power)} {unit.kind.word} there is annihilated"
        for unit in position.units
        if board.province(unit.at) == gone
    ]
    if board.is_center(gone):
        owner = position.centers.get(gone)
        whose = f"{_adjective(game, owner)} " if owner is not None else "unowned "
        lost.append(f"the {whose}supply centre is gone for good")
    losses = " and ".join(lost) or "nothing else was lost with it"
    return f"{place[:1].upper()}{place[1:]}, drawn from {number} provinces, becomes a black hole; {losses}."


def _adjective(game: Variant, power: Power) -> str:
    return game.adjectives.get(power) or f"{power}'s"


def _counted(
    count: SeasonCount | None, before: Position, after: Position, out: tuple[Power, ...]
) -> SeasonCount | None:
    """The count with the centre that vanished among those lost, and with all that are out now; None for no change."""
    vanished = {power: province for province, power in before.centers.items() if province not in after.centers}
    if count is None and not vanished and not out:
        return None
    counted = count or SeasonCount()
    lost = {power: (province, *counted.lost.get(power, ())) for power, province in vanished.items()}
    also = tuple(power for power in counted.eliminated if power not in out)
    return replace(counted, lost={**counted.lost, **lost}, eliminated=(*out, *also))


def victory(position: Position) -> Victory | None:
    """More than half of the units on the board and of the centres still in being, after the hole of a Spring or Fall
    (BH-6). Nobody has won when all is gone.
    """
    if position.phase.season is Season.WINTER:
        return None
    if not position.units and not position.centers:
        return Victory((), "Nothing is left on the board, and nobody has won.")
    centers = board_of(position).centers
    for power in dict.fromkeys(position.centers.values()):
        units, owned = len(position.units_of(power)), len(position.centers_of(power))
        if 2 * units > len(position.units) and 2 * owned > len(centers):
            return Victory(
                (power,),
                f"{power} has {units} of the {len(position.units)} units on the board and owns {owned} of the "
                f"{len(centers)} supply centres still in being.",
            )
    return None
