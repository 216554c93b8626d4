"""Both games in `gm adjudicate`: planets in the state, orders as in mail, the state passed on from line to line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.variants.adjudicating import adjudicated

NEW = {"variant": "quantum-space-3001", "year": 3001, "season": "spring", "phase": "movement"}
PLANETS = {"planets": {"Auerbach": "a", "Berenike": "b"}, "digits": 10}


@pytest.mark.ruling("QS-4", "QS-6", "QS-13")
def test_a_phase_and_the_next() -> None:
    first = adjudicated(
        **NEW,
        units=["Auerbach A a1", "Auerbach F ao", "Berenike F bo", "Berenike A b3"],
        centers={"Auerbach": ["a1", "a3"], "Berenike": ["b1", "b3"]},
        state={"planets": ["Auerbach", "Berenike"]},
        orders=[
            "Auerbach: A A1 BOARDS F AO",
            "Auerbach: A/F Auerbach Orbit - Q0031415",
            "Berenike: F BO-AO",
            "Berenike: F BO-Q77",
            "Berenike: A B3-Q5",
        ],
    )
    assert [result["outcome"] for result in first["results"]] == [
        "succeeds", "succeeds", "illegal", "succeeds", "illegal",
    ]  # fmt: skip
    assert "orbits do not border" in first["results"][2]["reason"]
    assert first["units_after"] == ["Auerbach A/F q31415", "Berenike A b3", "Berenike F q77"]
    second = adjudicated(
        variant="quantum-space-3001",
        **first["next"],
        units=first["units_after"],
        centers=first["centers_after"],
        state=first["state_after"],
        orders=["Auerbach: A/F Q31415-BO", "Auerbach: A Q31415 LANDS B1", "Berenike: A B3-B4"],
    )
    assert second["units_after"] == ["Auerbach A b1", "Auerbach F bo", "Berenike A b4", "Berenike F q77"]
    assert second["centers_after"]["Auerbach"] == ["a1", "a3", "b1"]
    assert second["victory"] == "Auerbach"


@pytest.mark.ruling("QS-8")
def test_retreats_are_offered() -> None:
    answer = adjudicated(
        **NEW,
        units=["Auerbach F q5", "Berenike F q6", "Berenike F q7"],
        state=PLANETS,
        orders=["Berenike: F Q6-Q5", "Berenike: F Q7 S F Q6-Q5"],
    )
    (lost,) = answer["dislodged"]
    assert lost["unit"] == "Auerbach F q5"
    assert lost["retreats"] == ["ao", "bo", "q1", "q2", "q3"]
    after = adjudicated(
        **{**NEW, "phase": "retreat"},
        units=answer["units_after"],
        dislodged=[{"unit": "Auerbach F q5", "from": "q6"}],
        state=PLANETS,
        orders=["Auerbach: F Q5 R Q9999999999"],
    )
    assert "Auerbach F q9999999999" in after["units_after"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": {}}, "'planets' in the state"),
        ({"state": {"planets": ["Quark"]}}, "'planets' in the state"),
        ({"units": ["Auerbach F q0"]}, "not on the board"),
        ({"units": ["Auerbach A ao"]}, "no army can be"),
        ({"units": ["Auerbach F q1", "Berenike F q1"]}, "cannot all be in"),
        ({"centers": {"Auerbach": ["q1"]}}, "not a supply centre"),
    ],
)
def test_what_is_no_phase_is_refused(change: dict[str, Any], words: str) -> None:
    assert words in adjudicated(**{**NEW, "units": [], "state": PLANETS, "orders": [], **change})["error"]
