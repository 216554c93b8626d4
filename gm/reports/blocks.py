"""What an answer in words consists of: tables, sentences, results and verbatim text, each as text and as HTML.

HTML gets them as they are, not as lines of a fixed width, so that a phone can break them where its screen ends.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from gm.board import Power
from gm.reports import WIDTH, abreast, columns, filled, wrap
from gm.reports.render import whole_text
from gm.reports.results import (
    PowerResults,
    center_changes,
    dislodgements,
    eliminations,
    events,
    own_first,
    owners,
    results,
    silence,
    unit_lines,
    victory,
)
from gm.reports.standing_orders import Longhand
from gm.views import View

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A text that is written for 72 columns and shown unchanged; on a screen of another width without the breaks of
    its lines.
    """

    kind: ClassVar[str] = "verbatim"
    text: str

    @property
    def pieces(self) -> tuple[tuple[str, str | tuple[Row, ...]], ...]:
        """Its paragraphs by kind: `heading`, `prose`, `rows` of two cells, and `lines` that are shown as they are."""
        return tuple(_piece(part) for part in re.split(r"\n\s*\n", self.text.strip("\n")) if part.strip())


def _piece(part: str) -> tuple[str, str | tuple[Row, ...]]:
    lines = _unbroken(part.split("\n"))
    cells = [_CELLS.fullmatch(line) for line in lines]
    if len(cells) > 1 and all(cells):
        return "rows", tuple(found.groups() for found in cells if found)
    if any(line.startswith(_INDENT) for line in lines):
        return "lines", textwrap.dedent("\n".join(lines))
    if len(lines) == 1 and lines[0].isupper():
        return "heading", lines[0]
    return "prose", "\n".join(lines)


_INDENT = "    "
_CELLS = re.compile(rf"{_INDENT}(\S+(?: \S+)*) {{2,}}(\S.*)")


_GOES_ON = re.compile(r"\(?\w(?!\d{3}-)")
"""The beginning of a word that may stand within a sentence: no date, remark or mark of a quotation."""


def _unbroken(lines: Sequence[str]) -> list[str]:
    """The lines without the breaks that the width made: where the next word had no room."""
    whole: list[str] = []
    end = ""
    for line in lines:
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if whole and _GOES_ON.match(word) and not _CELLS.fullmatch(line) and len(end) + len(word) > WIDTH - 6:
            whole[-1] += f" {line.strip()}"
        else:
            whole.append(line)
        end = line
    return whole


@dataclass(frozen=True, slots=True)
class Names:
    """Codes and the names that they stand for, several abreast."""

    kind: ClassVar[str] = "names"
    cells: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The codes and names in columns."""
        return abreast(self.cells)


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """Paragraphs, one below the other."""

    kind: ClassVar[str] = "paragraphs"
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The paragraphs in lines."""
        return "\n".join(wrap(line, 0, 4) for line in self.lines)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below a title; the first row is their head if `headed`, and the first cell heads its row."""

    kind: ClassVar[str] = "rows"
    rows: tuple[Row, ...]
    headed: bool = False
    title: str = ""

    @property
    def filled(self) -> tuple[Row, ...]:
        """The rows without the columns that are empty in each."""
        return filled(self.rows, headed=self.headed)

    @property
    def text(self) -> str:
        """The rows in columns."""
        text = columns(self.filled, headed=self.headed)
        return f"{self.title}\n\n{text}" if self.title else text


Block = Verbatim | Names | Paragraphs | Table | PowerResults


def text_of(blocks: Iterable[Block]) -> str:
    """The blocks as text, with an empty line between them."""
    texts = (whole_text(block) if isinstance(block, PowerResults) else block.text for block in blocks)
    return "\n\n".join(text.strip("\n") for text in texts)


@dataclass(frozen=True)
class Passage:
    """An answer in words: HELP with a topic, HISTORY, RULES, LOG."""

    kind: ClassVar[str] = "passage"

    title: str
    blocks: tuple[Block, ...]

    @cached_property
    def text(self) -> str:
        """The blocks as text."""
        return text_of(self.blocks)


def position_blocks(view: View) -> tuple[Block, ...]:
    """The next position to be played: units, centres and what the variant adds, as the seat may see it; the seat's own
    power first.
    """
    own = view.seat
    units = tuple(sorted(unit_lines(view), key=lambda line: line[0] != own))
    centers = tuple(sorted(owners(view), key=lambda row: row[0] != own))
    return (
        Table(units) if units else Paragraphs((_NO_UNITS if not view.unseen else _NO_UNITS_SEEN,)),
        *([Table(centers, title="Supply centres")] if centers else []),
        *(Table(section.rows, section.headed, section.title) for section in view.sections if section.rows),
        *([Paragraphs(view.private)] if view.private else []),
    )


_NO_UNITS, _NO_UNITS_SEEN = "There are no units on the board.", "You see no units."


def turn_blocks(view: View, adjectives: Mapping[Power, str]) -> tuple[Block, ...]:
    """Orders with marks and reasons, dislodgements, changes of ownership. Raises ValueError without a turn."""
    turn = view.turn
    if turn is None:
        raise ValueError("there is no turn to summarize")
    words = Longhand(view.board, adjectives, turn.before.phase.kind)
    said = silence(view, turn)
    rest = (*dislodgements(view, turn, words), *center_changes(view, turn.count), eliminations(turn, view.words))
    rest = tuple(filter(None, (*rest, victory(turn, view.words), *events(view, turn))))
    return (
        *([Paragraphs((said,))] if said else []),
        *(part for group in own_first(results(view, turn, words), view) for part in group.powers),
        *([Paragraphs(rest)] if rest else []),
    )


def turn_text(view: View, adjectives: Mapping[Power, str]) -> str:
    """The same as text."""
    return text_of(turn_blocks(view, adjectives))
