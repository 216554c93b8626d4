"""The parts of the line that mail programs write above a quotation: who wrote what follows, and when.

Languages and programs differ in the words between them and in their order; an address, a name, a day and a time of day
look the same in all. Only "wrote" is a word, and only a line without an address or a full moment needs it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from gm import patterns as re

ADDRESS = r"[^\s<>@]{1,80}@[^\s<>@]{1,80}"
_WHO = re.compile(rf"(?:^|[\s<(\"'\[])[<(\"'\[]{{0,2}}(?:mailto:)?{ADDRESS}")
_ENCLOSED = re.compile(r"<[^\s<>@:]{1,80}@[^\s<>@]{1,80}>")
DATE = re.compile(r"\b(?:19|20)\d\d\b|(?<!=)\b\d{1,2}[:.h]\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d\d|\d年")
"""A year, a day in figures, or a time of day, that is no value of an option: `at=18:00`."""
_HOUR = re.compile(r"(?<![\d.=])\d{1,2}[:.h]\d\d(?![\d]|\.\d)", re.IGNORECASE)
_ANY_HOUR = re.compile(r"(?<![\d=])\d{1,2} ?[:.h時时點点시] ?\d\d(?!\d)", re.IGNORECASE)
_CLOCK_TIME = re.compile(
    r"(?<![\d.])\d{1,2} ?[:.h時时點点시] ?\d\d(?::\d\d)?(?!\d|[.:]\d) ?[分분]?(?: ?[ap]\.?m\.?(?!\w))?"
    r"|(?<!\w)\d{1,2} ?[ap]m(?!\w)",
    re.IGNORECASE,
)
_SOME_DAY = re.compile(
    r"\d{1,4} ?[年月日년월일]|(?<!\w)\d{1,3} ?[hmsdw](?!\w)"
    r"|(?<![:.\w])\d{1,4}(?:(?:\.|st|nd|rd|th)? [^\W\d_]+|[./-]\d{1,4}(?:[./-]\d{1,4})?)(?!\w)"
)
"""A day, with or without its year, or how long ago: a number and a word."""
SOMEBODY = "\ufffc"
_APART = f" {SOMEBODY} "
_PHONE = re.compile(r"\+\d[\d ()._-]{3,14}\d{3}(?!\d)")
_DAY = re.compile(
    r"(?<!\d)\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)|\d年(?:.{1,3}月.{1,3}日)?"
    r"|(?:[^\W\d_]{2,12}\.?,? ){1,2}\d{1,2}(?:st|nd|rd|th)?,? 20\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}(?!\d)\D{1,20}20\d\d(?!\d)"
    r"|(?<!\d)20\d\d\D{1,20}(?:\d{1,2}\D{1,10})?\d{1,2}(?!\d|[:.h]\d)"
)
_WEEKDAY = re.compile(r"(?<!\w)[^\W\d_]{1,3}[.,]{0,2} +\|")
"""A short word before the day, which is one of the week and no `ma` or `mi` of the sender's."""
_WORDS = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_SPEAKER = re.compile(
    r"(?<!\w)(?:I|we|you|he|she|it|they|who|what|if|when|because|so|ich|wir|du|ihr|er|sie|es|wenn|was|weil|"
    r"je|j|nous|tu|vous|il|elle|yo)(?!\w| [(\d])",
    re.IGNORECASE,
)
WRITER = re.compile(r"(?<!\w)(?:I|we|ich|wir|j|nous|yo)(?!\w)", re.IGNORECASE)
"""The sender as the one who wrote: `As I wrote on 2 Feb:`."""
_ADDRESSED = re.compile(
    r"(?<!\w)(?:me|my|us|our|your|his|her|its|their|mir|uns|meine?|unsere|deine?|moi|mon|ma|mes|notre|nos|votre|"
    r"mi|mis|mio|miei)(?!\w)",
    re.IGNORECASE,
)
"""Words with which people speak of themselves and of each other, as subjects and otherwise."""
_BY_HAND = 60
"""The longest line of a person's own that says who wrote what follows: `Ann wrote to me:`."""
_IDEOGRAPHS = re.compile(
    r"[\u4e00-\u9fff\uac00-\ud7af]{2,3}|[\u3040-\u30ff\u4e00-\u9fff]{1,12}(?:さん|さま|様|氏)(?:[のがはよか].*)?"
    r"|[\uac00-\ud7af]{2,6}(?:님|씨)(?:[이께의].*)?"
)
"""A name without a blank, as they are written in China, Japan and Korea; headings are longer. Before the word for a
person of that name it has any length, and no particle of the one who is written to follows.
"""
_NAMED = re.compile(rf"([^<>@:\d]{{3,80}}) {ADDRESS}")
_PARTICLE = 4
"""The letters of the longest word that stands beside a moment."""
_NICK = r"[^\W\d_][^\[\]<>:：|\d]{0,40}"
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?"
_AT = rf"\[[^\[\]]{{0,24}}?{_CLOCK}[^\[\]]{{0,4}}\]"
_CHAT = re.compile(
    rf"{_AT} ?(?:<{_NICK}>.*|{_NICK}[:：].*|(?P<name>{_NICK}))|{_NICK}, {_AT}.*"
    rf"|(?:\d[\d./-]{{5,9}},? )?{_CLOCK} (?:[-–—] {_NICK}[:：] .*|<{_NICK}> .*)"
    rf"|{_NICK}?(?: [-–—]|[ \t])[ \t](?:(?:[^\W\d_]{{2,12}} ){{1,2}}|\d[\d./-]{{5,9}},? )?{_CLOCK}",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[:：][ \t]+[^\s\d]")
_FRAMED = re.compile(r"([-=*_~#])\1.*\1\1|\[.*\]|<.*>", re.DOTALL)
COLONS = (":", "：", "։", "៖", "፦", "፡")
"""A colon in any script; in Ethiopic the mark between words stands for it as well."""


class Parts:
    """What a line tells, or several that were joined, and how it ends: with a colon, or between two equal frames
    (`--- ... ---`, `[...]`); each is looked for when it is asked for. `verb` finds "wrote" in any language.
    """

    def __init__(self, text: str, verb: re.Pattern[str]) -> None:
        self._text, self._verb_of = _in_ascii_digits(text), verb

    @cached_property
    def _dayless(self) -> str:
        return _DAY.sub(" | ", self._text, count=1)

    @cached_property
    def _timeless(self) -> str:
        return _HOUR.sub(" | ", self._dayless, count=1)

    @cached_property
    def _without_verb(self) -> str:
        return self._verb_of.sub(" | ", _WHO.sub(" | ", self._timeless))

    @property
    def address(self) -> bool:
        return _WHO.search(self._text) is not None

    @property
    def enclosed(self) -> bool:
        return _ENCLOSED.search(self._text) is not None

    @property
    def full_name(self) -> bool:
        return _full_name(self._without_verb)

    @property
    def day(self) -> bool:
        return self._dayless != self._text

    @property
    def hour(self) -> bool:
        return self._timeless != self._dayless

    @property
    def verb(self) -> bool:
        return self._verb_of.search(self._text) is not None

    @property
    def verb_last(self) -> bool:
        return self._without_verb.endswith("| ")

    @property
    def ended(self) -> bool:
        return self._text.endswith(COLONS)

    @property
    def framed(self) -> bool:
        return _FRAMED.fullmatch(self._text) is not None

    @property
    def speaker(self) -> bool:
        return _SPEAKER.search(self._text) is not None

    @property
    def writer(self) -> bool:
        return WRITER.search(self._text) is not None

    @property
    def addressed(self) -> bool:
        return _ADDRESSED.search(_WEEKDAY.sub("|", self._dayless)) is not None

    @property
    def when(self) -> bool:
        return self.day or self.hour

    @property
    def of_own(self) -> bool:
        """Whether it sounds like the sender's own sentence."""
        return self.speaker or self.addressed


def says_who_wrote(text: str, verb: re.Pattern[str], *, quote_follows: bool) -> bool:
    """Whether a line says who wrote what follows: an address; a name with "wrote"; or, above marked lines or between
    frames, a name with a day or a moment. Without a colon or a frame it tells who and when, and more surely.
    """
    parts = Parts(text, verb)
    if parts.framed and parts.when and (parts.address or parts.full_name or parts.verb):
        return True
    if not parts.ended:
        last = quote_follows and parts.verb_last and parts.day and parts.hour
        return last or (parts.enclosed and parts.when)
    if _GOES_ON.search(text) and not parts.address:
        return False
    if parts.address:
        return parts.verb or parts.when or not parts.of_own
    if parts.verb:
        unnamed = parts.when and not parts.writer
        return quote_follows or unnamed or (len(text) <= _BY_HAND and not parts.speaker)
    return quote_follows and parts.day and parts.full_name and not parts.of_own


def may_say_who_wrote(text: str, verb: re.Pattern[str]) -> bool:
    """Whether a line has a day and a full name before a colon, or a moment before "wrote", in words that are nobody's
    own: in a language that is not known here, or in a program's style, it may say who wrote what follows.
    """
    if not DATE.search(text) or not (text.endswith(COLONS) or verb.search(text)):
        return False
    parts = Parts(text, verb)
    complete = parts.full_name if parts.ended else parts.verb and parts.verb_last and parts.hour
    return parts.day and complete and not parts.of_own and not _GOES_ON.search(text)


def names_with_address(text: str) -> bool:
    """Whether a line is a full name and an address without brackets, and no command in capitals."""
    return (found := _NAMED.fullmatch(text)) is not None and not found[1].isupper() and _full_name(found[1])


def tells_when_and_who(text: str) -> bool:
    """Whether a line has a day and an hour, and ends with a name or an address: `On 2 Feb 2026, 9:00 Ann Lee`."""
    timed = [found.end() for found in _CLOCK_TIME.finditer(text)]
    who = text[timed[-1] :] if timed else ""
    words = [*_WORDS.finditer(who)]
    named = bool(words) and not who.isupper() and _are_names(*words)
    return tells_day(text) and (_WHO.search(who) is not None or named) and not _SPEAKER.search(text)


def tells_only_when(text: str) -> bool:
    """Whether a line is an hour, or a day and an hour with such words beside them as `On`, `at` and `AM`."""
    rest, timed, dated = beside_moment(text)
    return timed and all(len(word) <= (_PARTICLE if dated else 1) for word in re.findall(r"\w+", rest))


def beside_moment(text: str) -> tuple[str, bool, bool]:
    """What is beside the days and hours in a line, in any script, with SOMEBODY for an address or the number of a
    telephone; and whether there was an hour, and a day.
    """
    told = _PHONE.sub(_APART, _WHO.sub(_APART, _in_ascii_digits(text)))
    timeless = _CLOCK_TIME.sub(" ", told)
    rest = _SOME_DAY.sub(" ", timeless)
    return rest, timeless != told, rest != timeless


def tells_moment(lines: Sequence[str]) -> bool:
    """Whether a day and an hour are among these lines."""
    rest = _in_ascii_digits(" ".join(lines))
    timed = _DAY.sub(" ", rest, count=1)
    return timed != rest and _HOUR.search(timed) is not None


def tells_day(text: str) -> bool:
    """Whether a text has a day with its year, or an hour and another number, as of a day in any calendar."""
    text = _in_ascii_digits(text)
    rest = _ANY_HOUR.sub(" ", text, count=1)
    return _DAY.search(text) is not None or (rest != text and re.search(r"\d", rest) is not None)


def is_of_a_chat(text: str) -> bool:
    """Whether a line is the first of a message that was copied out of a chat: who wrote it and the hour, which is in
    brackets or apart from the name, as `[18:02] Ann: hello` or `Ann - Today at 18:02`.
    """
    found = _CHAT.fullmatch(text)
    return found is not None and _are_names(*_WORDS.finditer(found["name"] or ""))


def _full_name(text: str) -> bool:
    """Whether two words that may be names stand beside each other, or a name that is written without a blank."""
    text = without_accents(text)
    words = list(_WORDS.finditer(text))
    beside = any(text[one.end() : two.start()] == " " and _are_names(one, two) for one, two in pairwise(words))
    return beside or any(_IDEOGRAPHS.fullmatch(one[0]) for one in words)


@lru_cache(maxsize=256)
def without_accents(text: str) -> str:
    """The text without marks on letters: vowels are such in Hindi, and words would fall apart there."""
    return text if text.isascii() else "".join(one for one in text if not unicodedata.category(one).startswith("M"))


def _are_names(*words: re.Match[str]) -> bool:
    """Whether words begin with a capital letter, also behind a particle of one letter, or their script has none."""
    return not any(all(map(is_small, word[0][:2])) for word in words)


def is_small(letter: str) -> bool:
    """Whether a letter is a small one: no name begins so. Georgian has capitals that begin no word."""
    return letter.islower() and letter.title() != letter


_FIGURES = range(10)


def _in_ascii_digits(text: str) -> str:
    """The text with the figures of every script in those of ours, also those that are words: 二〇二六."""
    if text.isascii():
        return text
    figures = ((one, unicodedata.numeric(one, -1)) for one in text)
    return "".join(str(int(value)) if value in _FIGURES else one for one, value in figures)
