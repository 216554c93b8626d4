"""From views to mail bodies: every kind of mail as plain text and as HTML, from the same values. This module has the
words that all of them use: times in the reader's zone, lists, counts, and lines that fit a plain mail client.

The server fills a context (`game_mails`, `answers`) and calls `render.render`; nothing here knows the store, the clock
or the format of mails. What many readers share is a separate part (`bulletins`), rendered once. `explain` words
outcomes, without a template.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache

from gm import patterns as re
from gm.position import Phase

WIDTH = 72
"""The longest line of a text part, in characters."""

_TIE = "\ue000"
_BOUND = re.compile(r"\b[AF] (?=[A-Z][a-z]{2}\b)|\b\d\d:\d\d (?=[A-Z])")

_WIDE = (
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\U0001f300-\U0001faff]"
)
"""What takes two columns (Unicode, UAX 11); a line may end behind it."""
_BLANK, _FILL = "\ue001", "\ue002"
_CLOSED = re.compile(rf"({_WIDE})(?=[、。，．：；？！」』）】〉》〕])")
_BEHIND_WIDE = re.compile(rf"({_WIDE})(?!{_FILL})( ?)")

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def in_groups(digits: str) -> str:
    """Hexadecimal digits in groups of 16. In one piece filters of spam take them for a number that tracks a reader."""
    return " ".join(textwrap.wrap(digits, 16))


def moment(when: datetime, zone: tzinfo) -> str:
    """A time in a zone, for a subject: `Tue 3 Dec 18:00 CET`."""
    here = when.astimezone(zone)
    return f"{day(here)} {here:%H:%M} {zone_name(here)}"


def full_moment(when: datetime, zone: tzinfo) -> str:
    """A time in a zone with its year, and in UTC: `Tue 3 Dec 2030, 18:00 CET (17:00 UTC)`."""
    here, universal = when.astimezone(zone), when.astimezone(UTC)
    text = f"{day(here)} {here.year}, {here:%H:%M} {zone_name(here)}"
    if here.utcoffset() == timedelta(0):
        return text
    other_day = f"{day(universal)} " if universal.date() != here.date() else ""
    return f"{text} ({other_day}{universal:%H:%M} UTC)"


def day(when: datetime) -> str:
    """A day, as it is in the zone of the time: `Tue 3 Dec`."""
    return f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}"


def zone_name(when: datetime) -> str:
    """The zone's own abbreviation, or the offset from UTC if its abbreviation has only digits (`-03`)."""
    name = when.tzname() or ""
    if name.isalpha():
        return name
    minutes = int((when.utcoffset() or timedelta()).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


def span(length: timedelta) -> str:
    """A duration in round numbers: `3 days`, `24 hours`, `40 minutes`."""
    seconds = round(length.total_seconds())
    if 0 < seconds < 120 and seconds % 60:
        return counted(seconds, "second", digits=True)
    minutes = max(0, round(seconds / 60))
    if minutes >= 2 * 24 * 60:
        return counted(round(minutes / (24 * 60)), "day", digits=True)
    if minutes >= 120:
        return counted(round(minutes / 60), "hour", digits=True)
    return counted(minutes, "minute", digits=True)


def left(length: timedelta) -> str:
    """How long it is until something: `6 days 23 hours`, `40 minutes`, from two hours on to the nearest hour."""
    minutes = round(length.total_seconds() / 60)
    if minutes <= 0:
        return "less than a minute"
    length = timedelta(minutes=minutes)
    hours = round(length.total_seconds() / 3600)
    days, rest = divmod(hours, 24)
    if hours < 48 or not rest:
        return span(length)
    return f"{counted(days, 'day', digits=True)} {counted(rest, 'hour', digits=True)}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """`A`, `A and B`, `A, B and C`; "" for an empty list."""
    found = list(words)
    return f" {last} ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else "".join(found)


def counted(number: int, noun: str, plural: str = "", *, digits: bool = False) -> str:
    """`one unit`, `three units`; in digits from eleven on, or with `digits`."""
    figure = str(number) if digits or not 0 <= number < len(_NUMBERS) else _NUMBERS[number]
    return f"{figure} {noun if number == 1 else plural or noun + 's'}"


def with_article(noun: str) -> str:
    """`a fleet`, `an army`."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def phase_title(phase: Phase) -> str:
    """A phase in words: `Spring 1901 movement`, `Fall 1901 retreats`, `Winter 1901 adjustments`."""
    ending = "" if phase.kind == "movement" else "s"
    return f"{phase.season.capitalize()} {phase.year} {phase.kind}{ending}"


@lru_cache(maxsize=1024, typed=True)
def wrap(text: str, indent: int = 0, hang: int | None = None) -> str:
    """Break a paragraph to the width: `indent` blanks before the first line, `hang` (default: as many) before the
    others.

    Words are not broken: an address or a link stays whole even if it is too long. A unit's letter stays with its place,
    and a time of day with its zone. Scripts without blanks between words are broken behind any of their signs.
    """
    if columns_of(text) + indent <= WIDTH and text == " ".join(text.split()):
        return " " * indent + text if text else ""
    spaced = _CLOSED.sub(rf"\1{_FILL}", text)
    spaced = _BEHIND_WIDE.sub(lambda found: f"{found[1]}{_BLANK if found[2] else ''} ", spaced)
    filled = textwrap.fill(
        _BOUND.sub(lambda found: found[0].replace(" ", _TIE), spaced),
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent if hang is None else hang),
        break_long_words=False,
        break_on_hyphens=False,
    )
    filled = re.sub(rf"({_WIDE}) ", r"\1", filled).replace(f"{_BLANK} ", " ")
    return filled.translate({ord(_BLANK): "", ord(_FILL): "", ord(_TIE): " "})


def wrap_lines(text: str) -> str:
    """Break each line of a paragraph to the width, what does not fit below it with a small indent."""
    return "\n".join(wrap(line, hang=2) for line in text.split("\n")) if "\n" in text else wrap(text)


def behind_colon(text: str) -> str:
    """Somebody's own words behind a colon; of several lines each below it."""
    return f"\n{text}" if "\n" in text else f" {text}"


def columns_of(text: str) -> int:
    """The width of a text in columns of a plain mail client."""
    return len(text) if text.isascii() else len(text) + len(re.findall(_WIDE, text))


def quote(text: str, indent: int = 4) -> str:
    """Somebody's own lines, indented so that they cannot be mistaken for ours; long lines are broken."""
    lines = (
        wrap(line, indent) if columns_of(line) + indent > WIDTH else " " * indent + line for line in text.splitlines()
    )
    return "\n".join(line.rstrip() for line in lines)


def underline(text: str, stroke: str = "-") -> str:
    """A heading of the text part."""
    return f"{text}\n{stroke * len(text)}"


def abreast(cells: Iterable[tuple[str, str]]) -> str:
    """Short words and their names, downwards in as many columns as the width holds."""
    cells = list(cells)
    first = max((len(word) for word, _ in cells), default=0) + 2
    width = first + max((len(name) for _, name in cells), default=0) + 2
    down = -(-len(cells) // max(1, (WIDTH + 2) // width))
    rows = (cells[row::down] for row in range(down))
    return "\n".join("".join(f"{word:<{first}}{name:<{width - first}}" for word, name in row).rstrip() for row in rows)


def filled(rows: Iterable[tuple[str, ...]], *, headed: bool = False) -> tuple[tuple[str, ...], ...]:
    """The rows without the columns that are empty in each of them, whatever their head says."""
    every = tuple(rows)
    below = every[headed:]
    kept = [column for column in range(len(every[0])) if any(row[column].strip() for row in below)] if below else []
    return tuple(tuple(row[column] for column in kept) for row in every) if below else every


def columns(rows: Iterable[Sequence[str]], indent: int = 0, *, headed: bool = False) -> str:
    """Rows in columns that are two blanks apart; the last column is broken to the width, and has lines of its own. If
    the others leave it no room for that, and the columns have heads, each row is a block.
    """
    table = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*(row[:-1] for row in table), strict=True)]
    taken = indent + sum(width + 2 for width in widths)
    if headed and taken > WIDTH - _LAST and any(taken + len(row[-1]) > WIDTH for row in table):
        return "\n".join(_block(table[0], row) for row in table[1:])
    lines = []
    for *cells, last in table:
        head = " " * indent + "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True))
        for line in last.split("\n"):
            lines.append(wrap(head + line, hang=len(head)) if len(head + line) > WIDTH else (head + line).rstrip())
            head = " " * len(head)
    return "\n".join(lines)


_LAST = 24
"""How many characters the last column of a table needs if it is broken."""


def _block(heads: Sequence[str], row: Sequence[str]) -> str:
    """A row below its first cell, as many of the others in a line as go into it."""
    lines: list[str] = []
    for said in (f"{head}: {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell.strip()):
        if lines and len(lines[-1]) + len(said) + 6 <= WIDTH:
            lines[-1] += f"  {said}"
        else:
            lines.append(said)
    return "\n".join([row[0], *(wrap(line, 4, 8) for line in lines)])
