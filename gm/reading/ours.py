"""The lines of our own mails, as they come back: pasted or quoted in a mail, wrapped again, changed, among others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from gm.mail.message.bodies import all_lines
from gm.mail.message.mime import Headers, message_ids

LINK = re.compile(r"<?\b(?:https?|mailto|ftp):\S*", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_REMARK = re.compile(r"\A\s*(#)")
_WRAPPED = 50  # characters; a line of ours may come back in pieces that are as long
_NUMBER_ABOVE = re.compile(r"line \d+")
_QUOTED_ABOVE = ("send them again at the top of a mail", "send them again without the quote marks")
"""The end, as words, of the sentence in a receipt above the quoted lines that may have been meant: now, and before."""


_BACK = "\0"  # no word
_LONGEST_BLANK = 12  # words
_SENTENCE = 4  # words; a shorter line may be anybody's
_ANSWERED = 3  # mails that a mail of ours may repeat, of those that it names: the one that it answers, and a few
_PLACES = 20  # at which a mail of ours is compared that says the same again and again


class _Mail(NamedTuple):
    """A mail of ours by its words: each line's, and those of the whole, each with a blank on both sides; `own_text` is
    without what is `said_back`. `answers` are the Message-IDs of those that it answers.
    """

    lines: tuple[str, ...]
    text: str
    own_text: str
    answers: tuple[str, ...]
    said_back: frozenset[str]
    """The lines of its recipient's that it says were not acted on, at least in one place."""
    own: frozenset[str]
    """The others."""
    written: Mapping[str, str]
    """All its lines as they were written, by their words."""

    def around(self, words: Sequence[str], at: int) -> tuple[int, int]:
        """How far the run of lines reaches in which this mail has line `at` of these, given as words: the widest."""
        whole, backwards = f" {words[at]} ", self.text[::-1]
        before, after = [line[::-1] for line in words[:at][::-1]], words[at + 1 :]
        runs = [(at, at + 1)]
        for place in islice(_places(self.text, whole), _PLACES):
            above = _begun(backwards, len(self.text) - 1 - place, before)
            runs.append((at - above, at + 1 + _begun(self.text, place + len(whole) - 1, after)))
        return max(runs, key=lambda run: run[1] - run[0])


def _places(text: str, words: str) -> Iterator[int]:
    """Where a text has these words, which have a blank on both sides."""
    place = text.find(words)
    while place >= 0:
        yield place
        place = text.find(words, place + len(words) - 1)


def _begun(text: str, start: int, lines: Sequence[str]) -> int:
    """With how many of these lines, some of which may be empty, a text goes on from there."""
    for number, line in enumerate(lines):
        if line and not text.startswith(f" {line} ", start):
            return number
        start += len(f" {line}".rstrip())
    return len(lines)


@lru_cache(maxsize=256)
def _read(raw: bytes) -> _Mail:
    """A mail of ours; a report is quoted in several mails, and compared with what others quote."""
    written = all_lines(raw)
    lines = tuple(map(words_of, written))
    back = frozenset(_said_back(lines))
    own = frozenset(line for at, line in enumerate(lines) if at not in back)
    text = f" {' '.join(filter(None, lines))} "
    own_text = f" {' '.join(_BACK if at in back else line for at, line in enumerate(lines) if line)} " if back else text
    header = Headers.of(raw)
    answers = message_ids(f"{header.first('in-reply-to')} {header.first('references')}")
    said_back = frozenset(lines[at] for at in back)
    return _Mail(lines, text, own_text, answers, said_back, own, dict(zip(lines, written, strict=True)))


def _nothing_known(_texts: Sequence[str]) -> bool:
    return True


def _nothing_written(_message_id: str) -> str:
    return ""


class Ours:
    """The lines of those of our mails that a mail may quote; read when they are first needed.

    With `cited`, the mails that it cites, quoted lines are compared with these first, and with all others only if any
    line is left that `asks` for something: what is talk in a quotation is so whoever wrote it. `written` is what their
    readers wrote themselves in the mail with this Message-ID, as words: our answer repeats it, and it does not prove
    that this is quoted.
    """

    def __init__(
        self,
        fetch: Callable[[], Sequence[bytes]],
        cited: Ours | None = None,
        asks: Callable[[Sequence[str]], bool] = _nothing_known,
        written: Callable[[str], str] = _nothing_written,
    ) -> None:
        self._fetch = fetch
        self._cited = cited
        self._asks = asks
        self._written = written
        self._compared: dict[tuple[str, ...], tuple[int, ...]] = {}

    @cached_property
    def _mails(self) -> tuple[_Mail, ...]:
        return tuple(map(_read, self._fetch()))

    @cached_property
    def _said_back(self) -> frozenset[str]:
        return frozenset[str]().union(*(mail.said_back for mail in self._mails))

    @cached_property
    def _of_ours(self) -> frozenset[str]:
        return frozenset[str]().union(*(mail.own for mail in self._mails))

    def edited(self, quoted: Sequence[str]) -> tuple[str, ...]:
        """The quoted lines that we did not write."""
        return tuple(quoted[at] for at in self.not_ours(quoted))

    def not_ours(self, quoted: Sequence[str]) -> tuple[int, ...]:
        """The places of the quoted lines that we did not write. Lines of theirs that a receipt of ours says were not
        acted on are ours only in that place: they may be sent again, quoted as before.
        """
        lines = tuple(quoted)
        if lines not in self._compared:  # asked for what is filled in, and for what else is new
            self._compared[lines] = self._new_to_all(lines)
        return self._compared[lines]

    def _new_to_all(self, quoted: tuple[str, ...]) -> tuple[int, ...]:
        if self._cited is not None:
            new = self._cited.not_ours(quoted)
            if not new or not self._asks([quoted[at] for at in new]):
                return new
        return tuple(self._new_in(quoted))

    def _new_in(self, quoted: Sequence[str]) -> Iterator[int]:
        words = tuple(map(words_of, quoted))
        there = frozenset(_said_back(words, self._said_back))
        new = (at for at, line in enumerate(words) if at not in there and line not in self._of_ours)
        return (at for at in new if len(quoted[at]) <= _WRAPPED or not self._has_words(words[at]))

    def begun(self, line: str) -> str:
        """The line of ours, as it was written, whose words a longer line begins with; "" if there is none."""
        words = words_of(line).split(maxsplit=_LONGEST_BLANK)[:_LONGEST_BLANK]
        begins = (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
        known = next((one for one in begins if one in self._of_ours), None)
        return next((mail.written[known] for mail in self._mails if known in mail.written), "") if known else ""

    def has_form(self, lines: Sequence[str]) -> bool:
        """Whether one of our mails has these lines in this order, all but the first as whole lines."""
        first, *blanks = map(words_of, lines)
        whole = f" {' '.join((first, *blanks))} "
        return any(self._says(mail, whole) and all(one in mail.written for one in blanks) for mail in self._mails)

    def _says(self, mail: _Mail, words: str) -> bool:
        """Whether a mail of ours has these words, which it does not only repeat from one that it answers."""
        if words not in mail.own_text:
            return False
        return not any(words in self._written(one) for one in mail.answers[:_ANSWERED])

    def _has_words(self, words: str) -> bool:
        """Whether one of our mails contains these words, however its lines were wrapped."""
        return any(f" {words} " in mail.text for mail in self._mails)

    def pasted(self, words: Sequence[str], sentences: Iterable[int]) -> tuple[int, int, frozenset[str]]:
        """Where mails of ours stand among the sender's lines, given as words, of which some are sentences: from the
        first line of the first to the last of the last; and the lines of these mails, as words.

        A line belongs to the mail that it continues: one that only occurs in another mail of ours is the sender's own.
        """
        left, mails, runs, known = set(sentences), list(self._mails), list[tuple[int, int]](), set[str]()
        has = [{at for at in left if self._says(mail, f" {words[at]} ")} for mail in mails]
        while left and mails:
            number = max(range(len(mails)), key=lambda one: len(has[one] & left))
            mail, there = mails.pop(number), has.pop(number) & left
            if not there:
                break
            runs += (mail.around(words, at) for at in (min(there), max(there)))
            known.update(mail.lines)
            left -= there
        return min((run[0] for run in runs), default=0), max((run[1] for run in runs), default=0), frozenset(known)


def words_of(text: str) -> str:
    """The words of a text, which clients do not change when they wrap and quote it; without links, because some clients
    add these. The sign of a remark (`# A Par-Bur`, an order that was replaced) is kept: without it, it is an order.
    """
    plain = unicodedata.normalize("NFKC", LINK.sub(" ", text))
    return " ".join([*_REMARK.findall(plain), *_WORD.findall(plain.casefold())])


def is_sentence(text: str) -> bool:
    """Whether a line has too many words to be written by chance."""
    return words_of(text).count(" ") >= _SENTENCE - 1


def _said_back(lines: Sequence[str], known: Collection[str] | None = None) -> Iterator[int]:
    """Where a mail of ours has lines of its recipient's mail that were not acted on, given its lines as words: below
    the number of a line, and below the sentence on quoted lines, up to an empty line or, in a mail that has lost these,
    to one that is not `known`.
    """
    listed, begun, above = 0, False, ""
    for at, line in enumerate(lines):
        if listed and line and (known is None or line in known):
            yield at
            listed, begun = listed - 1, True
            continue
        if line or begun:
            listed = 0
        if f"{above} {line}".endswith(_QUOTED_ABOVE):
            listed, begun = len(lines), False
        elif _NUMBER_ABOVE.fullmatch(line):
            listed, begun = 1, False
        above = line or above
