"""Army/fleets: boarding, moving, landing, retreating, and in Winter (QS-13)."""

from __future__ import annotations

import json

import pytest

from gm.board import Location, UnitKind
from gm.errors import GmError, IllegalOrder
from gm.judge.outcomes import Result
from gm.orders import Disband, Move, Order, Support, UnitName, order_from_json, order_to_json
from gm.orders.notation import write
from gm.orders.order_sets import warnings_on
from gm.orders.possible import Need
from gm.variants.quantum_space.army_fleets import Embark, Land
from tests.tables import table
from tests.variants.quantum.scenes import CHANCE, NEW, OLD, orders, outcome, play, position, same, understood, unit
from tests.variants.telling import explained


def case(name: str, before: str, lines: str, after: str) -> object:
    """A row of the table; its name begins with the letter of a paragraph of QS-13."""
    return pytest.param(before, lines, after, id=f"QS-13{name}", marks=pytest.mark.ruling("QS-13"))


@pytest.mark.parametrize(
    ("before", "lines", "after"),
    [
        case("a boards", "Octagon A o1, F oo", "Octagon: A O1 BOARDS F OO, F OO H", "Octagon A/F oo"),
        case("a cannot fail though attacked", "Octagon A o1, F oo; Auerbach A o2, A o5",
             "Octagon: A O1 BOARDS F OO, F OO H; Auerbach: A O2-O1, A O5 S A O2-O1",
             "Octagon A/F oo; Auerbach A o1, A o5"),
        case("a boards before the fleet moves", "Octagon A o1, F oo", "Octagon: A O1 BOARDS F OO, F OO-Q5",
             "Octagon A/F q5"),
        case("a named as what it will be", "Octagon A o1, F oo", "Octagon: A O1 BOARDS F OO, A/F OO-Q5",
             "Octagon A/F q5"),
        case("a one army, the first", "Octagon A o1, A o3, F oo", "Octagon: A O1 BOARDS F OO, A O3 BOARDS F OO",
             "Octagon A/F oo, A o3"),
        case("b holds", "Octagon A/F q5; Auerbach F q6", "Octagon: A/F Q5 H; Auerbach: F Q6-Q5",
             "Octagon A/F q5; Auerbach F q6"),
        case("b moves as one", "Octagon A/F q5", "Octagon: A/F Q5-AO", "Octagon A/F ao"),
        case("b goes down to the surface", "Octagon A/F oo", "Octagon: A/F OO-O6", "Octagon A/F o6"),
        case("b supports", "Octagon A/F q5, F q6; Auerbach F q7",
             "Octagon: F Q6-Q7, A/F Q5 S F Q6-Q7; Auerbach: F Q7 H", "Octagon A/F q5, F q7"),
        case("b is supported", "Octagon A/F q5, F q6; Auerbach F q7",
             "Octagon: A/F Q5-Q7, F Q6 S A/F Q5-Q7; Auerbach: F Q7 H", "Octagon A/F q7, F q6"),
        case("b is supported by the name of its fleet", "Octagon A/F q5, F q6; Auerbach F q7",
             "Octagon: A/F Q5-Q7, F Q6 S F Q5-Q7; Auerbach: F Q7 H", "Octagon A/F q7, F q6"),
        case("b strength 1", "Octagon A/F q5; Auerbach F q7", "Octagon: A/F Q5-Q7; Auerbach: F Q7 H",
             "Octagon A/F q5; Auerbach F q7"),
        case("b written AF", "Octagon A/F q5", "Octagon: AF Q5-OO", "Octagon A/F oo"),
        case("b named as a fleet", "Octagon A/F q5", "Octagon: F Q5-Q7", "Octagon A/F q7"),
        case("c lands", "Octagon A/F oo", "Octagon: A OO LANDS O3, A/F OO H", "Octagon A o3, F oo"),
        case("c lands where the fleet is ordered to be", "Octagon A/F q5", "Octagon: A/F Q5-AO, A Q5 LANDS A7",
             "Octagon A a7, F ao"),
        case("c lands where the fleet is and it leaves", "Octagon A/F ao", "Octagon: A/F AO-Q5, A AO LANDS A7",
             "Octagon A a7, F q5"),
        case("c though the fleet bounces", "Octagon A/F q5; Auerbach F ao",
             "Octagon: A/F Q5-AO, A Q5 LANDS A7; Auerbach: F AO H", "Octagon A a7, F q5; Auerbach F ao"),
        case("c from the surface", "Octagon A/F o3", "Octagon: A/F O3 H, A O3 LANDS O2", "Octagon A o2, F o3"),
        case("c not where the fleet was first ordered to be", "Octagon A/F q5",
             "Octagon: A/F Q5-AO, A/F Q5 H, A Q5 LANDS A7", "Octagon A/F q5"),
        case("c beside the fleet's goal", "Octagon A/F oo", "Octagon: A/F OO-O3, A OO LANDS O7", "Octagon A o7, F o3"),
        case("c fails and stays aboard", "Octagon A/F oo; Auerbach A o3",
             "Octagon: A OO LANDS O3, A/F OO-Q5; Auerbach: A O3 H", "Octagon A/F q5; Auerbach A o3"),
        case("c supported", "Octagon A/F oo, A o4; Auerbach A o3",
             "Octagon: A OO LANDS O3, A O4 S A OO LANDS O3, A/F OO H; Auerbach: A O3-O2",
             "Octagon A o3, A o4, F oo; Auerbach A o2"),
        case("c supported as a move", "Octagon A/F oo, A o4; Auerbach A o3, A o2, A o7",
             "Octagon: A OO-O3, A O4 S A OO-O3, A/F OO H; Auerbach: A O3 H, A O2 S A O3, A O7 H",
             "Octagon A/F oo, A o4; Auerbach A o3, A o2, A o7"),
        case("c no head to head", "Octagon A/F o3; Auerbach A o2",
             "Octagon: A/F O3-OO, A O3 LANDS O2; Auerbach: A O2-O3", "Octagon A o2, F oo; Auerbach A o3"),
        case("c cuts support", "Octagon A/F oo; Auerbach A o3, A o2; Berenike A o1",
             "Octagon: A OO LANDS O3; Auerbach: A O3 S A O2, A O2 H; Berenike: A O1 H",
             "Octagon A/F oo; Auerbach A o3, A o2; Berenike A o1"),
        case("c boards, moves and lands in one season", "Octagon A o1, F oo",
             "Octagon: A O1 BOARDS F OO, A/F OO-O6, A OO LANDS O7", "Octagon A o7, F o6"),
        case("c boards and lands without moving", "Octagon A o1, F oo",
             "Octagon: A O1 BOARDS F OO, F OO H, A OO LANDS O8", "Octagon A o8, F oo"),
        case("e a landing cuts no support given against its ship's space", "Octagon A/F oo; Auerbach F o3, F q6, A o2",
             "Octagon: A OO LANDS O3, A/F OO H; Auerbach: F O3 S F Q6-OO, F Q6-OO, A O2 H",
             "Auerbach F o3, F oo, A o2"),
        case("e but any other", "Octagon A/F oo; Auerbach A o3, A o2; Berenike A o1, A o6",
             "Octagon: A OO LANDS O3; Auerbach: A O3 S A O2; Berenike: A O1-O2, A O6 S A O1-O2",
             "Octagon A/F oo; Auerbach A o3; Berenike A o2, A o6"),
        case("e even where the ship was boarded now", "Octagon A o1, F oo; Auerbach F o3, F q6",
             "Octagon: A O1 BOARDS F OO, A OO LANDS O3, F OO H; Auerbach: F O3 S F Q6-OO, F Q6-OO",
             "Auerbach F o3, F oo"),
        case("e never drives out its own", "Octagon A/F oo, A o3, A o4",
             "Octagon: A OO LANDS O3, A O4 S A OO-O3, A/F OO H, A O3 H", "Octagon A/F oo, A o3, A o4"),
        case("e nor its own ship that stays", "Octagon A/F o3, A o2; Auerbach F oo",
             "Octagon: A/F O3-OO, A O3 LANDS O3, A O2 S A O3 LANDS O3; Auerbach: F OO H",
             "Octagon A/F o3, A o2; Auerbach F oo"),
        case("f another unit supports a landing from the surface", "Octagon A/F o3, A o1; Auerbach A o2",
             "Octagon: A/F O3 H, A O3 LANDS O2, A O1 S A O3 LANDS O2; Auerbach: A O2-O6",
             "Octagon A o2, F o3, A o1; Auerbach A o6"),
        case("g is an army/fleet at once", "Octagon A o1, A o3, F oo, F q5; Auerbach F q6",
             "Octagon: A O1 BOARDS F OO, F OO-Q6, F Q5 S A/F OO-Q6, A OO LANDS O7; Auerbach: F Q6-Q8",
             "Octagon A o7, A o3, F q6, F q5; Auerbach F q8"),
        case("h and so convoys nobody", "Octagon A o1, A o3, F oo",
             "Octagon: A O1 BOARDS F OO, F OO C A O3-O5, A O3-O5", "Octagon A o3, A/F oo"),
        case("c two landings bounce", "Octagon A/F oo; Auerbach A/F ao, A o2",
             "Octagon: A OO LANDS O3; Auerbach: A O2-O3", "Octagon A/F oo; Auerbach A/F ao, A o2"),
    ],
)  # fmt: skip
def test_army_fleets(before: str, lines: str, after: str) -> None:
    turn = play(position(before), lines)
    assert same(turn.after, after), [str(each) for each in turn.after.units]


@table("""
    before                              | line                          | why
    Octagon A o1; Auerbach F oo         | Octagon: A O1 BOARDS F OO     | you order Octagon's units
    Octagon A o1, F ao                  | Octagon: A O1 BOARDS F AO     | in the orbit above it
    Octagon A o1, F o2                  | Octagon: A O1 BOARDS F O2     | in the orbit above it
    Octagon A o1, A/F oo                | Octagon: A O1 BOARDS F OO     | carries an army already
    Octagon F o6, F oo                  | Octagon: F O6 BOARDS F OO     | only armies do
    Octagon A/F q5, A o1; Auerbach F ao | Octagon: A/F Q5 C A O1-A3     | has an army aboard
    Octagon A/F q5                      | Octagon: A Q5-Q6              | To move both write A/F Q5-Q6
    Octagon A/F q5                      | Octagon: A/F Q5-O1            | reached from OO only
    Octagon F oo                        | Octagon: A OO LANDS O3        | No army of yours is aboard
    Octagon F oo                        | Octagon: A/F OO-Q5            | no army/fleet
    Octagon A/F o1                      | Octagon: A O1 LANDS A1        | not adjacent to where its fleet is
    Octagon A/F o1, A o7                | Octagon: A O7 S A O1-O7       | could not move there
    Octagon A/F oo                      | Octagon: A/F OO S A OO-O3     | two are one unit .QS-13f
    Octagon A o1, F oo                  | Octagon: F OO S A OO LANDS O3 | two are one unit .QS-13f
    Octagon A/F oo                      | Octagon: A/F OO LANDS O3      | Write A OO LANDS O3; or A/F OO-O3
    Octagon A o1, F oo                  | Octagon: A/F OO LANDS O3      | Write A OO LANDS O3
    Octagon A o1, F oo                  | Octagon: F OO LANDS O3        | Write A OO LANDS O3
    Octagon A o1, A o3, F oo            | Octagon: A/F OO LANDS O3      | Write A OO LANDS O3
""")
@pytest.mark.ruling("QS-13")
def test_refused_on_receipt(before: str, line: str, why: str) -> None:
    with pytest.raises(IllegalOrder, match=why) as caught:
        understood(position(before), line)
    assert caught.value.problem


@pytest.mark.ruling("QS-13")
def test_a_fleet_that_is_boarded_does_not_convoy() -> None:
    turn = play(
        position("Octagon A o1, A o3, F oo"),
        "Octagon: A O1 BOARDS F OO, F OO C A O3-O5, A O3-O5",
    )
    assert same(turn.after, "Octagon A/F oo, A o3")
    convoy = next(o for o in turn.outcomes if write(o.order) == "F OO C A O3-O5")
    assert convoy.result is Result.ILLEGAL
    assert "may not convoy" in explained(NEW, turn, convoy)


@pytest.mark.ruling("QS-13")
def test_a_ship_does_not_support_the_landing_of_its_own_army() -> None:
    where = position("Octagon A/F oo; Auerbach A o3, A o2")
    army, ship = unit("Octagon A oo"), unit("Octagon A/F oo")
    given: list[Order] = [Land(army, Location("o3")), Support(ship, army, Location("o3"))]
    found = NEW.resolve(NEW, where, given, CHANCE)
    assert found.outcomes[1].result is Result.ILLEGAL
    assert "are one unit" in NEW.words.reason(found.outcomes[1])
    assert not found.dislodged


@pytest.mark.ruling("QS-13")
def test_boarding_and_landing_that_can_never_be_are_set_aside_by_the_judge_too() -> None:
    """An army cannot board another power's fleet, and cannot land where the ship is not."""
    where = position("Octagon A o1, A/F q5; Auerbach F oo")
    strange = Embark(unit("Octagon A o1"), unit("Auerbach F oo"))
    far = Land(unit("Octagon A q5"), Location("a3"))
    through = Move(unit("Octagon A/F q5"), Location("a2"))
    found = NEW.resolve(NEW, where, [strange, far, through], CHANCE)
    assert [o.result for o in found.outcomes[:2]] == [Result.ILLEGAL, Result.ILLEGAL]
    assert "of its own power" in NEW.words.reason(found.outcomes[0])
    assert "not adjacent" in NEW.words.reason(found.outcomes[1])
    assert sorted(map(str, found.units)) == ["Auerbach F oo", "Octagon A o1", "Octagon A/F q5"]


@pytest.mark.ruling("QS-13")
def test_of_two_armies_that_board_one_fleet_the_first_does() -> None:
    where = position("Octagon A o1, A o3, F oo")
    turn = play(where, "Octagon: A O3 BOARDS F OO, A O1 BOARDS F OO, A/F OO H")
    assert same(turn.after, "Octagon A o1, A/F oo")
    refused = turn.outcomes[1]
    assert refused.result is Result.ILLEGAL
    assert "carries an army already" in explained(NEW, turn, refused)


@pytest.mark.ruling("QS-13")
def test_a_dislodged_army_fleet_retreats_as_one() -> None:
    before = position("Octagon A/F q5; Auerbach F q6, F q7")
    turn = play(before, "Octagon: A/F Q5 H; Auerbach: F Q6-Q5, F Q7 S F Q6-Q5")
    assert [str(d.unit) for d in turn.after.dislodged] == ["Octagon A/F q5"]
    for line in ("A/F Q5 R Q77", "F Q5-Q77"):
        assert same(play(turn.after, f"Octagon: {line}").after, "Octagon A/F q77; Auerbach F q5, F q7")
    assert same(play(turn.after, "Octagon: A/F Q5 DISBAND").after, "Auerbach F q5, F q7")


@pytest.mark.ruling("QS-13")
def test_an_army_lands_though_its_fleet_is_dislodged() -> None:
    before = position("Octagon A/F ao; Auerbach F q6, F q7")
    turn = play(before, "Octagon: A/F AO H, A AO LANDS A2; Auerbach: F Q6-AO, F Q7 S F Q6-AO")
    assert same(turn.after, "Octagon A a2; Auerbach F ao, F q7")
    assert [str(d.unit) for d in turn.after.dislodged] == ["Octagon F ao"]


@pytest.mark.ruling("QS-13")
def test_whom_a_landing_drives_out_may_go_anywhere() -> None:
    before = position("Octagon A/F oo, A o4; Auerbach A o3")
    turn = play(before, "Octagon: A OO LANDS O3, A O4 S A OO-O3; Auerbach: A O3 H")
    (lost,) = turn.after.dislodged
    assert (str(lost.unit), lost.convoyed, lost.origin) == ("Auerbach A o3", True, "oo")
    beaten = outcome(turn, "Auerbach A o3")
    assert beaten.dislodged_by == unit("Octagon A oo")
    assert "dislodged by" in explained(NEW, turn, beaten)
    landed = outcome(turn, "Octagon A oo")
    assert landed.result is Result.SUCCEEDS and "A OO LANDS O3" in explained(NEW, turn, landed)  # noqa: PT018


@pytest.mark.ruling("QS-13")
def test_later_orders_replace_boarding_and_landing() -> None:
    where = position("Octagon A o1, F oo")
    board, land, walk = (understood(where, f"Octagon: {line}")[1]
                         for line in ("A O1 BOARDS F OO", "A OO LANDS O7", "A O1-O2"))  # fmt: skip
    assert NEW.merge(where, [board], [walk]) == (walk,)
    found = NEW.resolve(NEW, where, [board, land, walk], CHANCE)
    assert [o.result for o in found.outcomes[:3]] == [Result.VOID, Result.ILLEGAL, Result.SUCCEEDS]
    found = NEW.resolve(NEW, where, [walk, board, land], CHANCE)
    assert [o.result for o in found.outcomes[:3]] == [Result.VOID, Result.SUCCEEDS, Result.SUCCEEDS]
    assert sorted(map(str, found.units)) == ["Octagon A o7", "Octagon F oo"]
    again = understood(where, "Octagon: A OO LANDS O8")[1]
    found = NEW.resolve(NEW, where, [board, land, again], CHANCE)
    assert [o.result for o in found.outcomes[:3]] == [Result.SUCCEEDS, Result.VOID, Result.SUCCEEDS]


@pytest.mark.ruling("QS-13")
@pytest.mark.parametrize(
    ("lines", "after"),
    [
        ("REMOVE A Q5", "Octagon A o1, F q5"),
        ("REMOVE A O1", "Octagon A/F q5"),
        ("", "Octagon A o1, F q5"),  # it is farthest from home, and its army goes first
    ],
)
def test_an_army_fleet_counts_as_two_in_winter(lines: str, after: str) -> None:
    where = position("Octagon A/F q5, A o1", "W3002A", "Octagon o1 o3")
    assert NEW.needs(NEW.board(where), where, where.units[0].power).count == -1
    assert same(play(where, f"Octagon: {lines}" if lines else "").after, after)


@pytest.mark.ruling("QS-13")
def test_both_are_removed_one_after_the_other() -> None:
    where = position("Octagon A/F q5, A o1", "W3002A", "Octagon o1")
    assert same(play(where, "Octagon: REMOVE A Q5, REMOVE F Q5").after, "Octagon A o1")
    assert same(play(where, "").after, "Octagon A o1")
    turn = play(where, "Octagon: REMOVE F Q5, REMOVE A O1")
    assert turn.outcomes[0].result is Result.ILLEGAL
    assert same(turn.after, "Octagon F q5")
    with pytest.raises(IllegalOrder, match="two units"):
        understood(where, "Octagon: REMOVE A/F Q5")


@pytest.mark.ruling("QS-13")
def test_in_1975_there_is_no_boarding() -> None:
    with pytest.raises(GmError):
        understood(position("Octagon A o1, F oo"), "Octagon: A O1 BOARDS F OO", OLD)


@pytest.mark.ruling("QS-13")
def test_orders_survive_the_store_and_are_read_as_they_are_written() -> None:
    where = position("Octagon A o1, F oo, A o4, A/F q5")
    lines = ("A O1 BOARDS F OO", "A OO LANDS O3", "A/F Q5-AO", "A O4 S A OO-O3", "A Q5 LANDS A1", "A/F Q5 H")
    for line in lines:
        power, order = understood(where, f"Octagon: {line}")
        stored = json.loads(json.dumps(order_to_json(order)))
        read: Order = order_from_json(stored, NEW.language)
        assert read == order
        assert type(read) is type(order)
        assert write(order) == line
        assert understood(where, f"{power}: {write(order)}") == (power, order)
    (given,) = orders(where, "Octagon: A O1 BOARDS F OO, A OO LANDS O3").values()
    assert [type(order) for order in given] == [Embark, Land]


@pytest.mark.ruling("QS-13")
def test_the_receipt_warns_of_what_can_only_fail() -> None:
    where = position("Octagon A o1, A o3, F oo, A/F q5")
    (given,) = orders(where, "Octagon: A OO LANDS O7, A Q5 LANDS O2").values()
    assert NEW.cautions(where, given[0].unit.power, given) == (  # type: ignore[union-attr]
        "A OO LANDS O7 needs an army aboard: order one to board, A ... BOARDS F OO.",
        "A Q5 LANDS O2 fails: O2 is not next to Q5, where its ship is.",
    )
    (given,) = orders(where, "Octagon: A O1 BOARDS F OO, F OO C A O3-O5, A OO LANDS O7").values()
    assert NEW.cautions(where, given[0].unit.power, given) == (  # type: ignore[union-attr]
        "F OO cannot convoy when an army has boarded it (QS-13b).",
    )


@pytest.mark.ruling("QS-13")
def test_of_two_boardings_the_first_written_counts_in_a_merged_set_too() -> None:
    where = position("Octagon A o1, A o2, A o3, F oo")
    (before,) = orders(where, "Octagon: A O1-O4").values()
    (later,) = orders(where, "Octagon: A O3 BOARDS F OO, A O1 BOARDS F OO").values()
    (repeated,) = orders(where, "Octagon: A O1 BOARDS F OO").values()
    merged = NEW.merge(where, before, later)
    assert [write(order) for order in merged] == ["A O3 BOARDS F OO", "A O1 BOARDS F OO"]
    assert NEW.merge(where, merged, repeated) == merged
    assert NEW.merge(where, later[:1], repeated) == merged, "what was written earlier counts"
    said = ("A O1 BOARDS F OO: A O3 boards it first, and a fleet carries one army (QS-13a).",)
    assert NEW.cautions(where, where.units[0].power, merged) == said


@pytest.mark.ruling("QS-13")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("A O1 BOARDS F OO, A OO LANDS O3, F OO-Q5", ""),
        ("A BO LANDS B3, A/F BO-Q8", ""),
        ("A BO LANDS B3", ""),
        ("A/F BO-B1, A BO LANDS B2", ""),
        ("A/F BO-B1, A BO LANDS B3", ""),
    ],
)
def test_a_landing_is_cautioned_of_if_it_fails(given: str, said: str) -> None:
    """It may be next to where the ship is, or to where it is ordered to be."""
    where = position("Octagon A o1, F oo, A/F bo")
    (mine,) = orders(where, f"Octagon: {given}").values()
    cautions = NEW.cautions(where, where.units[0].power, mine)
    assert [one.startswith(said) for one in cautions] == ([True] if said else [])


def test_a_convoying_fleet_that_is_ordered_elsewhere_is_cautioned_of() -> None:
    where = position("Octagon A o3, F oo; Auerbach F q7")
    for given, said in (
        ("A O3-O8, F OO-Q5", ("A O3-O8: no fleet is left to convoy it (F OO-Q5).",)),
        ("A O3-O8, F OO C A O3-O6", ("A O3-O8: no fleet is left to convoy it (F OO C A O3-O6).",)),
        ("A O3-O8, F OO C A O3-O8", ()),
        ("A O3-O8", ("A O3-O8: no fleet is left to convoy it (F OO has no order).",)),
        ("A O3-O7, F OO-Q5", ()),
    ):
        (mine,) = orders(where, f"Octagon: {given}").values()
        found = warnings_on(NEW.board(where), where.units, mine)
        assert tuple(one for one in found if "convoy" in one) == said


GAPPED = "A O8-A5, F AO C A O8-A5, F Q7 C A O8-A5"


@pytest.mark.parametrize(
    ("pieces", "given", "said"),
    [
        ("Octagon A o8, F oo, F ao, F q7", GAPPED, "A O8-A5: its chain of fleets has a gap (F OO has no order)."),
        (
            "Octagon A o8, F oo, F ao, F q7",
            GAPPED + ", F OO H",
            "A O8-A5: its chain of fleets has a gap (F OO H).",
        ),
        ("Octagon A o8, F oo, F ao, F q7", GAPPED + ", F OO C A O8-A5", ""),
        ("Octagon A o8, F ao, F q7; Auerbach F oo", GAPPED, ""),
    ],
)
def test_a_gap_in_the_chain_of_ones_own_fleets_is_cautioned_of(pieces: str, given: str, said: str) -> None:
    """Another's fleet in the gap may be ordered to help."""
    where = position(pieces)
    (mine,) = orders(where, f"Octagon: {given}").values()
    assert warnings_on(NEW.board(where), where.units, mine) == ((said,) if said else ())


@pytest.mark.ruling("QS-7")
def test_a_convoy_with_a_gap_is_told_as_one_to_the_army_and_to_its_fleets() -> None:
    where = position("Octagon A o8, F ao, F q7; Auerbach F oo")
    played = play(where, f"Octagon: {GAPPED}")
    assert [explained(NEW, played, outcome) for outcome in played.outcomes[:3]] == [
        "A O8-A5 has no convoy: the chain of the fleets that were ordered to carry it has a gap.",
        "F AO C A O8-A5 is void: the chain of the fleets that were ordered to carry the army has a gap.",
        "F Q7 C A O8-A5 is void: the chain of the fleets that were ordered to carry the army has a gap.",
    ]


def test_the_form_hints_at_boarding_and_landing() -> None:
    where = position("Octagon A o1, F oo; Auerbach A/F bo")
    assert NEW.view(NEW, where, None, where.units[-1].power).hints == (
        "Quantum spaces are Q1 to Q9999999999.",
        "Also: A O1 BOARDS F OO.",
    )
    assert NEW.view(NEW, where, None, where.units[0].power).hints[1] == "Also: A BO LANDS B1."
    assert OLD.view(OLD, where, None, where.units[0].power).hints == ("Quantum spaces are Q1 to Q9999999999.",)


@pytest.mark.ruling("QS-13")
def test_a_removal_of_a_ship_under_its_army_is_refused_or_cautioned_of() -> None:
    where = position("Octagon A o1, F oo, A/F bo", "W3002A")
    (power,) = {unit.power for unit in where.units}
    fleet = Disband(UnitName(Location("bo"), UnitKind.FLEET))
    with pytest.raises(IllegalOrder, match="the army aboard goes first") as caught:
        NEW.understand(NEW.board(where), where, power, fleet, Need(-1))
    assert caught.value.remedy == "Write REMOVE A BO."
    ship, army = (
        NEW.understand(NEW.board(where), where, power, Disband(UnitName(Location("bo"), kind)), Need(-2))
        for kind in (UnitKind.FLEET, UnitKind.ARMY)
    )
    (said,) = NEW.cautions(where, power, (ship, army))
    assert "fails unless A BO disband stands above it" in said
    assert NEW.cautions(where, power, (army, ship)) == ()
