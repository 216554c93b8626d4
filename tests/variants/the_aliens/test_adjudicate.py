"""`gm adjudicate` for this game: positions with their `state`, options, and chains of phases."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gm.cli import main
from tests.variants.adjudicating import adjudicated

SIX = ["Ann", "Ben", "Cas", "Dov", "Eva", "Flo"]
answer = partial(adjudicated, variant="the-aliens")


def test_the_help_names_what_only_this_game_has(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["adjudicate", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "season (spring, fall and winter) and phase (movement, retreat, adjustment and landing) are required" in told


def test_a_game_from_landing_to_winter() -> None:
    """The first example of the rules; each phase begins with the result of the one before."""
    found = answer(
        year=2050,
        season="winter",
        phase="landing",
        state={"races": SIX},
        orders=[
            "Ann: SHIP 1: Par, Bre, Spa, Pic, Gas",
            "Ben: SHIP 1: Bur, Gas, Bel",
            "Cas: SHIP: Con",
            "Dov: SHIP 1: NTH",
        ],
    )
    assert [result["outcome"] for result in found["results"][:4]] == ["succeeds", "succeeds", "succeeds", "illegal"]
    assert found["results"][0]["reason"].startswith("SHIP 1 lands in Spa; bumped from Par")
    assert found["next"] == {"year": 2051, "season": "spring", "phase": "movement"}
    for season, orders, after in (
        ("spring", ["Ann: A Spa-Mar, A Home-Spa, T Spa (R) Home"], {"Ann A mar", "Ann A spa"}),
        ("fall", ["Ann: A Mar H, A Spa-Por, T Spa H"], {"Ann A mar", "Ann A por"}),
        ("winter", ["Ann: T Spa (R) F Spa(sc)"], {"Ann A mar", "Ann A por", "Ann F spa/sc"}),
    ):
        phase = found["next"]
        assert phase["season"] == season
        found = answer(
            **phase,
            units=found["units_after"],
            centers=found["centers_after"],
            state=found["state_after"],
            orders=orders,
        )
        own = [result["outcome"] for result in found["results"] if result["order"].startswith("Ann")]
        assert set(own) == {"succeeds"}
        assert after == {unit for unit in found["units_after"] if unit.startswith("Ann")}
    assert "Ann T spa" in found["state_after"]["transmitters"]


def test_the_second_example() -> None:
    found = answer(
        year=2052,
        season="spring",
        phase="movement",
        units=["Alpha F edi", "Alpha A alb", "Beta A bul", "Beta A ser"],
        state={"races": ["Alpha", "Beta"], "transmitters": ["Alpha T edi", "Alpha T gre"]},
        orders=[
            "ALPHA: F Edi-Gre, T Edi (S) Gre, T Gre (R) Edi, A Alb S F Edi-Gre.",
            "BETA: A Bul-Gre, A Ser S A Bul-Gre.",
        ],
    )
    outcomes = {result["order"].partition(": ")[2]: result["outcome"] for result in found["results"]}
    assert outcomes == {
        "F edi-gre": "bounces",
        "T edi (S) gre": "void",
        "T gre (R) edi": "void",
        "A alb S F edi-gre": "succeeds",
        "A bul-gre": "bounces",
        "A ser S A bul-gre": "succeeds",
    }


def test_the_relay_is_an_option() -> None:
    question: dict[str, Any] = {
        "year": 2052,
        "season": "spring",
        "phase": "movement",
        "units": ["Alpha A mun"],
        "state": {"races": ["Alpha", "Beta"], "transmitters": ["Alpha T kie", "Alpha T gre"]},
        "orders": ["Alpha: A Mun-Kie-Gre, T Kie (S) Gre, T Gre (R) Kie"],
    }
    assert answer(**question)["results"][0]["outcome"] == "illegal"
    assert answer(**question, options={"relay": "yes"})["units_after"] == ["Alpha A gre"]
    assert "relay" in answer(**question, options={"relay": "perhaps"})["error"]
    assert "options" in answer(**question, options=["relay"])["error"]


@pytest.mark.parametrize("state", [{}, {"races": 3}, {"races": ["Alpha"], "transmitters": ["Alpha T nth"]}])
def test_a_state_of_another_game_is_refused_in_words(state: dict[str, Any]) -> None:
    found = answer(year=2052, season="spring", phase="movement", units=[], state=state)
    assert "state" in found["error"] or "transmitters" in found["error"]
    assert "fault of the program" not in found["error"]
