"""Winter's removals (AL-13)."""

from __future__ import annotations

import pytest

from gm.board import Power
from gm.errors import GmError
from gm.reports.forms import order_form
from gm.reports.results import winter
from tests.variants.the_aliens.scenes import GAME, play, position, understood


@pytest.mark.ruling("AL-13")
def test_the_unit_nearest_to_a_transmitter_goes_first() -> None:
    before = position("W2054A", {"Alpha": "A mun, A ser, A naf, T ber"}, {"Alpha": "ber kie"})
    assert play(before, {}).units == {"Alpha A naf", "Alpha A ser"}
    with pytest.raises(GmError, match="nearest"):
        understood(before, "Alpha", "REMOVE A Ser")
    assert play(before, {"Alpha": "REMOVE A Mun"}).result("A Mun disband") == "succeeds"


@pytest.mark.ruling("AL-13")
@pytest.mark.parametrize(("order", "left"), [("REMOVE A Pru", "mun"), ("REMOVE A Mun", "pru"), ("", "pru")])
def test_the_players_choice_among_equals_else_alphabetical(order: str, left: str) -> None:
    before = position("W2054A", {"Alpha": "A mun, A pru, T ber"}, {"Alpha": "ber"})
    assert play(before, {"Alpha": order}).units == {f"Alpha A {left}"}, "Munich comes before Prussia"


@pytest.mark.ruling("AL-13")
def test_the_alphabet_is_that_of_the_names() -> None:
    pieces = {"Alpha": "F nwy, A fin, F bot, T swe"}  # Finland, Gulf of Bothnia, Norway
    assert play(position("W2054A", pieces, {"Alpha": "swe nwy"}), {}).units == {"Alpha F bot", "Alpha F nwy"}


@pytest.mark.ruling("AL-13")
def test_distance_counts_spaces_of_any_kind() -> None:
    before = position("W2054A", {"Alpha": "F gas, A ruh, T lon"}, {"Alpha": "lon"})
    # London to Gascony over the Channel and Brest: 3; to Ruhr over the North Sea and Belgium: 3
    assert play(before, {"Alpha": "REMOVE A Ruh"}).units == {"Alpha F gas"}
    nearer = position("W2054A", {"Alpha": "A ruh, A pic, T lon"}, {"Alpha": "lon"})
    assert play(nearer, {}).units == {"Alpha A ruh"}, "Picardy is two spaces over the sea"


@pytest.mark.ruling("AL-13")
def test_the_nearest_to_any_transmitter_and_several_at_once() -> None:
    before = position("W2054A", {"Alpha": "A con, A mun, A boh, A naf, T ber, T con"}, {"Alpha": "ber con"})
    assert play(before, {}).units == {"Alpha A boh", "Alpha A naf"}
    chosen = play(before, {"Alpha": "REMOVE A Mun, REMOVE A Con"})
    assert chosen.units == {"Alpha A boh", "Alpha A naf"}
    surplus = position("W2054A", {"Alpha": "A con, A mun, A pru, A naf, T ber, T con"}, {"Alpha": "ber con"})
    played = play(surplus, {"Alpha": "REMOVE A Pru, REMOVE A Mun"})
    assert played.result("A Pru disband") == "succeeds"
    assert played.result("A Mun disband") == "void", "Constantinople stands with a transmitter and goes"
    assert played.units == {"Alpha A mun", "Alpha A naf"}


@pytest.mark.ruling("AL-13")
def test_without_a_transmitter_the_player_chooses_among_all() -> None:
    before = position("W2054A", {"Alpha": "A mun, A naf"}, {"Alpha": "ber"})
    assert play(before, {"Alpha": "REMOVE A Naf"}).units == {"Alpha A mun"}
    assert play(before, {}).units == {"Alpha A naf"}


@pytest.mark.ruling("AL-13")
@pytest.mark.parametrize(
    ("order", "left"), [("REMOVE T Vie", "Alpha T ber"), ("", "Alpha T vie"), ("T Ber disband", "Alpha T vie")]
)
def test_surplus_transmitters(order: str, left: str) -> None:
    before = position("W2054A", {"Alpha": "T ber, T vie"}, {"Alpha": "ber kie"})
    assert play(before, {"Alpha": order}).transmitters == [left]


@pytest.mark.ruling("AL-13")
def test_units_and_transmitters_together() -> None:
    before = position("W2054A", {"Alpha": "A ber, A kie, T ber, T vie"}, {"Alpha": "ber"})
    played = play(before, {"Alpha": "REMOVE T Ber, A Ber"})
    assert played.units == {"Alpha A kie"}
    assert played.transmitters == ["Alpha T vie"]


@pytest.mark.ruling("AL-13")
@pytest.mark.parametrize("text", ["REMOVE A Ber", "REMOVE T Ber"])
def test_nothing_is_removed_without_need(text: str) -> None:
    with pytest.raises(GmError, match="cannot be removed"):
        understood(position("W2054A", {"Alpha": "A ber, T ber"}, {"Alpha": "ber"}), "Alpha", text)


@pytest.mark.parametrize(
    ("pieces", "centers", "says"),
    [
        ("A ber, A kie, T ber", "ber", "removes 1"),
        ("A ber, T ber, T vie", "ber", "removes 1 transmitter"),
        ("A ber, A kie, T ber, T vie", "ber", "removes 1 and 1 transmitter"),
        ("T ber, T vie", "", "removes 2 transmitters"),
        ("T ber", "ber", "arrivals"),
        ("T par", "ber", "no free space with a transmitter"),
        ("A ber, T ber", "ber", "-"),
    ],
)
def test_the_table_of_winter_calls_no_transmitter_a_unit(pieces: str, centers: str, says: str) -> None:
    before = position("W2054A", {"Alpha": pieces, "Beta": "A par"}, {"Alpha": centers, "Beta": "par"})
    assert winter(GAME.view(GAME, before, None, None), Power("Alpha")) == says


@pytest.mark.ruling("AL-5")
def test_no_arrival_is_offered_by_a_transmitter_that_must_go() -> None:
    """Removals come before arrivals."""
    before = position("W2052A", {"Alpha": "T spa"}, {})
    form = order_form(GAME.view(GAME, before, None, Power("Alpha")), Power("Alpha"))
    assert form == ("# Give up 1 of: T Spa", "REMOVE")
    assert GAME.duties(before)[Power("Alpha")].things == "removals"


def test_who_must_give_up_a_transmitter_is_told_so() -> None:
    before = position("W2054A", {"Alpha": "A ber, T ber, T vie"}, {"Alpha": "ber"})
    with pytest.raises(GmError, match=r"A Ber cannot be removed: .* no more units than the 1") as refused:
        understood(before, "Alpha", "REMOVE A Ber")
    assert refused.value.remedy == "Write REMOVE T Ber."


def test_a_transmitter_that_is_not_too_many_is_not_removed() -> None:
    """It was said to be none, of somebody who has two."""
    before = position("W2054A", {"Alpha": "A ber, A mun, T ber, T vie"}, {"Alpha": "ber mun vie kie"})
    with pytest.raises(GmError, match=r"T Vie cannot be removed: .* no more transmitters than the 2"):
        understood(before, "Alpha", "REMOVE T Vie")
