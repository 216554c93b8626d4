"""Every DATC case under every rulebook it applies to."""

from __future__ import annotations

import pytest

from gm.judge import RULEBOOKS
from tests.judge.datc.cases import SECTIONS, Case, cases
from tests.judge.datc.judging import differences

TABLE = [
    pytest.param(case, book, id=f"{case.number}-{book}")
    for section in SECTIONS
    for case in cases(section)
    for book in case.books
]


@pytest.mark.ruling("ST-1", "ST-2", "ST-3", "ST-6", "ST-14")
@pytest.mark.parametrize(("case", "book"), TABLE)
def test_case(case: Case, book: str) -> None:
    assert differences(case, RULEBOOKS[book]) == []


def test_every_case_of_the_suite_is_there() -> None:
    lengths = {"A": 12, "B": 19, "C": 9, "D": 35, "E": 15, "F": 25, "G": 20, "H": 16, "I": 7, "J": 11}
    for section, last in lengths.items():
        numbers = {case.number.split(".")[2] for case in cases(section)}
        assert numbers >= set(map(str, range(1, last + 1))), section
