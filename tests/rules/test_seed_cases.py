"""The cases of `tests/rules/seeds/`, each played by `gm adjudicate`."""

from __future__ import annotations

import pytest

from tests.rules.seed_cases import HERE, Case, cases, check
from tests.variants.adjudicating import adjudicated, following

ALL = [(path.stem, case) for path in sorted(HERE.glob("*.txt")) for case in cases(path)]


@pytest.mark.parametrize(("game", "case"), [pytest.param(g, c, id=f"{g}: {c.title}") for g, c in ALL])
def test_case(game: str, case: Case) -> None:
    first, *later = case.steps
    answer = adjudicated(**first.question)
    check(first, answer)
    for step in later:
        answer = following(answer, *step.question["orders"], variant=first.question["variant"])
        check(step, answer)
