"""Tables of cases as text: one case a line, its cells between bars."""

from __future__ import annotations

import pytest


def rows(text: str) -> list[tuple[str, ...]]:
    """The cells of each line that is not blank, without the blanks around them."""
    return [tuple(cell.strip() for cell in line.split("|")) for line in text.splitlines() if line.strip()]


def lines(text: str) -> list[str]:
    """Tables with one column: the lines that are not blank, without the blanks around them."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def table(text: str) -> pytest.MarkDecorator:
    """Runs a test once for each line of the table; its first line has the names of the test's arguments."""
    names, *cases = rows(text)
    return pytest.mark.parametrize(names, cases)
