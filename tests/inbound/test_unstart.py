"""UNSTART: a game that was started too early forms again, and nothing of the start is left."""

from __future__ import annotations

import pytest

from gm.store.game_rows import GameState
from gm.variants.standard import POWERS
from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of

MASTER = "master@example.org"


def unstart(world: World, seats: dict[str, str]) -> str:
    return text_of(world.send(MASTER, seats["GM"], "UNSTART spring"))


def test_the_game_forms_again_and_everybody_is_told_in_one_sentence(world: World, seats: dict[str, str]) -> None:
    held = {seat.id: seat.person and seat.person.id for seat in world.game().players}
    world.send(player("France"), seats["France"], OPENINGS["France"])
    said = unstart(world, seats)
    assert "The start of spring is taken back: it is forming again." in said
    assert "7 of 7 seats are taken. START spring begins it." in said
    game = world.game()
    assert (game.state, game.phase, game.due_at, dict(game.orders)) == (GameState.FORMING, None, None, {})
    assert {seat.id: seat.person and seat.person.id for seat in game.players} == held
    assert {seat.power for seat in game.players} == {None}
    told = world.last(player("France"))
    assert "The start is taken back" in str(told["Subject"])
    assert "it is forming again, you keep your seat and its address, and powers are dealt" in text_of(told)
    (calendar,) = [one for one in told.iter_attachments() if one.get_filename() == "deadline.ics"]
    assert "METHOD:CANCEL" in calendar.get_content().replace("\r", "")


def test_nothing_is_due_or_acted_on_meanwhile(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], "SCHEDULE in 2h: PROCESS\nMUSTER")
    world.send(player("Italy"), seats["Italy"], "PHASE F1901M\nA VEN H\nENDPHASE")
    unstart(world, seats)
    before = {who: len(mails) for who, mails in world.mailboxes.items()}
    world.pass_time(days=30)
    assert {who: len(mails) for who, mails in world.mailboxes.items()} == before
    assert len(world.game().held) == 7
    world.send(player("France"), seats["France"], OPENINGS["France"])
    assert not world.game().orders
    assert "The game spring is forming" in text_of(world.send(player("France"), seats["France"], "STATUS"))
    for line in ("HISTORY", "SUMMARY", "POSITION", "MAP", "LOG", "DASHBOARD", "MY ORDERS", "PREVIEW", "PRESS WITH ALL"):
        assert text_of(world.send(MASTER, seats["GM"], line))


def test_a_game_with_stand_ins_starts_again(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring standins=yes"))
    for power in ("France", "Italy"):
        world.send(player(power), BASE, "JOIN spring")
    for _ in range(2):
        assert "The game spring has begun." in text_of(world.send(MASTER, chair, "START"))
        assert {seat.power for seat in world.game().players if seat.power} == set(POWERS)
        assert "The start of spring is taken back" in text_of(world.send(MASTER, chair, "UNSTART spring"))


def test_it_starts_again_with_the_same_seats_and_the_time_of_a_first_phase(world: World, seats: dict[str, str]) -> None:
    world.send(player("France"), seats["France"], OPENINGS["France"] + "\nDRAW")
    unstart(world, seats)
    world.pass_time(days=2)
    world.send(MASTER, seats["GM"], "SET first=9d")
    world.send(MASTER, seats["GM"], "START spring")
    game = world.game()
    assert (game.state, world.phase(), dict(game.orders)) == (GameState.RUNNING, "S1901M", {})
    assert {seat.power for seat in game.held} == set(POWERS)
    assert game.due_at is not None
    assert (game.due_at - world.time).days == 9
    for power in POWERS:
        assert "the game begins" in str(world.last(player(power))["Subject"])
        assert reply_to(world.last(player(power))) == seats[power], "the address is as it was"
        world.send(player(power), seats[power], OPENINGS[power])
    assert world.phase() == "F1901M"
    assert "S1901M" in text_of(world.send(player("Italy"), seats["Italy"], "HISTORY"))
    said = text_of(world.send(MASTER, seats["GM"], "UNSTART spring"))
    assert "A phase of spring has been played, so its start cannot be taken back." in said


@pytest.mark.parametrize("cites", [True, False])
def test_orders_after_another_start_are_not_asked_about(world: World, seats: dict[str, str], cites: bool) -> None:
    """Nothing was known of the start that was taken back, so it makes no difference which one a mail answers."""
    opening = world.last(player("France"))
    world.pass_time(hours=2)
    unstart(world, seats)
    world.pass_time(minutes=5)
    world.send(MASTER, seats["GM"], "START spring")
    world.pass_time(minutes=5)
    world.send(player("France"), seats["France"], "STATUS")
    headers = {"In-Reply-To": str(opening["Message-ID"]) if cites else ""}
    world.send(player("France"), seats["France"], "A PAR-BUR", headers=headers)
    assert not [mail for mail in world.mailboxes[player("France")] if "+confirm." in reply_to(mail)]
    assert "A Par-Bur" in text_of(world.send(player("France"), seats["France"], "MY ORDERS"))


def test_others_may_join_and_the_powers_are_dealt_anew(world: World, seats: dict[str, str]) -> None:
    unstart(world, seats)
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    assert "6 of 7 seats are taken" in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    world.send("eve@example.net", BASE, "JOIN spring AS Italy")
    world.send(MASTER, seats["GM"], "START spring")
    italy = next(seat for seat in world.game().held if seat.power == "Italy")
    assert italy.person is not None
    assert italy.person.addresses == ("eve@example.net",)


def test_press_of_before_is_not_signed_with_another_power(world: World, seats: dict[str, str]) -> None:
    world.send(player("Italy"), seats["Italy"], "PRESS TO ALL\nI am Italy.\nENDPRESS")
    unstart(world, seats)
    with world.looking() as session:
        from gm.store.records import press_of

        assert [row.phase_id for row in press_of(session, world.game().id)] == [None]


def test_a_digest_does_not_bring_the_opening_of_a_start_that_was_taken_back(world: World) -> None:
    created = world.send(MASTER, BASE, "CREATE spring")
    for power in POWERS:
        world.send(player(power), BASE, f"JOIN spring AS {power}")
    world.send(player("Italy"), reply_to(world.last(player("Italy"))), "PREFERENCES digest=07:00")
    world.send(MASTER, reply_to(created), "START spring\nUNSTART spring")
    world.pass_time(hours=24)
    said = " ".join(text_of(mail) for mail in world.mailboxes[player("Italy")][2:])
    assert "it is forming again" in said
    assert "The game spring (Diplomacy) begins" not in said


@pytest.mark.parametrize("line", ["UNSTART", "UNSTART autumn"])
def test_it_needs_the_name_of_the_game(world: World, seats: dict[str, str], line: str) -> None:
    assert "could not be acted on" in text_of(world.send(MASTER, seats["GM"], line))
    assert world.game().running


def test_a_game_that_would_start_by_itself_waits_for_its_gamemaster(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE club start=full"))
    for power in POWERS:
        world.send(player(power), BASE, f"JOIN club AS {power}")
    assert world.game("club").running
    world.send(MASTER, chair, "UNSTART club")
    world.send(player("Italy"), BASE, "JOIN club AS France")
    assert world.game("club").state is GameState.FORMING
    world.send(MASTER, BASE, "CREATE winter LIKE club")
    assert world.game("winter").options.start == "full", "as club was created"


def test_a_game_like_one_that_was_started_by_its_gamemaster_is_too(world: World, seats: dict[str, str]) -> None:
    unstart(world, seats)
    world.send(MASTER, BASE, "CREATE winter LIKE spring")
    assert world.game("winter").options.start == "gm"


def test_deputies_of_before_are_bound_to_no_power(world: World, seats: dict[str, str]) -> None:
    """Powers are dealt anew: to be asked by the same player, who has another power, is possible; by any other,
    when that phase is over.
    """
    ann, bob, carol = player("France"), "bob@example.net", "carol@example.net"
    world.send(ann, seats["France"], f"DEPUTY {bob}")
    world.accepts(bob)
    old = reply_to(world.last(bob))
    world.send(player("Turkey"), seats["Turkey"], f"DEPUTY {carol}")
    unstart(world, seats)
    assert "it is forming again. You no longer order for France." in text_of(world.last(bob))
    assert "withdrawn" in text_of(world.accepts(carol))
    assert "is not a seat's address" in text_of(world.send(bob, old, "A PAR-BUR"))
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    world.send(ann, BASE, "JOIN spring AS Italy")
    world.send("eve@example.net", BASE, "JOIN spring AS France")
    world.send(MASTER, seats["GM"], "START spring")
    mine = {seat.person.addresses[0]: seat.power for seat in world.game().held if seat.person is not None}
    assert mine[ann] == "Italy"

    def is_asked(asker: str, seat: str) -> bool:
        said = text_of(world.send(asker, seats[seat], f"DEPUTY {bob}"))
        assert f"{bob} is asked to order for {mine[asker]}" in said
        return f"asks you to order for {mine[asker]}" in text_of(world.last(bob))

    assert not is_asked(player("Germany"), "Germany"), "not while what they have seen may be played again"
    assert is_asked(ann, "France")
    world.accepts(bob)
    assert "you order for Italy as deputy" in str(world.last(bob)["Subject"])
    assert "A Ven-Apu" in text_of(world.send(bob, reply_to(world.last(bob)), "A VEN-APU"))
