"""The rules of the standard game (ST-1 to ST-14), and the games that have them with data of their own: `game_of`.

Seven powers, 34 centres, Spring 1901, victory at 18: these are in `data/standard.toml`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from gm.board import FiniteBoard, Location, Power, Province, standard_board
from gm.chance import Chance
from gm.judge import RULEBOOK_2023
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import NO_FACTS, Outcome, Resolution
from gm.judge.retreats_and_adjustments import resolve_adjustments, resolve_retreats
from gm.orders import Language, Order, UnitName, WrittenOrder, order_sets, unit_of
from gm.orders.legality import understand
from gm.orders.possible import Duty, Need, legal_orders, units_by_province
from gm.position import Phase, PhaseKind, Position, Season
from gm.turn import CENTERS, Event, SeasonCount, Turn, Victory, elimination
from gm.variants import Limits, SeasonEnd, Seating, Variant
from gm.variants.game_file import GameFile, packaged
from gm.variants.sentences import Sentences
from gm.views import View, Words

FILE = packaged("standard")
"""The standard game as data."""

POWERS = FILE.powers
ADJECTIVES = FILE.adjectives


def nations(powers: Container[Power]) -> dict[str, Power]:
    """Other words for the nations of this game, for the powers of any game that have the name of a nation."""
    return {word: power for word, power in FILE.words.items() if power in powers}


# Set-up


def begun(file: GameFile, _powers: Sequence[Power] = (), _chance: Chance | None = None) -> Position:
    """The first position: what the powers have at the start. All other centres are neutral."""
    return Position(
        phase=file.begins,
        units=tuple(unit for side in file.sides for unit in side.units),
        centers=dict(sorted((province, side.power) for side in file.sides for province in side.owns)),
    )


opening = partial(begun, FILE)
"""Spring 1901: home centres are owned, all others are not."""


# Orders


def needs(board: FiniteBoard, position: Position, power: Power, *, anywhere: bool = False) -> Need:
    """Centres minus units: builds in vacant own home centres, or in any vacant own centres (SB-2), or removals."""
    return needs_at(board, position, power, lambda province: anywhere or board.home(province) == power)


def needs_at(board: FiniteBoard, position: Position, power: Power, site: Callable[[Province], bool]) -> Need:
    """Centres minus units: builds in vacant own centres that can be a `site`, or removals."""
    owned, occupied = position.centers_of(power), units_by_province(board, position.units)
    surplus = len(owned) - sum(unit.kind.pieces for unit in position.units_of(power))
    return Need.of(surplus, frozenset(province for province in owned if site(province) and province not in occupied))


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """An order for each unit, each dislodged unit, or each build or removal."""
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        need = game.needs(game.board(position), position, power)
        return Duty(need=need) if need.count else None
    retreating = position.phase.kind is PhaseKind.RETREAT
    units = tuple(d.unit for d in position.dislodged_of(power)) if retreating else position.units_of(power)
    return Duty.of(units)


def merge(position: Position, earlier: Sequence[Order], later: Sequence[Order]) -> tuple[Order, ...]:
    """By unit; builds and removals as a whole (ST-7)."""
    return order_sets.merge(position.phase.kind, earlier, later, position.units)


def with_own_place(written: WrittenOrder, generic: Location, own: Callable[[str], Location]) -> WrittenOrder:
    """The order with a power's own place for the one that stands for it: in the part with this name, this one."""
    parts = {part.name: _placed(getattr(written, part.name), generic, own(part.name)) for part in fields(written)}
    return replace(written, **parts)


def _placed(part: Any, generic: Location, own: Location) -> Any:
    match part:
        case UnitName():
            return replace(part, at=_placed(part.at, generic, own))
        case tuple():
            return tuple(_placed(one, generic, own) for one in part)
    return own if part == generic else part


# Adjudication


def resolve(game: Variant, position: Position, orders: Sequence[Order], _chance: Chance) -> Resolution:
    """The phase, adjudicated with the game's rulebook."""
    board = game.board(position)
    match position.phase.kind:
        case PhaseKind.RETREAT:
            return resolve_retreats(board, position, orders)
        case PhaseKind.ADJUSTMENT:
            return resolve_adjustments(board, game.rulebook, position, orders, game.all_needs(position), game.removals)
        case _:
            return resolve_movement(board, game.rulebook, position.units, orders)


def end_of_season(game: Variant, position: Position, _chance: Chance) -> SeasonEnd:
    """After Fall every centre belongs to the power whose unit is in it; a vacant one keeps its owner (ST-10)."""
    if position.phase.season is not Season.FALL:
        return SeasonEnd(position)
    return count_centers(game.board(position), position)


def count_centers(board: FiniteBoard, position: Position) -> SeasonEnd:
    """The position after centres are given to their occupants, what changed, and who is eliminated."""
    standing = {board.province(unit.at): unit.power for unit in position.units}
    centers = dict(position.centers)
    gained: dict[Power, list[Province]] = {}
    lost: dict[Power, list[Province]] = {}
    for province, power in sorted(standing.items()):
        if board.is_center(province) and centers.get(province) != power:
            gained.setdefault(power, []).append(province)
            if province in centers:
                lost.setdefault(centers[province], []).append(province)
            centers[province] = power
    count = SeasonCount(
        gained={power: tuple(provinces) for power, provinces in gained.items()},
        lost={power: tuple(provinces) for power, provinces in lost.items()},
    )
    out = sorted(set(position.centers.values()) - set(centers.values()) - set(standing.values()))
    return SeasonEnd(replace(position, centers=centers), count, elimination(out))


def victory(position: Position, *, win: int = FILE.win) -> Victory | None:
    """The number of centres that wins, eighteen in the standard game, and more than anybody else has."""
    return leading(Counter(position.centers.values()), win)


def victory_with(game: Variant, position: Position, win: int) -> Victory | None:
    """`win` centres, and more than anybody else has."""
    return leading({power: len(position.centers_of(power)) for power in game.powers(position)}, win)


def leading(owned: Mapping[Power, int], win: int) -> Victory | None:
    """The victory of the power that has `win` centres, and more than any other."""
    most = max(owned.values(), default=0)
    leaders = tuple(power for power, number in owned.items() if number == most)
    return Victory(leaders, CENTERS, {"owned": most}) if most >= win and len(leaders) == 1 else None


MORE_THAN_HALF = "more than half"
"""A kind of victory: `units` and `centers`, each as a number and the total."""


def more_than_half(position: Position, centers: int) -> Victory | None:
    """The victory of the power that has more than half of all units and of so many centres."""
    for power in dict.fromkeys(position.centers.values()):
        units, owned = len(position.units_of(power)), len(position.centers_of(power))
        if 2 * units > len(position.units) and 2 * owned > centers:
            return Victory(
                (power,), MORE_THAN_HALF, {"units": [units, len(position.units)], "centers": [owned, centers]}
            )
    return None


def survivors(game: Variant, position: Position) -> tuple[Power, ...]:
    """The powers that have a unit, be it dislodged, or a centre."""
    alive = {*position.centers.values(), *(unit.power for unit in position.units)}
    alive |= {dislodged.unit.power for dislodged in position.dislodged}
    return tuple(power for power in game.powers(position) if power in alive)


def after_season(phase: Phase) -> tuple[Phase, ...]:
    """Spring is followed by Fall; Fall by Winter's adjustments and the next Spring."""
    if phase.season is Season.SPRING:
        return (Phase(phase.year, Season.FALL, PhaseKind.MOVEMENT),)
    spring = Phase(phase.year + 1, Season.SPRING, PhaseKind.MOVEMENT)
    if phase.season is Season.FALL:
        return (Phase(phase.year, Season.WINTER, PhaseKind.ADJUSTMENT), spring)
    return (spring,)


# Words


def words_of(
    says: Sentences,
    reasons: Mapping[str, Callable[[Outcome], str]] = NO_FACTS,
    events: Mapping[str, Callable[[Event, View], str]] = NO_FACTS,
    **more: Any,
) -> Words:
    """The words of a game: what it and the standard one say, filled with the facts; and `reasons`, `events` and `more`
    where that is not enough.
    """
    said = says.said
    return Words(
        reasons={**_worded(said["orders"], partial(_of_outcome, says)), **reasons},
        events={**_worded(said["events"], lambda text, one, _: says.filled(text, one.facts)), **events},
        victories=_worded(
            {**FILE.sentences["victories"], **said["victories"]},
            lambda text, won: says.filled(text, {"winner": won.winners, **won.facts}),
        ),
        **more,
    )


def _worded(sentences: Mapping[str, str], how: Callable[..., str]) -> dict[str, Callable[..., str]]:
    return {kind: partial(how, text) for kind, text in sentences.items()}


def _of_outcome(says: Sentences, text: str, outcome: Outcome) -> str:
    facts: dict[str, Any] = {"order": outcome.order, "unit": unit_of(outcome.order), **outcome.facts.own}
    fault = says.said["faults"].get(facts.get("fault", ""), "")
    return says.filled(text, {**facts, "fault": says.filled(fault, facts)})


# Sight


def view(
    game: Variant, position: Position, turn: Turn | None, seat: Power | None, *, site: str = "home centre"
) -> View:
    """Nothing on the board is hidden: every seat sees all of it. `site`: where units are built."""
    board, powers, duties = game.board(position), game.powers(position), game.duties(position)
    needs = game.all_needs(position)
    return View(seat, board, powers, position, needs, duties, game.words, turn, site=site, looks=game.looks)


# The values


def seating(file: GameFile) -> Seating:
    """Who can play: the powers of the file that have a seat, or so many as its players name."""
    if not file.sides:
        return Seating(file.naming.fewest, file.naming.most)
    seats = {side.power: side.seat for side in file.sides if side.seat != "nobody"}
    secret = frozenset(power for power, seat in seats.items() if seat == "secret")
    return Seating(fewest=len(seats), most=len(seats), powers=tuple(seats), secret=secret)


def game_of(file: GameFile) -> Variant:
    """The game that a file describes: the rules of the standard one, with its data."""
    board = standard_board().with_homes({home: side.power for side in file.sides for home in side.homes})
    spellings, powers = MappingProxyType(file.words), file.powers
    return Variant(
        name=file.name,
        title=file.title,
        edition=file.edition,
        rulebook=RULEBOOK_2023,
        seating=seating(file),
        adjectives=file.adjectives,
        looks={side.power: side.look for side in file.sides},
        words=words_of(file.says()),
        language=Language(spellings=lambda _: spellings),
        opening=partial(begun, file),
        powers=lambda _: powers,
        board=lambda _: board,
        needs=partial(needs, anywhere=True) if file.anywhere else needs,
        duty=duty,
        understand=understand,
        merge=merge,
        legal_orders=legal_orders,
        resolve=resolve,
        end_of_season=end_of_season,
        victory=partial(victory, win=file.win),
        limits=Limits(victory_with, survivors),
        goal=f"{file.win} supply centres after a Fall",
        after_season=after_season,
        view=partial(view, site="own centre") if file.anywhere else view,
        brief=file.about,
    )


STANDARD = game_of(FILE)
spellings = STANDARD.language.spellings
"""Adjectives and abbreviations of the seven powers."""
