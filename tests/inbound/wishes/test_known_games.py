"""Of a game that is not listed only those know who are in it or asked to it; for others it does not exist."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from gm.commands import status
from gm.games import loading
from gm.games.snapshot import Game
from gm.store.game_rows import GameState
from tests.server.kept import kept
from tests.server.world import BASE, World, player, reply_to, text_of

MASTER, EVE, ANN = "master@example.org", "eve@elsewhere.example", "ann@example.net"
ASKING = (
    *("STATUS {}", "POSITION {}", "MAP {}", "HISTORY {}", "HISTORY {} ALL", "SUMMARY {}", "EXPORT {}", "WHY {} A PAR"),
    *("OBSERVE {}", "WATCH {}", "JOIN {}", "JOIN {} AS France", "TAKEOVER {}", "STANDBY {}", "STANDBY {} OFF"),
    *(
        "UNOBSERVE {}",
        "RULES {}",
        "SANDBOX {}",
        "STOP {}",
        "CREATE mine like={}",
        "LIST ALL",
        "LIST AFTER {}",
        "JOIN {}\nA PAR-BUR",
    ),
)


def said(world: World, who: str, to: str, text: str) -> str:
    return text_of(world.send(who, to, text))


@kept
def unlisted_game(world: World, state: str) -> str:
    """The gamemaster's address of an unlisted game that is forming, or running with a vacant seat."""
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring"))
    if state == "running":
        for number in range(7):
            world.send(f"p{number}@example.net", BASE, "JOIN spring")
        world.send(MASTER, chair, "START\nEJECT France")
    world.send(MASTER, chair, "SET listed=no")
    return chair


@pytest.mark.parametrize("state", ["forming", "running"])
@pytest.mark.parametrize("line", ASKING)
def test_a_stranger_learns_nothing_of_a_game_that_is_not_listed(world: World, state: str, line: str) -> None:
    unlisted_game(world, state)
    there = said(world, EVE, BASE, line.format("spring"))
    other = said(world, "eva@elsewhere.example", BASE, line.format("sprung"))
    assert there.replace("spring", "X").replace("Eve", "Eva") == other.replace("sprung", "X")


def hidden(world: World, kind: str) -> str:
    """The address at which its holder writes to a game of which others may not know."""
    if kind in ("forming", "running"):
        return unlisted_game(world, kind)
    world.send(ANN, BASE, kind)
    return reply_to(world.last(ANN))


@pytest.mark.parametrize("kind", ["forming", "running", "SANDBOX standard", "PRACTICE"])
def test_a_name_that_is_taken_by_a_hidden_game_is_refused_like_one_that_cannot_be(world: World, kind: str) -> None:
    hidden(world, kind)
    name = next(game for game in games(world) if not game.is_known_to(None)).name
    never = {"S": "sandbox-99", "P": "practice-99"}.get(kind[0], "confirm")
    there = said(world, EVE, BASE, f"CREATE {name}").replace(name, "X")
    assert there == said(world, "eva@elsewhere.example", BASE, f"CREATE {never}").replace(never, "X").replace(
        "Eva", "Eve"
    )
    assert "'X' cannot be a game's name" in there


def games(world: World) -> Sequence[Game]:
    with world.looking() as session:
        return loading.load(session, loading.IN_STATES, {"states": tuple(GameState)})


def test_who_is_asked_knows_of_it(world: World) -> None:
    chair = unlisted_game(world, "running")
    world.send(MASTER, chair, f"INVITE {ANN}")
    assert "The game is running" in said(world, ANN, BASE, "STATUS spring")
    assert "You play France in spring." in text_of(world.accepts(ANN))
    world.send(MASTER, chair, f"REPLACE Italy WITH {EVE}")
    assert "not invited to spring again" in said(world, EVE, BASE, "STOP spring"), "as the question says"


def test_who_was_in_it_knows_of_it(world: World) -> None:
    unlisted_game(world, "running")
    game = world.game()
    mine = next(seat for seat in game.held if seat.power == "Italy")
    assert mine.person is not None
    who = mine.person.reachable
    world.send(who, world.service.identity.address_of(game, mine), "RESIGN spring")
    assert "You play Italy in spring." in said(world, who, BASE, "TAKEOVER spring AS Italy")


def test_who_is_on_its_standby_list_knows_of_it(world: World) -> None:
    seats = world.started()
    world.send(EVE, BASE, "STANDBY spring")
    world.send(MASTER, seats["GM"], "SET listed=no")
    assert "You are off the standby list of spring." in said(world, EVE, BASE, "STANDBY spring OFF")
    assert "There is no game 'spring'" in said(world, EVE, BASE, "STANDBY spring")


# ---- press is stopped by the name under which it is shown


def test_stopping_press_tells_of_no_secret_seat_whether_somebody_has_it(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
    for number in range(8):
        world.send(f"p{number}@example.net", BASE, "JOIN spring")
    world.send(MASTER, chair, "START")
    game = world.game()
    alien = next(seat for seat in game.players if game.is_secret(seat))
    host = next(seat for seat in game.players if not game.is_secret(seat))
    assert host.person is not None
    asked = [(host.person.reachable, world.service.identity.address_of(game, host), "STOP PRESS FROM ALIEN")]
    held = said(world, *asked[0])
    world.send(MASTER, chair, f"EJECT {alien.power}")
    assert said(world, *asked[0]) == held
    assert "You receive no more press from" in held
    assert "told so" not in held


def test_grey_press_is_stopped_by_nobodys_name(world: World) -> None:
    """STOP PRESS FROM each power in turn once told whose grey press it was."""
    seats = world.started("spring", "press=grey")
    world.send(player("Italy"), seats["Italy"], "STOP PRESS FROM France")
    sent = said(world, player("France"), seats["France"], "GREY PRESS TO Italy\nguess who\nENDPRESS")
    assert "Grey press sent to Italy." in sent
    assert "guess who" in text_of(world.last(player("Italy")))
    assert "does not want press from you" in said(
        world, player("France"), seats["France"], "PRESS TO Italy\nit is me\nENDPRESS"
    )
    world.send(player("France"), seats["France"], "POSTAL GREY PRESS TO Italy\nonce more\nENDPRESS")
    world.send(player("France"), seats["France"], "POSTAL PRESS TO Italy\nand me\nENDPRESS")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert "once more" in text_of(world.last(player("Italy")))
    assert "and me" not in text_of(world.last(player("Italy")))
    known = said(world, player("Italy"), seats["Italy"], "PRESS WITH ALL")
    assert ("guess who" in known, "it is me" in known) == (True, False)


def test_what_is_stopped_is_stopped_for_whoever_plays_the_power(world: World) -> None:
    seats = world.started()
    world.send(player("Italy"), seats["Italy"], "STOP PRESS FROM France")
    world.send(MASTER, seats["GM"], f"REPLACE France WITH {ANN}")
    world.accepts(ANN)
    mine = reply_to(world.last(ANN))
    assert "does not want press from you" in said(world, ANN, mine, "PRESS TO Italy\nhello\nENDPRESS")
    assert "is your own power" in said(world, ANN, mine, "STOP PRESS FROM France")
    world.send(player("Italy"), seats["Italy"], "STOP NONE")
    assert "Press sent to Italy." in said(world, ANN, mine, "PRESS TO Italy\nhello\nENDPRESS")


def test_a_secret_seat_that_has_stopped_press_is_not_seen_by_its_writer(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
    for number in range(8):
        world.send(f"p{number}@example.net", BASE, "JOIN spring")
    world.send(MASTER, chair, "START")
    game, identity = world.game(), world.service.identity
    alien = next(seat for seat in game.players if game.is_secret(seat))
    host = next(seat for seat in game.players if not game.is_secret(seat))
    assert alien.person is not None
    assert host.person is not None
    line = "PRESS TO Alien\nhello\nENDPRESS"
    before = said(world, host.person.reachable, identity.address_of(game, host), line)
    world.send(alien.person.reachable, identity.address_of(game, alien), f"STOP PRESS FROM {host.power}")
    count = len(world.mailboxes[alien.person.reachable])
    assert said(world, host.person.reachable, identity.address_of(game, host), line) == before
    assert len(world.mailboxes[alien.person.reachable]) == count


def test_a_long_list_is_asked_for_in_parts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "MOST_LISTED", 2)
    monkeypatch.setattr(loading, "NEXT_IN_STATES", loading.NEXT_IN_STATES.limit(1))
    assert "PRACTICE" in text_of(world.send("ann@example.net", BASE, "LIST"))
    for name in ("one", "two", "three", "four", "five"):
        world.send("master@example.org", BASE, f"CREATE {name}")
    world.send("master@example.org", BASE, "CREATE hidden\nlisted = no")
    asked, seen = "LIST OPEN", []
    while asked:
        said = text_of(world.send("ann@example.net", BASE, asked))
        seen.append([name for name in ("one", "two", "three", "four", "five", "hidden") if f" {name} " in said])
        more = re.search(r"LIST OPEN AFTER \w+", said)
        asked = more[0] if more else ""
    assert seen == [["one", "two"], ["three", "four"], ["five"]]
