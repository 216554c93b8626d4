"""Names of games at the beginning of a line: `duel: EXTEND 24h`, `[duel]`, `and for duel:` mean the same as GAME duel.

Whatever stands behind the name is a line below it. A name that is also a power's, a place's or a season's, or has no
mark behind it, must be followed by a command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from gm.errors import NotUnderstood
from gm.parsing.command_lines import CommandReader
from gm.parsing.lexicon import Lexicon, shorten
from gm.position import STANDARD_KINDS

Names = Callable[[], Collection[str]]
"""The names of the sender's games, in lower case; they are looked up only for a line that may begin with one."""


def no_names() -> Collection[str]:
    """No games."""
    return ()


@dataclass(frozen=True, slots=True)
class Games:
    """The name at the beginning of a line, of one game or several; and where it ends."""

    name: str
    end: int


_GAME_HEAD = re.compile(
    r"[ ]{0,3}(?P<open>[*_#=~\"'`([{<-]*+)[ ]*+(?:(?:and|also|then|now|for|in|re|the|games?)[ ]){0,4}"
    r"(?P<names>[\w-]{1,40}+(?:(?:[ ]?[,&][ ]?|[ ]and[ ])[\w-]{1,40}+){0,9})[ ]*+(?P<close>[*_=~\"'`)\]}>]*+)"
    r"(?:[ ]?game\b)?[ ]*+(?P<mark>[:;,.!=~/-]*+)[*_]*+[ ]*+",
    re.IGNORECASE,
)
_BETWEEN_NAMES = re.compile(r"[ ]?[,&][ ]?|[ ]and[ ]", re.IGNORECASE)


def heading_in(line: str, below: str, names: Names, reader: CommandReader, lexicon: Lexicon | None) -> Games | None:
    """The games that a line names as a heading does; None for any other line. `below` is the next line."""
    found = _GAME_HEAD.match(line)
    if found is None or (not found["open"] and reader.name_of(line) not in (None, "game")):
        return None
    named = [name.lower().strip("_") for name in _BETWEEN_NAMES.split(found["names"])]
    rest = line[found.end() :]
    framed = bool(found["open"] and found["close"])
    marked = ":" in found["mark"] or not rest
    leads = reader.name_of(rest or below) is not None
    is_heading = leads or framed or (marked and not any(is_otherwise(name, lexicon) for name in named))
    return Games(", ".join(named), found.end()) if is_heading and {*named} <= {*names()} else None


@cache
def mention(name: str) -> re.Pattern[str]:
    """What finds the name of a game in a sentence, with the words that only lead to it; a season with its year behind
    it is none: `in spring`, `of the game spring`, `autumn's`.
    """
    leads = r"(?:\b(?:in|of|for|from|to)[ ]+)?(?:\bthe[ ]+)?(?:\bgame[ ]+)?"
    return re.compile(rf"{leads}(?<![\w-]){re.escape(name)}(?:['’]s)?(?![\w-])(?![ ]\d{{4}}\b)", re.IGNORECASE)


def without_game(text: str, name: str) -> str:
    """A sentence without the name of its game."""
    return re.sub(r"[ ]{2,}", " ", mention(name).sub("", text)).strip() if name else text


_ALL_GAMES = re.compile(
    r"\b(?:all|both)(?: (?!(?:for|in|to|from|with|at|by)\b)[\w']+){0,4} (?:games|deadlines)\b"
    r"|\b(?:every|any|each)\b.{0,20}\b(?:games?|deadlines?)\b"
    r"|\b(?:alle[nr]?|jede\w*)\b.{0,20}\b(?:partien?|spiele?n?)\b",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\b(?:except|excluding|exclude|without|save|apart from|other than|aside from|besides|ausser|außer|sauf"
    r"|but(?! (?:all|every|each|any|both)\b)|not (?:in|for)|leave)\b",
    re.IGNORECASE,
)


def is_for_all_games(text: str) -> bool:
    """Whether a sentence is about all games of its writer, but for those that it leaves out."""
    return _ALL_GAMES.search(text) is not None


def games_left_out(text: str, names: Collection[str]) -> list[str]:
    """The games, of these, that a sentence about all games leaves out: `in all my games except duel`."""
    found = _EXCEPT.search(text)
    words = {word.lower() for word in re.findall(r"[\w-]+", text[found.end() :])} if found is not None else set()
    return [name for name in names if name.lower() in words]


_BEHIND_A_NAME = re.compile(r"[ ]{0,3}\W{0,3}(?P<name>[\w-]{1,40}+)\W{0,3}:[ ]*(?P<rest>\S.*)")


def check_name(line: str, reader: CommandReader, lexicon: Lexicon | None) -> None:
    """Raises NotUnderstood for a command behind a word and a colon, which may be meant as the name of a game."""
    found = _BEHIND_A_NAME.fullmatch(line)
    if found is None or reader.name_of(line) is not None:
        return
    with suppress(NotUnderstood):
        if reader.read(found["rest"], lexicon) is None:
            return
    name = found["name"]
    how = f"Write {found['rest'].strip()} alone for the game of this address, or below GAME and the name of another."
    raise NotUnderstood(f"{shorten(line.strip())!r} begins with {name!r}, which is no game of yours.", how)


def is_otherwise(name: str, lexicon: Lexicon | None) -> bool:
    """Whether the name means something else in the game that is played."""
    if lexicon is None:
        return False
    return name in STANDARD_KINDS.seasons_by_word or name in lexicon.places or lexicon.power(name) is not None
