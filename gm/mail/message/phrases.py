"""The phrases that mail programs write around a reply, by language (phrases.toml), as patterns."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))

_LETTERS = re.compile("[A-Za-z]{2}")
_UNSHOWN = ("mac-roman", "cp1257", "iso8859-4")
"""Sets whose letters may pass for others of Western Europe: no byte shows that the set is not the declared one."""


def spellings(phrase: str) -> Iterator[str]:
    """The phrase, and what it looks like where its set was taken for that of Western Europe, or for ASCII."""
    yield phrase
    if _LETTERS.search(phrase):
        yield phrase.encode("ascii", "replace").decode()
    for codec in _UNSHOWN:
        with suppress(UnicodeError):
            yield phrase.encode(codec).decode("cp1252")


def choice(*names: str) -> str:
    """A pattern for any phrase of these tables, however it is spelled."""
    every = (spelled for name in names for phrase in TABLES[name] for spelled in spellings(phrase))
    return "|".join(map(_pattern, dict.fromkeys(every)))


def _pattern(phrase: str) -> str:
    """A phrase as a pattern: its groups of alternatives kept, everything else literal, spaces of any length."""
    return "".join(_piece(piece) for piece in _PIECES.findall(phrase))


def _piece(piece: str) -> str:
    """A character, or `(a|b)`; brackets within a group, as in `((a)|a|)`, stand for themselves."""
    if len(piece) == 1:
        return r"\s+" if piece == " " else re.escape(piece)
    return "(?:" + "|".join(re.escape(one).replace(r"\ ", r"\s+") for one in piece[1:-1].split("|")) + ")"


_PIECES = re.compile(r"\((?:[^()]|\([^()]*\))*\|(?:[^()]|\([^()]*\))*\)|.")
