"""POSITION: where all units are, in words, as far as the seat may see it."""

from __future__ import annotations

import pytest

from gm.reports import blocks
from gm.reports.blocks import position_blocks
from gm.variants import all_variants
from tests.server.world import BASE, World, player, text_of
from tests.variants.random_play import play, random_orders
from tests.variants.test_sent_back import NAMES, PLAYERS
from tests.variants.written import WRITTEN


def test_a_player_and_a_stranger_ask_for_the_position(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], "A PAR-BUR")
    world.pass_time(days=30)
    for sender, to, line in (
        (player("France"), seats["France"], "POSITION"),
        ("curious@example.com", BASE, "POSITION spring"),
        (player("France"), seats["France"], "STATUS"),
    ):
        said = text_of(world.send(sender, to, line))
        assert "spring, F1901M: the position" in said, line
        assert "A Bur" in said
        assert "Austria Budapest, Trieste, Vienna" in said
        assert "Unowned Belgium, Bulgaria" in said


def test_before_the_start_there_is_none(world: World) -> None:
    world.send("master@example.org", BASE, "CREATE autumn")
    assert "autumn has not begun" in text_of(world.send("master@example.org", BASE, "POSITION autumn"))


ADDED = {
    "black-hole": ("Black holes", "Exempt home centres"),
    "outer-space": ("Colonies", "Spacecraft in orbit"),
    "quantum-space-3001": ("Planets", "A/F "),
    "the-aliens": ("Transmitters", "in reserve"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_each_game_adds_its_own_as_the_seat_may_see_it(name: str) -> None:
    game = all_variants()[name]
    powers = game.seating.powers or NAMES
    turns = list(play(game, powers, 1, 7, PLAYERS.get(name, random_orders)))
    position, seat = turns[-1].after, powers[2]
    own = blocks.text_of(position_blocks(game.view(game, position, None, seat)))
    others = blocks.text_of(position_blocks(game.view(game, position, None, None)))
    for words in ADDED.get(name, ()):
        assert words in own
    for unit in position.units:
        assert str(unit.kind) in own
    assert own.startswith(seat) or not position.units_of(seat)
    assert others


def test_an_exemption_is_in_the_position_of_its_owner_alone(world: World) -> None:
    seats = world.started(options="variant=black-hole")
    world.send(player("France"), seats["France"], "EXEMPT PAR\nA PAR H\nA MAR H\nF BRE H")
    world.pass_time(days=30)
    exempt = text_of(world.send(player("France"), seats["France"], "POSITION")).partition("Exempt home centres")[2]
    assert "Paris" in exempt
    other = text_of(world.send(player("Italy"), seats["Italy"], "POSITION")).partition("Exempt home centres")[2]
    assert "Paris" not in other
