"""The turn that comes with each report as JSON: it follows the published schema, and tells its reader no more than the
report does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gm.board import Power
from gm.games.turn_file import TurnFile
from gm.turn import Event, Turn
from gm.variants import Variant, all_variants
from gm.variants.among_us.state import ALIEN
from gm.views import MASTER, View
from tests.server.world import World, player, text_of
from tests.variants.among_us.scenes import play as among_us
from tests.variants.among_us.test_adoption_and_victory import start
from tests.variants.random_play import play, random_orders
from tests.variants.test_sent_back import NAMES, PLAYERS
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/turn.schema.json").read_text(encoding="utf-8"))
CHECK = Draft202012Validator(SCHEMA)


def written(view: View, game: Variant) -> bytes:
    """The file of a seat with this view."""
    return TurnFile("spring", game.title, game.rules, view.common).file.content


def turns(name: str) -> Iterator[tuple[Variant, Turn]]:
    game = all_variants()[name]
    powers = game.seating.powers or NAMES
    for turn in play(game, powers, 3, 16, PLAYERS.get(name, random_orders)):
        yield game, turn


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", WRITTEN)
def test_every_turn_of_every_game_follows_the_schema(name: str) -> None:
    for game, turn in turns(name):
        seats = (*game.powers(turn.after), *game.seating.secret, None, MASTER)
        for text in {written(game.view(game, turn.after, turn, seat), game) for seat in seats}:
            assert not [error.message for error in CHECK.iter_errors(json.loads(text))], turn.before.phase.code


FAULTS: dict[str, Any] = {
    "a unit without a power": ("position", "units", ["A par"]),
    "an unknown part of a position": ("position", "secret", 1),
    "an order without a unit": ("orders", "France", [{"order": "hold"}]),
    "an unknown result": (
        "result",
        "outcomes",
        [{"order": {"order": "hold", "unit": "France A par"}, "result": "lost"}],
    ),
    "an unknown part of the turn": ("result", "after", {"mood": "good"}),
    "whom an event was told": ("result", "events", [{"kind": "seen", "to": ["France"]}]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_schema_refuses(fault: str) -> None:
    game, turn = next(turns("standard"))
    value = json.loads(written(game.view(game, turn.after, turn, None), game))
    part, key, wrong = FAULTS[fault]
    value[part][key] = wrong
    assert not CHECK.is_valid(value)


def test_the_file_of_those_who_may_not_know_is_the_same_whatever_is_hidden() -> None:
    """Two turns that differ in what the Alien did: it alone, and the gamemaster, can tell."""
    game = all_variants()["among-us"]
    first, other = (among_us(start(), alien=f"Adopt {unit}") for unit in ("F Bre", "A Mun"))
    for seat in (*game.powers(first.after), None, MASTER, ALIEN):
        one, two = (written(game.view(game, turn.after, turn, seat), game) for turn in (first, other))
        assert (one == two) is (seat not in (ALIEN, MASTER)), seat


def test_who_else_was_told_of_an_event_is_not_said() -> None:
    game, turn = next(turns("standard"))
    told = Event("seen", {"at": "par"}, frozenset((Power("France"), Power("Italy"))))
    turn = replace(turn, events=(told,))
    for seat, knows in ((Power("France"), True), (Power("Turkey"), False), (None, False)):
        events = json.loads(written(game.view(game, turn.after, turn, seat), game))["result"]["events"]
        assert events == ([{"kind": "seen", "facts": {"at": "par"}}] if knows else [])


# ---- in mails


def file_of(mail: EmailMessage) -> dict[str, Any] | None:
    """The turn that a mail has as JSON."""
    found = [part for part in mail.iter_attachments() if part.get_content_type() == "application/json"]
    if not found:
        return None
    assert found[0].get_filename() == "spring-S1901M.json"
    value: dict[str, Any] = json.loads(found[0].get_content())
    assert not list(CHECK.iter_errors(value))
    return value


def test_reports_have_it_for_players_who_want_it(world: World) -> None:
    seats = world.started()
    said = text_of(world.send(player("France"), seats["France"], "PREFERENCES json=yes"))
    assert "json=yes" in said
    world.send(player("France"), seats["France"], "A PAR-BUR")
    world.pass_time(days=8)
    value = file_of(world.mailboxes[player("France")][-1])
    assert value is not None
    assert (value["form"], value["phase"], value["next"]["phase"]) == ("gm turn", "S1901M", "F1901M")
    assert {"order": "move", "to": "bur", "unit": "France A par"} in value["orders"]["France"]
    assert "France A bur" in value["next"]["position"]["units"]
    assert file_of(world.mailboxes[player("Italy")][-1]) is None
    said = text_of(world.send(player("France"), seats["France"], "PREFERENCES json=none"))
    assert "json=none" in said


def test_the_page_describes_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs/export.md").read_text(encoding="utf-8")
    assert not [
        key for key in (*SCHEMA["properties"], *SCHEMA["properties"]["next"]["properties"]) if f"`{key}`" not in page
    ]
