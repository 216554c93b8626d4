"""Armies in orbit and the beams (OS-2 to OS-7)."""

from __future__ import annotations

import pytest

from gm.board import Location
from gm.errors import IllegalOrder
from gm.judge.outcomes import Result, Why
from gm.orders import Hold, Move, Order, order_from_json, order_to_json
from gm.orders.notation import write
from gm.orders.order_sets import refuse_surplus, superseded, warnings_on
from gm.variants.outer_space.orders import Beam
from tests.variants.outer_space.scenes import (
    CHANCE,
    GAME,
    colonies,
    orders,
    outcomes,
    play,
    position,
    same,
    understood,
    unit,
)


def case(ruling: str, name: str, *values: str) -> object:
    """A row of a table."""
    return pytest.param(*values, id=f"{ruling} {name}", marks=pytest.mark.ruling(ruling))


@pytest.mark.parametrize(
    ("before", "lines", "after"),
    [
        # one line, one army
        case("OS-2", "each line orders one army", "Krell 3 A orb", "Krell: A ORB-PAR, A ORB-MUN, A ORB-BER",
             "Krell A par, A mun, A ber"),
        case("OS-2", "an army without a line holds", "Krell 3 A orb", "Krell: A ORB-PAR", "Krell 2 A orb, A par"),
        # down and hold
        case("OS-3", "to land, inland or coast, or stay", "Krell 3 A orb", "Krell: A ORB-BOH, A ORB-STP, A ORB H",
             "Krell A boh, A stp, A orb"),
        # like any move
        case("OS-4", "beams bounce off one another", "Krell A orb; Zorg A orb", "Krell: A ORB-PAR; Zorg: A ORB-PAR",
             "Krell A orb; Zorg A orb"),
        case("OS-4", "two of one empire bounce", "Krell 2 A orb", "Krell: A ORB-PAR, A ORB-PAR", "Krell 2 A orb"),
        case("OS-4", "a beam bounces off a unit that stays", "Krell A orb; Zorg A par",
             "Krell: A ORB-PAR; Zorg: A PAR H",
             "Krell A orb; Zorg A par"),
        case("OS-4", "a beam bounces off a march", "Krell A orb; Zorg A bur", "Krell: A ORB-PAR; Zorg: A BUR-PAR",
             "Krell A orb; Zorg A bur"),
        case("OS-4", "a supported march beats a beam", "Krell A orb; Zorg A bur, A pic",
             "Krell: A ORB-PAR; Zorg: A BUR-PAR, A PIC S A BUR-PAR", "Krell A orb; Zorg A par, A pic"),
        case("OS-4", "a supported beam dislodges", "Krell A orb, A bur; Zorg A par",
             "Krell: A ORB-PAR, A BUR S A ORB-PAR; Zorg: A PAR H", "Krell A par, A bur"),
        case("OS-4", "a beam cuts support", "Krell A orb, A gas; Zorg A par, A bur; Morbo A mun",
             "Krell: A ORB-PAR; Zorg: A PAR S A BUR, A BUR H; Morbo: A MUN-BUR; Krell: A GAS S Morbo A MUN-BUR",
             "Krell A orb, A gas; Zorg A par; Morbo A bur"),
        case("OS-4", "a beam of one's own cuts none", "Krell 2 A orb, A par, A bur; Zorg A mun",
             "Krell: A ORB-PAR, A PAR S A BUR, A BUR H; Zorg: A MUN-BUR", "Krell 2 A orb, A par, A bur; Zorg A mun"),
        case("OS-4", "beams that pass do not fight", "Krell A orb, A par", "Krell: A ORB-PAR, A PAR-ORB",
             "Krell A par, A orb"),
        case("OS-4", "a beam into a province that is left", "Krell A orb; Zorg A par",
             "Krell: A ORB-PAR; Zorg: A PAR-ORB",
             "Krell A par; Zorg A orb"),
        case("OS-4", "no help to dislodge one's own", "Krell A orb, A par; Zorg A bur, A pic",
             "Krell: A ORB-PAR, A PAR H; Zorg: A BUR S Krell A ORB-PAR, A PIC S Krell A ORB-PAR",
             "Krell A orb, A par; Zorg A bur, A pic"),
        # up
        case("OS-5", "up to three", "Krell 2 A orb, A par", "Krell: A PAR-ORB", "Krell 3 A orb"),
        case("OS-5", "no room for a fourth", "Krell 3 A orb, A par", "Krell: A PAR-ORB", "Krell 3 A orb, A par"),
        case("OS-5", "one too many and none gets in", "Krell 2 A orb, A par, A mun", "Krell: A PAR-ORB, A MUN-ORB",
             "Krell 2 A orb, A par, A mun"),
        case("OS-5", "room is made by a beam down", "Krell 3 A orb, A par", "Krell: A PAR-ORB, A ORB-MUN",
             "Krell 3 A orb, A mun"),
        case("OS-5", "a beam down that fails makes no room", "Krell 3 A orb, A par; Zorg A mun",
             "Krell: A PAR-ORB, A ORB-MUN; Zorg: A MUN H", "Krell 3 A orb, A par; Zorg A mun"),
        case("OS-5", "a ring of two", "Krell 3 A orb, A par", "Krell: A PAR-ORB, A ORB-PAR", "Krell 3 A orb, A par"),
        case("OS-5", "a ring of six", "Krell 3 A orb, A par, A mun, A ber",
             "Krell: A PAR-ORB, A MUN-ORB, A BER-ORB, A ORB-PAR, A ORB-MUN, A ORB-BER",
             "Krell 3 A orb, A par, A mun, A ber"),
        case("OS-5", "a ring over land", "Krell 3 A orb, A par, A bur", "Krell: A PAR-BUR, A BUR-ORB, A ORB-PAR",
             "Krell 3 A orb, A par, A bur"),
        case("OS-5", "a ring that a stranger breaks", "Krell 3 A orb, A par; Zorg A bur",
             "Krell: A PAR-ORB, A ORB-PAR; Zorg: A BUR-PAR", "Krell 3 A orb, A par; Zorg A bur"),
        case("OS-5", "each empire has a craft of its own", "Krell 3 A orb, A par; Zorg 2 A orb, A mun",
             "Krell: A PAR-ORB; Zorg: A MUN-ORB", "Krell 3 A orb, A par; Zorg 3 A orb"),
        case("OS-5", "a march into what is left behind", "Krell 2 A orb, A par, A bur", "Krell: A PAR-ORB, A BUR-PAR",
             "Krell 3 A orb, A par"),
        # support
        case("OS-6", "for another empire's beam", "Krell A orb; Zorg A bur; Morbo A par",
             "Krell: A ORB-PAR; Zorg: A BUR S Krell A ORB-PAR; Morbo: A PAR-GAS",
             "Krell A par; Zorg A bur; Morbo A gas"),
        case("OS-6", "by the empire's code", "Krell A orb; Zorg A bur; Morbo A orb",
             "Krell: A ORB-PAR; Zorg: A BUR S KRE A ORB-PAR; Morbo: A ORB-PAR", "Krell A par; Zorg A bur; Morbo A orb"),
        case("OS-6", "by the orbit's code", "Krell A orb; Zorg A bur; Morbo A orb",
             "Krell: A ORB-PAR; Zorg: A BUR S A ORB.KRE-PAR; Morbo: A ORB-PAR", "Krell A par; Zorg A bur; Morbo A orb"),
        case("OS-6", "without a name it is one's own", "Krell A orb; Zorg A bur, A orb; Morbo A orb",
             "Krell: A ORB-PAR; Zorg: A BUR S A ORB-PAR, A ORB-PAR; Morbo: A ORB-PAR",
             "Krell A orb; Zorg A bur, A par; Morbo A orb"),
    ],
)  # fmt: skip
def test_movement(before: str, lines: str, after: str) -> None:
    turn = play(position("S1902M", before), lines)
    assert same(turn.after, after), [str(each) for each in turn.after.units]


@pytest.mark.parametrize(
    ("before", "line", "why"),
    [
        case("OS-1", "nobody boards another's craft", "Krell A par; Zorg A orb", "Krell: A PAR-ORB.ZOR",
             "own empire only"),
        case("OS-1", "no fleet on board", "Krell F bre", "Krell: F BRE-ORB", "fleets cannot be beamed"),
        case("OS-3", "not to sea", "Krell A orb", "Krell: A ORB-NTH", "at sea"),
        case("OS-3", "no support from orbit", "Krell A orb, A par", "Krell: A ORB S A PAR", "holds or is beamed down"),
        case("OS-3", "no convoy to orbit", "Krell A orb; Zorg F nth", "Zorg: F NTH C Krell A ORB-NWY", "no route"),
        case("OS-3", "not by convoy", "Krell A orb; Zorg F nth", "Krell: A ORB-NWY VIA CONVOY", "beamed"),
        case("OS-3", "no attack on an orbit", "Krell A par; Zorg A orb, A bur", "Zorg: A BUR S Krell A PAR-ORB.KRE",
             "could not move there"),
        case("OS-6", "only where the supporter could go", "Krell A orb; Zorg A mun", "Zorg: A MUN S Krell A ORB-PAR",
             "could not move there"),
        case("OS-6", "nobody is in that orbit", "Zorg A bur", "Zorg: A BUR S Krell A ORB-PAR", "no unit in Orb"),
        case("OS-6", "another's, unnamed", "Krell A orb; Zorg A bur", "Zorg: A BUR S A ORB-PAR", "name the empire"),
        case("OS-8", "not from orbit", "Krell A orb", "Krell: A ORB COL PAR", "from orbit"),
    ],
)  # fmt: skip
def test_refused_on_receipt(before: str, line: str, why: str) -> None:
    with pytest.raises(IllegalOrder, match=why):
        understood(position("S1902M", before), line)


@pytest.mark.ruling("OS-2")
def test_os_02_surplus_lines_are_refused() -> None:
    where = position("S1902M", "Krell 2 A orb, A par")
    board = GAME.board(where)
    (given,) = orders(where, "Krell: A ORB-PAR, A ORB-MUN, A ORB-BER, A PAR-BUR").values()
    refuse_surplus(board, where.units, given[:1], given[1])
    refuse_surplus(board, where.units, given[:3], given[3])
    with pytest.raises(IllegalOrder, match="2 units in Orb"):
        refuse_surplus(board, where.units, given[:2], given[2])
    results = [outcome.result for outcome in GAME.resolve(GAME, where, given, CHANCE).outcomes]
    assert results[2] is Result.ILLEGAL  # should one reach the judge, it orders nothing


THREE = "A ORB-PAR, A ORB-MUN, A ORB-BER"


@pytest.mark.ruling("OS-2", "OS-16")
@pytest.mark.parametrize(
    ("earlier", "later", "in_force"),
    [
        ("A ORB-PAR", "A ORB-MUN", "A ORB-PAR, A ORB-MUN"),
        ("A ORB-PAR, A ORB-MUN", "A ORB-MUN", "A ORB-PAR, A ORB-MUN"),
        ("A ORB-PAR, A ORB-MUN", "A ORB-PAR, A ORB-VIE", "A ORB-PAR, A ORB-MUN, A ORB-VIE"),
        ("A ORB-PAR, A ORB-PAR", "A ORB-PAR", "A ORB-PAR, A ORB-PAR"),
        ("A ORB-PAR", "A ORB-PAR, A ORB-PAR", "A ORB-PAR, A ORB-PAR"),
        (THREE, "A ORB-PAR, A ORB-MUN", THREE),
        (THREE, "A ORB-VIE", None),
        (THREE, "A ORB-PAR, A ORB-VIE", None),
        ("A ORB-PAR, A ORB-MUN", "A ORB-VIE, A ORB-BUR", None),
        (THREE, "A ORB H, A ORB-VIE, A ORB-PAR", "A ORB H, A ORB-VIE, A ORB-PAR"),
        (THREE, "ORBIT, A ORB-VIE", "A ORB-VIE"),
        (THREE, "A ORB-VIE, Orb:", "A ORB-VIE"),
        (THREE, "ORBIT, A ORB-PAR, A BRE H", "A ORB-PAR, A BRE H"),
        (THREE, "ORBIT, A BRE H", None),
        (THREE, "A BRE H", f"{THREE}, A BRE H"),
        ("A ORB-PAR, A BRE H", "A BRE-GAS", "A ORB-PAR, A BRE-GAS"),
        ("A ORB-PAR, A BRE H", "A ORB-GAS", "A ORB-PAR, A ORB-GAS, A BRE H"),
        ("A ORB-PAR, A BRE H", "A BRE-PIC, A ORB-GAS", "A ORB-PAR, A ORB-GAS, A BRE-PIC"),
    ],
)
def test_os_16_what_is_in_force_after_a_later_mail(earlier: str, later: str, in_force: str | None) -> None:
    """None: the lines for the orbit are refused together."""
    where = position("S1902M", "Krell 3 A orb, A bre")

    def given(lines: str) -> list[Order]:
        return [understood(where, f"Krell: {line}")[1] for line in lines.split(", ")]

    one, two = given(earlier), given(later)
    over = GAME.surplus(where, one, two)
    assert (over is None) == (in_force is not None)
    if in_force is not None:
        assert sorted(map(write, GAME.merge(where, one, two))) == sorted(map(write, given(in_force)))


@pytest.mark.ruling("OS-16")
def test_os_16_what_is_refused_says_what_is_in_force_and_what_replaces_it() -> None:
    where = position("S1902M", "Krell 3 A orb, A bre")
    one, two = (
        [understood(where, f"Krell: {line}")[1] for line in lines.split(", ")]
        for lines in ("A ORB-PAR, A ORB H", "A ORB-VIE, A BRE H, A ORB-BUR")
    )
    over = GAME.surplus(where, one, two)
    assert over is not None
    assert list(map(write, over.orders)) == ["A Orb-Vie", "A Orb-Bur"]
    assert over.problem.startswith("Only one army in orbit is without an order")
    assert over.whole == ("ORBIT", "A Orb-Par", "A Orb H", "A Orb-")
    assert over.instead == ("ORBIT", "A Orb-Vie", "A Orb-Bur")


@pytest.mark.ruling("OS-16")
def test_os_16_the_whole_list_is_for_movement() -> None:
    with pytest.raises(IllegalOrder, match="movement"):
        understood(position("W1902A", "Krell 3 A orb"), "Krell: ORBIT")


@pytest.mark.ruling("OS-4")
@pytest.mark.ruling("OS-5")
@pytest.mark.parametrize(
    ("before", "lines"),
    [
        ("Krell A par, A mun, A ber", "Krell: A PAR-ORB, A MUN-ORB, A BER-ORB"),
        ("Krell A par, A mun, A orb", "Krell: A PAR-ORB, A MUN-ORB, A ORB H"),
        ("Krell 3 A orb, A par", "Krell: A PAR-ORB, A ORB-MUN"),
        ("Krell 3 A orb, A par", "Krell: A PAR-ORB"),
        ("Krell 2 A orb, A par, A mun", "Krell: A PAR-ORB, A MUN-ORB, A ORB H"),
        ("Krell 3 A orb, A par, A mun, F bre", "Krell: A PAR-ORB, A MUN-ORB, A ORB-BER, F BRE-MAO"),
    ],
)
def test_os_05_a_caution_comes_exactly_when_the_craft_cannot_hold_all(before: str, lines: str) -> None:
    where = position(on_board=before)
    (given,) = orders(where, lines).values()
    said = warnings_on(GAME.board(where), where.units, given)
    turned_back = any(o.facts.why is Why.NO_ROOM for o in outcomes(play(where, lines), "Krell"))
    assert [("A Par-Orb" in one and "has room for" in one) for one in said] == ([True] if turned_back else [])


@pytest.mark.ruling("OS-11")
@pytest.mark.parametrize(("crew", "cautioned"), [(0, False), (1, False), (2, True)])
def test_os_11_retreats_to_orbit_are_cautioned_of_when_there_is_no_room(crew: int, cautioned: bool) -> None:
    board = f"Krell {crew} A orb; Zorg A par, A mun" if crew else "Zorg A par, A mun"
    where = position("S1902R", board, dislodged=[("Krell A par", "bur"), ("Krell A mun", "boh")])
    (given,) = orders(where, "Krell: A PAR-ORB, A MUN-ORB").values()
    said = warnings_on(GAME.board(where), where.units, given)
    assert bool(said) == cautioned
    assert all("all of them will be disbanded" in one for one in said)


def test_os_04_a_beam_has_strength_one_and_is_reported_with_its_empire() -> None:
    turn = play(position("S1902M", "Krell A orb; Zorg A orb"), "Krell: A ORB-PAR; Zorg: A ORB-PAR")
    (outcome,) = outcomes(turn, "Krell")
    assert outcome.result is Result.BOUNCES
    assert [(str(o.unit), o.strength) for o in outcome.facts.against] == [("Zorg A orb.zor", 1)]
    assert "par" in GAME.resolve(GAME, turn.before, [o.order for o in turn.outcomes], CHANCE).contested


@pytest.mark.ruling("OS-5")
def test_os_05_the_reason_is_reported() -> None:
    turn = play(position("S1902M", "Krell 3 A orb, A par"), "Krell: A PAR-ORB")
    assert [o.facts.why for o in outcomes(turn, "Krell") if isinstance(o.order, Move)] == [Why.NO_ROOM]


@pytest.mark.ruling("OS-7")
def test_os_07_a_beam_to_anothers_colony_is_refused_on_receipt() -> None:
    where = position("S1902M", "Krell A orb; Zorg A orb, A bur", colonies="Zorg par")
    with pytest.raises(IllegalOrder, match=r"Paris is a colony of Zorg, which jams your beams \(OS-7\)"):
        understood(where, "Krell: A ORB-PAR")
    with pytest.raises(IllegalOrder, match="jams"):
        understood(where, "Zorg: A BUR S Krell A ORB-PAR")
    assert same(play(where, "Zorg: A ORB-PAR").after, "Krell A orb; Zorg A par, A bur")


@pytest.mark.ruling("OS-7")
def test_os_07_should_one_reach_the_judge_it_is_void_and_keeps_nobody_out() -> None:
    where = position("S1902M", "Krell A orb; Zorg A bur", colonies="Zorg par")
    jammed = Beam(unit("Krell A orb"), Location("par"))
    ((_, march),) = orders(where, "Zorg: A BUR-PAR").items()
    resolution = GAME.resolve(GAME, where, [jammed, *march], CHANCE)
    assert [o.result for o in resolution.outcomes] == [Result.ILLEGAL, Result.SUCCEEDS]
    assert set(resolution.units) == {unit("Krell A orb"), unit("Zorg A par")}


@pytest.mark.ruling("OS-7")
def test_os_07_colonies_count_as_they_stood_when_the_season_began() -> None:
    turn = play(
        position("S1902M", "Krell A orb; Zorg A bur"), "Krell: A ORB-PAR; Zorg: A BUR COL PAR"
    )  # the colony would be founded in this season: too late to jam
    assert same(turn.after, "Krell A par; Zorg A bur")
    assert colonies(turn.after) == {}


@pytest.mark.ruling("OS-3", "OS-6", "OS-8")
@pytest.mark.parametrize(
    "line",
    [
        "Krell: A ORB-PAR",
        "Krell: A PIC-ORB",
        "Krell: A PIC COL",
        "Krell: A PIC COL PAR",
        "Zorg: A BUR S Krell A ORB-PAR",
    ],
)
def test_orders_are_stored_and_written_so_that_they_are_read_back(line: str) -> None:
    where = position("S1902M", "Krell A orb, A pic; Zorg A bur")
    power, order = understood(where, line)
    assert order_from_json(order_to_json(order), GAME.language) == order
    assert understood(where, f"{power}: {write(order)}") == (power, order)


def test_an_army_in_orbit_can_be_ordered_to_stay() -> None:
    assert understood(position("S1902M", "Krell A orb"), "Krell: A Orbit holds")[1] == Hold(unit("Krell A orb"))


# The words, and later mails


@pytest.mark.ruling("OS-16")
@pytest.mark.parametrize(
    ("line", "order"),
    [
        *((line, "A Orb-Par") for line in (
            "A ORB BEAM DOWN TO PAR", "A Orb beam down Par", "A ORB beams to PAR", "Army Orbit beams down to Paris",
            "BEAM A ORB DOWN TO PAR", "beam down A ORB to PAR", "BEAM A ORB-PAR", "BEAM DOWN PAR", "beam down to Paris",
            "Land an army in Paris", "Landung in Paris", "beam down A to Paris",
        )),
        *((line, "A Bur-Orb") for line in (
            "A BUR BEAM UP", "A Bur beams up", "BUR BEAM UP TO ORBIT", "A BUR beam to ORB", "BEAM UP A BUR",
            "beam A BUR up", "A BUR beamed back up",
        )),
        ("A BUR S Zorg A ORB BEAM DOWN TO PAR", "A Bur S Zorg A Orb-Par"),
        ("A BUR S A ORB beams down PAR", "A Bur S A Orb-Par"),
    ],
)  # fmt: skip
def test_os_16_beam_up_and_beam_down_are_words_for_the_two_moves(line: str, order: str) -> None:
    where = position("S1902M", "Krell A bur, A orb; Zorg A orb")
    assert write(understood(where, f"Krell: {line}")[1]) == order


@pytest.mark.ruling("OS-3", "OS-16")
@pytest.mark.parametrize("line", ["A BUR BEAM UP TO PAR", "A BUR beams to PAR", "A BUR beam down to PAR"])
def test_os_16_nothing_is_beamed_from_place_to_place(line: str) -> None:
    with pytest.raises(IllegalOrder, match="beamed up to their own spacecraft, nowhere else"):
        understood(position("S1902M", "Krell A bur, A orb"), f"Krell: {line}")


@pytest.mark.ruling("OS-16")
def test_os_16_only_lines_for_equal_armies_fall_away() -> None:
    """That a later order for one unit replaces the earlier one goes without saying."""
    where = position("S1902M", "Krell A bur, 3 A orb")
    (earlier,), (later,) = (
        orders(where, f"Krell: {text}").values() for text in ("A ORB-PAR, A BUR H", "ORBIT, A ORB H, A BUR-GAS")
    )
    fallen = superseded(GAME.pieces(where), earlier, GAME.merge(where, earlier, later))
    assert list(map(write, fallen)) == ["A Orb-Par"]


@pytest.mark.ruling("OS-16")
def test_os_16_dislodged_a_unit_beams_up_as_it_retreats() -> None:
    where = position("S1902R", "Zorg A bur", dislodged=[("Krell A bur", "mun")])
    assert write(understood(where, "Krell: A BUR BEAM UP")[1]) == "A Bur R Orb"
