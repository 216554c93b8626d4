"""Days as people write them, and the end of an absence that they say anew."""

from __future__ import annotations

from datetime import date

import pytest

from gm.parsing.days import days_away, with_end

TODAY = date(2026, 11, 20)
OFFERED = date(2026, 12, 18), date(2026, 12, 27)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("19. 12. bis 27. 12. bitte", (12, 19), (12, 27)),
        ("vom 19. 12. bis 27. 12. 2026", (12, 19), (12, 27)),
        ("I'm away the weekend of 12 and 13 December", (12, 12), (12, 13)),
        ("am 23. 12. weg", (12, 23), (12, 23)),
        ("9. bis 11. Dezember", (12, 9), (12, 11)),
    ],
)
def test_days_are_read(text: str, first: tuple[int, int], last: tuple[int, int]) -> None:
    assert days_away(text, TODAY) == (date(2026, *first), date(2026, *last))


def test_a_number_in_a_list_of_days_is_no_month() -> None:
    assert days_away("9. 10. und 11. Dezember", TODAY) is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("but only from the 19th", 19, 27),
        ("erst am Samstag, also ab dem 19. Dezember. Das Ende am 27. stimmt.", 19, 27),
        ("until the 26th instead", 18, 26),
        ("jusqu'au 26", 18, 26),
        ("seulement à partir du 19", 19, 27),
        ("yes, until Saturday", 18, 26),
    ],
)
def test_an_end_that_is_said_anew_is_the_next_such_day_to_it(text: str, first: int, last: int) -> None:
    assert with_end(text, OFFERED, TODAY) == (date(2026, 12, first), date(2026, 12, last))


@pytest.mark.parametrize("text", ["I'm away on 18 December", "from 3 January", "yes please", "from 18 to 27 December"])
def test_other_days_change_no_end(text: str) -> None:
    assert with_end(text, OFFERED, TODAY) is None
