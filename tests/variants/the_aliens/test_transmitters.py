"""How transmitters move and are destroyed (AL-8, AL-9)."""

from __future__ import annotations

import pytest

from gm.errors import GmError
from tests.tables import table
from tests.variants.the_aliens.scenes import play, position, understood

OWNS = {"Alpha": "kie ber mun", "Beta": "par bre mar"}


@pytest.mark.ruling("AL-8")
@pytest.mark.parametrize(
    ("pieces", "orders", "ends"),
    [
        ({"Alpha": "T mun"}, {"Alpha": "T Mun-Kie"}, "kie"),
        ({"Alpha": "T mun"}, {"Alpha": "T Mun-Swi"}, "swi"),
        ({"Alpha": "T mun"}, {"Alpha": "Mun-Kie"}, "kie"),  # the only piece there
        ({"Alpha": "T mun, A kie"}, {"Alpha": "T Mun-Kie"}, "kie"),  # beside an own unit
        ({"Alpha": "T mun", "Beta": "T kie"}, {"Alpha": "T Mun-Kie"}, "kie"),  # beside any transmitter
        ({"Alpha": "T mun", "Beta": "A kie"}, {"Alpha": "T Mun-Kie"}, "mun"),  # another's unit stays there
        ({"Alpha": "T mun", "Beta": "A kie"}, {"Alpha": "T Mun-Kie", "Beta": "A Kie-Hol"}, "kie"),  # it leaves
        ({"Alpha": "T mun", "Beta": "A hol"}, {"Alpha": "T Mun-Kie", "Beta": "A Hol-Kie"}, "mun"),  # it comes
        ({"Alpha": "T mun, A ber", "Beta": "A hol"}, {"Alpha": "T Mun-Kie, A Ber-Kie", "Beta": "A Hol-Kie"}, "mun"),
    ],
)
def test_moves(pieces: dict[str, str], orders: dict[str, str], ends: str) -> None:
    played = play(position("S2054M", pieces, OWNS), orders)
    assert f"Alpha T {ends}" in played.transmitters


@pytest.mark.ruling("AL-8")
def test_a_move_fails_against_a_unit_that_comes_the_opposite_way_and_the_transmitter_is_run_over() -> None:
    before = position("S2054M", {"Alpha": "T mun", "Beta": "A kie, A ber"}, OWNS)
    played = play(before, {"Alpha": "T Mun-Kie", "Beta": "A Kie-Mun"})
    assert played.result("T Mun-Kie") == "destroyed"
    assert not played.transmitters
    own = play(position("S2054M", {"Alpha": "T mun, A kie"}, OWNS), {"Alpha": "T Mun-Kie, A Kie-Mun"})
    assert own.transmitters == ["Alpha T kie"], "with its own unit it changes places"


@pytest.mark.ruling("AL-8")
def test_a_convoyed_one_may_change_places_with_a_unit() -> None:
    pieces = {"Alpha": "T bre, F eng", "Beta": "A pic"}
    orders = {"Alpha": "T Bre-Pic via convoy, F Eng C T Bre-Pic", "Beta": "A Pic-Bre"}
    played = play(position("S2054M", pieces, OWNS), orders)
    assert played.transmitters == ["Alpha T pic"]
    assert "Beta A bre" in played.units


@pytest.mark.ruling("AL-8")
def test_equal_ones_in_one_space_take_an_order_each() -> None:
    played = play(position("S2054M", {"Alpha": "T mun, T mun, T mun"}, OWNS), {"Alpha": "T Mun-Kie, T Mun-Swi"})
    assert played.transmitters == ["Alpha T kie", "Alpha T mun", "Alpha T swi"]


@pytest.mark.ruling("AL-8")
def test_it_escapes_a_unit_that_comes_from_elsewhere() -> None:
    before = position("S2054M", {"Alpha": "T mun", "Beta": "A bur"}, OWNS)
    played = play(before, {"Alpha": "T Mun-Kie", "Beta": "A Bur-Mun"})
    assert played.transmitters == ["Alpha T kie"]
    assert "Beta A mun" in played.units


@pytest.mark.ruling("AL-8")
def test_it_bounces_nothing_cuts_nothing_and_is_not_supported() -> None:
    before = position("S2054M", {"Alpha": "T mun, A tri", "Beta": "A bur, A gas, A kie"}, OWNS)
    played = play(before, {"Alpha": "T Mun-Bur", "Beta": "A Bur S A Gas-Mar, A Gas-Mar, A Kie-Mun"})
    assert played.result("A Bur S A Gas-Mar") == "succeeds"
    assert played.result("A Kie-Mun") == "succeeds"
    assert played.result("T Mun-Bur") == "destroyed"
    for text in ("A Tri S T Mun-Tyr", "A Tri S T Mun"):
        with pytest.raises(GmError, match="cannot be supported"):
            understood(before, "Alpha", text)
    vacant = play(before, {"Alpha": "T Mun-Ruh", "Beta": "A Bur-Ruh"})
    assert vacant.result("A Bur-Ruh") == "succeeds"


@pytest.mark.ruling("AL-8")
def test_it_bars_no_retreat() -> None:
    before = position("F2054M", {"Alpha": "T swi", "Beta": "A mun"}, OWNS, dislodged=())
    retreat = position("F2054R", {"Alpha": "T swi"}, OWNS, dislodged=(("Beta A mun", "bur", False),))
    assert play(retreat, {"Beta": "A Mun R Swi"}).result("A Mun R Swi") == "succeeds"
    assert before.phase.code == "F2054M"


@pytest.mark.ruling("AL-8")
@pytest.mark.parametrize(
    ("orders", "ends"),
    [
        ({"Alpha": "T Kie-Lon", "Beta": "F Nth C T Kie-Lon, F Hel C T Kie-Lon"}, "lon"),
        ({"Alpha": "T Kie-Lon", "Beta": "F Nth C T Kie-Lon"}, "kie"),  # one fleet does not carry it
        ({"Alpha": "T Kie-Lon"}, "kie"),
        ({"Alpha": "T Kie-Lon via convoy", "Beta": "F Nth C T Kie-Lon, F Hel C T Kie-Lon, A Wal-Lon"}, "kie"),
        (
            {"Alpha": "T Kie-Lon, F Eng S F Edi-Nth, F Edi-Nth", "Beta": "F Nth C T Kie-Lon, F Hel C T Kie-Lon"},
            "kie",
        ),  # a fleet is dislodged
    ],
)
def test_convoys(orders: dict[str, str], ends: str) -> None:
    pieces = {"Alpha": "T kie, F eng, F edi", "Beta": "F nth, F hel, A wal"}
    played = play(position("S2054M", pieces, OWNS), orders)
    assert played.transmitters == [f"Alpha T {ends}"]


@pytest.mark.ruling("AL-8")
def test_the_outcome_of_the_fleets_that_carry_it() -> None:
    pieces = {"Alpha": "T kie, F eng, F edi", "Beta": "F nth, F hel"}
    before = position("S2054M", pieces, OWNS)
    lost = play(
        before, {"Alpha": "T Kie-Lon, F Eng S F Edi-Nth, F Edi-Nth", "Beta": "F Nth C T Kie-Lon, F Hel C T Kie-Lon"}
    )
    assert lost.result("F Nth C T Kie-Lon") == "disrupted"
    assert lost.result("F Hel C T Kie-Lon") == "succeeds"
    assert lost.result("T Kie-Lon") == "disrupted"
    unwanted = play(before, {"Alpha": "T Kie H", "Beta": "F Nth C T Kie-Lon"})
    assert unwanted.result("F Nth C T Kie-Lon") == "void"


@pytest.mark.ruling("AL-8")
@table("""
    text              | complaint
    T Mun-Par         | cannot get to Par
    T Kie-Hel         | moves as an army
    T Par-Bre         | no transmitter in Par
    T Mun-Mun         | already
    T Mun C A Kie-Hol | no more
""")
def test_moves_that_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(GmError, match=complaint):
        understood(position("S2054M", {"Alpha": "T mun, T kie", "Beta": "T par"}, OWNS), "Alpha", text)


# Destruction


@pytest.mark.ruling("AL-9")
def test_a_unit_that_ends_a_movement_in_its_space_destroys_it() -> None:
    before = position("S2054M", {"Alpha": "T mun, A ber", "Beta": "A bur, T swi"}, OWNS)
    played = play(before, {"Beta": "A Bur-Mun"})
    assert played.transmitters == ["Beta T swi"]
    assert "Alpha's T Mun was destroyed by Beta A Mun." in played.told
    bounced = play(before, {"Beta": "A Bur-Mun", "Alpha": "A Ber-Mun"})
    assert "Alpha T mun" in bounced.transmitters
    own = play(before, {"Alpha": "A Ber-Mun"})
    assert "Alpha T mun" in own.transmitters


@pytest.mark.ruling("AL-9")
def test_a_unit_that_dislodges_its_guard_destroys_it() -> None:
    before = position("S2054M", {"Alpha": "T mun, A mun", "Beta": "A bur, A ruh"}, OWNS)
    played = play(before, {"Beta": "A Bur-Mun, A Ruh S A Bur-Mun"})
    assert played.dislodged == {"Alpha A mun"}
    assert not played.transmitters


@pytest.mark.ruling("AL-9")
def test_a_unit_that_retreats_into_its_space_destroys_it() -> None:
    before = position("S2054R", {"Alpha": "T swi", "Beta": "A par"}, OWNS, dislodged=(("Beta A mun", "bur", False),))
    played = play(before, {"Beta": "A Mun R Swi"})
    assert not played.transmitters
    assert "Alpha's T Swi was destroyed by Beta A Swi." in played.told
    assert play(before, {"Beta": "A Mun R Kie"}).transmitters == ["Alpha T swi"]


GUEST = {"Alpha": "T mun, A tyr", "Beta": "A par, T par"}
SENT = {"Alpha": "T Mun (R) Par", "Beta": "A Par-Mun, T Par (S) Mun"}


@pytest.mark.ruling("AL-9")
def test_a_unit_that_was_transmitted_there_spares_it_until_the_next_season_ends() -> None:
    sent = play(position("S2054M", GUEST, OWNS), SENT)
    assert "Beta A mun" in sent.units
    assert "Alpha T mun" in sent.transmitters
    assert sent.turn.after.extra["spared"] == ["mun"]
    stays = play(sent.turn.after, {"Beta": "A Mun H"})
    assert "Alpha T mun" not in stays.transmitters
    goes = play(sent.turn.after, {"Beta": "A Mun-Bur"})
    assert "Alpha T mun" in goes.transmitters
    assert goes.turn.after.extra["spared"] == []
    bounces = play(sent.turn.after, {"Beta": "A Mun-Tyr"})
    assert "Alpha T mun" not in bounces.transmitters
    driven = play(sent.turn.after, {"Alpha": "A Tyr-Mun, T Mun H", "Beta": "A Mun-Kie"})
    assert "Alpha T mun" in driven.transmitters


@pytest.mark.ruling("AL-9")
def test_the_guest_spares_it_through_the_retreats_of_its_season_and_winter() -> None:
    pieces = {"Alpha": "T mun, A gas", "Beta": "A par, T par, A bur, A mar"}
    fall = play(
        position("F2054M", pieces, OWNS),
        SENT | {"Beta": "A Par-Mun, T Par (S) Mun, A Bur-Gas, A Mar S A Bur-Gas"},
    )
    assert fall.turn.after.phase.code == "F2054R"
    retreats = play(fall.turn.after, {"Alpha": "A Gas R Bre"})
    assert "Alpha T mun" in retreats.transmitters
    position_after = retreats.turn.after
    while position_after.phase.kind != "movement":
        position_after = play(position_after, {}).turn.after
    assert "Alpha T mun" in position_after.extra["transmitters"]
    assert "Alpha T mun" not in play(position_after, {"Beta": "A Mun H"}).transmitters


@pytest.mark.ruling("AL-9")
def test_an_arrival_from_home_spares_others_until_the_next_season_ends() -> None:
    """It was transmitted there in that season, by its own race's transmitter in the same space as the other's."""
    before = position("S2054M", {"Alpha": "T mun", "Beta": "T mun"}, {"Alpha": "par", "Beta": "mun con"})
    came = play(before, {"Beta": "A Home-Mun, T Mun (R) Home"})
    assert "Beta A mun" in came.units
    assert came.transmitters == ["Alpha T mun", "Beta T mun"]
    assert came.turn.after.extra["spared"] == ["mun"]
    assert play(came.turn.after, {"Beta": "A Mun H"}).transmitters == ["Beta T mun"]
    assert play(came.turn.after, {"Beta": "A Mun-Bur"}).transmitters == ["Alpha T mun", "Beta T mun"]


@pytest.mark.ruling("AL-9")
def test_a_unit_that_was_transmitted_to_its_own_race_has_none_to_spare() -> None:
    orders = {"Beta": "A Par-Mun, T Par (S) Mun, T Mun (R) Par"}
    played = play(position("S2054M", {"Alpha": "T par", "Beta": "A par, T par, T mun"}, OWNS, spared="par"), orders)
    assert "Beta A mun" in played.units
    assert played.turn.after.extra["spared"] == []


@pytest.mark.ruling("AL-9")
def test_who_comes_by_land_beside_a_transmitter_that_agreed_destroys_it() -> None:
    """All orders must agree, otherwise it is an ordinary move, which destroys."""
    pieces = {"Alpha": "T mun", "Beta": "A bur, T bur"}
    agreed = play(position("S2054M", pieces, OWNS), {"Alpha": "T Mun (R) Bur", "Beta": "A Bur-Mun, T Bur (S) Mun"})
    assert "Alpha T mun" in agreed.transmitters
    walked = play(position("S2054M", pieces, OWNS), {"Alpha": "T Mun (R) Bur", "Beta": "A Bur-Mun, T Bur H"})
    assert "Beta A mun" in walked.units
    assert "Alpha T mun" not in walked.transmitters


@pytest.mark.ruling("AL-9")
def test_transmitters_do_not_destroy_each_other() -> None:
    before = position("S2054M", {"Alpha": "T mun", "Beta": "T bur"}, OWNS)
    played = play(before, {"Beta": "T Bur-Mun"})
    assert played.transmitters == ["Alpha T mun", "Beta T mun"]
