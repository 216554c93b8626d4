"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from gm import patterns


def late() -> set[str | bytes]:
    """What was not compiled yet."""
    return {one.pattern for late in patterns._LATE if (one := late()) is not None}


def test_a_pattern_is_compiled_when_it_is_first_used() -> None:
    pattern = patterns.compile(r"(?P<sign>once and late)", patterns.IGNORECASE)
    assert pattern.pattern in late()
    found = pattern.fullmatch("ONCE AND LATE")
    assert found is not None
    assert found["sign"] == "ONCE AND LATE"
    assert pattern.pattern not in late()
    assert (pattern.groups, pattern.sub("-", "a once and late")) == (1, "a -")


def test_a_wrong_pattern_is_noticed_then() -> None:
    pattern = patterns.compile("(late")
    with pytest.raises(re.error):
        pattern.search("late")


def test_what_was_not_used_can_be_compiled_at_once() -> None:
    pattern = patterns.compile(rb"octets,\s+late")
    patterns.compile_all()
    assert not late()
    assert pattern.search(b"octets, late")


def test_what_nobody_has_any_more_is_forgotten() -> None:
    waiting = len(patterns._LATE)
    pattern = patterns.compile("for a moment")
    assert len(patterns._LATE) == waiting + 1
    del pattern
    assert len(patterns._LATE) == waiting
