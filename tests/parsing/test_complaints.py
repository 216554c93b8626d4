"""The error message for a line that is not understood: the place of the error, what was expected, and the
nearest name.
"""

from __future__ import annotations

import pytest

from gm.errors import NotUnderstood
from gm.parsing.message import Complaint
from gm.parsing.orders import parse_orders, read_orders
from tests.parsing.names import ADJUSTMENT, LEXICON, MOVEMENT, RETREAT, parse_message
from tests.tables import rows

NEAREST = [
    # line, the word of it that is named, what is suggested
    ("A Pars-Bur", "Pars", "Par (Paris)"),
    ("A Par-Burgandi", "Burgandi", "Bur (Burgundy)"),
    ("F Northh Sea - Nwy", "Northh Sea", "Nth (North Sea)"),
    ("F Lpool-Iri, F Norwegan Sea - Bar", "Norwegan Sea", "Nwg (Norwegian Sea)"),
    ("A Mun S A Brelin-Sil", "Brelin", "Ber (Berlin)"),
    ("A Mun suports A Ber", "suports", "SUPPORTS"),
    ("A Mun hodl", "hodl", "HOLD"),
    ("Biuld A Par", "Biuld", "BUILD"),
    ("Frnace: A Par H", "Frnace", "France"),
    ("  2) A Par – Bugundy", "Bugundy", "Bur (Burgundy)"),
    ("\u200eA\u00a0Par\u200b → Bugundy", "Bugundy", "Bur (Burgundy)"),
]


@pytest.mark.parametrize(("line", "word", "suggestion"), NEAREST, ids=[line for line, _, _ in NEAREST])
def test_the_nearest_name_and_the_column_in_the_line_as_written(line: str, word: str, suggestion: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        parse_orders(line, LEXICON, MOVEMENT)
    error = caught.value
    assert error.column == line.index(word) + 1
    assert repr(word) in error.problem
    assert error.remedy == f"Did you mean {suggestion}?"


EXPECTED = rows("""
    A Par           | M | 6  | what the unit is to do: '-' and a place, H, S or C
    A Par,          | M | 6  | what the unit is to do: '-' and a place, H, S or C
    A Par           | R | 6  | R and a place, or D
    A Par           | A | 6  | BUILD or REMOVE
    A Par -         | M | 8  | a place, such as Par or Paris
    A Par - xyzzy   | M | 9  | a place, such as Par or Paris
    A Par S         | M | 8  | a unit, such as A PAR
    A Par S xyzzy   | M | 9  | a unit, such as A PAR
    Build           | A | 6  | a unit, such as A PAR
    xyzzy           | M | 1  | an order such as A PAR-BUR
    xyzzy           | A | 1  | an order such as BUILD A PAR, REMOVE A PAR or WAIVE
    A Par H xyzzy   | M | 9  | the end of the order
    A Par-Bur xyzzy | M | 11 | the end of the order
""")


@pytest.mark.parametrize(("line", "phase", "column", "expected"), EXPECTED)
def test_what_was_expected(line: str, phase: str, column: str, expected: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        parse_orders(line, LEXICON, {"M": MOVEMENT, "R": RETREAT, "A": ADJUSTMENT}[phase])
    assert str(caught.value.column) == column
    assert expected in caught.value.remedy
    assert not any(terminal in str(caught.value) for terminal in ("PLACE", "_MOVE", "KIND", "$END"))


@pytest.mark.parametrize(
    ("line", "problem", "remedy"),
    [
        ("F Spa/ec-Mao", "'Spa/ec': Spain has no east coast.", "Write Spa/nc or Spa/sc."),
        ("F Par (north coast) H", "'Par (north coast)': Paris has no north coast.", "Write Par alone."),
    ],
)
def test_coasts_that_do_not_exist(line: str, problem: str, remedy: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        parse_orders(line, LEXICON, MOVEMENT)
    assert (caught.value.problem, caught.value.remedy, caught.value.column) == (problem, remedy, 3)


def test_a_bad_order_does_not_spoil_its_neighbours() -> None:
    line = "Italy: A Ven-Tyr, A Rom-Vem. F St. Petersburg-Bot; A Par/nc H, F Nap-Ion"
    reading = read_orders(line, LEXICON, MOVEMENT)
    assert [(power, order.to) for power, order in reading.orders if hasattr(order, "to")] == [
        ("Italy", "tyr"),
        ("Italy", "bot"),
        ("Italy", "ion"),
    ]
    assert [fault.complain().column for fault in reading.faults] == [line.index("Vem") + 1, line.index("Par/nc") + 1]


@pytest.mark.parametrize("line", ["A Par..Bre", "A Par A Mar", "F Bre, F Bre", "F Bre, F Lon, F Mar"])
def test_the_same_complaint_is_made_once(line: str) -> None:
    (item,) = parse_message(line, LEXICON, MOVEMENT).items
    assert isinstance(item, Complaint)
