"""The command that a line which is none may be meant as: misspelt, begun, or in another language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from itertools import groupby
from types import MappingProxyType

from gm.clock import parse_duration
from gm.errors import NotUnderstood
from gm.parsing.command_lines import Call, CommandReader
from gm.parsing.courtesies import PLEASE
from gm.parsing.days import spelled
from gm.parsing.game_names import Names, no_names
from gm.parsing.lexicon import Lexicon, fold
from gm.parsing.sentences import AROUND_DAYS, may_tell_time
from gm.parsing.small_talk import FUNCTION_WORDS
from gm.time_words import in_english

_ELSEWHERE = MappingProxyType({
    "JOIN": "beitreten beitritt trete mitspielen teilnehmen rejoindre participer",
    "CREATE": "erstelle erstellen anlegen grunde grunden neues creer cree nouvelle nouveau new",
    "ABSENCE": "abwesend abwesenheit urlaub absent absence vacances",
    "EXTEND": "postpone delay verlangern verlangerung fristverlangerung prolonger extension",
    "RESIGN": "aufgeben aussteigen austreten abandonner quitter quit leave",
    "STATUS": "stand etat",
    "MAP": "karte carte",
    "HELP": "hilfe aide",
    "RULES": "regeln regles",
    "LIST": "spiele parties games",
    "CLEAR": "loschen annuler cancel",
    "DRAW": "remis nulle",
    "PAUSE": "pausieren",
    "WHY": "whynot warum pourquoi",
    "ALIAS": "call nenne nomme appelle",
    "WHATIF": "try test simulate probiere probier teste essaye essaie essayer simule",
})  # fmt: skip
"""Words with which people begin a command, by its own."""
_SMALL = MappingProxyType({
    "als": "as", "comme": "as", "bis": "to", "nach": "to", "au": "to", "namens": "called", "nomme": "called",
    "mit": "with", "und": "and", "et": "and", "pour": "for", "fur": "for", "till": "until", "til": "until",
    "spiel": "game", "partie": "game",
})  # fmt: skip
_MOVES = re.compile(
    r"\b(?:move|set|put|shift|change|push|postpone|delay|extend|prolong)\w{0,3}\b.{0,60}"
    r"\b(?:deadlines?|all .{0,9}games)\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|every) (?:of )?(?:the |my |our )?(?:game|deadline)s?\b", re.IGNORECASE)
_BESIDE_TIMES = re.compile(
    r"\b(?:morning|afternoon|evening|night|o'clock|sharp|more|extra|another|additional|further|full|in future)\b",
    re.IGNORECASE,
)
_TOWARDS = re.compile(r"(?:to|by|for|on|until|till|at) ", re.IGNORECASE)
_LEADING = frozenset(("and", "or", "to", "by", "for", "on", "at", "in"))
OF_DAY = re.compile(r"\d(?:[:.]\d\d|h| ?[ap]\.?m)|noon", re.IGNORECASE)
_BEFORE = ("vote", "cmd", "command", "do")
"""Words before a command elsewhere."""
_SHORTEST, _ALIKE = 3, 0.75
_MOST_WORDS, _MOST_WISHED = 14, 30


def moves_deadline(text: str) -> str:
    """The command for a wish that a deadline or all of them be moved, by its time: `Please move the deadline to
    Thursday evening, 8pm.`; "" for another sentence.
    """
    when = time_in(text)
    if not when or _MOVES.search(text) is None:
        return ""
    line = f"DEADLINE {when}" if OF_DAY.search(when) else f"EXTEND UNTIL {when}"
    with suppress(NotUnderstood):
        parse_duration(span := when.removeprefix("+"))
        line = f"EXTEND {span}"
    return f"ALL GAMES: {line}" if _ALL.search(text) else line


def time_in(text: str) -> str:
    """The longest run of words of a sentence that may tell a time, without what leads to it; "" if there is none. An
    hour with the time of day for which it is said is one of 24: `9 in the evening`.
    """
    text = _BESIDE_TIMES.sub("", in_english(spelled(text)))
    words = filter(None, (word.strip(".,;!?") for word in text.split()[:_MOST_WISHED]))
    runs = [" ".join(run) for tells, run in groupby(words, lambda word: may_tell_time(word.lower())) if tells]
    undated = [run for run in runs if not AROUND_DAYS.issuperset(run.lower().split())]
    first, *rest = _TOWARDS.sub("", max(undated, key=len, default=""), count=1).split(" ")
    while rest and rest[-1].lower() in _LEADING:
        rest.pop()
    return " ".join((first, *rest))


def is_moment(text: str) -> bool:
    """Whether a line is nothing but a time for what stands below it: `Tomorrow at noon, please:`"""
    alone = _PLEASES.sub("", text)
    return bool(time_in(alone)) and all(may_tell_time(word) for word in re.findall(r"\w[\w:/+-]*+", alone.lower()))


_PLEASES = re.compile(rf"\b(?:{PLEASE})\b", re.IGNORECASE)


def likely_command(
    line: str,
    reader: CommandReader,
    lexicon: Lexicon | None,
    games: Names = no_names,
    may_be_done: Callable[[str], bool] = bool,
) -> str:
    """The line as a command that is read without a fault, for one of these games if it names one, and may be done, as
    much of it as that is; "" if it is like none. Outside of a game, which has no other use for them, words of other
    languages count wherever they stand.
    """
    words = line.split()[:_MOST_WORDS]
    words = words[1:] if words and words[0].lower() in _BEFORE else words
    rest = [_SMALL.get(fold(word).folded, word) for word in words]

    def read(way: str) -> Call | None:
        call = reader.read_for(way, lexicon, games)
        return call if call is not None and may_be_done(way) else None

    starts = range(len(words)) if lexicon is None else range(min(1, len(words)))
    found = (
        _as_far_as(title, rest[at + 1 :], read, least=len(words) - at - 1 if whole else 0)
        for at in starts
        for title, whole in _titles(fold(words[at]).folded.strip(" ,.:;!*-"), reader, begins=at == 0)
    )
    return next(filter(None, found), "")


def _titles(word: str, reader: CommandReader, *, begins: bool) -> Iterator[tuple[str, bool]]:
    """The titles of commands, of one word each, that a word may stand for, the likeliest first, and whether the whole
    line must be such a command, since the word only resembles it.
    """
    every = (title for title, words in _ELSEWHERE.items() if word in words.split())
    yield from ((title, False) for title in every if begins or title == "CREATE")
    if not begins or len(word) < _SHORTEST or word in FUNCTION_WORDS:
        return
    titles = {name.lower(): name for name in map(reader.title, reader.syntaxes) if " " not in name and name != "END"}
    yield from ((title, False) for name, title in titles.items() if name.startswith(word))
    alike = [name for name in titles if name == word or not word.endswith(name)]  # UNPAUSE is the opposite of PAUSE
    yield from ((titles[name], True) for name in get_close_matches(word, alike, 1, _ALIKE))


_STOPS = " ,.!"


def _as_far_as(title: str, rest: list[str], read: Callable[[str], Call | None], least: int) -> str:
    for length in range(len(rest), least - 1, -1):
        line = " ".join((title, *rest[:length])).rstrip(_STOPS).removesuffix(" please").rstrip(_STOPS)
        with suppress(NotUnderstood):
            if read(line) is not None:
                return line
    return ""
