"""Orders written before a game has begun: each is quoted, with when orders can be given and what can be done now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.world import BASE, World, body_of, player, reply_to, text_of
from tests.variants.written import WRITTEN

FRANCE, MASTER = player("France"), "master@example.org"
SAID = "has not begun, so this was neither done nor kept."
LINES = {
    "standard": (
        "A PAR-BUR",
        "Par - Bur",
        "A Par H, F Bre-Mao",
        "F1901M: F LON-NTH",
        "BUILD F BRE",
        "A PAR-BU",
        "A PAR S",
    ),
    "quantum-space": ("A1-AO", "A1 - A2", "F A6 S F AO", "AO -> Q31415", "A1-B3", "BUILD A1", "A PAR-BUR"),
    "quantum-space-3001": ("A1-AO", "F Auer Orbit - Q5"),
    "outer-space": ("ORB-PAR", "A AUE-PAR", "BEAM UP A PAR"),
    "the-aliens": ("LAND PAR", "A PAR-BUR", "BUILD A PAR"),
    "among-us": ("A PAR-BUR", "ADOPT A PAR", "A PAR-BUR INSTEAD", "OVERRIDE A PAR-BUR"),
    "fog": ("A PAR-BUR", "A PAR S unseen A MUN-BUR"),
    "black-hole": ("A PAR-BUR", "EXEMPT PAR", "BUILD F BRE"),
}


def forming(world: World, options: str = "") -> tuple[str, str]:
    """The seats of a gamemaster and of a player in a game that has not begun."""
    created = world.send(MASTER, BASE, f"CREATE spring {options}")
    named = "" if world.game().variant.seating.powers else " AS Auer"
    return reply_to(created), reply_to(world.send(FRANCE, BASE, f"JOIN spring{named}"))


@pytest.mark.parametrize(("name", "line"), [(name, line) for name in WRITTEN for line in LINES[name]])
def test_an_order_is_quoted_with_when_it_can_be_given(world: World, name: str, line: str) -> None:
    _, seat = forming(world, f"variant={name}")
    said = text_of(world.send(FRANCE, seat, line))
    assert SAID in said
    assert line in said
    assert "STATUS shows who has joined" in said
    assert "not a complete order" not in said


def test_every_line_is_quoted_and_the_reason_said_once(world: World) -> None:
    _, seat = forming(world)
    answer = world.send(FRANCE, seat, "A PAR-BUR\nA MAR-SPA\nF BRE-MAO\nREADY")
    said = text_of(answer)
    assert "4 lines could not be acted on" in said
    assert "A PAR-BUR Line 2: A MAR-SPA Line 3: F BRE-MAO Line 4: READY The game spring has not begun" in said
    assert said.count(SAID) == 1
    html = answer.get_body(("html",))
    assert html is not None
    assert html.get_content().count(SAID) == 1


def test_nothing_is_kept(world: World) -> None:
    chair, seat = forming(world, "standins=yes")
    world.send(FRANCE, seat, "A PAR-BUR\nF1901M: A BUR-MUN")
    world.send(MASTER, chair, "START spring")
    said = text_of(world.send(FRANCE, reply_to(world.last(FRANCE)), "MY ORDERS"))
    assert "Burgundy" not in said
    assert "Munich" not in said


@pytest.mark.parametrize("command", ["JOIN spring AS Italy", "OBSERVE spring"])
def test_below_the_command_to_join_they_are_quoted_too(world: World, command: str) -> None:
    forming(world)
    said = text_of(world.send("eve@example.org", BASE, f"{command}\nA VEN H"))
    assert "Line 2: A VEN H" in said
    assert SAID in said
    assert "everything else was accepted" in said


def test_no_such_mail_is_left_unanswered(world: World) -> None:
    """As one that asks for nothing would be after a few."""
    _, seat = forming(world)
    for _ in range(12):
        assert SAID in text_of(world.send(FRANCE, seat, "A PAR-BUR"))


def test_so_it_is_at_the_servers_own_address(world: World) -> None:
    forming(world)
    assert SAID in text_of(world.send(FRANCE, BASE, "A PAR-BUR"))
    assert "START spring begins it" in text_of(world.send(MASTER, BASE, "A PAR-BUR"))
    world.started("autumn")
    assert "Send this to your seat's address" in text_of(world.send(FRANCE, BASE, "A PAR-BUR")), (
        "a game that runs comes first"
    )


@pytest.mark.parametrize("to", ["the name", "nothing but the mail that is answered"])
def test_so_it_is_in_a_mailbox_where_the_mail_that_is_answered_tells_the_seat(tmp_path: Path, to: str) -> None:
    world = World(tmp_path, plus_addressing=False)
    _, seat = forming(world)
    headers = {"In-Reply-To": "" if to == "the name" else str(world.last(FRANCE)["Message-ID"])}
    said = text_of(world.send(FRANCE, seat if to == "the name" else BASE, "A PAR-BUR", headers=headers))
    assert f"The game spring {SAID}" in said
    world.database.dispose()


def test_it_is_the_same_after_an_unstart(world: World) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], "UNSTART spring")
    assert SAID in text_of(world.send(FRANCE, seats["France"], "A PAR-BUR"))


def test_other_commands_of_running_games_say_so_too(world: World) -> None:
    chair, seat = forming(world)
    for line in ("WAIT", "READY", "CLEAR", "MY ORDERS", "DRAW", "PHASE F1901M\nA PAR-BUR", "WHATIF\nA PAR-BUR"):
        assert f"The game spring {SAID}" in text_of(world.send(FRANCE, seat, line)), line
    said = text_of(world.send(MASTER, chair, "PROCESS\nDEADLINE in 24h\nORDERS FOR France\nA PAR-BUR"))
    assert "4 lines could not be acted on" in said
    assert "START spring begins it" in said
    assert "START spring begins it" in text_of(world.send(MASTER, chair, "A PAR-BU"))


def test_press_about_orders_is_press_and_its_writer_is_not_asked(world: World) -> None:
    forming(world)
    italy = reply_to(world.send(player("Italy"), BASE, "JOIN spring"))
    world.send(player("Italy"), italy, "PRESS TO ALL\nHow will you open?\nENDPRESS")
    letter = world.last(FRANCE)
    before = len(world.mailboxes[player("Italy")])
    world.arrive(FRANCE, reply_to(letter), "A PAR-BUR\nA MAR-SP\nS1901M: F BRE-MAO")
    world.pass_time(minutes=1)
    assert "A MAR-SP" in body_of(world.mailboxes[player("Italy")][before])


def test_small_talk_is_none_of_these(world: World) -> None:
    _, seat = forming(world)
    said = text_of(world.send(FRANCE, seat, "Hello all, I look forward to Paris in spring.\nSee you, F."))
    assert SAID not in said


def test_an_order_in_the_subject_or_among_quoted_lines_says_so(world: World) -> None:
    _, seat = forming(world)
    said = text_of(world.send(FRANCE, seat, "", headers={"Subject": "A PAR-BUR"}))
    assert "Write this in the body" in said
    said = text_of(world.send(FRANCE, seat, "\n> A PAR-BUR\n> A MAR-SPA"))
    assert "A PAR-BUR" in said
