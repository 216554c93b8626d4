"""The lines that make games as a sentence wants them: their names, what is played, and who is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise, zip_longest
from typing import Any

from gm import patterns as re
from gm.commands.all_games import run_by
from gm.commands.context import Context
from gm.errors import NotUnderstood
from gm.games.snapshot import Game
from gm.inbound.facts import names_of_games
from gm.inbound.wishes.times_wished import clock_in, time_of
from gm.mail.message.addresses import parse_address
from gm.parsing.options_meant import moves_every, options_in
from gm.parsing.questions import (
    clauses,
)
from gm.parsing.small_talk import PROSE
from gm.parsing.zones import zone_in
from gm.variants import all_variants


def games_made(ctx: Context, text: str) -> str:
    """The lines that create the games of which a text has the names, variants, options or guests, and invite them; ""
    if it has none of these.
    """
    parts = _each_game(text)
    shared = " ".join(_FOR_BOTH.findall(text)) if len(parts) > 1 else ""
    return "\n".join(filter(None, (_one_made(ctx, part, shared) for part in parts)))


_OF_ANY_GAME = PROSE.union(["another", "begin", "create", "game", "games", "make", "new", "open", "set", "start"])


def unmade(ctx: Context, text: str, made: str) -> Iterator[str]:
    """The clauses of a text of which nothing is in the lines that it makes: without each these would be the same."""
    for clause in clauses(text):
        says_something = not _OF_ANY_GAME.issuperset(A_NAME.findall(clause.lower()))
        if says_something and games_made(ctx, text.replace(clause, "", 1)) == made:
            yield clause


def _each_game(text: str) -> list[str]:
    """A text in as many parts as it names new games: each ends with the clause of its name."""
    if len([*_CALLED.finditer(text)]) < _SEVERAL:
        return [text]
    guests = {found["which"].lower(): found["guests"] for found in _FOR_ONE.finditer(text)}
    text = _FOR_ONE.sub("", text)
    names = [*_CALLED.finditer(text)]
    ends = [found.end() for one in names[:-1] if (found := _AND_THEN.search(text, one.end())) is not None]
    parts = [text[begin:end] for begin, end in pairwise((0, *ends, len(text)))]
    return [
        f"{part} {guests.get(which, '')}" for part, which in zip_longest(parts, _ORDINALS[: len(parts)], fillvalue="")
    ]


_SEVERAL = 2
_AND_THEN = re.compile(r"[.;!?]\s|\band\b", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth")
_FOR_ONE = re.compile(
    rf"(?P<guests>[^\s,;!?]{{1,80}}@[^,;!?@]{{1,80}}?) for (?:the )?(?P<which>{'|'.join(_ORDINALS)})\b(?: one| game)?",
    re.IGNORECASE,
)
"""Guests of one of several new games."""
_FOR_BOTH = re.compile(r"\b(?:both|all|each|every)\b[^.;!?]*", re.IGNORECASE)


def _one_made(ctx: Context, text: str, shared: str) -> str:
    head = _begun(ctx, text)
    named = str(head["game"]) if head else _name_in(text)
    variant, guests = _variant_in(text), ", ".join(guests_in(text, power_here(ctx)))
    every, rest = moves_every(text.replace(named, "", 1) if named else text)
    every = every or moves_every(shared)[0]
    given = (re.sub("(?<==)[+-]", "", one) for one in (*options_in(shared), *options_in(rest)))
    said = {one.partition("=")[0]: one for one in given}
    said |= {name: f"{name}={value}" for name, value in head.get("options", {}).items()}
    if every:
        said.setdefault("move", f"move={every}")
    zone, untimed, _ = zone_in(text, names_of_games(ctx)())
    if (clock := clock_in(untimed)) is not None:
        said.setdefault("at", f"at={time_of(clock)}")
    if zone:
        said.setdefault("zone", f"zone={zone}")
    options = [*([f"variant={variant}"] if variant else ()), *said.values()]
    if not (named or options or guests):
        return ""
    name = "-".join(named.split()) or _free_name(ctx, f"game-{variant or 'new'}")
    like = _like(ctx, text)
    line = " ".join(filter(None, ("CREATE", name, like and f"LIKE {like}", *options)))
    return f"{line}\nINVITE {guests}" if guests else line


def _begun(ctx: Context, text: str) -> Mapping[str, Any]:
    """What the command says with which a text about a new game begins: `create samba fog, and ...`."""
    head, *more = _BEHIND_HEAD.split(text, maxsplit=1)
    with suppress(NotUnderstood):
        call = ctx.commands.reader.read(head, None) if more else None
        return call.args if call is not None and call.name == "create" else {}
    return {}


_BEHIND_HEAD = re.compile(r"[,;]|[.]\s|\s(?=(?:with|without|and|for|where)\b)", re.IGNORECASE)
"""What stands between such a command and what else is said of the game."""


def _name_in(text: str) -> str:
    """The name that a text gives to a new game, also of several words: in quotation marks, or with capitals; ""."""
    found = _CALLED.search(text)
    if found is None:
        bare = _GAME_OF.search(text)
        title = bare is not None and _begins_with_variant(text[bare.start("name") :])
        return bare["name"] if bare is not None and not title else ""
    quoted, words = found["quoted"], found["name"].split() if found["name"] else []
    while len(words) > 1 and _variant_in(words[-1]):
        words.pop()
    return (quoted or " ".join(words)).strip()


def _begins_with_variant(text: str) -> bool:
    """Whether a text begins with the name or title of a variant: `Fog of War with two-day moves`."""
    words = _in_words(text)
    return any(words.startswith(_in_words(each)) for name, one in all_variants().items() for each in (name, one.title))


def _variant_in(text: str) -> str:
    """The variant that a text names, by its name or title; "" if none."""
    words = _in_words(text)
    named = ((name, each) for name, one in all_variants().items() for each in (name, one.title))
    return max((name for name, each in named if _in_words(each) in words), key=len, default="")


def _in_words(text: str) -> str:
    return f" {' '.join(A_NAME.findall(text.casefold()))} "


A_NAME = re.compile(r"[^\W_]+")


def _free_name(ctx: Context, wished: str) -> str:
    """A name that no game has."""
    names = (wished, *(f"{wished}-{number}" for number in range(2, _MOST_NAMES)))
    return next((name for name in names if ctx.tx.game_named(name) is None), wished)


_MOST_NAMES = 10


def _like(ctx: Context, text: str) -> str:
    """The game like which another is to be made: the one that is named, or the last one."""
    if LIKE.search(text) is None:
        return ""
    words = {word.lower() for word in re.findall(r"[\w-]+", text)}
    return next((game.name for game in games_run(ctx) if game.name in words), "last")


def games_run(ctx: Context) -> list[Game]:
    """The games that the sender runs."""
    return [game for game, _ in run_by(ctx)] if ctx.runs_games else []


_CALLED = re.compile(
    r"(?:\b(?:called|named|(?:call|name) (?:it|that(?: one)?|this(?: one)?)|name (?:is|should be)|namens|nomm\w+)"
    r"\W{1,3}|\bgame ['\"“„]"
    r"|\b(?:copy|clone) [\w-]{1,40} (?:as|to)\W{1,3})"
    r"(?:(?<=['\"“„])(?P<quoted>[\w-]{1,40}(?: [\w-]{1,40}){1,4})(?=['\"“”])"
    r"|(?P<name>(?-i:[A-Z])[\w-]{1,40}(?: (?-i:[A-Z])[\w-]{1,40}){1,3}|[\w-]{2,40}))",
    re.IGNORECASE,
)
_GAME_OF = re.compile(
    r"\b(?:create|make|open|begin|set up)[ ](?:me |us )?(?:an? |the )?(?:new )?(?:[a-z-]{3,20} )?game[ ]"
    r"(?!(?:of|for|with|where|in|on|that|which|to|and|from|like|as|by|again|here|now|please|today|tomorrow|soon)\b)"
    r"(?P<name>[\w-]{2,40}+)(?=,?[ ](?:of|with|for|where|in which)\b)",
    re.IGNORECASE,
)
"""A name directly behind its game: `create a game mist of Fog of War`."""
LIKE = re.compile(r"(?<!'d )(?<!would )(?<!i )\b(?:like|copy|clone|same|wie|comme|again)\b", re.IGNORECASE)


def guests_in(text: str, power: Callable[[str], object] = str, *, known: bool = False) -> Iterator[str]:
    """The mail addresses in a text, each with the power that is named with it: `lou@example.net as Italy`, `Italy:
    lou@example.net`, `lou@example.net (Italy)`. `power` finds one by its name; `known`: it knows all that there are.
    """
    for found in _GUEST.finditer(text):
        if (guest := parse_address(found["address"].strip(",;:.()<>"))) is not None:
            said = found["power"] if not known or (found["power"] and power(found["power"])) else ""
            named = (said, *(one for one in (found["behind"], found["before"]) if one and power(one)))
            name = next(filter(None, named), "")
            yield f"{guest.address} AS {name}" if name else guest.address


_GUEST = re.compile(
    r"(?:(?<![^\W\d_])(?P<before>[^\W\d_]{1,30}+)[ ]*+[:=][ ]*+)?"
    r"(?<![^\s,;<>:=(])(?P<address>[^\s,;<>:=()]+@[^\s,;<>:=()]++)[>)]?"
    r"(?:[ ]++(?:as|als|for|plays|gets|takes|to (?:be|get|have|play|take))[ ]++(?P<power>[^\W\d_]++)"
    r"|[ (,:=\u2013-]++(?P<behind>[^\W\d_]++)\b(?![@.:=]))?",
    re.IGNORECASE,
)


def power_here(ctx: Context) -> Callable[[str], object]:
    return ctx.lexicon.power if ctx.lexicon is not None else lambda _: None
