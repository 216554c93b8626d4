"""A whole mail, parsed in the order written."""

from __future__ import annotations

import pytest

from gm.board import Power
from gm.parsing.message import CommandLine, Complaint, OrderLine, PressBlock, Talk
from gm.parsing.orders import parse_orders
from tests.parsing.names import LEXICON, MOVEMENT, parse_message
from tests.tables import lines

LETTER = """Hello GM,

here are my orders for this season:

  F Nth - Nwy
  A Yor S Nth-Nwy, A Lvp-Yorl
and I am not sure about Denmark.

PRESS TO RUSSIA:
I am coming. Nothing personal.
A Stp H
ENDPRESS

status
A Lon-Yor  (again)
JION autumn

Regards,
Ann
"""


def test_a_whole_mail() -> None:
    items = parse_message(LETTER, LEXICON, MOVEMENT).items
    assert [(item.line, type(item)) for item in items] == [
        (1, Talk),
        (3, Talk),
        (5, OrderLine),
        (6, OrderLine),
        (6, Complaint),
        (7, Talk),
        (9, PressBlock),
        (14, CommandLine),
        (15, OrderLine),
        (16, Complaint),
        (18, Talk),
        (19, Talk),
    ]
    assert items[2].text == "  F Nth - Nwy"
    denmark = items[5]
    assert isinstance(denmark, Talk)
    assert denmark.mentions_board


def test_lines_may_end_in_any_way() -> None:
    items = parse_message("A Par H\r\nA Mar H\rF Bre H\n", LEXICON, MOVEMENT).items
    assert [(item.line, item.text) for item in items] == [(1, "A Par H"), (2, "A Mar H"), (3, "F Bre H")]


def test_end_ends_the_mail() -> None:
    items = parse_message("A Par H\nSIGNOFF\nA Mar H", LEXICON, MOVEMENT).items
    assert [type(item) for item in items] == [OrderLine, CommandLine]


def powers_of(text: str) -> list[Power | None]:
    items = parse_message(text, LEXICON, MOVEMENT).items
    return [power for item in items if isinstance(item, OrderLine) for power, _ in item.orders]


def test_a_heading_holds_until_an_empty_line() -> None:
    assert powers_of("A Par H\nGermany:\nA Mun H, A Ber H\nA Kie H\nItaly:\nA Rom H\n\nA Mar H") == [
        None,
        "Germany",
        "Germany",
        "Germany",
        "Italy",
        None,
    ]


def test_a_powers_name_on_a_line_of_orders_holds_for_that_line_only() -> None:
    assert powers_of("Germany: A Mun H, A Ber H\nA Par H") == ["Germany", "Germany", None]


def test_small_talk_ends_a_heading() -> None:
    assert powers_of("Germany:\nthank you for your help in Burgundy.\nA Par H") == [None]


def test_text_that_is_not_a_mail_is_not_read_to_its_end() -> None:
    items = parse_message("A Pars-Bur\nHello\n" * 500 + "A Mar H", LEXICON, MOVEMENT).items
    assert len(items) == 200
    last = items[-1]
    assert isinstance(last, Complaint)
    assert "reading stopped" in last.error.problem


OFFICE = lines("""
    F BREàMAO
    F Bre à Mao
    F Bre \uf0e0 Mao
    F BREèMAO
    o   F Bre-Mao
    o\tF Bre-Mao
    §  F Bre-Mao
    a) F Bre-Mao
    (b) F Bre-Mao
    Ø F Bre - Mao
""")


@pytest.mark.parametrize("line", OFFICE)
def test_what_office_programs_make_of_an_order(line: str) -> None:
    (item,) = parse_message(line, LEXICON, MOVEMENT).items
    assert isinstance(item, OrderLine)
    assert list(item.orders) == parse_orders("F Bre-Mao", LEXICON, MOVEMENT)


BROKEN = {
    # name: lines, the orders meant
    "behind the supported unit": (
        "Fleet English Channel supports Fleet Mid-Atlantic Ocean to\nNorth Atlantic Ocean",
        ["Fleet English Channel supports Fleet Mid-Atlantic Ocean to North Atlantic Ocean"],
    ),
    "where the first line would be another order": (
        "France: Fleet Mid-Atlantic Ocean supports Army North Africa\n-> Tunis\nA Par H",
        ["France: F Mao S A Naf - Tun", "A Par H"],
    ),
    "a comment below": ("Fleet English Channel supports Fleet Mid-Atlantic Ocean holding\nplease", ["F Eng S F Mao"]),
    "an order below": (
        "Fleet English Channel supports Fleet Mid-Atlantic Ocean hold\nA Par-Bur",
        ["F Eng S F Mao", "A Par-Bur"],
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_order_that_is_broken_over_two_lines_is_joined(name: str) -> None:
    text, meant = BROKEN[name]
    items = parse_message(text, LEXICON, MOVEMENT).items
    found = [one for item in items if isinstance(item, OrderLine) for one in item.orders]
    assert found == [one for line in meant for one in parse_orders(line, LEXICON, MOVEMENT)]


@pytest.mark.parametrize("bullet", ["- ", "* ", "1. ", "• ", "a) ", "o  "])
def test_a_command_may_have_a_bullet(bullet: str) -> None:
    (item,) = parse_message(f"{bullet}READY", LEXICON, MOVEMENT).items
    assert isinstance(item, CommandLine)
    assert item.name == "ready"
