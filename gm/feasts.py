"""Days by the names of feasts, which are on the same days for all who name them so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from gm import patterns as re

_Feast = Callable[[int], tuple[date, date, date]]
"""The first day of a feast in a year, the day that has its name, and the last."""


def with_dates(text: str, today: date) -> str:
    """A text with the next dates of the feasts that it names: `until Easter Monday`; of those of several days all,
    `over Christmas`, or the day that has the name, and behind `after` the next day. The only day of a text, if it has
    no month, is the next such: `until the 12th`.
    """
    text = _FEAST.sub(lambda found: _as_date(found, today), text)
    numbers = [*_NUMBERED.finditer(text)]
    if len(numbers) != 1 or _MONTH.search(text):
        return text
    ahead = (today + timedelta(days=days) for days in range(_LONGEST_MONTHS))
    next_one = next((f"{one:%d %B %Y}" for one in ahead if one.day == int(numbers[0]["day"])), numbers[0][0])
    return f"{text[: numbers[0].start()]}{next_one}{text[numbers[0].end() :]}"


_NUMBERED = re.compile(
    r"\b(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)\b"
    r"(?! (?:hour|day|week|month|time|turn|move|phase|season|player|cent|game|year|place|power|report|exten|deadline))"
)
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\b|\d{4}|\d[./]\d",
    re.IGNORECASE,
)
_LONGEST_MONTHS = 62
"""So many days ahead each number of a month comes once more."""


def without_feasts(text: str) -> str:
    """A text without the names of feasts."""
    return _FEAST.sub(" ", text)


def _as_date(found: re.Match[str], today: date) -> str:
    lead, after = found["lead"] or "", found["after"]
    feast = next(feast for name, feast in _BY_NAME if name.fullmatch(found["feast"]))
    first, day, last = next(days for year in (today.year, today.year + 1) if (days := feast(year))[2] >= today)
    if after:
        until = "until " if lead.lower().split()[:1] not in ([], ["on"]) else "after "
        return f"{until if lead else after}{last + timedelta(days=1)}"
    if _OVER.fullmatch(lead.strip()) and first < last:
        return f"from {first} to {last}"
    return f"{lead}{day}"


def _easter(year: int) -> date:
    """Easter Sunday (Butcher's algorithm)."""
    century, of_century = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (of_century // 4) - moon - of_century % 4) % 7
    late = (year % 19 + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _by_easter(first: int, day: int | None = None, last: int | None = None) -> _Feast:
    """A feast that is so many days behind Easter Sunday: its first day, the one that has its name, and its last."""
    day, last = first if day is None else day, first if last is None else last

    def days(year: int) -> tuple[date, date, date]:
        begin, named, end = (_easter(year) + timedelta(days=days) for days in (first, day, last))
        return begin, named, end

    return days


def _each_year(month: int, day: int, before: int = 0, behind: int = 0) -> _Feast:
    """A feast on a day of the year, with so many days before and behind it."""

    def days(year: int) -> tuple[date, date, date]:
        named = date(year, month, day)
        return named - timedelta(days=before), named, named + timedelta(days=behind)

    return days


_FEASTS: dict[str, _Feast] = {
    r"good friday|karfreitag|vendredi saint": _by_easter(-2),
    r"easter sunday|ostersonntag": _by_easter(0),
    r"easter monday|ostermontag|lundi de p[aâ]ques": _by_easter(1),
    r"ascension(?: day)?|(?:christi )?himmelfahrt": _by_easter(39),
    r"whit ?sunday|pfingstsonntag": _by_easter(49),
    r"whit ?monday|pfingstmontag|lundi de pentec[oô]te": _by_easter(50),
    r"easter|ostern|p[aâ]ques": _by_easter(-2, 0, 1),
    r"whitsun|pentecost|pfingsten|pentec[oô]te": _by_easter(48, 49, 50),
    r"christmas eve|heilig(?:er )?abend": _each_year(12, 24),
    r"christmas day": _each_year(12, 25),
    r"boxing day": _each_year(12, 26),
    r"christmas|xmas|weihnachten|no[eë]l": _each_year(12, 25, 1, 1),
    r"new year['’]?s eve|silvester": _each_year(12, 31),
    r"new year['’]?s day|neujahr(?:stag)?": _each_year(1, 1),
    r"new year(?:['’]?s)?|jahreswechsel|nouvel an": _each_year(1, 1, 1),
    r"epiphany|dreik[oö]nig\w*": _each_year(1, 6),
    r"halloween": _each_year(10, 31),
}
"""The feasts that are on the same days for all who name them so; of names that begin alike the longer one first."""
_BY_NAME = tuple((re.compile(name, re.IGNORECASE), feast) for name, feast in _FEASTS.items())
_FEAST = re.compile(
    r"(?P<lead>\b(?:until|till|over|during|through(?:out)?|to|by|bis(?: zu[mr]?)?|über|jusqu['’]à|on|for)[ ]"
    r"(?:the[ ])?)?"
    r"(?P<after>\b(?:after|nach|après)[ ](?:the[ ])?)?"
    rf"\b(?P<feast>{'|'.join(_FEASTS)})(?![\w-])(?:[ ](?:day|holidays?|days)\b)?",
    re.IGNORECASE,
)
_OVER = re.compile(r"(?:over|during|through(?:out)?|über|for)(?: the)?", re.IGNORECASE)
