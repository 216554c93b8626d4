"""The warnings in the receipt, ambiguous lines, and the Winter form."""

from __future__ import annotations

import pytest

from gm.board import Power
from gm.errors import GmError, NotUnderstood
from gm.orders.notation import write
from gm.orders.order_sets import superseded
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.reports.forms import FORM_WIDTH, order_form
from tests.tables import table
from tests.variants.the_aliens.scenes import GAME, position, understood


@pytest.mark.ruling("AL-5", "AL-7", "AL-10")
@table("""
    phase | text | said
    S2054M | A Home-Spa | Nothing receives what comes to Spa: T Spa (R) Home is missing.
    S2054M | T Spa (R) Home | T Spa (R) Home waits for a unit: A Home-Spa is missing.
    S2054M | T Spa (S) Mun | T Spa (S) Mun needs T Mun (R) Spa, which is not among your orders.
    S2054M | T Spa (S) Mun, T Mun H | T Spa (S) Mun needs T Mun (R) Spa, but it is ordered T Mun H.
    S2054M | T Mun (R) Spa, T Spa-Gas | T Mun (R) Spa needs T Spa (S) Mun, but it is ordered T Spa-Gas.
    S2054M | T Spa (S) Con | T Spa (S) Con needs T Con (R) Spa, which only Beta can order.
    S2054M | T Spa (R) Con | T Spa (R) Con needs T Con (S) Spa, which only Beta can order.
    S2054M | A Home-Spa, F Home-Spa/sc, T Spa (R) Home | \
           2 units are to come to Spa; a transmitter handles one a season, the first given.
    S2054M | A Home-Spa, A Home-Mun, T Spa (R) Home, T Mun (R) Home, A Kie H |
    S2054M | A Kie-Spa, T Kie (S) Spa, T Spa (R) Kie |
    S2054M | A Kie-Ber, T Kie (S) Spa, T Spa (R) Kie | T Kie (S) Spa: A Kie is ordered otherwise (A Kie-Ber).
    S2054M | A Kie H, T Kie (S) Spa, T Spa (R) Kie | T Kie (S) Spa: A Kie is ordered otherwise (A Kie H).
    S2054M | A Kie-Mun, T Mun (R) Kie, T Kie (S) Mun |
    S2054M | A Kie-Spa |
    W2053A | T Spa (R) A Spa, T Spa (R) F Spa/sc | \
           T Spa is to receive 2 arrivals and handles one a season; the first given comes.
    W2053A | T Spa (R) A Spa, T Mun (R) A Mun |
""")
def test_the_receipt_says_what_orders_lack(phase: str, text: str, said: str) -> None:
    before = position(phase, {"Alpha": "A kie, T spa, T mun, T kie", "Beta": "T con"}, {"Alpha": "spa por mar par"})
    assert GAME.cautions(before, Power("Alpha"), understood(before, "Alpha", text)) == ((said,) if said else ())


@pytest.mark.ruling("AL-7")
def test_of_two_transmitters_that_wait_for_one_unit_one_waits_in_vain() -> None:
    before = position("S2054M", {"Alpha": "T spa, T spa"}, {"Alpha": "spa por mar par"})
    orders = understood(before, "Alpha", "A Home-Spa, T Spa (R) Home, T Spa (R) Home")
    said = ("T Spa (R) Home waits for a unit: one more A Home-Spa is missing.",)
    assert GAME.cautions(before, Power("Alpha"), orders) == said


@pytest.mark.ruling("AL-10")
def test_the_receipt_names_a_sender_that_is_missing_and_a_reserve_that_is_ordered_twice() -> None:
    before = position("S2054M", {"Alpha": "A mun, F spa/sc, T mun, T spa, T gas"}, {"Alpha": "spa por mar"})
    inland = understood(before, "Alpha", "A Mun-Spa")
    assert GAME.cautions(before, Power("Alpha"), inland) == (
        "A Mun-Spa goes by transmitter only: T Mun (S) Spa is not among your orders.",
    )
    twice = understood(
        before, "Alpha", "A Home-Gas, F Home-Mun, T Gas (R) Home, T Mun (R) Home".replace("F Home", "A Home")
    )
    assert "You ordered 2 arrivals and have 1 in reserve; the first given come." in GAME.cautions(
        before, Power("Alpha"), twice
    )
    winter = position("W2054A", {"Alpha": "A kie, F mao, T mun, T gas"}, {"Alpha": "spa por mar"})
    both = understood(winter, "Alpha", "T Gas (R) A Gas, T Mun (R) A Mun")
    assert GAME.cautions(winter, Power("Alpha"), both) == (
        "You ordered 2 arrivals and have 1 in reserve; the first given come.",
    )


@pytest.mark.ruling("AL-6", "AL-11")
@pytest.mark.parametrize("phase", ["S2054M", "F2054M", "W2053A"])
def test_a_transmitter_does_not_receive_a_transmitter_from_elsewhere(phase: str) -> None:
    before = position(phase, {"Alpha": "T gre", "Beta": "T kie"}, {"Alpha": "spa por mar par", "Beta": "kie"})
    for text in ("T Gre (R) T Kie", "T Gre receives T Kie"):
        with pytest.raises(
            GmError, match=r"transmitters are not transmitted .* T Gre \(R\) Kie; for a new .* T Gre \(R\) T"
        ):
            understood(before, "Alpha", text)
    for text in ("T Gre (R) T", "T Gre (R) T Gre"):
        assert [write(order) for order in understood(before, "Alpha", text)] == ["T Gre (R) T"]


@pytest.mark.ruling("AL-5", "AL-6")
def test_the_winter_form_offers_only_what_is_accepted() -> None:
    pieces = {"Alpha": "A par, T par, T spa, T mun, T gas", "Beta": "A gas, T con"}
    before = position(
        "W2054A", pieces, {"Alpha": "par spa mun por mar bre lon edi lvp hol", "Beta": "con"}, spared="gas"
    )
    form = GAME.view(GAME, before, None, Power("Alpha")).form
    assert form is not None
    assert form == (
        "# In reserve: 9 units, no transmitters.",
        "# T Spa (R) A Spa, T Spa (R) F Spa/nc, T Spa (R) F Spa/sc",
        "T Spa (R)",
        "# T Mun (R) A Mun",
        "T Mun (R)",
        "# Or WAIVE.",
    )
    offered = [one for line in form if "(R) " in line for one in line.removeprefix("# ").split(", ")]
    assert [write(order) for text in offered for order in understood(before, "Alpha", text)] == offered
    fewer = position("W2054A", {"Alpha": "A par, T par"}, {"Alpha": "par spa mun por mar bre lon"})
    assert GAME.view(GAME, fewer, None, Power("Alpha")).form == (
        "# In reserve: 6 units, 2 transmitters.", "# T Par (R) T", "T Par (R)", "# Or WAIVE.",
    )  # fmt: skip


@pytest.mark.ruling("AL-5", "AL-13")
@pytest.mark.parametrize(
    ("beta", "offered"),
    [
        ("A gas, T gas", True),  # Beta owns nothing: the army is removed for certain
        ("A gas, T bur, A mun", True),  # one of the two may be removed
        ("A gas, T gas, T mun", False),  # only a transmitter is removed
    ],
)
def test_the_winter_form_offers_what_is_accepted_where_a_unit_may_have_to_go(beta: str, offered: bool) -> None:
    owns = {"Alpha": "spa mun por", "Beta": "con" if "A mun" in beta or not offered else ""}
    before = position("W2054A", {"Alpha": "T gas", "Beta": beta}, owns, spared="gas")
    form = GAME.view(GAME, before, None, Power("Alpha")).form
    assert form is not None
    assert ("# T Gas (R) A Gas, T Gas (R) F Gas" in form) == offered
    if offered:
        assert understood(before, "Alpha", "T Gas (R) A Gas")
    else:
        with pytest.raises(GmError, match="not vacant"):
            understood(before, "Alpha", "T Gas (R) A Gas")


def test_the_comments_of_the_winter_form_are_short() -> None:
    """A mail client breaks long lines, and the rest of one would be read as an order."""
    owns = "spa mun por mar bre lon edi lvp"
    before = position("W2054A", {"Alpha": "T spa, A par", "Beta": "A con"}, {"Alpha": owns, "Beta": "con"})
    lines = order_form(GAME.view(GAME, before, None, Power("Alpha")), Power("Alpha"))
    assert any("F Spa/sc" in line for line in lines)
    assert all(len(line) <= FORM_WIDTH for line in lines), lines


@pytest.mark.ruling("AL-5")
def test_a_reserve_that_is_ordered_anew_is_replaced_and_named() -> None:
    where = position("S2054M", {"Alpha": "A mun, F spa/sc, T mun, T kie, T gas"}, {"Alpha": "spa por mar"})
    before = understood(where, "Alpha", "F Home-Kie, T Kie (R) Home, A Mun H")
    later = understood(where, "Alpha", "A Home-Kie")
    merged = GAME.merge(where, before, later)
    assert [write(order) for order in merged] == ["T Kie (R) Home", "A Mun H", "A Home-Kie"]
    assert [write(order) for order in superseded(GAME.pieces(where), before, merged)] == ["F Home-Kie"]
    assert not GAME.cautions(where, Power("Alpha"), merged)
    moved = GAME.merge(where, merged, understood(where, "Alpha", "A Mun-Tyr"))
    assert [write(order) for order in moved] == ["T Kie (R) Home", "A Home-Kie", "A Mun-Tyr"]


@pytest.mark.parametrize("line", ["F Edi", "F Edi xyzzy", "xyzzy"])
def test_what_is_expected_in_winter(line: str) -> None:
    before = position("W2053A", {"Alpha": "A kie, T spa"}, {})
    lexicon = lexicon_of(GAME.board(before), GAME.powers(before), GAME.language)
    with pytest.raises(NotUnderstood) as caught:
        parse_orders(line, lexicon, before.phase.kind)
    assert "such as T PAR (R) A PAR" in caught.value.remedy
    assert "REMOVE" in caught.value.remedy
    assert "BUILD" not in caught.value.remedy
