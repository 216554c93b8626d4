"""Set-up, calendar, builds, victory and newcomers of both games (QS-2, QS-3, QS-8 to QS-12)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gm.advance import advance
from gm.board import Power, Province
from gm.chance import Chance
from gm.errors import GmError, NotUnderstood
from gm.judge import RULEBOOK_1971
from gm.position import Position, position_from_json, position_to_json
from gm.variants import Variant, all_variants
from tests.variants.quantum.scenes import CHANCE, NEW, OLD, orders, play, position, same, understood
from tests.variants.telling import told

NAMES = [*map(Power, ("Auerbach", "Berenike", "Octagon"))]


@pytest.mark.ruling("QS-3")
@pytest.mark.parametrize(
    ("game", "units"),
    [
        (OLD, "Auerbach A a1, A a3, F a6, F a8; Berenike A b1, A b3, F b6, F b8; Octagon A o1, A o3, F o6, F o8"),
        (NEW, "Auerbach A a1, A a3, F a6, F ao; Berenike A b1, A b3, F b6, F bo; Octagon A o1, A o3, F o6, F oo"),
    ],
    ids=["1975", "3001"],
)
def test_qs_03_set_up(game: Variant, units: str) -> None:
    where = game.opening(NAMES, CHANCE)
    assert same(where, units)
    assert where.centers_of(Power("Octagon")) == ("o1", "o3", "o6", "o8")
    assert game.powers(where) == tuple(NAMES)
    assert game.rulebook == replace(RULEBOOK_1971, name="1971" if game is OLD else "1976"), "the same text"
    assert all_variants()[game.name] is game


@pytest.mark.ruling("QS-9")
def test_qs_09_1975_begins_in_winter_with_talk() -> None:
    where = OLD.opening(NAMES, CHANCE)
    assert where.phase.code == "W2500A"
    assert not OLD.duties(where)
    with pytest.raises(GmError):
        understood(where, "Auerbach: BUILD A A1", OLD)
    turn = advance(OLD, where, {}, CHANCE)
    assert turn.after.phase.code == "S2501M"
    assert (turn.after.units, turn.outcomes, turn.silent) == (where.units, (), ())
    assert advance(OLD, turn.after, {}, CHANCE).after.phase.code == "F2501M"


@pytest.mark.ruling("QS-9")
def test_qs_09_3001_begins_in_spring_3001() -> None:
    assert NEW.opening(NAMES, CHANCE).phase.code == "S3001M"


@pytest.mark.ruling("QS-5")
@pytest.mark.parametrize(("game", "most"), [(OLD, 19), (NEW, 10)], ids=["1975", "3001"])
def test_qs_05_the_gamemaster_may_allow_fewer_digits(game: Variant, most: int) -> None:
    (choice,) = game.choices
    assert choice.default == str(most)
    assert list(choice.ways) == [str(digits) for digits in range(most, 0, -1)]
    where = game.with_choices({}).opening(NAMES, CHANCE)
    assert game.board(where).exists("q" + "9" * most) and not game.board(where).exists("q1" + "0" * most)  # type: ignore[arg-type]  # noqa: PT018
    small = game.with_choices({"digits": "3"})
    where = small.opening(NAMES, CHANCE)
    with pytest.raises(NotUnderstood, match="at most 3"):
        understood(replace(where, phase=position().phase), "Auerbach: F A6-Q1000", small)


@pytest.mark.ruling("QS-8")
def test_qs_08_builds_in_own_home_centres() -> None:
    where = position("Auerbach A a1, A b1, F ao; Berenike A a3", "W3002A", "Auerbach a1 a6 a8 b1 b3; Berenike a3 b6 b8")
    need = NEW.needs(NEW.board(where), where, Power("Auerbach"))
    assert (need.count, need.sites) == (2, frozenset(map(Province, ("a6", "a8"))))
    assert same(
        play(where, "Auerbach: BUILD A A6, BUILD F A8").after, "Auerbach A a1, A b1, F ao, A a6, F a8; Berenike A a3"
    )
    lost = replace(where, centers={**where.centers, Province("a6"): Power("Berenike")}, units=where.units[1:])
    need = NEW.needs(NEW.board(lost), lost, Power("Auerbach"))
    assert need.sites == frozenset(map(Province, ("a1", "a8"))), "not in a home centre that was lost"
    with pytest.raises(GmError, match="you do not own it"):
        understood(lost, "Auerbach: BUILD A A6")
    for line, why in (("BUILD A B3", "not one of your home centres"), ("BUILD A A1", "there is a unit in it"),
                      ("BUILD F AO", "not a supply centre"), ("BUILD A3", "you do not own it")):  # fmt: skip
        with pytest.raises(GmError, match=why):
            understood(where, f"Auerbach: {line}")


@pytest.mark.ruling("QS-8")
def test_qs_08_centres_are_taken_after_fall() -> None:
    before = position("Auerbach A b2; Berenike A b6", "F3002M", "Auerbach a1; Berenike b1 b6")
    turn = play(before, "Auerbach: A B2-B1")
    assert turn.after.centers == {"a1": "Auerbach", "b1": "Auerbach", "b6": "Berenike"}
    assert play(replace(before, phase=position().phase), "Auerbach: A B2-B1").after.centers == before.centers


def _owning(numbers: dict[str, int], units: dict[str, int], planets: int) -> Position:
    """A position after Fall in which powers own these numbers of centres and units, with this number of planets."""
    names = [f"{letter}ana" for letter in "ABCDEFGHIJKL"[:planets]]
    where = NEW.opening([*map(Power, names)], CHANCE)
    centers = iter(where.centers)
    owned = {next(centers): Power(name) for name, count in numbers.items() for _ in range(count)}
    rest = {center: Power(names[-1]) for center in centers}
    board = iter(where.units)
    standing = [replace(next(board), power=Power(name)) for name, count in units.items() for _ in range(count)]
    phase = position("", "F3005M").phase
    return replace(where, phase=phase, centers=owned | rest, units=tuple(standing))


@pytest.mark.ruling("QS-10")
@pytest.mark.parametrize(
    ("centers", "units", "wins"),
    [
        ({"Aana": 7}, {"Aana": 4, "Bana": 3}, True),  # 7 of 12, 4 of 7
        ({"Aana": 7}, {"Aana": 3, "Bana": 3}, False),  # half of the units is not more than half
        ({"Aana": 6}, {"Aana": 9, "Bana": 1}, False),  # half of the centres is not more than half
        ({"Aana": 7}, {"Aana": 2, "Bana": 2, "Cana": 2}, False),
        ({"Aana": 12}, {"Aana": 1}, True),
    ],
)
def test_qs_10_victory_1975(centers: dict[str, int], units: dict[str, int], wins: bool) -> None:
    where = _owning(centers, units, 3)
    found = OLD.victory(where)
    assert (found is not None) is wins
    if found is not None:
        assert found.winners == ("Aana",)
    for season in ("S3005M", "W3005A"):
        assert OLD.victory(replace(where, phase=position("", season).phase)) == found, "after every season"


@pytest.mark.ruling("QS-10")
@pytest.mark.parametrize(
    ("planets", "centers", "winner"),
    [
        (3, {"Aana": 7}, "Aana"),
        (3, {"Aana": 6, "Bana": 3}, None),
        (8, {"Aana": 17}, "Aana"),
        (8, {"Aana": 16, "Bana": 3}, None),
        (9, {"Aana": 17, "Bana": 10}, "Aana"),  # not half of 36
        (9, {"Aana": 16, "Bana": 10}, None),
        (12, {"Aana": 17, "Bana": 18}, "Bana"),
        (12, {"Aana": 17, "Bana": 17}, None),  # equals play on
    ],
)
def test_qs_10_victory_3001(planets: int, centers: dict[str, int], winner: str | None) -> None:
    where = _owning(centers, {"Aana": 1}, planets)
    found = NEW.victory(where)
    assert (found.winners if found is not None else None) == ((winner,) if winner else None)
    assert NEW.victory(replace(where, phase=position("", "W3005A").phase)) is None


def _enlist(where: Position, name: str) -> Position:
    assert NEW.seating.late is not None
    return NEW.seating.late.enlist(where, Power(name))


@pytest.mark.ruling("QS-12")
def test_qs_12_a_newcomer_to_a_game_that_ends_is_told_so_and_everybody_is() -> None:
    start = position("Auerbach A a1; Octagon F oo", "F3001M", "Auerbach a1 a3 a6; Octagon o1")
    turn = advance(NEW, _enlist(start, "Nova"), {}, CHANCE)
    assert turn.victory is not None
    for seat in (None, Power("Auerbach"), Power("Nova")):
        seen = NEW.view(NEW, turn.after, turn, seat)
        rows = [row for section in seen.sections if section.title == "Newcomers" for row in section.rows]
        assert [row[0] for row in rows] == ["Nova"], seat
        assert [line.partition(":")[0] for line in seen.private] == (["You did not come in"] if seat == "Nova" else [])


@pytest.mark.ruling("QS-12")
def test_qs_12_a_newcomer_is_announced_and_then_orders() -> None:
    start = NEW.opening(NAMES[:2], CHANCE)
    where = _enlist(start, "Nova")
    assert "Nova" not in NEW.duties(where)
    assert Power("Nova") not in NEW.powers(where)
    turn = advance(NEW, where, {}, CHANCE)
    assert told(NEW, turn) == (
        "The planet Nova (N) comes into the game, with armies on Nova 1 and 3 and fleets on Nova 6 and in Nova Orbit "
        "(QS-12).",
    )
    assert "joining" not in turn.after.extra
    assert [str(u) for u in turn.after.units_of(Power("Nova"))] == ["Nova A n1", "Nova A n3", "Nova F n6", "Nova F no"]
    assert turn.after.centers_of(Power("Nova")) == ("n1", "n3", "n6", "n8")
    later = play(turn.after, "Nova: F NO-Q5, A N1-N2; Auerbach: F AO-Q6")
    assert {"Nova F q5", "Nova A n2", "Auerbach F q6"} <= {str(u) for u in later.after.units}
    stored = position_from_json(json.loads(json.dumps(position_to_json(where), sort_keys=True)), NEW.language.kinds)
    assert advance(NEW, stored, {}, CHANCE) == turn


@pytest.mark.ruling("QS-12")
def test_qs_12_at_any_time() -> None:
    """In a retreat phase and in Winter too; several at once, with codes of their own."""
    moved = play(
        position("Auerbach F q5; Berenike F q6, F q7", "F3002M", "Auerbach a1 a3; Berenike b1 b3"),
        "Auerbach: F Q5 H; Berenike: F Q6-Q5, F Q7 S F Q6-Q5",
    )
    where = _enlist(_enlist(moved.after, "Nova"), "Nemesis")
    with pytest.raises(NotUnderstood):
        _enlist(where, "No")
    turn = play(where, "Auerbach: F Q5-Q77")
    assert same(turn.after, "Auerbach F q77; Berenike F q5, F q7; Nova A n1, A n3, F n6, F no; Nemesis A ne1, A ne3, "
                "F ne6, F neo")  # fmt: skip
    winter = position("Auerbach A a1", "W3002A", "Auerbach a1 a3")
    opened = play(_enlist(winter, "Nova"), "Auerbach: BUILD F A3")
    assert same(opened.after, "Auerbach A a1, F a3; Nova A n1, A n3, F n6, F no")


@pytest.mark.ruling("QS-12")
def test_qs_12_only_in_3001() -> None:
    assert OLD.seating.late is None
    assert NEW.seating.late is not None


def test_nobody_joins_a_game_that_is_won() -> None:
    before = position("Auerbach A b1", "F3002M", "Auerbach a1 a3 b1 b3")
    turn = play(_enlist(before, "Nova"), "Auerbach: A B1 H")
    assert turn.victory is not None
    assert not turn.events


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"planets": []},
        {"planets": 7},
        {"planets": {"Quark": "k"}},
        {"planets": {"Ares": "q"}},
        {"planets": {"Ares": "a", "Bel": "a"}},
        {"planets": ["Ares"], "digits": 0},
        {"planets": ["Ares"], "digits": "9"},
    ],
)
def test_an_invalid_state_is_refused(state: dict[str, object]) -> None:
    with pytest.raises(NotUnderstood, match="Write"):
        NEW.board(replace(position(), extra=state))


def test_planets_may_be_a_list() -> None:
    where = replace(position(), extra={"planets": ["Octagon", "Auerbach", "Ares"]})
    assert NEW.powers(where) == ("Ares", "Auerbach", "Octagon")
    assert NEW.board(where).full_name("ar6") == "Ares 6"  # type: ignore[arg-type]


def test_a_position_is_played_again_alike_whatever_the_order_of_its_keys() -> None:
    where = NEW.opening(NAMES, Chance(bytes(32)))
    given = orders(where, "Octagon: F OO-Q5; Auerbach: F AO-Q5; Berenike: F BO-Q5")
    shuffled = replace(where, extra={"digits": 10, "planets": dict(reversed(where.extra["planets"].items()))})
    assert advance(NEW, shuffled, given, CHANCE) == advance(NEW, where, given, CHANCE)
