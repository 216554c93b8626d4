"""The lines of a mail as rows of a table: whose words they are, what they mean, for which game, their fate and why.

`gm mail explain` prints them, and the golden files of the tests have them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gm.mail.message.charset import REPLACEMENT
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, PressBlock, Talk
from gm.reading.line import Kind, Line, Lines, Origin

LONGEST = 100
"""The most characters of a line that are shown."""
IsQuestion = Callable[[str], bool]
"""Whether the command of this name only asks."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a mail. `number` is that of the sender's own line, counted from 1, None for every other line."""

    number: int | None
    origin: str
    meaning: str
    target: str
    fate: Kind
    reason: str
    text: str

    @property
    def cells(self) -> tuple[str, ...]:
        """The columns as text."""
        number = "-" if self.number is None else str(self.number)
        return number, self.origin, self.meaning, self.target, self.fate.name, self.reason, self.text


def rows(lines: Lines, text: str, game: str, is_question: IsQuestion) -> tuple[Row, ...]:
    """The rows of lines that have their fates, of a mail with this own text to a seat in `game` ("" for none); the
    sender's own first. A line of press, or the rest of a broken one, has the fate of the line that it belongs to; if
    the text is not known, "", it has no row.
    """
    own, name = list[Row](), game
    for line in lines:
        if line.fate is not None and line.number:
            name = _named(line, name)
            own += (_row(line, number, words, line.game or name, is_question) for number, words in line.written)
    others = [_row(line, None, line.text, "", is_question) for line in lines if not line.number and line.text.strip()]
    return (*_with_rest(own, text, {row.text for row in others}), *others)


def _with_rest(own: Sequence[Row], text: str, others: Container[str]) -> Iterator[Row]:
    """The rows of own lines in their order, with those of lines that belong to the one above."""
    by_number: dict[int | None, list[Row]] = {}
    for row in own:
        by_number.setdefault(row.number, []).append(row)
    above: Row | None = None
    written = text.split("\n") if text else [""] * max((row.number or 0 for row in own), default=0)
    for number, words in enumerate(written, 1):
        if number in by_number:
            above = min(by_number[number], key=lambda row: _WEIGHT.index(row.fate))
            yield above
        elif above is not None and words.strip() and shown(words) not in others:
            yield replace(above, number=number, text=shown(words))


_WEIGHT = (Kind.REFUSE, Kind.ASK, Kind.QUOTE, Kind.ACT, Kind.TALK, Kind.OURS)
"""Of a line with several parts that have different fates the first of these counts."""


def _named(line: Line, name: str) -> str:
    """The game of the lines from this one on."""
    if line.origin is Origin.OWN and line.is_heading and isinstance(line.meaning, CommandLine):
        return str(line.meaning.args["game"]).strip("*_").lower()
    return name


def _row(line: Line, number: int | None, text: str, game: str, is_question: IsQuestion) -> Row:
    if line.fate is None:
        raise LookupError(f"line {line.number} has no fate")
    phase = getattr(line.meaning, "phase", None)
    target = f"{game} {phase.code if phase is not None else ''}".strip() or "-"
    below = number not in (None, line.number)
    meaning = "order" if below else meaning_of(line.meaning, is_question)
    return Row(number, _ORIGINS[line.origin], meaning, target, line.fate.kind, line.fate.reason.code, shown(text))


_ORIGINS = {
    Origin.OWN: "own", Origin.WITHIN: "own", Origin.BELOW_END: "own", Origin.OURS: "ours", Origin.PRESS: "other",
    Origin.QUOTED: "other", Origin.DOUBTFUL: "doubt", Origin.APART: "apart", Origin.ATTACHED: "apart",
    Origin.LOST: "lost",
}  # fmt: skip


def meaning_of(item: Item | None, is_question: IsQuestion) -> str:
    """What a line says, in a word."""
    match item:
        case OrderLine():
            return "order"
        case CommandLine(name=name):
            return "question" if is_question(name) else "command"
        case PressBlock():
            return "press"
        case Complaint():
            return "complaint"
        case Talk(blank=True):
            return "blank"
        case Talk():
            return "talk"
    return "-"


def shown(text: str) -> str:
    """A line's text on one line, shortened."""
    words = "".join(sign if sign.isprintable() else REPLACEMENT for sign in " ".join(text[: 10 * LONGEST].split()))
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 3].rstrip()}..."


def table(found: Iterable[Row], head: bool = False) -> Iterator[str]:
    """The rows as lines of text, in columns."""
    names = [("line", "origin", "meaning", "target", "fate", "reason", "text")] if head else []
    cells = [*names, *(row.cells for row in found)]
    if not cells:
        return
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for one in cells:
        columns = (cell.ljust(width) for cell, width in zip(one, widths, strict=True))
        yield "  ".join(columns).rstrip()
