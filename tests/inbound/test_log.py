"""LOG says in words what was done, by whom and to whom, to those who may know it."""

from __future__ import annotations

import re

import pytest

from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of

MASTER, HELPER, ANN = "master@example.org", "helper@example.org", "ann@example.net"


def log(world: World, seats: dict[str, str], sender: str = MASTER) -> str:
    return text_of(world.send(sender, seats["GM"], "LOG 100"))


def test_it_says_who_was_invited_and_promoted_and_in_which_zone_its_times_are(
    world: World, seats: dict[str, str]
) -> None:
    world.promotes(MASTER, seats["GM"], f"TIMEZONE Europe/Berlin\nEJECT Italy\nINVITE {ANN}\nPROMOTE {HELPER}")
    said = log(world, seats)
    assert "Log of spring, the newest first (times: Europe/Berlin)" in said
    assert f"invite ({ANN})" in said
    assert "promote (Helper)" in said
    assert "Gamemasters: Master and Helper" in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert HELPER not in text_of(world.send(player("France"), seats["France"], "STATUS"))
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('France')}")
    world.agreed()
    chair = {"GM": reply_to(world.last(player("France")))}
    assert HELPER not in log(world, chair, player("France"))


def test_it_is_in_words(world: World) -> None:
    seats = world.started(options="release=gm")
    for line in ("PROCESS S1901M", "RELEASE S1901M"):
        world.send(MASTER, seats["GM"], line)
    said = log(world, seats)
    assert "server: orders closed (phase S1901M)" in said
    assert "no orders from Austria, England, France, Germany, Italy, Russia and Turkey)" in said
    assert "rules standard" not in said


def test_gamemasters_and_assistants_who_have_left_keep_their_names(world: World, seats: dict[str, str]) -> None:
    for one, name, rights in ((HELPER, "Hal", ""), (ANN, "Ann", " AS ASSISTANT")):
        world.send(one, BASE, f"REGISTER {name}")
        world.promotes(MASTER, seats["GM"], f"PROMOTE {one}{rights}")
    chairs = [reply_to(world.last(one)) for one in (HELPER, ANN)]
    world.send(HELPER, chairs[0], "SET grace=7h")
    world.send(ANN, chairs[1], "COMMENT Friday")
    world.send(HELPER, chairs[0], "RESIGN spring")
    world.send(MASTER, seats["GM"], f"PROMOTE {ANN} OFF")
    said = log(world, seats)
    assert "Hal (gamemaster): set (options grace 7h)" in said
    assert "Ann (assistant gamemaster): comment (text Friday)" in said
    world.send(HELPER, BASE, "FORGET ME")
    assert "Hal" not in log(world, seats)


def test_it_does_not_say_who_was_invited_to_one_who_may_not_know_who_plays(world: World) -> None:
    chair = {"GM": reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))}
    world.send(MASTER, chair["GM"], f"INVITE {ANN}")
    said = log(world, chair)
    assert ": invite" in said
    assert ANN not in said


@pytest.mark.ruling("FW-4", "FW-7")
@pytest.mark.parametrize("options", ["", "nmr=random"])
@pytest.mark.parametrize(
    ("variant", "sender", "told"),
    [("fog", player("France"), False), ("fog", MASTER, True), ("standard", player("France"), True)],
)
def test_it_names_no_silent_power_to_one_who_plays_where_that_is_hidden(
    world: World, variant: str, sender: str, told: bool, options: str
) -> None:
    seats = world.started(options=f"variant={variant} move=3d first=3d {options}", master=sender)
    for power in ("France", "Italy"):
        world.send(player(power), seats[power], OPENINGS[power])
    world.pass_time(days=4)
    said = log(world, seats, sender)
    assert "adjudicate" in said
    named = "".join(re.findall(r"(?:no orders from|orders by lot for) ([^)]*)", said))
    assert [power for power in OPENINGS if power in named] == (
        [power for power in OPENINGS if power not in ("France", "Italy")] if told else []
    )


def test_powers_are_named_in_their_own_order_whenever_their_players_came(world: World) -> None:
    """Whoever invited the players one after another could tell by the order of joining who plays what."""
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring nmr=random"))
    for power in sorted(OPENINGS, reverse=True):
        world.send(player(power), BASE, f"JOIN spring AS {power}")
    world.send(MASTER, chair, "START")
    world.send(MASTER, chair, "PROCESS S1901M")
    said = log(world, {"GM": chair})
    (named,) = re.findall(r"orders by lot for ([^)]*)", said)
    assert named.startswith("Austria, England, France, Germany, Italy, Russia")
