"""Patterns that what a stranger writes comes to, each with the text that costs it most: no more than its length."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from gm.mail.message import attribution, auto_reply, bounce_report, html
from gm.parsing import aliases, command_lines, headings, lexicon, orders, small_talk
from gm.position import STANDARD_KINDS
from tests.timing import cost

SHORT, LONG = 2_000, 8_000
BEYOND = 9.0
"""What is linear costs 4 times as much for 4 times the length; what is quadratic costs 16 times as much."""

_beginning = small_talk._beginning(STANDARD_KINDS.units)
_for_all = small_talk._terse_orders(STANDARD_KINDS)[3]
_coast = re.compile(lexicon._COAST + "$")


@pytest.mark.parametrize(
    ("use", "begin", "again", "end"),
    [
        pytest.param(attribution.SEPARATOR.fullmatch, "--\tAx xxწერს", " ", "\n!", id="separator"),
        pytest.param(attribution.is_absence, "antwort : [automaattinen", " ", "\n!", id="absence"),
        pytest.param(attribution.says_away, "out of office", " (", "!", id="away"),
        pytest.param(auto_reply._LIST_NAMES.fullmatch, "", "x-bounces+1", "\n!", id="list"),
        pytest.param(bounce_report._NEVER.search, "", "failx", "\n!", id="bounce"),
        pytest.param(html._CLIPPED.search, "width:", " ", "\x01", id="width"),
        pytest.param(html._NO_SIZE.search, "font-size :", "\t", "\x01", id="font"),
        pytest.param(html._BAR.search, "", "border-left:x", "\x01", id="border"),
        pytest.param(command_lines._NAMED.findall, "", "@", "\x01", id="addresses"),
        pytest.param(headings._BESIDE.match, " (", " ", "\n!", id="beside a phase"),
        pytest.param(_coast.search, " /", " ", "\x01", id="coast"),
        pytest.param(orders._NUMBERED.match, "", "  ", "\n!", id="number"),
        pytest.param(aliases._GIVEN.fullmatch, "1 ", "  ", "\x01", id="own name"),
        pytest.param(_beginning.match, "army", " ", "\x01", id="unit"),
        pytest.param(_for_all.fullmatch, "", "every:", "\x01", id="order for all"),
    ],
)
def test_a_pattern_costs_no_more_than_its_text_is_long(
    use: Callable[[str], object], begin: str, again: str, end: str
) -> None:
    short, long = (begin + again * (length // len(again)) + end for length in (SHORT, LONG))
    assert cost(lambda: use(long), lambda: use(short), BEYOND) < BEYOND


def test_words_that_a_pattern_has_twice_do_not_double_its_cost() -> None:
    assert not _for_all.fullmatch("armies " * 60 + "!x")
