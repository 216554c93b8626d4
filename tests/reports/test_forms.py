"""The form players reply with: filled in, our own grammar parses it; not filled in, it orders nothing."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from gm.board import Location, UnitKind
from gm.orders import Build, WrittenOrder
from gm.parsing.lexicon import lexicon_of
from gm.parsing.message import OrderLine, parse_message
from gm.position import Unit
from gm.reports.forms import FORM_WIDTH, order_form
from gm.reports.reader import LINK_LIMIT, form, mailto
from gm.variants.standard import STANDARD
from gm.views import View
from tests.reports.kinds import sent
from tests.reports.scenes import FALL, GAME, RETREATS, SPRING, Scene, reader


def read(view: View, lines: tuple[str, ...]) -> list[WrittenOrder]:
    """The orders that our parser finds in the lines."""
    lexicon = lexicon_of(STANDARD.board(view.position), STANDARD.seating.powers)
    parsed = parse_message("\n".join(lines), lexicon, view.position.phase)
    return [order for item in parsed.items if isinstance(item, OrderLine) for _, order in item.orders]


CASES = [
    pytest.param(RETREATS, "France", ("F Bre-", "A Bur-", "F Eng-", "A Mar-"), id="movement"),
    pytest.param(SPRING, "Germany", ("# A Bur to: Bel, Gas, Pic; or A Bur DISBAND", "A Bur-"), id="retreat"),
    pytest.param(FALL, "France", ("# To choose from: A Bre, F Bre, A Par; or WAIVE", "BUILD", "BUILD"), id="builds"),
    pytest.param(FALL, "Austria", ("# To choose from: A Alb, A Bud", "REMOVE"), id="removals"),
    pytest.param(SPRING, "France", (), id="nothing to retreat"),
]


@pytest.mark.parametrize(("scene", "power", "lines"), CASES)
def test_lines(scene: Scene, power: str, lines: tuple[str, ...]) -> None:
    view = scene.view(power)
    assert view.seat is not None
    assert order_form(view, view.seat) == lines


@pytest.mark.parametrize(("scene", "power", "lines"), CASES)
def test_left_alone_it_orders_nothing(scene: Scene, power: str, lines: tuple[str, ...]) -> None:
    assert read(scene.view(power), lines) == []


@pytest.mark.parametrize(
    ("scene", "power", "filling"),
    [
        (
            RETREATS,
            "France",
            {"F Bre-": "F Bre-Gas", "A Bur-": "A Bur H", "F Eng-": "F Eng-Lon", "A Mar-": "A Mar-Pie"},
        ),
        (SPRING, "Germany", {"A Bur-": "A Bur-Gas"}),
        (SPRING, "Germany", {"A Bur-": "A Bur DISBAND"}),
        (FALL, "France", {"BUILD": "BUILD F Bre"}),
        (FALL, "Austria", {"REMOVE": "REMOVE A Alb"}),
    ],
)
def test_filled_in_it_is_read(scene: Scene, power: str, filling: dict[str, str]) -> None:
    view = scene.view(power)
    assert view.seat is not None
    lines = order_form(view, view.seat)
    orders = read(view, tuple(filling.get(line, line) for line in lines))
    assert len(orders) == sum(not line.startswith("#") for line in lines)


def test_units_that_have_orders_are_left_out() -> None:
    given = sent()
    made = form(GAME, reader("France"), given.view, given.orders)
    assert made is not None
    assert made.lines == ("F Bre-",)


def test_builds_are_one_decision_and_stay_together() -> None:
    view = FALL.view("France")
    assert view.seat is not None
    one = [Build(Unit(view.seat, UnitKind.FLEET, Location("bre")))]
    assert order_form(view, view.seat, one)[-2:] == ("Build F Bre", "BUILD")


def test_long_choices_are_broken_into_comments() -> None:
    view = FALL.view("Russia")
    assert view.seat is not None
    for line in order_form(view, view.seat):
        assert len(line) <= FORM_WIDTH
        assert re.match(r"#|BUILD$", line)


def test_the_link_carries_the_form() -> None:
    made = form(GAME, reader("France"), sent().view)
    assert made is not None
    link = urlsplit(made.link)
    fields = parse_qs(link.query)
    assert unquote(link.path) == "gm+spring.abc@example.org"
    assert fields["subject"] == ["[spring] S1901M France"]
    assert fields["body"] == ["F Bre-\r\nA Mar-\r\nA Par-\r\n"]


def test_a_link_too_long_for_clients_goes_without_its_body() -> None:
    link = mailto(reader("France"), "subject", "A Par-\n" * 400)
    assert len(link) < LINK_LIMIT
    assert parse_qs(urlsplit(link).query, keep_blank_values=True)["body"] == [""]
