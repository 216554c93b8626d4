"""The lines of a body as their programs meant them: without strokes, with what was torn joined, and with the marks of
quotations in other styles than `>` known. Each line looks at a bounded number of others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gm.mail.message.attribution import (
    ENCLOSED,
    Introductions,
    attribution_behind,
    is_attribution,
    next_written,
    quotation_within,
)
from gm.mail.message.attribution_parts import names_with_address
from gm.mail.message.text import Line

REPLY_ABOVE = "--- Reply above this line ---"
"""The line above everything in our mails that a reply would quote."""

OURS_BELOW = re.compile(r"\W{0,20}+reply above this line\W{0,20}+", re.IGNORECASE)
"""That line, as it comes back."""
_WITHIN = re.compile(
    r"(?<=[^\s\-‐-―─_*=])\s*[-‐-―─]{2,4}\s{0,3}reply above this line\b"
    r"|\breply above this line\s{0,3}[-‐-―─]{2,4}",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"\s{0,8}(?:([^\W\d_]{1,12})>{1,5}|[»›]{1,5})(?: |$)")
_REACH = 12
"""The lines of the longest introduction, with the blank ones below it."""
_MARKS = frozenset(">»›")
_TORN = re.compile(r".{0,200}<([^\s<>@]{1,80}@[^\s<>@]{1,80})?")
_ALONE = re.compile(r"[^\s<>@]{1,80}@[^\s<>@]{1,80}")
_TORN_END = re.compile(r">(?:\s?[^>]{0,30})?[:：]")
_STROKE = re.compile("[\u0335-\u0338]")
_STROKES = re.compile(r"(?:[^\u0335-\u0338][\u0335-\u0338]+ ?){2,}")


def struck_apart(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with what is struck out by combining strokes on lines of its own, without the strokes."""
    for line in lines:
        if line.struck or not _STROKES.search(line.text):
            yield line
            continue
        struck = " ".join(_STROKE.sub("", run[0]) for run in _STROKES.finditer(line.text))
        yield Line(struck, line.depth, struck, struck=True)
        if rest := _STROKES.sub("", line.text).strip():
            yield line._replace(text=rest, raw=rest)


def own_words_first(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with own words on the line of an attribution separated from it: programs set the cursor before it."""
    for at, line in enumerate(lines):
        begins = 0 if line.depth or line.introduces or line.struck else attribution_behind(lines, at)
        if begins:
            above = line.text[:begins].rstrip()
            yield line._replace(text=above, raw=above)
        yield line._replace(text=line.text[begins:], raw=line.text[begins:]) if begins else line


def mended(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with a quotation separated from an attribution on the same line, our own first line in any position,
    and attributions joined whose address stands on lines of its own, or whose last `>` was cut off and taken for a
    mark.
    """
    at = 0
    while at < len(lines):
        line = lines[at]
        if (end := _torn_end(lines, at)) is not None:
            pieces = [piece.raw.strip() for piece in lines[at + 1 : end + 1]]
            yield line._replace(text=line.text + "".join(pieces), raw=line.raw + "".join(pieces))
            at = end + 1
            continue
        at += 1
        if line.depth or OURS_BELOW.fullmatch(line.text):
            yield line
        elif "line" in line.text and (ours := _WITHIN.search(line.text)):
            above = line.text[: ours.start()]
            if above.strip():
                yield line._replace(text=above, raw=above)
            yield Line(REPLY_ABOVE, 0, REPLY_ABOVE)
            yield Line(line.text[ours.end() :], 0, line.text[ours.end() :])
        elif (within := quotation_within(line.text)) is not None:
            yield line._replace(text=line.text[:within], raw=line.text[:within])
            yield Line(line.text[within:], 0, line.text[within:])
        else:
            yield line


def _torn_end(lines: Sequence[Line], at: int) -> int | None:
    """The line with the `>` that closes the address which line `at` opens, and the colon; None if nothing is torn."""
    torn = None if lines[at].depth else _TORN.fullmatch(lines[at].text.strip())
    end: int | None = at + 1
    if torn and not torn[1]:
        address = next_written(lines, at + 1, 2)
        if address is None or not _ALONE.fullmatch(lines[address].text.strip()):
            return None
        end = next_written(lines, address + 1, 2)
    if not torn or end is None or end >= len(lines):
        return None
    return end if lines[end].depth == 1 and _TORN_END.fullmatch(lines[end].raw.strip()) else None


def marked_by_initials(lines: list[Line]) -> list[Line]:
    """The lines; those that begin with their writer's initials or name (`AM> text`) are marked as quoted if they are
    below an attribution, or if several have the same initials; those that begin with `»` below an introduction only.
    """
    found: dict[int, re.Match[str]] = {}
    for at, line in enumerate(lines):
        if not line.depth and not _MARKS.isdisjoint(line.text[:26]) and (marks := _INITIALS.match(line.text)):
            found[at] = marks
    introduced = _introduced(lines, [at for at, marks in found.items() if not marks[1]])
    seen: Counter[str | None] = Counter()
    for at, marks in found.items():
        seen[marks[1]] += 1 if marks[1] else 0  # alone it may be a bullet
        if at in introduced or any(map(_says_who, lines[max(0, at - 3) : at])):
            seen[marks[1]] += 3
    for at, marks in found.items():
        if seen[marks[1]] > 2:
            line = lines[at]
            lines[at] = line._replace(text=line.text[marks.end() :], depth=sum(map(marks[0].count, _MARKS)))
    return lines


def _says_who(line: Line) -> bool:
    """Whether a line above marks of another style says who wrote what has them."""
    text = line.text.strip()[:300]
    return is_attribution(text, quote_follows=True) or names_with_address(text) or bool(ENCLOSED.fullmatch(line.raw))


def _introduced(lines: Sequence[Line], marked: Sequence[int]) -> set[int | None]:
    """Those of these lines that are the first below an introduction; each line above them is looked at once."""
    introductions = Introductions(lines) if marked else None
    near = {above for at in marked for above in range(max(0, at - _REACH), at)}
    ends = {end for at in near if introductions and (end := introductions.below(at)) > at}
    return {next_written(lines, end, 3) for end in ends}
