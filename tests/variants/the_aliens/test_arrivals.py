"""Units and transmitters from home (AL-5 to AL-7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.advance import advance
from gm.board import Power
from gm.errors import GmError
from gm.judge.outcomes import Result
from gm.orders.notation import write
from gm.orders.possible import NOTHING
from gm.variants.the_aliens.orders import Bring
from gm.variants.the_aliens.state import TRANSMITTER, State
from tests.variants.telling import explained
from tests.variants.the_aliens.scenes import CHANCE, GAME, RELAYED, play, position, races, understood

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


BESIDE = {"Alpha": "A por, T spa", "Beta": "A spa, A mar, A gas, T con"}
"""Beta's unit is in the space of Alpha's transmitter, having come there by transmitter."""


@pytest.mark.ruling("AL-5")
@pytest.mark.parametrize(
    ("beta", "comes"),
    [
        ("A Spa H", False),  # however weak
        ("A Spa S A Mar-Gas", False),
        ("A Spa-Mar", False),  # does not get away: Marseilles holds
        ("A Spa-Gas, A Gas-Par", True),
    ],
)
def test_an_arrival_never_dislodges(beta: str, comes: bool) -> None:
    before = position("S2054M", BESIDE, OWNS, spared="spa")
    orders = {"Alpha": "A Home-Spa, T Spa (R) Home, A Por S A Home-Spa", "Beta": beta}
    played = play(before, orders)
    assert ("Alpha A spa" in played.units) is comes
    assert not played.dislodged
    assert played.result("A Home-Spa") == ("succeeds" if comes else "bounces")
    if not comes:
        words = "A Home-Spa failed: A Spa did not leave, and only a vacant space can be entered so"
        assert words in explained(GAME, played.turn, played.outcomes["A Home-Spa"])


@pytest.mark.ruling("AL-5")
def test_an_arrival_that_a_unit_stops_cuts_no_support() -> None:
    pieces = {"Alpha": "T spa", "Beta": "A spa, A gas, T con", "Gamma": "A mar"}
    before = position(
        "S2054M", pieces, {"Alpha": "por par", "Beta": "con smy", "Gamma": "mun"}, players=3, spared="spa"
    )
    orders = {"Alpha": "A Home-Spa, T Spa (R) Home", "Beta": "A Gas-Mar, A Spa S A Gas-Mar", "Gamma": "A Mar H"}
    played = play(before, orders)
    assert played.result("A Spa S A Gas-Mar") == played.result("A Gas-Mar") == "succeeds"


@pytest.mark.ruling("AL-5")
def test_an_arrival_bounces_others_all_the_same() -> None:
    """A unit that enters meets it like any other move, but a unit that stays stops it."""
    pieces = {"Alpha": "A spa, A por, T spa", "Beta": "A mar, A gas"}
    before = position("S2054M", pieces, OWNS)
    attack = "A Mar-Spa, A Gas S A Mar-Spa"
    assert play(before, {"Alpha": "A Spa H, A Por H", "Beta": attack}).dislodged == {"Alpha A spa"}
    held = play(before, {"Alpha": "A Home-Spa, T Spa (R) Home, A Por S A Home-Spa", "Beta": attack})
    assert held.result("A Mar-Spa") == held.result("A Home-Spa") == "bounces"


@pytest.mark.ruling("AL-4", "AL-5")
@pytest.mark.parametrize("players", [2, 6])
def test_what_is_lost_in_the_first_year_is_not_replaced(players: int) -> None:
    """With six players there is one army in reserve, and it comes once; with two there is none."""
    start = GAME.opening(races(players), CHANCE)
    landed = play(start, {"Alpha": "SHIP 1: SPA", "Beta": "SHIP 1: CON"}).turn.after
    alone = replace(landed, units=tuple(unit for unit in landed.units if str(unit) != "Alpha A spa"))
    if players == 2:
        for text in ("A Home-Spa", "T Spa (R) Home", "T Spa (R) T"):
            with pytest.raises(GmError):
                understood(alone, "Alpha", text)
        assert understood(replace(alone, extra=dict(alone.extra)), "Alpha", "T Spa H")
        return
    came = play(landed, {"Alpha": "A Spa-Por, A Home-Spa, T Spa (R) Home"})
    assert {"Alpha A por", "Alpha A spa"} <= came.units
    lost = replace(came.turn.after, units=tuple(u for u in came.turn.after.units if str(u) != "Alpha A spa"))
    for text in ("A Home-Spa", "T Spa (R) Home", "T Spa (R) T"):
        with pytest.raises(GmError):
            understood(lost, "Alpha", text)
    assert understood(lost, "Beta", "A Home-Con"), "Beta's has not come yet"
    winter = play(lost, {}).turn.after
    assert winter.phase.code == "W2051A"
    assert "waiting" not in winter.extra
    assert understood(winter, "Alpha", "T Spa (R) A Spa"), "from Winter on the allowance is that of 2052"


@pytest.mark.ruling("AL-4", "AL-5")
def test_a_reserve_that_bounced_still_waits_and_the_form_says_what_there_is() -> None:
    landed = play(GAME.opening(races(6), CHANCE), {"Alpha": "SHIP 1: SPA", "Beta": "SHIP 1: CON"}).turn.after
    assert sorted(landed.extra["waiting"]) == sorted(races(6))
    spring = play(landed, {"Alpha": "A Spa H, A Home-Spa, T Spa (R) Home"}).turn.after
    assert "Alpha" in spring.extra["waiting"]
    fall = play(spring, {"Alpha": "A Spa-Por, A Home-Spa, T Spa (R) Home"})
    assert "Alpha A spa" in fall.units
    shown = GAME.view(GAME, spring, None, Power("Alpha"))
    assert shown.hints == ("Reserve: 1 (A). To bring one: A HOME-SPA, T SPA (R) HOME.",)


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
    pieces = {"Alpha": "T spa", "Beta": "A spa, A mar, A con, T gas"}
    before = position("W2053A", pieces, OWNS, spared="spa")
    played = play(before, {"Alpha": "T Spa (R) A Spa", "Beta": "REMOVE A Mar"})
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
def test_in_winter_no_new_transmitter_arrives_where_another_race_stands() -> None:
    before = position("W2053A", {"Alpha": "T spa, A mar", "Beta": "A spa"}, OWNS, spared="spa")
    with pytest.raises(GmError, match="Spa is not vacant: Beta A Spa stands there"):
        understood(before, "Alpha", "T Spa (R) T")
    spa = next(piece for piece in GAME.pieces(before) if piece.kind is TRANSMITTER)
    assert not GAME.legal_orders(GAME.board(before), before, spa, NOTHING)
    assert GAME.duty(GAME, before, Power("Alpha")) is None, "nothing can arrive"
    turn = advance(GAME, before, {Power("Alpha"): (Bring(spa, spa),)}, CHANCE)
    (outcome,) = (outcome for outcome in turn.outcomes if isinstance(outcome.order, Bring))
    assert outcome.result is Result.VOID
    assert "Beta A Spa stands there" in explained(GAME, turn, outcome)
    assert State.of(turn.after).transmitters == (spa,)


@pytest.mark.ruling("AL-6")
def test_no_more_new_ones_than_allowed_and_none_where_the_receiver_is_destroyed() -> None:
    owns = {"Alpha": "spa por mar par bre lon edi", "Beta": "con"}  # seven: three transmitters
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
    owns = {"Alpha": "spa por mar par bre lon edi"}
    one = play(position("W2054A", {"Alpha": "T spa"}, owns), {"Alpha": "T Spa (R) A Spa, T Spa (R) T"})
    assert one.units == {"Alpha A spa"}
    assert one.transmitters == ["Alpha T spa"]
    two = play(position("W2054A", {"Alpha": "T spa, T spa"}, owns), {"Alpha": "T Spa (R) A Spa, T Spa (R) T"})
    assert two.units == {"Alpha A spa"}
    assert two.transmitters == ["Alpha T spa"] * 3


@pytest.mark.ruling("AL-7")
def test_a_receiver_serves_one_arrival_only() -> None:
    pieces = {"Alpha": "A kie, A ber, T kie, T ber, T gre, T gre"}
    before = position("S2054M", pieces, {"Alpha": "kie ber gre mun hol"})
    sends = "A Kie-Gre, A Ber-Gre, T Kie (S) Gre, T Ber (S) Gre"
    one = play(before, {"Alpha": f"{sends}, T Gre (R) Kie"})
    assert (one.result("A Kie-Gre"), one.result("A Ber-Gre")) == ("succeeds", "void")
    both = play(before, {"Alpha": f"{sends}, T Gre (R) Kie, T Gre (R) Ber"})
    assert both.result("A Kie-Gre") == both.result("A Ber-Gre") == "bounces", "both go by transmitter, and meet"
    twice = position("S2054M", {"Alpha": "T spa"}, {"Alpha": "spa por mar"})
    given = play(twice, {"Alpha": "A Home-Spa, F Home-Spa/sc, T Spa (R) Home"})
    assert given.result("A Home-Spa") == "succeeds"
    assert given.result("F Home-Spa/sc") == "void"


@pytest.mark.ruling("AL-7", "AL-14")
def test_a_receiver_serves_no_relay_beside_another_unit() -> None:
    """Two senders to one receiver: the unit in the space of its sender goes first."""
    before = position("S2054M", {"Alpha": "A mun, A ber, T kie, T ber, T gre"}, OWNS)
    orders = "A Mun-Kie-Gre, T Kie (S) Gre, A Ber-Gre, T Ber (S) Gre, T Gre (R) Kie"
    played = play(before, {"Alpha": orders}, game=RELAYED)
    assert (played.result("A Mun-Kie-Gre"), played.result("A Ber-Gre")) == ("succeeds", "void")
    twice = play(before, {"Alpha": "A Mun-Kie-Gre, T Kie (S) Gre, A Ber-Kie-Gre, T Gre (R) Kie"}, game=RELAYED)
    assert [twice.result(o) for o in ("A Mun-Kie-Gre", "A Ber-Kie-Gre")] == ["succeeds", "void"]
    senders = position("S2054M", {"Alpha": "A mun, A ber, T kie, T kie, T gre"}, OWNS)
    orders = "A Mun-Kie-Gre, A Ber-Kie-Gre, T Kie (S) Gre, T Kie (S) Gre, T Gre (R) Kie"
    one = play(senders, {"Alpha": orders}, game=RELAYED)
    assert [one.result(o) for o in ("A Mun-Kie-Gre", "A Ber-Kie-Gre")] == ["succeeds", "void"]


@pytest.mark.ruling("AL-5", "AL-7")
def test_in_winter_one_unit_comes_to_a_space_however_many_transmitters_are_there() -> None:
    before = position("W2054A", {"Alpha": "T spa, T spa"}, OWNS)
    played = play(before, {"Alpha": "T Spa (R) A Spa, T Spa (R) F Spa/sc"})
    assert played.units == {"Alpha A spa"}
    assert played.result("T Spa (R) F Spa/sc") == "void"
