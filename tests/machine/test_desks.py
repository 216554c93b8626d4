"""What waits for a gamemaster comes once a day, at their hour, and only when something waits."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.server.world import BASE, World, body_of, player, reply_to, text_of

MASTER = "master@example.org"


def told(world: World) -> list[str]:
    return [body_of(mail) for mail in world.mailboxes[MASTER] if "What waits" in str(mail["Subject"])]


def test_a_gamemaster_is_told_daily_what_waits_and_can_answer_for_each_game(world: World) -> None:
    seats = world.started(options="release=gm")
    world.send(MASTER, BASE, "CREATE winter standard")
    said = text_of(world.send(MASTER, seats["GM"], "PREFERENCES desk=07:00"))
    assert "first on Sat 21 Nov 2026, 07:00 UTC" in said
    world.pass_time(days=2)
    assert told(world) == []
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    world.pass_time(days=1)
    (mail,) = told(world)
    assert "results of S1901M to release" in mail
    assert str(world.last(MASTER)["Subject"]) == "What waits for you in a game that you run"
    assert "winter" not in mail
    world.send(MASTER, reply_to(world.last(MASTER)), "GAME spring\nRELEASE S1901M")
    assert world.phase() == "F1901M"
    world.pass_time(days=1)
    assert len(told(world)) == 1


def test_it_ends_when_asked_and_a_pause_does_not_wait_for_anybody(world: World) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], "PREFERENCES desk=07:00\nPAUSE")
    world.pass_time(days=1)
    assert told(world) == []
    world.send(MASTER, seats["GM"], "EJECT France\nPREFERENCES desk=none")
    world.pass_time(days=1)
    assert told(world) == []
    assert "vacant: France" in text_of(world.send(MASTER, BASE, "DASHBOARD"))
    assert "paused" in text_of(world.last(MASTER))


def test_who_has_left_no_address_is_told_nothing(world: World) -> None:
    seats = world.started()
    world.send(player("Italy"), seats["Italy"], "PREFERENCES desk=07:00")
    world.send(player("Italy"), seats["Italy"], "FORGET ME")
    world.agreed()
    world.time += timedelta(days=1)
    world.work()
    assert told(world) == []


def test_stand_ins_that_were_chosen_wait_for_nobody_and_a_vacancy_has_what_to_write(world: World) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], "EJECT France\nEJECT Italy\nPREFERENCES desk=07:00")
    world.pass_time(days=1)
    (mail,) = told(world)
    assert "vacant: France (nobody orders for it)" in mail
    assert "REPLACE France WITH address" in mail
    assert "STANDIN Italy" in mail
    assert "DASHBOARD\n" not in mail
    world.send(MASTER, seats["GM"], "STANDIN France\nSTANDIN Italy")
    said = text_of(world.send(MASTER, BASE, "DASHBOARD"))
    assert "spring: stand-ins play France, Italy." in said
    assert "vacant" not in said
    world.pass_time(days=1)
    assert len(told(world)) == 1


@pytest.mark.parametrize("games", [("spring",), ("spring", "twin")])
@pytest.mark.parametrize("answer", ["YES", "CREATE hole variant=black-hole\nINVITE hugo@players.example"])
def test_what_is_answered_below_a_dashboard_names_no_game_and_needs_none(
    world: World, games: tuple[str, ...], answer: str
) -> None:
    with world.trusting():
        for name in games:
            world.started(name)
        asked = world.send(MASTER, BASE, "DASHBOARD\n\nPlease make me another game, of Black Hole, and call it hole.")
        assert "reply with YES" in text_of(asked)
        cites = {"In-Reply-To": str(asked["Message-ID"])}
        world.send(MASTER, reply_to(asked), answer, headers=cites)
    assert world.game("hole").variant.name == "black-hole"
