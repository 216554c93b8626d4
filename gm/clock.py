"""The calendar of deadlines: durations and times as people write them, and when a phase is due. `now` is an argument.

Times are aware datetimes in UTC. A rule such as `18:00` in `Europe/Berlin` keeps its local time when daylight saving
time begins or ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gm.errors import NotUnderstood
from gm.position import PhaseKind

DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
EVERY_DAY = frozenset(range(7))

_UNITS = {"w": 7 * 86400, "d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(r"(\d{1,6})\s*(weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])[\s,]*")
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

    `days` counts Monday as 0; on `holidays` (first and last day, both included) there are no deadlines. `reminder` is
    how long before the deadline a reminder is sent to those without orders, `grace` how long after it late orders are
    accepted, `absence` the longest time by which an absence may postpone a deadline.
    """

    zone: ZoneInfo
    movement: timedelta
    retreat: timedelta
    adjustment: timedelta
    at: time | None = None
    days: frozenset[int] = EVERY_DAY
    reminder: timedelta | None = None
    grace: timedelta | None = None
    holidays: tuple[tuple[date, date], ...] = ()
    absence: timedelta | None = None

    def due(self, kind: PhaseKind, now: datetime) -> datetime:
        """When a phase of this kind that begins now is due."""
        wait = {PhaseKind.RETREAT: self.retreat, PhaseKind.ADJUSTMENT: self.adjustment}.get(kind, self.movement)
        return self.next_allowed(now + wait)

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
        return day.weekday() in self.days and not any(first <= day <= last for first, last in self.holidays)

    def after_absences(self, due: datetime, absences: Sequence[tuple[datetime, datetime]]) -> datetime:
        """The deadline, postponed until after every absence that includes it, within the limit of the game's rule."""
        if self.absence is None:
            return due
        limit, moved = due + self.absence, due
        for begins, ends in sorted(absences):
            if begins <= moved < ends:
                moved = self.next_allowed(ends)
        return moved if moved <= limit else max(due, self.next_allowed(limit))


def parse_duration(text: str) -> timedelta:
    """Read a duration of at most a year: `24h`, `2 days`, `1d 12h`, `90 minutes`. Raises NotUnderstood."""
    lowered = text.strip().lower()
    seconds = sum(int(number) * _UNITS[unit[0]] for number, unit in _DURATION.findall(lowered))
    if not 0 < seconds <= _LONGEST.total_seconds() or _DURATION.sub("", lowered):
        raise NotUnderstood(
            f"'{text}' is not a length of time.", "Write it like 24h, 2 days, 1d 12h or 90 minutes (at most a year)."
        )
    return timedelta(seconds=seconds)


def check_not_too_far(moment: datetime, now: datetime) -> datetime:
    """`moment`, if it is not too far in the future for a deadline. Raises NotUnderstood."""
    if moment - now > _AHEAD:
        raise NotUnderstood("That is more than two years away.", "Write an earlier moment.")
    return moment


def parse_zone(text: str) -> ZoneInfo:
    """A time zone by its IANA name, `Europe/Berlin`. Raises NotUnderstood."""
    try:
        return ZoneInfo(text.strip())
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise NotUnderstood(
            f"'{text}' is not a time zone.", "Use a name such as Europe/Berlin, America/New_York or UTC."
        ) from None


def parse_time(text: str) -> time:
    """A time of day, `18:00`. Raises NotUnderstood."""
    match = re.fullmatch(r"(\d{1,2})[:.](\d{2})", text.strip())
    if match is None or int(match[1]) > 23 or int(match[2]) > 59:
        raise NotUnderstood(f"'{text}' is not a time of day.", "Write it like 18:00.")
    return time(int(match[1]), int(match[2]))


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


def parse_date(text: str) -> date:
    """A day of the calendar: `2026-12-24`, `24.12.2026`, `24 Dec 2026`. Raises NotUnderstood."""
    plain = " ".join(text.replace(",", " ").split())
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y"):
        try:
            day = datetime.strptime(plain, form).date()  # noqa: DTZ007 (only its date is used)
        except ValueError:
            continue
        if day.year not in _YEARS:
            raise NotUnderstood(f"'{text.strip()}' is not a date near enough.", "Write a year like 2026.")
        return day
    raise NotUnderstood(f"'{text.strip()}' is not a date.", "Write it like 2026-12-24.")


def parse_span(text: str) -> tuple[date, date]:
    """Read a range of days, both included: `2026-12-24..2027-01-02`, `2026-12-24 to 2027-01-02`, or one day. Raises
    NotUnderstood.
    """
    first, _, last = re.sub(r"\s+(?:to|until|till|-)\s+|\s*(?:\.\.+|–)\s*", "\n", text.strip(), flags=re.I).partition(
        "\n"
    )
    begins, ends = parse_date(first), parse_date(last or first)
    if ends < begins:
        raise NotUnderstood(f"'{text.strip()}' ends before it begins.", "Write the earlier date first.")
    if ends - begins > _LONGEST:
        raise NotUnderstood(f"'{text.strip()}' is longer than a year.", "Write a shorter time.")
    return begins, ends


def parse_holidays(text: str) -> tuple[tuple[date, date], ...]:
    """Read ranges of days separated by commas: `2026-05-01, 2026-12-24..2027-01-02`. Raises NotUnderstood."""
    spans = tuple(parse_span(part) for part in text.split(",") if part.strip())
    if sum((last - first).days + 1 for first, last in spans) > _LONGEST.days:
        raise NotUnderstood(f"'{text}' leaves too few days to play on.", "Holidays may take a year together.")
    return spans


def parse_when(text: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Read a point in time: `2026-12-01 18:00`, `tomorrow 18:00`, `Friday 18:00`, `18:00`, `in 24h`; a time zone may
    follow.

    Without a time zone it is local time in `zone`. Raises NotUnderstood.
    """
    words = text.split()
    if words and words[0].lower() in ("in", "+"):
        return now + parse_duration(" ".join(words[1:]))
    if len(words) > 1 and (words[-1].upper() in ("UTC", "GMT") or "/" in words[-1]):
        zone = parse_zone(words.pop().replace("GMT", "UTC"))
    here = now.astimezone(zone)
    try:
        day, wall = _day_and_time(words, here)
    except ValueError:
        raise NotUnderstood(
            f"'{text}' is not a moment.",
            "Write it like 2026-12-01 18:00, Friday 18:00, tomorrow 18:00 or in 24h; a zone may follow.",
        ) from None
    if abs(day.date() - here.date()) > _AHEAD:
        raise NotUnderstood(f"'{text}' is more than two years away.", "Write an earlier moment.")
    moment = datetime.combine(day, wall, zone)
    if len(words) == 1 and moment <= here:
        moment = datetime.combine(day + timedelta(days=1), wall, zone)
    return moment.astimezone(UTC)


def _day_and_time(words: list[str], here: datetime) -> tuple[datetime, time]:
    """The day (any time on it) and the time of day that the words name. Raises ValueError."""
    if not 1 <= len(words) <= 2:
        raise ValueError
    if len(words) == 1:
        if "T" in words[0].upper() and "-" in words[0]:
            whole = datetime.fromisoformat(words[0])
            if whole.tzinfo is not None:
                raise ValueError
            return whole, whole.time()
        return here, parse_time(words[0])
    name, wall = words[0].lower().rstrip(","), parse_time(words[1])
    if name in ("today", "tomorrow"):
        return here + timedelta(days=name == "tomorrow"), wall
    if name[:3] in DAY_NAMES:
        ahead = (DAY_NAMES.index(name[:3]) - here.weekday()) % 7
        if ahead == 0 and wall <= here.time():
            ahead = 7
        return here + timedelta(days=ahead), wall
    return datetime.strptime(name, "%Y-%m-%d"), wall  # noqa: DTZ007 (only its date is used)
