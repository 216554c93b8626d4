"""Times, durations, lists and broken lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gm import reports
from gm.position import Phase, PhaseKind, Season
from gm.reports.blocks import Verbatim
from gm.reports.render import broken

WINTER = datetime(2030, 12, 3, 17, 0, tzinfo=UTC)
SUMMER = datetime(2030, 7, 1, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("when", "zone", "short", "full"),
    [
        (WINTER, "UTC", "Tue 3 Dec 17:00 UTC", "Tue 3 Dec 2030, 17:00 UTC"),
        (WINTER, "Europe/Berlin", "Tue 3 Dec 18:00 CET", "Tue 3 Dec 2030, 18:00 CET (17:00 UTC)"),
        (SUMMER, "Europe/Berlin", "Tue 2 Jul 01:30 CEST", "Tue 2 Jul 2030, 01:30 CEST (Mon 1 Jul 23:30 UTC)"),
        (WINTER, "Europe/London", "Tue 3 Dec 17:00 GMT", "Tue 3 Dec 2030, 17:00 GMT"),
        (SUMMER, "America/Sao_Paulo", "Mon 1 Jul 20:30 UTC-3", "Mon 1 Jul 2030, 20:30 UTC-3 (23:30 UTC)"),
        (SUMMER, "Asia/Kathmandu", "Tue 2 Jul 05:15 UTC+5:45", "Tue 2 Jul 2030, 05:15 UTC+5:45 (Mon 1 Jul 23:30 UTC)"),
    ],
)
def test_moments(when: datetime, zone: str, short: str, full: str) -> None:
    assert reports.moment(when, ZoneInfo(zone)) == short
    assert reports.full_moment(when, ZoneInfo(zone)) == full


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(seconds=20), "20 seconds"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(minutes=119), "119 minutes"),
        (timedelta(hours=24), "24 hours"),
        (timedelta(hours=47, minutes=59), "48 hours"),
        (timedelta(days=2, hours=11), "2 days"),
        (timedelta(days=-1), "0 minutes"),
    ],
)
def test_spans(length: timedelta, text: str) -> None:
    assert reports.span(length) == text


@pytest.mark.parametrize(
    ("given", "text"), [((), ""), (("A",), "A"), (("A", "B"), "A and B"), (("A", "B", "C"), "A, B and C")]
)
def test_lists(given: Sequence[str], text: str) -> None:
    assert reports.listed(given) == text


@pytest.mark.parametrize(
    ("phase", "text"),
    [
        (Phase(1901, Season.SPRING, PhaseKind.MOVEMENT), "Spring 1901 movement"),
        (Phase(1901, Season.FALL, PhaseKind.RETREAT), "Fall 1901 retreats"),
        (Phase(1901, Season.WINTER, PhaseKind.ADJUSTMENT), "Winter 1901 adjustments"),
    ],
)
def test_phases(phase: Phase, text: str) -> None:
    assert reports.phase_title(phase) == text


def test_a_unit_and_a_time_are_not_broken() -> None:
    line = reports.wrap("x" * 60 + " the army A Par-Bur was dislodged at 18:00 CET, or so")
    assert "A Par-Bur" in line
    edge = reports.wrap("x" * 70 + " A Par moved at")
    assert "\nA Par" in edge
    assert "\n18:00 CET" in reports.wrap("x" * 66 + " 18:00 CET")


@pytest.mark.parametrize(
    "text",
    [
        "\u79c1\u306f\u5357\u3078\u884c\u304d\u307e\u3059\u3002" * 12,
        "\ub098\ub294 \ub0a8\ucabd\uc73c\ub85c \uac04\ub2e4 " * 12,
        "A PAR-BUR \u548c " * 20,
        "\u4f60\u597d" * 17 + "\u3002x",
    ],
)
def test_lines_of_wide_signs_fit_too(text: str) -> None:
    lines = reports.quote(text.strip()).split("\n")
    assert len(lines) > 1 or "x" in text
    assert all(reports.columns_of(line) <= 72 for line in lines)
    assert not any(line.strip().startswith("\u3002") for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert [word for line in lines for word in line.split()][:2] == text.split()[:2] or " " not in text


def test_a_long_address_stays_whole() -> None:
    address = "gm+" + "x" * 80 + "@example.org"
    assert address in reports.wrap(f"Write to {address} now.").splitlines()


def test_columns() -> None:
    assert reports.columns([("Austria", "A Vie"), ("Italy", "")], 2) == "  Austria  A Vie\n  Italy"
    broken = reports.columns([("Austria", "Budapest, " * 12)])
    assert all(len(line) <= reports.WIDTH for line in broken.splitlines())
    assert broken.splitlines()[1].startswith(" " * 9 + "Budapest")


def test_quoted_lines_are_indented_so_that_they_cannot_look_like_ours() -> None:
    quoted = reports.quote("Deadline: now\n\n  drawn   by hand\n" + "long " * 30)
    lines = quoted.splitlines()
    assert lines[:3] == ["    Deadline: now", "", "      drawn   by hand"]
    assert all(line.startswith("    ") or not line for line in lines)
    assert all(len(line) <= reports.WIDTH for line in lines)


def test_a_text_for_72_columns_has_no_lines_of_its_own_on_a_phone() -> None:
    text = (
        "THE END\n\nA power wins when all others concede to it, and not before they have done\nso, one and all. NO"
        " CONCEDE cancels your vote.\nShort lines\nstay.\n\n    A PAR H      hold\n    A PAR-BUR    move\n\n    CONCEDE"
        " TO France\n    NO CONCEDE\n\nFrance:\n    quoted\n"
    )
    assert Verbatim(text).pieces == (
        ("heading", "THE END"),
        (
            "prose",
            "A power wins when all others concede to it, and not before they have done so, one and all. NO CONCEDE"
            " cancels your vote.\nShort lines\nstay.",
        ),
        ("rows", (("A PAR H", "hold"), ("A PAR-BUR", "move"))),
        ("lines", "CONCEDE TO France\nNO CONCEDE"),
        ("lines", "France:\n    quoted"),
    )


def test_an_address_breaks_before_its_sign() -> None:
    assert broken("to <a@b.example>") == "to &lt;a<wbr>@b.example&gt;"


def test_an_address_breaks_between_its_parts_on_a_narrow_screen() -> None:
    said = str(broken("running: gm+spring.on62uxe4vsvxlsae2g7e@example.org, Jan. <b>"))
    assert said == "running: gm<wbr>+spring.<wbr>on62uxe4vsvxlsae2g7e<wbr>@example.org, Jan. &lt;b&gt;"
