"""Durations, times and deadline rules as gamemasters write them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from gm.clock import (
    ClockRule,
    next_time_of_day,
    parse_days,
    parse_duration,
    parse_holidays,
    parse_span,
    parse_time,
    parse_when,
    parse_zone,
)
from gm.errors import NotUnderstood
from gm.position import PhaseKind
from gm.time_words import in_english

BERLIN = ZoneInfo("Europe/Berlin")
FRIDAY = datetime(2026, 11, 20, 5, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("24h", 24),
        ("2 days", 48),
        ("1d 12h", 36),
        ("1d12h", 36),
        ("90 minutes", 1.5),
        ("1 week", 168),
        ("2 D", 48),
        ("one day", 24),
        ("an hour", 1),
        ("two weeks", 336),
        ("a day and six hours", 30),
        ("12", 12),
        (" 48 ", 48),
    ],
)
def test_durations(text: str, hours: float) -> None:
    assert parse_duration(text) == timedelta(hours=hours)


@pytest.mark.parametrize(
    "text", ["", "5", "soon", "-3h", "3h later", "0h", "0", "9999999", "900 weeks", "1d, blah", "a", "day", "one"]
)
def test_what_is_no_duration_is_quoted(text: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        parse_duration(text)
    assert f"'{text}'" in caught.value.problem
    assert "24h" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-12-01 18:00", "2026-12-01T17:00"),
        ("2026-07-01 18:00", "2026-07-01T16:00"),
        ("2026-12-01T18:00", "2026-12-01T17:00"),
        ("2026-12-01 18:00 UTC", "2026-12-01T18:00"),
        ("2026-12-01 18:00 America/New_York", "2026-12-01T23:00"),
        ("today 18:00", "2026-11-20T17:00"),
        ("tomorrow 18:00", "2026-11-21T17:00"),
        ("Friday 18:00", "2026-11-20T17:00"),
        ("Friday 04:00", "2026-11-27T03:00"),
        ("mon 18.30", "2026-11-23T17:30"),
        ("18:00", "2026-11-20T17:00"),
        ("05:00", "2026-11-21T04:00"),
        ("in 24h", "2026-11-21T05:00"),
        ("in one day", "2026-11-21T05:00"),
        ("6pm", "2026-11-20T17:00"),
        ("noon", "2026-11-20T11:00"),
        ("tomorrow at 6 p.m.", "2026-11-21T17:00"),
        ("18:00 tomorrow", "2026-11-21T17:00"),
        ("18:00 on Sunday", "2026-11-22T17:00"),
        ("Sunday, 12:30 am", "2026-11-21T23:30"),
        ("next Friday 18:00", "2026-11-27T17:00"),
        ("the day after tomorrow 18:00", "2026-11-22T17:00"),
        ("24 Dec 18:00", "2026-12-24T17:00"),
        ("December 24th, 6 pm", "2026-12-24T17:00"),
        ("Thursday, 24 December, 18:00", "2026-12-24T17:00"),
        ("24.12. 18:00", "2026-12-24T17:00"),
        ("1.12. 18:00", "2026-12-01T17:00"),
        ("18:00 1.12", "2026-12-01T17:00"),
        ("31/12 6pm", "2026-12-31T17:00"),
        ("12/31/2026 6pm", "2026-12-31T17:00"),
        ("12/1/2026 6pm", "2026-12-01T17:00"),  # 12 January has passed
        ("5/5 18:00", "2027-05-05T16:00"),
        ("2 Jan 18:00", "2027-01-02T17:00"),
        ("24 Dec 18:00 London time", "2026-12-24T18:00"),
        ("24 Dec 6pm New York", "2026-12-24T23:00"),
        ("20 Nov 05:00", "2026-11-20T04:00"),  # just passed, not next year
    ],
)
def test_moments(text: str, utc: str) -> None:
    assert parse_when(text, FRIDAY, BERLIN) == datetime.fromisoformat(utc).replace(tzinfo=UTC)


@pytest.mark.parametrize("hours", ["24h", "48h", "96h"])
def test_hours_that_no_clock_shows_are_from_now(hours: str) -> None:
    assert parse_when(hours, FRIDAY, BERLIN) == parse_when(f"in {hours}", FRIDAY, BERLIN)


@pytest.mark.parametrize(
    "text",
    ["", "later", "2026-13-01 18:00", "2026-12-01 25:00", "1:00 Mars/Olympus", "in a while", "tomorrow", "24 Dec",
     "Friday 24 Dec 18:00", "31/31 18:00", "30.2. 18:00", "1.12. 2.12. 18:00", "may 18:00", "12 18:00",
     "24 Dec 18:00 CST", "31 Feb 18:00", "13pm", "0 am",
     "24 Dec 18:00 19:00", "Sunday at 8", "24 Dec 18:00 " + "x" * 80],
)  # fmt: skip
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstood):
        parse_when(text, FRIDAY, BERLIN)


@pytest.mark.parametrize("text", ["3/4 18:00", "12/1/2027 6pm", "6pm 1/12/27"])
def test_a_date_that_can_be_two_is_asked_about(text: str) -> None:
    with pytest.raises(NotUnderstood, match="can be two dates") as caught:
        parse_when(text, FRIDAY, BERLIN)
    assert re.fullmatch(r"Write 2027-\d\d-\d\d or 2027-\d\d-\d\d\.", caught.value.remedy)


def test_days_of_the_week() -> None:
    assert parse_days("mon-fri") == frozenset(range(5))
    assert parse_days("Sat-Mon") == frozenset({5, 6, 0})
    assert parse_days("tuesday, thursday") == frozenset({1, 3})
    assert parse_days("all") == frozenset(range(7))
    with pytest.raises(NotUnderstood, match="'funday'"):
        parse_days("mon,funday")


def test_times_and_zones() -> None:
    assert parse_time("7:05") == time(7, 5)
    assert parse_zone("Europe/Berlin") == BERLIN
    assert [parse_time(text).hour for text in ("6pm", "12pm", "12 am".replace(" ", ""), "18h", "noon")] == [
        18,
        12,
        0,
        18,
        12,
    ]
    for text in ("24:00", "13pm", "0am", "18", "18:60", "1800"):
        with pytest.raises(NotUnderstood):
            parse_time(text)
    for text in ("Berlin", "europe/berlin", "berlin time"):
        assert parse_zone(text) == BERLIN
    assert str(parse_zone("new york")) == "America/New_York"
    for text, name in (("PST", "America/Los_Angeles"), ("Germany", "Europe/Berlin"), ("UTC+2", "Etc/GMT-2")):
        assert str(parse_zone(text)) == name
    assert parse_span("24-27 Dec", date(2026, 11, 20)) == (date(2026, 12, 24), date(2026, 12, 27))
    assert parse_span("2 Jan 2027 - 5 Feb 2027", date(2026, 11, 20)) == (date(2027, 1, 2), date(2027, 2, 5))
    with pytest.raises(NotUnderstood, match="5/6"):
        parse_span("5/6", date(2026, 11, 20))
    for text in ("../../etc/passwd", "", "Europe/", "Mars", "West"):
        with pytest.raises(NotUnderstood):
            parse_zone(text)
    with pytest.raises(NotUnderstood) as caught:
        parse_zone("Berln")
    assert "Europe/Berlin" in caught.value.remedy


def rule(at: time | None = None, days: str = "all") -> ClockRule:
    return ClockRule(
        BERLIN, timedelta(days=3), timedelta(days=1), timedelta(hours=12), at, parse_days(days), (timedelta(hours=24),)
    )


def test_each_kind_of_phase_has_its_length() -> None:
    plain = rule()
    assert plain.due(PhaseKind.MOVEMENT, FRIDAY) == FRIDAY + timedelta(days=3)
    assert plain.due(PhaseKind.RETREAT, FRIDAY) == FRIDAY + timedelta(days=1)
    assert plain.due(PhaseKind.ADJUSTMENT, FRIDAY) == FRIDAY + timedelta(hours=12)


def test_a_deadline_falls_on_its_time_of_day_and_days_and_never_early() -> None:
    evening = rule(time(18, 0), "mon-fri")
    assert evening.due(PhaseKind.RETREAT, FRIDAY) == datetime(2026, 11, 23, 17, 0, tzinfo=UTC)
    assert evening.due(PhaseKind.MOVEMENT, FRIDAY) == datetime(2026, 11, 23, 17, 0, tzinfo=UTC)
    late = datetime(2026, 11, 20, 17, 30, tzinfo=UTC)
    assert evening.due(PhaseKind.MOVEMENT, late) == datetime(2026, 11, 24, 17, 0, tzinfo=UTC)


def test_the_wall_clock_is_kept_over_daylight_saving() -> None:
    before = datetime(2026, 10, 23, 16, 0, tzinfo=UTC)  # Friday 18:00 CEST; Sunday the 25th is an hour longer
    assert rule(time(18, 0)).due(PhaseKind.MOVEMENT, before) == datetime(2026, 10, 26, 17, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-24..2027-01-02",
        "2026-12-24 to 2027-01-02",
        "24.12.2026 until 2.1.2027",
        "2026/12/24 - 2027-01-02",
        "24 Dec 2026 to January 2, 2027",
    ],
)
def test_times_of_whole_days(text: str) -> None:
    assert parse_span(text) == (date(2026, 12, 24), date(2027, 1, 2))


def test_a_single_day_is_a_time_of_one_day() -> None:
    assert parse_span("2026-12-24") == (date(2026, 12, 24), date(2026, 12, 24))


@pytest.mark.parametrize(
    "text",
    ["", "Christmas", "2026-02-30", "2027-01-02 to 2026-12-24", "2026-01-01 to 2030-01-01", "2026-12-24 to soon"],
)
def test_what_are_no_dates_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstood):
        parse_span(text)


TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("24 Dec", date(2026, 12, 24), date(2026, 12, 24)),
        ("24 Dec - 2 Jan", date(2026, 12, 24), date(2027, 1, 2)),
        ("December 24 to January 2nd", date(2026, 12, 24), date(2027, 1, 2)),
        ("24.12. - 2.1.", date(2026, 12, 24), date(2027, 1, 2)),
        ("tomorrow until Sunday", date(2026, 11, 21), date(2026, 11, 22)),
        ("until Monday", TODAY, date(2026, 11, 23)),
        ("till 2026-12-02", TODAY, date(2026, 12, 2)),
        ("from now until 24 Dec", TODAY, date(2026, 12, 24)),
        ("Friday", TODAY, TODAY),
        ("20 November", TODAY, TODAY),
        ("18 Nov to 24 Nov", date(2026, 11, 18), date(2026, 11, 24)),
    ],
)
def test_days_without_a_year_are_the_nearest(text: str, first: date, last: date) -> None:
    assert parse_span(text, TODAY) == (first, last)
    with pytest.raises(NotUnderstood):
        parse_span(text)  # what is stored with a game says the year


def test_holidays_leave_days_to_play_on() -> None:
    assert len(parse_holidays("2026-05-01, 2026-12-24..2027-01-02")) == 2
    with pytest.raises(NotUnderstood):
        parse_holidays(",".join(f"20{year}-01-01..20{year}-12-31" for year in range(26, 32)))


def _rule(**more: object) -> ClockRule:
    day = timedelta(days=1)
    return ClockRule(BERLIN, 3 * day, day, day, at=time(18), **more)  # type: ignore[arg-type]


def test_a_deadline_falls_behind_holidays_at_its_own_time() -> None:
    rule = _rule(holidays=parse_holidays("2026-11-23..2026-11-24,2026-11-25"))
    assert rule.due(PhaseKind.MOVEMENT, FRIDAY) == datetime(2026, 11, 26, 17, tzinfo=UTC)


def test_over_the_change_of_clocks_the_wall_clock_stays() -> None:
    """The last Sunday of October 2026 has 25 hours in Berlin."""
    rule = _rule(days=parse_days("sun"))
    saturday = datetime(2026, 10, 22, 5, tzinfo=UTC)
    assert rule.due(PhaseKind.MOVEMENT, saturday) == datetime(2026, 10, 25, 17, tzinfo=UTC)


@pytest.mark.parametrize(
    ("wall", "now", "then"),
    [
        ("07:00", "2026-11-20 05:00", "2026-11-20 06:00"),
        ("07:00", "2026-11-20 06:00", "2026-11-21 06:00"),
        ("07:00", "2026-10-24 06:00", "2026-10-25 06:00"),
        ("02:30", "2026-10-24 22:00", "2026-10-25 00:30"),
        ("02:30", "2026-10-25 00:30", "2026-10-26 01:30"),
        ("02:30", "2026-10-25 01:15", "2026-10-26 01:30"),
        ("02:30", "2026-03-28 23:00", "2026-03-29 01:30"),
        ("02:30", "2026-03-29 01:30", "2026-03-30 00:30"),
    ],
)
def test_a_time_of_day_comes_once_a_day(wall: str, now: str, then: str) -> None:
    """In Berlin the hour from 2 is repeated on 25 October 2026, and left out on 29 March."""
    moment, due = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (now, then))
    assert next_time_of_day(parse_time(wall), BERLIN, moment) == due


DUE = datetime(2026, 11, 23, 17, tzinfo=UTC)


@pytest.mark.parametrize(
    ("limit", "away", "moved"),
    [
        (None, [(-1, 5)], 0),
        (timedelta(days=10), [], 0),
        (timedelta(days=10), [(1, 5)], 0),
        (timedelta(days=10), [(-5, -1)], 0),
        (timedelta(days=10), [(-1, 3)], 3),
        (timedelta(days=10), [(2, 6), (-1, 3)], 6),
        (timedelta(days=4), [(-1, 30)], 4),
    ],
)
def test_a_deadline_moves_out_of_absences(limit: timedelta | None, away: list[tuple[int, int]], moved: int) -> None:
    spans = [(DUE + timedelta(days=begins), DUE + timedelta(days=ends)) for begins, ends in away]
    assert _rule(absence=limit).after_absences(DUE, spans) == DUE + timedelta(days=moved)


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("Sonntag um 20 Uhr", "2026-11-22 20:00"),
        ("domenica alle 20", "2026-11-22 20:00"),
        ("dimanche à 20h", "2026-11-22 20:00"),
        ("domingo a las 20:30", "2026-11-22 20:30"),
        ("the day after tomorrow 6pm", "2026-11-22 18:00"),
    ],
)
def test_moments_are_read_in_other_languages(said: str, when: str) -> None:
    assert f"{parse_when(said, FRIDAY, BERLIN).astimezone(BERLIN):%Y-%m-%d %H:%M}" == when


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("9 in the evening", "21:00"),
        ("at 18 Uhr", "at 18:00"),
        ("8.30 o'clock", "8:30"),
        ("tonight at 9", "today 21:00"),
        ("at 9 tonight", "at today 21:00"),
        ("tonight, 9pm", "today 21:00"),
        ("at 8 tomorrow morning", "at tomorrow 8:00"),
        ("tomorrow evening at 7", "tomorrow 19:00"),
        ("9 p.m. on Friday evening", "Friday 21:00"),
        ("this evening at 20:00", "20:00"),
        ("12 pm tomorrow afternoon", "tomorrow 12:00"),
        ("12 in the morning", "0:00"),
        ("Friday 8am, or in 12 hours", "Friday 8am, or in 12 hours"),
        ("2026-12-01 18:00", "2026-12-01 18:00"),
        ("bis Sonntag um 20 Uhr", "until sunday at 20:00"),
        ("bis Sonntagabend um 8", "until sunday 20:00"),
        ("Guten Morgen, bis morgen früh um 9", ", until tomorrow 9:00"),
        ("bis zum 29. November, 18.30 Uhr", "until 29. November, 18:30"),
        ("jusqu'à dimanche 20h", "until sunday 20:00"),
        ("dimanche prochain à 20h30", "sunday at 20:30"),
        ("jusqu'au 29 novembre à 8 heures du soir", "until 29 november at 20:00"),
        ("fino a domenica alle 20", "until sunday at 20:00"),
        ("lunedì mattina alle ore 9", "monday 9:00"),
        ("hasta el domingo a las 8 de la tarde", "until sunday at 20:00"),
        ("el 3 de diciembre a las 20:15", "el 3 december at 20:15"),
        ("bis übermorgen 18 Uhr", "until overmorrow 18:00"),
        ("tot zondag om 20 uur", "until sunday at 20:00"),
        ("at half past seven on Friday", "at 7:30 on Friday"),
        ("a quarter to nine tonight", "today 20:45"),
        ("every evening at seven", "19:00"),
        ("twenty to twelve", "11:40"),
        ("um halb acht", "at 7:30"),
        ("Viertel nach eins", "1:15"),
        ("at twelve", "at 12"),
        # a length of time stays one
        ("at five days", "at five days"),
        ("um 12h verlängern", "at 12h verlängern"),
        ("alle 20 Stunden", "alle 20 hour"),
        ("12 heures de plus", "12 hour de plus"),
        ("due giorni, e non due Friday", "two day, e non due Friday"),
        ("five days", "five days"),
        ("seven o'clock on Saturday evening", "Saturday 19:00"),
        ("until seven pm", "until 7 pm"),
        ("six in the evening", "18:00"),
        ("Samstag um acht Uhr abends", "saturday at 20:00"),
        ("two hours", "two hours"),
    ],
)
def test_times_of_the_day_as_they_are_said(said: str, meant: str) -> None:
    assert in_english(said) == meant
