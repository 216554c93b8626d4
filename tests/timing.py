"""Time in tests; no test may fail only because the machine is busy."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from weakref import WeakKeyDictionary

HANGING = 90.0
"""Seconds after which a test that waits will wait for ever."""

ROUNDS = 10
_best: WeakKeyDictionary[Callable[[], object], float] = WeakKeyDictionary()
"""The least that each has cost so far, in seconds."""


def cost(one: Callable[[], object], other: Callable[[], object], enough: float) -> float:
    """The processor time of `one` as a multiple of that of `other`, each the best of several rounds.

    There are no more rounds than it takes to get below `enough`: noise can only delay a good answer, while what grows
    with the square of a large input stays far above it. What it costs that is compared with again and again, the same
    object, is remembered.
    """
    best_one, best_other = inf, _best.get(other) or min(_seconds(other) for _ in range(2))
    for _ in range(ROUNDS):
        best_one = min(best_one, _seconds(one))
        if best_one < enough * best_other:
            break
        best_other = min(best_other, _seconds(other))
    _best[other] = best_other
    return best_one / best_other


def _seconds(run: Callable[[], object]) -> float:
    began = time.process_time()
    run()
    return max(time.process_time() - began, 1e-9)
