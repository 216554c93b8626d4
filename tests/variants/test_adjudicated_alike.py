"""`gm adjudicate` adjudicates like the server: every game, every phase, with the lines in any order."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from gm.board import Power
from gm.chance import Chance
from gm.cli import order_lines
from gm.judge.outcomes import Result
from gm.options import read_options
from gm.orders.notation import code, write
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.position import Position, position_to_json
from gm.turn import LAST_YEAR, Turn
from gm.variants import all_variants
from tests.variants.adjudicating import adjudicated
from tests.variants.random_play import play, random_orders
from tests.variants.test_sent_back import NAMES, PLAYERS
from tests.variants.written import WRITTEN


def answered(question: dict[str, Any]) -> dict[str, Any]:
    """The program's result for one line."""
    answer = adjudicated(**question)
    assert "error" not in answer, answer
    return answer


def asked(name: str, position: Position, turn: Turn, seed: bytes, dice: Random) -> dict[str, Any]:
    """The phase as a line of input, its orders in any order of powers."""
    lines = [[f"{power}: {write(order, code)}" for order in own] for power, own in turn.orders.items()]
    dice.shuffle(lines)
    value = position_to_json(position)
    state = {**value["state"], "seed": seed.hex()}
    return {**value, "variant": name, "state": state, "orders": [line for own in lines for line in own]}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("seed", range(2))
def test_random_games_to_their_end(name: str, seed: int) -> None:
    """Phases of all kinds, until somebody wins or the draw after the fourth year."""
    game, dice = all_variants()[name], Random(seed)
    powers, secret = game.seating.powers or NAMES, seed.to_bytes(32, "big")
    position = game.opening(powers, Chance(secret))
    game = read_options({"variant": name, "last": str(position.phase.year + 3)}).variant
    for turn in play(game, powers, seed, 60, PLAYERS.get(name, random_orders)):
        given = asked(name, position, turn, secret, dice)
        answer, after = answered(given), position_to_json(turn.after)
        assert answer["units_after"] == after["units"]
        assert answer["centers_after"] == after["centers"]
        assert {key: value for key, value in answer["state_after"].items() if key != "seed"} == after["state"]
        drawn = turn.victory is not None and turn.victory.kind == LAST_YEAR  # an option, which the program is not told
        assert drawn or answer["next"] == {key: after[key] for key in ("year", "season", "phase")}
        assert [entry["order"] for entry in answer["results"]][: len(given["orders"])] == given["orders"]
        assert {entry["outcome"] for entry in answer["results"]} <= {str(result) for result in Result}
        assert (answer["victory"] is not None) is (turn.victory is not None and not drawn)
        position = turn.after
    assert turn.victory is not None


ALIEN: dict[str, Any] = {
    **{"variant": "among-us", "year": 1901, "season": "spring", "phase": "movement"},
    "units": ["Turkey A con", "Turkey A smy", "Turkey F ank"],
    "centers": {"Turkey": ["con", "smy", "ank"]},
}


def test_adoption_and_overrides_wherever_they_stand() -> None:
    hosts = ["Turkey: A con-bul", "Turkey: A smy-con", "Turkey: F ank-bla"]
    for aliens in (["the Alien: ADOPT A(Smy)", "the Alien: A(Smy)-Arm"], ["the Alien: ADOPT A smy"]):
        for orders in ([*aliens, *hosts], [*hosts, *aliens]):
            answer = answered(ALIEN | {"orders": orders})
            said = {entry["order"]: entry["outcome"] for entry in answer["results"]}
            assert said[aliens[0]] == "succeeds"
            overridden = len(aliens) > 1
            assert said["Turkey: A smy-con"] == ("void" if overridden else "succeeds")
            assert ("Turkey A arm" in answer["units_after"]) is overridden
            assert answer["state_after"]["alien"]["units"] == (["arm"] if overridden else ["con"])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("the Alien: adopt A gal", "There is no unit in Gal."),
        ("ADOPT F ion", "There is no unit in Ion."),
        ("the Alien: adopt F con", "There is no fleet in Con"),
        ("the Alien: adopt F bla", "F Bla is not on a supply centre."),
        ("Turkey: adopt A smy", "Only the Alien adopts units."),
    ],
)
def test_an_adoption_is_refused_for_what_is_wrong_with_it(line: str, reason: str) -> None:
    """Not because a unit was then drawn by lot."""
    answer = answered(ALIEN | {"units": [*ALIEN["units"], "Turkey F bla"], "orders": [line]})
    first = answer["results"][0]
    assert (first["order"], first["outcome"]) == (line, "illegal")
    assert first["reason"].startswith(reason), first["reason"]


@pytest.mark.parametrize("line", ["ADOPT A(Smy)", "Adopt smy", "adopts Turkish A Smy"])
def test_only_the_alien_adopts_so_the_line_need_not_say_who(line: str) -> None:
    answer = answered(ALIEN | {"orders": [line]})
    assert answer["results"][0] == {"order": line, "outcome": "succeeds", "reason": answer["results"][0]["reason"]}
    assert answer["state_after"]["alien"]["hosts"] == ["Turkey"]
    assert answer["state_after"]["alien"]["centers"] == ["smy"]


def test_of_several_adoptions_the_last_counts() -> None:
    lines = ["the Alien: adopt A con", "the Alien: adopt A smy", "the Alien: adopt A con", "adopt F ank"]
    answer = answered(ALIEN | {"orders": [*lines, "Turkey: A con-bul, F ank-bla, A smy H"]})
    adoptions = [entry for entry in answer["results"] if "dopt" in entry["order"]]
    assert [entry["outcome"] for entry in adoptions] == ["void"] * 3 + ["succeeds"]
    assert all("replaced by a later order" in entry["reason"] for entry in adoptions[:3])
    assert answer["state_after"]["alien"]["centers"] == ["ank"]


def test_an_adoption_and_an_override_on_one_line() -> None:
    answer = answered(ALIEN | {"orders": ["the Alien: adopt A smy, A smy-arm", "Turkey: A smy-con"]})
    assert [entry["outcome"] for entry in answer["results"][:3]] == ["succeeds", "succeeds", "void"]
    assert "Turkey A arm" in answer["units_after"]


def test_orders_of_the_silent_are_drawn_and_those_of_an_empty_winter_are_not_a_crash() -> None:
    answer = answered(ALIEN | {"orders": ["the Alien: ADOPT A smy"], "state": {"seed": "07" * 32}})
    assert len(answer["results"]) == 4
    winter = {"season": "winter", "phase": "adjustment", "orders": ["Turkey: Build A con", "Turkey: Build F con"]}
    centers = {"Turkey": ["con", "smy", "ank", "bul"]}
    answer = answered(ALIEN | winter | {"units": ["Turkey A smy"], "centers": centers, "state": {}})
    assert [entry["outcome"] for entry in answer["results"]].count("succeeds") == 1


def test_limits_of_the_rules_hold_without_being_stated() -> None:
    base = {
        **{"year": 3001, "season": "spring", "phase": "movement", "state": {"planets": {"Auerbach": "a"}}},
        **{"units": ["Auerbach F ao"], "centers": {"Auerbach": ["a1", "a3", "a6", "a8"]}},
    }
    for name, most in (("quantum-space-3001", 10), ("quantum-space", 19)):
        for digits, outcome in ((most, "succeeds"), (most + 1, "illegal")):
            order = f"Auerbach: F ao-q{'9' * digits}"
            answer = answered({**base, "variant": name, "orders": [order]})
            assert answer["results"][0]["outcome"] == outcome
            assert answer["state_after"]["digits"] == most


def test_many_planets_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is looked up, not searched for: the work grows with the number of lines, not with lines times
    planets.
    """
    game = all_variants()["quantum-space"]
    built: list[object] = []

    def counting(*given: Any) -> Lexicon:
        built.append(given)
        return lexicon_of(*given)

    monkeypatch.setattr(order_lines, "lexicon_of", counting)
    powers = [Power(f"P{chr(97 + n // 676)}{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}") for n in range(200)]
    position = game.opening(powers, Chance(bytes(32)))
    value = position_to_json(position)
    orders = [f"{unit.power}: {unit.kind} {unit.at} H" for unit in position.units]
    answer = answered(
        {**value, "variant": "quantum-space", "season": "spring", "phase": "movement", "year": 2501, "orders": orders}
    )
    assert {entry["outcome"] for entry in answer["results"]} == {"succeeds"}
    assert len(built) == 1
