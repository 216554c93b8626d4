"""Twin worlds that differ only out of a power's sight: nothing that it is shown or answered differs by a byte."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.variants.fog.knowing import pairs
from tests.variants.fog.showing import shown


def compared(seed: int, number: int) -> Counter[str]:
    """How many pairs of each kind of phase were compared, and how many of them differed before the phase."""
    counts = Counter[str]()
    for place, twins in enumerate(pairs(seed, number)):
        one, other = (list(shown(turn, twins.power, Random(place))) for turn in (twins.one, twins.other))
        for (name, first), (_, second) in zip(one, other, strict=True):
            assert first == second, f"{name} of {twins.power}: {twins}"
        counts["pairs"] += 1
        counts[str(twins.one.before.phase.kind)] += 1
        counts["differ"] += (twins.one.before, twins.one.outcomes) != (twins.other.before, twins.other.outcomes)
    return counts


@pytest.mark.ruling("FW-2", "FW-3", "FW-5", "FW-8")
def test_nothing_tells_twin_worlds_apart() -> None:
    counts = compared(seed=1, number=40)
    assert counts["differ"] > 35
    assert min(counts["movement"], counts["retreat"], counts["adjustment"]) >= 5
