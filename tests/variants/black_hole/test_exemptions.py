"""Home centres that no black hole takes: naming, drawing, moving (BH-3), and the orders for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from gm.advance import advance
from gm.board import Power, Province, standard_board
from gm.chance import Chance
from gm.errors import Ambiguous, IllegalOrder, NotUnderstood
from gm.judge.outcomes import Result, Why
from gm.orders import order_from_json, order_to_json
from gm.orders.notation import write
from gm.position import STANDARD_KINDS, PhaseKind, Position
from gm.variants.black_hole.orders import OWN
from gm.variants.black_hole.state import homes
from gm.variants.standard import POWERS
from tests.variants.black_hole.scenes import GAME, Fixed, first, orders, play, position, refusal, understood

FRANCE, ITALY, RUSSIA = Power("France"), Power("Italy"), Power("Russia")
LOST = {"France": "par"}
"""France's exemption, whose centre Germany has taken."""


def exempt(where: Position) -> dict[str, str]:
    """The exemptions."""
    return dict(where.extra["exempt"])


# With the first orders


@pytest.mark.ruling("BH-3")
def test_bh_3_the_centre_named_with_the_first_orders_is_exempt() -> None:
    turn = play(first(), "France: EXEMPT BRE, A PAR H; Russia: EXEMPT ST PETERSBURG; Turkey: ANK H")
    assert exempt(turn.after)["France"] == "bre"
    assert exempt(turn.after)["Russia"] == "stp"
    assert set(exempt(turn.after)) == set(POWERS)
    chance = Fixed("bre")
    again = advance(GAME, turn.after, {}, chance)
    assert set(exempt(turn.after).values()).isdisjoint(chance.offered["F1901/hole"])
    assert exempt(again.after) == exempt(turn.after)


@pytest.mark.ruling("BH-3", "BH-1")
def test_bh_3_it_is_exempt_from_the_first_hole_on() -> None:
    chance = Fixed("bre")
    turn = play(first(), "France: EXEMPT BRE", chance)
    assert set(exempt(turn.after).values()).isdisjoint(chance.offered["S1901/hole"])
    assert len(chance.offered["S1901/hole"]) == 75 - 7


@pytest.mark.ruling("BH-3", "BH-2")
def test_bh_3_one_that_is_not_named_is_drawn() -> None:
    board = standard_board()
    drawn = Counter(
        (power, center)
        for number in range(400)
        for power, center in exempt(
            play(first(), "France: EXEMPT BRE", Chance(number.to_bytes(32, "big"))).after
        ).items()
    )
    assert drawn.pop(("France", "bre")) == 400
    assert set(drawn) == {(power, home) for power in POWERS if power != "France" for home in homes(board, power)}
    assert all(60 < count < 180 for count in drawn.values()), drawn
    seed = Chance(bytes(range(32)), "spring")
    assert exempt(play(first(), "", seed).after)["Italy"] == seed.choose(
        homes(board, ITALY), "S1901", "exempt", "Italy"
    )


@pytest.mark.ruling("BH-3")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("France: EXEMPT MUN", "Munich is not a home centre of France. Write EXEMPT Bre or EXEMPT Mar or EXEMPT Par."),
        ("France: EXEMPT BUR", "Burgundy is not a home centre of France."),
        ("Russia: EXEMPT NTH", "Write EXEMPT Mos, EXEMPT Sev, EXEMPT Stp or EXEMPT War."),
    ],
)
def test_bh_3_only_an_own_home_centre(line: str, why: str) -> None:
    assert why.replace("Bre or EXEMPT Mar or", "Bre, EXEMPT Mar or") in refusal(first(), line)


@pytest.mark.ruling("BH-3")
@pytest.mark.parametrize("phase", ["F1901M", "S1902M", "S1901R", "W1901A"])
def test_bh_3_later_it_cannot_be_changed(phase: str) -> None:
    where = position(phase, "France A par", "France par bre mar", exempt={"France": "bre"})
    assert "Your exempt home centre is Brest. It was settled with the first orders" in refusal(
        where, "France: EXEMPT PAR"
    )


# Moving it


def loss(phase: str = "F1902M", gone: str = "bre") -> Position:
    """France has lost Paris, its exempt centre, to Germany, and has two others, of which one vanishes."""
    where = position(phase, "France A mar; Germany A par", "France bre mar; Germany par mun", exempt=LOST)
    return play(where, "", Fixed(gone)).after


@pytest.mark.ruling("BH-3")
def test_bh_3_it_may_move_once_to_the_last_centre() -> None:
    after = loss()
    assert after.extra["movable"] == {"France": "mar"}
    spring = after
    while spring.phase.kind is not PhaseKind.MOVEMENT:
        spring = play(spring).after
    assert "last other home centre only (BH-3). Write EXEMPT Mar." in refusal(spring, "France: EXEMPT PAR")
    chance = Fixed("par")
    turn = play(spring, "France: EXEMPT MAR", chance)
    assert exempt(turn.after) == {"France": "mar"}
    assert "mar" not in chance.offered["S1903/hole"]
    assert turn.after.extra["holes"]["par"] == "S1903", "the centre it was at is like any other"
    assert turn.after.extra["moved"] == ["France"]
    assert "movable" not in turn.after.extra
    assert "cannot be changed now" in refusal(turn.after, "France: EXEMPT MAR")


@pytest.mark.ruling("BH-3")
def test_bh_3_it_stays_when_nothing_is_said() -> None:
    after = loss("S1902M")
    assert exempt(play(after, "France: A MAR H").after) == LOST
    assert play(after, "France: A MAR H").after.extra["movable"] == {"France": "mar"}


@pytest.mark.ruling("BH-3")
@pytest.mark.parametrize(
    ("centers", "gone", "moved", "movable"),
    [
        ("France bre mar; Germany par", "bre", (), True),
        ("France bre mar; Germany par", "mar", (), True),
        ("France bre mar; Germany par", "bur", (), False),
        ("France bre mar par", "bre", (), False),
        ("France bre mar; Germany mun", "bre", (), False),
        ("France bre; Germany par mar", "bre", (), False),
        ("France mar; Germany par bre", "bre", (), False),
        ("France bre mar; Germany par", "bre", ("France",), False),
    ],
    ids=[
        "the one",
        "the other",
        "another hole",
        "not lost",
        "lost to nobody",
        "one left before",
        "not among those left",
        "once only",
    ],
)
def test_bh_3_when_it_may_move(centers: str, gone: str, moved: tuple[str, ...], movable: bool) -> None:
    where = position("S1903M", "France A gas; Germany A mun", centers, exempt=LOST, moved=list(moved))
    after = play(where, "", Fixed(gone)).after
    assert ("France" in after.extra.get("movable", {})) is movable


@pytest.mark.ruling("BH-3")
def test_bh_3_russia_has_four() -> None:
    """With three other home centres one may vanish without effect; with two the exemption may move."""
    where = position("S1903M", "Russia A ukr", "Germany war; Russia mos sev stp", exempt={"Russia": "war"})
    assert "movable" not in play(where, "", Fixed("sev")).after.extra
    where = position("S1903M", "Russia A ukr", "Germany war; Russia mos stp", exempt={"Russia": "war"}, holes="sev")
    assert play(where, "", Fixed("stp")).after.extra["movable"] == {"Russia": "mos"}
    where = position("S1903M", "Russia A ukr", "Germany war sev; Russia mos stp", exempt={"Russia": "war"})
    assert play(where, "", Fixed("stp")).after.extra["movable"] == {"Russia": "mos"}


@pytest.mark.ruling("BH-3")
def test_bh_3_the_right_goes_with_the_last_centre() -> None:
    after = loss("S1902M")
    gone = play(after, "France: A MAR H", Fixed("mar")).after
    assert "movable" not in gone.extra
    taken = position("F1903M", "Germany A mar", "France mar; Germany par", exempt=LOST, movable={"France": "mar"})
    assert "movable" not in play(taken).after.extra


@pytest.mark.ruling("BH-3")
@pytest.mark.parametrize(
    ("phase", "on_board", "gone", "stays"),
    [
        ("F1903M", "France A gas; Germany A mar", "bar", False),
        ("F1903M", "France A gas, A mar", "bar", True),
        ("S1903M", "France A gas; Germany A mar", "bar", True),
        ("S1903M", "France A gas", "mar", False),
        ("F1903M", "France A gas", "mar", False),
    ],
    ids=["taken in Fall", "kept", "entered in Spring", "a hole in Spring", "a hole in Fall"],
)
def test_bh_3_the_right_does_not_outlive_its_target(phase: str, on_board: str, gone: str, stays: bool) -> None:
    """France is still in the game, so its right has not lapsed with the power."""
    where = position(phase, on_board, "France mar por; Germany par", exempt=LOST, movable={"France": "mar"})
    after = play(where, "", Fixed(gone)).after
    assert not play(where, "", Fixed(gone)).eliminated
    assert ("France" in after.extra.get("movable", {})) is stays
    later = replace(after, phase=STANDARD_KINDS.phase_from_code("S1904M"))
    assert (refusal(later, "France: EXEMPT MAR") == "") is stays


@pytest.mark.ruling("BH-3")
def test_bh_3_who_has_no_unit_may_move_it_too() -> None:
    where = position("F1903M", "Germany A par", "France mar; Germany par", exempt=LOST, movable={"France": "mar"})
    duty = GAME.duties(where)[FRANCE]
    assert duty.offer
    assert not duty.binding
    assert not duty.met_by(())
    for line, after in (("EXEMPT MAR", "mar"), ("WAIVE", "par")):
        given = orders(where, f"France: {line}")
        assert duty.met_by(given[FRANCE])
        turn = advance(GAME, where, given, Fixed("bar"))
        assert exempt(turn.after)["France"] == after
        assert [outcome.result for outcome in turn.outcomes[:1]] == [Result.SUCCEEDS]
    shown = GAME.view(GAME, where, None, FRANCE)
    assert shown.form is not None
    assert shown.form[-1] == "EXEMPT"
    assert "France" not in GAME.view(GAME, where, None, Power("Germany")).duties


# As orders


@pytest.mark.parametrize(
    "line",
    ["EXEMPT PAR", "exempt Paris", "Exempt: par", "exempt my home centre PAR", "EXEMPTION IS PARIS", "exempts Par.",
     "IMMUNE PAR", "immune: Paris", "Immunity for Paris", "Nimm Paris aus", "save Paris from the black hole",
     "Schütze Paris vor dem schwarzen Loch"],
)  # fmt: skip
def test_exempt_is_written_in_many_ways(line: str) -> None:
    power, order = understood(first(), f"France: {line}")
    assert (power, write(order)) == ("France", "Exempt Par")


@pytest.mark.parametrize(
    "line", ["ANNOUNCE EXEMPT", "announce exemption", "Announce my exempt centre", "ANNOUNCE EXEMPT.", "announce"]
)
def test_announce_is_written_in_many_ways(line: str) -> None:
    assert write(understood(first(), f"France: {line}")[1]) == "Announce exempt"


@pytest.mark.parametrize(
    "line",
    ["ANNOUNCE NOTHING", "Announce nothing", "NO ANNOUNCE EXEMPT", "do not announce my exemption",
     "Don't announce exempt", "CANCEL ANNOUNCE EXEMPT", "ANNOUNCE EXEMPT NO"],
)  # fmt: skip
def test_taking_it_back_is_written_in_many_ways(line: str) -> None:
    assert write(understood(first(), f"France: {line}")[1]) == "Announce nothing"


def test_the_last_word_on_announcing_counts() -> None:
    for said, public in (("ANNOUNCE EXEMPT, ANNOUNCE NOTHING", False), ("ANNOUNCE NOTHING, ANNOUNCE EXEMPT", True)):
        turn = play(first(), f"France: EXEMPT PAR, {said}")
        assert ("France" in turn.after.extra.get("announced", {})) is public
        assert all(outcome.succeeded for outcome in turn.outcomes if isinstance(outcome.order, OWN))


@pytest.mark.ruling("BH-2", "BH-4")
def test_bh_4_the_chronicle_tells_each_exemption_and_when_it_changed() -> None:
    assert GAME.chronicle is not None
    assert GAME.chronicle(GAME, []) == ()
    spring = play(first(), "France: EXEMPT PAR; Italy: EXEMPT ROM")
    moving = position("S1903M", "France A mar; Italy A tun", "France mar; Germany par; Turkey rom",
                      exempt={"France": "par", "Italy": "rom"}, movable={"France": "mar"})  # fmt: skip
    moved = play(moving, "France: EXEMPT MAR", Fixed("tun"))
    (section,) = GAME.chronicle(GAME, [spring, moved])
    assert section.title == "Exemptions in the course of the game"
    assert ("France", "Paris; Marseilles from Spring 1903") in section.rows
    assert ("Italy", "Rome; lapsed in Spring 1903") in section.rows


@pytest.mark.parametrize("line", ["EXEMPT", "EXEMPT PARRIS", "EXEMPT PAR BRE"])
def test_what_is_not_well_formed_is_complained_of(line: str) -> None:
    with pytest.raises((NotUnderstood, Ambiguous, IllegalOrder)):
        understood(first(), f"France: {line}")


def test_a_later_choice_replaces_the_earlier_and_units_stay() -> None:
    given = orders(first(), "France: EXEMPT PAR, A PAR-BUR, ANNOUNCE EXEMPT, EXEMPT BRE, ANNOUNCE EXEMPT")[FRANCE]
    assert [write(order) for order in given] == ["A Par-Bur", "Exempt Bre", "Announce exempt"]


def test_builds_are_replaced_without_the_announcement_and_the_other_way_round() -> None:
    where = position("W1902A", "France A bur", "France par bre mar", exempt=LOST)
    given = orders(where, "France: BUILD A PAR, ANNOUNCE EXEMPT")[FRANCE]
    assert [write(order) for order in given] == ["Build A Par", "Announce exempt"]
    turn = advance(GAME, where, {FRANCE: (*given, *orders(where, "France: WAIVE")[FRANCE])}, Fixed())
    assert {str(unit) for unit in turn.after.units} == {"France A bur", "France A par"}
    assert [outcome.succeeded for outcome in turn.outcomes] == [True, True, True]


def test_they_are_stored_and_read_back() -> None:
    for order in orders(first(), "France: EXEMPT PAR, ANNOUNCE EXEMPT")[FRANCE]:
        assert order_from_json(order_to_json(order), GAME.language) == order


def test_of_several_choices_the_last_counts() -> None:
    given = tuple(understood(first(), f"France: EXEMPT {home}")[1] for home in ("PAR", "BRE"))
    turn = advance(GAME, first(), {FRANCE: given}, Fixed())
    assert exempt(turn.after)["France"] == "bre"
    assert turn.outcomes[0].facts.why is Why.REPLACED


@pytest.mark.ruling("BH-3")
@pytest.mark.parametrize("movable", [{}, {"France": "mar"}], ids=["not at all", "to another"])
def test_a_choice_that_is_not_open_changes_nothing(movable: dict[str, str]) -> None:
    """Even if an order got past the receipt."""
    (order,) = orders(first(), "France: EXEMPT BRE")[FRANCE]
    where = position("F1902M", "France A mar", "France bre mar par", exempt=LOST, movable=movable)
    turn = advance(GAME, where, {FRANCE: (order,)}, Fixed())
    assert turn.outcomes[0].result is Result.ILLEGAL
    assert exempt(turn.after) == LOST


def test_the_receipt_reminds_of_it() -> None:
    (said,) = GAME.cautions(first(), FRANCE, ())
    assert "EXEMPT Bre, EXEMPT Mar, EXEMPT Par" in said
    assert not GAME.cautions(first(), FRANCE, orders(first(), "France: EXEMPT PAR")[FRANCE])
    assert not GAME.cautions(position("F1901M"), FRANCE, ())


def test_a_hole_in_the_state_must_be_a_province() -> None:
    with pytest.raises(NotUnderstood, match="not one of this game"):
        GAME.board(replace(first(), extra={"holes": {"atl": "S1901"}}))
    assert Province("par") not in GAME.board(replace(first(), extra={"holes": ["par"]})).provinces
