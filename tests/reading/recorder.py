"""Records what becomes of the lines of mails, as the text that the golden files have."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any
from unittest.mock import patch

from gm.games.transaction import Transaction
from gm.inbound import intake
from gm.inbound.explain import Explained, explained
from gm.mail.message.incoming import Message
from gm.reading.line import Kind
from gm.reading.rows import Row, table
from gm.store.inbox import InboxRow, InboxState

FOLDER = Path(__file__).with_name("golden")

_MASKS = (
    (re.compile(r"(?<=\.)[a-z2-7]{20}(?=@|\b)", re.IGNORECASE), "TOKEN"),
    (re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b"), "HASH"),
    (re.compile(r"<[^\s<>@]{1,80}@[^\s<>@]{1,80}>"), "<ID>"),
    (re.compile(r"\b[0-9a-z]{24,}\b"), "TOKEN"),
    (re.compile(r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d(?::\d\d)?\b"), "TIME"),
    (re.compile(r"\b(?:practice|sandbox)-\w+"), "NAME"),
)


def masked(text: str) -> str:
    """The text without what differs from run to run: secrets, Message-IDs, times, names by chance."""
    for pattern, sign in _MASKS:
        text = pattern.sub(sign, text)
    return text


@contextmanager
def recording(unless: Callable[[], bool] = lambda: False) -> Iterator[list[Explained]]:
    """Within the block, what becomes of each mail that is received is added to the list, `unless` this is true."""
    found, really = list[Explained](), intake.receive

    def receive(tx: Transaction, row: InboxRow, message: Message, *more: Any) -> tuple[InboxState, str]:
        state, note = really(tx, row, message, *more)
        if not unless():
            found.append(explained(tx, row, message, state, note))
        return state, note

    with patch.object(intake, "receive", receive):
        yield found


def written(one: Explained) -> str:
    """What became of a mail, as lines of a golden file."""
    lines = [f"state {one.state.value}"]
    lines += _lines(one.rows)
    if one.released:
        lines += ["released:", *_lines(one.released)]
    return masked("\n".join(lines)) + "\n"


def _lines(rows: tuple[Row, ...]) -> Iterator[str]:
    for line in table(_joined(rows)):
        yield f"    {line}"
    for why in wrong(rows):
        yield f"    ! wrong today: {why}"


def wrong(found: Sequence[Row]) -> Iterator[str]:
    """What in these rows is contrary to "one line, one fate": a line that may be an order, and ends in silence; READY
    that was done beside a line that is not.
    """
    open_rows = [row for row in found if row.fate in (Kind.REFUSE, Kind.ASK, Kind.QUOTE)]
    for row in found:
        silent = row.fate is Kind.TALK and row.meaning in _ASKING and row.reason != "ignored"
        if row.origin == "own" and silent:
            yield f"silent: {row.origin} {row.meaning}: {row.text}"
        if _READY.fullmatch(row.text) and row.fate is Kind.ACT and row.reason == "done" and open_rows:
            yield f"READY is done beside: {open_rows[0].reason}: {open_rows[0].text}"


_ASKING = ("order", "command", "press", "complaint")
_READY = re.compile(r"\W*READY\W*", re.IGNORECASE)


def _joined(rows: tuple[Row, ...]) -> Iterator[Row]:
    """The rows, with one for each run of lines that are ours: their words are not what is recorded."""
    for kind, run in groupby(rows, lambda row: row.number is None and row.reason == "our-lines"):
        first, *more = run
        if kind and more:
            yield replace(first, text="...")
        else:
            yield from (first, *more)


def digest(text: str, length: int = 64) -> str:
    """The beginning of the SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:length]


@dataclass(frozen=True, slots=True)
class Golden:
    """A golden file: for each title a text."""

    name: str

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    def read(self) -> dict[str, str]:
        """The texts by their titles."""
        parts = re.split(r"^== (.*)\n", self.path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2], strict=True))

    def write(self, texts: dict[str, str]) -> None:
        """Write the file."""
        self.path.write_text("".join(f"== {title}\n{text}" for title, text in texts.items()), encoding="utf-8")
