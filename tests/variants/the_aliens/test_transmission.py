"""Moves by transmitter (AL-10 to AL-12, AL-14)."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest

from gm.board import Power
from gm.errors import GmError
from gm.orders import Order
from gm.orders.notation import write
from gm.orders.possible import NOTHING
from gm.position import Position
from gm.variants import Variant
from tests.tables import table
from tests.variants.telling import explained
from tests.variants.the_aliens.scenes import GAME, RELAYED, play, position, understood

OWNS = {"Alpha": "kie ber mun", "Beta": "par bre mar", "Gamma": "con smy ank"}
LINK = {"Alpha": "A kie, T kie, T gre"}
GO = "A Kie-Gre, T Kie (S) Gre, T Gre (R) Kie"


@pytest.mark.ruling("AL-10")
def test_a_unit_goes_where_all_three_agree() -> None:
    played = play(position("S2054M", LINK, OWNS), {"Alpha": GO})
    assert played.units == {"Alpha A gre"}
    assert played.transmitters == ["Alpha T gre", "Alpha T kie"]
    assert "by transmitter" in write(played.outcomes["A Kie-Gre"].order)


@pytest.mark.ruling("AL-10")
def test_the_owners_may_be_three() -> None:
    before = position("S2054M", {"Alpha": "A kie", "Beta": "T kie", "Gamma": "T gre"}, OWNS, players=3, spared="kie")
    played = play(before, {"Alpha": "A Kie-Gre", "Beta": "T Kie (S) Gre", "Gamma": "T Gre (R) Kie"})
    assert played.units == {"Alpha A gre"}
    assert set(played.transmitters) == {"Beta T kie", "Gamma T gre"}


@pytest.mark.ruling("AL-10")
@pytest.mark.parametrize("missing", range(3))
def test_without_agreement_the_move_is_void(missing: int) -> None:
    orders = [order for place, order in enumerate(GO.split(", ")) if place != missing]
    played = play(position("S2054M", LINK, OWNS), {"Alpha": ", ".join(orders)})
    assert played.units == {"Alpha A kie"}
    for order in orders:
        assert played.result(order) == "void"


TO_SEND, RECEIVES = "no transmitter in Kie sends to Gre", "no transmitter in Gre receives from Kie"
NO_UNIT = "no unit was to be sent from Kie to Gre"


@pytest.mark.ruling("AL-10")
@table("""
    given | said
    T Kie (S) Gre, T Gre (R) Kie, A Kie-Hol | T Kie (S) Gre is void: {u}.; T Gre (R) Kie is void: {u}.
    A Kie-Gre, T Kie (S) Gre | A Kie-Gre is void: the transmitters did not agree ({r}).; T Kie (S) Gre is void: {r}.
    A Kie-Gre, T Gre (R) Kie | A Kie-Gre is void: the transmitters did not agree ({s}).; T Gre (R) Kie is void: {s}.
    T Kie (S) Gre            | T Kie (S) Gre is void: {r}, and {u}.
    T Gre (R) Kie            | T Gre (R) Kie is void: {s}, and {u}.
    T Gre (R) Home           | T Gre (R) Home is void: no unit came from Home for it.
""")
def test_who_of_the_three_did_not_agree_is_said(given: str, said: str) -> None:
    played = play(position("S2054M", LINK, OWNS), {"Alpha": given})
    words = [explained(GAME, played.turn, outcome) for outcome in played.outcomes.values()]
    for sentence in said.format(s=TO_SEND, r=RECEIVES, u=NO_UNIT).split(".; "):
        assert f"{sentence.rstrip('.')}." in words


@pytest.mark.ruling("AL-10")
def test_without_agreement_an_ordinary_move_is_made_where_one_is_possible() -> None:
    near = position("S2054M", {"Alpha": "A kie, T kie, T mun", "Beta": "A ber"}, OWNS)
    assert play(near, {"Alpha": "A Kie-Mun, T Kie (S) Mun"}).units >= {"Alpha A mun"}
    by_sea = position("S2054M", {"Alpha": "A kie, T kie, T lon", "Beta": "F nth, F hel"}, OWNS)
    played = play(by_sea, {"Alpha": "A Kie-Lon, T Kie (S) Lon", "Beta": "F Nth C A Kie-Lon, F Hel C A Kie-Lon"})
    assert played.outcomes["A Kie-Lon"].facts.convoyed


@pytest.mark.ruling("AL-10")
def test_a_unit_is_not_sent_against_its_will() -> None:
    played = play(position("S2054M", LINK, OWNS), {"Alpha": "A Kie-Hol, T Kie (S) Gre, T Gre (R) Kie"})
    assert played.units == {"Alpha A hol"}
    assert played.result("T Kie (S) Gre") == "void"


@pytest.mark.ruling("AL-10")
def test_it_crosses_no_border_and_meets_nobody_head_to_head() -> None:
    pieces = {"Alpha": "A kie, T kie, T mun", "Beta": "A mun"}
    before = position("S2054M", pieces, OWNS, spared="mun")
    swapped = play(before, {"Alpha": "A Kie-Mun, T Kie (S) Mun, T Mun (R) Kie", "Beta": "A Mun-Kie"})
    assert swapped.units == {"Alpha A mun", "Beta A kie"}
    assert "Alpha T kie" not in swapped.transmitters, "Beta came on foot"
    met = play(before, {"Alpha": "A Kie-Mun", "Beta": "A Mun-Kie"})
    assert met.units == {"Alpha A kie", "Beta A mun"}


@pytest.mark.ruling("AL-10")
def test_it_bounces_and_with_support_dislodges() -> None:
    pieces = {"Alpha": "A kie, T kie, T gre, A alb", "Beta": "A gre"}
    before = position("S2054M", pieces, OWNS, spared="gre")
    assert play(before, {"Alpha": GO}).result("A Kie-Gre") == "bounces"
    strong = play(before, {"Alpha": GO + ", A Alb S A Kie-Gre"})
    assert strong.dislodged == {"Beta A gre"}
    other = position("S2054M", {"Alpha": "A kie, T kie, T gre", "Beta": "A ser"}, OWNS)
    assert play(other, {"Alpha": GO, "Beta": "A Ser-Gre"}).result("A Kie-Gre") == "bounces"


@pytest.mark.ruling("AL-10")
def test_it_cuts_support() -> None:
    pieces = {"Alpha": "A kie, T kie, T gre", "Beta": "A gre, A ser, A rum"}
    before = position("S2054M", pieces, OWNS, spared="gre")
    played = play(before, {"Alpha": GO, "Beta": "A Gre S A Ser-Bul, A Ser-Bul"})
    assert played.result("A Gre S A Ser-Bul") == "cut"


@pytest.mark.ruling("AL-10")
def test_fleets_come_out_at_a_coast_they_name() -> None:
    before = position("S2054M", {"Alpha": "F kie, T kie, T spa, T mun"}, OWNS)
    played = play(before, {"Alpha": "F Kie-Spa(nc), T Kie (S) Spa, T Spa (R) Kie"})
    assert played.units == {"Alpha F spa/nc"}
    for text, complaint in (("F Kie-Spa", "which coast"), ("F Kie-Mun", "no coast")):
        with pytest.raises(GmError, match=complaint):
            understood(before, "Alpha", text)


@pytest.mark.ruling("AL-10")
@pytest.mark.parametrize(
    "text",
    [
        "T Kie (s) Gre",
        "T Kie S Gre",
        "T Kie (T/S) Gre",
        "T KIE SENDS TO GREECE",
        "t kie (s) a kie-gre",
        "Transmitter Kiel (S) Greece",
        "Kie (S) Gre",
        "T Kie S A Kie-Gre",
        "T Kie (S) Alpha A Kie-Gre",
        "T Kie (S) A Gre",
        "T/S Alpha's A Kie-Gre",
        "T Kie/S Gre",
        "T Kie/S A Kie-Gre",
    ],
)
def test_ways_to_write_a_sending(text: str) -> None:
    where = position("S2054M", {"Alpha": "T kie, T gre"} if text.startswith("Kie") else LINK, OWNS)
    assert [write(order) for order in understood(where, "Alpha", text)] == ["T Kie (S) Gre"]


@pytest.mark.ruling("AL-10")
@pytest.mark.parametrize(
    "text",
    [
        *("T Gre (r) Kie", "T GRE R KIE", "T Gre (T/R) Kie", "T Gre receives from Kiel", "T Gre (R) A Kie"),
        *("T Gre (R) Alpha A Kie", "T Gre (R) Alpha Kie", "T/R Gre Alpha A Kie", "T Gre R A Kie", "T Gre/R Kie"),
    ],
)
def test_ways_to_write_a_receipt(text: str) -> None:
    assert [write(order) for order in understood(position("S2054M", LINK, OWNS), "Alpha", text)] == ["T Gre (R) Kie"]


@pytest.mark.ruling("AL-10")
@table("""
    text                     | complaint
    T Gre (R) F Kie          | no fleet in Kie
    T Gre (R) Beta A Kie     | A Kie is Alpha's, not Beta's
    T Gre (R) Beta Kie       | A Kie is Alpha's, not Beta's
    T Gre (R) F Kie-Gre      | no fleet in Kie
    T Gre (R) A Kie-Ber      | receives what comes to Gre, and nothing that goes to Ber
    T Gre (R) Kie-Ber        | receives what comes to Gre, and nothing that goes to Ber
    T Kie (S) F Kie-Gre      | no fleet in Kie
    T Kie S F Kie-Gre        | no fleet in Kie
    T Kie (S) F Gre          | no fleet in Kie
    T Kie S F Gre            | no fleet in Kie
    T Kie (S) A Mun-Gre      | T Kie sends what is in Kie, and nothing from Mun
    T Kie (S) Mun-Gre        | T Kie sends what is in Kie, and nothing from Mun
    T/S F Kie-Gre            | no fleet in Kie
    T/S Beta A Kie-Gre       | A Kie is Alpha's, not Beta's
    T/R Gre F Kie            | no fleet in Kie
    T Gre (R) Beta A Home    | brings in Alpha's reserves only
    """)
def test_a_unit_named_by_a_transmitter_is_the_unit_that_is_there(text: str, complaint: str) -> None:
    with pytest.raises(GmError, match=complaint):
        understood(position("S2054M", LINK, OWNS), "Alpha", text)


@pytest.mark.ruling("AL-14")
def test_a_relayed_unit_is_named_where_it_begins() -> None:
    where = position("S2054M", {"Alpha": "A mun, T kie, T gre"}, OWNS)
    lines = "T Kie (S) A Mun-Kie-Gre, T Gre (R) A Mun-Kie-Gre"
    assert [write(order) for order in understood(where, "Alpha", lines, RELAYED)] == ["T Kie (S) Gre", "T Gre (R) Kie"]
    with pytest.raises(GmError, match="no fleet in Mun"):
        understood(where, "Alpha", "T Kie (S) F Mun-Kie-Gre", RELAYED)
    with pytest.raises(GmError, match="nothing from Mun"):
        understood(where, "Alpha", "T Kie (S) A Mun-Kie-Gre")


@pytest.mark.ruling("AL-11")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("A Kie S A Gre", "cannot support A Gre"),  # no support through a transmitter
        ("A Kie S A Ser-Gre", "cannot support into Gre"),
        ("T Kie (S) Kie", "no other transmitter"),
        ("T Kie (S) Par", "no other transmitter"),
        ("T Gre (R) Par", "no other transmitter"),
        ("T Kie-Gre", "cannot get to Gre"),  # transmitters are not transmitted
        ("A Kie (S) Gre", "only transmitters"),
    ],
)
def test_what_a_transmitter_is_not_for(text: str, complaint: str) -> None:
    pieces = LINK | {"Beta": "A gre, A ser"}
    with pytest.raises(GmError, match=complaint):
        understood(position("S2054M", pieces, OWNS, spared="gre"), "Alpha", text)


@pytest.mark.ruling("AL-11")
def test_no_unit_retreats_through_a_transmitter() -> None:
    before = position("S2054R", {"Alpha": "T kie, T gre"}, OWNS, dislodged=(("Alpha A kie", "mun", False),))
    for text in ("A Kie R Gre", "A Kie (R) Gre", "T Kie (S) Gre", "A Kie R Home"):
        with pytest.raises(GmError):
            understood(before, "Alpha", text)
    assert [write(order) for order in understood(before, "Alpha", "A Kie (R) Hol")] == ["A Kie R Hol"]


@pytest.mark.ruling("AL-12")
def test_who_came_by_transmitter_bars_no_retreat_to_where_it_came_from() -> None:
    pieces = {"Alpha": "A kie, T kie, T mun, A ber, A boh", "Beta": "A mun"}
    before = position("S2054M", pieces, OWNS, spared="mun")
    sent = play(before, {"Alpha": "A Kie-Mun, T Kie (S) Mun, T Mun (R) Kie, A Ber S A Kie-Mun"})
    assert sent.dislodged == {"Beta A mun"}
    assert play(sent.turn.after, {"Beta": "A Mun R Kie"}).result("A Mun R Kie") == "succeeds"
    walked = play(before, {"Alpha": "A Kie-Mun, A Ber S A Kie-Mun"})
    with pytest.raises(GmError, match="attacker came from there"):
        understood(walked.turn.after, "Beta", "A Mun R Kie")


@pytest.mark.ruling("AL-10")
def test_a_transmitter_whose_unit_bounced_has_not_succeeded() -> None:
    before = position("S2054M", {"Alpha": "F edi, T edi, T gre", "Beta": "A bul"}, OWNS)
    orders = {"Alpha": "F Edi-Gre, T Edi (S) Gre, T Gre (R) Edi", "Beta": "A Bul-Gre"}
    failed = play(before, orders)
    assert failed.result("F Edi-Gre") == "bounces"
    assert failed.result("T Edi (S) Gre") == failed.result("T Gre (R) Edi") == "void"
    outcome = failed.outcomes["T Edi (S) Gre"]
    assert explained(GAME, failed.turn, outcome) == "T Edi (S) Gre had no effect: the unit did not get through."
    assert play(before, {"Alpha": orders["Alpha"]}).result("T Edi (S) Gre") == "succeeds"


@pytest.mark.ruling("AL-10")
def test_who_is_to_go_by_convoy_does_not_agree_to_go_by_transmitter() -> None:
    pieces = {"Alpha": "A bre, T bre, T lon, F eng", "Beta": "F iri, F mao"}
    before = position("S2054M", pieces, OWNS)
    agreed = "T Bre (S) Lon, T Lon (R) Bre, F Eng C A Bre-Lon"
    lost = {"Beta": "F Iri-Eng, F Mao S F Iri-Eng"}
    sent = play(before, {"Alpha": f"A Bre-Lon, {agreed}"} | lost)
    assert "Alpha A lon" in sent.units
    by_sea = play(before, {"Alpha": f"A Bre-Lon via convoy, {agreed}"} | lost)
    assert "Alpha A bre" in by_sea.units, "its convoy was lost"
    assert by_sea.result("T Bre (S) Lon") == "void"


@pytest.mark.ruling("AL-10")
def test_a_fleet_that_is_not_sent_does_not_go_by_sea_either() -> None:
    played = play(
        position("S2054M", {"Alpha": "F lon, T lon, T bel", "Beta": "F eng"}, OWNS), {"Alpha": "F Lon-Bel, T Bel H"}
    )
    assert played.result("F Lon-Bel") == "void"
    assert "did not agree" in explained(GAME, played.turn, played.outcomes["F Lon-Bel"])


@pytest.mark.ruling("AL-12")
def test_nor_does_who_came_by_convoy() -> None:
    pieces = {"Alpha": "A den, F bal, A pru, T pru", "Beta": "A ber"}
    convoyed = play(position("S2054M", pieces, OWNS), {"Alpha": "A Den-Ber, F Bal C A Den-Ber, A Pru S A Den-Ber"})
    [dislodged] = convoyed.turn.after.dislodged
    assert dislodged.convoyed


# The relay

RELAY = "A Mun-Kie-Gre, T Kie (S) Gre, T Gre (R) Kie"


@pytest.mark.ruling("AL-14")
def test_a_relay_steps_to_a_transmitter_and_goes_on_by_it() -> None:
    before = position("S2054M", {"Alpha": "A mun, T kie, T gre"}, OWNS)
    played = play(before, {"Alpha": RELAY}, game=RELAYED)
    assert played.units == {"Alpha A gre"}
    missing = play(before, {"Alpha": "A Mun-Kie-Gre, T Kie (S) Gre"}, game=RELAYED)
    assert missing.result("A Mun-Kie-Gre") == "void"
    assert missing.units == {"Alpha A mun"}


@pytest.mark.ruling("AL-14")
def test_it_is_an_option() -> None:
    before = position("S2054M", {"Alpha": "A mun, T kie, T gre"}, OWNS)
    with pytest.raises(GmError, match="played without"):
        understood(before, "Alpha", "A Mun-Kie-Gre")


@pytest.mark.ruling("AL-14")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [("A Mun-Hol-Gre", "does not border"), ("A Mun-Ber-Gre", "no transmitter"), ("A Mun-Kie-Mun", "no transmitter")],
)
def test_relays_that_are_refused(text: str, complaint: str) -> None:
    before = position("S2054M", {"Alpha": "A mun, T kie, T gre"}, OWNS)
    with pytest.raises(GmError, match=complaint):
        understood(before, "Alpha", text, RELAYED)


@pytest.mark.ruling("AL-14")
@pytest.mark.parametrize("there", ["Alpha A kie", "Beta A kie", "Beta F kie"])
def test_no_relay_through_a_space_that_is_occupied_when_the_season_begins(there: str) -> None:
    race, _, unit = there.partition(" ")
    pieces = {"Alpha": "A mun, T kie, T gre", "Beta": "A ser"}
    pieces[race] += f", {unit}"
    before = position("S2054M", pieces, OWNS, spared="kie")
    with pytest.raises(GmError, match="there is a unit in Kie"):
        understood(before, "Alpha", "A Mun-Kie-Gre", RELAYED)
    free = position("S2054M", {"Alpha": "A mun, T kie, T gre, T kie"}, OWNS)
    assert understood(free, "Alpha", "A Mun-Kie-Gre", RELAYED), "a transmitter is no such unit"


@pytest.mark.ruling("AL-14")
def test_what_enters_the_relay_space_does_not_meet_the_passing_unit() -> None:
    before = position("S2054M", {"Alpha": "A mun, T kie, T gre", "Beta": "A ber, A ruh"}, OWNS)
    for beta, there in (
        ("A Ber-Kie", {"Beta A kie"}),
        ("A Ber-Kie, A Ruh-Kie", set()),
        ("A Ber-Kie, A Ruh-Mun", set()),
    ):
        played = play(before, {"Alpha": RELAY, "Beta": beta}, game=RELAYED)
        assert played.result("A Mun-Kie-Gre") == "succeeds"
        assert there <= played.units


@pytest.mark.ruling("AL-14")
def test_a_relay_may_be_supported_and_bounces() -> None:
    before = position("S2054M", {"Alpha": "A mun, T kie, T gre, A alb", "Beta": "A ser"}, OWNS)
    bounced = play(before, {"Alpha": RELAY, "Beta": "A Ser-Gre"}, game=RELAYED)
    assert bounced.result("A Mun-Kie-Gre") == "bounces"
    helped = play(before, {"Alpha": RELAY + ", A Alb S A Mun-Gre", "Beta": "A Ser-Gre"}, game=RELAYED)
    assert helped.result("A Mun-Kie-Gre") == "succeeds"


@pytest.mark.ruling("AL-14")
@pytest.mark.parametrize("unit", ["A mun", "F hol", "A hol"])
def test_every_relay_that_is_understood_can_be_chosen_and_no_other(unit: str) -> None:
    here = unit[2:]
    before = position(
        "S2054M", {"Alpha": f"{unit}, T kie, T gre, T spa, T bel, T {here}", "Beta": "A bel, T mun"}, OWNS, spared="bel"
    )
    (moved,) = before.units_of(Power("Alpha"))
    chosen = {write(one) for one in RELAYED.legal_orders(RELAYED.board(before), before, moved, NOTHING)}
    found = {
        write(order)
        for stop, to in product(
            ("kie", "gre", "spa", "bel", "mun", "ber", "ruh"), ("kie", "gre", "spa/nc", "spa/sc", "spa", "mun", "bel")
        )
        for order in _understood(before, f"{unit}-{stop}-{to}")
    }
    assert found
    assert {one for one in chosen if one.count("-") == 2} == found
    assert not [
        one for one in GAME.legal_orders(GAME.board(before), before, moved, NOTHING) if write(one).count("-") > 1
    ]


HELP = "F Aeg S A Kie-Gre, F Aeg S A Home-Gre, F Aeg S Beta A Home-Gre"
CARRIES = "F Nth C T Nwy-Den, F Nth C T Nwy-Edi"


@pytest.mark.ruling("AL-10")
@pytest.mark.parametrize(
    ("game", "can"), [(GAME, f"{HELP}, {CARRIES}"), (RELAYED, f"{HELP}, {CARRIES}, F Aeg S F Nth-Gre, F Aeg-Gre-Nwy")]
)
def test_what_transmitters_bring_can_be_supported_and_they_can_be_convoyed(game: Variant, can: str) -> None:
    pieces = {"Alpha": "F aeg, F nth, T kie, T gre", "Beta": "A ber, A kie, T nwy, T gre"}
    before = position("S2053M", pieces, {"Alpha": "kie ber mun", "Beta": "par mar"})
    board = game.board(before)
    orders = [
        one for unit in before.units_of(Power("Alpha")) for one in game.legal_orders(board, before, unit, NOTHING)
    ]
    lines = list(map(write, orders))
    assert {*can.split(", ")} <= {*lines}
    assert len({*lines}) == len(lines)
    for order, line in zip(orders, lines, strict=True):
        assert _understood(before, line, game) == (order,), line


def _understood(before: Position, text: str, game: Variant = RELAYED) -> tuple[Order, ...]:
    with suppress(GmError):
        return understood(before, "Alpha", text, game)
    return ()
