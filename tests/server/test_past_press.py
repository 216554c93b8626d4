"""PRESS WITH: one's own press by partner and year, and nobody else's."""

from __future__ import annotations

import pytest

from tests.server.kept import kept
from tests.server.test_deadlines import order_all
from tests.server.test_time import MASTER
from tests.server.world import BASE, World, player, text_of

TEXTS = (
    ("France", "PRESS TO Germany", "to Germany in spring"),
    ("Germany", "PRESS TO France, Italy", "from Germany to two"),
    ("Germany", "PRESS TO Italy", "not for France"),
    ("Germany", "GREY PRESS TO France", "unsigned from Germany"),
    ("Germany", "POSTAL PRESS TO France", "not delivered yet"),
    ("France", "PRESS TO ALL", "from France to all"),
    ("Italy", "PRESS TO ALL", "from Italy to all"),
    ("France", "PRESS TO GM", "to the gamemaster"),
)


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    return after_much_press(world)


@kept
def after_much_press(world: World) -> dict[str, str]:
    seats = world.started(options="press=grey early=orders")
    for power, head, text in TEXTS:
        world.send(player(power), seats[power], f"{head}\n{text}\nENDPRESS")
    return seats


def shown(world: World, seats: dict[str, str], power: str, line: str) -> set[str]:
    sender = MASTER if power == "GM" else player(power)
    said = text_of(world.send(sender, seats[power], line))
    return {text for _, _, text in TEXTS if text in said}


@pytest.mark.parametrize(
    ("power", "line", "texts"),
    [
        ("France", "PRESS WITH Germany", {"to Germany in spring", "from Germany to two", "from France to all"}),
        ("France", "PRESS WITH Germany 1901", {"to Germany in spring", "from Germany to two", "from France to all"}),
        ("France", "PRESS WITH Germany 1902", set()),
        ("France", "PRESS WITH Italy", {"from Italy to all", "from France to all"}),
        ("France", "press with gm", {"to the gamemaster", "from France to all"}),
        (
            "France",
            "PRESS WITH ALL",
            {text for _, _, text in TEXTS} - {"not for France", "not delivered yet"},
        ),
        ("GM", "PRESS WITH France", {"to the gamemaster", "from France to all"}),
        ("GM", "PRESS WITH Germany", set()),
        ("Austria", "PRESS WITH Germany", set()),
        ("France", "PRESS WITH Atlantis", set()),
    ],
)
def test_each_seat_reads_its_own(world: World, seats: dict[str, str], power: str, line: str, texts: set[str]) -> None:
    assert shown(world, seats, power, line) == texts


def test_unsigned_press_stays_unsigned(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(player("France"), seats["France"], "PRESS WITH ALL"))
    assert "From somebody to France" in said
    assert "From you to Germany (S1901M, " in said


def test_postal_press_is_there_when_it_was_delivered_and_years_are_those_of_the_game(
    world: World, seats: dict[str, str]
) -> None:
    order_all(world, seats)
    assert world.phase() == "F1901M"
    assert "not delivered yet" in shown(world, seats, "France", "PRESS WITH Germany 1901")


def test_who_takes_over_a_power_does_not_read_what_was_written_before(world: World, seats: dict[str, str]) -> None:
    world.pass_time(hours=1)
    world.send(player("Germany"), seats["Germany"], "RESIGN spring")
    world.send("new@players.example", BASE, "TAKEOVER spring AS Germany")
    (germany,) = [one for one in world.seats() if one.power == "Germany"]
    assert germany.person is not None
    assert germany.person.addresses == ("new@players.example",)
    address = world.service.identity.address_of(world.game(), germany)
    said = text_of(world.send("new@players.example", address, "PRESS WITH France"))
    assert "You have no press with France" in said.replace("\n", " ")
    world.send(player("France"), seats["France"], "PRESS TO Germany\nwelcome\nENDPRESS")
    assert "welcome" in text_of(world.send("new@players.example", address, "PRESS WITH France"))
