"""A game as a file: what `data/NAME.toml` says of a game that needs no rules of its own, read into one frozen value.

All mistakes of a file are told at once, each with its line and field and what was expected. What a file does not say is
as in the game that it is `like`. `docs/adding-a-game.md` explains the fields to whoever writes a file.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple, NoReturn, TypeVar

from gm.board import Location, Power, Province, TableBoard, UnitKind, standard_board
from gm.errors import ConfigurationError, NotUnderstood
from gm.position import STANDARD_KINDS, Phase, Unit
from gm.views import NO_LOOK, Look

T = TypeVar("T")


class BadGameFile(ConfigurationError):
    """A file that is not a game, with all that is wrong with it."""


@dataclass(frozen=True, slots=True)
class Side:
    """What a file says of one power.

    `names` are other words for it in mails. `homes` are the centres in which it builds, `owns` those that it owns at
    the start.
    """

    power: Power
    adjective: str = ""
    names: tuple[str, ...] = ()
    look: Look = NO_LOOK
    units: tuple[Unit, ...] = ()
    homes: frozenset[Province] = frozenset()
    owns: frozenset[Province] = frozenset()


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game on the standard board. A power that is not among the `sides` does not exist (SB-1).

    `begins` is its first phase (SB-3), `win` the number of centres that wins. `anywhere`: one builds in any vacant
    centre that one owns (SB-2). `sight`: what a power sees, `all` or `fog`. `about` says what else is different, a
    sentence or two a paragraph.
    """

    name: str
    title: str
    edition: int
    sides: tuple[Side, ...]
    begins: Phase
    win: int
    anywhere: bool = False
    sight: str = "all"
    about: tuple[str, ...] = ()


def read(name: str, text: str, where: str, like: Callable[[str], GameFile]) -> GameFile:
    """The game that a text describes. `where` names the text in errors; `like` finds the game that it is like, or
    raises KeyError. Raises BadGameFile.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadGameFile(
            f"{where} is not TOML: {error}.", "Texts are written in quotes, a power as [powers.NAME]."
        ) from None
    return _Reader(name, where, text, like).read(table)


# Fields


class _Field(NamedTuple):
    """A field: the type of its value, what is expected, and what the value means; `parse` raises NotUnderstood."""

    kind: type
    expected: str
    parse: Callable[[Any], Any]


def _refuse(problem: str) -> NoReturn:
    raise NotUnderstood(problem)


def _matching(pattern: str) -> Callable[[str], str]:
    """The text, if it is of this form."""
    whole = re.compile(pattern)
    return lambda text: text if whole.fullmatch(text) else _refuse(f"{text!r} is something else")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _place(text: str) -> Location:
    """A place by its code or any of its names, with its coast: `stp/sc`."""
    board = standard_board()
    name, slash, coast = " ".join(text.lower().split()).partition("/")
    at = board.aliases.get(name)
    if at is None:
        near = get_close_matches(name, board.aliases, n=1)
        _refuse(f"{text!r} is not a place on the board" + (f" (did you mean {near[0]!r}?)" if near else ""))
    located = Location(f"{at}{slash}{coast}")
    return located if board.exists(located) else _refuse(f"{text!r} is not a coast of {board.full_name(at)}")


def _each(parse: Callable[[str], T]) -> Callable[[str], list[T]]:
    """What each of several words means, with all that is wrong with them."""

    def parsed(text: str) -> list[T]:
        found, problems = [], []
        for word in _listed(text):
            try:
                found.append(parse(word))
            except NotUnderstood as error:
                problems.append(error.problem)
        return found if not problems else _refuse("; ".join(problems))

    return parsed


def _unit(text: str) -> tuple[UnitKind, Location]:
    letter, _, place = text.partition(" ")
    kind = next((kind for kind in STANDARD_KINDS.units if letter.lower() in kind.names), None)
    if kind is None:
        _refuse(f"{text!r} begins with no kind of unit")
    at, board = _place(place), standard_board()
    if not board.may_stand(kind, at):
        coasts = [coast for coast in board.coasts(board.province(at)) if "/" in coast]
        _refuse(f"no {kind.word} can be at {place!r}" + (f"; write {' or '.join(coasts)}" if coasts else ""))
    return kind, at


def _center(text: str) -> Province:
    province = standard_board().province(_place(text))
    return province if standard_board().is_center(province) else _refuse(f"{text!r} is not a supply centre")


def _first_phase(text: str) -> Phase:
    season, year = _matching(r"(?i:spring|fall|winter) \d{1,4}")(text).split()
    found = STANDARD_KINDS.season(season.lower())
    return Phase(int(year), found, STANDARD_KINDS.first_in(found))


def _from_1(number: int) -> int:
    return number if number >= 1 else _refuse(f"{number} is too small")


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text, each in one line."""
    return tuple(" ".join(one.split()) for one in text.split("\n\n") if one.strip())


def _same(value: Any) -> Any:
    return value


_UNITS = 'units such as "A Par, F StP/sc"'
_CENTERS = 'supply centres such as "Par, Mar, Bre"'

OF_GAME: Mapping[str, _Field] = {
    "title": _Field(str, 'the name that players read, such as "Fleet Rome"', _matching(r"\S.{0,58}\S")),
    "edition": _Field(int, "a number from 1", _from_1),
    "like": _Field(str, "the name of a game that is a file", _same),
    "begins": _Field(str, 'a season and a year, such as "Spring 1901"', _first_phase),
    "win": _Field(int, "the number of centres that wins", _from_1),
    "build": _Field(str, '"home" or "anywhere"', _matching("home|anywhere")),
    "sight": _Field(str, '"all" or "fog"', _matching("all|fog")),
    "about": _Field(str, "what else is different, in sentences", paragraphs),
    "powers": _Field(dict, "a heading [powers.NAME] for each power", _same),
}
OF_POWER: Mapping[str, _Field] = {
    "adjective": _Field(str, 'a word such as "French"', _matching(r"[^\W\d_][\w' -]{0,30}")),
    "names": _Field(str, 'other words for the power, such as "fra, frankreich"', lambda text: _listed(text.casefold())),
    "colour": _Field(str, 'a colour such as "#5cb6e8"', _matching("#[0-9a-fA-F]{6}")),
    "letter": _Field(str, "one to three letters", _matching(r"[A-Za-z]{1,3}")),
    "units": _Field(str, _UNITS, _each(_unit)),
    "homes": _Field(str, _CENTERS, _each(_center)),
    "owns": _Field(str, _CENTERS, _each(_center)),
}
_POWER = re.compile(r"[^\W\d_](?:[\w']|[ -](?=\w)){1,19}")
_KEY = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_STARTS = re.compile(rf"\s*(?:\[\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]|({_KEY}(?:\s*\.\s*{_KEY})*)\s*=)")


# Reading


class _Reader:
    """One file, with the mistakes that were found so far."""

    def __init__(self, name: str, where: str, text: str, like: Callable[[str], GameFile]) -> None:
        self._name, self._where, self._text, self._like = name, where, text, like
        self._wrong: dict[int, list[str]] = {}

    def read(self, table: Mapping[str, Any]) -> GameFile:
        """The game. Raises BadGameFile."""
        said = self._taken(table, (), OF_GAME)
        base = self._base(said)
        sides = self._sides(said.get("powers", {}), base)
        if "title" not in said and "title" not in table:
            self._tell((), "title is missing", OF_GAME["title"].expected)
        game = GameFile(
            name=self._name,
            title=said.get("title", ""),
            edition=said.get("edition", 1),
            sides=sides,
            begins=said.get("begins", base.begins if base else _first_phase("Spring 1901")),
            win=said.get("win", base.win if base else 18),
            anywhere=said["build"] == "anywhere" if "build" in said else bool(base and base.anywhere),
            sight=said.get("sight", base.sight if base else "all"),
            about=said.get("about", ()),
        )
        for path, problem, expected in _contradictions(game):
            self._tell(path, problem, expected)
        if self._wrong:
            lines = [line for number in sorted(self._wrong) for line in self._wrong[number]]
            raise BadGameFile("\n".join(lines))
        return game

    def _base(self, said: Mapping[str, Any]) -> GameFile | None:
        if "like" not in said:
            return None
        try:
            return self._like(said["like"])
        except KeyError as error:
            self._tell(("like",), f"there is no game {said['like']!r} that is a file", f"one of {error.args[0]}")
        return None

    def _sides(self, powers: Mapping[str, Any], base: GameFile | None) -> tuple[Side, ...]:
        """The powers that the file names; if it names none, all of the game that it is like."""
        known = {side.power: side for side in base.sides} if base else {}
        return tuple(self._side(name, value, known) for name, value in powers.items()) or tuple(known.values())

    def _side(self, name: str, value: Any, known: Mapping[Power, Side]) -> Side:
        path, power = ("powers", name), Power(name)
        if not _POWER.fullmatch(name):
            self._tell(path, f"{name!r} cannot be the name of a power", "2 to 20 letters, and blanks, hyphens or '")
        if not isinstance(value, dict):
            self._tell(path, f"{value!r} is not a power", f"a heading [powers.{name}] with fields below")
            return Side(power)
        said, like = self._taken(value, path, OF_POWER), known.get(power, Side(power))
        units = tuple(Unit(power, kind, at) for kind, at in said["units"]) if "units" in said else like.units
        homes = frozenset(said["homes"]) if "homes" in said else like.homes or _homes(power, units)
        return Side(
            power=power,
            adjective=said.get("adjective", like.adjective),
            names=said.get("names", like.names),
            look=Look(said.get("colour", like.look.colour), said.get("letter", like.look.letter)),
            units=units,
            homes=homes,
            owns=frozenset(said["owns"]) if "owns" in said else homes if "homes" in said else like.owns or homes,
        )

    def _taken(self, values: Mapping[str, Any], path: tuple[str, ...], fields: Mapping[str, _Field]) -> dict[str, Any]:
        """The fields that are understood; every other one is told."""
        taken: dict[str, Any] = {}
        for key, value in values.items():
            field = fields.get(key)
            if field is None:
                near = get_close_matches(key, fields, n=1)
                hint = f" (did you mean {near[0]}?)" if near else ""
                self._tell((*path, key), f"there is no such field{hint}", f"one of {', '.join(fields)}")
            elif type(value) is not field.kind:
                self._tell((*path, key), f"{value!r} is something else", field.expected)
            else:
                try:
                    taken[key] = field.parse(value)
                except NotUnderstood as error:
                    self._tell((*path, key), error.problem, field.expected)
        return taken

    def _tell(self, path: tuple[str, ...], problem: str, expected: str) -> None:
        """Note a mistake in the field at this path."""
        number = _line_of(path, self._text)
        *above, field = path or ("",)
        called = f"{field} of {above[-1]}" if len(above) > 1 else field
        told = f"{self._where}, line {number}{', ' * bool(called)}{called}: {problem}. Expected {expected}."
        self._wrong.setdefault(number, []).append(told)


def _homes(power: Power, units: tuple[Unit, ...]) -> frozenset[Province]:
    """Those that the board gives the power, or else the centres in which its units start."""
    board = standard_board()
    own = frozenset(province for province in board.centers if board.home(province) == power)
    return own or frozenset(filter(board.is_center, (board.province(unit.at) for unit in units)))


def _contradictions(game: GameFile) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Fields that do not go together: each with the problem and what was expected."""
    board: TableBoard = standard_board()
    if len(game.sides) < 2:
        yield ("powers",), "there are too few powers", f"two or more; {OF_GAME['powers'].expected}"
    for field, one in (("units", "stands in"), ("homes", "is at home in"), ("owns", "owns")):
        taken: dict[Province, Power] = {}
        for side in game.sides:
            places = [board.province(u.at) for u in side.units] if field == "units" else sorted(getattr(side, field))
            for province in places:
                if province in taken:
                    problem = f"{taken[province]} {one} {board.full_name(Location(province))} already"
                    yield ("powers", side.power, field), problem, "no place twice"
                taken[province] = side.power
    words = Counter(word for side in game.sides for word in {side.power.casefold(), *side.names})
    for side in game.sides:
        twice = [word for word in sorted({side.power.casefold(), *side.names}) if words[word] > 1]
        if twice:
            yield ("powers", side.power, "names"), f"{twice[0]!r} means another power too", "words of its own"
        if not side.units and not side.owns:
            yield ("powers", side.power), "it has no unit and owns no centre", "units, owns, or both"
    most = max((len(side.owns) for side in game.sides), default=0)
    if not most < game.win <= len(board.centers):
        expected = f"a number from {most + 1}, one more than anybody begins with, to {len(board.centers)}"
        yield ("win",), f"nobody can win with {game.win} centres", expected


def _line_of(path: tuple[str, ...], text: str) -> int:
    """The line, counted from 1, on which a field stands; or else the heading above it, or the first line."""
    places = _places(text)
    below = [number for place, number in places.items() if place[: len(path)] == path]
    above = [number for place, number in places.items() if place == path[: len(place)]]
    return min(below, default=max(above, default=1)) if path else 1


def _places(text: str) -> dict[tuple[str, ...], int]:
    """The line of every heading and field of a TOML text."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    within = ""
    for number, line in enumerate(text.splitlines(), 1):
        start = None if within else _STARTS.match(line)
        if start is not None and start[1]:
            table = _path(start[1])
            found.setdefault(table, number)
        elif start is not None:
            found.setdefault((*table, *_path(start[2])), number)
        for quotes in ('"""', "'''"):
            if within in ("", quotes) and line.count(quotes) % 2:
                within = "" if within else quotes
    return found


def _path(key: str) -> tuple[str, ...]:
    """The parts of a dotted key."""
    value: Any = tomllib.loads(f"{key} = 0")
    parts = []
    while isinstance(value, dict):
        ((part, value),) = value.items()
        parts.append(part)
    return tuple(parts)
