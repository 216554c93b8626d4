"""Units and transmitters from home (AL-5 to AL-7)."""

from __future__ import annotations

import pytest

from gm.errors import GmError
from gm.orders.notation import write
from tests.variants.the_aliens.scenes import GAME, play, position, understood

OWNS = {"Alpha": "spa por mar par", "Beta": "con smy"}


@pytest.mark.ruling("AL-5")
@pytest.mark.parametrize("phase", ["S2054M", "F2054M"])
@pytest.mark.parametrize(("order", "comes"), [("A Home-Spa", "Alpha A spa"), ("F Home-Spa/sc", "Alpha F spa/sc")])
def test_a_unit_arrives_in_spring_and_fall(phase: str, order: str, comes: str) -> None:
    played = play(position(phase, {"Alpha": "T spa"}, OWNS), {"Alpha": f"{order}, T Spa (R) Home"})
    assert played.result(order) == played.result("T Spa (R) Home") == "succeeds"
    assert comes in played.units
    assert played.transmitters == ["Alpha T spa"]


@pytest.mark.ruling("AL-5")
def test_the_space_may_be_vacated_in_the_same_season_or_not() -> None:
    before = position("S2054M", {"Alpha": "A spa, T spa", "Beta": "A mar"}, OWNS)
    left = play(before, {"Alpha": "A Spa-Por, A Home-Spa, T Spa (R) Home"})
    assert {"Alpha A por", "Alpha A spa"} <= left.units
    stayed = play(before, {"Alpha": "A Spa H, A Home-Spa, T Spa (R) Home"})
    assert stayed.result("A Home-Spa") == "bounces"
    barred = play(before, {"Alpha": "A Spa-Mar, A Home-Spa, T Spa (R) Home"})
    assert barred.result("A Home-Spa") == "bounces", "the space was not vacated"
    assert barred.units == {"Alpha A spa", "Beta A mar"}


@pytest.mark.ruling("AL-5")
def test_an_arrival_is_a_move_of_strength_one_that_may_be_supported() -> None:
    before = position("S2054M", {"Alpha": "T spa, A por", "Beta": "A mar"}, OWNS)
    alone = play(before, {"Alpha": "A Home-Spa, T Spa (R) Home", "Beta": "A Mar-Spa"})
    assert alone.result("A Home-Spa") == alone.result("A Mar-Spa") == "bounces"
    assert alone.turn.after.units == before.units
    helped = play(before, {"Alpha": "A Home-Spa, T Spa (R) Home, A Por S A Home-Spa", "Beta": "A Mar-Spa"})
    assert helped.result("A Home-Spa") == "succeeds"
    assert helped.result("A Mar-Spa") == "bounces"
    by_another = play(before, {"Alpha": "A Home-Spa, T Spa (R) Home", "Beta": "A Mar S Alpha A Home-Spa"})
    assert by_another.outcomes["A Mar S Alpha A Home-Spa"].succeeded


@pytest.mark.ruling("AL-5")
def test_a_bounced_arrival_stays_in_reserve_and_carries_over() -> None:
    before = position("S2054M", {"Alpha": "T spa", "Beta": "A mar"}, OWNS)
    spring = play(before, {"Alpha": "A Home-Spa, T Spa (R) Home", "Beta": "A Mar-Spa"})
    assert "Spain" not in spring.units
    fall = play(spring.turn.after, {"Alpha": "A Home-Spa, T Spa (R) Home", "Beta": "A Mar H"})
    assert "Alpha A spa" in fall.units


@pytest.mark.ruling("AL-5")
@pytest.mark.parametrize("missing", ["A Home-Spa", "T Spa (R) Home"])
def test_both_orders_are_needed(missing: str) -> None:
    orders = [order for order in ("A Home-Spa", "T Spa (R) Home") if order != missing]
    played = play(position("S2054M", {"Alpha": "T spa"}, OWNS), {"Alpha": orders[0]})
    assert played.result(orders[0]) == "void"
    assert not played.units


@pytest.mark.ruling("AL-5")
def test_only_as_many_arrive_as_are_allowed_and_the_first_given_count() -> None:
    pieces = {"Alpha": "A gas, A por, A bre, T spa, T mar"}
    played = play(position("S2054M", pieces, OWNS), {"Alpha": "A Home-Mar, A Home-Spa, T Spa (R) Home, T Mar (R) Home"})
    assert played.result("A Home-Mar") == "succeeds"
    assert played.result("A Home-Spa") == "void"
    full = position("S2054M", {"Alpha": "A gas, A por, A bre, A par, T spa"}, OWNS)
    for text in ("A Home-Spa", "T Spa (R) Home"):
        with pytest.raises(GmError, match="reserve"):
            understood(full, "Alpha", text)


@pytest.mark.ruling("AL-5")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("A Home-Par", "no transmitter in Par"),
        ("A Home-Con", "no transmitter in Con"),  # another race's
        ("F Home-Spa", "which coast"),
        ("F Home-Mun", "no coast"),
        ("Home-Mun", "does not say what"),
        ("A Home H", "no order"),
        ("T Home-Spa", "new transmitter"),
        ("T Con (R) Home", "no transmitter in Con"),
        ("T Spa (R) F Spa/sc", "HOME-Spa"),
    ],
)
def test_arrivals_that_are_refused(text: str, complaint: str) -> None:
    before = position("S2054M", {"Alpha": "T spa, T mun", "Beta": "T con"}, OWNS)
    with pytest.raises(GmError, match=complaint):
        understood(before, "Alpha", text)


@pytest.mark.ruling("AL-5")
def test_the_first_reserves_are_armies() -> None:
    before = position("S2051M", {"Alpha": "T spa"}, players=6)
    with pytest.raises(GmError, match="armies"):
        understood(before, "Alpha", "F Home-Spa/sc")
    assert [write(order) for order in understood(before, "Alpha", "Home-Spa")] == ["A Home-Spa"]


# Winter


@pytest.mark.ruling("AL-5")
@pytest.mark.parametrize(
    ("kind", "comes"), [("A Spa", "Alpha A spa"), ("F Spa(sc)", "Alpha F spa/sc"), ("A", "Alpha A spa")]
)
def test_a_unit_arrives_in_winter(kind: str, comes: str) -> None:
    played = play(position("W2053A", {"Alpha": "T spa"}, OWNS), {"Alpha": f"T Spa (R) {kind}"})
    assert comes in played.units


@pytest.mark.ruling("AL-5")
def test_in_winter_two_races_arrivals_in_one_space_both_fail() -> None:
    before = position("W2053A", {"Alpha": "T spa, T mun", "Beta": "T spa"}, OWNS)
    played = play(before, {"Alpha": "T Spa (R) A Spa, T Mun (R) A Mun", "Beta": "T Spa (R) F Spa/sc"})
    assert played.units == {"Alpha A mun"}
    assert played.result("T Spa (R) A Spa") == played.result("T Spa (R) F Spa/sc") == "void"
    alone = play(before, {"Alpha": "T Spa (R) A Spa", "Beta": "WAIVE"})
    assert alone.units == {"Alpha A spa"}


@pytest.mark.ruling("AL-5")
def test_in_winter_removals_come_before_arrivals() -> None:
    pieces = {"Alpha": "T spa", "Beta": "A spa, A con, A smy, T con"}
    before = position("W2053A", pieces, OWNS, spared="spa")
    played = play(before, {"Alpha": "T Spa (R) A Spa", "Beta": "REMOVE A Con"})
    assert played.result("T Spa (R) A Spa") == "void", "Beta A Spa stays"
    near = position("W2053A", {"Alpha": "T spa", "Beta": "A spa, A con, A smy, T spa"}, OWNS, spared="spa")
    played = play(near, {"Alpha": "T Spa (R) A Spa"})
    assert "Beta A spa" not in played.units
    assert "Alpha A spa" in played.units


@pytest.mark.ruling("AL-5")
def test_in_winter_the_space_must_be_vacant() -> None:
    with pytest.raises(GmError, match="not vacant"):
        understood(position("W2053A", {"Alpha": "A spa, T spa"}, OWNS), "Alpha", "T Spa (R) A Spa")


@pytest.mark.ruling("AL-5")
@pytest.mark.parametrize("words", ["WAIVE", ""])
def test_what_is_not_brought_stays_in_reserve(words: str) -> None:
    played = play(position("W2053A", {"Alpha": "T spa"}, OWNS), {"Alpha": words})
    assert not played.turn.silent, "nobody has to bring anything"
    assert not played.units
    assert "Alpha A spa" in play(played.turn.after, {"Alpha": "A Home-Spa, T Spa (R) Home"}).units


# New transmitters


@pytest.mark.ruling("AL-6")
@pytest.mark.parametrize("phase", ["W2053A", "S2054M", "F2054M"])
def test_a_new_transmitter_arrives_beside_the_own_unit(phase: str) -> None:
    before = position(phase, {"Alpha": "A spa, T spa"}, OWNS)
    played = play(before, {"Alpha": "T Spa (R) T"})
    assert played.transmitters == ["Alpha T spa", "Alpha T spa"]
    assert "Alpha A spa" in played.units
    full = position(phase, {"Alpha": "A spa, T spa, T por"}, OWNS)
    with pytest.raises(GmError, match="as many transmitters"):
        understood(full, "Alpha", "T Spa (R) T")


@pytest.mark.ruling("AL-6")
def test_no_more_new_ones_than_allowed_and_none_where_the_receiver_is_destroyed() -> None:
    owns = {"Alpha": "spa por mar par bre lon", "Beta": "con"}  # six: three transmitters
    two = position("S2054M", {"Alpha": "T spa, T gas"}, owns)
    played = play(two, {"Alpha": "T Gas (R) T, T Spa (R) T"})
    assert played.transmitters == ["Alpha T gas", "Alpha T gas", "Alpha T spa"]
    lost = play(
        position("S2054M", {"Alpha": "T spa", "Beta": "A mar"}, owns), {"Alpha": "T Spa (R) T", "Beta": "A Mar-Spa"}
    )
    assert not lost.transmitters


@pytest.mark.ruling("AL-7")
def test_a_transmitter_handles_one_thing_a_season_and_stays() -> None:
    before = position("S2054M", {"Alpha": "A kie, A ber, T kie, T ber, T gre"}, {"Alpha": "kie ber gre mun hol"})
    played = play(before, {"Alpha": "A Kie-Gre, A Ber-Gre, T Kie (S) Gre, T Ber (S) Gre, T Gre (R) Kie"})
    assert played.result("A Kie-Gre") == "succeeds"
    assert played.result("A Ber-Gre") == "void"
    assert played.result("T Ber (S) Gre") == "void"
    # the last order counts: a transmitter that moves receives nothing
    moved = play(before, {"Alpha": "A Kie-Gre, T Kie (S) Gre, T Gre (R) Kie, T Gre-Alb"})
    assert moved.result("A Kie-Gre") == "void"
    assert moved.result("T Gre (R) Kie") == "void"
    assert "Alpha T alb" in moved.transmitters


@pytest.mark.ruling("AL-7")
def test_in_winter_a_transmitter_brings_one_thing() -> None:
    owns = {"Alpha": "spa por mar par bre lon"}
    one = play(position("W2054A", {"Alpha": "T spa"}, owns), {"Alpha": "T Spa (R) A Spa, T Spa (R) T"})
    assert one.units == {"Alpha A spa"}
    assert one.transmitters == ["Alpha T spa"]
    two = play(position("W2054A", {"Alpha": "T spa, T spa"}, owns), {"Alpha": "T Spa (R) A Spa, T Spa (R) T"})
    assert two.units == {"Alpha A spa"}
    assert two.transmitters == ["Alpha T spa"] * 3


@pytest.mark.ruling("AL-5")
def test_a_player_is_told_what_his_orders_lack() -> None:
    before = position("S2054M", {"Alpha": "T spa, T mun"}, OWNS)
    for text, word in (
        ("A Home-Spa", "T Spa (R) Home is missing"),
        ("T Spa (R) Home", "A Home-Spa is missing"),
        ("T Spa (S) Mun", "needs T Mun (R) Spa"),
    ):
        [caution] = GAME.cautions(before, next(iter(GAME.powers(before))), understood(before, "Alpha", text))
        assert word in caution
    both = understood(before, "Alpha", "A Home-Spa, T Spa (R) Home")
    assert GAME.cautions(before, next(iter(GAME.powers(before))), both) == ()
