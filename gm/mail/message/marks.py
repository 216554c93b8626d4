"""The signs of quotation, for all who look at them: those with which quoted lines begin, and those around words.

| lines that begin with | are |
| --- | --- |
| `>`, `|`, and what looks like them | quoted: no line of people's own begins so |
| initials, as `AP>`, or a colon | quoted below an introduction, or where several are; no order begins so |
| `»` and its kin, `=>` | quoted below an introduction, a list of people's own where that is all, and else in doubt |
| the same other signs, as `~` or `-->` | quoted below an introduction, in doubt where orders and words have them |

A pair around words, `»A PAR-BUR«`, marks no line. Nor does an indentation: how many blanks begin a line is covered by
no signature (RFC 6376, 3.4.4), and people indent their own orders, too.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from gm import patterns as re

BARS = "|\uff5c\uffe8\u2502\u2503\u2551\u254e\u254f\u2506\u2507\u250a\u250b\u2758\u2759\u275a"
BARS += "\u239c\u239f\u23a2\u23a5\u00a6\u2223\u01c0"
BARS += "".join(map(chr, range(0x2588, 0x2590)))  # blocks that fill the left of a letter's place
GREATER = ">\uff1e\ufe65"
_ANGLES = "»›\u300b\u3009\u27e9\u27eb\u276d\u276f\u2771\u226b\u2aa2"
_OPPOSITE = "«‹\u300a\u3008\u27e8\u27ea\u276c\u276e\u2770\u226a\u2aa1"

_LISTED = re.escape("\"'“”„‘’«‹([{<>|#@.,…?!¿¡&/*•·∙◦▪▫■□●○–—+:)]}-") + _ANGLES
_SIGN = rf"[-=~]{{1,4}}>+|[^\w\s{_LISTED}\ufffd][^\w\s]{{0,3}}"
"""Signs that begin neither lists of people's own nor sentences."""

SURE = re.compile(r"[ \t]{0,8}(?:[>|][ \t]?)++")
"""The marks of a line that is quoted wherever it stands, in plain signs."""
POSSIBLE = re.compile(
    rf"\s{{0,8}}(?:(?P<initials>[^\W\d_]{{1,12}})>{{1,5}}(?=\s|$|[^\W\d_]{{1,12}}\s)"
    rf"|(?P<colon>:(?: ?:){{0,4}}(?=\s|$|\w))"
    rf"|(?P<bullet>(?:[{_ANGLES}] ?){{1,5}}(?!.*[{_ANGLES}{_OPPOSITE}])|=>)"
    rf"|(?P<sign>{_SIGN}))\s?"
)
"""The marks of a line that may be quoted."""
BEGINS = re.compile(rf"\s{{0,8}}(?:[^\W\d_]{{1,12}}>|=>|[:{_ANGLES}]|{_SIGN})")
"""A line that is looked at for such marks."""
_SIGNS = frozenset((*_ANGLES, ">", ":"))
SEVERAL = {"initials": 3, "colon": 2}
"""How many lines with such marks tell a quotation by themselves. People begin lists of their own with the others."""


def levels(marks: re.Match[str]) -> int:
    """How many times the line with these marks is quoted."""
    return max(1, sum(one in _SIGNS for one in marks[0]))


@lru_cache(maxsize=2048)
def is_quote_mark(character: str) -> bool:
    """Whether a character is a mark of quotation in any language, by its Unicode name; single ones, which are
    apostrophes, too, are none, but those with an angle.
    """
    name = unicodedata.name(character, "")
    marks = "QUOTATION MARK" in name or "CORNER BRACKET" in name or "ANGLE BRACKET" in name
    return marks and ("SINGLE" not in name or "ANGLE" in name)


def is_open(text: str) -> bool:
    """Whether a mark of quotation in a line, double or single, is closed by no other one: what is quoted goes on below
    it. It stands at the beginning, behind a blank, a bracket or a colon; a bullet has a blank behind it.
    """
    if sum(map(is_quote_mark, text)) % 2 == 1:
        return _ANGLE_APART.search(text) is None
    opened = _SINGLE.search(text)
    return opened is not None and _SINGLE_ENDS.search(text, opened.end()) is None


_ANGLE_APART = re.compile(rf"^\s*[{_ANGLES}]\s|\w\s?[{_ANGLES}]\s?\w")
"""One that is no mark of quotation: a bullet, or an arrow between two places."""
_SINGLE = re.compile(r"(?<![^\s(\[:：—–])(?:''|<<|,,|``|['‘‚‛])(?=\w)")
_SINGLE_ENDS = re.compile(r"(?<=[^\s(])(?:''|>>|``|['’‘‛])(?!\w)")
