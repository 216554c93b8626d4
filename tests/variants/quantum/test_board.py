"""The board: octants, orbits, quantum spaces, centres, distances (QS-1, QS-2, QS-4, QS-5, QS-11)."""

from __future__ import annotations

from itertools import combinations

import pytest

from gm.board import Board, Location, Power, Province, Terrain, UnitKind
from gm.judge import RULEBOOK_1971
from gm.variants.quantum_space.phases import removals
from gm.variants.quantum_space.space import BORDERS, CENTERS, Planets, QuantumBoard, distance
from gm.variants.quantum_space.state import ARMY_FLEET
from tests.variants.quantum.scenes import NEW, position, unit

BOARD = QuantumBoard(Planets({Power("Auerbach"): "a", Power("Berenike"): "b", Power("Octagon"): "o"}), 19)
ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


def at(text: str) -> Location:
    return Location(text.lower())


@pytest.mark.ruling("QS-1")
def test_qs_01_the_octants_of_a_sphere() -> None:
    rings = [("1", "2"), ("2", "3"), ("3", "4"), ("4", "1"), ("5", "6"), ("6", "7"), ("7", "8"), ("8", "5")]
    across = [("1", "5"), ("2", "6"), ("3", "7"), ("4", "8")]
    touch = {frozenset(pair) for pair in rings + across}
    for one, other in combinations("12345678", 2):
        steps = BOARD.may_step(ARMY, at(f"a{one}"), at(f"a{other}"))
        assert steps == (frozenset((one, other)) in touch), (one, other)
        assert BOARD.may_step(ARMY, at(f"a{other}"), at(f"a{one}")) == steps
        assert not BOARD.may_step(ARMY, at(f"a{one}"), at(f"b{other}"))
    assert [len(borders) for borders in BORDERS.values()] == [3] * 8


@pytest.mark.ruling("QS-2")
def test_qs_02_four_centres_of_which_no_two_touch() -> None:
    centers = [number for number in BORDERS if BOARD.is_center(Province(f"a{number}"))]
    assert "".join(centers) == CENTERS == "1368"
    free = [four for four in combinations("12345678", 4) if all(b not in BORDERS[a] for a, b in combinations(four, 2))]
    assert free == [("1", "3", "6", "8"), ("2", "4", "5", "7")]  # and of these two, that with 1
    assert BOARD.home(Province("b6")) == "Berenike"
    assert BOARD.home(Province("b2")) is BOARD.home(Province("bo")) is BOARD.home(Province("q1")) is None
    assert len(BOARD.centers) == 12


@pytest.mark.ruling("QS-4")
@pytest.mark.parametrize(
    ("origin", "target", "steps"),
    [
        ("AO", "A1", True), ("AO", "A8", True), ("A4", "AO", True), ("AO", "B1", False), ("B1", "AO", False),
        ("AO", "Q5", True), ("Q5", "AO", True), ("Q5", "BO", True), ("AO", "BO", False), ("AO", "AO", False),
        ("Q5", "Q31415926535", True), ("Q31415926535", "Q1", True), ("Q5", "Q5", False), ("Q5", "A1", False),
        ("A1", "Q5", False), ("A1", "A2", False), ("AO", "Q0", False), ("Q1", "Q12345678901234567890", False),
        ("AO", "XO", False), ("Q1", "XO", False),
    ],
)  # fmt: skip
def test_qs_04_orbits_and_quantum_spaces(origin: str, target: str, steps: bool) -> None:
    assert BOARD.may_step(FLEET, at(origin), at(target)) is steps
    assert BOARD.may_step(ARMY_FLEET, at(origin), at(target)) is steps
    assert not BOARD.may_step(ARMY, at(origin), at(target)) or origin[1].isdigit()


@pytest.mark.ruling("QS-5")
@pytest.mark.parametrize(
    ("code", "digits", "exists"),
    [
        ("q1", 19, True), ("q0", 19, False), ("q01", 19, False), ("q", 19, False), ("qo", 19, False),
        ("q" + "9" * 19, 19, True), ("q1" + "0" * 19, 19, False), ("q9999999999", 10, True),
        ("q10000000000", 10, False),
        ("q٣", 19, False), ("a1", 19, True), ("ao", 19, True), ("a9", 19, False), ("a0", 19, False), ("c1", 19, False),
        ("a", 19, False), ("", 19, False),
    ],
)  # fmt: skip
def test_qs_05_what_is_on_the_board(code: str, digits: int, exists: bool) -> None:
    board = QuantumBoard(BOARD.planets, digits)
    assert board.exists(Location(code)) is exists
    if exists:
        assert board.province(Location(code)) == code
    else:
        with pytest.raises(KeyError):
            board.province(Location(code))


@pytest.mark.ruling("QS-7")
def test_qs_07_where_units_can_be() -> None:
    for code, army, convoys in (("a1", True, False), ("ao", False, True), ("q5", False, True)):
        assert BOARD.may_stand(ARMY, at(code)) is army
        assert BOARD.may_stand(FLEET, at(code))
        assert BOARD.can_convoy(at(code)) is convoys
        assert (BOARD.terrain(Province(code)) is Terrain.COAST) is army


@pytest.mark.ruling("QS-11")
@pytest.mark.parametrize(
    ("kind", "code", "steps"),
    [
        ("A", "a1", 0), ("A", "a2", 1), ("F", "a8", 0), ("F", "a2", 2), ("F", "ao", 1), ("F", "q7", 2), ("F", "bo", 3),
        ("F", "b1", 4), ("A", "b1", 4), ("A/F", "q31415", 2), ("A", "b2", 4),
    ],
)  # fmt: skip
def test_qs_11_distance(kind: str, code: str, steps: int) -> None:
    assert distance("a", unit(f"Auerbach {kind} {code}")) == steps


@pytest.mark.ruling("QS-11")
def test_qs_11_who_is_removed_first() -> None:
    where = position("Auerbach A a1, A a2, F ao, F q9, F q10, F bo, A b2, F b3, A/F q2", "W3002A")
    first = removals(NEW.board(where), RULEBOOK_1971, where, Power("Auerbach"))
    assert [u.at for u in first] == ["b3", "b2", "bo", "q10", "q2", "q9", "ao", "a2", "a1"]


def test_the_board_is_asked_and_not_listed() -> None:
    board: Board = BOARD
    assert board.neighbours(ARMY, at("a1")) == ("a2", "a4", "a5")
    assert set(board.neighbours(FLEET, at("ao"))) >= {"a1", "a8", "q1"}
    assert board.more(FLEET, at("ao")) == "any other quantum space"
    assert board.more(ARMY, at("a1")) == board.more(FLEET, at("a1")) == ""
    assert QuantumBoard(BOARD.planets, 19, ("q1", "q2")) == BOARD
    assert QuantumBoard(BOARD.planets, 10) != BOARD
    assert QuantumBoard(BOARD.planets, 19, ("q1", "q3")).spare_quantum == ("q2", "q4", "q5")
    assert QuantumBoard(BOARD.planets, 1, [f"q{n}" for n in range(1, 10)]).spare_quantum == ()
