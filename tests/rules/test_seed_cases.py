"""The cases of `tests/rules/seeds/`, each played by `gm adjudicate`."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from gm.parsing.sayings import RULING
from tests.rules.seed_cases import HERE, Case, cases, check
from tests.variants.adjudicating import adjudicated, following

ALL = [(path.stem, case) for path in sorted(HERE.glob("*.txt")) for case in cases(path)]


def _param(game: str, case: Case) -> ParameterSet:
    number = case.title.split()[0]
    marks = [pytest.mark.ruling(number)] if RULING.fullmatch(number) else []
    return pytest.param(game, case, id=f"{game}: {case.title}", marks=marks)


@pytest.mark.parametrize(("game", "case"), [_param(game, case) for game, case in ALL])
def test_case(game: str, case: Case) -> None:
    first, *later = case.steps
    answer = adjudicated(**first.question)
    check(first, answer)
    for step in later:
        answer = following(answer, *step.question["orders"], variant=first.question["variant"])
        check(step, answer)
