"""What a receipt says: each order as understood, what is missing, what was refused and where, and what happens next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gm.orders import Build, Order, Waive
from gm.position import parse_unit
from gm.reports import WIDTH
from gm.reports.answers import Receipt, RefusedLine, TalkLine
from gm.reports.render import render
from gm.reports.standing_orders import StandingOrders
from gm.variants.standard import POWERS, opening
from tests.reports.kinds import FRANCE, HELP, sent
from tests.reports.scenes import DUE, FALL, GAME, SPRING, order, reader

ALL = (
    order(opening(), "France", "A par-bur"),
    order(opening(), "France", "A mar H"),
    order(opening(), "France", "F bre-mao"),
)


UNDERSTOOD = "Your mail was understood."
NOTHING = "Your mail contained no order or command"


def receipt(**changes: Any) -> Receipt:
    return replace(
        Receipt(FRANCE, "orders", GAME, sent(), changed=True),
        **{"changed": "standing" not in changes or changes["standing"] is not None} | changes,
    )


@pytest.mark.parametrize(
    ("given", "subject", "first"),
    [
        (receipt(), "Re: [spring] S1901M: 1 unit without an order", UNDERSTOOD + " S1901M: 1 unit without an order."),
        (
            receipt(standing=sent(orders=ALL)),
            "Re: [spring] S1901M: orders complete",
            UNDERSTOOD + " S1901M: orders complete.",
        ),
        (
            receipt(standing=sent(orders=())),
            "Re: [spring] S1901M: no orders yet",
            UNDERSTOOD + " S1901M: no orders yet.",
        ),
        (
            receipt(refused=(RefusedLine(1, "A Pra-Bur", "No such place."),), standing=sent(orders=ALL)),
            "Re: [spring] S1901M: orders complete, 1 line not acted on",
            "1 line could not be acted on, see below; everything else was accepted.",
        ),
        (
            receipt(
                refused=(RefusedLine(1, "A Pra-Bur", "No such place."),), talk=(TalkLine(2, "Flotte Brest nach Kanal"),)
            ),
            "Re: [spring] S1901M: 1 unit without an order, 1 line not acted on",
            "1 line could not be acted on, see below. S1901M: 1 unit",
        ),
        *[
            (
                receipt(refused=(RefusedLine(1, "A Pra-Bur", "No such place."),), standing=sent(orders=ALL), **beside),
                "Re: [spring] S1901M: orders complete, 1 line not acted on",
                "1 line could not be acted on, see below. S1901M: orders complete.",
            )
            for beside in ({"notes": ("Passed over: 'x'.",)}, {"faults": ("What is below GAME b was not acted on.",)})
        ],
        (
            receipt(notes=("Passed over: 'x'.",)),
            "Re: [spring] S1901M: 1 unit without an order",
            "Part of your mail was understood, see below.",
        ),
        (
            receipt(refused=(RefusedLine(1, "JOIN other", "No such game."),), standing=None, game=None),
            "Re: orders",
            "1 line could not be acted on, see below.",
        ),
        (receipt(changed=False), "Re: [spring] S1901M: nothing understood, 1 unit without an order", NOTHING),
        (
            receipt(changed=False, standing=sent(orders=())),
            "Re: [spring] S1901M: nothing understood, 3 units without an order",
            NOTHING,
        ),
        (
            receipt(changed=False, waiting=("Wait.",)),
            "Re: [spring] S1901M: your answer is needed, 1 unit without an order",
            "Nothing in your mail was done yet",
        ),
        (
            receipt(changed=False, done=("Press sent.",)),
            "Re: [spring] S1901M: 1 unit without an order",
            UNDERSTOOD,
        ),
        (
            receipt(changed=False, together=True),
            "Re: [spring] S1901M: your last mails, 1 unit without an order",
            "You have sent many mails",
        ),
        (
            receipt(standing=None, stands=("Next is F1901M.",), phase="S1901M"),
            "Re: [spring] S1901M: nothing understood",
            NOTHING,
        ),
        (receipt(standing=None, game=None), "Re: orders", NOTHING),
        (receipt(standing=None, parts=(HELP,)), "Re: [spring] done", "Your mail was understood."),
        (
            receipt(standing=None, waiting=("Wait.",)),
            "Re: [spring] your answer is needed",
            "Nothing in your mail was done yet, see below.",
        ),
        (
            receipt(standing=None, parts=(HELP,), waiting=("Wait.",)),
            "Re: [spring] your answer is needed",
            "Part of your mail was not done yet",
        ),
        (
            receipt(standing=None, answered="Re: orders", faults=("It was empty.",)),
            "Re: [spring] nothing was done",
            "There is a problem with",
        ),
        (receipt(standing=None, answered=""), "Re: [spring] nothing understood", NOTHING),
        (
            receipt(standing=None, answered="", refused=(RefusedLine(1, "JOIN other", "No such game."),)),
            "Re: [spring] 1 line not acted on",
            "1 line could not be acted on, see below.",
        ),
    ],
)
def test_subject_and_first_line_say_how_it_went(given: Receipt, subject: str, first: str) -> None:
    made = render(given)
    assert made.subject == subject
    assert made.text.splitlines()[2].startswith(first)


@pytest.mark.parametrize(
    ("given", "said", "unsaid"),
    [
        (sent(), ["The deadline is Tue 3 Dec 2030"], ["complete", "WAIT"]),
        (sent(orders=ALL), ["as soon as all orders are in", "reply WAIT", "The deadline is"], ["You asked"]),
        (sent(orders=ALL, early="no"), ["until the deadline", "The deadline is"], ["WAIT"]),
        (
            sent(orders=ALL, wait=True),
            ["are complete", "You asked to WAIT", "READY cancels that"],
            ["as soon as"],
        ),
        (sent(wait=True), ["You asked to WAIT"], ["complete"]),
        (
            sent(orders=ALL, all_in=True),
            ["complete, and nobody else is waited for", "adjudicated now"],
            ["WAIT", "The deadline is"],
        ),
        (sent(deadline=None), [], ["The deadline is"]),
    ],
)
def test_what_happens_next(given: StandingOrders, said: list[str], unsaid: list[str]) -> None:
    outlook = " ".join(given.outlook)
    for words in said:
        assert words in outlook
    for words in unsaid:
        assert words not in outlook


def test_the_form_is_there_only_while_something_is_missing() -> None:
    assert "Your orders for S1901M" in render(receipt()).text
    assert "Your orders for S1901M" not in render(receipt(standing=sent(orders=ALL))).text


@pytest.mark.parametrize(
    ("power", "given", "heading", "state"),
    [
        ("England", (), "Two builds not ordered yet; builds without an order are waived.", "2 builds not ordered"),
        (
            "England",
            ("waive",),
            "One build not ordered yet; builds without an order are waived.",
            "1 build not ordered",
        ),
        ("England", ("waive", "build"), "", "orders complete"),
        ("Austria", (), "One removal not ordered yet; if you do not choose, the rules do.", "no orders yet"),
    ],
)
def test_winter(power: str, given: tuple[str, ...], heading: str, state: str) -> None:
    made: dict[str, Order] = {"waive": Waive(POWERS[1]), "build": Build(parse_unit("England A lvp"))}
    orders = tuple(made[word] for word in given)
    seen = StandingOrders(GAME, reader(power), FALL.view(power), orders)
    assert seen.missing_heading == heading
    assert seen.state == state


@pytest.mark.parametrize(
    ("power", "seen"),
    [("Germany", SPRING), ("England", FALL), ("Austria", FALL)],
)
def test_an_empty_set_that_is_meant_is_not_called_missing(power: str, seen: Any) -> None:
    """READY, in a movement, a retreat, a build and a removal phase."""
    at_once = StandingOrders(GAME, reader(power), seen.view(power), (), number=2, ready=True)
    for standing in (at_once, sent(orders=(), ready=True)):
        said = render(Receipt(FRANCE, "orders", GAME, standing))
        assert "yet" not in f"{said.subject} {said.text}".replace("not ordered yet", "")
        assert standing.state == "orders complete (READY)"
        assert standing.form is None
        assert "complete" in " ".join(standing.outlook)


@pytest.mark.parametrize(
    ("power", "seen", "said"),
    [
        ("Germany", SPRING, "If you send nothing at all, orders are drawn at random; with some sent, or READY, a unit"),
        ("England", FALL, "Two builds not ordered yet; if you send nothing at all, orders are drawn at random."),
    ],
)
def test_where_the_orders_of_the_silent_are_drawn_the_receipt_says_so(power: str, seen: Any, said: str) -> None:
    standing = StandingOrders(GAME, reader(power), seen.view(power), (), drawn=True)
    assert said in standing.missing_heading
    assert "drawn" not in replace(standing, ready=True).missing_heading
    closed = replace(standing, closed=True)
    assert closed.missing_heading == "You sent no orders, so they are drawn at random."
    assert closed.outlook == ("Orders are closed: yours count as they are.",)
    assert closed.form is None


def test_a_retreat_not_ordered_disbands() -> None:
    seen = StandingOrders(GAME, reader("Germany"), SPRING.view("Germany"), ())
    assert seen.missing_heading == "Without an order, so disbanded:"
    assert seen.missing == (("A Bur", "Army Burgundy"),)
    assert seen.heading == "No orders of Germany for S1903R yet"


def test_sets_are_numbered() -> None:
    assert sent().heading == "Orders of France for S1901M (set #4)"
    assert sent(number=1).heading == "Orders of France for S1901M (set #1)"


def test_only_a_power_holds_orders() -> None:
    with pytest.raises(ValueError, match="power"):
        sent(reader=reader(None))


@pytest.mark.parametrize(
    ("text", "column", "shown", "caret"),
    [
        ("A Pra-Bur", 3, "A Pra-Bur", "  ^"),
        ("A Pra-Bur", None, "A Pra-Bur", ""),
        ("A\tPra-Bur  ", 3, "A Pra-Bur", "  ^"),
        ("A Par-", 7, "A Par-", "      ^"),
        ("A Par-", 99, "A Par-", "      ^"),
        ("x" * 100, 1, "x" * 67 + "…", "^"),
        ("x" * 99 + "y", 100, "…" + "x" * 66 + "y", " " * 67 + "^"),
    ],
)
def test_the_caret_is_below_the_error(text: str, column: int | None, shown: str, caret: str) -> None:
    made = RefusedLine(1, text, "Not understood.", column=column)
    assert (made.shown, made.caret) == (shown, caret)
    assert len(made.shown) + 4 <= WIDTH


@pytest.mark.parametrize(
    ("text", "column", "marked"),
    [
        ("A Pra-Bur", 3, ("A ", "Pra", "-Bur")),
        ("A Pra-Bur", None, ("A Pra-Bur", "", "")),
        ("A Par-", 6, ("A Par", "-", "")),
        ("A Par-", 7, ("A Par-", "", "")),
    ],
)
def test_the_word_at_the_error_is_marked(text: str, column: int | None, marked: tuple[str, str, str]) -> None:
    assert RefusedLine(1, text, "Not understood.", column=column).marked == marked


def test_a_long_line_shows_the_part_around_the_fault() -> None:
    made = RefusedLine(1, "a" * 200 + "!" + "b" * 200, "No.", column=201)
    assert made.shown[made.caret.index("^")] == "!"
    assert made.shown.startswith("…")
    assert made.shown.endswith("…")


def test_a_refusal_without_a_line_shows_only_the_words() -> None:
    made = render(receipt(refused=(RefusedLine(0, "", "You may not do this.", "Ask the gamemaster."),)))
    assert "Line 0" not in made.text
    assert "You may not do this. Ask the gamemaster." in made.text


def test_deadlines_are_in_the_readers_zone() -> None:
    assert DUE.hour == 17
    assert "18:00 CET (17:00 UTC)" in render(receipt()).text
