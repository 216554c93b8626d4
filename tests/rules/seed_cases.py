"""Cases of play as plain text: what a person reads in a game's seed, in the words that players write.

A file of `tests/rules/seeds/` names its game and the state that its cases begin with. A case is a block:

    # AL-8 a transmitter does not walk into a standoff
    S2054M                                      the phase (the last letter as in phase codes; L: landing)
    units Alpha: T kie; Beta: A mun             transmitters are listed with the units
    Alpha: T KIE-BER => fails                   an order and its outcome; `fails` is anything but `succeeds`
    after Beta: A mun                           all units afterwards; `has`: some of them

`next S2054R` goes on with the phase that follows. What else a case may say stands in `_EXPECTED` and `_GIVEN`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gm.board import standard_board

HERE = Path(__file__).parent / "seeds"

_SEASONS = {"S": "spring", "F": "fall", "W": "winter"}
_KINDS = {"M": "movement", "R": "retreat", "A": "adjustment", "L": "landing"}

Answer = dict[str, Any]
Check = tuple[str, str]
"""A word of `_EXPECTED` and what follows it."""


@dataclass
class Step:
    """One phase: what is given, the orders with their outcomes, and what is expected of the answer."""

    question: dict[str, Any]
    outcomes: list[str | None] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)


@dataclass
class Case:
    """A block of a file: its title begins with the ruling or the rule of the seed that it shows."""

    title: str
    steps: list[Step]


def cases(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    head, *blocks = path.read_text().split("\n# ")
    start = _start(head.splitlines())
    for block in blocks:
        title, *lines = filter(None, block.splitlines())
        yield Case(title, list(steps(lines, start)))


def _start(lines: list[str]) -> dict[str, Any]:
    words = dict(line.split(" ", 1) for line in lines if line)
    return {"variant": words["game"], "state": json.loads(words["state"])}


def steps(lines: list[str], start: dict[str, Any]) -> Iterator[Step]:
    """The phases that the lines of a case describe, in a game with this variant and state."""
    step: Step | None = None
    for line in lines:
        code = line.removeprefix("next ")
        if step is None or code != line:
            if step is not None:
                yield step
            step = Step(_phase(code) | json.loads(json.dumps(start)) | {"units": [], "centers": {}, "orders": []})
            continue
        _take(step, line)
    assert step is not None
    yield step


def _phase(code: str) -> dict[str, Any]:
    return {"year": int(code[1:-1]), "season": _SEASONS[code[0]], "phase": _KINDS[code[-1]]}


def _take(step: Step, line: str) -> None:
    """A line of a case: given, expected or an order."""
    for word in _EXPECTED:
        if line == word or line.startswith(f"{word} "):
            step.checks.append((word, line.removeprefix(word).strip()))
            return
    for word, give in _GIVEN.items():
        if line.startswith(f"{word} "):
            give(step.question, line.removeprefix(f"{word} "))
            return
    order, _, outcome = line.partition(" => ")
    step.question["orders"].append(order)
    step.outcomes.append(outcome or None)


# What is given


def listed(text: str) -> list[str]:
    """`Krell: A orb.kre x3, F bre; Ommu: A par` as units of `gm adjudicate`."""
    found = []
    for part in filter(None, text.split(";")):
        power, _, units = part.partition(":")
        for unit in units.split(","):
            name, _, times = unit.strip().partition(" x")
            found += [f"{power.strip()} {name}"] * int(times or 1)
    return found


def owned(text: str) -> dict[str, list[str]]:
    """`Krell: par bre; Ommu: mos` as centres of `gm adjudicate`."""
    pairs = (part.partition(":") for part in text.split(";") if part)
    return {power.strip(): sorted(codes.split()) for power, _, codes in pairs}


def _given_state(question: dict[str, Any], text: str) -> None:
    """More of the state; null takes a part of it away."""
    state = question["state"] | json.loads(text)
    question["state"] = {key: value for key, value in state.items() if value is not None}


def _units(question: dict[str, Any], text: str) -> None:
    for unit in listed(text):
        if unit.split()[-2] == "T":
            question["state"].setdefault("transmitters", []).append(unit)
        else:
            question["units"].append(unit)


def _alien(question: dict[str, Any], text: str, *, dislodged: bool = False) -> None:
    question["state"]["alien"] = _layer(text, dislodged=dislodged)


def _layer(text: str, *, dislodged: bool = False) -> dict[str, Any]:
    units, centers, hosts = (part.split() for part in text.split("|"))
    held, lost = ([], units) if dislodged else (units, [])
    return {"units": sorted(held), "dislodged": lost, "centers": sorted(centers), "hosts": hosts, "since": "S1901M"}


def _alien_after(answer: Answer, text: str) -> None:
    found = answer["state_after"]["alien"]
    expected = _layer(text)
    for key in ("units", "centers", "hosts"):
        _same(sorted(found[key]), sorted(expected[key]))


def _dislodged(question: dict[str, Any], text: str) -> None:
    for part in text.split(", "):
        unit, _, origin = part.partition(" from ")
        question.setdefault("dislodged", []).append({"unit": unit, "from": origin, "convoyed": False})


def _all_but(question: dict[str, Any], text: str) -> None:
    every = set(standard_board().provinces)
    question["state"]["holes"] = dict.fromkeys(sorted(every - set(text.split())), "S1901")


_GIVEN: dict[str, Callable[[dict[str, Any], str], None]] = {
    "state": _given_state,
    "alien": _alien,
    "units": _units,
    "centers": lambda question, text: question["centers"].update(owned(text)),
    "was contested": lambda question, text: question.update(contested=text.split()),
    "was dislodged": _dislodged,
    "lost": lambda question, text: _alien(question, text, dislodged=True),
    "allbut": _all_but,
}
"""`lost`: the Alien's unit is dislodged; `allbut`: all provinces but these are black holes."""


# What is expected


def _same(found: object, expected: object) -> None:
    assert found == expected, f"expected {expected}, found {found}"


def _state(answer: Answer, text: str) -> None:
    for key, value in json.loads(text).items():
        _same(answer["state_after"].get(key), value)


def _has(answer: Answer, text: str) -> None:
    for unit in listed(text):
        assert unit in answer["units_after"], f"expected {unit}, found {answer['units_after']}"


def _retreats(answer: Answer, text: str) -> None:
    unit, _, places = text.partition(": ")
    retreats = {row["unit"]: row["retreats"] for row in answer["dislodged"]}
    _same(sorted(retreats[unit]), sorted(places.split()))


def _exempt(answer: Answer, text: str) -> None:
    power, *choices = text.split()
    assert answer["state_after"]["exempt"][power] in choices


def _then(answer: Answer, text: str) -> None:
    _same(answer["next"], _phase(text))


_EXPECTED: dict[str, Callable[[Answer, str], None]] = {
    "after": lambda answer, text: _same(sorted(answer["units_after"]), sorted(listed(text))),
    "has": _has,
    "count": lambda answer, text: _same(len(answer["units_after"]), int(text)),
    "owned": lambda answer, text: _same(answer["centers_after"], owned(text)),
    "dislodged": lambda answer, text: _same([row["unit"] for row in answer["dislodged"]], listed(text)),
    "retreats": _retreats,
    "no retreat": lambda answer, text: _same(answer["no_retreat"], [text]),
    "contested": lambda answer, text: _same(sorted(answer["contested"]), sorted(text.split())),
    "victory": lambda answer, text: _same(answer["victory"], None if text == "none" else text),
    "then": _then,
    "state after": _state,
    "alien after": _alien_after,
    "transmitters": lambda answer, text: _same(answer["state_after"]["transmitters"], sorted(listed(text))),
    "holes": lambda answer, text: _same(len(answer["state_after"]["holes"]), int(text)),
    "hole": lambda answer, text: _same(text in answer["state_after"]["holes"], True),
    "exempt": _exempt,
    "error": lambda answer, text: _same(text in answer["error"], True),
}


def check(step: Step, answer: Answer) -> None:
    """Compare an answer with what the case expects. Raises AssertionError."""
    if all(word != "error" for word, _ in step.checks):
        assert "error" not in answer, answer["error"]
        for order, expected, result in zip(step.question["orders"], step.outcomes, answer["results"], strict=False):
            _outcome(order, expected, result)
    for word, text in step.checks:
        _EXPECTED[word](answer, text)


def _outcome(order: str, expected: str | None, result: dict[str, str]) -> None:
    found = result["outcome"]
    right = found != "succeeds" if expected == "fails" else found == expected
    assert expected is None or right, f"{order}: expected {expected}, found {found}: {result['reason']}"
