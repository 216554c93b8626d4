"""Names of people, and of powers that players name: none may look like the server's, a gamemaster's or an address, nor
like another name in the same game.

Names are compared as a reader sees them: letters that look alike are equal (Unicode TR 39), and so are a letter and the
digit that stands for it, capitals and lower case, letters with and without accents, and all characters between words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import pairwise

from gm.errors import NotNow, NotUnderstood
from gm.games.snapshot import Game, Person, Seat, holders
from gm.variants import register

LONGEST = 60

_OFFICES: tuple[str, ...] = ("GM", "gamemaster", "game master", "postmaster", "administrator", "admin", "mailer daemon")
_OFFICES += ("moderator", "operator")
"""Words that no name may contain."""
_NOBODY: tuple[str, ...] = (
    "somebody",
    "somebody else",
    "someone",
    "anybody",
    "anyone",
    "everybody",
    "everyone",
    "nobody",
    "no one",
    "none",
    "anonymous",
)
_NOBODY += ("unknown", "all", "server", "the server", "judge", "observer", "player", "a player", "dummy", "vacant")
_NOBODY += ("stand-in",)
_NOBODY += ("neutral", "civil disorder", "host", "your seat", "your address")
"""Names that are not allowed; nor are those of powers."""
_TITLES = re.compile(
    r"the|of|for|an?|your|new|mrs?|ms|sir|king|queen|emperor|tsar|sultan|president|ambassador|government|minister"
    r"|official|player|team|else"
)

_ADDRESS = re.compile(
    r"[@<>]|://|\bwww\."
    r"|[(\[{][\s_]{0,9}at[\s_]{0,9}[)\]}]"
    r"|(?<![^\W_])at[\s_]{1,9}[\w-]{1,60}?(?:\.|[\s_([{]{1,9}dot[\s_)\]}]{1,9})[^\W\d_]{2}",
    re.IGNORECASE,
)
"""What no name has, for it tells an address, also in words (`ann at example.org`), or looks like one."""

_WORD = re.compile(r"[^\W_]+")
_SIGNS = str.maketrans({"@": "a", "$": "s"})
_DIGITS = str.maketrans("013457", "OIEAST")
"""What takes the place of a letter: Fr4nce, G3rmany."""


@cache
def _center(letter: str) -> str:
    """The representative of all letters that look like this one: the one under which they are listed."""
    from confusable_homoglyphs.confusables import confusables_data  # 7,000 letters: not read before a name is given

    alike = [str(one["c"]).strip("\u200e") for one in confusables_data.get(letter, ())]
    if len(alike) != 1:
        return letter
    (other,) = alike
    back = confusables_data.get(other, ())
    return other if len(back) > 1 else min(letter, other, key=lambda one: (not one.isascii(), one))


def _folded(text: str) -> str:
    """The text in lower case without accents, ligatures and widths."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


@lru_cache(4096)
def _looks(text: str) -> frozenset[str]:
    """What the text looks like, in capitals or in lower case: `l` and `I` are alike, `i` is not."""
    written = unicodedata.normalize("NFKD", text.translate(_SIGNS))
    spelt = (written, written.translate(_DIGITS))
    forms = ("".join(map(_center, form)) for each in spelt for form in (each, _folded(each)))
    return frozenset("".join(_WORD.findall(_folded(form))) for form in forms)


def alike(one: str, other: str) -> bool:
    """Whether a reader could confuse the two names."""
    return bool((_looks(one) & _looks(other)) - {""})


def _is_one_of(text: str, names: Iterable[str]) -> bool:
    return any(alike(text, name) for name in names)


@cache
def _order() -> re.Pattern[str]:
    """Text that a reply could send back as an order, in any of the games."""
    kinds = {name for variant in register() for kind in variant.language.kinds.units for name in kind.names}
    units = "|".join(sorted(map(re.escape, kinds)))
    return re.compile(
        rf"(?:(?:{units})\s+\w{{2}}.*|(?:build|remove)\s.*|[a-z]\d+\s*)(?:-|\b(?:h|hold|holds|s|c|r|d|disband)\b).*",
        re.IGNORECASE,
    )


@cache
def _powers() -> frozenset[str]:
    return frozenset(str(power) for variant in register() for power in variant.seating.powers)


def is_deceptive(name: str, server: str) -> bool:
    """Whether a name looks like that of the server named `server`, a role, nobody, an address or a power of any game
    in which players do not name them.
    """
    taken = (server, *_NOBODY, *_powers())
    words = _WORD.findall(unicodedata.normalize("NFKC", name).translate(_SIGNS))
    pairs = [f"{one}{two}" for one, two in pairwise(words) if len(one) > 1 < len(two)]
    if not words or _ADDRESS.search(unicodedata.normalize("NFKC", name)) or _is_one_of(name, (*_OFFICES, *taken)):
        return True
    if any(_is_one_of(piece, _OFFICES) for piece in (*words, *pairs)):
        return True
    return all(_TITLES.fullmatch(_folded(word)) or word.isdecimal() or _is_one_of(word, taken) for word in words)


def require_fit(name: str, server: str) -> None:
    """Raises NotUnderstood for a name that is not allowed."""
    if is_deceptive(name, server) or _order().match(name):
        raise NotUnderstood(
            f"'{name}' cannot be your name: others could take it for the server, a gamemaster, a power, an address"
            " or an order.",
            "Write REGISTER and your own name, for instance REGISTER Ann Example.",
        )


def written(name: str, server: str) -> str | None:
    """The name in front of an address, for a person who has not given one; None if it is not allowed, or missing."""
    name = name[:LONGEST]
    return None if not name or is_deceptive(name, server) else name


def require_own(game: Game, person: Person, takes: Seat | None = None) -> None:
    """Raises NotNow if the person's name looks like that of somebody else of whom everybody may know that they are in
    the game, or of another power; not if the game shows no names. Who leaves the seat that the person `takes` may have
    the same name: it may be their new address.
    """
    if game.names_hidden:
        return
    others = _people_known_in(game, person, takes)
    own = {seat.power for seat in (*game.seats_of(person), *([takes] if takes is not None else []))}
    if _is_one_of(person.name, others) or _is_one_of(person.name, [each for each in game.powers if each not in own]):
        raise NotNow(
            f"Your name, {person.name}, reads like another in {game.name}.",
            "Write REGISTER and a name that nobody takes for another's, then this again.",
        )


def _people_known_in(game: Game, person: Person, but: Seat | None = None) -> list[str]:
    """The names of the others, `but` for that of one seat, of whom everybody may know that they are in the game."""
    known = (pair for pair in holders(game.seats) if pair[0] != but and game.knows_holder(None, pair[0]))
    return [one.name for seat, one in known if not seat.is_of(person)]


def require_power_of_its_own(name: str, game: Game, person: Person, server: str) -> None:
    """Raises NotUnderstood if a power's name, where players choose it, looks like one that no person may have, or like
    that of another power or person in the game; of people only those whom everybody may know.

    It may be the own name of the `person` who chooses it.
    """
    taken = [str(seat.power) for seat in game.seats if seat.power is not None and not seat.is_of(person)]
    taken += _people_known_in(game, person)
    if is_deceptive(name, server) or _is_one_of(name, taken):
        raise NotUnderstood(f"'{name}' cannot be a power's name here: it reads like another.", "Choose another name.")
