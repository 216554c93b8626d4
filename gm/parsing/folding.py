"""A line as written and the same line folded for parsing: lower case, plain dashes and blanks, no accents or marks.

The grammars see only the folded text; `column` converts a position in it to one in the line as the player wrote it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_PLAIN = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-"),
    **dict.fromkeys("→⇒➔➜➝➞➡⟶⟹►\uf0e0\uf0e8\uf0f0", "->"),  # the last three: Wingdings
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("•◦‣▪●∙·", "*"),
    **dict.fromkeys("\r\n\v\f\x85\u2028\u2029", " "),
}
_QUOTE_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Script:
    """A line folded for parsing. `places[i]` is the index in `written` of `folded[i]`; None if they are the same."""

    written: str
    folded: str
    places: tuple[int, ...] | None

    def column(self, index: int) -> int:
        """The column, counted from 1, in the line as written, of an index in the folded text."""
        if self.places is None:
            return min(index, len(self.written)) + 1
        return (self.places[index] if index < len(self.places) else len(self.written)) + 1

    def words(self, start: int, end: int) -> str:
        """What the player wrote from `start` to `end` of the folded text, shortened for quoting."""
        return shorten(self.written[self.column(start) - 1 : max(self.column(end) - 1, self.column(start))].strip())


@lru_cache(maxsize=64)
def fold(line: str) -> Script:
    """Fold a line for parsing. Every text has a folded form; the time is linear in its length."""
    if line.isascii() and line.isprintable():
        return Script(line, line.lower(), None)
    text: list[str] = []
    places: list[int] = []
    for index, character in enumerate(line):
        plain = _fold_character(character)
        text.append(plain)
        places.extend([index] * len(plain))
    return Script(line, "".join(text), tuple(places))


def fold_name(name: str) -> str:
    """The form under which names are looked up: folded, with single blanks."""
    return re.sub(r"[ ]+", " ", fold(name).folded).strip()


@lru_cache(maxsize=2048)
def _fold_character(character: str) -> str:
    if character in _PLAIN:
        return _PLAIN[character]
    category = unicodedata.category(character)
    if category in ("Zs", "Cc", "So"):
        return " "  # blanks, control characters, pictures
    if category in ("Cf", "Mn", "Me"):
        return ""  # zero-width, direction marks, accents separate from their letters, variation selectors
    if category in ("Cs", "Co", "Cn"):
        return "?"
    parts = unicodedata.normalize("NFKD", character).lower()
    return "".join(p for p in parts if not unicodedata.combining(p))


def shorten(text: str) -> str:
    """A text for quoting in an error message: at most about sixty characters, without any that cannot be mailed."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: _QUOTE_SHOWN + 1])
    return text if len(text) <= _QUOTE_SHOWN else text[: _QUOTE_SHOWN - 3].rstrip() + "..."
