"""Names of games at the beginning of a line: `duel: EXTEND 24h`, `[duel]`, `and for duel:` mean the same as GAME duel.

Whatever stands behind the name is a line below it. A name that is also a power's, a place's or a season's, or has no
mark behind it, must be followed by a command.

Not so in a mail that came to no seat: there it is a game's; and `spring:`
is one beside the heading of another game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from gm import patterns as re
from gm.errors import NotUnderstood
from gm.parsing.command_lines import CommandReader
from gm.parsing.command_syntax import SAYS_WHY
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


_LEADS = (
    "and|also|then|now|for|in|re|the|games?|please|but|next|finally|lastly|only|just|to|about|with|as|here|there|too|so"
)
"""Words that lead to the name of a game, and say nothing else: `And please in duel`."""
_GAME_HEAD = re.compile(
    r"[ ]{0,3}(?P<open>[*_#=~\"'`([{<-]*+)[ ]*+"
    rf"(?:(?:{_LEADS})[ ]){{0,6}}"
    r"(?P<names>[\w-]{1,40}+(?:(?:[ ]?[,&][ ]?|[ ]and[ ])(?!please\b)[\w-]{1,40}+){0,49})[ ]*+"
    r"(?P<close>[*_=~\"'`)\]}>]*+)"
    r"(?:[ ]?game\b)?(?:,?[ ]?please\b)?[ ]*+(?P<mark>[:;,.!=~/-]*+)[*_]*+[ ]*+",
    re.IGNORECASE,
)
_BETWEEN_NAMES = re.compile(r"[ ]?[,&][ ]?|[ ]and[ ]", re.IGNORECASE)


def heading_in(
    line: str,
    below: Sequence[str],
    names: Names,
    reader: CommandReader,
    lexicon: Lexicon | None,
    *,
    at_seat: bool = True,
    season: bool = True,
) -> Games | None:
    """The games that a line names as a heading does; None for any other line. `below` are the next lines. `at_seat`:
    what a name means in the game that is played there comes first; with a colon that of a season only if `season`.
    """
    found = _GAME_HEAD.match(line)
    if found is None or (not found["open"] and reader.name_of(line) not in (None, "game")):
        return None
    named = [name.lower().strip("_") for name in _BETWEEN_NAMES.split(found["names"])]
    rest = line[found.end() :]
    framed = bool(found["open"] and found["close"])
    marked = ":" in found["mark"] or not rest
    leads = reader.name_of(rest or next(filter(str.strip, below), "")) is not None
    seasons = season or ":" not in found["mark"]
    otherwise = at_seat and any(is_otherwise(name, lexicon, season=seasons) for name in named)
    alone = len(named) > 1 and rest and not any(f"{name}:" in rest.lower() for name in names())
    if alone and not (framed or begins_command(SAYS_WHY.split(rest, 1)[0], reader, lexicon)):
        return None  # `spring and duel: one more day each`
    if below and rest and not otherwise and _introduces(found, rest):
        leads = leads or reader.name_of(below[0]) is not None
    is_heading = leads or framed or (marked and not otherwise)
    if not (is_heading or ":" in found["mark"]) or not {*named} <= {*names()}:
        return None
    return Games(", ".join(named), found.end()) if is_heading or begins_command(rest, reader, lexicon) else None


def _introduces(found: re.Match[str], rest: str) -> bool:
    """Whether a line that begins with a name leads to what stands right below it: `And in duel I would like this`."""
    return _WITHIN.search(found.string, 0, found.start("names")) is not None and rest.rstrip()[-1:] not in _ENDS


_WITHIN, _ENDS = re.compile(r"\b(?:in|for)[ ]", re.IGNORECASE), (".", "!", "?", ";", ",")


def begins_command(text: str, reader: CommandReader, lexicon: Lexicon | None) -> bool:
    """Whether a text is a command, or meant as one, `EXTND 24h`, or begins one with a text below it."""
    try:
        return reader.read(text, lexicon) is not None or reader.texts.begins(text)
    except NotUnderstood:
        return True


@cache
def mention(name: str) -> re.Pattern[str]:
    """What finds the name of a game in a sentence, with the words that only lead to it; a season with its year behind
    it is none: `in spring`, `of the game spring`, `autumn's`.
    """
    leads = r"(?:\b(?:in|of|for|from|to|für|bei|pour|dans|à)[ ]+)?(?:\bthe[ ]+)?(?:\bgame[ ]+)?"
    return re.compile(rf"{leads}(?<![\w-]){re.escape(name)}(?:['’]s)?(?![\w-])(?![ ]\d{{4}}\b)", re.IGNORECASE)


_HERE = re.compile(r"\b(?:(?:in )?this (?:one|game)|here|hier|ici|aquí|qui)\b", re.IGNORECASE)


def in_this_game(text: str, here: Callable[[], str], names: Collection[str]) -> str:
    """A sentence with the name of the game to whose seat it came in place of `here`, if it names another one, too."""
    found = {one.lower() for one in _EACH_NAME.findall(text)}.intersection(names) if _HERE.search(text) else set()
    name = here() if found else ""
    return _HERE.sub(f"in {name}", text) if name and found != {name.lower()} else text


def without_game(text: str, name: str) -> str:
    """A sentence without the name of its game."""
    return re.sub(r"[ ]{2,}", " ", mention(name).sub("", text)).strip() if name else text


_MOVES = r"(?:mov|push|shift|extend|delay|postpon|prolong|suspend|put|set|stop|paus|chang)(?:e|ing)?"
_ALL_GAMES = re.compile(
    r"\b(?:all|both)(?: (?!(?:for|in|to|from|with|at|by)\b)[\w']+){0,4} games\b"
    r"|\b(?:every|any|each)(?: (?!(?:for|in|to|from|with|at|by|of)\b)[\w']+){0,2}(?: of (?:my|our|the|these))? games?\b"
    rf"|\b{_MOVES} (?:back )?(?:all|both|every|each)(?: (?!(?:for|in|to|from|with|at|by)\b)[\w']+){{0,4}} deadlines?\b"
    r"(?! (?:in|of|for) (?!all\b|both\b|my\b|the\b|these\b))"
    r"|\b(?:all|both)(?: of)? (?:my|these|those) deadlines\b|\beverywhere (?:but|except|besides|apart|other)\b"
    r"|\b(?:alle[nr]?|jede\w*)(?: (?:meine\w*|unsere\w*|diese\w*|der|laufenden|anderen)){0,2}"
    r" (?:partien?|spiele?n?)\b",
    re.IGNORECASE,
)
"""What says that games are meant, all of them, or that all deadlines are moved; `before each deadline` says when."""


def is_for_all_games(text: str) -> bool:
    """Whether a sentence is about all games of its writer, but for those that it leaves out."""
    return _ALL_GAMES.search(text) is not None


def asks_of_all_games(text: str) -> bool:
    """Whether a question is about all games of its writer: `when are the deadlines in my games?`"""
    return (is_for_all_games(text) or _MY_GAMES.search(text) is not None) and _HOW.search(text) is None


def without_all_games(text: str) -> str:
    """A question without the words that say that it is about all games, and those that it leaves out."""
    return _OF_ALL_GAMES.sub("", text) if asks_of_all_games(text) else text


_MY_GAMES = re.compile(
    r"\b(?:my|our|(?:all|both|each|any|some|which|every one)(?: one)? of (?:my|our|the|these|them)) (?:[\w-]+ )?games\b"
    r"|\bmeine[rn]? (?:partien?|spiele[n]?)\b|\bmes parties\b",
    re.IGNORECASE,
)
_HOW = re.compile(r"\bhow (?:can|do|could|would|should|may) (?:i|we|one|you)\b", re.IGNORECASE)
"""What asks about a command, and no game."""


def says_both(text: str) -> bool:
    """Whether a text says that it is about the two games that were named before: `remind them in both`."""
    return _BOTH.search(text) is not None


_BOTH = re.compile(
    r"\b(?:(?:in|for)[ ]both(?:[ ]of[ ](?:them|these))?(?:[ ]games)?|both(?:[ ]of[ ]them|[ ]of[ ]these)?[ ]games"
    r"|in[ ]beiden(?:[ ](?:spielen|partien))?|dans[ ]les[ ]deux)\b(?![ ](?:phases|powers|seats|players)\b)",
    re.IGNORECASE,
)


def games_left_out(text: str, names: Collection[str]) -> list[str]:
    """The games, of these, that a sentence about all games leaves out: `in all my games except duel`."""
    found = _EXCEPT.search(text)
    words = {word.lower() for word in re.findall(r"[\w-]+", text[found.end() :])} if found is not None else set()
    return [name for name in names if name.lower() in words]


_EXCEPT = re.compile(
    r"\b(?:except|excluding|exclude|without|save|apart from|other than|aside from|besides|ausser|außer|sauf"
    r"|but(?! (?:all|every|each|any|both)\b)|not (?:in|for)|leave)\b",
    re.IGNORECASE,
)
_OF_ALL_GAMES = re.compile(
    rf"(?:\b(?:in|of|for|from|with) )?(?:{_MY_GAMES.pattern}|{_ALL_GAMES.pattern})(?:[ ,]+{_EXCEPT.pattern}[^?]*)?",
    re.IGNORECASE,
)
_BUT_NOT = re.compile(
    r"(?<![ ,(])[ ,(]*+\b"
    r"(?:except|excluding|apart from|other than|aside from|ausser|außer|sauf|but not|just not|only not|not)\b"
    r"(?:[ ](?:for|in|of|the|games?)\b){0,3}[ ]"
    r"(?P<names>[\w-]{1,40}(?:(?:,[ ]?|[ ](?:and|or|nor|und|et)[ ])[\w-]{1,40}){0,9})\)?",
    re.IGNORECASE,
)
_EACH_NAME = re.compile(r"[\w-]+")


def but_for_games(text: str, names: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """A wish without the games, of these, that stand directly behind EXCEPT or NOT, `by 24h, but not in duel`; and
    these.
    """
    for found in _BUT_NOT.finditer(text):
        words = _EACH_NAME.finditer(text, found.start("names"), found.end("names"))
        own = [
            *takewhile(lambda word: word[0].lower() in names, (one for one in words if one[0].lower() not in _JOINS))
        ]
        if own:
            return f"{text[: found.start()]}{text[own[-1].end() :]}".strip(), tuple(one[0].lower() for one in own)
    return text, ()


_JOINS = frozenset(("and", "or", "nor", "und", "et"))
_LISTED = re.compile(
    r"([ ]?[,&+/][ ]?(?:(?:and|und|et)[ ])?(?:(?:in|for|of)[ ])?|[ ](?:and|und|et)[ ](?:(?:in|for|of)[ ])?)",
    re.IGNORECASE,
)
_LONGEST_NAME = 60
_LAST_WORD, _FIRST_WORD = re.compile(r"(?<![\w-])[\w-]{1,40}\Z"), re.compile(r"[\w-]+")
_AT, _ABOUT = 0xF0000, "\U000f0100"
"""From where on the characters between the names of a list are; and what stands before games that a text is about."""
BEFORE_WORDS = "\U000f0200"
"""What stands before words for others that were found to be those of a wish, in place of the colon."""
_BETWEEN = f"[{chr(_AT)}-{chr(_AT + 0xFF)}]+"
_RUN = rf"(?<![\w-])[\w-]++(?:{_BETWEEN}[\w-]++)++"
_A_RUN = re.compile(_RUN)
_OF_RUN = re.compile(
    r"(?:\b(?:in|for|of|from|to)[ ]{1,3})?"
    r"(?:\b(?:(?:all|both|the|my|our|these|those|following|games|of|them|two|three|four|five|\d{1,4})\b[ ]{0,3}){1,9}"
    r"[:(\u2013-]{0,3}[ ]{0,3})?"
    rf"{_RUN}\)?(?:[ ]+games)?|{_ABOUT}.*",
    re.IGNORECASE | re.DOTALL,
)


def in_lists(text: str, names: Collection[str]) -> str:
    """A text in which each list of several of these games is one word, whatever stands between their names: nothing
    parts it, and `plain` gives the text back. A list of games that are left out stays as it is.
    """
    said, about, added = text.partition(_ABOUT)
    whole, *rest = _LISTED.split(said)
    begun = left_out = False
    for joint, piece in zip(rest[::2], rest[1::2], strict=True):
        last, first = _LAST_WORD.search(whole[-_LONGEST_NAME:]), _FIRST_WORD.match(piece)
        listed = last is not None and first is not None and {last[0].lower(), first[0].lower()}.issubset(names)
        if last is not None and listed and not begun:
            left_out = _BEFORE_LEFT_OUT.search(whole[: len(whole) - len(last[0])]) is not None
        begun = listed and first is not None and piece == first[0]
        whole += (_one_word(joint) if listed and not left_out else joint) + piece
    return f"{whole}{about}{added}"


_BEFORE_LEFT_OUT = re.compile(rf"{_EXCEPT.pattern}(?:\W+(?:for|in|not|the|games?|of)\b)*\W*\Z", re.IGNORECASE)


def _one_word(joint: str) -> str:
    return "".join(chr(_AT + ord(sign)) for sign in joint)


def plain(text: str) -> str:
    """A text as it was before its lists were words, with the colon before its words for others, and without games that
    were added to it.
    """
    said = text.partition(_ABOUT)[0]
    said = "".join(chr(ord(sign) - _AT) if _AT <= ord(sign) < _AT + 0x100 else sign for sign in said)
    return said.replace(BEFORE_WORDS, ": ")


def games_in(text: str) -> tuple[str, ...]:
    """The games of a text's list, or those that were added to it."""
    before, added, names = text.partition(_ABOUT)
    found = _A_RUN.search(before)
    every = _ADDED.sub("", names).split(",") if added else re.split(_BETWEEN, found[0]) if found is not None else ()
    return tuple(dict.fromkeys(name.lower() for name in every))


_ADDED = re.compile(r"[^\w,-].*", re.DOTALL)
"""What stands behind the games that were added to a text."""


def about_games(text: str, names: Collection[str]) -> str:
    """A text that is about these games, whatever it names."""
    return f"{text.partition(_ABOUT)[0]}{_ABOUT}{','.join(names)}"


def without_added(text: str) -> tuple[str, Callable[[str], str]]:
    """A text without the games that were added to it, and what adds them to another one."""
    said, added, names = text.partition(_ABOUT)
    return said, lambda other: f"{other}{added}{names}"


def without_games(text: str) -> str:
    """A wish without the list of the games for which it is: `start them`, of `start them all: spring, duel`."""
    return re.sub(r"[ ]{2,}", " ", _OF_RUN.sub(" ", text)).strip()


_NAME = r"(?!(?:too|as well|likewise|also|please)\b)[\w-]{1,40}+(?:['’]s\b)?+"
_NAMES = rf"{_NAME}(?:(?:,[ ]?+|[ ]?+&[ ]?+|[ ](?:and|und|et)[ ])(?:in[ ])?+{_NAME}){{0,9}}+"
_SAME_IN = re.compile(
    r"(?<![,;.:!? ])[,;.:!?]*+[ ]*+\b(?:(?:and|but|also|then|please)[ ]){0,3}"
    r"(?:(?:the same|likewise|ditto|so it is|also)\b[ ,]{0,2}(?:(?:goes|applies|holds|please|is)[ ]){0,2}"
    rf"(?:(?:in|for|with|to|of)[ ])(?:the )?(?P<names>{_NAMES})(?:[ ,]++(?:too|as well|also|please))*+"
    rf"|(?:(?:in|for|with|to)[ ])?(?P<also>{_NAMES})[ ,]++(?:too|as well|likewise|also)(?:[ ,]++please)?+)"
    r"[ ]*+(?=[.,;!?]|\Z)",
    re.IGNORECASE,
)
"""What adds games to those of a wish: `and the same in duel`, `Duel too.`"""


def with_those_too(text: str, names: Collection[str]) -> str:
    """A text that wants the same in some game, of these, and in others: without what adds these, about all of them."""
    added, rest = list[str](), text
    for found in [*_SAME_IN.finditer(text)]:
        own = [one.lower() for one in _EACH_NAME.findall(found["names"] or found["also"])]
        own = [one for one in own if one not in _JOINS and one not in ("in", "s")]
        if own and {*own} <= {*names}:
            added += own
            rest = rest.replace(found[0], "", 1)
    wish = " ".join(clause for clause in _CLAUSE.split(rest) if not spared(clause, names))
    here = each_named(wish, names)
    return about_games(wish, [*dict.fromkeys((*here, *added))]) if added and here else text


def each_named(text: str, names: Collection[str]) -> tuple[str, ...]:
    """The games, of these, whose names are words of a text, each once, in their order there."""
    return tuple(dict.fromkeys(word for word in map(str.lower, _EACH_NAME.findall(text)) if word in names))


_CLAUSE = re.compile(r"(?<=[.;!?])\s+")
_STAYS = re.compile(
    r"\b(?:stays?|remains?|leave|keep|goes on|go on|bleib\w*|bleiben|rest(?:e|ent))\b.{0,60}"
    r"\b(?:as (?:it|they|is|are|before|usual)|alone|out(?: of (?:it|this))?(?! of\b)|unchanged|untouched|the same"
    r"|wie)\b"
    r"|\b(?:is|are|stays?|remains?) (?:unchanged|untouched|not (?:affected|concerned|touched))\b"
    r"|\b(?:stays?|remains?|bleib\w*) (?:\w+ed|open|on hold|where|stehen|liegen|offen)\b"
    r"|\b(?:(?:others?(?: (?:two|three|four|five|\d+))?(?: games?)?|rest|else) (?:just |simply |all |will )?"
    r"(?:go(?:es)? on|continues?|(?:carry|carries|plays?|runs?) on)|(?:goes|carries|plays|runs) on|continues)"
    r"(?= (?:normally|undisturbed|without me)\b|\W*\Z)"
    r"|\b(?:keeps?|retains?|behält|behalten|garde\w*) (?:its|their|the|sein\w*|ihr\w*|sa|son|ses|leurs?) "
    r"(?:[\w-]+ ){0,2}(?:deadlines?|dates?|days?|times?|pace|\w+day|frist\w*|termin\w*|délais?|échéances?)\b"
    r"|\bonly (?!the\b)[\w-]+ (?:stays|keeps)\b"
    r"|\b(?:nothing changes|no change) (?:in|for)\b|\bnot (?:in|for)\b|\b(?:can|may|must|has to|have to) wait\b",
    re.IGNORECASE,
)


_OTHERS = re.compile(
    r"\b(?:(?:all |in )?(?:the |my )?other(?:s| (?:(?:two|three|four|five|\d+) )?games?)|(?:the|my) rest"
    r"|(?:every\w+|all) else|(?:die )?(?:anderen|übrigen)|(?:les )?autres)\b",
    re.IGNORECASE,
)


def stays(text: str) -> bool:
    """Whether a clause says that something stays as it is: `the others go on as usual`."""
    return _STAYS.search(text) is not None


def are_others(text: str) -> bool:
    """Whether a clause is about all games but those that were named before."""
    return _OTHERS.search(text) is not None


def spared(text: str, names: Collection[str]) -> tuple[str, ...]:
    """The games, of these, of which a clause says that they stay as they are; none, if it is no such clause."""
    words = (word.lower() for word in _FIRST_WORD.findall(text))
    return tuple(word for word in words if word in names) if stays(text) else ()


_BEHIND_A_NAME = re.compile(r"[ ]{0,3}\W{0,3}(?P<name>[\w-]{1,40}+)\W{0,3}:[ ]*(?P<rest>\S.*)")


def check_name(line: str, reader: CommandReader, lexicon: Lexicon | None) -> None:
    """Raises NotUnderstood for a command behind a word and a colon, which may be meant as the name of a game."""
    found = _BEHIND_A_NAME.fullmatch(line)
    if found is None or reader.name_of(line) is not None or not begins_command(found["rest"], reader, lexicon):
        return
    name = found["name"]
    how = f"Write {found['rest'].strip()} alone for the game of this address, or below GAME and the name of another."
    raise NotUnderstood(f"{shorten(line.strip())!r} begins with {name!r}, which is no game of yours that goes on.", how)


def is_otherwise(name: str, lexicon: Lexicon | None, *, season: bool = True) -> bool:
    """Whether the name means something else in the game that is played: a place, a power, or a `season`."""
    if lexicon is None:
        return False
    is_season = season and name in STANDARD_KINDS.seasons_by_word
    return is_season or name in lexicon.places or lexicon.power(name) is not None
