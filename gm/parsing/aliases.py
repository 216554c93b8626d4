"""A player's own names for places."""

from __future__ import annotations

import re

from gm.board import Location
from gm.errors import NotUnderstood
from gm.parsing.lexicon import ORDER_WORDS, Lexicon, fold, fold_name, shorten
from gm.parsing.small_talk import PROSE

LONGEST = 24
_GIVEN = re.compile(
    r"(?P<name>[^=:]+?)(?<![ ])[ ]*+(?:=|:|\bfor\b|\bis\b|\bmeans\b)[ ]*+(?P<place>\S(?s:.*))", re.IGNORECASE
)

_PLACE_FIRST = re.compile(r"(?P<place>\w*\d)[ ]+(?P<name>[^\W\d_]\w*)")
"""`Q31415 Refuge`"""


def read_name(words: str, lexicon: Lexicon) -> tuple[str, Location | None]:
    """A name and its place, from `Refuge = Q31415` or `Q31415 Refuge`; None for `Refuge = NONE`. Raises
    NotUnderstood.
    """
    found = _GIVEN.fullmatch(words.strip()) or _PLACE_FIRST.fullmatch(words.strip())
    if found is None:
        raise NotUnderstood(f"{shorten(words)!r} is not an alias.", "Write, for example, ALIAS Refuge = Q31415.")
    name, place = fold_name(found["name"]), found["place"].strip(" .")
    if place.casefold() in ("none", "nothing", "off"):
        return name, None
    _check(name, lexicon)
    return name, lexicon.place(place)


def _check(name: str, lexicon: Lexicon) -> None:
    words = re.findall(r"[a-z0-9]+", name)
    if not re.fullmatch(r"[a-z][a-z0-9' -]*[a-z0-9]", name) or not 3 <= len(name) <= LONGEST:
        raise NotUnderstood(
            f"{name.title()!r} cannot be an alias.",
            f"Use 3 to {LONGEST} letters and digits, beginning with a letter.",
        )
    if ORDER_WORDS & set(words) or set(words) <= PROSE:
        raise NotUnderstood(f"{name.title()!r} already has a meaning in orders or commands.", "Choose another alias.")
    if lexicon.place_names_in(fold(name).folded):
        raise NotUnderstood(f"{name.title()!r} is, or contains, a name in this game.", "Choose another alias.")
