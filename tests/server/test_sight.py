"""Nobody who has known a seat's secrets gets another one: not in that phase, however it is played again, and in games
that keep secrets to the end not at all. Everything that gives a seat asks the same question.
"""

from __future__ import annotations

import pytest

from gm.store import sights
from tests.server.kept import kept
from tests.server.world import BASE, World, player, reply_to, text_of

MASTER, ANN, BOB = "master@example.org", player("France"), "bob@example.net"
ITALY, GERMANY = player("Italy"), player("Germany")
KNOWS = "You played France in spring in S1901M, and know its orders and press."
WHEN = "You can play another power when S1901M has been adjudicated, and France itself at once if it is free."


def said(world: World, who: str, to: str, text: str) -> str:
    return " ".join(text_of(world.send(who, to, text)).split())


@kept
def left(world: World, options: str = "") -> dict[str, str]:
    """A game in its first phase that France has left, and from which Italy has been taken."""
    seats = world.started("spring", options)
    world.send(ANN, seats["France"], "RESIGN spring")
    world.send(MASTER, seats["GM"], "EJECT Italy")
    return seats


def adjudicated(world: World, seats: dict[str, str]) -> None:
    phase = world.phase()
    world.send(MASTER, seats["GM"], f"PROCESS {phase}")
    if world.game().in_review:
        world.pass_time(days=2)
    assert world.phase() != phase


def own(world: World) -> str:
    """The address of the power that the gamemaster plays."""
    game = world.game()
    return world.service.identity.address_of(game, next(one for one in game.players if one.power == "France"))


def test_whoever_has_ordered_for_a_power_takes_no_other_in_that_phase(world: World) -> None:
    seats = left(world)
    assert f"{KNOWS} {WHEN}" in said(world, ANN, BASE, "TAKEOVER spring AS Italy")
    assert "You play France in spring." in said(world, ANN, BASE, "TAKEOVER spring AS France")
    world.send(ANN, reply_to(world.last(ANN)), "RESIGN spring")
    adjudicated(world, seats)
    assert "You play Italy in spring." in said(world, ANN, BASE, "TAKEOVER spring AS Italy")


def test_neither_another_address_nor_another_account_hides_it(world: World) -> None:
    seats = world.started()
    world.send(ANN, seats["France"], "ADDRESS ADD ann@elsewhere.example")
    world.accepts("ann@elsewhere.example")
    world.send(MASTER, seats["GM"], "EJECT Italy")
    world.send(ANN, seats["France"], "RESIGN spring")
    world.send(ANN, BASE, f"ADDRESS ann@elsewhere.example\nADDRESS REMOVE {ANN}")
    world.send("ann@elsewhere.example", BASE, "ADDRESS ADD ann@third.example")
    world.accepts("ann@third.example")
    world.send("ann@third.example", BASE, "ADDRESS REMOVE ann@elsewhere.example")
    assert KNOWS in said(world, "ann@third.example", BASE, "TAKEOVER spring AS Italy")
    world.send("ann@third.example", BASE, "FORGET ME")
    assert KNOWS in said(world, ANN, BASE, "TAKEOVER spring AS Italy"), "a new account with an address of the old one"
    with world.looking() as session:
        assert ANN not in str(session.query(sights.SightRow.who).all()), "no address is kept"


def test_a_phase_that_is_played_again_is_the_same_phase(world: World) -> None:
    seats = world.started()
    adjudicated(world, seats)
    world.send(MASTER, seats["GM"], "EJECT Italy")
    world.send(ANN, seats["France"], "RESIGN spring")
    knows = KNOWS.replace("S1901M", "F1901M")
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    assert knows in said(world, ANN, BASE, "TAKEOVER spring AS Italy"), "it was later than what is played now"
    world.send(MASTER, seats["GM"], "ROLLFORWARD")
    assert knows in said(world, ANN, BASE, "TAKEOVER spring AS Italy")
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    adjudicated(world, seats)
    assert world.phase() == "F1901M"
    assert knows in said(world, ANN, BASE, "TAKEOVER spring AS Italy"), "orders are kept for it"
    adjudicated(world, seats)
    assert "You play Italy in spring." in said(world, ANN, BASE, "TAKEOVER spring AS Italy")


SECOND = "second@example.org"


@kept
def with_own_power(world: World) -> tuple[str, str]:
    """A game whose gamemaster plays France, with another one who does not; the addresses of both."""
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring"))
    for power in ("Austria", "England", "Germany", "Italy", "Russia", "Turkey"):
        world.send(player(power), BASE, f"JOIN spring AS {power}")
    world.send(MASTER, BASE, "JOIN spring AS France")
    world.send(MASTER, chair, f"START\nPROMOTE {SECOND}")
    return chair, reply_to(next(mail for mail in world.mailboxes[SECOND] if "spring" in reply_to(mail)))


def test_a_gamemaster_who_has_given_up_a_power_does_not_get_it_back(world: World) -> None:
    """One resigned a power, read all orders with PREVIEW, and took the power over again."""
    chair, second = with_own_power(world)
    world.send(MASTER, own(world), "RESIGN spring")
    assert "trial adjudication" in said(world, MASTER, chair, "PREVIEW")
    runs = "You run spring without playing, so you may know everybody's orders and press."
    first = "First give that up (RESIGN, from your gamemaster's address), then wait for the next phase."
    for line in ("TAKEOVER spring AS France", "TAKEOVER spring", "STANDBY spring"):
        assert f"{runs} {first}" in said(world, MASTER, BASE, line)
    world.send(MASTER, chair, "RESIGN spring")
    ran = "You ran spring in S1901M without playing, so you may know everybody's orders and press."
    assert f"{ran} You can play when S1901M has been adjudicated." in said(world, MASTER, BASE, "TAKEOVER spring")
    world.send(SECOND, second, "PROCESS S1901M")
    assert "You play France in spring." in said(world, MASTER, BASE, "TAKEOVER spring")


def test_a_gamemaster_who_plays_has_seen_no_more_than_their_power(world: World) -> None:
    chair, _ = with_own_power(world)
    world.send(MASTER, chair, "RESIGN spring")
    world.send(MASTER, own(world), "RESIGN spring")
    assert "You play France in spring." in said(world, MASTER, BASE, "TAKEOVER spring AS France")


def test_undo_gives_no_power_back_to_who_can_see_all_orders_since(world: World) -> None:
    _, second = with_own_power(world)
    world.send(SECOND, second, "EJECT France")
    assert "The player of France is not free any more." in said(world, SECOND, second, "UNDO")


def test_whoever_is_asked_to_play_learns_it_with_their_yes(world: World) -> None:
    seats = left(world)
    world.send(MASTER, seats["GM"], f"REPLACE Italy WITH {ANN}")
    assert KNOWS in text_of(world.accepts(ANN))
    world.send(MASTER, seats["GM"], f"INVITE {ANN} AS Italy")
    assert KNOWS in text_of(world.accepts(ANN))
    adjudicated(world, seats)
    assert "You play Italy in spring." in text_of(world.accepts(ANN)), "the question was still open"


def test_nobody_deputizes_who_has_ordered_for_another_power_in_that_phase(world: World) -> None:
    seats = left(world)
    before = len(world.mailboxes[ANN])
    asked = said(world, GERMANY, seats["Germany"], f"DEPUTY {ANN}")
    assert len(world.mailboxes[ANN]) == before, "or they would learn who plays Germany"
    assert asked == said(world, GERMANY, seats["Germany"], f"DEPUTY {BOB}").replace(BOB, ANN)
    world.send(GERMANY, seats["Germany"], f"DEPUTY NONE\nDEPUTY {BOB}")
    world.send(BOB, BASE, "TAKEOVER spring AS Italy")
    world.send(BOB, reply_to(world.last(BOB)), "RESIGN spring")
    assert "You played Italy in spring in S1901M" in text_of(world.accepts(BOB))
    adjudicated(world, seats)
    assert "You are the deputy of Germany" in text_of(world.accepts(BOB))


def test_the_standby_list_passes_over_who_has_ordered_for_another_power_until_the_phase_is_over(world: World) -> None:
    seats = left(world)
    assert "You are on the standby list" in said(world, ANN, BASE, "STANDBY spring")
    world.send(GERMANY, seats["Germany"], "RESIGN spring")
    assert "A seat for you" not in str(world.last(ANN)["Subject"])
    adjudicated(world, seats)
    offered = next(mail for mail in world.mailboxes[ANN] if "A seat for you" in str(mail["Subject"]))
    assert "TAKEOVER spring AS France" in text_of(offered)


def test_a_start_that_is_taken_back_is_forgotten(world: World) -> None:
    seats = left(world)
    assert KNOWS in said(world, ANN, BASE, "TAKEOVER spring AS Italy")
    world.send(MASTER, seats["GM"], "UNSTART spring")
    world.send(ANN, BASE, "JOIN spring")
    world.send(ITALY, BASE, "JOIN spring")
    world.send(MASTER, seats["GM"], "START spring")
    world.send(MASTER, seats["GM"], f"EJECT {world.game().seats_of(world.game().people[_id(world, GERMANY)])[0].power}")
    assert "You play" in said(world, GERMANY, BASE, "TAKEOVER spring")


def _id(world: World, email: str) -> int:
    return next(key for key, person in world.game().people.items() if email in person.addresses)


@pytest.mark.parametrize("options", ["variant=black-hole"])
def test_what_is_secret_to_the_end_is_known_to_the_end(world: World, options: str) -> None:
    """Which home centre of France is exempt matters as long as the game lasts."""
    seats = left(world, options)
    for _ in range(2):
        assert "keeps secrets to the end of the game" in said(world, ANN, BASE, "TAKEOVER spring AS Italy")
        assert "keeps secrets to the end of the game" in said(world, ANN, BASE, "STANDBY spring")
        adjudicated(world, seats)
    assert "You play France in spring." in said(world, ANN, BASE, "TAKEOVER spring AS France")


def test_a_former_alien_becomes_no_host(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
    for number in range(8):
        world.send(f"p{number}@example.net", BASE, "JOIN spring")
    world.send(MASTER, chair, "START")
    game = world.game()
    alien, host = (next(seat for seat in game.players if game.is_secret(seat) is secret) for secret in (True, False))
    assert alien.person is not None
    who = alien.person.reachable
    world.send(MASTER, chair, f"EJECT {host.power}")
    world.send(MASTER, chair, f"REPLACE {alien.power} WITH {BOB}")
    world.accepts(BOB)
    adjudicated(world, {"GM": chair})
    assert "keeps secrets to the end of the game" in said(world, who, BASE, "TAKEOVER spring")
    assert "keeps secrets to the end of the game" in said(world, who, BASE, "STANDBY spring")
