"""Which open decisions are resolved first: the cycles that depend on nothing outside themselves, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from gm.judge.cycles import innermost, innermost_cycles


@pytest.mark.parametrize(
    ("needs", "cycles"),
    [
        ({"a": "b", "b": "a"}, ["ab"]),
        ({"a": "b", "b": "a", "c": "d", "d": "c"}, ["ab", "cd"]),
        ({"a": "b", "b": "ac", "c": "d", "d": "c"}, ["cd"]),
        ({"a": "bc", "b": "ab", "c": "cd", "d": "ce", "e": "ce"}, ["cde"]),
        ({"a": "a", "b": "a"}, ["a"]),
        ({"a": "bcd", "b": "e", "c": "e", "d": "f", "e": "b", "f": "d"}, ["be", "df"]),
    ],
)
def test_innermost_cycles(needs: Mapping[str, str], cycles: list[str]) -> None:
    assert sorted("".join(cycle) for cycle in innermost_cycles(needs)) == cycles


def test_each_is_what_its_nodes_reach() -> None:
    dice = Random(1)
    for _ in range(300):
        nodes = range(dice.randint(1, 12))
        needs = {node: tuple(to for to in nodes if dice.random() < 0.2) for node in nodes}
        found = innermost_cycles(needs)
        assert innermost(needs) in found
        for cycle in found:
            for node in cycle:
                inside = {node: needs[node]} | {one: needs[one] for one in cycle}
                assert set(innermost({n: tuple(t for t in ts if t in cycle) for n, ts in inside.items()})) == set(cycle)
