"""The two examples that came with the game, order for order and outcome for outcome."""

from __future__ import annotations

import pytest

from gm.board import Power
from gm.errors import IllegalOrder
from gm.orders.notation import write
from tests.variants.the_aliens.scenes import CHANCE, GAME, play, position, understood


@pytest.mark.ruling("AL-5", "AL-4")
def test_the_first_example() -> None:
    """Par, Bre, Spa ...: one of six races lands in Spain, its reserve arrives, and a fleet in Winter."""
    opening = GAME.opening([Power(name) for name in ["Ann", "Ben", "Cas", "Dov", "Eva", "Flo"]], CHANCE)
    lists = {
        "Ann": "SHIP 1: Par, Bre, Spa, Pic, Gas",
        "Ben": "SHIP 1: Bur, Gas, Bel",  # bumps Paris, then Brest
        "Cas": "SHIP 1: Con",
        "Dov": "SHIP 1: Mos",
        "Eva": "SHIP 1: Stp, Edi",
        "Flo": "SHIP 1: Rom",
    }
    landed = play(opening, lists)
    assert {"Ann A spa", "Ben A bel"} <= landed.units
    assert {"Ann T spa", "Ben T bel"} <= set(landed.transmitters)
    assert landed.turn.after.phase.code == "S2051M"

    spring = play(landed.turn.after, {"Ann": "A Spa-Mar, A Home-Spa, T Spa (R) Home"})
    for order in ("A Spa-Mar", "A Home-Spa", "T Spa (R) Home"):
        assert spring.result(order) == "succeeds"
    assert {"Ann A mar", "Ann A spa"} <= spring.units

    fall = play(spring.turn.after, {"Ann": "A Mar H, A Spa-Por, T Spa H"})
    for order in ("A Mar H", "A Spa-Por", "T Spa H"):
        assert fall.result(order) == "succeeds"
    assert set(fall.turn.after.centers_of(Power("Ann"))) == {"mar", "por"}
    assert fall.turn.after.phase.code == "W2051A"

    winter = play(fall.turn.after, {"Ann": "T Spa (R) F Spa(sc)"})
    assert winter.result("T Spa (R) F Spa/sc") == "succeeds"
    assert "Ann F spa/sc" in winter.units
    # one more army or fleet and one more transmitter can arrive in the following seasons
    after = winter.turn.after
    for text in ("T Spa (R) Home", "T Spa (R) T"):
        assert [write(order) for order in understood(after, "Ann", text)] == [text]
    both = play(after, {"Ann": "F Spa(sc)-Lyo, A Home-Spa, T Spa (R) Home"})
    assert {"Ann F lyo", "Ann A spa", "Ann A mar", "Ann A por"} <= both.units
    with pytest.raises(IllegalOrder, match="reserve"):
        understood(both.turn.after, "Ann", "A Home-Spa")


@pytest.mark.ruling("AL-10")
def test_the_second_example() -> None:
    """A transmitted fleet with support meets an army with support: a standoff in Greece."""
    before = position("S2052M", {"Alpha": "F edi, A alb, T edi, T gre", "Beta": "A bul, A ser"})
    played = play(
        before,
        {
            "Alpha": "F Edi-Gre, T Edi (S) Gre, T Gre (R) Edi, A Alb S F Edi-Gre",
            "Beta": "A Bul-Gre, A Ser S A Bul-Gre",
        },
    )
    assert played.result("F Edi-Gre") == "bounces"
    assert played.result("A Bul-Gre") == "bounces"
    assert played.result("T Edi (S) Gre") == played.result("T Gre (R) Edi") == "void", "the fleet did not get through"
    for order in ("A Alb S F Edi-Gre", "A Ser S A Bul-Gre"):
        assert played.result(order) == "succeeds"
    assert played.turn.after.units == before.units
    assert played.transmitters == ["Alpha T edi", "Alpha T gre"]
    facts = played.outcomes["F Edi-Gre"].facts
    assert (facts.strength, facts.against[0].strength) == (2, 2)
