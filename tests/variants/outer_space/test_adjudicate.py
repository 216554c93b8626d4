"""`gm adjudicate` plays this game too: its state is passed on from line to line, and an invalid state is refused."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.variants import adjudicating

START: dict[str, Any] = {"variant": "outer-space", "year": 1902, "season": "spring", "phase": "movement"}
adjudicated = partial(adjudicating.adjudicated, **START)
following = partial(adjudicating.following, variant="outer-space")


@pytest.mark.ruling("OS-2", "OS-9", "OS-11", "OS-14")
def test_a_year() -> None:
    spring = adjudicated(
        state={"empires": ["Krell", "Zorg"], "colonies": {"Krell": ["bre"]}},
        units=["Krell A par", "Krell A orb.kre", "Krell A orb.kre", "Zorg A pic", "Zorg A gas"],
        orders=["Krell: A PAR COL BUR", "Krell: A ORB-MUN", "Zorg: A PIC-PAR", "A GAS S A PIC-PAR", "Krell: A ORB-BRE",
                "Krell: A ORB-BUD"],
    )  # fmt: skip
    assert [(line["order"], line["outcome"]) for line in spring["results"]] == [
        ("Krell: A PAR COL BUR", "succeeds"), ("Krell: A ORB-MUN", "succeeds"), ("Zorg: A PIC-PAR", "succeeds"),
        ("A GAS S A PIC-PAR", "succeeds"), ("Krell: A ORB-BRE", "succeeds"), ("Krell: A ORB-BUD", "illegal"),
    ]  # fmt: skip
    assert spring["dislodged"][0]["retreats"] == ["orb.kre"]
    retreat = following(spring, "Krell: A PAR R ORB")
    assert retreat["state_after"]["colonies"] == {"Krell": ["bre", "bur"]}
    assert "attempts" not in retreat["state_after"]
    fall = following(retreat, "Zorg: A PAR-BUR", "Krell: A BRE H")
    assert fall["state_after"]["eliminated"] == ["Zorg"]
    assert fall["centers_after"] == {"Krell": ["bre", "mun"]}
    assert fall["next"]["phase"] == "adjustment"
    winter = following(fall, "Krell: REMOVE A ORB")
    assert winter["units_after"] == ["Krell A bre", "Krell A mun"]


def test_several_refused_lines_for_armies_in_orbit() -> None:
    answer = adjudicated(
        state={"empires": ["Krell"]},
        units=["Krell A orb.kre"] * 3,
        orders=["Krell: A ORB.KRE-NTH", "Krell: A ORB.KRE-MUN"],
    )
    assert [line["outcome"] for line in answer["results"]] == ["illegal", "succeeds", "succeeds"]


@pytest.mark.parametrize(
    "state",
    [{}, {"empires": 7}, {"empires": [7]}, {"empires": {"Krell": 3}}, {"empires": {"Krell": "abc", "Zorg": "abc"}},
     {"empires": ["Krell"], "colonies": ["par"]}, {"empires": ["Krell"], "colonies": {"Krell": "par"}},
     {"empires": ["Krell"], "attempts": [7]}, {"empires": ["Krell"], "colonies": {"Krell": ["nth"]}},
     {"empires": ["Krell"], "colonies": {"Krell": ["par", "par"]}},
     {"empires": ["Krell"], "eliminated": "Krell"}],
)  # fmt: skip
def test_what_is_no_state(state: dict[str, Any]) -> None:
    answer = adjudicated(state=state, units=["Krell A par"], orders=[], season="fall")
    assert "in the state" in answer["error"] or "empires" in answer["error"]
    assert "fault of the program" not in answer["error"]
