"""The planets of a game: their names and codes, their first units, what the position stores about them (QS-3 to
QS-6), and which of very many concern a reader.

`Position.extra` contains, besides units and centres:

    {"planets": {"Auerbach": "a", "Berenike": "b"}, "digits": 19, "joining": {"Nova": "n"}}

`planets` may be a plain list of names where a person writes it. `joining` exists only between a JOIN and the end of the
phase in which it came (QS-12).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, product
from string import ascii_lowercase
from typing import Any, NamedTuple

from gm.board import Location, Power, Province, Travel, UnitKind
from gm.chance import Chance
from gm.errors import NotUnderstood
from gm.judge.outcomes import Outcome
from gm.orders import Convoy, Declaration, Move, Retreat, Support
from gm.orders.possible import ByIdentity
from gm.position import STANDARD_KINDS, Position, Unit
from gm.turn import Event, Turn
from gm.variants.game_file import GameFile, fold, packaged
from gm.variants.quantum_space.space import BORDERS, CENTERS, ORBIT, QUANTUM, Planets, QuantumBoard, is_quantum, space
from gm.views import View

ARMY_FLEET = UnitKind("A/F", "army/fleet", Travel.SEA, ("a/f", "af", "army/fleet"), pieces=2)
"""An army aboard a fleet of its own power: two units that move as one fleet and cannot convoy (QS-13)."""

FILE, FILE_3001 = packaged("quantum-space"), packaged("quantum-space-3001")
"""Both games as data. What is no name in one is none in the other."""
MOST_DIGITS = FILE.numbers["digits"]
SAYS = FILE.says()

_WORDS = FILE.naming.words
_ORDERS = _WORDS["orders"].union(
    word for words in (STANDARD_KINDS.seasons_by_word, STANDARD_KINDS.phases_by_word) for word in words if word[1:]
)

_NAME = "[a-z]+(?:[ '-][a-z]+)*"
"""A folded name: words of letters with single blanks, hyphens or apostrophes between them."""


def name_planet(text: str, taken: Sequence[Power]) -> Power:
    """The name of a planet in its final spelling (QS-6). Raises NotUnderstood for a name that is not allowed."""
    name = " ".join(text.strip(" \"'.,!").split()).replace("’", "'")
    folded = fold(name)
    if folded.startswith(QUANTUM):
        raise SAYS.refusal("begins with q", NotUnderstood, text=text)
    FILE.naming.checked(name, taken, form=_is_name, code=fold, places=())
    words = re.split("[ -]", folded)
    means = next((word for word in words if word in _ORDERS | _WORDS["commands"]), None)
    if means is not None or (len(folded) < 4 and folded in _WORDS["everyday"]):
        raise SAYS.refusal("has a meaning", NotUnderstood, name=means or text)
    titled = re.sub(r"[^ -]+", lambda word: word[0].capitalize(), name)  # what is after an apostrophe is no new word
    return Power(titled if name.islower() or name.isupper() else name)


# Codes


def assign_codes(names: Iterable[str]) -> dict[Power, str]:
    """A code for each planet, all different: the initial if it is free, otherwise more letters (QS-6)."""
    codes: dict[Power, str] = {}
    every = [Power(name) for name in names]
    used = set(map(fold, every))
    for name in every:
        codes[name] = code = _free_code(name, used)
        used |= {code, code + ORBIT}
    return codes


def add_planet(codes: Mapping[Power, str], name: Power) -> dict[Power, str]:
    """The codes of a game with one more planet. Raises NotUnderstood for a name that is the code of another planet's
    space.
    """
    owners = {code: power for power, code in codes.items()}
    folded = fold(name)
    if (owner := owners.get(folded) or owners.get(folded.removesuffix(ORBIT))) is not None:
        raise SAYS.refusal("is a code", NotUnderstood, name=name, owner=owner)
    used = {word for power, code in codes.items() for word in (fold(power), code, code + ORBIT)}
    return {**codes, name: _free_code(name, used | {folded})}


def _free_code(name: Power, used: set[str]) -> str:
    """A code that, alone or with the letter of the orbit, is neither a planet's name nor another code, and the reverse;
    a code of several letters is also not a word of orders or an everyday word. The name `X` is its own code.
    """
    letters = re.sub("[^a-z]", "", fold(name))
    if len(letters) == 1:
        used = used - {letters}
    return next(code for code in _candidates(letters) if _is_free(code, used))


def _is_free(code: str, used: set[str]) -> bool:
    if code in used or code + ORBIT in used:
        return False
    return len(code) == 1 or not {code, code + ORBIT} & (_ORDERS | _WORDS["everyday"])


def _candidates(name: str) -> Iterator[str]:
    first, rest = name[0], name[1:]
    yield first
    yield from (first + letter for letter in rest)
    yield from (first + "".join(pair) for pair in combinations(rest, 2))
    every = (product(ascii_lowercase, repeat=length) for length in (1, 2, 3, 4))
    yield from (first + "".join(letters) for letters in chain.from_iterable(every))


# What the position keeps


def planets_of(position: Position) -> Planets:
    """The planets of the game, including eliminated ones. Raises NotUnderstood for a state that names none."""
    return _planets(ByIdentity(position.extra.get("planets")))


@lru_cache(maxsize=8)
def _planets(kept: ByIdentity[Any]) -> Planets:
    planets = kept.value
    if isinstance(planets, list | tuple) and planets and all(map(_is_name, planets)) and _differ(planets):
        return Planets(dict(sorted(assign_codes(planets).items())))
    if isinstance(planets, Mapping) and all(map(_is_name, planets)) and _are_codes(planets.values()):
        return Planets({Power(name): code for name, code in sorted(planets.items())})
    raise SAYS.refusal("planets", NotUnderstood, planets=repr(planets))


def _is_name(name: object) -> bool:
    return isinstance(name, str) and re.fullmatch(f"(?!{QUANTUM}){_NAME}", fold(name)) is not None


def _are_codes(codes: Collection[object]) -> bool:
    letters = all(isinstance(code, str) and re.fullmatch("[a-pr-z][a-z]*", fold(code)) for code in codes)
    return letters and _differ(codes)


def _differ(names: Iterable[Any]) -> bool:
    listed = [fold(str(name)) for name in names]
    return len(set(listed)) == len(listed)


def powers_of(position: Position) -> tuple[Power, ...]:
    """Every power of the game by name, including eliminated ones."""
    return tuple(planets_of(position).codes)


def board_of(position: Position) -> QuantumBoard:
    """The board of a position, cached."""
    return _board(ByIdentity(position))


@lru_cache(maxsize=8)
def _board(kept: ByIdentity[Position]) -> QuantumBoard:
    position = kept.value
    digits = position.extra.get("digits", MOST_DIGITS)
    if not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS:
        raise SAYS.refusal("digits in the state", NotUnderstood, digits=repr(digits), most=MOST_DIGITS)
    came_from = (d.origin for d in position.dislodged if not d.convoyed)
    taken = chain((unit.at for unit in position.units), position.contested, came_from)
    return QuantumBoard(planets_of(position), digits, taken)


ARRIVED = "arrived"
"""The event that the planet of `power`, with this `code`, has joined the game."""


# Set-up


def opening(file: GameFile, powers: Sequence[Power], _chance: Chance | None = None, *, digits: int) -> Position:
    """Every planet with its four units, and its four centres (QS-2, QS-3). In a first Winter nothing is ordered; the
    powers negotiate (QS-9).
    """
    codes = assign_codes(powers)
    extra = {"planets": dict(codes), "digits": digits}
    return Position(file.begins, *_garrisons(file, codes), extra=extra)


def _garrisons(file: GameFile, codes: Mapping[Power, str]) -> tuple[tuple[Unit, ...], dict[Province, Power]]:
    """The units and the centres of planets that have just come."""
    places = {power: {at: Location(space(code, at)) for at in (*BORDERS, ORBIT)} for power, code in codes.items()}
    units = (file.naming.units_of(power, own.__getitem__) for power, own in places.items())
    centers = {Province(own[number]): power for power, own in places.items() for number in CENTERS}
    return tuple(chain.from_iterable(units)), centers


# Newcomers (QS-12)


def enlist(position: Position, power: Power) -> Position:
    """The planet joins the game when this phase is adjudicated. Raises NotUnderstood for a name that is not allowed."""
    joining = _joining(position)
    codes = add_planet({**planets_of(position).codes, **joining}, power)
    return replace(position, extra={**position.extra, "joining": {**joining, power: codes[power]}})


def enlisted(position: Position) -> tuple[Power, ...]:
    """The planets that join the game when this phase is adjudicated."""
    return tuple(_joining(position))


def _joining(position: Position) -> Mapping[Power, str]:
    """The newcomers' codes, by name. Raises NotUnderstood."""
    joining = position.extra.get("joining", {})
    if not isinstance(joining, Mapping) or not all(map(_is_name, joining)) or not _are_codes(joining.values()):
        raise SAYS.refusal("joining", NotUnderstood, joining=repr(joining))
    return {Power(name): joining[name] for name in sorted(joining)}


def unlisted(position: Position) -> Position:
    """The position as it was before anybody joined in this phase."""
    return replace(position, extra={key: value for key, value in position.extra.items() if key != "joining"})


def arrive(position: Position) -> tuple[Position, tuple[Event, ...]]:
    """The position with a standard planet for each newcomer; it has no other units, because its spaces are new on the
    board.
    """
    joining = _joining(position)
    if not joining:
        return position, ()
    extra = {**unlisted(position).extra, "planets": {**planets_of(position).codes, **joining}}
    units, centers = _garrisons(FILE_3001, joining)
    arrived = replace(position, units=(*position.units, *units), centers={**position.centers, **centers}, extra=extra)
    return arrived, tuple(Event(ARRIVED, {"power": power, "code": code}) for power, code in joining.items())


SHOWN = 8
"""The most planets on a chart."""
CONCERN = 20
"""The weight of one thing that concerns the reader; more than all that only goes on elsewhere."""


def near(view: View, board: QuantumBoard) -> tuple[Power, ...]:
    """The planets that are drawn, in the order of the game."""
    if len(view.powers) <= SHOWN:
        return view.powers
    shown = {power for power, _ in weightiest(view, board, SHOWN)}
    return tuple(power for power in view.powers if power in shown)


def weightiest(view: View, board: QuantumBoard, most: int) -> Sequence[tuple[Power, int]]:
    """The planets that concern the seat most, with how much, from `CONCERN` up; for the public, those with most
    activity.

    A planet concerns itself, those with units or centres there, and those met by its orders. Besides these only the
    busiest can be among the first, so that no reader costs as much as there are planets.
    """
    found = _activity(ByIdentity(view.position), ByIdentity(view.turn), ByIdentity(board))
    own: Counter[Power] = Counter()
    if view.seat is None or view.seat not in board.planets.codes:
        own.update({power: (CONCERN - 1) * len(parties) for power, parties in found.of.items()})
    else:
        own[view.seat] = 1000
        for parties in found.of.get(view.seat, ()):
            own.update(dict.fromkeys(parties, CONCERN - 1))
    weight = {power: found.every[power] + own[power] for power in (*own, *found.busiest[:most])}
    return sorted(weight.items(), key=lambda pair: (-pair[1], found.places[pair[0]]))[:most]


class _Activity(NamedTuple):
    """How often each planet has to do with something, and the meetings of several planets by each of them."""

    every: Mapping[Power, int]
    of: Mapping[Power, Sequence[set[Power]]]
    busiest: Sequence[Power]
    places: Mapping[Power, int]
    """In the order of the game."""


@lru_cache(maxsize=4)
def _activity(
    position: ByIdentity[Position], turn: ByIdentity[Turn | None], board: ByIdentity[QuantumBoard]
) -> _Activity:
    """Found once for all readers."""
    every: Counter[Power] = Counter(dict.fromkeys(board.value.planets.codes, 0))
    of: dict[Power, list[set[Power]]] = {}
    for parties in _meetings(position.value, turn.value, board.value):
        every.update(parties)
        if len(parties) > 1:
            for power in parties:
                of.setdefault(power, []).append(parties)
    busiest = sorted(every, key=lambda power: -every[power])
    return _Activity(every, of, busiest, {power: place for place, power in enumerate(every)})


def _meetings(position: Position, turn: Turn | None, board: QuantumBoard) -> Iterator[set[Power]]:
    """Planets that have to do with each other: at a planet of one of them, and by an order and what it met."""
    home = board.planets.powers
    for unit in position.every_unit:
        if not is_quantum(unit.at):
            yield {unit.power, home[unit.at[:-1]]}
    for center, owner in position.centers.items():
        yield {owner, home[center[:-1]]}
    if turn is None:
        return
    standing = {unit.at: unit.power for unit in turn.before.units}
    for outcome in turn.outcomes:
        order = outcome.order
        if not isinstance(order, Declaration):
            to = order.to if isinstance(order, Move | Retreat | Support | Convoy) else None
            met = {standing.get(to), None if is_quantum(to) else home.get(to[:-1])} if to is not None else set()
            yield {order.unit.power, *(power for power in met if power is not None), *_others(outcome)}


def _others(outcome: Outcome) -> Iterator[Power]:
    """The powers of the units that an order names, and of those that it met."""
    order, facts = outcome.order, outcome.facts
    if isinstance(order, Support | Convoy):
        yield order.supported.power if isinstance(order, Support) else order.convoyed.power
    yield from (opponent.unit.power for opponent in facts.against)
    yield from (unit.power for unit in (facts.by, outcome.dislodged_by) if unit is not None)
