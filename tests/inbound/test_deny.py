"""DENY: the gamemaster keeps somebody out of a game, and whoever tries is told so."""

from __future__ import annotations

import pytest

from tests.server.world import BASE, World, player, reply_to, text_of

MASTER, EVE = "master@example.org", "eve@elsewhere.example"
REFUSED = "The gamemaster of club does not admit you to this game."


@pytest.fixture
def chair(world: World) -> str:
    """The gamemaster's address in a game that is forming."""
    return reply_to(world.send(MASTER, BASE, "CREATE club"))


def test_an_applicant_is_refused_and_told(world: World, chair: str) -> None:
    seat = reply_to(world.send(EVE, BASE, "JOIN club"))
    said = text_of(world.send(MASTER, chair, f"DENY {EVE}"))
    assert f"{EVE} is not admitted to club, and is told so whenever they try. They had a seat" in said
    told = world.last(EVE)
    assert "You are not admitted" in str(told["Subject"])
    assert "has not admitted you to the game" in text_of(told)
    assert not world.game("club").held
    assert REFUSED in text_of(world.send(EVE, BASE, "JOIN club"))
    assert "You have a seat" not in text_of(world.send(EVE, seat, "JOIN club"))


@pytest.mark.parametrize("line", ["JOIN club", "OBSERVE club", "STANDBY club"])
def test_who_was_never_in_it_is_kept_out_without_a_mail(world: World, chair: str, line: str) -> None:
    world.send(MASTER, chair, f"DENY {EVE.upper()}")
    assert EVE not in world.mailboxes
    assert REFUSED in text_of(world.send(EVE, BASE, line))
    assert "You have a seat" in text_of(world.send("ann@players.example", BASE, "JOIN club"))


def test_another_address_of_the_same_person_does_not_help(world: World, chair: str) -> None:
    world.send(EVE, BASE, "REGISTER Eve\nADDRESS ADD eve@second.example")
    world.send("eve@second.example", reply_to(world.last("eve@second.example")), "YES")
    world.send(MASTER, chair, f"DENY {EVE}")
    assert REFUSED in text_of(world.send("eve@second.example", BASE, "JOIN club"))


def test_nor_does_one_that_was_removed(world: World, chair: str) -> None:
    other = "eve@second.example"
    world.send(EVE, BASE, "JOIN club")
    world.send(EVE, BASE, f"ADDRESS ADD {other}")
    world.accepts(other)
    world.send(EVE, BASE, f"ADDRESS REMOVE {other}")
    world.send(other, BASE, "REGISTER Other")
    world.send(MASTER, chair, f"DENY {EVE}")
    assert REFUSED in text_of(world.send(other, BASE, "JOIN club"))
    world.send(MASTER, chair, f"DENY {other} OFF")
    assert REFUSED not in text_of(world.send(EVE, BASE, "JOIN club")), "they are one person"


@pytest.mark.parametrize("again", [f"DENY {EVE} OFF", f"INVITE {EVE}"])
def test_it_can_be_undone(world: World, chair: str, again: str) -> None:
    world.send(MASTER, chair, f"DENY {EVE}")
    assert "could not be acted on" not in text_of(world.send(MASTER, chair, again))
    assert "You have a seat" in text_of(world.send(EVE, BASE, "JOIN club"))
    assert f"{EVE} is not kept out of club." in text_of(world.send(MASTER, chair, f"DENY {EVE} OFF"))


def test_an_invitation_that_is_open_does_not_admit(world: World, chair: str) -> None:
    world.send(MASTER, chair, f"INVITE {EVE}")
    world.send(MASTER, chair, f"DENY {EVE}")
    assert REFUSED in text_of(world.accepts(EVE))


def test_in_a_running_game_the_player_is_ejected_first(world: World, seats: dict[str, str]) -> None:
    italy = player("Italy")
    said = text_of(world.send(MASTER, seats["GM"], f"DENY {italy}"))
    assert f"EJECT Italy takes the power from them; then DENY {italy} keeps them away." in said
    world.send(MASTER, seats["GM"], f"EJECT Italy\nDENY {italy}")
    assert "does not admit you" in text_of(world.send(italy, BASE, "TAKEOVER spring"))
    world.send(MASTER, seats["GM"], f"REPLACE Italy WITH {italy}")
    assert "You play Italy" in text_of(world.accepts(italy)), "who is asked is admitted"


def test_an_observer_and_a_deputy_are_kept_out(world: World, seats: dict[str, str]) -> None:
    world.send(EVE, BASE, "OBSERVE spring")
    world.send(MASTER, seats["GM"], f"DENY {EVE}")
    assert not [seat for seat in world.game().observers if seat.person]
    world.send(player("Italy"), seats["Italy"], f"DEPUTY {EVE}")
    assert "does not admit you" in text_of(world.accepts(EVE))


def test_a_gamemaster_cannot_be_denied_and_one_who_plays_learns_nothing(world: World, chair: str) -> None:
    assert "is a gamemaster of club" in text_of(world.send(MASTER, chair, f"DENY {MASTER}"))
    hidden = reply_to(world.send(MASTER, BASE, "CREATE masks anonymous=yes"))
    world.send(MASTER, BASE, "JOIN masks")
    for one in (EVE, "ann@players.example"):
        assert "you may not know who else does" in text_of(world.send(MASTER, hidden, f"DENY {one}"))


def test_before_a_secret_seat_is_dealt_it_does_not_say_who_has_joined(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE club variant=among-us"))
    world.send(EVE, BASE, "JOIN club")
    said = [text_of(world.send(MASTER, chair, f"DENY {who}")) for who in (EVE, "ann@players.example")]
    assert "If they had a seat, they are told that they have it no longer." in said[0]
    assert said[0].replace(EVE, "X") == said[1].replace("ann@players.example", "X")


def test_neither_the_log_nor_undo_tells_of_it(world: World, chair: str) -> None:
    world.send(MASTER, chair, f"COMMENT Friday\nDENY {EVE}")
    assert EVE not in text_of(world.send(MASTER, chair, "LOG"))
    assert "COMMENT is undone" in text_of(world.send(MASTER, chair, "UNDO"))
