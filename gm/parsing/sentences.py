"""Whether a line that begins with a command's word is a sentence: by the words in it that are common in sentences.

What only a command has (an address, an option, a day where it takes one) is in no sentence, and the names of powers are
not counted among its words, so that commands are understood in any case.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from gm import patterns as re
from gm.clock import ABBREVIATED, COUNTS
from gm.errors import NotUnderstood
from gm.options.table import BY_NAME
from gm.parsing.command_syntax import Sentences, Syntax
from gm.parsing.lexicon import Lexicon, fold, fold_name
from gm.parsing.small_talk import FUNCTION_WORDS, PROSE
from gm.variants import all_variants, find

_MOST_WORDS = 7
"""The most words in a command in lower case whose word is also common in sentences."""
_ARGUMENT_WORDS = frozenset(("as", "to", "all", "no", "none", "yes", "until", "from", "by", "off", "over", "in", "and"))
"""Words of sentences that may follow such a command."""
_WORDS = re.compile(r"(?<!\w)(?<!\w-)[^\W\d_]\w*(?:['-]\w+)*")
_ADDRESS = re.compile(r"[^\s@]@[^\s@]")
_OPTION = re.compile(r"(?<![\w-])[a-z][\w-]*[ ]*=[ ]*[^\s=]", re.IGNORECASE)
_MARKS = {"ADDRESS": _ADDRESS, "GUESTS": _ADDRESS, "OPTIONS": _OPTION}
"""What no sentence has, by the type of argument."""
TIMES = frozenset(("WHEN", "DURATION", "SPAN"))
"""The types of arguments that are nothing but a time."""
_TIMES = TIMES | {"TIMED"}
_ONE_TIME = frozenset(("WHEN", "DURATION"))
_SAYS_MORE = 2
"""So many words that tell no time say more than when it is to be: `extend everything by 24h, except duel`."""
_DAY = re.compile(
    r"[+]?\d[^\s,]*|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|tember|ober)?",
    re.IGNORECASE,
)
_RELATIVE = frozenset(("today", "tomorrow", "overmorrow", "tonight"))
AROUND_DAYS = frozenset(
    ("noon", "midnight", "next", "in", "at", "on", "by", "from", "to", "until", "till", "and", "am", "pm", "utc", "a")
)
"""Words that tell a time only beside others."""
_AROUND_DAYS = AROUND_DAYS | _RELATIVE
_UNTIL = ("until ", "till ")
_SEPARATOR = re.compile(r"([,;&]|\b(?:as|to|and|or|then)\b)", re.IGNORECASE)
_JOINING = frozenset(("and", "or", "then"))
"""Words between the names of powers."""
_A_GAME = re.compile(
    r"(?:(?:an?|the|this|my|our)[ ]+)?(?:new[ ]+)?game(?![\w-])(?:[ ]+(?:called|named))?(?![ ]*=)[ ]*:?[ ]*(?=[^ ,;])"
    r"|(?:the|this|my|our)[ ]+([^\s,;=]++)[ ]+game(?![\w-])",
    re.IGNORECASE,
)
"""What people write beside the name of a game that says no more than that it is one: `a new game called spring`."""
_DOTTED = re.compile(r"^([a-z][\w-]*)\.(?=\w)", re.IGNORECASE)
_BETWEEN_OPTIONS = re.compile(r"\b(?:with|and)[ ]+(?=[\w-]++[ ]*+=)", re.IGNORECASE)
_SEVERAL_WORDS = re.compile(
    r"\b([a-z][\w-]*+[ ]*+=[ ]*+)([^\s\",;=]++(?:(?:[ ]++|,[ ]*+(?=[+-]?\d))(?![\w-]++[ ]*+=)[^\s\",;=]++)+)",
    re.IGNORECASE,
)
"""An option with a value of several words: `title=a fine game`, `holidays=4 Dec, 24 Dec - 3 Jan`."""
_THE = re.compile(r"^the[ ]+", re.IGNORECASE)
_NAME_AS_THE = re.compile(r"([^ ]+)[ ]+as[ ]+the(?=[ ]+[^ ]+(?:[ ]+[^ ]+)?$)", re.IGNORECASE)


def is_definite(syntax: Syntax, text: str, *, named: bool) -> bool:
    """Whether the text after a command's word has what only this command has. `named`: the word is the command's own,
    which fewer sentences begin with than with others for it.
    """
    if any(kind in syntax.types and mark.search(text) for kind, mark in _MARKS.items()):
        return True
    when = timed(text)[0] if "TIMED" in syntax.types else text
    if syntax.types & _TIMES:
        return _is_time(when, exact=not named)
    return syntax.sentences is Sentences.UNLESS_WHOLE and text.lower().startswith(_UNTIL) and _is_time(text, exact=True)


NEXT_PHASE = "the next phase"
"""The time of what is for the phase after the present one."""
_NEXT_PHASE = re.compile(
    r"(?:(?:in|for|with|at) )?(?:the )?next (?:phase|turn|season|round)\b[:,]?\s+(?=\S)", re.IGNORECASE
)


def timed(text: str) -> tuple[str, str]:
    """The time at the beginning of a line and the command behind it, with a colon between them or without: `Friday
    18:00: PROCESS`, `fri 18:00 PROCESS`, `for Friday noon: REMIND`, `next phase EXTEND 24h`; the time is "" where
    there is none.
    """
    text = _AT_A_TIME.sub("", text)
    if (then := _NEXT_PHASE.match(text)) is not None:
        return NEXT_PHASE, text[then.end() :].strip()
    when, colon, line = text.partition(": ")
    if colon:
        return when.strip(), line.strip()
    words = text.split()
    at = next((at for at, word in enumerate(words) if not may_tell_time(word.lower().strip(".,"))), 0)
    return " ".join(words[:at]), " ".join(words[at:])


_AT_A_TIME = re.compile(r"\A\s*+(?:(?:for|on|at)\s++){1,2}", re.IGNORECASE)


def may_tell_time(word: str) -> bool:
    """Whether a word occurs in times: a day, a number, a word beside them, or the name of a time zone."""
    return (
        bool(_DAY.fullmatch(word))
        or word in _AROUND_DAYS
        or "/" in word
        or word in _LENGTHS
        or word.upper() in ABBREVIATED
    )


_LENGTHS = frozenset((*COUNTS, "week", "weeks", "day", "days", "hour", "hours", "minute", "minutes"))


def _is_time(text: str, *, exact: bool) -> bool:
    """Whether the text is nothing but a time; an `exact` one has a day's name, or a number."""
    words = text.lower().replace(",", " ").split()
    days = {word for word in words if _DAY.fullmatch(word.strip("."))}
    named = days if exact else days | _RELATIVE
    return not named.isdisjoint(words) and (days | _AROUND_DAYS).issuperset(words)


def is_sentence(syntax: Syntax, text: str, lexicon: Lexicon | None, *, courteous: bool = False) -> bool:
    """Whether a line that begins with a command's word, and continues with this text, is a sentence. `courteous`: with
    `please` before it, as sentences have it.
    """
    if syntax.has_any_words:
        return courteous or _GOES_ON.match(text) is not None
    own = syntax.sentence_words | syntax.keywords
    if lexicon is not None and text.isupper() and text.lower() in lexicon.places:
        return False  # `WHY DO`, of a place with that code
    text = game_first(syntax, text)
    words = _WORDS.findall(fold(_without_powers(syntax, text, lexicon)).folded)
    if syntax.types & _ONE_TIME and sum(not may_tell_time(word) for word in words if word not in own) >= _SAYS_MORE:
        return True
    if syntax.sentences is Sentences.RARE:
        return len(words) > syntax.name_words and not ((FUNCTION_WORDS | {"as"}) - own).isdisjoint(words)
    if syntax.sentences is Sentences.COMMON:
        return len(words) > _MOST_WORDS or not (PROSE - _ARGUMENT_WORDS - own).isdisjoint(words)
    return False


_GOES_ON = re.compile(r"(?:on|above|about|below|under)\b", re.IGNORECASE)
"""How a sentence goes on that begins with `comment` or `note`, and is none."""


def game_first(syntax: Syntax, text: str) -> str:
    """The text after the word of a command that names a game, with the name at its beginning: `spring` of `a new game
    called spring`, or of `the spring game`; and with a blank between it and its kind, `otter fog` of `otter.fog`.
    """
    found = _A_GAME.match(text) if "GAME" in syntax.types else None
    plain = f"{found[1] or ''}{text[found.end() :]}" if found is not None else text
    return _like_first(_DOTTED.sub(r"\1 ", plain)) if {"GAME", "VARIANT"} <= syntax.types else plain


def _like_first(text: str) -> str:
    """The text with the game like which another is to be directly behind its name, and what stands between them behind
    that: `pit LIKE spring variant=name` of `pit name LIKE spring`.
    """
    found = _LIKE_LATER.fullmatch(text)
    if found is None or not (words := found["before"].split()):
        return text
    first = next((at for at, word in enumerate(words) if "=" in word), len(words))
    kind, options = " ".join(words[:first]), " ".join(words[first:])
    named = find(kind) if kind else None
    if kind and named is None:
        return text
    variant = f" variant={named.name}" if named is not None else ""
    return f"{found['name']} LIKE {found['like']}{variant} {options} {found['rest']}".rstrip()


_LIKE_LATER = re.compile(
    r"[ ]*+(?P<name>[\w-]++)[ ]++(?P<before>(?:(?!like\b)\S++[ ]++){0,40}+)"
    r"LIKE[ ]++(?P<like>[\w-]++)(?P<rest>(?:[ ].*+)?+)",
    re.IGNORECASE | re.DOTALL,
)


def options_quoted(syntax: Syntax, text: str) -> str:
    """The text with its options as they are written: `standins=yes` for `with stand-ins`, `press=none` for `no press`,
    quotation marks around a value of several words.
    """
    if "OPTIONS" not in syntax.types:
        return text
    text = _BETWEEN_OPTIONS.sub(" ", _switch().sub(_switched, options_listed(text)))
    return _SEVERAL_WORDS.sub(r'\1"\2"', text)


def options_listed(text: str) -> str:
    """The text; a list of options with their values behind them as they are written: `move=3d retreat=1d` of `move 3d,
    retreat 1d`.
    """
    first, *rest = text.split(",")
    if not rest or "=" in text:
        return text
    given = [_option_in(part) for part in (first, *rest)]
    return " ".join((given[0] or first, *given[1:])) if all(given[1:]) else text


def _option_in(part: str) -> str:
    """The option that a text is, with its value behind it, `move 3d`; "" if it is none, or this no value of it."""
    found = _AND_OPTION.fullmatch(part)
    if found is None or found["name"].lower() not in BY_NAME:
        return ""
    with suppress(NotUnderstood):
        BY_NAME[found["name"].lower()].read(found["value"])
        return f"{found['name']}={found['value']}"
    return ""


_AND_OPTION = re.compile(r"[ ]*+(?:and[ ]++)?(?P<name>[a-z]++)[ :]++(?P<value>\S++)[ ]*+", re.IGNORECASE)


@cache
def _switch() -> re.Pattern[str]:
    """A pattern for an option in words, `with stand-ins`, `without press`."""
    names = "|".join(name.replace("standins", "stand-?ins?") for name in BY_NAME)
    return re.compile(rf"\b(?:with[ ]+|and[ ]+)?\b(?P<how>no|without|with|and)[ ]+(?P<name>{names})\b(?![ ]*=)", re.I)


def _switched(found: re.Match[str]) -> str:
    name = re.sub("stand-?ins?", "standins", found["name"].lower())
    words = ("no", "none") if found["how"].lower() in ("no", "without") else ("yes",)
    for word in words:
        with suppress(NotUnderstood):
            BY_NAME[name].read(word)
            return f"{name}={word}"
    return found[0]


def _without_powers(syntax: Syntax, text: str, lexicon: Lexicon | None) -> str:
    """The text without names of powers, which may have words of sentences, and without the article of one that players
    have chosen: `zorp as the Krell`.
    """
    plain = re.sub("[–—]", " ", text)
    named = _NAME_AS_THE.match(plain) if "as" in syntax.keywords else None
    if named is not None and not names_power(named[1], lexicon):  # `join France as the third` is a sentence
        plain = f"{named[1]} as {plain[named.end() :]}"
    first, *others = _SEPARATOR.split(plain)
    kept = [piece for piece in others if not names_power(_THE.sub("", piece.strip(), count=1), lexicon)]
    if len(kept) < len(others):
        kept = [piece for piece in kept if piece.lower() not in _JOINING]
    alone = lexicon is not None and lexicon.power(first) is not None  # `join the French` is a sentence
    return " ".join(("" if alone else first, *kept))


def names_power(words: str, lexicon: Lexicon | None) -> bool:
    """Whether words are the name of a power, in this game or in any."""
    return fold_name(words) in _powers() or (lexicon is not None and lexicon.power(words) is not None)


@cache
def _powers() -> frozenset[str]:
    """The names of the powers of all games, as they are looked up, without articles."""
    powers = (power for game in all_variants().values() for power in game.seating.powers)
    return frozenset(_THE.sub("", fold_name(power), count=1) for power in powers)
