"""The long comparison of the judge with the reference adjudicator: `python -m tests.judge.fuzz [positions] [seed]`.

Prints what occurred, and stops at the first position on which the two differ.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import replace

from gm.board import standard_board
from gm.judge import RULEBOOK_1971, RULEBOOK_2000, RULEBOOK_2023, Rulebook
from tests.judge.comparison import Tally, compare
from tests.judge.positions import random_situation

RULEBOOKS: tuple[Rulebook, ...] = (
    RULEBOOK_1971,
    RULEBOOK_2000,
    RULEBOOK_2023,
    replace(RULEBOOK_1971, name="1971 with self-dislodgement", self_dislodgement=True),
)
LARGEST = 9
"""Units in a position; the reference takes twice as long for one more."""


def compare_many(positions: int, seed: int) -> Tally:
    """Compare on this number of random positions, with each rulebook in turn. Raises AssertionError on a difference."""
    rng, board, tally = random.Random(seed), standard_board(), Tally()
    for number in range(positions):
        units, orders = random_situation(rng, board, rng.randint(3, LARGEST))
        compare(board, RULEBOOKS[number % len(RULEBOOKS)], units, orders, tally)
    return tally


def main(argv: Sequence[str]) -> int:
    """Run and report."""
    positions = int(argv[0]) if argv else 100_000
    seed = int(argv[1]) if len(argv) > 1 else random.randrange(1 << 32)
    print(f"seed {seed}, {len(RULEBOOKS)} rulebooks in turn")
    print(f"No difference: {compare_many(positions, seed)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
