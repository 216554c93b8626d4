"""A game as a file: what `data/NAME.toml` says of a game, read into one frozen value.

All mistakes of a file are told at once, each with its line and field and what was expected. What a file does not say is
as in the game that it is `like`. `docs/adding-a-game.md` explains the fields to whoever writes a file. A game whose
rules are code has its data in such a file too, which its package reads with `packaged`.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, time
from difflib import get_close_matches
from functools import cache, cached_property, partial
from importlib import resources
from itertools import islice
from typing import Any, NamedTuple, NoReturn, TypeVar

from gm import patterns as re
from gm.board import Location, Power, Province, TableBoard, UnitKind, standard_board
from gm.errors import ConfigurationError, NotUnderstood
from gm.position import STANDARD_KINDS, Kinds, Phase, Unit
from gm.variants.sentences import Sentences, problem_of
from gm.views import GROUNDS, NO_LOOK, Emblem, Look, Surface, are_alike

T = TypeVar("T")
_Path = tuple[str, ...]
"""A field of a file, with the headings above it: `("powers", "France", "units")`."""


NAME = re.compile(r"[^\W\d_](?:[\w']|[ -](?=\w))*")
"""The form of a name: letters, digits, apostrophes, single blanks and hyphens between them; a letter first."""


def fold(name: str) -> str:
    """A name in lower case, without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", name).lower() if not unicodedata.combining(c))


class BadGameFile(ConfigurationError):
    """A file that is not a game, with all that is wrong with it."""


@dataclass(frozen=True, slots=True)
class Side:
    """What a file says of one power.

    `names` are other words for it in mails. `homes` are the centres in which it builds, `owns` those that it owns at
    the start. `seat`: who plays it, "player", "secret" (its player stays unknown) or "nobody".
    """

    power: Power
    seat: str = "player"
    adjective: str = ""
    names: tuple[str, ...] = ()
    look: Look = NO_LOOK
    units: tuple[Unit, ...] = ()
    homes: frozenset[Province] = frozenset()
    owns: frozenset[Province] = frozenset()


@dataclass(frozen=True, slots=True)
class Naming:
    """What a file says of powers that are named by their players: what one is `called`; how many play (None for any
    number); the length of a name in characters and of what it is `made`; lists of `words`, of which those in
    `names` are none; and what each has at the start, in the codes of its own places.
    """

    called: str
    fewest: int
    most: int | None
    length: Sequence[int]
    made: str
    words: Mapping[str, frozenset[str]]
    units: Sequence[tuple[UnitKind, str]]
    homes: Sequence[str]

    def checked(
        self,
        name: str,
        taken: Sequence[Power],
        *,
        places: Container[str],
        code: Callable[[str], str] = fold,
        form: Callable[[str], object] = NAME.fullmatch,
    ) -> str:
        """The name, if a power can have it beside those that are taken: it has the form of a name, and its code is no
        other's and no word or place. Raises NotUnderstood.
        """
        (shortest, *_, longest), meant = self.length, code(name)
        if len(name) not in self.length or not form(name):
            expected = f"It has {shortest} to {longest} {self.made}."
            raise NotUnderstood(f"'{name}' cannot be the name of {self.called}.", expected)
        if meant in self.words.get("names", ()):
            raise NotUnderstood(f"'{name}' already has a meaning in orders or commands.", "Choose another name.")
        if name.casefold() in places:
            raise NotUnderstood(f"'{name}' is a place on the board.", "Choose another name.")
        if meant in map(code, taken):
            raise NotUnderstood(f"There is {self.called} {name} already.", "Choose another name.")
        return name

    def units_of(self, power: Power, place: Callable[[str], Location]) -> Iterator[Unit]:
        """The units of a power, each at its own place of that code."""
        return (Unit(power, kind, place(code)) for kind, code in self.units)


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game. A power that is not among the `sides` does not exist (SB-1); there are none where players name theirs,
    as `naming` says.

    `begins` is its first phase (SB-3), `win` the number of centres that wins. `anywhere`: one builds in any vacant
    centre that one owns (SB-2). `sight`: what a power sees, `all` or `fog`. `about` says what else is different, a
    sentence or two a paragraph. `own_rules`: its rules are those of a package, not the standard ones, and `numbers` are
    numbers of them. `sentences` word what only its rules have, by heading and kind; `signs` are those of its maps.
    """

    name: str
    title: str
    edition: int
    sides: tuple[Side, ...]
    begins: Phase
    win: int
    anywhere: bool
    sight: str
    about: tuple[str, ...]
    own_rules: bool
    naming: Naming
    numbers: Mapping[str, int]
    sentences: Mapping[str, Mapping[str, Any]]
    signs: Mapping[str, Emblem]

    def says(self, kinds: Kinds = STANDARD_KINDS) -> Sentences:
        """What the game says. `kinds` are those of its units."""
        return Sentences(self.sentences, kinds, self.adjectives)

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers that the file names."""
        return tuple(side.power for side in self.sides)

    @property
    def stamp(self) -> str:
        """What differs when the file, or one that it is like, says other rules; names, colours and texts may change."""
        sides = [[one.power, *map(list, (one.units, sorted(one.homes), sorted(one.owns)))] for one in self.sides]
        rules = json.dumps([self.begins.code, self.win, self.anywhere, self.sight, sides], default=str)
        return hashlib.sha256(rules.encode()).hexdigest()[:8]

    @property
    def adjectives(self) -> Mapping[Power, str]:
        """Those of powers that have one."""
        return {side.power: side.adjective for side in self.sides if side.adjective}

    @property
    def words(self) -> Mapping[str, Power]:
        """Other words for them."""
        return {word: side.power for side in self.sides for word in side.names}


def read(name: str, text: str, where: str, like: Callable[[str], GameFile], code: bool = False) -> GameFile:
    """The game that a text describes. `where` names the text in errors; `like` finds the game that it is like, or
    raises KeyError. `code`: whether its rules may be those of a package. Raises BadGameFile.
    """
    return _Reader(name, where, text, like, code).read()


DATA = resources.files(__package__) / "data"


@cache
def packaged(name: str) -> GameFile:
    """The game of a file in this package. Raises KeyError, with the names that there are."""
    file = DATA / f"{name}.toml"
    if not file.is_file():
        raise KeyError(", ".join(sorted(packaged_names())))
    return read(name, file.read_text(encoding="utf-8"), file.name, like=packaged, code=True)


def packaged_names() -> tuple[str, ...]:
    """The games of this package that are files, in alphabetical order."""
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in DATA.iterdir() if entry.name.endswith(".toml")))


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
    return lambda text: text if whole.fullmatch(text) else _refuse(f"{text!r} is not understood")


def _perhaps(word: str, known: Iterable[str]) -> str:
    """The known word that may be meant."""
    return "".join(f" (did you mean {near}?)" for near in get_close_matches(word, known, 1, 0.7))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _place(text: str) -> Location:
    """A place by its code or any of its names, with its coast: `stp/sc`."""
    board = standard_board()
    name, slash, coast = " ".join(text.lower().split()).partition("/")
    at = board.aliases.get(name)
    if at is None:
        _refuse(f"{text!r} is not a place on the board{_perhaps(name, board.aliases)}")
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


def _of_kind(text: str) -> tuple[UnitKind, str]:
    letter, _, place = text.partition(" ")
    kind = next((kind for kind in STANDARD_KINDS.units if letter.lower() in kind.names), None)
    return (kind, place) if kind is not None else _refuse(f"{text!r} begins with no kind of unit")


def _own_unit(text: str) -> tuple[UnitKind, str]:
    """A unit on a place that each power has: `A 1`, `F o`."""
    kind, place = _of_kind(text)
    return kind, _matching("[a-z0-9]+")(place)


def _unit(text: str) -> tuple[UnitKind, Location]:
    kind, place = _of_kind(text)
    at, board = _place(place), standard_board()
    if not board.may_stand(kind, at):
        coasts = [coast for coast in board.coasts(board.province(at)) if "/" in coast]
        _refuse(f"no {kind.word} can be at {place!r}" + (f"; write {' or '.join(coasts)}" if coasts else ""))
    return kind, at


def _center(text: str) -> Province:
    province = standard_board().province(_place(text))
    return province if standard_board().is_center(province) else _refuse(f"{text!r} is not a supply centre")


def _within(least: int, most: int, number: int) -> int:
    """The number, if it is within these bounds."""
    if not least <= number <= most:
        shown = number if abs(number) < _SHOWN else "it"
        _refuse(f"{shown} is too {'small' if number < least else 'large'}")
    return number


_SHOWN = 10**12
"""A number from this on is not repeated."""


def _first_phase(text: str) -> Phase:
    season, year = _matching(r"(?i:spring|fall|winter) [0-9]{1,12}")(text).split()
    found = STANDARD_KINDS.season(season.lower())
    return Phase(FIELDS["own"]["year"].parse(int(year)), found, STANDARD_KINDS.first_in(found))


def _length(text: str) -> Sequence[int]:
    shortest, _, longest = _matching("[0-9]{1,12} to [0-9]{1,12}")(text).split()
    least, most = map(FIELDS["own"]["length"].parse, (int(shortest), int(longest)))
    return range(least, most + 1) if least < most else _refuse(f"{least} to {most} is no length")


LONGEST_TEXT = 3_000
"""The most characters that `about` has: RULES and the first report show them."""


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text, each in one line."""
    return tuple(" ".join(one.split()) for one in text.split("\n\n") if one.strip())


def _about(text: str) -> tuple[str, ...]:
    if len(text) > LONGEST_TEXT:
        _refuse(f"it has {len(text):,} characters, and {LONGEST_TEXT:,} are the most")
    return paragraphs(text)


def _sentence(text: str) -> str:
    problem = problem_of(text)
    return text if not problem else _refuse(problem)


def _one_or_two(texts: Sequence[Any]) -> Sequence[str]:
    if len(texts) not in (1, 2) or any(type(text) is not str for text in texts):
        _refuse(f"{texts!r} is neither one text nor two")
    return tuple(map(_sentence, texts))


_READINGS: Mapping[str, tuple[type, Callable[[Any], Any]]] = {
    "text": (str, str),
    "yes or no": (bool, bool),
    "heading": (dict, dict),
    "paragraphs": (str, _about),
    "sentence": (str, _sentence),
    "refusal": (list, _one_or_two),
    "first phase": (str, _first_phase),
    "names": (str, lambda text: _listed(text.casefold())),
    "words": (str, lambda text: frozenset(text.split())),
    "length": (str, _length),
    "units": (str, _each(_unit)),
    "centres": (str, _each(_center)),
    "own units": (str, _each(_own_unit)),
    "own places": (str, _each(_matching("[a-z0-9]+"))),
}
"""How a value is read, by the names in schema.toml: its type, and what makes the value of it."""


def _field(reading: str, expected: str) -> _Field:
    if bounds := re.fullmatch(r"(\d+) to (\d+)", reading):
        number = f"a number from {bounds[1]} to {bounds[2]}"
        return _Field(int, ", ".join(filter(None, (number, expected))), partial(_within, *map(int, bounds.groups())))
    kind, parse = _READINGS.get(reading) or (str, _matching(reading))
    return _Field(kind, expected, parse)


FIELDS: Mapping[str, Mapping[str, _Field]] = {
    heading: {name: _field(*row) for name, row in fields.items()}
    for heading, fields in tomllib.loads((resources.files(__package__) / "schema.toml").read_text("utf-8")).items()
}
"""The fields below each heading of a file."""

_UNNAMED = {"called": "a power", "fewest": 2, "most": None, "length": range(2, 21), "made": "characters"}
_KINDS = {
    str: "a text, in quotes",
    int: "a number",
    bool: "neither a number nor a text",
    float: "not a whole number",
    dict: "a heading with fields",
    list: "a list",
}
_MOST_WRONG, _MOST_NO_TOML = 500, 40
"""The most mistakes of a file that are told, and the most lines of it that are no TOML."""
_LONGEST_LINE, _LONGEST_VALUE = 4_000, 80
"""In characters; of a longer value the beginning is shown."""
_DEEPEST = 8
"""How often headings and lists may be within each other: [signs.NAME.ground] has three."""
_MORE = "what none of these can say is an option of CREATE (HELP CREATE), or code (docs/adding-a-game.md)"
_QUOTES = """ 'straight' or "straight" """.strip()
_TOML = f'Texts are in quotes ({_QUOTES}), a power is [powers.NAME] or [powers."TWO WORDS"], and has one heading.'
_BELONGS = {"game": "it above the first [powers.NAME]", "power": "it below the heading of a power, [powers.NAME]"}
_POWER = re.compile(r"[^\W\d_](?:[\w']|[ -](?=\w)){1,19}")
_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_STARTS = re.compile(rf"\s*(?:\[{{1,2}}\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]|({_KEY}(?:\s*\.\s*{_KEY})*)\s*=)")


# Reading


class _Reader:
    """One file, with the mistakes that were found so far."""

    def __init__(self, name: str, where: str, text: str, like: Callable[[str], GameFile], code: bool) -> None:
        self._name, self._where, self._like, self._code = name, where, like, code
        self._lines = text.split("\n")
        self._wrong: dict[int, list[str]] = {}
        self._mistaken = set[tuple[str, ...]]()

    def read(self) -> GameFile:
        """The game. Raises BadGameFile."""
        table = self._table()
        said = self._taken(table, (), self._fields("game", "code"))
        base = self._base(said)
        sides = self._sides(said.get("powers", {}), base)
        if "title" not in table and ("title",) not in self._places:
            self._tell((), "title is missing", FIELDS["game"]["title"].expected)
        game = GameFile(
            name=self._name,
            title=said.get("title", ""),
            edition=said.get("edition", 1),
            own_rules="rules" in said,
            sides=sides,
            naming=self._naming(said.get("naming", {})),
            numbers=self._alike(said.get("numbers", {}), "number", "numbers"),
            sentences=self._sentences(said.get("sentences", {})),
            signs={name: self._sign(name, value) for name, value in said.get("signs", {}).items()},
            begins=said.get("begins", base.begins if base else _first_phase("Spring 1901")),
            win=said.get("win", base.win if base else 18),
            anywhere=said["build"] == "anywhere" if "build" in said else bool(base and base.anywhere),
            sight=said.get("sight", base.sight if base else "all"),
            about=said.get("about", ()),
        )
        mistaken = set(self._mistaken)  # a power lacks what could not be read
        for path, problem, expected in _contradictions(game, self._places) if sides or not self._code else ():
            if path not in mistaken:
                self._tell(path, problem, expected)
        if self._wrong:
            raise BadGameFile(self._told())
        return game

    @cached_property
    def _places(self) -> Mapping[tuple[str, ...], int]:
        return _places(self._lines)

    def _told(self) -> str:
        every = [line for number in sorted(self._wrong) for line in self._wrong[number]]
        more = len(every) - _MOST_WRONG
        return "\n".join([*every[:_MOST_WRONG], *([f"And {more} more mistakes."] if more > 0 else [])])

    def _table(self) -> Mapping[str, Any]:
        """The text as TOML, without fields that are none, which are told."""
        lines = list(self._lines)
        if long := next((number for number, line in enumerate(lines, 1) if len(line) > _LONGEST_LINE), 0):
            problem = f"{self._where}, line {long}: it has more than {_LONGEST_LINE:,} characters."
            raise BadGameFile(problem, 'A longer text stands on several lines between three quotes: """.')
        while True:
            try:
                return _not_too_deep(tomllib.loads("\n".join(lines)))
            except RecursionError:
                deepest = max(range(len(lines)), key=lambda at: sum(map(lines[at].count, ".[{")))
                problem = f"{self._where}, line {deepest + 1}: headings or brackets are within each other too often."
                raise BadGameFile(problem, "A power is [powers.NAME], with its fields below.") from None
            except ValueError as error:
                problem, _, number = str(error).partition(" (at line ")
                line = int(number.partition(",")[0] or 1)
                field = _STARTS.match(lines[line - 1]) if number else None
                if field is None or not field[2] or len(self._wrong) >= _MOST_NO_TOML:
                    problem = f"{self._where} is not TOML: {error}."
                    raise BadGameFile("\n".join(filter(None, (self._told(), problem))), _TOML) from None
                self._note(line, field[2], f"this is not TOML ({problem})", f"one value, a text in quotes ({_QUOTES})")
                lines[line - 1] = ""

    def _base(self, said: Mapping[str, Any]) -> GameFile | None:
        if "like" not in said:
            return None
        try:
            base = self._like(said["like"])
        except KeyError as error:
            near = _perhaps(said["like"], error.args[0].split(", "))
            self._tell(("like",), f"there is no game {said['like']!r} that is a file{near}", f"one of {error.args[0]}")
            self._mistaken.add(("powers",))  # it may have been to have those of that game
            return None
        if base.own_rules and not self._code:
            self._tell(("like",), f"{base.title} has rules of its own, which a file cannot take over", "another game")
        return base

    def _naming(self, value: Mapping[str, Any]) -> Naming:
        said = {**_UNNAMED, "words": {}, "units": (), "homes": (), **self._taken(value, ("naming",), FIELDS["naming"])}
        return Naming(**{**said, "words": self._alike(said["words"], "words", "naming", "words")})

    def _sentences(self, value: Mapping[str, Any]) -> Mapping[str, Mapping[str, str]]:
        said = self._taken(value, ("sentences",), FIELDS["sentences"])
        forms = {of: "refusal" if of == "refusals" else "text" for of in FIELDS["sentences"]}
        return {of: self._alike(said.get(of, {}), form, "sentences", of) for of, form in forms.items()}

    def _sign(self, name: str, value: Any) -> Emblem:
        taken = self._under(value, FIELDS["sign"], "signs", name)
        ground = self._under(taken.pop("ground", {}), FIELDS["ground"], "signs", name, "ground")
        return Emblem(**taken, ground=Surface(**ground))

    def _under(self, value: Any, fields: Mapping[str, _Field], *path: str) -> dict[str, Any]:
        """The fields under a heading of the file's own choice."""
        if isinstance(value, dict):
            return self._taken(value, path, fields)
        self._tell(path, f"{_shown(value)} is {_KINDS[type(value)]}", f"a heading [{'.'.join(path)}] with fields below")
        return {}

    def _fields(self, heading: str, more: str) -> Mapping[str, _Field]:
        """The fields below a heading, and those that only the file of a package has."""
        return {**FIELDS[heading], **FIELDS[more]} if self._code else FIELDS[heading]

    def _alike(self, values: Mapping[str, Any], form: str, *path: str) -> dict[str, Any]:
        """Fields with names that the game's package knows, all of the same form."""
        return self._taken(values, path, dict.fromkeys(values, FIELDS["own"][form]))

    def _sides(self, powers: Mapping[str, Any], base: GameFile | None) -> tuple[Side, ...]:
        """The powers that the file names; if it names none, all of the game that it is like."""
        known = {side.power: side for side in base.sides} if base else {}
        return tuple(self._side(name, value, known) for name, value in powers.items()) or tuple(known.values())

    def _side(self, name: str, value: Any, known: Mapping[Power, Side]) -> Side:
        path, power = ("powers", name), Power(name)
        if not _POWER.fullmatch(name):
            self._tell(path, f"{name!r} cannot be the name of a power", "2 to 20 letters, and blanks, hyphens or '")
        if not isinstance(value, dict):
            self._tell(path, f"{_shown(value)} is not a power", f"a heading [powers.{name}] with fields below")
            return Side(power)
        said = self._taken(value, path, self._fields("power", "seat"))
        like = known.get(power, Side(power))
        names, adjective = said.get("names", like.names), said.get("adjective", like.adjective)
        for at, wholes in ((path, (name, adjective)), ((*path, "names"), names)):
            words = {fold(word) for whole in wholes for word in (whole, *re.split("[ -]", whole))}
            for word in [] if self._code else sorted(words & _meanings()):
                self._tell(at, f"{word!r} already has a meaning in mails", "a name of its own")
        units = tuple(Unit(power, kind, at) for kind, at in said["units"]) if "units" in said else like.units
        homes = frozenset(said["homes"]) if "homes" in said else like.homes or homes_of(power, units)
        return Side(
            power=power,
            seat=said.get("seat", like.seat),
            adjective=adjective,
            names=names,
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
                self._tell((*path, key), *self._no_such_field(key, fields))
            elif type(value) is not field.kind:
                self._tell((*path, key), f"{_shown(value)} is {_KINDS.get(type(value), 'no text')}", field.expected)
            elif not all(map(str.isprintable, str(value).split("\n"))):
                self._tell((*path, key), f"{_shown(value)} has characters that cannot be seen", field.expected)
            else:
                try:
                    taken[key] = field.parse(value)
                except NotUnderstood as error:
                    self._tell((*path, key), error.problem, field.expected)
        return taken

    def _no_such_field(self, key: str, fields: Mapping[str, _Field]) -> tuple[str, str]:
        """What is wrong with a field that is none, or stands below a heading where it is none; what was expected."""
        if where := next((where for of, where in _BELONGS.items() if key in FIELDS[of]), ""):
            return "it does not stand here", where
        near = _perhaps(key, fields)
        return f"there is no such field{near}", f"one of {', '.join(fields)}" + f"; {_MORE}" * (not near)

    def _tell(self, path: tuple[str, ...], problem: str, expected: str) -> None:
        """Note a mistake in the field at this path."""
        self._mistaken.add(path[:2])
        *above, field = path or ("",)
        called = f"{field} of {above[-1]}" if len(above) > 1 else field
        self._note(_line_of(path, self._places), called, problem, expected)

    def _note(self, number: int, called: str, problem: str, expected: str) -> None:
        called = called if called.isprintable() else repr(called)
        message = f"{self._where}, line {number}{', ' * bool(called)}{called}: {problem}. Expected {expected}."
        self._wrong.setdefault(number, []).append(message)


def homes_of(power: Power, units: tuple[Unit, ...]) -> frozenset[Province]:
    """Those that the board gives the power, or else the centres in which its units start."""
    board = standard_board()
    own = frozenset(province for province in board.centers if board.home(province) == power)
    return own or frozenset(filter(board.is_center, (board.province(unit.at) for unit in units)))


def _contradictions(game: GameFile, written: Container[_Path]) -> Iterator[tuple[_Path, str, str]]:
    """Fields that do not go together: each with the problem and what was expected. `written` are those of the file."""
    board: TableBoard = standard_board()
    if len(game.sides) < 2:
        yield ("powers",), "there are too few powers", f"two or more; {FIELDS['game']['powers'].expected}"
    yield from _taken_twice(game, written)
    yield from _hard_to_tell(game, written)
    for side in game.sides:
        if not side.units and not side.owns and side.seat == "player":
            yield ("powers", side.power), "it has no unit and owns no centre", "units, owns, or both"
    most = max((len(side.owns) for side in game.sides), default=0)
    if not most < game.win <= len(board.centers):
        expected = f"a number from {most + 1}, one more than anybody begins with, to {len(board.centers)}"
        yield ("win",), f"nobody can win with {game.win} centres", expected


def _taken_twice(game: GameFile, written: Container[_Path]) -> Iterator[tuple[_Path, str, str]]:
    """What one power has and another one cannot have too, nor the same one twice; where the file says it, and once for
    what follows from one field in others.
    """
    board: TableBoard = standard_board()

    def named(places: Iterable[Province]) -> list[str]:
        return [board.full_name(Location(place)) for place in places]

    fields: Mapping[str, tuple[str, Callable[[Side], Iterable[str]]]] = {
        "names": ("is called", lambda side: sorted(repr(fold(word)) for word in {side.power, *side.names})),
        "adjective": ("has the adjective", lambda side: filter(None, [side.adjective])),
        "units": ("stands in", lambda side: named(board.province(unit.at) for unit in side.units)),
        "homes": ("is at home in", lambda side: named(sorted(side.homes))),
        "owns": ("owns", lambda side: named(sorted(side.owns))),
        "letter": ("has the letter", lambda side: filter(None, [side.look.letter.upper()])),
        "colour": ("has the colour", lambda side: filter(None, [side.look.colour.lower()])),
    }
    reported = set[tuple[Power, Power, str]]()
    for field, (verb, had) in fields.items():
        taken: dict[str, Power] = {}
        for side in game.sides:
            for one in had(side):
                other, taken[one] = taken.get(one), side.power
                if other is None:
                    continue
                ways = [(("powers", side.power, field), other), (("powers", other, field), side.power)]
                path, whose = next((way for way in ways if way[0] in written), ways[0])
                if path in written or (other, side.power, one) not in reported:
                    yield path, f"{whose} {verb} {one} already", "nothing twice"
                reported.add((other, side.power, one))


def _hard_to_tell(game: GameFile, written: Container[_Path]) -> Iterator[tuple[_Path, str, str]]:
    """Colours that are hard to tell from another power's, or from the map's own; the same one is told as such."""
    colours = {f"the map's {ground}": colour for ground, colour in GROUNDS.items()}
    for side in filter(lambda side: side.look.colour, game.sides):
        own, path = side.look.colour.lower(), ("powers", side.power, "colour")
        like = (
            f"it looks like that of {whose} ({one})"
            for whose, one in colours.items()
            if are_alike(own, one) and own != one
        )
        yield from ((path, problem, "colours that differ at first sight") for problem in islice(like, path in written))
        colours[side.power] = own


def _meanings() -> frozenset[str]:
    """The words with a meaning of their own in orders, commands and press: no planet is named so, either."""
    words = packaged("quantum-space").naming.words
    return words["orders"] | words["commands"] | words["names"] | STANDARD_KINDS.seasons_by_word.keys()


def _not_too_deep(table: dict[str, Any]) -> dict[str, Any]:
    """The table. Raises RecursionError if more headings and lists are within each other than a file may have."""
    within = list[Any](table.values())
    for _ in range(_DEEPEST):
        inner = [one.values() if isinstance(one, dict) else one for one in within if isinstance(one, dict | list)]
        within = [part for parts in inner for part in parts]
    if within:
        raise RecursionError
    return table


def _shown(value: Any) -> str:
    """A value as a file has it; of a long one the beginning."""
    text = str(value) if isinstance(value, date | time) else repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def _line_of(path: tuple[str, ...], places: Mapping[tuple[str, ...], int]) -> int:
    """The line, counted from 1, on which a field stands; or else the heading above it, or the first line."""
    if path in places:
        return places[path]
    below = [number for place, number in places.items() if place[: len(path)] == path]
    above = [number for place, number in places.items() if place == path[: len(place)]]
    return min(below, default=max(above, default=1)) if path else 1


def _places(lines: Sequence[str]) -> dict[tuple[str, ...], int]:
    """The line of every heading and field of a TOML text."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    within = ""
    for number, line in enumerate(lines, 1):
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
    """The parts of a dotted key; none of what only looks like one, in a text of several lines."""
    parts, value = list[str](), dict[str, Any]()
    with suppress(tomllib.TOMLDecodeError):
        value = tomllib.loads(f"{key} = 0")
    while value:
        ((part, value),) = value.items()
        parts.append(part)
    return tuple(parts)
