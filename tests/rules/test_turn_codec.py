"""Turns as JSON: every fact is decoded as it was encoded, for turns of the games themselves and for all
possible facts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.board import Location, Power, UnitKind
from gm.judge.outcomes import (
    Event,
    Facts,
    Loss,
    Opponent,
    Outcome,
    Result,
    Why,
    event_from_json,
    event_to_json,
    outcome_from_json,
    outcome_to_json,
)
from gm.orders import Hold, Move
from gm.position import Unit, position_to_json
from gm.turn import Turn, Victory, turn_from_json, turn_to_json, victory_from_json, victory_to_json
from gm.variants import all_variants
from gm.variants.standard import POWERS, STANDARD
from gm.views import MASTER
from tests.reports.scenes import SPRING
from tests.variants import random_play
from tests.variants.among_us import test_random_play as among_us
from tests.variants.black_hole import test_random_play as black_hole
from tests.variants.quantum import test_random_play as quantum
from tests.variants.the_aliens import test_random_play as the_aliens
from tests.variants.the_aliens.scenes import races
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long

units = st.builds(
    Unit,
    st.sampled_from([*POWERS, Power("Zub Nar"), Power("the Alien")]),
    st.sampled_from([UnitKind.ARMY, UnitKind.FLEET]),
    st.sampled_from([*map(Location, ("par", "stp/sc", "orb.zub", "q1234567"))]),
)
numbers = st.integers(0, 40)
losses = st.builds(Loss, units, units, numbers, numbers)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
own_facts = st.dictionaries(st.text(max_size=8), values, max_size=3)
facts = st.builds(
    Facts,
    why=st.sampled_from(list(Why)) | st.text(min_size=1, max_size=20).filter(lambda text: text not in list(Why)),
    strength=numbers,
    against=st.lists(st.builds(Opponent, units, numbers), max_size=3).map(tuple),
    by=st.none() | units,
    convoyed=st.booleans(),
    lost=st.lists(losses, max_size=2).map(tuple),
    uncounted=st.lists(units, max_size=2).map(tuple),
    dislodged=st.none() | losses,
    own=own_facts,
)
orders = st.builds(Hold, units) | st.builds(
    Move,
    units,
    st.sampled_from([Location("bur"), Location("spa/nc")]),
    st.booleans(),
    st.lists(st.sampled_from([Location("eng"), Location("nth")]), max_size=2).map(tuple),
)
outcomes = st.builds(Outcome, orders, st.sampled_from(Result), st.none() | units, facts)


def through_text(value: Any) -> Any:
    """A JSON value as it comes back from a store."""
    return json.loads(json.dumps(value, sort_keys=True))


@given(outcome=outcomes)
def test_every_outcome_comes_back(outcome: Outcome) -> None:
    again = outcome_from_json(through_text(outcome_to_json(outcome)))
    assert again == outcome
    assert isinstance(again.facts.why, Why) is isinstance(outcome.facts.why, Why)


@given(event=st.builds(Event, st.text(max_size=20), own_facts, st.none() | st.frozensets(st.sampled_from(POWERS))))
def test_every_event_comes_back(event: Event) -> None:
    assert event_from_json(through_text(event_to_json(event))) == event


@given(victory=st.builds(Victory, st.lists(st.sampled_from(POWERS)).map(tuple), st.text(max_size=20), own_facts))
def test_every_victory_comes_back(victory: Victory) -> None:
    assert victory_from_json(through_text(victory_to_json(victory))) == victory


@cache
def games() -> tuple[tuple[str, tuple[Turn, ...]], ...]:
    """A few games of each kind, played at random; each turn was read back from its JSON on the way."""
    return tuple((name, tuple(turns)) for name, turns in _games())


def _games() -> Iterator[tuple[str, Iterable[Turn]]]:
    every = all_variants()
    empires = [Power(name) for name in ("Krell", "Zorg", "Morbo", "Zub Nar")]
    yield "standard", [SPRING.turn()]
    yield "among-us", among_us.conquest(0)
    for seed in range(3):
        yield "standard", random_play.play(STANDARD, POWERS, seed, 30)
        yield "among-us", among_us.game_at_random(seed)
        yield "black-hole", black_hole.play(seed, 30)
        yield "fog", random_play.play(every["fog"], POWERS, seed, 16)
        yield "outer-space", random_play.play(every["outer-space"], empires, seed, 30)
        yield "the-aliens", random_play.play(every["the-aliens"], races(4), seed, 30, the_aliens.orders_at_random)
        for name in ("quantum-space", "quantum-space-3001"):
            yield name, random_play.play(every[name], POWERS[:4], seed, 16, quantum.players)


def test_games_of_all_kinds_come_back_with_every_fact() -> None:
    """`random_play` compares each turn with what is read back; here it is seen that nothing was left out of that."""
    assert {name for name, _ in games()} == set(WRITTEN)
    seen: set[str] = set()
    for name, turns in games():
        game = all_variants()[name]
        for turn in turns:
            assert random_play.stored(game, turn) == turn
            for outcome in turn.outcomes:
                pairs = zip(Facts._fields, outcome.facts, Facts(), strict=True)
                seen |= {field for field, held, default in pairs if held != default}
            seen |= {part for part in ("destroyed", "count", "silent", "victory", "events") if getattr(turn, part)}
    assert seen >= {*Facts._fields, "destroyed", "count", "silent", "victory", "events"}


def test_every_reason_and_event_has_words() -> None:
    """What random games bring is worded; no variant's reason is one of the judge's."""
    for name, turns in games():
        game = all_variants()[name]
        assert not set(game.words.reasons) & set(Why)
        for turn in turns:
            view = game.view(game, turn.after, turn, MASTER)
            own = [outcome for outcome in turn.outcomes if outcome.facts.are_of_variant]
            said = [game.words.reason(outcome) for outcome in own]
            said += [game.words.event(event, view) for event in turn.events if event.kind != "eliminated"]
            assert all(sentence and "None" not in sentence for sentence in said)


def test_a_stored_turn_is_small() -> None:
    """Full boards of the standard game: a hundred and twenty bytes an order with its facts, and the next position."""
    for turn in random_play.play(STANDARD, POWERS, 5, 40):
        text = json.dumps(turn_to_json(turn, STANDARD.rules))
        assert len(text) < 2000 + 120 * len(turn.outcomes)


def test_a_turn_in_another_form_is_refused() -> None:
    turn = next(random_play.play(STANDARD, POWERS, 1, 1))
    value, before = turn_to_json(turn, STANDARD.rules), position_to_json(turn.before)
    assert turn_from_json(value, before, turn.orders) == turn
    with pytest.raises(ValueError, match="form 2"):
        turn_from_json({**value, "v": 2}, before, turn.orders)
    for part in value.keys() - {"rules"}:
        with pytest.raises(KeyError):
            turn_from_json({key: held for key, held in value.items() if key != part}, before, turn.orders)
