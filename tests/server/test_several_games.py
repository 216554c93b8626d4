"""Mail to seats in several games: the headings GAME choose the game, and what is for another one does not count."""

from __future__ import annotations

import pytest

from gm.commands import COMMANDS
from gm.orders.notation import write
from gm.server.facts import asking
from gm.server.intake import accept
from gm.store.inbox import ArrivedMail
from tests.server.world import World, player, text_of

FRANCE = player("France")
ASTRAY = "This address is your seat in spring. Write to your seat in twin instead."


def both(world: World) -> list[str]:
    """The addresses of France's seats in the games spring and twin."""
    return [world.started()["France"], world.started("twin")["France"]]


def orders(world: World, name: str) -> list[str]:
    return sorted(write(order) for given in world.game(name).orders.values() for order in given.orders)


def bring(world: World, to: list[str], text: str) -> list[str]:
    """The answers to one mail to these addresses."""
    before = len(world.mailboxes[FRANCE])
    raw = world.mail(FRANCE, ", ".join(to), text)
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, tuple(to), FRANCE))
    world.work()
    return [text_of(mail) for mail in world.mailboxes[FRANCE][before:]]


@pytest.mark.parametrize(
    ("text", "spring", "twin", "answers"),
    [
        ("F BRE-MAO", ["F Bre-Mao"], ["F Bre-Mao"], 2),
        ("GAME spring\nF BRE-MAO\nGAME twin\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas"], 2),
        ("game Twin\nA PAR-GAS\nGame SPRING\nF BRE-MAO", ["F Bre-Mao"], ["A Par-Gas"], 2),
        ("F BRE-MAO\nGAME twin\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas", "F Bre-Mao"], 2),
        ("GAME twin\nA PAR-GAS", [], ["A Par-Gas"], 1),
        ("Hello,\n\nGAME twin\nA PAR-GAS\nPRESS TO ENGLAND\nHello\nENDPRESS", [], ["A Par-Gas"], 1),
        ("F BRE-MAO\nREADY\nGAME twin\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas", "F Bre-Mao"], 2),
    ],
)
def test_headings_choose_the_game(world: World, text: str, spring: list[str], twin: list[str], answers: int) -> None:
    found = bring(world, both(world), text)
    assert (orders(world, "spring"), orders(world, "twin")) == (spring, twin)
    assert len(found) == answers
    assert "your seat in" not in "".join(found)


def test_orders_below_a_command_ask_for_something_too(world: World) -> None:
    """So they are quoted where they are for no game."""
    world.started()
    lines = ("Hello,", "WHATIF", "A PAR-BUR", "A MAR-SPA")
    assert asking(lines, [world.game()], COMMANDS.reader) == lines[1:]


def test_the_orders_of_a_game_that_is_not_named_stay(world: World) -> None:
    seats = both(world)
    bring(world, seats, "F BRE-MAO")
    bring(world, seats, "GAME twin\nCLEAR")
    assert (orders(world, "spring"), orders(world, "twin")) == (["F Bre-Mao"], [])


@pytest.mark.parametrize(
    ("text", "kept", "said"),
    [
        ("GAME twin\nCLEAR\nA PAR-BUR", ["F Bre-Mao"], ASTRAY),
        (
            "A PAR-PIC\nGAME twin\nA MAR-BUR\nREADY",
            ["A Par-Pic", "F Bre-Mao"],
            "acted on: 'A MAR-BUR'; 'READY'.",
        ),
        ("A PAR-PIC\nREADY\nGAME twin\nA MAR-BUR", ["A Par-Pic", "F Bre-Mao"], "READY was not acted on"),
        ("GAME sprng\nA PAR-PIC", ["F Bre-Mao"], "GAME sprng was not acted on"),
        ("GAME spring\nA PAR-PIC", ["A Par-Pic", "F Bre-Mao"], "Your mail was understood"),
        ("GAME twin\nA PAR-BUR\nGAME spring\nA MAR-SPA", ["A Mar-Spa", "F Bre-Mao"], ASTRAY),
    ],
)
def test_lines_for_another_game_do_not_count_at_a_seat(world: World, text: str, kept: list[str], said: str) -> None:
    seat, _ = both(world)
    bring(world, [seat], "F BRE-MAO")
    (answer,) = bring(world, [seat], text)
    assert (orders(world, "spring"), orders(world, "twin")) == (kept, [])
    assert said in " ".join(answer.split())
    assert " ".join(answer.split()).count("your seat in spring") <= 1
