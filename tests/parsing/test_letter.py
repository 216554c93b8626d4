"""A whole mail, parsed in the order written."""

from __future__ import annotations

import pytest

from gm.board import Power
from gm.parsing.message import CommandLine, Complaint, OrderLine, PressBlock, Talk
from gm.parsing.orders import parse_orders
from tests.parsing.names import ADJUSTMENT, LEXICON, MOVEMENT, parse_message
from tests.tables import lines, table

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
    i. F Bre-Mao
    ii) F Bre-Mao
    (iv) F Bre-Mao
    VIII. F Bre-Mao
    Ⅳ. F Bre-Mao
    a. F Bre-Mao
    C. F Bre-Mao
    [x] F Bre-Mao
    1.a) F Bre-Mao
    [2] F Bre-Mao
    3- F Bre-Mao
    4/ F Bre-Mao
    5.- F Bre-Mao
    5°) F Bre-Mao
    No. 6: F Bre-Mao
    7️⃣ F Bre-Mao
    ⑧ F Bre-Mao
    ❾ F Bre-Mao
    ➡️ F Bre-Mao
    →F Bre-Mao
    -> F Bre-Mao
    => F Bre-Mao
    ~ F Bre-Mao
    ・F Bre-Mao
    👉🏽 F Bre-Mao
    - ⮕ F Bre-Mao
    F Bre ➡️ Mao
    F Brest ⟼ Mid-Atlantic Ocean
    F Bre ⇀ Mao
    F Brest ▶️ Mid-Atlantic Ocean
    F Brest 👉🏽 Mid-Atlantic Ocean
    F Bre » Mao
    F Bre › Mao
    ii) F Bre à Mao
    ‘F Bre-Mao’
    'F Bre-Mao'
    `F Bre-Mao`
    1. “F Bre-Mao”
""")


@pytest.mark.parametrize("line", OFFICE)
def test_what_office_programs_make_of_an_order(line: str) -> None:
    (item,) = parse_message(line, LEXICON, MOVEMENT).items
    assert isinstance(item, OrderLine)
    assert list(item.orders) == parse_orders("F Bre-Mao", LEXICON, MOVEMENT)


NOT_ITEMS = {
    # what looks like an item's mark, and belongs to the order or says something else
    "A. Par-Bur": ["A Par-Bur"],
    "F. Bre-Mao": ["F Bre-Mao"],
    "A) Par-Bur": ["Par-Bur"],
    "F Nth c. A Lon-Nwy": ["F Nth C A Lon-Nwy"],
    "F Nth\nC. A Lon-Nwy": ["F Nth C A Lon-Nwy"],
    "A Mun S A Par ➤ Bur": ["A Mun S A Par-Bur"],
    "2 A Par-Bur": [],
    "[ ] A Par-Bur": [],
    "No. F Bre-Mao": [],
    "No. f. Bre-Mao": [],
    "A ← Bur": [],
}


@pytest.mark.parametrize("text", NOT_ITEMS)
def test_what_is_no_bullet(text: str) -> None:
    items = parse_message(text, LEXICON, MOVEMENT).items
    found = [one for item in items if isinstance(item, OrderLine) for one in item.orders]
    assert found == [one for line in NOT_ITEMS[text] for one in parse_orders(line, LEXICON, MOVEMENT)]


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
    "behind a dash": ("A Bohemia supports A Munich -\n  Silesia\nA Par-Bur", ["A Boh S A Mun-Sil", "A Par-Bur"]),
    "before the supported order, itself one": (
        "A Bohemia supports\n  A Munich - Silesia",
        ["A Boh S A Mun-Sil", "A Mun-Sil"],
    ),
    "before the last place of a support": ("A Mun S A Par\n-> Bur\nA Mar-Spa", ["A Mun S A Par-Bur", "A Mar-Spa"]),
    "within a name": ("Fleet North\nSea to Norway", ["F Nth-Nwy"]),
    "into three": ("Fleet Norwegian Sea convoys\nArmy Edinburgh\nto Norway", ["F Nwg C A Edi-Nwy"]),
    "several orders": ("A Con-Bul; A Smy-Con; F Ank-\nBla; A Arm-Sev", ["A Con-Bul; A Smy-Con; F Ank-Bla; A Arm-Sev"]),
    "several orders, twice": (
        "A Par-Bur, A Mar\nS A Par-Bur, F Bre\n-Mao",
        ["A Par-Bur, A Mar S A Par-Bur, F Bre-Mao"],
    ),
    "a comment": ("A Par-Bur (as we\nagreed yesterday)", ["A Par-Bur"]),
    "a line of the form that was left open": ("A Par-\nA Mar-Spa", ["A Mar-Spa"]),
    "an order and a place below": ("A Par-Bur\n- Mun", ["A Par-Bur"]),
    "a gap between": ("A Mun S A Par\n\n- Bur", ["A Mun S A Par"]),
    "a quoted line below": ("A Mun S A Par-\n> Bur", []),
    "two places": ("Par\nBur", []),
    "a heading": ("France:\nA Par-Bur\nA Mar H", ["France: A Par-Bur", "France: A Mar H"]),
    "a word above": ("Retreat\nA Par-Bur", ["A Par-Bur"]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_order_that_is_broken_over_two_lines_is_joined(name: str) -> None:
    text, meant = BROKEN[name]
    items = parse_message(text, LEXICON, MOVEMENT).items
    found = [one for item in items if isinstance(item, OrderLine) for one in item.orders]
    assert found == [one for line in meant for one in parse_orders(line, LEXICON, MOVEMENT)]


def test_a_broken_order_among_words_is_no_order_below() -> None:
    text = "Please move: Fleet Brest -> Mid-Atlantic Ocean, Army Marseilles supports\nArmy Paris -> Burgundy"
    (item,) = parse_message(text, LEXICON, MOVEMENT).items
    assert isinstance(item, Complaint)
    assert "among other words" in item.error.problem


def test_a_unit_in_short_and_in_full_asks_for_nothing() -> None:
    (item,) = parse_message("    F Bre  Fleet Brest", LEXICON, MOVEMENT).items
    assert isinstance(item, Talk)
    assert (item.mentions_board, item.blank) == (False, True)


def test_an_item_that_begins_like_an_order_is_quoted() -> None:
    (item,) = parse_message("ii) F Bre ?? Mao", LEXICON, MOVEMENT).items
    assert isinstance(item, Complaint) or (isinstance(item, Talk) and item.mentions_board)


@table("""
    text                           | orders
    Builds: / A Par / F Bre        | Build A Par, F Bre
    Build / A Par                  | Build A Par
    Remove / A Par / A Mar / Thanks | Remove A Par, A Mar
    Build A Par / F Bre            | Build A Par
""")
def test_a_head_with_its_list_below(text: str, orders: str) -> None:
    items = parse_message(text.replace(" / ", "\n"), LEXICON, ADJUSTMENT).items
    found = [one for item in items if isinstance(item, OrderLine) for one in item.orders]
    assert found == parse_orders(orders, LEXICON, ADJUSTMENT)


def test_a_broken_order_for_a_later_phase_is_joined() -> None:
    text = "PHASE F1901M\nA Bohemia supports A Munich -\n  Silesia\nA Par-Bur\nENDPHASE"
    (item,) = parse_message(text, LEXICON, MOVEMENT).items
    assert isinstance(item, CommandLine)
    assert [line for _, line in item.below] == ["A Bohemia supports A Munich - Silesia", "A Par-Bur"]


@pytest.mark.parametrize("bullet", ["- ", "* ", "1. ", "• ", "a) ", "o  ", "i. ", "ii) ", "b. ", "➡️ "])
def test_a_command_may_have_a_bullet(bullet: str) -> None:
    (item,) = parse_message(f"{bullet}READY", LEXICON, MOVEMENT).items
    assert isinstance(item, CommandLine)
    assert item.name == "ready"
