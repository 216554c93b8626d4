"""PRESS WITH: one's own press by partner and year, and nobody else's."""

from __future__ import annotations

import pytest

from gm.variants.standard import POWERS
from tests.machine.test_deadlines import order_all
from tests.machine.test_time import MASTER
from tests.server.kept import kept
from tests.server.world import BASE, World, player, reply_to, text_of

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


def powers_change_hands(world: World, seats: dict[str, str]) -> None:
    """The start is taken back, and the players of France and Germany get each other's power."""
    world.send(MASTER, seats["GM"], "UNSTART spring")
    world.send(player("France"), BASE, "JOIN spring AS Germany")
    world.send(player("Germany"), BASE, "JOIN spring AS France")
    world.send(MASTER, seats["GM"], "START spring")
    powers = {seat.occupant.addresses[0]: seat.power for seat in world.game().held}
    assert (powers[player("France")], powers[player("Germany")]) == ("Germany", "France")


def test_letters_to_a_power_are_not_those_of_whoever_gets_it_when_powers_are_dealt_anew(
    world: World, seats: dict[str, str]
) -> None:
    powers_change_hands(world, seats)
    mine = {"to Germany in spring", "from Germany to two", "from France to all", "from Italy to all"}
    mine |= {"to the gamemaster", "unsigned from Germany"}
    assert shown(world, seats, "France", "PRESS WITH ALL") == mine, "what came to their seat, or is from it"
    for_germany = {"to Germany in spring", "from Italy to all", "from France to all", "from Germany to two"}
    for_germany |= {"not for France", "unsigned from Germany", "not delivered yet"}
    assert shown(world, seats, "Germany", "PRESS WITH ALL") == for_germany


@pytest.mark.parametrize("deal_again", [True, False])
def test_what_was_written_before_the_deal_is_with_nobody_by_name(
    world: World, seats: dict[str, str], deal_again: bool
) -> None:
    """Otherwise it would tell who has which power now of those who wrote before."""
    if deal_again:
        powers_change_hands(world, seats)
    else:
        world.send(MASTER, seats["GM"], "UNSTART spring")
        world.send(MASTER, seats["GM"], "START spring")
    for power in POWERS:
        said = shown(world, seats, "Italy", f"PRESS WITH {power}")
        assert said <= {"from Italy to all"}


def test_a_name_that_is_free_again_does_not_bring_the_letters_to_its_last_bearer(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring variant=outer-space")
    seats = {}
    for who, name in (("bob", "Mirror"), ("ann", "Krell"), ("cat", "Vogon")):
        seats[who] = reply_to(world.send(f"{who}@players.example", BASE, f"JOIN spring AS {name}"))
    world.send("cat@players.example", seats["cat"], "PRESS TO Krell\nLet us fight Mirror.\nENDPRESS")
    assert "You play Zorg." in text_of(world.send("ann@players.example", BASE, "JOIN spring AS Zorg"))
    assert "You play Krell." in text_of(world.send("bob@players.example", BASE, "JOIN spring AS Krell"))
    said = text_of(world.send("bob@players.example", seats["bob"], "PRESS WITH ALL"))
    assert "You have no press with everybody." in said.replace("\n", " ")
    assert "Let us fight Mirror." in text_of(world.send("cat@players.example", seats["cat"], "PRESS WITH ALL"))


def test_an_answer_to_a_letter_of_before_the_deal_does_not_find_its_writer(world: World, seats: dict[str, str]) -> None:
    """Neither are its words sent unasked to whoever has that power now, nor is it said which power its writer has."""
    world.send(player("Italy"), seats["Italy"], "PRESS TO Germany\nfrom Italy to Germany\nENDPRESS")
    letter = world.last(player("Germany"))
    powers_change_hands(world, seats)
    before = len(world.mailboxes[player("Italy")])
    cites = {"In-Reply-To": str(letter["Message-ID"])}
    said = text_of(world.send(player("Germany"), seats["Germany"], "I am with you, my friend.", headers=cites))
    assert "PRESS TO Italy" not in said
    world.arrive(player("Germany"), reply_to(letter), "I am with you, my friend.", headers=cites)
    world.work()
    asked = world.last(player("Germany"))
    assert len(world.mailboxes[player("Italy")]) == before
    assert "its writer may have another now. Nothing was sent" in text_of(asked).replace("\n", " ")
    world.send(player("Germany"), reply_to(asked), "PRESS")
    assert len(world.mailboxes[player("Italy")]) == before + 1
