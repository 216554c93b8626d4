"""What is said of builds is what the order page lists: both come from what the judge allows at the seat now."""

from __future__ import annotations

from collections.abc import Callable

from gm.board import Power
from gm.games.order_page import groups_of
from gm.games.report_inputs import view_of
from tests.server.world import World, player, proved, text_of

MASTER = "master@example.org"
_ALL_LEAVE_HOME = ("A VIE-BUD\nA BUD-SER\nF TRI-ALB", "A SER H\nA BUD-RUM\nF ALB-GRE")


def asking_in_winter(world: World) -> Callable[[str], str]:
    """Austria's units have left its homes; what it is answered in the phase of builds."""
    seats = world.started()
    for orders in _ALL_LEAVE_HOME:
        world.send(player("Austria"), seats["Austria"], orders)
        world.send(MASTER, seats["GM"], f"PROCESS {world.phase()}", headers=proved(MASTER))
    return lambda text: text_of(world.send(player("Austria"), seats["Austria"], text))


def test_what_can_be_built_is_what_the_order_page_lists(world: World) -> None:
    asked = asking_in_winter(world)
    game = world.game()
    seat = next(one for one in game.players if one.power == "Austria")
    lines = [line for group in groups_of(game.variant, view_of(game, seat), Power("Austria")) for line in group.lines]
    assert "Build A Vie" in lines
    assert f"You can order these: {', '.join(lines)}." in asked("Where can I build?")
    assert "You can order one of these: Build A Vie." in asked("Can I build in Vienna?")
    assert "No fleet can be built in Vie: it has no coast." in asked("Can I build a fleet in Vienna?")
    assert "You can order one of these: Build F Tri." in asked("Where can I build a fleet?")
    assert "BRE" not in asked("How do I build?")


def test_examples_are_of_the_asker_s_own_places(world: World) -> None:
    seats = world.started()
    said = text_of(world.send(player("Austria"), seats["Austria"], "how do I build?"))
    assert "BUILD F Tri or BUILD A Bud" in said


def test_what_corrects_a_build_replaces_that_build_only(world: World) -> None:
    asked = asking_in_winter(world)
    asked("BUILD F TRI")
    said = asked("no fleet. make it an army too")
    assert "do this: Build A Tri " in said
    assert "Waive" not in said
    said = asked("no fleet in Trieste. I want an army in Vienna")
    assert "CLEAR Build F Tri / Build A Vie" in said
    assert "Waive" not in said
