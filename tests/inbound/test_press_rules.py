"""The options on press: `partners` (neighbours only) and `quiet` (no press in retreats and builds)."""

from __future__ import annotations

import re

import pytest

from gm.errors import GmError, NotPermitted
from gm.options import read_options
from gm.play import press_rules
from gm.variants.standard import POWERS
from tests.server.world import BASE, OPENINGS, World, begun_by, player, reply_to, text_of
from tests.tables import table
from tests.variants.written import WRITTEN

MASTER = "master@example.org"


def write(world: World, seats: dict[str, str], sender: str, to: str, text: str = "Hello.") -> str:
    return text_of(world.send(player(sender), seats[sender], f"PRESS TO {to}\n{text}\nENDPRESS"))


def in_retreats(world: World, options: str) -> dict[str, str]:
    """A game in F1901R, in which Austria's fleet in Trieste must retreat."""
    seats = world.started("spring", options)
    turns = (
        OPENINGS | {"Italy": "A VEN-TYR\nA ROM-VEN\nF NAP-ION", "Austria": "F TRI H\nA VIE-GAL\nA BUD-SER"},
        {"Italy": "A VEN-TRI\nA TYR S A VEN-TRI"},
    )
    for turn in turns:
        for power, lines in turn.items():
            world.send(player(power), seats[power], lines)
    world.send(MASTER, seats["GM"], "PROCESS F1901M")
    return seats


@pytest.mark.parametrize(("sender", "to"), [("France", "England"), ("Austria", "Italy"), ("Russia", "Turkey")])
def test_neighbours_write_to_each_other(world: World, sender: str, to: str) -> None:
    seats = world.started("spring", "partners=neighbours")
    assert f"sent to {to}" in write(world, seats, sender, to)
    assert "Hello." in text_of(world.last(player(to)))


def test_others_are_refused_with_those_who_can_be_written_to(world: World) -> None:
    seats = world.started("spring", "partners=neighbours")
    before = len(world.mailboxes[player("Turkey")])
    said = write(world, seats, "England", "Turkey, France")
    assert "players write to their neighbours only, and Turkey is no neighbour of yours" in said
    assert "You can write to France now; PRESS TO ALL reaches everybody" in said
    assert len(world.mailboxes[player("Turkey")]) == before
    assert "Hello." not in text_of(world.last(player("France"))), "nothing of it is sent"
    assert "sent to GM" in write(world, seats, "England", "GM")
    assert "Press sent to" in text_of(world.send(MASTER, seats["GM"], "PRESS TO Turkey\nHello.\nENDPRESS"))


def test_a_broadcast_reaches_all_and_its_writer_is_answered_by_neighbours_only(world: World) -> None:
    seats = world.started("spring", "partners=neighbours")
    write(world, seats, "England", "ALL")
    assert "+spring.to-england." in str(world.last(player("France"))["Reply-To"])
    answer = reply_to(world.last(player("Turkey")))
    assert "england" not in answer
    assert "sent to all" in text_of(world.send(player("Turkey"), answer, "Good evening to all."))


def test_who_is_a_neighbour_changes_with_the_units(world: World) -> None:
    seats = world.started("spring", "partners=neighbours")
    assert "no neighbour" in write(world, seats, "England", "Germany")
    for power, lines in OPENINGS.items():
        world.send(player(power), seats[power], lines)
    assert world.phase() == "F1901M"
    assert "sent to Germany" in write(world, seats, "England", "Germany"), "F Nth and F Den"


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_in_every_game_a_neighbour_is_told_from_what_the_sender_sees(name: str, world: World) -> None:
    created = world.send(MASTER, BASE, f"CREATE club variant={name} partners=neighbours")
    for number in range(world.game("club").variant.seating.fewest):
        own = f" AS Krell{'abcdefgh'[number]}" if world.game("club").variant.seating.name is not None else ""
        world.send(f"pat{number}@players.example", BASE, f"JOIN club{own}")
    world.send(MASTER, reply_to(created), "START")
    game = world.game("club")
    for seat in game.players:
        near = press_rules.neighbours(game, seat)
        assert near is not None
        assert not {seat.power, "the Alien"} & set(near), "who is hidden is nobody's neighbour"
        for power in set(game.powers) - {*near, seat.power}:
            with pytest.raises(NotPermitted):
                press_rules.check(game, seat, [power])


def test_there_is_no_press_in_a_quiet_phase(world: World) -> None:
    seats = in_retreats(world, "quiet=retreats,builds")
    assert world.phase() == "F1901R"
    said = write(world, seats, "France", "England")
    assert "In spring there is no press between players in retreat and build phases." in said
    assert "no press" in write(world, seats, "France", "ALL")
    assert "sent to GM" in write(world, seats, "France", "GM")
    assert "Press sent to" in text_of(world.send(MASTER, seats["GM"], "PRESS TO France\nHello.\nENDPRESS"))
    world.send(MASTER, seats["GM"], "SET quiet=builds")
    assert "sent to England" in write(world, seats, "France", "England")


def test_the_terms_say_it(world: World) -> None:
    seats = world.started("spring", "partners=neighbours quiet=retreats")
    rules = "none in retreat phases; in private to neighbours only"
    assert f"signed with the power; {rules}" in text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))
    assert f"white press ({rules})" in text_of(world.send(player("Italy"), seats["Italy"], "LIST"))


@pytest.mark.parametrize(
    ("text", "value"), [("none", None), ("builds", ("builds",)), ("Builds, retreat", ("retreats", "builds"))]
)
def test_the_phases_are_read(text: str, value: object) -> None:
    assert read_options({"quiet": text}).value("quiet") == value


def test_another_phase_is_refused() -> None:
    with pytest.raises(GmError, match="'moves' is not a possible value"):
        read_options({"quiet": "retreats,moves"})


def test_every_power_is_somebodys_neighbour(world: World) -> None:
    world.started("spring", "partners=neighbours")
    game = world.game()
    assert all(press_rules.neighbours(game, seat) for seat in game.players)
    assert {seat.power for seat in game.players} == set(POWERS)


def test_rules_for_press_where_there_is_none_are_said_to_do_nothing(world: World) -> None:
    created = world.send(MASTER, BASE, "CREATE mute press=none partners=neighbours quiet=builds")
    said = text_of(created)
    assert "With press=none, partners=neighbours does nothing." in said
    assert "With press=none, quiet=builds does nothing." in said
    assert "does nothing" not in text_of(world.send(MASTER, reply_to(created), "SET press=white"))
    assert "does nothing" in text_of(world.send(MASTER, reply_to(created), "SET press=none"))
    assert "does nothing" not in text_of(world.send(MASTER, BASE, "CREATE other press=none"))


def test_in_a_game_that_keeps_secret_who_has_ordered_it_is_said_that_progress_does_nothing(world: World) -> None:
    idle = "Since the game keeps secret who has ordered, progress=yes does nothing."
    created = world.send(MASTER, BASE, "CREATE mist fog progress=yes")
    assert idle in text_of(created)
    world.send(player("France"), BASE, "JOIN mist")
    assert "does nothing" not in text_of(world.send(MASTER, reply_to(created), "SET progress=no"))
    assert idle in text_of(world.send(MASTER, reply_to(created), "SET progress=yes"))
    assert "does nothing" not in text_of(world.last(player("France")))
    assert "does nothing" not in text_of(world.send(MASTER, BASE, "CREATE clear progress=yes"))


# ---- what is offered


def offered_press(answer: str) -> list[str]:
    """To whom a mail offers to write."""
    return re.findall(r"PRESS TO ([A-Z][\w ,]*?)(?: /|,? below| on a line)", answer)


@table("""
    options            | line                                | said
    | England: shall we talk about the Channel?         | PRESS TO England
    press=none         | England: shall we talk about it?    | is played without press
    partners=neighbours | Turkey: shall we talk about it?    | Turkey is no neighbour of yours
    | how do I write to England?                        | PRESS TO England
    press=none         | how do I write to England?          | PRESS TO GM
    partners=neighbours | how do I write to Turkey?          | PRESS TO England
    """)
def test_press_is_offered_only_where_it_would_be_sent(world: World, options: str, line: str, said: str) -> None:
    seats = world.started("spring", options)
    answer = text_of(world.send(player("France"), seats["France"], line))
    assert said in answer
    for to in offered_press(answer):
        assert f"sent to {to}" in write(world, seats, "France", to)


def test_nothing_is_offered_to_powers_that_nobody_plays(world: World) -> None:
    seats = begun_by(world, player("France"), BASE, "SANDBOX outer-space")
    answer = text_of(world.send(player("France"), reply_to(seats), "Krell: shall we talk about Paris, please?"))
    assert not offered_press(answer)
    assert "The seat of Krell is vacant" in answer
