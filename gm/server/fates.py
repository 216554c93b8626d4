"""The rows that say what became of the lines of a mail, and what in them must not be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

LONGEST = 100
"""The most characters of a line that are shown."""


class Fate(StrEnum):
    """What becomes of a line."""

    ACT = "ACT"
    ASK = "ASK"
    REFUSE = "REFUSE"
    QUOTE = "QUOTE"
    TALK = "TALK"
    OURS = "OURS"


_OPEN = (Fate.REFUSE, Fate.ASK, Fate.QUOTE)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a mail. `number` is that of the sender's own line, counted from 1, None for every other line."""

    number: int | None
    origin: str
    meaning: str
    target: str
    fate: Fate
    reason: str
    text: str

    @property
    def cells(self) -> tuple[str, ...]:
        """The columns as text."""
        number = "-" if self.number is None else str(self.number)
        return number, self.origin, self.meaning, self.target, self.fate.value, self.reason, self.text


def wrong(rows: Sequence[Row]) -> Iterator[str]:
    """What in these rows is contrary to "one line, one fate": a line that may be an order, and ends in silence; a line
    that is given up; READY that was done beside a line that is not.
    """
    open_lines = [row for row in rows if row.fate in _OPEN]
    for row in rows:
        silent = row.fate is Fate.TALK and row.meaning in _ASKING and row.reason != "ignored"
        if row.origin == "own" and (silent or row.reason in ("lost", "unanswered")):
            yield f"silent: {row.origin} {row.meaning}: {row.text}"
        if _READY.fullmatch(row.text) and row.fate is Fate.ACT and row.reason == "done" and open_lines:
            yield f"READY is done beside: {open_lines[0].reason}: {open_lines[0].text}"


_ASKING = ("order", "command", "press", "complaint")
_READY = re.compile(r"\W*READY\W*", re.IGNORECASE)


def table(rows: Iterable[Row], head: bool = False) -> Iterator[str]:
    """The rows as lines of text, in columns."""
    names = [("line", "origin", "meaning", "target", "fate", "reason", "text")] if head else []
    cells = [*names, *(row.cells for row in rows)]
    if not cells:
        return
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for one in cells:
        columns = (cell.ljust(width) for cell, width in zip(one, widths, strict=True))
        yield "  ".join(columns).rstrip()
