"""Feasts are dates: the next one, all days of it behind `over`, and the day behind it with `after`."""

from __future__ import annotations

from datetime import date

import pytest

from gm.feasts import with_dates

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("until Easter Monday", "until 2027-03-29"),
        ("until Easter", "until 2027-03-28"),
        ("over Easter", "from 2027-03-26 to 2027-03-29"),
        ("until after Easter", "until 2027-03-30"),
        ("over Christmas", "from 2026-12-24 to 2026-12-26"),
        ("between Christmas and New Year", "between 2026-12-25 and 2027-01-01"),
        ("until after New Year's Eve", "until 2027-01-01"),
        ("über Weihnachten", "from 2026-12-24 to 2026-12-26"),
        ("bis Pfingstmontag", "bis 2027-05-17"),
        ("jusqu'à Noël", "jusqu'à 2026-12-25"),
        ("Christmas-tree", "Christmas-tree"),
        ("nothing of the kind", "nothing of the kind"),
    ],
)
def test_the_name_of_a_feast_is_its_date(text: str, said: str) -> None:
    assert with_dates(text, TODAY) == said


@pytest.mark.parametrize(("year", "easter"), [(2024, (3, 31)), (2025, (4, 20)), (2038, (4, 25)), (2285, (3, 22))])
def test_easter_is_found_in_any_year(year: int, easter: tuple[int, int]) -> None:
    assert with_dates("Easter Sunday", date(year, 1, 1)) == f"{date(year, *easter)}"
