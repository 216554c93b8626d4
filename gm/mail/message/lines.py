"""A line of a mail's text, and how plain text becomes lines.

Quote marks are counted, `format=flowed` is undone (RFC 3676), and so is the armour of clear-signed text (RFC 4880, 7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MARKS = re.compile(r" ?(?:>[ \t]?)++")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_END = "-----END PGP SIGNATURE-----"


class Line(NamedTuple):
    """One line. `depth` counts quote levels; `raw` is the line with its marks, as press keeps it verbatim.

    `introduces` is set when markup says that this line introduces quoted text (an attribution).
    """

    text: str
    depth: int = 0
    raw: str = ""
    introduces: bool = False


def plain_lines(text: str) -> list[Line]:
    """The lines of fixed text; `>` at the beginning of a line marks a quote."""
    return [_plain(line) for line in text.split("\n")]


def _plain(line: str) -> Line:
    if ">" in line[:2] and (marks := _MARKS.match(line)):
        return Line(line[marks.end() :], marks[0].count(">"), line)
    return Line(line, 0, line)


def flowed_lines(text: str, *, delete_space: bool = False) -> list[Line]:
    """The lines of `format=flowed` text (RFC 3676): soft breaks joined, space-stuffing undone.

    A line that was stuffed (` > F LON`) is no quote. With `delete_space` (DelSp=yes) the space before a soft break
    belongs to the break.
    """
    lines: list[Line] = []
    open_text: list[str] = []
    open_depth = 0
    for written in text.split("\n"):
        content = written.lstrip(">")
        depth = len(written) - len(content)
        content = content.removeprefix(" ")
        signature = content == "-- "
        if open_text and (depth != open_depth or signature):
            lines.append(_flowed("".join(open_text), open_depth))
            open_text = []
        if content.endswith(" ") and not signature:
            open_text.append(content[:-1] if delete_space else content)
            open_depth = depth
            continue
        lines.append(_flowed("".join([*open_text, content]), depth))
        open_text = []
    if open_text:
        lines.append(_flowed("".join(open_text), open_depth))
    return lines


def _flowed(text: str, depth: int) -> Line:
    return Line(text, depth, "> " * depth + text if depth else text)


def without_armor(lines: list[Line]) -> list[Line]:
    """The lines without the armour of an inline signature; the signature itself is not checked."""
    if not any(line.text.rstrip() == _SIGNED for line in lines):
        return lines
    return list(_unarmored(lines))


def _unarmored(lines: list[Line]) -> Iterator[Line]:
    state = "outside"
    for line in lines:
        text = line.text.rstrip()
        if line.depth:
            yield line
        elif text == _SIGNED:
            state = "headers"
        elif state == "headers":
            state = "headers" if text else "words"
        elif text == _SIGNATURE and state == "words":
            state = "signature"
        elif text == _END and state == "signature":
            state = "outside"
        elif state == "words" and line.text.startswith("- "):
            bare = line.text.removeprefix("- ")
            quoted = bare.startswith(">")
            yield Line(bare.lstrip("> "), 1, bare) if quoted else Line(bare, 0, bare)
        elif state != "signature":
            yield line
