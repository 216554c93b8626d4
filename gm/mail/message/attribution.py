"""The lines that mail programs add around a reply: attributions, separators, header blocks, "sent from my phone".

The words by language are data (`phrases`). `Introductions` finds where a quotation begins: it is asked at each line
of a mail and looks at a bounded number of lines, so that reading stays linear.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from itertools import takewhile

from gm import patterns as re
from gm.mail.message.attribution_parts import ADDRESS as _ADDRESS
from gm.mail.message.attribution_parts import (
    COLONS,
    is_of_a_chat,
    may_say_who_wrote,
    names_with_address,
    says_who_wrote,
    tells_day,
    tells_moment,
    tells_only_when,
)
from gm.mail.message.attribution_parts import DATE as _DATE
from gm.mail.message.charset import REPLACEMENT
from gm.mail.message.phrases import TABLES, choice, spellings
from gm.mail.message.text import Line, in_own_letters

WROTE = re.compile(rf"(?<!\w)(?:{choice('wrote')})(?!\w)|{choice('wrote_unspaced')}", re.IGNORECASE)
_DASHES = r"[-‐-―─_=*\s]"
SEPARATOR = re.compile(
    rf"{_DASHES}{{2,60}}+(?:(?:{choice('separators')})\s*[:：]?{_DASHES}{{0,60}}+|forwarded by\b.*)"
    rf"|-{{2,10}}\s*[^\s-].{{4,200}}(?:{choice('wrote')})\s*+(?::\s*+)?-{{2,10}}"
    rf"|(?:{choice('forwards')})\s*[:：]"
    r"|original message processed by\b.*"
    r"|.{1,80}?\s*---\s*\d[\d./: \-]{6,20}(?:[ap]m)?\s*---.*",
    re.IGNORECASE,
)
_BARE_SEPARATOR = re.compile(rf"(?:{choice('separators')})", re.IGNORECASE)
ENCLOSED = re.compile(r"\s?(?:> ?){3}\s*([^\s>].{2,200}[^\s>])\s*(?:> ?){3}\s*")
"""The line above a quotation without marks in the style of GroupWise: `>>> Ann <ann@example.org> 2/2/2026 9:00
AM >>>`.
"""
DEVICE = re.compile(
    rf"(?:(?:{choice('device_begins')})(?!\w)|(?:{choice('device_begins_unspaced')})).{{0,60}}"
    rf"(?:{choice('device_names')}).{{0,50}}"
    rf"|.{{0,20}}(?:{choice('device_names')}).{{0,20}}(?:{choice('device_ends')})"
    r"|sent from my [^:>-]{2,40}",
    re.IGNORECASE,
)
_REPLY = rf"(?:{choice('reply_marks')})(?:\[\d+\])?\s*[:：].*"
_FORWARD = rf"(?:(?:{choice('forward_marks')})\s*[:：]\s*)?"
_GATEWAY = r"(?:(?:\[[^\[\]]{1,20}\]|\*{2,5}[^*]{1,20}\*{2,5}|\{[^{}]{1,20}\})\s*)?"


def _subject(pattern: Callable[[], str]) -> Callable[[str], bool]:
    """Whether a subject has this pattern, which is compiled when it is first needed."""
    compiled = cache(lambda: re.compile(pattern(), re.IGNORECASE))
    return lambda subject: compiled().fullmatch(subject) is not None


is_absence = _subject(
    lambda: (
        rf"{_GATEWAY}"
        rf"(?:(?:{choice('automatic', 'office', 'absence', 'before')})(?:\s*[:：].*|[\s–—|-]+{_REPLY})"
        rf"|{_FORWARD}(?:{choice('automatic')})(?:\s*[:：].*|\s+[–—|-]\s.*)?"
        rf"|(?:{choice('office')})[\s.!]*"
        rf"|[\[(【](?:{choice('automatic', 'office', 'absence', 'before')})[\])】].*"
        rf"|(?>auto\s*:.*?(?:{choice('automatic', 'office', 'absence')})).*)"
        rf"|{_REPLY}[\[(【](?:{choice('automatic')})[\])】]"
    )
)
"""The subject of an automatic answer: behind the mark of a gateway (`[EXTERNAL]`), before the subject that it answers
or, in words that hardly anybody writes, alone or behind it, or forwarded.
"""
answers_absently = _subject(
    lambda: (
        rf"{_GATEWAY}(?:{choice('automatic', 'office', 'absence', 'before')})[\s:：–—|-]+(?:{_REPLY}|\[.*)"
        rf"|(?:{choice('automatic', 'office', 'absence')})\s*\((?:was|war)\s*:\s*{_REPLY}"
        rf"|[\[(【](?:{choice('automatic', 'office')})[\])】]\s*{_REPLY}"
        rf"|(?>auto\s*:.*?(?:{choice('office', 'absence')})(?!\w))"
        r"(?>.*?\()(?>.*?\d).*\)"
        rf"|(?:{choice('receipts')})\s*[:：]\s*{_REPLY}"
    )
)
"""The subject of an automatic answer before that of the mail it answers, which no person writes so."""
_is_away = _subject(
    lambda: (
        rf"{_GATEWAY}(?:{choice('absence', 'office')})"
        rf"(?:[\s.!]*|[\s,(–—-]++(?:(?:{choice('until')})(?!\w).*|(?>.*?\d).*))"
    )
)


def says_away(subject: str) -> bool:
    """The subject of an automatic answer, or of a person who is away: an absence alone, or with its time."""
    return is_absence(subject) or _is_away(subject)


SUBJECT_MARKS = re.compile(
    rf"(?:\s*(?:(?:{choice('reply_marks')})(?:\[\d+\])?\s*[:：]|\[[^\[\]]{{1,60}}\]))*+\s*", re.IGNORECASE
)
"""What stands before a subject: `Re: [spring]`."""


def subject_apart(subject: str) -> tuple[bool, str]:
    """Whether a subject is that of an answer (`Re: ...`), and its words without what stands before them."""
    marks = SUBJECT_MARKS.match(subject)
    before = marks[0] if marks is not None else ""
    return ":" in before, subject[len(before) :]


FIELD_OF: dict[str, str] = {
    spelled.lower(): field for field, names in TABLES["fields"].items() for name in names for spelled in spellings(name)
}
"""The header field (from, sent, to, subject) for each printed name."""

_BEGINS = re.compile(rf"(?<=\S)\s+(?=(?:{choice('begins')})\s)")
LONGEST = 300  # characters of a line that is looked at
_ATTRIBUTION_LINES = 4
_HEADER_LINES = 10
_FOREIGN_LINES = 4

_ATTRIBUTED = re.compile(rf"[^<>]{{5,200}}<{_ADDRESS}>[^:：]{{0,60}}[:：]\s{{2,20}}(?=\S)")
_DEPUTY = re.compile(r"(?:set\s+)?deputy\s", re.IGNORECASE)
_HOUR = re.compile(r"\b\d{1,2}[:h]\d\d\b", re.IGNORECASE)
_ADDRESS_ALONE = re.compile(rf"[<(\[]?{_ADDRESS}[>)\]]?")
_NAME_AND_ADDRESS = re.compile(rf"[^<>@:]{{1,80}}<{_ADDRESS}>")
_MOMENT = re.compile(r"\d[\d./-]{5,9},? +\d\d?[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]m)?", re.IGNORECASE)
_RULE = re.compile(r"[_\u2500-\u257f]{10,}|[-=]{20,}")
_MOVES = re.compile(r"\b[a-z]{3}\s?[-‐-―→>]\s?[a-z]{3}\b", re.IGNORECASE)
"""What an order has, apart from the sender's other words."""
_TITLE = re.compile(r"-{2,40}+\s*+[^\s-].{0,60}[^\s-]\s*+-{2,40}+")
"""A title between dashes, in any language: a separator, if what is below it says so."""
_ADDRESS_WITHIN = re.compile(_ADDRESS)
_ROW = re.compile(r"\|\s*+([^|]{1,30})\|\s*+([^|]{1,200})\|?\s*+")
_FRAME = re.compile(r"([-=_~#])\1")
_LETTER = re.compile(r"[^\W\d_]")
"""Without one a line has no name."""
_EDGE = re.compile(r"\s{0,4}[|>+][-=+]{20,}[|>+]\s{0,4}")
"""The edge of a box in which Lotus Notes shows a header."""
_ANY_FIELD = re.compile(r"[^\W\d_][^:：\n]{0,30}[:：]\s+\S.*")
LABELLED = re.compile(rf"[^\s\d:：>|][^:：\n]{{0,30}}(?:[{''.join(COLONS)}][\s*]+|：)(\S.*)")
"""A field with its label, in any language, and its value."""
_FEWEST_FIELDS = 3
_LABEL = 31  # characters within which a field has its label and what ends that
_SIGNS = re.compile(r"[:|?](?!\d)|[^\w\s\x00-\x7f]"), re.compile(r"(?=([^\x00-\x7f]{2}))")
"""What may end a label: a colon, or what is left of one in another character set, which may be two letters."""
_FIELD = re.compile(r"[\s*]{0,4}+([^\W\d_][^:：\n]{0,18}?)[\s*]*[:：]")

_LIKE_AN_INTRODUCTION = re.compile(r"[:@0-9]|^[-_=*]{2}")
"""What introductions have in every language: a colon, an address, a date, or the dashes of a separator."""

_OF_A_GAME = re.compile(r"(?<![\w:./-])[^\W\d_]?1\d{3}[^\W\d_]?(?![\w:./-])")
"""A year before those of mail, alone or in a phase, `F1901M`: beside a day there is another number."""

_FOREIGN = 3  # letters of another script in a line; a word of a Latin language that was guessed has one or two


class Introductions:
    """Finds where quotations are introduced among the lines of one body."""

    def __init__(self, lines: Sequence[Line], known: Collection[str] = ()) -> None:
        """`known`: the words of a mail's subject, and who sent it and to whom (`words_of`)."""
        self._lines = lines
        self._known_words = known
        self._stripped = [_stripped(line) for line in lines]
        self._fields = [_field(text) for text in self._stripped]
        self._uncertain: set[int] = set()
        self._first = next((at for at, text in enumerate(self._stripped) if text), 0)
        self._colons = bytes(text.endswith(COLONS) for text in self._stripped)

    def below(self, at: int) -> int:
        """The line after the introduction that begins at line `at`; `at` itself when none begins there."""
        if self._lines[at].introduces:
            return at + 1
        text = self._stripped[at]
        if not text or len(text) > LONGEST:
            return at
        if SEPARATOR.fullmatch(text) or (_TITLE.fullmatch(text) and self._says_from(at + 1)):
            return self._bare_fields(at + 1)
        if (rule := _RULE.fullmatch(text)) or _BARE_SEPARATOR.fullmatch(text):
            below = next_written(self._lines, at + 1, 3)
            if below is None:
                return at
            return below if self._shows_message(below) or (rule and self._is_foreign_header(below)) else at
        if (end := self.boxed(at)) is not None:
            return end
        return self._known(at) or (at + 1 if self._may_introduce(at) else at)

    def guesses(self, at: int) -> bool:
        """Whether what begins at line `at` is only an introduction because its letters may be others."""
        return not self._lines[at].introduces and self._may_introduce(at) and self._known(at) is None

    def is_uncertain(self, at: int) -> bool:
        """Whether the introduction that begins at line `at` may be the sender's own line after all."""
        return self._lines[at].garbled or self._lines[at].perhaps or at in self._uncertain

    def _known(self, at: int) -> int | None:
        """The line after a header or an attribution that begins at `at`, or None."""
        apart = not (at and self._stripped[at - 1]) or _NAME_AND_ADDRESS.search(self._stripped[at])
        if apart and self._is_foreign_header(at):
            return at + _FOREIGN_LINES
        return self._header_block(at) or self._attribution(at) or self._in_doubt(at)

    def _in_doubt(self, at: int) -> int | None:
        """The line after what looks like a header or a message that was copied from elsewhere, and may be the sender's
        own words after all; or None.
        """
        chat = at + 1 if is_of_a_chat(self._stripped[at]) else None
        if (end := chat or self._header_in_any_language(at) or self._header_without_colons(at)) is not None:
            self._uncertain.add(at)
        return end

    def _may_introduce(self, at: int) -> bool:
        """Whether a line with letters of a guessed character set may be an introduction in another."""
        text = self._stripped[at]
        if not self._lines[at].garbled or self._lines[at].depth:
            return False
        foreign = len(text) - sum(map(str.isascii, text))
        if _LIKE_AN_INTRODUCTION.search(_OF_A_GAME.sub("", text)) or (foreign >= _FOREIGN and 3 * foreign >= len(text)):
            return True
        return is_attribution(text.replace(REPLACEMENT, ":"))

    def marked(self, at: int) -> int | None:
        """The line after an introduction that begins at line `at`, if only its lines are marked and the quotation below
        it is not, as in the style of some programs; otherwise None.
        """
        end = self._header_block(at, marked=True) or self._marked_attribution(at)
        if end is None:
            return None
        while end < len(self._lines) and self._lines[end].depth and not self._stripped[end]:
            end += 1
        below = next_written(self._lines, end, 3)
        return end if below is not None and not self._lines[below].depth else None

    def _marked_attribution(self, at: int) -> int | None:
        end = self._colons.find(True, at, at + _ATTRIBUTION_LINES) + 1
        pieces = self._stripped[at:end]
        marked = all(line.depth for line in self._lines[at:end])
        return end if pieces and marked and is_attribution(" ".join(pieces)[:LONGEST]) else None

    def boxed(self, at: int) -> int | None:
        """The line after a box that begins at line `at` and shows who wrote what follows, when, or to whom; or None."""
        if not _EDGE.fullmatch(self._lines[at].marked):
            return None
        for end in range(at + 1, min(at + 1 + _HEADER_LINES, len(self._lines))):
            if _EDGE.fullmatch(self._lines[end].marked):
                rows = [line.strip(" |") for line in self._stripped[at + 1 : end]]
                telling = any(map(_ADDRESS_ALONE.fullmatch, rows)) or any(map(_MOMENT.search, rows))
                return end + 1 if telling or {"to", "subject"} <= set(map(_field, rows)) else None
        return None

    def attributes(self, at: int) -> bool:
        """Whether an attribution begins at line `at`; programs that write one mark the lines they quote."""
        text = self._stripped[at][:LONGEST]
        named = self._attribution(at) is not None or (SEPARATOR.fullmatch(text) and WROTE.search(text))
        return bool(named) and self._header_block(at) is None

    def _shows_message(self, at: int) -> bool:
        """Whether a separator, a header block or a marked quotation begins here."""
        if self._lines[at].depth:
            return _RULE.fullmatch(self._stripped[at - 1]) is not None
        separates = SEPARATOR.fullmatch(self._stripped[at][:LONGEST]) is not None
        return self._lines[at].introduces or separates or self._header_block(at) is not None

    def _says_from(self, at: int) -> bool:
        """Whether the next line that is written says who a mail is from, as a field or in a row of a table."""
        row = next_written(self._lines, at, 3)
        if row is None:
            return False
        barred = self._lines[row].marked.lstrip().startswith("|") and _ADDRESS_WITHIN.search(self._stripped[row])
        return self._fields[row] == "from" or bool(barred)

    def _is_foreign_header(self, at: int) -> bool:
        """Whether the lines from `at` on look like a header block in a language that is not in the tables: four fields,
        the first with an address and another with a date.
        """
        block = self._stripped[at : at + _FOREIGN_LINES]
        fields = len(block) == _FOREIGN_LINES and all(_ANY_FIELD.fullmatch(text[:LONGEST]) for text in block)
        return fields and "@" in block[0] and any(_DATE.search(text[:LONGEST]) for text in block[1:])

    def _header_in_any_language(self, at: int) -> int | None:
        """The line after several lines of a label and a value each, of which one tells a day, and another an address,
        the subject of this mail, who sent it, or to whom; or None. Values may stand on lines of their own. In whatever
        letters, the labels end alike.
        """
        if at and LABELLED.fullmatch(self._stripped[at - 1][:LONGEST]):
            return None
        values, place, end = list[str](), at, at
        while place < min(at + _HEADER_LINES, len(self._lines)) and (text := self._stripped[place][:LONGEST]):
            below = place + 1
            if text.endswith(COLONS) and below < len(self._lines):
                text, below = f"{text} {self._stripped[below][:LONGEST]}", below + 1
            if (value := LABELLED.fullmatch(text)) is None:
                break
            values.append(value[1])
            place = end = below
        if len(values) < _FEWEST_FIELDS or not any(map(self._repeats, values)):
            end, values = self._labelled_alike(at)
        telling = any(map(self._repeats, values)) or any(map(_ADDRESS_WITHIN.search, values))
        return end if len(values) >= _FEWEST_FIELDS and telling and any(map(tells_day, values)) else None

    def _labelled_alike(self, at: int) -> tuple[int, list[str]]:
        """The line after those from `at` on whose labels all end with one sign, and these lines."""
        common, found = set[str](), list[str]()
        for text in takewhile(bool, self._stripped[at : at + _HEADER_LINES]):
            signs = {sign for pattern in _SIGNS for sign in pattern.findall(text[:_LABEL])}
            if not (both := signs & common if found else signs):
                break
            common = both
            found.append(text[:LONGEST])
        return at + len(found), found

    def _repeats(self, value: str) -> bool:
        words = f" {words_of(value)} "
        return any(f" {one} " in words for one in self._known_words)

    def _attribution(self, at: int) -> int | None:
        """The line after an attribution that begins at `at`, or None."""
        return self._attribution_with_colon(at) or self._attribution_without(at)

    def _attribution_without(self, at: int) -> int | None:
        """The same of one that does not end with a colon: an address with a date on its line, or below it."""
        text, below = self._stripped[at], self._stripped[at + 1 : at + 2]
        if not _LETTER.search(text):
            return None
        if _DEPUTY.match(text) and not _HOUR.search(text):
            return None  # the one command with an address and days; an attribution without a colon has a time of day
        if not text.endswith(COLONS) and is_attribution(text, quote_follows=self._quote_follows(at + 1)):
            return at + 1
        dated = any(_DATE.search(line[:LONGEST]) for line in below)
        named = any(_MOMENT.search(line[:LONGEST]) for line in below) and _NAME_AND_ADDRESS.fullmatch(text)
        if named or (dated and _ADDRESS_ALONE.fullmatch(text)):
            return at + 2
        moment = next((f" {line}:" for line in below if _MOMENT.fullmatch(line)), "")
        line = next_written(self._lines, at + 1, 2) if not moment and "@" in text else None
        if line is not None and names_with_address(text) and tells_only_when(self._stripped[line][:LONGEST]):
            return self._possible(at, f"{text} {self._stripped[line]}:", line + 1)
        return self._possible(at, text + moment, at + 2 if moment else at + 1)

    def _possible(self, at: int, whole: str, end: int) -> int | None:
        """The line after what may be an attribution, which is noted as uncertain; the first line of all is none."""
        if at == self._first or not may_say_who_wrote(whole, WROTE):
            return None
        self._uncertain.add(at)
        return end

    def _attribution_with_colon(self, at: int) -> int | None:
        """The same of one that ends with a colon: "On ... at ... Ann wrote:", or with the frame it begins with."""
        end = self._colons.find(True, at, at + _ATTRIBUTION_LINES)
        frame = _FRAME.match(self._stripped[at])
        if frame and end != at:
            lines = self._stripped[at + 1 : at + _ATTRIBUTION_LINES]
            end = next((at + 1 + below for below, line in enumerate(lines) if line.endswith(frame[0])), end)
        if end < 0:
            return None
        pieces = self._stripped[at : end + 1]
        if not all(pieces) or max(map(len, pieces)) > LONGEST or any(line.depth for line in self._lines[at : end + 1]):
            return None
        tells = frame or "@" in pieces[0] or _DATE.search(pieces[0]) or WROTE.search(pieces[0])
        if end > at and (not tells or _begins_later(pieces)):
            return None
        whole = " ".join(pieces)
        if not _LETTER.search(whole):
            return None
        if is_attribution(whole, quote_follows=self._quote_follows(end + 1)):
            return end + 1
        return self._possible(at, whole, end + 1)

    def _quote_follows(self, at: int) -> bool:
        below = next_written(self._lines, at, 4)
        return below is not None and self._lines[below].depth > 0

    def _bare_fields(self, at: int) -> int:
        """The line after header fields without colons that begin at `at`, as some programs write them below a
        separator; `at` if there are none. One says from whom it is: an order for an army begins as `A Ben` in Italian.
        """
        below = self._stripped[at : at + _HEADER_LINES]
        names = list(takewhile(bool, (_label(text[:LONGEST].split()) for text in below)))
        return at + len(names) if "from" in names else at

    def _header_without_colons(self, at: int) -> int | None:
        """The line after a header whose fields have their names before or behind them without a colon, as in the
        columns of Lotus Notes and the tables of other programs; or None. It has a day and an hour, and an address from
        which it is, or to whom it is and its subject.
        """
        apart = not (at and self._stripped[at - 1]) and at + 1 < len(self._lines)
        if not _labels(self._stripped[at][:LONGEST]) and not (apart and _MOMENT.fullmatch(self._stripped[at + 1])):
            return None
        names: dict[str, int] = {}
        reach = min(at + _HEADER_LINES, len(self._lines))
        ends = (i for i in range(at, reach) if self._fields[i] or _MOVES.search(self._stripped[i][:LONGEST]))
        end = next(ends, reach)  # a field with a colon is of another header
        for i in range(at, end):
            names |= dict.fromkeys(_labels(self._stripped[i][:LONGEST]), i)
        addressed = names.get("from") == at and _ADDRESS_WITHIN.search(self._stripped[at]) and len(names) > 1
        if not (addressed or {"to", "subject"} <= names.keys()) or not tells_moment(self._stripped[at:end]):
            return None
        last = max(names.values())
        return last + (2 if self._stripped[last].lower() in FIELD_OF else 1)

    def _header_block(self, at: int, *, marked: bool = False) -> int | None:
        """The line after a block of From, Sent, To and Subject in any language that begins at `at`, or None."""
        if self._fields[at] is None:
            return None
        found: set[str] = set()
        end = at
        for i in range(at, min(at + _HEADER_LINES, len(self._lines))):
            if (self._lines[i].depth > 0) is not marked:
                break
            if (field := self._fields[i]) is not None:
                found.update((field, *_fields_behind(self._stripped[i])))
                end = i + 1
        if "from" not in found or (end == at + 1 and not _DATE.search(self._stripped[at])):
            return None
        telling = "sent" in found or _NAME_AND_ADDRESS.search(self._stripped[at])
        pair = telling and len(found) == 2 and end <= at + 2 and not (at and self._stripped[at - 1])
        return end if pair or len(found) >= 3 else None


def quotation_within(text: str) -> int | None:
    """Where a quotation begins on the same line as its attribution, as phone apps write it; or None."""
    found = _ATTRIBUTED.match(text) if "@" in text[:LONGEST] else None
    return found.end() if found and is_attribution(found[0].strip()) else None


def attribution_behind(lines: Sequence[Line], at: int) -> int:
    """Where an attribution begins in line `at` behind the sender's own words; 0 if none does."""
    text = lines[at].text[:LONGEST]
    for found in _BEGINS.finditer(text) if _DATE.search(text) else ():
        pieces = [text[found.end() :].strip()]
        for line in lines[at + 1 : at + _ATTRIBUTION_LINES]:
            if pieces[-1].endswith(COLONS) or line.depth or not line.text.strip():
                break
            pieces.append(line.text[:LONGEST].strip())
        whole = " ".join(pieces)
        if not text[: found.start()].strip(" -=_*~#>"):
            continue
        if _DATE.search(pieces[0]) and whole.endswith(COLONS) and is_attribution(whole):
            return found.end()
    return 0


def words_of(text: str) -> str:
    """The words of a subject, a name or an address, to compare."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def next_written(lines: Sequence[Line], at: int, reach: int) -> int | None:
    """The first line that is not blank among the `reach` lines from `at`, or None."""
    return next((i for i in range(at, min(at + reach, len(lines))) if lines[i].text.strip()), None)


def is_attribution(text: str, *, quote_follows: bool = False) -> bool:
    """Whether a line, or several that were joined, says who wrote what follows (`attribution_parts`)."""
    return _SENTENCES.search(text) is None and says_who_wrote(text, WROTE, quote_follows=quote_follows)


_SENTENCES = re.compile(
    r"[^\W\d_A-Z][^\W\d_]?\W{0,2}[.!?]\s+(?:I|We|You|S?he|They|It|Please|Ich|Wir|Sie|Er|Es|Bitte|Je|Nous|Elle|Il|Ils)\b"
)
"""A sentence behind another, which no attribution has: `She writes from new@example.net now. She is Austria:`"""


def _begins_later(pieces: Sequence[str]) -> bool:
    """Whether the attribution begins at a later line, which has the date; the lines above are the sender's own."""
    starts = (i for i in range(1, len(pieces)) if _DATE.search(pieces[i]) and not pieces[i - 1].endswith(","))
    return any(is_attribution(" ".join(pieces[i:])) for i in starts)


def _stripped(line: Line) -> str:
    """The text of a line; the row of a table, `| From | Ann |`, as the field that it shows."""
    row = _ROW.fullmatch(raw) if "|" in line.raw and len(raw := line.marked.strip()) <= LONGEST else None
    return f"{row[1].strip()}: {row[2].strip()}" if row is not None else in_own_letters(line.text).strip(" \t*")


def _field(text: str) -> str | None:
    """Which header field such a line shows: from, sent, to or subject."""
    found = _FIELD.match(text) if ":" in text or "：" in text else None
    return FIELD_OF.get(" ".join(found[1].lower().split())) if found else None


@lru_cache(2 * _HEADER_LINES)
def _fields_behind(text: str) -> tuple[str, ...]:
    """The header fields that a line shows behind its first: `From: Ann Sent: Monday To: Ben`. Each of the lines above
    asks it of the same lines again.
    """
    pieces = re.split(r"[:：](?=\s)", text[:LONGEST])[1:-1]
    return tuple(filter(None, (_label(one.replace("*", " ").split()[::-1], backwards=True) for one in pieces)))


@lru_cache(2 * _HEADER_LINES)
def _labels(text: str) -> tuple[str, ...]:
    """The names of header fields without a colon at the beginning and the end of a line, apart from a moment there."""
    words = _MOMENT.sub(" ", text).split()
    return tuple(filter(None, (_label(words), _label(words[::-1], backwards=True))))


def _label(words: Sequence[str], *, backwards: bool = False) -> str | None:
    """The header field whose name these words begin with."""
    pair = words[1::-1] if backwards else words[:2]
    return FIELD_OF.get(" ".join(pair).lower()) or FIELD_OF.get("".join(words[:1]).lower())
