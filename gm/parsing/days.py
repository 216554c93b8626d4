"""Days in a sentence: `from 3 to 10 December`, `vom 3.12. bis 10.12.`, `du 3 au 10 décembre`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta
from difflib import get_close_matches
from functools import lru_cache
from itertools import groupby, pairwise

from gm import patterns as re
from gm.clock import COUNTS, in_dots
from gm.time_words import BRIEF_DAYS, WEEK, in_english, unaccented

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTH = {name: number for number, name in enumerate(_MONTHS.split(), 1)}
_NAMED = rf"(?:{'|'.join(_MONTH)})[a-z]{{0,6}}"
_WEEKDAY = {name: number for number, name in enumerate(WEEK)}
_WEEKDAY |= {name[:3]: number for name, number in _WEEKDAY.items() if number}  # `mon` is French
_WEEK = "|".join(sorted(_WEEKDAY, key=len, reverse=True))
_NO_OTHER = rf"(?!(?:[ ,&]|und\b|and\b|et\b|\d\d?\.?(?=[ ,])){{1,6}}(?:{_NAMED})\b)"
"""Behind a number that is no day of a month named below: `24. 12.`, but `9. 10. und 11. Dezember`."""
_DAY = re.compile(
    r"(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)"
    rf"|(?P<day>\d\d?)\.(?P<month>\d\d?|[ ](?:1[0-2]|0?[1-9])(?=\.{_NO_OTHER}))\.(?:[ ]?(?P<year>\d{{4}}))?"
    rf"|\b(?P<week>{_WEEK})s?\b(?P<later> (?:(?:of )?next week|nachster woche|de la semaine prochaine))?"
    r"|\b(?P<near>today|tomorrow|overmorrow)\b"
    rf"|(?P<first>{_NAMED}) (?P<last>\d\d?)(?!\d)(?:(?:st|nd|rd|th)?,? (?P<of>20\d\d)\b)?"
    rf"|(?P<only>\d\d?)(?:st|nd|rd|th|er|\.)?(?: (?:of )?(?P<name>{_NAMED})(?:,? (?P<in>20\d\d)\b)?)?"
)


A_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:\.|st|nd|rd|th)? (?:of )?{_NAMED}|{_NAMED} \d{{1,2}}|20\d\d-\d\d-\d\d)\b", re.IGNORECASE
)
"""A day with its month, in English."""


def spelled(text: str) -> str:
    """A text with the names of days and months spelt as they are: `firday`."""
    return _LONG_WORD.sub(_as_spelt, text)


def _as_spelt(word: re.Match[str]) -> str:
    near = get_close_matches(word[0].lower(), _SPELT, 1, _ALIKE)
    return near[0] if near and word[0].lower() not in _SPELT else word[0]


_LONG_WORD = re.compile(r"(?<![\w@.-])[A-Za-z]{6,10}(?![\w@-])")
_SPELT = (
    *(*WEEK, "tomorrow"),
    *("january", "february", "august", "september", "october", "november", "december"),
)
_ALIKE = 0.8


@lru_cache(maxsize=64)
def two_days(text: str, today: date) -> tuple[date, date] | None:
    """The first and the last day that a sentence names, the next ones that are not over; None if it does not name
    two. The month may stand at the last only, or at none: `vom 12. bis 19.`. The day on which somebody is back is none.
    """
    found = _days(text, today)
    if len(found) > _BOTH_ENDS:
        found = _days(_IS_BACK.sub(" ", _plain(text)), today)
    if len(found) != _BOTH_ENDS:
        return None
    first, last = found
    try:
        if not first[1] and not last[1]:
            if _OF_MONTHS.search(_plain(text)) is None:
                return None
            begins = _of_month(first[2], today)
            return begins, _of_month(last[2], begins)
        begins = _next(first[0], first[1] or last[1], first[2], today)
        return begins, _next(last[0], last[1] or first[1], last[2], begins)
    except ValueError:
        return None


_DAYS = r"(?:\d\d?)(?:st|nd|rd|th|er|\.)"
_OF_MONTHS = re.compile(
    rf"\b{_DAYS}[ ]?(?:-|to|until|till?|through|and|bis|und|au?)[ ](?:[^\W\d]{{2,16}}[ ]){{0,2}}{_DAYS}(?!\d)"
    rf"|\b{_DAYS}-{_DAYS}(?!\d)|\b(?:du|vom) \d\d?\.? (?:au|bis)\b",
    re.IGNORECASE,
)
"""Two days that are numbers, of this month or the next."""
_IS_BACK = re.compile(
    r"\b(?:back|home again|returning|return|wieder da|zuruck|de retour)(?: (?:on|by|from|am|ab|le|the))*"
    rf" (?:{_WEEK})[a-z]*"
)


def _of_month(day: int, after: date) -> date:
    """The next such day of a month that is not before another. Raises ValueError."""
    ahead = (after + timedelta(days=days) for days in range(2 * _MONTH_ABOUT))
    found = next((one for one in ahead if one.day == day), None)
    if found is None:
        raise ValueError(day)
    return found


@lru_cache(maxsize=64)
def days_away(text: str, today: date) -> tuple[date, date] | None:
    """The first and the last day on which the writer of a sentence is away: of one that it names alone that day, or the
    days until then; without one the weekend, or all of next week. None if it names more, or only the day from which.
    """
    plain = _plain(text)
    length = _LENGTH.search(plain)
    found = [one for one in _DAY.finditer(plain) if length is None or not length.start() <= one.start() < length.end()]
    monday = today - timedelta(days=today.weekday())
    if not found and (days := next((days for days, words in _SPANS.items() if words.search(plain)), None)):
        return monday + timedelta(days=days[0]), monday + timedelta(days=days[1])
    long = _days_of(length) if length is not None else 0
    if not found and length is not None and length["next"]:
        return today, today + timedelta(days=long - 1)
    if len(found) != 1:
        return two_days(text, today)
    before = _LEADS_TO_DAY.search(plain[: found[0].start()])
    try:
        year, month, day = _weekday(found[0], today) or _parts(found[0])
        last = _next(year, month, day, today)
    except ValueError:
        return None
    if long and (before is None or before["until"] is None):
        return last, last + timedelta(days=long - 1)  # it is the first
    if before is not None and before["until"] is None:
        return None
    return (last if before is None else today), last


def with_end(text: str, days: tuple[date, date], today: date) -> tuple[date, date] | None:
    """The first and the last of some days with that end which a sentence says anew, `but only from the 19th`, `until
    Saturday instead`: the next such day to it. None if it says none, or other days; nor if it only names the other end
    by its day of the week.
    """
    said = list(days)
    numbered, named = set[int](), set[int]()
    for one, lead in _ends(text):
        if lead is None:
            return None
        end = 1 if lead["last"] else 0
        (named if one["week"] or one["near"] else numbered).add(end)
        try:
            said[end] = _nearest(_weekday(one, today) or _parts(one), one["week"], days[end])
        except ValueError:
            return None
    changed = {end for end in (0, 1) if said[end] != days[end]}
    kept = (named | numbered) - changed
    return (said[0], said[1]) if len(changed) == 1 and kept <= numbered and said[0] <= said[1] else None


def names_end(text: str) -> bool:
    """Whether a text names an end of some days, or both, and no other day: `until the 26th instead`."""
    leads = [lead for _, lead in _ends(text)]
    return bool(leads) and None not in leads


def begins_on(text: str, today: date) -> date | None:
    """The only day that a text names, if it is not the last of some: `pause on Friday`, `from 4 December`."""
    leads = [lead for _, lead in _ends(text)]
    ends = [lead for lead in leads if lead is not None and lead["last"]]
    return last_day(text, today) if len(leads) == 1 and not ends else None


def _ends(text: str) -> Iterator[tuple[re.Match[str], re.Match[str] | None]]:
    """The days that a text names, and what makes them the first or the last of some."""
    plain = _plain(text)
    days = ((one, max(0, one.start() - _LEAD)) for one in _DAY.finditer(plain))
    return ((one, _LEADS_TO_END.search(plain[begin : one.start()])) for one, begin in days)


def _nearest(day: tuple[int, int, int], week: str | None, end: date) -> date:
    """That day nearest to another, by its day of the week, or its number where no month is said. Raises ValueError."""
    year, month, number = day
    near = (end + timedelta(days=sign * ahead) for ahead in range(_MONTH_ABOUT) for sign in (1, -1))
    if week is not None:
        return next(one for one in near if one.weekday() == _WEEKDAY[week])
    if not month:
        return next((one for one in near if one.day == number), end)
    years = (year,) if year else (end.year - 1, end.year, end.year + 1)
    return min((date(one, month, number) for one in years), key=lambda one: abs(one - end))


_LEAD, _MONTH_ABOUT = 40, 31
_TO_DAY = r"[ ]{1,3}(?:(?:on|the|le|am|zum|den|dem|el|is|ist|only|nur|erst)[ ]{1,3}){0,3}\Z"
_LEADS_TO_END = re.compile(
    r"\b(?:(?P<last>until|till?|through|bis|hasta|jusqu\S{0,6}|end(?:e|s|ing)?|last day|letzter tag|back)"
    r"|from|since|starting|start|beginn?\w{0,4}|begin\w{0,4}|as of|ab|seit|von|vom|erst|only|not before|du|des|desde"
    rf"|depuis|a partir d[eu]|seulement){_TO_DAY}"
)


def _days_of(length: re.Match[str]) -> int:
    count = length["count"].lower()
    return int(COUNTS.get(count, count)) * (7 if length["unit"].startswith("week") else 1)


_LENGTH = re.compile(
    rf"(?<!\bin )(?P<next>\b(?:next|coming|nachsten?|kommenden?|prochaine?s?|proximos?|proximas?)[ ])?"
    rf"(?<!\bin )\b(?P<count>[1-9]\d?|{'|'.join(COUNTS)})[ ](?P<unit>days?|weeks?)\b(?![ ](?:later|ago|before|after))"
)
"""How long something is, and whether that is from today on: `for the next two weeks`."""


_LEADS_TO_DAY = re.compile(
    r"\b(?:(?P<until>until|till?|through|before|bis|hasta|jusqu\S{0,6})|from|since|after|starting|as of|ab|seit|von|vom"
    r"|du|des|desde|depuis|a partir de)[ ]{1,3}(?:(?:on|the|le|zum|den|dem|el)[ ]{1,3}){0,2}\Z"
)


_SPANS = {
    (5, 6): re.compile(r"\b(?:this |the |ce |am |dieses )?(?:week-?end|wochenende|fin de semana|fine settimana)\b"),
    (7, 13): re.compile(r"\b(?:next week|nachster? woche|semaine prochaine|proxima semana|semana que viene)\b"),
}
"""The first and the last day that words mean, counted from the Monday of this week."""


def listed_days(text: str, today: date) -> tuple[date, ...]:
    """The days that a sentence lists, `24, 25 and 31 December`: the next ones that are not over, those without a month
    in that of the one behind them. None for fewer than two, and for a first and last day.
    """
    plain = _plain(text)
    found = list(_DAY.finditer(plain))
    between = (plain[one.end() : other.start()] for one, other in pairwise(found))
    if (
        len(found) < _BOTH_ENDS
        or _OPENS_SPAN.search(plain[: found[0].start()])
        or not all(_BETWEEN_LISTED.fullmatch(joint) for joint in between)
    ):
        return ()
    days, month = list[date](), 0
    try:
        for year, own, day in reversed([_weekday(one, today) or _parts(one) for one in found]):
            month = own or month
            days.append(_next(year, month, day, today))
    except ValueError:
        return ()
    return tuple(sorted({*days}))


_OPENS_SPAN = re.compile(r"\b(?:between|zwischen|entre|from|von|vom|du)\W*(?:the )?\Z")
_BETWEEN_LISTED = re.compile(r"[ .]*(?:,|&|and|und|et|n?or)[ ,]*(?:(?:the|and|n?or|on|also)[ ])*")


def last_day(text: str, today: date) -> date | None:
    """The last day that a sentence names with its month, or as one of the week, which is never `today`; None if it
    names none.
    """
    try:
        days = _days(text, today + timedelta(days=1))
        return next((_next(*day, today) for day in reversed(days) if day[1]), None)
    except ValueError:
        return None


def opens_span(text: str) -> bool:
    """Whether a text ends with the first of two days: `no deadlines between 23 December`."""
    said = _plain(text)
    last = next(reversed([*_DAY.finditer(said)]), None)
    return last is not None and not said[last.end() :].strip() and _BETWEEN.search(said, 0, last.start()) is not None


_BETWEEN = re.compile(r"\b(?:between|zwischen|entre)\s+(?:the )?\Z")


def is_span(text: str) -> bool:
    """Whether a text is the first and the last of some days, and no more: `from 24 Dec to 2 Jan`."""
    rest, days = _DAY.subn("", _plain(text))
    return days == _BOTH_ENDS and _BETWEEN_DAYS.issuperset(re.findall(r"\w+", rest))


_BOTH_ENDS = 2
_BETWEEN_DAYS = frozenset(
    ("from", "the", "between", "to", "and", "until", "till", "vom", "von", "bis", "du", "au", "please", "bitte", "svp")
)


def _days(text: str, today: date) -> list[tuple[int, int, int]]:
    plain = _plain(text)
    found = [*_DAY.finditer(plain)]
    named = {one for one, other in pairwise(found) if _is_of_date(one, other, plain[one.end() : other.start()])}
    dated = {id(other): _on(one, other, today) for one, other in pairwise(found) if one in named}
    days, since = list[tuple[int, int, int]](), today
    for one in (one for one in found if one not in named):
        days.append(dated.get(id(one)) or _weekday(one, since if one["week"] else today) or _parts(one))
        with suppress(ValueError):  # `from Friday till Monday` ends behind that Friday
            since = _next(*days[-1], since) if days[-1][1] else since
    return [day for day, _ in groupby(days)]  # `Saturday, tomorrow,` is one day


def _on(week: re.Match[str], day: re.Match[str], today: date) -> tuple[int, int, int] | None:
    """The next such day of the month that is such a day of the week, `Monday the 30th`; None if it has its month."""
    year, month, number = _parts(day)
    if month:
        return None
    ahead = (today + timedelta(days=days) for days in range(_MOST_AHEAD))
    on = (one for one in ahead if one.day == number and one.weekday() == _WEEKDAY[week["week"]])
    return next(((one.year, one.month, one.day) for one in on), (year, month, number))


_MOST_AHEAD = 366


def _is_of_date(one: re.Match[str], other: re.Match[str], between: str) -> bool:
    """Whether a day of the week is that of the date which stands directly behind it: `Monday 7 December`."""
    of_month = other["week"] is None and other["near"] is None
    return one["week"] is not None and of_month and between.strip(" ,.") in ("", "the")


def _plain(text: str) -> str:
    """A text as days are looked for in it: in English, without the times of the day, which are no days."""
    text = _SHORT_DAYS.sub(lambda one: _IN_SHORT[one[0].lower()], text)
    return _OF_DAY.sub(" ", unaccented(in_english(_without_slashes(text))))


_IN_SHORT = {**BRIEF_DAYS, "mon": "monday"}
_GERMAN_DAY = rf"(?:{'|'.join(BRIEF_DAYS)})"
_SHORT_DAYS = re.compile(
    r"(?:(?<=-)|(?<=thru )|(?<=through )|(?<=till )|(?<=until )|(?<=from )|(?<=to ))mon\b"
    r"|\bmon(?=(?:-| to | thru | through | till | until )(?:tue|wed|thu|fri|sat|sun))"
    rf"|\b{_GERMAN_DAY}(?= ?(?:-|bis) ?{_GERMAN_DAY}\b)|(?<=\b{_GERMAN_DAY}-){_GERMAN_DAY}\b",
    re.IGNORECASE,
)
"""Days of the week by letters that are words elsewhere, where they can only be days."""


def _without_slashes(text: str) -> str:
    """A text with its days in figures as `20.12.`, if one of them can be only one day, `12/20/2026`, or the words
    around them are of a language that has the day first; two of a sentence are written alike.
    """
    return in_dots(text, day_first=_DAY_FIRST.search(text) is not None)


_DAY_FIRST = re.compile(
    r"\b(?:vom|von|bis|ab|seit|du|au|des|jusqu\w*|depuis|le|del|al|hasta|desde|dal)\b", re.IGNORECASE
)
_OF_DAY = re.compile(
    r"(?:,\s)?+(?:\bat\s)?+\b(?:(?:[01]?\d|2[0-3]):[0-5]\d|\d{1,2}(?:[:.][0-5]\d)?\s?(?:[ap]\.?m\b\.?|o'clock\b|uhr\b))"
    rf"|(?:,\s)?+\bat\s\d{{1,2}}\b(?!(?:st|nd|rd|th|\.)|\s(?:of\s)?{_NAMED})",
)


def _weekday(day: re.Match[str], today: date) -> tuple[int, int, int] | None:
    """The month and day of the next such day of the week, which begins a week anew behind another, or of today."""
    if day["near"] is not None:
        there = today + timedelta(days=_NEAR[day["near"]])
    elif day["week"] is None:
        return None
    elif day["later"] is not None:
        there = today + timedelta(days=_WEEKDAY[day["week"]] - today.weekday() + 7)
    else:
        there = today + timedelta(days=(_WEEKDAY[day["week"]] - today.weekday()) % 7)
    return 0, there.month, there.day


_NEAR = {"today": 0, "tomorrow": 1, "overmorrow": 2}


def _parts(day: re.Match[str]) -> tuple[int, int, int]:
    """Year, month and day; 0 for what is not said."""
    name = day["name"] or day["first"] or ""
    month = next((number for begins, number in _MONTH.items() if name.startswith(begins)), 0)
    month = month or int(day["m"] or day["month"] or 0)
    year = day["y"] or day["year"] or day["of"] or day["in"] or 0
    return int(year), month, int(day["d"] or day["day"] or day["only"] or day["last"])


def _next(year: int, month: int, day: int, after: date) -> date:
    """That day of the year, or without a year the first such day that is not before another. Raises ValueError."""
    this = date(year or after.year, month, day)
    return this if year or this >= after else date(after.year + 1, month, day)
