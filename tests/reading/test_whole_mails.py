"""A mail costs no more than its length, in time and in memory, whatever one of its lines repeats."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import cache

import pytest

from gm.board import Power
from gm.chance import Chance
from gm.commands import COMMANDS
from gm.cut import LONGEST
from gm.mail.message.bodies import reading_of
from gm.mail.message.incoming import read_message
from gm.mail.message.mime import Headers
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.parsing.message import ParsedMessage, parse_message
from gm.position import Phase
from gm.variants import all_variants
from tests.timing import cost

BEYOND = 9.0
"""What is linear costs 4 times as much for 4 times the length; what is quadratic costs 16 times as much."""
SPARE = 512 * 1024
"""Octets that a mail of any length may need."""

SAMPLES = [
    pytest.param("standard", "IF A Par", " ", "x", 26_000, id="blanks in a condition"),
    pytest.param("standard", "IF ", "x  ", "", 26_000, id="gaps in a condition"),
    pytest.param("standard", "", "spring 1901 movement ", "", 63_000, id="names of phases"),
    pytest.param("standard", "", "x", "", 128_000, id="a word"),
    pytest.param("standard", "", "A Par - ", "", 128_000, id="moves"),
    pytest.param("standard", "", "A Par ", "", 26_000, id="units without orders"),
    pytest.param("standard", "", "A Par-, ", "", 26_000, id="orders that are cut off"),
    pytest.param("standard", "", "fall, ", "", 26_000, id="seasons"),
    pytest.param("standard", "", "s01: ", "", 26_000, id="codes of phases"),
    pytest.param("standard", "", "s01: A xx ", "?", 26_000, id="codes of phases above words"),
    pytest.param("quantum-space", "A Ank", "-", "x", 24_000, id="dashes in a planet's name"),
    pytest.param("quantum-space", "A a", " -a", "", 24_000, id="dashes among letters"),
]


@cache
def game(variant: str) -> tuple[Lexicon, Phase]:
    rules = all_variants()[variant]
    powers = rules.seating.powers or tuple(map(Power, ("Krell", "Zorg", "Morbo")))
    position = rules.opening(powers, Chance(bytes(32)))
    return lexicon_of(rules.board(position), powers, rules.language), position.phase


def reading(variant: str, text: str) -> Callable[[], ParsedMessage]:
    lexicon, now = game(variant)
    return lambda: parse_message(text, lexicon, now, COMMANDS.reader)


def line(begin: str, again: str, end: str, length: int) -> str:
    return begin + again * (length // len(again)) + end


@pytest.mark.parametrize("part", ["whole", "longest that is read"])
@pytest.mark.parametrize(("variant", "begin", "again", "end", "length"), SAMPLES)
def test_a_line_costs_no_more_time_than_its_length(
    variant: str, begin: str, again: str, end: str, length: int, part: str
) -> None:
    """Beyond `LONGEST` a line is refused unread; up to there it is what patterns and parsers make of it."""
    most = length if part == "whole" else LONGEST - 20
    short, long = (reading(variant, line(begin, again, end, size)) for size in (most // 4, most))
    short(), long()
    assert cost(long, short, BEYOND) < BEYOND


@pytest.mark.parametrize(("variant", "begin", "again", "end", "length"), SAMPLES)
def test_a_line_needs_no_more_memory_than_its_length(
    variant: str, begin: str, again: str, end: str, length: int
) -> None:
    text = line(begin, again, end, length)
    read = reading(variant, text)
    read()
    tracemalloc.start()
    try:
        read()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < SPARE + 8 * len(text)


PARTS = (
    "From: f@players.example\nDate: Fri, 20 Nov 2026 09:00:00 +0000\nMIME-Version: 1.0\n{}"
    "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n{}\n"
    "--b\nContent-Type: text/html\n\n{}\n--b--\n"
)
SIGNATURE = "DKIM-Signature: v=1; c=relaxed/relaxed; d=players.example; h=from; b=x\n"


def many(written: str, lines: int) -> str:
    return "".join(written.format(place) for place in range(lines))


STRUCTURES: dict[str, Callable[[int], str]] = {
    "struck out": lambda n: PARTS.format("", many("x{}\n", n), many("y{}<br>", n + 20) + many("<s>z{}</s><br>", n)),
    "a stub": lambda n: PARTS.format("", "hi\n" + many("> a{} bbbbbbbbbbbbbbb\n", n), many("c{} d<br>", n)),
    "a long line": lambda n: PARTS.format("", "hi\n> " + "ab " * n * 20, many("c{} d<br>", n)),
    "nothing alike": lambda n: PARTS.format("", many("a{} bbbbbbbbbbb\n", n), many("c{} dddddddddd<br>", n)),
    "signatures": lambda n: PARTS.format(SIGNATURE * n + many("Content-{}: y\n", n), "x", "x"),
    "signatures and a body": lambda n: PARTS.format(SIGNATURE * n, "a =\n-- x\n" * n * 2, "x"),
}


@pytest.mark.parametrize("structure", STRUCTURES)
def test_parts_and_fields_cost_no_more_time_than_their_length(structure: str) -> None:
    def read(lines: int) -> Callable[[], object]:
        raw = STRUCTURES[structure](lines).encode()

        def once() -> object:
            Headers.parse.cache_clear()
            reading_of.cache_clear()
            return read_message(raw, envelope_from="", recipients=())

        return once

    short, long = read(450), read(1_800)
    short(), long()
    assert cost(long, short, BEYOND) < BEYOND
