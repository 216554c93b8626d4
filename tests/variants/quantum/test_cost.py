"""Cost: the work on a phase grows with its units, and not with the digits of the names (`python -m bench.quantum`)."""

from __future__ import annotations

import cProfile
from collections.abc import Callable

import pytest

from bench.quantum import adjudicate, exponent, lexicon, read, scene
from gm.variants import Variant
from tests.variants.quantum.scenes import NEW, OLD


def calls(work: Callable[[], object]) -> int:
    """The number of function calls, which does not depend on the machine."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


def cost(game: Variant, planets: int, digits: int) -> tuple[int, int, int, int]:
    """Units; calls for the lexicon, for reading all orders, and for the adjudication."""
    where = scene(game, planets, digits)
    known = lexicon(where)
    read(where, known)  # forms met before are remembered
    given = read(where, known)
    adjudicate(where, given)  # so are units and places
    return (
        len(where.position.units),
        calls(lambda: lexicon(where)),
        calls(lambda: read(where, known)),
        calls(lambda: adjudicate(where, given)),
    )


@pytest.mark.parametrize("game", [OLD, NEW], ids=["1975", "3001"])
def test_work_grows_with_the_units(game: Variant) -> None:
    few, many = cost(game, 24, 10), cost(game, 192, 10)
    for name, a, b in zip(("names", "reading", "judging"), few[1:], many[1:], strict=True):
        assert exponent((few[0], many[0]), (a, b)) < 1.1, name


@pytest.mark.parametrize(("game", "most"), [(OLD, 19), (NEW, 10)], ids=["1975", "3001"])
def test_digits_make_no_difference(game: Variant, most: int) -> None:
    few, many = cost(game, 48, 4), cost(game, 48, most)
    for a, b in zip(few, many, strict=True):
        assert abs(a - b) <= 0.03 * a


def test_what_was_written_for_the_benchmark_is_all_legal() -> None:
    for game in (OLD, NEW):
        where = scene(game, 16, 6)
        turn = adjudicate(where, read(where, lexicon(where)))
        assert not [o for o in turn.outcomes if o.result == "illegal"]
        convoyed = [o for o in turn.outcomes if o.facts.convoyed and o.succeeded]
        assert len(convoyed) == 4
