"""The judge against the reference adjudicator, on positions with many convoys and cycles. More: `make fuzz`."""

from __future__ import annotations

import pytest

from tests.judge.fuzz import compare_many

pytestmark = pytest.mark.long

POSITIONS = 1500
SEED = 19760101


def test_they_agree() -> None:
    tally = compare_many(POSITIONS, SEED).seen
    assert tally["positions"] + tally["left open by the rules"] == POSITIONS
    assert tally["with a paradox"] > 150, "the positions hold too few paradoxes to prove anything"
    assert tally["with an open convoy"] > 50
    assert tally["with a dislodgement"] > 300
    assert tally["with circular movement"] > 1
