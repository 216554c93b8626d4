"""`gm adjudicate` plays this game too: its state is passed on from line to line, and an invalid state is refused."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gm.board import standard_board
from gm.chance import Chance
from tests.variants import adjudicating

START: dict[str, Any] = {"variant": "black-hole", "year": 1901, "season": "spring", "phase": "movement"}
SEED = "00112233445566778899aabbccddeeff"
CENTERS = {"France": ["bre", "mar", "par"], "Germany": ["ber", "kie", "mun"]}
adjudicated = partial(adjudicating.adjudicated, **START)
following = partial(adjudicating.following, variant="black-hole")


@pytest.mark.ruling("BH-1", "BH-2", "BH-3", "BH-5")
def test_a_year_from_state_to_state() -> None:
    chance = Chance(bytes.fromhex(SEED), "spring")
    spring = adjudicated(
        units=["France A par", "Germany A bur", "Germany A ruh"],
        centers=CENTERS,
        state={"seed": SEED, "game": "spring"},
        orders=["France: EXEMPT BRE", "Germany: A BUR-PAR", "A RUH-BUR", "Germany: EXEMPT PAR", "France: A PAR-BUR"],
    )
    assert [line["outcome"] for line in spring["results"]] == ["succeeds", "bounces", "bounces", "illegal", "bounces"]
    assert spring["results"][3]["reason"].startswith("Paris is not a home centre of Germany.")
    exempt = spring["state_after"]["exempt"]
    assert exempt["France"] == "bre"
    assert exempt["Germany"] == chance.choose(["ber", "kie", "mun"], "S1901", "exempt", "Germany")
    hole = chance.choose_but(standard_board().provinces, exempt.values(), "S1901", "hole")
    assert spring["state_after"]["holes"] == {hole: "S1901"}
    assert {"seed", "game"} <= set(spring["state_after"])
    fall = following(spring, "Germany: A BUR H")
    assert len(fall["state_after"]["holes"]) == 2
    assert fall["next"] == {"year": 1901, "season": "winter", "phase": "adjustment"}


@pytest.mark.ruling("BH-5")
def test_retreats_without_an_order_are_among_the_results() -> None:
    answer = adjudicated(
        phase="retreat",
        units=["Austria A mun"],
        dislodged=[{"unit": "Germany A mun", "from": "boh"}],
        state={"holes": []},
    )
    assert answer["results"] == [
        {
            "order": "Germany: A mun R kie",
            "outcome": "succeeds",
            "reason": "Without an order, the server retreated it by bearings from the middle of Munich (BH-5).",
        }
    ]


@pytest.mark.ruling("BH-6")
def test_a_winner() -> None:
    centers = {"France": list(standard_board().centers[:18])}
    answer = adjudicated(year=1905, units=["France A gas", "Germany A boh", "France A pic"], centers=centers)
    assert answer["victory"] == "France"


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"holes": ["atl"]}, "not one of this game"),
        ({"holes": {"bur": "S1901"}, "exempt": ["par"]}, "not one of this game"),
        ({"announced": {"France": "par"}}, "not one of this game"),
        ({"holes": 7}, "not one of this game"),
        ({"seed": "abc"}, "'abc' is not a seed"),
    ],
)
def test_what_is_no_state_is_refused(state: dict[str, Any], why: str) -> None:
    assert why in adjudicated(units=[], state=state)["error"]


def test_a_hole_is_empty() -> None:
    assert "no army can be at 'bur'" in adjudicated(units=["France A bur"], state={"holes": ["bur"]})["error"]
    assert "not a supply centre" in adjudicated(centers={"France": ["par"]}, state={"holes": ["par"]})["error"]
