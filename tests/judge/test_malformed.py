"""`gm adjudicate` on lines that are phases but for one value: an answer or an error, never a fault of the program."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from gm.board import Power
from gm.chance import Chance
from gm.position import PhaseKind, position_to_json
from gm.variants import all_variants
from tests.variants.adjudicating import adjudicated
from tests.variants.written import WRITTEN

KEPT: dict[str, dict[str, Any]] = {
    "among-us": {
        "alien": {"units": ["smy"], "dislodged": ["con"], "centers": ["smy"], "hosts": ["Turkey"], "since": "S1901M"}
    },
    "black-hole": {
        **{"holes": {"con": "S1901"}, "exempt": {"France": "par"}, "announced": {"France": ["par", "S1901"]}},
        **{"movable": {"France": "par"}, "moved": ["France"]},
    },
    "outer-space": {
        **{"colonies": {"Krell": ["par"]}, "eliminated": ["Zorg"]},
        "attempts": [{"empire": "Krell", "province": "bur", "rivals": ["Zorg"]}],
    },
    "the-aliens": {"transmitters": ["Krell T par"], "spared": ["par"], "waiting": ["Krell"]},
    "quantum-space": {"joining": {"Yamm": "y"}},
    "quantum-space-3001": {"joining": {"Yamm": "y"}, "digits": 10},
}
"""What a position of each game may hold besides what it has at the beginning."""

WRONG: list[Any] = [
    *(None, 0, -1, 1.5, True, 10**30, "", "x", "par", "S1901", [], {}, ["x"], [None], ["par"], [["par"]], [{"x": 1}]),
    *({"x": "y"}, {"France": "par"}, {"France": ["par"]}, {"France": None}, {"France": [1]}),
]


def phases(name: str) -> Iterator[dict[str, Any]]:
    """The opening of a game with everything that its state can hold, in each of its kinds of phase."""
    game = all_variants()[name]
    powers = game.seating.powers or (Power("Krell"), Power("Zorg"))
    opened = position_to_json(game.opening(powers, Chance(bytes(32))))
    for kind in game.language.kinds.phases:
        unit = next(iter(opened["units"]), "")
        driven = [{"unit": unit, "from": "par", "convoyed": False}] if kind is PhaseKind.RETREAT and unit else []
        state = {**opened["state"], **KEPT.get(name, {}), "seed": "ab" * 32, "game": "x"}
        orders = [f"{power}: waive" for power in powers[:2]]
        yield {**opened, "variant": name, "phase": str(kind), "dislodged": driven, "state": state, "orders": orders}


def spoilt(value: Any, wrong: Any) -> Iterator[Any]:
    """The value with one of its parts, at any depth, replaced."""
    yield wrong
    if isinstance(value, dict):
        yield from ({**value, key: made} for key in value for made in spoilt(value[key], wrong))
        yield from ({**value, "x": wrong}, {k: v for k, v in value.items() if k != next(iter(value), None)})
    if isinstance(value, list) and value:
        yield from ([made, *value[1:]] for made in spoilt(value[0], wrong))


@pytest.mark.parametrize("name", WRITTEN)
def test_no_state_is_a_fault_of_the_program(name: str) -> None:
    for question in phases(name):
        for wrong in WRONG:
            for state in spoilt(question["state"], wrong):
                answer = adjudicated(**{**question, "state": state})
                assert "itself failed" not in answer.get("error", ""), (question["phase"], state, answer)


@pytest.mark.parametrize("name", WRITTEN)
def test_no_other_value_is_either(name: str) -> None:
    dice = Random(name)
    for question in phases(name):
        for wrong in WRONG:
            for line in dice.choices(list(spoilt(question, wrong)), k=8):
                if isinstance(line, dict):
                    answer = adjudicated(**line)
                    assert "itself failed" not in answer.get("error", ""), (line, answer)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("among-us", {"alien": None}),
        ("among-us", {"alien": {"dislodged": 1.5}}),
        ("among-us", {"alien": {"centers": None}}),
        ("among-us", {"alien": {"units": ["xyz"]}}),
        ("among-us", {"alien": {"hosts": [["Turkey"]]}}),
        ("the-aliens", {"spared": -1}),
        ("the-aliens", {"waiting": [[]]}),
        ("the-aliens", {"waiting": [{"x": ["par"]}]}),
        ("the-aliens", {"transmitters": "Krell T par"}),
        ("outer-space", {"empires": [7]}),
    ],
)
def test_the_error_names_the_part_of_the_state(name: str, state: dict[str, Any]) -> None:
    question = next(phases(name))
    error = adjudicated(**{**question, "state": question["state"] | state})["error"]
    (key,) = state["alien"] or state if name == "among-us" else state
    assert f"'{key}' in the state is " in error
