"""What each seat sees: its own exemption, and nothing that reveals another's (BH-4)."""

from __future__ import annotations

import pytest

from gm.advance import advance
from gm.board import Power, standard_board
from gm.chance import Chance
from gm.orders import Hold
from gm.position import PhaseKind
from gm.reports.results import silence
from gm.turn import Turn
from gm.variants.black_hole.state import FILE
from gm.variants.standard import POWERS
from gm.views import MASTER, View
from tests.variants.black_hole.scenes import GAME, Fixed, orders, play, position

FRANCE, GERMANY = Power("France"), Power("Germany")


def shown(turn: Turn, seat: Power | None) -> View:
    """The view of a turn."""
    return GAME.view(GAME, turn.after, turn, seat)


def rows(view: View, title: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a section; none if the section is missing."""
    return next((section.rows for section in view.sections if section.title == title), ())


def first(lines: str) -> Turn:
    """Spring 1901 with these orders."""
    opening = GAME.opening(POWERS, Chance(bytes(32)))
    return play(opening, lines)


@pytest.mark.ruling("BH-4")
@pytest.mark.parametrize("seat", [None, MASTER, GERMANY])
def test_bh_4_others_see_neither_the_order_nor_the_exemption(seat: Power | None) -> None:
    turn = first("France: EXEMPT BRE, A PAR H; Germany: EXEMPT MUN")
    view = shown(turn, seat)
    assert "Exempt" not in repr(view.turn).replace("'exempt'", "") or seat == GERMANY
    assert "'France': 'bre'" not in repr(view)
    assert "center='bre'" not in repr(view)
    assert "bre" not in repr(view.position.extra)


@pytest.mark.ruling("BH-4")
def test_bh_4_the_owner_sees_both() -> None:
    view = shown(first("France: EXEMPT BRE, A PAR H"), FRANCE)
    assert rows(view, "Exempt home centres") == (("France", "Brest (known to you alone)"),)
    assert view.turn is not None
    assert "Exempt" in repr(view.turn.orders)
    assert "Exempt" in repr(view.turn.outcomes)


@pytest.mark.ruling("BH-4")
@pytest.mark.parametrize("seat", [None, GERMANY])
def test_bh_4_who_only_names_an_exemption_looks_like_one_who_said_ready(seat: Power | None) -> None:
    """Neither is silent; an order that nobody sees is not revealed, and an empty set that is meant is not blamed."""
    named = shown(first("France: EXEMPT BRE; Germany: A MUN H"), seat)
    chance = Chance(bytes(32))
    ready = shown(advance(GAME, GAME.opening(POWERS, chance), {GERMANY: (), FRANCE: ()}, chance), seat)
    for view in (named, ready):
        assert view.turn is not None
        assert "France" not in view.turn.silent
        assert "France" not in silence(view, view.turn)
        assert "Italy" in silence(view, view.turn)
        assert not view.turn.orders.get(FRANCE)


@pytest.mark.ruling("BH-3", "BH-4")
@pytest.mark.parametrize("line", ["EXEMPT MAR", "WAIVE", "EXEMPT MAR, A GAS H"])
def test_bh_4_that_an_exemption_moves_is_not_shown(line: str) -> None:
    """Nor is it revealed that the exemption may move, or that it was not moved."""
    where = position(
        "F1903M", "France A gas; Germany A par", "France mar; Germany par", exempt={"France": "par", "Germany": "mun"},
        movable={"France": "mar"},
    )  # fmt: skip
    plain = tuple(order for order in orders(where, f"France: {line}")[FRANCE] if isinstance(order, Hold))
    same = shown(advance(GAME, where, {FRANCE: plain}, Fixed("bar")), GERMANY)
    view = shown(play(where, f"France: {line}"), GERMANY)
    assert view.turn == same.turn
    assert view.sections == same.sections
    assert FRANCE not in GAME.view(GAME, where, None, GERMANY).position.extra.get("movable", {})
    assert (
        "only Marseilles is left. You may move the exemption there" in GAME.view(GAME, where, None, FRANCE).private[0]
    )
    assert not GAME.view(GAME, where, None, GERMANY).private
    assert "EXEMPT Mar moves your exemption there" in GAME.view(GAME, where, None, FRANCE).hints[0]


@pytest.mark.ruling("BH-4")
def test_bh_4_exemptions_are_published_after_the_end() -> None:
    centers = " ".join(standard_board().centers[:20])
    where = position("S1905M", "France A gas, A pic; Germany A mun", f"France {centers}",
                     exempt={"France": "par", "Germany": "mun"})  # fmt: skip
    turn = play(where)
    assert turn.victory is not None
    view = shown(turn, None)
    assert rows(view, "Exempt home centres") == (("France", "Paris"), ("Germany", "Munich"))
    assert view.turn == turn


@pytest.mark.ruling("BH-1")
def test_bh_1_holes_are_listed_and_marked() -> None:
    turn = play(position("F1902M", "France A par", "France par", holes="nth bur"), "", Fixed("spa"))
    view = shown(turn, None)
    assert rows(view, "Black holes") == (
        ("Spring 1901", "Burgundy"),
        ("Spring 1901", "North Sea"),
        ("Fall 1902", "Spain"),
    )
    assert {(mark.emblem.ground, mark.province) for mark in view.marks} == {
        (FILE.signs["hole"].ground, province) for province in ("bur", "nth", "spa")
    }
    assert [mark.emblem.meaning for mark in view.marks] == [*["earlier black hole"] * 2, "black hole of Fall 1902"]
    assert rows(view, "To win")[0] == ("Supply centres", "33 in being, 17 win")


@pytest.mark.ruling("BH-4")
@pytest.mark.parametrize(("seat", "marked"), [(FRANCE, ["bre"]), (GERMANY, ["mun"]), (None, [])])
def test_bh_4_the_map_marks_the_exempt_centre_that_the_seat_knows_of(seat: Power | None, marked: list[str]) -> None:
    view = shown(first("France: EXEMPT BRE; Germany: EXEMPT MUN"), seat)
    assert [mark.province for mark in view.marks if mark.emblem.meaning == "exempt"] == marked


@pytest.mark.ruling("BH-5")
def test_bh_5_the_report_does_not_say_that_they_disbanded() -> None:
    turn = advance(GAME, position("S1902R", "Austria A mun", dislodged=[("Germany A mun", "boh")]), {}, Fixed("bar"))
    view = shown(turn, None)
    assert view.fates[PhaseKind.RETREAT]
    assert view.turn is not None
    assert silence(view, view.turn) == (
        "Germany sent no orders (NMR), so the units were retreated by the server, by bearings (BH-5)."
    )
