"""`gm adjudicate`: JSON lines in, JSON lines out, and explanations."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from gm.board import standard_board
from gm.cli import main
from gm.cli.adjudicate import answer_line
from gm.judge.outcomes import Result
from tests.timing import HANGING

MOVEMENT: dict[str, Any] = {
    "year": 1901,
    "season": "spring",
    "phase": "movement",
    "units": ["England F lon", "England F wal", "France A bre", "France F eng", "Germany A mun", "France A bur"],
    "centers": {"France": ["par", "bre"]},
    "orders": [
        "England: F lon S F wal-eng",
        "England: F wal-eng",
        "France: A bre-lon",
        "France: F eng C A bre-lon",
        "Germany: A mun-bur",
    ],
}


def answers(*phases: dict[str, Any] | str | bytes, explain: bool = False) -> list[str]:
    """The output for each line given."""
    lines = [phase if isinstance(phase, bytes) else _line(phase) for phase in phases]
    texts = [answer_line(number, line, explain=explain) for number, line in enumerate(lines, 1) if line]
    return [text.rstrip("\n") if explain else text.removesuffix("\n") for text in texts]


def _line(phase: dict[str, Any] | str) -> bytes:
    return (phase if isinstance(phase, str) else json.dumps(phase)).encode()


def answer(given: dict[str, Any], /, **changes: Any) -> dict[str, Any]:
    (line,) = answers(given | changes)
    result: dict[str, Any] = json.loads(line)
    return result


def test_a_movement_phase() -> None:
    result = answer(MOVEMENT)
    assert [entry["order"] for entry in result["results"]] == [*MOVEMENT["orders"], "France: A bur H"]
    assert [entry["outcome"] for entry in result["results"]] == [
        *("succeeds", "succeeds", "disrupted", "disrupted", "bounces", "succeeds")
    ]
    assert all(entry["reason"] for entry in result["results"])
    assert result["units_after"] == ["England F eng", "England F lon", "France A bre", "France A bur", "Germany A mun"]
    assert result["dislodged"] == [
        {"unit": "France F eng", "from": "wal", "convoyed": False, "retreats": ["bel", "iri", "mao", "nth", "pic"]}
    ]
    assert result["no_retreat"] == []
    assert result["contested"] == []
    assert result["centers_after"] == {"France": ["bre", "par"]}
    assert result["state_after"] == {}
    assert result["next"] == {"year": 1901, "season": "spring", "phase": "retreat"}
    assert result["victory"] is None


def test_what_a_phase_gives_back_is_the_next_question() -> None:
    first = answer(MOVEMENT)
    retreat = answer(
        first["next"]
        | {key: first[key] for key in ("contested", "dislodged")}
        | {"units": first["units_after"], "centers": first["centers_after"], "orders": ["France: F eng-pic"]}
    )
    assert retreat["results"][0]["outcome"] == "succeeds"
    assert retreat["next"] == {"year": 1901, "season": "fall", "phase": "movement"}
    assert "France F pic" in retreat["units_after"]


def test_a_refused_order_says_what_became_of_its_unit() -> None:
    units = ["Germany A ruh", "Germany A mun", "France A bur", "Italy A ven"]
    result = answer(
        MOVEMENT,
        units=units,
        orders=["France: A bur-mos", "Germany: A mun-bur", "Germany: A ruh S A mun-bur", "Italy: A xyz H"],
    )
    refused, _, _, unknown, idle = result["results"]
    assert refused["outcome"] == unknown["outcome"] == "illegal"
    assert "cannot get to Mos" in refused["reason"]
    assert "A Bur held and was dislodged by A Mun (2 to 1)" in refused["reason"]
    assert "xyz" in unknown["reason"]
    assert idle["order"] == "Italy: A ven H"


def test_a_dislodged_unit_with_nowhere_to_go() -> None:
    """DATC 6.H.15."""
    result = answer(
        MOVEMENT,
        units=["England F por", "France F mao", "France F spa/sc"],
        orders=["France: F spa/sc-por", "France: F mao S F spa/sc-por"],
    )
    assert result["no_retreat"] == ["England F por"]
    assert result["dislodged"][0]["retreats"] == []
    assert result["next"]["phase"] == "movement"


def test_fall_ends_with_ownership_and_victory() -> None:
    owned = [center for center in standard_board().centers if center not in ("smy", "con")][:17]
    result = answer(
        MOVEMENT, season="fall", units=["Turkey F aeg"], centers={"Turkey": owned}, orders=["Turkey: F aeg-smy"]
    )
    assert "smy" in result["centers_after"]["Turkey"]
    assert result["victory"] == "Turkey"


def test_orders_in_a_retreat_phase_that_are_none() -> None:
    phase = {
        **{"year": 1901, "season": "spring", "phase": "retreat", "units": ["Austria A ser", "England F nth"]},
        "dislodged": [{"unit": "Austria F tri", "from": "ven"}],
        "orders": [
            "Austria: A ser S F tri-alb",
            "England: F nth C A hol-yor",
            "England: F nth-nwg",
            "Austria: F tri-alb",
        ],
    }
    outcomes = answer(phase)["results"]
    assert [entry["outcome"] for entry in outcomes] == ["illegal", "illegal", "illegal", "succeeds"]
    assert all("not dislodged" in entry["reason"] for entry in outcomes[:3])


def test_builds_and_removals() -> None:
    phase = {
        **{"year": 1901, "season": "fall", "phase": "adjustment"},
        "units": ["France A pic", "France A par", "France F lyo", "Russia A mos"],
        "centers": {"France": ["par"], "Russia": ["mos", "stp", "war"]},
        "orders": ["France: Remove A par", "Russia: Build F stp/nc"],
    }
    result = answer(phase)
    assert [(entry["order"], entry["outcome"]) for entry in result["results"]] == [
        ("France: Remove A par", "succeeds"),
        ("Russia: Build F stp/nc", "succeeds"),
        ("France: F lyo disband", "disbanded"),
        ("Russia: Waive", "succeeds"),
    ]
    assert result["units_after"] == ["France A pic", "Russia A mos", "Russia F stp/nc"]
    assert result["next"] == {"year": 1902, "season": "spring", "phase": "movement"}


def test_the_rulebook_may_be_chosen() -> None:
    phase = MOVEMENT | {
        "units": ["England A lon", "England F nth", "Germany F eng", "France F bre", "France F mao"],
        "orders": [
            *("England: A lon-bel", "England: F nth C A lon-bel", "Germany: F eng C A lon-bel"),
            *("France: F bre S F mao-eng", "France: F mao-eng"),
        ],
    }
    assert answer(phase, rulebook="1971")["results"][0]["outcome"] == "disrupted"
    assert answer(phase, rulebook="2000")["results"][0]["outcome"] == "succeeds"


def test_several_orders_on_one_line() -> None:
    result = answer(MOVEMENT, units=["France A par", "France A mar"], orders=["France: A par-bur, A mar S A par-bur"])
    assert [entry["order"] for entry in result["results"]] == ["France: A par-bur", "France: A mar S A par-bur"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"variant": "nonesuch"}, "there is no such variant"),
        ({"rulebook": "1999"}, "Write one of 1971, 2000, 2023"),
        ({"phase": "moves"}, "Write one of movement, retreat, adjustment"),
        ({"season": None}, "Write one of spring, fall, winter"),
        ({"year": "1901"}, "Write a number"),
        ({"units": ["England F moon"]}, "'moon'"),
        ({"units": ["England A nth"]}, "no army can be at 'nth'"),
        ({"units": ["Russia F stp"]}, "stp/nc or stp/sc"),
        ({"units": ["Zembla A par"]}, "'Zembla' is not a power"),
        ({"units": ["lon"]}, "write it like 'Russia F stp/sc'"),
        ({"units": ["France A par", "France A par"]}, "cannot all be in 'par'"),
        ({"units": "France A par"}, "a text, not a list"),
        ({"units": [1]}, "a number, not a text"),
        ({"centers": ["par"]}, "a list, not an object"),
        ({"centers": {"France": ["bur"]}}, "not a supply centre"),
        ({"centers": {"France": ["par"], "England": ["par"]}}, "both France and England own"),
        ({"contested": ["moon"]}, "'moon' is not on the board"),
        ({"dislodged": ["Austria A ser"]}, "is not a dislodged unit"),
        ({"state": []}, "not an object"),
    ],
)
def test_a_malformed_phase_says_what_to_mend(changes: dict[str, Any], said: str) -> None:
    assert said in answer(MOVEMENT, **changes)["error"]


def test_a_bad_line_spoils_no_other() -> None:
    lines = answers(MOVEMENT, "{nonsense", "", "[]", b"\xff\xfe", "[" * 100_000, MOVEMENT)
    assert len(lines) == 6
    first, *bad, last = map(json.loads, lines)
    assert first == last
    assert [entry["line"] for entry in bad] == [2, 4, 5, 6]
    assert all(set(entry) == {"error", "line"} for entry in bad)


def test_a_line_that_names_a_phase_is_not_kept_for_other_phases() -> None:
    phase = {"season": "spring", "phase": "movement", "units": ["England F lon"]}
    years = (1901, 1902, 1901)
    lines = answers(*(phase | {"year": year, "orders": ["England: S1901M: F lon-nth"]} for year in years))
    assert [json.loads(line)["results"][0]["outcome"] for line in lines] == ["succeeds", "illegal", "succeeds"]


@pytest.mark.ruling("ST-12")
def test_units_without_room_are_named_as_they_were_given() -> None:
    units = ["Turkey A con", "Russia A sev", "Italy F con", "Austria A sev"]
    (line,) = answers(MOVEMENT | {"units": units})
    assert json.loads(line)["error"] == "In 'units': Turkey A con and Italy F con cannot all be in 'con'."


def test_hostile_lines_are_answered() -> None:
    half = MOVEMENT | {"orders": ["England: F lon-\ud800"]}
    (line,) = answers(half)
    assert json.loads(line)["results"][0]["outcome"] == "illegal"
    answers(half, explain=True)[0].encode("utf-8")
    (huge,) = answers('{"year": ' + "9" * 10_000 + "}")
    assert "not JSON" in json.loads(huge)["error"]
    (many,) = answers(MOVEMENT | {"orders": ["Germany: A mun-bur"] * 2_000})
    assert [entry["outcome"] for entry in json.loads(many)["results"][1998:2000]] == ["void", "bounces"]


def test_an_explanation_names_the_rule_and_the_consequences() -> None:
    (text,) = answers(MOVEMENT, explain=True)
    assert text.startswith("Spring 1901 movement, ")
    for said in (
        "rulebook of 2023",
        "Szykman",
        "DATC 4.A.2",
        "France F Eng can retreat to",
        "Next: Spring 1901 retreat.",
    ):
        assert said in text


def test_as_a_program_it_answers_line_by_line_and_ends_with_its_input() -> None:
    """Each result is written while the input is still open: other programs keep the process and talk to it."""
    command = [sys.executable, "-m", "gm", "adjudicate"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(_line(MOVEMENT) + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["next"]["phase"] == "retreat"
        process.stdin.close()
        assert process.wait(timeout=HANGING) == 0


def test_several_processes_answer_as_one_does() -> None:
    lines = [_line(MOVEMENT), b"{nonsense", _line(MOVEMENT | {"season": "fall"}), b"", b"[]"] * 100
    command = [sys.executable, "-m", "gm", "adjudicate", "--jobs"]
    said = [
        subprocess.run([*command, jobs], input=b"\n".join(lines), capture_output=True, check=True).stdout
        for jobs in ("1", "3")
    ]
    assert said[0] == said[1]
    assert said[0].count(b"\n") == 400
    assert b'"line": 500}' in said[0]


@pytest.mark.parametrize("jobs", ["0", "-1", "some"])
def test_a_number_of_processes_is_one_or_more(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["adjudicate", "--jobs", jobs])
    assert "--jobs" in capsys.readouterr().err


def test_nothing_heavy_is_loaded() -> None:
    """Start-up time matters: no database, no templates, no mail, no scheduler."""
    code = "import sys, gm.cli.adjudicate, gm.parsing.orders; print(*sorted(m.split('.')[0] for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {
        "sqlalchemy",
        "jinja2",
        "aiosmtpd",
        "imapclient",
        "apscheduler",
        "email",
        "hypothesis",
        "multiprocessing",
    }


def test_the_help_tells_every_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["adjudicate", "--help"])
    told = capsys.readouterr().out
    assert all(f"  {result.value:<14}" in told for result in Result)


def test_orders_as_the_published_games_print_them() -> None:
    turkey: dict[str, Any] = {
        **{"variant": "among-us", "year": 1901, "season": "fall", "phase": "movement"},
        "units": ["Turkey A bul", "Turkey A con", "Turkey F bla"],
        "centers": {"Turkey": ["con", "ank", "smy"]},
    }
    printed = "TURKEY (A01) A(Bul)-Gre; A(Con)-Bul; F(BLA)Std.; Build A(Con), F(Ank)."
    said = answer(MOVEMENT | turkey, variant="standard", orders=[printed, "Winter 1901: Build A(Con)"])["results"]
    assert [entry["outcome"] for entry in said] == ["succeeds"] * 3 + ["illegal"] * 3
    assert said[0]["order"] == "Turkey: A bul-gre"
    assert [entry["order"] for entry in said[3:5]] == ["Turkey: Build A con", "Turkey: Build F ank"]
    assert all("are for W1901A" in entry["reason"] for entry in said[3:5])
    assert said[5]["reason"].startswith("This is for W1901A, but F1901M is being adjudicated.")
