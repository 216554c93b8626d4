"""The lines with which mail programs introduce a quotation: attributions, separators and header blocks.

`introduction` is asked at each line of a mail and looks at a bounded number of lines, so that reading stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.letters.lines import Line
from gm.letters.phrases import ATTRIBUTION_BEGINS, FIELD_OF, QUOTING, SEPARATOR, WROTE

_LONGEST = 400  # characters of a line that is looked at
_ATTRIBUTION_LINES = 4
_HEADER_LINES = 10

_ADDRESS = re.compile(r"<?[^\s<>@]+@[^\s<>@]+>?")
_DATE_AND_ADDRESS = re.compile(r"\D{0,20}\d.*<[^\s<>@]+@[^\s<>@]+>\s*[:：]")
_WHEN = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d\d|@|\d年")
_RULE = re.compile(r"[_\u2500-\u257f]{10,}|-{20,}")
_FIELD = re.compile(r"[\s*]{0,4}([^\W\d_][^:：\n]{0,18}?)[\s*]*[:：]")


def introduction(lines: Sequence[Line], at: int) -> int:
    """The line after the introduction of a quotation that begins at line `at`; `at` itself when none begins there."""
    line = lines[at]
    if line.introduces:
        return at + 1
    text = line.text.strip()
    if not text or len(text) > _LONGEST:
        return at
    if SEPARATOR.fullmatch(text):
        return at + 1
    if _RULE.fullmatch(text):
        below = next_written(lines, at + 1, 3)
        return below if below is not None and _introduces(lines, below) else at
    return max(_header_block(lines, at, text), _attribution(lines, at, text))


def _introduces(lines: Sequence[Line], at: int) -> bool:
    """Whether a header block or a separator begins here."""
    text = lines[at].text.strip()
    return lines[at].introduces or bool(SEPARATOR.fullmatch(text[:_LONGEST])) or _header_block(lines, at, text) > at


def next_written(lines: Sequence[Line], at: int, reach: int) -> int | None:
    """The first line that is not blank among the `reach` lines from `at`, or None."""
    return next((i for i in range(at, min(at + reach, len(lines))) if lines[i].text.strip()), None)


def _attribution(lines: Sequence[Line], at: int, text: str) -> int:
    """The line after an attribution ("On ... at ... Ann wrote:") that begins at `at`, else `at`."""
    if not (ATTRIBUTION_BEGINS.match(text) or WROTE.search(text) or _ADDRESS.search(text) or QUOTING.match(text)):
        return at
    joined = ""
    for i in range(at, min(at + _ATTRIBUTION_LINES, len(lines))):
        piece = lines[i].text.strip()
        if not piece or lines[i].depth or len(piece) > _LONGEST:
            break
        joined = f"{joined} {piece}".strip()
        if piece.endswith((":", "：")):
            return i + 1 if _is_attribution(joined, _quote_follows(lines, i + 1)) else at
    return at


def _is_attribution(text: str, quote_follows: bool) -> bool:
    if QUOTING.fullmatch(text) or _DATE_AND_ADDRESS.fullmatch(text):
        return True
    if WROTE.search(text) is None:
        return False
    return quote_follows or _WHEN.search(text) is not None


def _quote_follows(lines: Sequence[Line], at: int) -> bool:
    below = next_written(lines, at, 4)
    return below is not None and lines[below].depth > 0


def _header_block(lines: Sequence[Line], at: int, text: str) -> int:
    """The line after a block of From, Sent, To and Subject in any language that begins at `at`, else `at`."""
    if _field(text) is None:
        return at
    found: set[str] = set()
    end = at
    for i in range(at, min(at + _HEADER_LINES, len(lines))):
        if lines[i].depth:
            break
        if (field := _field(lines[i].text)) is not None:
            found.add(field)
            end = i + 1
    return end if "from" in found and len(found) >= 3 else at


def _field(text: str) -> str | None:
    """Which header field such a line shows: from, sent, to or subject."""
    found = _FIELD.match(text[:_LONGEST])
    return FIELD_OF.get(" ".join(found[1].lower().split())) if found else None
