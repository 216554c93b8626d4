"""Retreats, builds, removals, elimination and victory (OS-11 to OS-15)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.board import Province
from gm.errors import IllegalOrder
from gm.judge.outcomes import Why
from gm.orders.notation import write_unit
from gm.orders.possible import retreat_options
from gm.position import Season
from tests.variants.outer_space.scenes import GAME, colonies, outcomes, play, position, same, understood, unit
from tests.variants.telling import told


def case(ruling: str, name: str, *values: object) -> object:
    """A row of a table."""
    return pytest.param(*values, id=f"{ruling} {name}", marks=pytest.mark.ruling(ruling))


@pytest.mark.parametrize(
    ("dislodged", "origin", "others", "colonized", "contested", "open_to_it"),
    [
        case("OS-11", "an army: orbit, and no neutral land", "Krell A par", "pic", "Zorg A par", "", "", "orb.kre"),
        case("OS-11", "an army: adjacent colonies", "Krell A par", "pic", "Zorg A par", "Krell bur mun; Zorg gas", "",
             "bur orb.kre"),
        case("OS-11", "no room in orbit", "Krell A par", "pic", "Zorg A par; Krell 3 A orb", "", "", ""),
        case("OS-11", "room for one more in orbit", "Krell A par", "pic", "Zorg A par; Krell 2 A orb", "", "",
             "orb.kre"),
        case("OS-11", "a colony that is occupied", "Krell A par", "pic", "Zorg A par, A bur", "Krell bur", "",
             "orb.kre"),
        case("OS-11", "a colony where units bounced", "Krell A par", "pic", "Zorg A par", "Krell bur", "bur",
             "orb.kre"),
        case("OS-11", "a colony whence the attacker came", "Krell A par", "pic", "Zorg A par", "Krell pic", "",
             "orb.kre"),
        case("OS-11", "nothing barred by a beamed attacker", "Krell A par", "orb.zor", "Zorg A par",
             "Krell bur pic gas",
             "", "bur gas orb.kre pic"),
        case("OS-11", "a fleet: sea and adjacent colonies", "Krell F bre", "par", "Zorg A bre", "Krell gas", "",
             "eng gas mao"),
        case("OS-11", "a fleet: no neutral coast, no orbit", "Krell F eng", "nth", "Zorg F eng", "", "", "iri mao"),
        case("OS-11", "a fleet: a coast of a colony", "Krell F mao", "iri", "Zorg F mao; Morbo F nao, F wes, F naf",
             "Krell spa", "", "eng spa/nc spa/sc"),
    ],
)  # fmt: skip
def test_refuges(dislodged: str, origin: str, others: str, colonized: str, contested: str, open_to_it: str) -> None:
    where = position("S1902R", others, colonized, dislodged=[(dislodged, origin)], contested=contested)
    assert " ".join(retreat_options(GAME.board(where), where, where.dislodged[0])) == open_to_it


@pytest.mark.ruling("OS-11")
def test_os_11_a_beamed_attacker_bars_no_retreat() -> None:
    where = position("S1902M", "Krell A par; Zorg A orb, A bur")
    turn = play(where, "Krell: A PAR H; Zorg: A ORB-PAR, A BUR S A ORB-PAR")
    (dislodged,) = turn.after.dislodged
    assert (dislodged.origin, dislodged.convoyed) == ("orb.zor", True)


@pytest.mark.ruling("OS-11")
@pytest.mark.parametrize(
    ("in_orbit", "after"),
    [("", "Krell 2 A orb"), ("Krell A orb; ", "Krell 3 A orb"), ("Krell 2 A orb; ", "Krell 2 A orb")],
)
def test_os_11_retreats_to_orbit_beyond_its_room_all_disband(in_orbit: str, after: str) -> None:
    dislodged = [("Krell A par", "pic"), ("Krell A mun", "ber")]
    where = position("S1902R", f"{in_orbit}Zorg A par, A mun", dislodged=dislodged)
    turn = play(where, "Krell: A PAR R ORB, A MUN - ORBIT")
    assert same(turn.after, f"{after}; Zorg A par, A mun")
    full = in_orbit.startswith("Krell 2")
    assert [o.facts.why is Why.NO_ROOM for o in outcomes(turn, "Krell")] == [full, full]


@pytest.mark.ruling("OS-11")
@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("BUR", "the rules of this game do not allow it"),
        ("MUN", "not adjacent"),
        ("ORB", "holds as many units as it can"),
        ("GAS", "is occupied"),
    ],
)
def test_os_11_a_retreat_elsewhere_is_refused(to: str, why: str) -> None:
    where = position(
        "S1902R", "Zorg A par; Morbo A gas; Krell 3 A orb", "Krell pic gas", dislodged=[("Krell A par", "bre")]
    )
    with pytest.raises(IllegalOrder, match=why):
        understood(where, f"Krell: A PAR R {to}")


# Winter


@pytest.mark.parametrize(
    ("on_board", "colonized", "centers", "count", "sites"),
    [
        case("OS-12", "owned and colonized and vacant", "Krell A orb", "Krell par mun", "Krell par mun", 1, "mun par"),
        case("OS-12", "owned only", "Krell A orb", "", "Krell par mun", 0, ""),
        case("OS-12", "occupied", "Krell A par", "Krell par mun", "Krell par mun", 1, "mun"),
        case("OS-12", "fewer sites than due", "Krell A par", "Krell par mun", "Krell par mun ber kie", 1, "mun"),
        case("OS-12", "armies in orbit are counted", "Krell 3 A orb", "Krell par mun", "Krell par mun ber kie", 1,
             "mun par"),
        case("OS-12", "another's colony", "Krell A orb", "Zorg par", "Krell par mun", 0, ""),
        case("OS-12", "too many units", "Krell 3 A orb", "Krell par", "Krell par", -2, ""),
    ],
)  # fmt: skip
def test_builds(on_board: str, colonized: str, centers: str, count: int, sites: str) -> None:
    where = position("W1902A", on_board, colonized, centers)
    need = GAME.needs(GAME.board(where), where, unit("Krell A par").power)
    assert (need.count, " ".join(sorted(need.sites))) == (count, sites)


@pytest.mark.ruling("OS-12")
def test_os_12_fleets_where_there_is_a_coast() -> None:
    where = position("W1902A", "", "Krell bre mun stp", "Krell bre mun stp")
    assert same(play(where, "Krell: BUILD F BRE, BUILD A MUN, BUILD F STP/NC").after, "Krell F bre, A mun, F stp/nc")
    with pytest.raises(IllegalOrder, match="no coast"):
        understood(where, "Krell: BUILD F MUN")


@pytest.mark.ruling("OS-12")
def test_os_12_the_reason_is_reported() -> None:
    where = position("W1902A", "", "Krell bre", "Krell bre mun")
    with pytest.raises(IllegalOrder, match=r"you own it, but it is not your colony \(OS-12\)"):
        understood(where, "Krell: BUILD A MUN")
    with pytest.raises(IllegalOrder, match="no build"):
        understood(position("W1902A", "Krell A par", "Krell bre", "Krell mun"), "Krell: BUILD A MUN")
    with pytest.raises(IllegalOrder, match="not a supply centre"):
        understood(where, "Krell: BUILD A ORB")


@pytest.mark.parametrize(
    ("on_board", "colonized", "centers", "removed"),
    [
        case("OS-13", "on the ground before in orbit", "Krell 2 A orb, A par", "Krell par", "Krell par ber", "A par"),
        case("OS-13", "farthest first", "Krell A mos, A bur, A par", "Krell par", "Krell par ber", "A mos"),
        case("OS-13", "own centres that are no colonies do not count", "Krell A mos, A bur, A par", "Krell par",
             "Krell par mos", "A mos"),
        case("OS-13", "colonies that are no own centres do not count", "Krell A mos, A gas, A pic", "Krell mos par",
             "Krell par ber", "A mos"),
        case("OS-13", "fleets before armies of one distance", "Krell F bre, A pic, A par", "Krell par", "Krell par ber",
             "F bre"),
        case("OS-13", "by name among equals", "Krell A pic, A bur, A par", "Krell par", "Krell par ber", "A bur"),
        case("OS-13", "from orbit when nothing else is left", "Krell 3 A orb", "", "Krell par", "A orb, A orb"),
        case("OS-13", "armies in orbit last", "Krell 2 A orb, A pic, A bur", "", "Krell par", "A bur, A orb, A pic"),
    ],
)  # fmt: skip
def test_removals_by_default(on_board: str, colonized: str, centers: str, removed: str) -> None:
    where = position("W1902A", on_board, colonized, centers)
    after = play(where, "").after
    gone = [write_unit(each).lower().replace("a ", "A ").replace("f ", "F ") for each in where.units]
    for each in after.units:
        gone.remove(write_unit(each).lower().replace("a ", "A ").replace("f ", "F "))
    assert ", ".join(sorted(gone)) == removed


@pytest.mark.ruling("OS-13")
def test_os_13_removals_that_were_ordered() -> None:
    where = position("W1902A", "Krell 3 A orb, A par", "Krell par", "Krell par ber")
    assert same(play(where, "Krell: REMOVE A ORB, REMOVE A ORB").after, "Krell A orb, A par")
    assert same(play(where, "Krell: REMOVE A ORB").after, "Krell 2 A orb")


# Out, and won


@pytest.mark.ruling("OS-14")
def test_os_14_an_empire_without_a_centre_after_fall_is_out() -> None:
    where = position("F1902M", "Krell A par; Zorg A bur, 2 A orb", "Zorg bur gas; Krell par", "Krell par; Zorg ")
    turn = play(where, "")
    assert turn.eliminated == ("Zorg",), "Morbo had nothing before this Fall"
    assert colonies(turn.after) == {"par": "Krell"}
    assert same(turn.after, "Krell A par")
    assert turn.after.extra["eliminated"] == ["Morbo", "Zorg"]
    assert "disbanded: A Bur, 2 A Orb; neutral again: Burgundy, Gascony" in " ".join(told(GAME, turn))
    later = play(replace(turn.after, phase=replace(turn.after.phase, year=1903, season=Season.FALL)), "")
    assert not later.eliminated, "nobody is eliminated twice"
    assert later.after.extra["eliminated"] == ["Morbo", "Zorg"]


@pytest.mark.ruling("OS-14")
def test_os_14_not_after_spring() -> None:
    turn = play(position("S1902M", "Krell A par; Zorg A bur", "Zorg gas", "Krell par"), "")
    assert turn.count is None
    assert same(turn.after, "Krell A par; Zorg A bur")
    assert colonies(turn.after) == {"gas": "Zorg"}


@pytest.mark.ruling("OS-14", "OS-7")
def test_os_14_what_was_jammed_is_open_again() -> None:
    where = position("F1902M", "Krell A par, A orb; Zorg A bur", "Zorg bur gas", "Krell par mun")
    with pytest.raises(IllegalOrder, match="jams"):
        understood(where, "Krell: A ORB-GAS")
    after = play(where, "").after
    assert after.phase.code == "S1903M"
    assert understood(after, "Krell: A ORB-GAS")


@pytest.mark.ruling("OS-15")
@pytest.mark.parametrize(
    ("phase", "centers", "winner"), [("F1902M", 18, "Krell"), ("F1902M", 17, None), ("S1902M", 17, None)]
)
def test_os_15_eighteen_centres_after_a_fall(phase: str, centers: int, winner: str | None) -> None:
    board = GAME.board(position())
    owned = " ".join(p for p in board.centers if p != "par")[: 4 * (centers - 1)]
    turn = play(position(phase, "Krell A par; Zorg A boh", "", f"Krell {owned}"), "")
    if winner is None:
        assert turn.victory is None
    else:
        assert turn.victory is not None
        assert turn.victory.winners == (winner,)
    assert (turn.after.centers.get(Province("par")) == "Krell") is (phase == "F1902M")


def test_a_game_in_which_all_are_out_is_over() -> None:
    turn = play(position("F1901M", "Krell 3 A orb; Morbo A boh"), "")
    assert turn.victory is not None
    assert turn.victory.winners == ()
