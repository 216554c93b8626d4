"""Somebody agrees, and it takes effect later: everything is looked at again then, whatever has happened since."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gm.store.game_rows import SeatRole
from gm.variants.standard import POWERS
from tests.server.world import BASE, World, player, reply_to, text_of

MASTER, ITALY, EVE = "master@example.org", player("Italy"), "eve@elsewhere.example"
OTHERS = [player(power) for power in POWERS if power != "Italy"]

Step = Callable[[World, dict[str, str]], None]


def _promote(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], f"PROMOTE {EVE}")


def _promote_player(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}")


def _replace(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], f"REPLACE Italy WITH {EVE}")


def _deputy(world: World, seats: dict[str, str]) -> None:
    world.send(ITALY, seats["Italy"], f"DEPUTY {EVE}")


def _invite(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], f"UNSTART spring\nDENY {player('France')}\nINVITE {EVE}")


def _standby(world: World, seats: dict[str, str]) -> None:
    world.send(EVE, BASE, "STANDBY spring")
    world.send(MASTER, seats["GM"], "EJECT Italy")


def _yes(world: World) -> None:
    world.accepts(EVE)


def _all_agree(world: World) -> None:
    world.agreed()


def _takes_over(world: World) -> None:
    world.send(EVE, BASE, "TAKEOVER spring AS Italy")


STEPS: dict[str, tuple[Step, Callable[[World], None]]] = {
    "PROMOTE": (_promote, _yes),
    "PROMOTE of a player": (_promote_player, _all_agree),
    "REPLACE": (_replace, _yes),
    "DEPUTY": (_deputy, _yes),
    "INVITE": (_invite, _yes),
    "STANDBY": (_standby, _takes_over),
}
DENIED, OVER, BACK = "DENY {who}", "TERMINATE spring", "PROCESS\nROLLBACK S1901M"


def given(world: World, who: str) -> list[str]:
    """What this person has in the game: the power they play or order for, or `runs it`."""
    held = [seat for seat in world.seats() if seat.person is not None and who in seat.person.addresses]
    return ["runs it" if seat.role is SeatRole.MASTER else seat.power or "plays" for seat in held]


TABLE = [
    # what is asked, what happens between, what who was asked has then
    ("PROMOTE", "", ["runs it"]),
    ("PROMOTE", DENIED, []),
    ("PROMOTE", OVER, ["runs it"]),
    ("PROMOTE", BACK, ["runs it"]),
    ("PROMOTE of a player", "", ["Italy", "runs it"]),
    ("PROMOTE of a player", f"EJECT Italy\n{DENIED}", []),
    ("PROMOTE of a player", "EJECT Italy", ["runs it"]),
    ("PROMOTE of a player", "PROMOTE {who} OFF", ["Italy"]),
    ("PROMOTE of a player", OVER, ["Italy", "runs it"]),
    ("PROMOTE of a player", BACK, ["Italy", "runs it"]),
    ("REPLACE", "", ["Italy"]),
    ("REPLACE", DENIED, []),
    ("REPLACE", "EJECT Italy", ["Italy"]),
    ("REPLACE", OVER, []),
    ("REPLACE", BACK, ["Italy"]),
    ("DEPUTY", "", ["Italy"]),
    ("DEPUTY", DENIED, []),
    ("DEPUTY", "EJECT Italy", []),
    ("DEPUTY", OVER, []),
    ("DEPUTY", BACK, ["Italy"]),
    ("DEPUTY", "UNSTART spring", []),
    ("INVITE", "", ["plays"]),
    ("INVITE", DENIED, []),
    ("INVITE", OVER, []),
    ("STANDBY", "", ["Italy"]),
    ("STANDBY", DENIED, []),
    ("STANDBY", "DUMMY Italy", []),
    ("STANDBY", OVER, []),
]


@pytest.mark.parametrize(("what", "between", "has"), TABLE, ids=[f"{a}: {b or 'nothing'}" for a, b, _ in TABLE])
def test_everything_is_looked_at_when_it_takes_effect(
    world: World, seats: dict[str, str], what: str, between: str, has: list[str]
) -> None:
    asks, answers = STEPS[what]
    who = ITALY if what == "PROMOTE of a player" else EVE
    asks(world, seats)
    for line in filter(None, between.format(who=who).split("\n")):
        assert "could not be acted on" not in text_of(world.send(MASTER, seats["GM"], line)), line
    answers(world)
    assert sorted(given(world, who)) == sorted(has)


@pytest.mark.parametrize(
    ("stops", "runs"), [("PROCESS\nTERMINATE spring", "ROLLBACK S1901M"), ("UNSTART spring", "START spring")]
)
@pytest.mark.parametrize("resume", [True, False])
def test_who_plays_in_a_game_that_has_begun_runs_it_only_if_all_agree(
    world: World, seats: dict[str, str], stops: str, runs: str, resume: bool
) -> None:
    for line in stops.split("\n"):
        world.send(MASTER, seats["GM"], line)
    assert not world.game().running
    world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}")
    if resume:
        world.send(MASTER, seats["GM"], runs)
        assert world.game().running
    assert "runs it" not in given(world, ITALY)
    asked = [
        one for one in OTHERS if any("Another gamemaster" in str(mail["Subject"]) for mail in world.mailboxes[one])
    ]
    assert asked == OTHERS
    world.agreed()
    assert "runs it" in given(world, ITALY)


def test_of_a_start_that_is_repeated_everybody_is_told_who_runs_the_game_and_plays(
    world: World, seats: dict[str, str]
) -> None:
    """Somebody who did not play is promoted at once, and may join before it begins again."""
    world.send(MASTER, seats["GM"], f"UNSTART spring\nDENY {player('France')}")
    world.send(EVE, BASE, "REGISTER Eve Adams")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {EVE}")
    world.send(EVE, BASE, "JOIN spring")
    assert sorted(given(world, EVE)) == ["plays", "runs it"]
    world.send(MASTER, seats["GM"], "START spring")
    told = "Eve Adams, who runs the game, plays, too"
    assert told in " ".join(text_of(world.last(player("Germany"))).split())


def test_a_power_that_is_dealt_anew_is_not_the_one_that_was_offered(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], f"REPLACE Italy WITH {EVE}")
    before = {seat.id: seat.power for seat in world.game().players}
    seat = next(one for one, power in before.items() if power == "Italy")
    for _ in range(20):
        world.send(MASTER, seats["GM"], "UNSTART spring")
        world.send(player("Italy"), seats["Italy"], "JOIN spring AS France")
        world.send(player("France"), seats["France"], "JOIN spring AS Italy")
        world.send(MASTER, seats["GM"], "START spring")
        if world.game().seat(seat).power != "Italy":
            break
    world.accepts(EVE)
    assert given(world, EVE) == []


def test_a_no_of_somebody_who_plays_no_more_decides_nothing(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}")
    asked = reply_to(world.last(player("France")))
    world.send(MASTER, seats["GM"], "EJECT France")
    assert "so others decide" in text_of(world.send(player("France"), asked, "NO"))
    world.agreed()
    assert "runs it" in given(world, ITALY)


def test_the_players_do_not_learn_why_it_is_not_to_be_decided(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}")
    world.send(MASTER, seats["GM"], f"EJECT Italy\nDENY {ITALY}")
    said = text_of(world.accepts(player("France")))
    assert "That is not to be decided any more." in said
    assert ITALY not in said
