"""What a form offers is accepted as it stands, in every game and every kind of phase."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import chain

import pytest

from gm.board import Power
from gm.chance import Chance
from gm.position import PhaseKind
from gm.reports.forms import order_form
from gm.variants import all_variants
from gm.views import View
from tests.variants import random_play
from tests.variants.random_play import play
from tests.variants.test_sent_back import NAMES, PLAYERS, names, read
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long

PHASES = 24


@pytest.mark.parametrize("name", WRITTEN)
def test_what_a_form_offers_is_accepted(name: str) -> None:
    game, seed = all_variants()[name], 2  # in which an army/fleet is among those to remove
    powers = game.seating.powers or NAMES
    position, turn = game.opening(powers, Chance(seed.to_bytes(32, "big"))), None
    asked, refused = 0, []
    for after in play(game, powers, seed, PHASES, PLAYERS.get(name, random_play.random_orders)):
        understood = cache(partial(read, game, game.board(position), position, names(game, position)))
        for power in game.duties(position):
            for ways in offered(game.view(game, position, turn, power), power):
                asked += 1
                answers = [understood(power, way) for way in ways]
                if all(isinstance(answer, str) for answer in answers):
                    refused.append((position.phase.code, power, ways, answers))
        position, turn = after.after, after
    assert not refused
    assert asked > 200


def offered(view: View, power: Power) -> Iterator[tuple[str, ...]]:
    """What is offered, each as it may be sent: alone, or after the prompt below it."""
    told = re.sub(r"\n#   +", " ", "\n".join(order_form(view, power)))
    comments: list[str] = []
    for line in (*told.split("\n"), ""):
        if line.startswith("# "):
            comments.append(line)
            continue
        for choice in chain.from_iterable(map(choices, comments)):
            yield choice, f"{line} {choice}", f"{line}{choice}"
        comments = []
        if view.position.phase.kind is PhaseKind.MOVEMENT and line.endswith("-"):
            yield (f"{line[:-1]} H",)


def choices(comment: str) -> Iterator[str]:
    """`A Bre`, `F Bre` and `WAIVE` of `# To choose from: A Bre, F Bre; or WAIVE`."""
    _, _, listed = comment.rstrip(".").rpartition(": ")
    parts = re.split(r", (?:or )?|; or ", listed)
    yield from (part for part in parts if ORDER.match(part) and not comment.startswith("# Removed for certain"))


ORDER = re.compile(r"(?:\d+ )?(?:A/F|A|F|T) \w[\w/]*(?:$|-\w| \(| [A-Z])|(?:SHIP \d|EXEMPT \w+|WAIVE|\w+(?:/\wc)?)$")
