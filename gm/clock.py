"""The calendar of deadlines: durations and times as people write them, and when a phase is due. `now` is an argument.

Times are aware datetimes in UTC. A rule such as `18:00` in `Europe/Berlin` keeps its local time when daylight saving
time begins or ends.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from gm import patterns as re
from gm.errors import NotNow, NotUnderstood
from gm.feasts import with_dates
from gm.position import PhaseKind
from gm.time_words import in_english, unaccented

DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
EVERY_DAY = frozenset(range(7))

_UNITS = {"w": 7 * 86400, "d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(
    r"(\d{1,6})\s*(weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])[\s,]*(?:and\s+)?"
)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
COUNTS = {word: str(number) for number, word in enumerate(_NUMBERS, 1)} | {"a": "1", "an": "1"}
_COUNT = re.compile(rf"\b({'|'.join(COUNTS)})(?=\s+(?:week|day|hour|minute))")
_FEWEST_HOURS = 12
"""A smaller number without a unit can also be days."""
_LONGEST = timedelta(days=366)
_AHEAD = timedelta(days=2 * 366)
"""The longest time from now to a deadline."""
_YEARS = range(2000, 2200)
"""The years that every time zone can represent."""
_FAR = 800
"""The most days that are searched for one on which deadlines are allowed."""


@dataclass(frozen=True, slots=True)
class ClockRule:
    """When phases are due: a minimum time after the phase began, at a set time of day and on set weekdays if the game
    has such options.

    `days` counts Monday as 0; on `holidays` (first and last day, both included) there are no deadlines. `reminders` are
    how long before the deadline reminders are sent to those without orders, `grace` how long after it late orders are
    accepted, `absence` the longest time by which an absence may postpone a deadline.
    """

    zone: ZoneInfo
    movement: timedelta
    retreat: timedelta
    adjustment: timedelta
    at: time | None = None
    days: frozenset[int] = EVERY_DAY
    reminders: tuple[timedelta, ...] = ()
    grace: timedelta | None = None
    holidays: tuple[tuple[date, date], ...] = ()
    absence: timedelta | None = None

    def time_for(self, kind: PhaseKind) -> timedelta:
        """The least time that a phase of this kind has."""
        return {PhaseKind.RETREAT: self.retreat, PhaseKind.ADJUSTMENT: self.adjustment}.get(kind, self.movement)

    def due(self, kind: PhaseKind, now: datetime) -> datetime:
        """When a phase of this kind that begins now is due."""
        return self.next_allowed(now + self.time_for(kind))

    def next_allowed(self, earliest: datetime) -> datetime:
        """The first time from `earliest` on that is on an allowed day, at the game's time of day if it has one."""
        local = earliest.astimezone(self.zone)
        for ahead in range(_FAR):
            day = local.date() + timedelta(days=ahead)
            wall = self.at if self.at is not None else local.time()
            moment = datetime.combine(day, wall, self.zone).astimezone(UTC)
            if self.allows(day) and moment >= earliest.astimezone(UTC):
                return moment
        raise ValueError("a clock rule leaves a day on which deadlines fall")

    def allows(self, day: date) -> bool:
        """Whether deadlines are allowed on this day."""
        return day.weekday() in self.days and not self.is_holiday(day)

    def is_holiday(self, day: date) -> bool:
        """Whether this is one of the game's holidays."""
        return any(first <= day <= last for first, last in self.holidays)

    def in_holidays(self, due: datetime) -> bool:
        """Whether a moment is in one of them."""
        return self.is_holiday(due.astimezone(self.zone).date())

    def on_allowed_day(self, due: datetime) -> datetime:
        """A moment, or the first allowed one after a day on which there are no deadlines."""
        return due if self.allows(due.astimezone(self.zone).date()) else self.next_allowed(due)

    def whole_days(self, begins: datetime, ends: datetime) -> tuple[datetime, datetime]:
        """The days of the game's zone in which this time is, as moments in UTC."""
        last = (ends - timedelta(microseconds=1)).astimezone(self.zone).date()
        days = begins.astimezone(self.zone).date(), last + timedelta(days=1)
        first, end = (datetime.combine(day, time(), self.zone).astimezone(UTC) for day in days)
        return first, end

    def after_absences(self, due: datetime, absences: Sequence[tuple[datetime, datetime]]) -> datetime:
        """The deadline, postponed until after every absence that includes it, within the limit of the game's rule."""
        if self.absence is None:
            return due
        limit, moved = due + self.absence, due
        for begins, ends in sorted(absences):
            if begins <= moved < ends:
                moved = self.next_allowed(ends)
        return moved if moved <= limit else max(due, self.next_allowed(limit))


_MORE = re.compile(r"\b(?:more|extra|further|additional|longer)\b")
"""`12 hours more`"""


def parse_duration(text: str) -> timedelta:
    """Read a duration of at most a year: `24h`, `2 days`, `one day`, `1d 12h`, `90 minutes`; a number alone, from 12
    on, is hours, as on other judges. Raises NotUnderstood.
    """
    lowered = _COUNT.sub(lambda word: COUNTS[word[0]], _MORE.sub("", text.lower()).strip())
    if re.fullmatch(r"\d{1,2}", lowered) and 0 < int(lowered) < _FEWEST_HOURS:
        raise NotUnderstood(
            f"'{text}' can be hours or days.",
            f"Write {lowered}h or {lowered}d; a number alone is hours from 12 on: 24h.",
        )
    lowered += "h" if re.fullmatch(r"\d{1,5}", lowered) else ""
    seconds = sum(int(number) * _UNITS[unit[0]] for number, unit in _DURATION.findall(lowered))
    if not 0 < seconds <= _LONGEST.total_seconds() or _DURATION.sub("", lowered):
        raise NotUnderstood(
            f"'{text}' is not a length of time.", "Write it like 24h, 2 days, 1d 12h or 90 minutes (at most a year)."
        )
    return timedelta(seconds=seconds)


def parse_change(text: str) -> timedelta:
    """Read by how much something is to be longer: a duration, `-24h` if shorter. Raises NotUnderstood."""
    less = text.removeprefix("-")
    return parse_duration(less) * (1 if less == text else -1)


def write_duration(length: timedelta) -> str:
    """A length of time in whole minutes or more as `parse_duration` reads it, in its largest unit: `5d`, `36h`."""
    seconds = int(length.total_seconds())
    unit = next(unit for unit in "dhm" if seconds % _UNITS[unit] == 0 or unit == "m")
    return f"{seconds // _UNITS[unit]}{unit}"


_MOST_LEADS = 4


def parse_leads(text: str) -> tuple[timedelta, ...]:
    """Read how long before a deadline reminders are sent, the earliest reminder first: `48h,6h`. Raises
    NotUnderstood.
    """
    leads = sorted({parse_duration(part) for part in text.split(",")}, reverse=True)
    if len(leads) > _MOST_LEADS:
        raise NotUnderstood(f"'{text}' is more than {_MOST_LEADS} reminders.", "Write fewer, such as 48h,6h.")
    return tuple(leads)


def check_not_too_far(moment: datetime, now: datetime) -> datetime:
    """`moment`, if it is not too far in the future for a deadline. Raises NotUnderstood."""
    if moment - now > _AHEAD:
        raise NotUnderstood("That is more than two years away.", "Write an earlier moment.")
    return moment


def parse_zone(text: str) -> ZoneInfo:
    """A time zone by its IANA name, or as people write it: `Europe/Berlin`, `Berlin`, `New York`, `Germany`, `PST`,
    `UTC+2` (two hours ahead).

    Raises NotUnderstood.
    """
    if (offset := _OFFSET.fullmatch(text.strip())) is not None and int(offset["hours"]) <= _FARTHEST:
        return ZoneInfo(f"Etc/GMT{'-' if offset['sign'] == '+' else '+'}{int(offset['hours'])}")  # POSIX has it so
    if (usual := ABBREVIATED.get(text.strip().upper())) is not None:
        return ZoneInfo(usual)
    try:
        return ZoneInfo(text.strip())
    except (ZoneInfoNotFoundError, ValueError, OSError):
        word = "_".join(text.lower().removesuffix(" time").split())
    plain = unaccented(word)
    names = _zones().get(word) or _zones().get(plain) or _of_towns().get(plain, ())
    # Some places are listed twice under the same rules: America/Louisville, America/Kentucky/Louisville.
    rules = {tuple(datetime(2026, month, 1, tzinfo=ZoneInfo(name)).utcoffset() for month in (1, 7)) for name in names}
    if len(rules) == 1:
        return ZoneInfo(names[0])
    alike = (each for each in _zones() if each[:1] == word[:1])  # to compare all takes ten times as long
    near = names or [_zones()[each][0] for each in difflib.get_close_matches(word, tuple(alike), n=2)]
    hint = f"Did you mean {' or '.join(near)}?" if near else "Use a name such as Europe/Berlin, New York or UTC."
    raise NotUnderstood(f"'{text}' is not a time zone.", hint)


_OFFSET = re.compile(r"(?:UTC|GMT)?\s*(?P<sign>[+-])\s*(?P<hours>\d{1,2})(?::?00)?", re.IGNORECASE)
_FARTHEST = 12  # hours; of both signs
ABBREVIATED = {
    **dict.fromkeys(("EST", "EDT", "ET", "EASTERN"), "America/New_York"),
    **dict.fromkeys(("CDT", "CT"), "America/Chicago"),
    **dict.fromkeys(("MST", "MDT", "MT"), "America/Denver"),
    **dict.fromkeys(("PST", "PDT", "PT", "PACIFIC"), "America/Los_Angeles"),
    **dict.fromkeys(("CET", "CEST", "MEZ", "MESZ", "GERMAN", "DEUTSCH", "DEUTSCHLAND"), "Europe/Berlin"),
    **dict.fromkeys(("EET", "EEST"), "Europe/Helsinki"),
    **dict.fromkeys(("WET",), "Europe/Lisbon"),
    **dict.fromkeys(("BST", "UK", "ENGLAND", "GREAT BRITAIN"), "Europe/London"),
    **dict.fromkeys(("AEST", "AEDT"), "Australia/Sydney"),
    **dict.fromkeys(("JST",), "Asia/Tokyo"),
    **dict.fromkeys(("Z", "ZULU"), "UTC"),
}
"""What people mean by the letters on their clocks, with its summer time; others (CST, IST) mean several zones."""


_TOWNS = {
    "Europe/Vienna": "wien vienne viena osterreich autriche graz linz salzburg innsbruck klagenfurt",
    "Europe/Zurich": "genf geneva geneve bern berne basel bale lausanne schweiz suisse",
    "Europe/Berlin": "munchen munich koln cologne hamburg frankfurt stuttgart dusseldorf leipzig dresden hannover"
    " allemagne",
    "Europe/Paris": "lyon marseille toulouse lille bordeaux nantes strasbourg strassburg frankreich",
    "Europe/Brussels": "brussel bruxelles antwerpen belgien belgique",
    "Europe/London": "londres edinburgh manchester birmingham glasgow cardiff",
    "Europe/Rome": "rom roma mailand milan milano neapel naples turin italien italie",
    "Europe/Madrid": "barcelona barcelone sevilla spanien espagne",
    "Europe/Lisbon": "lissabon lisbonne lisboa porto",
    "Europe/Amsterdam": "rotterdam niederlande",
    "Europe/Copenhagen": "kopenhagen copenhague danemark",
    "Europe/Warsaw": "warschau varsovie krakau krakow polen pologne",
    "Europe/Prague": "prag tschechien",
    "Europe/Athens": "athen athenes griechenland",
    "Europe/Moscow": "moskau moscou",
    "Europe/Kyiv": "kiew",
    "Europe/Bucharest": "bukarest bucarest",
    "Europe/Istanbul": "turkei turquie ankara",
    "America/New_York": "boston washington philadelphia atlanta miami",
    "America/Los_Angeles": "seattle san_francisco",
}
"""Cities and countries that the time zones are not called by, in English, German and French, without accents."""


@cache
def _of_towns() -> Mapping[str, tuple[str, ...]]:
    return {town: (zone,) for zone, towns in _TOWNS.items() for town in towns.split()}


@cache
def _zones() -> Mapping[str, tuple[str, ...]]:
    """The names of time zones, the shortest first, by name and by place in lower case: `europe/berlin`, `berlin`."""
    found: dict[str, tuple[str, ...]] = {}
    for name in sorted(available_timezones(), key=lambda name: (len(name), name)):
        place = name.lower().rpartition("/")[2]
        found[place] = (*found.get(place, ()), name)
    return _by_country() | found | {name.lower(): (name,) for name in available_timezones()}


def _by_country() -> dict[str, tuple[str, ...]]:
    """The zones of each country by its English name, from the tables beside the IANA zones."""
    tables = files("tzdata.zoneinfo")
    rows = [line.split("\t") for line in (tables / "zone.tab").read_text("utf-8").splitlines() if line[:1] != "#"]
    names = [line.split("\t") for line in (tables / "iso3166.tab").read_text("utf-8").splitlines() if line[:1] != "#"]
    return {"_".join(name.lower().split()): tuple(row[2] for row in rows if row[0] == code) for code, name in names}


def parse_time(text: str) -> time:
    """A time of day: `18:00`, `6pm`, `18h`, `noon`. Raises NotUnderstood."""
    match = _WALL.fullmatch("12:00" if text.strip().lower() == "noon" else text.strip())
    half = match["half"].lower() if match is not None and match["half"] else ""
    hour = int(match["hour"]) if match is not None else 24
    if match is None or hour > (12 if half else 23) or (half and not hour):
        raise NotUnderstood(f"'{text}' is not a time of day.", "Write it like 18:00.")
    return time(
        hour % 12 + (12 if half == "p" else 0) if half else hour, int(match["minute"] or 0), int(match["second"] or 0)
    )


_WALL = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?)?(?:(?P<half>[ap])m|h|(?<=[:.]\d\d))",
    re.IGNORECASE,
)


_HOURS = re.compile(r"\d{1,2}h", re.IGNORECASE)
"""Alone, hours of the day or hours from now: from 24 on, from now."""
_NO_HOUR = 24


def next_time_of_day(wall: time, zone: tzinfo, now: datetime) -> datetime:
    """When a clock in this zone next shows this time, once a day: in the hour that is repeated in autumn the first
    time, and in the one that is left out in spring by as much later.
    """
    today = now.astimezone(zone).date()
    moments = (datetime.combine(today + timedelta(days=ahead), wall, zone).astimezone(UTC) for ahead in range(3))
    return next(moment for moment in moments if moment > now)


def parse_days(text: str) -> frozenset[int]:
    """Days of the week: `mon-fri`, `mon,wed,sat`, `all`. Raises NotUnderstood."""
    lowered = text.strip().lower()
    if lowered in ("all", "every", "daily"):
        return EVERY_DAY
    days: set[int] = set()
    for part in re.split(r"[,\s]+", lowered):
        first, dash, last = part.partition("-")
        if first[:3] not in DAY_NAMES or (dash and last[:3] not in DAY_NAMES):
            raise NotUnderstood(f"'{part}' is not a day of the week.", "Write days like mon-fri or mon,wed,sat.")
        start = DAY_NAMES.index(first[:3])
        end = DAY_NAMES.index(last[:3]) if dash else start
        days.update(day % 7 for day in range(start, end + 1 if end >= start else end + 8))
    return frozenset(days)


def write_days(days: Iterable[int]) -> str:
    """Days of the week as they are read: three or more in a row as the first and the last, `mon-fri`."""
    found = list[list[str]]()
    before = None
    for day in sorted(days):
        if before is None or day != before + 1:
            found.append([])
        found[-1].append(DAY_NAMES[day])
        before = day
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) >= _RUN else ",".join(run) for run in found)


_RUN = 3


def parse_date(text: str, today: date | None = None) -> date:
    """A day of the calendar: `2026-12-24`, `24.12.2026`, `24 Dec 2026`; with `today` also `24 Dec`, `next Friday`.

    Raises NotUnderstood.
    """
    plain = " ".join(text.replace(",", " ").split())
    plain = with_dates(plain, today) if today is not None else plain
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y"):
        try:
            day = datetime.strptime(plain, form).date()  # noqa: DTZ007 (only its date is used)
        except ValueError:
            continue
        if day.year not in _YEARS:
            raise NotUnderstood(f"'{text.strip()}' is not a date near enough.", "Write a year like 2026.")
        return day
    found = _day_in_words(plain, today) if today is not None else None
    if found is not None:
        return found
    ways = _ways(plain, today)
    if len(ways) == 1:
        return ways[0]
    if ways:
        raise TwoDates(f"'{text.strip()}' can be two dates.", f"Write {ways[0]} or {ways[1]}.")
    raise NotUnderstood(f"'{text.strip()}' is not a date.", "Write it like 2026-12-24.")


class TwoDates(NotUnderstood):
    """A date that can be two, both of which are to come."""


_SLASHED = re.compile(r"(?P<first>\d{1,2})/(?P<second>\d{1,2})(?:/(?P<year>(?:20)?\d\d))?")
_DOTTED = re.compile(r"(?P<first>\d{1,2})\.(?P<second>\d{1,2})\.?")


def _ways(text: str, today: date | None) -> list[date]:
    """The days that `5/6/2027` can be, for a European and for an American, and the one that `5.6.` is; with `today`
    those that are to come, if any of them are. Without a year it is the next such day, and none that is half a year
    behind the other.
    """
    found = _SLASHED.fullmatch(text) or (_DOTTED.fullmatch(text) if today is not None else None)
    if found is None or (today is None and found["year"] is None):
        return []
    first, second, year = int(found["first"]), int(found["second"]), found.groupdict().get("year")
    pairs = {(first, second), (second, first)} if "/" in text else {(first, second)}
    years = [2000 + int(year) % 100] if year else [today.year, today.year + 1] if today is not None else []
    days = [day for numbers in sorted(pairs) if (day := _next_day(*numbers, years, today)) is not None]
    coming = [day for day in sorted(days) if today is None or day >= today]
    return [day for day in coming if year or day - coming[0] < _HALF_A_YEAR] or days


_HALF_A_YEAR = timedelta(days=183)


def _next_day(day: int, month: int, years: Sequence[int], today: date | None) -> date | None:
    """The day of this month in the first of these years in which there is one that is not past; else the last that
    there is.
    """
    found: date | None = None
    for year in years:
        with suppress(ValueError):
            found = date(year, month, day)
            if today is None or found >= today - (_RECENT if len(years) > 1 else timedelta()):
                return found
    return found


_WITHIN_A_MONTH = re.compile(
    r"\A(?=.*[^\W\d_]{3})(?P<month>(?:[^\W\d_]{3,9}\.?\s+)?)(?P<first>\d{1,2})\s*[-–]\s*(?P<last>\d{1,2})"
    r"(?P<rest>(?:\.?\s+[^\W\d_]{3,9}\.?(?:\s+\d{4})?)?)\Z"
)
"""`24-27 Dec`, `Dec 24-27`."""


_UNTIL = re.compile(r"\A(?:from\s+(?:now|today)\s+)?(?:to|until|till)\s+", re.IGNORECASE)
"""A range of days that begins today."""


def parse_span(text: str, today: date | None = None) -> tuple[date, date]:
    """Read a range of days, both included: `2026-12-24..2027-01-02`, `2026-12-24 to 2027-01-02`, or one day; with
    `today`, dates may leave out the year: `24 Dec - 2 Jan`, and the first of them: `until Monday`. Raises
    NotUnderstood.
    """
    text = _WITHIN_A_MONTH.sub(r"\g<month>\g<first>\g<rest> to \g<month>\g<last>\g<rest>", text.strip())
    text = _UNTIL.sub(f"{today} to ", text) if today is not None else text
    first, _, last = _TO.sub("\n", " ".join(text.split())).partition("\n")
    if last:
        first, last = in_dots(f"{first}\n{last}").split("\n", 1)
    begins = parse_date(first, today)
    ends = parse_date(last, today and max(today, begins)) if last else begins
    if ends < begins:
        raise NotUnderstood(f"'{text.strip()}' ends before it begins.", "Write the earlier date first.")
    if ends - begins > _LONGEST:
        raise NotUnderstood(f"'{text.strip()}' is longer than a year.", "Write a shorter time.")
    return begins, ends


def in_dots(text: str, *, day_first: bool = False) -> str:
    """A text with its days in slashes as `24.12.2026`, where one of them can be only one day, `12/24/2026`, or it is
    known that the day stands first: the others are written alike.
    """
    pairs = [(int(one["first"]), int(one["second"])) for one in _IN_SLASHES.finditer(text)]
    day_first = day_first or any(one > _MONTHS for one, _ in pairs)
    if not pairs or day_first is any(other > _MONTHS for _, other in pairs):
        return text
    form = r"\g<first>.\g<second>." if day_first else r"\g<second>.\g<first>."
    return _IN_SLASHES.sub(lambda one: f"{one.expand(form)}{_year(one)}", text)


def with_sure_days(text: str, today: date) -> str:
    """A text with each of its days in slashes that can be only one day as `2026-12-24`."""
    return _IN_SLASHES.sub(lambda one: str(ways[0]) if len(ways := _ways(one[0], today)) == 1 else one[0], text)


def _year(day: re.Match[str]) -> str:
    return f"{2000 + int(day['year']) % 100}" if day["year"] else ""


_IN_SLASHES = re.compile(rf"(?<![\w/]){_SLASHED.pattern}(?![\w/])")
_MONTHS = 12


_TO = re.compile(
    r" (?:to|until|till|-) | ?(?:\.\.+|–) ?"
    r"|(?:(?<=\d\.)|(?<=/\d\d)|(?<=/\d{4})|(?<=\d\.\d{4}))-(?=\d)",
    re.IGNORECASE,
)
"""What stands between two days; a bare dash where their own signs are others: `11.12.-13.12.`"""


def parse_days_off(text: str, now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """The beginning and the end, in UTC, of whole days in this zone. Raises NotUnderstood, or NotNow: they are over."""
    first, last = parse_span(text, now.astimezone(zone).date())
    begins, ends = (datetime.combine(day, time(), zone).astimezone(UTC) for day in (first, last + timedelta(days=1)))
    if ends <= now:
        raise NotNow(f"{text} is already over.", "Write dates in the future.")
    return begins, ends


def dated(text: str, today: date) -> str:
    """Ranges of days as they are kept: `24 Dec - 2 Jan` with its years. What is none stays as it is."""
    try:
        spans = parse_holidays(text, today)
    except NotUnderstood:
        return text
    return write_spans(spans)


def write_spans(spans: Iterable[tuple[date, date]]) -> str:
    """Ranges of days as they are kept."""
    return ",".join(f"{first}..{last}" if first != last else f"{first}" for first, last in spans)


def days_joined(spans: Iterable[tuple[date, date]], taken: Iterable[tuple[date, date]] = ()) -> list[tuple[date, date]]:
    """The days of these ranges but for those that are taken out of them, as ranges of days in order."""
    left = sorted({*_each_day(spans)}.difference(_each_day(taken)))
    found = list[tuple[date, date]]()
    for day in left:
        follows = bool(found) and found[-1][1] == day - timedelta(days=1)
        found[-1:] = [(found[-1][0], day)] if follows else [*found[-1:], (day, day)]
    return found


def _each_day(spans: Iterable[tuple[date, date]]) -> Iterator[date]:
    for first, last in spans:
        yield from (first + timedelta(days=ahead) for ahead in range((last - first).days + 1))


def parse_holidays(text: str, today: date | None = None) -> tuple[tuple[date, date], ...]:
    """Read ranges of days separated by commas: `2026-05-01, 2026-12-24..2027-01-02`; with `today` as `parse_span` does.
    Raises NotUnderstood.
    """
    spans = tuple(parse_span(part, today) for part in text.split(",") if part.strip())
    if sum((last - first).days + 1 for first, last in spans) > _LONGEST.days:
        raise NotUnderstood(f"'{text}' leaves too few days to play on.", "Holidays may take a year together.")
    return spans


def parse_when(text: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Read a point in time: `2026-12-01 18:00`, `tomorrow 18:00`, `Friday 18:00`, `24 Dec, 6 pm`, `18:00`, `in 24h`; a
    time zone may follow.

    Without a time zone it is local time in `zone`. Raises NotUnderstood.
    """
    words = _SIX_PM.sub(r"\1m", _ISO.sub(" ", _AT_NOON.sub("", in_english(text)).replace(",", " "))).split()
    if words and words[0].lower() in ("in", "+"):
        return now + parse_duration(" ".join(words[1:]))
    words, zone = _without_zone(words, zone)
    here = now.astimezone(zone)
    times = [word for word in words if _WALL.fullmatch(word) or word.lower() == "noon"]
    times = [word for word in times if len(times) == 1 or not _DOTTED.fullmatch(word)]
    named = " ".join(word for word in words if word not in times and word.lower() not in _BEFORE_DAYS)
    if not named and (days := _ways(" ".join(times), here.date())):
        raise TwoDates(f"'{text}' can be a time or a day.", f"Write {times[0].replace('.', ':')} or {days[0]}.")
    if _HOURS.fullmatch(hours := " ".join(words)):
        if int(hours[:-1]) >= _NO_HOUR:
            return now + parse_duration(hours)
        raise TwoDates(f"'{text}' can be a time of day or a time from now.", f"Write {words[0][:-1]}:00 or in {text}.")
    try:
        (wall,) = map(parse_time, times)
        day = parse_date(named, here.date()) if named else here.date()
    except TwoDates:
        raise
    except (ValueError, NotUnderstood):
        raise NotUnderstood(
            _no_moment(text, named, here.date(), timed=bool(times)),
            "Write it like 2026-12-01 18:00, Friday 18:00, tomorrow 18:00 or in 24h; a zone may follow.",
        ) from None
    if abs(day - here.date()) > _AHEAD:
        raise NotUnderstood(f"'{text}' is more than two years away.", "Write an earlier moment.")
    moment = datetime.combine(day, wall, zone)
    if moment <= here and day == here.date() and (not named or _DAY_NAMED.fullmatch(named)):
        moment = datetime.combine(day + timedelta(days=7 if named else 1), wall, zone)
    return moment.astimezone(UTC)


_BEFORE_DAYS = ("at", "on", "to", "until", "till", "by", "for")
_IN_NUMBERS = re.compile(r"2[01]\d\d-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.2[01]\d\d")


def _no_moment(text: str, named: str, today: date, *, timed: bool) -> str:
    """Why words are no point in time; `named` are those for the day, `timed`: there are others for the time of day."""
    try:
        day = parse_date(named, today)
    except NotUnderstood:
        return f"There is no day {named}." if _IN_NUMBERS.fullmatch(named) else f"'{text}' is not a moment."
    if timed:
        return f"'{text}' is not a moment."
    return f"'{text}' is past." if day < today else f"'{text}' has no time of day."


def _without_zone(words: list[str], zone: ZoneInfo) -> tuple[list[str], ZoneInfo]:
    """The words before a time zone at their end, and that zone; `zone` if none is named."""
    for length in (3, 2, 1):
        name = "_".join(words[-length:]).lower().removesuffix("_time")
        if len(words) > length and (
            name in _zones() or name.upper() in ABBREVIATED or (length == 1 and re.search("[a-z]/", name))
        ):
            return words[:-length], parse_zone(" ".join(words[-length:]))
    return words, zone


_ISO = re.compile(r"(?<=\d)t(?=\d)", re.IGNORECASE)
_AT_NOON = re.compile(r"\b12(?::00)? ?(?=noon\b)", re.IGNORECASE)
_SIX_PM = re.compile(r"(?<=\d)\s*([ap])\.?m\b\.?", re.IGNORECASE)
_DAY_NAMED = re.compile(rf"({'|'.join(DAY_NAMES)})[a-z]*", re.IGNORECASE)
_DAY_WORDS = re.compile(
    rf"\D*+\d.*[a-z.]|[^a-z]*+[a-z].*\d|.*(?:today|morrow|yesterday|\b(?:{'|'.join(DAY_NAMES)}))", re.IGNORECASE
)
"""What no number alone and no month alone does."""
_UNSURE = re.compile(r"(?<!\d)\d{1,2}[/-]\d{1,2}(?!\d)|\d[:h]")
"""`3/4` is March 4th to some, and April 3rd to others; a time is no day."""
_LONGEST_TEXT = 60
_RECENT = timedelta(days=65)
"""How long ago a day without a year can be: it has just passed, and is not the one of the next year."""
_PAST = timedelta(days=300)
"""A day so far ahead, written without a year, has just passed."""


def _day_in_words(text: str, today: date) -> date | None:
    """The day that English words mean, as dateparser reads them, the next one where they leave open the year or week;
    None if they mean none, or not surely one.
    """
    import dateparser  # a quarter of a second, which few mails and no adjudication need

    if _DAY_NAMED.fullmatch(text) and text[:3].lower() == DAY_NAMES[today.weekday()]:
        return today
    if text.lower() == "overmorrow":
        return today + timedelta(days=2)
    if len(text) > _LONGEST_TEXT or _UNSURE.search(text) or not _DAY_WORDS.match(text):
        return None
    settings = {
        "RELATIVE_BASE": datetime.combine(today, time()),
        "PREFER_DATES_FROM": "future",
        "DATE_ORDER": "DMY",
    }
    found = dateparser.parse(text, languages=["en"], settings=settings)
    if found is None or found.tzinfo is not None or found.year not in _YEARS:
        return None
    day: date = found.date()
    numbers = set(map(int, re.findall(r"(?<!\d)\d{1,2}(?!\d)", text)))
    weekdays = {name[:3].lower() for name in _DAY_NAMED.findall(text)}
    if not re.search(r"\d{4}", text) and day - today > _PAST:
        day = day.replace(year=day.year - 1) if (day.month, day.day) != (2, 29) else day
    return day if numbers <= {day.day, day.month} and weekdays <= {DAY_NAMES[day.weekday()]} else None
