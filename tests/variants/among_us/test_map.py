"""The map of a host reveals no more than the public one."""

from __future__ import annotations

from gm.maps.picture import svg
from gm.maps.scene import scene
from gm.variants.among_us import AMONG_US
from tests.maps.test_games import played


def test_the_map_of_a_host_is_that_of_everybody() -> None:
    """Nothing in a picture tells a host which units are the Alien's; only the Alien's own map shows them."""
    game = AMONG_US
    for turn in played(game):
        public = svg(scene(game.view(game, turn.after, turn, None)))
        for host in game.seating.powers:
            document = svg(scene(game.view(game, turn.after, turn, host)))
            secret = host in game.seating.secret
            assert (document == public) is not secret
            assert ("Alien" in document) is secret
