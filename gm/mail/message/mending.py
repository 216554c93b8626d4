"""What few programs do to lines: tear an attribution apart, or mark what they quote in other styles than `>`. Each line
looks at a bounded number of others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gm import patterns as re
from gm.mail.message.attribution import ENCLOSED, LONGEST, Introductions, is_attribution, next_written
from gm.mail.message.attribution_parts import COLONS, names_with_address, tells_when_and_who
from gm.mail.message.marks import POSSIBLE, SEVERAL, levels
from gm.mail.message.text import Line
from gm.mail.message.voices import speaks_of_own_orders

_REACH = 12
"""The lines of the longest introduction, with the blank ones below it."""
_FEW = 3
"""The words of a greeting or a name."""
_ACTED_ON = re.compile(r"[-‐-―→>=:]|^\W*(?:[AF]|Army|Fleet)\.? .*\b(?:H|holds?)\W*$", re.IGNORECASE)
OURS_BELOW = re.compile(r"\W{0,20}+reply above this line\W{0,20}+", re.IGNORECASE)
"""The line above everything in our mails that a reply would quote, as it comes back."""
_TORN = re.compile(r".{0,200}<([^\s<>@]{1,80}@[^\s<>@]{1,80})?")
_ALONE = re.compile(r"(?:mailto:)?(?:[^<>@]{1,80}<)?[^\s<>@]{1,80}@[^\s<>@]{1,80}>?")
_ADDRESSED = re.compile(rf"< ?{_ALONE.pattern} ?>+[^<>]{{0,30}}[:：]")
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


def below_its_name(lines: Iterable[Line]) -> list[Line]:
    """The lines, those that begin with an address in brackets and end with a colon joined to the line above them, or
    above a blank one, that tells when its owner wrote and the name.
    """
    joined: list[Line] = []
    for line in lines:
        place = next((at for at in (-1, -2) if len(joined) >= -at and joined[at].text.strip()), None)
        addressed = not line.depth and _ADDRESSED.fullmatch(line.text[:LONGEST].rstrip())
        if addressed and place is not None and not joined[place].depth and _tells(joined[place].text):
            above = joined[place]
            joined[place:] = [
                above._replace(text=f"{above.text} {line.text}", raw=f"{above.raw} {line.raw}", written="")
            ]
        else:
            joined.append(line)
    return joined


def _tells(text: str) -> bool:
    return len(text) <= LONGEST and tells_when_and_who(text.strip())


def as_quoted(lines: Sequence[Line]) -> Iterator[tuple[int, Line]]:
    """Those of the lines that possible marks begin (`marks`) which are quoted, or in doubt, with their marks."""
    found = {at: begun for at, line in enumerate(lines) if not line.depth and (begun := POSSIBLE.match(line.text))}
    introductions = Introductions(lines)
    near = sorted({above for at in found for above in range(max(0, at - _REACH), at + 1)})
    introduced = {at: end for at in near if (end := introductions.below(at)) > at}
    for at, end in introduced.items():
        for within in range(at, end):
            found.pop(within, None)  # signs of another set of letters may look like marks
    first = {next_written(lines, end, 3) for end in introduced.values()}
    of_kind = defaultdict[tuple[str | None, str | None], list[int]](list)
    for at, marks in found.items():
        of_kind[marks.lastgroup, marks["initials"] or marks["sign"]].append(at)
    for (kind, _), places in of_kind.items():
        said = any(at in first or any(map(_says_who, lines[max(0, at - 3) : at])) for at in places)
        if kind == "sign":  # one alone marks nothing
            certain = len(places) > 1 and not first.isdisjoint(places)
            in_doubt = _says_and_orders(lines[at].text[found[at].end() :] for at in places)
        else:
            certain = said or len(places) >= SEVERAL.get(kind or "", len(lines) + 1)
            in_doubt = kind not in SEVERAL and not _is_list(lines, found, introductions)
        if certain or in_doubt:
            for at in places:
                rest = lines[at].text[found[at].end() :]
                yield at, lines[at]._replace(text=rest, depth=levels(found[at]), perhaps=not certain)


def _says_and_orders(texts: Iterable[str]) -> bool:
    """Whether some of these lines look like orders and some do not: a list of the sender's own has only such."""
    return len({may_act(text) for text in texts if text.strip()}) > 1


def _is_list(lines: Sequence[Line], found: Mapping[int, re.Match[str]], introductions: Introductions) -> bool:
    """Whether the lines with these marks are a list of the sender's own, with bullets: each mark stands apart, and
    besides there are but headings, and a greeting or a name, before a signature or what is quoted below.
    """
    ends = (
        at
        for at, line in enumerate(lines)
        if introductions.below(at) > at or line.text == "-- " or OURS_BELOW.fullmatch(line.text)
    )
    own = range(next(ends, len(lines)))
    apart = all(
        at in own and (marks[0][-1].isspace() or not marks.string[marks.end() :]) for at, marks in found.items()
    )
    others = (lines[at].text.strip() for at in own if at not in found and not lines[at].depth)
    if _says_and_orders(marks.string[marks.end() :] for marks in found.values()):
        return False
    return apart and all(not text or _is_beside_a_list(text) for text in others)


def _is_beside_a_list(text: str) -> bool:
    few = len(text.split()) <= _FEW and not text.endswith("?") and not may_act(text)
    return text.endswith(COLONS) or few or speaks_of_own_orders(text)


def may_act(text: str) -> bool:
    """Whether a line looks like an order or a command."""
    return _ACTED_ON.search(text) is not None or text.isupper()


def _says_who(line: Line) -> bool:
    """Whether a line above marks of another style says who wrote what has them."""
    text = line.text.strip()[:300]
    return is_attribution(text, quote_follows=True) or names_with_address(text) or bool(ENCLOSED.fullmatch(line.marked))
