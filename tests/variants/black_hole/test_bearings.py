"""Dislodged units without a retreat order (BH-5), by the geometry of the board (BH-7)."""

from __future__ import annotations

from math import cos, radians

import pytest

from gm.advance import advance
from gm.board import Location, Power, UnitKind, standard_board
from gm.board.geography import Place, bearing, standard_geography
from gm.judge.outcomes import Result
from gm.orders import Disband, Retreat
from gm.position import parse_unit
from gm.reports.forms import order_form
from gm.variants.black_hole.phases import in_sight
from tests.variants.black_hole.scenes import GAME, Fixed, play, position, same
from tests.variants.telling import explained


def case(name: str, *values: object) -> object:
    """A row of the table."""
    return pytest.param(*values, id=name)


@pytest.mark.ruling("BH-5")
@pytest.mark.parametrize(
    ("unit", "origin", "others", "contested", "holes", "to"),
    [
        case("due north", "A mun", "boh", "", "", "", "kie"),
        case("then anti-clockwise", "A mun", "boh", "A kie", "", "", "ruh"),
        case("past what is taken", "A mun", "boh", "A kie, A ruh", "", "", "bur"),
        case("past what is not on the board", "A mun", "boh", "A kie, A ruh, A bur", "", "", "tyr"),
        case("past the attacker", "A mun", "tyr", "A kie, A ruh, A bur", "", "", "boh"),
        case("past a contested province", "A mun", "sil", "A kie, A ruh, A bur", "tyr", "", "boh"),
        case("past a hole", "A mun", "boh", "", "", "kie ruh", "bur"),
        case("all the way round", "A mun", "sil", "A kie, A ruh, A bur, A tyr, A boh", "", "", "ber"),
        case("south before east", "A boh", "gal", "A sil, A mun", "", "", "tyr"),
        case("west before south", "A par", "bur", "A pic", "", "", "bre"),
        case("a fleet to sea or coast", "F bre", "gas", "", "", "", "eng"),
        case("a fleet never inland", "F bre", "eng", "", "", "", "mao"),
        case("a fleet at sea", "F iri", "nao", "", "", "", "mao"),
        case("of two coasts the one met first", "F mao", "bre", "F nao, F naf, F por", "", "", "spa/sc"),
        case("a fleet from a divided coast", "F stp/sc", "mos", "", "", "", "fin"),
    ],
)  # fmt: skip
def test_bh_5_where_it_goes(unit: str, origin: str, others: str, contested: str, holes: str, to: str) -> None:
    attacker = f"Turkey {unit}"
    on_board = f"{attacker}; Russia {others}" if others else attacker
    where = position("S1902R", on_board, dislodged=[(f"Germany {unit}", origin)], contested=contested, holes=holes)
    turn = advance(GAME, where, {}, Fixed("bar"))
    assert same(turn.after, f"{on_board}; Germany {unit[0]} {to}")


@pytest.mark.ruling("BH-5")
def test_bh_5_the_server_orders_for_the_silent_only() -> None:
    dislodged = [("Germany A mun", "boh"), ("Germany A war", "mos"), ("France A par", "bre")]
    where = position("S1902R", "Austria A mun; Russia A war; England A par", dislodged=dislodged)
    turn = play(where, "Germany: A MUN DISBAND; France: A PAR R GAS")
    assert same(turn.after, "Austria A mun; Russia A war; England A par; Germany A pru; France A gas")
    turn = play(where, "France: A PAR DISBAND, ANNOUNCE EXEMPT")
    assert same(turn.after, "Austria A mun; Russia A war; England A par; Germany A kie, A pru")
    assert turn.silent == ("Germany",)


@pytest.mark.ruling("BH-5")
def test_bh_5_it_is_reported() -> None:
    where = position("S1902R", "Austria A mun", dislodged=[("Germany A mun", "boh")])
    turn = advance(GAME, where, {}, Fixed("bar"))
    (outcome,) = turn.outcomes
    words = "Without an order, the server retreated it by bearings from the middle of Munich (BH-5)."
    assert explained(GAME, turn, outcome) == words
    assert isinstance(outcome.order, Retreat)
    assert turn.orders == {}


@pytest.mark.ruling("BH-5")
def test_bh_5_without_a_legal_retreat_it_is_disbanded() -> None:
    where = position(
        "S1902M", "Germany A kie; Austria A mun, A ruh, A ber; Russia A den, A hol", "Germany mun", holes="hel bal"
    )
    turn = play(where, "Austria: A MUN-KIE, A RUH S A MUN-KIE")
    assert [one.unit for one in turn.destroyed] == [parse_unit("Germany A kie")]
    assert not any(isinstance(outcome.order, Disband) for outcome in turn.outcomes)
    shut = position("S1902R", "Austria A mun, A kie, A ruh, A bur, A tyr, A boh, A sil, A ber",
                    dislodged=[("Germany A mun", "boh")])  # fmt: skip
    turn = advance(GAME, shut, {}, Fixed("bar"))
    assert [outcome.result for outcome in turn.outcomes] == [Result.DISBANDED]


@pytest.mark.ruling("BH-5")
@pytest.mark.parametrize(
    ("orders", "where_to"),
    [
        case("one after another, Kiel before Munich", "", "France A ruh; Germany A bur"),
        case("an ordered one first", "Germany: A MUN R RUH", "Germany A ruh"),
        case("two ordered to one place", "France: A KIE R RUH; Germany: A MUN R RUH", ""),
        case("an ordered one elsewhere", "Germany: A MUN R TYR", "France A ruh; Germany A tyr"),
        case("disbanded", "France: A KIE DISBAND", "Germany A ruh"),
    ],
)
def test_bh_5_ordered_retreats_come_first_then_the_others_in_turn(orders: str, where_to: str) -> None:
    """Only Ruhr is open to the unit from Kiel."""
    where = position("S1902R", "Austria A mun, A kie; Russia A ber, A hol, A den; Italy F hel, F bal",
                     dislodged=[("Germany A mun", "boh"), ("France A kie", "ber")])  # fmt: skip
    on_board = "Austria A mun, A kie; Russia A ber, A hol, A den; Italy F hel, F bal"
    turn = play(where, orders)
    assert same(turn.after, f"{on_board}; {where_to}" if where_to else on_board)


@pytest.mark.ruling("BH-5")
def test_bh_5_where_two_ordered_retreats_meet_nobody_else_may_go() -> None:
    dislodged = [("Germany A mun", "boh"), ("France A hol", "kie"), ("England A bel", "pic")]
    where = position("S1902R", "Austria A mun, A hol, A bel; Russia A ber, A kie, A pic", dislodged=dislodged)
    turn = play(where, "France: A HOL R RUH; England: A BEL R RUH")
    assert same(turn.after, "Austria A mun, A hol, A bel; Russia A ber, A kie, A pic; Germany A bur")


@pytest.mark.ruling("BH-5")
def test_bh_5_they_go_by_the_full_names_of_the_provinces_they_left() -> None:
    """Norway (nwy) comes before the Norwegian Sea (nwg), and takes the Barents Sea, the only space open to both."""
    on_board = "Austria F nwy, F nwg, F nth, F nao; Italy F ska, A swe, A stp, A cly, A edi, A fin"
    dislodged = [("France F nwg", "nao"), ("Germany F nwy", "nth")]
    turn = advance(GAME, position("S1902R", on_board, dislodged=dislodged), {}, Fixed("tun"))
    assert same(turn.after, f"{on_board}; Germany F bar")
    assert [outcome.result for outcome in turn.outcomes if isinstance(outcome.order, Disband)] == [Result.DISBANDED]


@pytest.mark.ruling("BH-5")
def test_bh_5_the_form_says_where_a_unit_goes_without_an_order() -> None:
    where = position("S1902R", "Austria A mun; Russia A kie", dislodged=[("Germany A mun", "boh")])
    view = GAME.view(GAME, where, None, Power("Germany"))
    told = " ".join(order_form(view, Power("Germany"))).replace(" #  ", "")
    assert "Without an order A Mun retreats to Ruh; if that is taken, to the first that is empty of Bur, Tyr," in told
    assert not GAME.view(GAME, where, None, Power("Russia")).hints


@pytest.mark.ruling("BH-5", "BH-7")
@pytest.mark.parametrize("province", standard_board().provinces)
def test_bh_5_every_unit_everywhere_finds_its_way(province: str) -> None:
    """Wherever a unit may be, each of its borders is one on the map."""
    board = standard_board()
    for kind in (UnitKind.ARMY, UnitKind.FLEET):
        for at in (Location(province), *board.coasts(board.province(Location(province)))):
            places = board.neighbours(kind, at)
            assert sorted(in_sight(board, at, places)) == sorted(places)


@pytest.mark.ruling("BH-7")
@pytest.mark.parametrize(
    ("province", "place"),
    [
        ("boh", Place(49.8, 15.0)),
        ("por", Place(39.6, -8.0)),
        ("den", Place(56.0, 9.8)),
        ("swe", Place(61.5, 16.0)),
        ("tun", Place(34.5, 9.6)),
        ("ank", Place(40.5, 34.0)),
        ("bla", Place(43.5, 34.5)),
    ],
)
def test_bh_7_centroids_are_real_places(province: str, place: Place) -> None:
    """For provinces whose extent can be found in any atlas; within 250 km."""
    found = standard_geography().centroid(province)
    north = (found.latitude - place.latitude) * 111
    east = (found.longitude - place.longitude) * 111 * cos(radians(place.latitude))
    assert (north**2 + east**2) ** 0.5 < 250


@pytest.mark.ruling("BH-7")
def test_bh_7_bearings_are_those_of_the_globe() -> None:
    sheet = standard_geography()
    for origin, target, low, high in (("mun", "ber", 0, 60), ("par", "lon", 300, 360), ("rom", "tun", 180, 250),
                                      ("mos", "sev", 150, 200), ("vie", "bud", 80, 130)):  # fmt: skip
        assert low <= bearing(sheet.centroid(origin), sheet.centroid(target)) <= high, (origin, target)
