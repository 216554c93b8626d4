"""Digests: where an answer to what they hold goes, by which address."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from gm.games import loading
from tests.machine.test_digests import FRANCE, begun, orders, plain, press, seats, world
from tests.server.world import World, player, reply_to

__all__ = ["begun", "seats", "world"]


@pytest.mark.parametrize("games", [("spring",), ("spring", "twin")])
def test_it_names_the_present_address_of_a_seat(world: World, seats: dict[str, str], games: tuple[str, ...]) -> None:
    for name in games:
        press(world, name, "England", "hello")
    world.send(FRANCE, seats["spring"], f"PRESS TO Germany\nWrite to me at {seats['spring']}\nENDPRESS")
    world.mailboxes[FRANCE].clear()
    world.pass_time(hours=22)
    digest = next(mail for mail in world.mailboxes[FRANCE] if "hello" in plain(mail))
    former = seats["spring"].partition("@")[0].rpartition(".")[2]
    bodies = [part.get_content() for part in digest.walk() if part.get_content_type().startswith("text/")]
    seat = next(seat for seat in world.seats("spring") if seat.power == "France")
    present = world.service.identity.address_of(world.game("spring"), seat).partition("@")[0].rpartition(".")[2]
    assert former not in digest.as_string()
    assert all(former not in body for body in bodies)
    assert any(present in body for body in bodies)


def test_press_that_comes_by_itself_says_what_a_reply_does(world: World) -> None:
    press(world, "spring", "England", "hello")
    world.pass_time(hours=22)
    (mail,) = world.mailboxes[FRANCE]
    said = " ".join(plain(mail).split())
    assert "as a reply does if this mail came by itself: your whole mail is sent, and no line of it is an order" in said
    before = len(world.mailboxes.get(player("England"), []))
    world.arrive(FRANCE, reply_to(mail), "Yes, gladly. And you?")
    world.work()
    assert len(world.mailboxes[player("England")]) == before + 1
    assert orders(world, "spring") == []


@pytest.mark.parametrize("ended", [0, 1, 2])
def test_its_unsubscribe_works_as_it_stands(world: World, seats: dict[str, str], ended: int) -> None:
    """Whoever presses the button of a mail program names no game, however many they play."""
    for name in ("spring", "twin"):
        press(world, name, "England", "hello")
    world.pass_time(hours=22)
    (digest,) = world.mailboxes[FRANCE]
    for name in ("spring", "twin")[:ended]:
        game = world.game(name)
        address = world.service.identity.address_of(game, next(iter(game.masters)))
        world.send("master@example.org", address, f"TERMINATE {name}")
        assert world.game(name).over
    world.mailboxes[FRANCE].clear()
    link = urlsplit(str(digest["List-Unsubscribe"]).strip("<>"))
    (body,) = parse_qs(link.query)["body"]
    world.arrive(FRANCE, unquote(link.path), body)
    world.work()
    said = " ".join(plain(mail) for mail in world.mailboxes[FRANCE])
    assert "digest=none" in said
    assert "Which game" not in said
    with world.looking() as session:
        person = loading.person_at(session, FRANCE)
    assert person is not None
    assert person.digest is None
