"""Lines beyond what is read: refused whole, quoted, and harmless to press and to the lines around them."""

from __future__ import annotations

import pytest

from gm.cut import LONGEST
from gm.parsing import orders
from gm.parsing.message import CommandLine, Complaint, OrderLine, PressBlock
from gm.parsing.orders import Reading
from tests.parsing.names import LEXICON, MOVEMENT, parse_message


@pytest.mark.parametrize(
    "line",
    [
        "A Par-Bur, " * 300,
        "STATUS " + "please " * 400,
        "Well, I think that we should talk about the south. " * 60,
        "IF " + "A Bur and " * 300,
    ],
)
def test_a_line_that_is_too_long_is_quoted_and_nothing_in_it_counts(line: str) -> None:
    above, long, below = parse_message(f"A Mar H\n{line}\nF Bre H", LEXICON, MOVEMENT).items
    assert isinstance(above, OrderLine)
    assert isinstance(below, OrderLine)
    assert isinstance(long, Complaint)
    assert line[:20].strip() in long.error.problem
    assert "too long" in long.error.problem
    assert f"{LONGEST:,}" in long.error.remedy
    assert len(long.text) == LONGEST


def test_orders_below_a_phase_that_is_too_long_are_for_no_other_phase() -> None:
    long, below = parse_message("PHASE S1902M " * 200 + "\nF Bre H", LEXICON, MOVEMENT).items
    assert isinstance(long, Complaint)
    assert isinstance(below, Complaint)


def test_a_line_is_as_long_as_what_it_says() -> None:
    [order, command] = parse_message("A Par" + " " * 9_000 + "-Bur\nSTATUS" + " " * 9_000, LEXICON, MOVEMENT).items
    assert isinstance(order, OrderLine)
    assert len(order.orders) == 1
    assert isinstance(command, CommandLine)


@pytest.mark.parametrize("end", ["\nENDPRESS", " ENDPRESS"])
def test_press_is_carried_whole(end: str) -> None:
    said = ("We must talk." + " " * 50 + "-" * 50) * 400
    [press] = parse_message(f"PRESS TO ENGLAND: {said}{end}", LEXICON, MOVEMENT).items
    assert isinstance(press, PressBlock)
    assert press.body == said


def test_below_end_is_shown_as_it_was_written() -> None:
    long = "x" * 9_000
    assert parse_message(f"A Mar H\nEND\n{long}", LEXICON, MOVEMENT).below == (long,)


def test_of_many_lines_with_slips_each_is_read_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of 2,400 lines was read eight times or more: a mail took 46 seconds."""
    tried = []

    def counted(*given: object) -> Reading:
        tried.append(given)
        return read_one(*given)  # type: ignore[arg-type]

    read_one = orders._read
    monkeypatch.setattr(orders, "_read", counted)

    def readings(number: int) -> int:
        tried.clear()
        lines = (f"what happens if A Par-Bur {at} and A Mun-Bur bounce?" for at in range(number))
        parse_message("\n".join(lines), LEXICON, MOVEMENT)
        return len(tried)

    first = readings(100)
    assert first > 120
    assert readings(400) - first <= 300 + 100
    [order] = [
        one
        for one in parse_message("\n".join(["F Nrt-XXX"] * 99 + ["A Par-Bur"]), LEXICON, MOVEMENT).items
        if isinstance(one, OrderLine)
    ]
    assert order.text == "A Par-Bur"
