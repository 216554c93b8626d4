"""Hundreds of pairs of twin worlds, and leaks put in one by one, each of which 150 pairs tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gm import variants
from gm.judge.outcomes import Outcome
from gm.orders import Order
from gm.position import Position
from gm.reports.reader import GameFacts
from gm.variants.fog import sight
from tests.variants.fog import knowing, showing
from tests.variants.fog.test_twins import compared

pytestmark = pytest.mark.long(seconds=35)

view: Any = import_module("gm.variants.fog.view")

Leak = Callable[[pytest.MonkeyPatch], None]


def test_nothing_tells_hundreds_of_twin_worlds_apart() -> None:
    counts = compared(seed=2, number=400)
    assert counts["pairs"] == 400
    assert counts["differ"] > 370


def test_nothing_tells_twin_worlds_of_34_powers_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "_own", ())
    (tmp_path / "crowd.toml").write_text('title = "Crowd"\nlike = "chaos"\nsight = "fog"\n')
    variants.include(tmp_path)
    game = variants.variant("crowd")
    for module in (knowing, showing):
        monkeypatch.setattr(module, "FOG", game)
    facts = GameFacts("fogged", game.title, dict.fromkeys(game.seating.powers, "Player"), game.adjectives)
    monkeypatch.setattr(showing, "FACTS", facts)
    counts = compared(seed=4, number=150)
    assert counts["pairs"] == 150
    assert counts["differ"] > 130


def within(field: str) -> Leak:
    """A part of the position is shown whole."""

    def leak(patch: pytest.MonkeyPatch) -> None:
        kept = sight.seen_within

        def seen_within(board: Any, position: Position, *rest: Any) -> Position:
            return replace(kept(board, position, *rest), **{field: getattr(position, field)})

        patch.setattr(sight, "seen_within", seen_within)
        patch.setattr(view, "seen_within", seen_within)

    return leak


def told(shown: Callable[[Outcome, Outcome], Outcome]) -> Leak:
    """Something of the judge's outcome is told that was not seen."""

    def leak(patch: pytest.MonkeyPatch) -> None:
        kept = view._told

        def _told(board: Any, outcome: Outcome, order: Order, **how: bool) -> Outcome:
            return shown(outcome, kept(board, outcome, order, **how))

        patch.setattr(view, "_told", _told)

    return leak


def in_game(**fields: Any) -> Leak:
    """The game has this in place of what it has."""

    def leak(patch: pytest.MonkeyPatch) -> None:
        for module in (knowing, showing):
            patch.setattr(module, "FOG", replace(knowing.FOG, **fields))

    return leak


def patched(module: Any, name: str, value: Any) -> Leak:
    return lambda patch: patch.setattr(module, name, value)


LEAKS = {
    "all units": within("units"),
    "all owners": within("centers"),
    "all dislodged units": within("dislodged"),
    "standoffs out of sight": within("contested"),
    "the state of the position": within("extra"),
    "strengths and opponents": told(lambda whole, seen: seen._replace(facts=whole.facts)),
    "results of orders for the unseen": told(lambda whole, seen: seen._replace(result=whole.result)),
    "the way of a convoy": patched(view, "_seen_order", lambda _, __, outcome, ___: outcome.order),
    "the power of a unit that is named": patched(view, "_named", lambda _, __, unit, ___: unit),
    "in which order others wrote": patched(view, "_place", lambda _, __: ""),
    "orders understood by what is there": in_game(seen=lambda _, position, __: position),
    "a sight that is too wide": patched(
        view, "sight_of", lambda board, position, power: frozenset(board.provinces) if power else frozenset()
    ),
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_a_leak_is_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        compared(seed=3, number=150)
