"""What few programs do to lines: tear an attribution apart, or mark what they quote in other styles than `>`. Each line
looks at a bounded number of others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from gm.mail.message.attribution import ENCLOSED, Introductions, is_attribution, next_written
from gm.mail.message.attribution_parts import COLONS, names_with_address
from gm.mail.message.text import Line

_REACH = 12
"""The lines of the longest introduction, with the blank ones below it."""
MARKS = frozenset(">»›》")
_TORN = re.compile(r".{0,200}<([^\s<>@]{1,80}@[^\s<>@]{1,80})?")
_ALONE = re.compile(r"(?:mailto:)?(?:[^<>@]{1,80}<)?[^\s<>@]{1,80}@[^\s<>@]{1,80}>?")
_TORN_END = re.compile(r">(?:\s?[^>]{0,30})?[:：]")


def torn_end(lines: Sequence[Line], at: int) -> int | None:
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
    return end if lines[end].depth == 1 and _TORN_END.fullmatch(lines[end].marked.strip()) else None


def as_quoted(lines: Sequence[Line], found: Mapping[int, re.Match[str]]) -> Iterator[tuple[int, Line]]:
    """Those of the lines found, which begin with somebody's initials or with `»`, that are quoted, with their marks."""
    introduced = _introduced(lines, [at for at, marks in found.items() if not marks[1]])
    others = (line.text.strip() for at, line in enumerate(lines) if not line.depth and at not in found)
    seen: Counter[str | None] = Counter({None: 3} if any(text and not text.endswith(COLONS) for text in others) else ())
    for at, marks in found.items():
        seen[marks[1]] += 1 if marks[1] else 0  # alone it may be a bullet
        if at in introduced or any(map(_says_who, lines[max(0, at - 3) : at])):
            seen[marks[1]] += 3
    for at, marks in found.items():
        if seen[marks[1]] > 2:
            line = lines[at]
            yield at, line._replace(text=line.text[marks.end() :], depth=sum(map(marks[0].count, MARKS)))


def _says_who(line: Line) -> bool:
    """Whether a line above marks of another style says who wrote what has them."""
    text = line.text.strip()[:300]
    return is_attribution(text, quote_follows=True) or names_with_address(text) or bool(ENCLOSED.fullmatch(line.marked))


def _introduced(lines: Sequence[Line], marked: Sequence[int]) -> set[int | None]:
    """Those of these lines that are the first below an introduction; each line above them is looked at once."""
    introductions = Introductions(lines) if marked else None
    near = {above for at in marked for above in range(max(0, at - _REACH), at)}
    ends = {end for at in near if introductions and (end := introductions.below(at)) > at}
    return {next_written(lines, end, 3) for end in ends}
