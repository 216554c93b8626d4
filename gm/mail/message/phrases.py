"""What mail programs write around a reply, as patterns; the words by language are data (phrases.toml)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

_TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))


def _choice(*names: str) -> str:
    """A pattern for any phrase of these tables."""
    return "|".join(_phrase(phrase) for name in names for phrase in _TABLES[name])


def _phrase(phrase: str) -> str:
    """A phrase as a pattern: its groups of alternatives kept, everything else literal, spaces of any length."""
    return "".join(_piece(piece) for piece in _PIECES.findall(phrase))


def _piece(piece: str) -> str:
    """A character, or `(a|b)`; brackets within a group, as in `((a)|a|)`, stand for themselves."""
    if len(piece) == 1:
        return r"\s+" if piece == " " else re.escape(piece)
    return "(?:" + "|".join(re.escape(choice).replace(r"\ ", r"\s+") for choice in piece[1:-1].split("|")) + ")"


_PIECES = re.compile(r"\((?:[^()]|\([^()]*\))*\|(?:[^()]|\([^()]*\))*\)|.")

WROTE = re.compile(rf"(?<!\w)(?:{_choice('wrote')})(?!\w)|{_choice('wrote_unspaced')}", re.IGNORECASE)
QUOTING = re.compile(rf"(?:{_choice('quoting')})\s.{{1,200}}:", re.IGNORECASE)
SEPARATOR = re.compile(
    rf"[-_=*\s]{{2,60}}+(?:(?:{_choice('separators')})\s*[:：]?[-_=*\s]{{0,60}}+|forwarded by\b.*)"
    r"|-{2,10}\s*on\b.{5,200}\bwrote\s*-{2,10}"
    rf"|(?:{_choice('forwards')})\s*[:：]",
    re.IGNORECASE,
)
DEVICE = re.compile(
    rf"(?:{_choice('device_begins')})(?!\w).{{0,60}}(?:{_choice('device_names')}).{{0,40}}", re.IGNORECASE
)
ABSENCE = re.compile(rf"(?:{_choice('absence')})\s*:.*", re.IGNORECASE)

FIELD_OF: dict[str, str] = {name: field for field, names in _TABLES["fields"].items() for name in names}
"""Which field of a header (from, sent, to, subject) a printed name stands for."""
