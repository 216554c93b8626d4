"""What the sender of a mail wrote, apart from what they quoted.

One pass over the lines, each of which looks at a bounded number of others: linear time, whatever the body. What is cut
is returned as `quoted`: the receipt may mention it, and nothing acts on it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gm.mail.message.attribution import DEVICE, Introductions, next_written
from gm.mail.message.text import REPLACEMENT, Line, composed

REPLY_ABOVE = "--- Reply above this line ---"
"""The line above everything in our mails that a reply would quote."""

_REPLY_ABOVE = re.compile(r"\W{0,20}+reply above this line\W{0,20}+", re.IGNORECASE)
_PRESS = re.compile(r"[\s*_]{0,10}+(?:PRESS|BROADCAST)\b", re.IGNORECASE)
_END_PRESS = re.compile(r"[\s*_]{0,10}+END[ -]?PRESS\b", re.IGNORECASE)
_ANSWER_LINES = 12
_WRAPPED_AT = 70  # a quoted line this long may have been wrapped by the sender's program


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The sender's own lines, joined; the quoted lines; and lines left out because they could not be decoded.

    `doubtful` are the `quoted` lines that may have been meant: below a signature, or possibly the rest of a wrapped
    quoted line.
    """

    text: str
    quoted: tuple[str, ...]
    undecodable: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()


def own_words(lines: Sequence[Line]) -> OwnWords:
    """The sender's own words among lines with known quote levels."""
    reader = _Reader(lines)
    reader.read()
    own = [composed(line) for line in reader.own]
    return OwnWords("\n".join(_trimmed(own)), tuple(reader.quoted), tuple(reader.undecodable), tuple(reader.doubtful))


class _Reader:
    """One pass over the lines of a body."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._press_ends = _press_ends(lines)
        self._introductions = Introductions(lines)
        self.own: list[str] = []
        self.quoted: list[str] = []
        self.undecodable: list[str] = []
        self.doubtful: list[str] = []
        self._after_quote = False

    def read(self) -> None:
        at = 0
        while at < len(self._lines):
            at = self._step(at)

    def _step(self, at: int) -> int:
        """Read what begins at line `at` and return the line after it."""
        line = self._lines[at]
        if line.depth:
            if self._continues_wrapped(at):
                self.doubtful.append(self._lines[at + 1].text.strip())
                return self._quote(at, at + 2)
            return self._quote(at, at + 1)
        if (end := self._press_ends.get(at)) is not None:
            return self._press(at, end)
        if line.text == "-- ":
            return self._signature(at)
        if _REPLY_ABOVE.fullmatch(line.text):
            return self._quote(at, len(self._lines))
        if (below := self._below_introduction(at)) > at:
            return self._quote(at, below)
        if DEVICE.fullmatch(line.text.strip()[:200]):
            return self._quote(at, at + 1)
        self._take(line.text.rstrip())
        return at + 1

    def _take(self, text: str) -> None:
        if REPLACEMENT in text:
            self.undecodable.append(text.strip())
        elif text or not self._after_quote or (self.own and self.own[-1]):
            self.own.append(text)  # of the blank lines around a removed quote, those before it stay
            self._after_quote = self._after_quote and not text

    def _press(self, at: int, end: int) -> int:
        """A press block is kept verbatim, or left out if any of it could not be decoded."""
        block = [line.raw or line.text for line in self._lines[at:end]]
        broken = [text.strip() for text in block if REPLACEMENT in text]
        if broken:
            self.undecodable += broken
            self.quoted += block
        else:
            self.own += block
        return end

    def _signature(self, at: int) -> int:
        """Nothing below a signature line is read; what is there before any quotation may have been meant."""
        for below in range(at + 1, len(self._lines)):
            line = self._lines[below]
            if _REPLY_ABOVE.fullmatch(line.text) or self._introductions.below(below) > below:
                break
            if line.text.strip() and not line.depth:
                self.doubtful.append(line.text.strip())
        return self._quote(at, len(self._lines))

    def _quote(self, start: int, end: int) -> int:
        self.quoted += [line.text.strip() for line in self._lines[start:end] if line.text.strip()]
        self._after_quote = True
        return end

    def _below_introduction(self, at: int) -> int:
        """Where reading continues below an introduction: at the marked quote, or at the end if it is unmarked."""
        below = self._introductions.below(at)
        if below == at:
            return at
        while (written := next_written(self._lines, below, 6)) is not None:
            if self._lines[written].depth:
                return written
            further = self._introductions.below(written)
            if further == written:
                break
            at, below = written, further
        answered = self._introductions.attributes(at) and self._is_quoted_soon(below)
        return below if answered else len(self._lines)

    def _is_quoted_soon(self, at: int) -> bool:
        """Whether marked quotes follow after a few lines: then these are an answer, right below the attribution."""
        return any(line.depth for line in self._lines[at : at + _ANSWER_LINES])

    def _continues_wrapped(self, at: int) -> bool:
        """Whether the next line is the rest of a long quoted line that the sender's program wrapped."""
        if at + 2 >= len(self._lines):
            return False
        this, rest, following = self._lines[at : at + 3]
        words = rest.text.split(maxsplit=1)
        return (
            not rest.depth
            and following.depth > 0
            and bool(words)
            and this.raw.startswith((">", " >"))
            and len(this.raw) + 1 + len(words[0]) > _WRAPPED_AT
        )


def _press_ends(lines: Sequence[Line]) -> dict[int, int]:
    """For each line that opens a press block: the line after its end.

    A block that is not closed before our own "reply above" line does not count: its end is in the mail quoted below,
    and everything between would be forwarded.
    """
    ends: dict[int, int] = {}
    opened: int | None = None
    for at, line in enumerate(lines):
        if line.depth:
            continue
        if opened is not None and _END_PRESS.match(line.text):
            ends[opened] = at + 1
            opened = None
        elif opened is None and _PRESS.match(line.text):
            opened = at
        elif _REPLY_ABOVE.fullmatch(line.text):
            break
    return ends


def _trimmed(lines: list[str]) -> list[str]:
    """Without blank lines at the beginning and the end."""
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return lines[start:end]
