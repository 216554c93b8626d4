"""Which units of others can go where, for who asks whether they can be attacked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from gm import patterns as re
from gm.board import Location, Power, Province
from gm.errors import NotUnderstood
from gm.games.report_inputs import view_of
from gm.games.snapshot import Game, Seat
from gm.orders.notation import short, write_unit
from gm.parsing.lexicon import Lexicon, fold
from gm.parsing.sayings import is_a_name
from gm.position import Unit
from gm.reports import listed
from gm.views import View

_CAN = re.compile(
    r"\b(?:can|could|may|might|able|kann|können|könnte\w*|peut|peuvent|pourrai\w*|safe\w*|danger\w*|risk\w*|threat\w*"
    r"|sicher|gefahr|gefährdet|bedroht\w*|menac\w*)\b",
    re.IGNORECASE,
)
"""What asks for what may come, and not for what was."""
_WRITER = re.compile(r"i|we|my|ours?|ich|wir|mein(?:e[nr]?)?|unsere?|je?|nous|mon|ma|mes|notre", re.IGNORECASE)
_AT_WRITER = re.compile(r"me|us|mine|ours?|my(?:self)?|mich|uns|mir|meinen?|m|moi|nous", re.IGNORECASE)
_ANYBODY = re.compile(
    r"who|whom|which|foreign|enem(?:y|ies)|(?:any|some)(?:one|body)|others|they|s?he|safe|danger|risk|threatened|attacked|taken"
    r"|wer|jemand|fremde[nr]?|gegner|feinde?|er|sie|andere|sicher|gefahr|bedroht|angegriffen|qui|ennemie?s?|etrangeres?|ils?|autres|attaqu[ée]e?",
    re.IGNORECASE,
)
"""What is said of those who may come before it is said whither, or beside a place alone: `is Burgundy safe?`"""
_MOST = 6


class _Named(NamedTuple):
    """A word of a text, or what it names."""

    word: str = ""
    power: Power | None = None
    place: Location | None = None


def reach_of_others(game: Game, seat: Seat, text: str) -> str:
    """Which units that are not the asker's can go, in one move, to the places that a question names or else to the
    asker's; "" if it asks for no such thing: its subject, which it names first, must be somebody else, or their unit.
    """
    if game.phase is None or _CAN.search(text) is None:
        return ""
    view, said = view_of(game, seat), [*_said(game.lexicon_of(seat), text)]
    at = {unit: view.board.province(unit.at) for unit in view.position.units}
    foreign = [unit for unit in at if unit.power != seat.power]
    own = [*dict.fromkeys(at[unit] for unit in at if unit.power == seat.power)]
    named = [*dict.fromkeys(view.board.province(one.place) for one in said if one.place is not None)]
    at_writer = any(_AT_WRITER.fullmatch(one.word) for one in said)
    first = {*named[:1]} - {*own} if named[1:] or at_writer else set()
    if (subject := _subject(said, seat.power, first, view)) is None:
        return ""
    first = first if subject.place is not None else set()
    powers = {one.power for one in said if one.power is not None} - {seat.power}
    movers = [unit for unit in foreign if not powers or unit.power in powers]
    there = first | {at[unit] for unit in movers if at[unit] in named}
    goals = [place for place in named if place not in there]
    if not there or not (goals or at_writer):
        return _of_each(view, movers, named or own[:_MOST], powers)
    if empty := [place for place in there if place not in at.values()]:
        return " ".join(f"{'You see no' if place in view.unseen else 'No'} unit in {_code(place)}." for place in empty)
    return _of_each(view, [unit for unit in movers if at[unit] in there], goals or own[:_MOST], powers)


def starts_and_goals(
    lexicon: Lexicon, text: str, named: Collection[Province], own: Collection[Province]
) -> tuple[list[Province], list[Province]]:
    """Where the units are of which a question asks whether they can go somewhere, and where to, of the places that it
    names: behind `from` a unit's, behind `to` a goal, behind `instead of` neither. Without such a word a place among
    the asker's `own` is a unit's if it is the first, or only joined to one that is, and a goal behind those.
    """
    board, starts, goals = lexicon.board, list[Province](), list[Province]()
    said, words = [one for one in _said(lexicon, text) if one.power is None], list[str]()
    before = ""
    for one in said:
        place = board.province(one.place) if one.place is not None else None
        if place not in named or place is None:
            words.append(one.word)
            continue
        led = " ".join(words[-_LEADS:])
        role = next((role for role, leads in _ROLES.items() if leads.search(led)), "")
        role = role or (before if words and {*words} <= _JOINS else "") or ("start" if not starts else "goal")
        before, words = role, []
        if role != "neither":
            (starts if role == "start" and place in own else goals).append(place)
    return starts, [place for place in dict.fromkeys(goals) if place not in starts]


_LEADS = 3
"""So many words before a place may say what it is for the unit."""
_THE = r"(?: (?:the|my|der|die|das|dem|den|la|le|les|l))?"
_ROLES = {
    "neither": re.compile(
        rf"\b(?:instead of|rather than|not|statt|anstatt|anstelle von|lieu d[eu]?|plutot que?|pas)"
        rf"(?: (?:to|into|nach|in|vers|a|en))?{_THE}$",
        re.IGNORECASE,
    ),
    "start": re.compile(rf"\b(?:from|of|at|von|aus|bei|depuis|de|d|du){_THE}$", re.IGNORECASE),
    "goal": re.compile(rf"\b(?:to|into|towards|nach|ins|zum|zur|vers|en|(?:aller|jusqu) a|onto){_THE}$", re.IGNORECASE),
}
"""What a place is, by the words before it: of `instead of to Galicia` the first."""
_JOINS = frozenset((",", "and", "or", "und", "oder", "et", "ou", "the", "y", "e", "o"))


def _said(lexicon: Lexicon, text: str) -> Iterator[_Named]:
    """The words of a text, and the powers and places that it names, in order."""
    scan = lexicon.scan(fold(text).folded)
    for number, piece in enumerate(scan.pieces):
        name = scan.names[number // 2] if number % 2 else None
        if name is None:
            words = re.findall(r"[^\W\d_]+|,", piece)
            yield from (_Named(word.lower(), lexicon.power(word) if is_a_name(word) else None) for word in words)
        elif not isinstance(name, NotUnderstood):
            power = name if name in lexicon.powers else None
            yield _Named("", Power(power)) if power is not None else _Named("", None, Location(name))


def _subject(said: Sequence[_Named], own: Power | None, theirs: Collection[Province], view: View) -> _Named | None:
    """What is named first that can be a subject; None if it is the asker. `theirs`: the first place, if it may be."""
    for number, one in enumerate(said):
        if one.power is not None:
            return one if one.power != own else None
        if one.place is not None and view.board.province(one.place) in theirs:
            return one
        if _WRITER.fullmatch(one.word):
            return None
        if _ANYBODY.fullmatch(one.word):  # `which of my units` are not others'
            return None if any(_WRITER.fullmatch(near.word) for near in said[number + 1 : number + 3]) else one
    return None


def _of_each(view: View, movers: Sequence[Unit], goals: Iterable[Province], powers: Collection[Power]) -> str:
    """Who can go to each place."""
    near = {unit: {*map(view.board.province, view.board.neighbours(unit.kind, unit.at))} for unit in movers}
    able = {goal: [unit for unit in movers if goal in near[unit]] for goal in goals}
    said = [
        f"{listed([f'{unit.power} with {write_unit(unit)}' for unit in units])} can go to {_code(goal)} in one move."
        for goal, units in able.items()
        if units
    ]
    if none := [_code(goal) for goal, units in able.items() if not units]:
        others = f"unit of {listed(sorted(powers), 'or')}" if powers else "unit of another"
        seen = " that you see" if view.unseen else ""
        said.append(f"No {others}{seen} can go to {listed(none, 'or')} in one move, convoys apart.")
    return " ".join(said)


def _code(place: Province) -> str:
    return short(Location(place))
