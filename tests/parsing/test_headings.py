"""Headings that say for which phase orders are, and units in brackets, as in published games."""

from __future__ import annotations

import pytest

from gm.orders.notation import short
from gm.parsing import message
from gm.parsing.message import Complaint, OrderLine, Talk
from gm.position import Phase, PhaseKind, Season
from tests.parsing.names import LEXICON, READER
from tests.tables import lines

NOW = Phase(1901, Season.SPRING, PhaseKind.MOVEMENT)
RETREATS = Phase(1901, Season.SPRING, PhaseKind.RETREAT)


def read(text: str, now: Phase = NOW) -> list[tuple[str | None, str, str]]:
    """Each order: the code of its heading, its power, the kind of order."""
    return [
        (item.phase.code if item.phase else None, power or "", type(order).__name__ + " " + short(order.unit.at))
        for item in message.parse_message(text, LEXICON, now, READER).items
        if isinstance(item, OrderLine)
        for power, order in item.orders
        if hasattr(order, "unit")
    ]


@pytest.mark.parametrize(
    ("heading", "code"),
    [
        ("Spring 1901:", "S1901M"),
        ("SPRING 1901", "S1901M"),
        ("Spring '01:", "S1901M"),
        ("Spring of 1901:", "S1901M"),
        ("1901 Spring:", "S1901M"),
        ("Spring 1901 moves:", "S1901M"),
        ("Spring moves 1901", "S1901M"),
        ("Spring:", "S1901M"),
        ("S1901M", "S1901M"),
        ("S1901:", "S1901M"),
        ("S01:", "S1901M"),
        ("(S01)", "S1901M"),
        ("=== Spring 1901 ===", "S1901M"),
        ("My orders for Spring 1901:", "S1901M"),
        ("Here are my orders for Spring 1901:", "S1901M"),
        ("Autumn 1901:", "F1901M"),
        ("Fall 1901", "F1901M"),
        ("(A01)", "F1901M"),
        ("A1901:", "F1901M"),
        ("Fall 1901 retreats:", "F1901R"),
        ("F1901R", "F1901R"),
        ("Winter 1901:", "W1901A"),
        ("Winter:", "W1901A"),
        ("W1901B", "W1901A"),
        ("Winter builds 1901:", "W1901A"),
        ("Spring 1899", "S1899M"),
        ("S99:", "S1899M"),
    ],
)
def test_a_heading_holds_for_all_below_it(heading: str, code: str) -> None:
    orders = "A Par H" if code[-1] == "M" else "A Par R Gas" if code[-1] == "R" else "Build A Par"
    text = f"{heading}\n\n{orders}\nand now for something else\n\n{orders}"
    assert [phase for phase, _, _ in read(text)] == [code, code]


@pytest.mark.parametrize("heading", ["Spring 1901:", "S1901M", "Spring 1901 -", "(S01)", "Spring:"])
def test_a_heading_may_stand_before_orders(heading: str) -> None:
    assert read(f"{heading} A Par-Bur, A Mar-Spa") == [("S1901M", "", "Move Par"), ("S1901M", "", "Move Mar")]


def test_before_orders_it_holds_up_to_a_gap() -> None:
    text = "Fall 1901: A Par-Bur,\nA Mar-Spa\n\nF Bre H"
    assert [phase for phase, _, _ in read(text)] == ["F1901M", "F1901M", None]


def test_headings_may_follow_one_another_on_a_line() -> None:
    text = "Spring 1901: A Par-Bur. Fall 1901: A Bur-Mun. Winter 1901: Build A Par."
    assert read(text) == [("S1901M", "", "Move Par"), ("F1901M", "", "Move Bur"), ("W1901A", "", "Build Par")]
    assert [phase for phase, _, _ in read("A Par-Bur. Fall 1901: A Bur-Mun")] == [None, "F1901M"]


@pytest.mark.parametrize(
    "lead", ["FRANCE (F01)", "France, Fall 1901:", "Fall 1901, France:", "My France orders, Fall 1901:"]
)
def test_a_power_beside_a_heading(lead: str) -> None:
    assert read(f"{lead} A(Par)-Bur; A(Mar)Std.") == [
        ("F1901M", "France", "Move Par"),
        ("F1901M", "France", "Hold Mar"),
    ]
    assert read(f"{lead}\nA(Par)-Bur") == [("F1901M", "France", "Move Par")]


SEASONS = (
    "F01",
    "F1901M",
    "A01",
    "A1901",
    "Fall 1901",
    "FALL '01",
    "Autumn 1901",
    "Aut. 1901",
    "1901 Fall",
    "Fall 1901 moves",
)
POWERS = ("France", "FRANCE", "Fra", "French", "F", "The French", "France's orders")
FORMS = lines("""
    {power} ({season})
    {power} ({season}):
    {power} [{season}]
    {power} {season}:
    {power}, {season}:
    {power}. {season}.
    {power} - {season} -
    {season} ({power})
    {season} ({power}):
    {season} [{power}]:
    ({season}) {power}:
    {season}, {power}:
    {season} {power}:
    {season}. {power}.
""")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("power", POWERS)
def test_season_and_power_in_every_form(form: str, power: str) -> None:
    for season in SEASONS:
        lead = form.format(power=power, season=season)
        for line in (f"{lead} A(Par)-Bur; A(Mar)Std.", f"{lead} A Par-Bur, A Mar H", f"{lead}\nA Par-Bur\nA Mar H"):
            assert read(line) == [("F1901M", "France", "Move Par"), ("F1901M", "France", "Hold Mar")], line


def test_an_abbreviated_season_of_the_present_is_the_present_phase() -> None:
    assert read("Spring 1901: A Par-Gas", RETREATS) == [("S1901R", "", "Retreat Par")]
    assert read("Spring: A Par-Gas", RETREATS) == [("S1901R", "", "Retreat Par")]
    assert read("Spring 1901 moves: A Par-Gas", RETREATS) == [("S1901M", "", "Move Par")]
    assert read("Fall 1901: A Par-Gas", RETREATS) == [("F1901M", "", "Move Par")]


@pytest.mark.parametrize(
    "line",
    [
        "Spring 1901 was a bad year in Paris",
        "In the spring we march",
        "Spring",
        "I fall back: to Paris",
        "Winter is coming.",
        "F 19 is a jet",
    ],
)
def test_what_is_no_heading_does_not_hold(line: str) -> None:
    first, order = message.parse_message(f"{line}\nA Par-Bur", LEXICON, NOW, READER).items
    assert isinstance(first, Talk)
    assert isinstance(order, OrderLine)
    assert order.phase is None


def test_columns_are_those_of_the_line_as_written() -> None:
    [item] = message.parse_message("France, Fall 1901: A Pars-Bur", LEXICON, NOW, READER).items
    assert isinstance(item, Complaint)
    assert item.error.column == 22
    [item] = message.parse_message("FRANCE (A01) A(Pars)-Bur", LEXICON, NOW, READER).items
    assert isinstance(item, Complaint)
    assert item.error.column == 16
    [_, second] = message.parse_message("Spring 1901: A Par H. Fall 1901: A Pars-Bur", LEXICON, NOW, READER).items
    assert isinstance(second, Complaint)
    assert second.error.column == 36


@pytest.mark.parametrize(
    ("bracketed", "plain"),
    [
        ("A(Con)-Bul; F(Ank)-BLA; A(Bur)Std.", "A Con-Bul; F Ank-BLA; A Bur Std."),
        ("A (Con) - Bul", "A Con - Bul"),
        ("Army(Constantinople)-Bul", "A Con-Bul"),
        ("A(Ser) S A(Bul)-Rum", "A Ser S A Bul-Rum"),
        ("A(Kie) S AUS A(Boh)-Mun", "A Kie S Austrian A Boh-Mun"),
        ("F(Stp)(sc)-Bot, F(Bul(ec))-Rum", "F Stp(sc)-Bot, F Bul(ec)-Rum"),
        ("Remove A(Par)", "Remove A Par"),
        ("A(Mun)-Bur (retreats); A(Kie)Std.", "A Mun-Bur; A Kie Std."),
        ("GERMANY  A(Mun)-Bur", "GERMANY A Mun-Bur"),
        ("A Mun. - Bur. F Kie.-Hol. A Ber. H.", "A Mun - Bur, F Kie-Hol, A Ber H"),
        ("A(Mun.)-Bur.; A Ber. S A Mun. - Bur.", "A Mun-Bur; A Ber S A Mun-Bur"),
        ("A Mun. to Bur., F Kie. C A Ber. to Hol.", "A Mun to Bur, F Kie C A Ber to Hol"),
    ],
)
def test_brackets_about_a_units_place_change_nothing(bracketed: str, plain: str) -> None:
    def orders(text: str) -> list[object]:
        items = message.parse_message(text, LEXICON, NOW, READER).items
        assert all(isinstance(item, OrderLine) for item in items), items
        return [item.orders for item in items if isinstance(item, OrderLine)]

    assert orders(bracketed) == orders(plain)
