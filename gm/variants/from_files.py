"""The games that are files: those of this package, and those in the folder of whoever runs the server.

What RULES and the first report say of such a game is made from its file, so that it is true of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import fill

from gm import folder
from gm.board import Location, Province, standard_board
from gm.orders.notation import short, write_unit
from gm.position import Season
from gm.variants import Variant
from gm.variants.fog import in_fog
from gm.variants.game_file import BadGameFile, GameFile, Side, homes_of, packaged, packaged_names, paragraphs, read
from gm.variants.sentences import listed
from gm.variants.standard import FILE, STANDARD, game_of

_EXPECTED = "Expected a file for each game, named in small letters, digits and hyphens: variants/my-game.toml."
LONGEST_FILE = 100_000
"""The most bytes of a file; games of this package have up to 3,417."""
_MOST_LIKE = 20
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def games_in(folder: Path, taken: Collection[str] = ()) -> tuple[Variant, ...]:
    """The games of a folder: `NAME.toml`, and older editions as `NAME.1.toml`, each with its stamp. No game may have a
    name that is `taken`. Raises BadGameFile.
    """
    return tuple(replace(made(file), stamp=file.stamp) for file in Folder(folder, taken).games())


def game_in(file: Path, taken: Collection[str]) -> Variant:
    """The game in a file, which may be like others in its folder. Raises BadGameFile."""
    if not file.exists():
        raise BadGameFile(f"There is no file {str(file)!r}.", _EXPECTED)
    if file.suffix != ".toml" or not file.is_file():
        raise BadGameFile(f"{str(file)!r} is not a file that can be a game.", _EXPECTED)
    return made(Folder(file.absolute().parent, taken).game(file.stem))


class Folder:
    """The games of a folder; each file is read when its game is asked for, by the file's name without `.toml`. A game
    may be like those of this package, and like those of its folder.
    """

    def __init__(self, folder: Path, taken: Collection[str] = ()) -> None:
        self._taken = taken
        try:
            every = sorted(folder.iterdir(), key=lambda entry: entry.name)
        except OSError as error:
            raise BadGameFile(f"The folder {str(folder)!r} cannot be read ({error.strerror}).", _EXPECTED) from error
        self._texts = {entry.name.removesuffix(".toml"): entry for entry in every if entry.name.endswith(".toml")}
        self._found: dict[str, GameFile] = {}
        self._begun: set[str] = set()

    def games(self) -> Iterator[GameFile]:
        """All of them. Raises BadGameFile."""
        editions: dict[tuple[str, int], Path] = {}
        for stem, file in self._texts.items():
            game = self.game(stem)
            other = editions.setdefault((game.name, game.edition), file)
            if other is not file:
                problem = f"{other.name} and {file.name} both are edition {game.edition} of {game.name}."
                raise BadGameFile(problem, f"Write edition = {game.edition + 1} into the newer one.")
            yield game

    def game(self, name: str) -> GameFile:
        """One of them, or one that is known. Raises BadGameFile; KeyError, with the names that there are."""
        if name in self._texts and name not in self._begun:
            if len(self._begun) - len(self._found) == _MOST_LIKE:
                problem = f"{self._texts[name]}: {_MOST_LIKE} games are each like the next, and the last like this one."
                raise BadGameFile(problem, "Let it be like a game that is like no other.")
            self._begun.add(name)  # a game that is like itself is like none
            self._found[name] = self._read(name, self._texts[name])
        if name in self._found or name in packaged_names():
            return self._found.get(name) or packaged(name)
        raise KeyError(", ".join(sorted({*(game.name for game in games()), *self._texts} - {name})))

    def _read(self, name: str, file: Path) -> GameFile:
        title, dot, edition = name.partition(".")
        if not _NAME.fullmatch(title):
            raise BadGameFile(f"{file}: {title!r} cannot be the name of a game.", _EXPECTED)
        if title in self._taken:
            raise BadGameFile(f"{file}: there is a game {title} already.", "Give the file another name.")
        if not file.is_file():
            raise BadGameFile(f"{file} is not a file.", _EXPECTED)
        try:
            if file.stat().st_size > LONGEST_FILE:
                raise BadGameFile(f"{file} has more than {LONGEST_FILE:,} bytes.", _EXPECTED)
            text = file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise BadGameFile(f"{file} cannot be read: {error}.", "Save it as text in UTF-8.") from error
        game = read(title, text, str(file), self.game)
        if dot and edition != str(game.edition):
            problem = f"{file} is edition {game.edition} of {title}, and not {edition}."
            raise BadGameFile(problem, f"Name it {title}.{game.edition}.toml, or {title}.toml if it is the newest.")
        for known in (*map(packaged, packaged_names()), *self._found.values()):
            if known.title.casefold() == game.title.casefold() and known.name != title:
                problem = f"{file}: {game.title!r} is the title of {known.name}, too."
                raise BadGameFile(problem, "Give each game a title of its own.")
        return game


@cache
def games() -> tuple[Variant, ...]:
    """All in this package that have the standard rules, in alphabetical order after the standard one."""
    files = map(packaged, packaged_names())
    return (STANDARD, *(made(file) for file in files if not file.own_rules and file is not FILE))


def made(file: GameFile) -> Variant:
    """The game of a file, with the texts that tell what is different in it."""
    brief = (*_differences(file), *paragraphs(_on_sight(file, "briefs")), *_of_two(file), *file.about)
    rules = "\n".join(filter(None, (_rules(file, brief), _on_sight(file, "rules"))))
    game = replace(game_of(file), brief=brief, rules_text=rules)
    return in_fog(game) if file.sight == "fog" else game


# Texts


_UNITS = {side.power: set(side.units) for side in FILE.sides}
_HOMES = {side.power: side.homes for side in FILE.sides}


def _on_sight(file: GameFile, what: str) -> str:
    """What is to be said of the game's sight; "" where everybody sees all."""
    path = folder("templates") / what / f"{file.sight}.txt"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _of_two(file: GameFile) -> Iterator[str]:
    """What is not hidden where what is told of somebody can be about one other only."""
    if file.sight == "fog" and len(file.sides) == 2:
        yield (
            "With two players a secret of this kind is kept less well: that there are retreats or a Winter, that orders"
            " are late, and that a player has used an extension tells each of them what the other one has to do (FW-4)."
        )


def _differences(file: GameFile) -> Iterator[str]:
    """What is different from the standard game, a sentence or two a paragraph."""
    powers = [side.power for side in file.sides]
    if set(powers) != set(_HOMES):
        gone = " All other supply centres belong to nobody at first, and can be taken (SB-1)."
        only = "Only " if len(powers) < len(_HOMES) else f"These {len(powers)} powers play: "
        verb = " play" if len(powers) < len(_HOMES) else ""
        yield f"{only}{listed(powers)}{verb}.{gone * (set(_HOMES) > set(powers))}"
    if not any(side.units for side in file.sides):
        yield "Nobody has a unit at the start."
    else:
        moved = [one for one in file.sides if set(one.units) != _UNITS.get(one.power, set())]
        starts = (f"{side.power} has {listed(list(map(write_unit, side.units))) or 'no unit'}" for side in moved)
        yield from [f"At the start {'; '.join(starts)}."] if moved else ()
        homes = {one.power: homes_of(one.power, one.units) for one in file.sides} | _HOMES
        usual = [one.homes == one.owns == homes[one.power] != frozenset() for one in file.sides]
        other = [f"{one.power}: {_centres(one)}" for one, same in zip(file.sides, usual, strict=True) if not same]
        yield from [f"Centres: {'. '.join(other)}."] if other else ()
        nowhere = [] if file.anywhere else [one.power for one in file.sides if not one.homes]
        yield from [f"Without a home centre, {listed(nowhere)} cannot build."] if nowhere else ()
    if file.begins != FILE.begins:
        builds = "the builds of " * (file.begins.season is Season.WINTER)
        yield f"The game begins with {builds}{file.begins.season.capitalize()} {file.begins.year} (SB-3)."
    if file.anywhere:
        yield "You build in any vacant centre that you own, at home or not; also without a home centre (SB-2)."
    if file.win != FILE.win:
        yield _wins(file)


def _rules(file: GameFile, brief: Sequence[str]) -> str:
    """The rules: what is different, and a table of the start."""
    usual = "Diplomacy on the usual board, by the usual rules (RULES standard) but for what is said here."
    wins = [_wins(file)] if file.win == FILE.win else []
    units = {side: ", ".join(map(write_unit, side.units)) or "no unit" for side in file.sides}
    lines = (f"{side.power}: {here}; {_centres(side)}" for side, here in units.items())
    rows = "\n".join(fill(line, 72, subsequent_indent="    ") for line in lines)
    start = ("THE START", "Each power owns its home centres, unless other centres are named.", rows)
    return "\n\n".join((*(fill(one, 72) for one in (file.title.upper(), usual, *brief, *wins)), *start)) + "\n"


def _wins(file: GameFile) -> str:
    """When the game is won. So many centres may be two powers' at once."""
    alone = ", and more than anybody else," * (2 * file.win <= len(standard_board().centers))
    return f"Whoever owns {file.win} centres{alone} has won."


def _centres(side: Side) -> str:
    return f"{f'home {_codes(side.homes)}' if side.homes else 'no home'}" + f"; owns {_codes(side.owns)}" * (
        side.owns != side.homes
    )


def _codes(places: Iterable[Province]) -> str:
    return ", ".join(short(Location(place)) for place in sorted(places)) or "nothing"
