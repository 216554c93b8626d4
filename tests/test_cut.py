"""Cutting and collapsing of lines: nothing that they say is lost, and nothing is longer than what patterns may see."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gm.cut import LONGEST, LONGEST_RUN, Cut, cut


@pytest.mark.parametrize(
    "line",
    [
        "",
        "A Par-Bur",
        "A Par-Bur" + " " * LONGEST_RUN + "Army Paris -> Burgundy",
        "-" * LONGEST_RUN,
        "word " * (LONGEST // 5),
        "a" * LONGEST,
    ],
)
def test_an_ordinary_line_comes_back_as_it_is(line: str) -> None:
    assert cut(line) == Cut(line, "")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("A Par-Bur" + " " * 65 + "Army Paris", "A Par-Bur  Army Paris"),
        ("A Par" + " " * 50_000 + "->" + "\t" * 50_000 + "Bur", "A Par  ->  Bur"),
        ("A Par" + "-" * 9_000 + "> Bur", "A Par" + "-" * 62 + "> Bur"),
        ("A Par ->" + " ." * 9_000 + " Bur", "A Par ->" + " ." * 14 + " " + ". " * 16 + "Bur"),
        ("_" * 65, "_" * 64),
        ("Ann" + "\u00a0" * 70 + "Bob", "Ann  Bob"),
    ],
)
def test_a_long_run_is_collapsed_and_keeps_its_ends(line: str, text: str) -> None:
    assert cut(line) == Cut(text, "")


def test_what_is_beyond_the_longest_line_is_left_over() -> None:
    line = "A Par-Bur, " * 1_000
    found = cut(line)
    assert len(found.text) == LONGEST
    assert found.text + found.rest == line


def test_a_line_that_is_short_once_collapsed_is_read_whole() -> None:
    assert cut("A Par" + " " * 4_000 + "- Bur") == Cut("A Par  - Bur", "")


_LINES = st.text(alphabet="aB1é -_=.>|\t\u00a0☃", max_size=200).flatmap(
    lambda text: st.integers(1, 80).map(lambda times: text.replace(" ", " " * times).replace("-", "-" * times))
)


@given(_LINES)
@example("-" * 40 + " " * 80 + "-" * 40)
@example("x" + " " * 63 + "." + " " * 63 + "y")
def test_letters_digits_and_their_order_stay(line: str) -> None:
    found = cut(line)
    words = re.compile(r"[^\W_]+")
    assert words.findall(found.text + found.rest) == words.findall(line)
    assert len(found.text) <= LONGEST
    assert not re.search(rf"[\W_]{{{LONGEST_RUN + 1}}}", found.text + found.rest)
    assert cut(found.text) == Cut(found.text, "")
