"""What the sender of a mail wrote, apart from what they quoted.

One pass over the lines, each of which looks at a bounded number of others: linear time, whatever the body. What is cut
is returned as `quoted`: the receipt may mention it, and nothing acts on it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, islice, takewhile

from gm.mail.message.attribution import (
    DEVICE,
    ENCLOSED,
    Introductions,
    attribution_behind,
    next_written,
    quotation_within,
)
from gm.mail.message.charset import REPLACEMENT
from gm.mail.message.marks import BEGINS
from gm.mail.message.mending import OURS_BELOW, as_quoted, below_its_name, may_act, torn_end
from gm.mail.message.text import Line, composed

REPLY_ABOVE = "--- Reply above this line ---"
"""The line above everything in our mails that a reply would quote."""

_WITHIN = re.compile(
    r"(?<=[^\s\-‐-―─_*=])\s*[-‐-―─]{2,4}\s{0,3}reply above this line\b"
    r"|\breply above this line\s{0,3}[-‐-―─]{2,4}",
    re.IGNORECASE,
)
_STROKE = re.compile("[\u0335-\u0338]")
_STROKES = re.compile(r"(?:[^\u0335-\u0338][\u0335-\u0338]+ ?){2,}")
_LINK = re.compile(r"<?https?://\S{1,200}")
_SECTION = re.compile(r"[*_]{0,2}GAME [a-z0-9._-]{1,60}[*_]{0,2}[ \t]*", re.IGNORECASE)
"""The heading of a section in a digest of ours, with marks where it was in bold; what others write looks like none."""
_SIGNATURE_LINES = 6
_TEXT = re.compile(
    r"[\s*_]{0,10}+(?:(?:(?:WHITE|(?P<unsigned>GR[EA]Y|ANONYMOUS)|POSTAL)[\s*_]{1,10}+){0,3}(?:PRESS|BROADCAST)"
    r"|(?P<kind>OFFICIAL|DIARY|REMARK|HOUSE ?RULES))\b",
    re.IGNORECASE,
)
_END_OF_TEXT = re.compile(r"[\s*_]{0,10}+END[ -]?(?P<kind>PRESS|OFFICIAL|DIARY|REMARK|HOUSE ?RULES)\b", re.IGNORECASE)
_ANSWER_LINES = 12
_MOST_ABOVE = 4
"""The quoted lines above an own one that are kept with it."""
_WRAPPED_AT = 70  # a quoted line this long may have been wrapped by the sender's program
_WRAPPED_LEAST, _WRAPPED_MOST = 60, 80  # the length of a line that surely was
_BROKEN_OFF = re.compile(r"[\w,;]\s*$")
"""A line that ends as no sentence does."""


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The sender's own lines, joined; the quoted lines; and lines left out because they could not be decoded.

    `doubtful` are the `quoted` lines that may have been meant: below a signature, or possibly the rest of a wrapped
    quoted line. `struck` is what the sender struck out, `apart` what only the part says that was not used (`apart_in`).
    """

    text: str
    quoted: tuple[str, ...]
    undecodable: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    apart_in: str = ""
    headed: str = ""
    """The text with those headings of quoted sections (`GAME spring`) that it has lines below; "" if there are none."""
    beneath: tuple[tuple[str, str], ...] = ()
    """The own lines that are the first below quoted ones, each after the last of those, with line breaks between."""
    below: str = ""
    """The quoted line, with a word in it, below which the last own line stands; "" if there is none."""
    of_page: bool = False
    """It was read from HTML, which may separate lines in unknown ways."""


def own_words(lines: Sequence[Line], known: Collection[str] = ()) -> OwnWords:
    """The sender's own words among lines with known quote levels; `known` is what a quoted header may repeat
    (`Introductions`).
    """
    written = list(_struck_apart(lines))
    if any(BEGINS.match(line.text) for line in written):
        for at, line in list(as_quoted(written)):
            written[at] = line
    first = _own_words_first(written)
    mended = list(_mended(list(first)))
    named = below_its_name(mended) if any(line.text.startswith("<") for line in mended) else mended
    reader = _Reader(named, known)
    reader.read()
    own = _trimmed([composed(line) for line in reader.own])
    left_out, may_be_meant = tuple(reader.undecodable), tuple(reader.doubtful)
    headed = "\n".join(_trimmed([composed(line) for line in reader.headed()])) if reader.headings else ""
    quoted, struck, beneath = tuple(reader.quoted), tuple(reader.struck), tuple(reader.beneath)
    found = (quoted, left_out, may_be_meant, struck)
    return OwnWords("\n".join(own), *found, headed=headed, beneath=beneath, below=reader.below)


class _Reader:
    """One pass over the lines of a body."""

    def __init__(self, lines: Sequence[Line], known: Collection[str]) -> None:
        self._lines = lines
        self._text_ends = _text_ends(lines)
        self._introductions = Introductions(lines, known)
        self.own: list[str] = []
        self.quoted: list[str] = []
        self.undecodable: list[str] = []
        self.doubtful: list[str] = []
        self.struck: list[str] = []
        self.beneath: list[tuple[str, str]] = []
        self.headings: dict[int, str] = {}
        """The headings of quoted sections, by the number of own lines above; the last ones where several follow."""
        self.below = self._quoted = ""
        self._noted = 0  # no line above it is looked at again
        self._after_quote = False
        self._has_begun = False  # whether the sender wrote anything so far
        self._ordered, self._looked_at = False, 0  # whether any of so many own lines may be an order or a command
        self._last_marked = max((at for at, line in enumerate(lines) if line.depth), default=-1)

    def read(self) -> None:
        at = 0
        while at < len(self._lines):
            at = self._step(at)

    def headed(self) -> Iterator[str]:
        """The own lines, with the headings of the quoted sections that they stand in."""
        heading = ""
        for number, line in enumerate(self.own):
            heading = self.headings.get(number, heading)
            if heading and line.strip():
                yield heading
                heading = ""
            yield line

    def _step(self, at: int) -> int:
        """Read what begins at line `at` and return the line after it."""
        line = self._lines[at]
        if line.depth:
            return self._marked(at)
        if (end := self._text_ends.get(at)) is not None:
            return self._press(at, end)
        if line.struck:
            self.struck.append(line.text)
            self._after_quote = True
            return at + 1
        if line.text == "-- " or self._is_bare_signature(at):
            return self._signature(at)
        if OURS_BELOW.fullmatch(line.text):
            return self._quote(at, len(self._lines))
        if (below := self._introductions.below(at)) > at:
            return self._introduced(at, below)
        if DEVICE.fullmatch(line.text.strip()[:200]):
            link = at + 1 < len(self._lines) and _LINK.fullmatch(self._lines[at + 1].text.strip())
            return self._quote(at, at + (2 if link else 1))
        self._note_above(at)
        self._take(line.verbatim.rstrip())
        return at + 1

    def _marked(self, at: int) -> int:
        """Read a marked line: a quotation, what introduces one without marks, or the edge of a box."""
        if (end := self._introductions.boxed(at)) is not None:
            return self._introduced(at, end)
        if (below := self._unmarked_below(at)) is not None:
            return self._unmarked(at, below, uncertain=not self._has_begun)
        if self._continues_wrapped(at):
            self.doubtful.append(self._lines[at + 1].text.strip())
            return self._quote(at, at + 2)
        end = next(filter(self._ends_run, range(at + 1, len(self._lines))), len(self._lines))
        return self._quote(at, end)

    def _ends_run(self, at: int) -> bool:
        """Whether a line is not marked, or more is to be said of it than that."""
        found = not self._lines[at].depth or self._introductions.boxed(at) is not None
        return found or self._unmarked_below(at) is not None or self._continues_wrapped(at)

    def _note_above(self, at: int) -> None:
        """Note the marked lines above an own one that is the first below them."""
        if not self._lines[at].text.strip():
            return
        above = [*takewhile(lambda line: line.depth or not line.text.strip(), reversed(self._lines[self._noted : at]))]
        marked = islice((line.text.strip() for line in above if line.text.strip()), _MOST_ABOVE)
        if quoted := "\n".join([*marked][::-1]):
            self.beneath.append((quoted, self._lines[at].verbatim.strip()))
        elif any(line.depth for line in above):
            self._take("")  # a mark with nothing behind it parts what is above it from what is below
        self._noted = at + 1

    def _take(self, text: str) -> None:
        if REPLACEMENT in text:
            self.undecodable.append(text.strip())
        elif text or not self._after_quote or (self.own and self.own[-1]):
            self._has_begun = self._has_begun or bool(text)
            self.below = self._quoted if text else self.below
            self.own.append(text)  # of the blank lines around a removed quote, those before it stay
            self._after_quote = self._after_quote and not text

    def _press(self, at: int, end: int) -> int:
        """A block of text is kept as written, grey press without a signature; or left out if any was not decoded."""
        letter = [line for line in self._lines[at:end] if not line.struck]
        opened = _TEXT.match(self._lines[at].text)
        if opened is not None and opened["unsigned"]:
            letter = [*self._without_signature(letter[:-1]), *letter[-1:]]
        block = [line.raw or line.text for line in letter]
        self.struck += [line.text for line in self._lines[at:end] if line.struck]
        broken = [text.strip() for text in block if REPLACEMENT in text]
        if broken:
            self.undecodable += broken
            self.quoted += block
        else:
            self.own += block
            self._has_begun = True
        return end

    def _without_signature(self, letter: Sequence[Line]) -> list[Line]:
        """The lines of a letter without its writer's name, and without the signature that a program puts below."""
        signed = [*takewhile(lambda line: line.text != "-- ", letter)]
        devices = [DEVICE.fullmatch(line.text.strip()[:200]) is not None for line in signed]
        by_device = compress(signed, devices)
        below = [line.text.strip() for line in letter[len(signed) :] if line.text.strip()]
        self.doubtful += below[1:]
        self.quoted += [*(line.text.strip() for line in by_device), *below]
        return [line for line, is_one in zip(signed, devices, strict=True) if not is_one]

    def _signature(self, at: int) -> int:
        """Nothing below a signature line is read; what is there before any quotation may have been meant."""
        for below in range(at + 1, len(self._lines)):
            line = self._lines[below]
            if OURS_BELOW.fullmatch(line.text) or self._introductions.below(below) > below:
                break
            if line.text.strip() and not line.depth:
                self.doubtful.append(line.text.strip())
        return self._quote(at, len(self._lines))

    def _quote(self, start: int, end: int) -> int:
        quoted = [line for line in self._lines[start:end] if line.text.strip()]
        self.quoted += [line.text.strip() for line in quoted]
        self.doubtful += [line.text.strip() for line in quoted if line.perhaps]
        said = (line.text.strip() for line in reversed(quoted) if line.depth and not _LINK.fullmatch(line.text.strip()))
        self._quoted = next((text for text in said if any(map(str.isalnum, text))), self._quoted)
        if sections := [line.text.rstrip() for line in quoted if line.depth == 1 and _SECTION.fullmatch(line.text)]:
            self.headings[len(self.own)] = sections[-1]
        self._after_quote = True
        return end

    def _introduced(self, at: int, below: int) -> int:
        """Read an introduction, and what it introduces if that has no marks. A line with U+FFFD that may be one or the
        sender's is left out by name.
        """
        start, uncertain = at, self._introductions.is_uncertain(at)
        if REPLACEMENT in self._lines[at].text and self._introductions.guesses(at):
            self._take(self._lines[at].verbatim)
            start = below
        while (written := next_written(self._lines, below, 6)) is not None:
            if self._lines[written].depth:
                return self._quote(start, written)
            further = self._introductions.below(written)
            if further == written:
                break
            at, below, uncertain = written, further, uncertain and self._introductions.is_uncertain(written)
        if self._introductions.attributes(at) and self._is_answered(below):
            return self._quote(start, below)
        return self._unmarked(start, below, uncertain=uncertain)

    def _is_answered(self, below: int) -> bool:
        """Whether answers begin directly below an attribution: marked quotations follow soon, or there is nothing above
        it.
        """
        if below > self._last_marked:
            return False
        answers = self._lines[below : below + _ANSWER_LINES]
        return any(line.depth for line in answers) or not self._has_begun

    def _unmarked(self, start: int, below: int, *, uncertain: bool = False) -> int:
        """Everything from here on is a quotation; if marked lines follow further below, or the introduction may be
        none, it is doubtful whether all of it is.
        """
        if below <= self._last_marked or uncertain:
            self.doubtful += [line.text.strip() for line in self._lines[below:] if line.text.strip() and not line.depth]
        return self._quote(start, len(self._lines))

    def _unmarked_below(self, at: int) -> int | None:
        """The line where a quotation without marks begins, if line `at`, which is marked, introduces it."""
        raw, above = self._lines[at].marked, self._lines[at - 1] if at else Line("")
        if raw.lstrip().startswith(">") and ENCLOSED.fullmatch(raw):
            below = next_written(self._lines, at + 1, 4)
            return None if below is not None and self._lines[below].depth else at + 1
        nested = raw.lstrip().startswith(">>>") and not above.depth
        within_marks = at > 1 and self._lines[at - 2].depth and above.depth
        if nested or (self._has_begun and not within_marks):
            return self._introductions.marked(at)
        end = None if above.depth else self._introductions.marked(at)
        return end if end is not None and end > self._last_marked else None

    def _is_bare_signature(self, at: int) -> bool:
        """Whether two dashes without a blank begin a signature: a few lines before the end or a quotation, below the
        sender's own words, none of which looks like an order or a command; if there are orders above, it is enough that
        the first of them does not. Lines that may be one after all are reported as doubtful.
        """
        if self._lines[at].text.strip() != "--" or not self._has_begun:
            return False
        first = next_written(self._lines, at + 1, 3)
        if first is None:
            return next_written(self._lines, at + 1, len(self._lines)) is None
        below, ordered = first, self._has_ordered()
        while below < len(self._lines) and (text := self._lines[below].text.strip()):
            if self._lines[below].depth or self._introductions.below(below) > below:
                break
            if below >= first + _SIGNATURE_LINES or (may_act(text) and (below == first or not ordered)):
                return False
            below += 1
        written = next_written(self._lines, below, len(self._lines))
        ends = written is None or self._lines[written].depth > 0 or self._introductions.below(written) > written
        return below > first and ends

    def _has_ordered(self) -> bool:
        """Whether any line of the sender's so far may be an order or a command; each is looked at once."""
        while not self._ordered and self._looked_at < len(self.own):
            self._ordered = may_act(self.own[self._looked_at])
            self._looked_at += 1
        return self._ordered

    def _continues_wrapped(self, at: int) -> bool:
        """Whether the next line is the rest of a long quoted line that the sender's program wrapped, or may be."""
        if at + 1 >= len(self._lines):
            return False
        this, rest = self._lines[at : at + 2]
        words = rest.text.split(maxsplit=1)
        if rest.depth or not words or not this.raw.startswith((">", " >")):
            return False
        goes_on = at + 2 < len(self._lines) and self._lines[at + 2].depth > 0
        long = _WRAPPED_LEAST <= len(this.marked) <= _WRAPPED_MOST
        may_go_on = long and _BROKEN_OFF.search(this.text) is not None
        return (goes_on or may_go_on) and len(this.marked) + 1 + len(words[0]) > _WRAPPED_AT


def _struck_apart(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with what is struck out by combining strokes on lines of its own, without the strokes."""
    for line in lines:
        if line.struck or not _STROKES.search(line.text):
            yield line
            continue
        struck = " ".join(_STROKE.sub("", run[0]) for run in _STROKES.finditer(line.text))
        yield Line(struck, line.depth, struck, struck=True)
        if rest := _STROKES.sub("", line.text).strip():
            yield line.piece(rest)


def _own_words_first(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with own words on the line of an attribution separated from it: programs set the cursor before it."""
    for at, line in enumerate(lines):
        begins = 0 if line.depth or line.introduces or line.struck else attribution_behind(lines, at)
        if begins:
            above = line.text[:begins].rstrip()
            yield line.piece(above)
        yield line.piece(line.text[begins:]) if begins else line


def _mended(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with a quotation separated from an attribution on the same line, our own first line in any position,
    and attributions joined whose address stands on lines of its own, or whose last `>` was cut off and taken for a
    mark.
    """
    at = 0
    while at < len(lines):
        line = lines[at]
        if "<" in line.text and (end := torn_end(lines, at)) is not None:
            pieces = [piece.raw.strip() for piece in lines[at + 1 : end + 1]]
            yield line._replace(text=line.text + "".join(pieces), raw=line.raw + "".join(pieces), written="")
            at = end + 1
            continue
        at += 1
        if line.depth or OURS_BELOW.fullmatch(line.text):
            yield line
        elif "line" in line.text and (ours := _WITHIN.search(line.text)):
            above = line.text[: ours.start()]
            if above.strip():
                yield line.piece(above)
            yield Line(REPLY_ABOVE, 0, REPLY_ABOVE)
            yield Line(line.text[ours.end() :], 0, line.text[ours.end() :])
        elif (within := quotation_within(line.text)) is not None:
            yield line.piece(line.text[:within])
            yield Line(line.text[within:], 0, line.text[within:])
        else:
            yield line


def _text_ends(lines: Sequence[Line]) -> dict[int, int]:
    """For each line that opens press, an announcement or an entry of a diary: the line after its end.

    A block that is not closed before our own "reply above" line does not count: its end is in the mail quoted below,
    and everything between would be forwarded.
    """
    ends: dict[int, int] = {}
    opened: int | None = None
    kind = ""
    for at, line in enumerate(lines):
        if line.depth:
            continue
        if opened is not None and (end := _END_OF_TEXT.match(line.text)) and _kind(end) == kind:
            ends[opened] = at + 1
            opened = None
        elif opened is None and (begun := _TEXT.match(line.text)):
            opened, kind = at, _kind(begun)
        elif OURS_BELOW.fullmatch(line.text):
            break
    return ends


def _kind(of_text: re.Match[str]) -> str:
    return (of_text["kind"] or "press").upper().replace(" ", "")


def _trimmed(lines: list[str]) -> list[str]:
    """Without blank lines at the beginning and the end."""
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return lines[start:end]
