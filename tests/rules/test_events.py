"""Events are shown to those they are for, and to nobody else, in every game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.board import Power
from gm.chance import Chance
from gm.reports.results import events
from gm.turn import Event, Turn
from gm.variants import Variant, all_variants
from gm.views import MASTER
from tests.variants.written import WRITTEN

CHANCE = Chance(bytes(32))
EVERYBODY, FOR_SOME, FOR_ONE = "everybody", "some", "one"


def worded(game: Variant) -> Variant:
    """The game with words for the three events."""
    words = {kind: lambda event, view: event.kind for kind in (EVERYBODY, FOR_SOME, FOR_ONE)}
    return replace(game, words=replace(game.words, events=words))


@pytest.mark.parametrize("name", WRITTEN)
def test_an_event_is_shown_to_those_it_is_for(name: str) -> None:
    game = worded(all_variants()[name])
    powers = game.seating.powers or tuple(Power(race) for race in ("Krell", "Zorg", "Morbo"))
    start = game.opening(powers, CHANCE)
    first, second, third = game.powers(start)[:3]
    turn = Turn(
        *(start, {}, (), start),
        events=(
            Event(EVERYBODY),
            Event(FOR_SOME, to=frozenset((first, second))),
            Event(FOR_ONE, to=frozenset((second,))),
        ),
    )

    def told(seat: Power | None) -> tuple[str, ...]:
        view = game.view(game, start, turn, seat)
        assert view.turn is not None
        return events(view, view.turn)

    assert told(None) == told(third) == (EVERYBODY,)
    assert told(first) == (EVERYBODY, FOR_SOME)
    assert told(second) == told(MASTER) == (EVERYBODY, FOR_SOME, FOR_ONE)
