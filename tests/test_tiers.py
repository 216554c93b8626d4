"""Each test is of a tier, and collected in it: `make test` has those that do not take long, `make check` the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import pytest_ignore_collect

MODULES = sorted(Path(__file__).parent.rglob("test_*.py"))


def tiers(source: str) -> Iterator[str]:
    """The tiers of a module's tests, by their marks."""
    body = ast.parse(source).body
    if any(isinstance(one, ast.Assign) and "mark.long" in ast.unparse(one) for one in body):
        yield "long"
        return
    for one in body:
        if isinstance(one, ast.FunctionDef) and one.name.startswith("test_"):
            yield "long" if "mark.long" in " ".join(map(ast.unparse, one.decorator_list)) else "not long"


@pytest.mark.parametrize("tier", ["long", "not long"])
def test_a_module_is_collected_for_each_tier_of_its_tests(tier: str) -> None:
    config: Any = SimpleNamespace(option=SimpleNamespace(markexpr=tier))
    asked = [path.name for path in MODULES if tier in tiers(path.read_text("utf-8"))]
    collected = [path.name for path in MODULES if not pytest_ignore_collect(path, config)]
    assert len(asked) > 50
    assert [name for name in asked if name not in collected] == []


def test_what_was_not_asked_for_by_tier_is_all_collected() -> None:
    config: Any = SimpleNamespace(option=SimpleNamespace(markexpr=""))
    assert [path for path in MODULES if pytest_ignore_collect(path, config)] == []
